//! MCP servers of opencode's settings: of several files with one name the most decisive, switched on and off by any of them.

use super::schema::{self, SettingShape};
use super::{OpencodeRuns, OpencodeSettings};
use crate::agents::shared::runs::names;
use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::agents::shared::runs::transports;
use crate::agents::shared::runs::{DroppedScope, Moment, RunKind, SettingPlace};
use crate::base::text::spelling_core;
use crate::parse::json::{JsonMember, JsonNode};
use std::collections::{BTreeMap, BTreeSet};

/// Keys of objects and lists that many write in the plural or the singular.
const CONTAINERS: [&str; 7] = ["agent", "command", "formatter", "instructions", "plugin", "provider", "skills"];

impl OpencodeRuns<'_, '_> {
    /// The local and remote servers of all files.
    pub(super) fn read_servers(&mut self) {
        let mut switches: BTreeMap<&str, bool> = BTreeMap::new();
        let mut servers: BTreeMap<&str, (&OpencodeSettings, &JsonNode)> = BTreeMap::new();
        let mut wrong = Vec::new();
        for file in &self.files {
            // Servers in the next release's list may have other values.
            let list = file.root.get("mcp").and_then(|own| own.member("servers")).filter(|member| is_list(member));
            let list = list.map(|list| list.value.span);
            for server in named_servers(&file.root) {
                let disabled = server.value.get("disabled").and_then(JsonNode::bool);
                let switch = server.value.get("enabled").and_then(JsonNode::bool).or(disabled.map(|is_off| !is_off));
                if let Some(switch) = switch {
                    switches.insert(&server.key, switch);
                }
                let is_own =
                    list.is_none_or(|list| server.key_span.end <= list.start || list.end <= server.key_span.start);
                let is_typed = matches!(server.value.get("type").and_then(JsonNode::text), Some("local" | "remote"));
                match schema::server_defect(&server.value).filter(|_| is_own || !is_typed) {
                    None => _ = servers.insert(&server.key, (file, &server.value)),
                    Some(defect) if is_own && switch != Some(false) && is_meant(&server.value) => {
                        wrong.push((file.text.place(defect.0.span), words(&server.value, &defect)));
                    }
                    Some(_) => {}
                }
            }
        }
        let (mut found, mut dropped) = (Vec::new(), Vec::new());
        for (name, (file, server)) in &servers {
            let place = file.text.place(server.span);
            if switches.get(name) == Some(&false) {
                dropped.push((place, (*name).to_owned(), "is switched off"));
                continue;
            }
            let directory = server.get("cwd").and_then(JsonNode::text).map(|cwd| self.substituted(file, cwd));
            let path = directory.as_ref().map(|cwd| self.reader.out.start.resolve(cwd.as_bytes()));
            let top = self.root.as_ref().unwrap_or(&self.reader.out.start);
            if path.is_some_and(|path| path.is_within(top) && self.reader.world.file_type(&path).is_none()) {
                dropped.push((place, (*name).to_owned(), "has a directory that is not there"));
                continue;
            }
            let is_remote = server.get("type").and_then(JsonNode::text) == Some("remote");
            let words = match server.get(if is_remote { "url" } else { "command" }) {
                Some(list) if list.is_array() => list.items(),
                Some(url) => std::slice::from_ref(url),
                None => &[],
            };
            let words = words.iter().take(MAX_ENTRIES).filter_map(JsonNode::text);
            let command: Vec<String> = words.map(|word| self.substituted(file, word)).collect();
            let given = transports::given(server, is_remote, "environment", &["headers"]);
            let directory = directory.filter(|cwd| !is_remote && !cwd.is_empty());
            found.push((RunKind::Server { name: (*name).to_owned(), command, is_remote, directory, given }, place));
        }
        for (kind, place) in found {
            self.push(Moment::Start, kind, place, None);
        }
        for (place, why) in wrong {
            self.reader.drop(place, why, DroppedScope::Server, false);
        }
        for (place, name, why) in dropped {
            self.reader.drop_server(place, &name, format!("the server {name} {why}"), DroppedScope::Entry);
        }
    }

    /// Put on record keys that do nothing and were meant as others.
    pub(super) fn drop_dead_settings(&mut self) {
        let SettingShape::Object(known) = schema::settings::SETTINGS else { return };
        let known: Vec<(&'static str, &'static [&'static str])> =
            known.iter().map(|(name, _)| (*name, &[][..])).collect();
        for file in &self.files {
            let keys = names::dead_keys(&file.root, &known, &CONTAINERS, &[]);
            self.reader.drop_dead_keys(&file.text, keys);
        }
    }

    /// Servers under the key that other agents have for them.
    pub(super) fn drop_foreign_servers(&mut self) {
        let is_servers = |member: &&JsonMember| {
            let name = spelling_core(&member.key);
            (name == "mcpservers" || name == "mcpserver") && !member.value.members().is_empty()
        };
        let all = self.files.iter().flat_map(|file| file.root.members().iter().map(move |member| (file, member)));
        let servers = all.filter(|(_, member)| is_servers(member));
        let places: Vec<SettingPlace> = servers.map(|(file, servers)| file.text.place(servers.key_span)).collect();
        for place in places {
            self.reader.drop(place, "servers stand under `mcp`", DroppedScope::Key, false);
        }
    }
}

/// Whether this is meant as a server, and not to switch one of another file.
fn is_meant(server: &JsonNode) -> bool {
    ["command", "url"].iter().any(|key| server.get(key).is_some())
}

/// What is wrong with a server.
fn words(server: &JsonNode, (node, wanted): &(&JsonNode, String)) -> String {
    let is_around = |member: &&JsonMember| {
        let span = member.value.span;
        span.start <= node.span.start && node.span.end <= span.end
    };
    let instead = schema::instead(node, wanted);
    match server.members().iter().find(is_around) {
        Some(member) if member.value.span == node.span => {
            format!("`{}` must be {wanted}, not {instead}", member.key)
        }
        Some(member) => format!("in `{}` there must be {wanted}, not {instead}", member.key),
        None => format!("a server is {wanted}"),
    }
}

/// The servers under `mcp`, and those under `mcp.servers`, as the next release has it.
fn named_servers(root: &JsonNode) -> Vec<&JsonMember> {
    let all = root.get("mcp").map(JsonNode::effective).unwrap_or_default();
    let (lists, mut found): (Vec<_>, Vec<_>) = all.into_iter().partition(|member| is_list(member));
    let known: BTreeSet<&str> = found.iter().map(|member| member.key.as_str()).collect();
    let inner = lists.into_iter().flat_map(|list| list.value.effective());
    let inner: Vec<&JsonMember> = inner.filter(|member| !known.contains(member.key.as_str())).collect();
    found.extend(inner);
    found.truncate(MAX_ENTRIES);
    found
}

/// Whether this is no server but an object of them.
pub(super) fn is_list(member: &JsonMember) -> bool {
    let is_field = |key: &&str| member.value.get(key).is_some_and(|value| !value.is_object());
    member.key == "servers" && member.value.is_object() && !["type", "enabled"].iter().any(is_field)
}
