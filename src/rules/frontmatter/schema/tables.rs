//! Which fields each kind of file may have: one table per kind, with its evidence. Data only.

use super::{FieldSpec, Ignored, Limit, Needed, Schema, Setting, Shape};
use crate::rules::Evidence;

const fn field(name: &'static str, shape: Shape) -> FieldSpec {
    FieldSpec { name, shape, needed: Needed::No, limit: Limit::None, beside: None, counts_with: None }
}

const fn required(name: &'static str, shape: Shape) -> FieldSpec {
    FieldSpec { needed: Needed::Always, ..field(name, shape) }
}

const fn required_with(name: &'static str, shape: Shape, other: &'static str, value: &'static str) -> FieldSpec {
    FieldSpec { needed: Needed::With(Setting { field: other, value }), ..field(name, shape) }
}

const fn limited(name: &'static str, limit: Limit) -> FieldSpec {
    FieldSpec { limit, ..field(name, Shape::Text) }
}

const fn one_of(name: &'static str, words: &'static [&'static str]) -> FieldSpec {
    limited(name, Limit::OneOf(words))
}

const fn doc(source: &'static str) -> Evidence {
    Evidence { source, checked: "2026-11" }
}

const CLAUDE_RUN: Evidence = doc("Claude Code 2.1.329, observed");
const VS_CODE: Evidence = doc("microsoft/vscode promptFileAttributes.ts 047238f9, read");

/// Fields of rules that several tools share: `applies_to` (globs), `priority` (a number), `tags`.
const APPLIES_TO: FieldSpec = field("applies_to", Shape::TextOrList);
const PRIORITY: FieldSpec = FieldSpec { beside: Some("applies_to"), ..field("priority", Shape::Number) };
const TAGS: FieldSpec = FieldSpec { beside: Some("applies_to"), ..field("tags", Shape::TextOrList) };

pub(super) static SKILL: Schema = Schema {
    what: "a skill",
    fields: &[
        FieldSpec { needed: Needed::Always, ..limited("name", Limit::SkillName) },
        FieldSpec { needed: Needed::Always, ..limited("description", Limit::Length(1024)) },
        field("license", Shape::Text),
        limited("compatibility", Limit::Length(500)),
        field("metadata", Shape::Map),
        field("allowed-tools", Shape::TextOrList),
        field("disallowed-tools", Shape::TextOrList),
        field("argument-hint", Shape::Hint),
        field("arguments", Shape::Any),
        field("disable-model-invocation", Shape::Bool),
        field("user-invocable", Shape::Bool),
        field("model", Shape::Text),
        field("mode", Shape::Any),
        field("effort", Shape::Any),
        one_of("context", &["fork"]),
        field("agent", Shape::Text),
        field("hooks", Shape::Map),
        field("paths", Shape::TextOrList),
        field("when_to_use", Shape::Text),
        field("shell", Shape::Text),
        field("version", Shape::Any),
    ],
    ignored: &[],
    evidence: &[doc("https://agentskills.io/specification"), doc("https://code.claude.com/docs/en/skills"), VS_CODE],
};

pub(super) static CLAUDE_RULE: Schema = Schema {
    what: "a rule in `.claude/rules`",
    fields: &[
        field("paths", Shape::TextOrList),
        field("description", Shape::Any),
        field("name", Shape::Any),
        APPLIES_TO,
        PRIORITY,
        TAGS,
    ],
    ignored: &[
        Ignored { name: "globs", instead: "paths", effect: "the rule applies to every file" },
        Ignored { name: "applyTo", instead: "paths", effect: "the rule applies to every file" },
    ],
    evidence: &[CLAUDE_RUN],
};

pub(super) static CLAUDE_COMMAND: Schema = Schema {
    what: "a command",
    fields: &[
        field("description", Shape::Text),
        field("argument-hint", Shape::Hint),
        field("arguments", Shape::Any),
        field("allowed-tools", Shape::TextOrList),
        field("disallowed-tools", Shape::TextOrList),
        field("model", Shape::Text),
        field("mode", Shape::Any),
        field("effort", Shape::Any),
        field("disable-model-invocation", Shape::Bool),
        field("user-invocable", Shape::Bool),
        field("name", Shape::Any),
        one_of("context", &["fork"]),
        field("agent", Shape::Text),
        field("hooks", Shape::Map),
        field("paths", Shape::TextOrList),
        field("when_to_use", Shape::Text),
        field("shell", Shape::Text),
        field("version", Shape::Any),
    ],
    ignored: &[],
    evidence: &[doc("https://code.claude.com/docs/en/skills"), CLAUDE_RUN],
};

pub(super) static CLAUDE_AGENT: Schema = Schema {
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
        field("color", Shape::Text),
        field("maxTurns", Shape::Number),
        field("mcpServers", Shape::Any),
        field("background", Shape::Bool),
        field("effort", Shape::Any),
        field("isolation", Shape::Text),
        field("initialPrompt", Shape::Text),
    ],
    ignored: &[Ignored { name: "allowed-tools", instead: "tools", effect: "the subagent may use every tool" }],
    evidence: &[doc("https://code.claude.com/docs/en/sub-agents")],
};

