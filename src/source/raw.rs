//! Changed paths as `git` prints them with `--raw -z`. Knows the format, and nothing of what the changes mean.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use super::EntryKind;
use super::program::{kind_of_mode, next_record};

/// Least similarity of a renamed file, in percent; git's default.
pub(super) const SIMILARITY: u16 = 60;
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
    /// The object before, of an added path the one after, in hexadecimal; empty where it is not known.
    pub(super) object: Vec<u8>,
    /// Whether that object holds the bytes of a regular file.
    pub(super) is_file: bool,
}

impl RawChange {
    /// A change of one path whose object is not known.
    pub(super) fn at(status: Status, path: impl Into<Vec<u8>>) -> Self {
        let path = path.into();
        RawChange { status, from: path.clone(), to: path, object: Vec::new(), is_file: false }
    }

    /// A rename.
    pub(super) fn renamed(from: impl Into<Vec<u8>>, to: impl Into<Vec<u8>>, exact: bool) -> Self {
        RawChange { status: Status::Renamed { exact }, to: to.into(), ..RawChange::at(Status::Deleted, from) }
    }
}

/// One step of a walk through history.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HistoryStep {
    /// A commit begins.
    Commit {
        /// Its name, hexadecimal.
        id: String,
        /// When it was committed, in seconds since 1970.
        time: i64,
        /// The names of its parents.
        parents: Vec<String>,
        /// The first line of its message, lossily decoded; empty without [`FORMAT_WITH_SUBJECT`].
        subject: String,
    },
    /// It changed a path.
    Change(RawChange),
}

/// What separates a commit's line from all else: pass `--format=` with this.
pub(super) const FORMAT: &str = "--format=tformat:>%H %ct %P";
/// The same, with the first line of the message.
pub(super) const FORMAT_WITH_SUBJECT: &str = "--format=tformat:>%H %ct %P%x09%s";

/// Read the output of `git log` or `git diff` with `--raw -z`.
pub(super) fn read(output: &mut impl BufRead, step: &mut dyn FnMut(HistoryStep) -> ControlFlow<()>) -> io::Result<()> {
    let mut record = Vec::new();
    while next_record(output, &mut record)? {
        let text = record.strip_prefix(b"\n").unwrap_or(&record);
        let next = match text.first() {
            Some(b'>') => commit(&text[1..]),
            Some(b':') => {
                let Some(mut change) = change(text) else { continue };
                next_record(output, &mut change.from)?;
                match change.status {
                    Status::Renamed { .. } => _ = next_record(output, &mut change.to)?,
                    _ => change.to.clone_from(&change.from),
                }
                Some(HistoryStep::Change(change))
            }
            _ => None,
        };
        if next.is_some_and(|next| step(next).is_break()) {
            break;
        }
    }
    Ok(())
}

fn commit(text: &[u8]) -> Option<HistoryStep> {
    let mut parts = text.splitn(2, |&b| b == b'\t');
    let text = std::str::from_utf8(parts.next()?).ok()?;
    let subject = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    let (id, time) = (words.next()?.to_owned(), words.next()?.parse().ok()?);
    Some(HistoryStep::Commit { id, time, parents: words.map(str::to_owned).collect(), subject })
}

/// `:MODE MODE ID ID STATUS`, without the paths that follow.
fn change(text: &[u8]) -> Option<RawChange> {
    let mut words = text[1..].split(|&b| b == b' ');
    let (old_mode, new_mode, old, new, status) =
        (words.next()?, words.next()?, words.next()?, words.next()?, words.next()?);
    let status = match status.first()? {
        b'A' | b'C' => Status::Added,
        b'M' | b'T' | b'U' => Status::Modified,
        b'D' => Status::Deleted,
        b'R' => Status::Renamed { exact: status == b"R100" },
        _ => return None,
    };
    let (mode, object) = if status == Status::Added { (new_mode, new) } else { (old_mode, old) };
    let is_file = kind_of_mode(mode) == Some(EntryKind::File);
    Some(RawChange { status, from: Vec::new(), to: Vec::new(), object: object.to_vec(), is_file })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &[u8]) -> Vec<String> {
        let mut steps = Vec::new();
        let mut text = text;
        read(&mut text, &mut |step| {
            steps.push(match step {
                HistoryStep::Commit { id, time, parents, subject } => {
                    [&[format!("{id}@{time}{subject}")], &*parents].concat().join("+")
                }
                HistoryStep::Change(change) => {
                    format!("{:?} {} {}", change.status, change.from.escape_ascii(), change.to.escape_ascii())
                }
            });
            ControlFlow::Continue(())
        })
        .expect("nothing fails in memory");
        steps
    }

    #[test]
    fn commits_and_changes_are_told_apart_whatever_the_paths() {
        let text = b">aa 12 bb cc\0>bb 11\0\n:1 0 x 0 D\0>path\0:1 1 x x R100\0:a\0\nb\0:1 1 x y R051\0c\0d\0>cc 10\0\n:0 1 0 x A\0e\0";
        let expected = [
            "aa@12+bb+cc",
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
        assert_eq!(steps(b">aa 12 bb\tOf a\tb \xff\0"), ["aa@12Of a\tb \u{fffd}+bb"]);
    }
}
