//! The file system as an agent sees it: absolute paths, links followed, an explicit environment.
//!
//! [`HostWorld`] is the real one, lazy, without a listing, and reaches above the repository and into the user's home.
//! [`RepoWorld`] is a repository alone on a virtual root, with nothing above it, no home and no environment. Dialects read
//! through the trait and cannot tell which one they have. Lookups are case-sensitive. Special files are never opened.
//! [`WithoutGit`] is another world without git's own data; a [`RepoWorld`] has none to begin with.

pub mod git_dirs;
mod host;
pub mod links;
mod repo;

pub(crate) use git_dirs::WithoutGit;
pub(crate) use host::HostWorld;
pub(crate) use repo::RepoFiles;
pub use repo::{MemoryFiles, RepoWorld};

use crate::base::path::{bytes_to_os_path, os_path_to_bytes};
use crate::env::Env;
use crate::source;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// An absolute path: bytes, `/` between components, no `.` or `..`, no `/` at the end except for the root itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbsPath(Arc<[u8]>);

impl AbsPath {
    /// `path`, made absolute and normal without looking at any file.
    pub fn new(path: impl AsRef<[u8]>) -> Self {
        AbsPath(Arc::from(&b"/"[..])).resolve(path.as_ref())
    }

    /// An operating-system path, which must be absolute.
    pub(crate) fn from_os(path: &std::path::Path) -> Self {
        AbsPath::new(os_path_to_bytes(path))
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The path as text, with U+FFFD for what is not UTF-8.
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The path for the operating system.
    pub(crate) fn to_os(&self) -> std::path::PathBuf {
        // A drive letter needs no `/` before it.
        let bytes = if cfg!(windows) { self.0.strip_prefix(b"/").unwrap_or(&self.0) } else { &self.0 };
        bytes_to_os_path(bytes)
    }

    /// The directory that holds it; `None` for the root.
    pub fn parent(&self) -> Option<AbsPath> {
        if self.is_root() {
            return None;
        }
        let at = memchr::memrchr(b'/', &self.0)?;
        Some(AbsPath(Arc::from(&self.0[..at.max(1)])))
    }

    /// The directory that holds it, or itself for the root, as `path.dirname` does.
    pub(crate) fn dirname(&self) -> AbsPath {
        self.parent().unwrap_or_else(|| self.clone())
    }

    /// The last component; empty for the root.
    pub fn file_name(&self) -> &[u8] {
        crate::base::path::file_name(&self.0)
    }

    /// Whether it is `/`.
    pub fn is_root(&self) -> bool {
        &*self.0 == b"/"
    }

    /// The entry `name` of this directory.
    pub fn join(&self, name: impl AsRef<[u8]>) -> AbsPath {
        self.resolve(name.as_ref())
    }

    /// `relative` (or an absolute path) as seen from this directory, resolved lexically; `..` above the root stays there.
    pub(crate) fn resolve(&self, relative: &[u8]) -> AbsPath {
        let mut parts: Vec<&[u8]> = Vec::new();
        let base: &[u8] = if relative.first() == Some(&b'/') { b"" } else { &self.0 };
        for part in base.split(|&b| b == b'/').chain(relative.split(|&b| b == b'/')) {
            match part {
                b"" | b"." => {}
                b".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        let mut path = Vec::with_capacity(base.len() + relative.len() + 1);
        for part in parts {
            path.push(b'/');
            path.extend_from_slice(part);
        }
        if path.is_empty() {
            path.push(b'/');
        }
        AbsPath(path.into())
    }

    /// Whether it is `dir` or lies below it, component by component.
    pub fn is_within(&self, dir: &AbsPath) -> bool {
        dir.is_root() || (self.0.starts_with(&dir.0) && matches!(self.0.get(dir.0.len()), None | Some(b'/')))
    }

    /// The path from `dir` to here, with `..` where needed; empty for `dir` itself.
    pub(crate) fn relative_to(&self, dir: &AbsPath) -> Vec<u8> {
        let split = |path: &[u8]| -> Vec<Vec<u8>> {
            path.split(|&b| b == b'/').filter(|part| !part.is_empty()).map(<[u8]>::to_vec).collect()
        };
        let (here, there) = (split(&self.0), split(&dir.0));
        let common = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
        let mut parts: Vec<Vec<u8>> = vec![b"..".to_vec(); there.len() - common];
        parts.extend_from_slice(&here[common..]);
        parts.join(&b'/')
    }

    /// The path itself and the directories above it, up to the root.
    pub(crate) fn ancestors(&self) -> impl Iterator<Item = AbsPath> {
        std::iter::successors(Some(self.clone()), AbsPath::parent)
    }
}

impl fmt::Display for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_str_lossy())
    }
}

