//! What Qwen Code's hooks see of tools, and which variables its `.env` files and settings cannot set.

use crate::agents::shared::runs::matching::{self, MatcherLanguage};

/// Tools with their other names, which a matcher may use as they are.
const TOOLS: &[(&str, &[&str])] = &[
    ("agent", &["Agent", "AgentTool", "Task", "TaskTool", "task"]),
    ("ask_user_question", &["AskUserQuestion", "AskUserQuestionTool"]),
    ("create_sub_session", &["CreateSubSession", "CreateSubSessionTool"]),
    ("cron_create", &["CronCreate"]),
    ("cron_delete", &["CronDelete"]),
    ("cron_list", &["CronList"]),
    ("edit", &["Edit", "EditTool", "replace"]),
    ("enter_plan_mode", &["EnterPlanMode", "EnterPlanModeTool"]),
    ("exec", &["Exec", "ExecTool"]),
    ("exit_plan_mode", &["ExitPlanMode", "ExitPlanModeTool"]),
    ("glob", &["FindFiles", "Glob", "GlobTool"]),
    ("grep_search", &["Grep", "GrepTool", "SearchFiles", "search_file_content"]),
    ("list_agents", &["ListAgents", "ListAgentsTool"]),
    ("list_directory", &["ListFiles", "ListFilesTool", "ReadFolder"]),
    ("loop_wakeup", &["LoopWakeup", "LoopWakeupTool"]),
    ("lsp", &["Lsp", "LspTool"]),
    ("monitor", &["Monitor", "MonitorTool"]),
    ("notebook_edit", &["NotebookEdit", "NotebookEditTool"]),
    ("read_file", &["Read", "ReadFile", "ReadFileTool"]),
    ("read_mcp_resource", &["ReadMcpResource", "ReadMcpResourceTool"]),
    ("run_shell_command", &["Bash", "Shell", "ShellTool"]),
    ("save_memory", &["SaveMemory", "SaveMemoryTool"]),
    ("send_message", &["SendMessage", "SendMessageTool"]),
    ("skill", &["Skill", "SkillTool"]),
    ("task_create", &["TaskCreate"]),
    ("task_list", &["TaskList"]),
    ("task_stop", &["TaskStop"]),
    ("task_update", &["TaskUpdate"]),
    ("todo_write", &["TodoList", "TodoWrite", "TodoWriteTool"]),
    ("web_fetch", &["WebFetch", "WebFetchTool"]),
    ("web_search", &["WebSearch", "WebSearchTool"]),
    ("write_file", &["Write", "WriteFile", "WriteFileTool"]),
    ("zoom_image", &["ZoomImage", "ZoomImageTool"]),
];
/// Variables that change which code programs load, without regard to case and with `-` for `_`.
const LOADERS: &[&str] = &[
    "bash-env",
    "dyld-insert-libraries",
    "ld-audit",
    "ld-preload",
    "node-options",
    "node-path",
    "node-repl-external-module",
    "npm-config-globalconfig",
    "npm-config-init-module",
    "npm-config-node-gyp",
    "npm-config-node-options",
    "npm-config-prefix",
    "npm-config-script-shell",
    "npm-config-userconfig",
    "openssl-conf",
    "zdotdir",
];
/// Other variables that only the user's own environment sets, without regard to case.
const OPERATORS: &[&str] = &[
    "browser",
    "curl_ca_bundle",
    "curl_home",
    "dev",
    "editor",
    "git_askpass",
    "git_config_count",
    "git_config_global",
    "git_config_parameters",
    "git_config_system",
    "git_editor",
    "git_exec_path",
    "git_external_diff",
    "git_proxy_command",
    "git_sequence_editor",
    "git_ssh",
    "git_ssh_command",
    "git_ssl_cainfo",
    "git_ssl_capath",
    "git_template_dir",
    "lessclose",
    "lessopen",
    "node_extra_ca_certs",
    "node_gyp_force_python",
    "node_tls_reject_unauthorized",
    "npm_config_ca",
    "npm_config_cafile",
    "npm_config_git",
    "npm_config_python",
    "npm_config_strict-ssl",
    "npm_config_strict_ssl",
    "pip_cert",
    "pip_config_file",
    "python",
    "pythonstartup",
    "qwen_agent_execution_backend",
    "qwen_cdp_mcp_command",
    "qwen_cli_entry",
    "qwen_code_desktop",
    "qwen_code_disable_workflows",
    "qwen_code_enable_workflows",
    "qwen_code_mcp_approvals_path",
    "qwen_code_memory_project_scope",
    "qwen_code_serve",
    "qwen_code_settings_corrupted_path",
    "qwen_code_settings_was_recovered",
    "qwen_code_system_defaults_path",
    "qwen_code_system_settings_path",
    "qwen_code_trusted_folders_path",
    "qwen_code_warnings_file",
    "qwen_code_workflow_name_only",
    "qwen_home",
    "qwen_review_automatic",
    "qwen_review_prebuild",
    "qwen_runtime_dir",
    "qwen_sandbox",
    "qwen_sandbox_image",
    "qwen_sandbox_net",
    "qwen_sandbox_proxy_command",
    "qwen_serve_cdp_tunnel_over_ws",
    "qwen_serve_max_workspaces",
    "qwen_serve_new_file_mode",
    "qwen_serve_session_attachments_root",
    "qwen_tls_insecure",
    "qwen_update_base_url",
    "requests_ca_bundle",
    "sandbox",
    "sandbox_enforcement",
    "ssh_askpass",
    "ssl_cert_dir",
    "ssl_cert_file",
    "temp",
    "tmp",
    "tmpdir",
    "visual",
    "wgetrc",
    "xdg_cache_home",
    "xdg_config_home",
];
/// Variables that settings cannot set, and `.env` files can, without regard to case.
const NOT_IN_SETTINGS: [&str; 4] = ["dyld_library_path", "env", "ld_library_path", "qwen_server_token"];

