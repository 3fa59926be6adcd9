//! What was done to tracked files of the worktree and is not staged. Ours and not git's: git would hand each file to the filter
//! that the clone's attributes and config name, and would ask submodules for their state by their own config. Here a file's
//! bytes are held against the staged ones as they are.

use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;
use rayon::prelude::*;

use super::disk::Parents;
use super::index_file::{GitIndex, Stat};
use super::program::hex;
use super::raw::{RawChange, Status};
use super::repository::GitRepository;
use super::{EntryKind, ReadResult, Source, SourceError};
use crate::base::path::RepoPath;

/// How many files are read and compared together.
const BATCH: usize = 512;

/// Tracked files that are not as they are staged.
#[derive(Debug, Default)]
pub(super) struct Unstaged {
    /// Deleted files, with the objects that are staged for them, in hexadecimal.
    gone: BTreeMap<Vec<u8>, String>,
    changed: BTreeSet<Vec<u8>>,
}

impl Unstaged {
    /// Turn the changes of the index against a commit into those of the worktree against it.
    pub(super) fn add_to(mut self, changes: &mut Vec<RawChange>) {
        let staged = std::mem::take(changes).into_iter();
        let change = |mut change: RawChange| match change.status {
            Status::Deleted => Some(change),
            status if self.gone.remove(&change.to).is_some() => {
                let deleted = RawChange { status: Status::Deleted, to: change.from.clone(), ..change };
                (status != Status::Added).then_some(deleted)
            }
            status => {
                if self.changed.remove(&change.to) && matches!(status, Status::Renamed { .. }) {
                    change.status = Status::Renamed { exact: false };
                }
                Some(change)
            }
        };
        changes.extend(staged.filter_map(change));
        let gone = |(path, object): (_, String)| RawChange {
            object: object.into_bytes(),
            ..RawChange::at(Status::Deleted, path)
        };
        changes.extend(self.gone.into_iter().map(gone));
        changes.extend(self.changed.into_iter().map(|path| RawChange::at(Status::Modified, path)));
    }
}

/// Compare the worktree, which is `source`, with the index. Submodules are other repositories and are left alone.
pub(super) fn find(repository: &GitRepository, source: &dyn Source) -> Result<Unstaged, SourceError> {
    let index = repository.index()?;
    let Some(root) = source.worktree_root() else { return Ok(Unstaged::default()) };
    let (staged, listing) = (&index.staged.listing, source.listing());
    let parents = Parents::of(root, staged.iter().map(|entry| entry.path));
    let noted = repository.noted_stats().filter(|noted| noted.stats.len() == staged.len());
    let keeps_modes = cfg!(unix) && repository.trusts_modes();
    let look = |number: usize| {
        let entry = staged.entry(number);
        match listing.kind(entry.path) {
            _ if entry.kind == EntryKind::Submodule => MetadataState::Same,
            None => MetadataState::Gone,
            Some(kind) if kind != entry.kind => MetadataState::Changed,
            Some(kind) => {
                let Ok(meta) = parents.stat(entry.path) else {
                    // Left out of the checkout, and so listed as it is staged.
                    let is_skipped = index.skipped.binary_search_by(|path| path.as_bytes().cmp(entry.path)).is_ok();
                    return if is_skipped { MetadataState::Same } else { MetadataState::Open };
                };
                let is_untouched = noted
                    .as_ref()
                    .is_some_and(|noted| noted.stats[number].is_untouched(Stat::of_file(&meta), noted.index));
                match kind {
                    EntryKind::File if noted.is_some() && keeps_modes && mode_differs(&index, number, &meta) => {
                        MetadataState::Changed
                    }
                    _ if is_untouched => MetadataState::Same,
                    _ => MetadataState::Open,
                }
            }
        }
    };
    let looks: Vec<MetadataState> = (0..staged.len()).into_par_iter().map(look).collect();
    let mut unstaged = Unstaged::default();
    let mut open = Vec::new();
    for (number, look) in looks.into_iter().enumerate() {
        match look {
            MetadataState::Same => {}
            MetadataState::Gone => {
                unstaged.gone.insert(staged.entry(number).path.to_vec(), hex(index.staged.id(number)));
            }
            MetadataState::Changed => _ = unstaged.changed.insert(staged.entry(number).path.to_vec()),
            MetadataState::Open => open.push(number),
        }
    }
    for batch in open.chunks(BATCH) {
        let paths: Vec<RepoPath> = batch.iter().map(|&number| RepoPath::new(staged.entry(number).path)).collect();
        let ids: Vec<&[u8]> = batch.iter().map(|&number| index.staged.id(number)).collect();
        let on_disk = source.read_many(&paths);
        for ((path, on_disk), stored) in paths.iter().zip(&on_disk).zip(&repository.blobs(&ids)) {
            if !is_same(on_disk, stored) {
                unstaged.changed.insert(path.as_bytes().to_vec());
            }
        }
    }
    Ok(unstaged)
}

