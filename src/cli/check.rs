//! `hintlint check`: lint, fix, report.

mod print;

use std::collections::BTreeSet;
use std::time::Instant;

use super::judged::Judged;
use super::output::Output;
use super::session::Session;
use super::stdin::StdinText;
use super::{Console, files, stdin, watch};
use crate::agents::Dialect;
use crate::base::error::Error;
use crate::base::finding::{Applicability, Level};
use crate::base::path::os_path_to_bytes;
use crate::cli::args::{CheckArgs, CompileArgs, FailOn, Format, SourceArgs, UnicodeScope};
use crate::config::nearest;
use crate::discover::Discovery;
use crate::engine::{self, BaselineFrom, CheckRequest, Checked, Fixed, FixesWritten, Report};
use crate::report::progress::ProgressLine;
use crate::rules::run::Selection;
use crate::rules::{Group, RULES};
use crate::source::Changes;
use crate::workspace::Workspace;
pub(super) use print::print_as;
use print::{print_diff, print_report};

/// Run the command, with `--watch` again and again; the answer is the exit code.
///
/// # Errors
/// Whatever keeps the command from doing its job.
pub(crate) fn run(args: &CheckArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    match args.watch {
        true => watch::watch(args, console, check),
        false => check(args, console),
    }
}

/// Lint once; the answer is the exit code.
///
/// # Errors
/// Whatever keeps the command from doing its job.
fn check(args: &CheckArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let started = Instant::now();
    let judged = Judged::new(args, console);
    let selection = selection(args, &judged)?;
    refuse(args)?;
    let mut output = Output::new(args.output.as_deref(), console)?;
    let stdin = stdin::read(args, console)?;
    let progress = console.progress(args.quiet);
    let mut session = match &stdin {
        Some(StdinText { name, bytes }) => {
            let (mut session, path) = Session::open_for(console, name, &judged.source, &args.config)?;
            session.repository.overlay(path, bytes.clone());
            session
        }
        None => Session::open(console, &args.paths, &judged.source, &args.config)?,
    };
    if !args.cache.no_cache {
        session.repository.keep_history();
    }
    session.repository.watch(progress.listener());
    if !args.agent.is_empty() {
        session.repository.config.agents = Some(known_agents(&args.agent)?);
    }
    let mut outcome = lint(args, &session, (selection, &judged), stdin.is_some(), &output, progress, console)?;
    let root = session.repository.root();
    let mut report = outcome.report;
    report.elapsed = started.elapsed();
    let mut notes = session.repository.source().notes();
    notes.extend(judged.note.clone());
    give_notes(args, notes, &mut report, console);
    if args.diff {
        print_diff(args, &outcome.changes, &output, root, console)?;
        let code = exit_code(&report, FailOn::Never);
        return Ok(if code == 0 && !outcome.changes.is_empty() { 1 } else { code });
    }
    if let (true, Some(text)) = (fixes(args), &stdin) {
        stdin::give_back(&text.bytes, &outcome.changes, console)?;
        output = output.beside_text();
    }
    print_report(args, &report, &output, &session, console)?;
    if !outcome.unapplied.is_empty() {
        print_diff(args, &outcome.unapplied, &Output::Stdout, root, console)?;
    }
    let wrote = !outcome.written.is_empty() && !args.exit_zero_on_fix;
    let staged_fix = judged.source.staged && (wrote || !outcome.unapplied.is_empty());
    let mut code = exit_code(&report, args.fail_on);
    if args.compile && judged.source.rev.is_none() && commits_artifacts(&session, &outcome.workspace) {
        code = code.max(compile(args, &mut session, std::mem::take(&mut outcome.written), console)?);
    }
    console.done_with.push(Box::new((session, outcome.workspace)));
    Ok(if code == 0 && staged_fix { 1 } else { code })
}

/// Put `notes` before those of the report, print each once, and add what the run left out.
fn give_notes(args: &CheckArgs, mut notes: Vec<String>, report: &mut Report, console: &mut Console<'_>) {
    notes.append(&mut report.notes);
    let mut seen = BTreeSet::new();
    report.notes = notes.into_iter().filter(|note| seen.insert(note.clone())).collect();
    for note in &report.notes {
        console.note(note);
    }
    // People read it in the last line, and most machines in the notes; some formats have no place for either.
    let left_out: Vec<String> = report.extent_note().into_iter().chain(report.known_note()).collect();
    if matches!(args.format, Format::Concise | Format::Github | Format::Gitlab | Format::Rdjson) && !args.quiet {
        left_out.iter().for_each(|note| console.note(note));
    }
    report.notes.extend(left_out);
}

