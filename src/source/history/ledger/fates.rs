//! Reading the ledger: where a path is today, or when it went for good.

use std::collections::{BTreeMap, BTreeSet};

use super::{Ledger, Order};
use crate::base::path::{RepoPath, file_name, parent};
use crate::source::history::{Answers, Fate};

impl Ledger<'_> {
    /// The answers. What was not found was never there if the walk saw `all` of history, else it is unknown; a deletion is
    /// only certain if it could not have been a rename.
    pub(in crate::source::history) fn answers(mut self, all: bool) -> Answers {
        self.settle_directories();
        let mut answers = Answers::default();
        for path in self.asked.keys() {
            let fate = match self.fate(path) {
                Some(_) if self.was_only_kept(path) => {
                    answers.emptied.insert(RepoPath::new(path));
                    Fate::Unknown
                }
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

    /// Whether a directory held nothing, at any time, but files that keep it.
    fn was_only_kept(&self, path: &[u8]) -> bool {
        let below = &self.asked[path].below;
        !self.removals.contains_key(path) && !below.is_empty() && below.iter().all(|(path, _)| is_keeper(path))
    }

    /// Whether a path that leads nowhere, or one below it, may have been renamed in a commit that could not be read.
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
            return Some(renamed.unwrap_or(Fate::Deleted { commit: commit(removals.first()?.order) }));
        }
        let order = dir_order?;
        let vote = self.directory_vote(path, order).or_else(|| self.directory_vote(path, Order::MAX));
        Some(match vote {
            Some(Vote { to, exact, .. }) => Fate::Renamed { to: RepoPath::new(to), exact, commit: commit(order) },
            None => Fate::Deleted { commit: commit(order) },
        })
    }

    /// Where a path that was renamed to `to` at `order` is today, and whether its content stayed the same since.
    pub(super) fn follow(&self, to: &[u8], order: Order) -> Option<(Vec<u8>, bool)> {
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
    pub(super) fn directory_vote(&self, dir: &[u8], order: Order) -> Option<Vote> {
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
        let (to, (most, exact)) = votes.into_iter().max_by_key(|(_, (votes, _))| *votes)?;
        let is_rest = most < FEW && below.len() >= most * REST;
        (most * 2 > count && !is_rest).then_some(Vote { to, exact, is_sure: most >= FEW })
    }

    /// Names that what was asked for has had on its way and that are not there now: what became of them matters too.
    pub(in crate::source::history) fn names_on_the_way(&self) -> BTreeSet<Vec<u8>> {
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
    pub(in crate::source::history) fn lost_in_merges(&self) -> Vec<Vec<u8>> {
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
}

/// Where a directory went.
pub(super) struct Vote {
    to: Vec<u8>,
    /// Whether its files stayed the same on the way.
    exact: bool,
    /// Whether older commits cannot show that these files were what was left of it.
    pub(super) is_sure: bool,
}

/// Fewer files than these do not tell where their directory went,
const FEW: usize = 3;

/// if it lost so many times as many in all: what is left goes to a place of its own.
const REST: usize = 4;

/// Whether a file is there so that git keeps its directory, and for nothing else.
fn is_keeper(path: &[u8]) -> bool {
    matches!(file_name(path), b".gitkeep" | b".keep" | b".gitignore" | b".empty" | b".placeholder" | b".hgkeep")
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
