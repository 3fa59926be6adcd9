//! The only writer of files: each change is atomic, checked against the bytes it was made from, and stays inside the root.
//! Knows nothing of hints; bytes go out as given.
//!
//! The root is opened once. From there every folder and file is named in the open folder that holds it, and no step follows a
//! link, so that a folder that is swapped for a link meanwhile leads no write outside. Links are followed where a user means
//! them to be, by walking their text.

#[cfg(unix)]
mod folder;
#[cfg(not(unix))]
#[path = "write/folder_by_path.rs"]
mod folder;
mod named;
mod reading;
mod temporary;
mod walk;

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

pub use self::named::{append, whole};

use self::folder::Folder;
use self::temporary::{Temporary, sweep};
use self::walk::{Absent, Last, Spot, check_writable, is_git_folder, swapped_or, walk};
use crate::base::path::RepoPath;

/// The folder that writes may not leave.
#[derive(Debug)]
pub(crate) struct WriteRoot {
    folder: Folder,
    /// Where the folder was when it was opened, with all links resolved.
    path: PathBuf,
    /// Whether what is created below is for the user alone: files of mode 0600, folders of mode 0700.
    is_private: bool,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryType {
    /// There is no such entry.
    Nothing,
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A FIFO, device, pipe or socket.
    Special,
}

/// What a write came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The file has the new bytes now.
    Changed,
    /// It had them already.
    Unchanged,
}

/// Why a file was left as it was.
#[derive(Debug)]
pub(crate) struct WriteError {
    /// The file.
    pub path: RepoPath,
    /// What stood in the way.
    pub problem: WriteProblem,
}

/// What stood in the way of a write.
#[derive(Debug)]
pub(crate) enum WriteProblem {
    /// The path, or what its links lead to, lies outside the root or in git's own folder.
    Outside,
    /// Nothing is there, although something was read there.
    Missing,
    /// Something is there, although nothing was.
    Exists,
    /// A directory, FIFO, device or socket.
    NotAFile,
    /// What should be the folder above it, or one above that, is something else.
    NotAFolder(PathBuf),
    /// Its bytes are not those that the change was made from.
    ChangedSinceRead,
    /// The file has no write permission.
    ReadOnlyFile,
    /// The folder that holds it has no write permission.
    ReadOnlyFolder(PathBuf),
    /// Another program holds the lock.
    Held,
    /// The operating system refused; what was tried, and its answer.
    Io(&'static str, io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            WriteProblem::Outside => {
                f.write_str("is outside the repository, or in its .git folder; nothing was written")
            }
            WriteProblem::Missing => f.write_str("was deleted after it was read; nothing was written"),
            WriteProblem::Exists => f.write_str("exists already, perhaps ignored by git; nothing was written"),
            WriteProblem::NotAFile => f.write_str("is not a regular file; nothing was written"),
            WriteProblem::NotAFolder(place) => {
                write!(f, "cannot be written: {} is no folder", place.display())
            }
            WriteProblem::ChangedSinceRead => {
                f.write_str("changed after it was read; nothing was written; run hintlint again")
            }
            WriteProblem::ReadOnlyFile => f.write_str("is read-only; nothing was written"),
            WriteProblem::ReadOnlyFolder(folder) => {
                write!(f, "cannot be written: the folder {} is read-only", folder.display())
            }
            WriteProblem::Held => f.write_str("is in use by another program"),
            WriteProblem::Io(what, error) => write!(f, "cannot {what}: {error}"),
        }
    }
}

impl std::error::Error for WriteError {}

