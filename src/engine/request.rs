//! Judging a request to merge: what it causes or touches, by the config, the known findings and the comments of the state that
//! it starts from, so that no request switches off its own judge; and what it loosens.

use super::baseline::Baseline;
use super::loosened::{JudgedState, Loosening, loosened};
use super::{BaselineFrom, CheckRequest, ConfigFrom, NamedFile, Report, Repository, check, config_file, load};
use crate::base::error::{Error, Failure};
use crate::base::finding::Finding;
use crate::base::path::RepoPath;
use crate::compile::run_changes::{self, RunAgents, RunChange, RunState};
use crate::config::{Config, FILE_NAMES};
use crate::rules::run::Selection;
use crate::source::{Base, Changes};
use crate::workspace::Workspace;

/// What is asked about a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct MergeRequest {
    /// A revision that the request is for; `None` if there is none to compare with.
    pub base: Option<String>,
    /// Which rules, levels and paths.
    pub selection: Selection,
    /// Where the config that is named on the command line stands in the repository, if it does.
    pub config_path: Option<RepoPath>,
}

/// What was found of a request.
#[derive(Debug)]
pub(crate) struct RequestVerdict {
    /// The findings that the request causes or touches, and a count of the others.
    pub report: Report,
    /// What the request loosens.
    pub loosened: Vec<Loosening>,
    /// How it changes what agents run, the graver first.
    pub runs: Vec<RunChange>,
    /// How many findings only the request's own config and baseline would hide.
    pub hidden_by_request: usize,
    /// How many findings that were there before only the request's own comments would silence.
    pub silenced_by_request: usize,
    /// Its files, with its own config.
    pub workspace: Workspace,
    /// The state that it starts from, with its own config; `None` where there is none to compare with.
    pub before: Option<Workspace>,
}

/// Judge `head`, which is open with its own config, against the commit `base`. Without one everything is judged by the request's
/// own settings.
///
/// # Errors
/// When the repository or a baseline cannot be read, or a pattern of a config is no valid glob.
pub(crate) fn judge(head: &mut Repository, request: &MergeRequest) -> Result<RequestVerdict, Error> {
    let selection = &request.selection;
    let Some(base) = &request.base else { return judge_alone(head, selection) };
    let changes = head.changes(&Base::MergeBase(base.to_owned()))?;
    let (before, broken) = open_base(head, base, request.config_path.as_ref())?;
    let loaded = load(&before, &[], false)?;
    let own = JudgingSettings::of(head)?;
    // A baseline that cannot be read knows nothing.
    let (known, unread) =
        before.own_baseline().map_or_else(|error| (None, Some(error.to_string())), |known| (known, None));
    let by_itself = match own.differs_from(&before, known.as_ref()) || broken.is_some() {
        true => Some(check(head, &about(selection, &changes, own.baseline(), false))?),
        false => None,
    };
    let own_workspace = load(head, &[], false)?;
    if broken.is_none() {
        (head.config, head.config_text) = (before.config.clone(), before.config_text.clone());
        head.extended = before.extended.clone();
    }
    let governed = match broken {
        Some(_) => changes.clone(),
        None => without(&changes, &[&own.config, &before.config]),
    };
    let judged = check(head, &about(selection, &governed, from(known.clone()), true))?;
    let mut report = judged.report;
    report.notes.extend(broken.into_iter().chain(unread));
    let hidden_by_request =
        by_itself.as_ref().map_or(0, |by_itself| missing(&report.findings, &by_itself.report.findings));
    if let Some(by_itself) = by_itself {
        take_findings_of_config(&mut report, by_itself.report, head, &own);
    }
    let silenced_by_request = give_back_silenced(&mut report, &before, selection)?;
    let states = [
        JudgedState {
            source: before.source(),
            workspace: &loaded.workspace,
            config: &before.config,
            config_files: &before.config_files(),
            baseline: known.as_ref(),
        },
        JudgedState {
            source: head.source(),
            workspace: &own_workspace.workspace,
            config: &own.config,
            config_files: &own.files(),
            baseline: own.known.as_ref(),
        },
    ];
    let loosened = loosened(&states[0], &states[1], &changes);
    let runs = runs(&states, &changes);
    report.failures.extend(loaded.failures.into_iter().map(in_base));
    Ok(RequestVerdict {
        report,
        loosened,
        runs,
        hidden_by_request,
        silenced_by_request,
        workspace: own_workspace.workspace,
        before: Some(loaded.workspace),
    })
}

