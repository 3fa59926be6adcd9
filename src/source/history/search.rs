//! One run's look at history: by which way it is told, for which names, and when it has been told enough. The `git` program
//! tells it in the least time; without it, or where files are missing, commits and trees are read here.
//!
//! A look goes over all commits that can be reached, not along first parents only: a rename inside a branch is then seen
//! where it happened, with the content that it had. Merges are not compared with their parents in it, since each would
//! report again, as its own, whatever the other side had done. What only a merge took away (a path that one side added, and
//! that the merge moved or dropped) shows as a path that came and never went; merges are searched for those paths alone.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use super::graph::{self, Graph};
use super::ledger::Ledger;
use super::trail::{self, Trail};
use super::{History, Questions, Uncommitted, commits};
use crate::base::path::is_at_or_below;
use crate::source::objects::Objects;
use crate::source::raw::{RawChange, Step};
use crate::source::repository::Repository;
use crate::source::{Source, SourceError, changes};

/// Most merges of one run that are compared with their parents, and most rounds of doing so.
const MAX_MERGES: usize = 200;
const MAX_ROUNDS: usize = 4;

/// Most names one after the other that a path may have had. Each takes another look at the commits.
const MAX_NAMES: usize = 64;

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
        // The program needs the least time. Where it is not installed, or where files are missing that it would compare, so
        // that it gives up, the commits are looked at here; only that tells what is certain in spite of the gaps.
        if !self.repository.is_partial() {
            match self.ask_program(&head, &wanted, ledger) {
                Err(_) => ledger.clone_from(&local),
                done => return done,
            }
        }
        match self.history.graph(&head, self.cut_off)? {
            Some((graph, objects)) => self.follow(graph, objects, &wanted, ledger),
            None => self.ask_program(&head, &commits::Wanted { exact_only: true, ..wanted }, ledger),
        }
    }

    /// The paths that were asked for.
    fn names(&self) -> BTreeSet<Vec<u8>> {
        let asked = self.questions.fates.iter().chain(&self.questions.last_changes);
        asked.map(|path| path.as_bytes().to_vec()).collect()
    }

    /// Look at the commits themselves, newest first, until no older one can change an answer; and again for names that
    /// what was asked for has had on the way, until no new one turns up.
    fn follow(
        &self,
        graph: &Graph,
        objects: &Objects,
        wanted: &commits::Wanted,
        ledger: &mut Ledger<'_>,
    ) -> Result<(), SourceError> {
        let local = ledger.clone();
        let mut trail = Trail::new(self.repository, objects, graph, self.names(), wanted);
        for _ in 0..MAX_NAMES {
            ledger.clone_from(&local);
            let mut told = 0;
            loop {
                for (place, event) in trail.events(told..trail.reached()) {
                    if ledger.is_settled() {
                        break;
                    }
                    self.tell(graph.commit(place), event, ledger);
                }
                told = trail.reached();
                if ledger.is_settled() || !trail.go_on() {
                    break;
                }
            }
            let mut names = unknown_names(ledger, &trail);
            if names.is_empty() {
                self.search_merges(ledger, wanted, |lost| {
                    let merges = trail.merges_that_lost(lost)?.into_iter().map(|place| graph.commit(place));
                    Ok(merges.map(|merge| commits::Found { id: merge.id.to_string(), time: merge.time }).collect())
                })?;
                names = unknown_names(ledger, &trail);
            }
            if names.is_empty() {
                return trail.failure().map_or(Ok(()), Err);
            }
            trail.add(names);
        }
        Err(SourceError::new(format!("a path was renamed more than {MAX_NAMES} times")))
    }

    fn tell(&self, commit: &graph::Commit, event: &trail::Event, ledger: &mut Ledger<'_>) {
        let id = commit.id.to_string();
        let is_cut_off = self.cut_off.contains(&id);
        ledger.commit(id, commit.time, is_cut_off);
        if event.is_blind {
            ledger.blind();
        }
        for change in &event.changes {
            ledger.change(change);
        }
    }

    /// The same by the program: for few paths in narrow passes, each with the names that the one before it came upon; for
    /// many in one pass over everything.
    fn ask_program(&self, head: &str, wanted: &commits::Wanted, ledger: &mut Ledger<'_>) -> Result<(), SourceError> {
        let merges = |lost: &[Vec<u8>]| commits::merges_that_lost(self.repository, head, lost);
        let local = ledger.clone();
        let mut names = self.names();
        for _ in 0..MAX_ROUNDS {
            names.extend(ledger.names_on_the_way());
            if !commits::pays_for(self.repository, head, &names) {
                break;
            }
            let events = commits::touching(self.repository, head, &names, wanted)?;
            ledger.clone_from(&local);
            let mut steps = events.into_iter().flat_map(commits::Event::into_steps);
            let _ = steps.try_for_each(|step| self.note(step, wanted, ledger));
            if !ledger.names_on_the_way().is_subset(&names) {
                continue;
            }
            self.search_merges(ledger, wanted, merges)?;
            if ledger.names_on_the_way().is_subset(&names) {
                return Ok(());
            }
        }
        ledger.clone_from(&local);
        commits::walk(self.repository, head, wanted, &mut |step| self.note(step, wanted, ledger))?;
        self.search_merges(ledger, wanted, merges)
    }

    /// Write one step of a walk down; the walk ends when no older commit can change any answer.
    fn note(&self, step: Step, wanted: &commits::Wanted, ledger: &mut Ledger<'_>) -> ControlFlow<()> {
        match step {
            Step::Commit { id, time } => {
                let is_cut_off = self.cut_off.contains(&id);
                ledger.commit(id, time, is_cut_off);
                if wanted.exact_only {
                    ledger.blind();
                }
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

    /// Look for what only merges took away, and where that went. `find` tells the merges that lack one of some paths
    /// although a parent has it, newest first.
    fn search_merges(
        &self,
        ledger: &mut Ledger<'_>,
        wanted: &commits::Wanted,
        find: impl Fn(&[Vec<u8>]) -> Result<Vec<commits::Found>, SourceError>,
    ) -> Result<(), SourceError> {
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
            let mut found = find(&lost)?;
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
    ) -> Result<(HashMap<String, Vec<RawChange>>, bool), SourceError> {
        let wanted = commits::Wanted { renames: true, modifications: false, ..*wanted };
        if !wanted.exact_only
            && let Ok(changes) = commits::of_merges(self.repository, merges, &wanted)
        {
            return Ok((changes, false));
        }
        let wanted = commits::Wanted { exact_only: true, ..wanted };
        Ok((commits::of_merges(self.repository, merges, &wanted)?, true))
    }
}

/// Names on the way that are not followed yet.
fn unknown_names(ledger: &Ledger<'_>, trail: &Trail<'_>) -> BTreeSet<Vec<u8>> {
    ledger.names_on_the_way().difference(trail.names()).cloned().collect()
}
