//! `hintlint plan`: the state of the plan that is being worked on; the progress of all plans is in `progress`. Counting is
//! `plan`'s business, the state's rules are `hooks::boulder`'s.

mod progress;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::SystemTime;

use serde_json::json;

use super::Console;
use crate::agents::HOST;
use crate::base::error::{Error, Obstacle};
use crate::base::sanitize;
use crate::cli::args::{ListFormat, PlanArgs, PlanCommand, PlanStatusArgs};
use crate::hooks::boulder::{self, ABOUT, ENABLED, HookDesk, PlanFile};
use crate::hooks::project::HookProject;
use crate::hooks::store::{HISTORY, STATE, Store};
use crate::plan::Progress;
use crate::plan::state::PlanState;
use crate::report::safe_json;
use crate::world::{AbsPath, HostWorld, World};

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When the repository, a plan or the state cannot be used, or standard output cannot be written.
pub(crate) fn plan(args: &PlanArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    match &args.command {
        None => progress::progress(args, console),
        Some(PlanCommand::Activate(args)) => activate(&args.file, console),
        Some(PlanCommand::Clear) => clear(console),
        Some(PlanCommand::Status(args)) => status(args, console),
    }
}

fn store(console: &Console<'_>) -> Result<Store, Error> {
    Store::new(&console.env).ok_or_else(|| {
        Error::failed("the plan state needs a home directory, and there is none", "set HOME to an absolute path")
    })
}

fn activate(file: &Path, console: &mut Console<'_>) -> Result<u8, Error> {
    let store = store(console)?;
    let world = HostWorld::new(console.env.clone());
    let shown = file.display().to_string();
    let named = AbsPath::from_os(&console.directory.join(file));
    let no_file = || Error::failed(format!("there is no file {shown}"), "name the plan to work on");
    let folder = named.parent().and_then(|folder| world.real_path(&folder).ok()).ok_or_else(no_file)?;
    let path = folder.join(named.file_name());
    let project = HookProject::of_plan(&world, &path).ok_or_else(no_file)?;
    let desk = HookDesk { world: &world, store: &store, project: &project, now: SystemTime::now() };
    let help = "`hintlint plan status` shows the present state, `hintlint plan clear` removes it";
    let activated = boulder::activate(&desk, &path).map_err(|why| Error::failed(why, help))?;
    let mut out = format!("{ENABLED}\n");
    describe(&activated.state, activated.state.progress().unwrap_or_default(), &mut out);
    if let Some(old) = &activated.replaced {
        let _ = writeln!(
            out,
            "It replaces {} of {}; the history is in {}.",
            sanitize::line(old.plan_name().unwrap_or("a plan without a name")),
            sanitize::line(old.project_root().unwrap_or("an unknown project")),
            sanitize::line(&store.path(HISTORY).to_str_lossy()),
        );
    }
    let _ = writeln!(out, "{ABOUT}");
    console.stdout.write_all(out.as_bytes())?;
    Ok(0)
}

fn describe(state: &PlanState, progress: Progress, out: &mut String) {
    for (label, value) in [
        ("Active plan", state.plan_name()),
        ("Plan location", state.active_plan()),
        ("Project", state.project_root()),
        ("Started", state.started_at()),
    ] {
        let _ = writeln!(out, "{label}: {}", sanitize::line(value.unwrap_or("unknown")));
        if label == "Active plan" {
            let _ = writeln!(out, "Progress: {progress} tasks complete");
        }
    }
}

fn clear(console: &mut Console<'_>) -> Result<u8, Error> {
    let store = store(console)?;
    let failed = |why: Obstacle| Error::failed(why, "check the folder's permissions");
    if store.read(STATE).map_err(failed)?.is_none() {
        console.stdout.write_all(b"No plan is active; there is nothing to clear.\n")?;
        return Ok(0);
    }
    let cleared = boulder::clear(&HostWorld::new(console.env.clone()), &store, SystemTime::now()).map_err(failed)?;
    let name = cleared.as_ref().and_then(PlanState::plan_name).unwrap_or("a state without a name");
    let record = store.path(HISTORY);
    let out = format!("Cleared {}; {} keeps a record.\n", sanitize::line(name), sanitize::line(&record.to_str_lossy()));
    console.stdout.write_all(out.as_bytes())?;
    Ok(0)
}

