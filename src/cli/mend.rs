//! Checking and mending in rounds: fixes are applied in memory until a run finds nothing more to mend, then written at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Console;
use super::session::Session;
use crate::affected;
use crate::base::error::Error;
use crate::base::error::Failure;
use crate::base::finding::Applicability;
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::compile;
use crate::fix::{self, Overlay};
use crate::report::{FixSummary, Report};
use crate::rules::Group;
use crate::run::{Selection, run};
use crate::source::history::{Answers, Questions};
use crate::workspace::{Workspace, texts};
use crate::write::{self, Problem};

/// A file that fixes change: its bytes before and after.
pub struct Change {
    /// The file.
    pub path: RepoPath,
    /// What was read.
    pub before: Arc<[u8]>,
    /// What fixes make of it.
    pub after: Arc<[u8]>,
}

/// What a run came to.
pub struct Outcome {
    /// What remains after the fixes.
    pub report: Report,
    /// What the fixes change, or changed.
    pub changes: Vec<Change>,
    /// Changes that were not written, since the file in the worktree is not the staged one.
    pub unapplied: Vec<Change>,
    /// Whether any file was written.
    pub wrote: bool,
}

/// A run that may be repeated over changed files.
pub struct Mending<'s> {
    session: &'s Session,
    selection: Selection,
    overlay: Overlay<'s>,
    force_exclude: bool,
    asked: Option<(Questions, Answers)>,
    seen: texts::Seen,
    report: Report,
    workspace: Workspace,
    before: BTreeMap<RepoPath, Arc<[u8]>>,
    summary: FixSummary,
    outcome: (Vec<Change>, Vec<Change>, bool),
}

impl<'s> Mending<'s> {
    /// Check once.
    ///
    /// # Errors
    /// When a pattern of the config is no valid glob.
    pub fn new(
        session: &'s Session,
        selection: Selection,
        overlay: Overlay<'s>,
        force_exclude: bool,
    ) -> Result<Self, Error> {
        let mut mending = Mending {
            session,
            selection,
            overlay,
            force_exclude,
            asked: None,
            seen: texts::Seen::default(),
            report: Report::default(),
            workspace: Workspace::default(),
            before: BTreeMap::new(),
            summary: FixSummary::default(),
            outcome: Default::default(),
        };
        mending.check()?;
        Ok(mending)
    }

