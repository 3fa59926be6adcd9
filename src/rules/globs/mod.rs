//! Path patterns of rules, each in the language of the agent that reads it.

mod dead_glob;
mod invalid_glob;
mod search;
mod unmatched_glob;

use super::Rule;

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[&dead_glob::DeadGlob, &invalid_glob::InvalidGlob, &unmatched_glob::UnmatchedGlob];
