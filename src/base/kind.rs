//! The kinds of hint files. Knows names alone: which path is of which kind is decided elsewhere.

/// What a hint file is, and so how it is parsed and which rules look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `AGENTS.md`, `.claude/AGENTS.md`
    AgentsMd,
    /// `AGENTS.override.md`
    AgentsOverride,
    /// `CLAUDE.md`, `.claude/CLAUDE.md`
    ClaudeMd,
    /// `CLAUDE.local.md`
    ClaudeLocal,
    /// `GEMINI.md`
    GeminiMd,
    /// `QWEN.md`, `.qwen/QWEN.local.md`
    QwenMd,
    /// `CONTEXT.md`, where opencode is used
    ContextMd,
    /// `.dexhints`, `DEX.md`
    DexHints,
    /// `.goosehints`
    GooseHints,
    /// `.claude/rules/**/*.md`, `.qwen/rules/**/*.md`
    ClaudeRule,
    /// `.claude/commands/**/*.md`
    ClaudeCommand,
    /// `.claude/agents/**/*.md`
    ClaudeAgent,
    /// `SKILL.md`
    Skill,
    /// `.cursor/rules/**/*.mdc`
    CursorRule,
    /// `.cursorrules`
    CursorLegacy,
    /// `.github/copilot-instructions.md`
    CopilotInstructions,
    /// `.github/instructions/**/*.instructions.md`
    CopilotScoped,
    /// `.github/prompts/**/*.prompt.md`
    CopilotPrompt,
    /// `.github/agents/**/*.agent.md`, `.github/chatmodes/**/*.chatmode.md`
    CopilotAgent,
    /// `.windsurf/rules/**/*.md`, `.devin/rules/**/*.md`
    WindsurfRule,
    /// `.windsurfrules`
    WindsurfLegacy,
    /// `.clinerules`, `.clinerules/**/*.{md,txt}`
    ClineRule,
    /// `.kiro/steering/**/*.md`
    KiroSteering,
    /// A plan with checkboxes, by the config's `[plans] paths`
    Plan,
    /// A hint of the library, by the config's `[library] paths`
    LibraryHint,
    /// `hints/<name>/hint.md`
    PackageHint,
    /// `hints/<name>/hint.yaml`
    PackageYaml,
    /// A committed context artifact: our place and our header
    Artifact,
    /// `.roo/rules/**`, `.continue/rules/**`, `.junie/guidelines.md`, `CRUSH.md` and the like, without a schema here
    OtherRules,
    /// A name that an agent's tracked settings add
    Configured,
    /// A file that is here only because a hint file imports it
    Imported,
    /// A file that was named on the command line and is nothing else
    Markdown,
    /// Any other text file, searched for hidden characters and not parsed
    Text,
}

impl Kind {
    /// The kind's name in `hintlint files` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::AgentsMd => "agents-md",
            Kind::AgentsOverride => "agents-override",
            Kind::ClaudeMd => "claude-md",
            Kind::ClaudeLocal => "claude-local",
            Kind::GeminiMd => "gemini-md",
            Kind::QwenMd => "qwen-md",
            Kind::ContextMd => "context-md",
            Kind::DexHints => "dex-hints",
            Kind::GooseHints => "goose-hints",
            Kind::ClaudeRule => "claude-rule",
            Kind::ClaudeCommand => "claude-command",
            Kind::ClaudeAgent => "claude-agent",
            Kind::Skill => "skill",
            Kind::CursorRule => "cursor-rule",
            Kind::CursorLegacy => "cursor-legacy",
            Kind::CopilotInstructions => "copilot-instructions",
            Kind::CopilotScoped => "copilot-scoped",
            Kind::CopilotPrompt => "copilot-prompt",
            Kind::CopilotAgent => "copilot-agent",
            Kind::WindsurfRule => "windsurf-rule",
            Kind::WindsurfLegacy => "windsurf-legacy",
            Kind::ClineRule => "cline-rule",
            Kind::KiroSteering => "kiro-steering",
            Kind::Plan => "plan",
            Kind::LibraryHint => "library-hint",
            Kind::PackageHint => "package-hint",
            Kind::PackageYaml => "package-yaml",
            Kind::Artifact => "artifact",
            Kind::OtherRules => "other-rules",
            Kind::Configured => "configured",
            Kind::Imported => "imported",
            Kind::Markdown => "markdown",
            Kind::Text => "text",
        }
    }

    /// Whether the file's body is read as Markdown.
    pub fn is_markdown(self) -> bool {
        !matches!(self, Kind::PackageYaml | Kind::Text)
    }

    /// How the file's frontmatter is read.
    pub fn frontmatter(self) -> FrontmatterStyle {
        match self {
            Kind::PackageYaml => FrontmatterStyle::WholeFile,
            Kind::CursorRule | Kind::WindsurfRule => FrontmatterStyle::Mdc,
            Kind::Artifact | Kind::Text => FrontmatterStyle::None,
            _ => FrontmatterStyle::Yaml,
        }
    }
}

/// How a kind's frontmatter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontmatterStyle {
    /// The kind has none.
    None,
    /// YAML between `---` lines at the first byte (after a byte order mark).
    Yaml,
    /// The same, read line by line as Cursor and Windsurf do, whose own documentation has `globs: *.ts, src/**` without quotes.
    Mdc,
    /// The whole file is YAML.
    WholeFile,
}
