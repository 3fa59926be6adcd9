//! What our hooks need to know of an agent that runs them: how it is recognised, its tools, where it wants what its model is
//! told, and how its settings name a hook. Each agent's own values are in its file.

use crate::agents::Dialect;
use crate::base::kind::Kind;
use crate::env::Env;

/// An agent that runs our hooks.
#[derive(Debug)]
pub(crate) struct HookCaller {
    /// What it loads by itself.
    pub dialect: &'static Dialect,
    /// How it is recognised.
    pub sign: CallerSign,
    /// Whether what its model is told stands at the top of the answer. Others want it below `hookSpecificOutput`; none may be
    /// given both.
    pub context_at_top: bool,
    /// Tools that read a file.
    pub reads: &'static [&'static str],
    /// Tools that change a part of a file.
    pub edits: &'static [&'static str],
    /// Tools that write a file whole.
    pub writes: &'static [&'static str],
    /// How its settings come to run them.
    pub registration: HookRegistration,
}

/// Where and in which form an agent's settings name hooks.
#[derive(Debug)]
pub struct HookRegistration {
    /// The folder of its settings in a project.
    pub(crate) folder: &'static str,
    /// The user's own folder.
    pub(crate) user_folder: fn(&Env) -> Option<String>,
    /// The file below either folder.
    pub(crate) settings: &'static str,
    /// The agent's names for the start of a session, the use of a tool, the wish to stop, and the end of a session.
    pub(crate) events: [&'static str; 4],
    /// The tools that work on files, as its settings write them.
    pub(crate) matcher: &'static str,
    /// What its settings count in a second.
    pub(crate) ticks: u64,
    pub(crate) form: RegistrationForm,
    /// The command that clears the state of the plan: its file below either folder, and what stands there.
    pub(crate) clear_command: Option<(&'static str, &'static str)>,
    /// What the user has to do besides, as a sentence; empty if nothing.
    pub(crate) note: &'static str,
}

/// How an event's list has a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegistrationForm {
    /// In groups with a matcher and a list of their own.
    Groups,
    /// By itself, in a file that says its version.
    Flat,
}

/// How an agent that runs a hook is recognised.
#[derive(Debug)]
pub(crate) enum CallerSign {
    /// By an environment variable.
    Variable(&'static str),
    /// By the field of a turn that no other agent sends, or by how the name of its transcripts begins.
    Message(&'static str, &'static str),
    /// It is the one that has no other sign.
    None,
}

impl HookCaller {
    /// Whether this agent sent a message in which `has_field` finds fields and whose transcript has the name `transcript`.
    pub(crate) fn is_calling(&self, env: &Env, transcript: &str, has_field: impl Fn(&str) -> bool) -> bool {
        match self.sign {
            CallerSign::Variable(name) => env.get(name).is_some(),
            CallerSign::Message(field, prefix) => has_field(field) || transcript.starts_with(prefix),
            CallerSign::None => false,
        }
    }
}

/// What agents call in their transcripts who said an entry.
#[derive(Debug)]
pub(crate) struct Speaker {
    /// The words that mean this one.
    pub words: &'static [&'static str],
    /// One of these is in each of its lines.
    pub needles: &'static [&'static str],
}

/// The user.
pub(crate) static USER: Speaker = Speaker { words: &["user", "user.message"], needles: &["\"user"] };
/// The model.
pub(crate) static ASSISTANT: Speaker =
    Speaker { words: &["assistant", "model", "assistant.message", "gemini"], needles: &["\"assistant", "\"gemini\""] };

/// What `/boulder-clear` is in Markdown.
pub(crate) const CLEAR_IN_MARKDOWN: &str = "\
---
description: Forget the active plan
allowed-tools: Bash(hintlint plan clear)
---

Run `hintlint plan clear` and tell what it says. It forgets which plan is active; the plan itself is not touched.
";

/// An agent that runs our hooks.
#[derive(Debug)]
pub(crate) struct HookHost {
    /// The folder of its settings, in a project and in the user's home.
    pub(crate) folder: &'static str,
    /// The environment variable that puts another folder in the place of the one in the home.
    pub(crate) folder_variable: &'static str,
    /// The environment variable that says where the agent was started.
    pub(crate) project_variable: &'static str,
    /// The plan of a project.
    pub(crate) plan: &'static str,
    /// Where another tool keeps its state of a project's plan, which we only read.
    pub(crate) other_state: &'static str,
    /// The scripts whose place our hooks take.
    pub(crate) scripts: &'static [&'static str],
    /// Single files of rules in a project, of whichever agent: they hold for every file.
    pub(crate) whole_rules: &'static [&'static str],
    /// The folder of rules, below the project's and below the user's folder, and their kind.
    pub(crate) rules: (&'static str, Kind),
}
