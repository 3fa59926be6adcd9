//! Whether the text around a character shows that it stands there on purpose: it is quoted, named by its code, or part of an anchor.
//! Finds no character itself.

use std::collections::BTreeSet;

use super::report::LOOKALIKE;
use crate::base::characters::lookalike;
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::parse::markdown::{CodeKind, LinkKind};
use crate::parse::unicode::UnicodeHit;
use crate::workspace::mentions::heading_anchors;

/// Whether the character is the first or the last of a range in the brackets of a pattern: `[a-\u{FFFF}]`.
pub(super) fn is_bound(document: &Document, hit: &UnicodeHit) -> bool {
    let line = document.lines.line_span(document.lines.line_of(hit.span.start));
    let before = document.text.get(line.start..hit.span.start);
    // Some of what is found spans lines.
    let Some((before, after)) = before.zip(document.text.get(hit.span.end..line.end)) else { return false };
    let is_inside = before.rfind('[').is_some_and(|at| !before[at..].contains(']')) && after.contains(']');
    is_inside && document.markdown.in_code(hit.span.start) && (before.ends_with('-') || after.starts_with('-'))
}

/// Whether the line gives the code of each letter that passes for another, so that it shows what it names.
pub(super) fn gives_its_codes(document: &Document, hit: &UnicodeHit) -> bool {
    let text = line_around(document, hit);
    let is_given = |c: char| {
        let code = format!("{:04x}", u32::from(c));
        ["u+", "\\u", "\\u{", "&#x"].iter().any(|sign| text.contains(&format!("{sign}{code}")))
    };
    document.slice(hit.span).chars().filter(|c| !c.is_ascii()).all(is_given)
}

/// Words for letters that pass for others, in small letters.
const SCRIPTS: [&str; 10] = [
    "confusable",
    "cyrillic",
    "homoglyph",
    "homograph",
    "look-alike",
    "lookalike",
    "non-ascii",
    "кирилл",
    "西里尔",
    "キリル",
];

/// Words for tricks with characters that nobody sees, in small letters.
const TRICKS: [&str; 4] = ["unicode", "zero-width", "zero width", "invisible"];

/// Whether the line says that its letters are others than they seem, without saying which ones.
pub(super) fn names_the_script(document: &Document, hit: &UnicodeHit) -> bool {
    let text = line_around(document, hit);
    SCRIPTS.iter().any(|word| text.contains(word))
}

/// Characters of one place that a line may show, at most: more may carry data.
const MAX_SHOWN: usize = 2;

/// Whether the line names the trick that it shows, at a place that nobody follows: a link, an import or the frontmatter takes effect
/// whatever the words beside it say.
pub(super) fn demonstrates(document: &Document, hit: &UnicodeHit) -> bool {
    let text = line_around(document, hit);
    let is_short = document.slice(hit.span).chars().filter(|c| !c.is_ascii()).count() <= MAX_SHOWN;
    let names = || SCRIPTS.iter().chain(&TRICKS).any(|word| text.contains(word));
    hit.decoded.is_none() && (is_short || hit.class.rule() == LOOKALIKE) && names() && !is_followed(document, hit)
}

/// Whether the character stands in the frontmatter, in a link's destination, or in a word that is a URL or an import.
fn is_followed(document: &Document, hit: &UnicodeHit) -> bool {
    let text = document.text.as_str();
    let end = text[hit.span.end..].find(char::is_whitespace).map_or(text.len(), |at| hit.span.end + at);
    let start = text[..hit.span.start].rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let word = text.get(start..end).unwrap_or_default();
    hit.span.start < document.body
        || word.contains("://")
        || word.starts_with('@')
        || document.markdown.links.iter().any(|link| link.destination_span.covers(hit.span))
}

/// Whether a word is written wholly in one script besides Latin, and what its letters look like is no word of this file: it is a
/// word of that script.
pub(super) fn is_word_of_its_script(document: &Document, hit: &UnicodeHit) -> bool {
    let word = document.slice(hit.span);
    let of_one = |ranges: &[(char, char)]| {
        word.chars().all(|c| ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)))
    };
    let reading: Option<String> = word.chars().map(lookalike).collect();
    let Some(reading) = reading.filter(|_| LOOKALIKE_SCRIPTS.iter().any(|(_, ranges)| of_one(ranges))) else {
        return false;
    };
    let mut words = document.text.split(|c: char| !c.is_alphanumeric());
    !words.any(|word| word.eq_ignore_ascii_case(&reading))
}

