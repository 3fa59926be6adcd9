//! The machine formats as contracts: keys, their order, offsets and columns; where reports go; standard input.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::check::mixed;
use crate::support::{Repo, Run};

fn parsed(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// `args` with `text` on standard input.
fn with_stdin(repo: &Repo, args: &[&str], text: &[u8]) -> Run {
    let mut command = repo.hintlint(repo.root());
    command.args(args);
    feed(command, text)
}

fn feed(mut command: std::process::Command, text: &[u8]) -> Run {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
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
          "message": "this is not a valid checkbox: a space is missing between the list marker and the box",
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
        assert_eq!(parsed(&run("gitlab")).as_array().expect("a list").len(), count, "{args:?}");
        assert_eq!(parsed(&run("rdjson"))["diagnostics"].as_array().expect("a list").len(), count, "{args:?}");
        assert_eq!(run("junit").stdout.matches("</testcase>").count(), count, "{args:?}");
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
    PLAN.md:3:1: warning[malformed-checkbox] this is not a valid checkbox: a space is missing between the list marker and the box
    api/CLAUDE.md:3:1: error[conflict-markers] an unresolved merge conflict begins here
    "#);
}

#[test]
fn statistics() {
    let repo = mixed();
    insta::assert_snapshot!(repo.run(&["--statistics", "-q", "--min-level", "info"]).stdout, @r#"
    1  error    conflict-markers
    1  warning  malformed-checkbox  1 fixable
    1  error    missing-import
    1  info     unknown-task-state
    "#);
    let run = repo.run(&["--statistics"]);
    assert!(
        run.stdout.contains("\nFound 2 errors and 1 warning; checked")
            && run.stdout.ends_with("\n1 fixable with `--fix`.\n1 info: `--min-level info`.\n"),
        "{run:?}"
    );
    let run = repo.run(&["--statistics", "--format", "markdown"]);
    assert!(run.stdout.contains("| `missing-import` | error | 1 | 0 |\n") && !run.stdout.contains("CLAUDE"), "{run:?}");
    for format in ["sarif", "github", "gitlab", "junit", "rdjson"] {
        let run = repo.run(&["--statistics", "--format", format]);
        assert!(run.code == 2 && run.stderr.contains(format) && run.stderr.contains("help: "), "{run:?}");
    }
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
    let sub = repo.at("docs").to_string_lossy().into_owned() + "/plans/new.md";
    let from = |dir: &str, name: &str| {
        let mut command = repo.hintlint(&repo.at(dir));
        command.args(["--format", "concise", "--stdin-filename", name, "-"]);
        feed(command, b"-[ ] a plan\n").stdout
    };
    for (dir, name) in
        [("", "docs/plans/new.md"), ("docs", "plans/new.md"), ("docs", "./plans/../plans/new.md"), ("", &sub)]
    {
        let reached = if dir.is_empty() { "docs/plans/new.md:1:1: " } else { "plans/new.md:1:1: " };
        assert!(from(dir, name).starts_with(reached), "{dir} {name}");
    }
    for folder in [".", "docs", "docs/", "docs/.."] {
        let run = with_stdin(&repo, &["--stdin-filename", folder, "-"], b"-[ ] a plan\n");
        assert!(run.code == 2 && run.stderr.contains("is a folder") && run.stderr.contains("help: "), "{run:?}");
    }
    // The text is what is asked about, also where nothing is staged.
    for more in [&["--staged"][..], &["--since", "HEAD"], &["--staged", "--fix"]] {
        let args =
            [more, &["--format", "concise", "--fail-on", "warning", "--stdin-filename", "PLAN.md", "-"]].concat();
        let run = with_stdin(&repo, &args, b"-[ ] a\n\nSee @docs/none.md\n- [?] b\n- [x]c\n");
        let told = [run.stdout, run.stderr].concat();
        assert!(told.contains("malformed-checkbox") || told.contains("- [x] c"), "{more:?}: {told}");
    }
    assert_eq!(with_stdin(&repo, &["--since", "nowhere", "--stdin-filename", "PLAN.md", "-"], b"x\n").code, 2);
}

/// What an editor does: the text in, the fixed text out, the report beside it.
#[test]
fn standard_input_is_mended_to_standard_output() {
    let repo = Repo::with_files([("PLAN.md", "On disk.\n")]);
    let fix = |more: &[&str], text: &[u8]| {
        let args = [&["--fix", "--stdin-filename", "PLAN.md"], more, &["-"]].concat();
        let mut child = repo.hintlint(repo.root());
        child.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("it starts");
        child.stdin.take().expect("a pipe").write_all(text).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        (output.status.code(), output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text, report) = fix(&[], b"-[ ] a\r\n- [ ] b");
    assert_eq!((code, text.as_slice()), (Some(0), &b"- [ ] a\r\n- [ ] b"[..]), "{report}");
    assert!(report.contains("No problems left"), "{report}");
    for text in [&b"- [ ] fine\n"[..], b"", b"caf\xe9 \xff\n", b"\xef\xbb\xbf- [ ] a\n"] {
        assert_eq!(fix(&["-q"], text).1, text, "what needs no fix comes back as it was");
    }
    for format in ["human", "concise", "json", "sarif", "github", "markdown", "gitlab", "junit", "rdjson"] {
        let (code, text, report) = fix(&["--format", format], b"-[ ] a\n-[ ] \xff\n");
        assert_eq!((code, text.as_slice()), (Some(1), &b"- [ ] a\n- [ ] \xff\n"[..]));
        assert!(report.contains("invalid-utf8"), "{format}: {report}");
    }
    let (_, text, report) = fix(&["--format", "json", "-o", "report.json"], b"-[ ] a\n");
    assert_eq!((text.as_slice(), report.as_str()), (&b"- [ ] a\n"[..], ""));
    assert!(serde_json::from_slice::<Value>(&repo.read("report.json")).is_ok());
    assert_eq!(repo.read("PLAN.md"), b"On disk.\n");
    let (code, text, report) = fix(&[], &vec![b'a'; (8 << 20) + 1]);
    assert_eq!((code, text.len()), (Some(2), 0), "{report}");
    assert!(report.contains("over the limit"), "{report}");
}

/// A report that exists is replaced as a whole, its mode and a link to it stay; `-` and `/dev/stdout` are standard output.
#[test]
fn reports_replace_files_and_not_links() {
    use std::os::unix::fs::PermissionsExt;
    let repo = mixed();
    let expected = repo.run(&["--format", "concise"]).stdout;
    repo.write("kept.txt", "old, and much longer than the report will ever be\n".repeat(100));
    std::fs::set_permissions(repo.at("kept.txt"), std::fs::Permissions::from_mode(0o640)).expect("a mode");
    repo.symlink("link.txt", "kept.txt");
    for (file, read) in [("link.txt", "kept.txt"), ("new \u{e9}%.txt", "new \u{e9}%.txt")] {
        let run = repo.run(&["--format", "concise", "-o", file]);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (1, "", ""));
        assert_eq!(String::from_utf8_lossy(&repo.read(read)), expected);
    }
    assert!(repo.at("link.txt").is_symlink());
    assert_eq!(std::fs::metadata(repo.at("kept.txt")).expect("a file").permissions().mode() & 0o777, 0o640);
    for file in ["-", "/dev/stdout"] {
        assert_eq!(repo.run(&["--format", "concise", "-o", file]).stdout, expected);
    }
    assert!(!repo.at("-").exists());
    assert_eq!(repo.run(&["--format", "concise", "-o", "/dev/null"]).code, 1);
    let left = std::fs::read_dir(repo.root()).expect("a folder").filter_map(Result::ok).map(|entry| entry.file_name());
    assert!(
        !left.into_iter().any(|name| name.to_string_lossy().starts_with(".hintlint-")),
        "no temporary file is left"
    );
}

/// What annotations have no room for stands in the job summary, which other steps may have begun.
#[test]
fn annotations_are_the_head_of_the_job_summary() {
    let many: String = (0..23).map(|n| format!("See @none/{n}.md.\n\n")).collect();
    let repo = Repo::with_files([("CLAUDE.md", many.as_str()), ("PLAN.md", "-[ ] x\n")]);
    let summary = repo.beside("summary.md");
    std::fs::write(&summary, "# Other step\n\n").expect("a file");
    let github = |file: &std::path::Path| -> Run {
        let mut command = repo.hintlint(repo.root());
        command.args(["--format", "github"]).env("GITHUB_STEP_SUMMARY", file).output().expect("it starts").into()
    };
    let run = github(&summary);
    assert_eq!(
        (run.code, run.stdout.matches("::error ").count(), run.stdout.matches("::warning ").count()),
        (1, 10, 1)
    );
    assert!(
        run.stdout
            .ends_with("::notice title=hintlint::Not annotated here: 13 more errors. The job summary has them all.\n")
    );
    let page = std::fs::read_to_string(&summary).expect("a summary");
    assert!(page.starts_with("# Other step\n\n## hintlint: 23 errors, 1 warning\n"), "{page}");
    assert_eq!(page.matches("missing-import").count(), 24, "once in the table of rules, and each");
    assert_eq!(
        repo.run(&["--format", "github"]).stdout.matches("The job summary").count(),
        0,
        "there is none to speak of"
    );
    let run = github(&repo.beside("no/summary.md"));
    assert!(run.code == 2 && run.stdout.contains("::error ") && run.stderr.contains("job summary"), "{run:?}");
}

#[test]
fn notes_are_said_once_on_standard_error_and_kept_in_json() {
    let repo = Repo::with_files([("CLAUDE.md", "Read `src/old.rs`.\n"), ("src/old.rs", ""), ("src/b.rs", "")]);
    repo.remove("src/old.rs");
    repo.commit("gone");
    repo.write("src/c.rs", "").commit("later");
    let shallow = repo.beside("shallow");
    let url = format!("file://{}", repo.root().display());
    repo.git(&["clone", "-q", "--depth", "1", &url, &shallow.to_string_lossy()]);
    for format in ["human", "concise", "json", "sarif", "github", "markdown", "gitlab", "junit", "rdjson"] {
        let run = repo.run_in(&shallow, &["--format", format]);
        assert_eq!(run.stderr.matches("shallow clone").count(), 1, "{format}: {run:?}");
        let kept = usize::from(["json", "sarif", "markdown", "junit"].contains(&format));
        assert_eq!(run.stdout.matches("shallow clone").count(), kept, "{format}: {run:?}");
    }
    let report = parsed(&repo.run_in(&shallow, &["--format", "json"]));
    assert_eq!(report["notes"].as_array().expect("a list").len(), 1);
}

/// A repository with all that formats have trouble with: fixes of one and of several edits, hidden text, hostile names.
fn troublesome() -> Repo {
    let repo = mixed();
    repo.write(
        "a<b&\"c\"]]>.md/CLAUDE.md",
        "# Sh\u{e0041}\u{e0042}op\n\n\u{feff}See @gone.md \u{7}and @../../../out.md.\n",
    );
    repo.write("docs/plans/x.md", "-[ ] one\n-[x] two\n").write(b"\xff/CLAUDE.md", "@none.md\n");
    repo
}

#[test]
fn gitlab_and_rdjson_hold_to_their_schemas() {
    let Some(client) = crate::clients::find("check-jsonschema") else { return };
    let fine = Repo::with_files([("AGENTS.md", "Text.\n")]);
    for repo in [troublesome(), fine] {
        for format in ["gitlab", "rdjson"] {
            let run = repo.run(&["--format", format, "--min-level", "info", "-o", "report.json"]);
            assert!(run.code < 2, "{run:?}");
            let schema = crate::clients::own(&format!("tests/schemas/{format}.json"));
            let mut command = repo.command(client.to_str().expect("a path in UTF-8"), repo.root());
            let run: Run =
                command.arg("--schemafile").arg(schema).arg("report.json").output().expect("it starts").into();
            assert_eq!(run.code, 0, "{format}: {run:?}");
        }
    }
    // The schema finds what is wrong.
    let repo = Repo::new();
    repo.write("report.json", "[{\"description\": \"x\"}]");
    let mut command = repo.command(client.to_str().expect("a path in UTF-8"), repo.root());
    let schema = crate::clients::own("tests/schemas/gitlab.json");
    let run: Run = command.arg("--schemafile").arg(schema).arg("report.json").output().expect("it starts").into();
    assert_eq!(run.code, 1, "{run:?}");
}

#[test]
fn junit_is_read_by_its_parser() {
    let Some(python) = crate::clients::find_module("junitparser") else { return };
    let script = "import sys, junitparser as j\nxml = j.JUnitXml.fromfile(sys.argv[1])\n\
                  cases = [c for s in xml for c in s]\n\
                  failed = sum(isinstance(r, j.Failure) for c in cases for r in c.result)\n\
                  print(xml.tests, xml.failures, xml.errors, len(cases), failed)\n\
                  print('\\n'.join(sorted({str(c.classname) for c in cases})))\n";
    let read = |repo: &Repo| {
        let mut command = repo.command(python.to_str().expect("a path in UTF-8"), repo.root());
        let run: Run = command.args(["-c", script, "report.xml"]).output().expect("it starts").into();
        assert_eq!(run.code, 0, "{run:?}");
        run.stdout
    };
    let repo = troublesome();
    for fail_on in ["error", "warning", "never"] {
        repo.run(&["--format", "junit", "--fail-on", fail_on, "-o", "report.xml"]);
        let json = parsed(&repo.run(&["--format", "json", "--fail-on", fail_on]));
        let findings = json["findings"].as_array().expect("a list");
        let fails = |level: &str| match fail_on {
            "never" => false,
            "warning" => level != "info",
            _ => level == "error",
        };
        let failed = findings.iter().filter(|finding| fails(finding["level"].as_str().unwrap_or_default())).count();
        let told = read(&repo);
        assert!(told.starts_with(&format!("{0} {failed} 0 {0} {failed}\n", findings.len())), "{fail_on}: {told}");
        assert!(told.contains("\na<b&\"c\"]]>.md/CLAUDE.md\n"), "{told}");
    }
    let fine = Repo::with_files([("AGENTS.md", "Text.\n")]);
    fine.run(&["--format", "junit", "-o", "report.xml"]);
    assert_eq!(read(&fine), "1 0 0 1 0\nhintlint\n");
}

/// What a suggestion says to put in a place is what `--unsafe-fixes` puts there.
#[test]
fn suggestions_of_rdjson_are_the_fixes() {
    let repo = Repo::with_files([("PLAN.md", "é -[ ] no\n\n-[ ] one\n-[x] two\n")]);
    let report = parsed(&repo.run(&["--format", "rdjson"]));
    let mut lines: Vec<Vec<u8>> = repo.read("PLAN.md").split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let mut suggestions: Vec<&Value> = report["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|one| one["suggestions"].as_array())
        .flatten()
        .collect();
    suggestions.sort_by_key(|one| std::cmp::Reverse(one["range"]["start"]["line"].as_u64()));
    assert_eq!(suggestions.len(), 2);
    for suggestion in suggestions {
        let at = |end: &str, key: &str| {
            usize::try_from(suggestion["range"][end][key].as_u64().expect("a number")).expect("small") - 1
        };
        assert_eq!(at("start", "line"), at("end", "line"));
        let text = suggestion["text"].as_str().expect("text").bytes();
        lines[at("start", "line")].splice(at("start", "column")..at("end", "column"), text);
    }
    repo.run(&["--unsafe-fixes"]);
    assert_eq!(repo.read("PLAN.md"), lines.join(&b'\n'));
}
