//! SARIF logs as text, and held against the schema where a validator is at hand.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::base::error::Failure;
use crate::report::SourceText;
use crate::report::tests::{hostile_report, render, report, sample};
use crate::rules::meta::Suppressed;
use crate::rules::{FixAvailability, Group};

static INFO: RuleInfo = RuleInfo {
    name: "hidden-tags",
    group: Group::Unicode,
    levels: &[Level::Error],
    summary: "Invisible tag characters hide text.",
    explanation: "## What it does\n\nFinds tag characters.\n",
    evidence: &[],
    fix: FixAvailability::Sometimes,
    aliases: &["tag-smuggling"],
};

fn with_info(report: &Report, _: &ReportOptions, out: &mut dyn Write) -> io::Result<()> {
    write_with(report, &[&INFO], out)
}

fn json(report: &Report) -> Value {
    serde_json::from_str(&render(with_info, report, &ReportOptions::default())).expect("JSON")
}

#[test]
fn a_log() {
    let mut report = sample();
    let silenced = report.findings.remove(1);
    report.findings.remove(0);
    report.suppressed = vec![Suppressed { finding: silenced, reason: "made by the build".to_owned() }];
    report.failures = vec![Failure { path: RepoPath::new(b"x:\n\xFF.md"), message: "permission denied".to_owned() }];
    report.notes = vec!["history is shallow".to_owned()];
    let log = render(with_info, &report, &ReportOptions::default()).replace(env!("CARGO_PKG_VERSION"), "VERSION");
    // The page is the manifest's matter.
    let log: String = log.split_inclusive('\n').filter(|line| !line.contains("\"informationUri\"")).collect();
    insta::assert_snapshot!(log, @r###"
    {
      "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        {
          "tool": {
            "driver": {
              "name": "hintlint",
              "version": "VERSION",
              "semanticVersion": "VERSION",
              "rules": [
                {
                  "id": "hidden-tags",
                  "name": "HiddenTags",
                  "shortDescription": {
                    "text": "Invisible tag characters hide text."
                  },
                  "fullDescription": {
                    "text": "Invisible tag characters hide text."
                  },
                  "helpUri": "https://github.com/hintlint/hintlint/blob/vVERSION/docs/rules/hidden-tags.md",
                  "help": {
                    "text": "## What it does\n\nFinds tag characters.\n",
                    "markdown": "## What it does\n\nFinds tag characters.\n"
                  },
                  "defaultConfiguration": {
                    "level": "error"
                  },
                  "properties": {
                    "tags": [
                      "unicode"
                    ],
                    "problem.severity": "error"
                  },
                  "deprecatedIds": [
                    "tag-smuggling"
                  ]
                },
                {
                  "id": "duplicate-task",
                  "name": "DuplicateTask"
                },
                {
                  "id": "missing-import",
                  "name": "MissingImport"
                }
              ]
            }
          },
          "invocations": [
            {
              "executionSuccessful": false,
              "toolExecutionNotifications": [
                {
                  "level": "error",
                  "message": {
                    "text": "permission denied."
                  },
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "x%3A%0A%FF.md",
                          "uriBaseId": "%SRCROOT%"
                        }
                      }
                    }
                  ]
                },
                {
                  "level": "note",
                  "message": {
                    "text": "history is shallow."
                  }
                }
              ]
            }
          ],
          "originalUriBaseIds": {
            "%SRCROOT%": {
              "description": {
                "text": "The root of the repository."
              }
            }
          },
          "defaultEncoding": "utf-8",
          "columnKind": "unicodeCodePoints",
          "results": [
            {
              "ruleId": "hidden-tags",
              "ruleIndex": 0,
              "level": "error",
              "message": {
                "text": "2 invisible tag characters (U+E0049..U+E0047).\nHelp: remove the run"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "AGENTS.md",
                      "uriBaseId": "%SRCROOT%"
                    },
                    "region": {
                      "startLine": 3,
                      "startColumn": 22,
                      "endLine": 3,
                      "endColumn": 24,
                      "byteOffset": 30,
                      "byteLength": 8
                    }
                  }
                }
              ],
              "partialFingerprints": {
                "hintlint/v1": "d5571061af38bec5:1"
              },
              "fixes": [
                {
                  "description": {
                    "text": "Safe: cannot change what the text means."
                  },
                  "artifactChanges": [
                    {
                      "artifactLocation": {
                        "uri": "AGENTS.md",
                        "uriBaseId": "%SRCROOT%"
                      },
                      "replacements": [
                        {
                          "deletedRegion": {
                            "startLine": 3,
                            "startColumn": 22,
                            "endLine": 3,
                            "endColumn": 24
                          }
                        }
                      ]
                    }
                  ]
                }
              ],
              "suppressions": []
            },
            {
              "ruleId": "duplicate-task",
              "ruleIndex": 1,
              "level": "note",
              "message": {
                "text": "`build` is given twice."
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "AGENTS.md",
                      "uriBaseId": "%SRCROOT%"
                    },
                    "region": {
                      "startLine": 6,
                      "startColumn": 11,
                      "endLine": 6,
                      "endColumn": 19,
                      "byteOffset": 72,
                      "byteLength": 8
                    }
                  }
                }
              ],
              "relatedLocations": [
                {
                  "id": 1,
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "AGENTS.md",
                      "uriBaseId": "%SRCROOT%"
                    },
                    "region": {
                      "startLine": 5,
                      "startColumn": 11,
                      "endLine": 5,
                      "endColumn": 15,
                      "byteOffset": 56,
                      "byteLength": 4
                    }
                  },
                  "message": {
                    "text": "first given here."
                  }
                },
                {
                  "id": 2,
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "docs/a%20b.md",
                      "uriBaseId": "%SRCROOT%"
                    },
                    "region": {
                      "startLine": 3,
                      "startColumn": 1,
                      "endLine": 3,
                      "endColumn": 14,
                      "byteOffset": 5,
                      "byteLength": 13
                    }
                  },
                  "message": {
                    "text": "imported here."
                  }
                }
              ],
              "partialFingerprints": {
                "hintlint/v1": "a104f6ef8d7915f0:1"
              },
              "suppressions": []
            },
            {
              "ruleId": "missing-import",
              "ruleIndex": 2,
              "level": "error",
              "message": {
                "text": "`docs/gone.md` does not exist.\nHelp: it was renamed to `docs/new.md`"
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "AGENTS.md",
                      "uriBaseId": "%SRCROOT%"
                    },
                    "region": {
                      "startLine": 3,
                      "startColumn": 5,
                      "endLine": 3,
                      "endColumn": 18,
                      "byteOffset": 13,
                      "byteLength": 13
                    }
                  }
                }
              ],
              "partialFingerprints": {
                "hintlint/v1": "5bb834e9872a8857:1"
              },
              "fixes": [
                {
                  "description": {
                    "text": "Unsafe: may change what the text means."
                  },
                  "artifactChanges": [
                    {
                      "artifactLocation": {
                        "uri": "AGENTS.md",
                        "uriBaseId": "%SRCROOT%"
                      },
                      "replacements": [
                        {
                          "deletedRegion": {
                            "startLine": 3,
                            "startColumn": 5,
                            "endLine": 3,
                            "endColumn": 18
                          },
                          "insertedContent": {
                            "text": "@docs/new.md"
                          }
                        }
                      ]
                    }
                  ]
                }
              ],
              "suppressions": [
                {
                  "kind": "inSource",
                  "status": "accepted",
                  "justification": "made by the build"
                }
              ],
              "properties": {
                "agents": [
                  "claude",
                  "gemini"
                ]
              }
            }
          ]
        }
      ]
    }
    "###);
}

