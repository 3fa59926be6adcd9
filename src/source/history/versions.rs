//! The versions that a few files had in the newest commits, along the first parents. Bounded.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::commits::PATH_BYTES_PER_CALL;
use super::steps::walk;
use crate::base::path::RepoPath;
use crate::source::program::{ProgramError, from_hex};
use crate::source::raw::{HistoryStep, Status};
use crate::source::repository::GitRepository;
use crate::source::{Opened, SourceError};

/// One version of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileVersion {
    /// How many commits came after the one that brought it.
    pub age: usize,
    /// Its bytes; `None` where the file is missing, is too large or cannot be read.
    pub bytes: Option<Arc<[u8]>>,
}

/// The versions of some files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Versions {
    /// For each file its versions, the newest first. The oldest may be older than its age says.
    pub files: Vec<Vec<FileVersion>>,
    /// How many commits were looked at.
    pub commits: usize,
}

impl Opened {
    /// The versions of `paths` in the newest `most` commits of what is opened. Outside git there are none.
    ///
    /// # Errors
    /// When git tells of no commit.
    pub(crate) fn versions(&self, paths: &[RepoPath], most: usize) -> Result<Versions, SourceError> {
        let Some(history) = &self.history else { return Ok(Versions::default()) };
        let Some(head) = history.head()? else { return Ok(Versions::default()) };
        Ok(gather(&history.repository, &head, paths, most)?)
    }
}

fn gather(repository: &GitRepository, head: &str, paths: &[RepoPath], most: usize) -> Result<Versions, ProgramError> {
    let places: BTreeMap<&[u8], usize> = paths.iter().enumerate().map(|(at, path)| (path.as_bytes(), at)).collect();
    // What stands at each path, in the commit that was told last; and for each what stood there since when.
    let mut current = repository.program().objects_at(head, paths);
    let mut found: Vec<Vec<(usize, Option<Vec<u8>>)>> = vec![Vec::new(); paths.len()];
    let mut commits = 0;
    let mut named: Vec<Vec<u8>> = paths.iter().map(|path| path.as_bytes().to_vec()).collect();
    if named.iter().map(Vec::len).sum::<usize>() > PATH_BYTES_PER_CALL {
        named.clear();
    }
    let told = walk(repository, head, most, &named, &mut |step| match step {
        HistoryStep::Commit { .. } => commits += 1,
        HistoryStep::Change(change) => {
            let Some(&at) = places.get(&change.from[..]) else { return };
            let before = (change.status != Status::Added).then_some(change.object);
            found[at].push((commits - 1, std::mem::replace(&mut current[at], before)));
        }
    });
    let Some(oldest) = commits.checked_sub(1_usize) else { return told.map(|()| Versions::default()) };
    for (found, current) in found.iter_mut().zip(current) {
        if found.last().is_none_or(|(age, _)| *age < oldest) {
            found.push((oldest, current));
        }
    }
    let ids: Vec<Vec<u8>> = found.iter().flatten().filter_map(|(_, id)| from_hex(id.as_ref()?)).collect();
    let mut blobs = repository.blobs(&ids.iter().map(Vec::as_slice).collect::<Vec<_>>()).into_iter();
    let mut version = |(age, id): (usize, Option<Vec<u8>>)| {
        let is_asked = id.is_some_and(|id| from_hex(&id).is_some());
        FileVersion { age, bytes: if is_asked { blobs.next().and_then(Result::ok) } else { None } }
    };
    let files = found.into_iter().map(|versions| versions.into_iter().map(&mut version).collect()).collect();
    Ok(Versions { files, commits })
}
