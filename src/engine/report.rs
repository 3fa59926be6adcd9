//! What a check has to say, for whoever shows it: findings, what comments silenced, and the texts that both point into.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::affected::Affected;
use super::group;
use crate::base::error::Failure;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::LineIndex;
use crate::rules::meta::{self, Silenced, Suppressed};
use crate::rules::run::{Judgement, Selection};
use crate::source::Changes;
use crate::workspace::{Focus, Workspace, key_files};

/// The text of a file that findings point into.
#[derive(Debug)]
pub struct SourceText {
    /// The bytes as linted.
    pub bytes: Arc<[u8]>,
    /// Where lines begin.
    pub lines: LineIndex,
}

impl SourceText {
    /// The text `bytes`, with its lines indexed.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let lines = LineIndex::new(&bytes);
        SourceText { bytes, lines }
    }
}

/// How much of the repository a report is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// All that was asked for.
    #[default]
    All,
    /// What changes touch or break, in some of the repository's hint files.
    Changes {
        /// Number of hint files of the repository.
        of: usize,
    },
    /// Nothing, since nothing changed.
    Nothing,
}

/// Everything a run has to say. Findings are filtered by level and sorted by path, place and rule.
#[derive(Debug, Default)]
pub struct Report {
    /// What is shown.
    pub findings: Vec<Finding>,
    /// How many findings the lowest shown level hides, by level; empty where they were not counted.
    pub hidden: BTreeMap<Level, usize>,
    /// What suppressions silenced.
    pub suppressed: Vec<Suppressed>,
    /// The comments that silence warnings about hidden characters in a whole file, by path and line.
    pub silenced: Vec<Silenced>,
    /// Files that could not be read.
    pub failures: Vec<Failure>,
    /// Limits of this run, one sentence each.
    pub notes: Vec<String>,
    /// How much was checked.
    pub extent: Extent,
    /// Number of files checked.
    pub files: usize,
    /// Number of directories that hold them.
    pub directories: usize,
    /// The texts of all files that findings (also related places and edits) point into.
    pub sources: BTreeMap<RepoPath, SourceText>,
    /// How long the run took; only `human` prints it.
    pub elapsed: Duration,
    /// What `--fix` did, if it ran.
    pub fixed: Option<FixSummary>,
}

/// What `--fix` did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixSummary {
    /// Number of findings fixed, by rule.
    pub by_rule: BTreeMap<&'static str, usize>,
    /// Number of files written.
    pub files: usize,
    /// Number of findings whose fixes were made and not written.
    pub unwritten: usize,
    /// Number of files that these would have changed.
    pub unwritten_files: usize,
}

impl Report {
    /// The report of what the rules say: of everything, or of what `changes` touch or break.
    pub fn new(judgement: Judgement, selection: &Selection, changes: Option<&Changes>) -> (Report, Workspace) {
        let affected = changes.map(|changes| Affected::new(&judgement.workspace, changes));
        Report::of(judgement, selection, affected.as_ref())
    }

    /// The same, for changes of which `affected` tells what they reach.
    pub(super) fn of(judgement: Judgement, selection: &Selection, affected: Option<&Affected>) -> (Report, Workspace) {
        let Judgement { mut findings, mut hidden, mut suppressed, failures, notes, workspace } = judgement;
        let keeps = |finding: &Finding| affected.is_none_or(|affected| affected.keeps(&workspace, finding));
        findings.retain(keeps);
        hidden.retain(keeps);
        suppressed.retain(|suppressed| keeps(&suppressed.finding));
        let findings = group::by_cause(findings);
        let mut counts: BTreeMap<Level, usize> = BTreeMap::new();
        group::by_cause(hidden).iter().for_each(|finding| *counts.entry(finding.level).or_default() += 1);
        let silenced = meta::silenced(&workspace, suppressed.iter());
        let extent = match &workspace.focus {
            Focus::Only(_) if affected.is_some() => Extent::Changes { of: workspace.documents.len() },
            _ => Extent::All,
        };
        let mut report =
            Report { findings, hidden: counts, suppressed, silenced, failures, notes, extent, ..Report::default() };
        report.count_files(&workspace, selection);
        report.collect_sources(&workspace);
        (report, workspace)
    }

    /// What a report about some files only says of the others, so that no reader takes it for one about all.
    pub(crate) fn extent_note(&self) -> Option<String> {
        match self.extent {
            Extent::All => None,
            Extent::Changes { of } => Some(format!(
                "only what the changes touch or break was checked, in {} of {of} files; `--all` checks the rest",
                self.files
            )),
            Extent::Nothing => Some("nothing changed, so nothing was checked; `--all` checks everything".to_owned()),
        }
    }

    fn count_files(&mut self, workspace: &Workspace, selection: &Selection) {
        let documents = workspace.in_focus().map(|document| &document.path);
        let mut directories = BTreeSet::new();
        for path in documents.chain(&workspace.searched).filter(|path| selection.has_path(path)) {
            self.files += 1;
            directories.insert(path.parent());
        }
        self.directories = directories.len();
    }

    /// Take the texts of all files that the report points into.
    fn collect_sources(&mut self, workspace: &Workspace) {
        let mut paths: BTreeSet<&RepoPath> = BTreeSet::new();
        for finding in self.findings.iter().chain(self.suppressed.iter().map(|suppressed| &suppressed.finding)) {
            paths.insert(&finding.path);
            paths.extend(finding.related.iter().map(|related| &related.path));
            paths.extend(finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.path));
        }
        let text = |path: &RepoPath| {
            if let Some(file) = workspace.key_files.get(path) {
                return Some(SourceText::new(file.masked.clone()));
            }
            if let Some(document) = workspace.text(path.as_bytes()) {
                return Some(SourceText { bytes: document.bytes.clone(), lines: document.lines.clone() });
            }
            if let Some(bytes) = workspace.settings.get(path) {
                return Some(SourceText::new(key_files::masked(bytes)));
            }
            let (config, bytes) = workspace.config_text.as_ref()?;
            (config == path).then(|| SourceText::new(bytes.clone()))
        };
        self.sources = paths.into_iter().filter_map(|path| Some((path.clone(), text(path)?))).collect();
    }

    /// Number of findings of `level`.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }

    /// Number of findings that `--fix` fixes.
    pub fn fixable(&self) -> usize {
        let safe =
            |finding: &&Finding| finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
        self.findings.iter().filter(safe).count()
    }
}
