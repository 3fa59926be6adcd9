//! `hintlint explore`: one HTML page of what agents load, written to a file, and opened if asked. It opens no port.

mod growth;

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Console;
use super::output::{Output, OutputForm};
use super::session::Session;
use crate::agents::{self, Dialect};
use crate::base::error::Error;
use crate::base::finding::Level;
use crate::cli::args::{ConfigArgs, ExploreArgs, SourceArgs};
use crate::compile::comparison::{self, ContextChange};
use crate::engine::{self, CheckRequest, Stage};
use crate::explore::{self, Explored, Since};
use crate::rules::run::Selection;
use crate::workspace::{LoadedWorkspace, Workspace};

/// The page's name where none is given.
const DEFAULT_NAME: &str = "hintlint-explore.html";
/// A page of ours has this in its first bytes.
const MARK: &str = "<title>What agents load</title>";
/// So many bytes are looked at for it.
const HEAD: u64 = 2048;

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When the repository or a revision cannot be read, or the page cannot be written.
pub(crate) fn explore(args: &ExploreArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let output = place(args, console)?;
    let place = Output::new(output.as_deref(), console)?;
    let progress = console.progress(false);
    progress.listener()(Stage::Repository);
    let dir = args.dir.clone().into_iter().collect::<Vec<_>>();
    let mut session = Session::open(console, &dir, &args.source, &args.config)?;
    session.repository.watch(progress.listener());
    let selection = Selection { min_level: Level::Info, ..Selection::default() };
    let checked = engine::check(&session.repository, &CheckRequest { selection, ..CheckRequest::default() })?;
    let agents = chosen(&args.agent)?;
    let mut notes = checked.report.notes.clone();
    let failed = |path: &str, message: &str| format!("{path}: {message}");
    notes.extend(checked.report.failures.iter().map(|at| failed(&at.path.to_str_lossy(), &at.message)));
    let workspace = &checked.workspace;
    let changes = changes(args, &session, workspace, &agents, console)?;
    let growth = match args.history {
        Some(most) => Some(growth::growth(most.into(), args, &session, workspace, &agents, console)?),
        None => None,
    };
    progress.listener()(Stage::Comparison);
    let title = match (&args.source.rev, args.source.staged) {
        (Some(revision), _) => revision,
        (None, true) => "what is staged",
        (None, false) => "the worktree",
    };
    let page = explore::page(&Explored {
        title,
        start: &start(&session),
        workspace,
        agents: &agents,
        findings: &checked.report.findings,
        since: args.since.as_deref().zip(changes.as_deref()).map(|(base, changes)| Since { base, changes }),
        growth: growth.as_ref(),
        notes: &notes,
    });
    progress.end();
    place.write(session.repository.root(), console, OutputForm::Raw, page.as_bytes())?;
    if let Output::File(named, path) = &place {
        console.note(&format!("wrote {}", named.display()));
        if args.open {
            open(path, named, console);
        }
    }
    Ok(if checked.report.failures.is_empty() { 0 } else { 2 })
}

/// The file that the page goes to; `None` for standard output. Nothing but an older page of ours is overwritten unasked.
fn place(args: &ExploreArgs, console: &Console<'_>) -> Result<Option<PathBuf>, Error> {
    if args.output.is_some() || !(args.open || console.stdout_is_terminal) {
        return Ok(args.output.clone());
    }
    let path = console.directory.join(DEFAULT_NAME);
    if path.symlink_metadata().is_ok() && !is_ours(&path) {
        let message = format!("{DEFAULT_NAME} exists already and is not a page of hintlint");
        return Err(Error::failed(message, "name another file with --output"));
    }
    Ok(Some(DEFAULT_NAME.into()))
}

fn is_ours(path: &Path) -> bool {
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
    let mut head = Vec::new();
    let mut read = || std::fs::File::open(path)?.take(HEAD).read_to_end(&mut head);
    is_file && read().is_ok() && memchr::memmem::find(&head, MARK.as_bytes()).is_some()
}

/// The directory that the page shows first.
fn start(session: &Session) -> String {
    let named = session.paths.first().map(|path| path.as_bytes());
    let dir = named.unwrap_or_else(|| session.repository.subdirectory());
    String::from_utf8_lossy(dir).into_owned()
}

/// All agents, or those that were asked for.
fn chosen(named: &[String]) -> Result<Vec<&'static Dialect>, Error> {
    if named.is_empty() {
        return Ok(agents::ALL.to_vec());
    }
    let ids: BTreeSet<String> = super::check::known_agents(named)?.into_iter().collect();
    Ok(ids.iter().filter_map(|id| agents::by_id(id)).collect())
}

fn changes(
    args: &ExploreArgs,
    session: &Session,
    workspace: &Workspace,
    agents: &[&'static Dialect],
    console: &Console<'_>,
) -> Result<Option<Vec<ContextChange>>, Error> {
    let Some(since) = &args.since else { return Ok(None) };
    let base = session.repository.merge_base(since)?;
    let before = state(&base, &args.config, console)?.workspace;
    Ok(Some(comparison::compare(&before, workspace, agents)))
}

/// The repository at a commit, with its own config.
pub(super) fn state(commit: &str, config: &ConfigArgs, console: &Console<'_>) -> Result<LoadedWorkspace, Error> {
    let source = SourceArgs { rev: Some(commit.to_owned()), ..SourceArgs::default() };
    Session::open(console, &[], &source, config)?.load()
}

/// Open our own file with the program that the platform has for it.
fn open(path: &Path, named: &Path, console: &mut Console<'_>) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(opener);
    let started = command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        console.note(&format!("cannot open {} with {opener}: {error}", named.display()));
    }
}
