//! What an index or a tree holds: sorted paths, each with the name of the object that has its bytes. Knows no repository.

use std::sync::Arc;

use super::listing::{PathSpan, is_marked};
use super::shape::{PathShape, ROOT};
use super::{EntryKind, Listing};

/// How much one tree may unfold into, counted as one for each path and one for each 64 bytes of it. A tree can name the same
/// subtree many times over, so that a few kilobytes of objects stand for any number of paths. The largest repositories
/// known have some three million files.
pub(super) const MAX_UNFOLDED: usize = 10_000_000;

/// Bytes of a path for which room is made; where paths are longer, room is made again.
const TYPICAL_PATH: usize = 48;

/// What a path counts of [`MAX_UNFOLDED`].
pub(super) fn weight(path_bytes: usize) -> usize {
    1 + path_bytes / 64
}

/// Names of objects in a row, all of one length: 20 bytes (SHA-1) or 32 (SHA-256).
#[derive(Debug, Default)]
struct Ids {
    width: usize,
    bytes: Vec<u8>,
}

impl Ids {
    fn get(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.width..][..self.width]
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        // Without any there is no width, either.
        self.bytes.chunks_exact(self.width.max(1))
    }

    /// Append `id`; the first one decides the length of all.
    fn push(&mut self, id: &[u8]) {
        if self.bytes.is_empty() {
            self.width = id.len();
        }
        debug_assert_eq!(id.len(), self.width);
        self.bytes.extend_from_slice(id);
    }
}

/// Sorted paths with their objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) listing: Arc<Listing>,
    /// The objects of the listing's entries, in pieces, each with the number of the first one's entry.
    ids: Arc<Vec<(usize, Ids)>>,
}

impl Snapshot {
    /// The name of the object at `path`, and of what kind it is.
    pub(super) fn blob(&self, path: &[u8]) -> Option<(&[u8], EntryKind)> {
        let index = self.listing.index_of(path)?;
        Some((self.id(index), self.listing.entry(index).kind))
    }

    /// The object name of the entry at `index` of the listing.
    pub(super) fn id(&self, index: usize) -> &[u8] {
        let behind = self.ids.partition_point(|(first, _)| *first <= index);
        let (first, ids) = &self.ids[behind - 1];
        ids.get(index - first)
    }
}

/// Collects paths with their objects, usually in order already. Paths that no checkout could hold are left out.
#[derive(Debug, Default)]
pub(super) struct SnapshotBuilder {
    bytes: Vec<u8>,
    entries: Vec<PathSpan>,
    ids: Ids,
    marked: Vec<u32>,
    /// Whether a path was found not to follow the one before.
    is_unsorted: bool,
}

impl SnapshotBuilder {
    /// With room for `count` paths, whose objects have names of `width` bytes.
    pub(super) fn with_capacity(count: usize, width: usize) -> Self {
        SnapshotBuilder {
            bytes: Vec::with_capacity(count * TYPICAL_PATH),
            entries: Vec::with_capacity(count),
            ids: Ids { width, bytes: Vec::with_capacity(count * width) },
            ..SnapshotBuilder::default()
        }
    }

    /// How many paths there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Add `path`, which is of that `shape`. Beyond 4 GiB of path bytes further paths are dropped.
    pub(super) fn push(&mut self, path: &[u8], shape: PathShape, kind: EntryKind, id: &[u8]) {
        let index = self.entries.len();
        self.push_sorted(b"", path, shape, kind, id);
        self.check_order_at(index);
    }

    /// Note whether a path that is about to be added by [`SnapshotBuilder::push_sorted`] follows all before it.
    pub(super) fn note_order(&mut self, follows: bool) {
        self.is_unsorted |= !follows;
    }

    /// Note whether the path at `index`, if there is one, follows the one before.
    pub(super) fn check_order_at(&mut self, index: usize) {
        if let (Some(previous), Some(place)) = (index.checked_sub(1), self.entries.get(index)) {
            self.is_unsorted |= self.entries[previous].of(&self.bytes) >= place.of(&self.bytes);
        }
    }

    /// The same as [`SnapshotBuilder::push`], for the path that `dir` and `name` make and that is known to follow all before it.
    pub(super) fn push_sorted(&mut self, dir: &[u8], name: &[u8], shape: PathShape, kind: EntryKind, id: &[u8]) {
        let place = PathSpan::behind(self.bytes.len(), dir.len() + name.len(), kind);
        let Some(place) = place.filter(|_| shape.is_plain) else { return };
        self.bytes.extend_from_slice(dir);
        self.bytes.extend_from_slice(name);
        if is_marked(shape, kind) {
            // Entries are counted in 32 bits, as their bytes are.
            self.marked.push(self.entries.len() as u32);
        }
        self.entries.push(place);
        self.ids.push(id);
    }

