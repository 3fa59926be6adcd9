//! What OpenAI Codex runs, connects to and obeys because of a repository's files: `.codex/config.toml`, `.codex/hooks.json` and
//! `.codex/rules` of every directory from the root to the start. Observed on 0.169.0 in November 2026, run by run.

mod config;
mod hooks;
mod keys;
mod plugins;
mod policies;
mod types;

use crate::agents::shared::roots::{directories, find_root};
use crate::agents::shared::runs::documented;
use crate::agents::shared::runs::reading::SettingsText;
use crate::agents::shared::runs::{Approval, DroppedScope, Moment, RunItem, RunKind, RunReader, SettingPlace};
use crate::world::AbsPath;

/// The account of one start.
struct CodexRuns<'r, 'w> {
    reader: &'r mut RunReader<'w>,
    /// Whether a config switches hooks off.
    without_hooks: bool,
}

pub(super) fn read(reader: &mut RunReader<'_>) {
    let start = reader.out.start.clone();
    let root = find_root(reader.world, &start, super::CODEX.root).unwrap_or_else(|| start.clone());
    let mut runs = CodexRuns { reader, without_hooks: false };
    if runs.reader.options.is_bundle {
        return runs.read_plugin(&start);
    }
    for root in documented::given_bundles(runs.reader, "pluginDirs") {
        runs.read_plugin(&root);
    }
    let layers: Vec<AbsPath> = directories(&root, &start).into_iter().map(|dir| dir.join(".codex")).collect();
    if !runs.reader.is_trusted() {
        return layers.iter().for_each(|layer| runs.drop_untrusted(layer));
    }
    let configs = runs.read_configs(&layers);
    runs.read_hooks(&layers, &configs);
    for layer in &layers {
        runs.read_policies(&layer.join("rules"));
    }
}

impl CodexRuns<'_, '_> {
    /// Everything in an untrusted project is ignored; its files are not even parsed.
    fn drop_untrusted(&mut self, layer: &AbsPath) {
        for name in ["config.toml", "hooks.json"] {
            let Some(text) = SettingsText::read(self.reader.world, &layer.join(name)) else { continue };
            let mut lost = text.lost();
            lost.servers += config::servers_in(&text);
            self.drop(text.place_at(0), "the folder is not trusted", DroppedScope::File(lost), true);
        }
    }

    /// Put on record what happens.
    fn push(&mut self, moment: Moment, kind: RunKind, place: SettingPlace, approval: Approval) {
        self.reader.out.items.push(RunItem { moment, kind, place, approval, on_use_of: None });
    }

    /// Put on record what the files say and the agent does not do.
    fn drop(&mut self, place: SettingPlace, why: impl Into<String>, what: DroppedScope, is_said: bool) {
        self.reader.drop(place, why, what, is_said);
    }

    /// Put on record why the agent does not start.
    fn refuse(&mut self, place: SettingPlace, why: impl Into<String>) {
        self.drop(place, why, DroppedScope::Agent, true);
    }

    /// Whose approval a hook needs: the user reviews each by its hash, unless the command line waives that.
    fn hook_approval(&self) -> Approval {
        let waived = self.reader.option("bypassHookTrust").and_then(serde_json::Value::as_bool) == Some(true);
        if waived { Approval::Folder } else { Approval::Item }
    }
}

/// What a setting of a repository lets the agent do without a question.
pub(super) fn weakens(kind: &RunKind) -> Option<&'static str> {
    match kind {
        RunKind::Setting { key, value } if key == "sandbox_mode" && value == "\"danger-full-access\"" => {
            Some("runs commands outside of its sandbox")
        }
        _ => None,
    }
}
