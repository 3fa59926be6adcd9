//! What Claude Code runs, connects to and obeys because of a repository's files: `.claude/settings.json` and
//! `settings.local.json`, `.mcp.json`, plugins, and the frontmatter and `` !`…` `` lines of commands, skills and agents.
//! Observed on 2.1.330 in November 2026, run by run.

mod command_rules;
mod contract;
mod dead_keys;
pub(super) mod entries;
mod environment;
mod hint_files;
mod hook_types;
mod hooks;
pub(super) mod manifest;
mod manifest_config;
mod path_rules;
mod permissions;
mod plugins;
mod prefix_rules;
mod read_only;
mod references;
mod server_slips;
mod servers;
pub(super) mod settings;
mod styles;
mod types;
mod unread;
pub(super) mod unread_names;

pub(super) use contract::HOOK_CONTRACT;
pub(super) use permissions::weakens;

use crate::agents::shared::runs::reading::SettingsText;
use crate::agents::shared::runs::{Approval, DroppedScope, Moment, RunItem, RunKind, RunMode, RunReader, SettingPlace};
use crate::parse::json::JsonNode;

/// Whose settings a file holds. The least decisive is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SettingsOwner {
    User,
    Project,
    Local,
}

/// A settings file in effect.
struct SettingsFile {
    text: SettingsText,
    root: JsonNode,
    owner: SettingsOwner,
}

/// The account of one start.
struct ClaudeRuns<'r, 'w> {
    reader: &'r mut RunReader<'w>,
    /// The settings files in effect, from the least decisive to the most.
    files: Vec<SettingsFile>,
    /// Rules that allow something, in effect.
    allowed: Vec<String>,
    /// Rules that refuse something, in effect.
    denied: Vec<String>,
    /// Whether a setting switches all hooks off.
    without_hooks: bool,
    /// How many commands of hint files were looked at.
    pre_runs: usize,
    /// How many matchers were tried.
    matchers: usize,
}

pub(super) fn read(reader: &mut RunReader<'_>) {
    let mut runs = ClaudeRuns {
        reader,
        files: Vec::new(),
        allowed: Vec::new(),
        denied: Vec::new(),
        without_hooks: false,
        pre_runs: 0,
        matchers: 0,
    };
    if runs.reader.options.is_bundle {
        return runs.read_plugin(&runs.reader.out.start.clone());
    }
    runs.read_settings();
    runs.read_environment();
    runs.read_permissions();
    runs.read_settings_hooks();
    runs.read_helpers();
    runs.read_style();
    runs.read_project_servers();
    runs.read_plugins();
    runs.read_hint_files();
    runs.read_unread_files();
    runs.note_server_slips();
}

impl ClaudeRuns<'_, '_> {
    /// Whose approval a repository's settings need.
    fn approval(&self) -> Approval {
        match self.reader.out.mode {
            RunMode::Interactive => Approval::Folder,
            RunMode::Headless | RunMode::HeadlessUntrusted => Approval::Nobody,
        }
    }

    /// Put on record what happens.
    fn push(&mut self, moment: Moment, kind: RunKind, place: SettingPlace) {
        let approval = self.approval();
        self.push_with(moment, kind, place, approval, None);
    }

    fn push_with(
        &mut self,
        moment: Moment,
        kind: RunKind,
        place: SettingPlace,
        approval: Approval,
        on_use_of: Option<String>,
    ) {
        self.reader.out.items.push(RunItem { moment, kind, place, approval, on_use_of });
    }

    /// Put on record what the files say and the agent does not do.
    fn drop(&mut self, place: SettingPlace, why: impl Into<String>, what: DroppedScope, is_said: bool) {
        self.reader.drop(place, why, what, is_said);
    }

    /// The value that the most decisive file in effect gives to a key.
    fn setting(&self, key: &str) -> Option<(&SettingsFile, &JsonNode)> {
        self.files.iter().rev().find_map(|file| file.root.get(key).map(|value| (file, value)))
    }

    /// Whether the most decisive file that has a key sets it to `true`.
    fn is_on(&self, key: &str) -> bool {
        self.setting(key).is_some_and(|(_, value)| value.bool() == Some(true))
    }
}
