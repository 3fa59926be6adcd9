//! Bad input gets a clear finding or error, and nothing is lost.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{Repo, Run};

fn findings(run: &Run) -> Vec<(String, String)> {
    let report: serde_json::Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let list = report["findings"].as_array().expect("findings");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("").to_owned();
    list.iter().map(|finding| (text(&finding["path"]), text(&finding["rule"]))).collect()
}

fn json(repo: &Repo) -> Run {
    repo.run(&["--format", "json"])
}

fn is_root() -> bool {
    fs::read("/proc/self/status").is_ok_and(|status| String::from_utf8_lossy(&status).contains("Uid:\t0"))
}

/// One finding that shows that the rest of the repository was checked all the same.
const OTHER: (&str, &str) = ("other/CLAUDE.md", "See @none.md.\n");

fn other() -> (String, String) {
    ("other/CLAUDE.md".to_owned(), "missing-import".to_owned())
}

#[test]
fn an_unreadable_file_costs_exit_2_and_hides_nothing() {
    if is_root() {
        crate::clients::skip("root reads every file, so unreadable ones were not checked");
        return;
    }
    let repo = Repo::with_files([("CLAUDE.md", "x\n"), OTHER]);
    fs::set_permissions(repo.at("CLAUDE.md"), fs::Permissions::from_mode(0o000)).unwrap();
    let run = json(&repo);
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(findings(&run), [other()]);
    assert!(run.stdout.contains("\"failures\"") && run.stdout.contains("CLAUDE.md"), "{run:?}");
}

#[test]
fn a_file_that_is_not_utf8_is_a_finding() {
    let repo = Repo::with_files([("CLAUDE.md", &b"caf\xe9\n"[..]), (OTHER.0, OTHER.1.as_bytes())]);
    let run = json(&repo);
    assert_eq!(findings(&run), [("CLAUDE.md".to_owned(), "invalid-utf8".to_owned()), other()]);
    assert_eq!(run.code, 1);
}

#[test]
fn a_file_of_100_mb_is_a_finding_and_is_not_read() {
    let repo = Repo::with_files([OTHER]);
    let file = fs::File::create(repo.at("CLAUDE.md")).unwrap();
    file.set_len(100 << 20).unwrap();
    let run = json(&repo);
    assert_eq!(findings(&run), [("CLAUDE.md".to_owned(), "unreadable-hint-file".to_owned()), other()]);
}

#[test]
fn a_fifo_named_agents_md_is_a_finding_and_is_never_opened() {
    let repo = Repo::with_files([OTHER]);
    let made = Command::new("mkfifo").arg(repo.at("AGENTS.md")).status().unwrap();
    assert!(made.success());
    let run = json(&repo);
    assert_eq!(findings(&run), [("AGENTS.md".to_owned(), "unreadable-hint-file".to_owned()), other()]);
}

#[test]
fn links_in_a_circle_and_links_to_nothing_are_findings() {
    let repo = Repo::new();
    repo.write(OTHER.0, OTHER.1);
    repo.symlink("CLAUDE.md", "b.md").symlink("b.md", "CLAUDE.md").symlink("sub/AGENTS.md", "gone.md");
    repo.commit("links");
    let unreadable = |path: &str| (path.to_owned(), "unreadable-hint-file".to_owned());
    assert_eq!(findings(&json(&repo)), [unreadable("CLAUDE.md"), other(), unreadable("sub/AGENTS.md")]);
}

#[test]
fn a_directory_named_claude_md_is_a_finding() {
    let repo = Repo::with_files([("CLAUDE.md/notes.txt", "x\n"), OTHER]);
    assert_eq!(findings(&json(&repo)), [("CLAUDE.md".to_owned(), "unreadable-hint-file".to_owned()), other()]);
    repo.write("hintlint.toml", "exclude = [\"/CLAUDE.md\"]\n");
    assert_eq!(findings(&json(&repo)), [other()], "what the config excludes is nobody's business");
}

