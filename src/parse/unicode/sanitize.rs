//! Text as the safe fixes leave it. The same judges, the same edits; only the words are left out. What keeps an import or
//! a fence from being one goes too: the result replaces no file, and nothing may hide in it.

use std::borrow::Cow;

use super::class::Class;
use super::context::Context;
use super::outline::places_of;
use super::place::Places;
use super::raw::HitFix;
use super::{ascii, scanner};
use crate::finding::{Applicability, Level};
use crate::text::Span;

/// `text` after all safe fixes, and those that only an import or code keeps from being safe, to the fixed point; Markdown is read again after each round, as `--fix` does.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    sanitize_except(text, |_, _, _| false)
}

/// [`sanitize`], but what `wanted` accepts stays: it is asked for each hit by class, text and place.
pub fn sanitize_except(text: &str, wanted: impl Fn(Class, &str, Span) -> bool) -> Cow<'_, str> {
    let mut clean: Cow<'_, str> = Cow::Borrowed(text);
    // Every edit takes a non-ASCII or control character away and brings none, so this ends.
    while ascii::next_odd(clean.as_bytes(), 0).is_some() {
        let places = places_of(&clean);
        let edits = safe_edits(&clean, &places, &wanted);
        if edits.is_empty() {
            break;
        }
        clean = Cow::Owned(apply(&clean, &edits));
    }
    clean
}

fn safe_edits(text: &str, places: &Places, wanted: &dyn Fn(Class, &str, Span) -> bool) -> Vec<(Span, String)> {
    let hits = scanner::raw_hits(&Context::new(text, places));
    let mut edits: Vec<(Span, String)> = hits
        .into_iter()
        .filter(|hit| hit.level > Level::Info && !wanted(hit.class, text, hit.span))
        .filter_map(|hit| Some((hit.fix?, hit.holds)))
        .filter(|(fix, holds)| fix.applicability == Applicability::Safe || holds.is_some())
        .flat_map(|(HitFix { edits, .. }, _)| edits)
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
