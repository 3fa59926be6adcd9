//! `rdjson`: the Reviewdog Diagnostic Format, for review comments with suggestions.
//!
//! Columns count bytes of UTF-8. A suggestion is one range of the finding's own file and one text for it, so that a fix of
//! several edits becomes the lines from its first to its last edit; one that reaches further, or into another file, is said in
//! words.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use crate::base::finding::{Edit, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::report::safe_json::{self, Each, path};
use crate::report::{Report, ReportOptions, SourceText, fix_words};
use crate::rules::rule_url;

/// Bytes of text that one suggestion may replace, at most.
const MAX_SUGGESTION: usize = 4096;

#[derive(Serialize)]
struct RdjsonRoot<D: Serialize> {
    source: RdjsonTool,
    severity: &'static str,
    diagnostics: D,
}

#[derive(Serialize)]
struct RdjsonTool {
    name: &'static str,
    url: &'static str,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    message: String,
    location: RdjsonPlace<'a>,
    severity: &'static str,
    code: RdjsonCode<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion>,
}

#[derive(Serialize)]
struct RdjsonCode<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Serialize)]
struct RdjsonPlace<'a> {
    path: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

#[derive(Serialize)]
struct Range {
    start: RdjsonPosition,
    end: RdjsonPosition,
}

#[derive(Serialize)]
struct RdjsonPosition {
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Suggestion {
    range: Range,
    text: String,
}

/// Write `report` as one result.
pub fn write(report: &Report, _options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    let failures = report.failures.iter().map(|failure| Diagnostic {
        message: format!("could not check this file: {}", sanitize::line(&failure.message)),
        location: RdjsonPlace { path: path(&failure.path), range: None },
        severity: "ERROR",
        code: RdjsonCode { value: "hintlint", url: None },
        suggestions: Vec::new(),
    });
    let findings = report.findings.iter().map(|finding| diagnostic(finding, report));
    let worst = report.findings.iter().map(|finding| finding.level).max();
    let worst = if report.failures.is_empty() { worst } else { Some(Level::Error) };
    let root = RdjsonRoot {
        source: RdjsonTool { name: "hintlint", url: env!("CARGO_PKG_REPOSITORY") },
        severity: worst.map_or("INFO", severity),
        diagnostics: Each::new(failures.chain(findings)),
    };
    safe_json::write(&root, out)
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "ERROR",
        Level::Warning => "WARNING",
        Level::Info => "INFO",
    }
}

fn diagnostic<'a>(finding: &'a Finding, report: &Report) -> Diagnostic<'a> {
    let source = report.sources.get(&finding.path);
    let suggestion = source.and_then(|source| suggestion(finding, source));
    let mut message = sanitize::line(&finding.message).into_owned();
    let in_words = fix_words(finding).filter(|_| suggestion.is_none());
    for more in finding.help.as_deref().into_iter().chain(in_words) {
        message.push('\n');
        message.push_str(&sanitize::lines(more));
    }
    let range = source.filter(|_| !finding.is_placeless()).map(|source| range(source, finding.span));
    Diagnostic {
        message,
        location: RdjsonPlace { path: path(&finding.path), range },
        severity: severity(finding.level),
        code: RdjsonCode { value: finding.rule, url: rule_url(finding.rule) },
        suggestions: suggestion.into_iter().collect(),
    }
}

fn range(source: &SourceText, span: Span) -> Range {
    Range { start: position(source, span.start), end: position(source, span.end) }
}

fn position(source: &SourceText, offset: usize) -> RdjsonPosition {
    let offset = offset.min(source.bytes.len());
    let line = source.lines.line_of(offset);
    RdjsonPosition { line: line + 1, column: offset.saturating_sub(source.lines.line_span(line).start) + 1 }
}

/// The fix as one range and its text; `None` if it edits nothing or reaches too far.
fn suggestion(finding: &Finding, source: &SourceText) -> Option<Suggestion> {
    let mut edits: Vec<&Edit> = finding.fix.as_ref()?.edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let own = |path: &RepoPath| *path == finding.path;
    let span = Span::new(edits.first()?.span.start, edits.iter().map(|edit| edit.span.end).max()?);
    if !edits.iter().all(|edit| own(&edit.path)) || span.len() > MAX_SUGGESTION || span.end > source.bytes.len() {
        return None;
    }
    let mut text = String::new();
    let mut at = span.start;
    for edit in edits {
        text.push_str(std::str::from_utf8(source.bytes.get(at..edit.span.start)?).ok()?);
        text.push_str(&edit.replacement);
        at = edit.span.end;
    }
    text.push_str(std::str::from_utf8(source.bytes.get(at..span.end)?).ok()?);
    Some(Suggestion { range: range(source, span), text })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::base::finding::{Applicability, Fix};
    use crate::report::tests::{find, hostile_report, render, report, sample};

    fn parsed(report: &Report) -> Value {
        serde_json::from_str(&render(write, report, &ReportOptions::default())).expect("JSON")
    }

    #[test]
    fn a_fix_is_a_suggestion() {
        let value = parsed(&sample());
        assert_eq!(value["source"]["name"], "hintlint");
        assert_eq!(value["severity"], "ERROR");
        let found = &value["diagnostics"];
        assert_eq!(found[0]["location"], json!({"path": "AGENTS.md"}), "a finding about a whole file has no range");
        assert_eq!(found[1]["code"]["value"], "missing-import");
        assert!(found[1]["code"]["url"].as_str().is_some_and(|url| url.ends_with("/missing-import.md")));
        assert_eq!(found[1]["message"], "`docs/gone.md` does not exist\nit was renamed to `docs/new.md`");
        // The tags are four bytes each.
        let tags = json!({"start": {"line": 3, "column": 22}, "end": {"line": 3, "column": 30}});
        assert_eq!(found[2]["location"]["range"], tags);
        assert_eq!(found[2]["suggestions"], json!([{"range": tags, "text": ""}]));
    }

    #[test]
    fn edits_become_one_text_or_words() {
        let mut report = report(&[("AGENTS.md", "one two three\n".as_bytes()), ("b.md", b"x\n")]);
        let path = RepoPath::from("AGENTS.md");
        let edit = |path: &str, span, text: &str| Edit { path: path.into(), span, replacement: text.into() };
        let (one, three) = (find(&report, "AGENTS.md", "one"), find(&report, "AGENTS.md", "three"));
        let finding = |edits| {
            let mut finding = Finding::new("some-rule", Level::Error, &path, one, "m");
            finding.fix = Some(Fix { applicability: Applicability::Safe, edits });
            finding
        };
        let near = finding(vec![edit("AGENTS.md", three, "3"), edit("AGENTS.md", one, "1")]);
        let elsewhere = finding(vec![edit("AGENTS.md", one, "1"), edit("b.md", Span::new(0, 1), "y")]);
        report.findings = vec![near, elsewhere];
        let value = parsed(&report);
        assert_eq!(value["diagnostics"][0]["suggestions"][0]["text"], "1 two 3");
        assert_eq!(value["diagnostics"][0]["message"], "m");
        assert_eq!(value["diagnostics"][1]["suggestions"], Value::Null);
        assert_eq!(value["diagnostics"][1]["message"], "m\n`hintlint --fix` fixes this");
    }

    proptest! {
        #[test]
        fn every_report_can_be_written(report in hostile_report()) {
            let value = parsed(&report);
            let count = report.findings.len() + report.failures.len();
            prop_assert_eq!(value["diagnostics"].as_array().map(Vec::len), Some(count));
        }
    }
}
