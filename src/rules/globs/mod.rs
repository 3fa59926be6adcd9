//! Path patterns of rules, each in the language of the agent that reads it.

pub(in crate::rules) mod invalid_glob;

use super::Rule;

/// The group's rules that stand on one document, by name.
pub static RULES: &[&dyn Rule] = &[&invalid_glob::InvalidGlob];
