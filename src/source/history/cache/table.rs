//! The commits of a cache, in a few pieces of memory: a long history is read at each run, and a piece for each commit would take
//! longer than the reading.

use std::collections::BTreeMap;

use super::{PathEventKind, Rename, Touch};
use crate::source::history::commits::FoundCommit;
use crate::source::program::hex;

/// Commits, numbered in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CommitTable {
    /// The names, one after the other; all have the same length.
    ids: Vec<u8>,
    rows: Vec<PathRow>,
    parents: Vec<u32>,
    touches: Vec<Touch>,
    /// For the commits that were asked about.
    renames: BTreeMap<u32, Vec<Rename>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PathRow {
    time: i64,
    /// Where the commit's parents and touches end; those of the one before end where they begin.
    parents: u32,
    touches: u32,
}

/// One commit. Its parents stand before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Commit<'a> {
    pub(super) id: &'a [u8],
    pub(super) time: i64,
    pub(super) parents: &'a [u32],
    /// By path; of a merge nothing.
    pub(super) touches: &'a [Touch],
    /// `None` until somebody asked.
    pub(super) renames: Option<&'a [Rename]>,
}

impl CommitTable {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many bytes the name of a commit has; 0 if there is none.
    pub(super) fn width(&self) -> usize {
        self.ids.len().checked_div(self.rows.len()).unwrap_or(0)
    }

    pub(super) fn get(&self, number: u32) -> Commit<'_> {
        let at = number as usize;
        let row = self.rows[at];
        let before = at.checked_sub(1).map(|before| self.rows[before]);
        let (parents, touches) = before.map_or((0, 0), |row| (row.parents, row.touches));
        Commit {
            id: &self.ids[at * self.width()..(at + 1) * self.width()],
            time: row.time,
            parents: &self.parents[parents as usize..row.parents as usize],
            touches: &self.touches[touches as usize..row.touches as usize],
            renames: self.renames.get(&number).map(Vec::as_slice),
        }
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Commit<'_>> + ExactSizeIterator {
        (0..self.rows.len()).map(|number| self.get(number as u32))
    }

    /// The newest commit of this name.
    pub(super) fn find(&self, id: &[u8]) -> Option<u32> {
        // What is asked for is mostly the newest.
        self.iter().rposition(|commit| commit.id == id).map(|at| at as u32)
    }

    /// The touches of the commit that [`CommitTable::push`] is about to add, with room for so many: those that it is given follow
    /// them.
    pub(super) fn room_for_touches(&mut self, count: usize) -> &mut Vec<Touch> {
        self.touches.reserve(count);
        &mut self.touches
    }

    /// Add a commit; false if its name is not as long as those of the others, or there is too much.
    pub(super) fn push(
        &mut self,
        id: &[u8],
        time: i64,
        parents: impl IntoIterator<Item = u32>,
        touches: impl IntoIterator<Item = Touch>,
    ) -> bool {
        if !self.is_empty() && id.len() != self.width() {
            return false;
        }
        self.parents.extend(parents);
        self.touches.extend(touches);
        let ends = (u32::try_from(self.parents.len()), u32::try_from(self.touches.len()));
        let (Ok(parents), Ok(touches)) = ends else { return false };
        self.ids.extend_from_slice(id);
        self.rows.push(PathRow { time, parents, touches });
        true
    }

    /// Write down which deletions and additions of a commit were renames; false if the commit has no such ones.
    pub(super) fn set_renames(&mut self, number: u32, renames: Vec<Rename>) -> bool {
        let commit = self.get(number);
        let fits = renames.iter().all(|rename| commit.has(rename));
        if fits {
            self.renames.insert(number, renames);
        }
        fits
    }

    /// Give each path another number.
    pub(super) fn renumber_paths(&mut self, new_numbers: &[u32]) {
        let renumber = |path: &mut u32| *path = new_numbers[*path as usize];
        self.touches.iter_mut().for_each(|touch| renumber(&mut touch.path));
        for rename in self.renames.values_mut().flatten() {
            renumber(&mut rename.from);
            renumber(&mut rename.to);
        }
    }

    /// Only some commits, and the new number of each; `kept` are their numbers, in order, with those of all their parents.
    pub(super) fn only(&self, kept: &[u32]) -> (CommitTable, Vec<u32>) {
        let mut new_numbers = vec![u32::MAX; self.len()];
        let mut table = CommitTable::default();
        for (new, &old) in (0..).zip(kept) {
            new_numbers[old as usize] = new;
            let commit = self.get(old);
            let parents = commit.parents.iter().map(|&parent| new_numbers[parent as usize]);
            table.push(commit.id, commit.time, parents, commit.touches.iter().copied());
            if let Some(renames) = commit.renames {
                table.renames.insert(new, renames.to_vec());
            }
        }
        (table, new_numbers)
    }
}

impl Commit<'_> {
    pub(super) fn is_merge(&self) -> bool {
        self.parents.len() > 1
    }

    pub(super) fn found(&self) -> FoundCommit {
        FoundCommit { id: hex(self.id), time: self.time }
    }

    /// Whether a rename is one of a path that the commit deleted to one that it added.
    fn has(&self, rename: &Rename) -> bool {
        let kind = |path: u32| {
            let at = self.touches.binary_search_by_key(&path, |touch| touch.path).ok()?;
            Some(self.touches[at].kind)
        };
        kind(rename.from) == Some(PathEventKind::Deleted) && kind(rename.to) == Some(PathEventKind::Added)
    }
}
