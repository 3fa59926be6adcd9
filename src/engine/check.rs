//! Loading a repository and checking it once.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::affected::{self, Affected};
use super::baseline::Baseline;
use super::report::{Extent, Filters, Report};
use super::{Overlay, Repository, Stage};
use crate::base::error::Error;
use crate::base::path::RepoPath;
use crate::compile::Artifacts;
use crate::discover::Discovery;
use crate::rules::Group;
use crate::rules::run::{Selection, run_with};
use crate::source::history::{Answers, Questions};
use crate::source::{Changes, Source};
use crate::workspace::{self, Choose, Focus, LoadedWorkspace, Workspace, texts};

/// What a check is asked for.
#[derive(Clone, Debug, Default)]
pub struct CheckRequest {
    /// Which rules, levels and paths.
    pub selection: Selection,
    /// Report only what these changes touch or break; everything if `None`.
    pub changes: Option<Changes>,
    /// Files that are checked whatever they are.
    pub files: Vec<RepoPath>,
    /// Whether the config's `exclude` holds for `files`, too.
    pub force_exclude: bool,
    /// Whether all text files are searched for hidden characters.
    pub all_texts: bool,
    /// Which findings are known already.
    pub(crate) baseline: BaselineFrom,
    /// Whether the report brings the baseline that knows all its findings.
    pub collects_baseline: bool,
    /// Whether findings outside the changes are collected, too, so that they can be counted.
    pub counts_older: bool,
    /// Whether the caller limits the check, so that an unused config entry or suppression proves nothing.
    pub is_narrowed: bool,
}

/// Where the known findings come from.
#[derive(Clone, Debug, Default)]
pub(crate) enum BaselineFrom {
    /// From the file that the config names, if the repository has it.
    #[default]
    Repository,
    /// From nowhere.
    Nowhere,
    /// These, of the file at this path.
    Given(RepoPath, Baseline),
}

/// What a check found.
#[derive(Debug)]
pub struct Checked {
    /// The findings and what goes with them.
    pub report: Report,
    /// What was checked.
    pub workspace: Workspace,
    pub(super) artifacts: Artifacts,
    pub(super) known: EarlierCheck,
}

/// Results that a later check of nearly the same files can reuse.
#[derive(Debug, Default)]
pub(super) struct EarlierCheck {
    /// Questions to history, and the answers.
    pub(super) asked: Option<(Questions, Answers)>,
    pub(super) searched: texts::CleanFiles,
    /// The known findings, once they were read.
    baseline: Option<Option<(RepoPath, Baseline)>>,
}

/// Load a repository: what the config makes a hint file, and `files` besides.
///
/// # Errors
/// When a pattern of the config is no valid glob.
pub fn load(repository: &Repository, files: &[RepoPath], force_exclude: bool) -> Result<LoadedWorkspace, Error> {
    repository.enter(Stage::Files);
    load_from(repository, &repository.files(), files, force_exclude, Choose::All)
}

/// The same, without the paths and commands that the texts name: for those who want the texts and check nothing.
///
/// # Errors
/// When a pattern of the config is no valid glob.
pub fn load_texts(repository: &Repository, files: &[RepoPath]) -> Result<LoadedWorkspace, Error> {
    repository.enter(Stage::Files);
    load_from(repository, &repository.files(), files, false, Choose::Nothing)
}

fn load_from(
    repository: &Repository,
    source: &dyn Source,
    files: &[RepoPath],
    force_exclude: bool,
    choose: Choose<'_>,
) -> Result<LoadedWorkspace, Error> {
    let mut files = files.to_vec();
    if force_exclude {
        let discovery = Discovery::new(&repository.config).map_err(|bad| repository.bad_pattern(&bad))?;
        files.retain(|path| !discovery.is_excluded(path.as_bytes()));
    }
    let loaded = workspace::load_for(source, repository.config.clone(), &files, choose);
    let mut loaded = loaded.map_err(|bad| repository.bad_pattern(&bad))?;
    loaded.workspace.notes.extend(repository.config.notes.iter().cloned());
    loaded.workspace.notes.extend(repository.unread_configs());
    loaded.workspace.config_files = repository.config_files();
    Ok(loaded)
}

/// Load what the artifacts of a loaded repository should hold.
pub fn artifacts(repository: &Repository, loaded: &mut LoadedWorkspace) -> Artifacts {
    load_artifacts(&repository.files(), loaded)
}

fn load_artifacts(source: &dyn Source, loaded: &mut LoadedWorkspace) -> Artifacts {
    let artifacts = Artifacts::new(source, &loaded.workspace);
    loaded.failures.extend(artifacts.texts.failures());
    artifacts
}

/// Check a repository.
///
/// # Errors
/// When a pattern of the config is no valid glob.
pub fn check(repository: &Repository, request: &CheckRequest) -> Result<Checked, Error> {
    repository.enter(Stage::Files);
    check_with(repository, request, repository.unsaved.clone(), EarlierCheck::default())
}

/// The history answers that one check keeps for the next one of the same open repository.
#[cfg(feature = "server")]
#[derive(Debug, Default)]
pub(crate) struct CheckMemory(EarlierCheck);

/// [`check`], which asks of history only what `memory` has no answer to. Whoever opens the repository again begins with a new
/// memory.
///
/// # Errors
/// When a pattern of the config is no valid glob.
#[cfg(feature = "server")]
pub(crate) fn check_again(
    repository: &Repository,
    request: &CheckRequest,
    memory: &mut CheckMemory,
) -> Result<Checked, Error> {
    repository.enter(Stage::Files);
    let mut checked = check_with(repository, request, repository.unsaved.clone(), std::mem::take(&mut memory.0))?;
    // Which other texts are clean changes with each edit.
    memory.0 = EarlierCheck { searched: texts::CleanFiles::default(), ..std::mem::take(&mut checked.known) };
    Ok(checked)
}

