//! What a check has to say, for whoever shows it: findings, what comments silenced, and the texts that both point into.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::affected::Affected;
use super::baseline::{Baseline, BaselineEntry, KnownFindings};
use super::group;
use crate::base::error::Failure;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::LineIndex;
use crate::rules::meta::{self, Silenced, Suppressed};
use crate::rules::run::{Judgement, Selection};
use crate::source::Changes;
use crate::workspace::locks::LOCK;
use crate::workspace::{Focus, Workspace, key_files};

/// So many entries of a baseline that match nothing are named.
const UNMATCHED_NAMED: usize = 20;

/// The text of a file that findings point into.
#[derive(Debug)]
pub(crate) struct SourceText {
    /// The bytes as linted.
    pub bytes: Arc<[u8]>,
    /// Where lines begin.
    pub lines: LineIndex,
}

impl SourceText {
    /// The text `bytes`, with its lines indexed.
    pub(crate) fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let lines = LineIndex::new(&bytes);
        SourceText { bytes, lines }
    }
}

/// How much of the repository a report is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Extent {
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
    pub(crate) suppressed: Vec<Suppressed>,
    /// The comments that silence warnings about hidden characters in a whole file, by path and line.
    pub(crate) silenced: Vec<Silenced>,
    /// Files that could not be read.
    pub failures: Vec<Failure>,
    /// Limits of this run, one sentence each.
    pub notes: Vec<String>,
    /// How much was checked.
    pub(crate) extent: Extent,
    /// Number of files checked.
    pub files: usize,
    /// Number of directories that hold them.
    pub directories: usize,
    /// The texts of all files that findings (also related places and edits) point into.
    pub(crate) sources: BTreeMap<RepoPath, SourceText>,
    /// How long the run took; only `human` prints it.
    pub elapsed: Duration,
    /// What `--fix` did, if it ran.
    pub(crate) fixed: Option<FixSummary>,
    /// What the baseline knew of, if there is one.
    pub(crate) known: Option<KnownFindings>,
    /// How many findings the changes neither cause nor touch, by level, if they were counted.
    pub older: BTreeMap<Level, usize>,
    /// The baseline that knows all findings, if it was asked for.
    pub(crate) today: Option<Baseline>,
}

/// Which findings of a judgement a report speaks of.
#[derive(Clone, Copy, Default)]
pub(super) struct Filters<'f> {
    /// Only those that changes are answerable for.
    pub affected: Option<&'f Affected>,
    /// None of those that this baseline knows.
    pub baseline: Option<(&'f RepoPath, &'f Baseline)>,
    /// Whether the report brings the baseline that knows its findings.
    pub collects_baseline: bool,
    /// Whether the findings that changes are not answerable for are counted.
    pub counts_older: bool,
    /// Whether everything was checked, so that an entry that matched nothing is obsolete.
    pub is_whole: bool,
}

