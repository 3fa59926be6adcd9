//! One pass over the Markdown of a file: headings, code, comments, links, text leaves, list items, with exact byte spans.

use crate::text::Span;

/// The Markdown structure of a file. Every list is sorted by place.
#[derive(Clone, Debug, Default)]
pub struct Markdown {
    /// ATX and setext headings.
    pub headings: Vec<Heading>,
    /// Code spans, fenced and indented code.
    pub code: Vec<Code>,
    /// HTML comments outside code, block and inline.
    pub comments: Vec<Comment>,
    /// Links, images, autolinks, reference definitions.
    pub links: Vec<Link>,
    /// Runs of plain text, as the parser gives them, outside code and HTML.
    pub text: Vec<TextLeaf>,
    /// List items.
    pub items: Vec<ListItem>,
    /// All top-level and nested blocks (paragraphs, headings, lists, fences, tables, quotes, HTML blocks) for `hintlint-ignore`.
    pub blocks: Vec<Span>,
    /// Raw HTML other than comments (block or inline), with its span.
    pub html: Vec<Span>,
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The whole heading, without the final line ending.
    pub span: Span,
    /// 1 to 6.
    pub level: u8,
    /// The text as a reader sees it, without markup and without a trailing `{#id}`.
    pub text: String,
    /// The id of a trailing `{#id}`.
    pub id: Option<String>,
}

/// A region of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The whole region, with its fences or backticks.
    pub span: Span,
    /// The code inside.
    pub content: Span,
    /// What kind of region it is.
    pub kind: CodeKind,
}

/// Kinds of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// `` `x` ``
    Span,
    /// A fence of backticks or tildes.
    Fence {
        /// The first word after the fence, such as `bash`.
        language: String,
        /// The opening run, such as ```` ``` ````.
        open: Span,
        /// Whether a closing fence ends it; a fence that the end of its container closes has none.
        closed: bool,
    },
    /// A block indented by four columns.
    Indented,
}

/// An HTML comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `<!--` to the end of `-->`.
    pub span: Span,
    /// What stands between.
    pub content: Span,
    /// Whether it begins a block of its own, rather than standing inside a line of text.
    pub block: bool,
}

/// A link, image, autolink or reference definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The whole link.
    pub span: Span,
    /// The destination as it resolves: entities and backslashes decoded, angle brackets removed, percent-encoding kept.
    pub destination: String,
    /// Where the destination stands in the source, inside angle brackets if any; for a reference link where its definition has it.
    pub destination_span: Span,
    /// What kind of link it is.
    pub kind: LinkKind,
}

/// Kinds of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// `[text](destination)`
    Inline,
    /// `![alt](destination)`
    Image,
    /// `[text][label]`, `[label][]`, `[label]`
    Reference,
    /// `<https://…>`
    Autolink,
    /// `[label]: destination`
    Definition,
}

/// A run of plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLeaf {
    /// Where it stands.
    pub span: Span,
}

/// A list item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListItem {
    /// The whole item, with its nested lists.
    pub span: Span,
    /// The marker: `-`, `*`, `+`, `1.`, `1)`.
    pub marker: Span,
    /// The item that holds this one, as an index into [`Markdown::items`].
    pub parent: Option<usize>,
    /// Nesting depth, 0 for a top-level list's items.
    pub depth: usize,
    /// Span of the item's own first line after the marker, without its nested lists.
    pub content: Span,
}

impl Markdown {
    /// The code region that holds `offset`, if any.
    pub fn code_at(&self, offset: usize) -> Option<&Code> {
        let index = self.code.partition_point(|code| code.span.start <= offset);
        self.code[..index].last().filter(|code| code.span.contains(offset))
    }

    /// Whether `offset` lies in code.
    pub fn in_code(&self, offset: usize) -> bool {
        self.code_at(offset).is_some()
    }

    /// Whether `offset` lies in an HTML comment.
    pub fn in_comment(&self, offset: usize) -> bool {
        let index = self.comments.partition_point(|comment| comment.span.start <= offset);
        self.comments[..index].last().is_some_and(|comment| comment.span.contains(offset))
    }

    /// The heading under which `offset` stands, as an index into [`Markdown::headings`].
    pub fn heading_of(&self, offset: usize) -> Option<usize> {
        self.headings.partition_point(|heading| heading.span.start <= offset).checked_sub(1)
    }
}

/// Read the Markdown of `text` from offset `body` on.
pub fn read(_text: &str, _body: usize) -> Markdown {
    Markdown::default()
}
