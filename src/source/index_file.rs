//! Reads git's index file, versions 2 to 4, from its bytes. Knows no repository and never touches a disk.
//!
//! Ours and not a library's, because a listing is all that is wanted: one pass over the bytes takes a fifth of the time of
//! `git ls-files`, where libgit2 takes four times as long as that. What this reader does not know (split and sparse
//! indexes, extensions to come) it refuses, and the `git` program reads it instead. The format is git's
//! `Documentation/gitformat-index`, checked 2026-11 against git 2.47.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

use super::EntryKind;
use super::snapshot::{Snapshot, SnapshotBuilder, is_plain};
use crate::path::RepoPath;

/// Bytes of an object name (SHA-1). An index with SHA-256 names is left to the `git` program.
const ID: usize = 20;
/// Where an entry's object name and its flags stand, and where its path begins.
const ID_AT: usize = 40;
const FLAGS_AT: usize = ID_AT + ID;
const PATH_AT: usize = FLAGS_AT + 2;

const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const NAME_LENGTH: u16 = 0x0fff;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// How many bytes are looked at together: few enough to stay in a processor's cache.
const BLOCK: usize = 1 << 18;

/// What an index says.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The staged content: of an unmerged path our side, or theirs if we have none; nothing for a path of which only the
    /// name was added (`git add -N`).
    pub(super) staged: Snapshot,
    /// Which of the staged files are executable, as positions in the listing, in order; nothing if the program read the index.
    pub(super) executable: Vec<u32>,
    /// The extension `TREE`: the names of the trees that a commit of exactly this would have, as far as git left them here.
    /// Empty without one, or if the program read the index.
    pub(super) trees: Vec<u8>,
    /// Paths that are under version control although nothing is staged for them.
    pub(super) without_content: Vec<RepoPath>,
    /// Paths that the checkout leaves out on purpose (a sparse checkout), in order.
    pub(super) skipped: Vec<RepoPath>,
    /// Unmerged paths, in order.
    pub(super) unmerged: Vec<RepoPath>,
}

impl Index {
    /// The name of the tree that a commit of exactly this would have, if git left it here. It does so when nothing was staged
    /// since the last commit or checkout.
    pub(super) fn tree(&self) -> Option<Vec<u8>> {
        let root = CachedTree::first(&self.trees)?;
        root.id.map(<[u8]>::to_vec)
    }
}

/// Why an index could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum IndexError {
    /// It is valid for all we know, but of a kind that is not read here.
    Unsupported(&'static str),
    /// It is not what git writes.
    Corrupt(&'static str),
    /// The disk failed.
    Unreadable(String),
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexError::Unsupported(what) => write!(f, "the index is {what}, which only the git program reads"),
            IndexError::Corrupt(what) => write!(f, "the index is corrupt: {what}"),
            IndexError::Unreadable(why) => f.write_str(why),
        }
    }
}

const CUT_SHORT: IndexError = IndexError::Corrupt("it is cut short");

/// Read an index of `length` bytes. Its checksum is not verified, as git does not either.
pub(super) fn read(input: impl Read, length: u64) -> Result<Index, IndexError> {
    let mut window = Window { input, buffer: vec![0; BLOCK], at: 0, end: 0 };
    let head = window.peek(12)?;
    if head.len() < 12 || &head[..4] != b"DIRC" {
        return Err(IndexError::Corrupt("it does not begin with DIRC"));
    }
    let (version, count) = (be32(head, 4), be32(head, 8) as usize);
    if count as u64 > length / PATH_AT as u64 {
        return Err(CUT_SHORT);
    }
    if !matches!(version, 2..=4) {
        return Err(IndexError::Unsupported("of an unknown version"));
    }
    window.at += 12;
    let mut entries = Entries::new(count);
    for _ in 0..count {
        match version {
            4 => compressed_entry(&mut window, &mut entries)?,
            _ => plain_entry(&mut window, &mut entries)?,
        }
    }
    let rest = window.rest()?;
    entries.index.trees = check_extensions(&rest)?;
    Ok(entries.close())
}

