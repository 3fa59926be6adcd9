//! The types that Claude Code demands of the keys it knows. One wrong type among them drops the whole file; a few keys and
//! entries are dropped alone. Observed on 2.1.330: each key below was tried with a value of each type.

use crate::base::text::Span;
use crate::parse::json::{JsonNode, JsonValue};

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub(super) enum SettingType {
    Text,
    Number,
    /// A whole number that is not negative.
    Count,
    /// A number from 0 to 1.
    Fraction,
    Bool,
    /// Also `null` passes.
    BoolOrNull,
    Object,
    /// An object whose values are strings.
    TextMap,
    /// A list of anything: its wrong entries are dropped alone.
    List,
    /// A list of strings and nothing else.
    Texts,
    /// The same, or one string alone.
    TextOrTexts,
    /// The same, but the string must not be empty.
    NonemptyOrTexts,
    Objects,
    ObjectsOrNull,
    BoolOrObject,
    BoolOrTexts,
    OneOf(&'static [&'static str]),
    OneOfOrNull(&'static [&'static str]),
}

use SettingType::*;

/// The keys, grouped by what they must be. Below the top level only where the object is there; a star stands for every name.
const TYPES: &[(SettingType, &[&str])] = &[
    (
        Text,
        &[
            "$schema",
            "advisorModel",
            "agent",
            "apiKeyHelper",
            "autoMemoryDirectory",
            "awsAuthRefresh",
            "awsCredentialExport",
            "gcpAuthRefresh",
            "language",
            "minimumVersion",
            "model",
            "otelHeadersHelper",
            "outputStyle",
            "plansDirectory",
            "pluginTrustMessage",
            "prUrlTemplate",
            "proxyAuthHelper",
            "requiredMinimumVersion",
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
            "alwaysThinkingEnabled",
            "autoCompactEnabled",
            "autoMemoryEnabled",
            "autoScrollEnabled",
            "awaySummaryEnabled",
            "disableAllHooks",
            "emojiCompletionEnabled",
            "fastMode",
            "fileCheckpointingEnabled",
            "forceRemoteSettingsRefresh",
            "includeCoAuthoredBy",
            "includeGitInstructions",
            "inputNeededNotifEnabled",
            "prefersReducedMotion",
            "promptSuggestionEnabled",
            "respectGitignore",
            "showThinkingSummaries",
            "showTurnDuration",
            "spinnerTipsEnabled",
            "syntaxHighlightingDisabled",
            "terminalProgressBarEnabled",
            "terminalTitleFromRename",
            "todoFeatureEnabled",
            "verbose",
            "voiceEnabled",
            "workflowKeywordTriggerEnabled",
            "wslInheritsWindowsSettings",
            "sandbox.allowUnsandboxedCommands",
            "sandbox.autoAllowBashIfSandboxed",
            "sandbox.enableWeakerNestedSandbox",
            "sandbox.enabled",
            "sandbox.failIfUnavailable",
            "sandbox.network.allowLocalBinding",
        ],
    ),
    (
        BoolOrNull,
        &[
            "allowManagedHooksOnly",
            "allowManagedPermissionRulesOnly",
            "channelsEnabled",
            "disableAgentView",
            "disableArtifact",
            "disableBundledSkills",
            "disableClaudeAiConnectors",
            "disableRemoteControl",
            "disableSideloadFlags",
            "disableSkillShellExecution",
            "disableWorkflows",
            "enableAllProjectMcpServers",
            "enableWorkflows",
            "enforceAvailableModels",
            "remoteControlAtStartup",
            "skipAutoPermissionPrompt",
            "skipDangerousModePermissionPrompt",
            "skipWebFetchPreflight",
            "useAutoModeDuringPlan",
        ],
    ),
    (
        Object,
        &[
            "autoMode",
            "enabledPlugins",
            "env",
            "fileSuggestion",
            "modelOverrides",
            "permissions",
            "pluginConfigs",
            "pluginConfigs.*",
            "remote",
            "sandbox",
            "sandbox.filesystem",
            "sandbox.ignoreViolations",
            "sandbox.network",
            "sandbox.ripgrep",
            "skillOverrides",
            "spinnerVerbs",
            "statusLine",
            "worktree",
        ],
    ),
    (List, &["permissions.allow", "permissions.ask", "permissions.deny"]),
    (
        Texts,
        &[
            "allowedHttpHookUrls",
            "autoMode.allow",
            "autoMode.environment",
            "autoMode.soft_deny",
            "availableModels",
            "claudeMdExcludes",
            "companyAnnouncements",
            "fallbackModel",
            "httpHookAllowedEnvVars",
            "permissions.additionalDirectories",
            "pluginSuggestionMarketplaces",
            "sandbox.excludedCommands",
            "sandbox.filesystem.allowWrite",
            "sandbox.filesystem.denyRead",
            "sandbox.ignoreViolations.*",
            "sandbox.network.allowUnixSockets",
            "sandbox.network.allowedDomains",
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
    (Number, &["sandbox.network.httpProxyPort", "statusLine.padding"]),
    (Count, &["cleanupPeriodDays", "skillListingMaxDescChars"]),
    (Fraction, &["feedbackSurveyRate", "skillListingBudgetFraction"]),
    (
        OneOf(&["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "manual", "plan"]),
        &["permissions.defaultMode"],
    ),
    (OneOf(&["disable"]), &["permissions.disableAutoMode", "permissions.disableBypassPermissionsMode"]),
    (OneOf(&["latest", "stable", "rc"]), &["autoUpdatesChannel"]),
    (OneOf(&["bash", "powershell"]), &["defaultShell"]),
    (OneOf(&["default", "fullscreen"]), &["tui"]),
    (OneOf(&["first-wins", "merge"]), &["parentSettingsBehavior"]),
    (OneOf(&["transient", "ask"]), &["daemonColdStart"]),
    (OneOf(&["unrestricted", "small", "medium", "large"]), &["workflowSizeGuideline"]),
    (OneOf(&["fresh", "head"]), &["worktree.baseRef"]),
    (OneOf(&["on", "name-only", "user-invocable-only", "off"]), &["skillOverrides.*"]),
    (OneOfOrNull(&["disable"]), &["disableAutoMode", "disableDeepLinkRegistration"]),
];

/// Objects that must have certain keys, with what these must be.
const PARTS: &[(&str, &[(&str, SettingType)])] = &[
    ("fileSuggestion", &[("type", OneOf(&["command"])), ("command", Text)]),
    ("sandbox.ripgrep", &[("command", Text)]),
    ("spinnerVerbs", &[("mode", OneOf(&["append", "replace"])), ("verbs", Texts)]),
    ("statusLine", &[("type", OneOf(&["command"])), ("command", Text)]),
];

impl SettingType {
    pub(super) fn fits(self, node: &JsonNode) -> bool {
        let is_null = matches!(node.value, JsonValue::Null);
        match self {
            Text => node.text().is_some(),
            Number => node.number().is_some(),
            Count => node.number().is_some_and(|number| number >= 0.0 && number.fract() == 0.0),
            Fraction => node.number().is_some_and(|number| (0.0..=1.0).contains(&number)),
            Bool => node.bool().is_some(),
            BoolOrNull => is_null || Bool.fits(node),
            Object => node.is_object(),
            TextMap => node.is_object() && node.members().iter().all(|member| Text.fits(&member.value)),
            List => node.is_array(),
            Texts => node.is_array() && node.items().iter().all(|item| Text.fits(item)),
            TextOrTexts => Text.fits(node) || Texts.fits(node),
            NonemptyOrTexts => TextOrTexts.fits(node) && node.text() != Some(""),
            Objects => node.is_array() && node.items().iter().all(JsonNode::is_object),
            ObjectsOrNull => is_null || Objects.fits(node),
            BoolOrObject => Bool.fits(node) || node.is_object(),
            BoolOrTexts => Bool.fits(node) || Texts.fits(node),
            OneOf(values) => node.text().is_some_and(|text| values.contains(&text)),
            OneOfOrNull(values) => is_null || OneOf(values).fits(node),
        }
    }

    /// What the value must be, in words.
    pub(super) fn words(self) -> String {
        match self {
            Text => "a string".to_owned(),
            Number => "a number".to_owned(),
            Count => "a whole number that is not negative".to_owned(),
            Fraction => "a number from 0 to 1".to_owned(),
            Bool | BoolOrNull => "a boolean".to_owned(),
            Object => "an object".to_owned(),
            TextMap => "an object of strings".to_owned(),
            List => "a list".to_owned(),
            Texts | TextOrTexts | NonemptyOrTexts => "a list of strings".to_owned(),
            Objects | ObjectsOrNull => "a list of objects".to_owned(),
            BoolOrObject => "a boolean or an object".to_owned(),
            BoolOrTexts => "a boolean or a list of strings".to_owned(),
            OneOf(values) | OneOfOrNull(values) if values.len() == 1 => format!("`{}`", values[0]),
            OneOf(values) | OneOfOrNull(values) => format!("one of {}", values.join(", ")),
        }
    }
}

/// Keys whose values may be anything.
const OTHERS: [&str; 4] = ["extraKnownMarketplaces", "hooks", "mcpServers", "theme"];

/// The keys of a settings file.
pub(super) fn top_keys() -> Vec<&'static str> {
    let typed = TYPES.iter().flat_map(|(_, paths)| paths.iter().copied());
    let parts = PARTS.iter().map(|(path, _)| *path);
    typed.chain(parts).chain(OTHERS).filter(|path| !path.contains('.')).collect()
}

/// The first value of a wrong type, and what it must be.
pub(super) fn problem(root: &JsonNode) -> Option<(Span, String)> {
    let keys = TYPES.iter().flat_map(|(required, paths)| paths.iter().map(move |path| (*required, *path)));
    for (required, path) in keys {
        if let Some((found, node)) = misfit(root, path, required) {
            return Some((node.span, format!("`{found}` must be {}, not a {}", required.words(), node.type_name())));
        }
    }
    for (path, parts) in PARTS {
        let Some(object) = at(root, path) else { continue };
        for (key, required) in *parts {
            let why = || format!("`{path}.{key}` must be {}", required.words());
            match object.get(key) {
                None => return Some((object.span, why())),
                Some(node) if !required.fits(node) => return Some((node.span, why())),
                Some(_) => {}
            }
        }
    }
    None
}

/// The value at a path with dots that does not fit, and its path. A star at the end stands for each member.
fn misfit<'n>(root: &'n JsonNode, path: &str, required: SettingType) -> Option<(String, &'n JsonNode)> {
    let Some(parent) = path.strip_suffix(".*") else {
        return at(root, path).filter(|node| !required.fits(node)).map(|node| (path.to_owned(), node));
    };
    let members = at(root, parent)?.effective();
    let wrong = members.into_iter().find(|member| !required.fits(&member.value))?;
    Some((format!("{parent}.{}", wrong.key), &wrong.value))
}

fn at<'n>(root: &'n JsonNode, path: &str) -> Option<&'n JsonNode> {
    path.split('.').try_fold(root, |node, key| node.get(key))
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
        check(r#"{"model": 5}"#, Some("`model` must be a string, not a number"));
        check(r#"{"permissions": {"deny": "Read"}}"#, Some("`permissions.deny` must be a list, not a string"));
        check(r#"{"permissions": {"deny": [5]}}"#, None);
        check(r#"{"permissions": null}"#, Some("`permissions` must be an object, not a null"));
        check(r#"{"enableAllProjectMcpServers": null, "skipWebFetchPreflight": null}"#, None);
        check(r#"{"disableAllHooks": null}"#, Some("`disableAllHooks` must be a boolean, not a null"));
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
