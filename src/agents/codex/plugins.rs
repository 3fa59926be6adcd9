//! Plugins of OpenAI Codex as bundles, as documented (<https://developers.openai.com/codex/plugins/build>) and read in its sources
//! (`codex-rs/core-plugins`). No run has shown what they do.

use crate::agents::claude::plugins;
use crate::agents::shared::bundles::Bundle;

/// A plugin's manifest, below its root.
pub(super) const MANIFEST: &str = ".codex-plugin/plugin.json";
/// The hooks of a plugin whose manifest names none.
pub(super) const HOOKS: &str = "hooks/hooks.json";
/// Its servers, too.
pub(super) const SERVERS: &str = ".mcp.json";

/// The plugins. Those that a marketplace lists have a manifest each.
pub(super) const PLUGINS: Bundle = Bundle {
    manifests: &[MANIFEST],
    common_manifest: "",
    parts: &[HOOKS, SERVERS],
    catalogue: ".agents/plugins/marketplace.json",
    folders: &[],
    is_documented: true,
    has_lone_skill: false,
    root_variable: "PLUGIN_ROOT",
    starts_in_project: false,
    named: |_| Vec::new(),
    paths: plugins::paths,
    entries: |_| Vec::new(),
    defects: |_| Vec::new(),
};
