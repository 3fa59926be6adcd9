//! Keys of Qwen Code's settings that it passes over without a word: read in the package of 0.24.4. The flat names from before
//! September 2025 are none of them, for it moves those to their sections.

use super::QwenRuns;
use crate::agents::shared::runs::names::{KeyTable, KnownKeys};

/// The sections, with the keys that many write.
const KNOWN: &KnownKeys = &[
    ("$schema", &[]),
    ("advanced", &["autoConfigureMemory", "bugCommand", "dnsResolutionOrder", "excludedEnvVars"]),
    ("agents", &[]),
    ("context", &["fileFiltering", "fileName", "importFormat", "includeDirectories"]),
    ("disableAllHooks", &[]),
    ("env", &[]),
    ("experimental", &[]),
    ("extensions", &[]),
    ("fastModel", &[]),
    ("general", &["language", "outputLanguage", "outputStyle", "preferredEditor", "vimMode"]),
    ("hooks", &[]),
    ("ide", &["enabled", "hasSeenNudge"]),
    ("mcp", &["allowed", "excluded", "serverCommand"]),
    ("mcpServers", &[]),
    ("memory", &[]),
    ("model", &["baseUrl", "generationConfig", "maxSessionTurns", "name"]),
    ("modelProviders", &[]),
    ("output", &["format"]),
    ("permissions", &["allow", "ask", "deny"]),
    ("privacy", &["usageStatisticsEnabled"]),
    ("security", &["auth", "folderTrust"]),
    ("skills", &["directories", "disabled", "enabled"]),
    ("slashCommands", &["disabled"]),
    ("telemetry", &[]),
    ("tools", &["allowed", "approvalMode", "callCommand", "core", "disabled", "exclude", "sandbox", "shell"]),
    ("ui", &["hideTips", "statusLine", "theme"]),
];
const CONTAINERS: [&str; 6] = ["context", "hooks", "mcpServers", "modelProviders", "permissions", "tools"];

impl QwenRuns<'_, '_> {
    /// Put on record what the project's file says in vain.
    pub(super) fn drop_dead_settings(&mut self) {
        let Some(file) = self.files.iter().find(|file| file.is_project) else { return };
        let keys = KeyTable { known: KNOWN, containers: &CONTAINERS, former: &[] };
        self.reader.drop_dead_settings(&file.text, &file.root, &keys);
    }
}
