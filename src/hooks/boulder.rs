//! What becomes of the active plan's state when a session starts or ends, when a plan is edited, and when the user says so.
//! The state's form is `plan::state`'s business, its file the `store`'s.

mod by_hand;

use std::time::{SystemTime, UNIX_EPOCH};

use super::frame;
use super::input::HookAnswer;
use super::project::HookProject;
use super::store::{FileChange, HISTORY, STATE, Store, hash, session_key};
use crate::agents::HOST;
use crate::base::error::Obstacle;
use crate::base::path::shell_word;
use crate::plan::state::{PlanStart, PlanState, timestamp};
use crate::plan::{OpenTask, Overview, Progress};
use crate::world::{AbsPath, ReadError, World};

pub use by_hand::{activate, clear, contradictions};

/// The message when tracking of a plan begins.
pub const ENABLED: &str = "Boulder state tracking enabled for this plan";

/// An explanation of the state, for first-time users.
pub(crate) const ABOUT: &str = "hintlint remembers one plan (the \"boulder\") from session to session; `hintlint plan status` \
                                shows it, `hintlint plan clear` forgets it.";

/// What all steps need.
pub struct HookDesk<'d> {
    /// The file system.
    pub world: &'d dyn World,
    /// Where the state lies.
    pub store: &'d Store,
    /// The project at hand.
    pub(crate) project: &'d HookProject,
    /// The time.
    pub now: SystemTime,
}

/// What stands at a plan's path.
pub(crate) enum PlanFile {
    /// Nothing.
    Gone,
    /// Something that cannot be read.
    Unreadable(String),
    /// A plan.
    Read(Overview),
}

/// Read the plan at `path`.
pub(crate) fn look(world: &dyn World, path: &AbsPath) -> PlanFile {
    match world.read(path) {
        Ok(bytes) if bytes.len() as u64 > crate::source::MAX_FILE_BYTES => {
            PlanFile::Unreadable("it is too large".to_owned())
        }
        Ok(bytes) => PlanFile::Read(Overview::read(bytes)),
        Err(ReadError::NotFound | ReadError::NotADirectory) => PlanFile::Gone,
        Err(error) => PlanFile::Unreadable(error.to_string()),
    }
}

/// The hash of the plan's bytes; `None` if it cannot be read.
pub(crate) fn plan_hash(world: &dyn World, path: &AbsPath) -> Option<String> {
    Some(hash(&world.read(path).ok()?))
}

/// The state in a file's bytes; `None` if no plan is active.
///
/// # Errors
/// When the bytes are no state, in a sentence for the log.
pub(crate) fn active(bytes: Option<&[u8]>) -> Result<Option<PlanState>, Obstacle> {
    let Some(bytes) = bytes else { return Ok(None) };
    match PlanState::parse(bytes) {
        Ok(state) => Ok(Some(state).filter(|state| state.active_plan().is_some())),
        Err(problem) => {
            Err(format!("the plan's state is not changed: {problem}; `hintlint plan clear` removes it").into())
        }
    }
}

/// What a step does to the state's file: the change, a line for the history, and what is said.
type StateStep = (FileChange, Option<String>, HookAnswer);

/// A session starts: continue the project's plan, begin an untracked one, or say why not.
pub(crate) fn session_start(desk: &HookDesk<'_>, session: &str) -> Result<HookAnswer, Obstacle> {
    let plan = desk.own_plan();
    if desk.store.read(STATE)?.is_none() && plan.is_none() {
        return Ok(HookAnswer::default());
    }
    desk.store.change_state(|before| match active(before) {
        Err(problem) => keep(HookAnswer { log: vec![problem.into()], ..HookAnswer::default() }),
        Ok(None) => match &plan {
            Some((path, overview)) if !desk.is_cleared(path) => desk.begin(before, path, overview, session),
            _ => keep(HookAnswer::default()),
        },
        // Where this project has no plan, another's is of no interest.
        Ok(Some(state)) if !desk.owns(&state) => {
            let said = plan.as_ref().map(|(path, _)| desk.of_another_project(&state, path));
            keep(said.unwrap_or_default())
        }
        Ok(Some(state)) => desk.go_on(state, session),
    })
}