/// The part of a file that is looked at.
struct Window<R> {
    input: R,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
}

impl<R: Read> Window<R> {
    /// The next bytes: at least `count` of them, or fewer at the end of the file.
    fn peek(&mut self, count: usize) -> Result<&[u8], IndexError> {
        if self.end - self.at < count {
            self.fill(count)?;
        }
        Ok(&self.buffer[self.at..self.end])
    }

    fn fill(&mut self, count: usize) -> Result<(), IndexError> {
        self.buffer.copy_within(self.at..self.end, 0);
        (self.at, self.end) = (0, self.end - self.at);
        if self.buffer.len() < count {
            self.buffer.resize(count.next_power_of_two(), 0);
        }
        while self.end < count {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(more) => self.end += more,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(IndexError::Unreadable(error.to_string())),
            }
        }
        Ok(())
    }

    /// How many bytes lie before the next NUL at or behind `from`.
    fn find_nul(&mut self, from: usize) -> Result<Option<usize>, IndexError> {
        let mut wanted = from + 1;
        loop {
            let bytes = self.peek(wanted)?;
            if let Some(found) = bytes.get(from..).and_then(|rest| memchr::memchr(0, rest)) {
                return Ok(Some(found));
            }
            if bytes.len() < wanted {
                return Ok(None);
            }
            wanted = bytes.len() + 1;
        }
    }

    /// All that follows.
    fn rest(mut self) -> Result<Vec<u8>, IndexError> {
        let mut rest = self.buffer[self.at..self.end].to_vec();
        self.input.read_to_end(&mut rest).map_err(|error| IndexError::Unreadable(error.to_string()))?;
        Ok(rest)
    }
}

/// Versions 2 and 3: each path stands whole in the file.
fn plain_entry<R: Read>(window: &mut Window<R>, entries: &mut Entries) -> Result<(), IndexError> {
    const ENDLESS: IndexError = IndexError::Corrupt("a path runs past its end");
    let head = Head::read(window.peek(PATH_AT + 2)?)?;
    let length = match usize::from(head.flags & NAME_LENGTH) {
        // The field is full: the path is at least so long, and ends at its NUL.
        length if length == usize::from(NAME_LENGTH) => window.find_nul(head.path)?.ok_or(ENDLESS)?,
        length => length,
    };
    // One to eight NULs make the entry's length a multiple of eight.
    let end = head.path + length;
    let size = (end + 8) & !7;
    let entry = window.peek(size)?;
    if entry.get(end) != Some(&0) {
        return Err(ENDLESS);
    }
    if entry.len() < size {
        return Err(CUT_SHORT);
    }
    entries.add(&head, &entry[head.path..end], &entry[ID_AT..][..ID])?;
    window.at += size;
    Ok(())
}

/// Version 4: each path gives how much of the previous path's end to drop, and what to put there.
fn compressed_entry<R: Read>(window: &mut Window<R>, entries: &mut Entries) -> Result<(), IndexError> {
    const CORRUPT: IndexError = IndexError::Corrupt("a path is compressed wrongly");
    let head = Head::read(window.peek(PATH_AT + 2)?)?;
    let (dropped, used) = variable_length(&window.peek(head.path + 9)?[head.path..]).ok_or(CORRUPT)?;
    let kept = entries.previous.len().checked_sub(dropped).ok_or(CORRUPT)?;
    let start = head.path + used;
    let end = start + window.find_nul(start)?.ok_or(CORRUPT)?;
    let entry = window.peek(end)?;
    let mut path = std::mem::take(&mut entries.scratch);
    path.clear();
    path.extend_from_slice(&entries.previous[..kept]);
    path.extend_from_slice(&entry[start..end]);
    entries.add(&head, &path, &entry[ID_AT..][..ID])?;
    entries.scratch = path;
    window.at += end + 1;
    Ok(())
}

