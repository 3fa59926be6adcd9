//! Bidirectional controls: which pairs close on their line, and which of them right-to-left text needs.

use super::class::Class;
use super::place::{Place, PlaceSet};
use super::raw::{HitFix, Raw};
use super::run::{Run, Verdict};
use crate::finding::{Applicability, Level};
use crate::text::Span;

const HOSTILE: PlaceSet = PlaceSet::of(&[
    Place::Code,
    Place::Url,
    Place::Path,
    Place::Import,
    Place::Command,
    Place::Frontmatter,
    Place::FrontmatterKey,
]);

/// How the embedding controls of one line pair up.
pub(super) struct BidiLine {
    line: Span,
    /// Offset of each control, whether it has its partner on the line, and whether it opens or closes an override.
    controls: Vec<(usize, bool, bool)>,
}

impl BidiLine {
    fn of(text: &str, line: Span) -> BidiLine {
        let mut controls: Vec<(usize, bool, bool)> = Vec::new();
        // Indexes into `controls` of what is open, with whether it is an isolate.
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut open_isolates = 0_usize;
        for (offset, c) in text[line.range()].char_indices() {
            let index = controls.len();
            let overrides = matches!(c, '\u{202D}' | '\u{202E}');
            match c {
                '\u{202A}' | '\u{202B}' | '\u{202D}' | '\u{202E}' => open.push((index, false)),
                '\u{2066}'..='\u{2068}' => {
                    open.push((index, true));
                    open_isolates += 1;
                }
                '\u{202C}' | '\u{2069}' => {
                    let isolate = c == '\u{2069}';
                    // A PDI closes everything up to its isolate; a PDF only the embedding on top.
                    let partner = match (open.last(), isolate) {
                        (Some(&(_, false)), false) => Some(open.len() - 1),
                        // Searched only where it is there to be found, so each opener is passed over once.
                        (_, true) if open_isolates > 0 => open.iter().rposition(|&(_, isolate)| isolate),
                        _ => None,
                    };
                    let closed = partner.map(|at| open[at].0);
                    if let Some(at) = partner {
                        open.truncate(at);
                        open_isolates -= usize::from(isolate);
                    }
                    let overrides = closed.is_some_and(|at| controls[at].2);
                    if let Some(at) = closed {
                        controls[at].1 = true;
                    }
                    controls.push((line.start + offset, closed.is_some(), overrides));
                    continue;
                }
                _ => continue,
            }
            controls.push((line.start + offset, false, overrides));
        }
        BidiLine { line, controls }
    }

    fn find(&self, at: usize) -> (bool, bool) {
        match self.controls.binary_search_by_key(&at, |&(offset, ..)| offset) {
            Ok(index) => (self.controls[index].1, self.controls[index].2),
            Err(_) => (false, false),
        }
    }
}

/// Whether the class is one of those that [`judge_embedding`] gives.
pub(super) fn is_embedding(class: Class) -> bool {
    matches!(class, Class::BidiOverride | Class::BidiIsolate)
}

/// An embedding, override, isolate or its end at `at`.
pub(super) fn judge_embedding(run: &Run<'_>, at: usize, cache: &mut Option<BidiLine>) -> Verdict {
    let line = run.cx.line(at);
    let known = match cache {
        Some(known) if known.line == line.span => known,
        _ => cache.insert(BidiLine::of(run.cx.text, line.span)),
    };
    let (paired, overrides) = known.find(at);
    let class = match run.cx.after(at) {
        Some('\u{2066}'..='\u{2069}') => Class::BidiIsolate,
        _ => Class::BidiOverride,
    };
    let hostile = run.places.any(HOSTILE);
    if overrides || hostile {
        return Verdict::Bad(class, Level::Error, false);
    }
    match (line.right_to_left(), paired) {
        (true, true) => Verdict::Fine,
        (true, false) => Verdict::Bad(class, Level::Warning, false),
        (false, true) => Verdict::Bad(class, Level::Error, false),
        // Left open on a line of its own in a right-to-left file: sloppy, seen in translations, and harmless.
        (false, false) if run.cx.file().right_to_left => Verdict::Bad(class, Level::Warning, false),
        (false, false) => Verdict::Bad(class, Level::Error, false),
    }
}

/// The hit for a stretch of embedding controls that share a verdict.
pub(super) fn embedding_hit(run: &Run<'_>, span: Span, verdict: &Verdict) -> Raw {
    let (class, level) = match verdict {
        Verdict::Bad(class, level, _) => (*class, *level),
        _ => (Class::BidiOverride, Level::Error),
    };
    let hit = Raw::new(class, span, level);
    let line = run.cx.line(span.start);
    if !line.right_to_left() {
        return hit.removable(Applicability::Unsafe);
    }
    // The end of the line, before a CR.
    let end = line.span.end - usize::from(run.cx.text[line.span.range()].ends_with('\r'));
    match run.cx.after(span.start) {
        Some('\u{2066}'..='\u{2068}') if level == Level::Warning => hit
            .fix(HitFix::replace(Applicability::Manual, Span::empty(end), "\u{2069}"))
            .note("is never closed on its line"),
        Some('\u{202A}' | '\u{202B}') if level == Level::Warning => hit
            .fix(HitFix::replace(Applicability::Manual, Span::empty(end), "\u{202C}"))
            .note("is never closed on its line"),
        _ => hit.removable(Applicability::Manual),
    }
}

/// LRM, RLM, ALM.
pub(super) fn judge_mark(run: &Run<'_>) -> Verdict {
    let right_to_left = run.cx.line(run.span.start).right_to_left();
    if right_to_left && run.is_plain() && !run.in_token && !run.in_code() {
        return Verdict::Fine;
    }
    Verdict::Bad(Class::BidiMark, if run.in_token { Level::Error } else { Level::Warning }, !right_to_left)
}
