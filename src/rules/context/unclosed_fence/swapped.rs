//! A fence that everybody reads as the end of a block, and that begins one: a block before it showed a fence as long as its own and
//! ended there. Knows only parsed documents.

use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};

/// A fence that begins a block where it looks like the end of one.
pub(super) struct Swapped {
    /// Where it stands.
    pub(super) open: Span,
    /// The fence of the block before it, which ended too early.
    pub(super) before: Span,
}

/// The first such fence of `document`.
pub(super) fn swapped(document: &Document) -> Option<Swapped> {
    let fences = document.markdown.code.iter().filter_map(|code| match &code.kind {
        CodeKind::Fence { open, language, closed: true } => Some((code, *open, language.is_empty())),
        _ => None,
    });
    let fences: Vec<(&Code, Span, bool)> = fences.collect();
    let end = document.text.trim_end().len();
    let looks_swapped = |(code, open, is_bare): &(&Code, Span, bool)| {
        *is_bare && looks_like_an_end(document, code, *open, code.span.end >= end)
    };
    let at = fences.iter().position(looks_swapped)?;
    let (_, before, _) = fences.get(at.checked_sub(1)?)?;
    Some(Swapped { open: fences[at].1, before: *before })
}

/// Whether code stands right before the fence and text, set apart by a blank line and with headings of its own, behind it. A block that is
/// padded with blank lines has them on both sides; the one that `ends_the_file` has no text behind it.
fn looks_like_an_end(document: &Document, code: &Code, open: Span, ends_the_file: bool) -> bool {
    let content = document.slice(code.content);
    let mut lines = content.lines();
    let is_set_apart = lines.next().is_some_and(|line| line.trim().is_empty());
    let above = document.text[..open.start].trim_end_matches([' ', '\t']).strip_suffix('\n');
    let is_closed_up = above.and_then(|text| text.rsplit('\n').next()).is_some_and(|line| !line.trim().is_empty());
    let is_padded = content.lines().next_back().is_some_and(|line| line.trim().is_empty());
    is_set_apart && (is_closed_up || ends_the_file && !is_padded) && lines.any(is_heading)
}

/// Whether a line is a heading of the second order or below: a remark of code has one mark.
pub(super) fn is_heading(line: &str) -> bool {
    let marks = line.len() - line.trim_start_matches('#').len();
    (2..=6).contains(&marks) && line[marks..].starts_with(' ')
}
