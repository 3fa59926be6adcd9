//! One file per command: what it opens, what it asks the library, what it prints. No command ends the process.

pub mod agents;
pub mod args;
pub mod baseline;
pub mod check;
pub mod ci;
pub mod compile;
pub mod completions;
pub mod config;
mod config_file;
pub mod diff;
pub mod explore;
pub mod failure;
pub mod files;
pub mod hook;
pub mod init;
mod judged;
pub mod manual;
mod output;
pub mod pack;
#[cfg(test)]
mod panics;
pub mod plan;
mod prose;
pub mod rules;
pub mod schema;
pub mod search;
mod server;
pub mod session;
pub mod show;
mod stdin;
mod templates;
pub mod tour;
mod watch;

use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory as _;

use crate::base::error::Error;
use crate::base::sanitize;
use crate::cli::args::{Cli, ColorChoice, Command};
use crate::env::{self, Env};
use crate::report;
use crate::report::printer::Printer;
use crate::report::progress::ProgressLine;

/// Where a command reads and prints. Given by `main`, or by a test.
pub struct Console<'c> {
    /// The environment.
    pub env: Env,
    /// The directory that relative paths start from.
    pub directory: PathBuf,
    /// Standard input.
    pub stdin: &'c mut dyn std::io::Read,
    /// Standard output.
    pub stdout: Printer<'c>,
    /// Standard error.
    pub stderr: Printer<'c>,
    /// Whether standard output is a terminal.
    pub stdout_is_terminal: bool,
    /// Whether standard error is a terminal.
    pub stderr_is_terminal: bool,
    /// The terminal's width in columns, if it has one.
    pub width: Option<usize>,
    /// Values that a command no longer needs. They are dropped with the console; the program ends without dropping it, since
    /// giving back a listing of a million paths takes a while.
    pub done_with: Vec<Box<dyn std::any::Any>>,
}

impl Console<'_> {
    /// Whether colour is wanted on a stream that is a terminal or not.
    pub(crate) fn color(&self, choice: ColorChoice, terminal: bool) -> bool {
        match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if self.env.is_on("CLICOLOR_FORCE") => true,
            ColorChoice::Auto => terminal && self.env.get("NO_COLOR").is_none() && self.env.get("TERM") != Some("dumb"),
        }
    }

    /// How reports to standard output look.
    pub(crate) fn options(&self, choice: ColorChoice) -> report::ReportOptions {
        let color = self.color(choice, self.stdout_is_terminal);
        report::ReportOptions {
            color,
            hyperlinks: color && self.stdout_is_terminal && env::terminal_has_hyperlinks(),
            width: self.width.unwrap_or(80).clamp(40, 120),
            ..report::ReportOptions::default()
        }
    }

    /// The width for our own texts: that of the terminal, but no more than reads well.
    pub(crate) fn text_width(&self) -> usize {
        self.width.unwrap_or(80).clamp(40, 100)
    }

    /// A progress line, unless `quiet`. The log of a CI run may pass for a terminal, and keeps every state of the line.
    pub(crate) fn progress(&self, quiet: bool) -> ProgressLine {
        ProgressLine::new(self.stderr_is_terminal && self.env.get("CI").is_none() && !quiet)
    }

    /// Print bytes that are somebody else's: as they are for a program, and fit to look at for a terminal.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn pass_on(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        match self.stdout_is_terminal {
            true => self.stdout.write_all(sanitize::terminal(bytes).as_bytes()),
            false => self.stdout.raw()?.write_all(bytes),
        }
    }

    /// Tell the user something that is no finding. A closed standard error is not worth stopping for.
    pub fn note(&mut self, text: &str) {
        let _ = writeln!(self.stderr, "hintlint: {}", sanitize::line(text));
    }
}

/// Run the command that was asked for; the answer is the exit code.
///
/// # Errors
/// Whatever keeps the command from doing its job.
pub fn run(cli: &Cli, console: &mut Console<'_>) -> Result<u8, Error> {
    match &cli.command {
        None => check::run(&cli.check, console),
        Some(Command::Check(args)) => check::run(args, console),
        Some(Command::Baseline(args)) => baseline::baseline(args, console),
        Some(Command::Ci(args)) => ci::ci(args, console),
        Some(Command::Config(args)) => config::config(args, console),
        Some(Command::Files(args)) => files::files(args, console),
        Some(Command::Agents(args)) => agents::agents(args, console),
        Some(Command::Compile(args)) => compile::compile(args, console),
        Some(Command::Diff(args)) => diff::diff(args, console),
        Some(Command::Explore(args)) => explore::explore(args, console),
        Some(Command::Show(args)) => Ok(show::run(args, console)?),
        Some(Command::Hook(args)) => Ok(hook::hook(args, console)),
        Some(Command::Plan(args)) => plan::plan(args, console),
        Some(Command::Pack(args)) => pack::pack(args, console),
        Some(Command::Search(args)) => search::search(args, console),
        Some(Command::ListAllHints(args)) => search::list_all_hints(args, console),
        Some(Command::ShowHints(args)) => search::show_hints(args, console),
        Some(Command::Server(_)) => server::server(console),
        Some(Command::Rules(args)) => rules::list(args, console),
        Some(Command::Explain(args)) => rules::explain(args, console),
        Some(Command::Init(args)) => init::init(args, console),
        Some(Command::Tour(args)) => tour::tour(args, console),
        Some(Command::Manual(args)) => manual::manual(args, Cli::command(), console),
        Some(Command::Schema) => schema::schema(console),
        Some(Command::Completions(args)) => completions::completions(args, Cli::command(), console),
        Some(Command::CompleteNames(args)) => completions::names(args.of, console),
    }
}

/// The width of the terminal in columns, if one of the standard streams is one.
pub fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}
