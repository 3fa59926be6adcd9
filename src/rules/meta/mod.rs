//! Rules about the linter's own config and suppressions.

mod silenced;
mod unknown_rule;
mod unused_override;
mod unused_suppression;

use super::Rule;

pub(crate) use silenced::silenced;
pub(crate) use silenced::{Silenced, Suppressed};
pub(crate) use unused_suppression::unused_suppressions;

/// The rules of this group, by name.
pub const RULES: &[&dyn Rule] =
    &[&unknown_rule::UnknownRule, &unused_override::UnusedOverride, &unused_suppression::UnusedSuppression];
