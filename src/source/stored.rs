//! What git has stored: the index, or a commit. Both are a list of paths with the objects that hold their bytes.

use std::path::PathBuf;
use std::sync::Arc;

use super::disk::Parents;
use super::ignored::Ignored;
use super::index_file::GitIndex;
use super::repository::GitRepository;
use super::snapshot::Snapshot;
use super::{EntryKind, Listing, Probe, ReadResult, Source, SourceError, SourceReadError};
use crate::base::path::RepoPath;

/// The index or a commit of a repository.
pub(super) struct Stored {
    repository: Arc<GitRepository>,
    snapshot: Snapshot,
    ignored: Ignored,
    /// Where files lie that are not staged yet, for the index.
    worktree: Option<PathBuf>,
    notes: Vec<String>,
    /// What knows the modes of the files.
    modes: Modes,
}

/// Which of the two it is.
enum Modes {
    Index(Arc<GitIndex>),
    Commit(String),
}

impl Stored {
    /// The files of an index, and where those lie that are not staged yet.
    pub(super) fn of_index(
        repository: Arc<GitRepository>,
        index: Arc<GitIndex>,
        worktree: PathBuf,
        notes: Vec<String>,
    ) -> Self {
        let (snapshot, ignored) = (index.staged.clone(), Ignored::default());
        Stored { repository, snapshot, ignored, worktree: Some(worktree), notes, modes: Modes::Index(index) }
    }

    /// The files of a commit.
    pub(super) fn of_commit(repository: Arc<GitRepository>, commit: &str) -> Result<Self, SourceError> {
        let (snapshot, notes) = (repository.tree(commit)?, repository.notes());
        let (ignored, modes) = (Ignored::default(), Modes::Commit(commit.to_owned()));
        Ok(Stored { repository, snapshot, ignored, worktree: None, notes, modes })
    }
}

impl Source for Stored {
    fn listing(&self) -> &Arc<Listing> {
        &self.snapshot.listing
    }

    fn read_many(&self, paths: &[RepoPath]) -> Vec<ReadResult> {
        let mut blobs = Vec::with_capacity(paths.len());
        let mut results: Vec<ReadResult> = Vec::with_capacity(paths.len());
        let mut pending = Vec::with_capacity(paths.len());
        for path in paths {
            results.push(match self.snapshot.blob(path.as_bytes()) {
                Some((blob, EntryKind::File | EntryKind::Symlink)) => {
                    blobs.push(blob);
                    pending.push(results.len());
                    Err(SourceReadError::Missing)
                }
                Some(_) => Err(SourceReadError::Directory),
                None if self.snapshot.listing.has_dir(path.as_bytes()) => Err(SourceReadError::Directory),
                None => Err(SourceReadError::Missing),
            });
        }
        for (index, result) in pending.into_iter().zip(self.repository.blobs(&blobs)) {
            results[index] = result;
        }
        results
    }

    fn not_executable(&self, paths: &[RepoPath]) -> Vec<RepoPath> {
        match &self.modes {
            _ if paths.is_empty() => Vec::new(),
            Modes::Index(index) => index.not_executable(paths),
            Modes::Commit(commit) => self.repository.not_executable(commit, paths),
        }
    }

    fn probe_many(&self, paths: &[RepoPath]) -> Vec<Probe> {
        let read = |path: &[u8]| self.read(&RepoPath::new(path)).ok();
        let parents = self.worktree.as_deref().map(|root| Parents::of(root, paths.iter().map(RepoPath::as_bytes)));
        let in_worktree = |path: &[u8]| parents.as_ref().is_some_and(|p| p.stat(path).is_ok_and(|meta| !meta.is_dir()));
        let probe = |path: &RepoPath| match path.as_bytes() {
            bytes if self.snapshot.listing.contains(bytes) => Probe::Tracked,
            bytes if self.snapshot.listing.has_dir(bytes) => Probe::Directory,
            bytes if self.ignored.excludes(bytes, &read) => Probe::Ignored,
            bytes if in_worktree(bytes) => Probe::Untracked,
            _ => Probe::Absent,
        };
        paths.iter().map(probe).collect()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}
