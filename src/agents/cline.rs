//! Cline, as documented.

use super::shared::documented::COMMON;
use super::{Dialect, Evidence, RuleDirectory};

/// The table.
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
    ..COMMON
};
