//! `hintlint compile`: write the context artifacts, or say how the committed ones differ from what they should be.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::Console;
use super::session::Session;
use crate::agents::merged::MERGED;
use crate::base::error::Error;
use crate::base::path::{RepoPath, is_at_or_below};
use crate::base::sanitize;
use crate::cli::args::CompileArgs;
use crate::compile::{
    ArtifactLedger, ArtifactSelection, ArtifactStep, ChangeRefusal, Compiler, Custody, Drift, DriftClass, Plan,
};
use crate::engine::{self, Stage};
use crate::report;
use crate::report::diff::{Audience, FileDiff};
use crate::report::progress::ProgressLine;
use crate::source::{MAX_FILE_BYTES, Probe};
use crate::workspace::Workspace;
use crate::write::{self, Written};

/// Where what `compile` wrote is remembered, below git's own folder.
const LEDGER: &str = "hintlint/artifacts";

/// Run the command; the answer is the exit code.
///
/// # Errors
/// Whatever keeps the command from doing its job.
pub(crate) fn compile(args: &CompileArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    if args.source.rev.is_some() && !(args.check || args.diff || args.stdout) {
        return Err(Error::failed("compile cannot write into a revision", "add --check, --diff or --stdout"));
    }
    let progress = console.progress(args.quiet);
    let mut session = Session::open(console, &args.directories, &args.source, &args.config)?;
    if !args.cache.no_cache {
        session.repository.keep_history();
    }
    refuse_files(&session)?;
    session.repository.watch(progress.listener());
    if !args.agent.is_empty() {
        session.repository.config.compile.agents = super::check::known_agents(&args.agent)?;
    }
    compile_session(args, &session, progress, console)
}

/// Do what `args` ask for an open repository; the answer is the exit code.
///
/// # Errors
/// When the config is not right, or standard output cannot be written.
pub(super) fn compile_session(
    args: &CompileArgs,
    session: &Session,
    progress: ProgressLine,
    console: &mut Console<'_>,
) -> Result<u8, Error> {
    let mut loaded = session.load()?;
    session.repository.enter(Stage::Artifacts);
    let artifacts = engine::artifacts(&session.repository, &mut loaded);
    let mut notes = session.repository.source().notes();
    notes.extend(
        loaded.failures.iter().map(|failure| format!("{}: {}", session.reached.path(&failure.path), failure.message)),
    );
    let workspace = &loaded.workspace;
    let selection = ArtifactSelection { directories: session.paths.clone(), agents: args.agent.clone() };
    let compiler = Compiler::new(workspace, &artifacts.texts)
        .map_err(|message| Error::failed(message, "correct `[compile] output` in the config"))?;
    let mut plan = compiler.plan(&selection);
    if plan.artifacts.is_empty() {
        plan.attributes = session.repository.source().read(&compiler.attributes_path()).ok();
    }
    notes.append(&mut plan.notes);
    let run = CompileRun { args, session, compiler: &compiler, plan: &plan };
    let code = if args.stdout {
        end(progress, &notes, console);
        run.print_artifacts(console)?
    } else if args.check || args.diff {
        let mut drifts = compiler.drifts(&plan);
        let mut recalled = session.repository.recall(&crate::compile::drift::open(&drifts));
        compiler.settle(&mut drifts, &|artifact| recalled.states.get(artifact).cloned());
        notes.append(&mut recalled.notes);
        end(progress, &notes, console);
        let code = if args.diff { run.print_diff(&drifts, console)? } else { run.print_drifts(&drifts, console)? };
        if drifts.iter().any(|drift| drift.refusal == Some(ChangeRefusal::Defect)) { 2 } else { code }
    } else {
        end(progress, &notes, console);
        run.carry_out(workspace, console)?
    };
    Ok(if loaded.failures.is_empty() { code } else { 2 })
}

/// Erase the progress line, then print `notes`.
fn end(progress: ProgressLine, notes: &[String], console: &mut Console<'_>) {
    progress.end();
    for note in notes {
        console.note(note);
    }
}