/// Whether the character stands before a fence inside of another, and keeps it from ending that.
pub(super) fn guards_a_fence(document: &Document, hit: &UnicodeHit) -> bool {
    let after = &document.text[hit.span.end..];
    let line = document.lines.line_span(document.lines.line_of(hit.span.start));
    let before = &document.text[line.start..hit.span.start];
    let inside = || document.markdown.in_code(hit.span.start);
    before.trim().is_empty() && (after.starts_with("```") || after.starts_with("~~~")) && inside()
}

/// Whether code or a text about the character holds nothing else between two quotation marks or brackets.
pub(super) fn stands_alone_in_quotes(document: &Document, hit: &UnicodeHit) -> bool {
    let before = document.text[..hit.span.start].chars().next_back();
    let after = document.text[hit.span.end..].chars().next();
    let pairs = [('"', '"'), ('\'', '\''), ('`', '`'), ('[', ']'), ('/', '/'), ('(', ')')];
    pairs.iter().any(|&(open, close)| before == Some(open) && after == Some(close))
}

/// Characters of a set in brackets, at most: more may carry data.
const MAX_SET: usize = 24;

/// Whether code lists the character with others or ranges of such between brackets: a pattern that finds them, `[\u{200b}-\u{200f}]`, or
/// `"[\u{200b}\u{feff}]"`, each of them once.
pub(super) fn is_of_a_pattern(document: &Document, hit: &UnicodeHit) -> bool {
    let line = document.lines.line_span(document.lines.line_of(hit.span.start));
    let before = document.text.get(line.start..hit.span.start).and_then(|before| before.rsplit_once('['));
    let after = document.text.get(hit.span.end..line.end).and_then(|after| after.split_once(']'));
    let (Some((head, before)), Some((after, _))) = (before, after) else { return false };
    let set = || before.chars().chain(document.slice(hit.span).chars()).chain(after.chars());
    let opens = || head.ends_with(['"', '\'', '/', '^', '|']);
    let each_once = || set().collect::<BTreeSet<char>>().len() == set().count();
    hit.decoded.is_none()
        && document.markdown.in_code(hit.span.start)
        && set().count() <= MAX_SET
        && (set().any(|c| c == '-') || opens() && each_once())
        && set().all(|c| c == '-' || !c.is_ascii())
}

/// Whether the character is the selector that stays in a code span of the name of what the emoji of the same line heads.
pub(super) fn is_left_of_an_emoji(document: &Document, hit: &UnicodeHit) -> bool {
    let code = document.markdown.code_at(hit.span.start).filter(|code| code.kind == CodeKind::Span);
    let Some(code) = code.filter(|_| document.slice(hit.span) == SELECTOR) else { return false };
    let line = document.lines.line_span(document.lines.line_of(hit.span.start));
    let before = document.text.get(line.start..code.span.start).unwrap_or_default();
    let is_emoji = |at: usize| before[..at].ends_with(|c: char| c >= '\u{2190}' && !c.is_alphanumeric());
    document.slice(code.content).matches(SELECTOR).count() == 1
        && before.match_indices(SELECTOR).any(|(at, _)| is_emoji(at))
}

/// Whether the character is the selector with which an anchor begins: it stays of a heading's emoji, of which GitHub makes nothing.
pub(super) fn begins_an_anchor(document: &Document, hit: &UnicodeHit) -> bool {
    let (before, after) = (&document.text[..hit.span.start], &document.text[hit.span.end..]);
    let begins = ["](#", "href=\"#", "href='#", "id=\"", "id='", "name=\"", "name='"];
    document.slice(hit.span) == SELECTOR && after.starts_with('-') && begins.iter().any(|begin| before.ends_with(begin))
}

/// Whether all that the hit has of selectors is the one behind emoji, in what others wrote and is only kept here.
pub(super) fn is_of_an_emoji_elsewhere(document: &Document, hit: &UnicodeHit) -> bool {
    let is_other = |c: char| matches!(c, '\u{FE00}'..='\u{FE0E}' | '\u{E0100}'..='\u{E01EF}' | '\u{180B}'..='\u{180F}');
    discover::is_vendored(document.path.as_bytes()) && !document.slice(hit.span).contains(is_other)
}

