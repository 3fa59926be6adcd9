//! Changed paths as git reports them, by `--raw -z` or by libgit2, in one form. Knows the format, and nothing of what the
//! changes mean.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, BufRead};
use std::ops::ControlFlow;

use git2::Oid;

use super::program::next_record;
use crate::base::path::file_name;

/// Least similarity of a renamed file, in percent; git's default.
pub(super) const SIMILARITY: u16 = 50;
/// Number of files up to which similarity is looked for; git's default. Beyond it only exact renames are found.
pub(super) const RENAME_LIMIT: usize = 1000;

/// What happened to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Added,
    /// The content, the mode or the type.
    Modified,
    Deleted,
    Renamed {
        /// Whether the content is the same byte for byte.
        exact: bool,
    },
}

/// One changed path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawChange {
    pub(super) status: Status,
    /// The path before; the same as `to` unless it was renamed.
    pub(super) from: Vec<u8>,
    /// The path after.
    pub(super) to: Vec<u8>,
}

/// One step of a walk through history.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A commit begins.
    Commit {
        /// Its name, hexadecimal.
        id: String,
        /// When it was committed, in seconds since 1970.
        time: i64,
    },
    /// It changed a path.
    Change(RawChange),
}

/// What separates a commit's line from all else: pass `--format=` with this.
pub(super) const FORMAT: &str = "--format=tformat:>%H %ct";

/// Read the output of `git log` or `git diff` with `--raw -z`.
pub(super) fn read(output: &mut impl BufRead, step: &mut dyn FnMut(Step) -> ControlFlow<()>) -> io::Result<()> {
    let mut record = Vec::new();
    while next_record(output, &mut record)? {
        let text = record.strip_prefix(b"\n").unwrap_or(&record);
        let next = match text.first() {
            Some(b'>') => commit(&text[1..]),
            Some(b':') => {
                let Some(status) = status(text) else { continue };
                let mut change = RawChange { status, from: Vec::new(), to: Vec::new() };
                next_record(output, &mut change.from)?;
                match status {
                    Status::Renamed { .. } => _ = next_record(output, &mut change.to)?,
                    _ => change.to.clone_from(&change.from),
                }
                Some(Step::Change(change))
            }
            _ => None,
        };
        if next.is_some_and(|next| step(next).is_break()) {
            break;
        }
    }
    Ok(())
}

fn commit(text: &[u8]) -> Option<Step> {
    let text = std::str::from_utf8(text).ok()?;
    let (id, time) = text.split_once(' ')?;
    Some(Step::Commit { id: id.to_owned(), time: time.parse().ok()? })
}

/// The status of `:MODE MODE ID ID STATUS`.
fn status(text: &[u8]) -> Option<Status> {
    let word = text.rsplit(|&b| b == b' ').next()?;
    Some(match word.first()? {
        b'A' | b'C' => Status::Added,
        b'M' | b'T' | b'U' => Status::Modified,
        b'D' => Status::Deleted,
        b'R' => Status::Renamed { exact: word == b"R100" },
        _ => return None,
    })
}

/// The changes of a libgit2 diff in which renames have been found. Files and links that kept their content are paired here:
/// libgit2 passes over links, and may take a file that is almost the same for one that is.
pub(super) fn of_diff(diff: &git2::Diff<'_>) -> Vec<RawChange> {
    let path = |file: git2::DiffFile<'_>| file.path_bytes().unwrap_or_default().to_vec();
    let moved = moved(diff);
    let targets: HashSet<&Vec<u8>> = moved.values().collect();
    let mut changes = Vec::new();
    let mut tell = |status: Status, from: &[u8], to: &[u8]| {
        changes.push(RawChange { status, from: from.to_vec(), to: to.to_vec() });
    };
    for delta in diff.deltas() {
        let status = match delta.status() {
            git2::Delta::Added | git2::Delta::Copied | git2::Delta::Untracked => Status::Added,
            git2::Delta::Deleted => Status::Deleted,
            git2::Delta::Modified | git2::Delta::Typechange | git2::Delta::Conflicted => Status::Modified,
            git2::Delta::Renamed => Status::Renamed { exact: delta.old_file().id() == delta.new_file().id() },
            _ => continue,
        };
        let (from, to) = (path(delta.old_file()), path(delta.new_file()));
        let is_taken = targets.contains(&to);
        match (status, moved.get(&from)) {
            (Status::Modified, _) => tell(status, &from, &from),
            (Status::Added, _) if is_taken => {}
            (Status::Added, _) => tell(status, &to, &to),
            (Status::Deleted, None) => tell(status, &from, &from),
            (Status::Renamed { .. }, None) if !is_taken => tell(status, &from, &to),
            (Status::Renamed { .. }, None) => tell(Status::Deleted, &from, &from),
            (Status::Deleted | Status::Renamed { .. }, Some(target)) => {
                tell(Status::Renamed { exact: true }, &from, target);
                if status != Status::Deleted && !is_taken {
                    tell(Status::Added, &to, &to);
                }
            }
        }
    }
    join_halves(changes)
}

