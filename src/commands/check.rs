//! `hintlint check`: lint, mend, report.

use std::io::{BufWriter, Write};
use std::time::Instant;

use super::mend::{Change, Mending, Outcome};
use super::session::{Named, Session};
use super::{Console, files};
use crate::cli::{CheckArgs, FailOn, Format, UnicodeScope};
use crate::config::nearest;
use crate::discover::Discovery;
use crate::error::Error;
use crate::finding::{Applicability, Level};
use crate::fix::Overlay;
use crate::path::{RepoPath, os_path_to_bytes};
use crate::report::diff::{Audience, FileDiff};
use crate::report::{self, Report};
use crate::rules::{Group, RULES};
use crate::run::Selection;
use crate::source::{Base, Changes};
use crate::workspace::Workspace;

/// Run the command; the answer is the exit code.
///
/// # Errors
/// Whatever keeps the command from doing its job.
pub fn check(args: &CheckArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let started = Instant::now();
    let stdin = read_stdin(args, console)?;
    let selection = selection(args)?;
    if args.source.rev.is_some() && (args.fix || args.unsafe_fixes) {
        let message = "--fix cannot change a revision".to_owned();
        return Err(Error::failed(message, "check the revision out, or leave --rev away"));
    }
    let paths = if stdin.is_some() { Vec::new() } else { args.paths.clone() };
    let mut session = Session::open(console, &paths, &args.source, &args.config)?;
    session.search_all = args.unicode_scope == UnicodeScope::All;
    if !args.agent.is_empty() {
        session.config.agents = Some(known_agents(&args.agent)?);
    }
    for note in session.source().notes() {
        console.note(&note);
    }
    let outcome = lint(args, &mut session, selection, stdin, console)?;
    let mut report = outcome.report;
    report.elapsed = started.elapsed();
    for note in &report.notes {
        console.note(note);
    }
    if args.diff {
        print_diff(args, &outcome.changes, console)?;
        let code = exit_code(&report, FailOn::Never);
        return Ok(if code == 0 && !outcome.changes.is_empty() { 1 } else { code });
    }
    print_report(args, &report, console)?;
    print_diff(args, &outcome.unapplied, console)?;
    let code = exit_code(&report, args.fail_on);
    let staged_fix = args.source.staged && (outcome.wrote || !outcome.unapplied.is_empty());
    Ok(if code == 0 && staged_fix { 1 } else { code })
}

fn read_stdin(args: &CheckArgs, console: &mut Console<'_>) -> Result<Option<Named>, Error> {
    let dash = args.paths.iter().any(|path| path.as_os_str() == "-");
    let Some(name) = args.stdin_filename.as_ref() else {
        let help = "say what the text is: `hintlint --stdin-filename AGENTS.md -`";
        return if dash { Err(Error::failed("`-` reads standard input, which has no name", help)) } else { Ok(None) };
    };
    if !dash || args.paths.len() > 1 {
        return Err(Error::failed(
            "--stdin-filename goes with `-` as the only path",
            "`hintlint --stdin-filename AGENTS.md -`",
        ));
    }
    if args.fix || args.unsafe_fixes {
        return Err(Error::failed("--fix cannot change standard input", "use --diff to see the fixes"));
    }
    let mut bytes = Vec::new();
    console.stdin.read_to_end(&mut bytes)?;
    Ok(Some((RepoPath::new(os_path_to_bytes(name)), bytes.into())))
}

fn selection(args: &CheckArgs) -> Result<Selection, Error> {
    let shown = args.fail_on.level().map_or(args.min_level.into(), |fail| fail.min(args.min_level.into()));
    let selection = Selection {
        select: args.select.clone(),
        ignore: args.ignore.clone(),
        min_level: shown,
        ..Selection::default()
    };
    if let Some(unknown) = selection.unknown_names().first() {
        let names = RULES.iter().map(|rule| rule.info().name).chain(Group::ALL.iter().map(|group| group.name()));
        let help = match nearest(unknown, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`hintlint rules` lists all rules and groups".to_owned(),
        };
        return Err(Error::failed(format!("there is no rule or group `{unknown}`"), help));
    }
    Ok(selection)
}

/// Check the names of agents given on the command line.
///
/// # Errors
/// When one is unknown; with a suggestion.
pub fn known_agents(names: &[String]) -> Result<Vec<String>, Error> {
    for name in names {
        if crate::dialect::by_id(name).is_none() {
            let help = match nearest(name, crate::dialect::ids()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known agents: {}", crate::dialect::ids().collect::<Vec<_>>().join(", ")),
            };
            return Err(Error::failed(format!("there is no agent `{name}`"), help));
        }
    }
    Ok(names.to_vec())
}

