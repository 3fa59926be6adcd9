//! What the changes of many commits, newest first, say about the paths that were asked for. Pure: it is told of commits and
//! changes, and has never seen a repository.
//!
//! Every removal is written down, whoever asked, because a path that was renamed long ago may have been renamed again since.
//! Where lines of history run side by side, a path may be removed on each; those of its last life are considered together,
//! and one that leads to a file of today wins.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Answers, CommitRef, Fate, Questions};
use crate::base::date::civil;
use crate::base::path::{RepoPath, ancestors_from_root, parent};
use crate::source::Listing;
use crate::source::raw::{RawChange, Status};

/// Where a commit stands in the walk; smaller is newer. Gaps leave room for merges that are looked at later.
type Order = u64;
const GAP: Order = 1 << 16;

/// A path went.
#[derive(Clone, Debug)]
struct Removal {
    order: Order,
    /// Where it went, if it was renamed, and whether its content stayed the same.
    to: Option<(Vec<u8>, bool)>,
    /// It may have been renamed although it looks deleted: files were missing that would have told.
    is_blind: bool,
}

/// What is known so far about a path that was asked for.
#[derive(Clone, Debug, Default)]
struct Asked {
    /// How many of its removals belong to its last life: those newer than the commit that made it.
    last_life: Option<usize>,
    /// Whether it was seen being there although no removal is known.
    was_there: bool,
    /// Removed paths below it, newest first, if it was a directory.
    below: Vec<(Vec<u8>, Order)>,
    /// No older commit can change the answer.
    settled: bool,
}

/// The book in which a walk writes.
#[derive(Clone)]
pub(super) struct Ledger<'a> {
    now: &'a Listing,
    asked: BTreeMap<Vec<u8>, Asked>,
    last_changes: BTreeMap<Vec<u8>, Option<Order>>,
    /// Questions that are still open.
    open: usize,
    removals: HashMap<Vec<u8>, Vec<Removal>>,
    /// Directories that were asked for and that lose files in the commit of the moment.
    losing: BTreeSet<Vec<u8>>,
    commits: BTreeMap<Order, CommitRef>,
    order: Order,
    /// Whether the walk has come to commits; what is not committed yet comes before them.
    committed: bool,
    /// The commit of the moment, if nothing has referred to it yet.
    unnamed: Option<(String, i64)>,
    /// Whether history was cut off at this commit, so that all its files look added.
    cut_off: bool,
    /// Whether renames could not be told from deletions in this commit, and in any.
    blind_now: bool,
    blind_ever: bool,
}

impl<'a> Ledger<'a> {
    /// For some questions about a source that lists `now`.
    pub(super) fn new(questions: &Questions, now: &'a Listing) -> Self {
        let key = |path: &RepoPath| path.as_bytes().to_vec();
        let asked: BTreeMap<_, _> = questions.fates.iter().map(|path| (key(path), Asked::default())).collect();
        let last_changes: BTreeMap<_, _> = questions.last_changes.iter().map(|path| (key(path), None)).collect();
        Ledger {
            now,
            open: asked.len() + last_changes.len(),
            asked,
            last_changes,
            removals: HashMap::new(),
            losing: BTreeSet::new(),
            commits: BTreeMap::new(),
            order: 0,
            committed: false,
            unnamed: None,
            cut_off: false,
            blind_now: false,
            blind_ever: false,
        }
    }

    /// The walk goes on from what is not staged to what is not committed.
    pub(super) fn staged(&mut self) {
        self.settle_directories();
        self.order += 1;
    }

    /// The walk goes on to an older commit.
    pub(super) fn commit(&mut self, id: String, time: i64, cut_off: bool) {
        self.settle_directories();
        self.order += GAP;
        self.committed = true;
        self.unnamed = Some((id, time));
        self.cut_off = cut_off;
        self.blind_now = false;
    }

    /// Files of the commit of the moment are missing, so that renames cannot be told from deletions there, unless the
    /// content stayed the same.
    pub(super) fn blind(&mut self) {
        self.blind_now = true;
        self.blind_ever = true;
    }

    /// Whether renames could not be told from deletions somewhere.
    pub(super) fn is_blind(&self) -> bool {
        self.blind_ever
    }