impl fmt::Debug for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_str_lossy())
    }
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileType {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link; only where links are not followed.
    Link,
    /// A FIFO, device or socket, or a submodule without content. Never opened.
    Special,
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// There is nothing at the path, or a link there leads nowhere.
    NotFound,
    /// A component that should be a directory is none.
    NotADirectory,
    /// The path is a directory.
    IsDirectory,
    /// Links lead in a circle.
    Loop,
    /// A component is longer than the file system allows.
    NameTooLong,
    /// A FIFO, device or socket.
    Special,
    /// More bytes than this program reads.
    TooLarge,
    /// It lies in a git directory, of which nothing may be loaded.
    GitDirectory,
    /// Permission denied.
    Denied,
    /// It is there, and this run did not load it.
    NotLoaded,
    /// Anything else, in words.
    Other(String),
}

impl ReadError {
    /// Whether the file may well be there, so that the user must be told that it was not read.
    pub(crate) fn is_failure(&self) -> bool {
        matches!(self, ReadError::TooLarge | ReadError::Denied | ReadError::NotLoaded | ReadError::Other(_))
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ReadError::NotFound => "no such file",
            ReadError::NotADirectory => "a part of the path is not a directory",
            ReadError::IsDirectory => "it is a directory",
            ReadError::Loop => "symbolic links lead in a circle",
            ReadError::NameTooLong => "the name is too long",
            ReadError::Special => "it is neither a file nor a directory",
            ReadError::TooLarge => "it is larger than 64 MiB",
            ReadError::GitDirectory => "it lies in a git directory",
            ReadError::Denied => "permission denied",
            ReadError::NotLoaded => "not loaded",
            ReadError::Other(message) => message,
        })
    }
}

impl std::error::Error for ReadError {}

impl From<source::SourceReadError> for ReadError {
    fn from(error: source::SourceReadError) -> ReadError {
        match error {
            source::SourceReadError::Missing => ReadError::NotFound,
            source::SourceReadError::Directory => ReadError::IsDirectory,
            source::SourceReadError::Special => ReadError::Special,
            source::SourceReadError::GitDirectory => ReadError::GitDirectory,
            source::SourceReadError::TooLarge(_) => ReadError::TooLarge,
            source::SourceReadError::Failed(why) => ReadError::Other(why),
        }
    }
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirectoryEntry {
    /// Its name, one path component.
    pub name: Vec<u8>,
    /// Its type; links are not followed.
    pub kind: FileType,
}

/// What a dialect reads through.
pub trait World {
    /// What `path` leads to when links are followed; `None` if to nothing that can be reached.
    fn file_type(&self, path: &AbsPath) -> Option<FileType>;
    /// What stands at `path` itself: links in its last component are not followed.
    fn link_type(&self, path: &AbsPath) -> Option<FileType>;
    /// The bytes of the regular file that `path` leads to.
    fn read(&self, path: &AbsPath) -> Result<Arc<[u8]>, ReadError>;
    /// The entries of a directory in bytewise order of their names; none if it cannot be read.
    fn read_dir(&self, path: &AbsPath) -> Vec<DirectoryEntry>;
    /// The entries of a directory in the order in which the file system gives them, where there is one.
    fn read_dir_as_listed(&self, path: &AbsPath) -> Vec<DirectoryEntry> {
        self.read_dir(path)
    }
    /// Where the link at `path` points, as written.
    fn read_link(&self, path: &AbsPath) -> Option<Vec<u8>>;
    /// `path` with all links resolved; an error if it does not exist.
    fn real_path(&self, path: &AbsPath) -> Result<AbsPath, ReadError>;
    /// The environment variables.
    fn env(&self) -> &Env;
    /// The directory that stands for the repository's root where there is nothing above it; `None` in the real file system.
    fn virtual_root(&self) -> Option<&AbsPath> {
        None
    }

    /// Whether the directory `dir`, whose path holds no links, is a git directory.
    fn is_git_dir(&self, dir: &AbsPath) -> bool {
        git_dirs::looks_like_git_dir(&|name| self.link_type(&dir.join(name)))
    }

    /// Whether `path` leads to a regular file.
    fn is_file(&self, path: &AbsPath) -> bool {
        self.file_type(path) == Some(FileType::File)
    }

    /// Whether `path` leads to a directory.
    fn is_dir(&self, path: &AbsPath) -> bool {
        self.file_type(path) == Some(FileType::Directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_resolve_lexically() {
        let dir = AbsPath::new("/a/b");
        let check =
            |relative: &str, expected: &str| assert_eq!(dir.resolve(relative.as_bytes()), AbsPath::new(expected));
        check("../c/./d/", "/a/c/d");
        check("/x//y", "/x/y");
        check("../../../..", "/");
        check("", "/a/b");
        assert_eq!(AbsPath::new("/a/x/y").relative_to(&dir), b"../x/y");
        assert_eq!(dir.relative_to(&dir), b"");
        assert!(!AbsPath::new("/a/bc").is_within(&dir));
        assert!(AbsPath::new("/a/b/c").is_within(&dir) && dir.is_within(&AbsPath::new("/")));
        assert_eq!(dir.ancestors().count(), 3);
    }
}
