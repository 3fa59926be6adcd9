//! `markdown`: the report as a page, which is also the job summary in CI.
//!
//! Owns the escaping for Markdown: nothing that came from a file is a link, an image, a mention, HTML or a second table cell.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::report::locate::Locator;
use crate::report::{Report, ReportOptions, counted, statistics};

/// Findings past this many bytes are counted, not listed: GitHub drops a job summary of more than 1 MiB.
const MAX_BYTES: usize = 900_000;

/// Write `report` as Markdown: the counts, a table of rules, a table for each file.
pub fn write(report: &Report, _options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let mut page = String::new();
    heading(report, &mut page);
    limits(report, &mut page);
    if !report.findings.is_empty() {
        rules(report, &mut page);
        files(report, &mut page);
    }
    out.write_all(page.as_bytes())
}

/// Write the counts per rule alone.
pub(crate) fn write_statistics(report: &Report, _options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let mut page = String::new();
    heading(report, &mut page);
    limits(report, &mut page);
    if !report.findings.is_empty() {
        rules(report, &mut page);
    }
    out.write_all(page.as_bytes())
}

/// What could not be checked, and what else the reader should know.
fn limits(report: &Report, page: &mut String) {
    for failure in &report.failures {
        let path = code(&sanitize::path(&failure.path));
        line(page, &format!("- could not check {path}: {}", prose(&failure.message)));
    }
    for note in &report.notes {
        line(page, &format!("- note: {}", prose(note)));
    }
    for silenced in &report.silenced {
        line(page, &format!("- note: {}", prose(&silenced.sentence())));
    }
    if !report.failures.is_empty() || !report.notes.is_empty() || !report.silenced.is_empty() {
        page.push('\n');
    }
}

fn line(page: &mut String, text: &str) {
    page.push_str(text);
    page.push('\n');
}

fn heading(report: &Report, page: &mut String) {
    let errors = counted(report.count(Level::Error), "error", "errors");
    let warnings = counted(report.count(Level::Warning), "warning", "warnings");
    let infos = report.count(Level::Info);
    let head = match (report.findings.is_empty(), report.files) {
        (true, 0) => "no hint files found".to_owned(),
        (true, _) => "no problems found".to_owned(),
        (false, _) if infos > 0 => format!("{errors}, {warnings}, {}", counted(infos, "info", "infos")),
        (false, _) => format!("{errors}, {warnings}"),
    };
    line(page, &format!("## hintlint: {head}\n"));
    let files = counted(report.files, "file", "files");
    let directories = counted(report.directories, "directory", "directories");
    let fixable = match report.fixable() {
        0 => String::new(),
        count => format!(" `hintlint --fix` fixes {count} of the findings."),
    };
    line(page, &format!("Checked {files} in {directories}.{fixable}\n"));
}

fn rules(report: &Report, page: &mut String) {
    line(page, "| Rule | Level | Findings | Fixable |\n| --- | --- | ---: | ---: |");
    for count in statistics::counts(report) {
        let row = format!("| {} | {} | {} | {} |", code(count.rule), count.level, count.findings, count.fixable);
        line(page, &row);
    }
}

fn files(report: &Report, page: &mut String) {
    let mut by_file: BTreeMap<&RepoPath, Vec<&Finding>> = BTreeMap::new();
    for finding in &report.findings {
        by_file.entry(&finding.path).or_default().push(finding);
    }
    let mut locator = Locator::new(report);
    let mut listed = 0;
    'files: for (path, findings) in by_file {
        line(
            page,
            &format!(
                "\n### {}\n\n| Line | Level | Rule | Problem |\n| ---: | --- | --- | --- |",
                code(&sanitize::path(path))
            ),
        );
        for finding in findings {
            let row = row(finding, &mut locator);
            if page.len() + row.len() > MAX_BYTES {
                break 'files;
            }
            line(page, &row);
            listed += 1;
        }
    }
    if listed < report.findings.len() {
        let rest = counted(report.findings.len() - listed, "more finding is", "more findings are");
        line(page, &format!("\n{rest} not listed here."));
    }
}

fn row(finding: &Finding, locator: &mut Locator<'_>) -> String {
    let place = match finding.is_placeless() || locator.source(&finding.path).is_none() {
        true => String::new(),
        false => locator.position(&finding.path, finding.span.start).line.to_string(),
    };
    let mut row =
        format!("| {place} | {} | {} | {}", finding.level.name(), code(finding.rule), prose(&finding.message));
    if let Some(help) = &finding.help {
        for help in help.lines() {
            write!(row, "<br>{}", prose(help)).expect("a String takes everything");
        }
    }
    match finding.fix.as_ref().map(|fix| fix.applicability) {
        Some(Applicability::Safe) => row.push_str(" (safe fix)"),
        Some(Applicability::Unsafe) => row.push_str(" (unsafe fix)"),
        Some(Applicability::Manual) | None => {}
    }
    row.push_str(" |");
    row
}

/// `text` as Markdown that reads the same, on one line, fit for a table cell. What stands between backticks becomes code.
pub(super) fn prose(text: &str) -> String {
    let text = sanitize::line(text);
    let parts: Vec<&str> = text.split('`').collect();
    let mut out = String::with_capacity(text.len() + 16);
    // An odd number of backticks pairs none of them.
    if parts.len().is_multiple_of(2) {
        words(&text, &mut out);
        return out;
    }
    for (n, part) in parts.into_iter().enumerate() {
        if n % 2 == 0 {
            words(part, &mut out);
        } else {
            out.push_str(&code(part));
        }
    }
    out
}