/// The selector that makes a character an emoji.
const SELECTOR: &str = "\u{fe0f}";

/// Words for hidden characters, in small letters.
const NAMES: [&str; 18] = [
    "bom",
    "byte order mark",
    "no-break",
    "nbsp",
    "non breaking",
    "non-breaking",
    "nonbreaking",
    "replacement character",
    "shy",
    "soft hyphen",
    "variation selector",
    "vs15",
    "vs16",
    "zero width",
    "zero-width",
    "zwj",
    "zwnj",
    "zwsp",
];

/// Whether the line names the character, by its code or in words: it is about it.
pub(super) fn is_named(document: &Document, hit: &UnicodeHit) -> bool {
    let text = line_around(document, hit);
    let code = hit.message.split(' ').next().and_then(|code| code.strip_prefix("U+")).map(str::to_lowercase);
    let is_word = |at: usize, len: usize| {
        let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let rest = &text.as_bytes()[at + len..];
        !letter(text.as_bytes()[..at].last()) && !letter(rest.strip_prefix(b"s").unwrap_or(rest).first())
    };
    code.is_some_and(|code| text.contains(&format!("u+{code}")) || text.contains(&format!("\\u{code}")))
        || NAMES.iter().any(|name| text.match_indices(name).any(|(at, name)| is_word(at, name.len())))
}

/// The line of the character, or what of it is near, in small letters.
fn line_around(document: &Document, hit: &UnicodeHit) -> String {
    let line = document.lines.line_span(document.lines.line_of(hit.span.start));
    let start = document.text.floor_char_boundary(line.start.max(hit.span.start.saturating_sub(MAX_LINE)));
    let end = document.text.floor_char_boundary(line.end.min(hit.span.end + MAX_LINE));
    document.text[start..end].to_lowercase()
}

/// Bytes of a line before and behind a character that are searched for its name.
const MAX_LINE: usize = 1000;

/// Whether the line gives the code point or the Unicode name of the one character found, which stands alone: no other hidden
/// character is in the line.
pub(super) fn is_documented(document: &Document, hit: &UnicodeHit) -> bool {
    let mut chars = document.slice(hit.span).chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return false };
    let line = document.lines.line_span(document.lines.line_of(hit.span.start));
    let from = document.hidden.partition_point(|other| other.span.start < line.start);
    let is_alone = document.hidden[from..].iter().take_while(|other| other.span.start < line.end).count() == 1;
    hit.decoded.is_none() && is_alone && names_exactly(&line_around(document, hit), c)
}

/// Whether the text around a character gives its code point or its name, and it is the only one of its rule in the file: one alone
/// carries nothing.
pub(super) fn is_only_and_explained(document: &Document, hit: &UnicodeHit) -> bool {
    let mut chars = document.slice(hit.span).chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return false };
    let of_rule = document.hidden.iter().filter(|other| other.class.rule() == hit.class.rule()).take(2).count();
    let start = document.text.floor_char_boundary(hit.span.start.saturating_sub(NEAR));
    let end = document.text.floor_char_boundary(hit.span.end + NEAR);
    hit.decoded.is_none() && of_rule == 1 && names_exactly(&document.text[start..end].to_lowercase(), c)
}

/// Bytes before and behind a character that are searched for its exact name.
const NEAR: usize = 400;

/// Unicode names of invisible characters, in small letters.
const UNICODE_NAMES: [(char, &str); 9] = [
    ('\u{AD}', "soft hyphen"),
    ('\u{34F}', "combining grapheme joiner"),
    ('\u{200B}', "zero width space"),
    ('\u{200C}', "zero width non-joiner"),
    ('\u{200D}', "zero width joiner"),
    ('\u{2060}', "word joiner"),
    ('\u{2063}', "invisible separator"),
    ('\u{3164}', "hangul filler"),
    ('\u{FEFF}', "zero width no-break space"),
];

