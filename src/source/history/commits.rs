//! What commits changed, as the `git` program tells it, and libgit2 where only a few whole commits are asked for and there is
//! no `git`. Knows nothing of questions.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use git2::Oid;
use rayon::prelude::*;

use super::graph::{Commit, Graph};
use crate::source::SourceError;
use crate::source::objects::Objects;
pub(super) use crate::source::program::Wanted;
use crate::source::program::{Call, Printed, ProgramError};
use crate::source::raw::{self, RawChange, Status, Step};
use crate::source::repository::Repository;

/// A commit that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) id: String,
    pub(super) time: i64,
}

/// Most paths of merges that are handed to one call of `git`, and most bytes of any paths.
const PATHS_PER_CALL: usize = 200;
const PATH_BYTES_PER_CALL: usize = 1 << 16;

/// So many paths are compared with a small commit in the time that the whole of it takes.
const FEW_PATHS: usize = 40;
/// For more paths, how often one may be compared with a commit: what takes a tenth of a second.
const MOST_COMPARISONS: usize = 250_000;

/// A commit that touched a path, and what it changed.
pub(super) struct Event {
    commit: Found,
    changes: Vec<RawChange>,
}

impl Event {
    /// The steps of a walk that come by this commit.
    pub(super) fn into_steps(self) -> impl Iterator<Item = Step> {
        let Found { id, time } = self.commit;
        std::iter::once(Step::Commit { id, time }).chain(self.changes.into_iter().map(Step::Change))
    }
}

/// Tell all commits that `head` reaches, each before its parents, newest first, and what they changed; of merges nothing.
pub(super) fn walk(
    repository: &Repository,
    head: &str,
    wanted: &Wanted,
    step: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<(), ProgramError> {
    repository.program().stream(&Call::Walk { head, wanted }, |output| raw::read(output, step))
}

/// Whether [`touching`] can be asked about `paths`, and is faster than [`walk`]. Git compares each path with each commit.
pub(super) fn pays_for(repository: &Repository, head: &str, paths: &BTreeSet<Vec<u8>>) -> bool {
    // Git takes neither an empty path nor a NUL.
    let can = !paths.iter().any(|path| path.is_empty() || path.contains(&0))
        && paths.iter().map(Vec::len).sum::<usize>() <= PATH_BYTES_PER_CALL;
    if !can || paths.len() <= FEW_PATHS {
        return can;
    }
    let most = MOST_COMPARISONS / paths.len();
    if let Some(count) = few(repository, head) {
        return count <= most;
    }
    let count = repository.program().line(&Call::Count { head, most: most + 1 }).ok();
    let count = count.and_then(|line| std::str::from_utf8(&line).ok()?.parse::<usize>().ok());
    count.is_some_and(|count| count <= most)
}

/// How many commits `head` reaches, if they are so few that counting them here is faster than to start a program.
fn few(repository: &Repository, head: &str) -> Option<usize> {
    const FEW: usize = 100;
    let head = Oid::from_str(head).ok()?;
    let cut_off = repository.cut_off_commits();
    repository.objects()?.with_reader(|reader| Graph::count(reader, head, &cut_off, FEW))
}

/// What [`walk`] tells, left out all commits that touch none of `paths` (files or directories). Git compares only the
/// directories on the way to them, so that a commit costs next to nothing however large it is. Only by the program.
pub(super) fn touching(
    repository: &Repository,
    head: &str,
    paths: &BTreeSet<Vec<u8>>,
    wanted: &Wanted,
) -> Result<Vec<Event>, ProgramError> {
    // A rename shows only where both of its ends are looked at.
    let call = Call::Touching { head, wanted: &Wanted { renames: false, ..*wanted }, paths };
    let mut events = Vec::new();
    repository.program().stream(&call, |output| raw::read(output, &mut |step| collect(&mut events, step)))?;
    if wanted.renames {
        find_renames(repository, &mut events, wanted)?;
    }
    Ok(events)
}

fn collect(events: &mut Vec<Event>, step: Step) -> ControlFlow<()> {
    match step {
        Step::Commit { id, time } => events.push(Event { commit: Found { id, time }, changes: Vec::new() }),
        Step::Change(change) => {
            if let Some(event) = events.last_mut() {
                event.changes.push(change);
            }
        }
    }
    ControlFlow::Continue(())
}

/// Look at the whole of each commit that took a path away: the path may have gone somewhere.
fn find_renames(repository: &Repository, events: &mut [Event], wanted: &Wanted) -> Result<(), ProgramError> {
    let took = |event: &&mut Event| event.changes.iter().any(|change| change.status == Status::Deleted);
    let mut open: Vec<&mut Event> = events.iter_mut().filter(took).collect();
    if open.is_empty() {
        return Ok(());
    }
    let mut whole: Vec<Event> = Vec::with_capacity(open.len());
    whole_by_program(repository, open.iter().map(|event| event.commit.id.as_str()), false, wanted, &mut whole)?;
    let mut whole: HashMap<String, Vec<RawChange>> =
        whole.into_iter().map(|event| (event.commit.id, event.changes)).collect();
    for event in &mut open {
        if let Some(changes) = whole.remove(&event.commit.id) {
            event.changes = changes;
        }
    }
    Ok(())
}

/// Tell all that some commits changed against their parents, renames included; of merges nothing unless they are asked for.
fn whole_by_program<'i>(
    repository: &Repository,
    ids: impl Iterator<Item = &'i str>,
    merges: bool,
    wanted: &Wanted,
    whole: &mut Vec<Event>,
) -> Result<(), ProgramError> {
    let input: String = ids.flat_map(|id| [id, "\n"]).collect();
    let Some(like) = input.lines().next() else { return Ok(()) };
    let call = Call::Changes { like, merges, wanted };
    let read = |output: &mut Printed| raw::read(output, &mut |step| collect(whole, step));
    repository.program().stream_with_input(&call, input.clone().into_bytes(), read)
}