/// A plan was written or edited: the state follows it. `created` tells a file that was written whole.
pub(crate) fn plan_edited(
    desk: &HookDesk<'_>,
    path: &AbsPath,
    created: bool,
    session: &str,
) -> Result<HookAnswer, Obstacle> {
    let state = match active(desk.store.read(STATE)?.as_deref()) {
        Ok(state) => state,
        Err(problem) => return Ok(HookAnswer { log: vec![problem.into()], ..HookAnswer::default() }),
    };
    let is_active = state.as_ref().is_some_and(|state| desk.is_plan_of(state, path));
    let tracked_here = state.as_ref().is_some_and(|state| desk.owns(state));
    if !is_active && tracked_here {
        return Ok(HookAnswer::default());
    }
    let inside = desk.project.inside(desk.world, path);
    let (is_plan, problem) = inside.as_ref().map_or((false, None), |path| desk.project.is_plan(desk.world, path));
    let path = inside.as_ref().unwrap_or(path);
    let mut answer = match look(desk.world, path) {
        _ if !is_active && !is_plan => HookAnswer::default(),
        PlanFile::Read(overview) => desk.store.change_state(|before| match active(before) {
            Ok(None) if is_plan => desk.begin(before, path, &overview, session),
            Ok(Some(state)) if desk.is_plan_of(&state, path) => {
                let (change, line, mut answer) = desk.update(state, &overview, session);
                if let Some(said) = only_malformed(&overview) {
                    answer.messages.push(said.clone());
                    answer.context.push(said);
                }
                (change, line, answer)
            }
            Ok(Some(state)) if created && !desk.owns(&state) => keep(desk.of_another_project(&state, path)),
            Ok(_) => keep(HookAnswer::default()),
            Err(problem) => keep(HookAnswer { log: vec![problem.into()], ..HookAnswer::default() }),
        })?,
        PlanFile::Gone | PlanFile::Unreadable(_) => HookAnswer::default(),
    };
    answer.log.extend(problem);
    Ok(answer)
}

/// A session ends: its plan's state knows of it, and is cleared if all is done.
pub(crate) fn session_end(desk: &HookDesk<'_>, session: &str) -> Result<HookAnswer, Obstacle> {
    if desk.store.read(STATE)?.is_none() {
        return Ok(HookAnswer::default());
    }
    desk.store.change_state(|before| match active(before) {
        Err(problem) => keep(HookAnswer { log: vec![problem.into()], ..HookAnswer::default() }),
        Ok(Some(state)) if desk.owns(&state) => match look(desk.world, &plan_of(&state)) {
            PlanFile::Read(overview) => desk.update(state, &overview, session),
            PlanFile::Gone | PlanFile::Unreadable(_) => {
                let before = state.clone();
                write_changed(&before, with_session(state, session), HookAnswer::default())
            }
        },
        Ok(_) => keep(HookAnswer::default()),
    })
}

/// The plan of a state that has one.
pub(crate) fn plan_of(state: &PlanState) -> AbsPath {
    AbsPath::new(state.active_plan().unwrap_or("/"))
}

fn keep(answer: HookAnswer) -> StateStep {
    (FileChange::Keep, None, answer)
}

fn write_changed(before: &PlanState, after: PlanState, answer: HookAnswer) -> StateStep {
    let change = if after == *before { FileChange::Keep } else { FileChange::Write(after.to_text().into_bytes()) };
    (change, None, answer)
}

fn with_session(mut state: PlanState, session: &str) -> PlanState {
    if !session.is_empty() {
        state.add_session(&session_key(session));
    }
    state
}

/// What to say where only malformed boxes keep a plan from being complete.
fn only_malformed(overview: &Overview) -> Option<String> {
    let is_odd = |task: &OpenTask| task.malformed.is_some();
    let stuck = !overview.open.is_empty() && overview.open.iter().all(is_odd);
    stuck.then(|| format!("[BOULDER NOT COMPLETE]\n\nAll other tasks of this plan are done.\n{}", malformed(overview)))
}