    /// The commit of the moment, or at first what is not even staged, changed a path.
    pub(super) fn change(&mut self, change: &RawChange) {
        match change.status {
            Status::Added => self.arrival(&change.to),
            Status::Modified => {
                if let Some(asked) = self.asked.get_mut(&change.to) {
                    asked.was_there = true;
                }
            }
            Status::Deleted => self.removal(&change.from, None),
            Status::Renamed { exact } => {
                self.removal(&change.from, Some((change.to.clone(), exact)));
                self.arrival(&change.to);
            }
        }
        if change.status != Status::Deleted && self.committed && !self.cut_off {
            self.touched(&change.to);
        }
    }

    /// Whether no older commit can change any answer.
    pub(super) fn is_settled(&self) -> bool {
        self.open == 0
    }

    fn touched(&mut self, path: &[u8]) {
        let order = self.order;
        if let Some(last @ None) = self.last_changes.get_mut(path) {
            *last = Some(order);
            self.open -= 1;
            self.name_commit();
        }
    }

    fn removal(&mut self, path: &[u8], to: Option<(Vec<u8>, bool)>) {
        self.name_commit();
        let order = self.order;
        let leads_somewhere = to.as_ref().is_some_and(|(to, _)| self.follow(to, order).is_some());
        let is_blind = to.is_none() && self.blind_now;
        self.removals.entry(path.to_vec()).or_default().push(Removal { order, to, is_blind });
        if let Some(asked) = self.asked.get_mut(path)
            && !asked.settled
            && leads_somewhere
        {
            asked.settled = true;
            self.open -= 1;
        }
        for dir in ancestors_from_root(parent(path)) {
            if let Some(asked) = self.asked.get_mut(dir) {
                asked.below.push((path.to_vec(), order));
                self.losing.insert(dir.to_vec());
            }
        }
    }

    fn arrival(&mut self, path: &[u8]) {
        if let Some(asked) = self.asked.get_mut(path) {
            match self.removals.get(path).map_or(0, Vec::len) {
                0 => asked.was_there = true,
                count if asked.last_life.is_none() => {
                    asked.last_life = Some(count);
                    self.open -= usize::from(!asked.settled);
                    asked.settled = true;
                }
                _ => {}
            }
        }
        for dir in ancestors_from_root(parent(path)) {
            if let Some(asked) = self.asked.get_mut(dir) {
                asked.was_there = true;
            }
        }
    }

    /// Remember the commit of the moment, once something refers to it.
    fn name_commit(&mut self) {
        if let Some((id, time)) = self.unnamed.take() {
            self.commits.insert(self.order, commit_ref(&id, time));
        }
    }

    /// A directory whose last files went in the commit that ends here, most of them to one place, is settled.
    fn settle_directories(&mut self) {
        let order = self.order;
        for path in std::mem::take(&mut self.losing) {
            let asked = self.asked.get(&path);
            let is_last =
                asked.is_some_and(|asked| !asked.settled && asked.below.first().is_some_and(|b| b.1 == order));
            if is_last
                && self.directory_vote(&path, order).is_some()
                && let Some(asked) = self.asked.get_mut(&path)
            {
                asked.settled = true;
                self.open -= 1;
            }
        }
    }

    /// Where a path that was renamed to `to` at `order` is today, and whether its content stayed the same since.
    fn follow(&self, to: &[u8], order: Order) -> Option<(Vec<u8>, bool)> {
        let (mut path, mut order, mut exact) = (to.to_vec(), order, true);
        // Each step is newer than the one before, so the walk ends.
        while !self.now.contains(&path) {
            let newer = self.removals.get(&path)?.iter().rev().filter(|removal| removal.order < order);
            let (next, step) = newer.filter_map(|removal| Some((removal.order, removal.to.as_ref()?))).next()?;
            (path, order, exact) = (step.0.clone(), next, exact && step.1);
        }
        Some((path, exact))
    }

    /// Where most of the files went that directory `dir` lost at `order`, or ever with [`Order::MAX`].
    fn directory_vote(&self, dir: &[u8], order: Order) -> Option<(Vec<u8>, bool)> {
        let below = &self.asked.get(dir)?.below;
        let mut votes: BTreeMap<Vec<u8>, (usize, bool)> = BTreeMap::new();
        let mut count = 0;
        for (path, _) in below.iter().filter(|(_, at)| *at == order || order == Order::MAX) {
            count += 1;
            let found = self.removals.get(path).into_iter().flatten().find_map(|removal| {
                let (to, exact) = removal.to.as_ref().filter(|_| order == Order::MAX || removal.order == order)?;
                let (to, since) = self.follow(to, removal.order)?;
                Some((to, *exact && since))
            });
            if let Some((target, exact)) = found.and_then(|(to, exact)| Some((moved_dir(dir, path, &to)?, exact))) {
                let vote = votes.entry(target).or_insert((0, true));
                *vote = (vote.0 + 1, vote.1 && exact);
            }
        }
        let (target, (most, exact)) = votes.into_iter().max_by_key(|(_, (votes, _))| *votes)?;
        (most * 2 > count).then_some((target, exact))
    }

