//! The blocks of a text: paragraphs, lists, quotes, code, HTML. Link definitions are gathered on the way.

use super::super::mapped::Mapped;
use super::brackets::definition;
use super::chars::{byte_at, indent, line_end};
use super::{extents, html, list, quote};
use std::collections::BTreeSet;
use std::ops::Range;

/// One block.
pub(super) enum BlockNode {
    /// A paragraph or a heading.
    Inline {
        text: Mapped,
        is_paragraph: bool,
    },
    /// Text directly in a list item.
    Text(Mapped),
    Code {
        text: Mapped,
    },
    /// HTML, and where it stands in its frame.
    Html(Mapped, Range<usize>),
    List {
        raw: Mapped,
        items: Vec<Vec<BlockNode>>,
    },
    Quote(Quote),
    /// A thematic break or blank lines.
    Other,
}

/// A block quote.
#[derive(Default)]
pub(super) struct Quote {
    pub(super) raw: Mapped,
    pub(super) nodes: Vec<BlockNode>,
}

/// Quotes and lists nest no deeper.
const MAX_DEPTH: usize = 100;
/// How many bytes may be read for one of the text, with those that are read again inside containers.
const MAX_WORK: usize = 50;

/// What is known while a text is read.
pub(super) struct Blocks {
    /// Labels of definitions.
    pub(super) links: BTreeSet<String>,
    /// Whether text forms paragraphs here. It does not in a list item, up to the end of a list or quote in it.
    pub(super) top: bool,
    depth: usize,
    work: usize,
}

/// One block and how many bytes it has.
type SizedNode = (usize, BlockNode);

impl Blocks {
    pub(super) fn new(text: &str) -> Blocks {
        let work = text.len().saturating_mul(MAX_WORK).saturating_add(1 << 16);
        Blocks { links: BTreeSet::new(), top: true, depth: 0, work }
    }

    /// Read `frame` and add its blocks to `nodes`. `joins` says whether its first paragraph goes on with the last of these.
    pub(super) fn read(&mut self, frame: &Mapped, nodes: &mut Vec<BlockNode>, joins: bool) {
        self.deeper(frame.text.len(), |blocks| {
            BlockReader { blocks, frame, at: 0, reach: None, no_setext_before: 0, joins }.run(nodes);
        });
        self.top = true;
    }

    /// Have so many bytes read one level deeper; `None` if that is too deep, or too much was read.
    pub(super) fn deeper<T>(&mut self, bytes: usize, read: impl FnOnce(&mut Blocks) -> T) -> Option<T> {
        let enough = self.work >= bytes && self.depth < MAX_DEPTH;
        self.work = self.work.saturating_sub(bytes);
        if !enough {
            return None;
        }
        self.depth += 1;
        let out = read(self);
        self.depth -= 1;
        Some(out)
    }
}

struct BlockReader<'r> {
    blocks: &'r mut Blocks,
    frame: &'r Mapped,
    at: usize,
    /// Lines below which an underline may come.
    reach: Option<Vec<usize>>,
    /// Before this place no underlined heading begins.
    no_setext_before: usize,
    joins: bool,
}

