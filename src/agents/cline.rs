//! Cline, as documented.

use super::shared::documented::COMMON;
use super::shared::files::{AgentFiles, Hint};
use super::{Dialect, Evidence, RuleDirectory, cursor, windsurf};
use crate::base::fields::{Ignored, Schema, Shape, doc, field};
use crate::base::kind::{AgentKind, Kind, Role};

/// Cline.
pub(super) const CLINE: Dialect = Dialect {
    id: "cline",
    title: "Cline",
    evidence: &[Evidence { source: "https://docs.cline.bot/features/cline-rules", date: "2026-11" }],
    names: &[".clinerules", ".cursorrules", ".windsurfrules", "AGENTS.md"],
    user_files: &["Documents/Cline/Rules"],
    rules: &[
        RuleDirectory { path: ".clinerules", suffix: ".md", key: "paths" },
        RuleDirectory { path: ".clinerules", suffix: ".txt", key: "paths" },
    ],
    files: &FILES,
    ..COMMON
};

static RULE: AgentKind = AgentKind {
    fields: Some(&RULE_FIELDS),
    patterns: &["paths"],
    folder: ".clinerules/",
    told_unread: false,
    ..AgentKind::new("cline-rule", Role::Rule)
};

static FILES: AgentFiles = AgentFiles {
    signs: &[".clinerules", ".clinerules/"],
    claims_agents_md: false,
    hints: &[
        Hint::name(".clinerules", Kind::Of(&RULE)),
        Hint::below(".clinerules/", ".md", Kind::Of(&RULE)),
        Hint::below(".clinerules/", ".txt", Kind::Of(&RULE)),
    ],
    reads: &[Kind::Of(&RULE), Kind::Of(&cursor::LEGACY), Kind::Of(&windsurf::LEGACY), Kind::AgentsMd],
    folders: &[".clinerules"],
    skill_folders: &[".cline"],
    words: &["cline"],
    file_words: &["clinerules"],
    ..AgentFiles::NONE
};

static RULE_FIELDS: Schema = Schema {
    what: "a Cline rule",
    fields: &[field("paths", Shape::List), field("description", Shape::Any), field("name", Shape::Any)],
    ignored: &[Ignored { name: "globs", instead: "paths", effect: "the rule applies to every file" }],
    evidence: &[
        doc("https://docs.cline.bot/features/cline-rules/conditional-rules"),
        doc("cline/cline rule-conditionals.ts 21cb8d25, read"),
    ],
};
