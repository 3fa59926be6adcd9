//! Why a command could not do its job, said on standard error: one line, and for a config its problems at their places.

use std::io::Write as _;

use super::Console;
use crate::base::error::{ConfigError, Error};
use crate::base::finding::{Finding, Level};
use crate::cli::args::ConfigArgs;
use crate::engine::{Report, SourceText};
use crate::report;

/// Say on standard error why the command could not do its job.
pub fn explain(error: &Error, console: &mut Console<'_>) {
    let mut options = console.options(ConfigArgs::default().color);
    options.color = console.color(ConfigArgs::default().color, console.stderr_is_terminal);
    options.summary = false;
    if let Error::Config(config) = error {
        if let Some(root) = &config.root {
            let directory = console.directory.canonicalize();
            options.reached = report::Reached::new(root, directory.as_ref().unwrap_or(&console.directory));
        }
        let _ = report::human::write(&config_report(config), &options, &mut console.stderr);
    }
    let _ = writeln!(console.stderr, "hintlint: {}", error.printed());
}

/// The problems of a config file, as findings at their places.
fn config_report(error: &ConfigError) -> Report {
    let mut report = Report::default();
    for problem in &error.problems {
        let finding = Finding::new("config", Level::Error, &error.path, problem.span, problem.message.clone());
        report.findings.push(match &problem.help {
            Some(help) => finding.help(help.clone()),
            None => finding,
        });
    }
    report.sources.insert(error.path.clone(), SourceText::new(error.text.as_bytes()));
    report
}
