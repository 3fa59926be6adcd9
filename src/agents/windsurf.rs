//! Windsurf, now Devin Desktop, as documented.

use super::shared::documented::COMMON;
use super::shared::files::{AgentFiles, Hint};
use super::{Dialect, Evidence, RuleDirectory};
use crate::base::fields::{ForeignField, Schema, Shape, doc, field, one_of, required_with};
use crate::base::kind::{AgentKind, FrontmatterStyle, Kind, Role};

/// Windsurf, now Devin Desktop.
pub(super) const WINDSURF: Dialect = Dialect {
    id: "windsurf",
    title: "Windsurf",
    evidence: &[Evidence { source: "https://docs.windsurf.com/windsurf/cascade/memories", checked: "2026-11" }],
    names: &[".windsurfrules", "AGENTS.md"],
    user_files: &[".codeium/windsurf/memories/global_rules.md"],
    rules: &[
        RuleDirectory { path: ".devin/rules", suffix: ".md", key: "globs" },
        RuleDirectory { path: ".windsurf/rules", suffix: ".md", key: "globs" },
    ],
    files: &FILES,
    ..COMMON
};

static LEGACY: AgentKind = AgentKind::new("windsurf-legacy", Role::Legacy);
static RULE: AgentKind = AgentKind {
    frontmatter: FrontmatterStyle::Mdc,
    fields: Some(&RULE_FIELDS),
    patterns: &["globs"],
    folder: "/rules/",
    max_chars: Some(12_000),
    ..AgentKind::new("windsurf-rule", Role::Rule)
};

static FILES: AgentFiles = AgentFiles {
    signs: &[".windsurf/rules/", ".windsurfrules"],
    claims_agents_md: false,
    hints: &[
        Hint::name(".windsurfrules", Kind::Of(&LEGACY)),
        Hint::below(".windsurf/rules/", ".md", Kind::Of(&RULE)),
        Hint::below(".devin/rules/", ".md", Kind::Of(&RULE)),
    ],
    reads: &[Kind::Of(&RULE), Kind::Of(&LEGACY), Kind::AgentsMd],
    folders: &[".devin", ".windsurf"],
    skill_folders: &[".devin", ".windsurf"],
    words: &["devin", "windsurf"],
    file_words: &["windsurfrules"],
    ..AgentFiles::NONE
};

static RULE_FIELDS: Schema = Schema {
    what: "a Windsurf rule",
    fields: &[
        one_of("trigger", &["always_on", "glob", "model_decision", "agent", "manual"]),
        required_with("globs", Shape::TextOrList, "trigger", "glob"),
        required_with("description", Shape::Text, "trigger", "model_decision"),
        field("labels", Shape::Any),
    ],
    ignored: &[ForeignField { name: "paths", instead: "globs", effect: "the rule is attached to no file by it" }],
    evidence: &[
        doc("https://docs.devin.ai/cli/extensibility/rules"),
        doc("https://docs.windsurf.com/windsurf/cascade/memories"),
    ],
};
