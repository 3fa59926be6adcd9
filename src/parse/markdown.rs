//! The Markdown structure of a file as data: headings, code, comments, links, text leaves, list items, with exact byte spans.
//! The pass that fills it is `markdown/read.rs`.

pub mod bound;
mod html;
mod links;
mod read;

use crate::base::text::Span;

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
    /// Runs of plain text outside code, HTML, image descriptions and autolinks. A run ends at a line's end and wherever
    /// markup stands; a backslash escape does not end it.
    pub(crate) text: Vec<TextLeaf>,
    /// List items.
    pub(crate) items: Vec<ListItem>,
    /// All top-level and nested blocks (paragraphs, headings, lists and their items, fences, tables, quotes, HTML blocks, rules,
    /// reference definitions) for `hintlint-ignore`. Of two that begin together the longer comes first.
    pub blocks: Vec<Span>,
    /// Raw HTML other than comments (block or inline), with its span.
    pub html: Vec<Span>,
    /// The offset of the first line that was not read, and why.
    pub(crate) excess: Option<(usize, bound::TooMuch)>,
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
    pub(crate) kind: CodeKind,
}

/// Kinds of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CodeKind {
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
    /// Whether it begins a block of its own, rather than standing inside a line of text or inside other HTML.
    pub block: bool,
    /// Whether `-->` ends it; one that nothing ends reaches to the end of its container.
    pub closed: bool,
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
    pub(crate) kind: LinkKind,
}

/// Kinds of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkKind {
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
    /// `<a href="destination">`, `<img src="destination">`
    Html,
}

/// A run of plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextLeaf {
    /// Where it stands.
    pub span: Span,
}

/// A list item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListItem {
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
    pub(crate) fn code_at(&self, offset: usize) -> Option<&Code> {
        let index = self.code.partition_point(|code| code.span.start <= offset);
        self.code[..index].last().filter(|code| code.span.contains(offset))
    }

    /// The fence that holds `offset`, if any.
    pub(crate) fn fence_at(&self, offset: usize) -> Option<&Code> {
        self.code_at(offset).filter(|code| matches!(code.kind, CodeKind::Fence { .. }))
    }

    /// Whether `offset` lies in code.
    pub(crate) fn in_code(&self, offset: usize) -> bool {
        self.code_at(offset).is_some()
    }

    /// Whether `offset` lies in an HTML comment.
    pub(crate) fn in_comment(&self, offset: usize) -> bool {
        let index = self.comments.partition_point(|comment| comment.span.start <= offset);
        self.comments[..index].last().is_some_and(|comment| comment.span.contains(offset))
    }

    /// The heading under which `offset` stands, as an index into [`Markdown::headings`].
    pub(crate) fn heading_of(&self, offset: usize) -> Option<usize> {
        self.headings.partition_point(|heading| heading.span.start <= offset).checked_sub(1)
    }
}

/// Read the Markdown of `text` from offset `body` on.
pub fn read(text: &str, body: usize) -> Markdown {
    read::read(text, body)
}

pub(crate) use bound::excess;
pub(super) use bound::parser;
pub(super) use read::read_with_leaves;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_give_their_text_and_id() {
        let text = "\u{feff}# A *b* `c` {#x-y}\r\n\r\nSet\r\next\r\n===\r\n\r\n## 動的な指示 {#dyn}  \r\n### {a} #\r\n";
        let found: Vec<_> = read(text, 3)
            .headings
            .into_iter()
            .map(|h| (h.level, h.text, h.id, text[h.span.range()].to_owned()))
            .collect();
        let row = |level, text: &str, id: Option<&str>, source: &str| {
            (level, text.to_owned(), id.map(String::from), source.to_owned())
        };
        assert_eq!(
            found,
            [
                row(1, "A b c", Some("x-y"), "# A *b* `c` {#x-y}"),
                row(1, "Set ext", None, "Set\r\next\r\n==="),
                row(2, "動的な指示", Some("dyn"), "## 動的な指示 {#dyn}"),
                row(3, "{a}", None, "### {a} #"),
            ]
        );
    }

    /// Kind letter (`s`pan, `f`ence, open fence `F`, `i`ndented), whole region, content.
    fn code(text: &str) -> Vec<(char, &str, &str)> {
        let mark = |code: &Code| match &code.kind {
            CodeKind::Span => 's',
            CodeKind::Fence { closed: true, .. } => 'f',
            CodeKind::Fence { closed: false, .. } => 'F',
            CodeKind::Indented => 'i',
        };
        read(text, 0).code.iter().map(|c| (mark(c), &text[c.span.range()], &text[c.content.range()])).collect()
    }

    #[test]
    fn code_regions_have_exact_bounds() {
        assert_eq!(code("a ``b`c`` d\n"), [('s', "``b`c``", "b`c")]);
        assert_eq!(code("```sh\r\nx\r\n```\r\nt"), [('f', "```sh\r\nx\r\n```", "x\r\n")]);
        assert_eq!(code("t\n\n    x\n    y\n\nz"), [('i', "    x\n    y\n", "x\n    y\n")]);
        assert_eq!(code("- a\n\n      x\n"), [('i', "      x\n", "x\n")]);
        assert_eq!(code("```\n```\n"), [('f', "```\n```", "")]);
        assert_eq!(code("- ~~~\n  x\n  ~~~\n"), [('f', "~~~\n  x\n  ~~~", "x\n")]);
        assert_eq!(code("> ```\n> x\n> ```\n"), [('f', "```\n> x\n> ```", "x\n")]);
    }

    #[test]
    fn a_fence_that_nothing_closes_is_told() {
        for text in [
            "```\nx\n",
            "```",
            "````\n```\n",
            "> ```\n> x\n\ny\n",
            "- ```\n  x\n\ny\n",
            "```\n> ```\n",
            "~~~\n```\n",
            "```\n    ```\n",
        ] {
            let found = code(text);
            assert!(matches!(found[..], [('F', ..)]), "{text:?}: {found:?}");
        }
    }

    #[test]
    fn items_know_their_markers_parents_and_first_lines() {
        let text = "- a\n  1) b\n     more\n  2) - c\n* \n10. d\r\n";
        let found: Vec<_> = read(text, 0)
            .items
            .iter()
            .map(|i| (text[i.marker.range()].to_owned(), text[i.content.range()].to_owned(), i.parent, i.depth))
            .collect();
        let row = |marker: &str, content: &str, parent, depth| (marker.to_owned(), content.to_owned(), parent, depth);
        assert_eq!(
            found,
            [
                row("-", "a", None, 0),
                row("1)", "b", Some(0), 1),
                row("2)", "", Some(0), 1),
                row("-", "c", Some(2), 2),
                row("*", "", None, 0),
                row("10.", "d", None, 0),
            ]
        );
    }

    #[test]
    fn text_leaves_end_where_markup_stands() {
        let text = "a [b *c* `d` \\@e &amp;f ![g](h) [i](j) <k@l.m>\nn\n\n```\no\n```\n<!-- p -->\n";
        let found: Vec<_> = read(text, 0).text.iter().map(|leaf| text[leaf.span.range()].to_owned()).collect();
        assert_eq!(found, ["a [b ", "c", " ", " \\@e &amp;f ", " ", "i", " ", "n"]);
    }
}