    /// What was checked last.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    fn check(&mut self) -> Result<(), Error> {
        let Mending { session, selection, overlay, asked, seen, .. } = self;
        let mut loaded = session.load_from(overlay, self.force_exclude)?;
        if selection.runs_group(Group::Artifacts) {
            session.recall_artifacts(&mut loaded.workspace);
        }
        let limited = selection.changes.as_ref().filter(|changes| !affected::reach_everything(changes));
        let limited: Option<BTreeSet<&RepoPath>> = limited.map(|changes| changes.present().collect());
        let selects =
            |path: &RepoPath| session.selects(path) && limited.as_ref().is_none_or(|changed| changed.contains(path));
        let wanted = texts::Wanted { all: session.search_all, selects: &selects };
        texts::search(overlay, wanted, seen, &mut loaded).map_err(|bad| session.bad_pattern(&bad))?;
        // History does not change between rounds; a later round rarely asks anything new.
        let mut history = |questions: &Questions| match asked {
            Some((known, answers))
                if questions.fates.is_subset(&known.fates) && questions.last_changes.is_subset(&known.last_changes) =>
            {
                answers.clone()
            }
            _ => asked.insert((questions.clone(), session.answer(questions))).1.clone(),
        };
        (self.report, self.workspace) = run(loaded, selection, &mut history);
        Ok(())
    }

    /// Apply fixes in memory until nothing is left to mend; then bring artifacts that were current up to date.
    ///
    /// # Errors
    /// When a pattern of the config is no valid glob.
    pub fn mend(&mut self, allowed: Applicability) -> Result<(), Error> {
        let current = self.current_artifacts();
        for _ in 0..fix::MAX_ROUNDS {
            let mended = fix::apply(&self.report.findings, allowed, &|path| self.bytes_of(path));
            if mended.is_empty() {
                break;
            }
            for (path, mended) in mended {
                for (rule, count) in mended.by_rule {
                    *self.summary.by_rule.entry(rule).or_default() += count;
                }
                self.change(path, mended.bytes);
            }
            self.check()?;
        }
        if self.refresh(&current) {
            self.check()?;
        }
        Ok(())
    }

    fn change(&mut self, path: RepoPath, after: Arc<[u8]>) {
        if let Some(bytes) = self.bytes_of(&path) {
            self.before.entry(path.clone()).or_insert(bytes);
        }
        self.seen.forget(&path);
        self.overlay.change(path, after);
    }

    fn bytes_of(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        if let Some(document) = self.workspace.text(path.as_bytes()) {
            return Some(document.bytes.clone());
        }
        let config = self.workspace.config_text.as_ref().filter(|(config, _)| config == path);
        config.map(|(_, bytes)| bytes.clone())
    }

    /// The artifacts that hold what they should.
    fn current_artifacts(&self) -> BTreeSet<RepoPath> {
        let artifacts = self.workspace.documents.iter().filter(|document| document.kind == Kind::Artifact);
        let mut current: BTreeSet<RepoPath> = artifacts.map(|document| document.path.clone()).collect();
        if let (false, Some(state)) = (current.is_empty(), compile::state(&self.workspace)) {
            for drift in &state.drifts {
                current.remove(&drift.path);
            }
        }
        current
    }

    /// Render `current` artifacts anew; whether any changed.
    fn refresh(&mut self, current: &BTreeSet<RepoPath>) -> bool {
        if current.is_empty() || self.before.is_empty() {
            return false;
        }
        let mut changed: Vec<(RepoPath, Arc<[u8]>)> = Vec::new();
        for drift in compile::state(&self.workspace).into_iter().flat_map(|state| &state.drifts) {
            if let (true, Some(expected)) = (current.contains(&drift.path), &drift.expected) {
                changed.push((drift.path.clone(), expected.as_bytes().into()));
            }
        }
        let any = !changed.is_empty();
        for (path, bytes) in changed {
            self.change(path, bytes);
        }
        any
    }

    /// Write what changed. What could not be written is a failure of the run, and stays as it was; in a staged run a file
    /// whose worktree copy is another than the staged one is left alone.
    ///
    /// # Errors
    /// When the repository's folder is gone.
    pub fn write(&mut self, staged: bool, console: &mut Console<'_>) -> Result<(), Error> {
        let changes = self.changes();
        let Some(folder) = self.session.opened.root.as_deref().filter(|_| !changes.is_empty()) else {
            self.report.fixed = Some(std::mem::take(&mut self.summary));
            return Ok(());
        };
        let root = write::Root::new(folder).map_err(|error| {
            let message = format!("cannot write below {}: {error}", folder.display());
            Error::failed(message, "check that the folder still exists")
        })?;
        let (mut written, mut unapplied) = (Vec::new(), Vec::new());
        for change in changes {
            match root.replace(&change.path, &change.before, &change.after) {
                Ok(_) => written.push(change),
                Err(error) if staged && matches!(error.problem, Problem::ChangedSinceRead | Problem::Missing) => {
                    unapplied.push(change);
                }
                Err(error) => {
                    let message = error.to_string();
                    self.report.failures.push(Failure { path: change.path, message });
                }
            }
        }
        if staged && !written.is_empty() {
            let names: Vec<_> = written.iter().map(|change| change.path.to_str_lossy().into_owned()).collect();
            console.note(&format!("files were fixed and not staged; run: git add {}", names.join(" ")));
        }
        if !unapplied.is_empty() {
            console.note("some staged files differ from the worktree; their fixes are printed and were not written");
        }
        self.summary.files = written.len();
        self.report.fixed = Some(std::mem::take(&mut self.summary));
        let wrote = !written.is_empty();
        self.outcome = (written, unapplied, wrote);
        Ok(())
    }

    /// Say what was mended where nothing is written: the text came from standard input, and goes back there.
    pub fn hand_back(&mut self) {
        self.summary.files = self.changes().len();
        self.report.fixed = Some(std::mem::take(&mut self.summary));
    }

    fn changes(&self) -> Vec<Change> {
        let change = |(path, before): (&RepoPath, &Arc<[u8]>)| {
            let after = self.overlay.changed().get(path)?.clone();
            (*before != after).then(|| Change { path: path.clone(), before: before.clone(), after })
        };
        self.before.iter().filter_map(change).collect()
    }

    /// What the run came to.
    pub fn finish(self) -> Outcome {
        let changes = if self.outcome.2 || !self.outcome.1.is_empty() { Vec::new() } else { self.changes() };
        let (written, unapplied, wrote) = self.outcome;
        let changes = if wrote { written } else { changes };
        // The program ends next, and takes less time for it than for giving thousands of documents back one by one.
        std::mem::forget(self.workspace);
        Outcome { report: self.report, changes, unapplied, wrote }
    }
}
