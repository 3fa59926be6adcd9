//! What changed between two sides of a repository: what a commit in the making changes, or what a branch changed since it
//! left another. By the `git` program, which is several times faster, or by libgit2 where there is none.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use git2::Oid;

use super::program::{Call, ProgramError, hex};
use super::raw::{self, RawChange, Status, Step};
use super::repository::Repository;
use super::unstaged;
use super::{EntryKind, Source, SourceError, commit};
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
pub struct Change {
    /// The path; the new one of a renamed file.
    pub path: RepoPath,
    /// What happened to it.
    pub kind: ChangeKind,
}

/// All changed paths, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The changes, by path.
    pub list: Vec<Change>,
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
            Change { path: RepoPath::new(change.to), kind }
        };
        let mut list: Vec<Change> = raw.into_iter().map(change).collect();
        list.sort();
        list.dedup();
        Changes { list }
    }
}

/// Which side of a repository is compared with a commit.
pub(super) enum After<'a> {
    Worktree,
    Index,
    Commit(&'a str),
}

/// What `after` changed since the commit `base`; against nothing if there is none.
pub(super) fn between(
    repository: &Repository,
    base: Option<&str>,
    after: &After<'_>,
    source: &dyn Source,
) -> Result<Changes, SourceError> {
    let Some(base) = base else {
        let added = |path: &[u8]| RawChange { status: Status::Added, from: path.to_vec(), to: path.to_vec() };
        return Ok(Changes::new(source.listing().iter().map(|entry| added(entry.path)).collect()));
    };
    let changes = match after {
        After::Commit(commit) => compare(repository, base, Some(commit))?,
        After::Index => compare(repository, base, None)?,
        After::Worktree => {
            let mut changes = compare(repository, base, None)?;
            unstaged::find(repository, source)?.add_to(&mut changes);
            add_untracked(repository, source, base, &mut changes)?;
            changes
        }
    };
    Ok(Changes::new(changes))
}

/// What is staged, against a commit.
pub(super) fn staged(repository: &Repository, base: &str) -> Result<Vec<RawChange>, SourceError> {
    if let Some(changes) = staged_by_trees(repository, base) {
        return Ok(changes);
    }
    compare(repository, base, None)
}

/// The same, where the trees that git has left in the index tell it.
fn staged_by_trees(repository: &Repository, base: &str) -> Option<Vec<RawChange>> {
    let (index, objects) = (repository.index().ok()?, repository.objects()?);
    let tree = commit::tree_of(objects, base).ok()?;
    objects.with_reader(|reader| super::staged::changes(reader, tree, &index))
}

/// What a commit, or the index without one, changes of the commit `base`.
fn compare(repository: &Repository, base: &str, commit: Option<&str>) -> Result<Vec<RawChange>, SourceError> {
    match compare_by_program(repository, base, commit, raw::SIMILARITY) {
        Ok(changes) => Ok(changes),
        Err(ProgramError::NotInstalled) => compare_by_library(repository, base, commit),
        // Where files are missing that similarity would be looked for in, the same content still tells a rename.
        Err(error) => compare_by_program(repository, base, commit, 100)
            .map_err(|_| SourceError::from(error).at(repository.git_dir())),
    }
}

fn compare_by_program(
    repository: &Repository,
    base: &str,
    commit: Option<&str>,
    similarity: u16,
) -> Result<Vec<RawChange>, ProgramError> {
    let call = match commit {
        None => Call::Staged { base, similarity },
        Some(commit) => Call::Between { base, commit, similarity },
    };
    let mut changes = Vec::new();
    let mut note = |step: Step| {
        if let Step::Change(change) = step {
            changes.push(change);
        }
        ControlFlow::Continue(())
    };
    repository.program().stream(&call, |output| raw::read(output, &mut note))?;
    Ok(changes)
}

fn compare_by_library(
    repository: &Repository,
    base: &str,
    commit: Option<&str>,
) -> Result<Vec<RawChange>, SourceError> {
    let failed = |error: git2::Error| SourceError::new(error.message()).at(repository.git_dir());
    let Some(library) = repository.library() else { return Err(ProgramError::NotInstalled.into()) };
    let tree = |id: &str| Oid::from_str(id).and_then(|id| library.find_commit(id)).and_then(|commit| commit.tree());
    let before = tree(base).map_err(failed)?;
    let diff = match commit {
        None => git2::Index::open(repository.index_file())
            .and_then(|index| library.diff_tree_to_index(Some(&before), Some(&index), None)),
        Some(id) => tree(id).and_then(|tree| library.diff_tree_to_tree(Some(&before), Some(&tree), None)),
    };
    let mut diff = diff.map_err(failed)?;
    raw::find_renames(&mut diff, false).map_err(failed)?;
    Ok(raw::of_diff(&diff))
}

