//! GitHub Copilot's files in a repository: their names, kinds and fields.

use super::plugins;
use crate::agents::claude::{self, hints as claude_hints};
use crate::agents::gemini;
use crate::agents::shared::bundles::{Bundle, BundleFolder};
use crate::agents::shared::files::{AgentFiles, Builtins, Hint, SkillFault, SkillReader};
use crate::base::evidence::Evidence;
use crate::base::fields::{FieldSpec, ForeignField, Schema, Shape, doc, field, one_of, required_with};
use crate::base::kind::{AgentKind, Kind, Role};

static INSTRUCTIONS: AgentKind = AgentKind::new("copilot-instructions", Role::Main);
static SCOPED: AgentKind = AgentKind {
    fields: Some(&SCOPED_FIELDS),
    patterns: &["applyTo"],
    folder: "/instructions/",
    ..AgentKind::new("copilot-scoped", Role::Rule)
};
static PROMPT: AgentKind =
    AgentKind { fields: Some(&PROMPT_FIELDS), folder: "/prompts/", ..AgentKind::new("copilot-prompt", Role::Command) };
pub(in crate::agents) static AGENT: AgentKind =
    AgentKind { fields: Some(&AGENT_FIELDS), folder: "/agents/", ..AgentKind::new("copilot-agent", Role::Subagent) };

pub(in crate::agents) static FILES: AgentFiles = AgentFiles {
    signs: &[".github/copilot-instructions.md", ".github/instructions/"],
    run_signs: &[".github/copilot/", ".github/hooks/", ".github/mcp.json", ".github/plugin/"],
    unread_texts: &[(".github/instructions", ".md", ".github/copilot-instructions.md")],
    hints: &[
        Hint::end(".github/copilot-instructions.md", Kind::Of(&INSTRUCTIONS)),
        Hint::below(".github/instructions/", ".instructions.md", Kind::Of(&SCOPED)),
        Hint::below(".github/prompts/", ".prompt.md", Kind::Of(&PROMPT)),
        Hint::below(".github/agents/", ".md", Kind::Of(&AGENT)),
        Hint::below(".github/chatmodes/", ".chatmode.md", Kind::Of(&AGENT)),
    ],
    reads: &[
        Kind::Of(&INSTRUCTIONS),
        Kind::Of(&SCOPED),
        Kind::Of(&PROMPT),
        Kind::Of(&AGENT),
        Kind::AgentsMd,
        Kind::Of(&claude_hints::MAIN),
        Kind::Of(&gemini::MAIN),
        Kind::Of(&claude_hints::RULE),
    ],
    imports_in: &[Kind::AgentsMd, Kind::Of(&claude_hints::MAIN)],
    collected: &[
        ("agents", ".agent.md", Kind::Of(&AGENT)),
        ("chatmodes", ".chatmode.md", Kind::Of(&AGENT)),
        ("instructions", ".instructions.md", Kind::Of(&SCOPED)),
        ("prompts", ".prompt.md", Kind::Of(&PROMPT)),
    ],
    passes_over: &[".claude"],
    folders: &[".github"],
    skill_folders: &[".copilot", ".github"],
    // https://code.visualstudio.com/docs/copilot/customization/agent-skills: with another name than the folder's it is not loaded.
    skills: Some(SkillReader {
        refuses: &[SkillFault::Names],
        ..SkillReader::of(&[".agents/", ".claude/", ".copilot/", ".github/"])
    }),
    run_files: &[
        ".github/copilot/settings.json",
        ".github/copilot/settings.local.json",
        ".github/mcp.json",
        ".mcp.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
    ],
    run_folders: &[(".github/hooks/", ".json")],
    personal_settings: &[".github/copilot/settings.local.json"],
    other_settings: &[".github/plugin/plugin.json", ".github/plugin/marketplace.json", ".plugin/plugin.json"],
    // https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-plugin-reference, "File locations", and of the open
    // standard https://code.visualstudio.com/docs/agent-customization/agent-plugins. A plugin with Claude Code's manifest alone
    // is told of there.
    bundle: Some(Bundle {
        manifests: &[".plugin/plugin.json", ".github/plugin/plugin.json"],
        common_manifest: "plugin.json",
        parts: &[
            "plugin.json",
            "hooks.json",
            "hooks/hooks.json",
            "mcp.json",
            ".mcp.json",
            ".github/mcp.json",
            "skills",
            "agents",
        ],
        is_documented: true,
        has_lone_skill: false,
        root_variable: "",
        starts_in_project: false,
        catalogue: ".github/plugin/marketplace.json",
        folders: &[BundleFolder {
            name: "agents",
            deep: false,
            ending: ".agent.md",
            kind: Kind::Of(&AGENT),
            unread: &[],
            made_up: &[],
            form: None,
        }],
        named: plugins::named,
        paths: claude::plugins::paths,
        entries: claude::plugins::entries,
        defects: |_| Vec::new(),
    }),
    builtins: Builtins {
        commands: &[
            "add-dir",
            "agent",
            "allow-all",
            "chronicle",
            "clear",
            "compact",
            "context",
            "create-agent",
            "create-hook",
            "create-instruction",
            "create-prompt",
            "create-skill",
            "cwd",
            "delegate",
            "diff",
            "doc",
            "exit",
            "experimental",
            "explain",
            "extensions",
            "feedback",
            "fix",
            "fleet",
            "fork",
            "generate",
            "help",
            "ide",
            "init",
            "instructions",
            "list-dirs",
            "login",
            "logout",
            "lsp",
            "mcp",
            "model",
            "new",
            "optimize",
            "plan",
            "plugin",
            "pr",
            "research",
            "resume",
            "review",
            "session",
            "setuptests",
            "share",
            "skills",
            "tasks",
            "terminal-setup",
            "tests",
            "theme",
            "undo",
            "usage",
            "user",
        ],
        subagents: &["agent", "ask", "code-review", "edit", "explore", "general-purpose", "plan", "research", "task"],
        ..Builtins::NONE
    },
    words: &["copilot"],
    file_words: &["github"],
    ..AgentFiles::NONE
};

