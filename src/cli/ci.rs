//! `hintlint ci`: one call that judges a request to merge and says so to the CI that runs it: annotations, SARIF, a summary,
//! outputs. What is judged, and by what, is `engine::request`'s to say.

mod base;
mod outputs;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::check::{self, known_dialects};
use super::output::{Output, OutputForm};
use super::session::Session;
use super::{Console, output};
use crate::base::defect;
use crate::base::error::Error;
use crate::base::kind::Kind;
use crate::base::path::{RepoPath, normal, os_path_to_bytes};
use crate::cli::args::{CacheArgs, CheckArgs, ConfigArgs, FailOn, Format, LevelArg, SourceArgs};
use crate::compile::comparison;
use crate::engine::request::{self, MergeRequest, RequestVerdict};
use crate::plan::Overview;
use crate::report;
use crate::report::summary::{self, PlanStep, SummarySection};
use crate::rules::run::Selection;
use outputs::CiOutputs;

/// `hintlint ci`
#[derive(Clone, Debug, Default, Args)]
pub struct CiArgs {
    /// Files and directories to report on; all without any
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The revision that the request is for, if the CI's variables do not say
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// Write the findings to FILE as SARIF, too
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write the summary to FILE, too
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// As `check --format`; github in GitHub Actions, else human
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        env = "HINTLINT_FORMAT",
        hide_env = true,
        hide_possible_values = true
    )]
    pub format: Option<Format>,
    /// Show findings from this level on
    #[arg(long, value_enum, default_value_t = LevelArg::Warning, value_name = "LEVEL", env = "HINTLINT_MIN_LEVEL", hide_env = true, hide_possible_values = true, hide_default_value = true, help = "Show from level: error, warning (default), info")]
    pub(crate) min_level: LevelArg,
    /// Exit 1 from this level on
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "LEVEL", env = "HINTLINT_FAIL_ON", hide_env = true, hide_possible_values = true, hide_default_value = true, help = "Exit 1 from here on (default: error), or never")]
    pub(crate) fail_on: FailOn,
    /// What is kept between runs.
    #[command(flatten)]
    pub(crate) cache: CacheArgs,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When the command cannot check the request or report the result. It prints what it has found before it fails.
pub(crate) fn ci(args: &CiArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let started = Instant::now();
    let sarif = args.sarif.as_deref().map(|file| Output::new(Some(file), console)).transpose()?;
    let page = args.summary.as_deref().map(|file| Output::new(Some(file), console)).transpose()?;
    let progress = console.progress(false);
    // The commit is merged, not what other steps left in the worktree.
    let source = SourceArgs { staged: false, rev: Some("HEAD".to_owned()) };
    let mut session = Session::open(console, &args.paths, &source, &args.config)?;
    if !args.cache.no_cache {
        session.repository.keep_history();
    }
    session.repository.watch(progress.listener());
    let found = base::find(args.base.as_deref(), &session.repository, console)?;
    let asked = MergeRequest {
        base: found.revision,
        selection: selection(args, &session),
        config_path: config_path(args, &session, console),
    };
    let mut verdict = request::judge(&mut session.repository, &asked)?;
    let sections = sections(&verdict);
    progress.end();
    finish(&mut verdict, found.note, &session, started);
    verdict.report.notes.iter().for_each(|note| console.note(note));
    let mut text = Vec::new();
    summary::write(&verdict, &sections, &mut text)?;
    let root = session.repository.root().map(Path::to_owned);
    // One place that cannot be written must not keep the others from being told.
    let mut problems = Vec::new();
    print(args, &verdict, &session, console)?;
    if let Some(sarif) = &sarif {
        let mut log = Vec::new();
        report::sarif::write(&verdict.report, &report::ReportOptions::default(), &mut log)?;
        problems.extend(sarif.write(root.as_deref(), console, OutputForm::Raw, &log).err());
    }
    if let Some(page) = &page {
        problems.extend(page.write(root.as_deref(), console, OutputForm::Text, &text).err());
    }
    if let Some(file) = console.env.get("GITHUB_STEP_SUMMARY").map(PathBuf::from) {
        problems.extend(output::append_summary(&console.directory.join(file), root.as_deref(), &text).err());
    }
    let outputs = CiOutputs { report: &verdict.report, sarif: args.sarif.as_deref(), summary: args.summary.as_deref() };
    problems.extend(outputs.write(root.as_deref(), console).err());
    let code = check::exit_code(&verdict.report, args.fail_on);
    console.done_with.push(Box::new((session, verdict)));
    match problems.into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(code),
    }
}

