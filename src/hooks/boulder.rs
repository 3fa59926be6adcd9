//! What becomes of the active plan's state when a session starts or ends, when a plan is edited, and when the user says so.
//! The state's form is `plan::state`'s business, its file the `store`'s.

use std::time::{SystemTime, UNIX_EPOCH};

use super::frame;
use super::input::Answer;
use super::project::Project;
use super::store::{Change, HISTORY, STATE, Store, session_key};
use crate::plan::state::{Start, State, timestamp};
use crate::plan::{Overview, Progress};
use crate::world::{AbsPath, ReadError, World};

/// Where a project's plan is looked for when a session starts.
const PLAN: &str = ".claude/PLAN.md";
/// What is said when work on a plan begins to be tracked.
pub const ENABLED: &str = "Boulder state tracking enabled for this plan";

/// What all steps need.
pub struct Desk<'d> {
    /// The file system.
    pub world: &'d dyn World,
    /// Where the state lies.
    pub store: &'d Store,
    /// The project at hand.
    pub project: &'d Project,
    /// The time.
    pub now: SystemTime,
}

/// What stands at a plan's path.
pub enum Look {
    /// Nothing.
    Gone,
    /// Something that cannot be read.
    Unreadable(String),
    /// A plan.
    Read(Overview),
}

/// Read the plan at `path`.
pub fn look(world: &dyn World, path: &AbsPath) -> Look {
    match world.read(path) {
        Ok(bytes) if bytes.len() as u64 > crate::source::MAX_FILE_BYTES => {
            Look::Unreadable("it is too large".to_owned())
        }
        Ok(bytes) => Look::Read(Overview::read(bytes)),
        Err(ReadError::NotFound | ReadError::NotADirectory) => Look::Gone,
        Err(error) => Look::Unreadable(error.to_string()),
    }
}

/// The state in a file's bytes; `None` if no plan is active.
///
/// # Errors
/// When the bytes are no state, in a sentence for the log.
pub fn active(bytes: Option<&[u8]>) -> Result<Option<State>, String> {
    let Some(bytes) = bytes else { return Ok(None) };
    match State::parse(bytes) {
        Ok(state) => Ok(Some(state).filter(|state| state.active_plan().is_some())),
        Err(problem) => Err(format!("the plan's state is left alone: {problem}; `hintlint plan clear` removes it")),
    }
}

/// What a step does to the state's file: the change, a line for the history, and what is said.
type Step = (Change, Option<String>, Answer);

/// A session starts: go on with the project's plan, begin one that nobody tracks yet, or say why neither is done.
pub fn session_start(desk: &Desk<'_>, session: &str) -> Result<Answer, String> {
    let plan = desk.own_plan();
    if desk.store.read(STATE)?.is_none() && plan.is_none() {
        return Ok(Answer::default());
    }
    desk.store.change_state(|before| match active(before) {
        Err(problem) => keep(Answer { log: vec![problem], ..Answer::default() }),
        Ok(None) => match &plan {
            Some((path, overview)) => desk.begin(before, path, overview, session),
            None => keep(Answer::default()),
        },
        Ok(Some(state)) if !desk.owns(&state) => {
            keep(desk.of_another_project(&state, plan.as_ref().map(|(path, _)| path)))
        }
        Ok(Some(state)) => desk.go_on(state, session),
    })
}

