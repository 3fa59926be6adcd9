//! What a plugin of Codex brings once somebody has installed it: its hooks and its servers. No run has shown it, so nothing is told
//! of as dropped.

use super::CodexRuns;
use crate::agents::codex::plugins::{HOOKS, MANIFEST, SERVERS};
use crate::agents::shared::runs::reading::{SettingsText, named_below};
use crate::agents::shared::runs::{Approval, documented};
use crate::parse::json::{JsonGrammar, JsonNode};
use crate::world::AbsPath;

impl CodexRuns<'_, '_> {
    /// What one plugin brings.
    pub(super) fn read_plugin(&mut self, root: &AbsPath) {
        let dropped = self.reader.out.dropped.len();
        if let Some((text, manifest)) = self.parsed(&root.join(MANIFEST)) {
            self.read_plugin_hooks(root, &text, manifest.get("hooks"));
            self.read_plugin_servers(root, &text, manifest.get("mcpServers"));
        }
        self.reader.out.dropped.truncate(dropped);
    }

    fn parsed(&self, path: &AbsPath) -> Option<(SettingsText, JsonNode)> {
        SettingsText::parsed(self.reader.world, path, JsonGrammar::STRICT)
    }

    /// Hooks in the manifest, in the files that it names, or in the usual file.
    fn read_plugin_hooks(&mut self, root: &AbsPath, text: &SettingsText, named: Option<&JsonNode>) {
        for inline in values(named).iter().filter(|node| node.is_object()) {
            self.push_hooks(text, inline.get("hooks").unwrap_or(inline));
        }
        for path in paths(root, named, HOOKS) {
            if let Some((text, file)) = self.parsed(&path)
                && let Some(hooks) = file.get("hooks")
            {
                self.push_hooks(&text, hooks);
            }
        }
    }

    /// Servers in the manifest, in the file that it names, or in the usual file.
    fn read_plugin_servers(&mut self, root: &AbsPath, text: &SettingsText, named: Option<&JsonNode>) {
        for inline in values(named).iter().filter(|node| node.is_object()) {
            documented::push_servers(self.reader, text, inline, Approval::Nobody);
        }
        for path in paths(root, named, SERVERS) {
            let Some((text, file)) = self.parsed(&path) else { continue };
            // The file may be the object itself.
            documented::push_servers(self.reader, &text, file.get("mcpServers").unwrap_or(&file), Approval::Nobody);
        }
    }
}

/// What the manifest says under a key: one value, or those of a list.
fn values(named: Option<&JsonNode>) -> &[JsonNode] {
    named.map(JsonNode::one_or_more).unwrap_or_default()
}

/// The files that a manifest names, or the usual one.
fn paths(root: &AbsPath, named: Option<&JsonNode>, usual: &str) -> Vec<AbsPath> {
    match named {
        Some(named) => named_below(root, named.one_or_more()).collect(),
        None => vec![root.join(usual)],
    }
}
