//! The list of a repository's paths: one buffer, sorted bytewise, searched by bisection. Knows nothing of files' contents.

mod names;

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use names::NameIndex;

use super::shape::{self, PathShape};
use crate::base::path;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file, executable or not.
    File,
    /// A symbolic link; its bytes are the link's target.
    Symlink,
    /// A commit of another repository.
    Submodule,
    /// A FIFO, device or socket of the worktree.
    Special,
}

/// One path of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedPath<'a> {
    /// Repository-relative path.
    pub path: &'a [u8],
    /// What stands there.
    pub kind: EntryKind,
}

/// Where a path lies in memory, and what stands there.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathSpan {
    start: u32,
    end: u32,
    buffer: u16,
    kind: EntryKind,
}

impl PathSpan {
    /// The place of a path of `length` bytes that is appended to buffer number 0, of which `used` bytes are taken; `None` beyond
    /// 4 GiB.
    pub(super) fn behind(used: usize, length: usize, kind: EntryKind) -> Option<PathSpan> {
        let (start, end) = (u32::try_from(used).ok()?, u32::try_from(used + length).ok()?);
        Some(PathSpan { start, end, buffer: 0, kind })
    }

    /// The same place, when its buffer is counted as number `buffer`.
    pub(super) fn in_buffer(self, buffer: u16) -> PathSpan {
        PathSpan { buffer, ..self }
    }

    pub(super) fn buffer(self) -> usize {
        usize::from(self.buffer)
    }

    pub(super) fn kind(self) -> EntryKind {
        self.kind
    }

    /// The path in its buffer.
    pub(super) fn of(self, buffer: &[u8]) -> &[u8] {
        &buffer[self.start as usize..self.end as usize]
    }
}

/// The bytes of paths, in pieces: what several cores have gathered is not copied together.
#[derive(Debug, Default)]
struct Buffers(Vec<Vec<u8>>);

impl Buffers {
    fn path(&self, place: PathSpan) -> &[u8] {
        place.of(&self.0[place.buffer()])
    }
}

/// All paths of a source, sorted bytewise, without duplicates.
#[derive(Debug, Default)]
pub struct Listing {
    buffers: Buffers,
    entries: Vec<PathSpan>,
    by_name: OnceLock<NameIndex>,
    has_submodules: OnceLock<bool>,
    marked: OnceLock<Vec<u32>>,
    /// Where each of the [`Listing::runs`] starts.
    runs: OnceLock<Vec<u32>>,
}

/// From this many entries on, going through all of them is shared by all cores.
const WORTH_SHARING: usize = 1 << 14;

/// Whether an entry is one of [`Listing::marked`].
pub(super) fn is_marked(shape: PathShape, kind: EntryKind) -> bool {
    shape.is_marked || kind != EntryKind::File
}

/// Whether `path` lies below directory `dir`, which is not the root.
fn lies_below(path: &[u8], dir: &[u8]) -> bool {
    path.get(dir.len()) == Some(&b'/') && path.starts_with(dir)
}

/// Collects paths in any order.
#[derive(Debug, Default)]
pub(crate) struct ListingBuilder {
    bytes: Vec<u8>,
    entries: Vec<PathSpan>,
}

impl ListingBuilder {
    /// Add one path. Beyond 4 GiB of path bytes further paths are dropped.
    pub(crate) fn push(&mut self, path: &[u8], kind: EntryKind) {
        if let Some(place) = PathSpan::behind(self.bytes.len(), path.len(), kind) {
            self.bytes.extend_from_slice(path);
            self.entries.push(place);
        }
    }

    /// Sort and close. Of equal paths the first pushed stays.
    pub(crate) fn finish(mut self) -> Listing {
        let bytes = &self.bytes;
        let path = |place: &PathSpan| place.of(bytes);
        if !self.entries.is_sorted_by(|a, b| path(a) < path(b)) {
            self.entries.sort_by(|a, b| path(a).cmp(path(b)));
            self.entries.dedup_by(|b, a| path(a) == path(b));
        }
        Listing { buffers: Buffers(vec![self.bytes]), entries: self.entries, ..Listing::default() }
    }
}

impl Listing {
    /// A listing of regular files, for tests and small sources.
    pub fn of_files<P: AsRef<[u8]>>(paths: impl IntoIterator<Item = P>) -> Self {
        let mut builder = ListingBuilder::default();
        for path in paths {
            builder.push(path.as_ref(), EntryKind::File);
        }
        builder.finish()
    }

    /// A listing of paths that lie in `buffers`, sorted and without duplicates, and which of them are [`Listing::marked`].
    pub(super) fn from_sorted(buffers: Vec<Vec<u8>>, entries: Vec<PathSpan>, marked: Vec<u32>) -> Self {
        Listing { buffers: Buffers(buffers), entries, marked: OnceLock::from(marked), ..Listing::default() }
    }

