//! Keys of Claude Code's settings that it does not know and that were meant: permission rules outside of their lists, events
//! outside `hooks`, other spellings of keys, and keys of which it has none. It passes over all of them without a word.

use super::ClaudeRuns;
use super::hooks::{EVENTS, UNMATCHED_EVENTS};
use super::types;
use crate::agents::shared::runs::DroppedScope;
use crate::agents::shared::runs::names::misspelled;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::parse::json::{JsonMember, JsonNode, JsonValue};

/// Keys that count only below `permissions`, with the name that each has there.
const PERMISSIONS: [(&str, &str); 9] = [
    ("additionalDirectories", "additionalDirectories"),
    ("allow", "allow"),
    ("allowed", "allow"),
    ("allowedTools", "allow"),
    ("ask", "ask"),
    ("defaultMode", "defaultMode"),
    ("denied", "deny"),
    ("deny", "deny"),
    ("disallowedTools", "deny"),
];

/// Keys that many write and that none of the 194 of 2.1.330 is, each with where that belongs.
const FOREIGN: [(&str, &str); 15] = [
    ("apiKey", "a key comes from `apiKeyHelper`, or from ANTHROPIC_API_KEY in the environment"),
    ("baseURL", BASE_URL),
    ("baseUrl", BASE_URL),
    ("commands", "commands stand in .claude/commands, each in a file of its own"),
    ("customInstructions", INSTRUCTIONS),
    ("dangerouslySkipPermissions", "it is an option of the command line, `--dangerously-skip-permissions`"),
    ("ignorePatterns", "what is not to be read stands in `permissions.deny`, as `Read(…)`"),
    ("maxTokens", "it is CLAUDE_CODE_MAX_OUTPUT_TOKENS in `env`"),
    ("permissionMode", MODE),
    ("permission_mode", MODE),
    ("pluginDirs", PLUGINS),
    ("plugins", PLUGINS),
    ("skills", "skills stand in .claude/skills, each in a folder of its own"),
    ("systemPrompt", INSTRUCTIONS),
    ("temperature", "there is no such setting"),
];
const BASE_URL: &str = "it is ANTHROPIC_BASE_URL in `env`";
const INSTRUCTIONS: &str = "instructions stand in CLAUDE.md";
const PLUGINS: &str = "`enabledPlugins` names plugins, and `extraKnownMarketplaces` where they come from";
const MODE: &str = "it is called `permissions.defaultMode`";

/// Keys of objects that many write in the singular.
const CONTAINERS: [&str; 4] = ["enabledPlugins", "extraKnownMarketplaces", "hooks", "permissions"];

impl ClaudeRuns<'_, '_> {
    /// Put on record the keys of a project's file that were meant and do nothing.
    pub(super) fn drop_dead_keys(&mut self, text: &SettingsText, root: &JsonNode) {
        let known = types::top_keys();
        let mut found: Vec<(&JsonMember, String, Option<String>)> = Vec::new();
        for member in root.members() {
            if let Some((_, right)) = permission(member).filter(|_| !known.contains(&member.key.as_str())) {
                found.push((member, format!("it counts as `permissions.{right}`, and nowhere else"), None));
            } else if let Some(key) = path_of_permission(member).filter(|key| root.at(&["permissions", key]).is_none())
            {
                found.push((member, format!("a path is no key: `{key}` stands inside of `permissions`"), None));
            } else if is_event(member) {
                found.push((member, "events stand inside `hooks`".to_owned(), None));
            } else if let Some(why) = foreign(member).filter(|_| !known.contains(&member.key.as_str())) {
                found.push((member, why.to_owned(), None));
            }
        }
        let inner = root.get("permissions").map(JsonNode::members).unwrap_or_default();
        for member in inner {
            if let Some((key, right)) = permission(member).filter(|(key, right)| key != right) {
                let instead = Some(right.to_owned());
                found.push((member, format!("`{key}` is no list of permissions, and `{right}` is"), instead));
            }
        }
        let plugins = root.get("enabledPlugins").map(JsonNode::members).unwrap_or_default();
        for member in plugins.iter().filter(|member| member.value.bool() == Some(true) && !member.key.contains('@')) {
            found.push((member, "a plugin is named with its marketplace, `NAME@MARKETPLACE`".to_owned(), None));
        }
        for (member, right) in misspelled(root, &known, &CONTAINERS) {
            // Servers under their right name would not be read from here either.
            found.push((member, format!("the key is called `{right}`"), Some(right.to_owned())));
        }
        let told: Vec<&JsonMember> = found.iter().map(|(member, ..)| *member).collect();
        self.drop_unknown(text, root, &known, &told);
        for (member, why, instead) in found {
            self.reader.drop_misspelled(text.place(member.key_span), (why, instead), DroppedScope::Key, false);
        }
    }
}