#[test]
fn paths_are_relative_references() {
    assert_eq!(uri("docs/a b:c/é.md".as_bytes()), "docs/a%20b%3Ac/%C3%A9.md");
    assert_eq!(uri(b"\xFF\n%"), "%FF%0A%25");
    assert_eq!(uri(b""), "./");
}

#[test]
fn messages_hold_no_links_and_no_placeholders() {
    assert_eq!(message("see [x](http://a) {0} {a} {{1}", None).text, "see [x] (http://a) {{0}} {a} {{{1}}.");
    assert_eq!(message("a\u{2028}b?", Some("c")).text, "a\\u{{2028}}b?\nHelp: c");
}

fn fingerprints(text: &str) -> Vec<String> {
    let mut report = report(&[("AGENTS.md", text.as_bytes())]);
    let path = RepoPath::from("AGENTS.md");
    let places = text.match_indices("bad").map(|(at, bad)| Span::new(at, at + bad.len()));
    report.findings = places.map(|span| Finding::new("hidden-tags", Level::Error, &path, span, "m")).collect();
    let json = json(&report);
    let results = json["runs"][0]["results"].as_array().expect("results").iter();
    results.map(|result| result["partialFingerprints"]["hintlint/v1"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn fingerprints_survive_moved_lines() {
    let before = fingerprints("# A\n\nbad one\nbad two\nbad one\n");
    let after = fingerprints("# A\n\nnew\n\n  bad two\r\nbad one\n\nbad one\n");
    assert_eq!(before[0], "9065acbcb6a0dd8c:1");
    assert_eq!([&before[1], &before[0], &before[2]], [&after[0], &after[1], &after[2]]);
    assert_ne!(before[0], before[2]);
}

proptest! {
    #[test]
    fn always_json_with_valid_regions(report in hostile_report()) {
        let log = json(&report);
        let run = &log["runs"][0];
        let results = run["results"].as_array().expect("results");
        prop_assert_eq!(results.len(), report.findings.len() + report.suppressed.len());
        for result in results {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            prop_assert_eq!(&run["tool"]["driver"]["rules"][index]["id"], &result["ruleId"]);
            let region = &result["locations"][0]["physicalLocation"]["region"];
            if let (Some(start), Some(end)) = (region["startLine"].as_u64(), region["endLine"].as_u64()) {
                prop_assert!(1 <= start && start <= end);
                prop_assert!(start < end || region["startColumn"].as_u64() <= region["endColumn"].as_u64());
            }
        }
    }
}

/// Writes a log that uses everything we ever write, for the validators that `.ci/sarif-validate` runs.
#[test]
fn a_full_log_for_the_validators() {
    let Some(path) = std::env::var_os("HINTLINT_SARIF_SAMPLE") else { return };
    let mut report = sample();
    let text = "a [x](y) {0} \u{E0041}\r\nb\n";
    let path_odd = RepoPath::new(b"odd: \xFF\n#?.md");
    report.sources.insert(path_odd.clone(), SourceText::new(text.as_bytes()));
    let span = Span::new(2, 9);
    report.findings.push(Finding::new("hidden-tags", Level::Error, &path_odd, span, text).help("[l](m) {1}"));
    report.findings.push(Finding::new("hidden-tags", Level::Error, &path_odd, Span::new(0, text.len()), "whole"));
    report.suppressed =
        report.findings.iter().cloned().map(|finding| Suppressed { finding, reason: text.to_owned() }).collect();
    report.failures = vec![Failure { path: path_odd, message: text.to_owned() }];
    report.notes = vec![text.to_owned()];
    std::fs::write(path, render(with_info, &report, &ReportOptions::default())).expect("the file is writable");
}
