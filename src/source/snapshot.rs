//! What an index or a tree holds: sorted paths, each with the name of the object that has its bytes. Knows no repository.

use std::sync::Arc;

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

/// Object names in a row, all of one length: 20 bytes (SHA-1) or 32 (SHA-256).
#[derive(Debug, Default)]
pub(super) struct ObjectIds {
    width: usize,
    bytes: Vec<u8>,
}

impl ObjectIds {
    pub(super) fn new(width: usize) -> Self {
        ObjectIds { width, bytes: Vec::new() }
    }

    pub(super) fn get(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.width..][..self.width]
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

/// Sorted paths with their objects; the object of entry `n` of the listing is `ids.get(n)`.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) listing: Arc<Listing>,
    pub(super) ids: Arc<ObjectIds>,
}

impl Snapshot {
    /// The object at `path`.
    pub(super) fn id(&self, path: &[u8]) -> Option<(&[u8], EntryKind)> {
        let index = self.listing.index_of(path)?;
        Some((self.ids.get(index), self.listing.entry(index).kind))
    }
}

/// Collects paths with their objects, usually in order already. Paths that no checkout could hold are left out.
#[derive(Debug, Default)]
pub(super) struct SnapshotBuilder {
    bytes: Vec<u8>,
    entries: Vec<(u32, u32, EntryKind)>,
    ids: ObjectIds,
}

impl SnapshotBuilder {
    /// With room for `count` paths, whose objects have names of `width` bytes.
    pub(super) fn with_capacity(count: usize, width: usize) -> Self {
        let ids = ObjectIds { width, bytes: Vec::with_capacity(count * width) };
        SnapshotBuilder { bytes: Vec::with_capacity(count * TYPICAL_PATH), entries: Vec::with_capacity(count), ids }
    }

    /// How many paths there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Add a path that a worktree can hold; see [`is_plain`].
    pub(super) fn push_plain(&mut self, path: &[u8], kind: EntryKind, id: &[u8]) {
        let start = self.bytes.len();
        let (Ok(from), Ok(to)) = (u32::try_from(start), u32::try_from(start + path.len())) else { return };
        self.bytes.extend_from_slice(path);
        self.entries.push((from, to, kind));
        self.ids.push(id);
    }

    /// Add one path. Beyond 4 GiB of path bytes further paths are dropped.
    pub(super) fn push(&mut self, dir: &[u8], name: &[u8], kind: EntryKind, id: &[u8]) {
        let start = self.bytes.len();
        let end = start + dir.len() + name.len();
        let (Ok(from), Ok(to)) = (u32::try_from(start), u32::try_from(end)) else { return };
        self.bytes.extend_from_slice(dir);
        self.bytes.extend_from_slice(name);
        if is_plain(&self.bytes[start..end]) {
            self.entries.push((from, to, kind));
            self.ids.push(id);
        } else {
            self.bytes.truncate(start);
        }
    }

    /// Append all of `other`, whose paths follow ours.
    pub(super) fn append(&mut self, other: &SnapshotBuilder) {
        let Ok(shift) = u32::try_from(self.bytes.len()) else { return };
        if u32::try_from(self.bytes.len() + other.bytes.len()).is_err() {
            return;
        }
        self.bytes.extend_from_slice(&other.bytes);
        self.entries.extend(other.entries.iter().map(|&(from, to, kind)| (from + shift, to + shift, kind)));
        if self.ids.bytes.is_empty() {
            self.ids.width = other.ids.width;
        }
        self.ids.bytes.extend_from_slice(&other.ids.bytes);
    }

    /// Close, after paths that were pushed in order.
    pub(super) fn finish_sorted(self) -> Snapshot {
        Snapshot { listing: Arc::new(Listing::from_sorted(self.bytes, self.entries)), ids: Arc::new(self.ids) }
    }

    /// Close. Of equal paths the first stays; only broken trees have them, or are out of order.
    pub(super) fn finish(self) -> Snapshot {
        let SnapshotBuilder { bytes, mut entries, mut ids } = self;
        let path = |entry: &(u32, u32, EntryKind)| &bytes[entry.0 as usize..entry.1 as usize];
        if !entries.is_sorted_by(|a, b| path(a) < path(b)) {
            let mut order: Vec<usize> = (0..entries.len()).collect();
            order.sort_by(|&a, &b| path(&entries[a]).cmp(path(&entries[b])));
            order.dedup_by(|b, a| path(&entries[*a]) == path(&entries[*b]));
            let mut sorted = ObjectIds::new(ids.width);
            for &index in &order {
                sorted.push(ids.get(index));
            }
            entries = order.iter().map(|&index| entries[index]).collect();
            ids = sorted;
        }
        Snapshot { listing: Arc::new(Listing::from_sorted(bytes, entries)), ids: Arc::new(ids) }
    }
}

/// Whether `path` can stand in a worktree: relative, no empty component, no `.`, `..` or `.git`. Git refuses to add others,
/// but nothing keeps them out of a tree or index that was written by hand.
pub(super) fn is_plain(path: &[u8]) -> bool {
    // Nearly every path passes the cheap test: no component begins with a dot and none is empty.
    let suspicious = |at: usize| matches!(path.get(at), None | Some(b'.' | b'/'));
    if !suspicious(0) && !memchr::memchr_iter(b'/', path).any(|at| suspicious(at + 1)) {
        return true;
    }
    path.split(|&b| b == b'/').all(|part| !matches!(part, b"" | b"." | b"..") && !part.eq_ignore_ascii_case(b".git"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_a_worktree_can_hold() {
        for path in [&b"a"[..], b".github/x", b"a/.b/..c", b"a\nb", b"...", b".gitignore", b"a/.gitx/b"] {
            assert!(is_plain(path), "{path:?}");
        }
        for path in [&b""[..], b"/a", b"a//b", b"a/", b"..", b"../a", b"a/../b", b"a/.", b".git/config", b"a/.GIT/x"] {
            assert!(!is_plain(path), "{path:?}");
        }
    }

    #[test]
    fn a_broken_order_is_mended_with_the_objects() {
        let mut builder = SnapshotBuilder::default();
        for (dir, name, id) in [("b/", "x", 1u8), ("", "a", 2), ("", "../evil", 3), ("b/", "x", 4)] {
            builder.push(dir.as_bytes(), name.as_bytes(), EntryKind::File, &[id; 20]);
        }
        let snapshot = builder.finish();
        assert_eq!(snapshot.listing.iter().map(|entry| entry.path).collect::<Vec<_>>(), [&b"a"[..], b"b/x"]);
        assert_eq!(snapshot.id(b"a"), Some((&[2; 20][..], EntryKind::File)));
        assert_eq!(snapshot.id(b"b/x"), Some((&[1; 20][..], EntryKind::File)));
    }
}
