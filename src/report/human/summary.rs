//! What a report for a person ends with: what was fixed, what the run came to, and what it left out.

use std::time::Duration;

use crate::base::finding::{Applicability, Finding, Level};
use crate::base::sanitize;
use crate::report::{Extent, FixSummary, Report, counted};

/// The last lines: what `--fix` did, and what the run came to.
pub(super) fn summary(report: &Report, width: usize) -> String {
    let mut text = String::new();
    if let Some(fixed) = &report.fixed {
        text.push_str(&fixed_line(fixed));
    }
    let unread = report.failures.len();
    if let Some(line) = unchanged(report).filter(|_| report.findings.is_empty() && unread == 0) {
        return text + &wrapped(&line, width);
    }
    if report.files == 0 && report.findings.is_empty() && unread == 0 {
        text.push_str("No hint files found, such as AGENTS.md or CLAUDE.md; nothing was checked.\n");
        return text;
    }
    let fixed = report.fixed.as_ref().is_some_and(|fixed| !fixed.by_rule.is_empty());
    let is_partial = matches!(report.extent, Extent::Changes { .. });
    let unwritten = report.fixed.as_ref().is_some_and(|fixed| fixed.unwritten > 0);
    let old = report.known.as_ref().map_or(0, |known| known.old) + report.older.values().sum::<usize>();
    let found = match (report.findings.is_empty(), fixed, unwritten) {
        (true, _, true) => "No other problems".to_owned(),
        (false, _, true) => format!("Besides these: {}", problems(report)),
        (true, false, false) if is_partial => "No problems found in what changed".to_owned(),
        (true, false, false) if old > 0 => "No new problems found".to_owned(),
        (true, false, false) => "No problems found".to_owned(),
        (true, true, false) => "No problems left".to_owned(),
        (false, false, false) => format!("Found {}", problems(report)),
        (false, true, false) => format!("Left: {}", problems(report)),
    };
    let mut hidden = hidden(report).map_or_else(String::new, |hidden| format!("{hidden}.\n"));
    hidden.extend(old_lines(report).iter().map(|line| wrapped(line, width)));
    let mut checked = String::new();
    if unread > 0 {
        checked.push_str(&format!("; {} could not be checked", counted(unread, "file", "files")));
    }
    let files = match report.extent {
        Extent::Changes { of } => format!("{} of {}", report.files, counted(of, "file", "files")),
        Extent::All | Extent::Nothing => counted(report.files, "file", "files"),
    };
    let directories = counted(report.directories, "directory", "directories");
    let rest = if is_partial { "; `--all` checks the rest" } else { "" };
    checked.push_str(&format!("; checked {files} in {directories} in {}{rest}.", seconds(report.elapsed)));
    let Some(fixable) = fixable(report) else {
        text.push_str(&wrapped(&format!("{found}{checked}"), width));
        return text + &hidden;
    };
    let line = format!("{found} ({fixable}){checked}");
    text.push_str(&match line.chars().count() <= width {
        true => line + "\n",
        // What to do next must not be torn apart.
        false => format!("{}{}", wrapped(&format!("{found}{checked}"), width), wrapped(&format!("{fixable}."), width)),
    });
    text + &hidden
}

/// What to say of a run that had nothing to check because the changes concern no hint file.
fn unchanged(report: &Report) -> Option<String> {
    match report.extent {
        Extent::Nothing => Some("Nothing changed, so nothing was checked; `--all` checks everything.".to_owned()),
        Extent::Changes { of } if report.files == 0 && of > 0 => {
            let files = counted(of, "hint file", "hint files");
            Some(format!("No problems found: the changes touch and break none of the {files}; `--all` checks them."))
        }
        Extent::Changes { .. } | Extent::All => None,
    }
}

/// The counts of findings that the baseline or the limit to changes hides.
fn old_lines(report: &Report) -> Vec<String> {
    let known = report.known.as_ref().filter(|known| known.old > 0).map(|known| {
        let (old, file) = (counted(known.old, "older problem", "older problems"), sanitize::path(&known.file));
        format!("{old} not shown: the baseline {file} has them (`--no-baseline` shows them).")
    });
    let older: usize = report.older.values().sum();
    let older = (older > 0).then(|| {
        let older = counted(older, "older problem", "older problems");
        format!("{older} not shown: the changes neither cause nor touch them (`hintlint check` shows them).")
    });
    known.into_iter().chain(older).collect()
}

/// `33 infos: `--min-level info``, if the shown level hides any.
fn hidden(report: &Report) -> Option<String> {
    let words = report.hidden.iter().rev().map(|(level, &count)| match level {
        Level::Error => counted(count, "error", "errors"),
        Level::Warning => counted(count, "warning", "warnings"),
        Level::Info => counted(count, "info", "infos"),
    });
    let words: Vec<String> = words.collect();
    let lowest = report.hidden.keys().next()?;
    Some(format!("{}: `--min-level {}`", words.join(", "), lowest.name()))
}

fn wrapped(line: &str, width: usize) -> String {
    textwrap::fill(line, textwrap::Options::new(width).subsequent_indent("    ")) + "\n"
}

/// `2 errors and 1 warning`.
fn problems(report: &Report) -> String {
    let counts =
        [(Level::Error, "error", "errors"), (Level::Warning, "warning", "warnings"), (Level::Info, "info", "infos")];
    let mut words: Vec<String> = Vec::new();
    for (level, singular, plural) in counts {
        let count = report.count(level);
        // Errors and warnings are always counted, even at zero; infos only where there are some.
        if count > 0 || level != Level::Info {
            words.push(counted(count, singular, plural));
        }
    }
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) }
}

/// `1 fixable with `--fix``, if any is.
fn fixable(report: &Report) -> Option<String> {
    let count = |applicability| {
        let same = |finding: &&Finding| finding.fix.as_ref().is_some_and(|fix| fix.applicability == applicability);
        report.findings.iter().filter(same).count()
    };
    match (count(Applicability::Safe), count(Applicability::Unsafe)) {
        (0, 0) => None,
        (safe, 0) => Some(format!("{safe} fixable with `--fix`")),
        (0, more) => Some(format!("{more} fixable with `--unsafe-fixes`")),
        (safe, more) => Some(format!("{safe} fixable with `--fix`, {more} more with `--unsafe-fixes`")),
    }
}

fn fixed_line(fixed: &FixSummary) -> String {
    let total: usize = fixed.by_rule.values().sum();
    let of = |findings, files| {
        format!("{} in {}", counted(findings, "problem", "problems"), counted(files, "file", "files"))
    };
    let rules: Vec<String> = fixed.by_rule.iter().map(|(rule, count)| format!("{count} {rule}")).collect();
    let mut lines = match (total, fixed.unwritten) {
        (0, 0) => return "Nothing to fix.\n".to_owned(),
        (0, _) => String::new(),
        _ => format!("Fixed {}: {}.\n", of(total, fixed.files), rules.join(", ")),
    };
    if fixed.unwritten > 0 {
        lines += &format!("Not written: the fixes of {}.\n", of(fixed.unwritten, fixed.unwritten_files));
    }
    lines
}

fn seconds(elapsed: Duration) -> String {
    match elapsed.as_millis() {
        short @ 0..1000 => format!("{short} ms"),
        _ => format!("{:.2} s", elapsed.as_secs_f64()),
    }
}