    /// Names that what was asked for has had on its way and that are not there now: what became of them matters too.
    pub(super) fn names_on_the_way(&self) -> BTreeSet<Vec<u8>> {
        let mut found = BTreeSet::new();
        let mut queue: Vec<&[u8]> = Vec::new();
        for (path, asked) in &self.asked {
            queue.push(path);
            queue.extend(asked.below.iter().map(|(path, _)| path.as_slice()));
        }
        while let Some(path) = queue.pop() {
            for (to, _) in self.removals.get(path).into_iter().flatten().filter_map(|removal| removal.to.as_ref()) {
                if !self.now.contains(to) && found.insert(to.clone()) {
                    queue.push(to);
                }
            }
        }
        found
    }

    /// Paths that were there and are not, although no ordinary commit took them away: a merge must have.
    pub(super) fn lost_in_merges(&self) -> Vec<Vec<u8>> {
        let mut lost: Vec<Vec<u8>> = Vec::new();
        for (path, asked) in &self.asked {
            match self.removals.get(path) {
                None if asked.below.is_empty() && asked.was_there => lost.push(path.clone()),
                None => lost.extend(asked.below.iter().filter_map(|(path, _)| self.dead_end(path))),
                Some(_) => lost.extend(self.dead_end(path)),
            }
        }
        lost.sort();
        lost.dedup();
        lost
    }

    /// The last name that is known of a path, if that has vanished without a trace.
    fn dead_end(&self, path: &[u8]) -> Option<Vec<u8>> {
        let removal = self.removals.get(path)?.first()?;
        let (mut path, mut order) = (&removal.to.as_ref()?.0, removal.order);
        loop {
            if self.now.contains(path) {
                return None;
            }
            let newer = self.removals.get(path).into_iter().flatten().rev().filter(|removal| removal.order < order);
            let Some(removal) = newer.into_iter().next() else { return Some(path.clone()) };
            (path, order) = (&removal.to.as_ref()?.0, removal.order);
        }
    }

    /// What a merge that was looked at later took away.
    pub(super) fn merge(&mut self, id: &str, time: i64, changes: &[RawChange], is_blind: bool) {
        self.blind_ever |= is_blind;
        // Just newer than the newest commit that is not younger than the merge.
        let older = self.commits.iter().find(|(_, commit)| commit.time <= time).map_or(self.order + GAP, |(at, _)| *at);
        let mut order = older - 1;
        while self.commits.contains_key(&order) && order > 1 {
            order -= 1;
        }
        self.commits.insert(order, commit_ref(id, time));
        for change in changes {
            let to = match change.status {
                Status::Deleted => None,
                Status::Renamed { exact } => Some((change.to.clone(), exact)),
                _ => continue,
            };
            let removals = self.removals.entry(change.from.clone()).or_default();
            let at = removals.partition_point(|removal| removal.order < order);
            let is_blind = to.is_none() && is_blind;
            removals.insert(at, Removal { order, to, is_blind });
            for dir in ancestors_from_root(parent(&change.from)) {
                if let Some(asked) = self.asked.get_mut(dir) {
                    let at = asked.below.partition_point(|(_, at)| *at < order);
                    asked.below.insert(at, (change.from.clone(), order));
                }
            }
        }
    }

    /// The answers. What was not found was never there if the walk saw `all` of history, else it is unknown; a deletion is
    /// only certain if it could not have been a rename.
    pub(super) fn answers(mut self, all: bool) -> Answers {
        self.settle_directories();
        let mut answers = Answers::default();
        for path in self.asked.keys() {
            let fate = match self.fate(path) {
                Some(Fate::Deleted { commit }) if self.may_live(path) => Fate::Gone { commit },
                Some(fate) => fate,
                None if all && !self.asked[path].was_there => Fate::NeverTracked,
                None => Fate::Unknown,
            };
            answers.fates.insert(RepoPath::new(path), fate);
        }
        for (path, order) in &self.last_changes {
            if let Some(commit) = order.and_then(|order| self.commits.get(&order)) {
                answers.last_changes.insert(RepoPath::new(path), commit.clone());
            }
        }
        answers
    }

