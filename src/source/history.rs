//! Questions to a repository's past, and the answers. All questions of a run are answered together, by looking only at
//! commits that touch the paths in question, and those that they were renamed to, until no new name turns up. The `git`
//! program tells it in the least time; without it, or where files are missing, commits and trees are read here.
//!
//! A look goes over all commits that can be reached, not along first parents only: a rename inside a branch is then seen
//! where it happened, with the content that it had. Merges are not compared with their parents in it, since each would
//! report again, as its own, whatever the other side had done. What only a merge took away (a path that one side added, and
//! that the merge moved or dropped) shows as a path that came and never went; merges are searched for those paths alone.

mod commits;
mod graph;
mod ledger;
mod trail;
mod trees;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use super::objects::Objects;
use super::raw::{RawChange, Step};
use super::repository::Repository;
use super::{Source, SourceError, changes};
use crate::path::RepoPath;
use graph::Graph;
use ledger::Ledger;
use trail::Trail;

pub(super) use commits::RAW;

/// What the rules of one run want to know. No question, no pass.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Paths (of files or directories) that do not exist now: were they ever tracked, and what became of them?
    pub fates: BTreeSet<RepoPath>,
    /// Files: when did they last change?
    pub last_changes: BTreeSet<RepoPath>,
}

impl Questions {
    /// Whether nobody asked anything.
    pub fn is_empty(&self) -> bool {
        self.fates.is_empty() && self.last_changes.is_empty()
    }
}

/// A commit as a message can name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitRef {
    /// Abbreviated object name, 10 digits.
    pub id: String,
    /// Committer date, `YYYY-MM-DD` (UTC).
    pub date: String,
    /// Seconds since 1970.
    pub time: i64,
}

/// What became of a path that is not there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// No commit ever had it.
    NeverTracked,
    /// It was renamed; `to` exists now. Chains of renames are followed to their end.
    Renamed {
        /// Where it is now.
        to: RepoPath,
        /// Whether every step of the chain kept the content byte for byte.
        exact: bool,
        /// The commit of the first step; `None` if that is not committed yet.
        commit: Option<CommitRef>,
    },
    /// It was deleted, or renamed to something that was deleted since.
    Deleted {
        /// The commit that did it; `None` if it is not committed yet.
        commit: Option<CommitRef>,
    },
    /// History cannot tell: shallow or partial clone, no history at all.
    Unknown,
}

/// What history said.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Answers to [`Questions::fates`].
    pub fates: BTreeMap<RepoPath, Fate>,
    /// Answers to [`Questions::last_changes`].
    pub last_changes: BTreeMap<RepoPath, CommitRef>,
    /// What limits these answers, for stderr and the JSON notes.
    pub notes: Vec<String>,
}

impl Answers {
    /// What became of `path`; unknown if nobody asked.
    pub fn fate(&self, path: &RepoPath) -> &Fate {
        self.fates.get(path).unwrap_or(&Fate::Unknown)
    }
}

/// What a source's past is.
pub(super) struct History {
    pub(super) repository: Arc<Repository>,
    /// The source's commit, if it is one; the others follow `HEAD`.
    pub(super) commit: Option<String>,
    /// Changes since then that are not committed.
    pub(super) uncommitted: Uncommitted,
    /// What is staged, once it was asked for.
    pub(super) staged: OnceLock<Vec<RawChange>>,
    /// The commits, once they were asked for.
    pub(super) graph: OnceLock<Graph>,
}

/// Which changes lie between the newest commit and the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uncommitted {
    /// None: the source is a commit.
    Nothing,
    /// What is staged.
    Staged,
    /// What is staged, and what is done to the worktree besides.
    Worktree,
}

/// Most merges of one run that are compared with their parents, and most rounds of doing so.
const MAX_MERGES: usize = 200;
const MAX_ROUNDS: usize = 4;

/// Most names one after the other that a path may have had. Each takes another look at the commits.
const MAX_NAMES: usize = 64;

