//! How grave a change is for whoever opens the repository.

use super::{RunDifference, RunReach, RunSubject, ScriptChange};
use crate::agents::runs::{Approval, DroppedScope, Moment, PermissionList, RunKind};

/// How grave a change is; the gravest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RunGrade {
    /// Other code runs when the repository is opened, and nobody is asked about it; or a file is not looked at to the end.
    Opens,
    /// Requests, or a key with them, go elsewhere.
    Sends,
    /// The agent may do more.
    Allows,
    /// Other code runs later.
    Runs,
    /// Another server.
    Connects,
    /// Another variable.
    Sets,
    /// Another setting, or one without effect.
    Other,
    /// Less than before.
    Less,
}

impl RunGrade {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RunGrade::Opens => "runs-on-open",
            RunGrade::Sends => "endpoint",
            RunGrade::Allows => "permission",
            RunGrade::Runs => "code",
            RunGrade::Connects => "server",
            RunGrade::Sets => "variable",
            RunGrade::Other => "setting",
            RunGrade::Less => "less",
        }
    }

    /// Whether who reviews a change should see it beside the line.
    pub(crate) fn is_grave(self) -> bool {
        self <= RunGrade::Allows
    }
}

/// Words in the keys of settings that decide what an agent may do.
const PERMISSION_WORDS: [&str; 9] =
    ["allow", "approval", "autoaccept", "directories", "mode", "permission", "sandbox", "trust", "yolo"];
/// Values of such settings that give an agent nothing.
const STRICT_VALUES: [&str; 5] = ["\"default\"", "\"plan\"", "\"read-only\"", "\"untrusted\"", "false"];
/// Variables that make programs load or run what they name.
const LOADERS: [&str; 17] = [
    "BASH_ENV",
    "BUN_OPTIONS",
    "DYLD_INSERT_LIBRARIES",
    "EDITOR",
    "ENV",
    "GIT_SSH_COMMAND",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "PAGER",
    "PATH",
    "PERL5OPT",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "RUBYOPT",
    "SHELL",
];

/// How grave a difference is for an agent that is reached so.
pub(super) fn of(difference: &RunDifference, reach: &RunReach) -> RunGrade {
    match difference {
        RunDifference::Added(subject) => present(subject, reach),
        RunDifference::Changed { before, after } => match (&before.kind, &after.kind) {
            (RunKind::Permission { list: old, .. }, RunKind::Permission { list: new, .. }) => {
                if new < old {
                    RunGrade::Allows
                } else {
                    RunGrade::Less
                }
            }
            // Whoever approved of a server approved of its name.
            (RunKind::Server { is_remote: false, .. }, RunKind::Server { is_remote: false, .. })
                if is_on_open(after) =>
            {
                RunGrade::Opens
            }
            _ => present(after, reach),
        },
        RunDifference::Removed(subject) => match &subject.kind {
            RunKind::Permission { list: PermissionList::Ask | PermissionList::Deny, .. } => RunGrade::Allows,
            RunKind::Setting { key, value } if is_permission(key) && STRICT_VALUES.contains(&value.as_str()) => {
                RunGrade::Allows
            }
            _ => RunGrade::Less,
        },
        // Fewer questions, or more modes.
        RunDifference::Reached { subject, before } => {
            let rank = |approval: &Option<Approval>| approval.map_or(3, |approval| approval as usize);
            match before.iter().zip(reach).any(|(before, after)| rank(after) < rank(before)) {
                true => present(subject, reach),
                false => RunGrade::Less,
            }
        }
        // Nobody knows what stands there.
        RunDifference::Ignored { what: DroppedScope::Rest, .. } => RunGrade::Opens,
        // It has the grade of the gravest change in it.
        RunDifference::Ignored { .. } | RunDifference::Starts { .. } | RunDifference::Untold { .. } => RunGrade::Other,
        // A script is not reviewed again where only the line that runs it was.
        RunDifference::Script { change: ScriptChange::Removed, .. } => RunGrade::Less,
        RunDifference::Script { run_by, .. } => match is_on_open(run_by) {
            true => RunGrade::Opens,
            false => RunGrade::Runs,
        },
    }
}

/// How grave it is that something is there.
fn present(subject: &RunSubject, reach: &RunReach) -> RunGrade {
    let is_asked = reach.iter().flatten().all(|approval| *approval == Approval::Item);
    match &subject.kind {
        RunKind::Hook { fires_for: Some(none), .. } if none.is_empty() => RunGrade::Other,
        RunKind::Helper { key, .. } if is_credential(key) => RunGrade::Sends,
        RunKind::Hook { .. } | RunKind::Helper { .. } | RunKind::PreRun { .. } => {
            match is_on_open(subject) && !is_asked {
                true => RunGrade::Opens,
                false => RunGrade::Runs,
            }
        }
        RunKind::Server { is_remote, .. } => match is_on_open(subject) && !is_remote && !is_asked {
            true => RunGrade::Opens,
            false => RunGrade::Connects,
        },
        RunKind::Endpoint { .. } => RunGrade::Sends,
        RunKind::Variable { name, .. } if is_credential(name) => RunGrade::Sends,
        RunKind::Variable { name, .. } if LOADERS.contains(&name.as_str()) || name.ends_with("_SHELL_PREFIX") => {
            RunGrade::Opens
        }
        RunKind::Variable { .. } => RunGrade::Sets,
        RunKind::Permission { list: PermissionList::Allow, .. } => RunGrade::Allows,
        RunKind::Permission { .. } => RunGrade::Less,
        RunKind::Setting { key, value } if is_permission(key) && !STRICT_VALUES.contains(&value.as_str()) => {
            RunGrade::Allows
        }
        // The code of others.
        RunKind::Setting { key, value } if brings_code(key) && value != "false" => RunGrade::Runs,
        RunKind::Setting { .. } | RunKind::Style { .. } => RunGrade::Other,
    }
}

fn brings_code(key: &str) -> bool {
    key.split('.').next().is_some_and(|key| key.ends_with("Plugins") || key.ends_with("Marketplaces"))
}

fn is_on_open(subject: &RunSubject) -> bool {
    matches!(subject.moment, Moment::Start | Moment::SessionStart)
}

fn is_permission(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    PERMISSION_WORDS.iter().any(|word| key.contains(word))
}

/// Whether a variable or helper of this name holds or gives credentials, or says where they go.
pub(super) fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let ends = ["_API_KEY", "_AUTH_TOKEN", "_ACCESS_TOKEN", "_BASE_URL", "_CUSTOM_HEADERS", "_PROXY", "APIKEYHELPER"];
    ends.iter().any(|end| name.ends_with(end))
}
