//! Plugins of Claude Code that lie in a repository: which are active without being installed, and the hooks, servers, commands and
//! agents that they bring.

use super::hooks::{GUARD_EVENTS, guard_problem};
use super::servers::ClaudeServerHost;
use super::{ClaudeRuns, entries, manifest};
use crate::agents::claude::marketplace::Marketplace;
use crate::agents::shared::runs::names::misspelled;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText, named_below};
use crate::agents::shared::runs::{Approval, DroppedScope, DroppedSetting, Moment, RunKind, RunMode};
use crate::base::text::Span;
use crate::env::Env;
use crate::parse::json::{JsonGrammar, JsonMember, JsonNode, JsonValue};
use crate::world::{AbsPath, FileType};
use std::collections::{BTreeMap, BTreeSet};

/// Most plugins that are looked at in one place.
const MAX_PLUGINS: usize = 200;
/// A plugin's manifest, below its root.
pub(super) const MANIFEST: &str = ".claude-plugin/plugin.json";
/// A list of plugins, below the folder from which their paths count.
pub(super) const CATALOGUE: &str = ".claude-plugin/marketplace.json";
/// The hooks of a plugin that its manifest need not name.
pub(super) const HOOKS: &str = "hooks/hooks.json";
/// The folder of its commands, too.
const COMMANDS: &str = "commands";
/// Its servers, too.
pub(super) const SERVERS: &str = ".mcp.json";

impl ClaudeRuns<'_, '_> {
    /// The plugins that are active: those that the command line names (`--plugin-dir`, here
    /// `--agent-option claude.pluginDirs=["DIR"]`), and in a trusted folder those in `.claude/skills` and those that the settings
    /// enable from a marketplace in this repository. Elsewhere in a repository plugins do nothing.
    pub(super) fn read_plugins(&mut self) {
        let start = self.reader.out.start.clone();
        let given = self.reader.option("pluginDirs").and_then(serde_json::Value::as_array).cloned().unwrap_or_default();
        for directory in given.iter().take(MAX_PLUGINS).filter_map(serde_json::Value::as_str) {
            self.read_manifested(&start.resolve(directory.as_bytes()));
        }
        if !self.reader.is_trusted() {
            return;
        }
        let skills = start.join(".claude/skills");
        for entry in self.reader.world.read_dir(&skills).into_iter().take(MAX_ENTRIES) {
            if entry.kind != FileType::File {
                self.read_manifested(&skills.join(&entry.name));
            }
        }
        self.read_plugin_settings();
        for root in self.enabled_plugins(&start) {
            self.read_plugin(&root);
        }
    }

    /// The roots of plugins that settings enable from marketplaces in folders. What a marketplace is called its own file says, and not the
    /// key under which settings name it.
    fn enabled_plugins(&mut self, start: &AbsPath) -> BTreeSet<AbsPath> {
        let markets = self.markets_in_folders(start);
        let (mut roots, mut misnamed) = (BTreeSet::new(), Vec::new());
        for file in &self.files {
            let plugins = file.root.get("enabledPlugins").map(JsonNode::effective).unwrap_or_default();
            for plugin in plugins.into_iter().take(MAX_PLUGINS).filter(|plugin| plugin.value.bool() == Some(true)) {
                let Some((name, market)) = plugin.key.rsplit_once('@') else { continue };
                if let Some((directory, root)) = markets.values().find(|(_, root)| name_of(root) == Some(market)) {
                    let market = Marketplace::of(root);
                    let is_named = |entry: &&JsonNode| entry.get("name").and_then(JsonNode::text) == Some(name);
                    let places = market.entries().filter(is_named).flat_map(|entry| market.roots(entry));
                    let places = places.map(|place| directory.resolve(place.as_bytes()));
                    roots.extend(places.filter(|place| self.reader.world.file_type(place).is_some()));
                } else if let Some(right) = markets.get(market).and_then(|(_, root)| name_of(root)) {
                    let why = format!("this marketplace calls itself `{right}`, and no other name enables its plugins");
                    misnamed.push((file.text.place(plugin.key_span), (why, Some(format!("{name}@{right}")))));
                }
            }
        }
        for (place, why) in misnamed {
            self.reader.drop_misspelled(place, why, DroppedScope::Key, false);
        }
        roots
    }

