//! What looks as if it counted for Claude Code and does not: files that it never reads, and variables that it never sets. Known
//! from 2.1.330, run and read, in November 2026.

/// Files that were seen to be unread.
pub(in crate::agents::claude) const UNREAD_SETTINGS: [&str; 3] =
    [".claude/hooks.json", ".claude/hooks/hooks.json", ".claude/settings.jsonc"];

/// Servers count in the folder that holds `.claude`: it lists none of these, and those beside `.claude`.
pub(in crate::agents::claude) const UNREAD_SERVERS: &str = ".claude/.mcp.json";

/// A file of this name counts where the command line names it (`--mcp-config`), and nowhere by itself (documentation).
pub(in crate::agents::claude) const UNNAMED_SERVERS: &str = ".claude/mcp.json";

/// Files in the folder of a plugin's manifest, and where the same counts, below the plugin's root.
pub(super) const UNREAD_OF_PLUGIN: [(&str, &str); 4] = [
    (".claude-plugin/.mcp.json", ".mcp.json"),
    (".claude-plugin/mcp.json", ".mcp.json"),
    (".claude-plugin/hooks.json", "hooks/hooks.json"),
    (".claude-plugin/hooks/hooks.json", "hooks/hooks.json"),
];

/// All of them.
pub(in crate::agents::claude) const UNREAD_FILES: [&str; 9] = [
    UNREAD_SETTINGS[0],
    UNREAD_SETTINGS[1],
    UNREAD_SETTINGS[2],
    UNREAD_SERVERS,
    UNNAMED_SERVERS,
    UNREAD_OF_PLUGIN[0].0,
    UNREAD_OF_PLUGIN[1].0,
    UNREAD_OF_PLUGIN[2].0,
    UNREAD_OF_PLUGIN[3].0,
];

/// Names that do not occur in the package, each with what does the same.
pub(in crate::agents::claude) const UNREAD_NAMES: &[(&str, &str)] = &[
    (".claudeignore", "to keep it from files, deny `Read(...)` of them in `permissions.deny` of .claude/settings.json"),
    (".clauderules", "write the rules into CLAUDE.md or .claude/rules/"),
];

/// What a hook gets on its standard input.
const INPUT: &str = "a hook reads the call as JSON from its standard input";
/// What names the root of a plugin.
/// Run with 2.1.330, in skills of a project and of a plugin.
const SKILL: &str = "it is put into a skill's text and not into its hooks, where `CLAUDE_PLUGIN_ROOT` names the skill's folder, or the \
                     plugin's if one brings the skill";
const PLUGIN: &str = "the root of a plugin is `CLAUDE_PLUGIN_ROOT`";
/// What names the root of the project.
const PROJECT: &str = "the root of the project is `CLAUDE_PROJECT_DIR`";

/// Variables that hooks name and the package does not, each with what there is in its place.
pub(in crate::agents::claude) const UNSET_VARIABLES: &[(&str, &str)] = &[
    ("CLAUDE_BASH_COMMAND", INPUT),
    ("CLAUDE_CHANGED_FILES", INPUT),
    ("CLAUDE_COMMAND", INPUT),
    ("CLAUDE_EDITED_FILE", INPUT),
    ("CLAUDE_EDITED_FILES", INPUT),
    ("CLAUDE_EVENT_TYPE", INPUT),
    ("CLAUDE_FILE_PATH", INPUT),
    ("CLAUDE_FILE_PATHS", INPUT),
    ("CLAUDE_HOOK_EVENT", INPUT),
    ("CLAUDE_HOOK_EVENT_NAME", INPUT),
    ("CLAUDE_HOOK_INPUT", INPUT),
    ("CLAUDE_LAST_MESSAGE", INPUT),
    ("CLAUDE_MODIFIED_FILES", INPUT),
    ("CLAUDE_NOTIFICATION", INPUT),
    ("CLAUDE_NOTIFICATION_BODY", INPUT),
    ("CLAUDE_NOTIFICATION_MESSAGE", INPUT),
    ("CLAUDE_NOTIFICATION_TITLE", INPUT),
    ("CLAUDE_PLUGINS_DIR", PLUGIN),
    ("CLAUDE_PLUGIN_DIR", PLUGIN),
    ("CLAUDE_PLUGIN_PATH", PLUGIN),
    ("CLAUDE_PROJECT_PATH", PROJECT),
    ("CLAUDE_PROJECT_ROOT", PROJECT),
    ("CLAUDE_PROMPT", INPUT),
    ("CLAUDE_SKILL_DIR", SKILL),
    ("CLAUDE_STOP_REASON", INPUT),
    ("CLAUDE_TOOL_ARGS", INPUT),
    ("CLAUDE_TOOL_COMMAND", INPUT),
    ("CLAUDE_TOOL_ERROR", INPUT),
    ("CLAUDE_TOOL_EXIT_CODE", INPUT),
    ("CLAUDE_TOOL_FILE_PATH", INPUT),
    ("CLAUDE_TOOL_INPUT", INPUT),
    ("CLAUDE_TOOL_INPUT_COMMAND", INPUT),
    ("CLAUDE_TOOL_INPUT_CONTENT", INPUT),
    ("CLAUDE_TOOL_INPUT_FILE_PATH", INPUT),
    ("CLAUDE_TOOL_NAME", INPUT),
    ("CLAUDE_TOOL_OUTPUT", INPUT),
    ("CLAUDE_TOOL_PARAMS", INPUT),
    ("CLAUDE_TOOL_PATH", INPUT),
    ("CLAUDE_TOOL_RESPONSE", INPUT),
    ("CLAUDE_TOOL_RESULT", INPUT),
    ("CLAUDE_TOOL_SUCCESS", INPUT),
    ("CLAUDE_TOOL_USE_ID", INPUT),
    ("CLAUDE_TRANSCRIPT_PATH", INPUT),
    ("CLAUDE_USER_PROMPT", INPUT),
    ("PLUGIN_DIR", PLUGIN),
    ("TOOL_INPUT", INPUT),
];
