//! The entries of an index: paths with their objects, flags and stages, in order.

use std::cmp::Ordering;

use super::{ENDLESS, GitIndex, ID, IndexError, Stat, be16, be32};
use crate::base::path::RepoPath;
use crate::source::EntryKind;
use crate::source::shape::{PathShape, ROOT};
use crate::source::snapshot::SnapshotBuilder;

/// Where an entry's mode, object name and flags stand, and where its path begins.
const MODE_AT: usize = 24;
const ID_AT: usize = 40;
const FLAGS_AT: usize = ID_AT + ID;
pub(super) const PATH_AT: usize = FLAGS_AT + 2;
/// No entry is shorter: the longest head has two more bytes of flags, and padding or a checksum follows every path.
const SHORTEST: usize = PATH_AT + 2;

const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const NAME_LENGTH: u16 = 0x0fff;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// The entries that were read, and the check of their order.
pub(super) struct Entries {
    index: GitIndex,
    builder: SnapshotBuilder,
    version: u32,
    /// How many entries are still to come.
    left: usize,
    /// The path before; empty before the first. While entries are taken it is kept by who takes them.
    previous: Vec<u8>,
    /// Its stage; none before the first.
    previous_stage: Option<u16>,
    /// How many bytes of it are a directory, with its final `/`, and that directory's shape.
    directory: usize,
    shape: PathShape,
    /// Whether none of that directory's entries that follow each other was added yet, and where such entries start.
    is_new_directory: bool,
    runs: Vec<u32>,
    /// Whether the unmerged path that was seen last has an entry in the snapshot.
    has_content: bool,
    /// Whether it is kept what the entries note of files on disk.
    keeps_stats: bool,
}

impl Entries {
    /// To hold `count` entries of an index of that version, 2 to 4.
    pub(super) fn new(version: u32, count: usize, keeps_stats: bool) -> Self {
        Entries {
            keeps_stats,
            index: GitIndex::default(),
            builder: SnapshotBuilder::with_capacity(count, ID),
            version,
            left: count,
            previous: Vec::new(),
            previous_stage: None,
            directory: 0,
            shape: ROOT,
            is_new_directory: true,
            runs: Vec::new(),
            has_content: false,
        }
    }

    /// Whether there are more to come.
    pub(super) fn are_missing(&self) -> bool {
        self.left > 0
    }

