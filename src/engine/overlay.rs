//! Unsaved text over a repository's files.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::path::RepoPath;
use crate::source::{Listing, Probe, ReadResult, Source, TextVisitor};

/// A source with other bytes in place of some files: an editor's unsaved text, or what fixes make of a file before it is written.
/// The listing stays the source's: a new file cannot be imported by others before it is saved.
pub struct Overlay<'s> {
    base: &'s dyn Source,
    changed: BTreeMap<RepoPath, Arc<[u8]>>,
}

impl<'s> Overlay<'s> {
    /// `base` with `changed` bytes.
    pub fn new(base: &'s dyn Source, changed: BTreeMap<RepoPath, Arc<[u8]>>) -> Self {
        Overlay { base, changed }
    }

    /// Give `path` new bytes.
    pub fn change(&mut self, path: RepoPath, bytes: Arc<[u8]>) {
        self.changed.insert(path, bytes);
    }

    /// The changed bytes.
    pub fn changed(&self) -> &BTreeMap<RepoPath, Arc<[u8]>> {
        &self.changed
    }
}

impl Source for Overlay<'_> {
    fn listing(&self) -> &Arc<Listing> {
        self.base.listing()
    }

    fn read_many(&self, paths: &[RepoPath]) -> Vec<ReadResult> {
        let mut read = self.base.read_many(paths);
        for (path, result) in paths.iter().zip(&mut read) {
            if let Some(bytes) = self.changed.get(path) {
                *result = Ok(bytes.clone());
            }
        }
        read
    }

    fn each_text(&self, paths: &[RepoPath], look: &TextVisitor<'_>) {
        let changed = &self.changed;
        self.base.each_text(paths, &|index, content| {
            let bytes = changed.get(&paths[index]);
            look(index, bytes.map_or(content, |bytes| Ok(bytes.clone()).into()));
        });
    }

    fn probe_many(&self, paths: &[RepoPath]) -> Vec<Probe> {
        self.base.probe_many(paths)
    }

    fn not_executable(&self, paths: &[RepoPath]) -> Vec<RepoPath> {
        self.base.not_executable(paths)
    }

    fn notes(&self) -> Vec<String> {
        self.base.notes()
    }

    fn unreadable(&self) -> &[(RepoPath, String)] {
        self.base.unreadable()
    }

    fn empty_dirs(&self) -> &[RepoPath] {
        self.base.empty_dirs()
    }

    fn is_versioned(&self) -> bool {
        self.base.is_versioned()
    }

    fn worktree_root(&self) -> Option<&std::path::Path> {
        self.base.worktree_root()
    }
}
