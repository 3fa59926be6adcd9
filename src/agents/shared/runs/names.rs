//! Keys of settings that their reader does not know, and that are keys it knows in another spelling.

use super::reading::MAX_ENTRIES;
use crate::base::text::spelling_core;
use crate::parse::json::{JsonMember, JsonNode};

/// The members of an object that are one of the known keys but for case and the breaks between words, or one of the `containers`
/// but for the plural, each with that key. Where the right key stands beside it, the other may be a note.
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
            key == *core || containers.contains(name) && holds_others(&member.value) && is_plural(&key, core)
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

fn is_plural(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
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
