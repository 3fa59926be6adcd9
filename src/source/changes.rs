//! What changed between two sides of a repository: what a pending commit changes, or what a branch changed since it
//! left another. By the `git` program.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use git2::Oid;

use super::program::{GitCall, ProgramError, hex};
use super::raw::{self, HistoryStep, RawChange, Status};
use super::repository::GitRepository;
use super::unstaged;
use super::{EntryKind, Source, SourceError};
use crate::base::path::RepoPath;

/// Most untracked files in which a file that vanished from the worktree is looked for.
const MAX_CANDIDATES: usize = 2000;

/// What a source is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// The commit that the next one will follow, or that the source's commit followed. Nothing, for a first commit.
    Previous,
    /// The newest common ancestor with a revision.
    MergeBase(String),
    /// A revision itself.
    Revision(String),
}

/// What happened to a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its content, mode or type changed.
    Modified,
    /// It is gone.
    Deleted,
    /// It was called otherwise before.
    Renamed {
        /// Its old path.
        from: RepoPath,
        /// Whether the content stayed the same byte for byte.
        exact: bool,
    },
}

/// One changed path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedPath {
    /// The path; the new one of a renamed file.
    pub path: RepoPath,
    /// What happened to it.
    pub kind: ChangeKind,
}

/// All changed paths, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The changes, by path.
    pub list: Vec<ChangedPath>,
}

impl Changes {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Paths whose content is new or different: added, modified, renamed.
    pub fn present(&self) -> impl Iterator<Item = &RepoPath> {
        self.list.iter().filter(|change| change.kind != ChangeKind::Deleted).map(|change| &change.path)
    }

    /// Paths that are there no more: deleted, or renamed to another.
    pub fn gone(&self) -> impl Iterator<Item = &RepoPath> {
        self.list.iter().filter_map(|change| match &change.kind {
            ChangeKind::Deleted => Some(&change.path),
            ChangeKind::Renamed { from, .. } => Some(from),
            ChangeKind::Added | ChangeKind::Modified => None,
        })
    }

    pub(super) fn new(raw: Vec<RawChange>) -> Self {
        let change = |change: RawChange| {
            let kind = match change.status {
                Status::Added => ChangeKind::Added,
                Status::Modified => ChangeKind::Modified,
                Status::Deleted => ChangeKind::Deleted,
                Status::Renamed { exact } => ChangeKind::Renamed { from: RepoPath::new(change.from), exact },
            };
            ChangedPath { path: RepoPath::new(change.to), kind }
        };
        let mut list: Vec<ChangedPath> = raw.into_iter().map(change).collect();
        list.sort();
        list.dedup();
        Changes { list }
    }
}

/// Which side of a repository is compared with a commit.
pub(super) enum ComparedSide<'a> {
    Worktree,
    Index,
    Commit(&'a str),
}

/// What `after` changed since the commit `base`; without a base everything is added.
pub(super) fn between(
    repository: &GitRepository,
    base: Option<&str>,
    after: &ComparedSide<'_>,
    source: &dyn Source,
) -> Result<Changes, SourceError> {
    let Some(base) = base else {
        let added = source.listing().iter().map(|entry| RawChange::at(Status::Added, entry.path));
        return Ok(Changes::new(added.collect()));
    };
    let changes = match after {
        ComparedSide::Commit(commit) => compare(repository, base, Some(commit))?,
        ComparedSide::Index => compare(repository, base, None)?,
        ComparedSide::Worktree => {
            let mut changes = compare(repository, base, None)?;
            unstaged::find(repository, source)?.add_to(&mut changes);
            add_untracked(repository, source, &mut changes)?;
            changes
        }
    };
    Ok(Changes::new(changes))
}

/// What is staged, against a commit.
pub(super) fn staged(repository: &GitRepository, base: &str) -> Result<Vec<RawChange>, SourceError> {
    match repository.index_of(base) {
        Some(_) => Ok(Vec::new()),
        None => compare(repository, base, None),
    }
}

/// What a commit, or the index without one, changes of the commit `base`.
fn compare(repository: &GitRepository, base: &str, commit: Option<&str>) -> Result<Vec<RawChange>, SourceError> {
    let told = match compare_by_program(repository, base, commit, raw::SIMILARITY) {
        // Where files are missing that similarity would be looked for in, the same content still tells a rename.
        Err(error @ ProgramError::Failed(_)) => compare_by_program(repository, base, commit, 100).map_err(|_| error),
        told => told,
    };
    told.map_err(|error| match error {
        ProgramError::NotInstalled => SourceError::from(error).at(repository.git_dir()),
        ProgramError::Failed(words) => SourceError::new(words)
            .at(repository.git_dir())
            .help("run `git status`; `--all` checks everything and compares nothing"),
    })
}

