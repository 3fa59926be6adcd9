//! Walks through commits and tells what each changed: by `git log`, which is several times faster, or by libgit2 where there
//! is no `git`. Both tell the same in the same order. Knows nothing of questions.

use std::ops::ControlFlow;

use git2::{Oid, Sort};

use crate::source::SourceError;
use crate::source::program::ProgramError;
use crate::source::raw::{self, RawChange, Status, Step};
use crate::source::repository::Repository;

/// What a walk has to tell.
pub(super) struct Wanted {
    /// Tell renames from deletions.
    pub(super) renames: bool,
    /// Only renames that kept the content; no file is read for them.
    pub(super) exact_only: bool,
    /// Tell modifications too.
    pub(super) modifications: bool,
}

/// A commit that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) id: String,
    pub(super) time: i64,
}

/// Most paths that are handed to one call of `git`.
const PATHS_PER_CALL: usize = 200;

/// Tell all commits that `head` reaches, each before its parents, newest first, and what they changed; of merges nothing.
pub(super) fn walk(
    repository: &Repository,
    head: &str,
    wanted: &Wanted,
    step: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<(), SourceError> {
    let similarity = format!("-M{}%", if wanted.exact_only { 100 } else { raw::SIMILARITY });
    let limit = format!("-l{}", raw::RENAME_LIMIT);
    let mut arguments = vec!["log", "--date-order", "--root"];
    arguments.extend(RAW);
    arguments.push(raw::FORMAT);
    match wanted.renames {
        true => arguments.extend([similarity.as_str(), &limit]),
        false => arguments.push("--no-renames"),
    }
    if !wanted.modifications {
        arguments.push("--diff-filter=ADR");
    }
    arguments.extend([head, "--"]);
    // The closure may be called by either side, but never by both: the program says that it is missing before all else.
    match repository.program().stream(&arguments, |output| raw::read(output, step)) {
        Err(ProgramError::NotInstalled) => walk_by_library(repository, head, wanted, step),
        result => Ok(result?),
    }
}

/// Options that make `git` print changes as [`raw::read`] reads them, whatever is configured.
pub(in crate::source) const RAW: [&str; 8] = [
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--ignore-submodules=none",
];

fn walk_by_library(
    repository: &Repository,
    head: &str,
    wanted: &Wanted,
    step: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<(), SourceError> {
    let Some(library) = repository.library() else { return Err(ProgramError::NotInstalled.into()) };
    let mut walk = library.revwalk().map_err(failed)?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME).map_err(failed)?;
    walk.push(Oid::from_str(head).map_err(failed)?).map_err(failed)?;
    for id in walk {
        let commit = id.and_then(|id| library.find_commit(id)).map_err(failed)?;
        if step(Step::Commit { id: commit.id().to_string(), time: commit.time().seconds() }).is_break() {
            return Ok(());
        }
        if commit.parent_count() > 1 {
            continue;
        }
        for change in commit_changes(&library, &commit, 0, wanted).map_err(failed)? {
            if (wanted.modifications || change.status != Status::Modified) && step(Step::Change(change)).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// What a commit changed against one of its parents, or against nothing.
fn commit_changes(
    library: &git2::Repository,
    commit: &git2::Commit<'_>,
    parent: usize,
    wanted: &Wanted,
) -> Result<Vec<RawChange>, git2::Error> {
    let before = if parent < commit.parent_count() { Some(commit.parent(parent)?.tree()?) } else { None };
    let mut diff = library.diff_tree_to_tree(before.as_ref(), Some(&commit.tree()?), None)?;
    if wanted.renames {
        raw::find_renames(&mut diff, wanted.exact_only)?;
    }
    Ok(raw::of_diff(&diff))
}

/// The merges reachable from `head` that lack one of `paths` (files or directories) although a parent has it, newest first.
pub(super) fn merges_that_lost(
    repository: &Repository,
    head: &str,
    paths: &[Vec<u8>],
) -> Result<Vec<Found>, SourceError> {
    let mut found: Vec<Found> = Vec::new();
    for paths in paths.chunks(PATHS_PER_CALL) {
        let mut arguments: Vec<std::ffi::OsString> =
            ["log", "--date-order", "--merges", "--full-history", "-m", "--diff-filter=D"].map(Into::into).to_vec();
        arguments.extend(RAW.map(Into::into));
        arguments.extend(["--no-renames", raw::FORMAT, head, "--"].map(Into::into));
        arguments.extend(paths.iter().map(|path| crate::path::bytes_to_os_path(path).into_os_string()));
        let mut commit = None;
        let mut note = |step: Step| {
            match step {
                Step::Commit { id, time } => commit = Some(Found { id, time }),
                Step::Change(_) => found.extend(commit.take()),
            }
            ControlFlow::Continue(())
        };
        match repository.program().stream(&arguments, |output| raw::read(output, &mut note)) {
            Err(ProgramError::NotInstalled) => return merges_by_library(repository, head, paths),
            result => result?,
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|merge| seen.insert(merge.id.clone()));
    Ok(found)
}

fn merges_by_library(repository: &Repository, head: &str, paths: &[Vec<u8>]) -> Result<Vec<Found>, SourceError> {
    let Some(library) = repository.library() else { return Err(ProgramError::NotInstalled.into()) };
    let mut walk = library.revwalk().map_err(failed)?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME).map_err(failed)?;
    walk.push(Oid::from_str(head).map_err(failed)?).map_err(failed)?;
    let mut found = Vec::new();
    for id in walk {
        let commit = id.and_then(|id| library.find_commit(id)).map_err(failed)?;
        if commit.parent_count() < 2 {
            continue;
        }
        let has = |tree: &git2::Tree<'_>, path: &[u8]| tree.get_path(&crate::path::bytes_to_os_path(path)).is_ok();
        let tree = commit.tree().map_err(failed)?;
        let parents: Vec<_> = commit.parents().filter_map(|parent| parent.tree().ok()).collect();
        if paths.iter().any(|path| !has(&tree, path) && parents.iter().any(|parent| has(parent, path))) {
            found.push(Found { id: commit.id().to_string(), time: commit.time().seconds() });
        }
    }
    Ok(found)
}

/// What a merge changed against each of its parents, renames included.
pub(super) fn of_merge(repository: &Repository, id: &str) -> Result<Vec<RawChange>, SourceError> {
    let mut changes = Vec::new();
    let similarity = format!("-M{}%", raw::SIMILARITY);
    let limit = format!("-l{}", raw::RENAME_LIMIT);
    let arguments =
        ["diff-tree", "-r", "-m", "--raw", "-z", "--no-abbrev", "--no-commit-id", &similarity, &limit, id, "--"];
    let mut note = |step: Step| {
        if let Step::Change(change) = step {
            changes.push(change);
        }
        ControlFlow::Continue(())
    };
    match repository.program().stream(&arguments, |output| raw::read(output, &mut note)) {
        Err(ProgramError::NotInstalled) => {}
        result => {
            result?;
            return Ok(changes);
        }
    }
    let Some(library) = repository.library() else { return Err(ProgramError::NotInstalled.into()) };
    let commit = Oid::from_str(id).and_then(|id| library.find_commit(id)).map_err(failed)?;
    let wanted = Wanted { renames: true, exact_only: false, modifications: false };
    for parent in 0..commit.parent_count() {
        changes.extend(commit_changes(&library, &commit, parent, &wanted).map_err(failed)?);
    }
    Ok(changes)
}

fn failed(error: git2::Error) -> SourceError {
    SourceError::new(error.message())
}
