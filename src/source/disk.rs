//! Looks at files of a worktree and reads them: never through a link, never a special file, never more than the limit.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::regular::{self, Links};
use super::texts::HEAD_BYTES;
use super::walk::kind_of;
use super::{EntryKind, FileContent, MAX_FILE_BYTES, ReadResult, SourceReadError, is_binary};
use crate::base::path::{RepoPath, ancestors_from_root, bytes_to_os_path, os_path_to_bytes, parent};

/// The directories above some paths, each looked at once. A path can be reached if they all are directories, and none is a
/// link to one.
pub(super) struct Parents<'a> {
    root: &'a Path,
    directories: HashMap<Vec<u8>, Result<(), SourceReadError>>,
}

impl<'a> Parents<'a> {
    /// The directories above `paths`, below `root`.
    pub(super) fn of<'p>(root: &'a Path, paths: impl Iterator<Item = &'p [u8]>) -> Self {
        let look = |dir: &[u8]| match fs::symlink_metadata(root.join(bytes_to_os_path(dir))) {
            Ok(meta) if meta.is_dir() => Ok(()),
            Ok(_) => Err(SourceReadError::Missing),
            Err(error) => Err(failure(&error)),
        };
        let mut directories: HashMap<Vec<u8>, Result<(), SourceReadError>> = HashMap::new();
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
    fn place(&self, path: &[u8]) -> Result<PathBuf, SourceReadError> {
        match parent(path) {
            b"" => {}
            dir => self.directories.get(dir).cloned().unwrap_or(Err(SourceReadError::Missing))?,
        }
        Ok(self.root.join(bytes_to_os_path(path)))
    }

    /// What stands at one of the paths.
    pub(super) fn stat(&self, path: &[u8]) -> Result<Metadata, SourceReadError> {
        fs::symlink_metadata(self.place(path)?).map_err(|error| failure(&error))
    }

    /// What one of the paths holds.
    pub(super) fn text(&self, path: &RepoPath) -> FileContent {
        let regular = self.stat(path.as_bytes()).and_then(|meta| match kind_of(meta.file_type()) {
            Some(EntryKind::File) => Ok((self.place(path.as_bytes())?, meta)),
            _ => Err(SourceReadError::Special),
        });
        match regular {
            Ok((place, meta)) => {
                text_of(&place, &meta).unwrap_or_else(|error| FileContent::Unreadable(failure(&error)))
            }
            Err(SourceReadError::Special) => self.read(path).into(),
            Err(why) => FileContent::Unreadable(why),
        }
    }

    /// The bytes of one of the paths; of a link, its target.
    pub(super) fn read(&self, path: &RepoPath) -> ReadResult {
        let meta = self.stat(path.as_bytes())?;
        let place = self.place(path.as_bytes())?;
        let bytes = match kind_of(meta.file_type()) {
            None => return Err(SourceReadError::Directory),
            Some(EntryKind::File) if meta.len() > MAX_FILE_BYTES => return Err(SourceReadError::TooLarge(meta.len())),
            Some(EntryKind::File) => read_file(&place, &meta),
            Some(EntryKind::Symlink) => fs::read_link(&place).map(|target| os_path_to_bytes(&target)),
            Some(_) => return Err(SourceReadError::Special),
        };
        match bytes.map_err(|error| failure(&error))? {
            bytes if bytes.len() as u64 > MAX_FILE_BYTES => Err(SourceReadError::TooLarge(bytes.len() as u64)),
            bytes => Ok(bytes.into()),
        }
    }
}

/// What a regular file holds. Of a binary one no more than its head is read.
fn text_of(place: &Path, meta: &Metadata) -> io::Result<FileContent> {
    let mut file = regular::open_seen(place, meta, Links::Refuse)?;
    let mut bytes = Vec::with_capacity((meta.len() + 1).min(MAX_FILE_BYTES + 1) as usize);
    if meta.len() > HEAD_BYTES as u64 {
        Read::by_ref(&mut file).take(HEAD_BYTES as u64).read_to_end(&mut bytes)?;
        if is_binary(&bytes) {
            return Ok(FileContent::Binary);
        }
        if meta.len() > MAX_FILE_BYTES {
            return Ok(FileContent::Unreadable(SourceReadError::TooLarge(meta.len())));
        }
    }
    file.take(MAX_FILE_BYTES + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
    Ok(match bytes.len() as u64 {
        size if size > MAX_FILE_BYTES => FileContent::Unreadable(SourceReadError::TooLarge(size)),
        _ if is_binary(&bytes) => FileContent::Binary,
        _ => FileContent::Text(bytes),
    })
}

/// The bytes of a regular file, whose size may change while it is read; more than the limit if it has more.
fn read_file(place: &Path, meta: &Metadata) -> io::Result<Vec<u8>> {
    let limit = MAX_FILE_BYTES + 1;
    let mut bytes = Vec::with_capacity((meta.len() + 1).min(limit) as usize);
    regular::open_seen(place, meta, Links::Refuse)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What an error of the operating system says about a path.
fn failure(error: &io::Error) -> SourceReadError {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename => SourceReadError::Missing,
        ErrorKind::IsADirectory => SourceReadError::Directory,
        _ => SourceReadError::Failed(error.to_string()),
    }
}
