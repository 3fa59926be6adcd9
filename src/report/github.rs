//! `github`: workflow commands that annotate a pull request.
//!
//! GitHub shows ten annotations of a level per step, so the gravest come first and the rest is counted in one notice; the job
//! summary, which has them all, is `markdown`.

use std::io::{self, Write};

use crate::base::finding::{Finding, Level};
use crate::base::sanitize;
use crate::compile::run_changes::RunChange;
use crate::engine::loosened::Loosening;
use crate::report::locate::Locator;
use crate::report::{Report, ReportOptions, counted, runs};

/// So many errors, and so many warnings, are annotated.
const SHOWN: usize = 10;

/// So many changes of what agents run are annotated.
const RUNS_SHOWN: usize = 5;

/// One notice fewer, since the count of the rest is a notice too.
const NOTICES: usize = 9;

/// Write `report` as annotations.
pub fn write(report: &Report, options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let mut locator = Locator::new(report);
    let mut rest = Vec::new();
    for level in [Level::Error, Level::Warning, Level::Info] {
        let mut room = if level == Level::Info { NOTICES } else { SHOWN };
        let mut left = 0;
        // A file that could not be read may hide anything, so it comes before every finding.
        let failures = if level == Level::Error { report.failures.as_slice() } else { &[] };
        for failure in failures {
            if room == 0 {
                left += 1;
                continue;
            }
            room -= 1;
            let path = sanitize::path(&failure.path);
            let message = data(&format!("could not check {path}: {}", sanitize::line(&failure.message)));
            writeln!(out, "::error file={},title=hintlint::{message}", property(&path))?;
        }
        for finding in report.findings.iter().filter(|finding| finding.level == level) {
            if room == 0 {
                left += 1;
                continue;
            }
            room -= 1;
            writeln!(out, "{}", command(finding, &mut locator))?;
        }
        if left > 0 {
            rest.push(more(left, level));
        }
    }
    for silenced in &report.silenced {
        let (path, line) = (property(&sanitize::path(&silenced.path)), silenced.line);
        writeln!(out, "::notice file={path},line={line},title=hintlint::{}", data(&silenced.words()))?;
    }
    if rest.is_empty() {
        return Ok(());
    }
    let all = match options.job_summary {
        true => "The job summary has them all.",
        false => "`hintlint --format markdown` lists them all.",
    };
    writeln!(out, "::notice title=hintlint::Not annotated here: {}. {all}", rest.join(", "))
}

/// Write that a request loosens checks: one annotation, at the first place, since the summary lists them.
pub(crate) fn write_loosened(loosened: &[Loosening], out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = loosened.first() else { return Ok(()) };
    let (path, count) = (property(&sanitize::path(&first.path)), counted(loosened.len(), "check", "checks"));
    let message =
        data(&format!("this request loosens {count}; the summary lists all: {}", sanitize::line(&first.what)));
    writeln!(out, "::warning file={path},line={},title=hintlint::{message}", first.line)
}

/// Write the graver changes of what agents run: one annotation each, as far as there is room beside the findings, since the
/// summary lists all.
pub(crate) fn write_runs(changes: &[RunChange], out: &mut dyn Write) -> io::Result<()> {
    for change in changes.iter().filter(|change| change.grade.is_grave()).take(RUNS_SHOWN) {
        let (path, message) = (property(&sanitize::path(&change.path)), data(&runs::line(change)));
        writeln!(out, "::warning file={path},line={},title=hintlint runs::{message}", change.line)?;
    }
    Ok(())
}

fn more(count: usize, level: Level) -> String {
    match level {
        Level::Error => counted(count, "more error", "more errors"),
        Level::Warning => counted(count, "more warning", "more warnings"),
        Level::Info => counted(count, "more info", "more infos"),
    }
}

/// The command that annotates one finding.
fn command(finding: &Finding, locator: &mut Locator<'_>) -> String {
    let name = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "notice",
    };
    let mut command = format!("::{name} file={}", property(&sanitize::path(&finding.path)));
    if !finding.is_placeless() && locator.source(&finding.path).is_some() {
        let (start, end) = locator.range(&finding.path, finding.span);
        command.push_str(&format!(",line={}", start.line));
        // GitHub refuses columns in annotations over several lines.
        match start.line == end.line {
            true => command.push_str(&format!(",col={},endLine={},endColumn={}", start.column, end.line, end.column)),
            false => command.push_str(&format!(",endLine={}", end.line)),
        }
    }
    let mut message = sanitize::line(&finding.message).into_owned();
    if let Some(help) = &finding.help {
        message.push_str("\nhelp: ");
        message.push_str(&sanitize::lines(help));
    }
    format!("{command},title={}::{}", property(finding.rule), data(&message))
}

/// The text of a command, escaped as the runner undoes it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property's value, escaped as the runner undoes it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::error::Failure;
    use crate::base::path::RepoPath;
    use crate::base::text::Span;
    use crate::report::tests::{hostile_report, render, report, sample};

    #[test]
    fn annotations() {
        let mut report = sample();
        report.findings[2].message = "100%: a,b\n::error::c".to_owned();
        report.findings[2].path = RepoPath::from("a:b,c%/d.md");
        report.failures = vec![Failure { path: RepoPath::from("x.md"), message: "permission denied".to_owned() }];
        insta::assert_snapshot!(render(write, &report, &ReportOptions::default()), @r#"
        ::error file=x.md,title=hintlint::could not check x.md: permission denied
        ::error file=AGENTS.md,line=3,col=5,endLine=3,endColumn=18,title=missing-import::`docs/gone.md` does not exist%0Ahelp: it was renamed to `docs/new.md`
        ::error file=a%3Ab%2Cc%25/d.md,title=hidden-tags::100%25: a,b\n::error::c%0Ahelp: remove the run
        ::warning file=AGENTS.md,title=empty-hint-file::the file says nothing to an agent
        ::notice file=AGENTS.md,line=6,col=11,endLine=6,endColumn=19,title=duplicate-task::`build` is given twice
        "#);
    }

    #[test]
    fn the_rest_is_counted() {
        let mut report = report(&[("AGENTS.md", b"a\nb\n")]);
        let path = RepoPath::from("AGENTS.md");
        let levels = [(Level::Info, 11), (Level::Warning, 10), (Level::Error, 12)];
        for (level, count) in levels {
            let finding = Finding::new("some-rule", level, &path, Span::new(0, 3), "m");
            report.findings.extend(std::iter::repeat_n(finding, count));
        }
        let text = render(write, &report, &ReportOptions { job_summary: true, ..ReportOptions::default() });
        assert!(text.starts_with("::error file=AGENTS.md,line=1,endLine=2,title=some-rule::m\n"), "{text}");
        assert_eq!(["::error", "::warning", "::notice f"].map(|name| text.matches(name).count()), [10, 10, 9]);
        let last =
            "::notice title=hintlint::Not annotated here: 2 more errors, 2 more infos. The job summary has them all.\n";
        assert!(text.ends_with(last), "{text}");
        let alone = render(write, &report, &ReportOptions::default());
        assert!(alone.ends_with("2 more infos. `hintlint --format markdown` lists them all.\n"), "{alone}");
    }

    proptest! {
        #[test]
        fn every_line_is_one_of_our_commands(report in hostile_report()) {
            for line in render(write, &report, &ReportOptions::default()).lines() {
                let ours = ["::error file=", "::warning file=", "::notice file=", "::notice title=hintlint::"];
                prop_assert!(ours.iter().any(|start| line.starts_with(start)), "{line:?}");
                prop_assert!(!line.contains("##["), "{line:?}");
            }
        }
    }
}
