//! Hint libraries: whether hints can be told apart by their names, and whether keys stay out of the repository.

mod duplicate_hint_name;
mod hint_name_style;
mod tracked_secret;

use super::Rule;
use crate::base::kind::Kind;
use crate::parse::Document;
use crate::workspace::Workspace;

/// The group's rules, by name.
pub(super) static RULES: &[&dyn Rule] =
    &[&duplicate_hint_name::DuplicateHintName, &hint_name_style::HintNameStyle, &tracked_secret::TrackedSecret];

/// The hints of the library and their names. A file without a description is no hint: `README.md` stands beside hints too.
fn hints(workspace: &Workspace) -> impl Iterator<Item = (&str, &Document)> {
    let hints = workspace.documents.iter().filter(|document| document.kind == Kind::LibraryHint);
    let described =
        hints.filter(|hint| hint.frontmatter.as_ref().is_some_and(|fields| fields.get("description").is_some()));
    described.filter_map(|hint| {
        let name = std::str::from_utf8(hint.path.file_name()).ok()?;
        Some((name.strip_suffix(".md").unwrap_or(name), hint))
    })
}
