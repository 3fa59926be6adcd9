//! The names that an agent knows by itself: its slash commands, the subagents and skills that come with it, and how its tools are
//! called.

use super::all;

/// Names that an agent knows without a file in the repository, in lower case.
#[derive(Debug)]
pub(crate) struct Builtins {
    /// Slash commands, without the slash.
    pub(crate) commands: &'static [&'static str],
    /// Subagents that it can call.
    pub(crate) subagents: &'static [&'static str],
    /// Skills that come with it.
    pub(crate) skills: &'static [&'static str],
    /// How its tools are called.
    pub(crate) tools: ToolNames,
}

impl Builtins {
    /// Nothing.
    pub(crate) const NONE: Builtins =
        Builtins { commands: &[], subagents: &[], skills: &[], tools: ToolNames::Unknown };
}

/// How the names of an agent's tools look, those of newer versions too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolNames {
    /// Nothing can be told of them.
    Unknown,
    /// `WriteFile`; those of servers begin with `mcp__`.
    Capitals,
    /// `write_file`; those of servers begin with `mcp_`.
    LowerCase,
}

/// Events of hooks, which are no tools.
const EVENTS: [&str; 10] = [
    "Notification",
    "PostToolUse",
    "PreCompact",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "UserPromptSubmit",
];

impl ToolNames {
    /// Whether no tool, of whatever version, is called `name`. Of names that servers may have nothing is known.
    pub(crate) fn exclude(self, name: &str) -> bool {
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        let is_capital = name.starts_with(|c: char| c.is_ascii_uppercase());
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.starts_with("mcp");
        let excludes = match self {
            ToolNames::Unknown => false,
            ToolNames::Capitals => !is_capital || EVENTS.contains(&name),
            ToolNames::LowerCase => is_capital,
        };
        is_plain && begins && excludes
    }

    /// How names of tools look, for people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            ToolNames::Unknown => "",
            ToolNames::Capitals => "its tools begin with a capital letter, those of a server with `mcp__SERVER__`",
            ToolNames::LowerCase => "its tools are called as in `write_file`, `replace` and `run_shell_command`",
        }
    }
}

/// Whether some agent knows a command, subagent or skill called `name`, in lower case, without a file in the repository.
pub(crate) fn is_builtin(name: &str) -> bool {
    let lists = |builtins: &'static Builtins| [builtins.commands, builtins.subagents, builtins.skills];
    all().flat_map(|files| lists(&files.builtins)).any(|names| names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_agents_tools_are_excluded() {
        let excluded = |tools: ToolNames| {
            let names = ["Write", "Stop", "write_file", "mcp__a__B", "mcp_a", "Re.*", "", "*", "1a", "NewTool"];
            names.into_iter().filter(|name| tools.exclude(name)).collect::<Vec<_>>()
        };
        assert_eq!(excluded(ToolNames::Capitals), ["Stop", "write_file"]);
        assert_eq!(excluded(ToolNames::LowerCase), ["Write", "Stop", "NewTool"]);
        assert_eq!(excluded(ToolNames::Unknown), [""; 0]);
    }

    #[test]
    fn names_are_sorted_and_in_lower_case() {
        for builtins in all().map(|files| &files.builtins) {
            for names in [builtins.commands, builtins.subagents, builtins.skills] {
                assert!(names.is_sorted(), "{names:?}");
                assert!(names.iter().all(|name| !name.starts_with('/') && *name == name.to_lowercase()), "{names:?}");
            }
        }
        assert!(is_builtin("compact") && !is_builtin("prp-create"));
    }
}
