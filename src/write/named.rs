//! Files that the user names, wherever they are, such as a report's. A name in the repository may be a link that the author of
//! a hostile clone put there: it may not leave the repository. Elsewhere links are the user's own and are followed.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::temporary::{Temporary, sweep};
use super::walk::{Absent, Last, walk};
use super::{EntryType, WriteProblem, WriteRoot};
use crate::base::path::normal;

/// Write a file: one that exists is replaced as a whole, or stays as it was. A device or FIFO is written to as it is, and so is
/// a file whose folder takes no new files. `repository` is the top of the worktree.
///
/// # Errors
/// When the file cannot be written.
pub fn whole(place: &Path, repository: Option<&Path>, bytes: &[u8]) -> io::Result<()> {
    let (root, below) = match locate(place, repository)? {
        WritePlace::Below(root, below) => (root, below),
        WritePlace::Device => return device(place)?.write_all(bytes),
    };
    let spot = walk(&root, &below, Last::Follow, Absent::Refuse).map_err(in_words)?;
    let in_place = || spot.folder().overwrite(&spot.name)?.write_all(bytes);
    let like = match spot.folder().look(&spot.name)? {
        EntryType::Nothing => None,
        EntryType::File => Some(spot.folder().read(&spot.name)?.metadata()?),
        _ => return in_place(),
    };
    sweep(spot.folder());
    let temporary = match Temporary::new(&spot, bytes, like.as_ref()) {
        Err(WriteProblem::ReadOnlyFolder(_)) if like.is_some() => return in_place(),
        made => made.map_err(in_words)?,
    };
    match temporary.replace(&spot.name) {
        // Something that is mounted cannot be renamed over.
        Err(error) if like.is_some() => in_place().map_err(|_| error),
        done => done,
    }
}

/// Append to a file, which is created if there is none.
///
/// # Errors
/// When the file cannot be written.
pub fn append(place: &Path, repository: Option<&Path>, bytes: &[u8]) -> io::Result<()> {
    let (root, below) = match locate(place, repository)? {
        WritePlace::Below(root, below) => (root, below),
        WritePlace::Device => return device(place)?.write_all(bytes),
    };
    let spot = walk(&root, &below, Last::Follow, Absent::Refuse).map_err(in_words)?;
    spot.folder().append(&spot.name, false)?.write_all(bytes)
}

enum WritePlace {
    /// A place below a folder that it may not leave.
    Below(WriteRoot, PathBuf),
    /// A device or pipe outside the repository: `/dev/fd/3` names one that has no path at all.
    Device,
}

fn locate(place: &Path, repository: Option<&Path>) -> io::Result<WritePlace> {
    // A link of the clone must not decide what `..` means.
    let place = &normal(place);
    let repository = repository.and_then(|repository| fs::canonicalize(repository).ok());
    let is_root = |folder: &&Path| repository.is_some() && fs::canonicalize(folder).ok() == repository;
    if let Some(root) = place.ancestors().skip(1).find(is_root) {
        let below = place.strip_prefix(root).map_err(io::Error::other)?;
        return Ok(WritePlace::Below(WriteRoot::new(root)?, below.to_owned()));
    }
    let target = match fs::metadata(place) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => return Ok(WritePlace::Device),
        Ok(_) => fs::canonicalize(place)?,
        Err(_) => place.to_owned(),
    };
    let name = target.file_name().ok_or_else(|| io::Error::other("it is a folder"))?;
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(WritePlace::Below(WriteRoot::new(folder)?, name.into()))
}

#[expect(clippy::disallowed_methods, reason = "it exists, lies outside the repository, and the user names it")]
fn device(place: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new().write(true).open(place)
}

fn in_words(problem: WriteProblem) -> io::Error {
    match problem {
        WriteProblem::Io(_, error) => error,
        WriteProblem::ReadOnlyFolder(_) => io::Error::other("its folder is read-only"),
        WriteProblem::Outside => {
            io::Error::other("it is a link that leads out of the repository, or into its .git folder")
        }
        WriteProblem::Missing => io::Error::other("it is a link to a place that does not exist"),
        WriteProblem::NotAFolder(place) => io::Error::other(format!("{} is no folder", place.display())),
        WriteProblem::NotAFile => io::Error::other("it is no file"),
        _ => io::Error::other("its folder changed meanwhile; run again"),
    }
}
