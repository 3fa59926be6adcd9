//! `hintlint baseline`: write the findings of today, so that later checks speak only of others.

use clap::Args;

use super::Console;
use super::session::Session;
use crate::base::error::Error;
use crate::base::path::RepoPath;
use crate::cli::args::{CacheArgs, ConfigArgs, LevelArg, SourceArgs};
use crate::engine::{self, BaselineFrom, CheckRequest};
use crate::report;
use crate::rules::run::Selection;
use crate::write::WriteRoot;

/// `hintlint baseline`
#[derive(Clone, Debug, Default, Args)]
pub struct BaselineArgs {
    /// The lowest level of the findings that it knows
    #[arg(long, value_enum, default_value_t = LevelArg::Warning, value_name = "LEVEL", env = "HINTLINT_MIN_LEVEL", hide_env = true, hide_possible_values = true, hide_default_value = true, help = "Record findings of this level and above: error, warning (default), info")]
    pub(crate) min_level: LevelArg,
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
/// When the repository cannot be checked as a whole, or the file cannot be written.
pub(crate) fn baseline(args: &BaselineArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let progress = console.progress(false);
    let mut session = Session::open(console, &[], &SourceArgs::default(), &args.config)?;
    if !args.cache.no_cache {
        session.repository.keep_history();
    }
    session.repository.watch(progress.listener());
    let selection = Selection { min_level: args.min_level.into(), ..Selection::default() };
    let request =
        CheckRequest { selection, baseline: BaselineFrom::Nowhere, collects_baseline: true, ..CheckRequest::default() };
    let report = engine::check(&session.repository, &request)?.report;
    progress.end();
    if let Some(failure) = report.failures.first() {
        let message = format!("could not check {}: {}", failure.path.to_str_lossy(), failure.message);
        return Err(Error::failed(message, "make the file readable; a baseline without its findings would be wrong"));
    }
    let baseline = report.today.unwrap_or_default();
    let path = RepoPath::from(session.repository.config.baseline.as_str());
    let mut text = Vec::new();
    report::baseline::write(&baseline, &mut text)?;
    let Some(root) = session.repository.root() else {
        return Err(Error::failed("there is no worktree to write the baseline to", "run it in a checkout"));
    };
    let failed = |why: String| {
        let message = format!("cannot write the baseline {}: {why}", path.to_str_lossy());
        Error::failed(message, "make the place writable, or name another with `[baseline] path`")
    };
    let root = WriteRoot::new(root).map_err(|error| failed(error.to_string()))?;
    root.put(&path, &text).map_err(|error| failed(error.to_string()))?;
    for note in report.notes {
        console.note(&note);
    }
    let known: usize = baseline.entries.values().sum();
    let noun = if known == 1 { "finding" } else { "findings" };
    let shown = session.reached.path(&path);
    console.note(&format!("{shown} records {known} {noun}; commit it, and `hintlint` reports only new ones"));
    let never = report.findings.iter().filter(|finding| !crate::rules::is_silenceable(finding)).count();
    if never > 0 {
        console.note(&format!(
            "{never} more are still reported: a baseline never hides hidden text, conflict markers or imports out of the repository"
        ));
    }
    Ok(0)
}
