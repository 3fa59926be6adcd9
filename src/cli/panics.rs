//! A panic anywhere in the program costs one file or one rule, and prints nothing of the file that caused it.

use std::path::Path;

use clap::Parser as _;

use super::args::Cli;
use super::{Console, run as run_command};
use crate::base::defect::message;
use crate::config::Config;
use crate::env::Env;
use crate::report::printer::Printer;
use crate::rules::run::{Selection, run};
use crate::source::Memory;
use crate::workspace::load;

/// Text that no output may contain: the start of a workflow command, a terminal control sequence, and words to search for.
const SECRET: &str = "\u{1b}]0;title\u{7}::error file=x::SECRET WORDS";

/// Exit code, standard output and standard error of the program in `dir`.
fn program(dir: &Path, args: &[&str], mut stdin: &[u8]) -> (u8, String, String) {
    let cli = Cli::try_parse_from(std::iter::once(&"hintlint").chain(args)).expect("the arguments are right");
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut console = Console {
        env: Env::empty().with("HOME", dir.join("home").to_str().expect("UTF-8")),
        directory: dir.to_owned(),
        stdin: &mut stdin,
        stdout: Printer::new(&mut stdout),
        stderr: Printer::new(&mut stderr),
        stdout_is_terminal: false,
        stderr_is_terminal: false,
        width: None,
        done_with: Vec::new(),
    };
    let code = run_command(&cli, &mut console).unwrap_or_else(|error| {
        console.note(&error.to_string());
        2
    });
    console.stdout.finish().expect("a text takes everything");
    drop(console);
    (code, String::from_utf8(stdout).expect("UTF-8"), String::from_utf8(stderr).expect("UTF-8"))
}

fn folder(files: &[(String, String)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    dir
}

/// A file that makes `place` panic, beside `others` that each have a finding.
fn files(place: &str, others: usize) -> Vec<(String, String)> {
    let other = |n: usize| (format!("d{n:02}/AGENTS.md"), format!("a\u{202e}b {n}\n"));
    // The control characters have a finding of their own, which may show their line.
    let bad = (String::from("bad/AGENTS.md"), format!("PANIC IN {place}: SECRET WORDS\n\n# T\n\n\u{1b}::error::x\n"));
    (0..others).map(other).chain([bad]).collect()
}

fn with_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("a pool").install(work)
}

#[test]
fn a_panic_costs_one_file_and_prints_nothing_of_it() {
    for (place, path, what) in [
        ("parsing", "bad/AGENTS.md", "this file could not be parsed"),
        ("a rule", "bad/AGENTS.md", "the rule panics failed on this file"),
        ("all files", ".", "the rule panics failed"),
        ("a question", ".", "the rule panics failed"),
        ("mentions", "bad/AGENTS.md", "the paths that files name could not be collected from this file"),
    ] {
        for others in [3, 40] {
            let dir = folder(&files(place, others));
            let check = |format: &str| program(dir.path(), &["--format", format], b"");
            let (code, out, err) = with_threads(1, || check("json"));
            assert_eq!(code, 2, "{place}: {out}{err}");
            let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
            let failures = serde_json::json!([{"path": path, "message": message(what)}]);
            assert_eq!(report["failures"], failures, "{place}");
            let in_others = |finding: &&serde_json::Value| finding["path"] != "bad/AGENTS.md";
            let findings = report["findings"].as_array().map_or(0, |all| all.iter().filter(in_others).count());
            assert_eq!(findings, others, "{place}: {out}");
            assert_eq!(with_threads(4, || check("json")), (code, out, err), "{place}");
            for format in ["human", "concise", "json", "sarif", "github", "markdown"] {
                let (code, out, err) = check(format);
                assert_eq!(code, 2, "{place} {format}: {out}{err}");
                let all = format!("{out}{err}");
                assert!(!all.contains("SECRET") && !all.contains('\u{1b}'), "{place} {format}: {all}");
                assert!(all.contains("this is a bug in hintlint"), "{place} {format}: {all}");
            }
        }
    }
}

#[test]
fn a_panic_costs_one_text_that_is_only_searched() {
    let mut files = files("nothing", 1);
    files.push(("notes.txt".to_owned(), format!("PANIC IN a text {SECRET}")));
    let dir = folder(&files);
    let (code, out, err) = program(dir.path(), &["--unicode-scope", "all", "--format", "concise"], b"");
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.contains("notes.txt") && out.contains("d00/AGENTS.md") && !out.contains("SECRET"), "{out}");
}

