//! Frontmatter: whether it can be read, and whether its fields are those that the file's agent knows.

mod displaced_frontmatter;
mod duplicate_field;
mod ignored_field;
mod invalid_frontmatter;
mod invalid_value;
mod missing_field;
mod misspelled_field;
mod schema;
mod unknown_field;
mod unterminated_frontmatter;
mod wrong_type;

use super::Rule;

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[
    &displaced_frontmatter::DisplacedFrontmatter,
    &duplicate_field::DuplicateField,
    &ignored_field::IgnoredField,
    &invalid_frontmatter::InvalidFrontmatter,
    &invalid_value::InvalidValue,
    &missing_field::MissingField,
    &misspelled_field::MisspelledField,
    &unknown_field::UnknownField,
    &unterminated_frontmatter::UnterminatedFrontmatter,
    &wrong_type::WrongType,
];
