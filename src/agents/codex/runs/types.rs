//! The types that Codex demands of its config. One that is wrong keeps it from starting. Observed on 0.169.0, key by key.

use crate::base::text::Span;
use crate::parse::json::JsonNode;

/// What a value must be.
#[derive(Clone, Copy)]
pub(super) enum ConfigType {
    Text,
    Whole,
    /// A whole number that is not negative.
    Count,
    Bool,
    /// A number of seconds.
    Seconds,
    Table,
    List,
    Bools,
    Texts,
    TextTable,
    OneOf(&'static [&'static str]),
}

use ConfigType::*;

/// The keys by path, grouped by what they must be.
const TYPES: &[(ConfigType, &[&[&str]])] = &[
    (
        Text,
        &[
            &["compact_prompt"],
            &["instructions"],
            &["js_repl_node_path"],
            &["log_dir"],
            &["model_catalog_json"],
            &["oss_provider"],
            &["review_model"],
            &["sqlite_home"],
        ],
    ),
    (Whole, &[&["model_auto_compact_token_limit"], &["model_context_window"]]),
    (
        Count,
        &[
            &["agents", "max_threads"],
            &["background_terminal_max_timeout"],
            &["project_doc_max_bytes"],
            &["tool_output_token_limit"],
        ],
    ),
    (
        Bool,
        &[
            &["allow_login_shell"],
            &["check_for_update_on_startup"],
            &["disable_paste_burst"],
            &["experimental_use_unified_exec_tool"],
            &["hide_agent_reasoning"],
            &["sandbox_workspace_write", "network_access"],
            &["show_raw_agent_reasoning"],
            &["suppress_unstable_features_warning"],
        ],
    ),
    (
        Table,
        &[
            &["agents"],
            &["analytics"],
            &["apps"],
            &["audio"],
            &["feedback"],
            &["ghost_snapshot"],
            &["marketplaces"],
            &["mcp_servers"],
            &["memories"],
            &["notice"],
            &["permissions"],
            &["plugins"],
            &["projects"],
            &["realtime"],
            &["sandbox_workspace_write"],
            &["shell_environment_policy"],
            &["skills"],
            &["tools"],
            &["windows"],
        ],
    ),
    (Bools, &[&["features"]]),
    (TextTable, &[&["shell_environment_policy", "set"]]),
    (Texts, &[&["project_doc_fallback_filenames"], &["project_root_markers"]]),
    (OneOf(&["user", "auto_review", "guardian_subagent"]), &[&["approvals_reviewer"]]),
    (OneOf(&["file", "keyring", "auto", "ephemeral"]), &[&["cli_auth_credentials_store"]]),
    (OneOf(&["vscode", "vscode-insiders", "windsurf", "cursor", "none"]), &[&["file_opener"]]),
    (OneOf(&["chatgpt", "api"]), &[&["forced_login_method"]]),
    (OneOf(&["save-all", "none"]), &[&["history", "persistence"]]),
    (OneOf(&["auto", "file", "keyring"]), &[&["mcp_oauth_credentials_store"]]),
    (OneOf(&["auto", "concise", "detailed", "none"]), &[&["model_reasoning_summary"]]),
    (OneOf(&["low", "medium", "high"]), &[&["model_verbosity"]]),
    (OneOf(&["none", "friendly", "pragmatic"]), &[&["personality"]]),
    (OneOf(&["core", "all", "none"]), &[&["shell_environment_policy", "inherit"]]),
    (OneOf(&["disabled", "cached", "indexed", "live"]), &[&["web_search"]]),
];

/// The keys at the top of a config whose values must be something.
pub(super) fn top_keys() -> impl Iterator<Item = &'static str> {
    let paths = TYPES.iter().flat_map(|(_, paths)| paths.iter());
    paths.filter_map(|path| path.first().copied()).chain(["hooks"])
}

/// The same for what a server has beside its command or URL.
pub(super) const SERVER_FIELDS: &[(ConfigType, &[&str])] = &[
    (Bool, &["enabled", "required"]),
    (Text, &["bearer_token_env_var", "cwd"]),
    (Texts, &["disabled_tools", "enabled_tools", "scopes"]),
    // An entry is a name, or a table with more about it.
    (List, &["env_vars"]),
    (TextTable, &["env", "env_http_headers", "http_headers"]),
    (Seconds, &["startup_timeout_sec", "tool_timeout_sec"]),
];

impl ConfigType {
    pub(super) fn fits(self, node: &JsonNode) -> bool {
        let is_whole = |number: f64| number.fract() == 0.0;
        let members = || node.is_object().then(|| node.members().iter());
        match self {
            Text => node.text().is_some(),
            Whole => node.number().is_some_and(is_whole),
            Count => node.number().is_some_and(|number| is_whole(number) && number >= 0.0),
            Bool => node.bool().is_some(),
            Seconds => node.number().is_some_and(|number| number >= 0.0),
            Table => node.is_object(),
            List => node.is_array(),
            // A feature may be a table with more than a switch.
            Bools => {
                members().is_some_and(|mut all| all.all(|one| one.value.bool().is_some() || one.value.is_object()))
            }
            TextTable => members().is_some_and(|mut all| all.all(|one| one.value.text().is_some())),
            Texts => node.is_array() && node.items().iter().all(|item| item.text().is_some()),
            OneOf(values) => node.text().is_some_and(|text| values.contains(&text)),
        }
    }

    pub(super) fn words(self) -> String {
        match self {
            Text => "a string".to_owned(),
            Whole => "a whole number".to_owned(),
            Count => "a whole number that is not negative".to_owned(),
            Bool => "a boolean".to_owned(),
            Seconds => "a number that is not negative".to_owned(),
            Table => "a table".to_owned(),
            List => "a list".to_owned(),
            Bools => "a table of booleans".to_owned(),
            TextTable => "a table of strings".to_owned(),
            Texts => "a list of strings".to_owned(),
            OneOf(values) => format!("one of {}", values.join(", ")),
        }
    }
}

/// The first value of a wrong type.
pub(super) fn problem(root: &JsonNode) -> Option<(Span, String)> {
    let keys = TYPES.iter().flat_map(|(required, paths)| paths.iter().map(move |path| (*required, *path)));
    keys.filter_map(|(required, path)| Some((required, path, root.at(path)?))).find_map(|(required, path, node)| {
        let why = || format!("`{}` must be {}, not a {}", path.join("."), required.words(), node.type_name());
        (!required.fits(node)).then(|| (node.span, why()))
    })
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
        check("[features]\nhooks = 5", Some("`features` must be a table of booleans, not a object"));
        check("[features]\nnew = true\nmore = {on = true}", None);
        check("web_search = 'live'\nunknown = 5\n[tools]\nview_image = true", None);
        check("mcp_servers = 'x'", Some("`mcp_servers` must be a table, not a string"));
    }
}