const VS_CODE: Evidence = doc("microsoft/vscode promptFileAttributes.ts 047238f9, read");

static SCOPED_FIELDS: Schema = Schema {
    what: "a Copilot instructions file",
    fields: &[
        field("applyTo", Shape::TextOrList),
        field("description", Shape::Text),
        field("name", Shape::Text),
        FieldSpec {
            shape: Shape::TextOrList,
            // The coding agent was renamed to cloud agent; both names are in use.
            ..one_of("excludeAgent", &["code-review", "coding-agent", "cloud-agent"])
        },
    ],
    ignored: &[
        ForeignField { name: "globs", instead: "applyTo", effect: "it does not limit the instructions to those files" },
        ForeignField { name: "paths", instead: "applyTo", effect: "it does not limit the instructions to those files" },
    ],
    evidence: &[
        doc("https://docs.github.com/en/copilot/how-tos/configure-custom-instructions"),
        doc("https://code.visualstudio.com/docs/agent-customization/custom-instructions"),
        doc("GitHub Copilot CLI 1.0.102, observed"),
        VS_CODE,
    ],
};

static PROMPT_FIELDS: Schema = Schema {
    what: "a Copilot prompt",
    fields: &[
        field("description", Shape::Text),
        field("name", Shape::Text),
        field("agent", Shape::Text),
        field("mode", Shape::Text),
        field("model", Shape::TextOrList),
        field("tools", Shape::TextOrList),
        field("argument-hint", Shape::Hint),
    ],
    ignored: &[],
    evidence: &[doc("https://code.visualstudio.com/docs/agent-customization/prompt-files"), VS_CODE],
};

static AGENT_FIELDS: Schema = Schema {
    what: "a Copilot agent",
    fields: &[
        field("name", Shape::Text),
        required_with("description", Shape::Text, "target", "github-copilot"),
        field("tools", Shape::TextOrList),
        field("model", Shape::TextOrList),
        field("argument-hint", Shape::Hint),
        one_of("target", &["vscode", "github-copilot"]),
        field("mcp-servers", Shape::Any),
        field("github", Shape::Map),
        field("reasoningEffort", Shape::Any),
        field("advancedOptions", Shape::Map),
        field("handoffs", Shape::Any),
        field("agents", Shape::Any),
        field("infer", Shape::Any),
        field("user-invocable", Shape::Bool),
        field("disable-model-invocation", Shape::Bool),
        field("metadata", Shape::Map),
        field("hooks", Shape::Any),
    ],
    ignored: &[],
    evidence: &[
        doc("https://docs.github.com/en/copilot/reference/custom-agents-configuration"),
        doc("https://code.visualstudio.com/docs/agents/reference/custom-agent-file-reference"),
        VS_CODE,
    ],
};
