//! What the changes of many commits, newest first, say about the paths that were asked for. Pure: it is told of commits and
//! changes, and has never seen a repository.
//!
//! Every removal is recorded, asked for or not, because a path that was renamed long ago may have been renamed again since.
//! Where lines of history run side by side, a path may be removed on each; those of its last life are considered together,
//! and one that leads to a file of today wins.

mod fates;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{CommitRef, Questions};
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
struct AskedPath {
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
    asked: BTreeMap<Vec<u8>, AskedPath>,
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
        let asked: BTreeMap<_, _> = questions.fates.iter().map(|path| (key(path), AskedPath::default())).collect();
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
                && self.directory_vote(&path, order).is_some_and(|vote| vote.is_sure)
                && let Some(asked) = self.asked.get_mut(&path)
            {
                asked.settled = true;
                self.open -= 1;
            }
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
}

fn commit_ref(id: &str, time: i64) -> CommitRef {
    CommitRef { id: id.chars().take(10).collect(), date: date(time), time }
}

/// `YYYY-MM-DD` in UTC of a number of seconds since 1970.
pub(super) fn date(time: i64) -> String {
    let (year, month, day) = civil(time.div_euclid(86_400));
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests;