#[test]
fn a_panic_while_history_is_asked_keeps_all_other_findings() {
    let memory = Memory::of_files([("AGENTS.md", "a\u{202e}b and `gone/file.rs`\n")]);
    let loaded = load(&memory, Config::default(), &[]).expect("no patterns");
    let report = run(loaded, &Selection::default(), &mut |_| panic!("{SECRET}"));
    assert_eq!(report.failures.len(), 1, "{report:?}");
    assert_eq!(report.failures[0].message, message("the history could not be read"));
    assert!(report.findings.iter().any(|finding| finding.rule == "bidi-control"), "{report:?}");
}

#[test]
fn a_panic_costs_one_plan() {
    let dir = folder(&[
        ("plans/good.md".to_owned(), "- [x] a\n".to_owned()),
        ("plans/bad.md".to_owned(), format!("PANIC IN parsing {SECRET}\n- [ ] a\n")),
        ("hintlint.toml".to_owned(), "[plans]\npaths = [\"plans/**\"]\n".to_owned()),
    ]);
    let (code, out, err) = program(dir.path(), &["plan"], b"");
    assert_eq!(code, 2, "{out}{err}");
    assert!(
        out.contains("plans/good.md: 1/1") && err.contains("plans/bad.md: this is a bug in hintlint"),
        "{out}{err}"
    );
    assert!(!format!("{out}{err}").contains("SECRET"));
}

#[test]
fn a_scope_that_cannot_be_rendered_is_not_written_and_the_others_are() {
    let dir = folder(&[
        ("a/AGENTS.md".to_owned(), "A\n".to_owned()),
        ("b/AGENTS.md".to_owned(), format!("PANIC IN a layer {SECRET}\n")),
    ]);
    let (code, out, err) = program(dir.path(), &["compile"], b"");
    assert_eq!(code, 2, "{out}{err}");
    let written = |scope: &str| dir.path().join(".hintlint/context").join(scope).join("merged.md").exists();
    assert!(written("a") && !written("b"), "{out}{err}");
    assert!(err.contains("b/AGENTS.md could not be read") && !err.contains("SECRET"), "{err}");
    let (code, out, err) = program(dir.path(), &["compile", "--check"], b"");
    assert_eq!(code, 1, "{out}{err}");
}

#[test]
fn a_panic_costs_show_one_agent() {
    let dir = folder(&[("CLAUDE.md".to_owned(), format!("PANIC IN a source {SECRET}\n"))]);
    let top = dir.path().to_str().expect("UTF-8");
    let (code, out, err) = program(dir.path(), &["show", "--agent", "claude", top], b"");
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert_eq!(err, format!("hintlint: {}\n", message("hintlint cannot tell what claude loads here")));
    let file = dir.path().join("x.rs");
    let (code, out, err) = program(dir.path(), &["show", "--file", file.to_str().expect("UTF-8"), top], b"");
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.contains("CLAUDE.md") && out.contains("copilot"), "the other agents' columns are there: {out}");
    assert!(!format!("{out}{err}").contains("SECRET"), "{out}{err}");
}

#[test]
fn a_hook_goes_on_whatever_panics() {
    let dir = folder(&[
        (".git/HEAD".to_owned(), "ref: refs/heads/main\n".to_owned()),
        (".claude/rules/bad.md".to_owned(), format!("---\napplies_to: x.rs\n---\nPANIC IN parsing {SECRET}\n")),
        (".github/copilot-instructions.md".to_owned(), "Be good.\n".to_owned()),
        ("x.rs".to_owned(), String::new()),
    ]);
    let message = serde_json::json!({
        "session_id": "s", "cwd": dir.path(), "tool_name": "Edit", "tool_input": {"file_path": dir.path().join("x.rs")},
    });
    let (code, out, err) = program(dir.path(), &["hook", "post-tool-use"], message.to_string().as_bytes());
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("Be good.") && err.contains("this is a bug in hintlint"), "{out}{err}");
    assert!(!format!("{out}{err}").contains("SECRET"), "{out}{err}");
    let bad = serde_json::json!({"session_id": format!("PANIC IN a hook {SECRET}")}).to_string();
    let (code, out, err) = program(dir.path(), &["hook", "post-tool-use"], bad.as_bytes());
    assert_eq!((code, out.as_str()), (0, "{}\n"), "{err}");
    assert!(err.contains("this is a bug in hintlint") && !err.contains("SECRET"), "{err}");
}
