//! What opencode's settings must be: one value of a wrong type, at any known place, and the agent does not start. Unknown keys are
//! passed over without a word.

pub(super) mod settings;

use super::servers::is_list;
use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::parse::json::{JsonMember, JsonNode, JsonValue};

/// A shape that a value must have.
#[derive(Clone, Copy)]
pub(super) enum SettingShape {
    Text,
    Bool,
    Number,
    /// A whole number from 0 on.
    Count,
    /// A whole number above 0.
    Positive,
    /// `#` with six digits, or the name of a colour.
    Color,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    Texts,
    /// A list of these strings.
    ListOf(&'static [&'static str]),
    /// An object of strings.
    TextMap,
    /// An object of booleans.
    BoolMap,
    /// An object with these keys, and others.
    Object(&'static [(&'static str, SettingShape)]),
    /// An object of such values.
    Map(&'static SettingShape),
    /// A boolean, or such a value.
    BoolOr(&'static SettingShape),
    /// A string, or such a value.
    TextOr(&'static SettingShape),
    /// `false`, or such a value.
    FalseOr(&'static SettingShape),
    /// `true` or `false`, or this string.
    BoolOrWord(&'static str),
    /// A list of strings, or of pairs of a string and an object.
    Plugins,
    Permission,
    /// An object of servers, which may hold a further one.
    Servers,
    /// An object of language servers.
    LanguageServers,
    /// A folder or a repository that is named: an object with one of these keys.
    Reference,
    /// An object with these keys, of which the named ones must be there.
    Needing(&'static [&'static str], &'static [(&'static str, SettingShape)]),
    /// An object of agents, each with these keys.
    Agents,
    /// It must not be there; with what is there instead.
    Refused(&'static str),
}

use SettingShape::{
    Agents, Bool, BoolMap, BoolOr, BoolOrWord, Color, Count, FalseOr, LanguageServers, ListOf, Map, Needing, Number,
    Object, OneOf, Permission, Plugins, Positive, Reference, Refused, Servers, Text, TextMap, TextOr, Texts,
};

/// Longer texts are not shown.
const MAX_SHOWN: usize = 40;

/// What stands in place of what is wanted: where that is one of some words, the word that it is. Other texts may be keys.
pub(super) fn instead(node: &JsonNode, wanted: &str) -> String {
    match node.text().filter(|text| wanted.starts_with("one of ") && text.len() <= MAX_SHOWN) {
        Some(text) => format!("`{text}`"),
        None => format!("a {}", node.type_name()),
    }
}

/// What is wrong with a value that `subject` names. A list of rules under `permissions` is right for V2.
pub(super) fn told(subject: &str, node: &JsonNode, wanted: &str) -> String {
    match wanted == settings::OF_V2 && node.is_array() {
        true => {
            "`permissions` with a list of rules is the form of opencode V2, and opencode 1.x stops at it".to_owned()
        }
        false => format!("{subject} must be {wanted}, not {}", instead(node, wanted)),
    }
}

/// The first value that does not have its shape, and what it must be.
pub(super) fn problem(node: &JsonNode, shape: SettingShape) -> Option<(&JsonNode, String)> {
    let must_be = |is_right: bool, what: &str| (!is_right).then(|| (node, what.to_owned()));
    match shape {
        Text => must_be(node.text().is_some(), "a string"),
        Bool => must_be(node.bool().is_some(), "a boolean"),
        Number => must_be(node.number().is_some(), "a number"),
        OneOf(words) => {
            let is_right = node.text().is_some_and(|text| words.contains(&text));
            (!is_right).then(|| (node, format!("one of {}", words.join(", "))))
        }
        Count => must_be(whole(node).is_some(), "a whole number"),
        Positive => must_be(whole(node).is_some_and(|number| number > 0.0), "a whole number above 0"),
        Color => must_be(node.text().is_some_and(is_color), "a colour: # with six digits, or one of its names"),
        Texts => list(node, |item| problem(item, Text)),
        ListOf(words) => list(node, |item| problem(item, OneOf(words))),
        TextMap => map(node, |value| problem(value, Text)),
        BoolMap => map(node, |value| problem(value, Bool)),
        Map(shape) => map(node, |value| problem(value, *shape)),
        Object(keys) => object(node, keys),
        Needing(needed, keys) => object(node, keys).or_else(|| {
            let missing = needed.iter().find(|key| node.get(key).is_none())?;
            Some((node, format!("an object with `{missing}`")))
        }),
        Agents => map(node, |agent| match agent.get("permissions") {
            Some(key) => problem(key, settings::PERMISSIONS),
            None => problem(agent, settings::AGENT),
        }),
        LanguageServers => language_servers(node),
        Reference => {
            let is_right = ["path", "repository"].iter().any(|key| node.get(key).and_then(JsonNode::text).is_some());
            must_be(is_right || node.text().is_some(), "a string, or an object with `path` or `repository`")
        }
        Refused(instead) => Some((node, instead.to_owned())),
        TextOr(shape) => node.text().is_none().then(|| problem(node, *shape)).flatten(),
        BoolOr(shape) => node.bool().is_none().then(|| problem(node, *shape)).flatten(),
        FalseOr(shape) => (node.bool() != Some(false)).then(|| problem(node, *shape)).flatten(),
        BoolOrWord(word) => {
            let is_right = node.bool().is_some() || node.text() == Some(word);
            (!is_right).then(|| (node, format!("a boolean or {word}")))
        }
        Plugins => list(node, |item| match &item.value {
            JsonValue::Array(pair) => {
                let is_right = matches!(&pair[..], [name, options] if name.text().is_some() && options.is_object());
                (!is_right).then(|| (item, "a string, or a string with an object".to_owned()))
            }
            _ => problem(item, Text),
        }),
        Permission => {
            if node.text().is_some() {
                problem(node, OneOf(settings::ACTIONS))
            } else {
                map(node, permission)
            }
        }
        Servers => servers(node),
    }
}

fn list(node: &JsonNode, check: impl Fn(&JsonNode) -> Option<(&JsonNode, String)>) -> Option<(&JsonNode, String)> {
    if !node.is_array() {
        return Some((node, "a list".to_owned()));
    }
    node.items().iter().take(MAX_ENTRIES).find_map(check)
}

fn map(node: &JsonNode, check: impl Fn(&JsonNode) -> Option<(&JsonNode, String)>) -> Option<(&JsonNode, String)> {
    if !node.is_object() {
        return Some((node, "an object".to_owned()));
    }
    node.effective().into_iter().take(MAX_ENTRIES).find_map(|member| check(&member.value))
}

fn object<'n>(node: &'n JsonNode, keys: &[(&str, SettingShape)]) -> Option<(&'n JsonNode, String)> {
    if !node.is_object() {
        return Some((node, "an object".to_owned()));
    }
    keys.iter().find_map(|(key, shape)| problem(node.get(key)?, *shape))
}

/// A number without a fraction, from 0 on.
fn whole(node: &JsonNode) -> Option<f64> {
    node.number().filter(|number| *number >= 0.0 && number.fract() == 0.0 && number.is_finite())
}

fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) || settings::COLORS.contains(&text)
}

