//! The progress line, on a real terminal: when it is drawn, what it says, and that it is erased.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::clients;
use crate::printed::on_terminal;
use crate::support::Repo;

/// A repository whose history is asked: a path that was deleted, and an artifact that is stale.
fn repository() -> Repo {
    let repo = Repo::with_files([("AGENTS.md", "See `docs/plan.md`.\n"), ("docs/plan.md", "x\n")]);
    assert_eq!(repo.run(&["compile"]).code, 0);
    repo.commit("compile");
    repo.remove("docs/plan.md").write("AGENTS.md", "See `docs/plan.md` first.\n").commit("delete");
    repo
}

/// `hintlint` with a `git` that takes this long for each call.
fn with_slow_git(repo: &Repo, seconds: &str, args: &[&str]) -> Option<Command> {
    let git = clients::find("git")?;
    let folder = repo.beside("bin");
    fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("git");
    fs::write(&program, format!("#!/bin/sh\nsleep {seconds}\nexec '{}' \"$@\"\n", git.display())).expect("a script");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
    let mut command = repo.hintlint(repo.root());
    let path = std::env::var("PATH").expect("a path");
    command.args(args).env("PATH", format!("{}:{path}", folder.display())).env_remove("CI");
    Some(command)
}

/// What a terminal shows in the end of what was written to it: each line after the last time it was erased.
fn shown(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output).replace("\r\n", "\n");
    text.split('\n').map(|line| line.rsplit("\r\u{1b}[2K").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_long_run_says_what_it_is_doing_and_erases_it() {
    let repo = repository();
    for (args, words) in [
        (&["--no-config"][..], "reading the history"),
        (&["compile", "--check"], "reading the history"),
        (&["diff", "HEAD~"], "reading the"),
    ] {
        let Some(command) = with_slow_git(&repo, "1", args) else { return };
        let output = on_terminal(command);
        let written = String::from_utf8_lossy(&output).into_owned();
        assert!(written.contains(words), "{args:?}: {written:?}");
        assert!(!shown(&output).contains(words), "{args:?}: the line is still there: {written:?}");
        let mut quick = repo.hintlint(repo.root());
        quick.args(args).env("CI", "1");
        let digits = |text: String| text.split(" in ").next().unwrap_or_default().to_owned();
        assert_eq!(digits(shown(&output)), digits(shown(&on_terminal(quick))), "{args:?}");
    }
}

#[test]
fn no_line_in_ci_when_quiet_or_in_a_pipe() {
    let repo = repository();
    let escape = |output: &[u8]| output.windows(4).any(|bytes| bytes == b"\x1b[2K");
    let Some(mut in_ci) = with_slow_git(&repo, "1", &["--no-config"]) else { return };
    in_ci.env("CI", "true");
    assert!(!escape(&on_terminal(in_ci)));
    for quiet in [&["-q"][..], &["compile", "--check", "-q"]] {
        let command = with_slow_git(&repo, "1", quiet).expect("git was there before");
        assert!(!escape(&on_terminal(command)), "{quiet:?}");
    }
    let mut piped = with_slow_git(&repo, "1", &[]).expect("git was there before");
    let output = piped.output().expect("it starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let mut dumb = repo.hintlint(repo.root());
    dumb.env("TERM", "dumb");
    assert!(!escape(&on_terminal(dumb)));
}

#[test]
fn a_short_run_draws_nothing() {
    let repo = Repo::with_files([("AGENTS.md", "Build with make.\n")]);
    let mut command = repo.hintlint(repo.root());
    command.env_remove("CI");
    let output = String::from_utf8_lossy(&on_terminal(command)).into_owned();
    assert!(!output.contains("\u{1b}[2K") && output.contains("No problems found"), "{output:?}");
}

/// Rule names are links where the environment says that the terminal opens them, and nowhere else.
#[test]
fn a_terminal_that_opens_links_gets_the_rules_pages() {
    let repo = Repo::with_files([("AGENTS.md", "See [this](gone.md).\n")]);
    let run = |force: &str, args: &[&str]| {
        let mut command = repo.hintlint(repo.root());
        command.args(args).env("FORCE_HYPERLINK", force).env("CI", "1");
        String::from_utf8_lossy(&on_terminal(command)).into_owned()
    };
    for format in ["human", "concise"] {
        let text = run("1", &["--format", format]);
        assert!(text.contains("\u{1b}]8;;https://"), "{text:?}");
        assert!(text.contains("/docs/rules/broken-link.md\u{1b}\\"), "{text:?}");
        assert!(!run("0", &["--format", format]).contains("\u{1b}]8;;"));
        assert!(!run("1", &["--format", format, "--color", "never"]).contains("\u{1b}]8;;"));
    }
    let piped =
        repo.hintlint(repo.root()).env("FORCE_HYPERLINK", "1").args(["--color", "always"]).output().expect("it runs");
    assert!(!String::from_utf8_lossy(&piped.stdout).contains("\u{1b}]8;;"), "a pipe is no terminal");
}
