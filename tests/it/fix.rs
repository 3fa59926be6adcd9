//! Fixes end to end: what is written, what stays as it was, and what is never touched.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Stdio;

use crate::support::Repo;

const BROKEN: &str = "# Release\n\n-[ ] write the tests\n- [x]review\n";
const FIXED: &str = "# Release\n\n- [ ] write the tests\n- [x] review\n";

#[test]
fn the_mode_is_kept() {
    let repo = Repo::with_files([("PLAN.md", BROKEN)]);
    for mode in [0o755, 0o600] {
        repo.write("PLAN.md", BROKEN);
        fs::set_permissions(repo.at("PLAN.md"), fs::Permissions::from_mode(mode)).expect("a mode");
        assert_eq!(repo.run(&["--fix"]).code, 0);
        assert_eq!(repo.read("PLAN.md"), FIXED.as_bytes());
        assert_eq!(fs::metadata(repo.at("PLAN.md")).expect("a file").permissions().mode() & 0o777, mode);
    }
}

#[test]
fn line_endings_byte_order_mark_and_a_missing_last_newline_are_kept() {
    for (before, after) in [
        (BROKEN.replace('\n', "\r\n"), FIXED.replace('\n', "\r\n")),
        (format!("\u{feff}{BROKEN}"), format!("\u{feff}{FIXED}")),
        (BROKEN.trim_end().to_owned(), FIXED.trim_end().to_owned()),
        (BROKEN.replacen('\n', "\r\n", 1), FIXED.replacen('\n', "\r\n", 1)),
    ] {
        let repo = Repo::with_files([("PLAN.md", &before)]);
        repo.run(&["--fix"]);
        assert_eq!(String::from_utf8(repo.read("PLAN.md")).expect("text"), after);
    }
    let fence = "# Build\r\n\r\n```shell\r\nmake test";
    let repo = Repo::with_files([("AGENTS.md", fence)]);
    repo.run(&["--fix"]);
    let after = String::from_utf8(repo.read("AGENTS.md")).expect("text");
    assert!(after.starts_with(&format!("{fence}\r\n```")), "{after:?}");
}

#[test]
fn a_link_stays_a_link_and_its_target_is_mended() {
    let repo = Repo::new();
    repo.write("docs/plan.md", BROKEN).symlink("PLAN.md", "docs/plan.md").commit("link");
    assert_eq!(repo.run(&["--fix"]).code, 0);
    assert_eq!(fs::read_link(repo.at("PLAN.md")).expect("a link").to_str(), Some("docs/plan.md"));
    assert_eq!(repo.read("docs/plan.md"), FIXED.as_bytes());
}

#[test]
fn a_link_out_of_the_repository_is_never_written_through() {
    let repo = Repo::new();
    fs::write(repo.beside("outside.md"), BROKEN).expect("a file");
    repo.symlink("PLAN.md", "../outside.md").commit("link");
    repo.run(&["--fix"]);
    assert_eq!(fs::read_to_string(repo.beside("outside.md")).expect("a file"), BROKEN);
}

/// The other name of a hard link keeps the old text: the new one is written beside and renamed, so that nobody ever reads half
/// a file.
#[test]
fn a_hard_link_is_parted() {
    let repo = Repo::with_files([("PLAN.md", BROKEN)]);
    fs::hard_link(repo.at("PLAN.md"), repo.at("copy.txt")).expect("a hard link");
    repo.run(&["--fix"]);
    assert_eq!((repo.read("PLAN.md"), repo.read("copy.txt")), (FIXED.into(), BROKEN.into()));
    assert_eq!(fs::metadata(repo.at("PLAN.md")).expect("a file").nlink(), 1);
}

#[test]
fn a_second_run_finds_nothing_to_mend() {
    let repo = crate::check::mixed();
    repo.run(&["--unsafe-fixes"]);
    let once = repo.git(&["diff"]);
    let inode = fs::metadata(repo.at("PLAN.md")).expect("a file").ino();
    let run = repo.run(&["--unsafe-fixes"]);
    assert!(run.stdout.contains("Nothing to fix."), "{run:?}");
    assert_eq!(repo.git(&["diff"]), once);
    assert_eq!(fs::metadata(repo.at("PLAN.md")).expect("a file").ino(), inode, "what does not change is not written");
}