/// The fixed part of an entry.
struct Head {
    kind: EntryKind,
    executable: bool,
    flags: u16,
    extended: u16,
    /// Where the path begins, counted from the entry's beginning.
    path: usize,
}

impl Head {
    /// The head of the entry that begins with `bytes`.
    fn read(bytes: &[u8]) -> Result<Head, IndexError> {
        // The longest head has two more bytes of flags, and the checksum follows every entry.
        if bytes.len() < PATH_AT + 2 {
            return Err(CUT_SHORT);
        }
        let mode = be32(bytes, 24);
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
        Ok(Head { kind, executable: kind == EntryKind::File && mode & 0o100 != 0, flags, extended, path })
    }

    fn stage(&self) -> u16 {
        (self.flags & STAGE) >> 12
    }
}

/// The entries that were read, and the check of their order.
struct Entries {
    index: Index,
    builder: SnapshotBuilder,
    /// The path before; empty before the first.
    previous: Vec<u8>,
    /// Its stage; none before the first.
    previous_stage: Option<u16>,
    /// How many bytes of it are a directory, with its final `/`, that a worktree can hold.
    plain: usize,
    /// Whether the unmerged path that was seen last has an entry in the snapshot.
    has_content: bool,
    /// Memory for a path.
    scratch: Vec<u8>,
}

impl Entries {
    fn new(count: usize) -> Self {
        Entries {
            index: Index::default(),
            builder: SnapshotBuilder::with_capacity(count, ID),
            previous: Vec::new(),
            previous_stage: None,
            plain: 0,
            has_content: false,
            scratch: Vec::new(),
        }
    }

    /// Take the next entry.
    fn add(&mut self, head: &Head, path: &[u8], id: &[u8]) -> Result<(), IndexError> {
        let common = common_prefix(&self.previous, path);
        let is_staged = self.note(head, path, common)?;
        // The directory is nearly always the one before, and need not be looked at again.
        let known = if common >= self.plain { self.plain } else { 0 };
        let rest = &path[known..];
        let last = memchr::memrchr(b'/', rest).map_or(0, |at| at + 1);
        let is_plain = is_plain(rest);
        if is_staged && is_plain {
            if head.executable {
                self.index.executable.push(self.builder.len() as u32);
            }
            self.builder.push_plain(path, head.kind, id);
        }
        self.plain = if is_plain { known + last } else { 0 };
        self.previous.truncate(common);
        self.previous.extend_from_slice(&path[common..]);
        Ok(())
    }

    /// Take note of an entry whose path begins with `common` bytes of the one before; answers whether its content is the
    /// staged one.
    fn note(&mut self, head: &Head, path: &[u8], common: usize) -> Result<bool, IndexError> {
        if path.is_empty() {
            // What a split index changes of the shared one has no name here.
            return Err(IndexError::Unsupported("split"));
        }
        let stage = head.stage();
        let order = self.previous[common..].cmp(&path[common..]);
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

    fn close(mut self) -> Index {
        self.end_unmerged();
        self.index.staged = self.builder.finish_sorted();
        self.index
    }
}

/// How many bytes two paths begin with in common.
fn common_prefix(one: &[u8], two: &[u8]) -> usize {
    let (ones, twos) = (one.as_chunks::<8>().0, two.as_chunks::<8>().0);
    let words = ones.iter().zip(twos).take_while(|(one, two)| one == two).count() * 8;
    words + one[words..].iter().zip(&two[words..]).take_while(|(one, two)| one == two).count()
}

/// Walk the extensions, which the checksum follows; the answer is the one of cached trees. Extensions with a small first letter
/// must be understood, and none of them is.
fn check_extensions(bytes: &[u8]) -> Result<Vec<u8>, IndexError> {
    let mut trees = Vec::new();
    let end = bytes.len().checked_sub(ID).ok_or(CUT_SHORT)?;
    let mut at = 0;
    while at + 8 <= end {
        match &bytes[at..at + 4] {
            b"link" => return Err(IndexError::Unsupported("split")),
            b"sdir" => return Err(IndexError::Unsupported("sparse")),
            b"TREE" => {
                let length = be32(bytes, at + 4) as usize;
                trees = bytes[at + 8..end.min(at.saturating_add(8).saturating_add(length))].to_vec();
            }
            name if !name[0].is_ascii_uppercase() => return Err(IndexError::Unsupported("of an unknown kind")),
            _ => {}
        }
        at = at.saturating_add(8).saturating_add(be32(bytes, at + 4) as usize);
    }
    match at == end {
        true => Ok(trees),
        false => Err(IndexError::Corrupt("an extension runs past its end")),
    }
}

/// One entry of the extension `TREE`: a name, NUL, the number of files below it, SP, the number of subtrees, LF, and the tree's
/// object name, which is left out where the number is negative because something below has changed. The subtrees follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedTree<'e> {
    /// The directory's name; empty for the root.
    name: &'e [u8],
    /// The tree, unless something below it has changed.
    pub(super) id: Option<&'e [u8]>,
    subtrees: usize,
    /// What follows: the subtrees, and what follows them.
    rest: &'e [u8],
}