/// Language servers: one that the agent does not know must say for which files it is, unless it is switched off.
fn language_servers(node: &JsonNode) -> Option<(&JsonNode, String)> {
    if !node.is_object() {
        return Some((node, "an object".to_owned()));
    }
    node.effective().into_iter().take(MAX_ENTRIES).find_map(|member| {
        let server = &member.value;
        if server.get("disabled").and_then(JsonNode::bool) == Some(true) {
            return None;
        }
        let is_known = settings::KNOWN_SERVERS.contains(&member.key.as_str());
        problem(server, settings::LANGUAGE_SERVER).or_else(|| {
            let is_right = is_known || server.get("extensions").is_some();
            (!is_right).then(|| (server, "an object with `extensions`".to_owned()))
        })
    })
}

/// A rule for one tool: an action, or actions by patterns.
fn permission(node: &JsonNode) -> Option<(&JsonNode, String)> {
    match node.is_object() {
        true => map(node, |value| problem(value, OneOf(settings::ACTIONS))),
        false => problem(node, OneOf(settings::ACTIONS)),
    }
}

/// Servers; those under `servers`, as the next release has it, are dropped one by one where they are wrong.
fn servers(node: &JsonNode) -> Option<(&JsonNode, String)> {
    if !node.is_object() {
        return Some((node, "an object".to_owned()));
    }
    let timeout = |member: &JsonMember| member.key == "timeout" && member.value.is_object();
    let own = node.effective().into_iter().filter(|member| !is_list(member) && !timeout(member));
    own.take(MAX_ENTRIES).find_map(|member| server(&member.value))
}

