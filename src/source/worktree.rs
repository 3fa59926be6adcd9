//! The worktree: tracked files that are there, and untracked ones that the repository's ignore files do not exclude. Outside
//! git, all files of a folder that its ignore files do not exclude.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::disk::Parents;
use super::ignored::Ignored;
use super::index_file::GitIndex;
use super::repository::GitRepository;
use super::snapshot::Snapshot;
use super::walk::{self, kind_of, walk};
use super::{EntryKind, Listing, ListingBuilder, Probe, ReadResult, Source, SourceReadError, TextVisitor, texts};
use crate::base::path::RepoPath;

/// From this many files on, reading by all cores is faster than reading by one.
const WORTH_SHARING: usize = 32;

/// The files of a worktree or folder.
pub(super) struct Worktree {
    root: PathBuf,
    listing: Arc<Listing>,
    /// All tracked paths; `None` outside git, where every file counts as tracked.
    tracked: Option<Arc<Listing>>,
    /// The repository and its index, for files that a sparse checkout leaves out.
    stored: Option<(Arc<GitRepository>, Snapshot)>,
    /// The index; `None` outside git.
    index: Option<Arc<GitIndex>>,
    empty_dirs: Vec<RepoPath>,
    unreadable: Vec<(RepoPath, String)>,
    ignored: Ignored,
    notes: Vec<String>,
}

impl Worktree {
    /// A folder that is in no repository.
    pub(super) fn of_folder(root: PathBuf) -> Self {
        let mut found = walk(&root, None, &Listing::default());
        let mut builder = ListingBuilder::default();
        for (path, kind) in &found.untracked {
            builder.push(path, *kind);
        }
        Worktree {
            root,
            listing: Arc::new(builder.finish()),
            tracked: None,
            stored: None,
            index: None,
            notes: Vec::new(),
            unreadable: unreadable(&mut found),
            empty_dirs: sorted(found.empty_dirs),
            ignored: Ignored::default(),
        }
    }

    /// The worktree of a repository with that index.
    pub(super) fn of_repository(root: PathBuf, repository: Arc<GitRepository>, index: &Arc<GitIndex>) -> Self {
        let tracked = all_tracked(index);
        let mut found = walk(&root, Some(repository.git_dir()), &tracked);
        let mut notes = repository.notes();
        let unreadable = unreadable(&mut found);
        let skipped = complete(&root, &tracked, index, &unreadable, &mut found);
        if skipped > 0 && repository.is_partial() {
            notes.push(format!(
                "{skipped} files are outside the sparse checkout; those whose contents this partial clone has not \
                 fetched are not checked"
            ));
        }
        let listing = Arc::new(merge(&tracked, &found));
        let stored = (skipped > 0).then(|| (repository, index.staged.clone()));
        let empty_dirs = sorted(found.empty_dirs);
        let ignored = Ignored::default();
        let index = Some(index.clone());
        Worktree { root, listing, tracked: Some(tracked), stored, index, empty_dirs, unreadable, ignored, notes }
    }

    /// Files that a sparse checkout leaves out have the bytes of the index.
    fn read_stored(&self, paths: &[RepoPath], results: &mut [ReadResult]) {
        let Some((repository, snapshot)) = &self.stored else { return };
        let mut blobs = Vec::new();
        let mut pending = Vec::new();
        for (number, (path, result)) in paths.iter().zip(&*results).enumerate() {
            let missing = matches!(result, Err(SourceReadError::Missing)) && self.listing.contains(path.as_bytes());
            if let Some((blob, EntryKind::File | EntryKind::Symlink)) =
                missing.then(|| snapshot.blob(path.as_bytes())).flatten()
            {
                blobs.push(blob);
                pending.push(number);
            }
        }
        let partial = repository.is_partial();
        for (number, result) in pending.into_iter().zip(repository.blobs(&blobs)) {
            results[number] = match result {
                // Neither the checkout nor the clone has it: it is not there, and a note has said so.
                Err(SourceReadError::Failed(_)) if partial => Err(SourceReadError::Missing),
                result => result,
            };
        }
    }
}

impl Source for Worktree {
    fn listing(&self) -> &Arc<Listing> {
        &self.listing
    }

    fn read_many(&self, paths: &[RepoPath]) -> Vec<ReadResult> {
        let parents = Parents::of(&self.root, paths.iter().map(RepoPath::as_bytes));
        let mut results: Vec<ReadResult> = match paths.len() < WORTH_SHARING {
            true => paths.iter().map(|path| parents.read(path)).collect(),
            false => paths.par_iter().map(|path| parents.read(path)).collect(),
        };
        self.read_stored(paths, &mut results);
        results
    }

    fn each_text(&self, paths: &[RepoPath], look: &TextVisitor<'_>) {
        if self.stored.is_some() {
            return texts::in_batches(self, paths, look);
        }
        let parents = Parents::of(&self.root, paths.iter().map(RepoPath::as_bytes));
        paths.par_iter().enumerate().for_each(|(index, path)| look(index, parents.text(path)));
    }

