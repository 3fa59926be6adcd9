//! What commits changed, as the `git` program tells it. Knows nothing of questions.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;

pub(super) use crate::source::program::WantedChanges;
use crate::source::program::{GitCall, Printed, ProgramError};
use crate::source::raw::{self, HistoryStep, RawChange, Status};
use crate::source::repository::GitRepository;

/// A commit that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundCommit {
    pub(super) id: String,
    /// Seconds since 1970.
    pub(super) time: i64,
}

/// Most paths of merges that are handed to one call of `git`, and most bytes of any paths.
const PATHS_PER_CALL: usize = 200;
pub(super) const PATH_BYTES_PER_CALL: usize = 1 << 16;

/// So many paths are compared with a small commit in the time that the whole of it takes.
const FEW_PATHS: usize = 40;
/// For more paths, how often one may be compared with a commit: what takes a tenth of a second.
const MOST_COMPARISONS: usize = 250_000;

/// How many commits that git cannot compare are skipped. Each takes one more call.
const MAX_SKIPPED: usize = 64;

/// A commit, and what it changed.
pub(super) struct CommitEvent {
    pub(super) commit: FoundCommit,
    pub(super) changes: Vec<RawChange>,
    /// Files are missing that would tell a rename from a deletion, unless the content stayed the same.
    pub(super) is_blind: bool,
}

/// Tell all commits that `head` reaches, each before its parents, newest first, and what they changed; of merges nothing.
pub(super) fn walk(
    repository: &GitRepository,
    head: &str,
    wanted: &WantedChanges,
    step: &mut dyn FnMut(HistoryStep) -> ControlFlow<()>,
) -> Result<(), ProgramError> {
    walk_since(repository, head, &[], wanted, step)
}

/// [`walk`], without the commits that one of `known` reaches. Some of `known` may be missing.
pub(super) fn walk_since(
    repository: &GitRepository,
    head: &str,
    known: &[String],
    wanted: &WantedChanges,
    step: &mut dyn FnMut(HistoryStep) -> ControlFlow<()>,
) -> Result<(), ProgramError> {
    repository.program().stream(&GitCall::Walk { head, known, wanted }, |output| raw::read(output, step))
}

/// Whether [`touching`] can be asked about `paths`, and is faster than [`walk`]. Git compares each path with each commit.
pub(super) fn pays_for(repository: &GitRepository, head: &str, paths: &BTreeSet<Vec<u8>>) -> bool {
    // Git takes neither an empty path nor a NUL.
    let can = !paths.iter().any(|path| path.is_empty() || path.contains(&0))
        && paths.iter().map(Vec::len).sum::<usize>() <= PATH_BYTES_PER_CALL;
    if !can || paths.len() <= FEW_PATHS {
        return can;
    }
    let most = MOST_COMPARISONS / paths.len();
    let count = repository.program().line(&GitCall::Count { head, most: most + 1 }).ok();
    let count = count.and_then(|line| std::str::from_utf8(&line).ok()?.parse::<usize>().ok());
    count.is_some_and(|count| count <= most)
}

/// The commits of [`walk`] that touch one of `paths` (files or directories). Git compares only the directories on the way to
/// them, so that the size of a commit costs nothing.
pub(super) fn touching(
    repository: &GitRepository,
    head: &str,
    paths: &BTreeSet<Vec<u8>>,
    wanted: &WantedChanges,
) -> Result<Vec<CommitEvent>, ProgramError> {
    // A rename shows only where both of its ends are compared.
    let mut events = Vec::new();
    collect(repository, &GitCall::Touching { head, wanted: &without_renames(wanted), paths }, &mut events)?;
    if wanted.renames {
        find_renames(repository, &mut events, wanted)?;
    }
    Ok(events)
}

/// The same where objects may be missing or damaged: of all commits, or of those that touch one of `paths`. Renames are told
/// from deletions in the commits whose files are there; the others are blind. The walk ends where git fails, and what it told
/// before holds.
pub(super) fn despite_gaps(
    repository: &GitRepository,
    head: &str,
    paths: Option<&BTreeSet<Vec<u8>>>,
    wanted: &WantedChanges,
) -> (Vec<CommitEvent>, Result<(), ProgramError>) {
    let exact = WantedChanges { exact_only: true, ..*wanted };
    let plain = without_renames(wanted);
    let call = match paths {
        Some(paths) => GitCall::Touching { head, wanted: &plain, paths },
        None => GitCall::Walk { head, known: &[], wanted: &exact },
    };
    let mut events = Vec::new();
    let mut told = collect(repository, &call, &mut events);
    if wanted.renames {
        if paths.is_some() {
            told = told.and(find_renames(repository, &mut events, &exact));
        }
        compare_contents(repository, &mut events, wanted);
    }
    (events, told)
}