/// Keys that say something to people alone.
const REMARKS: [&str; 16] = [
    "author",
    "comment",
    "comments",
    "created",
    "description",
    "docs",
    "info",
    "lastUpdated",
    "metadata",
    "name",
    "note",
    "notes",
    "project",
    "purpose",
    "title",
    "version",
];
/// Settings that another program writes into the file, and reads.
const OF_PROGRAMS: [&str; 3] = ["claude-flow", "claudeFlow", "ruflo"];

impl ClaudeRuns<'_, '_> {
    /// Put on record the keys that the agent does not know, whatever they were meant for, besides those of `told`. All keys that it knows
    /// are in the schema of its package.
    fn drop_unknown(&mut self, text: &SettingsText, root: &JsonNode, known: &[&'static str], told: &[&JsonMember]) {
        let is_meant = |key: &str| {
            key.starts_with("permissions.")
                || PERMISSIONS.iter().any(|(name, _)| *name == key)
                || EVENTS.iter().any(|(name, _)| *name == key)
                || FOREIGN.iter().any(|(name, _)| *name == key)
        };
        let is_told = |member: &JsonMember| told.iter().any(|other| std::ptr::eq(*other, member));
        for member in root.members().iter().take(MAX_ENTRIES) {
            let key = member.key.as_str();
            let is_remark =
                key.starts_with(['$', '_', '/', '#']) || REMARKS.contains(&key) || OF_PROGRAMS.contains(&key);
            let is_known = known.iter().any(|known| known.eq_ignore_ascii_case(key));
            if is_known || is_remark || is_meant(key) || is_told(member) || is_empty(&member.value) {
                continue;
            }
            self.reader.drop_unknown_key(text, member);
        }
    }

    /// Put on record the matchers of events that have nothing to match.
    pub(super) fn drop_dead_matchers(&mut self, text: &SettingsText, hooks: &JsonNode) {
        let events = hooks.effective().into_iter().filter(|event| UNMATCHED_EVENTS.contains(&event.key.as_str()));
        for event in events {
            for entry in event.value.items().iter().take(MAX_ENTRIES).filter(|entry| entry.get("hooks").is_some()) {
                let Some(member) = entry.member("matcher").filter(|member| narrows(member)) else { continue };
                let why = format!("{} has nothing to match, so the hook always runs", event.key);
                let place = text.place(member.key_span);
                // Whoever repeats the name of the event wants no more than that.
                match member.value.text().is_some_and(|text| text.trim() == event.key) {
                    true => self.reader.drop_harmless(place, why, DroppedScope::Key, false),
                    false => self.drop(place, why, DroppedScope::Key, false),
                }
            }
        }
    }
}

/// Whether a value says nothing.
fn is_empty(value: &JsonNode) -> bool {
    match &value.value {
        JsonValue::Object(members) => members.is_empty(),
        JsonValue::Array(items) => items.is_empty(),
        JsonValue::Text(text) => text.is_empty(),
        JsonValue::Bool(is_on) => !is_on,
        JsonValue::Number(_) => false,
        JsonValue::Null => true,
    }
}

/// Whether a matcher is meant to leave something out.
fn narrows(matcher: &JsonMember) -> bool {
    matcher.value.text().is_some_and(|text| !matches!(text.trim(), "" | "*" | ".*" | ".+" | "^.*$"))
}

/// What a member was meant for among permissions, if it says something.
fn permission(member: &JsonMember) -> Option<(&'static str, &'static str)> {
    let found = PERMISSIONS.iter().find(|(key, _)| *key == member.key)?;
    let is_rule = |item: &JsonNode| item.text().is_some();
    let is_list = !member.value.items().is_empty() && member.value.items().iter().all(is_rule);
    let says = if found.1 == "defaultMode" { member.value.text().is_some() } else { is_list };
    says.then_some(*found)
}

/// Where a member belongs that is no setting, if it says something.
fn foreign(member: &JsonMember) -> Option<&'static str> {
    let (_, why) = FOREIGN.iter().find(|(key, _)| *key == member.key)?;
    let is_empty = member.value.text().is_some_and(str::is_empty);
    let is_off = member.value.bool() == Some(false) || member.value.value == JsonValue::Null;
    (!is_empty && !is_off).then_some(*why)
}

/// The key below `permissions` that a member names by its path.
fn path_of_permission(member: &JsonMember) -> Option<&'static str> {
    let key = member.key.strip_prefix("permissions.")?;
    PERMISSIONS.iter().find(|(name, right)| *name == key && name == right).map(|(name, _)| *name)
}

/// Whether a member holds hooks of an event. Guards at the top switch the whole file off, and that is told.
fn is_event(member: &JsonMember) -> bool {
    let is_known = EVENTS.iter().any(|(name, _)| *name == member.key);
    is_known && !member.value.items().is_empty() && member.value.items().iter().all(JsonNode::is_object)
}
