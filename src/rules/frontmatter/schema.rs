//! Which fields each kind of file may have, as data: one table per kind, with its evidence. Knows no document and no rule.

use crate::discover::Kind;
use crate::rules::Evidence;

/// The fields of one kind of file.
#[derive(Debug)]
pub(super) struct Schema {
    /// What such a file is called in messages.
    pub(super) what: &'static str,
    /// The fields that its readers know.
    pub(super) fields: &'static [FieldSpec],
    /// Fields of other agents' files that these readers silently skip.
    pub(super) ignored: &'static [Ignored],
    /// Where the table comes from.
    #[cfg_attr(not(test), expect(dead_code, reason = "kept beside the facts it proves; a test reads it"))]
    pub(super) evidence: &'static [Evidence],
}

/// One field.
#[derive(Debug)]
pub(super) struct FieldSpec {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) required: bool,
    pub(super) limit: Limit,
}

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A string.
    Text,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string, or a list of strings.
    TextOrList,
    /// A list of strings.
    List,
    /// A mapping.
    Map,
    /// Anything; the readers differ or do not say.
    Any,
}

impl Shape {
    /// The shape in words.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Shape::Text => "a string",
            Shape::Bool => "`true` or `false`",
            Shape::Number => "a number",
            Shape::TextOrList => "a string or a list of strings",
            Shape::List => "a list of strings",
            Shape::Map => "a mapping",
            Shape::Any => "anything",
        }
    }
}

/// What a value of the right shape must satisfy.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// Nothing.
    None,
    /// From 1 to this many characters.
    Length(usize),
    /// A skill's name: 1 to 64 of `a-z0-9-`, no hyphen at either end nor two in a row, equal to the folder's name.
    SkillName,
    /// One of these words.
    OneOf(&'static [&'static str]),
}

/// A field that belongs to another agent's file.
#[derive(Debug)]
pub(super) struct Ignored {
    pub(super) name: &'static str,
    /// The field that these readers know instead; while it is present, nothing is lost.
    pub(super) instead: &'static str,
    /// What follows from it.
    pub(super) effect: &'static str,
}

const fn field(name: &'static str, shape: Shape) -> FieldSpec {
    FieldSpec { name, shape, required: false, limit: Limit::None }
}

const fn required(name: &'static str, shape: Shape) -> FieldSpec {
    FieldSpec { name, shape, required: true, limit: Limit::None }
}

