//! Bytes in, [`Document`] out, once per file and never an error: what is odd becomes a [`Problem`] that a rule reports.
//!
//! All offsets are bytes of the file as it stands on disk, with its byte order mark and line endings.

pub mod braces;
pub mod frontmatter;
pub(crate) mod homes;
pub mod imports;
pub(crate) mod json;
pub mod markdown;
pub mod patterns;
pub(crate) mod placeholder;
pub(crate) mod powershell;
pub mod promises;
pub mod secrets;
pub(crate) mod shell;
pub mod suppress;
pub mod tasks;
pub mod unicode;

use std::ops::Deref;
use std::sync::{Arc, LazyLock, OnceLock};

use crate::base::defect;
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::base::text::{LineIndex, Span};

pub use frontmatter::Frontmatter;
pub use markdown::Markdown;
pub(crate) use suppress::Suppression;
pub(crate) use tasks::MalformedTask;
pub use tasks::Task;

/// One file as text. It is parsed on the first access to [`Parsed`], to which it dereferences; then it never changes.
#[derive(Debug)]
pub struct Document {
    /// Where it stands.
    pub path: RepoPath,
    /// The paths by which agents open it, where links lead to it; empty where it is opened by its own path alone.
    pub opened_as: Vec<RepoPath>,
    /// What it was discovered as.
    pub kind: Kind,
    /// The bytes as read.
    pub bytes: Arc<[u8]>,
    /// The bytes as text of the same length: each byte outside valid UTF-8 is `?` here.
    pub text: String,
    /// Where lines begin.
    pub(crate) lines: LineIndex,
    /// What parsing found; `None` inside if it panicked.
    parsed: OnceLock<Option<Parsed>>,
    /// The leaves of the whole text that hold an `@`, once somebody looked for imports or they fell off another pass.
    leaves: OnceLock<Vec<imports::Leaf>>,
    /// The references under each grammar that somebody asked for: loading and rules ask for the same ones.
    references: [OnceLock<Vec<imports::Reference>>; imports::Grammar::ALL.len()],
    /// Whether a `hintlint-ignore` comment may stand in the text, once somebody asked: each finding of the file does.
    may_suppress: OnceLock<bool>,
}

/// Places with broken bytes from which on a file counts as garbled.
const MIN_BROKEN: usize = 10;

/// What parsing a file found.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The frontmatter, if the kind has one and the file begins with one. For a YAML file: the whole file.
    pub frontmatter: Option<Frontmatter>,
    /// Offset where the Markdown body begins: past the byte order mark and the frontmatter.
    pub body: usize,
    /// The Markdown structure of the body.
    pub markdown: Markdown,
    /// Checkboxes of the body, in order.
    pub tasks: Vec<Task>,
    /// Malformed checkboxes.
    pub(crate) malformed_tasks: Vec<MalformedTask>,
    /// `hintlint-ignore` comments.
    pub suppressions: Vec<Suppression>,
    /// Hidden and deceptive characters, sorted by place.
    pub hidden: Vec<unicode::UnicodeHit>,
    /// What the parsers stumbled over, sorted by place.
    pub problems: Vec<Problem>,
}

/// Something odd that parsing met; rules turn it into findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What it is.
    pub(crate) kind: ProblemKind,
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
        /// The plain scalar whose quoting fixes it, as span and replacement; verified by re-parsing.
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
    /// From here on the text is not read as Markdown. The span is the line.
    TooMuchMarkup(markdown::bound::TooMuch),
    /// A `hintlint-ignore` comment that cannot be understood, with what is wrong.
    MalformedSuppression(String),
}

impl Deref for Document {
    type Target = Parsed;

    fn deref(&self) -> &Parsed {
        static NOTHING: LazyLock<Parsed> = LazyLock::new(Parsed::default);
        self.parsed.get_or_init(|| defect::contain(|| self.parse_now())).as_ref().unwrap_or(&NOTHING)
    }
}

/// Lines among which a title is looked for.
const TITLE_LINES: usize = 50;

