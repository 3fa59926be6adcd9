//! Entries of marketplaces as manifests of plugins: where a plugin has no `plugin.json`, its entry stands for it, and where it has
//! one, the entry's hooks count beside its own. Read in 2.1.330, November 2026.

use super::ClaudeRuns;
use super::plugins::CATALOGUE;
use crate::agents::claude::marketplace::Marketplace;
use crate::agents::shared::runs::reading::SettingsText;
use crate::parse::json::{JsonGrammar, JsonNode};
use crate::world::AbsPath;

/// Keys by which an entry brings parts that a manifest may bring, too.
const PARTS: [&str; 5] = ["agents", "commands", "hooks", "outputStyles", "skills"];
/// What an entry must hold to say more than where the plugin is.
const SAYS: [&str; 4] = ["\"commands\"", "\"hooks\"", "\"mcpServers\"", "\"strict\""];

impl ClaudeRuns<'_, '_> {
    /// The entries of marketplaces in a plugin's folder or above it that name it, each with its file.
    pub(super) fn entries_of(&self, root: &AbsPath) -> Vec<(SettingsText, JsonNode)> {
        self.listed_entries(root, |text| SAYS.iter().any(|key| text.text.contains(key)))
    }

    /// The name that a marketplace gives the plugin.
    pub(super) fn listed_name(&self, root: &AbsPath) -> Option<String> {
        self.listed_entries(root, |_| true).iter().find_map(|(_, entry)| Some(entry.get("name")?.text()?.to_owned()))
    }

    fn listed_entries(
        &self,
        root: &AbsPath,
        is_wanted: impl Fn(&SettingsText) -> bool,
    ) -> Vec<(SettingsText, JsonNode)> {
        let mut found = Vec::new();
        for directory in root.ancestors() {
            let text = SettingsText::read(self.reader.world, &directory.join(CATALOGUE));
            let Some(text) = text.filter(&is_wanted) else { continue };
            let Ok(catalogue) = text.json(JsonGrammar::STRICT) else { continue };
            let market = Marketplace::of(&catalogue);
            let names = |entry: &&JsonNode| {
                market.roots(entry).iter().any(|place| directory.resolve(place.as_bytes()) == *root)
            };
            found.extend(market.entries().filter(names).map(|entry| (text.clone(), entry.clone())));
        }
        found
    }
}

/// Whether an entry says that it is the plugin's whole manifest, and brings parts.
pub(in crate::agents::claude) fn is_whole(entry: &JsonNode) -> bool {
    let is_strict = entry.get("strict").and_then(JsonNode::bool) != Some(false);
    let is_said = |part: &JsonNode| !part.items().is_empty() || !part.members().is_empty() || part.text().is_some();
    !is_strict && PARTS.iter().filter_map(|part| entry.get(part)).any(is_said)
}
