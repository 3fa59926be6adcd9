//! Runs that are killed in the middle of a write: nothing takes notice of what they leave behind, and the next run removes it.

use crate::support::Repo;
use std::path::{Path, PathBuf};

/// Temporary files of ours below `folder`.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() {
            found.extend(leftovers(&path));
        } else if name.starts_with(".hintlint-") && name.ends_with(".tmp") {
            found.push(path);
        }
    }
    found
}

/// Run the program so that the system kills it when it has written so many blocks of 512 or 1024 bytes into a file.
fn killed(repo: &Repo, blocks: u32, args: &[&str]) {
    let mut command = repo.command("sh", repo.root());
    command.args(["-c", &format!("ulimit -c 0; ulimit -f {blocks}; exec \"$@\""), "sh"]);
    let output = command.arg(env!("CARGO_BIN_EXE_hintlint")).args(args).output().expect("sh starts");
    assert_eq!(output.status.code(), None, "a signal ends it: {output:?}");
}

/// Text that `--fix` changes, and that is longer than a block.
fn fixable() -> String {
    format!("# Rules\n\n- [x]done\n\n{}", "Keep functions short.\n".repeat(100))
}

/// Kill a run of `args` while it writes. It is to write `written`, once it is let alone.
fn check(blocks: u32, args: &[&str], written: &str) {
    let repo = Repo::with_files([("AGENTS.md", fixable()), ("docs/CLAUDE.md", fixable()), ("PLAN.md", fixable())]);
    repo.write("hintlint.toml", "[plans]\npaths = [\"**/*.md\"]\n");
    let before = repo.run(&["files", "-v"]).stdout;
    killed(&repo, blocks, args);
    let places = [repo.root().to_owned(), repo.home()];
    let left = || places.iter().flat_map(|place| leftovers(place)).collect::<Vec<_>>();
    assert!(!left().is_empty(), "{args:?} {blocks}: the run must be killed while it writes");
    assert_eq!(repo.run(&["files", "-v"]).stdout, before, "a leftover is no file of the repository");
    assert!(!repo.run(&["--unicode-scope", "all", "-v", "--format", "json"]).stdout.contains(".hintlint-"));
    let run = repo.run(args);
    assert!(run.code == 0 || run.code == 1, "{run:?}");
    assert!(left().is_empty(), "{args:?} {blocks}: {:?}", left());
    assert!(repo.at(written).exists(), "{args:?} writes {written}");
}

#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    for blocks in [0, 1] {
        check(blocks, &["--fix"], "PLAN.md");
        check(blocks, &["compile"], ".hintlint/context/merged.md");
        check(blocks, &["init", "--agent-hooks"], ".claude/settings.json");
        check(blocks, &["--format", "json", "--min-level", "info", "--output", "report.json"], "report.json");
    }
    check(0, &["init", "--hints"], ".dexhints");
    check(0, &["plan", "activate", "PLAN.md"], "../home/.claude/.boulder.json");
}

#[test]
fn a_users_file_with_such_a_name_is_a_file_like_any_other() {
    let repo = Repo::with_files([("AGENTS.md", "# A\n")]);
    let tracked = ".hintlint-1-0123456789abcdef.tmp";
    repo.write("AGENTS.md", format!("See @./{tracked}\n")).write(tracked, "a\u{202E}b\n").commit("both");
    repo.write(".hintlint-notes.tmp", "a\u{202E}b\n");
    let run = repo.run(&["--unicode-scope", "all", "--format", "concise"]);
    for name in [tracked, ".hintlint-notes.tmp"] {
        assert!(run.stdout.contains(&format!("{name}:1:2: error[bidi-control]")), "{}", run.stdout);
    }
}
