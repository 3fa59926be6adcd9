//! What is kept of history in the git directory is read from its bytes, which anybody may have written: an input is the content
//! of that file between header and checksum. Whatever it says, a renamed path leads to a file of the repository, and what is
//! kept again can be read. No git program is at hand, so that the file alone answers.

use std::fs;
use std::path::Path;

use hintlint::base::path::RepoPath;
use hintlint::source::history::{Answers, Fate, Questions, cache_file};
use hintlint::source::{GitVars, Opened, Side, Spec, open};

use super::git::{COMMIT, make, scratch};

/// The first commit, which has no parent.
const FIRST: &str = "c801b23ebd19c9412e4938f54fc808f27b8c0c20";

pub(crate) fn run(data: &[u8]) {
    let folder = scratch();
    let root = make(folder.path());
    let kept = root.join(".git/hintlint");
    fs::create_dir_all(&kept).expect("a folder can be made");
    fs::write(kept.join("history"), cache_file(data)).expect("a file can be written");
    for side in [Side::Index, Side::Commit(COMMIT.to_owned()), Side::Commit(FIRST.to_owned())] {
        let spec = Spec { start: root.clone(), side, vars: GitVars::default() };
        let mut opened = open(&spec).expect("the repository is whole");
        opened.keep_history();
        let answers = ask(&opened);
        if let Some(file) = opened.unsaved_history() {
            fs::write(kept.join("history"), file.bytes).expect("a file can be written");
            let mut again = open(&spec).expect("the repository is whole");
            again.keep_history();
            assert_eq!(format!("{:?}", ask(&again)), format!("{answers:?}"), "what was kept says something else");
        }
    }
}

fn ask(opened: &Opened) -> Answers {
    let paths = ["AGENTS.md", "sub", "sub/a.md", "sub/b.md", "none"].map(RepoPath::from);
    let questions = Questions {
        fates: paths.iter().cloned().collect(),
        last_changes: paths.iter().cloned().collect(),
        endings: paths.iter().cloned().collect(),
        submodules: true,
    };
    let answers = opened.answer(&questions);
    for fate in answers.fates.values() {
        if let Fate::Renamed { to, .. } = fate {
            let to = to.as_bytes();
            let is_at = |path: &[u8]| path == to || path.strip_prefix(to).is_some_and(|rest| rest.starts_with(b"/"));
            let is_there = opened.source.listing().iter().any(|entry| is_at(entry.path));
            assert!(is_there, "{} is no file of the repository", to.escape_ascii());
        }
    }
    answers
}

/// Paths of the repository, each with what it has in common with the one before it.
const PATHS: &[u8] = b"\x03\x00\x09AGENTS.md\x00\x08sub/a.md\x04\x04b.md";

/// Both commits, with these renames in the second, these heads and these losses.
fn content(renames: &[u8], heads: &[u8], lost: &[u8]) -> Vec<u8> {
    let id = |hex: &str| -> Vec<u8> {
        let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two hexadecimal digits");
        (0..hex.len()).step_by(2).map(digits).collect()
    };
    let first = [&*id(FIRST), b"\x02\x00\x02\x01\x04\x00"].concat();
    let second = [&*id(COMMIT), b"\x02\x01\x00\x02\x05\x04", renames].concat();
    [b"\x00", PATHS, b"\x14\x02", &first, &second, heads, lost].concat()
}

pub(crate) fn seeds(_fixtures: &Path) -> Vec<Vec<u8>> {
    vec![
        b"\x00\x00\x00\x00\x00\x00".to_vec(),
        b"\x01\x00\x00\x00\x00\x00".to_vec(),
        content(b"\x00", b"\x01\x01", b"\x00"),
        content(b"\x01", b"\x01\x01", b"\x00"),
        content(b"\x02\x01\x05", b"\x01\x01", b"\x00"),
        content(b"\x02\x01\x04", b"\x02\x00\x01", b"\x00"),
        content(b"\x01", b"\x01\x01", b"\x01\x08sub/a.md\x02\x01\x01\x02\x00\x08sub/a.md\x08sub/a.md"),
        content(
            b"\x01",
            b"\x01\x01",
            b"\x01\x03sub\x02\x01\x00\x03\x02\x08sub/a.md\x09AGENTS.md\x01\x08sub/b.md\x04none",
        ),
    ]
}
