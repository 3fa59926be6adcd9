//! Reads commits that the cache does not have.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::paths::PathTable;
use super::{Cache, PathEventKind, Touch};
use crate::source::history::commits::{self, WantedChanges};
use crate::source::program::{ProgramError, from_hex, hex};
use crate::source::raw::{HistoryStep, RawChange, Status};
use crate::source::repository::GitRepository;

/// Most heads that are remembered. Branches and worktrees have one each.
const MAX_HEADS: usize = 16;

/// Most paths that commits touched, most commits, and most bytes of different paths. What has more is not kept anyway.
const MAX_TOUCHES: usize = 4 << 20;
const MAX_COMMITS: usize = 300_000;
pub(super) const MAX_PATH_BYTES: usize = 64 << 20;

/// Commits as git tells them, newest first.
#[derive(Default)]
struct GatheredCommits {
    commits: Vec<GatheredCommit>,
    /// All paths, numbered as they came: those of the cache first.
    paths: HashMap<Box<[u8]>, u32>,
    touches: usize,
    path_bytes: usize,
    /// Git told something that cannot be kept.
    is_odd: bool,
}

struct GatheredCommit {
    id: Box<[u8]>,
    time: i64,
    parents: Vec<String>,
    touches: Vec<Touch>,
}

impl Cache {
    /// All commits that `head` reaches, newest first, after those were read that are not there. `None` if the history cannot
    /// be kept.
    pub(in crate::source::history) fn reach(
        &mut self,
        repository: &GitRepository,
        head: &str,
    ) -> Result<Option<Vec<u32>>, ProgramError> {
        if self.is_unfit {
            return Ok(None);
        }
        let Some(id) = from_hex(head.as_bytes()) else { return Ok(None) };
        if let Some(known) = self.commits.find(&id) {
            return Ok(Some(self.order(known)));
        }
        let mut fits = self.extend(repository, head)?;
        if !fits && !self.commits.is_empty() {
            // The file may be forged, or the repository was damaged meanwhile.
            *self = Cache::default();
            fits = self.extend(repository, head)?;
        }
        self.is_changed = true;
        if !fits {
            *self = Cache { is_unfit: true, is_changed: true, ..Cache::default() };
        }
        Ok(self.commits.find(&id).map(|head| self.settle_on(head)))
    }

    /// Write down that the new commit `head` was asked for, and drop what no head reaches that was asked for lately. The order
    /// of what it reaches.
    fn settle_on(&mut self, head: u32) -> Vec<u32> {
        let order = self.order(head);
        let reached = self.reachable(head);
        self.heads.retain(|&known| !reached[known as usize]);
        self.heads.push(head);
        if self.heads.len() <= MAX_HEADS && self.commits.len() <= 2 * order.len() + 1000 {
            return order;
        }
        self.keep_only(&order);
        self.order(self.commits.len() as u32 - 1)
    }

    /// Read the commits that `head` reaches and that are not there. False if they cannot be kept: there are too many, or what
    /// git tells does not fit to what was known.
    fn extend(&mut self, repository: &GitRepository, head: &str) -> Result<bool, ProgramError> {
        let known: Vec<String> = self.heads.iter().map(|&head| hex(self.commits.get(head).id)).collect();
        let paths = (0..self.paths.len() as u32).map(|number| (self.paths.get(number).into(), number));
        let mut gathered = GatheredCommits { paths: paths.collect(), ..GatheredCommits::default() };
        let wanted = WantedChanges { renames: false, exact_only: false, modifications: true };
        commits::walk_since(repository, head, &known, &wanted, &mut |step| gathered.note(step))?;
        Ok(!gathered.is_odd && !gathered.is_too_much() && self.append(gathered))
    }

    /// Append commits, oldest first; false if one has a parent that is not there.
    fn append(&mut self, gathered: GatheredCommits) -> bool {
        let mut numbers: HashMap<Box<[u8]>, u32> =
            (0..).zip(self.commits.iter()).map(|(number, commit)| (commit.id.into(), number)).collect();
        let Some(new_numbers) = self.sort_paths(gathered.paths) else { return false };
        for commit in gathered.commits.into_iter().rev() {
            if numbers.contains_key(&commit.id) {
                continue;
            }
            let parent = |id: &String| numbers.get(&*from_hex(id.as_bytes())?).copied();
            let Some(parents) = commit.parents.iter().map(parent).collect::<Option<Vec<u32>>>() else { return false };
            let renumbered = |touch: Touch| Touch { path: new_numbers[touch.path as usize], ..touch };
            let mut touches: Vec<Touch> = commit.touches.into_iter().map(renumbered).collect();
            touches.sort_unstable_by_key(|touch| touch.path);
            if !touches.is_sorted_by(|one, two| one.path < two.path) {
                return false;
            }
            if !self.commits.push(&commit.id, commit.time, parents, touches) {
                return false;
            }
            numbers.insert(commit.id, self.commits.len() as u32 - 1);
        }
        true
    }

    /// Take paths that are numbered as they came, number them as they sort, and answer the new number of each.
    fn sort_paths(&mut self, paths: HashMap<Box<[u8]>, u32>) -> Option<Vec<u32>> {
        let mut sorted: Vec<(Box<[u8]>, u32)> = paths.into_iter().collect();
        sorted.sort_unstable();
        let mut new_numbers = vec![0; sorted.len()];
        let mut table = PathTable::default();
        for (new, (path, old)) in (0..).zip(&sorted) {
            new_numbers[*old as usize] = new;
            if !table.push(path, MAX_PATH_BYTES) {
                return None;
            }
        }
        self.paths = table;
        self.commits.renumber_paths(&new_numbers);
        Some(new_numbers)
    }
}

impl GatheredCommits {
    fn note(&mut self, step: HistoryStep) -> ControlFlow<()> {
        match step {
            HistoryStep::Commit { id, time, parents, .. } => match from_hex(id.as_bytes()) {
                Some(id) => {
                    self.commits.push(GatheredCommit { id: id.into(), time, parents, touches: Vec::new() });
                }
                None => self.is_odd = true,
            },
            HistoryStep::Change(change) => self.touch(&change),
        }
        match self.is_odd || self.is_too_much() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn touch(&mut self, change: &RawChange) {
        let kind = match change.status {
            Status::Added => PathEventKind::Added,
            Status::Modified => PathEventKind::Modified,
            Status::Deleted => PathEventKind::Deleted,
            Status::Renamed { .. } => return self.is_odd = true,
        };
        let path = match self.paths.get(&*change.to) {
            Some(&path) => path,
            None => {
                let path = self.paths.len() as u32;
                self.path_bytes += change.to.len();
                self.paths.insert(change.to.as_slice().into(), path);
                path
            }
        };
        self.touches += 1;
        match self.commits.last_mut() {
            Some(commit) => commit.touches.push(Touch { path, kind }),
            None => self.is_odd = true,
        }
    }

    fn is_too_much(&self) -> bool {
        self.touches > MAX_TOUCHES || self.commits.len() > MAX_COMMITS || self.path_bytes > MAX_PATH_BYTES
    }
}
