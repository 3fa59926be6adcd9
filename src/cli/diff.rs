//! `hintlint diff`: how the context of each directory and agent changes between two states of the repository, and what they run.

use std::collections::BTreeSet;
use std::io::BufWriter;

use super::Console;
use super::session::Session;
use crate::agents::{self, Dialect};
use crate::base::error::Error;
use crate::cli::args::{DiffArgs, DiffFormat, SourceArgs};
use crate::compile::comparison;
use crate::compile::run_changes::{self, RunAgents, RunChange, RunState};
use crate::compile::same::{self, SameAgents, SameVerdict};
use crate::compile::skill_changes;
use crate::engine::Stage;
use crate::report;
use crate::report::contexts::{self, Comparison};
use crate::report::progress::ProgressLine;
use crate::source::Base;
use crate::workspace::{LoadedWorkspace, Workspace};

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When a revision or the repository cannot be read, or standard output cannot be written.
pub(crate) fn diff(args: &DiffArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let mut notes = Vec::new();
    let progress = console.progress(false);
    let before = side(args, Some(&args.base), &progress, console, &mut notes)?;
    let after = side(args, args.head.as_ref(), &progress, console, &mut notes)?;
    let agents = agents(args, &before.loaded.workspace, &after.loaded.workspace)?;
    progress.listener()(Stage::Comparison);
    if args.assert_same {
        let verdict = verdict(args, &before, &after, &agents);
        progress.end();
        notes.iter().for_each(|note| console.note(note));
        let mut out = BufWriter::new(&mut console.stdout);
        report::same::write(&verdict, args.format == DiffFormat::Json, &mut out)?;
        std::io::Write::flush(&mut out)?;
        let is_whole = before.loaded.failures.is_empty() && after.loaded.failures.is_empty();
        return Ok(if !verdict.is_same() {
            1
        } else if is_whole {
            0
        } else {
            2
        });
    }
    let changes = comparison::compare(&before.loaded.workspace, &after.loaded.workspace, &agents);
    let runs = runs(args, &before, &after, agents);
    let skills = skill_changes::compare(&before.runs(), &after.runs());
    progress.end();
    for note in &notes {
        console.note(note);
    }
    let comparison = Comparison {
        base: &args.base,
        head: args.head.as_deref(),
        changes: &changes,
        runs: &runs,
        skills: &skills,
        notes: &notes,
    };
    let color = console.color(args.config.color, console.stdout_is_terminal);
    let mut out = BufWriter::new(&mut console.stdout);
    match args.format {
        DiffFormat::Human => contexts::human(&comparison, color, &mut out)?,
        DiffFormat::Markdown => contexts::markdown(&comparison, &mut out)?,
        DiffFormat::Json => contexts::json(&comparison, &mut out)?,
    }
    std::io::Write::flush(&mut out)?;
    Ok(if before.loaded.failures.is_empty() && after.loaded.failures.is_empty() { 0 } else { 2 })
}

/// One of the two states.
struct DiffSide {
    session: Session,
    loaded: LoadedWorkspace,
}

impl DiffSide {
    fn runs(&self) -> RunState<'_> {
        RunState { source: self.session.repository.source(), workspace: &self.loaded.workspace }
    }
}

/// How what the agents run changes. Git tells what is the same, and modes; where it cannot, everything is compared.
fn runs(args: &DiffArgs, before: &DiffSide, after: &DiffSide, agents: Vec<&'static Dialect>) -> Vec<RunChange> {
    let agents = match args.agent.is_empty() {
        true => RunAgents::of_either(&before.loaded.workspace, &after.loaded.workspace),
        false => RunAgents { chosen: agents, others: Vec::new() },
    };
    let changes = after.session.repository.changes(&Base::Revision(args.base.clone())).ok();
    run_changes::compare(&before.runs(), &after.runs(), &agents, changes.as_ref())
}

/// Whether the agents load and run the same. `merged` counts where it is committed, or chosen. Without a choice each released
/// agent counts that reads a file of either state: whose AGENTS.md it is nobody can tell.
fn verdict(args: &DiffArgs, before: &DiffSide, after: &DiffSide, agents: &[&'static Dialect]) -> SameVerdict {
    let compiles = before.loaded.workspace.compiles() || after.loaded.workspace.compiles();
    let is_ours = |dialect: &Dialect| dialect.proof == agents::Proof::Ours;
    let counts = |dialect: &&'static Dialect| !is_ours(dialect) || compiles || !args.agent.is_empty();
    let is_released = |dialect: &&'static Dialect| !is_ours(dialect) && dialect.proof != agents::Proof::Original;
    let chosen = SameAgents {
        chosen: agents.iter().copied().filter(counts).collect(),
        if_reading: agents::ALL.iter().copied().filter(|_| args.agent.is_empty()).filter(is_released).collect(),
    };
    let changes = after.session.repository.changes(&Base::Revision(args.base.clone())).ok();
    same::compare(&before.runs(), &after.runs(), &chosen, &args.map, changes.as_ref())
}

/// Load one of the two states with its own config.
fn side(
    args: &DiffArgs,
    revision: Option<&String>,
    progress: &ProgressLine,
    console: &Console<'_>,
    notes: &mut Vec<String>,
) -> Result<DiffSide, Error> {
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
    Ok(DiffSide { session, loaded })
}

/// The agents of either side and `merged`, or those that were asked for.
fn agents(args: &DiffArgs, before: &Workspace, after: &Workspace) -> Result<Vec<&'static Dialect>, Error> {
    if args.agent.is_empty() {
        return Ok(super::check::known_dialects(before, after));
    }
    let ids: BTreeSet<String> = super::check::known_agents(&args.agent)?.into_iter().collect();
    Ok(ids.iter().filter_map(|id| agents::by_id(id)).collect())
}
