//! Text as the safe fixes leave it. The same judges, the same edits; only the words are left out.

use std::borrow::Cow;

use super::context::Context;
use super::outline::places_of;
use super::place::Places;
use super::raw::HitFix;
use super::{ascii, scanner};
use crate::finding::{Applicability, Level};
use crate::text::Span;

/// `text` after all safe fixes, to the fixed point; Markdown is read again after each round, as `--fix` does.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    sanitize_with(text, places_of)
}

/// [`sanitize`] with other eyes for the places.
pub fn sanitize_with<'a>(text: &'a str, places_of: impl Fn(&str) -> Places) -> Cow<'a, str> {
    let mut clean: Cow<'a, str> = Cow::Borrowed(text);
    // Every edit takes a non-ASCII or control character away and brings none, so this ends.
    while ascii::next_odd(clean.as_bytes(), 0).is_some() {
        let places = places_of(&clean);
        let edits = safe_edits(&clean, &places);
        if edits.is_empty() {
            break;
        }
        clean = Cow::Owned(apply(&clean, &edits));
    }
    clean
}

fn safe_edits(text: &str, places: &Places) -> Vec<(Span, String)> {
    let hits = scanner::raw_hits(&Context::new(text, places));
    let mut edits: Vec<(Span, String)> = hits
        .into_iter()
        .filter(|hit| hit.level > Level::Info)
        .filter_map(|hit| hit.fix)
        .filter(|fix| fix.applicability == Applicability::Safe)
        .flat_map(|HitFix { edits, .. }| edits)
        .collect();
    edits.sort();
    edits
}

/// Apply sorted edits; one that overlaps an earlier one waits for the next round.
fn apply(text: &str, edits: &[(Span, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (span, replacement) in edits {
        if span.start < at {
            continue;
        }
        out.push_str(&text[at..span.start]);
        out.push_str(replacement);
        at = span.end;
    }
    out.push_str(&text[at..]);
    out
}
