//! What an extension of Gemini CLI brings once somebody has installed it: the servers of its `gemini-extension.json`, and its hooks.
//! No run has shown it; it is as documented in <https://geminicli.com/docs/extensions/reference>. So nothing is told of as dropped.

use super::runs::hook_table::HOOKS;
use crate::agents::shared::bundles::Bundle;
use crate::agents::shared::runs::nested_hooks::{self, HookPlace};
use crate::agents::shared::runs::reading::SettingsText;
use crate::agents::shared::runs::{Approval, RunReader, documented};
use crate::parse::json::JsonGrammar;
use crate::world::AbsPath;
use std::collections::BTreeSet;

/// An extension's manifest, below its root.
pub(super) const MANIFEST: &str = "gemini-extension.json";
/// Its hooks.
const HOOKS_FILE: &str = "hooks/hooks.json";

/// Extensions as bundles. There are no catalogues of them in repositories.
pub(super) const EXTENSIONS: Bundle = Bundle {
    manifests: &[MANIFEST],
    common_manifest: "",
    parts: &[HOOKS_FILE],
    catalogue: "gemini-extensions.json",
    folders: &[],
    is_documented: true,
    has_lone_skill: false,
    root_variable: "extensionPath",
    starts_in_project: false,
    named: |_| Vec::new(),
    paths: |_| Vec::new(),
    entries: |_| Vec::new(),
    defects: |_| Vec::new(),
};

/// What the extension in `root` brings. Whoever installs it trusts it.
pub(super) fn read(reader: &mut RunReader<'_>, root: &AbsPath) {
    let dropped = reader.out.dropped.len();
    let parsed = |path: &str| SettingsText::parsed(reader.world, &root.join(path), JsonGrammar::RELAXED);
    let (manifest, hooks) = (parsed(MANIFEST), parsed(HOOKS_FILE));
    let Some((text, manifest)) = manifest else { return };
    if let Some((text, hooks)) = hooks
        && let Some(events) = hooks.get("hooks").filter(|events| events.is_object())
    {
        let place = HookPlace { text: &text, approval: Approval::Nobody, disabled: &BTreeSet::new() };
        nested_hooks::read(reader, events, &HOOKS, &place);
    }
    if let Some(servers) = manifest.get("mcpServers") {
        documented::push_servers(reader, &text, servers, Approval::Nobody);
    }
    reader.out.dropped.truncate(dropped);
}