fn selection(args: &CiArgs, session: &Session) -> Selection {
    let shown = args.fail_on.level().map_or(args.min_level.into(), |fail| fail.min(args.min_level.into()));
    Selection { min_level: shown, paths: session.paths.clone(), ..Selection::default() }
}

/// Where the config that `--config` names stands in the repository, if it does.
fn config_path(args: &CiArgs, session: &Session, console: &Console<'_>) -> Option<RepoPath> {
    let file = args.config.config.as_ref().filter(|_| !args.config.no_config)?;
    let folder = std::fs::canonicalize(&console.directory).ok()?;
    let place = normal(&folder.join(file));
    let inside = place.strip_prefix(session.repository.root()?).ok()?;
    Some(RepoPath::new(os_path_to_bytes(inside)))
}

/// Put together what else a reader should know.
fn finish(verdict: &mut RequestVerdict, note: Option<String>, session: &Session, started: Instant) {
    let mut notes: Vec<String> = note.into_iter().chain(session.repository.source().notes()).collect();
    notes.append(&mut verdict.report.notes);
    let mut seen = BTreeSet::new();
    verdict.report.notes = notes.into_iter().filter(|note| seen.insert(note.clone())).collect();
    verdict.report.elapsed = started.elapsed();
}

/// The parts of the summary, in their order.
fn sections(verdict: &RequestVerdict) -> Vec<SummarySection> {
    let parts = [
        summary::loosened(&verdict.loosened),
        summary::findings(&verdict.report),
        summary::runs(&verdict.runs),
        contexts(verdict),
        summary::plans(&plans(verdict)),
    ];
    parts.into_iter().flatten().collect()
}

/// What changes for each agent.
fn contexts(verdict: &RequestVerdict) -> Option<SummarySection> {
    let before = verdict.before.as_ref()?;
    let agents = known_dialects(before, &verdict.workspace);
    summary::agents(&comparison::compare(before, &verdict.workspace, &agents))
}

/// The plans whose text the request changes.
fn plans(verdict: &RequestVerdict) -> Vec<PlanStep> {
    let Some(before) = &verdict.before else { return Vec::new() };
    let read = |bytes: &std::sync::Arc<[u8]>| defect::contain(|| Overview::read(bytes.clone())).unwrap_or_default();
    let plans = verdict.workspace.documents.iter().filter(|document| document.kind == Kind::Plan);
    let step = |document: &crate::parse::Document| {
        let old = before.document(document.path.as_bytes());
        let before = old.map(|old| read(&old.bytes)).unwrap_or_default();
        let is_changed = old.is_none_or(|old| old.bytes != document.bytes);
        is_changed.then(|| PlanStep { path: document.path.clone(), before, after: read(&document.bytes) })
    };
    plans.filter_map(step).collect()
}

/// Tell the user.
fn print(args: &CiArgs, verdict: &RequestVerdict, session: &Session, console: &mut Console<'_>) -> Result<(), Error> {
    let on_github = console.env.is_on("GITHUB_ACTIONS");
    let format = args.format.unwrap_or(if on_github { Format::Github } else { Format::Human });
    if format == Format::Github {
        report::github::write_loosened(&verdict.loosened, console.stdout.raw()?)?;
        report::github::write_runs(&verdict.runs, console.stdout.raw()?)?;
    } else {
        for loosening in &verdict.loosened {
            let place = format!("{}:{}", session.reached.path(&loosening.path), loosening.line);
            console.note(&format!("this request loosens a check: {place}: {}", loosening.what));
        }
        for change in verdict.runs.iter().filter(|change| change.grade.is_grave()) {
            console.note(&format!("this request changes what agents run: {}", report::runs::line(change)));
        }
    }
    let as_check = CheckArgs { format, fail_on: args.fail_on, config: args.config.clone(), ..CheckArgs::default() };
    check::print_as(&as_check, &verdict.report, &Output::Stdout, session, console)
}