fn without_renames(wanted: &WantedChanges) -> WantedChanges {
    WantedChanges { renames: false, ..*wanted }
}

/// Append what a call tells. What it told before it failed stays.
fn collect(repository: &GitRepository, call: &GitCall<'_>, events: &mut Vec<CommitEvent>) -> Result<(), ProgramError> {
    repository.program().stream(call, |output| read_events(output, events))
}

fn read_events(output: &mut Printed, events: &mut Vec<CommitEvent>) -> std::io::Result<()> {
    raw::read(output, &mut |step| {
        match step {
            HistoryStep::Commit { id, time, .. } => {
                events.push(CommitEvent { commit: FoundCommit { id, time }, changes: Vec::new(), is_blind: false });
            }
            HistoryStep::Change(change) => {
                if let Some(event) = events.last_mut() {
                    event.changes.push(change);
                }
            }
        }
        ControlFlow::Continue(())
    })
}

fn has(event: &CommitEvent, status: Status) -> bool {
    event.changes.iter().any(|change| change.status == status)
}

/// Look at the whole of each commit that took a path away: the path may have gone somewhere.
fn find_renames(
    repository: &GitRepository,
    events: &mut [CommitEvent],
    wanted: &WantedChanges,
) -> Result<(), ProgramError> {
    let mut open: Vec<&mut CommitEvent> = events.iter_mut().filter(|event| has(event, Status::Deleted)).collect();
    let result = settle(repository, &mut open, wanted);
    open.into_iter().for_each(|event| event.is_blind = true);
    result
}

/// Compare the files that each commit deleted with those that it added, unless one of them is missing.
fn compare_contents(repository: &GitRepository, events: &mut [CommitEvent], wanted: &WantedChanges) {
    let objects = |event: &CommitEvent, status: Status| {
        let of_status = event.changes.iter().filter(move |change| change.status == status && change.is_file);
        of_status.map(|change| change.object.clone()).collect::<Vec<_>>()
    };
    let to_compare = |event: &CommitEvent| match (objects(event, Status::Deleted), objects(event, Status::Added)) {
        (old, new) if old.is_empty() || new.is_empty() => Vec::new(),
        (old, new) => [old, new].concat(),
    };
    let mut open: Vec<(&mut CommitEvent, Vec<Vec<u8>>)> = events
        .iter_mut()
        .map(|event| {
            let objects = to_compare(event);
            (event, objects)
        })
        .collect();
    open.retain(|(_, objects)| !objects.is_empty());
    let all: HashSet<&[u8]> = open.iter().flat_map(|(_, objects)| objects).map(Vec::as_slice).collect();
    let present = repository.program().present(all);
    let mut whole = Vec::with_capacity(open.len());
    for (event, objects) in open {
        event.is_blind = !objects.iter().all(|object| present.contains(object));
        if !event.is_blind {
            whole.push(event);
        }
    }
    // Git ends at the first commit that it cannot compare.
    for _ in 0..MAX_SKIPPED {
        if settle(repository, &mut whole, wanted).is_ok() || whole.is_empty() {
            break;
        }
        whole.remove(0).is_blind = true;
    }
    whole.into_iter().for_each(|event| event.is_blind = true);
}

/// Give commits all that they changed, renames included, and leave those in `open` that git fails to tell about.
fn settle(
    repository: &GitRepository,
    open: &mut Vec<&mut CommitEvent>,
    wanted: &WantedChanges,
) -> Result<(), ProgramError> {
    let mut told = Vec::with_capacity(open.len());
    let ids = open.iter().map(|event| event.commit.id.as_str());
    let result = append_whole(repository, ids, false, wanted, &mut told);
    let mut told: HashMap<String, Vec<RawChange>> =
        told.into_iter().map(|event| (event.commit.id, event.changes)).collect();
    open.retain_mut(|event| match told.remove(&event.commit.id) {
        Some(changes) => {
            event.changes = changes;
            false
        }
        None => true,
    });
    result
}

