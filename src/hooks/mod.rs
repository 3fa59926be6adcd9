//! The hooks that an agent runs: one message in, one answer out, and nothing that ever stops the agent by accident.
//!
//! `input` has the forms of both; `session`, `post_tool_use` and `stop` answer the events; `boulder` follows
//! the active plan, `rules` finds the rules of a touched file, `documents` a project's documentation, `transcript` and `ralph`
//! know loops; `frame` makes every text safe before a model reads it; `store` remembers; `settings` is how an
//! agent comes to run them. Reads through a `World`, never lists
//! a repository.

pub mod boulder;
pub mod documents;
pub mod frame;
pub mod includes;
pub mod input;
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

use std::time::SystemTime;

use self::boulder::Desk;
use self::input::{Answer, Input};
use self::project::Project;
use self::store::Store;
use crate::world::World;

/// The events that have a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A session starts, goes on, or forgets what was said.
    SessionStart,
    /// A tool was used.
    PostToolUse,
    /// The agent wants to stop.
    Stop,
    /// A session ends.
    SessionEnd,
}

impl Event {
    /// All of them.
    pub const ALL: [Event; 4] = [Event::SessionStart, Event::PostToolUse, Event::Stop, Event::SessionEnd];

    /// The event's name on our command line.
    pub fn name(self) -> &'static str {
        match self {
            Event::SessionStart => "session-start",
            Event::PostToolUse => "post-tool-use",
            Event::Stop => "stop",
            Event::SessionEnd => "session-end",
        }
    }

    /// The event as the agent calls it.
    pub fn agents_name(self) -> &'static str {
        match self {
            Event::SessionStart => "SessionStart",
            Event::PostToolUse => "PostToolUse",
            Event::Stop => "Stop",
            Event::SessionEnd => "SessionEnd",
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
    pub project: Option<Project>,
    /// The time.
    pub now: SystemTime,
}

impl Hook<'_> {
    /// The session, if it has a name.
    pub fn session(&self) -> Option<&str> {
        Some(self.input.session_id.as_str()).filter(|session| !session.is_empty())
    }

    /// Take a step with the plan's state; what goes wrong is logged and stops nothing.
    fn with_desk(&self, step: impl FnOnce(&Desk<'_>) -> Result<Answer, String>) -> Answer {
        let (Some(store), Some(project)) = (self.store, &self.project) else { return Answer::default() };
        let desk = Desk { world: self.world, store, project, now: self.now };
        step(&desk).unwrap_or_else(|problem| Answer { log: vec![problem], ..Answer::default() })
    }
}

/// Answer an event. `bytes` are what the agent sent; what makes no sense in them is logged, and the agent goes on.
pub fn run(event: Event, bytes: &[u8], world: &dyn World, store: Option<&Store>, now: SystemTime) -> Answer {
    let input = match Input::parse(bytes) {
        Ok(input) => input,
        Err(problem) => return Answer { log: vec![problem], ..Answer::default() },
    };
    let project = Project::of_event(world, &input);
    let hook = Hook { input, world, store, project, now };
    match event {
        Event::SessionStart => session::start(&hook),
        Event::PostToolUse => post_tool_use::post_tool_use(&hook),
        Event::Stop => stop::stop(&hook),
        Event::SessionEnd => session::end(&hook),
    }
}
