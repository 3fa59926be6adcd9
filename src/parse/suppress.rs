//! `hintlint-ignore` comments: which rules they silence, where, and why.

use super::{Frontmatter, Markdown, Problem};
use crate::text::{LineIndex, Span};

/// One suppression comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// The comment.
    pub span: Span,
    /// The rules or groups it names, each with its place.
    pub rules: Vec<(String, Span)>,
    /// The reason after the colon; a suppression without one is a [`Problem`] and silences nothing.
    pub reason: String,
    /// The bytes it covers: the next block, the next line of YAML, or the whole file.
    pub covers: Span,
    /// Whether it is a `hintlint-ignore-file`.
    pub whole_file: bool,
}

/// Read the suppressions of a document.
pub fn read(
    _text: &str,
    _lines: &LineIndex,
    _markdown: &Markdown,
    _frontmatter: Option<&Frontmatter>,
    _problems: &mut Vec<Problem>,
) -> Vec<Suppression> {
    Vec::new()
}
