//! The sessions of the agents whose worlds are played.

/// One agent's session: its events, and what its tools are called in matchers.
pub(super) struct Session {
    pub(super) tools: &'static [(&'static str, &'static str)],
    pub(super) start: &'static str,
    pub(super) prompt: &'static str,
    pub(super) before_request: &'static str,
    pub(super) before_tool: &'static str,
    pub(super) after_tool: &'static str,
    pub(super) stops: &'static [&'static str],
    pub(super) end: &'static str,
    /// How a session without a terminal ends.
    pub(super) ending: &'static str,
    /// Whether the results of tools count as another prompt.
    pub(super) prompts_after_tools: bool,
    /// The variable that says where requests go.
    pub(super) endpoint: &'static str,
    /// Tools that run without a question.
    pub(super) free_tools: &'static [&'static str],
    /// Other names of its events.
    pub(super) aliases: &'static [(&'static str, &'static str)],
}

pub(super) const CLAUDE: Session = Session {
    tools: &[],
    start: "SessionStart",
    prompt: "UserPromptSubmit",
    before_request: "",
    before_tool: "PreToolUse",
    after_tool: "PostToolUse",
    stops: &["Stop"],
    end: "SessionEnd",
    ending: "other",
    prompts_after_tools: false,
    endpoint: "ANTHROPIC_BASE_URL",
    free_tools: &["Read", "Agent"],
    aliases: &[],
};

pub(super) const CODEX: Session = Session {
    tools: &[("exec_command", "Bash")],
    free_tools: &["exec_command"],
    before_request: "PreModelRequest",
    ..CLAUDE
};

pub(super) const COPILOT: Session = Session {
    tools: &[],
    start: "sessionStart",
    prompt: "userPromptSubmitted",
    before_tool: "preToolUse",
    after_tool: "postToolUse",
    stops: &["agentStop"],
    end: "sessionEnd",
    free_tools: &["view"],
    aliases: &[
        ("sessionStart", "SessionStart"),
        ("userPromptSubmitted", "UserPromptSubmit"),
        ("preToolUse", "PreToolUse"),
        ("postToolUse", "PostToolUse"),
        ("agentStop", "Stop"),
        ("sessionEnd", "SessionEnd"),
    ],
    ..CLAUDE
};

pub(super) const GEMINI: Session = Session {
    before_request: "BeforeModel",
    ending: "exit",
    prompt: "BeforeAgent",
    before_tool: "BeforeTool",
    after_tool: "AfterTool",
    stops: &["AfterAgent"],
    endpoint: "GOOGLE_VERTEX_BASE_URL",
    free_tools: &["read_file"],
    ..CLAUDE
};

pub(super) const QWEN: Session = Session {
    prompts_after_tools: true,
    endpoint: "OPENAI_BASE_URL",
    free_tools: &["read_file"],
    // Without a terminal its sessions do not end.
    end: "",
    ..CLAUDE
};

/// Its hooks are code, which is not played.
pub(super) const OPENCODE: Session =
    Session { endpoint: "", start: "", prompt: "", stops: &[], end: "", free_tools: &[], ..CLAUDE };
