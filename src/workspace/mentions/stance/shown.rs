//! Whether a text names a path only to show how it is used.

use super::surroundings::{leads, line_start};
use super::words::{EXAMPLE_LEAD, GONE};
use super::{MAX_BYTES, folded, is_in_example};
use crate::base::text::Span;
use crate::parse::Document;

/// Whether the fence shows examples of commands, and what introduces it does not say that something is gone.
pub(in crate::workspace::mentions) fn shows_examples(document: &Document, fence: Span) -> bool {
    let start = document.text.floor_char_boundary(fence.start.saturating_sub(MAX_BYTES));
    let text = &document.text[start..fence.start];
    let leads: Vec<String> = leads(text, line_start(text, text.len())).into_iter().map(folded).collect();
    let is_gone = leads.iter().any(|lead| GONE.is_match(lead));
    let is_example = || is_in_example(document, fence.start) || shows_good_and_bad(document.slice(fence));
    !is_gone && (is_example() || leads.iter().any(|lead| EXAMPLE_LEAD.is_match(lead)))
}

/// Whether a fence shows what is right beside what is wrong.
fn shows_good_and_bad(fence: &str) -> bool {
    let has = |mark: char| fence.lines().any(|line| line.trim_start().starts_with(['#', '/']) && line.contains(mark));
    has('✅') && has('❌')
}
