//! `hintlint diff`: how the context of each directory and agent changes between two states of the repository.

use std::collections::BTreeSet;
use std::io::BufWriter;

use super::Console;
use super::session::Session;
use crate::agents::{self, Dialect};
use crate::base::error::Error;
use crate::cli::args::{DiffArgs, DiffFormat, SourceArgs};
use crate::compile::comparison;
use crate::engine::Stage;
use crate::report::contexts::{self, Comparison};
use crate::report::progress::ProgressLine;
use crate::workspace::{LoadedWorkspace, Workspace};

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When a revision or the repository cannot be read, or standard output cannot be written.
pub fn diff(args: &DiffArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let mut notes = Vec::new();
    let progress = console.progress(false);
    let before = side(args, Some(&args.base), &progress, console, &mut notes)?;
    let after = side(args, args.head.as_ref(), &progress, console, &mut notes)?;
    let agents = agents(args, &before.workspace, &after.workspace)?;
    progress.listener()(Stage::Comparison);
    let changes = comparison::compare(&before.workspace, &after.workspace, &agents);
    drop(progress);
    for note in &notes {
        console.note(note);
    }
    let comparison = Comparison { base: &args.base, head: args.head.as_deref(), changes: &changes, notes: &notes };
    let color = console.color(args.config.color, console.stdout_is_terminal);
    let mut out = BufWriter::new(&mut console.stdout);
    match args.format {
        DiffFormat::Human => contexts::human(&comparison, color, &mut out)?,
        DiffFormat::Markdown => contexts::markdown(&comparison, &mut out)?,
        DiffFormat::Json => contexts::json(&comparison, &mut out)?,
    }
    std::io::Write::flush(&mut out)?;
    Ok(if before.failures.is_empty() && after.failures.is_empty() { 0 } else { 2 })
}

/// One of the two states, loaded with its own config.
fn side(
    args: &DiffArgs,
    revision: Option<&String>,
    progress: &ProgressLine,
    console: &Console<'_>,
    notes: &mut Vec<String>,
) -> Result<LoadedWorkspace, Error> {
    let source = SourceArgs { rev: revision.cloned(), ..SourceArgs::default() };
    progress.listener()(Stage::Repository);
    let mut session = Session::open(console, &[], &source, &args.config)?;
    session.repository.watch(progress.listener());
    let loaded = session.load()?;
    for note in session.repository.source().notes() {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    let failed =
        |failure: &crate::base::error::Failure| format!("{}: {}", failure.path.to_str_lossy(), failure.message);
    notes.extend(loaded.failures.iter().map(failed));
    Ok(loaded)
}

/// The agents of either side and `merged`, or those that were asked for.
fn agents(args: &DiffArgs, before: &Workspace, after: &Workspace) -> Result<Vec<&'static Dialect>, Error> {
    if args.agent.is_empty() {
        return Ok(super::check::known_dialects(before, after));
    }
    let ids: BTreeSet<String> = super::check::known_agents(&args.agent)?.into_iter().collect();
    Ok(ids.iter().filter_map(|id| agents::by_id(id)).collect())
}
