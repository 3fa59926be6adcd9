//! What a plugin of GitHub Copilot brings once somebody has installed it: its hooks, its servers, and those of its agents. No run
//! has shown it; it is as documented in
//! <https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-plugin-reference> and, of the open standard, in
//! <https://code.visualstudio.com/docs/agent-customization/agent-plugins>. So nothing is told of as dropped.

use super::CopilotRuns;
use super::servers::{CopilotServerHost, servers};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::{Approval, Moment};
use crate::parse::json::{JsonGrammar, JsonNode};
use crate::world::AbsPath;

/// Where a manifest is looked for, the first that is there. That of Claude Code is last.
const MANIFESTS: [&str; 4] =
    [".plugin/plugin.json", "plugin.json", ".github/plugin/plugin.json", ".claude-plugin/plugin.json"];
/// Where hooks are looked for, if the manifest names no other place.
const HOOKS: [&str; 2] = ["hooks.json", "hooks/hooks.json"];
/// Where servers are looked for, if the manifest names no other place.
const SERVERS: [&str; 2] = [".mcp.json", ".github/mcp.json"];
/// Where the open standard has servers.
const STANDARD_SERVERS: &str = "mcp.json";
/// What a manifest of the open standard has in its `$schema`.
const STANDARD: &str = "agent-plugins.org/schemas/";
/// Most plugins that the command line may name.
const MAX_PLUGINS: usize = 200;

impl CopilotRuns<'_, '_> {
    /// The plugins that the caller says are installed (`--agent-option copilot.pluginDirs=["DIR"]`).
    pub(super) fn read_given_plugins(&mut self) {
        let start = self.reader.out.start.clone();
        let given = self.reader.option("pluginDirs").and_then(serde_json::Value::as_array).cloned().unwrap_or_default();
        for directory in given.iter().take(MAX_PLUGINS).filter_map(serde_json::Value::as_str) {
            self.read_plugin(&start.resolve(directory.as_bytes()));
        }
    }

    /// What one plugin brings.
    pub(super) fn read_plugin(&mut self, root: &AbsPath) {
        let dropped = self.reader.out.dropped.len();
        let world = self.reader.world;
        let manifest = MANIFESTS.iter().find_map(|path| SettingsText::read(world, &root.join(path)));
        // One that a marketplace lists may have none.
        let parsed = match manifest.as_ref().map(|text| (text, text.json(JsonGrammar::RELAXED))) {
            None => None,
            Some((text, Ok(parsed))) => Some((text, parsed)),
            Some((_, Err(_))) => return,
        };
        let schema = parsed.as_ref().and_then(|(_, manifest)| manifest.get("$schema")).and_then(JsonNode::text);
        if schema.is_some_and(|schema| schema.contains(STANDARD)) {
            self.read_plugin_server_file(&root.join(STANDARD_SERVERS));
        } else {
            let named = |key: &str| parsed.as_ref().and_then(|(text, manifest)| Some((*text, manifest.get(key)?)));
            self.read_plugin_hooks(root, named("hooks"));
            self.read_plugin_servers(root, named("mcpServers"));
            self.read_agents_in(&root.join("agents"), b".agent.md");
        }
        self.reader.out.dropped.truncate(dropped);
    }

    /// Hooks in the manifest, in the file that it names, or where they are by default.
    fn read_plugin_hooks(&mut self, root: &AbsPath, named: Option<(&SettingsText, &JsonNode)>) {
        if let Some((text, hooks)) = named.filter(|(_, hooks)| hooks.is_object()) {
            let events = hooks.get("hooks").filter(|inner| inner.is_object()).unwrap_or(hooks);
            return self.read_events(text, events, Approval::Nobody, None);
        }
        let world = self.reader.world;
        let mut paths = paths(root, named.map(|(_, path)| path), &HOOKS);
        let Some(text) = paths.find_map(|path| SettingsText::read(world, &path)) else { return };
        if let Some(events) = text.json(JsonGrammar::RELAXED).ok().and_then(|file| file.get("hooks").cloned()) {
            self.read_events(&text, &events, Approval::Nobody, None);
        }
    }

    /// Servers in the manifest, in the file that it names, or where they are by default.
    fn read_plugin_servers(&mut self, root: &AbsPath, named: Option<(&SettingsText, &JsonNode)>) {
        if let Some((text, found)) = named.filter(|(_, servers)| servers.is_object()) {
            return self.read_servers_of_plugin(text, found);
        }
        let world = self.reader.world;
        let mut paths = paths(root, named.map(|(_, path)| path), &SERVERS);
        if let Some(path) = paths.find(|path| world.read(path).is_ok()) {
            self.read_plugin_server_file(&path);
        }
    }

    fn read_plugin_server_file(&mut self, path: &AbsPath) {
        let Some(text) = SettingsText::read(self.reader.world, path) else { return };
        if let Some(found) = text.json(JsonGrammar::RELAXED).ok().and_then(|file| servers(&file).cloned()) {
            self.read_servers_of_plugin(&text, &found);
        }
    }

    /// Whoever installs a plugin trusts its servers.
    fn read_servers_of_plugin(&mut self, text: &SettingsText, servers: &JsonNode) {
        let host = CopilotServerHost { approval: Approval::Nobody, moment: Moment::Start, on_use_of: None };
        for server in servers.effective().into_iter().take(MAX_ENTRIES) {
            self.read_server(text, server, &host);
        }
    }
}

/// The file that a manifest names, or those of the default places.
fn paths(root: &AbsPath, named: Option<&JsonNode>, defaults: &[&str]) -> std::vec::IntoIter<AbsPath> {
    let found: Vec<AbsPath> = match named.and_then(JsonNode::text) {
        Some(path) => vec![root.resolve(path.as_bytes())],
        None => defaults.iter().map(|path| root.join(path)).collect(),
    };
    found.into_iter()
}
