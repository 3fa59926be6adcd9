//! Windsurf, now Devin Desktop, as documented.

use super::shared::documented::COMMON;
use super::{Dialect, Evidence, RuleDirectory};

/// The table.
pub(super) const WINDSURF: Dialect = Dialect {
    id: "windsurf",
    title: "Windsurf",
    evidence: &[Evidence { source: "https://docs.windsurf.com/windsurf/cascade/memories", date: "2026-11" }],
    names: &[".windsurfrules", "AGENTS.md"],
    user_files: &[".codeium/windsurf/memories/global_rules.md"],
    rules: &[
        RuleDirectory { path: ".devin/rules", suffix: ".md", key: "globs" },
        RuleDirectory { path: ".windsurf/rules", suffix: ".md", key: "globs" },
    ],
    ..COMMON
};