    /// Close.
    pub(super) fn finish(self) -> Snapshot {
        Self::join(vec![self])
    }

    /// Close several, whose paths follow each other. Of equal paths the first stays; only broken trees have them, or are out of
    /// order.
    pub(super) fn join(parts: Vec<SnapshotBuilder>) -> Snapshot {
        let count: usize = parts.iter().map(|part| part.entries.len()).sum();
        let (mut entries, mut marked): (Vec<PathSpan>, Vec<u32>) = (Vec::new(), Vec::new());
        let (mut buffers, mut ids): (Vec<Vec<u8>>, Vec<(usize, Ids)>) = (Vec::new(), Vec::new());
        let mut is_unsorted = false;
        for part in parts.into_iter().filter(|part| !part.entries.is_empty()) {
            let Ok(number) = u16::try_from(buffers.len()) else { break };
            let follows =
                entries.last().is_none_or(|last| last.of(&buffers[last.buffer()]) < part.entries[0].of(&part.bytes));
            is_unsorted |= part.is_unsorted || !follows;
            let first = entries.len();
            marked.extend(part.marked.iter().map(|&index| index + first as u32));
            match first {
                0 if part.entries.len() == count => entries = part.entries,
                _ => {
                    entries.reserve(count - first);
                    entries.extend(part.entries.iter().map(|place| place.in_buffer(number)));
                }
            }
            ids.push((first, part.ids));
            buffers.push(part.bytes);
        }
        if is_unsorted {
            return sorted(&entries, &buffers, &ids);
        }
        Snapshot { listing: Arc::new(Listing::from_sorted(buffers, entries, marked)), ids: Arc::new(ids) }
    }
}

/// The same entries in order.
fn sorted(entries: &[PathSpan], buffers: &[Vec<u8>], ids: &[(usize, Ids)]) -> Snapshot {
    let ids = ids.iter().flat_map(|(_, ids)| ids.iter());
    let mut all: Vec<(&[u8], EntryKind, &[u8])> =
        entries.iter().zip(ids).map(|(place, id)| (place.of(&buffers[place.buffer()]), place.kind(), id)).collect();
    all.sort_by_key(|(path, ..)| *path);
    all.dedup_by_key(|(path, ..)| *path);
    let mut builder = SnapshotBuilder::default();
    for (path, kind, id) in all {
        builder.push_sorted(b"", path, ROOT.file(path), kind, id);
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(builder: &mut SnapshotBuilder, path: &str, id: u8) {
        let path = path.as_bytes();
        builder.push(path, ROOT.file(path), EntryKind::File, &[id; 20]);
    }

    fn paths(snapshot: &Snapshot) -> Vec<(String, u8)> {
        let all = snapshot.listing.iter().enumerate();
        all.map(|(index, entry)| (String::from_utf8_lossy(entry.path).into_owned(), snapshot.id(index)[0])).collect()
    }

    fn marked(snapshot: &Snapshot) -> Vec<String> {
        snapshot.listing.marked().map(|entry| String::from_utf8_lossy(entry.path).into_owned()).collect()
    }

    #[test]
    fn a_broken_order_is_mended_with_the_objects() {
        let mut builder = SnapshotBuilder::default();
        for (path, id) in [("b/x.md", 1), ("a", 2), ("../evil", 3), ("b/x.md", 4), ("c.rs", 5)] {
            push(&mut builder, path, id);
        }
        let snapshot = builder.finish();
        assert_eq!(paths(&snapshot), [("a".into(), 2), ("b/x.md".into(), 1), ("c.rs".into(), 5)]);
        assert_eq!(marked(&snapshot), ["a", "b/x.md"]);
        assert_eq!(snapshot.blob(b"a"), Some((&[2; 20][..], EntryKind::File)));
    }

    #[test]
    fn parts_are_joined_in_order_and_mended_where_they_are_not() {
        let part = |paths: &[(&str, u8)]| {
            let mut builder = SnapshotBuilder::default();
            for &(path, id) in paths {
                push(&mut builder, path, id);
            }
            builder
        };
        let (a, b) = ([("a.md", 1), ("a/b.rs", 2)], [("c.md", 3), ("d.rs", 4)]);
        for parts in [[&a[..], &[], &b[..]], [&b[..], &a[..], &[]]] {
            let snapshot = SnapshotBuilder::join(parts.map(part).into());
            let expected = [("a.md", 1), ("a/b.rs", 2), ("c.md", 3), ("d.rs", 4)];
            assert_eq!(paths(&snapshot), expected.map(|(path, id)| (path.to_owned(), id)));
            assert_eq!(marked(&snapshot), ["a.md", "c.md"]);
        }
        assert!(SnapshotBuilder::join(Vec::new()).listing.is_empty());
    }
}
