//! What an agent runs, connects to and obeys because of the files of a repository: plain data, in order of time, each item with
//! the file and line that asks for it, and what the agent drops of those files and why. Each agent's rules are in its own file.

mod answers;
pub(crate) mod crowded;
pub(crate) mod documented;
pub(crate) mod dotenv;
mod dropped;
pub(crate) mod file_rules;
pub(crate) mod matching;
pub(crate) mod names;
pub(crate) mod nested_hooks;
pub(crate) mod reading;
mod replaced;
pub(crate) mod transports;
pub(in crate::agents) mod types;
pub(crate) mod variables;

pub(crate) use answers::{HookAnswers, HookContract};
pub(crate) use dropped::{DropBasis, DroppedScope, DroppedSetting, LostSettings, NO_SETTING};
pub(crate) use replaced::ReplacedVariables;

use crate::agents::Dialect;
use crate::base::text::Span;
use crate::world::{AbsPath, World};
use std::collections::BTreeMap;

/// How the agent is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RunMode {
    /// In a terminal, by a person who answers the agent's question about the folder with yes.
    Interactive,
    /// Without a terminal (`-p`, `exec`), in a folder that was trusted before.
    Headless,
    /// Without a terminal, in an untrusted folder.
    HeadlessUntrusted,
}

impl RunMode {
    /// All modes.
    pub(crate) const ALL: [RunMode; 3] = [RunMode::Interactive, RunMode::Headless, RunMode::HeadlessUntrusted];

    /// The name on the command line and in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RunMode::Interactive => "interactive",
            RunMode::Headless => "headless",
            RunMode::HeadlessUntrusted => "headless-untrusted",
        }
    }

    /// Whether the folder counts as trusted.
    pub(crate) fn is_trusted(self) -> bool {
        self != RunMode::HeadlessUntrusted
    }
}

/// When something takes effect, in order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Moment {
    /// While the agent starts, before any session.
    Start,
    /// When the session starts.
    SessionStart,
    /// When the user sends a prompt.
    Prompt,
    /// When the user or the model starts the command, skill or agent.
    Use,
    /// Before a request to the model.
    Request,
    /// Around a call of a tool.
    Tool,
    /// When the agent or a subagent stops.
    Stop,
    /// When the session ends.
    SessionEnd,
    /// On other events of the agent.
    Other,
}

impl Moment {
    /// The words for it in listings and JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Moment::Start => "start",
            Moment::SessionStart => "session start",
            Moment::Prompt => "prompt",
            Moment::Use => "use",
            Moment::Request => "request",
            Moment::Tool => "tool",
            Moment::Stop => "stop",
            Moment::SessionEnd => "session end",
            Moment::Other => "other event",
        }
    }
}

/// Whose approval it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Approval {
    /// The user is not asked.
    Nobody,
    /// The user has trusted the folder.
    Folder,
    /// The user is asked for this item.
    Item,
}

impl Approval {
    /// The words for it in listings and JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Approval::Nobody => "nobody is asked",
            Approval::Folder => "the folder is trusted",
            Approval::Item => "the user is asked",
        }
    }
}

/// Which list of permissions a rule is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PermissionList {
    /// Allowed without a question.
    Allow,
    /// Asked for each time.
    Ask,
    /// Refused.
    Deny,
}

impl PermissionList {
    /// The key in settings.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PermissionList::Allow => "allow",
            PermissionList::Ask => "ask",
            PermissionList::Deny => "deny",
        }
    }
}