/// Whether no file of a project sets the variable, and the user hears of it.
pub(super) fn is_loader_variable(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('_', "-");
    name.starts_with("bash-func-") || LOADERS.binary_search(&name.as_str()).is_ok()
}

/// Whether no file of a project sets the variable.
pub(super) fn is_operator_variable(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let number = ["git_config_key_", "git_config_value_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    let is_numbered = number.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
    is_numbered || OPERATORS.binary_search(&name.as_str()).is_ok()
}

/// Whether settings alone cannot set the variable.
pub(super) fn is_kept_from_settings(name: &str) -> bool {
    NOT_IN_SETTINGS.contains(&name.to_ascii_lowercase().as_str())
}

/// The tools or sources for which a hook fires: the name or another one of a tool as it is, or a regular expression that is found
/// in its name. Names with `|` between them may have blanks around them.
pub(super) fn fires_for(event: &str, matcher: Option<&str>) -> Option<Vec<&'static str>> {
    if matches!(event, "SubagentStart" | "SubagentStop") {
        let others: Vec<&str> = super::HOOKS.events.iter().map(|(event, _)| *event).collect();
        return matching::fires_for_subagents(matcher, &others);
    }
    let subjects: &[(&str, &[&str])] = match event {
        "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionRequest" | "PermissionDenied" => TOOLS,
        "SessionStart" => &[("startup", &[]), ("resume", &[]), ("clear", &[]), ("compact", &[])],
        "PreCompact" | "PostCompact" => &[("manual", &[]), ("auto", &[])],
        _ => return None,
    };
    let matcher = matcher.map_or("", str::trim);
    let is_list = matcher.contains('|') && !matcher.starts_with(['^', '(']);
    let names: Vec<&str> = match is_list {
        true => matcher.split('|').map(str::trim).filter(|name| !name.is_empty()).collect(),
        false => vec![matcher],
    };
    if names.iter().any(|name| matches!(*name, "" | "*" | ".*")) {
        return Some(subjects.iter().map(|(name, _)| *name).collect());
    }
    let own: Vec<&'static str> = subjects.iter().map(|(name, _)| *name).collect();
    let by_expression = matching::fires_for(MatcherLanguage::Expression, Some(&names.join("|")), &own)?;
    let fits = |(name, others): &&(&'static str, &'static [&'static str])| {
        by_expression.contains(name) || names.iter().any(|one| one == name || others.contains(one))
    };
    let of_servers = by_expression.iter().copied().filter(|name| *name == matching::SERVER_TOOLS);
    Some(subjects.iter().filter(fits).map(|(name, _)| *name).chain(of_servers).collect())
}

/// The tool whose name differs from a matcher in case alone.
pub(super) fn near(matcher: &str) -> Option<String> {
    let own: Vec<&'static str> = TOOLS.iter().map(|(name, _)| *name).collect();
    matching::near(matcher, &own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matchers_know_all_names_of_tools() {
        let check = |matcher: &str, expected: &[&str]| {
            assert_eq!(fires_for("PreToolUse", Some(matcher)).as_deref(), Some(expected), "{matcher}");
        };
        for matcher in ["read_file", "read_f", "Read", "ReadFile", "zz | ReadFile", "read_fi.*"] {
            check(matcher, &["read_file"]);
        }
        check("Read_File", &[]);
        check("rea[d", &[]);
        check("^Read|zz", &[]);
        assert_eq!(fires_for("PreToolUse", Some(" * ")).map(|all| all.len()), Some(TOOLS.len()));
        assert_eq!(fires_for("Stop", None), None);
    }

    #[test]
    fn lists_are_sorted_for_the_search() {
        assert!(LOADERS.is_sorted() && OPERATORS.is_sorted());
        assert!(is_loader_variable("Node_Options") && is_loader_variable("BASH_FUNC_x%%"));
        assert!(is_operator_variable("GIT_CONFIG_KEY_0") && !is_operator_variable("GIT_CONFIG_KEY_x"));
    }
}
