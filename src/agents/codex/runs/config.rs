//! Codex' config of a project: servers, environment, and the settings that it honours or ignores. A wrong type of what it knows
//! keeps it from starting.

use super::{CodexRuns, types};
use crate::agents::shared::runs::names::misspelled;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText, javascript_string, of_toml};
use crate::agents::shared::runs::transports;
use crate::agents::shared::runs::types::ValueType;
use crate::agents::shared::runs::{Approval, DroppedScope, Moment, RunKind, SentData};
use crate::base::text::Span;
use crate::parse::json::{JsonMember, JsonNode, JsonValue};
use crate::world::AbsPath;
use std::collections::{BTreeMap, BTreeSet};

/// A config that takes effect.
pub(super) struct CodexConfig {
    pub(super) layer: AbsPath,
    pub(super) text: SettingsText,
    pub(super) root: JsonNode,
}

/// Keys that a project's config cannot set; the agent says so.
const IGNORED: [&str; 9] = [
    "chatgpt_base_url",
    "experimental_realtime_ws_base_url",
    "model_provider",
    "model_providers",
    "notify",
    "openai_base_url",
    "otel",
    "profile",
    "profiles",
];
/// Keys that it honours and that decide what the agent may do or is told, with what they may say.
const HONOURED: [(&str, &[&str]); 6] = [
    ("approval_policy", &["untrusted", "on-failure", "on-request", "granular", "never"]),
    ("developer_instructions", &[]),
    ("model", &[]),
    ("model_instructions_file", &[]),
    ("model_reasoning_effort", &[]),
    ("sandbox_mode", &["read-only", "workspace-write", "danger-full-access"]),
];

/// How many servers a config has that is not read.
pub(super) fn servers_in(text: &SettingsText) -> usize {
    let root = of_toml(&text.text).ok();
    root.as_ref().and_then(|root| root.get("mcp_servers")).map_or(0, |servers| servers.members().len())
}

impl CodexRuns<'_, '_> {
    /// The configs of all layers. Of several values the one nearest to the start directory counts.
    pub(super) fn read_configs(&mut self, layers: &[AbsPath]) -> Vec<CodexConfig> {
        let mut configs = Vec::new();
        for layer in layers {
            let text = match SettingsText::read_strictly(self.reader.world, &layer.join("config.toml")) {
                Some(Ok(text)) => text,
                Some(Err(text)) => {
                    self.refuse(text.place_at(0), "the file is not UTF-8");
                    continue;
                }
                None => continue,
            };
            match of_toml(&text.text) {
                Ok(root) => {
                    if let Some((span, why)) = types::problem(&root) {
                        self.refuse(text.place(span), why);
                    }
                    configs.push(CodexConfig { layer: layer.clone(), text, root });
                }
                Err((at, why)) => {
                    let why = why.lines().next().unwrap_or_default().to_owned();
                    self.refuse(text.place_at(at), format!("the file is not valid TOML: {why}"));
                }
            }
        }
        // The second is the older name.
        let switch = |config: &CodexConfig| {
            let found =
                ["hooks", "codex_hooks"].map(|name| config.root.at(&["features", name]).and_then(JsonNode::bool));
            found[0].or(found[1])
        };
        self.without_hooks = configs.iter().rev().find_map(switch) == Some(false);
        let (mut seen, mut servers) = (BTreeSet::new(), BTreeSet::new());
        let tables: Vec<BTreeMap<&str, &JsonNode>> = configs.iter().map(servers_by_name).collect();
        for (at, config) in configs.iter().enumerate().rev() {
            for member in config.root.members().iter().take(MAX_ENTRIES) {
                self.read_key(config, member, &mut seen);
            }
            let known: Vec<&'static str> =
                types::top_keys().chain(HONOURED.iter().map(|(key, _)| *key)).chain(IGNORED).collect();
            let slips = misspelled(&config.root, &known, &["mcp_servers"]);
            let mut told: Vec<&str> = slips.iter().map(|(member, _)| member.key.as_str()).collect();
            told.extend(IGNORED);
            self.drop_unknown_keys(config, &told);
            for (member, right) in slips {
                let why = (format!("the key is called `{right}`"), Some(right.to_owned()));
                self.reader.drop_misspelled(config.text.place(member.key_span), why, DroppedScope::Key, true);
            }
            self.read_environment(config, &mut seen);
            let found = config.root.get("mcp_servers").map(JsonNode::members).unwrap_or_default();
            for server in found.iter().take(MAX_ENTRIES) {
                if servers.insert(server.key.clone()) {
                    self.read_server(config, &merged(server, &tables[..at]));
                }
            }
        }
        configs
    }