fn status(args: &PlanStatusArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let store = store(console)?;
    let world = HostWorld::new(console.env.clone());
    let help = "`hintlint plan clear` removes it and keeps its text in the history";
    let bytes = store.read(STATE).map_err(|why| Error::failed(why, help))?;
    let state = match bytes.map(|bytes| PlanState::parse(&bytes)) {
        None => None,
        Some(Ok(state)) => Some(state).filter(|state| state.active_plan().is_some()),
        Some(Err(why)) => {
            let path = store.path(STATE);
            return Err(Error::failed(format!("{path} is not a plan state: {why}"), help));
        }
    };
    let contradictions = state.as_ref().map(|state| boulder::contradictions(&world, state)).unwrap_or_default();
    let actual = state.as_ref().and_then(|state| progress_of(&world, state));
    let other = of_another_tool(&world, console);
    match args.form.format {
        ListFormat::Json => {
            let numbers = actual.map(|actual| json!({"total": actual.total, "completed": actual.completed}));
            let fields = state.as_ref().map(PlanState::fields);
            let other = other.as_ref().map(|(path, state)| json!({"path": path, "state": state.fields()}));
            let value = json!({
                "version": 1, "state": fields, "actual": numbers, "contradictions": contradictions, "other": other,
            });
            safe_json::write(&value, &mut console.stdout)?;
        }
        ListFormat::Text => {
            let mut text = status_text(state.as_ref(), actual, &contradictions);
            if let Some((path, other)) = &other {
                let _ = writeln!(text, "\nAnother tool's state, {}:", sanitize::line(path));
                describe(other, other.progress().or_else(|| progress_of(&world, other)).unwrap_or_default(), &mut text);
            }
            console.stdout.write_all(text.as_bytes())?;
        }
    }
    Ok(0)
}

/// The progress of a state's plan as the plan has it.
fn progress_of(world: &dyn World, state: &PlanState) -> Option<Progress> {
    match boulder::look(world, &boulder::plan_of(state)) {
        PlanFile::Read(overview) => Some(overview.progress),
        PlanFile::Gone | PlanFile::Unreadable(_) => None,
    }
}

/// The state that another tool keeps in the project, and its path. It is only read.
fn of_another_tool(world: &dyn World, console: &Console<'_>) -> Option<(String, PlanState)> {
    const MAX_BYTES: usize = 4 << 20;
    let project = HookProject::of(world, &AbsPath::from_os(&console.directory))?;
    let path = project.root.join(HOST.other_state);
    let bytes = world.read(&path).ok().filter(|bytes| bytes.len() <= MAX_BYTES)?;
    let mut state = PlanState::parse(&bytes).ok().filter(|state| state.active_plan().is_some())?;
    let plan = boulder::plan_of(&state);
    if state.active_plan().is_some_and(|plan| !plan.starts_with('/')) {
        // Its paths are from the project's root.
        state.set_plan(&project.root.join(&plan.to_string()[1..]).to_string());
    }
    Some((path.to_string(), state))
}

fn status_text(state: Option<&PlanState>, actual: Option<Progress>, contradictions: &[String]) -> String {
    let Some(state) = state else { return format!("No plan is active.\n{ABOUT}\n") };
    let mut out = String::new();
    describe(state, actual.or(state.progress()).unwrap_or_default(), &mut out);
    let _ = writeln!(out, "Sessions: {}", state.sessions().len());
    for said in contradictions {
        let _ = writeln!(out, "Contradiction: {}", sanitize::line(said));
    }
    if !contradictions.is_empty() {
        out.push_str("`hintlint plan activate FILE` brings it up to date, `hintlint plan clear` removes it.\n");
    }
    out
}
