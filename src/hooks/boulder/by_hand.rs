//! What the user does to the active plan's state by hand, and where the state contradicts its plan.

use std::time::SystemTime;

use super::{HookDesk, PlanFile, look, plan_hash, plan_of, time};
use crate::base::error::Obstacle;
use crate::hooks::store::{FileChange, Store};
use crate::plan::state::PlanState;
use crate::world::{AbsPath, World};

/// What `activate` came to.
pub struct Activated {
    /// The state as it is now.
    pub state: PlanState,
    /// The plan that it replaces.
    pub replaced: Option<PlanState>,
}

/// The user says which plan is the active one.
///
/// # Errors
/// When the file is no plan that can be worked on, or the state cannot be written.
pub fn activate(desk: &HookDesk<'_>, path: &AbsPath) -> Result<Activated, Obstacle> {
    let overview = match look(desk.world, path) {
        PlanFile::Read(overview) => overview,
        PlanFile::Gone => return Err(format!("there is no file {path}").into()),
        PlanFile::Unreadable(why) => return Err(format!("{path} cannot be read: {why}").into()),
    };
    if overview.progress.is_complete() {
        return Err(
            format!("all {} tasks of {path} are done; there is nothing to track", overview.progress.total).into()
        );
    }
    desk.store.change_state(|before| {
        let old = match before.map(PlanState::parse) {
            Some(Err(problem)) => {
                return (FileChange::Keep, None, Err(format!("the present state is broken: {problem}").into()));
            }
            Some(Ok(state)) => Some(state),
            None => None,
        };
        if let Some(state) = old.clone().filter(|state| desk.is_plan_of(state, path)) {
            let mut new = state.clone();
            new.set_progress(overview.progress);
            let change = if new == state { FileChange::Keep } else { FileChange::Write(new.to_text().into_bytes()) };
            return (change, None, Ok(Activated { state: new, replaced: None }));
        }
        let replaced = old.clone().filter(|state| state.active_plan().is_some());
        let Some(start) = desk.start(path, &overview) else {
            return (
                FileChange::Keep,
                None,
                Err(format!("{path} is not UTF-8, so the state file cannot store it").into()),
            );
        };
        let state = PlanState::begin(old.as_ref(), start);
        let line = replaced.as_ref().map(|old| old.history_line(&desk.time(), "replaced"));
        (FileChange::Write(state.to_text().into_bytes()), line, Ok(Activated { state, replaced }))
    })?
}

/// The user says that no plan is active any more. The history keeps a hash of the plan, so that the next session does not take
/// the same plan up again before somebody edits it. The state that was cleared, if there was one that could be read.
///
/// # Errors
/// When the state cannot be removed.
pub fn clear(world: &dyn World, store: &Store, now: SystemTime) -> Result<Option<PlanState>, Obstacle> {
    let time = time(now);
    store.change_state(|before| match before {
        None => (FileChange::Delete, None, None),
        Some(bytes) => {
            let state = PlanState::parse(bytes);
            let line = match &state {
                Ok(state) => {
                    let mut recorded = state.clone();
                    if let Some(hash) = state.active_plan().and_then(|plan| plan_hash(world, &AbsPath::new(plan))) {
                        recorded.record_plan(&hash);
                    }
                    recorded.history_line(&time, "cleared by hand")
                }
                Err(_) => broken_line(&time, bytes),
            };
            (FileChange::Delete, Some(line), state.ok())
        }
    })
}

/// A file that is no state is kept readable too.
fn broken_line(time: &str, bytes: &[u8]) -> String {
    /// More of a broken file is not kept.
    const KEPT: usize = 4096;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(KEPT)]);
    format!("{}\n", serde_json::json!({"cleared_at": time, "why": "cleared by hand", "unreadable": text}))
}

/// Where the state contradicts the plan that it is about, one sentence each.
pub fn contradictions(world: &dyn World, state: &PlanState) -> Vec<String> {
    let mut found = Vec::new();
    let plan = plan_of(state);
    match look(world, &plan) {
        PlanFile::Gone => found.push("the plan is gone".to_owned()),
        PlanFile::Unreadable(why) => found.push(format!("the plan cannot be read: {why}")),
        PlanFile::Read(overview) => {
            match state.progress() {
                Some(said) if said != overview.progress => {
                    found.push(format!("the state says {said} tasks complete, the plan says {}", overview.progress))
                }
                None => found.push("the state has no progress".to_owned()),
                Some(_) => {}
            }
            if overview.progress.is_complete() {
                found.push("all tasks are done and the state is not cleared".to_owned());
            }
        }
    }
    match state.project_root() {
        None => found.push("the state names no project".to_owned()),
        Some(root) if !world.is_dir(&AbsPath::new(root)) => found.push(format!("the project {root} is gone")),
        Some(root) => {
            let real = |path: &AbsPath| world.real_path(path).unwrap_or_else(|_| path.clone());
            if !real(&plan).is_within(&real(&AbsPath::new(root))) {
                found.push(format!("the plan lies outside the project {root}"));
            }
        }
    }
    found
}