/// Words, with their punctuation escaped. A word that GitHub would link or notify becomes code: no escape keeps it from that.
fn words(text: &str, out: &mut String) {
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end_matches(' ');
        let number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        let linked = bare.contains('@')
            || bare.contains("://")
            || bare.to_ascii_lowercase().contains("www.")
            || bare.split('#').skip(1).any(number);
        if linked {
            out.push_str(&code(bare));
            out.push_str(&word[bare.len()..]);
            continue;
        }
        for c in word.chars() {
            match c {
                // A table takes its cells apart before anything else, and counts backslashes in its own way.
                '|' => out.push_str("&#124;"),
                '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '(' | ')' | '#' | '!' | '~' | '&'
                | '$' => {
                    out.extend(['\\', c]);
                }
                c => out.push(c),
            }
        }
    }
}

/// `text`, which is sanitised, as a code span that is fit for a table cell.
pub(crate) fn code(text: &str) -> String {
    let plain = !text.contains(['`', '|']) && !text.starts_with(' ') && !text.ends_with(' ') && !text.is_empty();
    if plain {
        return format!("`{text}`");
    }
    let mut out = "<code>".to_owned();
    for c in text.chars() {
        match c {
            c if c.is_ascii_punctuation() => write!(out, "&#{};", u32::from(c)).expect("a String takes everything"),
            c => out.push(c),
        }
    }
    out + "</code>"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options as MdOptions, Parser, Tag, TagEnd};

    use super::*;
    use crate::report::tests::{hostile_report, render, report, sample};

    #[test]
    fn a_page() {
        let mut report = sample();
        report.notes = vec!["history is shallow".to_owned()];
        insta::assert_snapshot!(render(write, &report, &ReportOptions::default()), @r#"
        ## hintlint: 2 errors, 1 warning, 1 info

        Checked 2 files in 2 directories. `hintlint --fix` fixes 1 of the findings.

        - note: history is shallow

        | Rule | Level | Findings | Fixable |
        | --- | --- | ---: | ---: |
        | `duplicate-task` | info | 1 | 0 |
        | `empty-hint-file` | warning | 1 | 0 |
        | `hidden-tags` | error | 1 | 1 |
        | `missing-import` | error | 1 | 0 |

        ### `AGENTS.md`

        | Line | Level | Rule | Problem |
        | ---: | --- | --- | --- |
        |  | warning | `empty-hint-file` | the file says nothing to an agent |
        | 3 | error | `missing-import` | `docs/gone.md` does not exist<br>it was renamed to `docs/new.md` (unsafe fix) |
        | 3 | error | `hidden-tags` | 2 invisible tag characters \(U+E0049..U+E0047\)<br>remove the run (safe fix) |
        | 6 | info | `duplicate-task` | `build` is given twice |
        "#);
    }

    #[test]
    fn an_empty_page() {
        insta::assert_snapshot!(render(write, &report(&[("AGENTS.md", b"")]), &ReportOptions::default()), @r#"
        ## hintlint: no problems found

        Checked 1 file in 1 directory.
        "#);
    }

    #[test]
    fn words_that_would_link_are_code() {
        assert_eq!(prose("ask @user at https://x.y, see #12"), "ask `@user` at `https://x.y,` see `#12`");
        assert_eq!(prose("`@a|b` is *not* <b>"), "<code>&#64;a&#124;b</code> is \\*not\\* \\<b\\>");
        assert_eq!(prose("odd ` tick \\| [x](y)"), "odd \\` tick \\\\&#124; \\[x\\]\\(y\\)");
    }

    #[test]
    fn a_page_has_an_end() {
        let mut report = sample();
        let finding = report.findings[0].clone();
        report.findings = (0..20_000).map(|_| Finding { message: "word ".repeat(20), ..finding.clone() }).collect();
        let page = render(write, &report, &ReportOptions::default());
        assert!(page.len() < 1_000_000);
        assert!(page.ends_with("more findings are not listed here.\n"));
    }

    proptest! {
        #[test]
        fn nothing_of_a_file_is_markup(report in hostile_report()) {
            let page = render(write, &report, &ReportOptions::default());
            let extensions = MdOptions::ENABLE_TABLES | MdOptions::ENABLE_STRIKETHROUGH | MdOptions::ENABLE_MATH;
            let mut cells = 0;
            for event in Parser::new_ext(&page, extensions) {
                match event {
                    Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Strong | Tag::Emphasis | Tag::HtmlBlock) => {
                        prop_assert!(false, "{event:?} in {page}");
                    }
                    Event::Start(Tag::Strikethrough | Tag::CodeBlock(_) | Tag::BlockQuote(_)) | Event::InlineMath(_) => {
                        prop_assert!(false, "{event:?} in {page}");
                    }
                    Event::InlineHtml(html) | Event::Html(html) => {
                        prop_assert!(["<code>", "</code>", "<br>"].contains(&&*html), "{html:?} in {page}");
                    }
                    Event::Start(Tag::TableRow | Tag::TableHead) => cells = 0,
                    Event::Start(Tag::TableCell) => cells += 1,
                    Event::End(TagEnd::TableRow | TagEnd::TableHead) => prop_assert_eq!(cells, 4),
                    _ => {}
                }
            }
            let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains("`zero-width`")).count();
            // The table of rules has a row for each level.
            let levels: std::collections::BTreeSet<_> = report.findings.iter().map(|finding| finding.level).collect();
            prop_assert_eq!(rows, report.findings.len() + levels.len());
        }
    }
}