impl BlockReader<'_> {
    fn run(&mut self, nodes: &mut Vec<BlockNode>) {
        while self.at < self.frame.text.len() {
            let rest = &self.frame.text[self.at..];
            let len = match self.definition(rest, nodes).or_else(|| self.space(rest, nodes)) {
                Some(len) => len,
                None => self.block(rest, nodes),
            };
            // A quote may count a line end more than it has.
            let first = rest.chars().next().map_or(1, char::len_utf8);
            self.at = (self.at + len.max(first)).min(self.frame.text.len());
        }
    }

    /// Blank lines. One line end alone leaves a paragraph open.
    fn space(&mut self, rest: &str, nodes: &mut Vec<BlockNode>) -> Option<usize> {
        let first = byte_at(rest, indent(rest, 0));
        if !matches!(first, None | Some(b'\n' | b' ' | b'\t')) {
            return None;
        }
        let len = extents::space(rest)?;
        if len > 1 || nodes.is_empty() {
            nodes.push(BlockNode::Other);
        }
        Some(len)
    }

    /// A link definition; behind a paragraph it is text of that.
    fn definition(&mut self, rest: &str, nodes: &mut [BlockNode]) -> Option<usize> {
        let (len, label) = definition(rest)?;
        match open_text(nodes) {
            Some(text) => {
                text.push_line_end();
                text.push(self.frame, self.at..self.at + len);
            }
            None => {
                self.blocks.links.insert(label);
            }
        }
        Some(len)
    }

    /// Add the block that `rest` begins with; its length.
    fn block(&mut self, rest: &str, nodes: &mut Vec<BlockNode>) -> usize {
        let first = byte_at(rest, indent(rest, 0));
        let found = match first {
            Some(b' ' | b'\t') => match self.code(rest, nodes) {
                Some(len) => return len,
                None => None,
            },
            Some(b'`' | b'~') => extents::fences(rest).map(|len| (len, BlockNode::Code { text: self.slice(0..len) })),
            Some(b'#') => extents::heading(rest).map(|(len, text)| (len, self.inline(text, false))),
            Some(b'_') => extents::rule(rest).map(|len| (len, BlockNode::Other)),
            Some(b'-' | b'*') => extents::rule(rest).map(|len| (len, BlockNode::Other)).or_else(|| self.list()),
            Some(b'+' | b'0'..=b'9') => self.list(),
            Some(b'>') => {
                quote::quote(self.blocks, self.frame, self.at).map(|(len, quote)| (len, BlockNode::Quote(quote)))
            }
            Some(b'<') => html::block(rest).map(|len| (len, self.html(len))),
            _ => None,
        };
        let (len, node) = found.or_else(|| self.setext(rest)).unwrap_or_else(|| self.text(rest));
        let is_paragraph = matches!(node, BlockNode::Inline { is_paragraph: true, .. });
        add(nodes, node, self.joins);
        self.joins &= !is_paragraph;
        len
    }

    /// Indented code; behind a paragraph it is text of that.
    fn code(&self, rest: &str, nodes: &mut Vec<BlockNode>) -> Option<usize> {
        let len = extents::code(rest)?;
        let mut code = Mapped::default();
        for line in extents::code_lines(&rest[..len]) {
            code.push(self.frame, self.at + line.start..self.at + line.end);
        }
        code.truncate(code.text.trim_end_matches('\n').len());
        match open_text(nodes) {
            Some(text) => {
                text.push_line_end();
                text.push_all(&code);
            }
            None => nodes.push(BlockNode::Code { text: code }),
        }
        Some(len)
    }

    fn slice(&self, range: Range<usize>) -> Mapped {
        self.frame.slice(self.at + range.start..self.at + range.end)
    }

    fn inline(&self, text: Range<usize>, is_paragraph: bool) -> BlockNode {
        BlockNode::Inline { text: self.slice(text), is_paragraph }
    }

    fn html(&self, len: usize) -> BlockNode {
        BlockNode::Html(self.slice(0..len), self.at..self.at + len)
    }

    fn list(&mut self) -> Option<SizedNode> {
        let (len, raw, items) = list::list(self.blocks, self.frame, self.at)?;
        Some((len, BlockNode::List { raw, items }))
    }

    /// A heading that is underlined.
    fn setext(&mut self, rest: &str) -> Option<SizedNode> {
        let at_line = self.at == 0 || byte_at(&self.frame.text, self.at - 1) == Some(b'\n');
        let reach = self.reach.get_or_insert_with(|| extents::in_reach(&self.frame.text));
        if self.at < self.no_setext_before || (at_line && reach.binary_search(&self.at).is_err()) {
            return None;
        }
        match extents::setext(rest) {
            Ok(len) => {
                let lines = rest[..len].trim_end_matches('\n');
                let text = lines.rfind('\n').unwrap_or(0);
                Some((len, self.inline(0..text, false)))
            }
            Err(seen) => {
                if !self.blocks.top {
                    self.no_setext_before = self.at + seen;
                }
                None
            }
        }
    }

    fn text(&self, rest: &str) -> SizedNode {
        if self.blocks.top {
            let len = extents::paragraph(rest, 0);
            (len, self.inline(0..len, true))
        } else {
            let len = line_end(rest, 0);
            (len, BlockNode::Text(self.slice(0..len)))
        }
    }
}

/// The text of the last block, if it is a paragraph or the like.
fn open_text(nodes: &mut [BlockNode]) -> Option<&mut Mapped> {
    match nodes.last_mut()? {
        BlockNode::Inline { text, is_paragraph: true } | BlockNode::Text(text) => Some(text),
        _ => None,
    }
}

/// Add a block, or what it adds to the last one.
fn add(nodes: &mut Vec<BlockNode>, node: BlockNode, joins: bool) {
    match (nodes.last_mut(), node) {
        (Some(BlockNode::Text(last)), BlockNode::Text(text)) => {
            last.push_line_end();
            last.push_all(&text);
        }
        (
            Some(BlockNode::Inline { text: last, is_paragraph: true }),
            BlockNode::Inline { text, is_paragraph: true },
        ) if joins => {
            last.push_line_end();
            last.push_all(&text);
        }
        (_, node) => nodes.push(node),
    }
}