/// What went and came with the same content, but for what the diff itself pairs so: where it went from each place. Each is
/// taken once; the same name is preferred.
fn moved(diff: &git2::Diff<'_>) -> HashMap<Vec<u8>, Vec<u8>> {
    let is_exact = |delta: &git2::DiffDelta<'_>| {
        delta.status() == git2::Delta::Renamed && delta.old_file().id() == delta.new_file().id()
    };
    let ends = |one: git2::Delta, old: bool| {
        let end = move |delta: git2::DiffDelta<'_>| {
            let file = if old { delta.old_file() } else { delta.new_file() };
            let is_link = file.mode() == git2::FileMode::Link;
            ((file.id(), is_link), file.path_bytes().unwrap_or_default().to_vec())
        };
        let is_one = move |delta: &git2::DiffDelta<'_>| [one, git2::Delta::Renamed].contains(&delta.status());
        let open = diff.deltas().filter(is_one).filter(|delta| !is_exact(delta)).map(end);
        // What lies in the worktree has no name that is known.
        open.filter(|((id, _), _)| *id != Oid::ZERO_SHA1).collect::<Vec<_>>()
    };
    let mut sources: HashMap<_, Vec<Vec<u8>>> = HashMap::new();
    for (content, from) in ends(git2::Delta::Deleted, true) {
        sources.entry(content).or_default().push(from);
    }
    let mut moved = HashMap::new();
    for (content, to) in ends(git2::Delta::Added, false) {
        let Some(sources) = sources.get_mut(&content).filter(|sources| !sources.is_empty()) else { continue };
        let best = sources.iter().position(|from| file_name(from) == file_name(&to)).unwrap_or(0);
        moved.insert(sources.remove(best), to);
    }
    moved
}

/// A file that became a link, or the reverse, is told by libgit2 as one that went and another that came, either of which may
/// have been paired with some other file. For git it is one file that changed.
fn join_halves(changes: Vec<RawChange>) -> Vec<RawChange> {
    let goes = |change: &&RawChange| matches!(change.status, Status::Deleted | Status::Renamed { .. });
    let comes = |change: &&RawChange| matches!(change.status, Status::Added | Status::Renamed { .. });
    let went: BTreeSet<&[u8]> = changes.iter().filter(goes).map(|change| change.from.as_slice()).collect();
    let came = changes.iter().filter(comes).map(|change| change.to.as_slice());
    let both: BTreeSet<Vec<u8>> = came.filter(|path| went.contains(path)).map(<[u8]>::to_vec).collect();
    let mut joined = Vec::with_capacity(changes.len());
    for change in changes {
        let mut tell = |status: Status, path: &[u8]| {
            joined.push(RawChange { status, from: path.to_vec(), to: path.to_vec() });
        };
        let (stays, stayed) = (both.contains(&change.from), both.contains(&change.to));
        match change.status {
            Status::Deleted if stays => tell(Status::Modified, &change.from),
            Status::Added if stayed => {}
            Status::Renamed { .. } if stays || stayed => {
                tell(if stays { Status::Modified } else { Status::Deleted }, &change.from);
                if !stayed {
                    tell(Status::Added, &change.to);
                }
            }
            _ => joined.push(change),
        }
    }
    joined
}

/// Find renames in a libgit2 diff as `git diff -M` does; only exact ones if `exact`.
pub(super) fn find_renames(diff: &mut git2::Diff<'_>, exact: bool) -> Result<(), git2::Error> {
    let has = |wanted: git2::Delta| diff.deltas().any(|delta| delta.status() == wanted);
    if !has(git2::Delta::Deleted) || !(has(git2::Delta::Added) || has(git2::Delta::Untracked)) {
        return Ok(());
    }
    let mut options = git2::DiffFindOptions::new();
    options.renames(true).rename_threshold(SIMILARITY).rename_limit(RENAME_LIMIT).exact_match_only(exact);
    // Blanks count for git.
    options.for_untracked(true).dont_ignore_whitespace(true);
    diff.find_similar(Some(&mut options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &[u8]) -> Vec<String> {
        let mut steps = Vec::new();
        let mut text = text;
        read(&mut text, &mut |step| {
            steps.push(match step {
                Step::Commit { id, time } => format!("{id}@{time}"),
                Step::Change(change) => {
                    format!("{:?} {} {}", change.status, change.from.escape_ascii(), change.to.escape_ascii())
                }
            });
            ControlFlow::Continue(())
        })
        .expect("nothing fails in memory");
        steps
    }

    #[test]
    fn what_went_and_came_in_one_place_has_changed() {
        let change = |status: Status, from: &str, to: &str| RawChange { status, from: from.into(), to: to.into() };
        let renamed = Status::Renamed { exact: false };
        let joined = |changes: &[RawChange]| {
            let text = |change: &RawChange| format!("{:?} {}", change.status, change.to.escape_ascii());
            join_halves(changes.to_vec()).iter().map(text).collect::<Vec<_>>()
        };
        let halves = [change(Status::Deleted, "a", "a"), change(Status::Added, "a", "a")];
        assert_eq!(joined(&halves), ["Modified a"]);
        let paired = [change(renamed, "a", "b"), change(Status::Added, "a", "a"), change(Status::Deleted, "c", "c")];
        assert_eq!(joined(&paired), ["Modified a", "Added b", "Deleted c"]);
        let taken = [change(Status::Deleted, "a", "a"), change(renamed, "b", "a")];
        assert_eq!(joined(&taken), ["Modified a", "Deleted b"]);
        let plain = [change(renamed, "a", "b"), change(Status::Modified, "c", "c")];
        assert_eq!(joined(&plain), ["Renamed { exact: false } b", "Modified c"]);
    }

    #[test]
    fn commits_and_changes_are_told_apart_whatever_the_paths() {
        let text = b">aa 12\0>bb 11\0\n:1 0 x 0 D\0>path\0:1 1 x x R100\0:a\0\nb\0:1 1 x y R051\0c\0d\0>cc 10\0\n:0 1 0 x A\0e\0";
        let expected = [
            "aa@12",
            "bb@11",
            "Deleted >path >path",
            "Renamed { exact: true } :a \\nb",
            "Renamed { exact: false } c d",
            "cc@10",
            "Added e e",
        ];
        assert_eq!(steps(text), expected);
        assert_eq!(steps(b":1 1 x y M\0only\0"), ["Modified only only"]);
        assert_eq!(steps(b""), [""; 0]);
    }
}