    /// Whether a path that leads nowhere, or one below it, may have been renamed where nobody could see it.
    fn may_live(&self, path: &[u8]) -> bool {
        if !self.blind_ever {
            return false;
        }
        let below = self.asked.get(path).into_iter().flat_map(|asked| &asked.below).map(|(path, _)| path.as_slice());
        let mut queue: Vec<&[u8]> = std::iter::once(path).chain(below).collect();
        let mut seen: BTreeSet<&[u8]> = queue.iter().copied().collect();
        while let Some(path) = queue.pop() {
            for removal in self.removals.get(path).into_iter().flatten() {
                match &removal.to {
                    None if removal.is_blind => return true,
                    Some((to, _)) if seen.insert(to) => queue.push(to),
                    _ => {}
                }
            }
        }
        false
    }

    /// What became of one path; `None` if no removal is known.
    fn fate(&self, path: &[u8]) -> Option<Fate> {
        let asked = self.asked.get(path)?;
        let commit = |order: Order| self.commits.get(&order).cloned();
        let as_file = self.removals.get(path).map(|removals| &removals[..asked.last_life.unwrap_or(removals.len())]);
        let file_order = as_file.and_then(|removals| Some(removals.first()?.order));
        let dir_order = asked.below.first().map(|(_, order)| *order);
        if file_order.is_some_and(|file| dir_order.is_none_or(|dir| file <= dir)) {
            let removals = as_file?;
            let renamed = removals.iter().find_map(|removal| {
                let (to, exact) = removal.to.as_ref()?;
                let (to, since) = self.follow(to, removal.order)?;
                Some(Fate::Renamed { to: RepoPath::new(to), exact: *exact && since, commit: commit(removal.order) })
            });
            return Some(renamed.unwrap_or(Fate::Deleted { commit: commit(self.end(removals.first()?)) }));
        }
        let order = dir_order?;
        let vote = self.directory_vote(path, order).or_else(|| self.directory_vote(path, Order::MAX));
        Some(match vote {
            Some((to, exact)) => Fate::Renamed { to: RepoPath::new(to), exact, commit: commit(order) },
            None => Fate::Deleted { commit: commit(self.end_of_directory(asked, order)) },
        })
    }

    /// When what `removal` took away went for good: it may have been renamed before, and its new name deleted later.
    fn end(&self, removal: &Removal) -> Order {
        let mut last = removal;
        // Each step is newer than the one before, so the walk ends.
        while let Some((to, _)) = &last.to {
            let newer = self.removals.get(to).into_iter().flatten().rev().find(|removal| removal.order < last.order);
            let Some(newer) = newer else { break };
            last = newer;
        }
        last.order
    }

    /// The same of a directory whose last files went at `order`: when the last of them went for good.
    fn end_of_directory(&self, asked: &Asked, order: Order) -> Order {
        let last = asked.below.iter().take_while(|(_, at)| *at == order);
        let removals =
            last.filter_map(|(path, _)| self.removals.get(path)?.iter().find(|removal| removal.order == order));
        removals.map(|removal| self.end(removal)).min().unwrap_or(order)
    }
}

/// The directory that took the place of `dir`, judged by one file that went from `from` below it to `to`.
fn moved_dir(dir: &[u8], from: &[u8], to: &[u8]) -> Option<Vec<u8>> {
    let inside = |path: &[u8]| path.strip_prefix(dir)?.strip_prefix(b"/").map(<[u8]>::to_vec);
    let strip = |path: &[u8], end: &[u8]| Some(path.strip_suffix(end)?.strip_suffix(b"/")?.to_vec());
    let target = match strip(to, &inside(from)?) {
        Some(target) => target,
        // The file got another name on the way, but its place below the directory may be the same.
        None if parent(from) == dir => parent(to).to_vec(),
        None => strip(parent(to), &inside(parent(from))?)?,
    };
    (!target.is_empty() && target != dir).then_some(target)
}

fn commit_ref(id: &str, time: i64) -> CommitRef {
    CommitRef { id: id.chars().take(10).collect(), date: date(time), time }
}

/// `YYYY-MM-DD` in UTC of a number of seconds since 1970.
fn date(time: i64) -> String {
    let (year, month, day) = civil(time.div_euclid(86_400));
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests;