impl Document {
    /// Whether its title has a blank that is filled in where the file is put to use: `# {{PROJECT_NAME}}`.
    pub(crate) fn is_unfilled(&self) -> bool {
        // Asked of each file, most of which need not be parsed.
        let title = self.text.lines().take(TITLE_LINES).find(|line| line.starts_with("# ")).unwrap_or_default();
        let blanks = title.match_indices("{{").filter_map(|(at, _)| title[at + 2..].split_once("}}"));
        let is_name = |c: char| c.is_ascii_uppercase() || matches!(c, '_' | ' ');
        blanks.into_iter().any(|(blank, _)| !blank.trim().is_empty() && blank.chars().all(is_name))
    }

    /// Parse `bytes` as a file of `kind` at `path`.
    pub fn parse(path: RepoPath, kind: Kind, bytes: Arc<[u8]>) -> Self {
        let document = Document::unparsed(path, kind, bytes);
        let _ = document.parsed.set(Some(document.parse_now()));
        document
    }

    /// The same, parsed when somebody asks for what parsing finds.
    pub(crate) fn unparsed(path: RepoPath, kind: Kind, bytes: Arc<[u8]>) -> Self {
        Document {
            path,
            opened_as: Vec::new(),
            kind,
            text: crate::base::text::same_length_text(&bytes).into_owned(),
            lines: LineIndex::new(&bytes),
            bytes,
            parsed: OnceLock::new(),
            leaves: OnceLock::new(),
            references: Default::default(),
            may_suppress: OnceLock::new(),
        }
    }

    /// A file that is searched for hidden characters only: `hidden` is what was found, and nothing else is parsed.
    pub(crate) fn searched(path: RepoPath, bytes: Arc<[u8]>, hidden: Vec<unicode::UnicodeHit>) -> Self {
        let document = Document::unparsed(path, Kind::Text, bytes);
        let _ = document.parsed.set(Some(Parsed { hidden, ..Parsed::default() }));
        document
    }

    /// Whether somebody asked for what parsing finds.
    #[cfg(test)]
    pub(crate) fn is_parsed(&self) -> bool {
        self.parsed.get().is_some()
    }

    /// Whether parsing was asked for and panicked: then nothing was found.
    pub(crate) fn failed_to_parse(&self) -> bool {
        matches!(self.parsed.get(), Some(None))
    }

    /// Whether the text may hold a `hintlint-ignore` comment. Parses nothing.
    pub(crate) fn may_suppress(&self) -> bool {
        *self.may_suppress.get_or_init(|| suppress::may_stand_in(&self.text))
    }

    fn parse_now(&self) -> Parsed {
        let Document { path, kind, bytes, text, lines, .. } = self;
        let mut problems = Vec::new();
        let (frontmatter, body) = frontmatter::read(text, *kind, &mut problems);
        let (markdown, leaves) =
            if kind.is_markdown() { markdown::read_with_leaves(text, body) } else { Default::default() };
        if let Some((at, why)) = markdown.excess {
            let line = lines.line_content(bytes, lines.line_of(at));
            let span = Span::new(at, line.end.max(at));
            problems.push(Problem { kind: ProblemKind::TooMuchMarkup(why), span });
        }
        let (tasks, malformed_tasks) = tasks::read(path.as_bytes(), text, lines, &markdown);
        let suppressions = suppress::read(text, lines, &markdown, frontmatter.as_ref(), &mut problems);
        let hidden = match kind.is_markdown() {
            true => unicode::scan_markdown_in(bytes, |text| {
                unicode::regions_of(text, frontmatter.as_ref(), body, &markdown)
            }),
            false => unicode::scan_other(bytes),
        };
        problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
        if let Some(leaves) = leaves {
            let _ = self.leaves.set(leaves);
        }
        Parsed { frontmatter, body, markdown, tasks, malformed_tasks, suppressions, hidden, problems }
    }

    /// Whether so many bytes are not UTF-8 that the file is in another encoding, or was destroyed on its way.
    pub(crate) fn is_garbled(&self) -> bool {
        let broken = self.hidden.iter().filter(|hit| hit.class == unicode::Class::InvalidUtf8);
        broken.take(MIN_BROKEN).count() == MIN_BROKEN
    }

    /// The paths by which agents open the file; never empty.
    pub fn opened(&self) -> &[RepoPath] {
        if self.opened_as.is_empty() { std::slice::from_ref(&self.path) } else { &self.opened_as }
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }
}

#[cfg(test)]
mod tests;