impl<'e> CachedTree<'e> {
    /// The entry that `extension` begins with; `None` if that is none.
    pub(super) fn first(extension: &'e [u8]) -> Option<Self> {
        let name_end = memchr::memchr(0, extension)?;
        let rest = &extension[name_end + 1..];
        let line_end = memchr::memchr(b'\n', rest)?;
        let line = std::str::from_utf8(&rest[..line_end]).ok()?;
        let (files, subtrees) = line.split_once(' ')?;
        let (files, subtrees) = (files.parse::<i64>().ok()?, subtrees.parse().ok()?);
        let rest = &rest[line_end + 1..];
        let (id, rest) = if files < 0 { (None, rest) } else { (Some(rest.get(..ID)?), &rest[ID..]) };
        Some(CachedTree { name: &extension[..name_end], id, subtrees, rest })
    }

    /// The entries of the directories directly below this one, by name; of a damaged extension, those before the damage.
    pub(super) fn children(&self) -> BTreeMap<&'e [u8], CachedTree<'e>> {
        let mut children = BTreeMap::new();
        let mut rest = self.rest;
        for _ in 0..self.subtrees {
            let Some(child) = CachedTree::first(rest) else { break };
            let Some(behind) = child.behind() else { break };
            children.insert(child.name, child);
            rest = behind;
        }
        children
    }

    /// What follows this entry and all of its subtrees.
    fn behind(&self) -> Option<&'e [u8]> {
        let (mut rest, mut open) = (self.rest, self.subtrees);
        while open > 0 {
            let next = CachedTree::first(rest)?;
            open = (open - 1).checked_add(next.subtrees)?;
            rest = next.rest;
        }
        Some(rest)
    }
}

/// A number in git's offset encoding, and how many bytes it took.
fn variable_length(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for (at, &byte) in bytes.iter().take(9).enumerate() {
        value = value.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        if byte & 128 == 0 {
            return Some((value, at + 1));
        }
        value += 1;
    }
    None
}