/// [`check`], with other unsaved text than the repository's, and what an earlier check found out.
pub(super) fn check_with(
    repository: &Repository,
    request: &CheckRequest,
    unsaved: BTreeMap<RepoPath, Arc<[u8]>>,
    mut known: EarlierCheck,
) -> Result<Checked, Error> {
    let CheckRequest { selection, changes, .. } = request;
    let overlay = Overlay::new(repository.source(), unsaved);
    if !request.counts_older && changes.as_ref().is_some_and(Changes::is_empty) {
        return check_nothing(repository, known);
    }
    let is_whole = changes.is_none()
        && !request.is_narrowed
        && [&selection.select, &selection.ignore].iter().all(|names| names.is_empty())
        && selection.paths.is_empty();
    let baseline = match known.baseline.take() {
        Some(baseline) => baseline,
        None => repository.baseline(&request.baseline)?,
    };
    // An entry may stand for a finding that is not shown.
    let selection =
        &Selection { count_hidden: selection.count_hidden || is_whole && baseline.is_some(), ..selection.clone() };
    let (mut loaded, affected) = load_in_focus(repository, request, &overlay)?;
    read_for_rules(&overlay, selection, &mut loaded.workspace);
    let mut artifacts = load_artifacts(&overlay, &mut loaded);
    artifacts.are_unwanted = affected.as_ref().is_some_and(|affected| !affected.hints_changed);
    if selection.runs_group(Group::Artifacts) && !artifacts.are_unwanted {
        repository.recall_artifacts(&mut loaded.workspace, &mut artifacts);
    }
    let limited = changes.as_ref().filter(|changes| !affected::reach_everything(changes, &repository.config));
    let limited: Option<BTreeSet<&RepoPath>> = limited.map(|changes| changes.present().collect());
    let selects =
        |path: &RepoPath| selection.has_path(path) && limited.as_ref().is_none_or(|changed| changed.contains(path));
    let wanted = texts::WantedTexts { all: request.all_texts, selects: &selects };
    texts::search(&overlay, wanted, &mut known.searched, &mut loaded).map_err(|bad| repository.bad_pattern(&bad))?;
    // History does not change between rounds of fixes; a later round rarely asks anything new.
    let mut history = |questions: &Questions| match &known.asked {
        Some((asked, answers)) if questions.are_among(asked) => answers.clone(),
        _ => {
            let answers = repository.answer(questions);
            repository.enter(Stage::Rules);
            known.asked.insert((questions.clone(), answers)).1.clone()
        }
    };
    repository.enter(Stage::Rules);
    let judgement = run_with(loaded, &artifacts, selection, &mut history);
    let known_findings = baseline.as_ref().map(|(file, baseline)| (file, baseline));
    let filters = Filters {
        affected: affected.as_ref(),
        baseline: known_findings,
        collects_baseline: request.collects_baseline,
        counts_older: request.counts_older,
        is_whole,
    };
    let (report, workspace) = Report::of(judgement, selection, &filters);
    known.baseline = Some(baseline);
    Ok(Checked { report, workspace, artifacts, known })
}

/// Read what only rules ask for: files that no agent loads.
fn read_for_rules(source: &dyn Source, selection: &Selection, workspace: &mut Workspace) {
    if selection.runs_group(Group::Settings) {
        workspace.scripts = workspace::scripts::collect(source, workspace);
        workspace.unmatched_rules = workspace::unmatched_rules::collect(source, workspace);
    }
    if let Some(lock) = workspace.skills_lock.as_mut().filter(|_| selection.runs_group(Group::Drift)) {
        lock.compare(source);
    }
}

/// Where nothing changed, nothing is read but the config.
fn check_nothing(repository: &Repository, known: EarlierCheck) -> Result<Checked, Error> {
    Discovery::new(&repository.config).map_err(|bad| repository.bad_pattern(&bad))?;
    let workspace = Workspace {
        config: repository.config.clone(),
        config_files: repository.config_files(),
        listing: repository.source().listing().clone(),
        ..Workspace::default()
    };
    let report = Report { extent: Extent::Nothing, notes: repository.config.notes.clone(), ..Report::default() };
    Ok(Checked { report, workspace, artifacts: Artifacts::default(), known })
}

/// Load a repository as far as the request needs it; also what its changes reach.
fn load_in_focus(
    repository: &Repository,
    request: &CheckRequest,
    overlay: &Overlay<'_>,
) -> Result<(LoadedWorkspace, Option<Affected>), Error> {
    let CheckRequest { selection, changes, files, force_exclude, .. } = request;
    let affected = OnceCell::new();
    let choose = |workspace: &Workspace| match changes {
        None => Focus::of(workspace, |path| selection.has_path(path)),
        Some(changes) => {
            affected.get_or_init(|| Affected::new(workspace, changes)).focus(workspace, |path| selection.has_path(path))
        }
    };
    let reaches_all = selection.paths.is_empty()
        && (request.counts_older
            || changes.as_ref().is_none_or(|changes| affected::reach_everything(changes, &repository.config)));
    let how = if reaches_all { Choose::All } else { Choose::Some(&choose) };
    let mut loaded = load_from(repository, overlay, files, *force_exclude, how)?;
    let affected = changes
        .as_ref()
        .map(|changes| affected.into_inner().unwrap_or_else(|| Affected::new(&loaded.workspace, changes)));
    if let Some(affected) = affected.as_ref().filter(|_| !request.counts_older) {
        affected.drop_other_mentions(&mut loaded.workspace);
    }
    Ok((loaded, affected))
}
