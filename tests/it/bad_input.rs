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

/// One finding that shows that the rest of the repository was checked all the same.
const OTHER: (&str, &str) = ("other/CLAUDE.md", "See @none.md.\n");

fn other() -> (String, String) {
    ("other/CLAUDE.md".to_owned(), "missing-import".to_owned())
}

#[test]
fn an_unreadable_file_costs_exit_2_and_hides_nothing() {
    let repo = Repo::with_files([("CLAUDE.md", "x\n"), OTHER]);
    fs::set_permissions(repo.at("CLAUDE.md"), fs::Permissions::from_mode(0o000)).unwrap();
    let Some(run) = repo.run_unprivileged(&["--format", "json"]) else { return };
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(findings(&run), [other()]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let failures = serde_json::json!([{"path": "CLAUDE.md", "message": "Permission denied (os error 13)"}]);
    assert_eq!(report["failures"], failures);
    for format in ["human", "concise", "github", "markdown", "sarif"] {
        let run = repo.run_unprivileged(&["--format", format]).expect("it ran before");
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stdout.contains("Permission denied") && run.stdout.contains("missing-import"), "{format}: {run:?}");
    }
    let run = repo.run_unprivileged(&["--statistics", "-q"]).expect("it ran before");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stdout.contains("could not check CLAUDE.md: Permission denied"), "{run:?}");
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
    let repo = Repo::with_files([("sub/CLAUDE.md", "a\u{200b}b\n"), ("CLAUDE.md", "a\u{200b}b\n")]);
    fs::set_permissions(repo.at("sub"), fs::Permissions::from_mode(0o555)).unwrap();
    let run = repo.run_unprivileged(&["--fix"]);
    fs::set_permissions(repo.at("sub"), fs::Permissions::from_mode(0o755)).unwrap();
    let Some(run) = run else { return };
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
    assert!(staged.stderr.contains("not a git repository"), "{staged:?}");
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
        (&["complete"], "did you mean the command `compile`?"),
        (&["explian"], "did you mean the command `explain`?"),
        (&["no/such.md"], "there is no file or directory no/such.md"),
        (&["--select", "hidden-tag"], "did you mean `hidden-tags`?"),
        (&["--agent", "cluade"], "did you mean `claude`?"),
        (&["--rev", "HEAD", "--fix"], "--fix cannot write into a revision"),
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

