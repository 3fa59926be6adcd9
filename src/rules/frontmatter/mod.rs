//! Frontmatter: whether it can be read, and whether its fields are those that the file's agent knows.

pub(in crate::rules) mod displaced_frontmatter;
mod duplicate_field;
mod duplicate_skill_name;
mod ignored_field;
mod invalid_frontmatter;
mod invalid_value;
mod left_out;
mod missing_field;
mod misspelled_field;
mod schema;
mod skill_name;
mod unknown_field;
mod unterminated_frontmatter;
mod wrong_type;

use std::collections::BTreeSet;

use super::Rule;
use crate::base::path::RepoPath;
use crate::discover;
use crate::parse::Document;

/// The fields that the readers of files of `kind` know; `None` where no reader gives frontmatter a meaning.
#[cfg(feature = "server")]
pub(crate) fn schema_of(kind: crate::base::kind::Kind) -> Option<&'static crate::base::fields::Schema> {
    schema::of(kind)
}

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[
    &displaced_frontmatter::DisplacedFrontmatter,
    &duplicate_field::DuplicateField,
    &duplicate_skill_name::DuplicateSkillName,
    &ignored_field::IgnoredField,
    &invalid_frontmatter::InvalidFrontmatter,
    &invalid_value::InvalidValue,
    &missing_field::MissingField,
    &misspelled_field::MisspelledField,
    &unknown_field::UnknownField,
    &unterminated_frontmatter::UnterminatedFrontmatter,
    &wrong_type::WrongType,
];

/// Whether the file's name says that it is a form to be filled in.
fn is_template(path: &RepoPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    name.starts_with(b"_") || memchr::memmem::find(&name, b"template").is_some()
}

/// Whether a document stands among examples, templates or fixtures, which are incomplete or wrong on purpose. A rule that was
/// selected by name looks at them all the same.
fn is_illustration(document: &Document, selected: &BTreeSet<&'static str>, name: &str) -> bool {
    let is_set_aside = |path: &RepoPath| discover::why_set_aside(path.as_bytes()).is_some();
    !selected.contains(name) && document.opened().iter().all(is_set_aside)
}
