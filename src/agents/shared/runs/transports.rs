//! MCP servers in the form that two agents of one family share: `httpUrl` or `url` before `command`.

use super::reading::{MAX_ENTRIES, javascript_string};
use super::variables;
use crate::env::Env;
use crate::parse::json::{JsonMember, JsonNode, JsonValue};

/// The program with its arguments or the URL, and whether it is the latter; or why the server does not start.
pub(crate) fn command(server: &JsonNode, env: &Env, with_defaults: bool) -> Result<(Vec<String>, bool), String> {
    let given = |key: &str| server.get(key).filter(|value| is_given(value));
    let text = |value: &JsonNode, key: &str| match value.text() {
        Some(text) => Ok(variables::resolved(text, env, with_defaults)),
        None => Err(format!("`{key}` must be a string, not {}", value.type_with_article())),
    };
    for key in ["httpUrl", "url"] {
        if let Some(url) = given(key) {
            return Ok((vec![text(url, key)?], true));
        }
    }
    let program = given("command").ok_or("the server has neither `command` nor `url` nor `httpUrl`")?;
    let mut out = vec![text(program, "command")?];
    // The agent without defaults turns other values into strings.
    let is_wrong = |member: &&JsonMember| !matches!(member.value.value, JsonValue::Text(_) | JsonValue::Null);
    let variables = server.get("env").filter(|_| with_defaults).map(JsonNode::members).unwrap_or_default();
    if let Some(wrong) = variables.iter().find(is_wrong) {
        return Err(format!("the variable `{}` must be a string, not {}", wrong.key, wrong.value.type_with_article()));
    }
    // What is no list of arguments is passed over.
    let arguments = server.get("args").map(JsonNode::items).unwrap_or_default();
    out.extend(arguments.iter().map(|argument| variables::resolved(&javascript_string(argument), env, with_defaults)));
    Ok((out, false))
}

/// The variables that a server is started with, in the object `variables`, or the headers that it is sent, in those of `headers`.
pub(crate) fn given(server: &JsonNode, is_remote: bool, variables: &str, headers: &[&str]) -> Vec<(String, String)> {
    let keys = if is_remote { headers } else { std::slice::from_ref(&variables) };
    let objects = keys.iter().filter_map(|key| server.get(key));
    let members = objects.flat_map(|object| object.effective().into_iter().take(MAX_ENTRIES));
    members.map(|member| (member.key.clone(), javascript_string(&member.value))).collect()
}

/// The folder in which a server is started, where its entry names one.
pub(crate) fn directory(server: &JsonNode, is_remote: bool) -> Option<&str> {
    server.get("cwd").and_then(JsonNode::text).filter(|folder| !is_remote && !folder.is_empty())
}

/// Whether JavaScript takes a value for true.
pub(crate) fn is_given(value: &JsonNode) -> bool {
    match &value.value {
        JsonValue::Null | JsonValue::Bool(false) => false,
        JsonValue::Text(text) => !text.is_empty(),
        JsonValue::Number(number) => *number != 0.0 && !number.is_nan(),
        JsonValue::Bool(true) | JsonValue::Array(_) | JsonValue::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    #[test]
    fn servers_start_as_observed() {
        let check = |text: &str, expected: Option<(&[&str], bool)>| {
            let node = json::parse(text, JsonGrammar::STRICT).expect("it is JSON");
            let found = command(&node, &Env::empty(), true).ok();
            let expected = expected.map(|(words, remote)| (words.iter().map(ToString::to_string).collect(), remote));
            assert_eq!(found, expected, "{text}");
        };
        check(r#"{"command": "a", "args": ["b", 5]}"#, Some((&["a", "b", "5"], false)));
        check(r#"{"command": "a", "args": "b"}"#, Some((&["a"], false)));
        check(r#"{"command": "a", "url": "http://x"}"#, Some((&["http://x"], true)));
        check(r#"{"command": "a", "env": {"A": null}}"#, Some((&["a"], false)));
        check(r#"{"type": "ftp", "command": "a"}"#, Some((&["a"], false)));
        for bad in [r#"{"args": ["b"]}"#, r#"{"command": ["a"]}"#, r#"{"command": "a", "env": {"A": 5}}"#, "5"] {
            check(bad, None);
        }
    }
}
