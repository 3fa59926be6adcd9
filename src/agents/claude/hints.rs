//! Claude Code's files in a repository: their names, kinds and fields, its settings, and what our hooks need to know of it.

use super::builtins::BUILTINS;
use super::runs::unread_names::{UNREAD_FILES, UNREAD_NAMES, UNSET_VARIABLES};
use super::styles::{STYLE, STYLES};
use super::{catalogue_defects, plugins};
use crate::agents::shared::bundles::{Bundle, BundleFolder, FolderForm};
use crate::agents::shared::files::{AgentFiles, Hint, Rereading, SkillReader};
use crate::agents::shared::hooks::{
    CLEAR_IN_MARKDOWN, CallerSign, HookCaller, HookHost, HookRegistration, RegistrationForm,
};
use crate::base::evidence::Evidence;
use crate::base::fields::{
    ForeignField, Limit, ON_DEMAND, PRIORITY, Schema, Shape, TAGS, doc, field, joined, limited, required,
};
use crate::base::kind::{AgentKind, Arguments, Kind, Role};

pub(in crate::agents) static MAIN: AgentKind =
    AgentKind { may_be_stub: true, ..AgentKind::new("claude-md", Role::Main) };
static LOCAL: AgentKind = AgentKind::new("claude-local", Role::Local);
pub(in crate::agents) static RULE: AgentKind = AgentKind {
    fields: Some(&RULE_FIELDS),
    patterns: &["paths", "applies_to"],
    patterns_from_owner: true,
    folder: "/rules/",
    ..AgentKind::new("claude-rule", Role::Rule)
};
pub(in crate::agents) static COMMAND: AgentKind = AgentKind {
    fields: Some(&COMMAND_FIELDS),
    patterns: &["paths"],
    patterns_from_owner: true,
    folder: "/commands/",
    attaches: true,
    arguments: Some(&ARGUMENTS),
    forks_by_context: true,
    ..AgentKind::new("claude-command", Role::Command)
};
/// https://code.claude.com/docs/en/skills, and what Gemini CLI and VS Code document for theirs.
pub(in crate::agents) static ARGUMENTS: Arguments =
    Arguments { own: "$ARGUMENTS", foreign: &[("{{args}}", "Gemini CLI"), ("${input:", "Copilot")] };
pub(super) static SUBAGENT: AgentKind =
    AgentKind { fields: Some(&SUBAGENT_FIELDS), folder: "/agents/", ..AgentKind::new("claude-agent", Role::Subagent) };
