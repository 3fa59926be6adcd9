//! What opencode's settings must be: one value of a wrong type, at any known place, and the agent does not start. Unknown keys are
//! passed over without a word.

use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::parse::json::{JsonNode, JsonValue};

/// A shape that a value must have.
#[derive(Clone, Copy)]
pub(super) enum SettingShape {
    Text,
    Bool,
    Number,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    Texts,
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
    /// `false`, or such a value.
    FalseOr(&'static SettingShape),
    /// `true` or `false`, or this string.
    BoolOrWord(&'static str),
    /// A list of strings, or of pairs of a string and an object.
    Plugins,
    Permission,
    Server,
}

use SettingShape::{
    Bool, BoolMap, BoolOr, BoolOrWord, FalseOr, Map, Number, Object, OneOf, Permission, Plugins, Server, Text, TextMap,
    Texts,
};

/// What a rule about a tool may say.
pub(super) const ACTIONS: &[&str] = &["ask", "allow", "deny"];

const AGENT: SettingShape = Object(&[
    ("model", Text),
    ("prompt", Text),
    ("description", Text),
    ("temperature", Number),
    ("top_p", Number),
    ("disable", Bool),
    ("mode", OneOf(&["subagent", "primary", "all"])),
    ("tools", BoolMap),
    ("permission", Permission),
]);
const COMMAND: SettingShape =
    Object(&[("template", Text), ("description", Text), ("agent", Text), ("model", Text), ("subtask", Bool)]);
const PROVIDER: SettingShape = Object(&[
    ("api", Text),
    ("name", Text),
    ("env", Texts),
    ("id", Text),
    ("npm", Text),
    ("whitelist", Texts),
    ("blacklist", Texts),
    ("options", Object(&[("apiKey", Text), ("baseURL", Text), ("enterpriseUrl", Text), ("setCacheKey", Bool)])),
    ("models", Map(&Object(&[]))),
]);
const FORMATTER: SettingShape =
    Object(&[("disabled", Bool), ("command", Texts), ("environment", TextMap), ("extensions", Texts)]);
const LANGUAGE_SERVER: SettingShape =
    Object(&[("disabled", Bool), ("command", Texts), ("env", TextMap), ("extensions", Texts)]);
const OAUTH: SettingShape = Object(&[("clientId", Text), ("clientSecret", Text), ("scope", Text)]);

/// The file.
pub(super) const SETTINGS: SettingShape = Object(&[
    ("$schema", Text),
    ("shell", Text),
    ("logLevel", OneOf(&["DEBUG", "INFO", "WARN", "ERROR"])),
    ("server", Object(&[("port", Number), ("hostname", Text), ("mdns", Bool), ("cors", Texts)])),
    ("command", Map(&COMMAND)),
    ("watcher", Object(&[("ignore", Texts)])),
    ("snapshot", Bool),
    ("plugin", Plugins),
    ("share", OneOf(&["manual", "auto", "disabled"])),
    ("autoshare", Bool),
    ("autoupdate", BoolOrWord("notify")),
    ("disabled_providers", Texts),
    ("enabled_providers", Texts),
    ("model", Text),
    ("small_model", Text),
    ("default_agent", Text),
    ("username", Text),
    ("mode", Map(&AGENT)),
    ("agent", Map(&AGENT)),
    ("provider", Map(&PROVIDER)),
    ("mcp", Map(&Server)),
    ("formatter", BoolOr(&Map(&FORMATTER))),
    ("lsp", BoolOr(&Map(&LANGUAGE_SERVER))),
    ("instructions", Texts),
    ("permission", Permission),
    ("tools", BoolMap),
    ("enterprise", Object(&[("url", Text)])),
    ("compaction", Object(&[("auto", Bool), ("prune", Bool)])),
    ("experimental", Object(&[("batch_tool", Bool), ("openTelemetry", Bool), ("primary_tools", Texts)])),
]);

const LOCAL: &[(&str, SettingShape)] =
    &[("command", Texts), ("environment", TextMap), ("enabled", Bool), ("timeout", Number)];
const REMOTE: &[(&str, SettingShape)] =
    &[("url", Text), ("headers", TextMap), ("enabled", Bool), ("oauth", FalseOr(&OAUTH)), ("timeout", Number)];

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
        Texts => list(node, |item| problem(item, Text)),
        TextMap => map(node, |value| problem(value, Text)),
        BoolMap => map(node, |value| problem(value, Bool)),
        Map(shape) => map(node, |value| problem(value, *shape)),
        Object(keys) => object(node, keys),
        BoolOr(shape) => {
            if node.bool().is_some() {
                None
            } else {
                problem(node, *shape)
            }
        }
        FalseOr(shape) => {
            if node.bool() == Some(false) {
                None
            } else {
                problem(node, *shape)
            }
        }
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
                problem(node, OneOf(ACTIONS))
            } else {
                map(node, permission)
            }
        }
        Server => server(node),
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

/// A rule for one tool: an action, or actions by patterns.
fn permission(node: &JsonNode) -> Option<(&JsonNode, String)> {
    match node.is_object() {
        true => map(node, |value| problem(value, OneOf(ACTIONS))),
        false => problem(node, OneOf(ACTIONS)),
    }
}

/// A server: a local or a remote one, or an object that switches one of another file on or off.
fn server(node: &JsonNode) -> Option<(&JsonNode, String)> {
    let is_switch = node.get("enabled").and_then(JsonNode::bool).is_some();
    let (keys, needed): (&[(&str, SettingShape)], &str) = match node.get("type").map(JsonNode::text) {
        Some(Some("local")) => (LOCAL, "command"),
        Some(Some("remote")) => (REMOTE, "url"),
        _ => return (!is_switch).then(|| (node, "an object with the `type` local or remote".to_owned())),
    };
    let found = match node.get(needed) {
        Some(_) => object(node, keys),
        None => Some((node, format!("an object with `{needed}`"))),
    };
    found.filter(|_| !is_switch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    #[test]
    fn settings_have_their_shapes() {
        let check = |text: &str, is_right: bool| {
            let node = json::parse(text, JsonGrammar::RELAXED).expect("it is JSON");
            assert_eq!(problem(&node, SETTINGS).is_none(), is_right, "{text}");
        };
        for right in [
            r#"{"mcpServers": 5, "permission": "ask"}"#,
            r#"{"permission": {"Bash": "deny", "bash": {"git *": "allow"}}}"#,
            r#"{"mcp": {"a": {"type": "local", "command": ["b"], "foo": 1}, "c": {"enabled": false}}}"#,
            r#"{"plugin": ["a", ["b", {}]], "formatter": false, "lsp": {"x": {"disabled": true}}}"#,
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
        ] {
            check(wrong, false);
        }
    }
}