fn compare_by_program(
    repository: &GitRepository,
    base: &str,
    commit: Option<&str>,
    similarity: u16,
) -> Result<Vec<RawChange>, ProgramError> {
    let call = match commit {
        None => GitCall::Staged { base, similarity },
        Some(commit) => GitCall::Between { base, commit, similarity },
    };
    let mut changes = Vec::new();
    let mut note = |step: HistoryStep| {
        if let HistoryStep::Change(change) = step {
            changes.push(change);
        }
        ControlFlow::Continue(())
    };
    repository.program().stream(&call, |output| raw::read(output, &mut note))?;
    Ok(changes)
}

/// Untracked files are new, or the new places of files that vanished; so are files that were staged under a new name while
/// the old name was not.
fn add_untracked(
    repository: &GitRepository,
    source: &dyn Source,
    changes: &mut Vec<RawChange>,
) -> Result<(), SourceError> {
    let index = repository.index()?;
    let known: BTreeSet<Vec<u8>> = changes.iter().map(|change| change.to.clone()).collect();
    let untracked = untracked(source, &index).into_iter().filter(|path| !known.contains(path.as_bytes()));
    changes.extend(untracked.map(|path| RawChange::at(Status::Added, path.as_bytes())));
    let of = |status: Status| changes.iter().filter(move |change| change.status == status);
    let added: Vec<RepoPath> = of(Status::Added).map(|change| RepoPath::new(&change.to)).collect();
    let vanished: Vec<_> = of(Status::Deleted).map(|change| (change.to.as_slice(), change.object.clone())).collect();
    if added.is_empty() || vanished.is_empty() {
        return Ok(());
    }
    let moved = exact_renames(vanished, &added, source);
    let taken: BTreeSet<&Vec<u8>> = moved.values().collect();
    changes.retain(|change| match change.status {
        Status::Deleted => !moved.contains_key(&change.to),
        Status::Added => !taken.contains(&change.to),
        _ => true,
    });
    let mut renames: Vec<_> = moved.into_iter().collect();
    renames.sort();
    changes.extend(renames.into_iter().map(|(from, to)| RawChange::renamed(from, to, true)));
    Ok(())
}

/// Tracked files that are not in the worktree any more, and where they went if an untracked file has their content.
pub(super) fn unstaged_removals(
    repository: &GitRepository,
    source: &dyn Source,
) -> Result<Vec<RawChange>, SourceError> {
    let index = repository.index()?;
    let staged = &index.staged;
    let vanished = staged.listing.missing_from(source.listing()).into_iter();
    let vanished: Vec<(&[u8], Vec<u8>)> =
        vanished.map(|number| (staged.listing.entry(number).path, hex(staged.id(number)).into_bytes())).collect();
    if vanished.is_empty() {
        return Ok(Vec::new());
    }
    let paths: Vec<&[u8]> = vanished.iter().map(|(path, _)| *path).collect();
    let moved = exact_renames(vanished, &untracked(source, &index), source);
    let removal = |path: &[u8]| match moved.get(path) {
        Some(to) => RawChange::renamed(path, to.clone(), true),
        None => RawChange::at(Status::Deleted, path),
    };
    Ok(paths.into_iter().map(removal).collect())
}

fn untracked(source: &dyn Source, index: &super::index_file::GitIndex) -> Vec<RepoPath> {
    let tracked = |path: &[u8]| {
        index.staged.listing.contains(path) || index.without_content.iter().any(|known| known.as_bytes() == path)
    };
    let entries = source.listing().iter().filter(|entry| entry.kind == EntryKind::File && !tracked(entry.path));
    entries.map(|entry| RepoPath::new(entry.path)).collect()
}

/// For vanished paths with their objects in hexadecimal: the untracked file that has the same content. Each file is taken once; the same
/// name is preferred. Works with SHA-1 names only, which are the ones that libgit2 computes.
fn exact_renames(
    vanished: Vec<(&[u8], Vec<u8>)>,
    untracked: &[RepoPath],
    source: &dyn Source,
) -> HashMap<Vec<u8>, Vec<u8>> {
    if untracked.len() > MAX_CANDIDATES {
        return HashMap::new();
    }
    let mut by_object: HashMap<Vec<u8>, Vec<&RepoPath>> = HashMap::new();
    for (path, bytes) in untracked.iter().zip(source.read_many(untracked)) {
        let id = bytes.ok().and_then(|bytes| Oid::hash_object(git2::ObjectType::Blob, &bytes).ok());
        if let Some(id) = id {
            by_object.entry(id.to_string().into_bytes()).or_default().push(path);
        }
    }
    let mut renames = HashMap::new();
    for (path, id) in vanished {
        let Some(candidates) = by_object.get_mut(&id).filter(|candidates| !candidates.is_empty()) else {
            continue;
        };
        let name = crate::base::path::file_name(path);
        let best = candidates.iter().position(|candidate| candidate.file_name() == name).unwrap_or(0);
        renames.insert(path.to_vec(), candidates.remove(best).as_bytes().to_vec());
    }
    renames
}
