//! From a root to an entry below it, one open folder after the other. Links are followed by reading their text and walking it
//! in the same way, so that no step can leave the root.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::folder::{Folder, is_swap};
use super::{EntryType, WriteProblem, WriteRoot, missing_or, step};
use crate::base::path;

/// As many links as Linux follows in one path.
const MAX_LINKS: usize = 40;

/// What to do about a link in the last place of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// Go to what it names.
    Follow,
    /// The link itself is meant.
    Stay,
}

/// What to do about folders of the path that are not there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    /// Create them.
    Create,
    /// Give up.
    Refuse,
}

/// An entry, which need not exist, in an open folder.
pub(super) struct Spot<'r> {
    root: &'r WriteRoot,
    /// The folders from the root down to the one that holds the entry.
    pub(super) below: Vec<(OsString, Folder)>,
    /// The entry's name.
    pub(super) name: OsString,
}

impl Spot<'_> {
    /// The folder that holds the entry.
    pub(super) fn folder(&self) -> &Folder {
        self.below.last().map_or(&self.root.folder, |(_, folder)| folder)
    }

    /// Whether what is created here is for the user alone.
    pub(super) fn is_private(&self) -> bool {
        self.root.is_private
    }

    /// The path of the folder, for messages only.
    pub(super) fn shown(&self) -> PathBuf {
        shown(self.root, &self.below)
    }
}

/// A component of a path that is still to be walked.
struct PathStep {
    name: OsString,
    /// Whether a link's text has it, and not the path itself.
    of_link: bool,
}

/// Walk `path` below `root`.
pub(super) fn walk<'r>(root: &'r WriteRoot, path: &Path, last: Last, absent: Absent) -> Result<Spot<'r>, WriteProblem> {
    let mut todo: VecDeque<PathStep> = steps(path, false).collect();
    let mut below: Vec<(OsString, Folder)> = Vec::new();
    let mut left = MAX_LINKS;
    while let Some(PathStep { name, of_link }) = todo.pop_front() {
        if name == ".." {
            if below.pop().is_none() {
                // A link may leave the root by name and come back.
                let outside = root.path.parent().unwrap_or(&root.path).join(rest(&todo));
                todo = inside(root, &outside, &mut left)?;
            }
            continue;
        }
        if of_link && is_git_folder(&name) {
            return Err(WriteProblem::Outside);
        }
        let spot = Spot { root, below, name };
        let entry = spot.folder().look(&spot.name).map_err(|error| WriteProblem::Io("look at the file", error))?;
        let is_last = todo.is_empty();
        match entry {
            EntryType::Link if !is_last || last == Last::Follow => {
                let text = spot.folder().link_text(&spot.name).map_err(swapped_or("read a link"))?;
                below = spot.below;
                if text.has_root() {
                    todo = inside(root, &text.join(rest(&todo)), &mut left)?;
                    below.clear();
                } else {
                    take_link(&mut left)?;
                    todo = steps(&text, true).chain(todo).collect();
                }
                continue;
            }
            _ if is_last => return Ok(spot),
            EntryType::Folder => {}
            EntryType::Nothing if absent == Absent::Create && !of_link => create_folder(&spot)?,
            EntryType::Nothing => return Err(WriteProblem::Missing),
            _ => return Err(WriteProblem::NotAFolder(spot.shown().join(&spot.name))),
        }
        let folder = spot.folder().enter(&spot.name).map_err(swapped_or("open its folder"))?;
        below = spot.below;
        below.push((spot.name, folder));
    }
    // A link's text ended with a folder.
    Err(WriteProblem::NotAFile)
}

/// The steps from the root to an absolute path, which may spell the way to the root differently. What the path resolves to is
/// only taken for the names of these steps.
fn inside(root: &WriteRoot, path: &Path, left: &mut usize) -> Result<VecDeque<PathStep>, WriteProblem> {
    take_link(left)?;
    if let Ok(rest) = path.strip_prefix(&root.path) {
        return Ok(steps(rest, true).collect());
    }
    for folder in path.ancestors() {
        step();
        let (Ok(real), Ok(rest)) = (fs::canonicalize(folder), path.strip_prefix(folder)) else { continue };
        let real = real.join(rest);
        let rest = real.strip_prefix(&root.path).map_err(|_| WriteProblem::Outside)?;
        return Ok(steps(rest, true).collect());
    }
    Err(WriteProblem::Outside)
}

fn take_link(left: &mut usize) -> Result<(), WriteProblem> {
    *left = left.checked_sub(1).ok_or_else(|| WriteProblem::Io("resolve", io::Error::other("too many links")))?;
    Ok(())
}

fn create_folder(spot: &Spot<'_>) -> Result<(), WriteProblem> {
    check_writable(spot)?;
    match spot.folder().create_folder(&spot.name, spot.is_private()) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(WriteProblem::Io("create its folder", error)),
        _ => Ok(()),
    }
}

/// Refuse where the folder's mode forbids writing.
pub(super) fn check_writable(spot: &Spot<'_>) -> Result<(), WriteProblem> {
    let read_only = spot.folder().is_read_only().map_err(|error| WriteProblem::Io("look at its folder", error))?;
    if read_only { Err(WriteProblem::ReadOnlyFolder(spot.shown())) } else { Ok(()) }
}

/// An entry that was one thing when it was looked at and is another when it is opened was swapped in between.
pub(super) fn swapped_or(what: &'static str) -> impl Fn(io::Error) -> WriteProblem {
    move |error| if is_swap(&error) { WriteProblem::ChangedSinceRead } else { missing_or(what)(error) }
}

fn steps(path: &Path, of_link: bool) -> impl Iterator<Item = PathStep> + use<'_> {
    path.components().filter_map(move |component| match component {
        Component::Normal(name) => Some(PathStep { name: name.to_owned(), of_link }),
        Component::ParentDir => Some(PathStep { name: "..".into(), of_link }),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    })
}

fn rest(todo: &VecDeque<PathStep>) -> PathBuf {
    todo.iter().map(|step| &step.name).collect()
}

fn shown(root: &WriteRoot, below: &[(OsString, Folder)]) -> PathBuf {
    let names = below.iter().map(|(name, _)| name);
    names.fold(root.path.clone(), |path, name| path.join(name))
}

/// Whether some file system takes the name for a git directory's.
pub(super) fn is_git_folder(name: &OsStr) -> bool {
    path::is_dot_git(&path::os_path_to_bytes(Path::new(name)))
}
