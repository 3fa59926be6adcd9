//! `json`: one object whose shape is a contract, stable within `version`.
//!
//! Offsets are bytes, lines begin at 1, columns begin at 1 and count Unicode scalar values. A finding about a file as a whole
//! has the offsets 0 and 0. Hidden characters are written as `\uXXXX`. A path's bytes outside UTF-8 are written `\xFF`.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::{Position, Span};
use crate::engine::baseline::BaselineEntry;
use crate::report::locate::Locator;
use crate::report::safe_json::{self, Each, path};
use crate::report::{Report, ReportOptions};
use crate::rules;
use crate::rules::meta::Silenced;

/// The contract's version. Keys may be added within it; none changes or goes.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct JsonRoot<'a, F: Serialize> {
    version: u32,
    summary: Summary,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<JsonBaseline<'a>>,
    findings: F,
    failures: Vec<JsonFailure<'a>>,
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    fixable: usize,
}

/// Only where there is a baseline.
#[derive(Serialize)]
struct JsonBaseline<'a> {
    path: Cow<'a, str>,
    known: usize,
    unmatched: Vec<JsonUnmatched<'a>>,
}

/// An entry that matches nothing any more.
#[derive(Serialize)]
struct JsonUnmatched<'a> {
    path: &'a str,
    rule: &'a str,
    count: usize,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    rule: &'static str,
    group: &'static str,
    level: &'static str,
    path: Cow<'a, str>,
    start: JsonPosition,
    end: JsonPosition,
    message: &'a str,
    help: Option<&'a str>,
    agents: &'a [&'static str],
    related: Vec<JsonRelated<'a>>,
    fix: Option<JsonFix<'a>>,
}

#[derive(Serialize)]
struct JsonPosition {
    offset: usize,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    path: Cow<'a, str>,
    start: JsonPosition,
    end: JsonPosition,
    message: &'a str,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    applicability: &'static str,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    path: Cow<'a, str>,
    start: usize,
    end: usize,
    replacement: &'a str,
}

#[derive(Serialize)]
struct JsonFailure<'a> {
    path: Cow<'a, str>,
    message: &'a str,
}

/// Write `report` as JSON.
pub fn write(report: &Report, _options: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    write_with(report, |rule| rules::find(rule).map_or("", |info| info.group.name()), out)
}

fn write_with(report: &Report, group: impl Fn(&str) -> &'static str, out: &mut dyn Write) -> io::Result<()> {
    let mut locator = Locator::new(report);
    let summary = Summary {
        files: report.files,
        errors: report.count(Level::Error),
        warnings: report.count(Level::Warning),
        infos: report.count(Level::Info),
        fixable: report.fixable(),
    };
    let findings = Each::new(report.findings.iter().map(|f| finding(f, group(f.rule), &mut locator)));
    let failures = report.failures.iter().map(|f| JsonFailure { path: path(&f.path), message: &f.message }).collect();
    let notes = report.notes.iter().cloned().chain(report.silenced.iter().map(Silenced::sentence)).collect();
    let baseline = report.known.as_ref().map(|known| JsonBaseline {
        path: path(&known.file),
        known: known.old,
        unmatched: known.unmatched.iter().map(unmatched).collect(),
    });
    let root = JsonRoot { version: VERSION, summary, notes, baseline, findings, failures };
    safe_json::write(&root, out)
}

fn finding<'a>(finding: &'a Finding, group: &'static str, locator: &mut Locator<'_>) -> JsonFinding<'a> {
    let (start, end) = places(&finding.path, finding.span, locator);
    let related = finding.related.iter().map(|related| {
        let (start, end) = places(&related.path, related.span, locator);
        JsonRelated { path: path(&related.path), start, end, message: &related.message }
    });
    JsonFinding {
        rule: finding.rule,
        group,
        level: finding.level.name(),
        path: path(&finding.path),
        start,
        end,
        message: &finding.message,
        help: finding.help.as_deref(),
        agents: &finding.agents,
        related: related.collect(),
        fix: finding.fix.as_ref().map(|fix| JsonFix {
            applicability: fix.applicability.name(),
            edits: fix.edits.iter().map(edit).collect(),
        }),
    }
}

fn unmatched((entry, count): &(BaselineEntry, usize)) -> JsonUnmatched<'_> {
    JsonUnmatched { path: &entry.path, rule: &entry.rule, count: *count }
}

fn edit(edit: &crate::base::finding::Edit) -> JsonEdit<'_> {
    JsonEdit { path: path(&edit.path), start: edit.span.start, end: edit.span.end, replacement: &edit.replacement }
}

fn places(path: &RepoPath, span: Span, locator: &mut Locator<'_>) -> (JsonPosition, JsonPosition) {
    let (start, end) = locator.range(path, span);
    (place(span.start, start), place(span.end, end))
}