    fn not_executable(&self, paths: &[RepoPath]) -> Vec<RepoPath> {
        self.index.as_ref().map(|index| index.not_executable(paths)).unwrap_or_default()
    }

    fn probe_many(&self, paths: &[RepoPath]) -> Vec<Probe> {
        let read = |path: &[u8]| match self.listing.kind(path) {
            Some(EntryKind::File) => self.read(&RepoPath::new(path)).ok(),
            _ => None,
        };
        let parents = Parents::of(&self.root, paths.iter().map(RepoPath::as_bytes));
        let probe = |path: &RepoPath| match path.as_bytes() {
            bytes if self.listing.contains(bytes) => match &self.tracked {
                Some(tracked) if !tracked.contains(bytes) => Probe::Untracked,
                _ => Probe::Tracked,
            },
            bytes if self.listing.has_dir(bytes) => Probe::Directory,
            bytes if self.ignored.excludes(bytes, &read) => Probe::Ignored,
            bytes => match parents.stat(bytes) {
                Ok(meta) if meta.is_dir() => Probe::Directory,
                Ok(_) => Probe::Untracked,
                Err(SourceReadError::Failed(_)) => Probe::Unknown,
                Err(_) => Probe::Absent,
            },
        };
        paths.iter().map(probe).collect()
    }

    fn unreadable(&self) -> &[(RepoPath, String)] {
        &self.unreadable
    }

    fn empty_dirs(&self) -> &[RepoPath] {
        &self.empty_dirs
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn is_versioned(&self) -> bool {
        self.tracked.is_some()
    }

    fn worktree_root(&self) -> Option<&Path> {
        Some(&self.root)
    }
}

/// Every path under version control, with staged content or without.
fn all_tracked(index: &GitIndex) -> Arc<Listing> {
    if index.without_content.is_empty() {
        return Arc::clone(&index.staged.listing);
    }
    let mut builder = ListingBuilder::default();
    for entry in index.staged.listing.iter() {
        builder.push(entry.path, entry.kind);
    }
    for path in &index.without_content {
        builder.push(path.as_bytes(), EntryKind::File);
    }
    Arc::new(builder.finish())
}

/// Look for the tracked paths that the walk did not come by: submodules, files that are ignored although tracked, and files
/// that a sparse checkout leaves out. Answers how many of the last there are.
fn complete(
    root: &Path,
    tracked: &Listing,
    index: &GitIndex,
    unreadable: &[(RepoPath, String)],
    found: &mut walk::WalkedFiles,
) -> usize {
    let hidden = |path: &[u8]| {
        let below = |dir: &[u8]| dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with(b"/"));
        unreadable.iter().any(|(dir, _)| below(dir.as_bytes()))
    };
    found.tracked.sort_unstable_by_key(|(index, _)| *index);
    let mut seen = vec![false; tracked.len()];
    for (index, _) in &found.tracked {
        seen[*index] = true;
    }
    let unseen: Vec<usize> = (0..tracked.len()).filter(|&index| !seen[index]).collect();
    let parents = Parents::of(root, unseen.iter().map(|&index| tracked.entry(index).path));
    let mut skipped = 0;
    for number in unseen {
        let entry = tracked.entry(number);
        // What lies in a directory that cannot be read is not known to be gone.
        if entry.kind == EntryKind::Submodule || hidden(entry.path) {
            found.tracked.push((number, entry.kind));
            continue;
        }
        let on_disk = parents.stat(entry.path).ok();
        if let Some(kind) = on_disk.and_then(|meta| kind_of(meta.file_type())) {
            found.tracked.push((number, kind));
        } else if index.skipped.binary_search_by(|path| path.as_bytes().cmp(entry.path)).is_ok() {
            found.tracked.push((number, entry.kind));
            skipped += 1;
        }
    }
    found.tracked.sort_unstable_by_key(|(index, _)| *index);
    found.untracked.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    skipped
}

/// One listing of both, each sorted already.
fn merge(tracked: &Listing, found: &walk::WalkedFiles) -> Listing {
    let mut builder = ListingBuilder::default();
    let mut untracked = found.untracked.iter().peekable();
    for &(number, kind) in &found.tracked {
        let path = tracked.entry(number).path;
        while let Some((other, kind)) = untracked.next_if(|(other, _)| other.as_slice() < path) {
            builder.push(other, *kind);
        }
        builder.push(path, kind);
    }
    for (path, kind) in untracked {
        builder.push(path, *kind);
    }
    builder.finish()
}

fn unreadable(found: &mut walk::WalkedFiles) -> Vec<(RepoPath, String)> {
    let mut directories = std::mem::take(&mut found.unreadable);
    directories.sort();
    directories.into_iter().map(|(dir, why)| (RepoPath::new(dir), why)).collect()
}

fn sorted(mut paths: Vec<Vec<u8>>) -> Vec<RepoPath> {
    paths.sort_unstable();
    paths.into_iter().map(RepoPath::new).collect()
}