/// Check, and mend if asked to.
fn lint(
    args: &CheckArgs,
    session: &mut Session,
    mut selection: Selection,
    stdin: Option<Named>,
    console: &mut Console<'_>,
) -> Result<Outcome, Error> {
    if let Some((path, _)) = &stdin {
        session.files = vec![path.clone()];
        session.paths = vec![path.clone()];
    }
    selection.paths.clone_from(&session.paths);
    selection.changes = changes(args, session)?;
    let mut overlay = Overlay::new(session.source());
    if let Some((path, bytes)) = stdin {
        overlay.change(path, bytes);
    }
    let mut mending = Mending::new(session, selection, overlay, args.force_exclude)?;
    if args.verbose {
        say_what_is_read(args, session, mending.workspace(), console)?;
    }
    if !(args.fix || args.unsafe_fixes || args.diff) {
        return Ok(mending.finish());
    }
    mending.mend(if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe })?;
    if !args.diff {
        mending.write(args.source.staged, console)?;
    }
    Ok(mending.finish())
}

/// Tell on standard error what is checked, as what and for whom, and what is left out, so that the report stays what it is.
fn say_what_is_read(
    args: &CheckArgs,
    session: &Session,
    workspace: &Workspace,
    console: &mut Console<'_>,
) -> Result<(), Error> {
    let state = match (&args.source.rev, args.source.staged) {
        (Some(revision), _) => format!("revision {revision}"),
        (None, true) => "what is staged".to_owned(),
        (None, false) => "the worktree".to_owned(),
    };
    let root = session.opened.root.as_ref().or(session.opened.git_dir.as_ref());
    console.note(&format!("reading {state} of {}", root.map_or("the folder".into(), |root| root.to_string_lossy())));
    let config = session.config_text.as_ref().map_or("none, defaults hold".into(), |(path, _)| path.to_str_lossy());
    console.note(&format!("config: {config}"));
    let agents: Vec<String> =
        workspace.agents.iter().map(|enabled| format!("{} ({})", enabled.agent, enabled.why)).collect();
    console.note(&format!("agents: {}", if agents.is_empty() { "none".to_owned() } else { agents.join(", ") }));
    let discovery = Discovery::new(&session.config).map_err(|bad| session.bad_pattern(&bad))?;
    for row in files::rows(workspace, &discovery, true) {
        let path = row.path.to_str_lossy();
        if !session.selects(&row.path) {
            continue;
        }
        console.note(&match &row.excluded {
            Some(why) => format!("not checked: {path}: {why}"),
            None if row.agents.is_empty() => format!("checked: {path}, as {}", row.kind),
            None => format!("checked: {path}, as {}, read by {}", row.kind, row.agents.join(", ")),
        });
    }
    Ok(())
}

/// What the run is limited to: what the next commit changes, or what changed since another branch was left.
fn changes(args: &CheckArgs, session: &Session) -> Result<Option<Changes>, Error> {
    let base = match &args.since {
        _ if args.all => return Ok(None),
        Some(revision) => Base::MergeBase(revision.clone()),
        None if args.source.staged => Base::Previous,
        None => return Ok(None),
    };
    let changes = session.opened.changes(&base);
    changes.map(Some).map_err(|error| Error::Failed { message: error.to_string(), help: error.help })
}

fn exit_code(report: &Report, fail_on: FailOn) -> u8 {
    if !report.failures.is_empty() {
        return 2;
    }
    let fails = |level: Level| report.findings.iter().any(|finding| finding.level >= level);
    u8::from(fail_on.level().is_some_and(fails))
}

fn print_diff(args: &CheckArgs, changes: &[Change], console: &mut Console<'_>) -> Result<(), Error> {
    let audience = if console.stdout_is_terminal {
        Audience::Person { color: console.color(args.config.color, true) }
    } else {
        Audience::Patch
    };
    let files: Vec<FileDiff<'_>> = changes
        .iter()
        .map(|Change { path, before, after }| FileDiff { path, before: Some(before), after: Some(after) })
        .collect();
    report::diff::write(&files, audience, console.stdout)?;
    Ok(())
}

fn print_report(args: &CheckArgs, report: &Report, console: &mut Console<'_>) -> Result<(), Error> {
    let mut options = console.options(args.config.color);
    options.summary = !args.quiet;
    let Some(file) = &args.output else {
        let mut out = BufWriter::new(&mut *console.stdout);
        write_report(args, report, &options, &mut out)?;
        out.flush()?;
        return Ok(());
    };
    options.color = false;
    let path = console.directory.join(file);
    let cannot =
        |error: std::io::Error| Error::failed(format!("cannot write {}: {error}", file.display()), "check --output");
    let mut out = BufWriter::new(std::fs::File::create(&path).map_err(cannot)?);
    write_report(args, report, &options, &mut out).map_err(cannot)?;
    out.flush().map_err(cannot)
}

fn write_report(
    args: &CheckArgs,
    report: &Report,
    options: &report::Options,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    if args.statistics {
        return match args.format {
            Format::Json => report::statistics::write_json(report, options, out),
            _ => report::statistics::write(report, options, out),
        };
    }
    match args.format {
        Format::Human => report::human::write(report, options, out),
        Format::Concise => report::concise::write(report, options, out),
        Format::Json => report::json::write(report, options, out),
        Format::Sarif => report::sarif::write(report, options, out),
        Format::Github => report::github::write(report, options, out),
        Format::Markdown => report::markdown::write(report, options, out),
    }
}
