//! Diffs as text, and held against `git apply`.

use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;

use super::*;
use crate::base::sanitize::tests::{assert_harmless, assert_no_commands, hostile_bytes};

fn diff(path: &[u8], before: Option<&[u8]>, after: Option<&[u8]>, audience: Audience) -> Vec<u8> {
    let mut out = Vec::new();
    let path = RepoPath::new(path);
    write(&[FileDiff { path: &path, before, after }], audience, &mut out).expect("a Vec takes everything");
    out
}

fn patch(path: &str, before: &str, after: &str) -> String {
    let text = diff(path.as_bytes(), Some(before.as_bytes()), Some(after.as_bytes()), Audience::Patch);
    String::from_utf8(text).expect("text")
}

#[test]
fn a_patch() {
    let before: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let after = before.replace("line 3\n", "line three\n").replace("line 19\n", "").replace("line 20\n", "line 20");
    insta::assert_snapshot!(patch("docs/a.md", &before, &after), @r#"
    diff --git a/docs/a.md b/docs/a.md
    --- a/docs/a.md
    +++ b/docs/a.md
    @@ -1,6 +1,6 @@
     line 1
     line 2
    -line 3
    +line three
     line 4
     line 5
     line 6
    @@ -16,5 +16,4 @@
     line 16
     line 17
     line 18
    -line 19
    -line 20
    +line 20
    \ No newline at end of file
    "#);
}

#[test]
fn new_and_deleted_files() {
    let new = diff(b"a.md", None, Some(b"one\ntwo"), Audience::Patch);
    insta::assert_snapshot!(String::from_utf8_lossy(&new), @r#"
    diff --git a/a.md b/a.md
    new file mode 100644
    --- /dev/null
    +++ b/a.md
    @@ -0,0 +1,2 @@
    +one
    +two
    \ No newline at end of file
    "#);
    let deleted = diff(b"a.md", Some(b"one\n"), None, Audience::Patch);
    insta::assert_snapshot!(String::from_utf8_lossy(&deleted), @r#"
    diff --git a/a.md b/a.md
    deleted file mode 100644
    --- a/a.md
    +++ /dev/null
    @@ -1 +0,0 @@
    -one
    "#);
}

#[test]
fn names_are_quoted_as_git_does() {
    assert_eq!(patch("a b.md", "", "").lines().count(), 0);
    assert!(patch("a b.md", "", "x\n").starts_with("diff --git a/a b.md b/a b.md\n--- a/a b.md\t\n+++ b/a b.md\t\n"));
    assert!(patch("é\n\"\u{1B}.md", "", "x\n").contains("--- \"a/\\303\\251\\n\\\"\\033.md\"\n"));
}

#[test]
fn a_person_sees_what_is_hidden() {
    let before = b"same\r\n\0x\x1B[8m\n::error::x\n".as_slice();
    let after = b"same\r\nx\r\n::error::x\n".as_slice();
    let text = diff(b"a\nb.md", Some(before), Some(after), Audience::Person { color: true });
    insta::assert_snapshot!(String::from_utf8_lossy(&text).replace('\u{1B}', "E"), @r#"
    E[1mdiff --git "a/a\nb.md" "b/a\nb.md"E[0m
    E[1m--- "a/a\nb.md"E[0m
    E[1m+++ "b/a\nb.md"E[0m
    E[36m@@ -1,3 +1,3 @@E[0m
     same
    E[31m-\u{0000}x\u{001B}[8mE[0m
    E[32m+x\rE[0m
     \u{003A}:error::x
    "#);
}

#[test]
fn files_without_a_difference_are_left_out() {
    assert!(diff(b"a.md", Some(b"x"), Some(b"x"), Audience::Patch).is_empty());
}

/// Runs `git apply` in `dir`, away from any configuration.
fn apply(dir: &Path, patch: &[u8]) {
    std::fs::write(dir.join("../patch"), patch).expect("the directory is writable");
    let mut git = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        git.env_remove(name);
    }
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CEILING_DIRECTORIES", dir);
    let git = git.args(["apply", "--whitespace=nowarn", "../patch"]).current_dir(dir).stdin(Stdio::null());
    let output = git.output().expect("git runs");
    assert!(output.status.success(), "{}\n{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(patch));
}

/// `git apply` turns `before` into `after`.
#[track_caller]
fn check_apply(name: &[u8], before: Option<&[u8]>, after: Option<&[u8]>) {
    let home = tempfile::tempdir().expect("a temporary directory");
    let dir = home.path().join("work");
    std::fs::create_dir(&dir).expect("the directory is writable");
    let file = dir.join(RepoPath::new(name).to_os_path());
    if let Some(before) = before {
        std::fs::write(&file, before).expect("the file is writable");
    }
    if before == after {
        return;
    }
    apply(&dir, &diff(name, before, after, Audience::Patch));
    assert_eq!(std::fs::read(&file).ok().as_deref(), after);
}

#[test]
fn git_applies_odd_files() {
    let odd: [&[u8]; 9] =
        [b"", b"x", b"x\n", b"a\r\nb\r\n", b"\xFF\xFE\n", b"a\0b\nc\n", b"\r", b"--- a\n+++ b\n", b"a\n\nb\n \n"];
    for before in odd {
        for after in odd {
            check_apply(b"a.md", Some(before), Some(after));
        }
        check_apply(b"a.md", None, Some(before));
        check_apply(b"a.md", Some(before), None);
    }
}

#[test]
fn git_applies_odd_names() {
    for name in ["a b.md", "-x.md", "\"q\".md", "a\\b.md", "a\tb.md", "a\nb.md", "日本.md", " a", "a ", "b", "\u{1B}"]
    {
        check_apply(name.as_bytes(), Some(b"x\n"), Some(b"y\n"));
        check_apply(name.as_bytes(), None, Some(b"y\n"));
        check_apply(name.as_bytes(), Some(b"x\n"), None);
    }
    check_apply(b"\xFFx.md", Some(b"x\n"), Some(b"y\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn git_applies_anything(before in hostile_bytes(), after in hostile_bytes()) {
        check_apply(b"a.md", Some(&before), Some(&after));
    }
}

proptest! {
    #[test]
    fn a_person_is_safe(path in hostile_bytes(), before in hostile_bytes(), after in hostile_bytes(), color in any::<bool>()) {
        let text = diff(&path, Some(&before), Some(&after), Audience::Person { color });
        let text = String::from_utf8(text).expect("text");
        assert_harmless(&text, color);
        assert_no_commands(&text);
    }
}