    /// Number of paths.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no path at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry at `index`, counted in bytewise order.
    pub fn entry(&self, index: usize) -> ListedPath<'_> {
        let place = self.entries[index];
        ListedPath { path: self.buffers.path(place), kind: place.kind }
    }

    /// All entries, in bytewise order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ListedPath<'_>> + DoubleEndedIterator {
        (0..self.entries.len()).map(|index| self.entry(index))
    }

    /// The entries that may be more than source code or data, in bytewise order: all that are no plain files, lie in or are
    /// something whose name begins with a dot, lie in a directory called `*.md`, have a name without a dot, or one that ends
    /// like those of hint files and of the manifests and settings that go with them. Who looks for such files need not go
    /// through millions of others.
    pub(crate) fn marked(&self) -> impl Iterator<Item = ListedPath<'_>> {
        let marked = self.marked.get_or_init(|| {
            let is_marked = |&index: &u32| {
                let entry = self.entry(index as usize);
                is_marked(shape::ROOT.file(entry.path), entry.kind)
            };
            // Entries are counted in 32 bits, as their bytes are.
            let all = 0..self.len() as u32;
            match self.len() < WORTH_SHARING {
                true => all.filter(is_marked).collect(),
                false => all.into_par_iter().with_min_len(WORTH_SHARING / 4).filter(is_marked).collect(),
            }
        });
        marked.iter().map(|&index| self.entry(index as usize))
    }

    /// The directories that have entries, each with its final `/` and with those of its entries that follow each other: a directory
    /// comes again behind one that lies in it. Who asks something of directories asks it once for many entries.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (&[u8], Range<usize>)> {
        let starts = self.runs.get_or_init(|| self.run_starts());
        let ends = starts.iter().skip(1).map(|&end| end as usize).chain([self.len()]);
        starts.iter().zip(ends).map(|(&start, end)| {
            let first = self.entry(start as usize).path;
            (&first[..first.len() - path::file_name(first).len()], start as usize..end)
        })
    }

    fn run_starts(&self) -> Vec<u32> {
        let mut directory: Option<&[u8]> = None;
        let is_start = |&index: &u32| {
            let path = self.entry(index as usize).path;
            let name = directory.and_then(|directory| path.strip_prefix(directory));
            let is_start = name.is_none_or(|name| name.contains(&b'/'));
            if is_start {
                directory = Some(&path[..path.len() - path::file_name(path).len()]);
            }
            is_start
        };
        (0..self.len() as u32).filter(is_start).collect()
    }

    /// Take over where the [`Listing::runs`] start, from who has seen it.
    pub(super) fn take_runs(&self, starts: Vec<u32>) {
        debug_assert!(self.run_starts().iter().all(|start| starts.binary_search(start).is_ok()));
        let _ = self.runs.set(starts);
    }

    /// Whether there are so many paths that going through all of them takes time.
    pub(crate) fn is_large(&self) -> bool {
        self.len() >= WORTH_SHARING
    }

    /// Get ready for questions by name. Nothing depends on it.
    pub(crate) fn prepare(&self) {
        self.names();
    }

    /// The indices of those entries that `other` lacks, in one pass over both.
    pub(super) fn missing_from(&self, other: &Listing) -> Vec<usize> {
        let mut at = 0;
        let is_missing = |&index: &usize| {
            let path = self.entry(index).path;
            while at < other.len() && other.entry(at).path < path {
                at += 1;
            }
            at == other.len() || other.entry(at).path != path
        };
        (0..self.len()).filter(is_missing).collect()
    }

    /// Where `path` stands in the order.
    pub(crate) fn index_of(&self, path: &[u8]) -> Option<usize> {
        // Few have the name, where the names are filed already.
        if let Some(names) = self.by_name.get() {
            let same = names.candidates(path::file_name(path));
            let at = same.partition_point(|&index| self.entry(index as usize).path < path);
            return same.get(at).map(|&index| index as usize).filter(|&index| self.entry(index).path == path);
        }
        let index = self.lower_bound(path);
        (index < self.len() && self.entry(index).path == path).then_some(index)
    }

    /// The same as [`Listing::index_of`], for a path that can only stand at some position of `range`.
    pub(super) fn index_within(&self, range: Range<usize>, path: &[u8]) -> Option<usize> {
        let entries = &self.entries[range.clone()];
        entries.binary_search_by(|&place| self.buffers.path(place).cmp(path)).ok().map(|index| range.start + index)
    }

    /// What stands at `path`; directories do not count.
    pub fn kind(&self, path: &[u8]) -> Option<EntryKind> {
        self.index_of(path).map(|index| self.entries[index].kind)
    }

    /// Whether `path` is listed; directories do not count.
    pub fn contains(&self, path: &[u8]) -> bool {
        self.index_of(path).is_some()
    }

    /// Whether some listed path lies below directory `dir`. The root (empty) always is a directory.
    pub(crate) fn has_dir(&self, dir: &[u8]) -> bool {
        let at = self.lower_bound_below(dir);
        dir.is_empty() || at < self.len() && lies_below(self.entry(at).path, dir)
    }

    /// Whether `path` lies inside a submodule, of whose files nothing is listed.
    pub(crate) fn is_in_submodule(&self, path: &[u8]) -> bool {
        let any = || self.marked().any(|entry| entry.kind == EntryKind::Submodule);
        let submodule = |dir: &&[u8]| self.kind(dir) == Some(EntryKind::Submodule);
        *self.has_submodules.get_or_init(any) && path::ancestors_from_root(path::parent(path)).iter().any(submodule)
    }

    /// The indexes of all entries below directory `dir`, at any depth.
    pub fn below(&self, dir: &[u8]) -> Range<usize> {
        if dir.is_empty() {
            return 0..self.len();
        }
        let start = self.lower_bound_below(dir);
        let rest = &self.entries[start..];
        let count = rest.partition_point(|&place| lies_below(self.buffers.path(place), dir));
        start..start + count
    }

    /// The entries and directories directly in `dir`, by name, sorted; `None` as kind means a directory.
    pub(crate) fn children(&self, dir: &[u8]) -> Vec<(&[u8], Option<EntryKind>)> {
        let skip = if dir.is_empty() { 0 } else { dir.len() + 1 };
        let mut children: Vec<(&[u8], Option<EntryKind>)> = Vec::new();
        let range = self.below(dir);
        let mut index = range.start;
        while index < range.end {
            let entry = self.entry(index);
            let rest = &entry.path[skip..];
            match memchr::memchr(b'/', rest) {
                None => {
                    children.push((rest, Some(entry.kind)));
                    index += 1;
                }
                Some(slash) => {
                    children.push((&rest[..slash], None));
                    index = self.below(&entry.path[..skip + slash]).end.max(index + 1);
                }
            }
        }
        children.sort_unstable_by(|a, b| a.0.cmp(b.0));
        children
    }

    /// All entries whose last component is `name`, in bytewise order.
    pub(crate) fn with_name(&self, name: &[u8]) -> Vec<&[u8]> {
        self.of_name(name, |path| path::file_name(path) == name)
    }

    /// All entries whose last component is `name` when ASCII case is ignored, in bytewise order.
    pub(crate) fn with_name_in_any_case(&self, name: &[u8]) -> Vec<&[u8]> {
        self.of_name(name, |path| path::file_name(path).eq_ignore_ascii_case(name))
    }

    /// All entries that equal `path` when ASCII case is ignored, in bytewise order.
    pub(crate) fn ignoring_case(&self, path: &[u8]) -> Vec<&[u8]> {
        self.of_name(path::file_name(path), |listed| listed.eq_ignore_ascii_case(path))
    }

    fn names(&self) -> &NameIndex {
        self.by_name.get_or_init(|| NameIndex::new(self))
    }

    /// Whether a folder somewhere is called so. Looks at every folder: who asks for many names gathers them instead.
    pub(crate) fn has_folder_called(&self, name: &[u8]) -> bool {
        self.runs().any(|(folder, _)| folder.split(|&byte| byte == b'/').any(|part| part == name))
    }

    /// All entries whose names end so, in bytewise order.
    pub(crate) fn with_ending(&self, ending: &[u8]) -> Vec<&[u8]> {
        self.iter().map(|entry| entry.path).filter(|path| path.ends_with(ending)).collect()
    }

    /// All entries that pass `test`, of those whose last component is `name` in some case.
    fn of_name(&self, name: &[u8], test: impl Fn(&[u8]) -> bool) -> Vec<&[u8]> {
        let candidates = self.names().candidates(name);
        candidates.iter().map(|&index| self.entry(index as usize).path).filter(|path| test(path)).collect()
    }

    /// Where the first entry below directory `dir` stands, or would stand.
    fn lower_bound_below(&self, dir: &[u8]) -> usize {
        // As if `dir` had its final `/`, without making a copy that has it.
        let before = |path: &[u8]| match path.len() <= dir.len() {
            true => path <= dir,
            false => (&path[..dir.len()], path[dir.len()]) < (dir, b'/'),
        };
        self.entries.partition_point(|&place| before(self.buffers.path(place)))
    }

    fn lower_bound(&self, path: &[u8]) -> usize {
        self.entries.partition_point(|&place| self.buffers.path(place) < path)
    }
}

#[cfg(test)]
mod tests;
