//! The events of Gemini CLI's hooks, and what their matchers and timeouts mean. Observed on 0.61.0 in November 2026.

use crate::agents::shared::runs::Moment;
use crate::agents::shared::runs::matching::{self, MatcherLanguage};
use crate::agents::shared::runs::nested_hooks::HookTable;
use crate::parse::json::JsonNode;

/// Tools of the agent.
const TOOLS: &[&str] = &[
    "activate_skill",
    "ask_user",
    "complete_task",
    "enter_plan_mode",
    "exit_plan_mode",
    "get_internal_docs",
    "glob",
    "google_web_search",
    "grep_search",
    "invoke_agent",
    "list_directory",
    "list_mcp_resources",
    "read_file",
    "read_many_files",
    "read_mcp_resource",
    "replace",
    "run_shell_command",
    "save_memory",
    "update_topic",
    "web_fetch",
    "write_file",
    "write_todos",
];

pub(in crate::agents::gemini) static HOOKS: HookTable = HookTable {
    events: &[
        ("SessionStart", Moment::SessionStart),
        ("SessionEnd", Moment::SessionEnd),
        ("BeforeAgent", Moment::Prompt),
        ("AfterAgent", Moment::Stop),
        ("BeforeModel", Moment::Request),
        ("AfterModel", Moment::Request),
        ("BeforeToolSelection", Moment::Request),
        ("BeforeTool", Moment::Tool),
        ("AfterTool", Moment::Tool),
        ("PreCompress", Moment::Other),
        ("Notification", Moment::Other),
    ],
    types: &[("command", "command")],
    other_keys: &["disabled", "enabled", "notifications"],
    takes_single_values: true,
    knows_defaults: true,
    says_defects: true,
    timeout,
    fires_for,
    near: |matcher| matching::near(matcher, TOOLS),
    without_matcher: &["AfterAgent", "AfterModel", "BeforeAgent", "BeforeModel", "BeforeToolSelection", "Notification"],
};

/// `timeout` is in milliseconds; what is no number is the shortest time.
fn timeout(node: &JsonNode) -> Option<f64> {
    let number = node.number().or_else(|| node.text().map(|text| text.trim().parse().unwrap_or(f64::NAN)));
    number.map(|milliseconds| milliseconds.max(1.0) / 1000.0)
}

/// The tools or sources for which a hook fires: a regular expression for tools, the exact name of a source.
fn fires_for(event: &str, matcher: Option<&str>) -> Option<Vec<&'static str>> {
    let matcher = matcher.map(str::trim);
    let exactly = |subjects: &[&'static str]| {
        let is_one = |subject: &&&str| matcher.is_none_or(|matcher| matcher == "*" || matcher == **subject);
        Some(subjects.iter().filter(is_one).copied().collect())
    };
    match event {
        "BeforeTool" | "AfterTool" => matching::fires_for(MatcherLanguage::Expression, matcher, TOOLS),
        "SessionStart" => exactly(&["startup", "resume", "clear"]),
        "SessionEnd" => exactly(&["exit", "clear", "logout", "prompt_input_exit", "other"]),
        "PreCompress" => exactly(&["manual", "auto"]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matchers_are_found_anywhere_in_names_of_tools() {
        assert_eq!(fires_for("BeforeTool", Some("read_f")).as_deref(), Some(&["read_file"][..]));
        assert_eq!(fires_for("BeforeTool", Some("Read")).as_deref(), Some(&[][..]));
        assert_eq!(fires_for("SessionStart", Some("start")).as_deref(), Some(&[][..]));
        assert_eq!(fires_for("SessionStart", Some(" startup ")).as_deref(), Some(&["startup"][..]));
        assert_eq!(fires_for("AfterAgent", None), None);
    }
}
