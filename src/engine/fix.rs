//! Fixing in rounds: fixes are applied in memory until a check finds nothing more to fix. Writing the result is a step of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::check::check_with;
use super::report::FixSummary;
use super::{CheckRequest, Checked, Repository, edits};
use crate::base::error::{Error, Failure};
use crate::base::finding::Applicability;
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::write::{self, WriteProblem};

/// A file that fixes change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The file.
    pub path: RepoPath,
    /// Its bytes as they were read.
    pub before: Arc<[u8]>,
    /// What fixes make of them.
    pub after: Arc<[u8]>,
}

/// What fixes make of a repository.
#[derive(Debug)]
pub struct Fixes {
    /// The check of what they make of it.
    pub checked: Checked,
    /// The files that they change.
    pub files: Vec<Fixed>,
    /// Number of findings fixed, by file and rule.
    by_rule: BTreeMap<RepoPath, BTreeMap<&'static str, usize>>,
}

/// What became of [`Fixes`] on disk.
#[derive(Debug, Default)]
pub(crate) struct FixesWritten {
    /// Files that were written.
    pub files: Vec<Fixed>,
    /// Files that were left alone, since the one in the worktree is not the staged one.
    pub unapplied: Vec<Fixed>,
}

/// Apply the fixes that `allowed` permits in memory, until nothing is left to fix; then bring artifacts up to date that were so
/// before. `checked` is the last check of `repository`, which was asked for by `request`.
///
/// # Errors
/// When a pattern of the config is no valid glob.
pub fn fix(
    repository: &Repository,
    request: &CheckRequest,
    checked: Checked,
    allowed: Applicability,
) -> Result<Fixes, Error> {
    let current = current_artifacts(&checked);
    let mut rounds = Rounds {
        repository,
        request,
        checked,
        texts: repository.unsaved.clone(),
        before: BTreeMap::new(),
        by_rule: BTreeMap::new(),
    };
    for _ in 0..edits::MAX_ROUNDS {
        let fixed = edits::apply(&rounds.checked.report.findings, allowed, &|path| rounds.bytes_of(path));
        if fixed.is_empty() {
            break;
        }
        let mut changed = Vec::new();
        for (path, fixed) in fixed {
            for (rule, count) in fixed.by_rule {
                *rounds.by_rule.entry(path.clone()).or_default().entry(rule).or_default() += count;
            }
            changed.push((path, fixed.bytes));
        }
        rounds.change(changed)?;
    }
    rounds.refresh(&current)?;
    Ok(rounds.finish())
}

/// The artifacts that hold what they should.
fn current_artifacts(checked: &Checked) -> BTreeSet<RepoPath> {
    let artifacts = checked.workspace.documents.iter().filter(|document| document.kind == Kind::Artifact);
    let mut current: BTreeSet<RepoPath> = artifacts.map(|document| document.path.clone()).collect();
    if let (false, Some(state)) = (current.is_empty(), checked.artifacts.state(&checked.workspace)) {
        for drift in &state.drifts {
            current.remove(&drift.path);
        }
    }
    current
}

/// A check that is repeated over changed files.
struct Rounds<'r> {
    repository: &'r Repository,
    request: &'r CheckRequest,
    checked: Checked,
    texts: BTreeMap<RepoPath, Arc<[u8]>>,
    before: BTreeMap<RepoPath, Arc<[u8]>>,
    by_rule: BTreeMap<RepoPath, BTreeMap<&'static str, usize>>,
}

impl Rounds<'_> {
    /// Change files, and check again.
    fn change(&mut self, changed: Vec<(RepoPath, Arc<[u8]>)>) -> Result<(), Error> {
        for (path, after) in changed {
            if let Some(bytes) = self.bytes_of(&path) {
                self.before.entry(path.clone()).or_insert(bytes);
            }
            self.checked.known.searched.forget(&path);
            self.texts.insert(path, after);
        }
        let known = std::mem::take(&mut self.checked.known);
        self.checked = check_with(self.repository, self.request, self.texts.clone(), known)?;
        Ok(())
    }

    fn bytes_of(&self, path: &RepoPath) -> Option<Arc<[u8]>> {
        let workspace = &self.checked.workspace;
        if let Some(document) = workspace.text(path.as_bytes()) {
            return Some(document.bytes.clone());
        }
        let config = workspace.config_files.iter().find(|(config, _)| config == path);
        config.map(|(_, bytes)| bytes).or_else(|| workspace.settings.get(path)).cloned()
    }

    /// Render `current` artifacts anew.
    fn refresh(&mut self, current: &BTreeSet<RepoPath>) -> Result<(), Error> {
        if current.is_empty() || self.before.is_empty() {
            return Ok(());
        }
        let drifts = self.checked.artifacts.state(&self.checked.workspace).into_iter().flat_map(|state| &state.drifts);
        let outdated = drifts.filter(|drift| current.contains(&drift.path));
        let changed: Vec<(RepoPath, Arc<[u8]>)> = outdated
            .filter_map(|drift| Some((drift.path.clone(), drift.expected.as_ref()?.as_bytes().into())))
            .collect();
        if changed.is_empty() { Ok(()) } else { self.change(changed) }
    }

    fn finish(self) -> Fixes {
        let fixed = |(path, before): (RepoPath, Arc<[u8]>)| {
            let after = self.texts.get(&path)?.clone();
            (before != after).then_some(Fixed { path, before, after })
        };
        Fixes {
            files: self.before.into_iter().filter_map(fixed).collect(),
            checked: self.checked,
            by_rule: self.by_rule,
        }
    }
}

impl Fixes {
    /// Write the changed files. One that could not be written stays as it was and is a failure of the report. Of a `staged` run a file is left alone if its
    /// worktree copy is another than the staged one. The report says how many findings were fixed in how many files.
    ///
    /// # Errors
    /// When the repository's folder is gone.
    pub(crate) fn write(&mut self, repository: &Repository, staged: bool) -> Result<FixesWritten, Error> {
        let mut written = FixesWritten::default();
        if let Some(folder) = repository.root().filter(|_| !self.files.is_empty()) {
            let root = write::WriteRoot::new(folder).map_err(|error| {
                let message = format!("cannot write below {}: {error}", folder.display());
                Error::failed(message, "check that the folder still exists")
            })?;
            for file in std::mem::take(&mut self.files) {
                match root.replace(&file.path, &file.before, &file.after) {
                    Ok(_) => written.files.push(file),
                    Err(error)
                        if staged
                            && matches!(error.problem, WriteProblem::ChangedSinceRead | WriteProblem::Missing) =>
                    {
                        written.unapplied.push(file);
                    }
                    Err(error) => {
                        self.checked.report.failures.push(Failure { path: file.path, message: error.to_string() });
                    }
                }
            }
        }
        self.summarise(&written.files);
        Ok(written)
    }

    /// Say in the report that all fixes were applied, for a caller that prints the changed files.
    pub(crate) fn all_applied(&mut self) {
        let files = std::mem::take(&mut self.files);
        self.summarise(&files);
        self.files = files;
    }

    /// Say in the report what was fixed in `written`, and that the other fixes were not written.
    fn summarise(&mut self, written: &[Fixed]) {
        let mut summary = FixSummary { files: written.len(), ..FixSummary::default() };
        for (path, counts) in &self.by_rule {
            if written.iter().any(|file| file.path == *path) {
                for (rule, count) in counts {
                    *summary.by_rule.entry(rule).or_default() += count;
                }
            } else {
                summary.unwritten += counts.values().sum::<usize>();
                summary.unwritten_files += 1;
            }
        }
        self.checked.report.fixed = Some(summary);
    }
}
