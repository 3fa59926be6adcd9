//! Rules about text that stands twice: copies kept by hand for two agents, and passages repeated in files that load together.

mod copies;
mod copies_drifted;
mod repeated_text;

use super::Rule;

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[&copies_drifted::CopiesDrifted, &repeated_text::RepeatedText];
