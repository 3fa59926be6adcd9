//! Where a repository's bytes come from: the worktree, the git index, a commit, or memory, behind one trait.
//!
//! A source lists repository-relative paths, reads them without following links, and says what it knows of a path that it
//! does not list. Nothing outside this module may know which source it talks to.

mod changes;
mod commit;
mod disk;
mod error;
pub mod history;
pub(crate) mod ignored;
mod index_file;
mod listing;
mod memory;
mod objects;
mod open;
mod program;
mod raw;
pub(crate) mod regular;
mod repository;
mod shape;
mod snapshot;
mod stored;
mod suggest;
mod texts;
mod tree;
mod unstaged;
mod vars;
mod walk;
mod worktree;

use std::fmt;
use std::sync::Arc;

use crate::base::path::RepoPath;

pub use changes::{Base, ChangeKind, ChangedPath, Changes};
pub use error::SourceError;
pub(crate) use listing::Listing;
pub(crate) use listing::ListingBuilder;
pub use listing::{EntryKind, ListedPath};
pub use memory::Memory;
pub(crate) use open::find;
pub use open::{Opened, Side, Spec, open};
pub(crate) use program::hex;
pub(crate) use texts::is_binary;
pub(crate) use texts::{FileContent, TextVisitor};
pub use vars::GitVars;

/// Largest file that is read for parsing, in bytes (8 MiB).
pub const MAX_FILE_BYTES: u64 = 8 * 1024 * 1024;

/// What a source knows about one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Listed and under version control; outside git, listed.
    Tracked,
    /// Exists, is not ignored, and is not under version control.
    Untracked,
    /// Not listed, and an ignore file of the repository excludes it, whether it exists or not: what is built or personal is
    /// there on one machine and missing on the next, and all sources have to agree.
    Ignored,
    /// Exists as a directory.
    Directory,
    /// Does not exist.
    Absent,
    /// The source cannot tell.
    Unknown,
}

/// Why the bytes of a path could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceReadError {
    /// Nothing is there.
    Missing,
    /// A directory, or a submodule.
    Directory,
    /// A FIFO, device or socket, which is never opened.
    Special,
    /// In a git directory, of which nothing is loaded.
    GitDirectory,
    /// Larger than [`MAX_FILE_BYTES`]; the size in bytes.
    TooLarge(u64),
    /// The source failed: permission, I/O, a corrupt object. This is a failure of the run, not a finding.
    Failed(String),
}

impl fmt::Display for SourceReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceReadError::Missing => f.write_str("no such file"),
            SourceReadError::Directory => f.write_str("is a directory"),
            SourceReadError::Special => f.write_str("is a FIFO, device or socket"),
            SourceReadError::GitDirectory => f.write_str("lies in a git directory"),
            SourceReadError::TooLarge(size) => {
                write!(f, "is {size} bytes, over the limit of {} bytes", MAX_FILE_BYTES)
            }
            SourceReadError::Failed(why) => f.write_str(why),
        }
    }
}

/// A file's bytes, or why there are none.
pub(crate) type ReadResult = Result<Arc<[u8]>, SourceReadError>;

/// A repository's bytes. Implementations are not required to be `Sync`: reading comes first, parallel work over values after.
pub trait Source {
    /// All paths, sorted bytewise. Computed once.
    fn listing(&self) -> &Arc<Listing>;

    /// The bytes of many listed files; for a symlink, the link's target text. Never follows a link, in any component.
    /// The answer has the order and length of `paths`.
    fn read_many(&self, paths: &[RepoPath]) -> Vec<ReadResult>;

    /// What is known about each path, listed or not. Never follows a link in a parent component.
    fn probe_many(&self, paths: &[RepoPath]) -> Vec<Probe>;

    /// Those of `paths` that git tracks as files which are not executable; none where that is not known.
    fn not_executable(&self, _paths: &[RepoPath]) -> Vec<RepoPath> {
        Vec::new()
    }

    /// The bytes of one file; see [`Source::read_many`].
    fn read(&self, path: &RepoPath) -> ReadResult {
        self.read_many(std::slice::from_ref(path)).pop().unwrap_or(Err(SourceReadError::Missing))
    }

    /// Show the contents of many listed files to `look`, with few of them in memory at a time; for a symlink, its target
    /// text. Binary files need not be read to their end.
    fn each_text(&self, paths: &[RepoPath], look: &TextVisitor<'_>) {
        texts::in_batches(self, paths, look);
    }

    /// Directories of a worktree with nothing in them, sorted. They are not listed, since git does not know them.
    fn empty_dirs(&self) -> &[RepoPath] {
        &[]
    }

    /// Directories of a worktree that could not be read, and why: failures of the run.
    fn unreadable(&self) -> &[(RepoPath, String)] {
        &[]
    }

    /// Things the user should know about how this source answered, such as a shallow clone.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether git knows which files are tracked; outside git all that are listed count as such.
    fn is_versioned(&self) -> bool {
        true
    }

    /// The directory that edits are written to, when this source is a worktree.
    fn worktree_root(&self) -> Option<&std::path::Path> {
        None
    }
}
