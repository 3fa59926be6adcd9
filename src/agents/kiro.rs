//! Kiro, as documented.

use super::shared::documented::COMMON;
use super::{Dialect, Evidence, RuleDirectory};

/// The table.
pub(super) const KIRO: Dialect = Dialect {
    id: "kiro",
    title: "Kiro",
    evidence: &[Evidence { source: "https://kiro.dev/docs/steering", date: "2026-11" }],
    user_files: &[".kiro/steering"],
    rules: &[RuleDirectory { path: ".kiro/steering", suffix: ".md", key: "fileMatchPattern" }],
    ..COMMON
};
