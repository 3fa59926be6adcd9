//! The types that Claude Code demands of the keys it knows. One wrong type among them drops the whole file; a few keys and
//! entries are dropped alone. Observed on 2.1.330: each key below was tried with a value of each type.

use crate::agents::shared::runs::types::{self, TypedKeys, ValueType, at};
use crate::base::text::Span;
use crate::parse::json::JsonNode;

use ValueType::*;

/// The keys by path, grouped by what they must be.
const TYPES: &TypedKeys = &[
    (
        Text,
        &[
            "$schema",
            "advisorModel",
            "agent",
            "apiKeyHelper",
            "attributionProject",
            "autoMemoryDirectory",
            "awsAuthRefresh",
            "awsCredentialExport",
            "claudeMd",
            "gcpAuthRefresh",
            "language",
            "minimumVersion",
            "model",
            "otelHeadersHelper",
            "outputStyle",
            "plansDirectory",
            "pluginTrustMessage",
            "prUrlTemplate",
            "processWrapper",
            "proxyAuthHelper",
            "requiredMaximumVersion",
            "requiredMinimumVersion",
            "timeFormat",
            "timeZone",
            "attribution.commit",
            "attribution.pr",
            "modelOverrides.*",
            "remote.defaultEnvironmentId",
        ],
    ),
    (
        Bool,
        &[
            "agentPushNotifEnabled",
            "allowAllClaudeAiMcps",
            "allowClaudeInChromeWithManagedMcp",
            "allowNestedModelAccessUnderForceLogin",
            "alwaysThinkingEnabled",
            "autoCompactEnabled",
            "autoDreamEnabled",
            "autoMemoryEnabled",
            "autoScrollEnabled",
            "awaySummaryEnabled",
            "axScreenReader",
            "bashEditDiffEnabled",
            "clawdFileProgressEnabled",
            "disableAllHooks",
            "disableReplyCheck",
            "doneMeansMerged",
            "emojiCompletionEnabled",
            "fastMode",
            "fileCheckpointingEnabled",
            "forceRemoteSettingsRefresh",
            "idleCompaction",
            "includeCoAuthoredBy",
            "includeGitInstructions",
            "inputNeededNotifEnabled",
            "precomputeCompactionEnabled",
            "prefersReducedMotion",
            "promptSuggestionEnabled",
            "respectGitignore",
            "respondToBashCommands",
            "showClearContextOnPlanAccept",
            "showMessageTimestamps",
            "showThinkingSummaries",
            "showTurnDuration",
            "spinnerTipsEnabled",
            "switchModelsOnFlag",
            "syntaxHighlightingDisabled",
            "terminalProgressBarEnabled",
            "terminalTitleFromRename",
            "todoFeatureEnabled",
            "totalTokensReminderAfterUserTurn",
            "verbose",
            "voiceEnabled",
            "wheelScrollAccelerationEnabled",
            "workflowKeywordTriggerEnabled",
            "wslInheritsWindowsSettings",
            "permissions.blockFileToolReadsOutsideWorkingDirectories",
            "permissions.blockReadsOutsideWorkingDirectories",
            "permissions.blockWritesOutsideWorkingDirectories",
            "permissions.denyInsteadOfPrompting",
            "sandbox.allowAppleEvents",
            "sandbox.allowNestedUserNamespaces",
            "sandbox.allowUnsandboxedCommands",
            "sandbox.autoAllowBashIfSandboxed",
            "sandbox.enableWeakerNestedSandbox",
            "sandbox.enableWeakerNetworkIsolation",
            "sandbox.enabled",
            "sandbox.failIfUnavailable",
            "sandbox.filesystem.allowManagedReadPathsOnly",
            "sandbox.filesystem.disabled",
            "sandbox.network.allowAllUnixSockets",
            "sandbox.network.allowLocalBinding",
            "sandbox.network.allowManagedDomainsOnly",
            "sandbox.network.strictAllowlist",
        ],
    ),
    (
        BoolOrNull,
        &[
            "allowManagedHooksOnly",
            "allowManagedMcpServersOnly",
            "allowManagedPermissionRulesOnly",
            "autoContinueAtUsageLimit",
            "autoUploadSessions",
            "channelsEnabled",
            "disableAgentView",
            "disableArtifact",
            "disableBundledSkills",
            "disableClaudeAiConnectors",
            "disableCommandPluginSources",
            "disableDirectMcpSkills",
            "disableRemoteControl",
            "disableSideloadFlags",
            "disableSkillShellExecution",
            "disableWindowsBashCommandSplit",
            "disableWorkflows",
            "enableAllProjectMcpServers",
            "enableArtifact",
            "enableWorkflows",
            "enforceAvailableModels",
            "fastModePerSessionOptIn",
            "isolatePeerMachines",
            "remoteControlAtStartup",
            "responseComparisonEnabled",
            "skipAutoPermissionPrompt",
            "skipDangerousModePermissionPrompt",
            "skipWebFetchPreflight",
            "skipWorkflowUsageWarning",
            "syncClaudeAiPlugins",
            "syncClaudeAiSkills",
            "useAutoModeDuringPlan",
        ],
    ),
    (
        Object,
        &[
            "autoMode",
            "breakReminder",
            "enabledPlugins",
            "env",
            "fileSuggestion",
            "modelOverrides",
            "permissions",
            "pluginConfigs",
            "quietHours",
            "remote",
            "remoteTools",
            "sandbox",
            "skillOverrides",
            "spinnerVerbs",
            "statusLine",
            "voice",
            "worktree",
            "pluginConfigs.*",
            "sandbox.credentials",
            "sandbox.filesystem",
            "sandbox.ignoreViolations",
            "sandbox.network",
            "sandbox.network.tlsTerminate",
            "sandbox.ripgrep",
            "sandbox.windows",
        ],
    ),
    (List, &["permissions.allow", "permissions.ask", "permissions.deny"]),
    (
        Texts,
        &[
            "allowedHttpHookUrls",
            "availableModels",
            "claudeMdExcludes",
            "companyAnnouncements",
            "fallbackModel",
            "httpHookAllowedEnvVars",
            "pluginSuggestionMarketplaces",
            "autoMode.allow",
            "autoMode.environment",
            "autoMode.soft_deny",
            "permissions.additionalDirectories",
            "sandbox.excludedCommands",
            "sandbox.filesystem.allowRead",
            "sandbox.filesystem.allowWrite",
            "sandbox.filesystem.denyRead",
            "sandbox.filesystem.denyWrite",
            "sandbox.ignoreViolations.*",
            "sandbox.network.allowMachLookup",
            "sandbox.network.allowUnixSockets",
            "sandbox.network.allowedDomains",
            "sandbox.network.deniedDomains",
            "worktree.sparsePaths",
            "worktree.symlinkDirectories",
        ],
    ),
    (NonemptyOrTexts, &["disabledMcpjsonServers", "enabledMcpjsonServers"]),
    (TextOrTexts, &["forceLoginOrgUUID"]),
    (Objects, &["allowedChannelPlugins", "sshConfigs"]),
    (ObjectsOrNull, &["blockedMarketplaces", "strictKnownMarketplaces"]),
    (BoolOrObject, &["attribution"]),
    (BoolOrTexts, &["enabledPlugins.*"]),
    (Number, &["sandbox.network.httpProxyPort", "sandbox.network.socksProxyPort", "statusLine.padding"]),
    (
        Count,
        &[
            "cleanupPeriodDays",
            "desktopSessionCleanupPeriodDays",
            "skillListingMaxDescChars",
            "totalTokensReminderBudget",
        ],
    ),
    (Fraction, &["feedbackSurveyRate", "skillListingBudgetFraction"]),
    (
        OneOf(&["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "manual", "plan"]),
        &["permissions.defaultMode"],
    ),
    (OneOf(&["disable"]), &["permissions.disableAutoMode", "permissions.disableBypassPermissionsMode"]),
    (OneOf(&["latest", "stable", "rc"]), &["autoUpdatesChannel"]),
    (OneOf(&["bash", "powershell"]), &["defaultShell"]),
    (OneOf(&["default", "fullscreen"]), &["tui"]),
    (OneOf(&["first-wins", "merge"]), &["managedSourcesBehavior", "parentSettingsBehavior"]),
    (OneOf(&["chat", "transcript"]), &["defaultView"]),
    (OneOf(&["off", "infinite", "fixed", "countdown", "padded-countdown"]), &["totalTokensReminder"]),
    (OneOfOrNull(&["notify", "quiet", "off"]), &["feedbackDrafts"]),
    (OneOf(&["transient", "ask"]), &["daemonColdStart"]),
    (OneOf(&["unrestricted", "small", "medium", "large"]), &["workflowSizeGuideline"]),
    (OneOf(&["fresh", "head"]), &["worktree.baseRef"]),
    (OneOf(&["on", "name-only", "user-invocable-only", "off"]), &["skillOverrides.*"]),
    (OneOfOrNull(&["disable"]), &["disableAutoMode", "disableDeepLinkRegistration"]),
];

/// Objects that must have certain keys, with what these must be.
const PARTS: &[(&str, &[(&str, ValueType)])] = &[
    ("fileSuggestion", &[("type", OneOf(&["command"])), ("command", Text)]),
    ("sandbox.ripgrep", &[("command", Text)]),
    ("spinnerVerbs", &[("mode", OneOf(&["append", "replace"])), ("verbs", Texts)]),
    ("statusLine", &[("type", OneOf(&["command"])), ("command", Text)]),
];

/// Keys whose values may be anything.
const OTHERS: [&str; 55] = [
    "additionalDirectoryConfigRoots",
    "additionalMarketplaces",
    "allowedMarketplaces",
    "allowedMcpServers",
    "allowedProviders",
    "appendPlugins",
    "askUserQuestionTimeout",
    "attributionProjectPolicy",
    "autoCompactOfferAnswer",
    "autoCompactRaisedForLoad",
    "autoCompactWindow",
    "availableModelsMatch",
    "bashOutputMaxChars",
    "crossSessionInbound",
    "deniedMcpServers",
    "deniedModels",
    "desktopMcpServersListScope",
    "dialogExpiry",
    "editorMode",
    "effortLevel",
    "extraKnownMarketplaces",
    "footerLinksRegexes",
    "forceLoginGatewayUrl",
    "forceLoginMethod",
    "gatewayInternalNetworks",
    "hooks",
    "keybindingFlavor",
    "managedMcpServers",
    "maxEffortLevel",
    "maxProseWidth",
    "mcpServers",
    "modelPicker",
    "modelPricing",
    "modelProposedGoals",
    "modelSettings",
    "policyHelper",
    "policyHelpers",
    "precomputeArmTokens",
    "preferredNotifChannel",
    "prependPlugins",
    "promptCacheTtl",
    "remoteControl",
    "remoteMessageReceipts",
    "spellcheck",
    "spinnerTipsOverride",
    "sshHostCommands",
    "strictPluginOnlyCustomization",
    "subagentPromptCacheTtl",
    "subagentStatusLine",
    "taskOutputMaxChars",
    "teammateMode",
    "theme",
    "ultracode",
    "viewMode",
    "vimInsertModeRemaps",
];

/// The keys of a settings file.
pub(super) fn top_keys() -> Vec<&'static str> {
    let typed = TYPES.iter().flat_map(|(_, paths)| paths.iter().copied());
    let parts = PARTS.iter().map(|(path, _)| *path);
    typed.chain(parts).chain(OTHERS).filter(|path| !path.contains('.')).collect()
}

/// What JSON calls an object.
pub(super) const OBJECT: &str = "an object";

/// The first value of a wrong type, and what it must be.
pub(super) fn problem(root: &JsonNode) -> Option<(Span, String)> {
    if let Some(problem) = types::problem(root, TYPES, OBJECT) {
        return Some(problem);
    }
    for (path, parts) in PARTS {
        let Some(object) = at(root, path) else { continue };
        for (key, required) in *parts {
            let why = || format!("`{path}.{key}` must be {}", required.words(OBJECT));
            match object.get(key) {
                None => return Some((object.span, why())),
                Some(node) if !required.fits(node) => return Some((node.span, why())),
                Some(_) => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::json::{self, JsonGrammar};

    #[test]
    fn wrong_types_are_found_as_observed() {
        let check = |text: &str, expected: Option<&str>| {
            let root = json::parse(text, JsonGrammar::STRICT).expect("JSON");
            assert_eq!(problem(&root).map(|(_, why)| why).as_deref(), expected, "{text}");
        };
        check(
            r#"{"permissions": {"blockWritesOutsideWorkingDirectories": "yes"}}"#,
            Some("`permissions.blockWritesOutsideWorkingDirectories` must be a boolean, not a string"),
        );
        check(r#"{"enableArtifact": null, "feedbackDrafts": null, "sandbox": {"windows": {}}}"#, None);
        check(r#"{"model": 5}"#, Some("`model` must be a string, not a number"));
        check(r#"{"permissions": {"deny": "Read"}}"#, Some("`permissions.deny` must be a list, not a string"));
        check(r#"{"permissions": {"deny": [5]}}"#, None);
        check(r#"{"permissions": null}"#, Some("`permissions` must be an object, not null"));
        check(r#"{"enableAllProjectMcpServers": null, "skipWebFetchPreflight": null}"#, None);
        check(r#"{"disableAllHooks": null}"#, Some("`disableAllHooks` must be a boolean, not null"));
        check(r#"{"enabledMcpjsonServers": "x", "forceLoginOrgUUID": ""}"#, None);
        check(
            r#"{"enabledMcpjsonServers": ""}"#,
            Some("`enabledMcpjsonServers` must be a list of strings, not a string"),
        );
        check(r#"{"enabledPlugins": {"a@b": ["x"], "c@d": true}}"#, None);
        check(
            r#"{"enabledPlugins": {"a@b": "yes"}}"#,
            Some("`enabledPlugins.a@b` must be a boolean or a list of strings, not a string"),
        );
        check(r#"{"cleanupPeriodDays": 0}"#, None);
        check(
            r#"{"cleanupPeriodDays": -1}"#,
            Some("`cleanupPeriodDays` must be a whole number that is not negative, not a number"),
        );
        check(r#"{"statusLine": {"type": "command"}}"#, Some("`statusLine.command` must be a string"));
        check(r#"{"statusLine": {"type": "command", "command": "x", "foo": 5}}"#, None);
        check(r#"{"sandbox": {"network": {"allowedDomains": ["a"]}, "foo": 5}, "theme": 5, "foo": null}"#, None);
    }
}
