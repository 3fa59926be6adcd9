//! What is staged, told by comparing the index with the tree of a commit. Where git has left a tree's name in the index and it
//! is the commit's, nothing below it has changed and nothing below it is read, so that one staged file costs a few trees.
//!
//! Renames are not looked for: where files both went and came, this module gives no answer, and the program does.

use std::cmp::Ordering;
use std::ops::Range;

use git2::Oid;

use super::EntryKind;
use super::index_file::{CachedTree, Index};
use super::objects::Reader;
use super::raw::{RawChange, Status};
use super::tree;

/// Most changed paths, and most trees that are read; the program is better at more.
const MAX_CHANGES: usize = 10_000;
const MAX_TREES: usize = 2_000;

/// A file as a tree or index has it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct File {
    kind: EntryKind,
    executable: bool,
    id: Oid,
}

/// What stands directly in a directory.
enum Node {
    File(File),
    /// A directory of the commit.
    Tree(Oid),
    /// A directory of the index: its entries.
    Entries(Range<usize>),
}

/// The differences between a commit and the index.
struct Comparison<'a> {
    reader: &'a Reader,
    index: &'a Index,
    changes: Vec<RawChange>,
    trees: usize,
}

/// A directory that is still to be compared.
struct Pending<'a> {
    /// Its path; it ends with `/` but for the root's, which is empty.
    dir: Vec<u8>,
    depth: usize,
    tree: Option<Oid>,
    entries: Range<usize>,
    cached: Option<CachedTree<'a>>,
}

/// The changes from the commit's `tree` to `index`, sorted by path; `None` where somebody else must say.
pub(super) fn changes(reader: &Reader, tree: Oid, index: &Index) -> Option<Vec<RawChange>> {
    // Without cached trees everything would have to be read. Of unmerged paths git knows more than is kept here.
    let cached = CachedTree::first(&index.trees)?;
    if !index.unmerged.is_empty() {
        return None;
    }
    let mut comparison = Comparison { reader, index, changes: Vec::new(), trees: 0 };
    let entries = 0..index.staged.listing.len();
    let mut open = vec![Pending { dir: Vec::new(), depth: 0, tree: Some(tree), entries, cached: Some(cached) }];
    while let Some(pending) = open.pop() {
        comparison.directory(pending, &mut open)?;
    }
    let mut changes = comparison.changes;
    let has = |status: Status| changes.iter().any(|change| change.status == status);
    if has(Status::Added) && has(Status::Deleted) {
        return None;
    }
    changes.sort_by(|a, b| a.to.cmp(&b.to));
    Some(changes)
}

impl<'a> Comparison<'a> {
    /// Compare what stands directly in one directory, and leave its directories for later.
    fn directory(&mut self, pending: Pending<'a>, open: &mut Vec<Pending<'a>>) -> Option<()> {
        let Pending { dir, depth, tree, entries, cached } = pending;
        if tree.is_some_and(|tree| cached.and_then(|cached| cached.id) == Some(tree.as_bytes())) {
            return Some(());
        }
        if depth > tree::MAX_DEPTH || self.changes.len() > MAX_CHANGES {
            return None;
        }
        let before = self.of_tree(tree)?;
        let after = self.of_index(&dir, entries);
        let cached = cached.map(|cached| cached.children()).unwrap_or_default();
        let (mut before, mut after) = (before.into_iter().peekable(), after.into_iter().peekable());
        loop {
            let order = match (before.peek(), after.peek()) {
                (None, None) => return Some(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((before, _)), Some((after, _))) => before.cmp(after),
            };
            let before = before.next_if(|_| order.is_le());
            let after = after.next_if(|_| order.is_ge());
            let Some(name) = before.as_ref().or(after.as_ref()).map(|(name, _)| name.clone()) else { return Some(()) };
            let path = [&dir[..], &name].concat();
            match (before.map(|before| before.1), after.map(|after| after.1)) {
                (Some(Node::File(before)), Some(Node::File(after))) if before == after => {}
                (Some(Node::File(_)), Some(Node::File(_))) => self.note(Status::Modified, path),
                (Some(Node::File(_)), _) => self.note(Status::Deleted, path),
                (_, Some(Node::File(_))) => self.note(Status::Added, path),
                (before, after) => {
                    let tree = before.and_then(|before| if let Node::Tree(id) = before { Some(id) } else { None });
                    let entries =
                        after.and_then(|after| if let Node::Entries(range) = after { Some(range) } else { None });
                    let cached = cached.get(name.strip_suffix(b"/").unwrap_or(&name)).copied();
                    open.push(Pending { dir: path, depth: depth + 1, tree, entries: entries.unwrap_or(0..0), cached });
                }
            }
        }
    }

    fn note(&mut self, status: Status, path: Vec<u8>) {
        self.changes.push(RawChange { status, from: path.clone(), to: path });
    }

    /// What stands directly in a tree, by name; a directory's name ends with `/`, by which both sides sort alike.
    fn of_tree(&mut self, tree: Option<Oid>) -> Option<Vec<(Vec<u8>, Node)>> {
        let Some(tree) = tree else { return Some(Vec::new()) };
        self.trees += 1;
        if self.trees > MAX_TREES {
            return None;
        }
        let tree = tree::read(self.reader, tree).ok()?;
        let mut nodes = Vec::new();
        let mut at = 0;
        while let Some(entry) = tree::next_entry(&tree, &mut at).ok()? {
            let node = match entry.kind {
                Some(kind) => Node::File(File { kind, executable: entry.executable, id: entry.id }),
                None => Node::Tree(entry.id),
            };
            let slash: &[u8] = if entry.kind.is_none() { b"/" } else { b"" };
            nodes.push(([entry.name, slash].concat(), node));
        }
        // Only broken trees are out of order.
        nodes.is_sorted_by(|a, b| a.0 < b.0).then_some(nodes)
    }

    /// What stands directly in a directory of the index.
    fn of_index(&self, dir: &[u8], entries: Range<usize>) -> Vec<(Vec<u8>, Node)> {
        let snapshot = &self.index.staged;
        let mut nodes = Vec::new();
        let mut at = entries.start;
        while at < entries.end {
            let entry = snapshot.listing.entry(at);
            let rest = &entry.path[dir.len()..];
            match memchr::memchr(b'/', rest) {
                Some(slash) => {
                    let below = snapshot.listing.below(&entry.path[..dir.len() + slash]);
                    nodes.push((rest[..=slash].to_vec(), Node::Entries(at..below.end)));
                    at = below.end.max(at + 1);
                }
                None => {
                    let executable = self.index.executable.binary_search(&(at as u32)).is_ok();
                    // An object name of another length matches nothing.
                    let id = Oid::from_bytes(snapshot.id(at)).unwrap_or(Oid::ZERO_SHA1);
                    nodes.push((rest.to_vec(), Node::File(File { kind: entry.kind, executable, id })));
                    at += 1;
                }
            }
        }
        nodes
    }
}