#[test]
fn a_folder_without_permission_costs_exit_2_and_hides_nothing() {
    let repo = Repo::plain_folder();
    repo.write("closed/CLAUDE.md", "x\n").write(OTHER.0, OTHER.1);
    fs::set_permissions(repo.at("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    let run = repo.run_unprivileged(&["--format", "json"]);
    fs::set_permissions(repo.at("closed"), fs::Permissions::from_mode(0o755)).unwrap();
    let Some(run) = run else { return };
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(findings(&run), [other()]);
    assert!(run.stdout.contains("Permission denied"), "{run:?}");
}

#[test]
fn init_and_compile_in_a_read_only_folder_say_so() {
    let repo = Repo::with_files([OTHER]);
    fs::set_permissions(repo.root(), fs::Permissions::from_mode(0o555)).unwrap();
    let runs = [&["init"][..], &["compile"], &["-o", "report.txt"]].map(|args| (args, repo.run_unprivileged(args)));
    fs::set_permissions(repo.root(), fs::Permissions::from_mode(0o755)).unwrap();
    for (args, run) in runs {
        let Some(run) = run else { return };
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.stderr.contains("read-only"), "{args:?}: {run:?}");
    }
}

/// The config may be a link, is never a device, and a place that holds something else says so.
#[test]
fn a_config_is_a_file() {
    let repo = Repo::with_files([OTHER, ("config/lint.toml", "[rules]\nimports = \"off\"\n")]);
    repo.symlink("hintlint.toml", "config/lint.toml");
    assert_eq!(repo.run(&[]).code, 0, "a link to a file is followed");
    repo.commit("link");
    assert_eq!(repo.run(&["--rev", "HEAD"]).code, 0, "also in a revision");
    for target in ["nowhere.toml", "../outside.toml", "/dev/zero", "config", "hintlint.toml"] {
        repo.remove("hintlint.toml").symlink("hintlint.toml", target);
        let run = repo.run(&[]);
        assert_eq!(run.code, 2, "{target}: {run:?}");
        assert!(run.stderr.contains("cannot read the config hintlint.toml: it"), "{target}: {run:?}");
    }
    repo.remove("hintlint.toml");
    repo.write("hintlint.toml/x", "");
    let run = repo.run(&[]);
    assert!(run.code == 2 && run.stderr.contains("is a directory"), "{run:?}");
    repo.remove("hintlint.toml");
    assert!(Command::new("mkfifo").arg(repo.at("fifo")).status().unwrap().success());
    for (file, why) in [("/dev/zero", "device"), ("fifo", "FIFO"), (".", "directory"), ("none.toml", "No such file")] {
        let run = repo.run(&["--config", file]);
        assert_eq!(run.code, 2, "{file}: {run:?}");
        assert!(run.stderr.contains(why) && run.stderr.contains("help: "), "{file}: {run:?}");
    }
}

#[test]
fn a_report_that_has_no_place_is_refused_before_anything_is_mended() {
    let repo = Repo::with_files([("PLAN.md", "-[ ] x\n"), ("sub/x", "")]);
    for (file, why) in
        [("none/report.txt", "there is no folder none"), ("sub", "is a folder"), ("PLAN.md/x", "no folder")]
    {
        let run = repo.run(&["--fix", "--output", file]);
        assert_eq!(run.code, 2, "{file}: {run:?}");
        assert!(run.stderr.contains(why) && run.stderr.contains("help: "), "{file}: {run:?}");
        assert_eq!(repo.read("PLAN.md"), b"-[ ] x\n", "{file}");
    }
    assert!(!repo.at("none").exists(), "no folder is made silently");
    let run = repo.run(&["--output", "/dev/full"]);
    assert!(run.code == 2 && run.stderr.contains("No space left"), "{run:?}");
}

#[test]
fn a_report_never_takes_the_place_of_what_is_checked() {
    let repo = Repo::with_files([("PLAN.md", "-[ ] x\n"), ("hintlint.toml", ""), ("docs/a.txt", "x\n")]);
    #[cfg(unix)]
    repo.symlink("report.txt", "PLAN.md");
    let names: &[&str] = if cfg!(unix) { &["PLAN.md", "hintlint.toml", "report.txt"] } else { &["PLAN.md"] };
    for file in names {
        for more in [&["--fix"][..], &["--format", "json"], &["--staged", "--all"], &["--diff"]] {
            let run = repo.run(&[&["--output", file], more].concat());
            assert_eq!(run.code, 2, "{file} {more:?}: {run:?}");
            let why = format!("cannot write {file}: it is one of the files that are checked");
            assert!(run.stderr.contains(&why) && run.stderr.contains("help: "), "{file} {more:?}: {run:?}");
            assert_eq!((repo.read("PLAN.md"), repo.read("hintlint.toml")), (b"-[ ] x\n".to_vec(), Vec::new()));
        }
    }
    // Any other file may be named, from any folder, also one that is there already.
    let run = repo.run_in(&repo.at("docs"), &["--output", "a.txt"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(String::from_utf8_lossy(&repo.read("docs/a.txt")).contains("malformed-checkbox"));
}

#[test]
fn paths_of_a_bare_repository_start_at_its_folder() {
    let repo = Repo::with_files([OTHER, ("CLAUDE.md", "See @none.md.\n")]);
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", &bare.to_string_lossy()]);
    let run = repo.run_in(&bare, &["--rev", "HEAD", "--format", "json", "other"]);
    assert_eq!(findings(&run), [other()]);
    let run = repo.run_in(&bare, &["--rev", "HEAD", "none.md"]);
    assert!(run.code == 2 && run.stderr.contains("there is no file or directory none.md"), "{run:?}");
}
