//! MCP servers of GitHub Copilot CLI: `.mcp.json`, or `.github/mcp.json` where there is none, in the directories from the start
//! up to the root; of several with one name the nearest. A bad server is dropped alone, and only the log says so.

use super::CopilotRuns;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::transports;
use crate::agents::shared::runs::{Approval, DroppedScope, Moment, RunItem, RunKind, variables};
use crate::env::Env;
use crate::parse::json::{JsonGrammar, JsonMember, JsonNode};
use std::collections::BTreeSet;

/// Where a server is asked for.
pub(super) struct CopilotServerHost<'h> {
    pub(super) approval: Approval,
    pub(super) moment: Moment,
    /// The custom agent that must be started for it.
    pub(super) on_use_of: Option<&'h str>,
}

impl CopilotRuns<'_, '_> {
    /// The servers of the repository, then the user's.
    pub(super) fn read_servers(&mut self) {
        let mut seen = BTreeSet::new();
        if let Some(approval) = self.approval("GITHUB_COPILOT_PROMPT_MODE_WORKSPACE_MCP") {
            for directory in self.directories() {
                let world = self.reader.world;
                let paths = [".mcp.json", ".github/mcp.json"].map(|name| directory.join(name));
                let text = paths.iter().find_map(|path| SettingsText::read_with_mark(world, path));
                if let Some(text) = text {
                    self.read_server_file(&text, approval, &mut seen);
                }
            }
        }
        let user = self.home.as_ref().map(|home| home.join("mcp-config.json"));
        if let Some(text) = user.and_then(|path| SettingsText::read_with_mark(self.reader.world, &path)) {
            self.read_server_file(&text, Approval::Nobody, &mut seen);
        }
    }

    fn read_server_file(&mut self, text: &SettingsText, approval: Approval, seen: &mut BTreeSet<String>) {
        let problem = match text.json(JsonGrammar::STRICT) {
            Ok(root) => match servers(&root) {
                Some(servers) => {
                    for server in servers.effective().into_iter().take(MAX_ENTRIES) {
                        if !seen.insert(server.key.clone()) {
                            let why = "a nearer file has a server of this name";
                            self.reader.drop(text.place(server.key_span), why, DroppedScope::Entry, false);
                            continue;
                        }
                        let host = CopilotServerHost { approval, moment: Moment::Start, on_use_of: None };
                        self.read_server(text, server, &host);
                    }
                    return;
                }
                None if root.is_object() && root.members().is_empty() => return,
                None => (text.place(root.span), "there is no object `mcpServers`".to_owned()),
            },
            Err(problem) => (text.place_at(problem.at), format!("the file has {}", problem.kind.words())),
        };
        let lost = text.lost_servers();
        self.reader.drop(problem.0, problem.1, DroppedScope::File(lost), false);
    }

    /// One server.
    pub(super) fn read_server(&mut self, text: &SettingsText, server: &JsonMember, host: &CopilotServerHost<'_>) {
        let place = text.place(server.value.span);
        let (command, is_remote) = match command(&server.key, &server.value, self.reader.world.env()) {
            Ok(found) => found,
            Err(why) => return self.reader.drop(place, why, DroppedScope::Server, false),
        };
        let directory = transports::directory(&server.value, is_remote).map(str::to_owned);
        let given = transports::given(&server.value, is_remote, "env", &["headers"]);
        let kind = RunKind::Server { name: server.key.clone(), command, is_remote, directory, given };
        let on_use_of = host.on_use_of.map(str::to_owned);
        let (moment, approval) = (host.moment, host.approval);
        self.reader.out.items.push(RunItem { moment, kind, place, approval, on_use_of });
    }
}

/// The object of servers: `mcpServers`, or the whole file where it holds servers and no such key.
pub(super) fn servers(root: &JsonNode) -> Option<&JsonNode> {
    match root.get("mcpServers") {
        Some(servers) => servers.is_object().then_some(servers),
        None => {
            let is_server = |member: &JsonMember| ["command", "url"].iter().any(|key| member.value.get(key).is_some());
            root.members().iter().any(is_server).then_some(root)
        }
    }
}