    /// The marketplaces that settings name by a folder, by their keys: the folders, and what their files say.
    fn markets_in_folders(&self, start: &AbsPath) -> BTreeMap<String, (AbsPath, JsonNode)> {
        let named = self.files.iter().filter_map(|file| file.root.get("extraKnownMarketplaces"));
        let named = named.flat_map(JsonNode::effective).take(MAX_PLUGINS);
        let read = named.filter_map(|market| {
            let source = market.value.get("source")?;
            let path = source.get("path").and_then(JsonNode::text)?;
            if source.get("source").and_then(JsonNode::text) != Some("directory") {
                return None;
            }
            let directory = start.resolve(path.as_bytes());
            let text = SettingsText::read(self.reader.world, &directory.join(CATALOGUE))?;
            Some((market.key.clone(), (directory, text.json(JsonGrammar::STRICT).ok()?)))
        });
        read.collect()
    }

    /// The plugins that settings switch on or off, and the marketplaces that they name.
    fn read_plugin_settings(&mut self) {
        let mut found = Vec::new();
        for file in &self.files {
            for key in ["extraKnownMarketplaces", "enabledPlugins"] {
                let members = file.root.get(key).map(JsonNode::effective).unwrap_or_default();
                found.extend(members.into_iter().take(MAX_PLUGINS).map(|member| {
                    let value = member.value.get("source").unwrap_or(&member.value).plain().to_string();
                    let kind = RunKind::Setting { key: format!("{key}.{}", member.key), value };
                    (kind, file.text.place(member.value.span))
                }));
            }
        }
        for (kind, place) in found {
            self.push_with(Moment::Start, kind, place, Approval::Folder, None);
        }
    }

    /// What a folder brings if it is a plugin by its manifest.
    fn read_manifested(&mut self, root: &AbsPath) {
        if SettingsText::read(self.reader.world, &root.join(MANIFEST)).is_some() {
            self.read_plugin(root);
        }
    }

    /// What one plugin brings. One that a marketplace lists needs no manifest: what its entry there says counts beside it, or in
    /// its place.
    pub(super) fn read_plugin(&mut self, root: &AbsPath) {
        let text = SettingsText::read(self.reader.world, &root.join(MANIFEST));
        let (name, manifest) = match text.as_ref().map(|text| read_manifest(text, self.reader.world.env())) {
            None => (self.listed_name(root).unwrap_or_else(|| folder_name(root)), None),
            Some(Ok((name, manifest))) => (name, text.as_ref().zip(Some(manifest))),
            Some(Err(problems)) => {
                let Some(text) = &text else { return };
                // What is lost is told once.
                let mut lost = text.lost();
                for (place, why) in problems {
                    let lost = std::mem::take(&mut lost);
                    self.drop(text.place(place), why, DroppedScope::File(lost), false);
                }
                return self.read_unread_of_plugin(root, &[]);
            }
        };
        if let Some((text, manifest)) = &manifest {
            self.drop_misspelled_parts(text, manifest);
        }
        let entries = self.entries_of(root);
        if manifest.is_some()
            && let Some((text, entry)) = entries.iter().find(|(_, entry)| entries::is_whole(entry))
        {
            let why =
                "the plugin has a plugin.json, so with `strict: false` an entry with parts of it keeps it from loading";
            return self.drop(text.place(entry.span), why, DroppedScope::Entry, false);
        }
        let has_manifest = manifest.is_some();
        let declared = manifest.iter().map(|(text, node)| (*text, node));
        let of_entries = entries.iter().map(|(text, entry)| (text, entry));
        let hooks: Vec<_> =
            declared.clone().chain(of_entries.clone()).filter_map(|found| part(found, "hooks")).collect();
        let of_entries = of_entries.filter(|_| !has_manifest);
        let whole: Vec<_> = declared.chain(of_entries).collect();
        let servers: Vec<_> = whole.iter().filter_map(|found| part(*found, "mcpServers")).collect();
        let commands: Vec<_> = whole.iter().filter_map(|found| part(*found, "commands")).collect();
        if !self.read_declared_hooks(root, &hooks, &name) {
            return;
        }
        self.read_declared_servers(root, &servers);
        self.forget_replaced_servers(root);
        let named = [files(root, HOOKS, &hooks), files(root, SERVERS, &servers)].concat();
        self.read_unread_of_plugin(root, &named);
        self.read_hint_files_below(root, Some(&name));
        let named = named_below(root, commands.iter().flat_map(|(_, node)| node.one_or_more()));
        self.read_named_commands(&root.join(COMMANDS), named, &name);
    }

