//! The line, list, table or drawing around a place: where it begins, and what it says of itself.

use super::shown;
use crate::base::text::Span;
use crate::parse::Document;

/// Whether the list around `span` links an address that is to be filled in: the list is part of a form.
pub(super) fn is_in_a_form(document: &Document, span: Span) -> bool {
    let around = block_around(document, span.start).map(|around| document.slice(around)).unwrap_or_default();
    ["]({", "](<{", "](${", "](["].iter().any(|blank| around.contains(blank))
}

/// Items or rows before one that are looked at to find where its list or table begins.
pub(super) const MAX_ITEMS: usize = 500;

/// Where the list, the table or the drawing around `offset` begins, as a name of it.
pub(super) fn list_of(document: &Document, offset: usize) -> Option<String> {
    let drawing = document.markdown.fence_at(offset).map(|code| code.content.start);
    let begin = drawing.or_else(|| list_around(document, offset)).or_else(|| table_around(document, offset, 0))?;
    Some(format!("{begin} {}", shown(&document.path)))
}

/// A long list or table is looked at in pieces of so many bytes: the one that holds a path, the one before and the one behind.
const PIECE: usize = 4000;

/// The list or the table around `offset`, as far as the next empty line, and of a long one what stands near: the same for all
/// paths of a piece.
pub(super) fn block_around(document: &Document, offset: usize) -> Option<Span> {
    let text = &document.text;
    let piece = offset / PIECE;
    let first = text.ceil_char_boundary(piece.saturating_sub(1) * PIECE);
    let begin = list_around(document, offset).or_else(|| table_around(document, offset, first))?.max(first);
    let rest = &text[offset..text.floor_char_boundary((piece + 2) * PIECE)];
    Some(Span::new(begin, offset + rest.find("\n\n").unwrap_or(rest.len())))
}

fn list_around(document: &Document, offset: usize) -> Option<usize> {
    let items = &document.markdown.items;
    let last = items.partition_point(|item| item.span.start <= offset).checked_sub(1)?;
    let mut begin: Option<usize> = None;
    for item in items[..=last].iter().rev().take(MAX_ITEMS).filter(|item| item.parent.is_none()) {
        let adjoins = match begin {
            None => item.span.contains(offset),
            Some(begin) => document.text.get(item.span.end..begin).is_none_or(|between| between.trim().is_empty()),
        };
        if !adjoins {
            break;
        }
        begin = Some(item.span.start);
    }
    begin
}

/// Where the table around `offset` begins, or its first row that ends behind `from`.
fn table_around(document: &Document, offset: usize, from: usize) -> Option<usize> {
    let at = document.lines.line_of(offset);
    let first = at.saturating_sub(MAX_ITEMS).max(document.lines.line_of(from));
    let rows = (first..=at).rev().map(|line| document.lines.line_span(line));
    let rows = rows.take_while(|line| document.slice(*line).trim_start().starts_with('|'));
    rows.last().map(|first| first.start)
}

/// The first line of the table around `offset`.
pub(super) fn table_head(document: &Document, offset: usize) -> Option<Span> {
    let first = table_around(document, offset, 0)?;
    Some(document.lines.line_span(document.lines.line_of(first)))
}

/// Whether the text gives the folder as one of two: "`a/` or `b/`".
pub(super) fn is_an_alternative(document: &Document, span: Span) -> bool {
    let before = document.text[..span.start].trim_end_matches(['`', '*', '(']);
    let after = document.text[span.end..].trim_start_matches(['/', '`', '*', ')']);
    [" or ", " oder ", " ou ", " o ", " lub ", " или ", " 또는 ", "或", "または"].iter().any(|or| {
        before.ends_with(or) && before[..before.len() - or.len()].ends_with(['`', ')']) || after.starts_with(or)
    })
}

/// Whether the line of `span` also names `path`, the new name: it tells of the renaming.
pub(super) fn line_names(document: &Document, span: Span, path: &[u8]) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let rest = [line.start..span.start, span.end..line.end];
    rest.into_iter().any(|rest| memchr::memmem::find(&document.text.as_bytes()[rest], path).is_some())
}
