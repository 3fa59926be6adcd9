//! The sessions of the agents whose worlds are played.

/// One agent's session: its events, and what its tools are called in matchers.
pub(super) struct Session {
    pub(super) tools: &'static [(&'static str, &'static str)],
    pub(super) start: &'static str,
    pub(super) prompt: &'static str,
    pub(super) before_tool: &'static str,
    pub(super) after_tool: &'static str,
    pub(super) stops: &'static [&'static str],
    pub(super) end: &'static str,
    /// Other names of its events.
    pub(super) aliases: &'static [(&'static str, &'static str)],
}

pub(super) const CLAUDE: Session = Session {
    tools: &[],
    start: "SessionStart",
    prompt: "UserPromptSubmit",
    before_tool: "PreToolUse",
    after_tool: "PostToolUse",
    stops: &["Stop"],
    end: "SessionEnd",
    aliases: &[],
};

pub(super) const CODEX: Session = Session { tools: &[("exec_command", "Bash")], ..CLAUDE };

pub(super) const COPILOT: Session = Session {
    tools: &[],
    start: "sessionStart",
    prompt: "userPromptSubmitted",
    before_tool: "preToolUse",
    after_tool: "postToolUse",
    stops: &["agentStop"],
    end: "sessionEnd",
    aliases: &[
        ("sessionStart", "SessionStart"),
        ("userPromptSubmitted", "UserPromptSubmit"),
        ("preToolUse", "PreToolUse"),
        ("postToolUse", "PostToolUse"),
        ("agentStop", "Stop"),
        ("sessionEnd", "SessionEnd"),
    ],
};
