//! Where the file lies, when it may be used, and what else its content depends on.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::{Cache, MAX_BYTES};
use crate::source::regular::{self, Links};
use crate::source::repository::GitRepository;

/// The folder in a git directory, and the file in it. Linked worktrees share it.
const FOLDER: &str = "hintlint";
const FILE: &str = "hintlint/history";

/// Where a repository's cache lies.
#[derive(Debug)]
pub(in crate::source) struct CachePlace {
    /// The directory that linked worktrees share.
    pub(in crate::source) common_dir: PathBuf,
    /// What the commits depend on besides their names.
    key: [u8; 20],
}

impl CachePlace {
    /// The place for a repository; `None` where other things than a commit's name decide what it changed, so that nothing can
    /// be kept.
    pub(in crate::source::history) fn of(repository: &GitRepository) -> Option<CachePlace> {
        if !repository.has_lasting_history() {
            return None;
        }
        Some(CachePlace { common_dir: repository.common_dir().to_owned(), key: repository.shallow_key() })
    }

    /// The path of the file below [`CachePlace::common_dir`].
    pub(in crate::source) fn file(&self) -> &'static str {
        FILE
    }

    /// What the file holds; empty if it is missing or not ours.
    pub(in crate::source::history) fn read(&self) -> Cache {
        let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
        if !is_folder(&self.common_dir.join(FOLDER)) {
            return Cache::default();
        }
        let Ok(file) = regular::open(&self.common_dir.join(FILE), Links::Refuse) else { return Cache::default() };
        // The size is a guess that saves copies; the reading below is bounded.
        let size = file.metadata().map_or(0, |meta| meta.len().min(MAX_BYTES as u64));
        let mut bytes = Vec::with_capacity(size as usize + 1);
        let read = file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes);
        read.ok().and_then(|_| Cache::parse(&bytes, &self.key)).unwrap_or_default()
    }

    /// The bytes of the file, if there is anything new to be kept and nothing changed meanwhile.
    pub(in crate::source::history) fn bytes(&self, cache: &Cache, repository: &GitRepository) -> Option<Vec<u8>> {
        let holds = || repository.has_lasting_history() && repository.shallow_key() == self.key;
        (cache.is_changed() && holds()).then(|| cache.to_bytes(&self.key))
    }
}
