//! `invalid-settings`: an agent ignores a whole settings file, or does not start because of it.

use super::catalogue;
use super::fixes::{JsonSlip, hook_type};
use super::keys::ParsedSettings;
use super::{Dropped, dropped};
use crate::agents::runs::{DroppedScope, RunMode};
use crate::agents::{bundles, files};
use crate::base::finding::{Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::json::JsonNode;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use std::collections::BTreeMap;

static INFO: RuleInfo = RuleInfo {
    name: "invalid-settings",
    group: Group::Settings,
    levels: &[Level::Error, Level::Info],
    summary: "a settings file that an agent ignores as a whole",
    explanation: "\
## What it does
Reports settings, hooks and servers files that an agent drops as a whole: a trailing comma or a comment where its reader knows
none, a wrong type of a key that it checks, one defective hook that may guard permissions. The message says what is lost with the
file. For each agent the file is read exactly as strictly as its released version reads it. So is a plugin's manifest: one path
that does not begin with `./`, a folder under `agents` or one wrong server keeps the plugin from loading. Servers under the key
`servers` of a `.mcp.json`, which Visual Studio reads, are an info. A marketplace without `owner`, `name` or `plugins`, or with one of
another type, is refused, and a directory where the file of settings belongs holds none. A marketplace whose file holds the text of a
link, as git writes it where links are switched off, is reported, too, and so is a command in `.gemini/commands` that is no TOML or
has no `prompt`.

## Why is this bad?
The agent goes on without the file. Rules that refuse something and hooks that guard something are off, and without a terminal
the run still ends with exit code 0.

## Example
A comma behind the last key of `.claude/settings.json` switches off every `deny` rule in it.

## How to fix
Correct the place. `--unsafe-fixes` removes trailing commas and comments, and gives a hook its `type`: what the file says
takes effect then.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with broken settings", checked: "2026-11" },
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with 95 manifests of plugins", checked: "2026-11" },
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run: `plugin marketplace add` and `plugin install` with 123 marketplaces", checked: "2026-11" },
        Evidence { source: "@openai/codex 0.169.0, run with broken settings", checked: "2026-11" },
        Evidence { source: "@google/gemini-cli 0.61.0, run with broken commands", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct InvalidSettings;

impl Rule for InvalidSettings {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let mut files = ParsedSettings::default();
        for dropped in dropped(cx) {
            let slip = JsonSlip::at(cx, &dropped);
            let Some(message) = message(&dropped, slip) else { continue };
            let is_of_another = holds_servers_of_others(cx, &mut files, &dropped);
            let is_aside =
                is_of_another || is_beside_none(cx, &dropped.path) || names_no_server(cx, &mut files, &dropped);
            let level = if is_aside { Level::Info } else { Level::Error };
            let edits = match slip {
                Some(slip) => slip.edits(cx, &dropped.path),
                None => hook_type(cx, &mut files, &dropped),
            };
            findings.push(dropped.finding(INFO.name, level, message, "correct this place", edits));
        }
        findings.extend(catalogue::unreadable(cx, INFO.name));
        findings.extend(catalogue::refused(cx, INFO.name));
        findings.extend(directories(cx));
    }
}

/// Directories where an agent looks for its settings, such as backups of them that a tool keeps below the file's name.
fn directories(cx: &Cx<'_>) -> Vec<Finding> {
    let mut found = BTreeMap::new();
    for runs in cx.workspace.runs(RunMode::Headless).iter().filter(|runs| !runs.is_bundle) {
        let Some(start) = cx.workspace.world().relative(&runs.start) else { continue };
        let paths = runs.dialect.files.settings.iter().map(|end| path::join(start, end.as_bytes()));
        let there = paths.filter(|path| cx.workspace.listing.has_dir(path));
        found.extend(there.map(|path| (RepoPath::new(path), runs.dialect)));
    }
    let told = found.into_iter().map(|(path, agent)| {
        let message = format!("this is a directory, where {} looks for a file with its settings", agent.versioned());
        let finding = Finding::new(INFO.name, Level::Error, &path, Span::empty(0), message).agents([agent.id]);
        finding.help("move what is in it elsewhere, and put the settings here")
    });
    told.collect()
}

/// Whether a file of servers has them under the key of another program, such as Visual Studio, for which it may be meant.
fn holds_servers_of_others(cx: &Cx<'_>, files: &mut ParsedSettings, dropped: &Dropped<'_>) -> bool {
    let is_servers = dropped.path.file_name() == b".mcp.json" && matches!(dropped.setting.what, DroppedScope::File(_));
    let root = if is_servers { files.root(cx, &dropped.path) } else { None };
    root.is_some_and(|root| {
        let is_there = |key: &str| root.get(key).is_some_and(JsonNode::is_object);
        root.get("mcpServers").is_none() && is_there("servers")
    })
}

/// Whether a file of servers is data of another program: nothing in it has a command or an address.
fn names_no_server(cx: &Cx<'_>, files: &mut ParsedSettings, dropped: &Dropped<'_>) -> bool {
    if dropped.path.file_name() != b".mcp.json" || !matches!(dropped.setting.what, DroppedScope::File(_)) {
        return false;
    }
    let Some(root) = files.root(cx, &dropped.path).filter(|root| root.is_object()) else { return false };
    let is_server = |node: &JsonNode| ["args", "command", "type", "url"].iter().any(|key| node.get(key).is_some());
    let is_meant = ["mcpServers", "mcp_servers", "servers"].iter().any(|key| root.get(key).is_some());
    let mut inner = root.members().iter().map(|member| &member.value);
    !root.members().is_empty() && !is_meant && !inner.any(is_server)
}

/// Whether a file of servers lies inside of a plugin, below its root, where nobody starts an agent.
fn is_beside_none(cx: &Cx<'_>, path: &RepoPath) -> bool {
    let listing = &cx.workspace.listing;
    let is_plugin = |dir: &[u8]| bundles::all().any(|bundle| bundle.is_root(dir, |path| listing.contains(path)));
    let own = path.parent();
    let above = path::ancestors_from_root(own);
    let is_inside = path.file_name() == b".mcp.json" && !is_plugin(own) && above.into_iter().any(is_plugin);
    is_inside && !is_for_agents(cx, own)
}

/// Whether a folder has a hint file or a folder of an agent, so that agents may be started in it.
pub(super) fn is_for_agents(cx: &Cx<'_>, dir: &[u8]) -> bool {
    let is_hint = |name: &[u8]| files::main_names().any(|main| main.as_bytes() == name);
    let is_of_an_agent = |(name, kind): (&[u8], Option<_>)| match kind {
        Some(_) => is_hint(name),
        None => files::is_agent_folder(name),
    };
    cx.workspace.listing.children(dir).into_iter().any(is_of_an_agent)
}

/// What is lost, and why; nothing where a defect costs less than the file.
fn message(dropped: &Dropped<'_>, slip: Option<JsonSlip>) -> Option<String> {
    let (agent, why) = (dropped.agent.versioned(), &dropped.setting.why);
    let slip = slip.map(JsonSlip::name);
    let lost = match &dropped.setting.what {
        DroppedScope::Agent => {
            return Some(match slip {
                Some(slip) => format!("this {slip} keeps {agent} from starting here"),
                None => format!("{agent} does not start here: {why}"),
            });
        }
        DroppedScope::File(lost) => lost.words(),
        _ => return None,
    };
    Some(match (slip, lost.is_empty()) {
        (Some(slip), true) => format!("this {slip} makes {agent} ignore the whole file"),
        (Some(slip), false) => format!("this {slip} switches off {lost}: {agent} ignores the whole file"),
        (None, true) => format!("{agent} ignores the whole file: {why}"),
        (None, false) => format!("{agent} ignores the whole file, and with it {lost}: {why}"),
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::repository;

    #[test]
    fn a_directory_in_the_place_of_settings_is_told() {
        let told = |path: &str| {
            let files = [(path, "{}"), ("CLAUDE.md", "x\n")];
            let found = repository("invalid-settings", "agents = [\"claude\"]\n", &files);
            found.iter().filter(|finding| finding.message.contains("this is a directory")).count()
        };
        assert_eq!(told(".claude/settings.json/settings.json.2026-04-03"), 1);
        assert_eq!(told(".claude/settings.local.json/a"), 1);
        for near_miss in [".claude/settings.json", ".claude/settings/a.json", "backups/.claude/settings.json/a"] {
            assert_eq!(told(near_miss), 0, "{near_miss}");
        }
    }
}
