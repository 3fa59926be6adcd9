//! Checkboxes of task lists, and what was meant to be one.

use super::Markdown;
use crate::text::{LineIndex, Span};

/// State of a checkbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// `[ ]`
    Open,
    /// `[x]` or `[X]`
    Done,
    /// Any other single character, such as `[-]`.
    Other(char),
}

/// One checkbox in a list item, outside code and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The box itself, `[ ]`.
    pub marker: Span,
    /// What it says.
    pub state: TaskState,
    /// The text after the box, on its line.
    pub text: Span,
    /// The nearest task above it in the nesting of lists, as an index into the document's tasks.
    pub parent: Option<usize>,
    /// The heading it stands under, as an index into the document's headings.
    pub heading: Option<usize>,
}

/// Something that looks like a checkbox and that no reader takes for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedTask {
    /// What stands there, from the list marker to the box's end.
    pub span: Span,
    /// What should stand there instead.
    pub replacement: String,
    /// What is wrong with it, for the message.
    pub why: &'static str,
}

/// Read the tasks of a document.
pub fn read(_text: &str, _lines: &LineIndex, _markdown: &Markdown) -> (Vec<Task>, Vec<MalformedTask>) {
    (Vec::new(), Vec::new())
}