const fn one_of(name: &'static str, words: &'static [&'static str]) -> FieldSpec {
    FieldSpec { name, shape: Shape::Text, required: false, limit: Limit::OneOf(words) }
}

const fn doc(source: &'static str) -> Evidence {
    Evidence { source, checked: "2026-11" }
}

const CLAUDE_RUN: Evidence = doc("Claude Code 2.1.329, observed");

/// Fields of rules that several tools share: `applies_to` (globs), `priority` (a number), `tags`.
const APPLIES_TO: FieldSpec = field("applies_to", Shape::TextOrList);
const PRIORITY: FieldSpec = field("priority", Shape::Number);
const TAGS: FieldSpec = field("tags", Shape::TextOrList);

static SKILL: Schema = Schema {
    what: "a skill",
    fields: &[
        FieldSpec { name: "name", shape: Shape::Text, required: true, limit: Limit::SkillName },
        FieldSpec { name: "description", shape: Shape::Text, required: true, limit: Limit::Length(1024) },
        field("license", Shape::Text),
        FieldSpec { name: "compatibility", shape: Shape::Text, required: false, limit: Limit::Length(500) },
        field("metadata", Shape::Map),
        field("allowed-tools", Shape::TextOrList),
        field("argument-hint", Shape::TextOrList),
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
        field("version", Shape::Any),
    ],
    ignored: &[],
    evidence: &[doc("https://agentskills.io/specification"), doc("https://code.claude.com/docs/en/skills")],
};

static CLAUDE_RULE: Schema = Schema {
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

static CLAUDE_COMMAND: Schema = Schema {
    what: "a command",
    fields: &[
        field("description", Shape::Text),
        field("argument-hint", Shape::TextOrList),
        field("arguments", Shape::Any),
        field("allowed-tools", Shape::TextOrList),
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
    ],
    ignored: &[],
    evidence: &[doc("https://code.claude.com/docs/en/skills"), CLAUDE_RUN],
};

static CLAUDE_AGENT: Schema = Schema {
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

static CURSOR_RULE: Schema = Schema {
    what: "a Cursor rule",
    fields: &[field("description", Shape::Text), field("globs", Shape::TextOrList), field("alwaysApply", Shape::Bool)],
    ignored: &[
        Ignored { name: "paths", instead: "globs", effect: "the rule is attached to no file by it" },
        Ignored { name: "applyTo", instead: "globs", effect: "the rule is attached to no file by it" },
    ],
    evidence: &[doc("https://cursor.com/docs/context/rules")],
};

static COPILOT_SCOPED: Schema = Schema {
    what: "a Copilot instructions file",
    fields: &[
        field("applyTo", Shape::TextOrList),
        field("description", Shape::Text),
        field("name", Shape::Text),
        one_of("excludeAgent", &["code-review", "coding-agent"]),
    ],
    ignored: &[
        Ignored { name: "globs", instead: "applyTo", effect: "it does not limit the instructions to those files" },
        Ignored { name: "paths", instead: "applyTo", effect: "it does not limit the instructions to those files" },
    ],
    evidence: &[
        doc("https://docs.github.com/en/copilot/how-tos/configure-custom-instructions"),
        doc("GitHub Copilot CLI 1.0.102, observed"),
    ],
};

static COPILOT_PROMPT: Schema = Schema {
    what: "a Copilot prompt",
    fields: &[
        field("description", Shape::Text),
        field("name", Shape::Text),
        field("agent", Shape::Text),
        field("mode", Shape::Text),
        field("model", Shape::TextOrList),
        field("tools", Shape::TextOrList),
        field("argument-hint", Shape::TextOrList),
    ],
    ignored: &[],
    evidence: &[doc("https://code.visualstudio.com/docs/copilot/customization/prompt-files")],
};

static COPILOT_AGENT: Schema = Schema {
    what: "a Copilot agent",
    fields: &[
        field("name", Shape::Text),
        field("description", Shape::Text),
        field("tools", Shape::TextOrList),
        field("model", Shape::TextOrList),
        field("argument-hint", Shape::TextOrList),
        field("target", Shape::Text),
        field("mcp-servers", Shape::Any),
        field("handoffs", Shape::Any),
        field("agents", Shape::Any),
        field("infer", Shape::Any),
        field("user-invocable", Shape::Bool),
        field("disable-model-invocation", Shape::Bool),
        field("metadata", Shape::Map),
        field("hooks", Shape::Any),
    ],
    ignored: &[],
    evidence: &[doc("https://docs.github.com/en/copilot/reference/custom-agents-configuration")],
};

static WINDSURF_RULE: Schema = Schema {
    what: "a Windsurf rule",
    fields: &[
        one_of("trigger", &["always_on", "glob", "model_decision", "manual"]),
        field("globs", Shape::TextOrList),
        field("description", Shape::Text),
        field("labels", Shape::Any),
    ],
    ignored: &[Ignored { name: "paths", instead: "globs", effect: "the rule is attached to no file by it" }],
    evidence: &[doc("https://docs.windsurf.com/windsurf/cascade/memories")],
};

static CLINE_RULE: Schema = Schema {
    what: "a Cline rule",
    fields: &[field("paths", Shape::List), field("description", Shape::Any), field("name", Shape::Any)],
    ignored: &[Ignored { name: "globs", instead: "paths", effect: "the rule applies to every file" }],
    evidence: &[doc("https://docs.cline.bot/features/cline-rules")],
};

static KIRO_STEERING: Schema = Schema {
    what: "a Kiro steering file",
    fields: &[
        one_of("inclusion", &["always", "fileMatch", "manual", "auto"]),
        field("fileMatchPattern", Shape::TextOrList),
        field("name", Shape::Text),
        field("description", Shape::Text),
    ],
    ignored: &[],
    evidence: &[doc("https://kiro.dev/docs/steering/")],
};

static LIBRARY_HINT: Schema = Schema {
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

static PACKAGE_YAML: Schema = Schema {
    what: "a hint package",
    fields: &[
        required("name", Shape::Text),
        required("description", Shape::Text),
        field("system_prompt_injection", Shape::Text),
    ],
    ignored: &[],
    evidence: &[doc("hintlint, hint packages (`hint.yaml`)")],
};

/// The table of `kind`; `None` where no agent gives frontmatter a meaning.
pub(super) fn of(kind: Kind) -> Option<&'static Schema> {
    Some(match kind {
        Kind::Skill => &SKILL,
        Kind::ClaudeRule => &CLAUDE_RULE,
        Kind::ClaudeCommand => &CLAUDE_COMMAND,
        Kind::ClaudeAgent => &CLAUDE_AGENT,
        Kind::CursorRule => &CURSOR_RULE,
        Kind::CopilotScoped => &COPILOT_SCOPED,
        Kind::CopilotPrompt => &COPILOT_PROMPT,
        Kind::CopilotAgent => &COPILOT_AGENT,
        Kind::WindsurfRule => &WINDSURF_RULE,
        Kind::ClineRule => &CLINE_RULE,
        Kind::KiroSteering => &KIRO_STEERING,
        Kind::LibraryHint => &LIBRARY_HINT,
        Kind::PackageYaml => &PACKAGE_YAML,
        _ => return None,
    })
}

impl Schema {
    /// The field called exactly `name`.
    pub(super) fn field(&self, name: &str) -> Option<&FieldSpec> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The foreign field called exactly `name`.
    pub(super) fn ignored(&self, name: &str) -> Option<&Ignored> {
        self.ignored.iter().find(|ignored| ignored.name == name)
    }

    /// The known field that `name` is a misspelling of: the same but for case, `_` and `-`, or one edit away.
    pub(super) fn misspelled(&self, name: &str) -> Option<&FieldSpec> {
        let bare = |name: &str| name.replace(['_', '-'], "").to_lowercase();
        let same = self.fields.iter().find(|field| bare(field.name) == bare(name));
        same.or_else(|| self.fields.iter().find(|field| field.name.len() >= 4 && one_edit(field.name, name)))
    }
}

/// Whether one insertion, deletion, replacement or swap of neighbours makes `b` of `a`.
fn one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let front = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[front..], &b[front..]);
    match (a, b) {
        ([], []) => false,
        ([w, x, rest @ ..], [y, z, tail @ ..]) if w == z && x == y && rest == tail => true,
        _ if a.len() == b.len() => a[1..] == b[1..],
        _ if a.len() == b.len() + 1 => a[1..] == *b,
        _ if a.len() + 1 == b.len() => *a == b[1..],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; 13] = [
        Kind::Skill,
        Kind::ClaudeRule,
        Kind::ClaudeCommand,
        Kind::ClaudeAgent,
        Kind::CursorRule,
        Kind::CopilotScoped,
        Kind::CopilotPrompt,
        Kind::CopilotAgent,
        Kind::WindsurfRule,
        Kind::ClineRule,
        Kind::KiroSteering,
        Kind::LibraryHint,
        Kind::PackageYaml,
    ];

    #[test]
    fn the_tables_cite_their_evidence() {
        for kind in KINDS {
            let schema = of(kind).unwrap();
            assert!(!schema.evidence.is_empty(), "{kind:?}");
            for evidence in schema.evidence {
                assert!(evidence.checked.starts_with("20") && evidence.source.contains([' ', '/']), "{evidence:?}");
            }
        }
        assert!(of(Kind::AgentsMd).is_none());
    }

    #[test]
    fn no_field_is_a_misspelling_of_another() {
        for kind in KINDS {
            let schema = of(kind).unwrap();
            for field in schema.fields {
                let near: Vec<_> = schema.fields.iter().filter(|other| one_edit(other.name, field.name)).collect();
                assert!(near.is_empty() || field.name == "mode" || field.name == "model", "{kind:?} {near:?}");
            }
            for ignored in schema.ignored {
                assert!(
                    schema.field(ignored.instead).is_some() && schema.misspelled(ignored.name).is_none(),
                    "{ignored:?}"
                );
            }
        }
    }

    #[test]
    fn misspellings_are_one_edit_or_another_style() {
        for (kind, name, want) in [
            (Kind::Skill, "allowed_tools", Some("allowed-tools")),
            (Kind::Skill, "Description", Some("description")),
            (Kind::Skill, "descripton", Some("description")),
            (Kind::Skill, "desciption", Some("description")),
            (Kind::Skill, "nmae", Some("name")),
            (Kind::Skill, "title", None),
            (Kind::Skill, "author", None),
            (Kind::CursorRule, "glob", Some("globs")),
            (Kind::CursorRule, "always_apply", Some("alwaysApply")),
            (Kind::ClaudeRule, "path", Some("paths")),
            (Kind::CopilotScoped, "apply-to", Some("applyTo")),
            (Kind::LibraryHint, "relevant-for", Some("relevant_for")),
        ] {
            assert_eq!(of(kind).unwrap().misspelled(name).map(|field| field.name), want, "{name}");
        }
    }
}