/// A sentence for each malformed box, as long as there are few; empty where there are none.
fn malformed(overview: &Overview) -> String {
    const FEW: usize = 5;
    let all: Vec<String> = overview
        .malformed()
        .map(|(task, why)| format!("Line {} is a malformed checkbox and counts as open: {why}.", task.line))
        .collect();
    let more = all.len().saturating_sub(FEW);
    let mut said = all[..all.len() - more].join("\n");
    if more > 0 {
        said.push_str(&format!("\n{more} more checkboxes are malformed."));
    }
    if !said.is_empty() {
        said.push_str("\n`hintlint --fix` corrects them.");
    }
    said
}

fn time(now: SystemTime) -> String {
    timestamp(now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

impl HookDesk<'_> {
    fn time(&self) -> String {
        time(self.now)
    }

    fn owns(&self, state: &PlanState) -> bool {
        match state.project_root() {
            Some(root) => self.project.owns(self.world, root),
            // A state of another program's making: the plan's own place decides.
            None => plan_of(state).is_within(&self.project.root),
        }
    }

    fn is_plan_of(&self, state: &PlanState, path: &AbsPath) -> bool {
        let real = |path: &AbsPath| self.world.real_path(path).unwrap_or_else(|_| path.clone());
        state.active_plan().is_some() && real(&plan_of(state)) == real(path)
    }

    /// The plan that the project has in its usual place, unless all of it is done.
    fn own_plan(&self) -> Option<(AbsPath, Overview)> {
        let mut places = vec![self.project.start.join(HOST.plan), self.project.root.join(HOST.plan)];
        places.dedup();
        places.into_iter().find_map(|path| match look(self.world, &path) {
            PlanFile::Read(overview) if !overview.progress.is_complete() => Some((path, overview)),
            _ => None,
        })
    }

    /// Whether the user cleared this plan's state and the plan is unchanged since.
    fn is_cleared(&self, path: &AbsPath) -> bool {
        let shown = path.to_string();
        let last = self.store.last_cleared(|line| line["active_plan"] == shown.as_str());
        let hash = || plan_hash(self.world, path);
        last.is_some_and(|line| line["plan_hash"].as_str().is_some_and(|cleared| Some(cleared) == hash().as_deref()))
    }

    fn start(&self, path: &AbsPath, overview: &Overview) -> Option<PlanStart> {
        let text = |path: &AbsPath| std::str::from_utf8(path.as_bytes()).ok().map(str::to_owned);
        let title = overview.name().map(frame::name).filter(|title| !title.is_empty());
        let folder = || frame::name(&String::from_utf8_lossy(self.project.root.file_name()));
        Some(PlanStart {
            active_plan: text(path)?,
            project_root: text(&self.project.root)?,
            plan_name: title.unwrap_or_else(folder),
            started_at: self.time(),
            progress: overview.progress,
        })
    }

    /// Track an untracked plan, unless it is done already.
    fn begin(&self, before: Option<&[u8]>, path: &AbsPath, overview: &Overview, session: &str) -> StateStep {
        let Some(start) = self.start(path, overview).filter(|_| !overview.progress.is_complete()) else {
            return keep(HookAnswer::default());
        };
        let before = before.and_then(|bytes| PlanState::parse(bytes).ok());
        let state = with_session(PlanState::begin(before.as_ref(), start), session);
        let answer = HookAnswer {
            messages: vec![format!("{ENABLED}: {}. {ABOUT}", self.progress_of(&state, overview.progress))],
            context: vec![format!("{ENABLED}\n\n{}", self.facts(&state, overview))],
            ..HookAnswer::default()
        };
        (FileChange::Write(state.to_text().into_bytes()), None, answer)
    }

    /// A session goes on with the project's plan.
    fn go_on(&self, state: PlanState, session: &str) -> StateStep {
        let plan = plan_of(&state);
        match look(self.world, &plan) {
            PlanFile::Read(overview) => {
                let progress = overview.progress;
                let (change, line, mut answer) = self.update(state.clone(), &overview, session);
                if !progress.is_complete() {
                    answer.messages.push(format!("Continuing the plan {}", self.progress_of(&state, progress)));
                    answer.context.push(format!(
                        "[BOULDER STATE DETECTED]\n\n{}\n\nContinuing from where you left off.",
                        self.facts(&state, &overview)
                    ));
                }
                (change, line, answer)
            }
            PlanFile::Gone => {
                let said = format!(
                    "[BOULDER STATE WARNING]\n\nThe active plan is gone: {} ({})\n{ABOUT}\n\n\
                     To clear the state: hintlint plan clear (in a session: /boulder-clear)\n\
                     To track another plan: hintlint plan activate FILE",
                    frame::name(&self.project.show(&plan)),
                    frame::name(state.plan_name().unwrap_or("without a name")),
                );
                keep(HookAnswer { messages: vec![said.clone()], context: vec![said], ..HookAnswer::default() })
            }
            PlanFile::Unreadable(why) => keep(HookAnswer {
                log: vec![format!("the plan {plan} cannot be read: {why}")],
                ..HookAnswer::default()
            }),
        }
    }

    /// Bring the state up to date with its plan; clear it when all is done.
    fn update(&self, state: PlanState, overview: &Overview, session: &str) -> StateStep {
        let before = state.clone();
        let mut state = with_session(state, session);
        state.set_progress(overview.progress);
        if let Some(start) = self.start(&plan_of(&state), overview) {
            state.name_if_missing(&start.plan_name);
        }
        if !overview.progress.is_complete() {
            return write_changed(&before, state, HookAnswer::default());
        }
        let said = format!(
            "[BOULDER COMPLETE]\n\nAll {} tasks of {} are done; its state is cleared. {} keeps a record.",
            overview.progress.total,
            frame::name(state.plan_name().unwrap_or("the plan")),
            frame::name(&self.store.path(HISTORY).to_str_lossy()),
        );
        let answer = HookAnswer { messages: vec![said.clone()], context: vec![said], ..HookAnswer::default() };
        (FileChange::Delete, Some(state.history_line(&self.time(), "complete")), answer)
    }

    /// The state is about another project while this one has the plan at `path`: said, and left as it is.
    fn of_another_project(&self, state: &PlanState, path: &AbsPath) -> HookAnswer {
        let root = state.project_root().unwrap_or("an unknown folder");
        let gone = if self.world.is_dir(&AbsPath::new(root)) { "" } else { ", which is gone" };
        let progress = state.progress().unwrap_or_default();
        let said = format!(
            "[BOULDER STATE OF ANOTHER PROJECT]\n\nThe active plan is {} ({progress} tasks complete) of {}{gone}.\n\
             This project's plan is not tracked: {}\n{ABOUT}\n\nTo switch: hintlint plan activate {}",
            frame::name(state.plan_name().unwrap_or("one without a name")),
            frame::name(root),
            frame::name(&self.project.show(path)),
            frame::clean(&shell_word(&path.to_string())),
        );
        HookAnswer { messages: vec![said.clone()], context: vec![said], ..HookAnswer::default() }
    }

    /// The plan and how far it is, in a line for people.
    fn progress_of(&self, state: &PlanState, progress: Progress) -> String {
        let name = frame::name(state.plan_name().unwrap_or("without a name"));
        format!("{name} ({}): {progress} tasks complete", frame::name(&self.project.show(&plan_of(state))))
    }

    fn facts(&self, state: &PlanState, overview: &Overview) -> String {
        let malformed = malformed(overview);
        let gap = if malformed.is_empty() { "" } else { "\n" };
        format!(
            "Active plan: {}\nProgress: {} tasks complete\nPlan location: {}{gap}{malformed}",
            frame::name(state.plan_name().unwrap_or("without a name")),
            overview.progress,
            frame::name(&self.project.show(&plan_of(state))),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word_for_a_shell() {
        let word = |path: &str| shell_word(&AbsPath::new(path).to_string());
        assert_eq!(word("/a/b-c_1.md"), "/a/b-c_1.md");
        assert_eq!(word("/a b/$(x).md"), "'/a b/$(x).md'");
        assert_eq!(word("/it's"), "'/it'\\''s'");
    }
}