/// A plan was written or edited: the state follows it. `created` tells a file that was written whole.
pub fn plan_edited(desk: &Desk<'_>, path: &AbsPath, created: bool, session: &str) -> Result<Answer, String> {
    let state = match active(desk.store.read(STATE)?.as_deref()) {
        Ok(state) => state,
        Err(problem) => return Ok(Answer { log: vec![problem], ..Answer::default() }),
    };
    let is_active = state.as_ref().is_some_and(|state| desk.is_plan_of(state, path));
    let tracked_here = state.as_ref().is_some_and(|state| desk.owns(state));
    if !is_active && tracked_here {
        return Ok(Answer::default());
    }
    let (is_plan, problem) = desk.project.is_plan(desk.world, path);
    let mut answer = match look(desk.world, path) {
        _ if !is_active && !is_plan => Answer::default(),
        Look::Read(overview) => desk.store.change_state(|before| match active(before) {
            Ok(None) if is_plan => desk.begin(before, path, &overview, session),
            Ok(Some(state)) if desk.is_plan_of(&state, path) => desk.update(state, &overview, session),
            Ok(Some(state)) if created && !desk.owns(&state) => keep(desk.of_another_project(&state, Some(path))),
            Ok(_) => keep(Answer::default()),
            Err(problem) => keep(Answer { log: vec![problem], ..Answer::default() }),
        })?,
        Look::Gone | Look::Unreadable(_) => Answer::default(),
    };
    answer.log.extend(problem);
    Ok(answer)
}

/// A session ends: its plan's state knows of it, and is cleared if all is done.
pub fn session_end(desk: &Desk<'_>, session: &str) -> Result<Answer, String> {
    if desk.store.read(STATE)?.is_none() {
        return Ok(Answer::default());
    }
    desk.store.change_state(|before| match active(before) {
        Err(problem) => keep(Answer { log: vec![problem], ..Answer::default() }),
        Ok(Some(state)) if desk.owns(&state) => match look(desk.world, &plan_of(&state)) {
            Look::Read(overview) => desk.update(state, &overview, session),
            Look::Gone | Look::Unreadable(_) => {
                let before = state.clone();
                write_changed(&before, with_session(state, session), Answer::default())
            }
        },
        Ok(_) => keep(Answer::default()),
    })
}

/// What `activate` came to.
pub struct Activated {
    /// The state as it is now.
    pub state: State,
    /// The plan that it replaces.
    pub replaced: Option<State>,
}

/// The user says which plan is the active one.
///
/// # Errors
/// When the file is no plan that can be worked on, or the state cannot be written.
pub fn activate(desk: &Desk<'_>, path: &AbsPath) -> Result<Activated, String> {
    let overview = match look(desk.world, path) {
        Look::Read(overview) => overview,
        Look::Gone => return Err(format!("there is no file {path}")),
        Look::Unreadable(why) => return Err(format!("{path} cannot be read: {why}")),
    };
    if overview.progress.is_complete() {
        return Err(format!("all {} tasks of {path} are done; there is nothing to track", overview.progress.total));
    }
    desk.store.change_state(|before| {
        let old = match before.map(State::parse) {
            Some(Err(problem)) => return (Change::Keep, None, Err(format!("the present state is broken: {problem}"))),
            Some(Ok(state)) => Some(state),
            None => None,
        };
        if let Some(state) = old.clone().filter(|state| desk.is_plan_of(state, path)) {
            let mut new = state.clone();
            new.set_progress(overview.progress);
            let change = if new == state { Change::Keep } else { Change::Write(new.to_text().into_bytes()) };
            return (change, None, Ok(Activated { state: new, replaced: None }));
        }
        let replaced = old.clone().filter(|state| state.active_plan().is_some());
        let Some(start) = desk.start(path, &overview) else {
            return (Change::Keep, None, Err(format!("{path} is not UTF-8, which the state's file has no form for")));
        };
        let state = State::begin(old.as_ref(), start);
        let line = replaced.as_ref().map(|old| old.history_line(&desk.time(), "replaced"));
        (Change::Write(state.to_text().into_bytes()), line, Ok(Activated { state, replaced }))
    })?
}