/// Untracked files are new, or the new places of files that vanished; so are files that were staged under a new name while
/// the old name was not.
fn add_untracked(
    repository: &Repository,
    source: &dyn Source,
    base: &str,
    changes: &mut Vec<RawChange>,
) -> Result<(), SourceError> {
    let index = repository.index()?;
    let known: BTreeSet<Vec<u8>> = changes.iter().map(|change| change.to.clone()).collect();
    let untracked = untracked(source, &index).into_iter().filter(|path| !known.contains(path.as_bytes()));
    changes.extend(untracked.map(|path| {
        let path = path.as_bytes().to_vec();
        RawChange { status: Status::Added, from: path.clone(), to: path }
    }));
    let of = |status: Status| changes.iter().filter(move |change| change.status == status);
    let added: Vec<RepoPath> = of(Status::Added).map(|change| RepoPath::new(&change.to)).collect();
    let deleted: Vec<&[u8]> = of(Status::Deleted).map(|change| change.to.as_slice()).collect();
    if added.is_empty() || deleted.is_empty() {
        return Ok(());
    }
    let before = repository.tree(base)?;
    let vanished = deleted.iter().filter_map(|path| Some((*path, before.blob(path)?.0)));
    let moved = exact_renames(vanished, &added, source);
    let taken: BTreeSet<&Vec<u8>> = moved.values().collect();
    changes.retain(|change| match change.status {
        Status::Deleted => !moved.contains_key(&change.to),
        Status::Added => !taken.contains(&change.to),
        _ => true,
    });
    let mut renames: Vec<_> = moved.into_iter().collect();
    renames.sort();
    let rename = |(from, to)| RawChange { status: Status::Renamed { exact: true }, from, to };
    changes.extend(renames.into_iter().map(rename));
    Ok(())
}

/// Tracked files that are not in the worktree any more, and where they went if an untracked file has their content.
pub(super) fn unstaged_removals(repository: &Repository, source: &dyn Source) -> Result<Vec<RawChange>, SourceError> {
    let index = repository.index()?;
    let listing = source.listing();
    let vanished: Vec<(&[u8], &[u8])> = (0..index.staged.listing.len())
        .map(|number| (index.staged.listing.entry(number).path, index.staged.id(number)))
        .filter(|(path, _)| !listing.contains(path))
        .collect();
    if vanished.is_empty() {
        return Ok(Vec::new());
    }
    let moved = exact_renames(vanished.iter().copied(), &untracked(source, &index), source);
    let removal = |(path, _): &(&[u8], &[u8])| match moved.get(*path) {
        Some(to) => RawChange { status: Status::Renamed { exact: true }, from: path.to_vec(), to: to.clone() },
        None => RawChange { status: Status::Deleted, from: path.to_vec(), to: path.to_vec() },
    };
    Ok(vanished.iter().map(removal).collect())
}

fn untracked(source: &dyn Source, index: &super::index_file::Index) -> Vec<RepoPath> {
    let tracked = |path: &[u8]| {
        index.staged.listing.contains(path) || index.without_content.iter().any(|known| known.as_bytes() == path)
    };
    let entries = source.listing().iter().filter(|entry| entry.kind == EntryKind::File && !tracked(entry.path));
    entries.map(|entry| RepoPath::new(entry.path)).collect()
}

/// For vanished paths with their objects: the untracked file that has the same content. Each file is taken once; the same
/// name is preferred. Works with SHA-1 names only, which are the ones that libgit2 computes.
fn exact_renames<'a>(
    vanished: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    untracked: &[RepoPath],
    source: &dyn Source,
) -> HashMap<Vec<u8>, Vec<u8>> {
    if untracked.len() > MAX_CANDIDATES {
        return HashMap::new();
    }
    let mut by_object: HashMap<String, Vec<&RepoPath>> = HashMap::new();
    for (path, bytes) in untracked.iter().zip(source.read_many(untracked)) {
        let id = bytes.ok().and_then(|bytes| Oid::hash_object(git2::ObjectType::Blob, &bytes).ok());
        if let Some(id) = id {
            by_object.entry(id.to_string()).or_default().push(path);
        }
    }
    let mut renames = HashMap::new();
    for (path, id) in vanished {
        let Some(candidates) = by_object.get_mut(&hex(id)).filter(|candidates| !candidates.is_empty()) else {
            continue;
        };
        let name = crate::base::path::file_name(path);
        let best = candidates.iter().position(|candidate| candidate.file_name() == name).unwrap_or(0);
        renames.insert(path.to_vec(), candidates.remove(best).as_bytes().to_vec());
    }
    renames
}