impl WriteRoot {
    /// The root of all writes of a run.
    ///
    /// # Errors
    /// When the folder cannot be opened.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(folder)?;
        Ok(WriteRoot { folder: Folder::open(&path)?, path, is_private: false })
    }

    /// The same, and nobody but the user may read the files that are written or the folders that are created below. An old file
    /// with a wider mode gets the narrow one when it is written next.
    pub(crate) fn private(folder: &Path) -> io::Result<Self> {
        Ok(WriteRoot { is_private: true, ..WriteRoot::new(folder)? })
    }

    /// The same for a folder of the user's own, which is created if it is missing, with those above it.
    ///
    /// # Errors
    /// When the folder cannot be created or opened.
    #[expect(clippy::disallowed_methods, reason = "the user names this folder, and it is the root of what follows")]
    pub(crate) fn create_root(folder: &Path) -> io::Result<Self> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        WriteRoot::private(folder)
    }

    /// Replace the bytes of an existing file. A link is followed to its target, which must lie inside the root. The mode stays.
    ///
    /// # Errors
    /// When the file no longer holds `before`, or cannot be written; it is then as it was.
    pub(crate) fn replace(&self, path: &RepoPath, before: &[u8], after: &[u8]) -> Result<Written, WriteError> {
        self.try_replace(path, before, after).map_err(|problem| WriteError { path: path.clone(), problem })
    }

    /// Create a file that must not exist yet, with the folders above it.
    ///
    /// # Errors
    /// When something else is there, or the file cannot be written.
    pub(crate) fn create(&self, path: &RepoPath, after: &[u8]) -> Result<Written, WriteError> {
        self.try_create(path, after).map_err(|problem| WriteError { path: path.clone(), problem })
    }

    /// Delete a regular file (never through a link) that still holds `before`, and the folders that this leaves empty, up to
    /// but not including `keep`.
    ///
    /// # Errors
    /// When the file changed, or cannot be deleted.
    pub(crate) fn delete(&self, path: &RepoPath, before: &[u8], keep: &[u8]) -> Result<(), WriteError> {
        self.try_delete(path, before, keep).map_err(|problem| WriteError { path: path.clone(), problem })
    }

    /// Write a file of our own, whatever it held, with the folders above it.
    ///
    /// # Errors
    /// When something other than a regular file is there, or the file cannot be written.
    pub(crate) fn put(&self, path: &RepoPath, after: &[u8]) -> Result<(), WriteError> {
        self.try_put(path, after).map_err(|problem| WriteError { path: path.clone(), problem })
    }

    /// The bytes of a file of our own that is no larger than `limit`; `None` if there is no such file.
    pub(crate) fn get(&self, path: &RepoPath, limit: u64) -> Option<Vec<u8>> {
        let spot = walk(self, &relative(path).ok()?, Last::Stay, Absent::Refuse).ok()?;
        let (file, metadata) = open(&spot).ok()?;
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes).ok()?;
        (metadata.len() <= limit && bytes.len() as u64 <= limit).then_some(bytes)
    }

    /// Open a regular file that programs lock, and create it with the folders above it if there is none. Its bytes mean nothing.
    ///
    /// # Errors
    /// When something else is there, or the file cannot be created.
    pub(crate) fn lock_file(&self, path: &RepoPath) -> Result<File, WriteError> {
        self.try_lock_file(path).map_err(|problem| WriteError { path: path.clone(), problem })
    }

    fn try_replace(&self, path: &RepoPath, before: &[u8], after: &[u8]) -> Result<Written, WriteProblem> {
        let spot = walk(self, &relative(path)?, Last::Follow, Absent::Refuse)?;
        let (file, metadata) = open(&spot)?;
        if metadata.permissions().readonly() {
            return Err(WriteProblem::ReadOnlyFile);
        }
        sweep(spot.folder());
        match check_unchanged(file, before, after)? {
            Written::Unchanged => Ok(Written::Unchanged),
            Written::Changed => {
                let temporary = Temporary::new(&spot, after, Some(&metadata))?;
                // As late as possible: a change between this look and the rename is lost, which only a lock could prevent.
                check_unchanged(open(&spot)?.0, before, after)?;
                temporary.replace(&spot.name).map_err(|error| WriteProblem::Io(INTO_PLACE, error))?;
                Ok(Written::Changed)
            }
        }
    }

    fn try_create(&self, path: &RepoPath, after: &[u8]) -> Result<Written, WriteProblem> {
        let spot = walk(self, &relative(path)?, Last::Stay, Absent::Create)?;
        sweep(spot.folder());
        match open(&spot) {
            Ok((mut file, _)) => {
                let same = read(&mut file)? == after;
                return if same { Ok(Written::Unchanged) } else { Err(WriteProblem::Exists) };
            }
            Err(WriteProblem::Missing) => {}
            Err(problem) => return Err(problem),
        }
        let temporary = Temporary::new(&spot, after, None)?;
        temporary.place(&spot.name).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => WriteProblem::Exists,
            _ => WriteProblem::Io(INTO_PLACE, error),
        })?;
        Ok(Written::Changed)
    }

    fn try_delete(&self, path: &RepoPath, before: &[u8], keep: &[u8]) -> Result<(), WriteProblem> {
        let mut spot = walk(self, &relative(path)?, Last::Stay, Absent::Refuse)?;
        let (mut file, _) = open(&spot)?;
        if read(&mut file)? != before {
            return Err(WriteProblem::ChangedSinceRead);
        }
        check_writable(&spot)?;
        spot.folder().remove_file(&spot.name).map_err(missing_or("delete"))?;
        sweep(spot.folder());
        let keep = RepoPath::new(keep).to_os_path();
        let is_kept = |spot: &Spot<'_>| {
            let here: PathBuf = spot.below.iter().map(|(name, _)| name).collect();
            !here.starts_with(&keep) || here == keep
        };
        // A folder that is not empty refuses; that ends the climb.
        while !is_kept(&spot) {
            let Some((name, _)) = spot.below.pop() else { break };
            if spot.folder().remove_folder(&name).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn try_put(&self, path: &RepoPath, after: &[u8]) -> Result<(), WriteProblem> {
        let spot = walk(self, &relative(path)?, Last::Stay, Absent::Create)?;
        sweep(spot.folder());
        let like = match open(&spot) {
            Ok((_, metadata)) => Some(metadata),
            Err(WriteProblem::Missing) => None,
            Err(problem) => return Err(problem),
        };
        let temporary = Temporary::new(&spot, after, like.as_ref())?;
        temporary.replace(&spot.name).map_err(|error| WriteProblem::Io(INTO_PLACE, error))
    }

    fn try_lock_file(&self, path: &RepoPath) -> Result<File, WriteProblem> {
        let spot = walk(self, &relative(path)?, Last::Stay, Absent::Create)?;
        match spot.folder().look(&spot.name).map_err(|error| WriteProblem::Io("look at the file", error))? {
            EntryType::File | EntryType::Nothing => {}
            _ => return Err(WriteProblem::NotAFile),
        }
        let file = spot.folder().append(&spot.name, self.is_private).map_err(swapped_or("open"))?;
        let is_file = file.metadata().map_err(|error| WriteProblem::Io("look at the file", error))?.is_file();
        if is_file { Ok(file) } else { Err(WriteProblem::NotAFile) }
    }
}