/// Whether the run ends with a line that counts the hidden findings. A run limited to changes does not report the others, so
/// it need not look for it.
fn counts_hidden(args: &CheckArgs, judged: &Judged) -> bool {
    args.format == Format::Human && !args.quiet && !args.diff && judged.base.is_none()
}

fn fixes(args: &CheckArgs) -> bool {
    args.fix || args.unsafe_fixes
}

/// Refuse what cannot be done together.
fn refuse(args: &CheckArgs) -> Result<(), Error> {
    if args.source.rev.is_some() && fixes(args) && !args.diff {
        let message = "--fix cannot write into a revision".to_owned();
        return Err(Error::failed(message, "check the revision out, or add --diff to see the fixes"));
    }
    let no_counts = match args.format {
        Format::Sarif => "sarif",
        Format::Github => "github",
        Format::Gitlab => "gitlab",
        Format::Junit => "junit",
        Format::Rdjson => "rdjson",
        Format::Human | Format::Concise | Format::Json | Format::Markdown => return Ok(()),
    };
    if args.statistics {
        let message = format!("--statistics cannot be written as {no_counts}");
        return Err(Error::failed(message, "choose --format human, concise, json or markdown"));
    }
    Ok(())
}

fn selection(args: &CheckArgs, judged: &Judged) -> Result<Selection, Error> {
    let mut ignore = args.ignore.clone();
    if args.compile {
        // What the run writes itself is no finding.
        ignore.push(Group::Artifacts.name().to_owned());
    }
    let shown = args.fail_on.level().map_or(args.min_level.into(), |fail| fail.min(args.min_level.into()));
    let selection = Selection {
        select: args.select.clone(),
        ignore,
        min_level: shown,
        count_hidden: counts_hidden(args, judged),
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
pub(crate) fn known_agents(names: &[String]) -> Result<Vec<String>, Error> {
    for name in names {
        if crate::agents::by_id(name).is_none() {
            let help = match nearest(name, crate::agents::ids()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known agents: {}", crate::agents::ids().collect::<Vec<_>>().join(", ")),
            };
            return Err(Error::failed(format!("there is no agent `{name}`"), help));
        }
    }
    Ok(names.to_vec())
}

/// What a run came to.
struct CheckOutcome {
    /// What remains after the fixes.
    report: Report,
    /// What the fixes change, where they are not written to disk.
    changes: Vec<Fixed>,
    /// Changes that were not written, since the file in the worktree is not the staged one.
    unapplied: Vec<Fixed>,
    /// The files that were written.
    written: Vec<Fixed>,
    /// What was checked.
    workspace: Workspace,
}

/// Check, and fix if asked to.
fn lint(
    args: &CheckArgs,
    session: &Session,
    (mut selection, judged): (Selection, &Judged),
    is_stdin: bool,
    output: &Output,
    progress: ProgressLine,
    console: &mut Console<'_>,
) -> Result<CheckOutcome, Error> {
    selection.paths.clone_from(&session.paths);
    let request = CheckRequest {
        selection,
        // Only the text on standard input counts as changed and is reported.
        changes: changes(judged, session)?.filter(|_| !is_stdin),
        files: session.files.clone(),
        force_exclude: args.force_exclude,
        all_texts: args.unicode_scope == UnicodeScope::All,
        baseline: if args.no_baseline { BaselineFrom::Nowhere } else { BaselineFrom::Repository },
        is_narrowed: !args.agent.is_empty() || is_stdin,
        ..CheckRequest::default()
    };
    let repository = &session.repository;
    let checked = engine::check(repository, &request)?;
    refuse_to_overwrite(output, session, &checked.workspace)?;
    // Its line is cleared before anything else is printed.
    let mut progress = Some(progress);
    if args.verbose {
        progress = None;
        say_what_is_read(&judged.source, session, &checked.workspace, console)?;
    }
    // Commits cannot be fixed.
    let writes = fixes(args) && judged.source.rev.is_none();
    if !(writes || args.diff) {
        let Checked { report, workspace, .. } = checked;
        return Ok(CheckOutcome { report, changes: Vec::new(), unapplied: Vec::new(), written: Vec::new(), workspace });
    }
    let allowed = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
    let mut fixes = engine::fix(repository, &request, checked, allowed)?;
    let mut written = FixesWritten::default();
    match (args.diff, is_stdin) {
        (true, _) => {}
        (false, true) => fixes.all_applied(),
        (false, false) => written = fixes.write(repository, judged.source.staged)?,
    }
    progress.into_iter().for_each(ProgressLine::end);
    if judged.source.staged && !written.files.is_empty() {
        let names: Vec<String> = written.files.iter().map(|file| session.reached.argument(&file.path)).collect();
        console.note(&format!("files were fixed but not staged; run: git add {}", names.join(" ")));
    }
    if !written.unapplied.is_empty() {
        console.note("some staged files differ from the worktree; their fixes are printed and were not written");
    }
    let Checked { report, workspace, .. } = fixes.checked;
    let FixesWritten { files, unapplied } = written;
    Ok(CheckOutcome { report, changes: fixes.files, unapplied, written: files, workspace })
}

/// Whether contexts are committed here. A run about changes may not have loaded an artifact that none of them touches.
fn commits_artifacts(session: &Session, workspace: &Workspace) -> bool {
    let folder = &workspace.config.compile.output;
    workspace.compiles() || session.repository.source().listing().has_dir(folder.as_bytes())
}

/// Write the artifacts of what was linted and fixed; the answer is the exit code. The fixed files need not be staged for it.
fn compile(args: &CheckArgs, session: &mut Session, fixed: Vec<Fixed>, console: &mut Console<'_>) -> Result<u8, Error> {
    for file in fixed {
        session.repository.overlay(file.path, file.after);
    }
    let args = CompileArgs {
        source: args.source.clone(),
        cache: args.cache.clone(),
        config: args.config.clone(),
        quiet: true,
        exit_zero_on_fix: args.exit_zero_on_fix,
        ..CompileArgs::default()
    };
    let progress = console.progress(true);
    super::compile::compile_session(&args, session, progress, console)
}

/// Refuse a report in the place of what is checked: that would be lost, and the next run would check the report.
fn refuse_to_overwrite(output: &Output, session: &Session, workspace: &Workspace) -> Result<(), Error> {
    let (Output::File(named, place), Some(root)) = (output, session.repository.root()) else { return Ok(()) };
    let Ok(place) = std::fs::canonicalize(place) else { return Ok(()) };
    let Ok(path) = place.strip_prefix(root).map(os_path_to_bytes) else { return Ok(()) };
    let is_config = session.repository.config_files().iter().any(|(config, _)| config.as_bytes() == path);
    if !is_config && workspace.document(&path).is_none() {
        return Ok(());
    }
    let message = format!("cannot write {}: it is one of the files that are checked", named.display());
    Err(Error::failed(message, "name another place with --output"))
}

/// Print to standard error which files are checked, as which kind and for which agents, and which are skipped. The report on
/// standard output does not change.
fn say_what_is_read(
    source: &SourceArgs,
    session: &Session,
    workspace: &Workspace,
    console: &mut Console<'_>,
) -> Result<(), Error> {
    let state = match (&source.rev, source.staged) {
        (Some(revision), _) => format!("revision {revision}"),
        (None, true) => "what is staged".to_owned(),
        (None, false) => "the worktree".to_owned(),
    };
    let root = session.repository.root().or(session.repository.git_dir());
    console.note(&format!("reading {state} of {}", root.map_or("the folder".into(), |root| root.to_string_lossy())));
    let config = session
        .repository
        .config_text
        .as_ref()
        .map_or("none; the defaults apply".into(), |(path, _)| path.to_str_lossy());
    console.note(&format!("config: {config}"));
    let agents: Vec<String> =
        workspace.agents.iter().map(|enabled| format!("{} ({})", enabled.agent, enabled.why)).collect();
    if let Some(why) = session.repository.unkept() {
        console
            .note(&format!("the history cache could not be written, so the next run reads the history again: {why}"));
    }
    console.note(&format!("agents: {}", if agents.is_empty() { "none".to_owned() } else { agents.join(", ") }));
    let discovery = Discovery::new(&session.repository.config).map_err(|bad| session.repository.bad_pattern(&bad))?;
    for row in files::rows(workspace, &discovery, true) {
        let path = session.reached.path(&row.path);
        if !session.selects(&row.path) || !workspace.focus.has(&row.path) {
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
fn changes(judged: &Judged, session: &Session) -> Result<Option<Changes>, Error> {
    judged.base.as_ref().map(|base| session.repository.changes(base)).transpose()
}

pub(super) fn exit_code(report: &Report, fail_on: FailOn) -> u8 {
    if !report.failures.is_empty() {
        return 2;
    }
    let fails = |level: Level| report.findings.iter().any(|finding| finding.level >= level);
    u8::from(fail_on.level().is_some_and(fails))
}

/// The agents of either side and `merged`.
pub(super) fn known_dialects(before: &Workspace, after: &Workspace) -> Vec<&'static Dialect> {
    let enabled = before.dialects().chain(after.dialects()).map(|dialect| dialect.id);
    let ids: BTreeSet<&str> = enabled.chain(["merged"]).collect();
    ids.into_iter().filter_map(crate::agents::by_id).collect()
}
