//! The types that Codex demands of its config. One that is wrong keeps it from starting. Observed on 0.169.0, key by key.

use crate::agents::shared::runs::types::{self, TypedKeys, ValueType};
use crate::base::text::Span;
use crate::parse::json::JsonNode;

use ValueType::*;

/// The keys by path, grouped by what they must be.
const TYPES: &TypedKeys = &[
    (
        Text,
        &[
            "compact_prompt",
            "instructions",
            "js_repl_node_path",
            "log_dir",
            "model_catalog_json",
            "oss_provider",
            "review_model",
            "sqlite_home",
        ],
    ),
    (Whole, &["model_auto_compact_token_limit", "model_context_window"]),
    (
        Count,
        &["agents.max_threads", "background_terminal_max_timeout", "project_doc_max_bytes", "tool_output_token_limit"],
    ),
    (
        Bool,
        &[
            "allow_login_shell",
            "check_for_update_on_startup",
            "disable_paste_burst",
            "experimental_use_unified_exec_tool",
            "hide_agent_reasoning",
            "sandbox_workspace_write.network_access",
            "show_raw_agent_reasoning",
            "suppress_unstable_features_warning",
        ],
    ),
    (
        Object,
        &[
            "agents",
            "analytics",
            "apps",
            "audio",
            "feedback",
            "ghost_snapshot",
            "marketplaces",
            "mcp_servers",
            "memories",
            "notice",
            "permissions",
            "plugins",
            "projects",
            "realtime",
            "sandbox_workspace_write",
            "shell_environment_policy",
            "skills",
            "tools",
            "windows",
        ],
    ),
    (BoolMap, &["features"]),
    (TextMap, &["shell_environment_policy.set"]),
    (Texts, &["project_doc_fallback_filenames", "project_root_markers"]),
    (OneOf(&["user", "auto_review", "guardian_subagent"]), &["approvals_reviewer"]),
    (OneOf(&["file", "keyring", "auto", "ephemeral"]), &["cli_auth_credentials_store"]),
    (OneOf(&["vscode", "vscode-insiders", "windsurf", "cursor", "none"]), &["file_opener"]),
    (OneOf(&["chatgpt", "api"]), &["forced_login_method"]),
    (OneOf(&["save-all", "none"]), &["history.persistence"]),
    (OneOf(&["auto", "file", "keyring"]), &["mcp_oauth_credentials_store"]),
    (OneOf(&["auto", "concise", "detailed", "none"]), &["model_reasoning_summary"]),
    (OneOf(&["low", "medium", "high"]), &["model_verbosity"]),
    (OneOf(&["none", "friendly", "pragmatic"]), &["personality"]),
    (OneOf(&["core", "all", "none"]), &["shell_environment_policy.inherit"]),
    (OneOf(&["disabled", "cached", "indexed", "live"]), &["web_search"]),
];

/// The keys at the top of a config whose values must be something.
pub(super) fn top_keys() -> impl Iterator<Item = &'static str> {
    let paths = TYPES.iter().flat_map(|(_, paths)| paths.iter());
    paths.filter_map(|path| path.split('.').next()).chain(["hooks"])
}

/// The same for what a server has beside its command or URL.
pub(super) const SERVER_FIELDS: &TypedKeys = &[
    (Bool, &["enabled", "required"]),
    (Text, &["bearer_token_env_var", "cwd"]),
    (Texts, &["disabled_tools", "enabled_tools", "scopes"]),
    // An entry is a name, or a table with more about it.
    (List, &["env_vars"]),
    (TextMap, &["env", "env_http_headers", "http_headers"]),
    (Seconds, &["startup_timeout_sec", "tool_timeout_sec"]),
];

/// What TOML calls an object.
pub(super) const OBJECT: &str = "a table";

/// The first value of a wrong type.
pub(super) fn problem(root: &JsonNode) -> Option<(Span, String)> {
    types::problem(root, TYPES, OBJECT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::shared::runs::reading::of_toml;

    #[test]
    fn wrong_types_are_found_as_observed() {
        let check = |text: &str, expected: Option<&str>| {
            let found = problem(&of_toml(text).expect("TOML"));
            assert_eq!(found.map(|(_, why)| why).as_deref(), expected, "{text}");
        };
        check("allow_login_shell = 'x'", Some("`allow_login_shell` must be a boolean, not a string"));
        check(
            "project_doc_max_bytes = -1",
            Some("`project_doc_max_bytes` must be a whole number that is not negative, not a number"),
        );
        check("[features]\nhooks = 5", Some("`features` must be a table of booleans, not a table"));
        check("[features]\nnew = true\nmore = {on = true}", None);
        check("web_search = 'live'\nunknown = 5\n[tools]\nview_image = true", None);
        check("mcp_servers = 'x'", Some("`mcp_servers` must be a table, not a string"));
    }
}
