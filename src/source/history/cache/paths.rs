//! All paths of a history, sorted bytewise and numbered in that order.

use std::collections::BTreeSet;

/// Sorted paths, in one piece of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PathTable {
    bytes: Vec<u8>,
    /// Where each path ends.
    ends: Vec<u32>,
}

impl PathTable {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Make room for so many paths with so many bytes.
    pub(super) fn reserve(&mut self, paths: usize, bytes: usize) {
        self.ends.reserve(paths);
        self.bytes.reserve(bytes);
    }

    /// Whether one of the paths holds `byte`.
    pub(super) fn hold(&self, byte: u8) -> bool {
        memchr::memchr(byte, &self.bytes).is_some()
    }

    pub(super) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.bytes[start..self.ends[number] as usize]
    }

    /// Add a path that comes after all others; false if it does not, or there are too many bytes.
    pub(super) fn push(&mut self, path: &[u8], most: usize) -> bool {
        let is_next = self.ends.len().checked_sub(1).is_none_or(|last| self.get(last as u32) < path);
        let fits = self.bytes.len() + path.len() <= most;
        if is_next && fits {
            self.bytes.extend_from_slice(path);
            self.ends.push(self.bytes.len() as u32);
        }
        is_next && fits
    }

    /// Add the path that begins with `common` bytes of the last one, which has as many, and ends with `rest`; false if it does
    /// not come after that one, or there are too many bytes. No byte is compared or copied twice: a history has many paths.
    pub(super) fn push_rest(&mut self, common: usize, rest: &[u8], most: usize) -> bool {
        let last = self.ends.len().checked_sub(1).map_or(&[][..], |last| self.get(last as u32));
        // The first byte nearly always decides.
        let is_next = match (last.get(common), rest.first()) {
            _ if self.ends.is_empty() => true,
            (Some(ours), Some(theirs)) if ours != theirs => ours < theirs,
            _ => last[common..] < *rest,
        };
        let start = self.bytes.len() - last.len();
        let fits = self.bytes.len() + common + rest.len() <= most;
        if is_next && fits {
            self.bytes.extend_from_within(start..start + common);
            self.bytes.extend_from_slice(rest);
            self.ends.push(self.bytes.len() as u32);
        }
        is_next && fits
    }

    /// The number of a path.
    pub(super) fn find(&self, path: &[u8]) -> Option<u32> {
        let at = self.first_not_before(path);
        (at < self.len() && self.get(at as u32) == path).then_some(at as u32)
    }

    /// Which paths are one of `names`, or below one.
    pub(super) fn select(&self, names: &BTreeSet<Vec<u8>>) -> Vec<bool> {
        let mut selected = vec![false; self.len()];
        for name in names {
            if let Some(at) = self.find(name) {
                selected[at as usize] = true;
            }
            let folder = [name, &b"/"[..]].concat();
            let mut at = self.first_not_before(&folder);
            while at < self.len() && self.get(at as u32).starts_with(&folder) {
                selected[at] = true;
                at += 1;
            }
        }
        selected
    }

    fn first_not_before(&self, path: &[u8]) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle as u32) < path {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
