//! The files and folders of a repository, read through a [`World`] path by path. Links are followed inside the repository; what lies
//! in submodules and git directories is no part of it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::target::PathTree;
use crate::base::path::{self, RepoPath};
use crate::world::links::{self, Resolution};
use crate::world::{AbsPath, FileType, World};

/// Values that are made once per key.
pub(super) struct Once<K, V>(Mutex<HashMap<K, Arc<OnceLock<Arc<V>>>>>);

impl<K: Eq + Hash, V> Once<K, V> {
    pub(super) fn new() -> Self {
        Once(Mutex::new(HashMap::new()))
    }

    /// The value of `key`. `make` must not request the same key.
    pub(super) fn get(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        let cell = self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        cell.get_or_init(|| Arc::new(make())).clone()
    }
}

/// What stands at a path that passes through no link.
pub(super) enum PathContent {
    Nothing,
    File,
    Directory,
    Submodule,
    GitDirectory,
    Special,
    Link(Vec<u8>),
}

/// The paths of the repository at a directory of a world. Each is looked at once.
pub(super) struct Places<W> {
    pub(super) world: W,
    root: AbsPath,
    known: Once<Vec<u8>, PathContent>,
}

impl<W: World> Places<W> {
    pub(super) fn new(world: W, root: AbsPath) -> Self {
        Places { world, root, known: Once::new() }
    }

    /// The path in the world of a path in the repository.
    pub(super) fn absolute(&self, path: &[u8]) -> AbsPath {
        self.root.join(path)
    }

    /// The path in the repository of a path in the world.
    pub(super) fn relative(&self, path: &AbsPath) -> RepoPath {
        RepoPath::new(path.relative_to(&self.root))
    }

    /// Whether a file lies below `dir`, and not in the directory `but`. Git knows no other directories.
    pub(super) fn holds_files(&self, dir: &[u8], but: &[u8]) -> bool {
        let mut dirs = vec![dir.to_vec()];
        while let Some(dir) = dirs.pop() {
            if !matches!(*self.at(&dir), PathContent::Directory) {
                continue;
            }
            for entry in self.world.read_dir(&self.root.join(&dir)) {
                let path = path::join(&dir, &entry.name);
                match entry.kind {
                    FileType::Directory if path == but => {}
                    FileType::Directory if !matches!(*self.at(&path), PathContent::Submodule) => dirs.push(path),
                    _ => return true,
                }
            }
        }
        false
    }

    /// What stands at `path`, which passes through no link.
    pub(super) fn at(&self, path: &[u8]) -> Arc<PathContent> {
        self.known.get(path.to_vec(), || {
            let at = self.root.join(path);
            match self.world.link_type(&at) {
                None => PathContent::Nothing,
                Some(FileType::File) => PathContent::File,
                Some(FileType::Special) => PathContent::Special,
                Some(FileType::Link) => self.world.read_link(&at).map_or(PathContent::Nothing, PathContent::Link),
                Some(FileType::Directory) if path.is_empty() => PathContent::Directory,
                Some(FileType::Directory) if self.world.link_type(&at.join(".git")).is_some() => PathContent::Submodule,
                Some(FileType::Directory) if self.world.is_git_dir(&at) => PathContent::GitDirectory,
                Some(FileType::Directory) => PathContent::Directory,
            }
        })
    }

    /// What stands at `path`, which is no link, and what stops the way there.
    fn classify(&self, path: &[u8]) -> Resolution {
        for end in links::ends(path) {
            let whole = end == path.len();
            match *self.at(&path[..end]) {
                _ if path::is_dot_git(path::file_name(&path[..end])) => return Resolution::Outside,
                PathContent::GitDirectory => return Resolution::Outside,
                PathContent::Submodule => return Resolution::Submodule,
                PathContent::File if whole => return Resolution::File(RepoPath::new(path)),
                PathContent::Special if whole => return Resolution::Special,
                PathContent::Directory => {}
                _ => return Resolution::Missing(RepoPath::new(path)),
            }
        }
        match path.is_empty() || self.holds_files(path, b"") {
            true => Resolution::Directory(RepoPath::new(path)),
            false => Resolution::Missing(RepoPath::new(path)),
        }
    }
}

impl<W: World> PathTree for Places<W> {
    fn resolve(&self, path: &[u8]) -> Resolution {
        let first_link = |path: &[u8]| {
            for end in links::ends(path) {
                match &*self.at(&path[..end]) {
                    PathContent::Link(target) => return Some((end, target.clone())),
                    PathContent::Directory => {}
                    _ => return None,
                }
            }
            None
        };
        links::follow(path, first_link, |path| self.classify(path))
    }

    fn has_dir(&self, path: &[u8]) -> bool {
        matches!(self.classify(path), Resolution::Directory(_))
    }

    fn is_git(&self, path: &[u8]) -> bool {
        let mut places = links::ends(path).map(|end| self.at(&path[..end]));
        let stop = places.find(|place| !matches!(**place, PathContent::Directory));
        path::has_dot_git(path) || stop.is_some_and(|place| matches!(*place, PathContent::GitDirectory))
    }
}