/// A server: a local or a remote one, or an object that switches one of another file on or off.
fn server(node: &JsonNode) -> Option<(&JsonNode, String)> {
    let is_switch = node.get("enabled").and_then(JsonNode::bool).is_some();
    server_defect(node).filter(|_| !is_switch)
}

/// Why an object is no server. With `enabled` it is then read as a switch, and the agent starts without a word.
pub(super) fn server_defect(node: &JsonNode) -> Option<(&JsonNode, String)> {
    let (keys, needed): (&[(&str, SettingShape)], &str) = match node.get("type").map(JsonNode::text) {
        Some(Some("local")) => (settings::LOCAL, "command"),
        Some(Some("remote")) => (settings::REMOTE, "url"),
        _ => return Some((node, "an object with the `type` local or remote".to_owned())),
    };
    match node.get(needed) {
        Some(_) => object(node, keys),
        None => Some((node, format!("an object with `{needed}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    #[test]
    fn rules_of_the_next_major_version_are_told_as_such() {
        let said = |text: &str| {
            let node = json::parse(text, JsonGrammar::RELAXED).expect("it is JSON");
            let (wrong, wanted) = problem(&node, settings::SETTINGS).expect("it is wrong");
            told("this", wrong, &wanted)
        };
        let rules = r#"[{"action": "bash", "resource": "*", "effect": "ask"}]"#;
        let want = "`permissions` with a list of rules is the form of opencode V2, and opencode 1.x stops at it";
        assert_eq!(said(&format!(r#"{{"permissions": {rules}}}"#)), want);
        assert_eq!(said(&format!(r#"{{"agent": {{"x": {{"permissions": {rules}}}}}}}"#)), want);
        assert!(said(r#"{"permissions": {}}"#).starts_with("this must be `permission`"));
    }

    #[test]
    fn settings_have_their_shapes() {
        let check = |text: &str, is_right: bool| {
            let node = json::parse(text, JsonGrammar::RELAXED).expect("it is JSON");
            assert_eq!(problem(&node, settings::SETTINGS).is_none(), is_right, "{text}");
        };
        for right in [
            r#"{"mcpServers": 5, "permission": "ask"}"#,
            r#"{"permission": {"Bash": "deny", "bash": {"git *": "allow"}}}"#,
            r#"{"mcp": {"a": {"type": "local", "command": ["b"], "foo": 1}, "c": {"enabled": false}}}"#,
            r#"{"plugin": ["a", ["b", {}]], "formatter": false, "lsp": {"x": {"disabled": true}}}"#,
            r##"{"agent": {"x": {"color": "#ff0000", "steps": 3}}, "subagent_depth": 0}"##,
            r#"{"lsp": {"gopls": {"command": ["a"]}, "x": {"command": ["a"], "extensions": []}}}"#,
            r#"{"reference": {"a": "b", "c": {"path": "d"}}, "provider": {"p": {"options": {"timeout": false}}}}"#,
        ] {
            check(right, true);
        }
        for wrong in [
            "[]",
            r#"{"mcp": []}"#,
            r#"{"mcp": {"a": {"command": ["b"]}}}"#,
            r#"{"mcp": {"a": {"type": "local", "command": "b"}}}"#,
            r#"{"permission": {"bash": "maybe"}}"#,
            r#"{"instructions": "TEAM.md"}"#,
            r#"{"autoupdate": "never"}"#,
            r#"{"permissions": {}}"#,
            r#"{"agent": {"x": {"permissions": []}}}"#,
            r#"{"agent": {"x": {"color": "red"}}}"#,
            r#"{"agent": {"x": {"steps": 0}}}"#,
            r#"{"subagent_depth": -1}"#,
            r#"{"command": {"x": {"description": "no template"}}}"#,
            r#"{"lsp": {"x": {"command": ["a"]}}}"#,
            r#"{"layout": "wide"}"#,
            r#"{"provider": {"p": {"options": {"timeout": -1}}}}"#,
            r#"{"provider": {"p": {"models": {"m": {"cost": {"input": 1}}}}}}"#,
            r#"{"mcp": {"a": {"type": "local", "command": ["b"], "cwd": 5}}}"#,
            r#"{"mcp": {"a": {"type": "local", "command": ["b"], "timeout": 1.5}}}"#,
        ] {
            check(wrong, false);
        }
    }
}