    /// Take all entries that lie whole in `bytes`, the first of which begins there. Answers how many bytes those were.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<usize, IndexError> {
        match self.version {
            4 => self.take_compressed(bytes),
            _ => self.take_plain(bytes),
        }
    }

    /// Versions 2 and 3: each path stands whole in the file.
    fn take_plain(&mut self, bytes: &[u8]) -> Result<usize, IndexError> {
        let before = std::mem::take(&mut self.previous);
        let mut previous = &before[..];
        let mut at = 0;
        while self.left > 0 {
            let Some(head) = bytes.get(at..at + SHORTEST) else { break };
            let head = IndexEntryHead::read(head)?;
            let entry = &bytes[at..];
            let length = match usize::from(head.flags & NAME_LENGTH) {
                // The field is full: the path is at least so long, and ends at its NUL.
                length if length == usize::from(NAME_LENGTH) => match memchr::memchr(0, &entry[head.path..]) {
                    Some(length) => length,
                    None => break,
                },
                length => length,
            };
            // One to eight NULs make the entry's length a multiple of eight.
            let end = head.path + length;
            let size = (end + 8) & !7;
            let Some(entry) = entry.get(..size) else { break };
            if entry[end] != 0 {
                return Err(ENDLESS);
            }
            let path = &entry[head.path..end];
            let common = if path.starts_with(&previous[..self.directory]) { self.directory } else { 0 };
            let order = previous[common..].cmp(&path[common..]);
            self.add(&head, path, common, order, entry)?;
            previous = path;
            at += size;
        }
        self.previous = previous.to_vec();
        Ok(at)
    }

    /// Version 4: each path gives how much of the previous path's end to drop, and what to put there.
    fn take_compressed(&mut self, bytes: &[u8]) -> Result<usize, IndexError> {
        const CORRUPT: IndexError = IndexError::Corrupt("a path is compressed wrongly");
        let mut path = std::mem::take(&mut self.previous);
        let mut at = 0;
        while self.left > 0 {
            let Some(head) = bytes.get(at..at + SHORTEST) else { break };
            let head = IndexEntryHead::read(head)?;
            let entry = &bytes[at..];
            let (dropped, used) = match variable_length(&entry[head.path..]) {
                Some(number) => number,
                None if entry.len() < head.path + LONGEST_NUMBER => break,
                None => return Err(CORRUPT),
            };
            let kept = path.len().checked_sub(dropped).ok_or(CORRUPT)?;
            let start = head.path + used;
            let Some(length) = memchr::memchr(0, &entry[start..]) else { break };
            let rest = &entry[start..start + length];
            let common = if kept >= self.directory { self.directory } else { 0 };
            let order = path[kept..].cmp(rest);
            path.truncate(kept);
            path.extend_from_slice(rest);
            self.add(&head, &path, common, order, entry)?;
            at += start + length + 1;
        }
        self.previous = path;
        Ok(at)
    }

    /// Take the next entry, whose path begins with `common` bytes of the directory before, all or none. `order` is that of the
    /// path before to this one. `entry` begins with the bytes that do not depend on the path.
    fn add(
        &mut self,
        head: &IndexEntryHead,
        path: &[u8],
        common: usize,
        order: Ordering,
        entry: &[u8],
    ) -> Result<(), IndexError> {
        let is_staged = self.note(head, path, order)?;
        // The directory is nearly always the one before, and need not be looked at again.
        let name = file_name_at(path, common);
        if name > common || common < self.directory {
            let above = if common == 0 { ROOT } else { self.shape };
            self.shape = above.directory(&path[common..name]);
            self.directory = name;
            self.is_new_directory = true;
        }
        if is_staged {
            let before = self.builder.len();
            let shape = self.shape.file_named(&path[name..]);
            self.builder.push_sorted(b"", path, shape, head.kind, &entry[ID_AT..][..ID]);
            let was_added = self.builder.len() > before;
            if was_added && std::mem::take(&mut self.is_new_directory) {
                self.runs.push(before as u32);
            }
            if head.executable && was_added {
                self.index.executable.push(before as u32);
            }
            if self.keeps_stats && was_added {
                self.index.stats.push(Stat::of_entry(entry));
            }
        }
        self.left -= 1;
        Ok(())
    }

    /// Take note of an entry; answers whether its content is the staged one.
    fn note(&mut self, head: &IndexEntryHead, path: &[u8], order: Ordering) -> Result<bool, IndexError> {
        if path.is_empty() {
            // What a split index changes of the shared one has no name here.
            return Err(IndexError::Unsupported("split"));
        }
        let stage = head.stage();
        let again = order.is_eq();
        if order.is_gt() || (again && self.previous_stage.is_none_or(|previous| previous == 0 || stage <= previous)) {
            return Err(IndexError::Corrupt("its paths are out of order"));
        }
        if !again {
            self.end_unmerged();
            self.has_content = false;
        }
        self.previous_stage = Some(stage);
        if stage > 0 {
            if !again {
                self.index.unmerged.push(RepoPath::new(path));
            }
            let first_content = stage > 1 && !self.has_content;
            self.has_content |= stage > 1;
            return Ok(first_content);
        }
        if head.extended & SKIP_WORKTREE != 0 {
            self.index.skipped.push(RepoPath::new(path));
        }
        if head.extended & INTENT_TO_ADD != 0 {
            self.index.without_content.push(RepoPath::new(path));
            return Ok(false);
        }
        Ok(true)
    }

    /// An unmerged path that both sides deleted has no content.
    fn end_unmerged(&mut self) {
        if self.previous_stage.is_some_and(|stage| stage > 0) && !self.has_content {
            self.index.without_content.extend(self.index.unmerged.last().cloned());
        }
    }

    /// What the entries say; the extensions are still to come.
    pub(super) fn close(mut self) -> GitIndex {
        self.end_unmerged();
        self.index.staged = self.builder.finish();
        self.index.staged.listing.take_runs(self.runs);
        self.index
    }
}

/// Where the last component of `path` begins, at `from` at the earliest. Names are short: a search that is made for long texts takes
/// longer to begin than this takes.
fn file_name_at(path: &[u8], from: usize) -> usize {
    path[from..].iter().rposition(|&byte| byte == b'/').map_or(from, |slash| from + slash + 1)
}

/// The fixed part of an entry.
struct IndexEntryHead {
    kind: EntryKind,
    executable: bool,
    flags: u16,
    extended: u16,
    /// Where the path begins, counted from the entry's beginning.
    path: usize,
}

impl IndexEntryHead {
    /// The head of the entry that begins with `bytes`, which are [`SHORTEST`] at least.
    fn read(bytes: &[u8]) -> Result<IndexEntryHead, IndexError> {
        let mode = be32(bytes, MODE_AT);
        let kind = match mode >> 12 {
            0o10 => EntryKind::File,
            0o12 => EntryKind::Symlink,
            0o16 => EntryKind::Submodule,
            0o04 => return Err(IndexError::Unsupported("sparse")),
            _ => return Err(IndexError::Corrupt("an entry is neither file, link nor submodule")),
        };
        let flags = be16(bytes, FLAGS_AT);
        let (extended, path) = match flags & EXTENDED {
            0 => (0, PATH_AT),
            _ => (be16(bytes, PATH_AT), PATH_AT + 2),
        };
        let executable = kind == EntryKind::File && mode & 0o100 != 0;
        Ok(IndexEntryHead { kind, executable, flags, extended, path })
    }

    fn stage(&self) -> u16 {
        (self.flags & STAGE) >> 12
    }
}

/// Bytes of the longest number in git's offset encoding that is read.
const LONGEST_NUMBER: usize = 9;

/// A number in git's offset encoding, and how many bytes it took.
fn variable_length(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for (at, &byte) in bytes.iter().take(LONGEST_NUMBER).enumerate() {
        value = value.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        if byte & 128 == 0 {
            return Some((value, at + 1));
        }
        value += 1;
    }
    None
}
