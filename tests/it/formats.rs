//! The machine formats as contracts: keys, their order, offsets and columns; where reports go; standard input.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::check::mixed;
use crate::support::{Repo, Run};

fn parsed(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// The text of `args` on standard input.
fn with_stdin(repo: &Repo, args: &[&str], text: &[u8]) -> Run {
    let mut child = repo
        .hintlint(repo.root())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(text).expect("it reads");
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn the_json_contract() {
    let repo = Repo::with_files([
        ("CLAUDE.md", "é𝄞 @docs/architecure.md\n"),
        ("docs/architecture.md", "x\n"),
        ("PLAN.md", "\u{feff}é -[ ] no\n\n-[ ] write the tests\n"),
    ]);
    insta::assert_snapshot!(repo.run(&["--format", "json", "--ignore", "unicode"]).stdout, @r#"
    {
      "version": 1,
      "summary": {
        "files": 2,
        "errors": 1,
        "warnings": 1,
        "infos": 0,
        "fixable": 1
      },
      "notes": [],
      "findings": [
        {
          "rule": "missing-import",
          "group": "imports",
          "level": "error",
          "path": "CLAUDE.md",
          "start": {
            "offset": 7,
            "line": 1,
            "column": 4
          },
          "end": {
            "offset": 27,
            "line": 1,
            "column": 24
          },
          "message": "`@docs/architecure.md` names no file: there is no docs/architecure.md",
          "help": "did you mean docs/architecture.md?",
          "agents": [
            "claude",
            "merged"
          ],
          "related": [],
          "fix": null
        },
        {
          "rule": "malformed-checkbox",
          "group": "plans",
          "level": "warning",
          "path": "PLAN.md",
          "start": {
            "offset": 15,
            "line": 3,
            "column": 1
          },
          "end": {
            "offset": 19,
            "line": 3,
            "column": 5
          },
          "message": "this is no checkbox: a blank is missing between the list marker and the box",
          "help": "write `- [ ]`",
          "agents": [],
          "related": [],
          "fix": {
            "applicability": "safe",
            "edits": [
              {
                "path": "PLAN.md",
                "start": 15,
                "end": 19,
                "replacement": "- [ ]"
              }
            ]
          }
        }
      ],
      "failures": []
    }
    "#);
}

#[test]
fn json_of_nothing_and_of_failures() {
    let repo = Repo::with_files([("AGENTS.md", "Text.\n")]);
    insta::assert_snapshot!(repo.run(&["--format", "json"]).stdout, @r#"
    {
      "version": 1,
      "summary": {
        "files": 1,
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
    let mut keys =
        parsed(&repo.run(&["--format", "json"])).as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys.len(), 5);
    keys.dedup();
    assert_eq!(keys, ["version", "summary", "notes", "findings", "failures"]);
}

/// A finding's offsets cut its own text out of the file, and its columns count characters.
#[test]
fn offsets_and_columns_agree_with_the_file() {
    let text = "# é\n\nSee 𝄞 and \u{1f468}\u{200d}\u{1f469} @docs/none.md, then @docs/gone.md\r\n";
    let repo = Repo::with_files([("CLAUDE.md", text)]);
    let report = parsed(&repo.run(&["--format", "json", "--select", "missing-import"]));
    let findings = report["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), 2);
    for finding in findings {
        let at = |end: &str, key: &str| usize::try_from(finding[end][key].as_u64().expect("a number")).expect("small");
        let cut = &text[at("start", "offset")..at("end", "offset")];
        assert!(cut.starts_with("@docs/"), "{cut}");
        for end in ["start", "end"] {
            let before = &text[..at(end, "offset")];
            assert_eq!(at(end, "line"), before.matches('\n').count() + 1);
            assert_eq!(at(end, "column"), before.rsplit('\n').next().unwrap_or("").chars().count() + 1);
        }
    }
}

#[test]
fn all_formats_show_the_same_findings() {
    let repo = mixed();
    for args in [&[][..], &["--min-level", "error"], &["--min-level", "info"], &["--select", "plans"]] {
        let run = |format: &str| repo.run(&[&["--format", format], args].concat());
        let json = parsed(&run("json"));
        let count = json["findings"].as_array().expect("a list").len();
        assert_eq!(run("concise").stdout.lines().count(), count, "{args:?}");
        assert_eq!(parsed(&run("sarif"))["runs"][0]["results"].as_array().expect("a list").len(), count, "{args:?}");
        let annotations = run("github").stdout.lines().filter(|line| line.starts_with("::")).count();
        assert_eq!(annotations, count, "{args:?}");
        for finding in json["findings"].as_array().expect("a list") {
            let rule = finding["rule"].as_str().expect("a name");
            for format in ["human", "markdown"] {
                assert!(run(format).stdout.contains(rule), "{format} {rule}");
            }
        }
    }
}

#[test]
fn concise_lines() {
    insta::assert_snapshot!(mixed().run(&["--format", "concise"]).stdout, @r#"
    CLAUDE.md:3:6: error[missing-import] `@docs/architecure.md` names no file: there is no docs/architecure.md
    PLAN.md:3:1: warning[malformed-checkbox] this is no checkbox: a blank is missing between the list marker and the box
    api/CLAUDE.md:3:1: error[conflict-markers] an unresolved merge conflict begins here
    "#);
}

#[test]
fn statistics() {
    let repo = mixed();
    insta::assert_snapshot!(repo.run(&["--statistics", "--min-level", "info"]).stdout, @r#"
    1  error    conflict-markers
    1  warning  malformed-checkbox  1 fixable
    1  error    missing-import
    1  info     unknown-task-state
    "#);
    insta::assert_snapshot!(repo.run(&["--statistics", "--format", "json"]).stdout, @r#"
    [
      {
        "rule": "conflict-markers",
        "group": "context",
        "level": "error",
        "findings": 1,
        "fixable": 0
      },
      {
        "rule": "malformed-checkbox",
        "group": "plans",
        "level": "warning",
        "findings": 1,
        "fixable": 1
      },
      {
        "rule": "missing-import",
        "group": "imports",
        "level": "error",
        "findings": 1,
        "fixable": 0
      }
    ]
    "#);
}

#[test]
fn the_report_goes_into_a_file() {
    let repo = mixed();
    let direct = repo.run(&["--format", "json"]);
    let run = repo.run(&["--format", "json", "--output", "report.json", "--color", "always"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(repo.read("report.json"), direct.stdout.as_bytes());
}

#[test]
fn standard_input() {
    let repo = Repo::with_files([("CLAUDE.md", "Fine on disk.\n"), ("docs/a.md", "x\n")]);
    let args = ["--format", "concise", "--stdin-filename", "CLAUDE.md", "-"];
    let run = with_stdin(&repo, &args, b"See @docs/a.md and @docs/none.md\n");
    assert_eq!(run.code, 1);
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    assert!(run.stdout.starts_with("CLAUDE.md:1:20: error[missing-import]"), "{run:?}");
    let new = ["--format", "concise", "--stdin-filename", "docs/plans/new.md", "-"];
    assert!(with_stdin(&repo, &new, b"-[ ] a plan\n").stdout.contains("malformed-checkbox"));
    let diff = ["--stdin-filename", "docs/plans/new.md", "-", "--diff"];
    let run = with_stdin(&repo, &diff, b"-[ ] a plan\n");
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("+- [ ] a plan"), "{run:?}");
    assert_eq!(with_stdin(&repo, &["--stdin-filename", "PLAN.md", "-", "--fix"], b"").code, 2);
}