/// The program with its arguments or the URL, and whether it is the latter; or why the server is dropped.
fn command(name: &str, server: &JsonNode, env: &Env) -> Result<(Vec<String>, bool), String> {
    let is_path = name.starts_with('/') || name.ends_with('/') || name.contains("//");
    if name.trim().is_empty() || is_path || name.contains(|c: char| c.is_control() || c == '}') {
        return Err("the server has no valid name".to_owned());
    }
    if !server.is_object() {
        return Err(format!("a server must be an object, not {}", server.type_with_article()));
    }
    let kind = match server.get("type") {
        None if server.get("command").is_some() => "local",
        None if server.get("url").is_some() => "http",
        None => return Err("the server has neither `command` nor `url`".to_owned()),
        Some(kind) => kind.text().unwrap_or_default(),
    };
    for key in ["env", "headers"] {
        let object = server.get(key);
        let is_wrong = |object: &JsonNode| {
            !object.is_object() || object.members().iter().any(|member| member.value.text().is_none())
        };
        if object.is_some_and(is_wrong) {
            return Err(format!("`{key}` must be an object of strings"));
        }
    }
    let list = |key: &str| match server.get(key) {
        None => Ok(Vec::new()),
        Some(list) => {
            let items: Vec<String> = list.items().iter().filter_map(JsonNode::text).map(str::to_owned).collect();
            let is_right = list.is_array() && items.len() == list.items().len();
            is_right.then_some(items).ok_or_else(|| format!("`{key}` must be a list of strings"))
        }
    };
    list("tools")?;
    if server.get("disabled").and_then(JsonNode::bool) == Some(true) {
        return Err("`disabled` is true".to_owned());
    }
    if server.get("cwd").is_some_and(|directory| directory.text().is_none()) {
        return Err("`cwd` must be a string".to_owned());
    }
    if server.get("timeout").is_some_and(|timeout| !timeout.number().is_some_and(|time| time > 0.0)) {
        return Err("`timeout` must be a number above 0".to_owned());
    }
    let text = |key: &str| match server.get(key) {
        None => Err(format!("the server has no `{key}`")),
        Some(value) => value
            .text()
            .map(str::to_owned)
            .ok_or_else(|| format!("`{key}` must be a string, not {}", value.type_with_article())),
    };
    let (mut command, is_remote) = match kind {
        "local" | "stdio" => (vec![text("command")?], false),
        "http" | "sse" | "streamable-http" => (vec![text("url")?], true),
        _ => return Err("`type` must be local, stdio, http or sse".to_owned()),
    };
    let arguments = list("args")?;
    if !is_remote {
        command.extend(arguments);
    }
    Ok((command.iter().map(|word| variables::resolved(word, env, true)).collect(), is_remote))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json;

    #[test]
    fn servers_are_accepted_as_observed() {
        let check = |text: &str, expected: Option<bool>| {
            let node = json::parse(text, JsonGrammar::STRICT).expect("it is JSON");
            assert_eq!(command("s", &node, &Env::empty()).ok().map(|(_, is_remote)| is_remote), expected, "{text}");
        };
        check(r#"{"command": "a", "args": ["b"]}"#, Some(false));
        check(r#"{"command": "a", "url": "https://x"}"#, Some(false));
        check(r#"{"url": "https://x"}"#, Some(true));
        for bad in [
            "null",
            r#"{"args": ["b"]}"#,
            r#"{"command": ["a"]}"#,
            r#"{"command": "a", "args": "b"}"#,
            r#"{"command": "a", "env": {"A": 5}}"#,
            r#"{"type": "ftp", "command": "a"}"#,
            r#"{"type": "http", "command": "a"}"#,
            r#"{"command": "a", "disabled": true}"#,
            r#"{"command": "a", "cwd": 5}"#,
            r#"{"command": "a", "timeout": "5"}"#,
            r#"{"command": "a", "timeout": -5}"#,
        ] {
            check(bad, None);
        }
        let bare = json::parse(r#"{"servers": {"s": {"command": "a"}}}"#, JsonGrammar::STRICT).expect("it is JSON");
        assert!(servers(&bare).is_none());
    }
}
