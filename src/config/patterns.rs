//! Patterns of the config: gitignore syntax, anchored at the repository root.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::base::path::bytes_to_os_path;

/// A pattern of the config that is not a valid glob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    /// The pattern as written.
    pub pattern: String,
    /// What is wrong with it.
    pub message: String,
}

/// Compile gitignore-style patterns, anchored at the repository root.
///
/// # Errors
/// The first pattern that is no valid glob.
pub(crate) fn patterns<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Result<Gitignore, BadPattern> {
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        let bad =
            |error: ignore::Error| BadPattern { pattern: pattern.as_ref().to_owned(), message: error.to_string() };
        builder.add_line(None, pattern.as_ref()).map_err(bad)?;
    }
    builder.build().map_err(|error| BadPattern { pattern: String::new(), message: error.to_string() })
}

/// Whether `patterns` match `path` itself or a folder above it.
pub fn matches(patterns: &Gitignore, path: &[u8]) -> bool {
    !patterns.is_empty() && patterns.matched_path_or_any_parents(bytes_to_os_path(path), false).is_ignore()
}
