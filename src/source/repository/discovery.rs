//! Where a git directory lies, told from the files of the directories above, before anything of it is opened: libgit2 and the
//! git program search for themselves, but they read a config as soon as they have found one.

use std::path::{Path, PathBuf};

use crate::base::path::bytes_to_os_path;
use crate::source::regular;

/// Longest `.git`, `commondir` or `gitdir` file that is read, in bytes.
const MAX_POINTER: u64 = 1 << 16;

/// A git directory, and the directory that linked worktrees share, which mostly is the same. Links are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GitDirs {
    pub(super) git_dir: PathBuf,
    pub(super) common_dir: PathBuf,
}

impl GitDirs {
    /// The git directory `dir`, without a check of its contents.
    pub(super) fn at(dir: &Path) -> Option<GitDirs> {
        let git_dir = dir.canonicalize().ok()?;
        let common_dir = common_dir(&git_dir).unwrap_or_else(|| git_dir.clone());
        Some(GitDirs { git_dir, common_dir })
    }

    /// The nearest git directory of `start`: the one that a `.git` names, or a directory that looks like one itself.
    pub(super) fn around(start: &Path, ceilings: &[PathBuf]) -> Option<GitDirs> {
        let start = start.canonicalize().ok()?;
        let below_ceilings = start.ancestors().take_while(|dir| *dir == start || !is_ceiling(dir, ceilings));
        below_ceilings.into_iter().find_map(|dir| {
            let named = named_by(dir).filter(|named| looks_like_one(named));
            let found = named.or_else(|| looks_like_one(dir).then(|| dir.to_owned()))?;
            GitDirs::at(&found)
        })
    }
}

/// The directory that the `.git` in `dir` is, or names; it need not be there.
pub(super) fn named_by(dir: &Path) -> Option<PathBuf> {
    let dot_git = dir.join(".git");
    let meta = dot_git.metadata().ok()?;
    if meta.is_dir() {
        return dot_git.canonicalize().ok();
    }
    let named = pointer(&dot_git, b"gitdir:")?;
    Some(named.canonicalize().unwrap_or(named))
}

/// The path that a file holds behind `prefix`, taken from the file's directory.
pub(super) fn pointer(file: &Path, prefix: &[u8]) -> Option<PathBuf> {
    let text = regular::read(file, MAX_POINTER).ok()?;
    let target = text.strip_prefix(prefix)?.trim_ascii();
    (!target.is_empty()).then(|| file.with_file_name("").join(bytes_to_os_path(target)))
}

/// The directory that the file `commondir` names.
fn common_dir(git_dir: &Path) -> Option<PathBuf> {
    let named = pointer(&git_dir.join("commondir"), b"")?;
    Some(named.canonicalize().unwrap_or(named))
}

/// Whether git may take `dir` for a git directory. It looks closer, and takes fewer.
pub(super) fn looks_like_one(dir: &Path) -> bool {
    let has = |name: &str| dir.join(name).symlink_metadata().is_ok();
    has("HEAD") && (has("commondir") || (has("objects") && has("refs")))
}

fn is_ceiling(dir: &Path, ceilings: &[PathBuf]) -> bool {
    ceilings.iter().any(|ceiling| ceiling == dir || ceiling.canonicalize().is_ok_and(|ceiling| ceiling == dir))
}
