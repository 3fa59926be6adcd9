//! What a run about some files asks git: `git` stands first on the search path and writes down how it was called.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use crate::support::{Repo, Run};

/// The commands of git that read history.
const HISTORY: [&str; 2] = ["log", "rev-list"];

/// A repository in whose hint files paths stand that its history knows as deleted.
fn repo() -> Repo {
    let repo = Repo::with_files([
        ("AGENTS.md", "Read `src/a.rs`.\n"),
        ("sub/AGENTS.md", "Read `src/b.rs`.\n"),
        ("src/a.rs", "a\n"),
        ("src/b.rs", "b\n"),
        ("src/kept.rs", "kept\n"),
    ]);
    repo.remove("src/a.rs").remove("src/b.rs").commit("gone");
    repo
}

/// Run `hintlint` and tell which commands of git it started.
fn watched(repo: &Repo, args: &[&str], stdin: Option<&str>) -> (Run, Vec<String>) {
    let bin = repo.beside("bin");
    let log = repo.beside("log");
    fs::create_dir_all(&bin).expect("a folder");
    let _ = fs::remove_file(&log);
    let usual = std::env::var("PATH").expect("a path");
    let real = std::env::split_paths(&usual).map(|dir| dir.join("git")).find(|git| git.is_file()).expect("git");
    let script = format!(
        "#!/bin/sh\nprintf '%s ' \"$@\" >> {log}\nprintf '\\n' >> {log}\nexec {real} \"$@\"\n",
        log = log.display(),
        real = real.display()
    );
    let git = bin.join("git");
    fs::write(&git, script).expect("a program");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("an executable");
    let mut command = repo.hintlint(repo.root());
    command.args(args).env("PATH", format!("{}:{usual}", bin.display()));
    command.stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("hintlint starts");
    if let Some(text) = stdin {
        use std::io::Write as _;
        child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("written");
    }
    let run = child.wait_with_output().expect("hintlint ends").into();
    let calls = fs::read_to_string(&log).unwrap_or_default();
    (run, calls.lines().map(str::to_owned).collect())
}

/// Whether one of the calls reads history.
fn reads_history(calls: &[String]) -> bool {
    calls.iter().any(|call| call.split(' ').any(|word| HISTORY.contains(&word)))
}

#[test]
fn a_run_about_everything_reads_history() {
    let repo = repo();
    let (run, calls) = watched(&repo, &["--staged", "--all"], None);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(reads_history(&calls), "{calls:?}");
}

#[test]
fn where_nothing_is_staged_git_is_not_started() {
    let repo = repo();
    let (run, calls) = watched(&repo, &["--staged"], None);
    assert_eq!((run.code, calls), (0, vec![]));
    assert_eq!(run.stdout, "Nothing changed, so nothing was checked; `--all` checks everything.\n");
    let (run, _) = watched(&repo, &["--staged", "--format", "json"], None);
    assert!(run.stdout.contains("nothing changed, so nothing was checked"), "{}", run.stdout);
}

#[test]
fn a_change_beside_the_hints_asks_history_nothing() {
    let repo = repo();
    repo.write("src/kept.rs", "changed\n").add();
    let (run, calls) = watched(&repo, &["--staged"], None);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!reads_history(&calls), "{calls:?}");
    let words = "No problems found: the changes touch and break none of the 2 hint files; `--all`";
    assert!(run.stdout.starts_with(words), "{}", run.stdout);
    let (run, calls) = watched(&repo, &["--since", "HEAD"], None);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!reads_history(&calls), "{calls:?}");
}

#[test]
fn a_report_about_some_files_says_so() {
    let repo = repo();
    repo.write("AGENTS.md", "Read `src/a.rs` first.\n").add();
    let (run, calls) = watched(&repo, &["--staged"], None);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("1 of 2 files") && run.stdout.contains("`--all` checks the rest"), "{}", run.stdout);
    assert!(run.stdout.contains("src/a.rs") && !run.stdout.contains("src/b.rs"), "{}", run.stdout);
    assert!(reads_history(&calls), "{calls:?}");
    let (run, _) = watched(&repo, &["--staged", "--format", "json"], None);
    let words = "only findings that the changes cause or touch were checked, in 1 of 2 files; `--all` checks the rest";
    assert!(run.stdout.contains(words), "{}", run.stdout);
}

#[test]
fn standard_input_that_names_nothing_asks_history_nothing() {
    let repo = repo();
    let args = ["--stdin-filename", "sub/AGENTS.md", "-"];
    let (run, calls) = watched(&repo, &args, Some("Read nothing.\n"));
    assert_eq!((run.code, calls), (0, vec![]));
    let (run, calls) = watched(&repo, &args, Some("Read `src/b.rs`.\n"));
    assert_eq!(run.code, 1, "{run:?}");
    assert!(reads_history(&calls), "{calls:?}");
}
