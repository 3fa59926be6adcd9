//! The keys of `config.toml` that Codex knows: each was given to 0.169.0 with `--strict-config`, which names those that it does not know.
//! Without that it ignores them and says nothing.

use super::CodexRuns;
use super::config::CodexConfig;
use crate::agents::shared::runs::DroppedScope;
use crate::agents::shared::runs::reading::MAX_ENTRIES;
use crate::base::sanitize;

const KNOWN: [&str; 105] = [
    "agents",
    "allow_login_shell",
    "allow_symlinked_codex_home",
    "analytics",
    "approval_policy",
    "approvals_reviewer",
    "apps",
    "apps_mcp_product_sku",
    "audio",
    "auto_review",
    "background_terminal_max_timeout",
    "browser_use",
    "chatgpt_base_url",
    "check_for_update_on_startup",
    "cli_auth_credentials_store",
    "cloud",
    "compact_prompt",
    "computer_use",
    "default_permissions",
    "desktop",
    "developer_instructions",
    "disable_paste_burst",
    "experimental_compact_prompt_file",
    "experimental_realtime_start_instructions",
    "experimental_realtime_webrtc_call_base_url",
    "experimental_realtime_ws_backend_prompt",
    "experimental_realtime_ws_base_url",
    "experimental_realtime_ws_model",
    "experimental_realtime_ws_startup_context",
    "experimental_thread_store",
    "experimental_thread_store_endpoint",
    "experimental_use_unified_exec_tool",
    "features",
    "feedback",
    "file_opener",
    "forced_chatgpt_workspace_id",
    "forced_login_method",
    "ghost_snapshot",
    "goals",
    "hide_agent_reasoning",
    "history",
    "hooks",
    "include_apps_instructions",
    "include_collaboration_mode_instructions",
    "include_environment_context",
    "include_environment_context_time",
    "include_permissions_instructions",
    "instructions",
    "js_repl_node_module_dirs",
    "js_repl_node_path",
    "log_dir",
    "marketplaces",
    "mcp_enterprise_managed_auth",
    "mcp_oauth_callback_port",
    "mcp_oauth_callback_url",
    "mcp_oauth_credentials_store",
    "mcp_optional_startup_grace_ms",
    "mcp_servers",
    "memories",
    "model",
    "model_auto_compact_token_limit",
    "model_auto_compact_token_limit_scope",
    "model_catalog_json",
    "model_context_window",
    "model_instructions_file",
    "model_post_turn_compact_threshold_percent",
    "model_provider",
    "model_providers",
    "model_reasoning_effort",
    "model_reasoning_summary",
    "model_verbosity",
    "notice",
    "notify",
    "openai_base_url",
    "orchestrator",
    "oss_provider",
    "otel",
    "permissions",
    "personality",
    "plan_mode_reasoning_effort",
    "plugins",
    "profile",
    "profiles",
    "project_doc_fallback_filenames",
    "project_doc_max_bytes",
    "project_root_markers",
    "projects",
    "realtime",
    "responses_api_metadata",
    "review_model",
    "sandbox_mode",
    "sandbox_workspace_write",
    "service_tier",
    "shell_environment_policy",
    "show_raw_agent_reasoning",
    "skills",
    "sqlite_home",
    "suppress_unstable_features_warning",
    "thread_unload_delay_secs",
    "tool_output_token_limit",
    "tool_suggest",
    "tools",
    "tui",
    "web_search",
    "windows",
];

impl CodexRuns<'_, '_> {
    /// Put on record the keys of a file that the agent does not know, besides those of which it is said what they should be called.
    pub(super) fn drop_unknown_keys(&mut self, config: &CodexConfig, told: &[&str]) {
        for member in config.root.members().iter().take(MAX_ENTRIES) {
            let key = member.key.as_str();
            if key.starts_with('_') || KNOWN.contains(&key) || told.contains(&key) {
                continue;
            }
            let (place, why) =
                (config.text.place(member.key_span), format!("there is no setting `{}`", sanitize::line(key)));
            // A plain value may be the switch of a version to come.
            match member.value.is_object() || member.value.is_array() {
                true => self.drop(place, why, DroppedScope::Key, false),
                false => self.reader.drop_harmless(place, why, DroppedScope::Key, false),
            }
        }
    }
}