pub(super) static CURSOR_RULE: Schema = Schema {
    what: "a Cursor rule",
    fields: &[field("description", Shape::Text), field("globs", Shape::TextOrList), field("alwaysApply", Shape::Bool)],
    ignored: &[
        Ignored { name: "paths", instead: "globs", effect: "the rule is attached to no file by it" },
        Ignored { name: "applyTo", instead: "globs", effect: "the rule is attached to no file by it" },
    ],
    evidence: &[doc("https://cursor.com/docs/rules"), doc("https://cursor.com/docs/context/rules")],
};

pub(super) static COPILOT_SCOPED: Schema = Schema {
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
        Ignored { name: "globs", instead: "applyTo", effect: "it does not limit the instructions to those files" },
        Ignored { name: "paths", instead: "applyTo", effect: "it does not limit the instructions to those files" },
    ],
    evidence: &[
        doc("https://docs.github.com/en/copilot/how-tos/configure-custom-instructions"),
        doc("https://code.visualstudio.com/docs/agent-customization/custom-instructions"),
        doc("GitHub Copilot CLI 1.0.102, observed"),
        VS_CODE,
    ],
};

pub(super) static COPILOT_PROMPT: Schema = Schema {
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

pub(super) static COPILOT_AGENT: Schema = Schema {
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

pub(super) static WINDSURF_RULE: Schema = Schema {
    what: "a Windsurf rule",
    fields: &[
        one_of("trigger", &["always_on", "glob", "model_decision", "agent", "manual"]),
        required_with("globs", Shape::TextOrList, "trigger", "glob"),
        required_with("description", Shape::Text, "trigger", "model_decision"),
        field("labels", Shape::Any),
    ],
    ignored: &[Ignored { name: "paths", instead: "globs", effect: "the rule is attached to no file by it" }],
    evidence: &[
        doc("https://docs.devin.ai/cli/extensibility/rules"),
        doc("https://docs.windsurf.com/windsurf/cascade/memories"),
    ],
};

pub(super) static CLINE_RULE: Schema = Schema {
    what: "a Cline rule",
    fields: &[field("paths", Shape::List), field("description", Shape::Any), field("name", Shape::Any)],
    ignored: &[Ignored { name: "globs", instead: "paths", effect: "the rule applies to every file" }],
    evidence: &[
        doc("https://docs.cline.bot/features/cline-rules/conditional-rules"),
        doc("cline/cline rule-conditionals.ts 21cb8d25, read"),
    ],
};

pub(super) static KIRO_STEERING: Schema = Schema {
    what: "a Kiro steering file",
    fields: &[
        one_of("inclusion", &["always", "fileMatch", "manual", "auto"]),
        FieldSpec {
            counts_with: Some(Setting { field: "inclusion", value: "fileMatch" }),
            ..required_with("fileMatchPattern", Shape::TextOrList, "inclusion", "fileMatch")
        },
        field("name", Shape::Text),
        required_with("description", Shape::Text, "inclusion", "auto"),
    ],
    ignored: &[],
    evidence: &[doc("https://kiro.dev/docs/steering/")],
};

pub(super) static LIBRARY_HINT: Schema = Schema {
    what: "a hint of a library",
    fields: &[
        required("description", Shape::Text),
        field("relevant_for", Shape::TextOrList),
        APPLIES_TO,
        PRIORITY,
        TAGS,
    ],
    ignored: &[],
    evidence: &[doc("facetlayer/flpipeline f0fa1c8e, read")],
};

pub(super) static PACKAGE_YAML: Schema = Schema {
    what: "a hint package",
    fields: &[
        required("name", Shape::Text),
        required("description", Shape::Text),
        field("system_prompt_injection", Shape::Text),
    ],
    ignored: &[],
    evidence: &[doc("hintlint, hint packages (`hint.yaml`)")],
};
