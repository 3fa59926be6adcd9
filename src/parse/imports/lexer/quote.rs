//! Block quotes, read chunk by chunk: a chunk ends where lines without `>` begin, which may go on with a paragraph, a list or a
//! quote inside.

use super::super::mapped::Mapped;
use super::blocks::{BlockNode, Blocks, Quote};
use super::chars::{byte_at, ends_line, indent, line_end};
use super::extents;
use super::list;
use crate::base::text::utf16_offset;

/// The quote at `from` and its length.
pub(super) fn quote(blocks: &mut Blocks, frame: &Mapped, from: usize) -> Option<(usize, Quote)> {
    let len = extents::quote(&frame.text[from..])?;
    let len = frame.text[from..from + len].trim_end_matches('\n').len();
    let mut rest = Some(frame.slice(from..from + len));
    let mut quote = Quote::default();
    while let Some(lines) = rest {
        let (inner, behind) = chunk(&mut quote.raw, &lines);
        let top = std::mem::replace(&mut blocks.top, true);
        blocks.read(&inner, &mut quote.nodes, true);
        blocks.top = top;
        rest = behind.and_then(|behind| go_on(blocks, &mut quote, behind));
    }
    // The agent counts what it has put together, which need not be what stands here.
    let units = quote.raw.text.encode_utf16().count();
    Some((utf16_offset(&frame.text[from..], units), quote))
}

/// The lines of the next chunk without their marks, and the lines behind it.
fn chunk(raw: &mut Mapped, lines: &Mapped) -> (Mapped, Option<Mapped>) {
    let text = &lines.text;
    let mut inner = Mapped::default();
    let mut marked = false;
    let mut at = 0;
    let mut end = None;
    loop {
        let line = line_end(text, at);
        let has_mark = byte_at(text, indent(text, at)) == Some(b'>');
        if marked && !has_mark {
            break;
        }
        marked = has_mark;
        if end.is_some() {
            inner.push_line_end();
        }
        if end.is_some() && extents::underline(&text[at..line], 0).is_some() {
            let bare = indent(text, at);
            inner.push_str("    ", lines.source(at));
            inner.push(lines, bare..line);
        } else {
            without_marks(&mut inner, lines, at, line);
        }
        end = Some(line);
        at = line + 1;
        if line >= text.len() {
            break;
        }
    }
    let end = end.unwrap_or(0);
    if !raw.text.is_empty() {
        raw.push_line_end();
    }
    raw.push(lines, 0..end);
    let behind = (end < text.len()).then(|| lines.slice(end + 1..text.len()));
    (inner, behind)
}

/// Append the line at `from..to` without the `>` before it.
fn without_marks(inner: &mut Mapped, lines: &Mapped, from: usize, to: usize) {
    let text = &lines.text;
    let mut at = from;
    while at < to {
        let open = indent(text, at);
        let mut start = at;
        if byte_at(text, open) == Some(b'>') {
            start = open + 1 + usize::from(matches!(byte_at(text, open + 1), Some(b'\t' | b' ')));
        }
        let start = start.min(to);
        let end =
            text[start..to].char_indices().find(|&(_, c)| ends_line(c)).map_or(to, |(i, c)| start + i + c.len_utf8());
        inner.push(lines, start..end);
        at = end.max(at + 1);
    }
}

/// The part of `lines` that continues the quote, after a list or quote at its end has taken its lines.
fn go_on(blocks: &mut Blocks, quote: &mut Quote, lines: Mapped) -> Option<Mapped> {
    let raw = match quote.nodes.last() {
        Some(BlockNode::List { raw, .. }) => raw,
        Some(BlockNode::Quote(inner)) => &inner.raw,
        Some(BlockNode::Code { .. }) => return None,
        _ => return Some(lines),
    };
    let units = raw.text.encode_utf16().count();
    let is_list = matches!(quote.nodes.last(), Some(BlockNode::List { .. }));
    let mut all = raw.clone();
    all.push_line_end();
    all.push_all(&lines);
    let (node, len, new) = if is_list {
        let (len, raw, items) = blocks.deeper(all.text.len(), |blocks| list::list(blocks, &all, 0))??;
        (BlockNode::List { raw: raw.clone(), items }, len, raw)
    } else {
        let (len, inner) = blocks.deeper(all.text.len(), |blocks| self::quote(blocks, &all, 0))??;
        let raw = inner.raw.clone();
        (BlockNode::Quote(inner), len, raw)
    };
    *quote.nodes.last_mut()? = node;
    let kept = quote.raw.text.encode_utf16().count().saturating_sub(units);
    quote.raw.truncate(utf16_offset(&quote.raw.text, kept));
    quote.raw.push_all(&new);
    is_list.then(|| all.slice(len..all.text.len()))
}
