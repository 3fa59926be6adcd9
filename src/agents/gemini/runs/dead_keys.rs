//! Keys of Gemini CLI's settings that it passes over without a word: read in the package of 0.61.0, which knows the sections below
//! and none of the flat names from before September 2025.

use super::GeminiRuns;
use crate::agents::shared::runs::names::{DeadKey, KeyTable, KnownKeys};

/// The sections, with the keys that many write.
const KNOWN: &KnownKeys = &[
    ("$schema", &[]),
    ("admin", &[]),
    ("adminPolicyPaths", &[]),
    ("advanced", &["autoConfigureMemory", "bugCommand", "dnsResolutionOrder", "excludedEnvVars", "ignoreLocalEnv"]),
    ("agents", &["browser", "overrides"]),
    ("billing", &[]),
    (
        "context",
        &[
            "discoveryMaxDirs",
            "fileFiltering",
            "fileName",
            "importFormat",
            "includeDirectories",
            "includeDirectoryTree",
        ],
    ),
    ("contextManagement", &[]),
    ("experimental", &[]),
    ("extensions", &["disabled"]),
    ("general", &["checkpointing", "defaultApprovalMode", "preferredEditor", "vimMode"]),
    ("hooks", &[]),
    ("hooksConfig", &["disabled", "enabled", "notifications"]),
    ("ide", &["enabled", "hasSeenNudge"]),
    ("mcp", &["allowed", "excluded", "serverCommand"]),
    ("mcpServers", &[]),
    ("model", &["compressionThreshold", "maxSessionTurns", "name", "summarizeToolOutput"]),
    ("modelConfigs", &[]),
    ("output", &["format"]),
    ("policyPaths", &[]),
    ("privacy", &["usageStatisticsEnabled"]),
    ("security", &["auth", "disableYoloMode", "environmentVariableRedaction", "folderTrust"]),
    ("skills", &["disabled", "enabled"]),
    ("telemetry", &[]),
    (
        "tools",
        &[
            "allowed",
            "callCommand",
            "confirmationRequired",
            "core",
            "discoveryCommand",
            "exclude",
            "sandbox",
            "shell",
            "useRipgrep",
        ],
    ),
    ("ui", &["hideBanner", "hideTips", "theme"]),
    ("useWriteTodos", &[]),
];
const CONTAINERS: [&str; 6] = ["context", "extensions", "hooks", "mcpServers", "skills", "tools"];

/// The flat names, and where the settings stand now.
const FORMER: [(&str, &str); 30] = [
    ("allowMCPServers", "mcp.allowed"),
    ("allowedTools", "tools.allowed"),
    ("autoConfigureMaxOldSpaceSize", "advanced.autoConfigureMemory"),
    ("bugCommand", "advanced.bugCommand"),
    ("checkpointing", "general.checkpointing"),
    ("contextFileName", "context.fileName"),
    ("coreTools", "tools.core"),
    ("dnsResolutionOrder", "advanced.dnsResolutionOrder"),
    ("enforcedAuthType", "security.auth.enforcedType"),
    ("excludeMCPServers", "mcp.excluded"),
    ("excludeTools", "tools.exclude"),
    ("excludedProjectEnvVars", "advanced.excludedEnvVars"),
    ("fileFiltering", "context.fileFiltering"),
    ("folderTrust", "security.folderTrust.enabled"),
    ("hideBanner", "ui.hideBanner"),
    ("hideTips", "ui.hideTips"),
    ("ideMode", "ide.enabled"),
    ("includeDirectories", "context.includeDirectories"),
    ("maxSessionTurns", "model.maxSessionTurns"),
    ("mcpServerCommand", "mcp.serverCommand"),
    ("memoryImportFormat", "context.importFormat"),
    ("preferredEditor", "general.preferredEditor"),
    ("sandbox", "tools.sandbox"),
    ("selectedAuthType", "security.auth.selectedType"),
    ("summarizeToolOutput", "model.summarizeToolOutput"),
    ("theme", "ui.theme"),
    ("toolCallCommand", "tools.callCommand"),
    ("toolDiscoveryCommand", "tools.discoveryCommand"),
    ("usageStatisticsEnabled", "privacy.usageStatisticsEnabled"),
    ("vimMode", "general.vimMode"),
];

/// Flat names inside of a section: no tool and no server is refused or allowed by them (run with 0.61.0).
const WITHIN: [(&str, &str, &str); 5] = [
    ("mcp", "allowMCPServers", "allowed"),
    ("mcp", "excludeMCPServers", "excluded"),
    ("tools", "allowedTools", "allowed"),
    ("tools", "coreTools", "core"),
    ("tools", "excludeTools", "exclude"),
];

impl GeminiRuns<'_, '_> {
    /// Put on record what the project's file says in vain.
    pub(super) fn drop_dead_settings(&mut self) {
        let start = self.reader.out.start.join(".gemini/settings.json");
        let Some(file) = self.files.iter().find(|file| file.text.path == start) else { return };
        let keys = KeyTable { known: KNOWN, containers: &CONTAINERS, former: &FORMER };
        self.reader.drop_dead_settings(&file.text, &file.root, &keys);
        let within = WITHIN.iter().filter_map(|(section, old, name)| {
            let section = file.root.get(section).filter(|section| section.get(name).is_none())?;
            let (why, instead) = (format!("the key is called `{name}`"), Some((*name).to_owned()));
            Some(DeadKey { member: section.member(old)?, why, instead })
        });
        self.reader.drop_dead_keys(&file.text, within.collect());
    }
}
