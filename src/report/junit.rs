//! `junit`: test results in XML, for servers that show nothing else: Jenkins, Azure Pipelines, Buildkite.
//!
//! A file with findings is a test suite, and each finding a test case. One that makes the run fail is a failure; any other is a
//! case that passes and says its words on standard output. A run without findings is one case that passes, since servers take
//! an empty report for a run that broke.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::base::finding::Finding;
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::report::locate::Locator;
use crate::report::{Report, ReportOptions, counted, fix_words};

/// Write `report` as JUnit's XML.
pub fn write(report: &Report, options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let mut suites: BTreeMap<&RepoPath, Suite> = BTreeMap::new();
    for failure in &report.failures {
        let message = format!("could not check this file: {}", sanitize::line(&failure.message));
        let suite = suites.entry(&failure.path).or_default();
        suite.errors += 1;
        let path = attribute(&sanitize::path(&failure.path));
        suite.case(&format!("classname=\"{path}\" name=\"hintlint\""), &element("error", "unreadable", &message, ""));
    }
    let mut locator = Locator::new(report);
    for finding in &report.findings {
        let fails = options.fails_from.is_some_and(|level| finding.level >= level);
        suites.entry(&finding.path).or_default().finding(finding, fails, &mut locator);
    }
    let sum = |count: fn(&Suite) -> usize| suites.values().map(count).sum::<usize>();
    let (cases, failures, errors) = (sum(|suite| suite.cases), sum(|suite| suite.failures), sum(|suite| suite.errors));
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"hintlint\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\">",
        cases.max(1)
    )?;
    let notes: Vec<String> = report.notes.iter().map(|note| sanitize::line(note).into_owned()).collect();
    if suites.is_empty() || !notes.is_empty() {
        let checked = attribute(&format!("{} checked", counted(report.files, "file", "files")));
        writeln!(
            out,
            "  <testsuite name=\"hintlint\" tests=\"{}\" failures=\"0\" errors=\"0\">",
            usize::from(suites.is_empty())
        )?;
        if suites.is_empty() {
            writeln!(out, "    <testcase classname=\"hintlint\" name=\"{checked}\"/>")?;
        }
        if !notes.is_empty() {
            writeln!(out, "    <system-out>{}</system-out>", text(&notes.join("\n")))?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    for (path, Suite { cases, failures, errors, text }) in suites {
        let name = attribute(&sanitize::path(path));
        writeln!(out, "  <testsuite name=\"{name}\" tests=\"{cases}\" failures=\"{failures}\" errors=\"{errors}\">")?;
        out.write_all(text.as_bytes())?;
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The cases of one file.
#[derive(Default)]
struct Suite {
    cases: usize,
    failures: usize,
    errors: usize,
    text: String,
}

impl Suite {
    fn case(&mut self, attributes: &str, content: &str) {
        self.cases += 1;
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "    <testcase {attributes}>{content}</testcase>");
    }

    fn finding(&mut self, finding: &Finding, fails: bool, locator: &mut Locator<'_>) {
        let at = locator.position(&finding.path, finding.span.start);
        let path = sanitize::path(&finding.path);
        let place = format!("{path}:{}:{}", at.line, at.column);
        let message = sanitize::line(&finding.message);
        let mut words = format!("{place}: {}[{}] {message}", finding.level.name(), finding.rule);
        for more in finding.help.as_deref().into_iter().chain(fix_words(finding)) {
            words.push('\n');
            words.push_str(&sanitize::lines(more));
        }
        let name = attribute(&format!("{} {}:{}", finding.rule, at.line, at.column));
        let (class, line) = (attribute(&path), at.line);
        let attributes = format!("classname=\"{class}\" name=\"{name}\" file=\"{class}\" line=\"{line}\"");
        self.failures += usize::from(fails);
        let content = match fails {
            true => element("failure", finding.rule, &message, &words),
            false => format!("<system-out>{}</system-out>", text(&words)),
        };
        self.case(&attributes, &content);
    }
}

fn element(name: &str, kind: &str, message: &str, content: &str) -> String {
    format!("<{name} type=\"{}\" message=\"{}\">{}</{name}>", attribute(kind), attribute(message), text(content))
}

/// Text between tags. XML has no way to write most control characters; the sanitiser has made them visible before.
fn text(text: &str) -> String {
    // A line of it must not be taken for a command by a runner that prints the file.
    let text = sanitize::guard_lines(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push(c),
            '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

fn attribute(value: &str) -> String {
    text(value).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::Failure;
    use crate::base::finding::Level;
    use crate::report::tests::{render, report, sample};

    #[test]
    fn suites() {
        let mut report = sample();
        report.findings[2].message = "a < b & \"c\" > d".to_owned();
        report.failures = vec![Failure { path: RepoPath::from("x.md"), message: "permission denied".to_owned() }];
        report.notes = vec!["history is shallow".to_owned()];
        insta::assert_snapshot!(render(write, &report, &ReportOptions::default()), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="hintlint" tests="5" failures="2" errors="1">
          <testsuite name="hintlint" tests="0" failures="0" errors="0">
            <system-out>history is shallow</system-out>
          </testsuite>
          <testsuite name="AGENTS.md" tests="4" failures="2" errors="0">
            <testcase classname="AGENTS.md" name="empty-hint-file 1:1" file="AGENTS.md" line="1"><system-out>AGENTS.md:1:1: warning[empty-hint-file] the file says nothing to an agent</system-out></testcase>
            <testcase classname="AGENTS.md" name="missing-import 3:5" file="AGENTS.md" line="3"><failure type="missing-import" message="`docs/gone.md` does not exist">AGENTS.md:3:5: error[missing-import] `docs/gone.md` does not exist
        it was renamed to `docs/new.md`
        `hintlint --unsafe-fixes` fixes this</failure></testcase>
            <testcase classname="AGENTS.md" name="hidden-tags 3:22" file="AGENTS.md" line="3"><failure type="hidden-tags" message="a &lt; b &amp; &quot;c&quot; &gt; d">AGENTS.md:3:22: error[hidden-tags] a &lt; b &amp; &quot;c&quot; &gt; d
        remove the run
        `hintlint --fix` fixes this</failure></testcase>
            <testcase classname="AGENTS.md" name="duplicate-task 6:11" file="AGENTS.md" line="6"><system-out>AGENTS.md:6:11: info[duplicate-task] `build` is given twice</system-out></testcase>
          </testsuite>
          <testsuite name="x.md" tests="1" failures="0" errors="1">
            <testcase classname="x.md" name="hintlint"><error type="unreadable" message="could not check this file: permission denied"></error></testcase>
          </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn what_fails_follows_the_run() {
        let failures = |fails_from| {
            let text = render(write, &sample(), &ReportOptions { fails_from, ..ReportOptions::default() });
            text.matches("<failure ").count()
        };
        assert_eq!([Some(Level::Info), Some(Level::Warning), Some(Level::Error), None].map(failures), [4, 3, 2, 0]);
    }

    #[test]
    fn a_run_without_findings_is_a_case_that_passes() {
        let text = render(write, &report(&[("AGENTS.md", b"")]), &ReportOptions::default());
        assert!(text.contains("tests=\"1\" failures=\"0\"") && text.contains("name=\"1 file checked\"/>"), "{text}");
    }
}
