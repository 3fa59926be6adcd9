//! opencode: one name for the whole walk, nearest first, no imports; files and globs of its own configuration.

mod runs;

use super::claude::hints as claude_hints;
use super::shared::files::{AgentFiles, Builtins, Hint, Rereading};
use super::shared::instructions::{self, Machinery};
use super::{Choice, Dialect, Evidence, Proof, RootMark, TextTreatment, Trim, Walk};
use crate::base::fields::{FieldSpec, Needed, Schema, Shape, doc, field, one_of};
use crate::base::kind::{AgentKind, Kind, Role};

/// The table. Observed in the requests of the released agent.
pub(super) const OPENCODE: Dialect = Dialect {
    id: "opencode",
    title: "opencode",
    version: "1.18.33",
    checked: "2026-11",
    proof: Proof::Vectors,
    evidence: &[
        Evidence { source: "opencode 1.18.33, run", checked: "2026-11" },
        Evidence {
            source: "https://github.com/anomalyco/opencode, packages/opencode/src/session/instruction.ts at 00b964bd",
            checked: "2026-11",
        },
    ],
    // CLAUDE.md is off with OPENCODE_DISABLE_CLAUDE_CODE or OPENCODE_DISABLE_CLAUDE_CODE_PROMPT.
    names: &["AGENTS.md", "CLAUDE.md", "CONTEXT.md"],
    choice: Choice::FirstOnWalk,
    // The first that exists.
    user_files: &[".config/opencode/AGENTS.md", ".claude/CLAUDE.md"],
    root: RootMark::GitProgram,
    walk: Walk::RootOrFileSystem,
    text: TextTreatment { trim: Trim::ByteOrderMark, ..TextTreatment::PLAIN },
    files: &FILES,
    placement: "system message, after the environment",
    load: |loading| instructions::load(loading, &MACHINERY),
    runs: Some(runs::read),
    last_rule_counts: true,
    ..Dialect::BASE
};

static SUBAGENT: AgentKind = AgentKind {
    fields: Some(&SUBAGENT_FIELDS),
    folder: "/opencode/agent/",
    ..AgentKind::new("opencode-agent", Role::Subagent)
};
static COMMAND: AgentKind = AgentKind {
    fields: Some(&COMMAND_FIELDS),
    arguments: Some(&claude_hints::ARGUMENTS),
    ..AgentKind::new("opencode-command", Role::Command)
};

static FILES: AgentFiles = AgentFiles {
    signs: &["opencode.json", "opencode.jsonc", ".opencode/"],
    hints: &[
        Hint::below(".opencode/agent/", ".md", Kind::Of(&SUBAGENT)),
        Hint::below(".opencode/agents/", ".md", Kind::Of(&SUBAGENT)),
        Hint::below(".opencode/command/", ".md", Kind::Of(&COMMAND)),
        Hint::below(".opencode/commands/", ".md", Kind::Of(&COMMAND)),
        // The user's own, in a repository of dotfiles.
        Hint::below(".config/opencode/agent/", ".md", Kind::Of(&SUBAGENT)),
        Hint::below(".config/opencode/agents/", ".md", Kind::Of(&SUBAGENT)),
        Hint::below(".config/opencode/command/", ".md", Kind::Of(&COMMAND)),
        Hint::below(".config/opencode/commands/", ".md", Kind::Of(&COMMAND)),
    ],
    reads: &[Kind::AgentsMd, Kind::Of(&claude_hints::MAIN), Kind::Skill, Kind::Of(&SUBAGENT), Kind::Of(&COMMAND)],
    folders: &[".opencode"],
    skill_folders: &[".opencode"],
    // Of `description: @x` it loads the file without its fields (run with 1.18.33).
    rereads: Rereading::QuotingColons,
    settings: &["opencode.json", "opencode.jsonc"],
    run_files: &["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"],
    run_texts: &[
        (".opencode/plugin/", &[".js", ".ts"]),
        (".opencode/plugins/", &[".js", ".ts"]),
        (".opencode/tool/", &[".js", ".ts"]),
        (".opencode/tools/", &[".js", ".ts"]),
    ],
    builtins: Builtins {
        commands: &[
            "compact",
            "connect",
            "details",
            "editor",
            "exit",
            "export",
            "help",
            "init",
            "models",
            "new",
            "redo",
            "review",
            "sessions",
            "share",
            "summarize",
            "themes",
            "thinking",
            "undo",
            "unshare",
        ],
        subagents: &["build", "compaction", "explore", "general", "plan", "scout", "summary", "title"],
        ..Builtins::NONE
    },
    words: &["opencode"],
    ..AgentFiles::NONE
};

static MACHINERY: Machinery = Machinery {
    variables: "OPENCODE",
    user_folder: "opencode",
    user_settings: &["config.json", "opencode.json", "opencode.jsonc"],
    settings: &[&["opencode.json", "opencode.jsonc"]],
    folders: (&[".opencode"], &["opencode.json", "opencode.jsonc"]),
    borrowed: ("CLAUDE.md", ".claude/CLAUDE.md", &["DISABLE_CLAUDE_CODE", "DISABLE_CLAUDE_CODE_PROMPT"]),
    rules: |_| Vec::new(),
    has_references: false,
};

// https://opencode.ai/docs/agents and https://opencode.ai/docs/commands, read; what else stands there goes to the model's provider.
static SUBAGENT_FIELDS: Schema = Schema {
    what: "an opencode agent",
    fields: &[
        // Without one opencode still loads the agent.
        FieldSpec { needed: Needed::InBareFile, ..field("description", Shape::Text) },
        field("name", Shape::Text),
        one_of("mode", &["primary", "subagent", "all"]),
        field("model", Shape::Text),
        field("variant", Shape::Text),
        field("temperature", Shape::Any),
        field("top_p", Shape::Any),
        field("prompt", Shape::Text),
        field("tools", Shape::Any),
        field("permission", Shape::Any),
        field("disable", Shape::Bool),
        field("hidden", Shape::Bool),
        field("color", Shape::Text),
        field("steps", Shape::Number),
        field("maxSteps", Shape::Number),
        field("options", Shape::Any),
    ],
    ignored: &[],
    evidence: &[doc("https://opencode.ai/docs/agents")],
};

static COMMAND_FIELDS: Schema = Schema {
    what: "an opencode command",
    fields: &[
        field("name", Shape::Any),
        field("description", Shape::Text),
        field("agent", Shape::Text),
        field("model", Shape::Text),
        field("subtask", Shape::Bool),
    ],
    ignored: &[],
    evidence: &[doc("https://opencode.ai/docs/commands")],
};