/// Whether `text`, in small letters, gives the code or the name of `c`.
fn names_exactly(text: &str, c: char) -> bool {
    let (hex, decimal) = (format!("{:04x}", u32::from(c)), u32::from(c).to_string());
    let codes = [("u+", &hex), ("\\u", &hex), ("\\u{", &hex), ("&#x", &hex), ("0x", &hex), ("&#", &decimal)];
    let ends = |at: usize| !text.as_bytes().get(at).is_some_and(u8::is_ascii_hexdigit);
    let is_coded = codes.iter().any(|(sign, code)| {
        let written = format!("{sign}{code}");
        text.match_indices(&written).any(|(at, found)| ends(at + found.len()))
    });
    let dashed = text.replace('-', " ");
    is_coded || UNICODE_NAMES.iter().any(|(named, name)| *named == c && dashed.contains(&name.replace('-', " ")))
}

/// Scripts whose letters pass for others: their names in small letters, and their letters.
const LOOKALIKE_SCRIPTS: [(&str, &[(char, char)]); 4] = [
    ("greek", &[('\u{370}', '\u{3FF}'), ('\u{1F00}', '\u{1FFF}')]),
    ("cyrillic", &[('\u{400}', '\u{52F}')]),
    ("armenian", &[('\u{530}', '\u{58F}')]),
    ("cherokee", &[('\u{13A0}', '\u{13FF}'), ('\u{AB70}', '\u{ABBF}')]),
];

/// Whether the line shows each letter that passes for another alone in quotes, and names its script.
pub(super) fn shows_its_letters(document: &Document, hit: &UnicodeHit) -> bool {
    let text = line_around(document, hit);
    let is_shown = |c: char| {
        let lower: String = c.to_lowercase().collect();
        let pairs = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('(', ')')];
        let is_named = LOOKALIKE_SCRIPTS.iter().any(|(name, ranges)| {
            text.contains(name) && ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
        });
        is_named && pairs.iter().any(|(open, close)| text.contains(&format!("{open}{lower}{close}")))
    };
    let mut foreign = document.slice(hit.span).chars().filter(|c| !c.is_ascii()).peekable();
    foreign.peek().is_some() && foreign.all(is_shown)
}

/// Whether the letters stand in a code span, beside which the line names their script: `pаypal` with Cyrillic letters.
pub(super) fn is_sample_of_its_script(document: &Document, hit: &UnicodeHit) -> bool {
    let text = line_around(document, hit);
    let is_named = |c: char| {
        let holds = |(first, last): &(char, char)| (*first..=*last).contains(&c);
        LOOKALIKE_SCRIPTS.iter().any(|(name, ranges)| text.contains(name) && ranges.iter().any(holds))
    };
    let mut foreign = document.slice(hit.span).chars().filter(|c| !c.is_ascii()).peekable();
    let is_in_span = document.markdown.code_at(hit.span.start).is_some_and(|code| code.kind == CodeKind::Span);
    is_in_span && foreign.peek().is_some() && foreign.all(is_named)
}

/// The destinations of links to headings of the same file, as far as they hold selectors that the heading has: GitHub takes an emoji
/// out of a heading's anchor and leaves the selector behind it. Sorted by place.
pub(super) fn anchors_with_selectors(document: &Document) -> Vec<Span> {
    let links = document.markdown.links.iter().filter(|link| {
        link.kind != LinkKind::Reference && link.destination.starts_with('#') && link.destination.contains('\u{FE0F}')
    });
    let links: Vec<_> = links.collect();
    if links.is_empty() {
        return Vec::new();
    }
    let anchors = heading_anchors(&document.markdown);
    let anchors: BTreeSet<&str> = anchors.iter().map(|(_, anchor)| anchor.as_str()).collect();
    let leads = |destination: &str| anchors.contains(destination.trim_start_matches('#').to_lowercase().as_str());
    let mut spans: Vec<Span> =
        links.into_iter().filter(|link| leads(&link.destination)).map(|link| link.destination_span).collect();
    spans.sort_unstable();
    spans
}

/// Whether one of `spans`, which are sorted by place, covers `span`.
pub(super) fn is_covered(spans: &[Span], span: Span) -> bool {
    let before = spans.partition_point(|other| other.start <= span.start);
    before.checked_sub(1).is_some_and(|at| spans[at].covers(span))
}