/// What is run, connected to or obeyed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RunKind {
    /// A hook.
    Hook {
        /// The agent's event.
        event: String,
        /// For which tools or sources; `None` for all.
        matcher: Option<String>,
        /// `command`, or another type of the agent's.
        kind: String,
        /// The command, prompt or URL.
        action: String,
        /// The folder in which it is started, as written and as seen from the repository's root.
        directory: Option<String>,
        /// Seconds until it is stopped, where the file says so.
        timeout: Option<f64>,
        /// For which of the tools or sources that the agent knows it fires: all of them where there is no matcher. `None` where
        /// that cannot be told.
        fires_for: Option<Vec<&'static str>>,
        /// The matcher with the names of tools that differ from it in case alone.
        near: Option<String>,
    },
    /// A server that is started or connected to.
    Server {
        /// Its name.
        name: String,
        /// The program with its arguments, or the URL.
        command: Vec<String>,
        /// Whether it is connected to and not started.
        is_remote: bool,
        /// The folder in which it is started, as written and as seen from where the agent is started; `None` where it is not
        /// named or the agent does not heed it.
        directory: Option<String>,
        /// Variables of the environment that it is started with, or headers that it is sent, as the file has them.
        given: Vec<(String, String)>,
    },
    /// An environment variable.
    Variable {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// Where the agent sends its requests, and the user's key with them.
    Endpoint {
        /// The setting or variable that says so.
        name: String,
        /// The URL.
        url: String,
        /// What is sent there.
        sends: SentData,
    },
    /// A rule about tools.
    Permission {
        /// In which list.
        list: PermissionList,
        /// As written.
        rule: String,
    },
    /// Any other setting that the agent obeys and that matters for what it may do.
    Setting {
        /// Its key.
        key: String,
        /// Its value as JSON.
        value: String,
    },
    /// A text that becomes a part of the agent's own instructions because a setting names it.
    Style {
        /// Its name.
        name: String,
        /// The hash of the text.
        digest: [u8; 32],
    },
    /// A program that a setting names.
    Helper {
        /// The setting.
        key: String,
        /// The command.
        command: String,
    },
    /// A command of a hint file that runs before the model sees the text.
    PreRun {
        /// The command.
        command: String,
    },
}

/// What goes to an endpoint that a file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SentData {
    /// All requests to the model, with the key that the user has for the agent.
    RequestsWithKey,
    /// All requests to the model; the repository brings a key of its own.
    Requests,
    /// The requests to a model that the user chooses by its name.
    ChosenRequests,
    /// The value of this environment variable of the user's.
    Variable(String),
}

/// Where a setting stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettingPlace {
    /// The file.
    pub path: AbsPath,
    /// Bytes of the file's text as the agent decodes it, without a byte order mark.
    pub span: Span,
    /// Its line, from 1.
    pub line: usize,
}

/// One thing that runs or counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RunItem {
    /// When.
    pub moment: Moment,
    /// What.
    pub kind: RunKind,
    /// Which line asks for it.
    pub place: SettingPlace,
    /// Whose approval it needs.
    pub approval: Approval,
    /// The command, skill or agent that must be started for it, where it stands in one.
    pub on_use_of: Option<String>,
}

/// What one agent runs, connects to and obeys when it starts in one directory.
#[derive(Clone, Debug)]
pub(crate) struct AgentRuns {
    /// The agent.
    pub dialect: &'static Dialect,
    /// Where it starts.
    pub start: AbsPath,
    /// How it is started.
    pub mode: RunMode,
    /// What happens, in order of time.
    pub items: Vec<RunItem>,
    /// What does not, in order of files and places.
    pub dropped: Vec<DroppedSetting>,
    /// Whether the directory is a bundle that others install.
    pub is_bundle: bool,
}

impl AgentRuns {
    /// Nothing yet.
    fn empty(dialect: &'static Dialect, start: &AbsPath, mode: RunMode) -> Self {
        AgentRuns { dialect, start: start.clone(), mode, items: Vec::new(), dropped: Vec::new(), is_bundle: false }
    }
}

/// What the caller says of the user and the command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunOptions {
    /// Whether the user's own settings count.
    pub user: bool,
    /// Settings that are in no file, by key with the agent's name before it, as of `--agent-option`.
    pub settings: BTreeMap<String, serde_json::Value>,
    /// Whether the start directory is a bundle that somebody has installed: only what it brings is told.
    pub is_bundle: bool,
}