    /// Put on record keys of a manifest that name its parts in another spelling.
    fn drop_misspelled_parts(&mut self, text: &SettingsText, manifest: &JsonNode) {
        for (member, right) in misspelled(manifest, &manifest::names(), &[]) {
            let why = (format!("the key is called `{right}`"), Some(right.to_owned()));
            self.reader.drop_misspelled(text.place(member.key_span), why, DroppedScope::Key, false);
        }
    }

    /// The hooks of a plugin's files, and those in its manifest or entry; `false` where they switch the plugin off.
    fn read_declared_hooks(&mut self, root: &AbsPath, declared: &[DeclaredPart<'_>], name: &str) -> bool {
        for path in files(root, HOOKS, declared) {
            let hooks = SettingsText::read(self.reader.world, &path);
            if hooks.is_some_and(|hooks| !self.read_plugin_hooks(&hooks, name)) {
                return false;
            }
        }
        declared.iter().flat_map(|(text, node)| node.one_or_more().iter().map(move |hooks| (text, hooks))).all(
            |(text, hooks)| {
                let hooks = hooks.get("hooks").filter(|inner| inner.is_object()).unwrap_or(hooks);
                !hooks.is_object() || self.read_plugin_events(text, hooks, name)
            },
        )
    }

    /// The servers of a plugin's files, and those in its manifest or entry.
    fn read_declared_servers(&mut self, root: &AbsPath, declared: &[DeclaredPart<'_>]) {
        for path in files(root, SERVERS, declared) {
            if let Some(servers) = SettingsText::read(self.reader.world, &path)
                && let Some(found) = self.plugin_servers(&servers)
            {
                self.read_plugin_servers(&servers, &found);
            }
        }
        for (text, node) in declared {
            for servers in node.one_or_more().iter().filter(|servers| servers.is_object()) {
                self.read_plugin_servers(text, servers);
            }
        }
    }

    /// Forget the servers of a plugin that do not start as one file has them and do as another of its files has them.
    fn forget_replaced_servers(&mut self, root: &AbsPath) {
        let out = &mut self.reader.out;
        let started =
            out.items.iter().filter(|item| item.place.path.is_within(root)).filter_map(|item| match &item.kind {
                RunKind::Server { name, .. } => Some(name.as_str()),
                _ => None,
            });
        let started: BTreeSet<&str> = started.collect();
        let is_replaced = |dropped: &DroppedSetting| {
            dropped.what == DroppedScope::Server
                && dropped.place.path.is_within(root)
                && dropped.server.as_deref().is_some_and(|name| started.contains(name))
        };
        out.dropped.retain(|dropped| !is_replaced(dropped));
    }

    fn read_plugin_servers(&mut self, text: &SettingsText, servers: &JsonNode) {
        let approval = self.plugin_approval();
        let host = ClaudeServerHost { approval, moment: Moment::Start, on_use_of: None, is_of_plugin: true };
        // In a file without the key around its servers the schema of the file stands beside them.
        let is_server = |server: &&JsonMember| server.key != "$schema";
        for server in servers.effective().into_iter().filter(is_server).take(MAX_ENTRIES) {
            self.read_server(text, &server.key, &server.value, &host);
        }
    }

    /// The object of servers in a plugin's file, which may stand without the key around it (read in the package).
    fn plugin_servers(&mut self, text: &SettingsText) -> Option<JsonNode> {
        let bare =
            text.json(JsonGrammar::STRICT).ok().filter(|root| root.is_object() && root.get("mcpServers").is_none());
        bare.or_else(|| self.servers_root(text))
    }

    fn plugin_approval(&self) -> Approval {
        match self.reader.out.mode {
            RunMode::Interactive | RunMode::Headless => Approval::Folder,
            RunMode::HeadlessUntrusted => Approval::Nobody,
        }
    }

    /// The hooks of a plugin; `false` where they switch the plugin off.
    fn read_plugin_hooks(&mut self, text: &SettingsText, name: &str) -> bool {
        let (span, why) = match text.json(JsonGrammar::STRICT) {
            Ok(root) => match root.get("hooks") {
                Some(hooks) => return self.read_plugin_events(text, hooks, name),
                None => match GUARD_EVENTS.iter().any(|event| root.get(event).is_some()) {
                    true => return self.switch_off(text, root.span, "a plugin's events stand inside `hooks`", name),
                    false => (root.span, "a plugin's events stand inside `hooks`".to_owned()),
                },
            },
            Err(problem) => {
                let at = text.place_at(problem.at).span;
                (at, format!("the file has {}, so it is not valid JSON", problem.kind.words()))
            }
        };
        let lost = text.lost();
        self.drop(text.place(span), why, DroppedScope::File(lost), false);
        true
    }

    /// Put on record that hooks which might guard something cannot be read, so that the plugin is not loaded; `false`.
    fn switch_off(&mut self, text: &SettingsText, span: Span, why: &str, name: &str) -> bool {
        let (lost, why) = (text.lost(), format!("{why}: plugin {name} is off"));
        self.drop(text.place(span), why, DroppedScope::File(lost), false);
        false
    }

    /// The events of a plugin; `false` where they switch it off.
    fn read_plugin_events(&mut self, text: &SettingsText, hooks: &JsonNode, name: &str) -> bool {
        if matches!(hooks.value, JsonValue::Null) {
            let lost = text.lost();
            self.drop(text.place(hooks.span), "`hooks` must be an object, not null", DroppedScope::File(lost), false);
            return true;
        }
        if !hooks.is_object() {
            let why = format!("`hooks` must be an object, not {}", hooks.type_with_article());
            return self.switch_off(text, hooks.span, &why, name);
        }
        if let Some((span, why)) = guard_problem(hooks) {
            return self.switch_off(text, span, &why, name);
        }
        let approval = self.plugin_approval();
        self.read_hooks(text, hooks, approval, None);
        true
    }
}

/// What a manifest or an entry says under a key, with the file in which it stands.
type DeclaredPart<'t> = (&'t SettingsText, &'t JsonNode);

/// What a marketplace calls itself.
fn name_of(catalogue: &JsonNode) -> Option<&str> {
    catalogue.get("name").and_then(JsonNode::text)
}

/// What a plugin is called that gives itself no name. How the folder of the repository is called is each clone's own business.
fn folder_name(root: &AbsPath) -> String {
    std::str::from_utf8(root.file_name()).unwrap_or("plugin").to_owned()
}

fn part<'t>((text, node): DeclaredPart<'t>, key: &str) -> Option<DeclaredPart<'t>> {
    Some((text, node.get(key)?))
}

