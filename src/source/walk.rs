//! The walk through a worktree's directories, by all cores: which of the tracked files are there, and what lies there
//! besides that no ignore file excludes. Never follows a link and opens only directories and ignore files.
//!
//! Ours and not the `ignore` crate's, whose patterns it uses: a tracked file needs no pattern to be matched, an ignore file
//! may be a link or a FIFO, and a repository inside the repository must be left out whole.

use std::fs::{DirEntry, FileType};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::ignored::{self, Rules};
use super::regular::{self, Links};
use super::{EntryKind, Listing, MAX_FILE_BYTES};
use crate::base::path::{bytes_to_os_path, is_temporary, join, os_path_to_bytes};

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct WalkedFiles {
    /// Tracked paths that are there, as positions in the listing of tracked paths.
    pub(super) tracked: Vec<(usize, EntryKind)>,
    /// Other paths, not ignored.
    pub(super) untracked: Vec<(Vec<u8>, EntryKind)>,
    /// Directories with nothing in them.
    pub(super) empty_dirs: Vec<Vec<u8>>,
    /// Directories that could not be read, and why.
    pub(super) unreadable: Vec<(Vec<u8>, String)>,
}

/// Walk `root`, whose tracked paths are `tracked`. `git_dir` is left out wherever it lies.
pub(super) fn walk(root: &Path, git_dir: Option<&Path>, tracked: &Listing) -> WalkedFiles {
    let walk = WorktreeWalk { root, git_dir, tracked, found: Mutex::default() };
    rayon::scope(|scope| walk.directory(scope, Vec::new(), None));
    walk.found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

struct WorktreeWalk<'a> {
    root: &'a Path,
    git_dir: Option<&'a Path>,
    tracked: &'a Listing,
    found: Mutex<WalkedFiles>,
}

impl WorktreeWalk<'_> {
    /// Look at one directory, and leave its directories to idle threads.
    fn directory<'s>(&'s self, scope: &rayon::Scope<'s>, dir: Vec<u8>, rules: Option<Arc<Rules>>) {
        let place = self.root.join(bytes_to_os_path(&dir));
        let entries = match read_dir(&place) {
            Ok(entries) => entries,
            Err(error) => {
                self.found().unreadable.push((dir, error.to_string()));
                return;
            }
        };
        if !dir.is_empty() && is_other_repository(&place, &entries) {
            return;
        }
        let rules = match entries.iter().find(|entry| entry.name == ignored::FILE_NAME) {
            Some(entry) if entry.kind == Some(EntryKind::File) => self.more_rules(&dir, rules),
            _ => rules,
        };
        let mut mine = WalkedFiles::default();
        if entries.is_empty() && !dir.is_empty() {
            mine.empty_dirs.push(dir.clone());
        }
        // Where the directory's tracked paths begin; sorted names then need a short search each.
        let range = self.tracked.below(&dir);
        for entry in entries {
            if entry.name.eq_ignore_ascii_case(b".git") {
                continue;
            }
            let path = join(&dir, &entry.name);
            let tracked = self.tracked.index_within(range.clone(), &path);
            match (entry.kind, tracked) {
                (Some(kind), Some(index)) => mine.tracked.push((index, kind)),
                (Some(kind), None) => {
                    // A temporary file of ours, also one that a killed run left behind.
                    if !is_temporary(&entry.name) && !ignored::excludes(rules.as_ref(), &path, false) {
                        mine.untracked.push((path, kind));
                    }
                }
                // A tracked path that is a directory now: a submodule, or a file that made way for a directory.
                (None, Some(index)) if self.tracked.entry(index).kind == EntryKind::Submodule => {}
                (None, _) => {
                    let is_git_dir =
                        self.git_dir.is_some_and(|git_dir| git_dir == place.join(bytes_to_os_path(&entry.name)));
                    if !is_git_dir && !ignored::excludes(rules.as_ref(), &path, true) {
                        let rules = rules.clone();
                        scope.spawn(move |scope| self.directory(scope, path, rules));
                    }
                }
            }
        }
        let mut found = self.found();
        found.tracked.append(&mut mine.tracked);
        found.untracked.append(&mut mine.untracked);
        found.empty_dirs.append(&mut mine.empty_dirs);
    }

    fn more_rules(&self, dir: &[u8], above: Option<Arc<Rules>>) -> Option<Arc<Rules>> {
        let file = self.root.join(bytes_to_os_path(&join(dir, ignored::FILE_NAME)));
        let mut bytes = Vec::new();
        let read =
            regular::open(&file, Links::Refuse).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
        match read {
            Ok(count) if count as u64 <= MAX_FILE_BYTES => Rules::new(above, dir, &bytes),
            _ => above,
        }
    }

    fn found(&self) -> std::sync::MutexGuard<'_, WalkedFiles> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name in a directory; no kind means a directory.
struct WalkedName {
    name: Vec<u8>,
    kind: Option<EntryKind>,
}

fn read_dir(place: &PathBuf) -> std::io::Result<Vec<WalkedName>> {
    let name = |entry: DirEntry| {
        let kind = kind_of(entry.file_type()?);
        Ok(WalkedName { name: os_path_to_bytes(Path::new(&entry.file_name())), kind })
    };
    // A name whose kind cannot be told has vanished.
    let known = |entry: std::io::Result<DirEntry>| entry.and_then(name).ok();
    Ok(std::fs::read_dir(place)?.filter_map(known).collect())
}

/// What a file type stands for in a listing; `None` for a directory.
pub(super) fn kind_of(file_type: FileType) -> Option<EntryKind> {
    match file_type {
        kind if kind.is_dir() => None,
        kind if kind.is_symlink() => Some(EntryKind::Symlink),
        kind if kind.is_file() => Some(EntryKind::File),
        _ => Some(EntryKind::Special),
    }
}

/// Whether a directory is the top of another worktree: it has a `.git` that is a repository, or a file that names one.
fn is_other_repository(place: &Path, entries: &[WalkedName]) -> bool {
    let git = entries.iter().find(|entry| entry.name == b".git");
    match git.map(|entry| entry.kind) {
        Some(None) => place.join(".git/HEAD").symlink_metadata().is_ok(),
        Some(Some(EntryKind::File | EntryKind::Symlink)) => true,
        _ => false,
    }
}
