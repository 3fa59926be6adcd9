//! `hintlint tour`: an example repository, linted, fixed and shown. It lives in memory; nothing is read from disk or written.

use std::collections::BTreeMap;
use std::io::Write;

use super::Console;
use super::show::{self, ShowFormat};
use crate::agents;
use crate::agents::context::{self, LoadOptions};
use crate::base::error::Error;
use crate::base::finding::Applicability;
use crate::cli::args::TourArgs;
use crate::compile::agent::SourceFiles;
use crate::engine::{self, CheckRequest, Checked, ConfigFrom, Fixed, Repository};
use crate::report::diff::{Audience, FileDiff};
use crate::report::{self, ReportOptions};
use crate::source::Memory;
use crate::world::RepoWorld;

/// The files of the example repository, `examples/shop`. What they are called is the agents' business.
const SHOP: &[(&str, &str)] = include!("../../examples/shop.rs");

/// Where an agent starts.
const DIRECTORY: &str = "packages/api";
/// What it edits there.
const FILE: &str = "packages/api/routes.py";

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn tour(args: &TourArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let options = console.options(args.color);
    let repository = Repository::new(Box::new(Memory::of_files(SHOP.iter().copied())), ConfigFrom::Repository)?;
    let request = CheckRequest::default();
    let checked = engine::check(&repository, &request)?;
    let out = &mut console.stdout;
    heading(out, "examples/shop is a small repository with two mistakes. What is wrong with it?", "hintlint")?;
    report::human::write(&checked.report, &ReportOptions { summary: false, ..options.clone() }, out)?;
    heading(out, "What is safe to fix? `hintlint --fix` writes it.", "hintlint --diff")?;
    diff(&repository, &request, checked, &options, out)?;
    context(&repository, out)?;
    writeln!(out, "\nNow yours: run `hintlint` in a repository of your own.")?;
    Ok(0)
}

/// What is asked, and the command that answers it.
fn heading(out: &mut dyn Write, question: &str, command: &str) -> Result<(), Error> {
    Ok(writeln!(out, "# {question}\n$ {command}")?)
}

/// The safe fixes, as a diff for a person.
fn diff(
    repository: &Repository,
    request: &CheckRequest,
    checked: Checked,
    options: &ReportOptions,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let fixed = engine::fix(repository, request, checked, Applicability::Safe)?.files;
    let files: Vec<FileDiff<'_>> = fixed
        .iter()
        .map(|Fixed { path, before, after }| FileDiff { path, before: Some(before), after: Some(after) })
        .collect();
    report::diff::write(&files, Audience::Person { color: options.color }, out)?;
    Ok(writeln!(out)?)
}

/// What one agent loads in a directory, as it is before the fix, and which agents load which file there.
fn context(repository: &Repository, out: &mut dyn Write) -> Result<(), Error> {
    let links = BTreeMap::new();
    let world = RepoWorld::new(SourceFiles::new(repository.source(), &links));
    let start = world.absolute(DIRECTORY.as_bytes());
    let mut options = LoadOptions { strip_root: Some(world.root().clone()), ..LoadOptions::default() };
    if let Some(agent) = agents::ALL.first() {
        let question = format!("What does {} load when it starts in {DIRECTORY}? To the byte:", agent.title);
        heading(out, &question, &format!("hintlint show --agent {} {DIRECTORY}", agent.id))?;
        show::text(&context::load(&world, agent, &start, &options), None, out, true)?;
        writeln!(out)?;
    }
    options.touch = Some(world.absolute(FILE.as_bytes()));
    let question = format!("Which agent loads which file there, and when, if it edits {FILE}?");
    heading(out, &question, &format!("hintlint show {DIRECTORY} --file {FILE}"))?;
    show::table::print(&world, &start, &options, ShowFormat::Text, out)?;
    Ok(())
}