const INTO_PLACE: &str = "rename the new file into place";

/// The path below the root. One with `..`, a root of its own or git's folder in it is not repository-relative.
fn relative(path: &RepoPath) -> Result<PathBuf, WriteProblem> {
    let path = path.to_os_path();
    let plain = |component| matches!(component, Component::Normal(name) if !is_git_folder(name));
    if path.as_os_str().is_empty() || !path.components().all(plain) { Err(WriteProblem::Outside) } else { Ok(path) }
}

fn missing_or(what: &'static str) -> impl Fn(io::Error) -> WriteProblem {
    move |error| match error.kind() {
        io::ErrorKind::NotFound => WriteProblem::Missing,
        _ => WriteProblem::Io(what, error),
    }
}

/// Open a regular file for reading.
fn open(spot: &Spot<'_>) -> Result<(File, Metadata), WriteProblem> {
    // Look before opening: to open a device may have effects.
    match spot.folder().look(&spot.name).map_err(|error| WriteProblem::Io("look at the file", error))? {
        EntryType::File => {}
        EntryType::Nothing => return Err(WriteProblem::Missing),
        _ => return Err(WriteProblem::NotAFile),
    }
    let file = spot.folder().read(&spot.name).map_err(swapped_or("read"))?;
    let metadata = file.metadata().map_err(|error| WriteProblem::Io("look at the file", error))?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(WriteProblem::NotAFile) }
}

fn read(file: &mut File) -> Result<Vec<u8>, WriteProblem> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| WriteProblem::Io("read", error))?;
    Ok(bytes)
}

fn check_unchanged(mut file: File, before: &[u8], after: &[u8]) -> Result<Written, WriteProblem> {
    let now = read(&mut file)?;
    match () {
        () if now == after => Ok(Written::Unchanged),
        () if now == before => Ok(Written::Changed),
        () => Err(WriteProblem::ChangedSinceRead),
    }
}

/// Called before each system call that names a file.
fn step() {
    #[cfg(test)]
    #[cfg(unix)]
    races::step();
}

#[cfg(test)]
#[cfg(unix)]
mod races;
#[cfg(test)]
#[cfg(unix)]
mod tests;
