//! Keys of settings that their reader does not know: keys it knows in another spelling, paths of keys as one key, and keys of
//! an earlier version.

use super::reading::{MAX_ENTRIES, SettingsText};
use super::{DroppedScope, RunReader, variables};
use crate::base::text::{edit_distance, spelling_core};
use crate::parse::json::{JsonMember, JsonNode, JsonValue};

/// The members of an object that are one of the known keys but for case and the breaks between words, or one of the `containers`
/// but for the plural or one letter, each with that key. Where the right key stands beside it, the other may be a note.
pub(crate) fn misspelled<'n>(
    object: &'n JsonNode,
    known: &[&'static str],
    containers: &[&'static str],
) -> Vec<(&'n JsonMember, &'static str)> {
    let members = object.members().iter().take(MAX_ENTRIES);
    // Some write comments as members.
    let members = members.filter(|member| !member.key.starts_with(['_', '/', '#', '$']));
    let spelled: Vec<(&'static str, String)> = known.iter().map(|name| (*name, spelling_core(name))).collect();
    let right = |member: &JsonMember| {
        let key = spelling_core(&member.key);
        let is_same = |(name, core): &&(&'static str, String)| {
            key == *core || containers.contains(name) && holds_others(&member.value) && is_near(&key, core)
        };
        spelled.iter().find(is_same).map(|(name, _)| *name).filter(|name| object.get(name).is_none())
    };
    members
        .filter(|member| !known.contains(&member.key.as_str()))
        .filter_map(|member| Some((member, right(member)?)))
        .collect()
}

fn holds_others(value: &JsonNode) -> bool {
    !value.members().is_empty() || !value.items().is_empty()
}

fn is_near(one: &str, other: &str) -> bool {
    let is_plural = one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one);
    is_plural || one.len() > 4 && other.len() > 4 && edit_distance(one, other) == 1
}

/// Keys of settings, each with those below it that are known; none where they are not looked at.
pub(crate) type KnownKeys = [(&'static str, &'static [&'static str])];

/// The keys of an agent's settings.
pub(crate) struct KeyTable {
    pub(crate) known: &'static KnownKeys,
    /// Those of them that hold others and are often written in the singular.
    pub(crate) containers: &'static [&'static str],
    /// Names that keys had once, each with its present path.
    pub(crate) former: &'static [(&'static str, &'static str)],
}

impl KeyTable {
    /// The keys of a file that its reader passes over.
    pub(crate) fn dead<'n>(&self, root: &'n JsonNode) -> Vec<DeadKey<'n>> {
        dead_keys(root, self.known, self.containers, self.former)
    }
}

/// What is wrong with one key: where it stands, why it has no effect, and the name that was meant in its place.
pub(crate) struct DeadKey<'n> {
    pub(crate) member: &'n JsonMember,
    pub(crate) why: String,
    pub(crate) instead: Option<String>,
}

/// The keys of a settings file that its reader passes over, where it is certain what was meant: other spellings, of the first and
/// the second level, paths such as `tools.allowed` as one key, and the `former` names of keys, each with its present path.
pub(crate) fn dead_keys<'n>(
    root: &'n JsonNode,
    known: &KnownKeys,
    containers: &[&'static str],
    former: &[(&'static str, &'static str)],
) -> Vec<DeadKey<'n>> {
    let names: Vec<&'static str> = known.iter().map(|(name, _)| *name).collect();
    let mut slips = misspelled(root, &names, containers);
    for (name, below) in known {
        slips.extend(root.get(name).map(|object| misspelled(object, below, &[])).unwrap_or_default());
    }
    let spelled = |(member, right): (&'n JsonMember, &'static str)| DeadKey {
        member,
        why: format!("the key is called `{right}`"),
        instead: Some(right.to_owned()),
    };
    let mut found: Vec<DeadKey<'n>> = slips.into_iter().map(spelled).collect();
    for member in root.members().iter().take(MAX_ENTRIES).filter(|member| !names.contains(&member.key.as_str())) {
        let path = member
            .key
            .split_once('.')
            .filter(|(container, name)| known.iter().any(|(known, below)| known == container && below.contains(name)));
        let moved = former.iter().find(|(old, _)| *old == member.key).map(|(_, path)| *path);
        let why = match (path, moved) {
            (Some((container, name)), _) if root.at(&[container, name]).is_none() => {
                format!("a path is no key: `{name}` stands inside of `{container}`")
            }
            (None, Some(path)) if root.at(&path.split('.').collect::<Vec<_>>()).is_none() => {
                format!("the setting is `{path}` since the file has sections")
            }
            _ => continue,
        };
        if member.value.value != JsonValue::Null {
            found.push(DeadKey { member, why, instead: None });
        }
    }
    found
}

impl RunReader<'_> {
    /// Put on record what a project's file says in vain and its agent says nothing of: keys, and references in the values of servers.
    pub(crate) fn drop_dead_settings(&mut self, text: &SettingsText, root: &JsonNode, keys: &KeyTable) {
        self.drop_dead_keys(text, keys.dead(root));
        if let Some(servers) = root.get("mcpServers") {
            self.drop_foreign_references(text, servers);
        }
    }

    /// Put on record keys that do nothing, of which the agent says nothing.
    pub(crate) fn drop_dead_keys(&mut self, text: &SettingsText, keys: Vec<DeadKey<'_>>) {
        for DeadKey { member, why, instead } in keys {
            self.drop_misspelled(text.place(member.key_span), (why, instead), DroppedScope::Key, false);
        }
    }

    /// Put on record the values of servers that refer to variables as other programs do it.
    pub(crate) fn drop_foreign_references(&mut self, text: &SettingsText, servers: &JsonNode) {
        for (node, [written, right, whole]) in variables::foreign_references(servers) {
            let why = format!("`{written}` is no reference to it, and `{right}` is");
            self.drop_misspelled(text.place(node.span), (why, Some(whole)), DroppedScope::Reference, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    #[test]
    fn spellings_of_known_keys() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let object = json::parse(text, JsonGrammar::STRICT).expect("it is JSON");
            let found = misspelled(&object, &["hooks", "sandbox_mode", "mcpServers", "model"], &["hooks"]);
            let found: Vec<(&str, &str)> = found.iter().map(|(member, right)| (member.key.as_str(), *right)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check(r#"{"hook": {"Stop": []}, "sandboxMode": "x"}"#, &[("hook", "hooks"), ("sandboxMode", "sandbox_mode")]);
        check(
            r#"{"MCPServers": {}, "mcp-servers": {}}"#,
            &[("MCPServers", "mcpServers"), ("mcp-servers", "mcpServers")],
        );
        check(r#"{"models": ["a"], "hook": {}}"#, &[]);
        check(r#"{"hooks": {}, "Hooks": {}, "hook": "x", "_model": "x", "models": "x", "other": 1, "modle": 1}"#, &[]);
    }
}
