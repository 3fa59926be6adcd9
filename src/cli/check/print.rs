//! Printing what `check` found, in the format and to the place that were asked for.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::base::defect;
use crate::base::error::Error;
use crate::cli::Console;
use crate::cli::args::{CheckArgs, Format};
use crate::cli::output::{self, Output, OutputForm};
use crate::cli::session::Session;
use crate::engine::{Fixed, Report};
use crate::report;
use crate::report::diff::{Audience, FileDiff};

pub(super) fn print_diff(
    args: &CheckArgs,
    changes: &[Fixed],
    output: &Output,
    root: Option<&Path>,
    console: &mut Console<'_>,
) -> Result<(), Error> {
    let person = console.stdout_is_terminal && matches!(output, Output::Stdout);
    let audience = match person {
        true => Audience::Person { color: console.color(args.config.color, true) },
        false => Audience::Patch,
    };
    let files: Vec<FileDiff<'_>> = changes
        .iter()
        .map(|Fixed { path, before, after }| FileDiff { path, before: Some(before), after: Some(after) })
        .collect();
    let mut text = Vec::new();
    report::diff::write(&files, audience, &mut text)?;
    output.write(root, console, if person { OutputForm::Text } else { OutputForm::Raw }, &text)
}

pub(super) fn print_report(
    args: &CheckArgs,
    report: &Report,
    output: &Output,
    session: &Session,
    console: &mut Console<'_>,
) -> Result<(), Error> {
    print_as(args, report, output, session, console)?;
    // In CI the annotations are the head of the report, and the job summary is all of it.
    let summary = console.env.get("GITHUB_STEP_SUMMARY").filter(|_| args.format == Format::Github).map(PathBuf::from);
    if let Some(file) = summary {
        let mut page = Vec::new();
        report::markdown::write(report, &report::ReportOptions::default(), &mut page)?;
        output::append_summary(&console.directory.join(file), session.repository.root(), &page)?;
    }
    Ok(())
}

/// Write the report in the format that is asked for.
pub(in crate::cli) fn print_as(
    args: &CheckArgs,
    report: &Report,
    output: &Output,
    session: &Session,
    console: &mut Console<'_>,
) -> Result<(), Error> {
    let root = session.repository.root();
    let mut options = console.options(args.config.color);
    options.reached = session.reached.clone();
    options.fails_from = args.fail_on.level();
    options.summary = !args.quiet && args.format == Format::Human;
    match output {
        Output::Stdout => {}
        Output::Stderr => {
            options.color = console.color(args.config.color, console.stderr_is_terminal);
            options.hyperlinks = false;
        }
        Output::File(..) => (options.color, options.hyperlinks) = (false, false),
    }
    options.job_summary = console.env.get("GITHUB_STEP_SUMMARY").is_some() && args.format == Format::Github;
    let mut text = Vec::new();
    match defect::contain(|| write_report(args, report, &options, &mut text)) {
        Some(written) => written?,
        None => {
            // Half a report looks like a whole one; the plainest format still has all findings.
            report::concise::write(
                report,
                &report::ReportOptions { color: false, hyperlinks: false, ..options },
                &mut console.stderr,
            )?;
            let message = defect::message("the report could not be written in this format");
            return Err(Error::Failed { message, help: None });
        }
    }
    // Annotations are commands on purpose, and JSON is written with all that a terminal obeys escaped; a line of it begins with
    // a bracket or a quote. So neither needs a second look, which would hold one long line three times.
    let form = match args.format {
        Format::Github | Format::Json | Format::Sarif | Format::Gitlab | Format::Rdjson => OutputForm::Raw,
        _ => OutputForm::Text,
    };
    output.write(root, console, form, &text)
}

fn write_report(
    args: &CheckArgs,
    report: &Report,
    options: &report::ReportOptions,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    match args.format {
        Format::Human | Format::Concise if args.statistics => report::statistics::write(report, options, out),
        Format::Json if args.statistics => report::statistics::write_json(report, options, out),
        Format::Markdown if args.statistics => report::markdown::write_statistics(report, options, out),
        Format::Human => report::human::write(report, options, out),
        Format::Concise => report::concise::write(report, options, out),
        Format::Json => report::json::write(report, options, out),
        Format::Sarif => report::sarif::write(report, options, out),
        Format::Github => report::github::write(report, options, out),
        Format::Markdown => report::markdown::write(report, options, out),
        Format::Gitlab => report::gitlab::write(report, options, out),
        Format::Junit => report::junit::write(report, options, out),
        Format::Rdjson => report::rdjson::write(report, options, out),
    }
}
