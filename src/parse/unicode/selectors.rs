//! U+FE0E and U+FE0F on one base, over the whole file: one alone is normal, many of both spell bits.

use std::collections::BTreeMap;

use super::class::Class;
use super::context::TextContext;
use super::emoji;
use super::raw::{HitFix, Raw};
use crate::base::finding::{Applicability, Level};
use crate::base::text::Span;

/// So many of both on one base are no typography.
const BOTH: usize = 8;

/// Add a hit for each base that both selectors follow often. Runs of selectors are judged elsewhere.
pub(super) fn judge_pairs(cx: &TextContext<'_>, out: &mut Vec<Raw>) {
    if ["\u{FE0E}", "\u{FE0F}"].iter().any(|one| memchr::memmem::find(cx.text.as_bytes(), one.as_bytes()).is_none()) {
        return;
    }
    let mut bases: BTreeMap<char, [Vec<Span>; 2]> = BTreeMap::new();
    let mut before = None;
    let mut chars = cx.text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let base = before.replace(c);
        let alone = !chars.peek().is_some_and(|&(_, next)| emoji::is_selector(next));
        if let (Some(base), true, '\u{FE0E}' | '\u{FE0F}') = (base, alone, c)
            && emoji::is_emoji(base)
        {
            let kind = usize::from(c == '\u{FE0F}');
            bases.entry(base).or_default()[kind].push(Span::new(at, at + c.len_utf8()));
        }
    }
    for (base, [text, emoji]) in bases {
        if text.len() < BOTH || emoji.len() < BOTH {
            continue;
        }
        let note = format!(
            "and U+FE0F alternate on U+{:04X}: {} and {} times in this file, as bits would",
            u32::from(base),
            text.len(),
            emoji.len()
        );
        // The form that most agents and terminals show anyway.
        let edits = text.iter().map(|&span| (span, "\u{FE0F}".to_owned())).collect();
        let fix = HitFix { applicability: Applicability::Unsafe, edits };
        out.push(Raw::new(Class::VsSmuggling, text[0], Level::Warning).flat().fix(fix).note(note));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Class, scan_markdown};
    use crate::base::finding::Level;

    #[test]
    fn both_selectors_on_one_base_are_bits() {
        let turns = |count: usize| "☺\u{FE0E} ☺\u{FE0F}\n".repeat(count);
        let hits = scan_markdown(turns(8).as_bytes());
        assert_eq!(
            hits.iter().map(|hit| (hit.class, hit.level)).collect::<Vec<_>>(),
            [(Class::VsSmuggling, Level::Warning)]
        );
        assert!(hits[0].message.contains("8 and 8 times"), "{}", hits[0].message);
        for text in [turns(7), "☺\u{FE0F}".repeat(400), format!("{}{}", "☺\u{FE0F} ".repeat(9), "☎\u{FE0E} ".repeat(9))]
        {
            assert_eq!(scan_markdown(text.as_bytes()), [], "{text:?}");
        }
    }
}