    fn read_key(&mut self, config: &CodexConfig, member: &JsonMember, seen: &mut BTreeSet<String>) {
        let key = member.key.as_str();
        if IGNORED.contains(&key) {
            let why = format!("a project's config cannot set `{key}`");
            return self.drop(config.text.place(member.key_span), why, DroppedScope::Key, true);
        }
        let Some((_, choices)) = HONOURED.iter().find(|(name, _)| *name == key) else { return };
        let place = config.text.place(member.value.span);
        match member.value.text() {
            // Granular approval is a table.
            None if key == "approval_policy" && member.value.is_object() => {}
            None => {
                let why = format!("`{key}` must be a string, not {}", member.value.type_with_article());
                return self.refuse(place, why);
            }
            Some(value) if !choices.is_empty() && !choices.contains(&value) => {
                return self.refuse(place, format!("`{key}` must be one of {}", choices.join(", ")));
            }
            Some(_) => {}
        }
        // A path out of the folder depends on the machine.
        let named =
            member.value.text().filter(|path| key == "model_instructions_file" && !path.starts_with(['/', '~']));
        if named.is_some_and(|file| !self.reader.world.is_file(&config.layer.resolve(file.as_bytes()))) {
            return self.refuse(place, "the file that `model_instructions_file` names is not there");
        }
        if seen.insert(member.key.clone()) {
            let kind = RunKind::Setting { key: member.key.clone(), value: member.value.plain().to_string() };
            self.push(Moment::Start, kind, place, Approval::Folder);
        }
    }

    /// Variables of the commands that the model runs.
    fn read_environment(&mut self, config: &CodexConfig, seen: &mut BTreeSet<String>) {
        let variables = config.root.at(&["shell_environment_policy", "set"]);
        for member in variables.map(JsonNode::members).unwrap_or_default().iter().take(MAX_ENTRIES) {
            if seen.insert(format!("shell_environment_policy.{}", member.key)) {
                let kind = RunKind::Variable { name: member.key.clone(), value: javascript_string(&member.value) };
                self.push(Moment::Tool, kind, config.text.place(member.value.span), Approval::Folder);
            }
        }
    }

    fn read_server(&mut self, config: &CodexConfig, server: &JsonMember) {
        let place = config.text.place(server.key_span);
        let is_off = server.value.get("enabled").and_then(JsonNode::bool) == Some(false);
        if is_off && server.value.members().len() == 1 {
            let why = "`enabled` is false: this switches off a server of this name in the user's settings; without such a server the \
                       agent does not start";
            return self.drop(place, why, DroppedScope::Entry, false);
        }
        let (command, is_remote) = match transport(&server.value) {
            Ok(transport) => transport,
            Err((span, why)) => return self.refuse(config.text.place(span), why),
        };
        if is_off {
            return self.drop(place, "`enabled` is false", DroppedScope::Entry, false);
        }
        if server.key.is_empty() || !server.key.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.:/@".contains(&b)) {
            let why = "a server's name may contain only letters, digits and `_-.:/@`";
            return self.drop(place, why, DroppedScope::Server, false);
        }
        if let Some(variable) = server.value.get("bearer_token_env_var").filter(|_| is_remote) {
            let sent = variable.text().unwrap_or_default();
            let name = format!("bearer_token_env_var = {sent}");
            let kind = RunKind::Endpoint { name, url: command.join(" "), sends: SentData::Variable(sent.to_owned()) };
            self.push(Moment::Start, kind, config.text.place(variable.span), Approval::Folder);
        }
        let directory = transports::directory(&server.value, is_remote).map(str::to_owned);
        let given = transports::given(&server.value, is_remote, "env", &["http_headers", "env_http_headers"]);
        let kind = RunKind::Server { name: server.key.clone(), command, is_remote, directory, given };
        self.push(Moment::Start, kind, place, Approval::Folder);
    }
}

