//! Rules about tools in opencode's settings; of several that fit the last counts. Settings of all files are merged before they become
//! rules: first what `tools` says, then `permission`, and a key keeps the place that it has from the first file that names it. Those of an
//! agent follow.

use super::{OpencodeRuns, TOOLS};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::{DroppedScope, Moment, PermissionList, RunKind, SettingPlace};
use crate::parse::json::JsonNode;

/// The agent that a session starts with.
const FIRST_AGENT: &str = "build";

/// One rule.
type OpencodeRule = (PermissionList, String, SettingPlace);

/// Rules by the key that they stand under, in order.
#[derive(Default)]
struct MergedRules(Vec<(String, Vec<OpencodeRule>)>);

impl MergedRules {
    /// Put in place of what a key has said.
    fn set(&mut self, key: &str, rules: Vec<OpencodeRule>) {
        match self.0.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => *known = rules,
            None => self.0.push((key.to_owned(), rules)),
        }
    }
}

/// A tool in another case, which is none.
type MisspelledTool = (SettingPlace, (String, Option<String>));

impl OpencodeRuns<'_, '_> {
    /// The rules of all files, and of the agents in them.
    pub(super) fn read_permissions(&mut self) {
        let mut dropped = Vec::new();
        let mut rules = MergedRules::default();
        for file in &self.files {
            read_tools(&mut rules, &file.text, &file.root);
        }
        for file in &self.files {
            read_permission(&mut rules, &file.text, &file.root, &mut dropped);
        }
        let mut found: Vec<(Option<String>, MergedRules)> = vec![(None, rules)];
        for file in &self.files {
            let agents = file.root.get("agent").map(JsonNode::effective).unwrap_or_default();
            for agent in agents.into_iter().take(MAX_ENTRIES) {
                let mut rules = MergedRules::default();
                read_tools(&mut rules, &file.text, &agent.value);
                read_permission(&mut rules, &file.text, &agent.value, &mut dropped);
                found.push((Some(agent.key.clone()).filter(|name| name != FIRST_AGENT), rules));
            }
        }
        for (agent, rules) in found {
            for (list, rule, place) in rules.0.into_iter().flat_map(|(_, rules)| rules) {
                self.push(Moment::Start, RunKind::Permission { list, rule }, place, agent.clone());
            }
        }
        for (place, why) in dropped {
            self.reader.drop_misspelled(place, why, DroppedScope::Rule, false);
        }
    }
}

fn read_tools(rules: &mut MergedRules, text: &SettingsText, root: &JsonNode) {
    let tools = root.get("tools").map(JsonNode::effective).unwrap_or_default();
    for tool in tools.into_iter().take(MAX_ENTRIES) {
        let list = if tool.value.bool() == Some(true) { PermissionList::Allow } else { PermissionList::Deny };
        rules.set(&tool.key, vec![(list, tool.key.clone(), text.place(tool.value.span))]);
    }
}

fn read_permission(rules: &mut MergedRules, text: &SettingsText, root: &JsonNode, dropped: &mut Vec<MisspelledTool>) {
    let Some(permission) = root.get("permission") else { return };
    if let Some(list) = action(permission) {
        rules.set("*", vec![(list, "*".to_owned(), text.place(permission.span))]);
    }
    for tool in permission.effective().into_iter().take(MAX_ENTRIES) {
        let own = tool.key.to_ascii_lowercase();
        if own != tool.key && TOOLS.contains(&own.as_str()) {
            let why = format!("the tool is called `{own}`");
            dropped.push((text.place(tool.key_span), (why, Some(own))));
            continue;
        }
        let whole = action(&tool.value).map(|list| (list, tool.key.clone(), text.place(tool.value.span)));
        let parts = tool.value.effective().into_iter().take(MAX_ENTRIES).filter_map(|rule| {
            let list = action(&rule.value)?;
            Some((list, format!("{}({})", tool.key, rule.key), text.place(rule.value.span)))
        });
        rules.set(&tool.key, whole.into_iter().chain(parts).collect());
    }
}

fn action(node: &JsonNode) -> Option<PermissionList> {
    match node.text()? {
        "allow" => Some(PermissionList::Allow),
        "ask" => Some(PermissionList::Ask),
        "deny" => Some(PermissionList::Deny),
        _ => None,
    }
}