fn be16(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn be32(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of version 2 or 3 with entries (path, mode, flags, extended flags).
    fn index(entries: &[(&str, u32, u16, u16)], extension: &[u8]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(3u32.to_be_bytes());
        bytes.extend((entries.len() as u32).to_be_bytes());
        for (number, &(path, mode, flags, extended)) in entries.iter().enumerate() {
            let start = bytes.len();
            bytes.extend([0; 24]);
            bytes.extend(mode.to_be_bytes());
            bytes.extend([0; 12]);
            bytes.extend([number as u8; ID]);
            let flags = flags | path.len().min(0xfff) as u16 | if extended == 0 { 0 } else { EXTENDED };
            bytes.extend(flags.to_be_bytes());
            if extended != 0 {
                bytes.extend(extended.to_be_bytes());
            }
            bytes.extend(path.as_bytes());
            let padding = 8 - (bytes.len() - start) % 8;
            bytes.extend(vec![0; padding]);
        }
        bytes.extend(extension);
        bytes.extend([0; ID]);
        bytes
    }

    fn parse(bytes: Vec<u8>) -> Result<Index, IndexError> {
        let whole = read(&bytes[..], bytes.len() as u64);
        // Any number of bytes at a time comes to the same.
        let single = read(OneByOne(&bytes), bytes.len() as u64);
        assert_eq!(format!("{whole:?}"), format!("{single:?}"));
        whole
    }

    struct OneByOne<'b>(&'b [u8]);

    impl Read for OneByOne<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = buffer.len().min(1);
            self.0.read(&mut buffer[..count])
        }
    }

    const FILE: u32 = 0o100_644;
    const OURS: u16 = 2 << 12;
    const THEIRS: u16 = 3 << 12;
    const BASE: u16 = 1 << 12;

    fn paths(paths: &[RepoPath]) -> Vec<&str> {
        paths.iter().filter_map(RepoPath::to_str).collect()
    }

    #[test]
    fn kinds_and_flags() {
        let long = "x".repeat(5000);
        let entries = [
            ("a", FILE, 0, 0),
            ("b", FILE, 0, INTENT_TO_ADD),
            ("c", 0o120_000, 0, 0),
            ("d", 0o160_000, 0, 0),
            ("e", 0o100_755, 0, SKIP_WORKTREE),
            (&long, FILE, 0, 0),
        ];
        let index = parse(index(&entries, b"TREE\0\0\0\x02ab")).expect("valid");
        assert_eq!(index.tree(), None);
        assert_eq!(index.executable, [3]);
        let listed: Vec<_> = index.staged.listing.iter().map(|entry| (entry.path.len(), entry.kind)).collect();
        let expected = [
            (1, EntryKind::File),
            (1, EntryKind::Symlink),
            (1, EntryKind::Submodule),
            (1, EntryKind::File),
            (5000, EntryKind::File),
        ];
        assert_eq!(listed, expected);
        assert_eq!(index.staged.id(b"e").map(|(id, _)| id[0]), Some(4));
        assert_eq!(paths(&index.without_content), ["b"]);
        assert_eq!(paths(&index.skipped), ["e"]);
    }

    #[test]
    fn of_an_unmerged_path_our_side_counts() {
        let entries = [
            ("both", FILE, BASE, 0),
            ("both", FILE, OURS, 0),
            ("both", FILE, THEIRS, 0),
            ("gone", FILE, BASE, 0),
            ("theirs", FILE, BASE, 0),
            ("theirs", FILE, THEIRS, 0),
        ];
        let index = parse(index(&entries, b"")).expect("valid");
        assert_eq!(paths(&index.unmerged), ["both", "gone", "theirs"]);
        assert_eq!(paths(&index.without_content), ["gone"]);
        assert_eq!(index.staged.id(b"both").map(|(id, _)| id[0]), Some(1));
        assert_eq!(index.staged.id(b"theirs").map(|(id, _)| id[0]), Some(5));
        assert_eq!(index.staged.listing.len(), 2);
    }

    #[test]
    fn the_tree_is_known_where_nothing_was_staged_since() {
        let tree = |body: &[u8]| {
            let head = [b"TREE", &(body.len() as u32).to_be_bytes()[..]].concat();
            let extensions = [&head, body, b"REUC\0\0\0\x01x"].concat();
            parse(index(&[("a", FILE, 0, 0)], &extensions)).expect("valid").tree()
        };
        assert_eq!(tree(&[b"\x001 0\n", &[7; ID][..]].concat()), Some(vec![7; ID]));
        assert_eq!(tree(&[b"\x001 1\n", &[7; ID][..], b"d\x00-1 0\n"].concat()), Some(vec![7; ID]));
        assert_eq!(tree(b"\x00-1 0\n"), None);
        assert_eq!(tree(&[b"\x00-1 1\nd\x001 0\n", &[7; ID][..]].concat()), None);
        assert_eq!(tree(b"\x001 0\nshort"), None);
        assert_eq!(tree(b""), None);
    }

    #[test]
    fn subtrees_are_found_by_name() {
        let id = |number: u8| [number; ID];
        let extension =
            [&b"\x00-1 2\n"[..], b"a\x002 1\n", &id(1), b"b\x001 0\n", &id(2), b"b\x00-1 1\n", b"c\x001 0\n", &id(3)]
                .concat();
        let root = CachedTree::first(&extension).expect("valid");
        let path = |names: &[&str]| {
            let found = names.iter().try_fold(root, |tree, name| tree.children().get(name.as_bytes()).copied())?;
            Some(found.id.map(|id| id[0]))
        };
        assert_eq!(path(&["a"]), Some(Some(1)));
        assert_eq!(path(&["a", "b"]), Some(Some(2)));
        assert_eq!(path(&["b"]), Some(None));
        assert_eq!(path(&["b", "c"]), Some(Some(3)));
        assert_eq!((path(&["c"]), path(&["a", "c"])), (None, None));
        for length in 0..extension.len() {
            let cut = CachedTree::first(&extension[..length]);
            assert!(cut.is_none_or(|root| root.children().len() < 2));
        }
    }

    #[test]
    fn common_beginnings() {
        let cases = [
            ("", "", 0),
            ("a", "b", 0),
            ("abc", "abd", 2),
            ("01234567a", "01234567b", 8),
            ("0123456789", "01234567", 8),
        ];
        for (one, two, expected) in cases {
            assert_eq!(common_prefix(one.as_bytes(), two.as_bytes()), expected, "{one} {two}");
        }
    }

    #[test]
    fn paths_that_no_worktree_holds_are_left_out() {
        let entries = [("a/b/x", FILE, 0, 0), ("a/b/../y", FILE, 0, 0), ("a/b/z", FILE, 0, 0), ("a/c", FILE, 0, 0)];
        let mut sorted = entries;
        sorted.sort();
        let index = parse(index(&sorted, b"")).expect("valid");
        let listed: Vec<_> = index.staged.listing.iter().map(|entry| entry.path.to_vec()).collect();
        assert_eq!(listed, [&b"a/b/x"[..], b"a/b/z", b"a/c"]);
    }

    #[test]
    fn what_is_not_read_here_is_named() {
        let one = [("a", FILE, 0, 0)];
        assert_eq!(parse(index(&one, b"link\0\0\0\0")).unwrap_err(), IndexError::Unsupported("split"));
        assert_eq!(parse(index(&one, b"sdir\0\0\0\0")).unwrap_err(), IndexError::Unsupported("sparse"));
        assert_eq!(parse(index(&[("a/", 0o040_000, 0, 0)], b"")).unwrap_err(), IndexError::Unsupported("sparse"));
        assert!(matches!(parse(index(&one, b"TREE\xff\0\0\0")), Err(IndexError::Corrupt(_))));
        assert!(matches!(parse(index(&[("b", FILE, 0, 0), ("a", FILE, 0, 0)], b"")), Err(IndexError::Corrupt(_))));
        assert!(matches!(parse(index(&[("a", FILE, 0, 0), ("a", FILE, 0, 0)], b"")), Err(IndexError::Corrupt(_))));
        assert!(matches!(parse(b"<<<<<<< HEAD of something that is no index".to_vec()), Err(IndexError::Corrupt(_))));
    }

    #[test]
    fn cut_anywhere_it_is_corrupt_and_nothing_panics() {
        let whole = index(&[("a", FILE, 0, 0), ("dir/b", FILE, OURS, 0), ("e", FILE, 0, SKIP_WORKTREE)], b"");
        for version in 2..=5u8 {
            let mut bytes = whole.clone();
            bytes[7] = version;
            for length in 0..bytes.len() {
                let _ = parse(bytes[..length].to_vec());
                assert!(version == 4 || parse(bytes[..length].to_vec()).is_err(), "{version} {length}");
            }
        }
    }
}
