//! The agents and editors of which it is known what they run.

use super::{ALL, Dialect, vscode};

/// Editors that start things because of a repository's files, and load no hint files.
pub(crate) static EDITORS: &[&Dialect] = &[&vscode::VSCODE];

/// The agents and editors of which it is known what they run.
pub(crate) fn running() -> impl Iterator<Item = &'static Dialect> {
    ALL.iter().chain(EDITORS).copied().filter(|dialect| dialect.runs.is_some())
}