/// The servers of a config.
fn servers_by_name(config: &CodexConfig) -> BTreeMap<&str, &JsonNode> {
    let servers = config.root.get("mcp_servers").map(JsonNode::members).unwrap_or_default();
    servers.iter().take(MAX_ENTRIES).map(|server| (server.key.as_str(), &server.value)).collect()
}

/// A server with what the configs above say of it and its own does not.
fn merged(server: &JsonMember, above: &[BTreeMap<&str, &JsonNode>]) -> JsonMember {
    let mut server = server.clone();
    let above = above.iter().rev().filter_map(|servers| servers.get(server.key.as_str())).collect::<Vec<_>>();
    if let JsonValue::Object(members) = &mut server.value.value {
        let mut names: BTreeSet<String> = members.iter().map(|member| member.key.clone()).collect();
        for member in above.into_iter().flat_map(|server| server.members()).take(MAX_ENTRIES) {
            if names.insert(member.key.clone()) {
                members.push(member.clone());
            }
        }
    }
    server
}

/// The first field of a server of a wrong type, or one that its transport does not have.
fn field_fault(server: &JsonNode, is_remote: bool) -> Option<TypeFault> {
    for (required, fields) in types::SERVER_FIELDS {
        for field in *fields {
            if let Some(node) = server.get(field).filter(|node| !required.fits(node)) {
                return Some(wrong(node, field, *required));
            }
        }
    }
    let foreign: &[&str] = match is_remote {
        true => &["args", "bearer_token", "cwd", "env"],
        false => &["bearer_token", "bearer_token_env_var", "http_headers"],
    };
    let found = foreign.iter().find_map(|field| server.member(field))?;
    let kind = if is_remote { "with `url`" } else { "with `command`" };
    Some((found.key_span, format!("a server {kind} has no `{}`", found.key)))
}

/// A value of a wrong type: its place, and why the agent does not start.
type TypeFault = (Span, String);

/// The program with its arguments or the URL, and whether it is the latter.
fn transport(server: &JsonNode) -> Result<(Vec<String>, bool), TypeFault> {
    let text = |key: &str| match server.get(key) {
        Some(node) => node.text().map(Some).ok_or_else(|| wrong(node, key, ValueType::Text)),
        None => Ok(None),
    };
    let (command, url) = (text("command")?, text("url")?);
    if let Some(fault) = field_fault(server, url.is_some()) {
        return Err(fault);
    }
    match (command, url) {
        (Some(_), Some(_)) => Err((server.span, "a server has `command` or `url`, not both".to_owned())),
        (None, None) => Err((server.span, "the server has neither `command` nor `url`".to_owned())),
        (None, Some(url)) => Ok((vec![url.to_owned()], true)),
        (Some(command), None) => {
            let mut out = vec![command.to_owned()];
            if let Some(arguments) = server.get("args") {
                let other = arguments.items().iter().find(|item| item.text().is_none());
                if let Some(wrong_node) = other.or_else(|| (!arguments.is_array()).then_some(arguments)) {
                    return Err(wrong(wrong_node, "args", ValueType::Texts));
                }
                out.extend(arguments.items().iter().filter_map(JsonNode::text).map(str::to_owned));
            }
            Ok((out, false))
        }
    }
}

fn wrong(node: &JsonNode, key: &str, required: ValueType) -> TypeFault {
    (node.span, required.mismatch(key, node, types::OBJECT))
}
