//! References to variables in the values of servers that Claude Code does not resolve: it knows `${NAME}` and `${NAME:-DEFAULT}` alone.
//! Run on 2.1.330 in November 2026: `${client:100}`, `${NAME:+x}`, `${NAME:=x}`, `${env:NAME}`, `${input:key}` and
//! `${workspaceFolder}` reached servers as they are written, in arguments, variables, headers and the address.

use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::base::sanitize;
use crate::parse::json::JsonNode;

/// Programs that resolve references of their own in their arguments.
const SHELLS: [&str; 8] = ["bash", "cmd", "dash", "fish", "powershell", "pwsh", "sh", "zsh"];
/// What editors put in by these names, and nobody sets as a variable.
const OF_EDITORS: [&str; 4] = ["userHome", "workspaceFolder", "workspaceFolderBasename", "workspaceRoot"];
/// What other programs put in behind these words.
const OF_OTHERS: [&str; 5] = ["command", "config", "file", "input", "workspaceFolder"];

/// The strings of a server with such a reference, each with what is wrong, and the whole string as it was meant where that is certain.
pub(super) fn unknown(server: &JsonNode) -> Vec<(&JsonNode, (String, Option<String>))> {
    let command = server.get("command").and_then(JsonNode::text).unwrap_or_default();
    let program = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let is_shell = SHELLS.contains(&program.strip_suffix(".exe").unwrap_or(program));
    let plain = ["command", "url"].iter().filter_map(|key| server.get(key));
    let arguments = server.get("args").filter(|_| !is_shell).map(JsonNode::items).unwrap_or_default();
    let named = ["env", "headers"].iter().filter_map(|key| server.get(key)).flat_map(JsonNode::effective);
    let values = plain.chain(arguments).chain(named.map(|member| &member.value));
    values.take(MAX_ENTRIES).filter_map(|value| Some((value, problem(value.text()?)?))).collect()
}

/// The first such reference of a text.
fn problem(text: &str) -> Option<(String, Option<String>)> {
    let inner = text.split("${").skip(1).filter_map(|piece| Some(piece.split_once('}')?.0));
    inner.into_iter().find_map(|inner| {
        let written = format!("${{{inner}}}");
        let shown = sanitize::line(&written).into_owned();
        let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
        let (name, rest) = inner.split_at(end);
        if rest.is_empty() {
            let is_others = OF_EDITORS.contains(&name);
            return is_others.then(|| {
                (
                    format!("`{shown}` is what editors put in: a path counts from the folder where the agent starts"),
                    None,
                )
            });
        }
        let default = rest.strip_prefix(':').filter(|default| !name.is_empty() && !default.starts_with('-'))?;
        if OF_OTHERS.contains(&name) {
            return Some((format!("`{shown}` is what other programs put in: name a variable, `${{NAME}}`"), None));
        }
        // Another rule has this one.
        if name == "env" {
            return None;
        }
        if default.starts_with(['=', '?', '+']) || default.is_empty() {
            return Some((
                format!("`{shown}` is no reference to it: only `${{{name}}}` and `${{{name}:-…}}` are"),
                None,
            ));
        }
        let right = format!("${{{name}:-{default}}}");
        let meant = text.replace(&written, &right);
        Some((format!("`{shown}` is no reference to it, and `{}` is", sanitize::line(&right)), Some(meant)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    #[test]
    fn unknown_forms_are_told_with_what_was_meant() {
        let meant = |text: &str| problem(text).map(|(_, meant)| meant);
        assert_eq!(meant("${client:100}"), Some(Some("${client:-100}".to_owned())));
        assert_eq!(meant("http://x:${PORT:80}/a"), Some(Some("http://x:${PORT:-80}/a".to_owned())));
        for told in ["${A:+x}", "${A:=x}", "${A:?x}", "${A:}", "${input:key}", "${config:a.b}", "${workspaceFolder}/a"]
        {
            assert_eq!(meant(told), Some(None), "{told}");
        }
        for near_miss in
            ["${A}", "${A:-x}", "${A:-}", "$A:100", "${A-x}", "{A:1}", "${A", "${env:A}", "${a.b:1}", "${:1}"]
        {
            assert_eq!(meant(near_miss), None, "{near_miss}");
        }
    }

    #[test]
    fn a_shell_resolves_what_stands_in_its_arguments() {
        let count = |server: &str| unknown(&json::parse(server, JsonGrammar::STRICT).expect("it is JSON")).len();
        assert_eq!(count(r#"{"command": "/bin/bash", "args": ["-c", "echo ${A:+x}"]}"#), 0);
        assert_eq!(count(r#"{"command": "bash", "args": ["x"], "env": {"A": "${B:1}"}}"#), 1);
        assert_eq!(count(r#"{"command": "node", "args": ["${A:1}", "${B:-1}"], "headers": {"C": "${D:2}"}}"#), 2);
        assert_eq!(count(r#"{"type": "http", "url": "https://x.example/${A:1}"}"#), 1);
    }
}