pub(in crate::agents) static FILES: AgentFiles = AgentFiles {
    signs: &["CLAUDE.md", "CLAUDE.local.md", ".claude/"],
    run_signs: &[".claude-plugin/", ".mcp.json"],
    hints: &[
        Hint::in_any_case("CLAUDE.md", Kind::Of(&MAIN)),
        Hint::name("CLAUDE.local.md", Kind::Of(&LOCAL)),
        Hint::below(".claude/rules/", ".md", Kind::Of(&RULE)),
        Hint::below(".claude/commands/", ".md", Kind::Of(&COMMAND)),
        Hint::below(".claude/agents/", ".md", Kind::Of(&SUBAGENT)),
        Hint::below(STYLES, ".md", Kind::Of(&STYLE)),
    ],
    reads: &[
        Kind::Of(&MAIN),
        Kind::Of(&LOCAL),
        Kind::Of(&RULE),
        Kind::Of(&COMMAND),
        Kind::Of(&SUBAGENT),
        Kind::Of(&STYLE),
        Kind::AgentsMd,
        Kind::Skill,
    ],
    imports_in: &[Kind::Of(&MAIN), Kind::Of(&LOCAL), Kind::Of(&RULE), Kind::AgentsMd],
    folders: &[".claude", ".omc"], // The second is that of its plugin oh-my-claudecode.
    skill_folders: &[".claude"],
    rereads: Rereading::QuotingValues,
    skills: Some(SkillReader {
        manifest: ".claude-plugin/plugin.json",
        names_by_folder: true,
        describes_by_text: true,
        ..SkillReader::of(&[".claude/"])
    }),
    settings: &[".claude/settings.json", ".claude/settings.local.json"],
    run_files: &[".claude/settings.json", ".claude/settings.local.json", ".mcp.json"],
    personal_settings: &[".claude/settings.local.json"],
    run_state: &[".claude/*.local.md", ".claude/scheduled_tasks.lock", ".claude/worktrees/*"],
    unread_settings: &UNREAD_FILES,
    unread_names: UNREAD_NAMES,
    unread_texts: &[(".claude/rules", ".md", "`.claude/rules/*.md`")],
    unset_variables: UNSET_VARIABLES,
    other_settings: &["hooks/hooks.json", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"],
    bundle: Some(Bundle {
        manifests: &[".claude-plugin/plugin.json"],
        common_manifest: "",
        parts: &[],
        is_documented: false,
        has_lone_skill: true,
        root_variable: "CLAUDE_PLUGIN_ROOT",
        // Observed: neither `./x.sh` nor `node ./x.js` finds a file of the plugin.
        starts_in_project: true,
        catalogue: ".claude-plugin/marketplace.json",
        folders: &[
            BundleFolder {
                name: "agents",
                // Observed: the model is offered `PLUGIN:FOLDER:NAME`, also of a file without frontmatter.
                deep: true,
                ending: ".md",
                kind: Kind::Of(&SUBAGENT),
                // https://code.claude.com/docs/en/sub-agents, "Choose the subagent scope".
                unread: &["hooks", "mcpServers", "permissionMode"],
                // Observed: the model is offered `PLUGIN:FILE`.
                made_up: &[("name", "the file's name")],
                form: Some(AGENT_FORM),
            },
            BundleFolder {
                name: "commands",
                deep: true,
                ending: ".md",
                kind: Kind::Of(&COMMAND),
                unread: &[],
                made_up: &[],
                form: Some(COMMAND_FORM),
            },
            BundleFolder {
                name: "output-styles",
                deep: false,
                ending: ".md",
                kind: Kind::Of(&STYLE),
                unread: &[],
                made_up: &[],
                form: None,
            },
        ],
        named: plugins::named,
        paths: plugins::paths,
        entries: plugins::entries,
        defects: catalogue_defects::defects,
    }),
    prompts: &[STYLES],
    builtins: BUILTINS,
    words: &["claude", "anthropic"],
    ..AgentFiles::NONE
};

/// Subagents that are kept outside `.claude`: others' have the same fields with other models and tools.
const AGENT_FORM: FolderForm = FolderForm {
    always: &["name", "description"],
    own: &[
        ("model", &["sonnet", "opus", "haiku", "inherit"]),
        (
            "tools",
            &["Read", "Write", "Edit", "MultiEdit", "Bash", "Grep", "Glob", "LS", "Task", "WebFetch", "WebSearch"],
        ),
    ],
    foreign: &["mode", "kind", "handoffs", "target", "user-invocable", "thinking", "inheritSkills"],
    says: &[],
    homes: &[".claude/agents", "~/.claude/ ", "~/.claude`"],
};

/// Commands that are kept outside `.claude`.
const COMMAND_FORM: FolderForm = FolderForm {
    always: &["description"],
    own: &[("allowed-tools", &[]), ("argument-hint", &[])],
    foreign: &["agent", "subtask", "mode", "layout", "sidebar_position", "slug", "permalink"],
    says: &["$ARGUMENTS"],
    homes: &[".claude/commands"],
};

/// Our hooks answer its events.
pub(in crate::agents) const HOOKS: HookHost = HookHost {
    folder: ".claude",
    folder_variable: "CLAUDE_CONFIG_DIR",
    project_variable: "CLAUDE_PROJECT_DIR",
    plan: ".claude/PLAN.md",
    other_state: ".omc/boulder.json",
    scripts: &["enforce-loop.py", "rules-injector.py", "inject-context.py", "session-start.py"],
    whole_rules: &[".github/copilot-instructions.md"],
    rules: ("rules", Kind::Of(&RULE)),
};

/// The agent that runs our hooks where no other does.
pub(in crate::agents) static CALLER: HookCaller = HookCaller {
    dialect: &super::CLAUDE,
    sign: CallerSign::None,
    context_at_top: false,
    reads: &["Read"],
    edits: &["Edit", "MultiEdit", "NotebookEdit"],
    writes: &["Write"],
    registration: HookRegistration {
        folder: ".claude",
        user_folder: |env| env.or_in_home("CLAUDE_CONFIG_DIR", ".claude"),
        settings: "settings.json",
        events: ["SessionStart", "PostToolUse", "Stop", "SessionEnd"],
        matcher: "Read|Edit|MultiEdit|Write|NotebookEdit",
        ticks: 1,
        form: RegistrationForm::Groups,
        clear_command: Some(("commands/boulder-clear.md", CLEAR_IN_MARKDOWN)),
        note: "",
    },
};

const RUN: Evidence = doc("Claude Code 2.1.330, observed");

static RULE_FIELDS: Schema = Schema {
    what: "a rule in `.claude/rules`",
    fields: &[
        field("paths", Shape::TextOrList),
        field("description", Shape::Any),
        field("name", Shape::Any),
        PRIORITY,
        TAGS,
    ],
    ignored: &[
        ForeignField { name: "globs", instead: "paths", effect: "the rule applies to every file" },
        ForeignField { name: "applyTo", instead: "paths", effect: "the rule applies to every file" },
        ForeignField { name: "applies_to", instead: "paths", effect: "the rule applies to every file" },
    ],
    evidence: &[RUN],
};

static COMMAND_FIELDS: Schema = Schema {
    what: "a command",
    fields: &joined::<2, 18>([field("name", Shape::Any), field("description", Shape::Text)], ON_DEMAND),
    ignored: &[],
    evidence: &[doc("https://code.claude.com/docs/en/skills"), RUN],
};

static SUBAGENT_FIELDS: Schema = Schema {
    what: "a subagent",
    fields: &[
        required("name", Shape::Text),
        required("description", Shape::Text),
        field("tools", Shape::TextOrList),
        field("disallowedTools", Shape::TextOrList),
        field("model", Shape::Text),
        field("permissionMode", Shape::Text),
        field("skills", Shape::TextOrList),
        field("hooks", Shape::Map),
        field("memory", Shape::Any),
        limited("color", Limit::LooksLike(&["red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan"])),
        field("maxTurns", Shape::Number),
        field("mcpServers", Shape::Any),
        field("background", Shape::Bool),
        field("effort", Shape::Any),
        field("isolation", Shape::Text),
        field("initialPrompt", Shape::Text),
    ],
    ignored: &[
        ForeignField { name: "allowed-tools", instead: "tools", effect: "the subagent may use every tool" },
        ForeignField { name: "permissions", instead: "", effect: "what it allows and denies has no effect" },
    ],
    evidence: &[doc("https://code.claude.com/docs/en/sub-agents")],
};