/// Collects what an agent runs.
pub(crate) struct RunReader<'w> {
    pub(crate) world: &'w dyn World,
    pub(crate) options: &'w RunOptions,
    pub(crate) out: AgentRuns,
}

impl RunReader<'_> {
    /// A setting given by the caller.
    pub(crate) fn option(&self, key: &str) -> Option<&serde_json::Value> {
        self.options.settings.get(&format!("{}.{key}", self.out.dialect.id))
    }

    /// Whether the folder counts as trusted.
    pub(crate) fn is_trusted(&self) -> bool {
        self.out.mode.is_trusted()
    }

    /// Put on record what happens.
    pub(crate) fn push(&mut self, moment: Moment, kind: RunKind, place: SettingPlace, approval: Approval) {
        self.out.items.push(RunItem { moment, kind, place, approval, on_use_of: None });
    }

    /// Put on record what a file says and the agent does not do.
    pub(crate) fn drop(&mut self, place: SettingPlace, why: impl Into<String>, what: DroppedScope, is_said: bool) {
        self.out.dropped.push(DroppedSetting::new(place, why.into(), what, is_said));
    }

    /// The same, where it is certain what the string at the place must say.
    pub(crate) fn drop_misspelled(
        &mut self,
        place: SettingPlace,
        (why, instead): (String, Option<String>),
        what: DroppedScope,
        is_said: bool,
    ) {
        self.out.dropped.push(DroppedSetting { instead, ..DroppedSetting::new(place, why, what, is_said) });
    }

    /// The same where nothing is lost.
    pub(crate) fn drop_harmless(&mut self, place: SettingPlace, why: String, what: DroppedScope, is_said: bool) {
        let dropped = DroppedSetting::new(place, why, what, is_said);
        self.out.dropped.push(DroppedSetting { is_harmless: true, ..dropped });
    }

    /// The same for a server that has a name.
    pub(crate) fn drop_server(&mut self, place: SettingPlace, name: &str, why: String, what: DroppedScope) {
        let dropped = DroppedSetting::new(place, why, what, false);
        self.out.dropped.push(DroppedSetting { server: Some(name.to_owned()), ..dropped });
    }

    /// The same where documentation says so, and no run of the agent.
    pub(crate) fn drop_documented(&mut self, place: SettingPlace, why: String, what: DroppedScope, basis: DropBasis) {
        self.out.dropped.push(DroppedSetting { basis, ..DroppedSetting::new(place, why, what, false) });
    }
}

/// What `dialect` runs when it starts in `start`; `None` where it is not known for this agent.
pub(crate) fn load(
    world: &dyn World,
    dialect: &'static Dialect,
    start: &AbsPath,
    mode: RunMode,
    options: &RunOptions,
) -> Option<AgentRuns> {
    let read = dialect.runs?;
    let world = crowded::NotedWorld::new(world);
    let mut reader = RunReader { world: &world, options, out: AgentRuns::empty(dialect, start, mode) };
    read(&mut reader);
    let mut runs = reader.out;
    world.note(&mut runs);
    runs.is_bundle = options.is_bundle;
    for item in &mut runs.items {
        if let Some(kind) = sent_nowhere(&item.kind) {
            item.kind = kind;
        }
    }
    runs.items.sort_by_key(|item| item.moment);
    Some(runs)
}

/// What an endpoint without an address is: a variable, or another setting.
fn sent_nowhere(kind: &RunKind) -> Option<RunKind> {
    let RunKind::Endpoint { name, url, .. } = kind else { return None };
    let (name, value) = url.trim().is_empty().then(|| (name.clone(), url.clone()))?;
    Some(match name.contains('.') {
        true => RunKind::Setting { key: name, value: serde_json::Value::from(value).to_string() },
        false => RunKind::Variable { name, value },
    })
}
