//! Letters that pass for ASCII letters: tokens that mix scripts, or are written wholly in another one. Knows tokens.

use super::class::Class;
use super::context::TextContext;
use super::raw::{HitFix, Raw};
use super::regions::RegionKinds;
use crate::base::characters::{Properties, is_ignorable, lookalike};
use crate::base::finding::{Applicability, Level};
use crate::base::text::Span;

/// A letter of a token.
#[derive(Clone, Copy)]
struct Letter {
    at: usize,
    c: char,
    properties: Properties,
}

/// Judge the token that holds the non-ASCII letter at `at`; where the token ends.
pub(super) fn judge(cx: &TextContext<'_>, at: usize, c: char, out: &mut Vec<Raw>) -> usize {
    let of_token = |c: char| {
        c.is_ascii_alphabetic()
            || (!c.is_ascii() && (Properties::of(c).any(Properties::LETTER.and(Properties::MARK)) || is_ignorable(c)))
    };
    let token = cx.stretch(Span::new(at, at + c.len_utf8()), of_token);
    let mut letters: Vec<Letter> = cx.text[token.range()]
        .char_indices()
        .map(|(offset, c)| Letter { at: token.start + offset, c, properties: Properties::of(c) })
        .filter(|letter| letter.properties.any(Properties::LETTER) && !letter.properties.any(Properties::IGNORABLE))
        .collect();
    // The letter of an escape such as `\n` belongs to no word.
    if cx.before(token.start) == Some('\\') && letters.first().is_some_and(|letter| letter.c.is_ascii()) {
        letters.remove(0);
    }
    if let Some(hit) = judge_letters(cx, &letters) {
        out.push(hit);
    }
    token.end
}

fn judge_letters(cx: &TextContext<'_>, letters: &[Letter]) -> Option<Raw> {
    let foreign: Vec<Letter> =
        letters.iter().copied().filter(|letter| letter.properties.any(Properties::LOOKALIKE_SCRIPT)).collect();
    let (first, last) = (letters.first()?, letters.last()?);
    let span = Span::new(first.at, last.at + last.c.len_utf8());
    if foreign.is_empty() {
        return fullwidth(cx, letters, span);
    }
    if !foreign.iter().all(|letter| looks_ascii(letter.c, letter.properties)) {
        return None;
    }
    let indices = letters.iter().filter(|letter| is_index(letter.c)).count();
    let latin = letters.iter().filter(|letter| letter.properties.any(Properties::LATIN) && !is_index(letter.c)).count();
    if latin + indices + foreign.len() < letters.len() {
        return None;
    }
    if latin == 0 {
        let cyrillic = foreign.iter().all(|letter| letter.properties.any(Properties::CYRILLIC));
        if !cyrillic || letters.len() < 3 || cx.file().ordinary_cyrillic {
            return None;
        }
    } else if cx.file().ordinary_cyrillic && (is_inflected_acronym(letters) || has_no_ascii(letters)) {
        return None;
    }
    let level = if cx.regions(span).any(RegionKinds::EXPOSED) { Level::Error } else { Level::Warning };
    let edits = foreign
        .iter()
        .filter_map(|letter| {
            let ascii = lookalike(letter.c)?;
            Some((Span::new(letter.at, letter.at + letter.c.len_utf8()), ascii.to_string()))
        })
        .collect();
    Some(Raw::new(Class::Homoglyph, span, level).flat().fix(HitFix { applicability: Applicability::Manual, edits }))
}

/// Whether `c` is a small letter below or above the line, as formulas have behind a letter of any script: `ιᵢ`.
fn is_index(c: char) -> bool {
    matches!(c, '\u{1D62}'..='\u{1D6A}' | '\u{2071}' | '\u{207F}' | '\u{2090}'..='\u{209C}')
}

/// Whether a reader takes `c` for an ASCII letter. Of Greek only the letters that do so in every typeface.
fn looks_ascii(c: char, properties: Properties) -> bool {
    if properties.any(Properties::GREEK) {
        return "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοιυ".contains(c);
    }
    lookalike(c).is_some()
}

/// A word like Chuvash "шăршă", typed with the Latin letter that looks like the Cyrillic one: nothing passes for ASCII.
fn has_no_ascii(letters: &[Letter]) -> bool {
    !letters.iter().any(|letter| letter.c.is_ascii())
}

/// A Latin acronym with a Cyrillic ending, as in `JSONом`.
fn is_inflected_acronym(letters: &[Letter]) -> bool {
    let capitals =
        letters.iter().take_while(|letter| letter.properties.all(Properties::LATIN.and(Properties::UPPERCASE))).count();
    let ending = &letters[capitals..];
    capitals >= 2
        && (1..=3).contains(&ending.len())
        && ending.iter().all(|letter| letter.properties.any(Properties::CYRILLIC))
}

/// A token of several fullwidth Latin letters where a name is expected, in a file without Chinese, Japanese or Korean.
fn fullwidth(cx: &TextContext<'_>, letters: &[Letter], span: Span) -> Option<Raw> {
    let wide = |c: char| matches!(c, '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}');
    if letters.len() < 2
        || !letters.iter().all(|letter| wide(letter.c))
        || !cx.regions(span).any(RegionKinds::EXPOSED)
        || cx.file().cjk
    {
        return None;
    }
    let edits = letters
        .iter()
        .filter_map(|letter| {
            let ascii = char::from_u32(u32::from(letter.c) - 0xFEE0)?;
            Some((Span::new(letter.at, letter.at + letter.c.len_utf8()), ascii.to_string()))
        })
        .collect();
    let fix = HitFix { applicability: Applicability::Manual, edits };
    Some(Raw::new(Class::Homoglyph, span, Level::Warning).flat().fix(fix).note("is written in fullwidth letters"))
}

/// A run of mathematical letters and digits.
pub(super) fn judge_mathematical(cx: &TextContext<'_>, at: usize, out: &mut Vec<Raw>) -> usize {
    let end = cx.text[at..]
        .char_indices()
        .find(|&(_, c)| !is_mathematical(c))
        .map_or(cx.text.len(), |(offset, _)| at + offset);
    let hit = Raw::new(Class::Homoglyph, Span::new(at, end), Level::Info).flat();
    out.push(hit.note("is written in mathematical letters, which search and screen readers miss"));
    end
}

/// Whether `c` is a mathematical alphanumeric symbol.
pub(super) fn is_mathematical(c: char) -> bool {
    matches!(c, '\u{1D400}'..='\u{1D7FF}')
}