/// What a look at a file's metadata tells.
enum MetadataState {
    Same,
    Gone,
    Changed,
    /// Its content has to be compared.
    Open,
}

/// Whether a file is executable and was not staged so, or the reverse.
#[cfg(unix)]
fn mode_differs(index: &GitIndex, number: usize, meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let is_staged = index.executable.binary_search(&(number as u32)).is_ok();
    is_staged != (meta.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn mode_differs(_index: &GitIndex, _number: usize, _meta: &std::fs::Metadata) -> bool {
    false
}

/// Whether a file is as it was staged. What cannot be read counts as changed, so that nothing is passed over.
fn is_same(on_disk: &ReadResult, stored: &ReadResult) -> bool {
    match (on_disk, stored) {
        (Ok(on_disk), Ok(stored)) => on_disk == stored || is_checked_out(on_disk, stored),
        _ => false,
    }
}

/// Whether a file equals what git writes to disk when it turns line ends into CRLF.
fn is_checked_out(on_disk: &[u8], stored: &[u8]) -> bool {
    on_disk.len() > stored.len() && !stored.contains(&b'\r') && stored.replace("\n", "\r\n") == on_disk
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(status: Status, from: &str, to: &str) -> RawChange {
        RawChange { to: to.into(), ..RawChange::at(status, from) }
    }

    #[test]
    fn what_the_worktree_changes_comes_on_top_of_what_is_staged() {
        let exact = Status::Renamed { exact: true };
        let paths = |paths: [&'static str; 4]| paths.map(|path| path.as_bytes().to_vec());
        let unstaged = Unstaged {
            gone: paths(["a", "m", "r2", "x"]).map(|path| (path, "1".to_owned())).into(),
            changed: paths(["a2", "m2", "s2", "y"]).into(),
        };
        let mut changes = vec![
            change(Status::Added, "a", "a"),
            change(Status::Added, "a2", "a2"),
            change(Status::Deleted, "d", "d"),
            change(Status::Modified, "m", "m"),
            change(Status::Modified, "m2", "m2"),
            change(exact, "r1", "r2"),
            change(exact, "s1", "s2"),
            change(exact, "t1", "t2"),
        ];
        unstaged.add_to(&mut changes);
        let expected = [
            change(Status::Added, "a2", "a2"),
            change(Status::Deleted, "d", "d"),
            change(Status::Deleted, "m", "m"),
            change(Status::Modified, "m2", "m2"),
            change(Status::Deleted, "r1", "r1"),
            change(Status::Renamed { exact: false }, "s1", "s2"),
            change(exact, "t1", "t2"),
            RawChange { object: b"1".to_vec(), ..change(Status::Deleted, "x", "x") },
            change(Status::Modified, "y", "y"),
        ];
        assert_eq!(changes, expected);
    }

    #[test]
    fn only_line_ends_as_git_converts_them_are_no_change() {
        assert!(is_checked_out(b"a\r\nb\r\n", b"a\nb\n"));
        for (on_disk, stored) in [("a\r\nb\n", "a\nb\n"), ("a\n", "a\r\n"), ("a\r\r\n", "a\r\n"), ("a\r\nc", "a\nb")] {
            assert!(!is_checked_out(on_disk.as_bytes(), stored.as_bytes()), "{on_disk:?}");
        }
    }
}