#[test]
fn unsafe_fixes_are_asked_for_by_name() {
    let files = [
        ("PLAN.md", "- [ ] ship\n  - [x] tag\n"),
        (".claude/rules/a.md", "---\nglobs: src/**\n---\n\nText.\n"),
        ("src/a", ""),
    ];
    let repo = Repo::with_files(files);
    let run = repo.run(&["--fix", "--min-level", "info"]);
    assert_eq!(repo.git(&["status", "--porcelain"]), "", "{run:?}");
    let run = repo.run(&["--unsafe-fixes", "--min-level", "info"]);
    assert_eq!(repo.git(&["diff", "--name-only"]), ".claude/rules/a.md\nPLAN.md\n", "{run:?}");
}

#[test]
fn named_paths_limit_what_is_mended() {
    let repo = Repo::with_files([("PLAN.md", BROKEN), ("docs/plans/a.md", BROKEN), ("docs/plans/b.md", BROKEN)]);
    repo.run(&["--fix", "docs/plans/a.md"]);
    assert_eq!(repo.git(&["diff", "--name-only"]), "docs/plans/a.md\n");
    repo.run(&["--fix", "docs"]);
    assert_eq!(repo.git(&["diff", "--name-only"]), "docs/plans/a.md\ndocs/plans/b.md\n");
    let repo = Repo::with_files([("PLAN.md", BROKEN), ("CLAUDE.md", "@docs/A.md\n"), ("docs/a.md", "x\n")]);
    repo.run(&["--fix", "--select", "plans"]);
    assert_eq!(repo.git(&["diff", "--name-only"]), "PLAN.md\n", "and so do selected rules");
}

#[test]
fn the_diff_is_a_patch_that_does_what_fix_does() {
    let files: [(&str, Vec<u8>); 6] = [
        ("PLAN.md", BROKEN.into()),
        ("docs/plans/crlf.md", BROKEN.replace('\n', "\r\n").into()),
        ("docs/plans/no newline.md", BROKEN.trim_end().into()),
        ("docs/plans/bom.md", format!("\u{feff}{BROKEN}").into()),
        ("docs/plans/caf\u{e9} \"q\".md", BROKEN.into()),
        ("AGENTS.md", "Run ma\u{200b}ke.\n\n```shell\nmake\n".into()),
    ];
    for switch in ["--fix", "--unsafe-fixes"] {
        let fixed = Repo::with_files(files.clone());
        fixed.run(&[switch]);
        let patched = Repo::with_files(files.clone());
        let args = if switch == "--fix" { &["--diff"][..] } else { &["--diff", "--unsafe-fixes"] };
        let output = patched.hintlint(patched.root()).args(args).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(patched.git(&["status", "--porcelain"]), "", "a diff writes nothing");
        let mut apply = patched.command("git", patched.root()).arg("apply").stdin(Stdio::piped()).spawn().expect("git");
        apply.stdin.take().expect("a pipe").write_all(&output.stdout).expect("git reads");
        assert!(apply.wait().expect("git ends").success(), "{}", String::from_utf8_lossy(&output.stdout));
        for (path, _) in &files {
            assert_eq!(patched.read(path), fixed.read(path), "{path}");
            assert_ne!(fixed.read(path), files.iter().find(|file| file.0 == *path).expect("it").1, "{path}");
        }
    }
}

#[test]
fn the_summary_says_what_was_mended() {
    let repo = Repo::with_files([("PLAN.md", BROKEN), ("CLAUDE.md", "@none.md\n")]);
    let run = repo.run(&["--fix"]);
    assert!(
        run.stdout.contains("Fixed 2 problems in 1 file: 2 malformed-checkbox.\nLeft: 1 error and 0 warnings"),
        "{run:?}"
    );
}
