//! Environment variables of Claude Code's settings: which reach its processes, which it ignores, and which send its requests
//! elsewhere. A repository's variables count in every mode, also in an untrusted folder.

use super::{ClaudeRuns, SettingsOwner};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, javascript_string};
use crate::agents::shared::runs::{DroppedScope, Moment, RunKind, SentData};
use crate::parse::json::JsonNode;
use std::collections::BTreeSet;

/// Names that a project's settings cannot set; the debug log alone says so.
const IGNORED: [&str; 13] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENABLE_TELEMETRY",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_IGNORE_PERSISTED_TRUST",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_PLUGIN_SEED_DIR",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CONFIG_DIR",
    "HOME",
    "TEMP",
    "TMPDIR",
    "USERPROFILE",
    "XDG_CONFIG_HOME",
];
/// Names that the agent sets anew for each hook.
const OVERWRITTEN: [&str; 2] = ["CLAUDE_ENV_FILE", "CLAUDE_PROJECT_DIR"];
/// Variables that say where requests to the model go, and the user's key with them.
const ENDPOINTS: [&str; 4] =
    ["ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_FOUNDRY_BASE_URL", "ANTHROPIC_VERTEX_BASE_URL"];

/// Variables that hold a key: one of a file takes the place of the user's.
const CREDENTIALS: [&str; 2] = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];

impl ClaudeRuns<'_, '_> {
    /// The variables of the settings files in effect. Of several files the most decisive one counts, and all count before the
    /// shell's own values.
    pub(super) fn read_environment(&mut self) {
        let files = std::mem::take(&mut self.files);
        let mut seen = BTreeSet::new();
        let has_key = files.iter().filter_map(|file| file.root.get("env")).any(|env| {
            CREDENTIALS.iter().any(|name| env.get(name).and_then(JsonNode::text).is_some_and(|value| !value.is_empty()))
        });
        let sends = if has_key { SentData::Requests } else { SentData::RequestsWithKey };
        for file in files.iter().rev() {
            let members = file.root.get("env").map(|env| env.effective()).unwrap_or_default();
            for member in members.into_iter().take(MAX_ENTRIES) {
                let (name, place) = (&member.key, file.text.place(member.value.span));
                if file.owner != SettingsOwner::User && is_ignored(name) {
                    let why = format!("a project's settings cannot set {name}");
                    // Of a person's own settings no run has shown it.
                    let is_project = file.owner == SettingsOwner::Project;
                    self.drop(place, why, if is_project { DroppedScope::Key } else { DroppedScope::Entry }, false);
                    continue;
                }
                if OVERWRITTEN.contains(&name.as_str()) {
                    self.drop(place, format!("Claude Code sets {name} itself"), DroppedScope::Entry, false);
                    continue;
                }
                if !seen.insert(name.clone()) {
                    let why = format!("settings of higher precedence set {name}");
                    self.drop(place, why, DroppedScope::Entry, false);
                    continue;
                }
                let value = javascript_string(&member.value);
                if file.owner != SettingsOwner::User
                    && let Some(reference) = reference(name, &value)
                {
                    let why = format!("values in `env` are not expanded, so `{reference}` stays as it is");
                    self.drop(place.clone(), why, DroppedScope::Reference, false);
                }
                let name = name.clone();
                let kind = match ENDPOINTS.contains(&name.as_str()) {
                    true => RunKind::Endpoint { name, url: value, sends: sends.clone() },
                    false => RunKind::Variable { name, value },
                };
                self.push(Moment::Start, kind, place);
            }
        }
        self.files = files;
    }
}

/// A reference to a variable in a value. What a shell expands itself or runs may well hold some.
fn reference<'v>(name: &str, value: &'v str) -> Option<&'v str> {
    let is_of_shell = matches!(name, "BASH_ENV" | "ENV" | "CLAUDE_CODE_SHELL_PREFIX")
        || ["COMMAND", "CMD", "PROMPT", "OPTIONS", "OPTS", "FORMAT"].iter().any(|end| name.ends_with(end))
        || name.starts_with("PS");
    value.match_indices('$').filter(|_| !is_of_shell).find_map(|(at, _)| {
        let rest = &value[at + 1..];
        let inner = rest.strip_prefix('{').unwrap_or(rest);
        let length = inner.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
        let is_whole = inner.len() == rest.len() && !inner[length..].starts_with(|c: char| c.is_ascii_alphanumeric());
        let end = if inner.len() == rest.len() { length } else { length + 2 };
        let is_closed = inner.len() < rest.len() && inner[length..].starts_with('}');
        (length > 2 && (is_whole || is_closed)).then(|| &value[at..at + 1 + end])
    })
}

fn is_ignored(name: &str) -> bool {
    IGNORED.contains(&name) || name.starts_with("OTEL_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_told_from_other_signs() {
        for (value, expected) in
            [("$HOME/bin", "$HOME"), ("${CLAUDE_PROJECT_DIR}/a", "${CLAUDE_PROJECT_DIR}"), ("/a:$PATH", "$PATH")]
        {
            assert_eq!(reference("X", value), Some(expected), "{value}");
        }
        for value in ["pa$$word", "$1", "a$b", "${X:-1}", "$HOMEx", "US$ 5", "$AB"] {
            assert_eq!(reference("X", value), None, "{value}");
        }
        assert_eq!(reference("PROMPT_COMMAND", "echo $HOME"), None);
        assert_eq!(reference("BASH_ENV", "$HOME/x"), None);
    }
}