/// All that some commits without second parents changed, renames included, as the program tells it; `None` without it. What it
/// cannot tell is left out.
pub(super) fn whole_changes(
    repository: &Repository,
    commits: &[&Commit],
    wanted: &Wanted,
) -> Option<HashMap<Oid, Vec<RawChange>>> {
    let ids: Vec<String> = commits.iter().map(|commit| commit.id.to_string()).collect();
    let mut whole = Vec::with_capacity(ids.len());
    let told = whole_by_program(repository, ids.iter().map(String::as_str), false, wanted, &mut whole);
    if matches!(told, Err(ProgramError::NotInstalled)) {
        return None;
    }
    // Where it fails in the middle, what it said before holds.
    let known = whole.into_iter().filter_map(|event| Some((Oid::from_str(&event.commit.id).ok()?, event.changes)));
    Some(known.collect())
}

/// The trees before and after a commit, as far as there are any.
pub(super) type TreePair = (Option<Oid>, Option<Oid>);

/// The same as [`whole_changes`], found out here, for commits whose trees are known.
pub(super) fn whole_changes_here(
    objects: &Objects,
    commits: &[(Oid, TreePair)],
    wanted: &Wanted,
) -> HashMap<Oid, Vec<RawChange>> {
    let share = commits.len().div_ceil(rayon::current_num_threads()).max(1);
    let parts = commits.par_chunks(share).map(|commits| {
        objects.with_reader(|reader| {
            let changes = |trees: TreePair| {
                let mut changes = tree_changes(reader.library()?, trees, wanted).ok()?;
                changes.retain(|change| wanted.modifications || change.status != Status::Modified);
                Some(changes)
            };
            commits.iter().filter_map(|&(commit, trees)| Some((commit, changes(trees)?))).collect::<Vec<_>>()
        })
    });
    parts.flatten_iter().collect()
}

/// What was changed between two trees.
fn tree_changes(
    library: &git2::Repository,
    (old, new): TreePair,
    wanted: &Wanted,
) -> Result<Vec<RawChange>, git2::Error> {
    let tree = |id: Option<Oid>| id.map(|id| library.find_tree(id)).transpose();
    let mut diff = library.diff_tree_to_tree(tree(old)?.as_ref(), tree(new)?.as_ref(), None)?;
    if wanted.renames {
        raw::find_renames(&mut diff, wanted.exact_only)?;
    }
    Ok(raw::of_diff(&diff))
}

/// The merges reachable from `head` that lack one of `paths` (files or directories) although a parent has it, newest first.
/// Only by the program.
pub(super) fn merges_that_lost(
    repository: &Repository,
    head: &str,
    paths: &[Vec<u8>],
) -> Result<Vec<Found>, SourceError> {
    let mut found: Vec<Found> = Vec::new();
    for paths in paths.chunks(PATHS_PER_CALL) {
        let mut commit = None;
        let mut note = |step: Step| {
            match step {
                Step::Commit { id, time } => commit = Some(Found { id, time }),
                Step::Change(_) => found.extend(commit.take()),
            }
            ControlFlow::Continue(())
        };
        repository.program().stream(&Call::LostInMerges { head, paths }, |output| raw::read(output, &mut note))?;
    }
    let mut seen = BTreeSet::new();
    found.retain(|merge| seen.insert(merge.id.clone()));
    Ok(found)
}

/// What merges changed against each of their parents, renames included.
pub(super) fn of_merges(
    repository: &Repository,
    merges: &[Found],
    wanted: &Wanted,
) -> Result<HashMap<String, Vec<RawChange>>, SourceError> {
    let mut changes: HashMap<String, Vec<RawChange>> = HashMap::new();
    if merges.is_empty() {
        return Ok(changes);
    }
    let mut events = Vec::new();
    match whole_by_program(repository, merges.iter().map(|merge| merge.id.as_str()), true, wanted, &mut events) {
        Err(ProgramError::NotInstalled) => {}
        result => {
            result?;
            // One event for each parent.
            events.into_iter().for_each(|event| changes.entry(event.commit.id).or_default().extend(event.changes));
            return Ok(changes);
        }
    }
    let Some(library) = repository.library() else { return Err(ProgramError::NotInstalled.into()) };
    for merge in merges {
        let commit = Oid::from_str(&merge.id).and_then(|id| library.find_commit(id)).map_err(failed)?;
        let changes = changes.entry(merge.id.clone()).or_default();
        for parent in 0..commit.parent_count() {
            let old = commit.parent(parent).map_err(failed)?.tree_id();
            changes.extend(tree_changes(&library, (Some(old), Some(commit.tree_id())), wanted).map_err(failed)?);
        }
    }
    Ok(changes)
}

pub(super) fn failed(error: git2::Error) -> SourceError {
    SourceError::new(error.message())
}
