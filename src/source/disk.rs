//! Looks at files of a worktree and reads them: never through a link, never a special file, never more than the limit.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::regular::{self, Links};
use super::texts::HEAD_BYTES;
use super::walk::kind_of;
use super::{Content, EntryKind, MAX_FILE_BYTES, ReadError, ReadResult, is_binary};
use crate::base::path::{RepoPath, ancestors_from_root, bytes_to_os_path, os_path_to_bytes, parent};

/// The directories above some paths, each looked at once. A path can be reached if they all are directories, and none is a
/// link to one.
pub(super) struct Parents<'a> {
    root: &'a Path,
    directories: HashMap<Vec<u8>, Result<(), ReadError>>,
}

impl<'a> Parents<'a> {
    /// The directories above `paths`, below `root`.
    pub(super) fn of<'p>(root: &'a Path, paths: impl Iterator<Item = &'p [u8]>) -> Self {
        let look = |dir: &[u8]| match fs::symlink_metadata(root.join(bytes_to_os_path(dir))) {
            Ok(meta) if meta.is_dir() => Ok(()),
            Ok(_) => Err(ReadError::Missing),
            Err(error) => Err(failure(&error)),
        };
        let mut directories: HashMap<Vec<u8>, Result<(), ReadError>> = HashMap::new();
        for path in paths {
            if directories.contains_key(parent(path)) {
                continue;
            }
            let mut state = Ok(());
            for dir in ancestors_from_root(parent(path)).into_iter().skip(1) {
                if state.is_ok() {
                    state = directories.get(dir).cloned().unwrap_or_else(|| look(dir));
                }
                directories.insert(dir.to_vec(), state.clone());
            }
        }
        Parents { root, directories }
    }

    /// Where one of the paths lies, if it can be reached.
    fn place(&self, path: &[u8]) -> Result<PathBuf, ReadError> {
        match parent(path) {
            b"" => {}
            dir => self.directories.get(dir).cloned().unwrap_or(Err(ReadError::Missing))?,
        }
        Ok(self.root.join(bytes_to_os_path(path)))
    }

    /// What stands at one of the paths.
    pub(super) fn stat(&self, path: &[u8]) -> Result<Metadata, ReadError> {
        fs::symlink_metadata(self.place(path)?).map_err(|error| failure(&error))
    }

    /// What one of the paths holds.
    pub(super) fn text(&self, path: &RepoPath) -> Content {
        let regular = self.stat(path.as_bytes()).and_then(|meta| match kind_of(meta.file_type()) {
            Some(EntryKind::File) => Ok((self.place(path.as_bytes())?, meta)),
            _ => Err(ReadError::Special),
        });
        match regular {
            Ok((place, meta)) => text_of(&place, &meta).unwrap_or_else(|error| Content::Unreadable(failure(&error))),
            Err(ReadError::Special) => self.read(path).into(),
            Err(why) => Content::Unreadable(why),
        }
    }

    /// The bytes of one of the paths; of a link, its target.
    pub(super) fn read(&self, path: &RepoPath) -> ReadResult {
        let meta = self.stat(path.as_bytes())?;
        let place = self.place(path.as_bytes())?;
        let bytes = match kind_of(meta.file_type()) {
            None => return Err(ReadError::Directory),
            Some(EntryKind::File) if meta.len() > MAX_FILE_BYTES => return Err(ReadError::TooLarge(meta.len())),
            Some(EntryKind::File) => read_file(&place, &meta),
            Some(EntryKind::Symlink) => fs::read_link(&place).map(|target| os_path_to_bytes(&target)),
            Some(_) => return Err(ReadError::Special),
        };
        match bytes.map_err(|error| failure(&error))? {
            bytes if bytes.len() as u64 > MAX_FILE_BYTES => Err(ReadError::TooLarge(bytes.len() as u64)),
            bytes => Ok(bytes.into()),
        }
    }
}

/// What a regular file holds. Of a binary one no more than its head is read.
fn text_of(place: &Path, meta: &Metadata) -> io::Result<Content> {
    let mut file = regular::open(place, Links::Refuse)?;
    let mut bytes = Vec::with_capacity((meta.len() + 1).min(MAX_FILE_BYTES + 1) as usize);
    if meta.len() > HEAD_BYTES as u64 {
        Read::by_ref(&mut file).take(HEAD_BYTES as u64).read_to_end(&mut bytes)?;
        if is_binary(&bytes) {
            return Ok(Content::Binary);
        }
        if meta.len() > MAX_FILE_BYTES {
            return Ok(Content::Unreadable(ReadError::TooLarge(meta.len())));
        }
    }
    file.take(MAX_FILE_BYTES + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
    Ok(match bytes.len() as u64 {
        size if size > MAX_FILE_BYTES => Content::Unreadable(ReadError::TooLarge(size)),
        _ if is_binary(&bytes) => Content::Binary,
        _ => Content::Text(bytes),
    })
}

/// The bytes of a regular file, whose size may change while it is read; more than the limit if it has more.
fn read_file(place: &Path, meta: &Metadata) -> io::Result<Vec<u8>> {
    let limit = MAX_FILE_BYTES + 1;
    let mut bytes = Vec::with_capacity((meta.len() + 1).min(limit) as usize);
    regular::open(place, Links::Refuse)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What an error of the operating system says about a path.
fn failure(error: &io::Error) -> ReadError {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename => ReadError::Missing,
        ErrorKind::IsADirectory => ReadError::Directory,
        _ => ReadError::Failed(error.to_string()),
    }
}
