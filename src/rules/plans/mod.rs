//! Plans.
use super::Rule;
/// Rules.
pub static RULES: &[&dyn Rule] = &[];
