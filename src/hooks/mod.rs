//! The hooks that an agent runs: one message in, one answer out, and nothing that ever stops the agent by accident.
//!
//! `input` has the forms of both; `session`, `post_tool_use` and `stop` answer the events; `boulder` follows
//! the active plan, `rules` finds the rules of a touched file, `documents` a project's documentation, `transcript` and `ralph`
//! know loops; `once` keeps an event from being answered twice; `frame` makes every text safe before a model reads it; `store` remembers; `settings` is how an
//! agent comes to run them. Reads through a `World`, never lists
//! a repository.

pub mod boulder;
pub mod documents;
pub mod frame;
pub mod includes;
pub mod input;
mod once;
pub mod post_tool_use;
pub mod project;
pub mod ralph;
pub mod rules;
pub mod seen;
pub mod session;
pub mod settings;
pub mod stop;
pub mod store;
pub mod transcript;

use std::io::Read;
use std::time::SystemTime;

use self::boulder::HookDesk;
use self::input::{AnswerForm, HookAnswer, Input};
use self::project::HookProject;
use self::store::{AgentSession, Store};
use crate::agents::{self, HookCaller};
use crate::base::error::Obstacle;
use crate::world::{WithoutGit, World};

/// The events that have a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookEvent {
    /// A session starts, goes on, or forgets what was said.
    SessionStart,
    /// A tool was used.
    PostToolUse,
    /// The agent wants to stop.
    Stop,
    /// A session ends.
    SessionEnd,
}

impl HookEvent {
    /// All of them.
    pub const ALL: [HookEvent; 4] =
        [HookEvent::SessionStart, HookEvent::PostToolUse, HookEvent::Stop, HookEvent::SessionEnd];

    /// The event's name on our command line.
    pub fn name(self) -> &'static str {
        match self {
            HookEvent::SessionStart => "session-start",
            HookEvent::PostToolUse => "post-tool-use",
            HookEvent::Stop => "stop",
            HookEvent::SessionEnd => "session-end",
        }
    }

    /// The event as the agent calls it.
    pub fn agents_name(self) -> &'static str {
        match self {
            HookEvent::SessionStart => "SessionStart",
            HookEvent::PostToolUse => "PostToolUse",
            HookEvent::Stop => "Stop",
            HookEvent::SessionEnd => "SessionEnd",
        }
    }
}

/// One event and all that its hook may look at.
pub struct Hook<'h> {
    /// What the agent sent.
    pub input: Input,
    /// The file system.
    pub world: &'h dyn World,
    /// What is remembered; `None` without a home.
    pub store: Option<&'h Store>,
    /// The project; `None` if the event names no directory that is there.
    pub(crate) project: Option<HookProject>,
    /// The agent that runs the hook.
    pub(crate) caller: &'static HookCaller,
    /// The time.
    pub now: SystemTime,
}

impl Hook<'_> {
    /// Whose context the event happened in, if the session has a name.
    pub(crate) fn session(&self) -> Option<AgentSession<'_>> {
        let agent = Some(self.input.agent_id.as_str()).filter(|id| !id.is_empty());
        Some(AgentSession { id: &self.input.session_id, agent }).filter(|session| !session.id.is_empty())
    }

    /// Take a step with the plan's state; what goes wrong is logged and stops nothing.
    fn with_desk(&self, step: impl FnOnce(&HookDesk<'_>) -> Result<HookAnswer, Obstacle>) -> HookAnswer {
        let (Some(store), Some(project)) = (self.store, &self.project) else { return HookAnswer::default() };
        let desk = HookDesk { world: self.world, store, project, now: self.now };
        step(&desk).unwrap_or_else(|problem| HookAnswer { log: vec![problem.into()], ..HookAnswer::default() })
    }
}

