//! Settings where Claude Code reads none: files that are called like settings, servers in settings, hooks beside servers. It says
//! so of none of them.

use super::ClaudeRuns;
use super::hooks::EVENTS;
use super::plugins::{CATALOGUE, HOOKS, MANIFEST};
use super::unread_names::{UNNAMED_SERVERS, UNREAD_SERVERS, UNREAD_SETTINGS};
use crate::agents::claude::plugins;
use crate::agents::shared::runs::reading::SettingsText;
use crate::agents::shared::runs::{DropBasis, DroppedScope, LostSettings};
use crate::base::text::Span;
use crate::parse::json::{JsonGrammar, JsonNode};
use crate::world::AbsPath;
use std::collections::BTreeSet;

/// With this the folder is a plugin, which has hooks of its own.
const OWN_MANIFEST: &str = ".claude/.claude-plugin/plugin.json";

impl ClaudeRuns<'_, '_> {
    /// Files of the start directory that hold settings and that are not read.
    pub(super) fn read_unread_files(&mut self) {
        let start = self.reader.out.start.clone();
        if SettingsText::read(self.reader.world, &start.join(OWN_MANIFEST)).is_some() {
            return;
        }
        let of_plugins = self.named_by_plugins(&start);
        if of_plugins.contains(&start.join(".claude")) {
            return;
        }
        for path in UNREAD_SETTINGS.iter().map(|path| start.join(path)).filter(|path| !of_plugins.contains(path)) {
            let Some(text) = SettingsText::read(self.reader.world, &path) else { continue };
            if self.is_copy_of_plugin_hooks(&text, &of_plugins) {
                continue;
            }
            // Another program's file of this name is none of ours to judge.
            let Ok(root) = text.json(JsonGrammar::RELAXED) else { continue };
            let lost = match is_settings(&root) {
                true => LostSettings { servers: 0, ..text.lost() },
                false => LostSettings { hooks: hooks_in_own_form(&root), ..LostSettings::default() },
            };
            if lost != LostSettings::default() {
                let why = "settings and hooks belong in .claude/settings.json";
                self.drop(text.place(Span::empty(0)), why, DroppedScope::Place(lost), false);
            }
        }
        for (name, basis) in [(UNREAD_SERVERS, DropBasis::Observed), (UNNAMED_SERVERS, DropBasis::Supposed)] {
            let path = Some(start.join(name)).filter(|path| !of_plugins.contains(path));
            let Some(text) = path.and_then(|path| SettingsText::read(self.reader.world, &path)) else { continue };
            let lost = text.lost_servers();
            if lost != LostSettings::default() {
                let why = match basis {
                    DropBasis::Observed => "servers stand in .mcp.json, beside .claude and not in it",
                    _ => {
                        "Claude Code reads servers from .mcp.json, and from this file only where `--mcp-config` names it"
                    }
                };
                let place = text.place(Span::empty(0));
                self.reader.drop_documented(place, why.to_owned(), DroppedScope::Place(lost), basis);
            }
        }
    }

    /// The roots and files that manifests and marketplaces in `start` and above it name.
    fn named_by_plugins(&self, start: &AbsPath) -> BTreeSet<AbsPath> {
        let mut found = BTreeSet::new();
        for directory in start.ancestors() {
            for file in [MANIFEST, CATALOGUE] {
                let Ok(bytes) = self.reader.world.read(&directory.join(file)) else { continue };
                let places = plugins::paths(&bytes).into_iter().flat_map(|path| path.places);
                // Some write paths as seen from the folder of the manifest.
                let folder = directory.join(".claude-plugin");
                found.extend(places.flat_map(|place| [&directory, &folder].map(|from| from.resolve(place.as_bytes()))));
            }
        }
        found
    }

    /// Whether a file is, byte for byte, that of a plugin's hooks, which run from there.
    fn is_copy_of_plugin_hooks(&self, text: &SettingsText, of_plugins: &BTreeSet<AbsPath>) -> bool {
        let world = self.reader.world;
        let root = self.reader.out.start.clone();
        let root = world.read(&root.join(MANIFEST)).is_ok().then_some(root);
        let places = of_plugins.iter().flat_map(|place| [place.clone(), place.join(HOOKS)]);
        let mut places = places.chain(root.map(|root| root.join(HOOKS))).filter(|place| *place != text.path);
        let bytes = world.read(&text.path);
        bytes.is_ok_and(|bytes| places.any(|place| world.read(&place).is_ok_and(|other| other == bytes)))
    }

    /// The key of an object of settings that counts in another file.
    pub(super) fn drop_misplaced(&mut self, text: &SettingsText, root: &JsonNode, key: &str, why: &str) {
        if let Some(member) = root.member(key).filter(|member| !member.value.members().is_empty()) {
            self.drop(text.place(member.key_span), why, DroppedScope::Key, false);
        }
    }
}

fn is_event(name: &str) -> bool {
    EVENTS.iter().any(|(known, _)| *known == name)
}

/// How many hooks stand here for events of the agent in a form that it reads nowhere: without the object `hooks`, or with one program
/// for each event.
fn hooks_in_own_form(root: &JsonNode) -> usize {
    let is_on = |node: &JsonNode| node.get("enabled").and_then(JsonNode::bool) != Some(false);
    let names_program = |node: &JsonNode| ["command", "script"].iter().any(|key| node.get(key).is_some_and(is_text));
    let bare = root.members().iter().filter(|event| is_event(&event.key)).flat_map(|event| event.value.items());
    let bare =
        bare.map(|entry| entry.get("hooks").map_or(usize::from(names_program(entry)), |inner| inner.items().len()));
    let keyed = root.get("hooks").map(JsonNode::members).unwrap_or_default().iter();
    let keyed = keyed.filter(|event| is_event(&event.key) && names_program(&event.value) && is_on(&event.value));
    bare.sum::<usize>() + keyed.count()
}

fn is_text(node: &JsonNode) -> bool {
    node.text().is_some()
}

/// Whether these are hooks or permissions as the agent has them.
fn is_settings(root: &JsonNode) -> bool {
    let events = root.get("hooks").map(JsonNode::members).unwrap_or_default();
    events.iter().any(|event| is_event(&event.key) && event.value.is_array())
        || ["allow", "ask", "deny"].iter().any(|list| root.at(&["permissions", list]).is_some_and(JsonNode::is_array))
}
