//! One run's look at history: which commits are asked for, for which names, and when no more are needed.
//!
//! A look goes over all commits that can be reached, not along first parents only: a rename inside a branch is then seen
//! where it happened, with the content that it had. Merges are not compared with their parents in it, since each would
//! report again, as its own, whatever the other side had done. What only a merge took away (a path that one side added, and
//! that the merge moved or dropped) shows as a path that came and never went; merges are searched for those paths alone.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use super::ledger::Ledger;
use super::{History, Questions, Uncommitted, commits};
use crate::base::path::is_at_or_below;
use crate::source::program::ProgramError;
use crate::source::raw::{RawChange, Step};
use crate::source::repository::Repository;
use crate::source::{Source, SourceError, changes};

/// Most merges of one run that are compared with their parents, and most rounds of doing so.
const MAX_MERGES: usize = 200;
const MAX_ROUNDS: usize = 4;

/// One run's look at history.
pub(super) struct Search<'a> {
    pub(super) history: &'a History,
    pub(super) repository: &'a Repository,
    pub(super) questions: &'a Questions,
    /// Commits whose parents are not there, so that all their files look added.
    pub(super) cut_off: &'a BTreeSet<String>,
}

impl Search<'_> {
    /// Write down all that matters to the questions.
    pub(super) fn look(&self, source: &dyn Source, ledger: &mut Ledger<'_>) -> Result<(), SourceError> {
        let head = self.history.head()?;
        self.uncommitted(source, head.as_deref(), ledger)?;
        let Some(head) = head.filter(|_| !ledger.is_settled()) else { return Ok(()) };
        let wanted = commits::Wanted {
            renames: !self.questions.fates.is_empty(),
            exact_only: false,
            modifications: !self.questions.last_changes.is_empty(),
        };
        let local = ledger.clone();
        if !self.repository.is_partial() {
            match self.ask(&head, &wanted, ledger) {
                Err(ProgramError::Failed(_)) => ledger.clone_from(&local),
                told => return told.map_err(SourceError::from),
            }
        }
        Ok(self.ask_despite_gaps(&head, &wanted, ledger)?)
    }

    /// The paths that were asked for.
    fn names(&self) -> BTreeSet<Vec<u8>> {
        let asked = self.questions.fates.iter().chain(&self.questions.last_changes);
        asked.map(|path| path.as_bytes().to_vec()).collect()
    }

    /// Ask git: for few paths in narrow passes, each with the names that the one before it came upon; for many in one pass
    /// over all commits.
    fn ask(&self, head: &str, wanted: &commits::Wanted, ledger: &mut Ledger<'_>) -> Result<(), ProgramError> {
        let narrow = |names: &_| commits::touching(self.repository, head, names, wanted);
        if self.in_narrow_passes(head, wanted, ledger, narrow)? {
            return Ok(());
        }
        commits::walk(self.repository, head, wanted, &mut |step| self.note(step, ledger))?;
        self.search_merges(head, ledger, wanted)
    }

    /// The same where objects are missing or damaged.
    fn ask_despite_gaps(
        &self,
        head: &str,
        wanted: &commits::Wanted,
        ledger: &mut Ledger<'_>,
    ) -> Result<(), ProgramError> {
        let narrow = |names: &_| {
            let (events, told) = commits::despite_gaps(self.repository, head, Some(names), wanted);
            told.map(|()| events)
        };
        let local = ledger.clone();
        match self.in_narrow_passes(head, wanted, ledger, narrow) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(_) => ledger.clone_from(&local),
        }
        let (events, told) = commits::despite_gaps(self.repository, head, None, wanted);
        self.tell(events, ledger);
        self.search_merges(head, ledger, wanted).and(told)
    }

    /// Ask for the commits that touch the names that matter, until no new name turns up. False if another way is faster; the
    /// ledger is then as it was.
    fn in_narrow_passes(
        &self,
        head: &str,
        wanted: &commits::Wanted,
        ledger: &mut Ledger<'_>,
        narrow: impl Fn(&BTreeSet<Vec<u8>>) -> Result<Vec<commits::Event>, ProgramError>,
    ) -> Result<bool, ProgramError> {
        let local = ledger.clone();
        let mut names = self.names();
        for _ in 0..MAX_ROUNDS {
            names.extend(ledger.names_on_the_way());
            if !commits::pays_for(self.repository, head, &names) {
                break;
            }
            let events = narrow(&names)?;
            ledger.clone_from(&local);
            self.tell(events, ledger);
            if !ledger.names_on_the_way().is_subset(&names) {
                continue;
            }
            self.search_merges(head, ledger, wanted)?;
            if ledger.names_on_the_way().is_subset(&names) {
                return Ok(true);
            }
        }
        ledger.clone_from(&local);
        Ok(false)
    }

    /// Write down what commits changed, until no older one can change an answer.
    fn tell(&self, events: Vec<commits::Event>, ledger: &mut Ledger<'_>) {
        for event in events {
            if ledger.is_settled() {
                break;
            }
            let is_cut_off = self.cut_off.contains(&event.commit.id);
            ledger.commit(event.commit.id, event.commit.time, is_cut_off);
            if event.is_blind {
                ledger.blind();
            }
            event.changes.iter().for_each(|change| ledger.change(change));
        }
    }

    /// Write one step of a walk down; the walk ends when no older commit can change an answer.
    fn note(&self, step: Step, ledger: &mut Ledger<'_>) -> ControlFlow<()> {
        match step {
            Step::Commit { id, time } => {
                let is_cut_off = self.cut_off.contains(&id);
                ledger.commit(id, time, is_cut_off);
            }
            Step::Change(change) => ledger.change(&change),
        }
        match ledger.is_settled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Write down what is staged and what is done to the worktree.
    fn uncommitted(&self, source: &dyn Source, head: Option<&str>, ledger: &mut Ledger<'_>) -> Result<(), SourceError> {
        let uncommitted = self.history.uncommitted;
        if self.questions.fates.is_empty() || uncommitted == Uncommitted::Nothing {
            return Ok(());
        }
        if uncommitted == Uncommitted::Worktree {
            for change in changes::unstaged_removals(self.repository, source)? {
                ledger.change(&change);
            }
        }
        ledger.staged();
        if let Some(head) = head {
            for change in self.history.staged(head)? {
                ledger.change(change);
            }
        }
        Ok(())
    }

    /// Look for what only merges took away, and where that went.
    fn search_merges(&self, head: &str, ledger: &mut Ledger<'_>, wanted: &commits::Wanted) -> Result<(), ProgramError> {
        if ledger.is_settled() {
            return Ok(());
        }
        let mut searched: BTreeSet<Vec<u8>> = BTreeSet::new();
        let mut merges: BTreeSet<String> = BTreeSet::new();
        for _ in 0..MAX_ROUNDS {
            let lost: Vec<Vec<u8>> =
                ledger.lost_in_merges().into_iter().filter(|path| !searched.contains(path)).collect();
            if lost.is_empty() {
                break;
            }
            let mut found = commits::merges_that_lost(self.repository, head, &lost)?;
            found.retain(|merge| merges.len() < MAX_MERGES && merges.insert(merge.id.clone()));
            let (mut changes, is_blind) = self.merged(&found, wanted)?;
            // Of two that lie between the same known commits, the one that comes last to the ledger is the newer.
            for merge in found.into_iter().rev() {
                let lost = |path: &[u8]| lost.iter().any(|lost| is_at_or_below(path, lost));
                let mut changes = changes.remove(&merge.id).unwrap_or_default();
                changes.retain(|change| lost(&change.from));
                ledger.merge(&merge.id, merge.time, &changes, is_blind);
            }
            searched.extend(lost);
        }
        Ok(())
    }

    /// What merges changed against their parents, and whether files were missing that would have told renames from
    /// deletions.
    fn merged(
        &self,
        merges: &[commits::Found],
        wanted: &commits::Wanted,
    ) -> Result<(HashMap<String, Vec<RawChange>>, bool), ProgramError> {
        let wanted = commits::Wanted { renames: true, modifications: false, ..*wanted };
        if let Ok(changes) = commits::of_merges(self.repository, merges, &wanted) {
            return Ok((changes, false));
        }
        let wanted = commits::Wanted { exact_only: true, ..wanted };
        Ok((commits::of_merges(self.repository, merges, &wanted)?, true))
    }
}