/// The usual file of a plugin, and those that its manifest or entry names inside of its root, which count beside it
/// (<https://code.claude.com/docs/en/plugins-reference>, documentation).
fn files(root: &AbsPath, usual: &str, declared: &[DeclaredPart<'_>]) -> Vec<AbsPath> {
    let mut found = vec![root.join(usual)];
    for path in named_below(root, declared.iter().flat_map(|(_, node)| node.one_or_more())) {
        if !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// The plugin's name and its manifest, or why it is off.
fn read_manifest(text: &SettingsText, env: &Env) -> Result<(String, JsonNode), Vec<(Span, String)>> {
    let root = text.json(JsonGrammar::STRICT).map_err(|problem| {
        let at = text.place_at(problem.at).span;
        vec![(at, format!("the file has {}, so it is not valid JSON", problem.kind.words()))]
    })?;
    let mut problems = Vec::new();
    let name = root.get("name");
    let word = name.and_then(JsonNode::text).filter(|name| !name.is_empty() && !name.contains(char::is_whitespace));
    match name {
        None => problems.push((root.span, "the plugin has no `name`".to_owned())),
        Some(name) if word.is_none() => {
            problems.push((name.span, "a plugin's name is a word without blanks".to_owned()));
        }
        Some(_) => {}
    }
    if let Some(version) = root.get("version").filter(|version| version.text().is_none()) {
        problems.push((version.span, format!("`version` must be a string, not {}", version.type_with_article())));
    }
    problems.extend(manifest::problems(&root, env));
    match word.map(str::to_owned).filter(|_| problems.is_empty()) {
        Some(name) => Ok((name, root)),
        None => Err(problems),
    }
}
