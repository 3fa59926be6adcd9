//! A reader of just as much Markdown as decides about imports and comments, as Claude Code's own lexer reads it (observed on
//! 2.1.330, checked 2026-11). It is no CommonMark: it has marked's blocks, without tables and strikethrough, and its oddities.
//! What a token is, it does not know.

mod blocks;
mod brackets;
mod chars;
mod emphasis;
mod extents;
mod html;
mod inline;
mod list;
mod quote;
#[cfg(test)]
mod tests;

use super::leaves::{Leaf, LeafKind};
use super::mapped::Mapped;
use crate::parse::markdown::bound::within;
use blocks::{BlockNode, Blocks};
use std::collections::BTreeSet;
use std::ops::Range;

/// The text leaves of `text` in the order in which the agent comes upon them. Paragraphs without an `@` are left out, which are
/// nearly all: nobody looks for anything else in leaves.
pub(super) fn leaves(text: &str) -> Vec<Leaf> {
    let text = within(text);
    let mut blocks = Blocks::new(text);
    let mut nodes = Vec::new();
    blocks.read(&Mapped::with_lf(text), &mut nodes, false);
    let mut out = Vec::new();
    walk(nodes, &blocks.links, &mut out);
    out
}

/// Recursion is bounded by the depth that is read.
fn walk(nodes: Vec<BlockNode>, links: &BTreeSet<String>, out: &mut Vec<Leaf>) {
    let holds_at = |text: &Mapped| memchr::memchr(b'@', text.text.as_bytes()).is_some();
    for node in nodes {
        match node {
            BlockNode::Inline { text, .. } | BlockNode::Text(text) if !holds_at(&text) => {}
            BlockNode::Inline { text, .. } => inline::leaves(&text, links, 0, out),
            BlockNode::Text(text) => {
                out.push(Leaf::new(LeafKind::ItemText, text.clone()));
                inline::leaves(&text, links, 0, out);
            }
            BlockNode::Code { text } => out.push(Leaf::new(LeafKind::Code, text)),
            BlockNode::Html(text, _) => out.push(Leaf::new(LeafKind::HtmlBlock, text)),
            BlockNode::List { items, .. } => items.into_iter().for_each(|item| walk(item, links, out)),
            BlockNode::Quote(quote) => walk(quote.nodes, links, out),
            BlockNode::Other => {}
        }
    }
}

/// Where HTML blocks stand in `text`, which has LF line ends, outside lists and quotes.
pub(super) fn html_blocks(text: &str) -> Vec<Range<usize>> {
    let text = within(text);
    let mut nodes = Vec::new();
    Blocks::new(text).read(&Mapped::whole(text), &mut nodes, false);
    nodes.into_iter().filter_map(|node| if let BlockNode::Html(_, range) = node { Some(range) } else { None }).collect()
}