/// How what agents run changes, for the agents of either state and others that read the same files.
fn runs(states: &[JudgedState<'_>; 2], changes: &Changes) -> Vec<RunChange> {
    let [before, after] = states.map(|state| RunState { source: state.source, workspace: state.workspace });
    let agents = RunAgents::of_either(before.workspace, after.workspace);
    run_changes::compare(&before, &after, &agents, Some(changes))
}

/// Judge everything by the request's own settings, since there is nothing to compare it with.
fn judge_alone(head: &Repository, selection: &Selection) -> Result<RequestVerdict, Error> {
    let request = CheckRequest { selection: selection.clone(), ..CheckRequest::default() };
    let judged = check(head, &request)?;
    Ok(RequestVerdict {
        report: judged.report,
        loosened: Vec::new(),
        runs: Vec::new(),
        hidden_by_request: 0,
        silenced_by_request: 0,
        workspace: judged.workspace,
        before: None,
    })
}

/// The state that the request starts from, with its own config. If that config cannot be used, the request's own applies, so
/// that the request can fix
/// it; the second value says so.
fn open_base(
    head: &Repository,
    base: &str,
    config_path: Option<&RepoPath>,
) -> Result<(Repository, Option<String>), Error> {
    let commit = head.merge_base(base)?;
    let own = if head.finds_config { ConfigFrom::Repository } else { ConfigFrom::Defaults };
    let from = match (&head.config_text, config_path) {
        // Named, and of the repository: as it is in the merge base.
        (Some((name, _)), Some(path)) if !head.finds_config => {
            let plain = head.at_commit(&commit, ConfigFrom::Defaults)?;
            let text = config_file::text_of(plain.source(), path).ok().flatten();
            let Some((_, bytes)) = text else {
                let note = format!(
                    "{} is not in the merge base {commit:.12}, so the request's own config applies",
                    name.to_str_lossy()
                );
                return Ok((plain, Some(note)));
            };
            ConfigFrom::File((name.clone(), bytes))
        }
        (Some(file), None) if !head.finds_config => ConfigFrom::File(file.clone()),
        _ => own,
    };
    match head.at_commit(&commit, from) {
        Ok(repository) => Ok((repository, None)),
        Err(Error::Config(error)) => {
            let config = error.path.to_str_lossy();
            let why = error.problems.first().map_or("it has problems", |problem| problem.message.as_str());
            let note = format!(
                "{config} of the merge base {commit:.12} cannot be used ({why}), so the request's own config applies: correct it \
                 on the branch that the request is for"
            );
            Ok((head.at_commit(&commit, ConfigFrom::Defaults)?, Some(note)))
        }
        Err(error) => Err(error),
    }
}

fn in_base(failure: Failure) -> Failure {
    Failure { message: format!("in the merge base: {}", failure.message), ..failure }
}

/// The changes without those to configs and baselines. Elsewhere these change what is found in all files; here they judge nothing.
fn without(changes: &Changes, configs: &[&Config]) -> Changes {
    let governs = |path: &RepoPath| {
        let is_of = |config: &&&Config| {
            config.sources.contains(path)
                || config.baseline.as_bytes() == path.as_bytes()
                || FILE_NAMES.iter().any(|name| name.as_bytes() == path.as_bytes())
        };
        configs.iter().any(|config| is_of(&config))
    };
    Changes { list: changes.list.iter().filter(|change| !governs(&change.path)).cloned().collect() }
}

fn about(selection: &Selection, changes: &Changes, baseline: BaselineFrom, counts_older: bool) -> CheckRequest {
    CheckRequest {
        selection: selection.clone(),
        changes: Some(changes.clone()),
        baseline,
        counts_older,
        ..CheckRequest::default()
    }
}

fn from(known: Option<(RepoPath, Baseline)>) -> BaselineFrom {
    known.map_or(BaselineFrom::Nowhere, |(path, baseline)| BaselineFrom::Given(path, baseline))
}

/// What judges a state.
struct JudgingSettings {
    config: Config,
    text: Option<NamedFile>,
    extended: Vec<NamedFile>,
    known: Option<(RepoPath, Baseline)>,
}

impl JudgingSettings {
    fn of(repository: &Repository) -> Result<JudgingSettings, Error> {
        Ok(JudgingSettings {
            config: repository.config.clone(),
            text: repository.config_text.clone(),
            extended: repository.extended.clone(),
            known: repository.own_baseline()?,
        })
    }

    fn files(&self) -> Vec<NamedFile> {
        self.text.iter().chain(&self.extended).cloned().collect()
    }

    fn baseline(&self) -> BaselineFrom {
        from(self.known.clone())
    }

    fn differs_from(&self, before: &Repository, known: Option<&(RepoPath, Baseline)>) -> bool {
        self.files() != before.config_files() || self.known.as_ref() != known
    }
}

/// How many of `findings` are not among `others`.
fn missing(findings: &[Finding], others: &[Finding]) -> usize {
    let key = |finding: &Finding| (finding.path.clone(), finding.span, finding.rule, finding.message.clone());
    let others: std::collections::BTreeSet<_> = others.iter().map(key).collect();
    findings.iter().filter(|finding| !others.contains(&key(finding))).count()
}

/// Findings about the config are those about the request's own; the judging one is not what it changes.
fn take_findings_of_config(report: &mut Report, own: Report, head: &Repository, settings: &JudgingSettings) {
    let judging: Vec<RepoPath> = head.config_files().into_iter().map(|(path, _)| path).collect();
    let files = settings.files();
    report.findings.retain(|finding| !judging.contains(&finding.path));
    let about = own.findings.into_iter().filter(|finding| files.iter().any(|(path, _)| *path == finding.path));
    report.findings.extend(about);
    report.sources.retain(|path, _| !judging.contains(path));
    report.sources.extend(own.sources.into_iter().filter(|(path, _)| files.iter().any(|(file, _)| file == path)));
    report.findings.sort_by(|a, b| (&a.path, a.span, a.rule, &a.message).cmp(&(&b.path, b.span, b.rule, &b.message)));
}

/// Show findings again that were there, and shown, before the request silenced them by a comment. Answers how many.
fn give_back_silenced(report: &mut Report, before: &Repository, selection: &Selection) -> Result<usize, Error> {
    if report.suppressed.is_empty() {
        return Ok(0);
    }
    let request = CheckRequest {
        selection: selection.clone(),
        baseline: BaselineFrom::Nowhere,
        collects_baseline: true,
        ..CheckRequest::default()
    };
    let were = check(before, &request)?.report.today.unwrap_or_default();
    let shown = |finding: &Finding| finding.level >= selection.min_level;
    let silenced = report.suppressed.iter().map(|suppressed| suppressed.finding.clone()).filter(shown).collect();
    let back = were.known_among(silenced, &report.sources);
    report.suppressed.retain(|suppressed| !back.contains(&suppressed.finding));
    let count = back.len();
    report.findings.extend(back);
    report.findings.sort_by(|a, b| (&a.path, a.span, a.rule, &a.message).cmp(&(&b.path, b.span, b.rule, &b.message)));
    Ok(count)
}
