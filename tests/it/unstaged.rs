//! What the worktree changes of a commit, held against `git diff`: our own comparison, which runs no filter, tells the same.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;

use hintlint::source::{Base, ChangeKind, Side};

use crate::sources::open;
use crate::support::Repo;

/// Changes as `git diff --name-status` tells them, untracked files as added ones.
fn by_git(repo: &Repo) -> BTreeSet<String> {
    let told = repo.git(&["diff", "--name-status", "-M50%", "HEAD"]);
    let untracked = repo.git(&["ls-files", "--others", "--exclude-standard"]);
    let untracked = untracked.lines().map(|path| format!("A {path}"));
    told.lines().map(|line| line.replace('\t', " ").replace("R100", "R").replace("T ", "M ")).chain(untracked).collect()
}

/// The same as we tell them.
fn by_us(repo: &Repo) -> BTreeSet<String> {
    let changes = open(repo, Side::Worktree).changes(&Base::MergeBase("HEAD".to_owned())).expect("compared");
    let tell = |change: &hintlint::source::ChangedPath| {
        let path = change.path.to_str_lossy();
        match &change.kind {
            ChangeKind::Added => format!("A {path}"),
            ChangeKind::Modified => format!("M {path}"),
            ChangeKind::Deleted => format!("D {path}"),
            ChangeKind::Renamed { from, .. } => format!("R {} {path}", from.to_str_lossy()),
        }
    };
    changes.list.iter().map(tell).collect()
}

/// A repository in each form: its index is read by us, or by the git program.
fn forms() -> Vec<(&'static str, Repo)> {
    let plain = |options: &[&str]| {
        let repo = Repo::init(options);
        for name in ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md", "g.md"] {
            repo.write(name, format!("{name}\n{}", "A line.\n".repeat(9)));
        }
        repo.write("dir/x.md", "x\n").write("dir/y.md", "y\n").write("run.sh", "true\n").write("crlf.md", "a\r\nb\n");
        repo.symlink("link", "a.md").write("empty.md", "");
        repo.commit("start");
        repo
    };
    let split = plain(&[]);
    split.git(&["update-index", "--split-index"]);
    let compressed = plain(&[]);
    compressed.git(&["update-index", "--index-version", "4"]);
    vec![
        ("plain", plain(&[])),
        ("split", split),
        ("version 4", compressed),
        ("SHA-256", plain(&["--object-format=sha256"])),
    ]
}

fn agree(repo: &Repo, what: &str) {
    let ours = by_us(repo);
    assert_eq!(ours, by_git(repo), "{what}");
}

#[test]
fn the_worktree_is_compared_as_git_compares_it() {
    for (form, repo) in forms() {
        agree(&repo, &format!("{form}: nothing"));
        assert!(by_us(&repo).is_empty());
        repo.git(&["mv", "g.md", "moved.md"]);
        repo.write("a.md", "changed\n").remove("b.md").write("c.md", "staged\n").git(&["add", "c.md"]);
        repo.write("new.md", "new\n").write("staged.md", "new, too\n").git(&["add", "staged.md"]);
        repo.write("gone-again.md", "x\n").git(&["add", "gone-again.md"]);
        repo.remove("gone-again.md").remove("link").symlink("link", "b.md");
        repo.write("intended.md", "by name\n").git(&["add", "-N", "intended.md"]);
        repo.remove("dir/x.md").write("dir/x.md", "y\n").remove("d.md").symlink("d.md", "a.md");
        agree(&repo, form);
        repo.git(&["rm", "-q", "--cached", "e.md"]);
        repo.write("c.md", "staged and changed\n").write("moved.md", "other\n").remove("staged.md");
        let ours = by_us(&repo);
        for change in ["M c.md", "M d.md", "M link", "D b.md", "A intended.md", "A new.md"] {
            assert!(ours.contains(change), "{form}: {change}: {ours:?}");
        }
        assert!(
            !ours.iter().any(|change| change.contains("gone-again") || change.contains("staged.md")),
            "{form}: {ours:?}"
        );
    }
}

#[test]
fn a_file_that_was_only_touched_or_written_again_is_no_change() {
    for (form, repo) in forms() {
        for name in ["a.md", "crlf.md", "empty.md", "run.sh"] {
            let bytes = repo.read(name);
            repo.remove(name).write(name, bytes);
        }
        assert_eq!(by_us(&repo), BTreeSet::new(), "{form}");
        // Written in the second of the index, with the same length: neither time nor size tells.
        repo.git(&["add", "--all"]);
        let index = fs::metadata(repo.at(".git/index")).expect("an index").modified().expect("a time");
        repo.write("dir/x.md", "z\n");
        fs::File::options()
            .append(true)
            .open(repo.at("dir/x.md"))
            .and_then(|file| file.set_modified(index))
            .expect("set");
        assert_eq!(by_us(&repo), ["M dir/x.md".to_owned()].into(), "{form}");
    }
}

#[test]
fn modes_count_where_the_file_system_keeps_them() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::with_files([("run.sh", "true\n")]);
    fs::set_permissions(repo.at("run.sh"), fs::Permissions::from_mode(0o755)).expect("a mode");
    assert_eq!(by_us(&repo), ["M run.sh".to_owned()].into());
    repo.git(&["config", "core.fileMode", "false"]);
    assert_eq!(by_us(&repo), BTreeSet::new());
}

#[test]
fn line_ends_that_git_converts_are_no_change() {
    let repo = Repo::with_files([("a.md", "1\n2\n"), ("b.md", "1\n2\n"), ("c.md", "1\r\n2\n")]);
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.write("a.md", "1\r\n2\r\n").write("b.md", "1\r\n3\r\n").write("c.md", "1\r\n2\r\n");
    assert_eq!(by_us(&repo), ["M b.md".to_owned(), "M c.md".to_owned()].into());
}

#[test]
fn files_outside_a_sparse_checkout_are_no_change() {
    for option in ["--no-sparse-index", "--sparse-index"] {
        let repo = Repo::with_files([("in/a.md", "1\n"), ("out/b.md", "2\n"), ("out/empty.md", "")]);
        repo.git(&["sparse-checkout", "set", "--cone", option, "in"]);
        repo.write("in/a.md", "changed\n").write("in/intended.md", "").git(&["add", "-N", "in/intended.md"]);
        agree(&repo, option);
        let staged = open(&repo, Side::Index).source;
        assert!(
            staged.listing().contains(b"out/empty.md") && !staged.listing().contains(b"in/intended.md"),
            "{option}"
        );
    }
}

#[test]
fn a_file_that_was_moved_and_half_staged_is_a_rename() {
    let repo = Repo::with_files([("old.md", "some text\n"), ("b.md", "b\n")]);
    fs::rename(repo.at("old.md"), repo.at("new.md")).expect("moved");
    repo.git(&["add", "new.md"]);
    agree(&repo, "the new name is staged, and that the old one is gone is not");
    assert_eq!(by_us(&repo), ["R old.md new.md".to_owned()].into());
}