/// A file has no artifact of its own.
fn refuse_files(session: &Session) -> Result<(), Error> {
    let Some(file) = session.files.first() else { return Ok(()) };
    let folder = session.reached.path(&RepoPath::new(file.parent()));
    let message = format!("{} is a file, and contexts are compiled for directories", session.reached.path(file));
    Err(Error::failed(message, format!("name its directory, `{folder}`, or none for the whole repository")))
}

/// One run: what was asked for, and what it came to so far.
struct CompileRun<'r> {
    args: &'r CompileArgs,
    session: &'r Session,
    compiler: &'r Compiler<'r>,
    plan: &'r Plan,
}

impl CompileRun<'_> {
    fn print_artifacts(&self, console: &mut Console<'_>) -> Result<u8, Error> {
        let (compiler, plan) = (self.compiler, self.plan);
        if plan.artifacts.is_empty() {
            console.note(&self.nothing());
        }
        let raw: &mut dyn Write =
            if console.stdout_is_terminal { &mut console.stdout } else { console.stdout.raw()? };
        let mut out = BufWriter::new(raw);
        let several = plan.artifacts.len() > 1;
        let mut defects = Vec::new();
        for artifact in &plan.artifacts {
            let Some(rendered) = compiler.render(artifact) else { continue };
            if rendered.defect {
                defects.push(artifact.path.clone());
                continue;
            }
            if several {
                writeln!(out, "==> {} <==", self.session.reached.path(&artifact.path))?;
            }
            if console.stdout_is_terminal {
                out.write_all(sanitize::terminal(rendered.text.as_bytes()).as_bytes())?;
            } else {
                out.write_all(rendered.text.as_bytes())?;
            }
        }
        out.flush()?;
        drop(out);
        let refusals = self.refusals(defects.iter().map(|path| (path, &ChangeRefusal::Defect)), console);
        Ok(if refusals == 0 { 0 } else { 2 })
    }

    /// Print drifts as diffs; the exit code tells whether there are any.
    fn print_diff(&self, drifts: &[Drift], console: &mut Console<'_>) -> Result<u8, Error> {
        let audience = match console.stdout_is_terminal {
            true => Audience::Person { color: console.color(self.args.config.color, true) },
            false => Audience::Patch,
        };
        let files: Vec<FileDiff<'_>> = drifts.iter().filter(|drift| drift.refusal.is_none()).map(file_diff).collect();
        match audience {
            Audience::Patch => report::diff::write(&files, audience, console.stdout.raw()?)?,
            Audience::Person { .. } => report::diff::write(&files, audience, &mut console.stdout)?,
        }
        self.refusals(drifts.iter().filter_map(|drift| Some((&drift.path, drift.refusal.as_ref()?))), console);
        Ok(u8::from(!drifts.is_empty()))
    }

    /// Print each drift with its class, the line behind it, the difference and the command that fixes it.
    fn print_drifts(&self, drifts: &[Drift], console: &mut Console<'_>) -> Result<u8, Error> {
        let reached = &self.session.reached;
        let color = console.color(self.args.config.color, console.stdout_is_terminal);
        for drift in drifts {
            let path = reached.path(&drift.path);
            writeln!(console.stdout, "{path}: {}", drift.class.name())?;
            if let Some(guilt) = &drift.guilt {
                let source = reached.path(&guilt.path);
                match guilt.line {
                    Some(line) => writeln!(console.stdout, "  because of {source}:{}", line + 1)?,
                    None => writeln!(console.stdout, "  because {source} no longer contributes")?,
                }
            }
            if !matches!(drift.class, DriftClass::Missing | DriftClass::Orphaned) && drift.expected.is_some() {
                report::diff::write(&[file_diff(drift)], Audience::Person { color }, &mut console.stdout)?;
            }
        }
        self.refusals(drifts.iter().filter_map(|drift| Some((&drift.path, drift.refusal.as_ref()?))), console);
        if drifts.is_empty() {
            if !self.args.quiet {
                let text = match self.plan.artifacts.is_empty() {
                    true => self.nothing(),
                    false => "All artifacts are current.".to_owned(),
                };
                writeln!(console.stdout, "{}", sanitize::line(&text))?;
            }
            return Ok(0);
        }
        let differ = count(drifts.len(), "differs", "differ");
        match drifts.iter().filter(|drift| drift.refusal.is_none()).count() {
            0 => writeln!(console.stdout, "\n{differ}, and `hintlint compile` does not overwrite them.")?,
            _ => writeln!(console.stdout, "\n{differ}; run `hintlint compile` and commit the result.")?,
        }
        Ok(1)
    }

    /// Write and delete what the plan asks for.
    fn carry_out(&self, workspace: &Workspace, console: &mut Console<'_>) -> Result<u8, Error> {
        let CompileRun { args, session, compiler, plan } = *self;
        let Some(folder) = session.repository.root() else {
            return Err(Error::failed(
                "this repository has no worktree to write to",
                "use --stdout, --check or --diff",
            ));
        };
        let tracked = self.tracked(workspace);
        let mut ledger = ledger(session);
        let outside_git = session.repository.git_dir().is_none();
        let was_written = |path: &RepoPath, bytes: &[u8]| outside_git || ledger.wrote(path, bytes);
        let custody = Custody { is_tracked: &|path| tracked.contains(path), was_written: &was_written };
        let outcome = compiler.changes(plan, &custody);
        let (done, mut failed) = self.write_artifacts(folder, &outcome.changes, &mut ledger, console)?;
        save_ledger(session, &ledger);
        failed += self.refusals(outcome.refusals.iter().map(|(path, refusal)| (path, refusal)), console);
        self.say_what_was_done(&done, failed, console)?;
        if failed > 0 {
            return Ok(2);
        }
        if args.source.staged && !done.is_empty() {
            let output = RepoPath::new(&workspace.config.compile.output);
            console.note(&format!("the artifacts changed; run: git add {}", self.session.reached.argument(&output)));
            return Ok(u8::from(!args.exit_zero_on_fix));
        }
        Ok(0)
    }

    /// The files below the output folders that git tracks, or may track.
    fn tracked(&self, workspace: &Workspace) -> BTreeSet<RepoPath> {
        let entries = workspace.listing.iter().map(|entry| RepoPath::new(entry.path));
        let paths: Vec<RepoPath> =
            entries.filter(|path| is_at_or_below(path.as_bytes(), self.compiler.folder_of(path))).collect();
        let probes = self.session.repository.source().probe_many(&paths);
        let may_be_tracked = |probe: &Probe| matches!(probe, Probe::Tracked | Probe::Unknown);
        paths.into_iter().zip(probes).filter(|(_, probe)| may_be_tracked(probe)).map(|(path, _)| path).collect()
    }

    /// Write and delete files below `folder`. Returns the steps that were done, and how many failed.
    fn write_artifacts<'c>(
        &self,
        folder: &Path,
        changes: &'c [ArtifactStep],
        ledger: &mut ArtifactLedger,
        console: &mut Console<'_>,
    ) -> Result<(Vec<&'c ArtifactStep>, usize), Error> {
        let root = write::WriteRoot::new(folder).map_err(|error| {
            Error::failed(
                format!("cannot write below {}: {error}", folder.display()),
                "check that the folder still exists",
            )
        })?;
        let (mut done, mut failed) = (Vec::new(), 0);
        for change in changes {
            let result = match change {
                ArtifactStep::Write { path, before: Some(before), after } => {
                    root.replace(path, before, after.as_bytes())
                }
                ArtifactStep::Write { path, before: None, after } => root.create(path, after.as_bytes()),
                ArtifactStep::Delete { path, before } => {
                    root.delete(path, before, self.compiler.folder_of(path)).map(|()| Written::Changed)
                }
            };
            match result {
                Ok(_) => {
                    done.push(change);
                    match change {
                        ArtifactStep::Write { path, after, .. } => ledger.record(path, after.as_bytes()),
                        ArtifactStep::Delete { path, .. } => ledger.forget(path),
                    }
                }
                Err(error) => {
                    console.note(&format!("{} {error}", self.session.reached.path(&error.path)));
                    failed += 1;
                }
            }
        }
        Ok((done, failed))
    }

    fn say_what_was_done(
        &self,
        changes: &[&ArtifactStep],
        failed: usize,
        console: &mut Console<'_>,
    ) -> Result<(), Error> {
        if self.args.quiet {
            return Ok(());
        }
        for change in changes {
            let verb = match change {
                ArtifactStep::Write { before: None, .. } => "wrote",
                ArtifactStep::Write { .. } => "updated",
                ArtifactStep::Delete { .. } => "deleted",
            };
            writeln!(console.stdout, "{verb} {}", self.session.reached.path(change.path()))?;
        }
        let all = self.plan.artifacts.len();
        let text = match (changes.is_empty(), all, failed) {
            (_, _, 1..) => {
                format!("{}, for the reason given above.", count(failed, "was left as it is", "were left as they are"))
            }
            (true, 0, _) => self.nothing(),
            (true, _, _) => format!("{}; nothing changed.", count(all, "is current", "are current")),
            (false, _, _) => format!("{}.", count(all, "is current now", "are current now")),
        };
        writeln!(console.stdout, "{}", sanitize::line(&text))?;
        Ok(())
    }

    /// Why there is no artifact: where no agent has a context of its own, and what agents there load instead.
    fn nothing(&self) -> String {
        let agents =
            if self.args.agent.is_empty() { &self.session.repository.config.compile.agents } else { &self.args.agent };
        let readers = match agents.as_slice() {
            [agent] if agent == MERGED.id => "such as AGENTS.md or CLAUDE.md".to_owned(),
            agents => format!("that {} loads", agents.join(" or ")),
        };
        let [folder] = self.session.paths.as_slice() else {
            return format!("Nothing to compile: no directory has a hint file, {readers}.");
        };
        let whole = ArtifactSelection { directories: Vec::new(), agents: self.args.agent.clone() };
        let above = self.compiler.plan(&whole).artifacts.into_iter();
        let above = above.filter(|artifact| is_at_or_below(folder.as_bytes(), artifact.scope.as_bytes()));
        let instead = above.max_by_key(|artifact| artifact.scope.as_bytes().len());
        let instead = instead.map(|artifact| {
            let reached = &self.session.reached;
            format!(" The context that agents load there is {}.", reached.path(&artifact.path))
        });
        let folder = self.session.reached.path(folder);
        format!(
            "Nothing to compile: there is no hint file in or below {folder}, {readers}.{}",
            instead.unwrap_or_default()
        )
    }

    fn refusals<'d>(
        &self,
        refusals: impl Iterator<Item = (&'d RepoPath, &'d ChangeRefusal)>,
        console: &mut Console<'_>,
    ) -> usize {
        let mut number = 0;
        for (path, refusal) in refusals {
            let (what, help) = refusal.explain();
            let path = self.session.reached.path(path);
            console.note(&format!("{path} {what}; {help}"));
            number += 1;
        }
        number
    }
}

fn file_diff(drift: &Drift) -> FileDiff<'_> {
    FileDiff { path: &drift.path, before: drift.found.as_deref(), after: drift.expected.as_deref().map(str::as_bytes) }
}

fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 artifact {one}") } else { format!("{n} artifacts {many}") }
}

/// What `compile` wrote last. A ledger that cannot be read is empty, which only makes a run careful.
fn ledger(session: &Session) -> ArtifactLedger {
    let bytes = git_folder(session).and_then(|folder| folder.get(&LEDGER.into(), MAX_FILE_BYTES));
    ArtifactLedger::parse(&String::from_utf8_lossy(&bytes.unwrap_or_default()))
}

/// Keep the ledger. A failure is not worth stopping for: the next run will be careful.
fn save_ledger(session: &Session, ledger: &ArtifactLedger) {
    if let Some(folder) = git_folder(session) {
        let _ = folder.put(&LEDGER.into(), ledger.to_text().as_bytes());
    }
}

/// Git's own folder of this worktree, in which nothing is ever committed. None outside git.
fn git_folder(session: &Session) -> Option<write::WriteRoot> {
    write::WriteRoot::new(session.repository.git_dir()?).ok()
}