impl History {
    /// The newest commit; `None` on a branch without commits.
    pub(super) fn head(&self) -> Result<Option<String>, SourceError> {
        match &self.commit {
            Some(commit) => Ok(Some(commit.clone())),
            None => self.repository.head(),
        }
    }

    /// What is staged, against `head`, the newest commit.
    pub(super) fn staged(&self, head: &str) -> Result<&[RawChange], SourceError> {
        if let Some(known) = self.staged.get() {
            return Ok(known);
        }
        let changes = changes::staged(&self.repository, head)?;
        Ok(self.staged.get_or_init(|| changes))
    }

    /// Answer all questions about a source.
    pub(super) fn answer(&self, questions: &Questions, source: &dyn Source) -> Answers {
        let cut_off = self.repository.cut_off_commits();
        let mut ledger = Ledger::new(questions, source.listing());
        let search = Search { history: self, repository: &self.repository, questions, cut_off: &cut_off };
        let failure = search.look(source, &mut ledger).err();
        let complete = failure.is_none() && cut_off.is_empty();
        let is_blind = ledger.is_blind();
        let mut answers = ledger.answers(complete);
        let unknown = answers.fates.values().any(|fate| *fate == Fate::Unknown)
            || answers.last_changes.len() < questions.last_changes.len();
        if unknown {
            let partial = self.repository.is_partial();
            answers.notes = limits(failure, !cut_off.is_empty(), partial, is_blind);
        }
        answers
    }

    /// All commits that `head` reaches, and the objects they were read from, where that can be done here.
    fn graph(&self, head: &str, cut_off: &BTreeSet<String>) -> Result<Option<(&Graph, &Objects)>, SourceError> {
        let Some(objects) = self.repository.objects() else { return Ok(None) };
        if let Some(known) = self.graph.get() {
            return Ok(Some((known, objects)));
        }
        let head = git2::Oid::from_str(head).map_err(commits::failed)?;
        let graph = objects.with_reader(|reader| Graph::load(reader, head, cut_off))?;
        Ok(Some((self.graph.get_or_init(|| graph), objects)))
    }
}

/// One run's look at history.
struct Search<'a> {
    history: &'a History,
    repository: &'a Repository,
    questions: &'a Questions,
    /// Commits whose parents are not there, so that all their files look added.
    cut_off: &'a BTreeSet<String>,
}

impl Search<'_> {
    /// Write down all that matters to the questions.
    fn look(&self, source: &dyn Source, ledger: &mut Ledger<'_>) -> Result<(), SourceError> {
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

/// Whether `path` is `dir`, or lies below it.
fn is_at_or_below(path: &[u8], dir: &[u8]) -> bool {
    path.strip_prefix(dir).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Why some questions have no answer, in the user's words.
fn limits(failure: Option<SourceError>, shallow: bool, partial: bool, is_blind: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if shallow {
        notes.push(
            "this is a shallow clone, so what became of some paths is unknown and not reported; fetch the whole history \
             (`git fetch --unshallow`, or `fetch-depth: 0` in actions/checkout)"
                .to_owned(),
        );
    }
    if partial {
        notes.push(
            "this is a partial clone, and nothing is fetched on the way, so what became of some paths is unknown and not \
             reported; a full clone answers"
                .to_owned(),
        );
    } else if is_blind {
        notes.push(
            "some files of the past are missing from this repository, so only renames that kept the content were found, and \
             what became of some other paths is unknown and not reported; `git fsck` names what is missing"
                .to_owned(),
        );
    }
    match failure {
        Some(error) if notes.is_empty() => {
            notes.push(format!("history could not be read, so what it knows is not reported: {error}"));
        }
        _ => {}
    }
    notes
}

/// The answers where there is no history: everything is unknown.
pub(super) fn without_history(questions: &Questions) -> Answers {
    let fates = questions.fates.iter().map(|path| (path.clone(), Fate::Unknown)).collect();
    Answers { fates, ..Answers::default() }
}