/// Answer an event. `message` is what the agent sends; what cannot be understood is logged, and the agent continues.
pub fn run(
    event: HookEvent,
    message: impl Read,
    world: &dyn World,
    store: Option<&Store>,
    now: SystemTime,
) -> HookAnswer {
    let input = match Input::read(message) {
        Ok(input) => input,
        Err(problem) => return HookAnswer { log: vec![problem.into()], ..HookAnswer::default() },
    };
    // The user does not see what a hook tells the model, so git's own data must not get into it.
    let world: &dyn World = &WithoutGit::new(world);
    #[cfg(test)]
    crate::base::defect::provoke("a hook", input.session_id.as_bytes());
    let project = HookProject::of_event(world, &input);
    let transcript = input.transcript_path.rsplit('/').next().unwrap_or_default();
    let caller = agents::hook_caller(world.env(), transcript, |field| field == "turn_id" && input.turn_id.is_some());
    let hook = Hook { input, world, store, project, caller, now };
    let answer = match event {
        HookEvent::SessionStart => session::start(&hook),
        HookEvent::PostToolUse => post_tool_use::post_tool_use(&hook),
        HookEvent::Stop => stop::stop(&hook),
        HookEvent::SessionEnd => session::end(&hook),
    };
    HookAnswer { form: form(&hook), ..answer }
}

/// Where the agent wants what its model is told.
fn form(hook: &Hook<'_>) -> AnswerForm {
    const LONGEST: usize = 64;
    let name = &hook.input.hook_event_name;
    let is_name = !name.is_empty() && name.len() <= LONGEST && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match hook.caller.context_at_top {
        true => AnswerForm::Top,
        false => AnswerForm::Nested(is_name.then(|| name.clone())),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::Arc;

    use super::*;
    use crate::env::Env;
    use crate::world::{AbsPath, DirectoryEntry, FileType, HostWorld, ReadError};

    /// The real file system, with a record of what is listed.
    struct RecordingWorld {
        host: HostWorld,
        listed: RefCell<Vec<AbsPath>>,
    }

    impl World for RecordingWorld {
        fn file_type(&self, path: &AbsPath) -> Option<FileType> {
            self.host.file_type(path)
        }

        fn link_type(&self, path: &AbsPath) -> Option<FileType> {
            self.host.link_type(path)
        }

        fn read(&self, path: &AbsPath) -> Result<Arc<[u8]>, ReadError> {
            self.host.read(path)
        }

        fn read_dir(&self, path: &AbsPath) -> Vec<DirectoryEntry> {
            self.listed.borrow_mut().push(path.clone());
            self.host.read_dir(path)
        }

        fn read_link(&self, path: &AbsPath) -> Option<Vec<u8>> {
            self.host.read_link(path)
        }

        fn real_path(&self, path: &AbsPath) -> Result<AbsPath, ReadError> {
            self.host.real_path(path)
        }

        fn env(&self) -> &Env {
            self.host.env()
        }
    }

    #[test]
    fn no_hook_lists_the_repository() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        for (path, text) in [
            ("r/.git/HEAD", ""),
            ("r/src/deep/a.rs", ""),
            ("r/src/README.md", "x"),
            ("r/.claude/PLAN.md", "- [ ] a"),
            ("r/.claude/rules/sub/a.md", "always"),
            ("home/.claude/rules/a.md", "mine"),
        ] {
            std::fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
            std::fs::write(top.join(path), text).unwrap();
        }
        let env = Env::empty().with("HOME", top.join("home").to_str().unwrap());
        let world = RecordingWorld { host: HostWorld::new(env.clone()), listed: RefCell::default() };
        let store = Store::new(&env);
        let touched = top.join("r/src/deep/a.rs");
        let message = serde_json::json!({
            "session_id": "s", "cwd": top.join("r/src"), "tool_name": "Edit", "tool_input": {"file_path": touched},
        });
        for event in HookEvent::ALL {
            run(event, message.to_string().as_bytes(), &world, store.as_ref(), SystemTime::now());
        }
        let listed = world.listed.into_inner();
        assert!(!listed.is_empty(), "the rules' folders are");
        for path in listed {
            assert!(path.as_bytes().windows(14).any(|part| part == b"/.claude/rules"), "{path} was listed");
        }
    }
}