/// All that some commits changed, renames included. Commits that changed nothing may be left out.
pub(super) fn whole<'i>(
    repository: &GitRepository,
    ids: impl Iterator<Item = &'i str>,
    wanted: &WantedChanges,
) -> Result<Vec<CommitEvent>, ProgramError> {
    let mut events = Vec::new();
    append_whole(repository, ids, false, wanted, &mut events)?;
    Ok(events)
}

/// Append all that some commits changed against their parents, renames included; of merges nothing unless they are asked for.
fn append_whole<'i>(
    repository: &GitRepository,
    ids: impl Iterator<Item = &'i str>,
    merges: bool,
    wanted: &WantedChanges,
    events: &mut Vec<CommitEvent>,
) -> Result<(), ProgramError> {
    let input: String = ids.flat_map(|id| [id, "\n"]).collect();
    let Some(like) = input.lines().next() else { return Ok(()) };
    let call = GitCall::Changes { like, merges, wanted };
    repository.program().stream_with_input(&call, input.clone().into_bytes(), |output| read_events(output, events))
}

/// The merges reachable from `head` that lack one of `paths` (files or directories) although a parent has it, newest first.
pub(super) fn merges_that_lost(
    repository: &GitRepository,
    head: &str,
    paths: &[Vec<u8>],
) -> Result<Vec<FoundCommit>, ProgramError> {
    let mut found: Vec<FoundCommit> = Vec::new();
    for paths in paths.chunks(PATHS_PER_CALL) {
        let mut commit = None;
        let mut note = |step: HistoryStep| {
            match step {
                HistoryStep::Commit { id, time, .. } => commit = Some(FoundCommit { id, time }),
                HistoryStep::Change(_) => found.extend(commit.take()),
            }
            ControlFlow::Continue(())
        };
        repository.program().stream(&GitCall::LostInMerges { head, paths }, |output| raw::read(output, &mut note))?;
    }
    let mut seen = BTreeSet::new();
    found.retain(|merge| seen.insert(merge.id.clone()));
    Ok(found)
}

/// What merges changed against each of their parents, renames included.
pub(super) fn of_merges(
    repository: &GitRepository,
    merges: &[FoundCommit],
    wanted: &WantedChanges,
) -> Result<HashMap<String, Vec<RawChange>>, ProgramError> {
    let sides = sides_of_merges(repository, merges, wanted)?;
    Ok(sides.into_iter().map(|(id, sides)| (id, sides.concat())).collect())
}

/// The same, each comparison on its own; one that shows no change may be left out.
pub(super) fn sides_of_merges(
    repository: &GitRepository,
    merges: &[FoundCommit],
    wanted: &WantedChanges,
) -> Result<HashMap<String, Vec<Vec<RawChange>>>, ProgramError> {
    let mut events = Vec::new();
    append_whole(repository, merges.iter().map(|merge| merge.id.as_str()), true, wanted, &mut events)?;
    let mut sides: HashMap<String, Vec<Vec<RawChange>>> = HashMap::new();
    events.into_iter().for_each(|event| sides.entry(event.commit.id).or_default().push(event.changes));
    Ok(sides)
}

/// What some merges lack of `paths` (files or directories) although a parent has it.
pub(super) fn losses(
    repository: &GitRepository,
    merges: &[&str],
    paths: &[&Vec<u8>],
) -> Result<Vec<(String, Vec<RawChange>)>, ProgramError> {
    let Some(like) = merges.first() else { return Ok(Vec::new()) };
    let input: String = merges.iter().flat_map(|id| [id, "\n"]).collect();
    let mut events = Vec::new();
    for paths in paths.chunks(PATHS_PER_CALL) {
        let paths: Vec<Vec<u8>> = paths.iter().map(|path| (*path).clone()).collect();
        let call = GitCall::LostInThese { like, paths: &paths };
        let read = |output: &mut Printed| read_events(output, &mut events);
        repository.program().stream_with_input(&call, input.clone().into_bytes(), read)?;
    }
    Ok(events.into_iter().map(|event| (event.commit.id, event.changes)).collect())
}