#[test]
fn fixing_in_a_read_only_folder_says_so_and_leaves_the_file() {
    if is_root() {
        crate::clients::skip("root writes everywhere, so read-only folders were not checked");
        return;
    }
    let repo = Repo::with_files([("sub/CLAUDE.md", "a\u{200b}b\n"), ("CLAUDE.md", "a\u{200b}b\n")]);
    fs::set_permissions(repo.at("sub"), fs::Permissions::from_mode(0o555)).unwrap();
    let run = repo.run(&["--fix"]);
    fs::set_permissions(repo.at("sub"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stdout.contains("read-only"), "{run:?}");
    assert_eq!(repo.read("sub/CLAUDE.md"), "a\u{200b}b\n".as_bytes());
    assert_eq!(repo.read("CLAUDE.md"), b"ab\n");
    assert_eq!(fs::read_dir(repo.at("sub")).unwrap().count(), 1, "a temporary file was left");
}

#[test]
fn repositories_without_commits_and_folders_without_git_are_checked() {
    let repo = Repo::new();
    repo.write(OTHER.0, OTHER.1);
    assert_eq!(findings(&json(&repo)), [other()]);
    let folder = Repo::plain_folder();
    folder.write(OTHER.0, OTHER.1);
    assert_eq!(findings(&json(&folder)), [other()]);
    let staged = folder.run(&["--staged"]);
    assert_eq!(staged.code, 2);
    assert!(staged.stderr.contains("no git repository"), "{staged:?}");
}

#[test]
fn a_corrupt_index_is_named() {
    let repo = Repo::with_files([OTHER]);
    repo.write(".git/index", "no index at all, but long enough to look like one to a careless reader");
    for args in [&["--format", "json"][..], &["--staged", "--all"]] {
        let run = repo.run(args);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stderr.contains("index"), "{run:?}");
    }
}

#[test]
fn submodules_and_linked_worktrees() {
    let inner = Repo::with_files([OTHER]);
    let repo = Repo::with_files([OTHER]);
    let url = inner.root().to_string_lossy().into_owned();
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "vendor/inner"]);
    repo.commit("submodule");
    assert_eq!(findings(&json(&repo)), [other()], "a submodule's files belong to the other repository");
    let linked = repo.beside("linked");
    repo.git(&["worktree", "add", "-q", &linked.to_string_lossy(), "-b", "side"]);
    let run = repo.run_in(&linked, &["--format", "json"]);
    assert_eq!(findings(&run), [other()]);
}

#[test]
fn names_with_newlines_and_foreign_bytes() {
    let repo = Repo::with_files([
        (&b"a\nb/CLAUDE.md"[..], &b"See @none.md.\n"[..]),
        (&b"caf\xe9/CLAUDE.md"[..], &b"See @none.md.\n"[..]),
    ]);
    for args in [&["--format", "json"][..], &["--format", "json", "--staged", "--all"]] {
        let run = repo.run(args);
        let paths: Vec<String> =
            findings(&run).into_iter().filter(|(_, rule)| rule == "missing-import").map(|f| f.0).collect();
        assert_eq!(paths, ["a\nb/CLAUDE.md", "caf\\xE9/CLAUDE.md"], "{run:?}");
    }
    let human = repo.run(&[]);
    assert!(human.stdout.contains("a\\nb/CLAUDE.md") && human.stdout.contains("caf\\xE9"), "{human:?}");
}

#[test]
fn a_broken_config_is_shown_at_its_place() {
    let repo = Repo::with_files([("hintlint.toml", "[rules]\nhidden-tags = \"eror\"\nexlude = 3\n"), OTHER]);
    let run = repo.run(&[]);
    assert_eq!(run.code, 2);
    for part in ["hintlint.toml:2:15", "did you mean \"error\"?", "hintlint.toml:3:"] {
        assert!(run.stderr.contains(part), "{part}: {run:?}");
    }
    repo.write(".hintlint.toml", "");
    assert!(repo.run(&[]).stderr.contains("two config files"));
}

#[test]
fn a_file_that_changes_while_it_is_fixed_keeps_the_change() {
    // The writer itself is tested for this in `write`; here: what the program does when the bytes on disk are others than
    // those that it read, which a staged run makes easy to arrange.
    let repo = Repo::with_files([("CLAUDE.md", "a\u{200b}b\n")]);
    repo.write("CLAUDE.md", "a\u{200b}b and more\n");
    let run = repo.run(&["--staged", "--all", "--fix"]);
    assert_ne!(run.code, 0, "{run:?}");
    assert_eq!(repo.read("CLAUDE.md"), "a\u{200b}b and more\n".as_bytes());
}

#[test]
fn arguments_that_name_nothing() {
    let repo = Repo::with_files([OTHER, ("-x", "plain\n")]);
    let cases: &[(&[&str], &str)] = &[
        (&["chekc"], "did you mean the command `check`?"),
        (&["no/such.md"], "there is no file or directory no/such.md"),
        (&["--select", "hidden-tag"], "did you mean `hidden-tags`?"),
        (&["--agent", "cluade"], "did you mean `claude`?"),
        (&["--rev", "HEAD", "--fix"], "--fix cannot change a revision"),
        (&["--rev", "nosuch"], "nosuch"),
        (&["-"], "--stdin-filename"),
        (&["explain", "hidden-tag"], "did you mean `hidden-tags`?"),
    ];
    for (args, expected) in cases {
        let run = repo.run(args);
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {run:?}");
    }
    assert_eq!(repo.run(&["--", "-x"]).code, 0);
    assert_eq!(repo.run(&["./-x"]).code, 0);
}