/// What `--fix` did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FixSummary {
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
        Report::of(judgement, selection, &Filters { affected: affected.as_ref(), ..Filters::default() })
    }

    /// The same, through `filters`.
    pub(super) fn of(judgement: Judgement, selection: &Selection, filters: &Filters<'_>) -> (Report, Workspace) {
        let Judgement { mut findings, mut hidden, mut suppressed, failures, mut notes, workspace } = judgement;
        let affected = filters.affected;
        let known = known(filters, &mut findings, &mut hidden, &workspace);
        notes.extend(known.as_ref().and_then(unmatched_note));
        let keeps = |finding: &Finding| affected.is_none_or(|affected| affected.keeps(&workspace, finding));
        let older: Vec<Finding> = match filters.counts_older {
            true => findings.extract_if(.., |finding| !keeps(finding)).collect(),
            false => Vec::new(),
        };
        findings.retain(keeps);
        hidden.retain(keeps);
        suppressed.retain(|suppressed| keeps(&suppressed.finding));
        let today =
            filters.collects_baseline.then(|| Baseline::of(&findings, &sources(&workspace, paths_of(&findings))));
        let findings = group::by_cause(&workspace, findings);
        let (counts, older) = (by_level(&workspace, hidden), by_level(&workspace, older));
        let silenced = meta::silenced(&workspace, suppressed.iter());
        let extent = match &workspace.focus {
            Focus::Only(_) if affected.is_some() => Extent::Changes { of: workspace.documents.len() },
            _ => Extent::All,
        };
        let mut report =
            Report { findings, hidden: counts, suppressed, silenced, failures, notes, extent, ..Report::default() };
        (report.known, report.older, report.today) = (known, older, today);
        report.count_files(&workspace, selection);
        report.collect_sources(&workspace);
        (report, workspace)
    }

    /// The note that a report covers only some of the files.
    pub(crate) fn extent_note(&self) -> Option<String> {
        match self.extent {
            Extent::All => None,
            Extent::Changes { of } => Some(format!(
                "only findings that the changes cause or touch were checked, in {} of {of} files; `--all` checks the rest",
                self.files
            )),
            Extent::Nothing => Some("nothing changed, so nothing was checked; `--all` checks everything".to_owned()),
        }
    }

    /// How many findings the baseline keeps from being shown.
    pub(crate) fn known_note(&self) -> Option<String> {
        let known = self.known.as_ref().filter(|known| known.old > 0)?;
        let (old, file) = (known.old, known.file.to_str_lossy());
        Some(format!("problems in the baseline {file}, not shown: {old}; `--no-baseline` shows them"))
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
        self.sources = sources(workspace, paths);
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

/// The texts of those of `paths` that are known.
fn sources<'p>(workspace: &Workspace, paths: impl IntoIterator<Item = &'p RepoPath>) -> BTreeMap<RepoPath, SourceText> {
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
        if let Some(lock) = workspace.skills_lock.as_ref().filter(|_| path.as_bytes() == LOCK.as_bytes()) {
            return Some(SourceText::new(lock.bytes.clone()));
        }
        let (_, bytes) = workspace.config_files.iter().find(|(config, _)| config == path)?;
        Some(SourceText::new(bytes.clone()))
    };
    paths.into_iter().filter_map(|path| Some((path.clone(), text(path)?))).collect()
}

fn paths_of(findings: &[Finding]) -> BTreeSet<&RepoPath> {
    findings.iter().map(|finding| &finding.path).collect()
}

/// How many findings there are of each level, those of one cause counted once.
fn by_level(workspace: &Workspace, findings: Vec<Finding>) -> BTreeMap<Level, usize> {
    let mut counts: BTreeMap<Level, usize> = BTreeMap::new();
    group::by_cause(workspace, findings).iter().for_each(|finding| *counts.entry(finding.level).or_default() += 1);
    counts
}

/// Remove the findings that the baseline contains.
fn known(
    filters: &Filters<'_>,
    findings: &mut Vec<Finding>,
    hidden: &mut Vec<Finding>,
    workspace: &Workspace,
) -> Option<KnownFindings> {
    let (file, baseline) = filters.baseline?;
    let paths: BTreeSet<RepoPath> = findings.iter().chain(&*hidden).map(|finding| finding.path.clone()).collect();
    let is_there = |path: &str| workspace.listing.contains(path.as_bytes());
    let known = baseline.take_known(file, findings, hidden, &sources(workspace, &paths), is_there);
    let unmatched = if filters.is_whole { known.unmatched } else { Vec::new() };
    Some(KnownFindings { unmatched, ..known })
}

/// Which entries of the baseline match nothing any more.
fn unmatched_note(known: &KnownFindings) -> Option<String> {
    let count = known.unmatched.len();
    let name = |(entry, _): &(BaselineEntry, usize)| format!("{} ({})", entry.path, entry.rule);
    let names: Vec<String> = known.unmatched.iter().take(UNMATCHED_NAMED).map(name).collect();
    let more = count.saturating_sub(UNMATCHED_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let entries = if count == 1 { "1 entry matches" } else { &format!("{count} entries match") };
    let file = known.file.to_str_lossy();
    let what =
        format!("{file}: {entries} no finding any more: {}{more}; `hintlint baseline` drops them", names.join(", "));
    (count > 0).then_some(what)
}
