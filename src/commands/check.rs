//! `hintlint check`: lint, mend, report.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::sync::Arc;
use std::time::Instant;

use super::Console;
use super::session::Session;
use crate::cli::{CheckArgs, FailOn, Format};
use crate::config::nearest;
use crate::error::Error;
use crate::finding::{Applicability, Level};
use crate::fix::{self, Overlay};
use crate::path::{RepoPath, os_path_to_bytes};
use crate::report::diff::{Audience, FileDiff};
use crate::report::{self, Failure, FixSummary, Report};
use crate::rules::{Group, RULES};
use crate::run::{Selection, run};
use crate::source::history::Questions;
use crate::workspace::Workspace;
use crate::write;

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
    let code = exit_code(&report, args.fail_on);
    Ok(if code == 0 && args.source.staged && outcome.wrote { 1 } else { code })
}

fn read_stdin(args: &CheckArgs, console: &mut Console<'_>) -> Result<Option<(RepoPath, Arc<[u8]>)>, Error> {
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

/// A file that fixes change: its bytes before and after.
struct Change {
    path: RepoPath,
    before: Arc<[u8]>,
    after: Arc<[u8]>,
}

struct Outcome {
    report: Report,
    changes: Vec<Change>,
    wrote: bool,
}

/// Check, and mend in memory until nothing is left to mend; then write what changed.
fn lint(
    args: &CheckArgs,
    session: &mut Session,
    mut selection: Selection,
    stdin: Option<(RepoPath, Arc<[u8]>)>,
    console: &mut Console<'_>,
) -> Result<Outcome, Error> {
    if let Some((path, _)) = &stdin {
        session.files = vec![path.clone()];
        session.paths = vec![path.clone()];
    }
    selection.paths.clone_from(&session.paths);
    let session = &*session;
    let mut overlay = Overlay::new(session.source());
    if let Some((path, bytes)) = stdin {
        overlay.change(path, bytes);
    }
    let mut history = |questions: &Questions| session.answer(questions);
    let (mut report, mut workspace) = run(session.load_from(&overlay, args.force_exclude)?, &selection, &mut history);
    let mending = args.fix || args.unsafe_fixes || args.diff;
    if !mending {
        return Ok(Outcome { report, changes: Vec::new(), wrote: false });
    }
    let allowed = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
    let mut before: BTreeMap<RepoPath, Arc<[u8]>> = BTreeMap::new();
    let mut summary = FixSummary::default();
    for _ in 0..fix::MAX_ROUNDS {
        let bytes = |path: &RepoPath| bytes_of(&workspace, path);
        let mended = fix::apply(&report.findings, allowed, &bytes);
        if mended.is_empty() {
            break;
        }
        for (path, mended) in mended {
            if let Some(bytes) = bytes(&path) {
                before.entry(path.clone()).or_insert(bytes);
            }
            for (rule, count) in mended.by_rule {
                *summary.by_rule.entry(rule).or_default() += count;
            }
            overlay.change(path, mended.bytes);
        }
        (report, workspace) = run(session.load_from(&overlay, args.force_exclude)?, &selection, &mut history);
    }
    let after = |path: &RepoPath| overlay.changed().get(path).cloned();
    let mut changes: Vec<Change> = before
        .into_iter()
        .filter_map(|(path, before)| after(&path).map(|after| Change { path, before, after }))
        .filter(|change| change.before != change.after)
        .collect();
    let mut wrote = false;
    if !args.diff {
        changes = write_changes(changes, session, &mut summary, &mut report, console)?;
        wrote = summary.files > 0;
        report.fixed = Some(summary);
    }
    Ok(Outcome { report, changes, wrote })
}

fn bytes_of(workspace: &Workspace, path: &RepoPath) -> Option<Arc<[u8]>> {
    if let Some(document) = workspace.document(path.as_bytes()) {
        return Some(document.bytes.clone());
    }
    workspace.config_text.as_ref().filter(|(config, _)| config == path).map(|(_, bytes)| bytes.clone())
}

/// Write what changed; what could not be written is a failure of the run, and stays as it was.
fn write_changes(
    changes: Vec<Change>,
    session: &Session,
    summary: &mut FixSummary,
    report: &mut Report,
    console: &mut Console<'_>,
) -> Result<Vec<Change>, Error> {
    let Some(root) = session.opened.root.as_deref().filter(|_| !changes.is_empty()) else { return Ok(changes) };
    let root = write::Root::new(root).map_err(|error| {
        Error::failed(format!("cannot write below {}: {error}", root.display()), "check that the folder still exists")
    })?;
    let mut written = Vec::new();
    for change in changes {
        match root.replace(&change.path, &change.before, &change.after) {
            Ok(_) => {
                summary.files += 1;
                written.push(change);
            }
            Err(error) => {
                let message = error.to_string();
                report.failures.push(Failure { path: change.path, message });
            }
        }
    }
    if session.source().worktree_root().is_none() && !written.is_empty() {
        let names: Vec<_> = written.iter().map(|change| change.path.to_str_lossy().into_owned()).collect();
        console.note(&format!("fixed files are not staged yet; run: git add {}", names.join(" ")));
    }
    Ok(written)
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
