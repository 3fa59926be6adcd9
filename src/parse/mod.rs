//! Bytes in, [`Document`] out, once per file and never an error: what is odd becomes a [`Problem`] that a rule reports.
//!
//! All offsets are bytes of the file as it stands on disk, with its byte order mark and line endings.

pub mod frontmatter;
pub mod markdown;
pub mod suppress;
pub mod tasks;
pub mod unicode;

use std::sync::Arc;

use crate::discover::Kind;
use crate::path::RepoPath;
use crate::text::{LineIndex, Span};

pub use frontmatter::Frontmatter;
pub use markdown::Markdown;
pub use suppress::Suppression;
pub use tasks::{MalformedTask, Task};

/// One parsed file. Immutable.
#[derive(Debug)]
pub struct Document {
    /// Where it stands.
    pub path: RepoPath,
    /// What it was discovered as.
    pub kind: Kind,
    /// The bytes as read.
    pub bytes: Arc<[u8]>,
    /// The bytes as text of the same length: each byte outside valid UTF-8 is `?` here.
    pub text: String,
    /// Where lines begin.
    pub lines: LineIndex,
    /// The frontmatter, if the kind has one and the file begins with one. For a YAML file: the whole file.
    pub frontmatter: Option<Frontmatter>,
    /// Offset where the Markdown body begins: past the byte order mark and the frontmatter.
    pub body: usize,
    /// The Markdown structure of the body.
    pub markdown: Markdown,
    /// Checkboxes of the body, in order.
    pub tasks: Vec<Task>,
    /// What looks like a checkbox and is none.
    pub malformed_tasks: Vec<MalformedTask>,
    /// `hintlint-ignore` comments.
    pub suppressions: Vec<Suppression>,
    /// What the parsers stumbled over, sorted by place.
    pub problems: Vec<Problem>,
}

/// Something odd that parsing met; rules turn it into findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What it is.
    pub kind: ProblemKind,
    /// Where.
    pub span: Span,
}

/// The kinds of [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The frontmatter is not valid YAML. `message` is one plain sentence; `quote` is the value that needs quotes when the
    /// cause is an unquoted `: ` (the span of the plain value, to be wrapped in quotes and nothing else).
    InvalidFrontmatter {
        /// What the YAML reader says, in plain words.
        message: String,
        /// The plain scalar whose quoting mends it, as span and replacement; verified by re-parsing.
        quote: Option<(Span, String)>,
    },
    /// A frontmatter fence opens at the first byte and never closes.
    UnterminatedFrontmatter,
    /// What looks like frontmatter stands after blank lines, a comment or other text; the span is the whole block with fences.
    DisplacedFrontmatter,
    /// A key stands twice; the span is the second, `first` the first.
    DuplicateField {
        /// The key.
        key: String,
        /// Where the key stood first.
        first: Span,
    },
    /// A `hintlint-ignore` comment that cannot be understood, with what is wrong.
    MalformedSuppression(String),
}

impl Document {
    /// Parse `bytes` as a file of `kind` at `path`.
    pub fn parse(path: RepoPath, kind: Kind, bytes: Arc<[u8]>) -> Self {
        let text = crate::text::same_length_text(&bytes);
        let lines = LineIndex::new(&bytes);
        let mut problems = Vec::new();
        let (frontmatter, body) = frontmatter::read(&text, kind, &mut problems);
        let markdown = if kind.is_markdown() { markdown::read(&text, body) } else { Markdown::default() };
        let (tasks, malformed_tasks) = tasks::read(&text, &lines, &markdown);
        let suppressions = suppress::read(&text, &lines, &markdown, frontmatter.as_ref(), &mut problems);
        problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
        Document {
            path,
            kind,
            bytes,
            text,
            lines,
            frontmatter,
            body,
            markdown,
            tasks,
            malformed_tasks,
            suppressions,
            problems,
        }
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }
}