/// The user says that no plan is active any more. The state that was cleared, if there was one that could be read.
///
/// # Errors
/// When the state cannot be removed.
pub fn clear(store: &Store, now: SystemTime) -> Result<Option<State>, String> {
    let time = time(now);
    store.change_state(|before| match before {
        None => (Change::Delete, None, None),
        Some(bytes) => {
            let state = State::parse(bytes);
            let line = match &state {
                Ok(state) => state.history_line(&time, "cleared by hand"),
                Err(_) => broken_line(&time, bytes),
            };
            (Change::Delete, Some(line), state.ok())
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
pub fn contradictions(world: &dyn World, state: &State) -> Vec<String> {
    let mut found = Vec::new();
    let plan = plan_of(state);
    match look(world, &plan) {
        Look::Gone => found.push("the plan is gone".to_owned()),
        Look::Unreadable(why) => found.push(format!("the plan cannot be read: {why}")),
        Look::Read(overview) => {
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

/// The plan of a state that has one.
pub fn plan_of(state: &State) -> AbsPath {
    AbsPath::new(state.active_plan().unwrap_or("/"))
}

fn keep(answer: Answer) -> Step {
    (Change::Keep, None, answer)
}

fn write_changed(before: &State, after: State, answer: Answer) -> Step {
    let change = if after == *before { Change::Keep } else { Change::Write(after.to_text().into_bytes()) };
    (change, None, answer)
}

fn with_session(mut state: State, session: &str) -> State {
    if !session.is_empty() {
        state.add_session(&session_key(session));
    }
    state
}

fn time(now: SystemTime) -> String {
    timestamp(now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// `path` as a word of a shell's command line.
fn shell_word(path: &AbsPath) -> String {
    let text = path.to_string();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | ',' | '=' | '@' | ':');
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

impl Desk<'_> {
    fn time(&self) -> String {
        time(self.now)
    }

    fn owns(&self, state: &State) -> bool {
        match state.project_root() {
            Some(root) => self.project.owns(self.world, root),
            // A state of another program's making: the plan's own place decides.
            None => plan_of(state).is_within(&self.project.root),
        }
    }

    fn is_plan_of(&self, state: &State, path: &AbsPath) -> bool {
        let real = |path: &AbsPath| self.world.real_path(path).unwrap_or_else(|_| path.clone());
        state.active_plan().is_some() && real(&plan_of(state)) == real(path)
    }

    /// The plan that the project has in its usual place, unless all of it is done.
    fn own_plan(&self) -> Option<(AbsPath, Overview)> {
        let mut places = vec![self.project.start.join(PLAN), self.project.root.join(PLAN)];
        places.dedup();
        places.into_iter().find_map(|path| match look(self.world, &path) {
            Look::Read(overview) if !overview.progress.is_complete() => Some((path, overview)),
            _ => None,
        })
    }

    fn start(&self, path: &AbsPath, overview: &Overview) -> Option<Start> {
        let text = |path: &AbsPath| std::str::from_utf8(path.as_bytes()).ok().map(str::to_owned);
        let title = overview.title.as_deref().map(frame::name).filter(|title| !title.is_empty());
        let folder = || frame::name(&String::from_utf8_lossy(self.project.root.file_name()));
        Some(Start {
            active_plan: text(path)?,
            project_root: text(&self.project.root)?,
            plan_name: title.unwrap_or_else(folder),
            started_at: self.time(),
            progress: overview.progress,
        })
    }

    /// Track a plan that nobody tracked. One that is done already is not worth it.
    fn begin(&self, before: Option<&[u8]>, path: &AbsPath, overview: &Overview, session: &str) -> Step {
        let Some(start) = self.start(path, overview).filter(|_| !overview.progress.is_complete()) else {
            return keep(Answer::default());
        };
        let before = before.and_then(|bytes| State::parse(bytes).ok());
        let state = with_session(State::begin(before.as_ref(), start), session);
        let answer = Answer {
            messages: vec![ENABLED.to_owned()],
            context: vec![format!("{ENABLED}\n\n{}", self.facts(&state, overview.progress))],
            ..Answer::default()
        };
        (Change::Write(state.to_text().into_bytes()), None, answer)
    }

    /// A session goes on with the project's plan.
    fn go_on(&self, state: State, session: &str) -> Step {
        let plan = plan_of(&state);
        match look(self.world, &plan) {
            Look::Read(overview) => {
                let progress = overview.progress;
                let (change, line, mut answer) = self.update(state.clone(), &overview, session);
                if !progress.is_complete() {
                    answer.context.push(format!(
                        "[BOULDER STATE DETECTED]\n\n{}\n\nContinuing from where you left off.",
                        self.facts(&state, progress)
                    ));
                }
                (change, line, answer)
            }
            Look::Gone => {
                let said = format!(
                    "[BOULDER STATE WARNING]\n\nThe active plan is gone: {} ({})\n\n\
                     To clear the state: hintlint plan clear (in a session: /boulder-clear)\n\
                     To track another plan: hintlint plan activate FILE",
                    frame::name(&self.project.show(&plan)),
                    frame::name(state.plan_name().unwrap_or("without a name")),
                );
                keep(Answer { messages: vec![said.clone()], context: vec![said], ..Answer::default() })
            }
            Look::Unreadable(why) => {
                keep(Answer { log: vec![format!("the plan {plan} cannot be read: {why}")], ..Answer::default() })
            }
        }
    }

    /// Bring the state up to date with its plan; clear it when all is done.
    fn update(&self, state: State, overview: &Overview, session: &str) -> Step {
        let before = state.clone();
        let mut state = with_session(state, session);
        state.set_progress(overview.progress);
        if let Some(start) = self.start(&plan_of(&state), overview) {
            state.name_if_missing(&start.plan_name);
        }
        if !overview.progress.is_complete() {
            return write_changed(&before, state, Answer::default());
        }
        let said = format!(
            "[BOULDER COMPLETE]\n\nAll {} tasks of {} are done; its state is cleared. ~/.claude/{HISTORY} keeps a record.",
            overview.progress.total,
            frame::name(state.plan_name().unwrap_or("the plan")),
        );
        let answer = Answer { messages: vec![said.clone()], context: vec![said], ..Answer::default() };
        (Change::Delete, Some(state.history_line(&self.time(), "complete")), answer)
    }

    /// The state is about another project: said, and left as it is.
    fn of_another_project(&self, state: &State, plan: Option<&AbsPath>) -> Answer {
        let root = state.project_root().unwrap_or("an unknown folder");
        let gone = if self.world.is_dir(&AbsPath::new(root)) { "" } else { ", which is gone" };
        let progress = state.progress().unwrap_or_default();
        let theirs = format!(
            "[BOULDER STATE OF ANOTHER PROJECT]\n\nThe active plan is {} ({progress} tasks complete) of {}{gone}.",
            frame::name(state.plan_name().unwrap_or("one without a name")),
            frame::name(root),
        );
        match plan {
            Some(plan) => {
                let said = format!(
                    "{theirs}\nThis project's plan is not tracked: {}\n\nTo switch: hintlint plan activate {}",
                    frame::name(&self.project.show(plan)),
                    frame::clean(&shell_word(plan)),
                );
                Answer { messages: vec![said.clone()], context: vec![said], ..Answer::default() }
            }
            None => {
                let said = format!(
                    "{theirs}\nTo switch to a plan of this project: hintlint plan activate FILE\n\
                     To clear the state: hintlint plan clear"
                );
                Answer { messages: vec![said], ..Answer::default() }
            }
        }
    }

    fn facts(&self, state: &State, progress: Progress) -> String {
        format!(
            "Active plan: {}\nProgress: {progress} tasks complete\nPlan location: {}",
            frame::name(state.plan_name().unwrap_or("without a name")),
            frame::name(&self.project.show(&plan_of(state))),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word_for_a_shell() {
        let word = |path: &str| shell_word(&AbsPath::new(path));
        assert_eq!(word("/a/b-c_1.md"), "/a/b-c_1.md");
        assert_eq!(word("/a b/$(x).md"), "'/a b/$(x).md'");
        assert_eq!(word("/it's"), "'/it'\\''s'");
    }
}