fn place(offset: usize, at: Position) -> JsonPosition {
    JsonPosition { offset, line: at.line, column: at.column }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::error::Failure;
    use crate::report::ReportOptions;
    use crate::report::tests::{hostile_report, render, report, sample};

    #[test]
    fn the_contract() {
        let mut report = sample();
        report.failures = vec![Failure { path: RepoPath::new(b"x\n\xFF.md"), message: "permission denied".to_owned() }];
        report.notes = vec!["history is shallow".to_owned()];
        insta::assert_snapshot!(render(write_grouped, &report, &ReportOptions::default()), @r#"
        {
          "version": 1,
          "summary": {
            "files": 2,
            "errors": 2,
            "warnings": 1,
            "infos": 1,
            "fixable": 1
          },
          "notes": [
            "history is shallow"
          ],
          "findings": [
            {
              "rule": "empty-hint-file",
              "group": "context",
              "level": "warning",
              "path": "AGENTS.md",
              "start": {
                "offset": 0,
                "line": 1,
                "column": 1
              },
              "end": {
                "offset": 0,
                "line": 1,
                "column": 1
              },
              "message": "the file says nothing to an agent",
              "help": null,
              "agents": [],
              "related": [],
              "fix": null
            },
            {
              "rule": "missing-import",
              "group": "context",
              "level": "error",
              "path": "AGENTS.md",
              "start": {
                "offset": 13,
                "line": 3,
                "column": 5
              },
              "end": {
                "offset": 26,
                "line": 3,
                "column": 18
              },
              "message": "`docs/gone.md` does not exist",
              "help": "it was renamed to `docs/new.md`",
              "agents": [
                "claude",
                "gemini"
              ],
              "related": [],
              "fix": {
                "applicability": "unsafe",
                "edits": [
                  {
                    "path": "AGENTS.md",
                    "start": 13,
                    "end": 26,
                    "replacement": "@docs/new.md"
                  }
                ]
              }
            },
            {
              "rule": "hidden-tags",
              "group": "unicode",
              "level": "error",
              "path": "AGENTS.md",
              "start": {
                "offset": 30,
                "line": 3,
                "column": 22
              },
              "end": {
                "offset": 38,
                "line": 3,
                "column": 24
              },
              "message": "2 invisible tag characters (U+E0049..U+E0047)",
              "help": "remove the run",
              "agents": [],
              "related": [],
              "fix": {
                "applicability": "safe",
                "edits": [
                  {
                    "path": "AGENTS.md",
                    "start": 30,
                    "end": 38,
                    "replacement": ""
                  }
                ]
              }
            },
            {
              "rule": "duplicate-task",
              "group": "context",
              "level": "info",
              "path": "AGENTS.md",
              "start": {
                "offset": 72,
                "line": 6,
                "column": 11
              },
              "end": {
                "offset": 80,
                "line": 6,
                "column": 19
              },
              "message": "`build` is given twice",
              "help": null,
              "agents": [],
              "related": [
                {
                  "path": "AGENTS.md",
                  "start": {
                    "offset": 56,
                    "line": 5,
                    "column": 11
                  },
                  "end": {
                    "offset": 60,
                    "line": 5,
                    "column": 15
                  },
                  "message": "first given here"
                },
                {
                  "path": "docs/a b.md",
                  "start": {
                    "offset": 5,
                    "line": 3,
                    "column": 1
                  },
                  "end": {
                    "offset": 18,
                    "line": 3,
                    "column": 14
                  },
                  "message": "imported here"
                }
              ],
              "fix": null
            }
          ],
          "failures": [
            {
              "path": "x\n\\xFF.md",
              "message": "permission denied"
            }
          ]
        }
        "#);
    }

    fn write_grouped(report: &Report, _: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
        write_with(report, |rule| if rule == "hidden-tags" { "unicode" } else { "context" }, out)
    }

    #[test]
    fn an_empty_report() {
        insta::assert_snapshot!(render(write, &report(&[]), &ReportOptions::default()), @r#"
        {
          "version": 1,
          "summary": {
            "files": 0,
            "errors": 0,
            "warnings": 0,
            "infos": 0,
            "fixable": 0
          },
          "notes": [],
          "findings": [],
          "failures": []
        }
        "#);
    }

    proptest! {
        #[test]
        fn values_survive(report in hostile_report()) {
            let json: serde_json::Value = serde_json::from_str(&render(write, &report, &ReportOptions::default())).expect("JSON");
            for (value, finding) in json["findings"].as_array().expect("an array").iter().zip(&report.findings) {
                prop_assert_eq!(value["message"].as_str(), Some(finding.message.as_str()));
                prop_assert_eq!(value["start"]["offset"].as_u64(), Some(finding.span.start as u64));
                if let Some(path) = finding.path.to_str() {
                    prop_assert_eq!(value["path"].as_str(), Some(path));
                }
            }
        }
    }
}
