//! Kiro, as documented.

use super::shared::documented::COMMON;
use super::shared::files::{AgentFiles, Hint};
use super::{Dialect, Evidence, RuleDirectory};
use crate::base::fields::{FieldSetting, FieldSpec, Schema, Shape, doc, field, one_of, required_with};
use crate::base::kind::{AgentKind, Kind, Role};

/// Kiro.
pub(super) const KIRO: Dialect = Dialect {
    id: "kiro",
    title: "Kiro",
    evidence: &[Evidence { source: "https://kiro.dev/docs/steering", checked: "2026-11" }],
    user_files: &[".kiro/steering"],
    rules: &[RuleDirectory { path: ".kiro/steering", suffix: ".md", key: "fileMatchPattern" }],
    files: &FILES,
    ..COMMON
};

static STEERING: AgentKind = AgentKind {
    fields: Some(&STEERING_FIELDS),
    patterns: &["fileMatchPattern"],
    folder: "/steering/",
    told_unread: false,
    ..AgentKind::new("kiro-steering", Role::Rule)
};

static FILES: AgentFiles = AgentFiles {
    signs: &[".kiro/steering/"],
    claims_agents_md: false,
    hints: &[Hint::below(".kiro/steering/", ".md", Kind::Of(&STEERING))],
    reads: &[Kind::Of(&STEERING), Kind::AgentsMd],
    // https://kiro.dev/docs/hooks: JSON with a prompt or a command.
    run_texts: &[(".kiro/hooks/", &[".kiro.hook"])],
    folders: &[".kiro"],
    skill_folders: &[".kiro"],
    words: &["kiro"],
    file_words: &["steering"],
    ..AgentFiles::NONE
};

static STEERING_FIELDS: Schema = Schema {
    what: "a Kiro steering file",
    fields: &[
        one_of("inclusion", &["always", "fileMatch", "manual", "auto"]),
        FieldSpec {
            counts_with: Some(FieldSetting { field: "inclusion", value: "fileMatch" }),
            ..required_with("fileMatchPattern", Shape::TextOrList, "inclusion", "fileMatch")
        },
        field("name", Shape::Text),
        required_with("description", Shape::Text, "inclusion", "auto"),
    ],
    ignored: &[],
    evidence: &[doc("https://kiro.dev/docs/steering/")],
};
