//! Cursor, as documented.

use super::shared::documented::COMMON;
use super::{Dialect, Evidence, RuleDirectory};

/// The table.
pub(super) const CURSOR: Dialect = Dialect {
    id: "cursor",
    title: "Cursor",
    evidence: &[Evidence {
        source: "https://docs.cursor.com/context/rules and third-party descriptions",
        date: "2026-11",
    }],
    names: &[".cursorrules", "AGENTS.md"],
    rules: &[RuleDirectory { path: ".cursor/rules", suffix: ".mdc", key: "globs" }],
    ..COMMON
};
