//! Which files of a commit are not executable. Only the few files that settings run are asked about, so their folders are read
//! again instead of keeping the mode of every file.

use std::collections::{BTreeMap, BTreeSet};

use git2::Oid;

use super::{GitRepository, tree_of};
use crate::base::path::{self, RepoPath};
use crate::source::objects::{ObjectReader, ObjectStore};
use crate::source::tree;

/// The mode of a file, without the bits that say who may do what.
const FILE: u32 = 0o100_000;
/// The bit that makes a file executable for its owner; git keeps no other.
const EXECUTABLE: u32 = 0o100;

impl GitRepository {
    /// Those of `paths` that are files of `commit` and not executable; none where the modes cannot be read.
    pub(in crate::source) fn not_executable(&self, commit: &str, paths: &[RepoPath]) -> Vec<RepoPath> {
        let here = self.objects().and_then(|objects| plain_files(objects, commit, paths));
        // The program reads what we cannot: SHA-256, objects elsewhere.
        let plain = here.or_else(|| self.program().plain_files(commit, paths)).unwrap_or_default();
        paths.iter().filter(|path| plain.contains(*path)).cloned().collect()
    }
}

/// Whether a mode in octal is that of a file that is not executable.
pub(in crate::source) fn is_plain(mode: &[u8]) -> bool {
    let mode = std::str::from_utf8(mode).ok().and_then(|mode| u32::from_str_radix(mode, 8).ok());
    mode.is_some_and(|mode| mode & 0o170_000 == FILE && mode & EXECUTABLE == 0)
}

/// Those of `paths` that are not executable; `None` where a tree cannot be read.
fn plain_files(objects: &ObjectStore, commit: &str, paths: &[RepoPath]) -> Option<BTreeSet<RepoPath>> {
    let root = tree_of(objects, commit).ok()?;
    let mut by_folder: BTreeMap<&[u8], Vec<&RepoPath>> = BTreeMap::new();
    paths.iter().for_each(|path| by_folder.entry(path.parent()).or_default().push(path));
    objects.with_reader(|reader| {
        let mut plain = BTreeSet::new();
        for (folder, paths) in by_folder {
            let Some(id) = folder_at(reader, root, folder)? else { continue };
            let tree = tree::read(reader, id).ok()?;
            let modes = tree::modes(&tree).ok()?;
            let is_plain =
                |path: &&&RepoPath| modes.get(path::file_name(path.as_bytes())).is_some_and(|mode| is_plain(mode));
            plain.extend(paths.iter().filter(is_plain).map(|path| (*path).clone()));
        }
        Some(plain)
    })
}

/// The tree of a folder; `None` inside where there is no such folder, `None` outside where a tree cannot be read.
fn folder_at(reader: &ObjectReader, root: Oid, folder: &[u8]) -> Option<Option<Oid>> {
    let mut id = root;
    for name in folder.split(|&byte| byte == b'/').filter(|name| !name.is_empty()) {
        let tree = tree::read(reader, id).ok()?;
        match tree::folder(&tree, name).ok()? {
            Some(below) => id = below,
            None => return Some(None),
        }
    }
    Some(Some(id))
}
