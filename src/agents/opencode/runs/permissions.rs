//! Rules about tools in opencode's settings; of several that fit the last counts. Settings of all files are merged before they become
//! rules: first what `tools` says, then `permission`, and a key keeps the place that it has from the first file that names it; so does a
//! pattern below a key (run with 1.18.33). Those of an agent follow, merged in the same way from the settings and from the frontmatter
//! of its file.

use super::{OpencodeRuns, TOOLS, bare_commands, overridden};
use crate::agents::claude::hints::COMMAND;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText, of_yaml};
use crate::agents::shared::runs::{DroppedScope, Moment, PermissionList, RunKind, SettingPlace};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::frontmatter::{self, Frontmatter};
use crate::parse::json::{JsonMember, JsonNode, JsonValue};

/// The agent that a session starts with.
const FIRST_AGENT: &str = "build";

/// One rule.
pub(super) type OpencodeRule = (PermissionList, String, SettingPlace);

/// Rules by the key that they stand under, in order.
#[derive(Default)]
struct MergedRules(Vec<(String, Vec<OpencodeRule>)>);

impl MergedRules {
    fn in_order(&self) -> impl Iterator<Item = &OpencodeRule> {
        self.0.iter().flat_map(|(_, rules)| rules)
    }

    /// Put in place of what a key has said. Patterns of both sides count together, each at the place where it was first named.
    fn set(&mut self, key: &str, rules: Vec<OpencodeRule>) {
        let Some((_, known)) = self.0.iter_mut().find(|(known, _)| known == key) else {
            return self.0.push((key.to_owned(), rules));
        };
        let are_patterns = |rules: &[OpencodeRule]| rules.iter().all(|(_, rule, _)| rule != key);
        if !are_patterns(known) || !are_patterns(&rules) {
            *known = rules;
            return;
        }
        for rule in rules {
            match known.iter_mut().find(|(_, pattern, _)| *pattern == rule.1) {
                Some(same) => *same = rule,
                None => known.push(rule),
            }
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
        for (name, said) in self.agents() {
            let mut rules = MergedRules::default();
            said.iter().for_each(|(text, agent)| read_tools(&mut rules, text, agent));
            said.iter().for_each(|(text, agent)| read_permission(&mut rules, text, agent, &mut dropped));
            found.push((Some(name).filter(|name| name != FIRST_AGENT), rules));
        }
        let of_all: Vec<OpencodeRule> = found.iter().take(1).flat_map(|(_, rules)| rules.in_order()).cloned().collect();
        for (at, (agent, rules)) in found.into_iter().enumerate() {
            let own: Vec<OpencodeRule> = rules.in_order().cloned().collect();
            let chain = if at == 0 { own.clone() } else { [of_all.clone(), own.clone()].concat() };
            for (place, why, basis) in bare_commands::of(&chain, &own) {
                self.reader.drop_documented(place, why, DroppedScope::Rule, basis);
            }
            for (place, why) in overridden::of(&own) {
                self.reader.drop(place, why, DroppedScope::Rule, false);
            }
            for (list, rule, place) in own {
                self.push(Moment::Start, RunKind::Permission { list, rule }, place, agent.clone());
            }
        }
        for (place, why) in dropped {
            self.reader.drop_misspelled(place, why, DroppedScope::Rule, false);
        }
    }

    /// What settings and hint files say of each agent, in the order in which its name is met.
    fn agents(&self) -> Vec<(String, Vec<(SettingsText, JsonNode)>)> {
        let of_settings = self.files.iter().flat_map(|file| {
            let agents = file.root.get("agent").map(JsonNode::effective).unwrap_or_default();
            let agents = agents.into_iter().take(MAX_ENTRIES);
            agents.map(|agent| (agent.key.clone(), file.text.clone(), agent.value.clone()))
        });
        let of_files = self.hint_files(["agent", "agents"]).into_iter().filter_map(|(path, name)| {
            let text = SettingsText::read(self.reader.world, &path)?;
            let (found, _) = frontmatter::read(&text.text, Kind::Of(&COMMAND), &mut Vec::new());
            Some((name, text, object(&found?)))
        });
        let mut agents: Vec<(String, Vec<(SettingsText, JsonNode)>)> = Vec::new();
        for (name, text, said) in of_settings.chain(of_files) {
            match agents.iter_mut().find(|(known, _)| *known == name) {
                Some((_, before)) => before.push((text, said)),
                None => agents.push((name, vec![(text, said)])),
            }
        }
        agents
    }
}

/// The fields of a frontmatter that hold rules, as an object of settings.
fn object(found: &Frontmatter) -> JsonNode {
    let fields = ["tools", "permission"].iter().filter_map(|key| Some((*key, found.get(key)?)));
    let members = fields.map(|(key, field)| {
        let value = of_yaml(&field.value);
        JsonMember { key: key.to_owned(), key_span: value.span, value }
    });
    JsonNode { span: Span::empty(0), value: JsonValue::Object(members.collect()) }
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

#[cfg(test)]
mod tests {
    use crate::agents::by_id;
    use crate::agents::shared::runs::{self, RunKind, RunMode, RunOptions};
    use crate::world::{MemoryFiles, RepoWorld};

    #[test]
    fn patterns_of_several_files_keep_their_places() {
        let found = |first: &str, second: &str| {
            let settings = |permission: &str| format!(r#"{{"permission": {permission}}}"#);
            let files = MemoryFiles::new().file("opencode.json", settings(first));
            let world = RepoWorld::new(files.file(".opencode/opencode.json", settings(second)));
            let mode = RunMode::Headless;
            let runs =
                runs::load(&world, by_id("opencode").expect("it is known"), world.root(), mode, &RunOptions::default())
                    .expect("it is known");
            let rules = runs.items.iter().filter_map(|item| match &item.kind {
                RunKind::Permission { list, rule } => Some(format!("{} {rule}", list.name())),
                _ => None,
            });
            rules.collect::<Vec<_>>().join(", ")
        };
        let first = r#"{"bash": {"*": "allow", "a": "deny"}, "edit": "ask"}"#;
        assert_eq!(
            found(first, r#"{"edit": "deny", "bash": {"b": "deny", "*": "ask"}}"#),
            "ask bash(*), deny bash(a), deny bash(b), deny edit"
        );
        assert_eq!(found(first, r#"{"bash": "deny"}"#), "deny bash, ask edit");
        assert_eq!(found(r#"{"bash": "deny"}"#, r#"{"bash": {"a": "allow"}}"#), "allow bash(a)");
    }
}
