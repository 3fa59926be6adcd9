//! Text that was decoded with the wrong encoding and saved again: UTF-8 read as Windows-1252 or Latin-1 (`â€™` for an apostrophe),
//! and UTF-16 cut to its lower bytes. Finds the places; judges no character.

use crate::base::finding::{Cause, Finding, Level};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::Document;

/// Places of one file from which on it is no chance.
const MIN_PLACES: usize = 3;

/// What Windows-1252 has in the place of the controls from U+0080 to U+009F, with the byte.
const WINDOWS: [(char, u8); 27] = [
    ('\u{20AC}', 0x80),
    ('\u{201A}', 0x82),
    ('\u{192}', 0x83),
    ('\u{201E}', 0x84),
    ('\u{2026}', 0x85),
    ('\u{2020}', 0x86),
    ('\u{2021}', 0x87),
    ('\u{2C6}', 0x88),
    ('\u{2030}', 0x89),
    ('\u{160}', 0x8A),
    ('\u{2039}', 0x8B),
    ('\u{152}', 0x8C),
    ('\u{17D}', 0x8E),
    ('\u{2018}', 0x91),
    ('\u{2019}', 0x92),
    ('\u{201C}', 0x93),
    ('\u{201D}', 0x94),
    ('\u{2022}', 0x95),
    ('\u{2013}', 0x96),
    ('\u{2014}', 0x97),
    ('\u{2DC}', 0x98),
    ('\u{2122}', 0x99),
    ('\u{161}', 0x9A),
    ('\u{203A}', 0x9B),
    ('\u{153}', 0x9C),
    ('\u{17E}', 0x9E),
    ('\u{178}', 0x9F),
];

/// The byte that was read as `c`.
fn byte_of(c: char) -> Option<u8> {
    u8::try_from(u32::from(c)).ok().or_else(|| WINDOWS.iter().find(|(known, _)| *known == c).map(|(_, byte)| *byte))
}

/// The places of a file that was decoded with the wrong encoding, sorted; none where there are too few to be sure.
pub(super) fn places(document: &Document) -> Vec<Span> {
    let text = document.text.as_str();
    let mut found = Vec::new();
    let mut end = 0;
    for (at, c) in text.char_indices() {
        if at < end || !matches!(c, '=' | '<' | '\u{C2}'..='\u{F4}') {
            continue;
        }
        let span = if c.is_ascii() { half_of_a_pair(text, at) } else { misread(text, at) };
        end = span.map_or(end, |span| span.end);
        found.extend(span);
    }
    if found.len() < MIN_PLACES { Vec::new() } else { found }
}

/// The characters from `at` on that are one character of UTF-8, read byte by byte.
fn misread(text: &str, at: usize) -> Option<Span> {
    let first = byte_of(text[at..].chars().next()?)?;
    let len = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    let chars: Vec<char> = text[at..].chars().take(len).collect();
    let bytes = chars.iter().map(|c| byte_of(*c)).collect::<Option<Vec<u8>>>()?;
    let is_one = bytes.len() == len && std::str::from_utf8(&bytes).is_ok();
    is_one.then(|| Span::new(at, at + chars.iter().map(|c| c.len_utf8()).sum::<usize>()))
}

/// `=` or `<` and a character without a picture, alone between blanks: what the lower bytes of an emoji's two units look like.
fn half_of_a_pair(text: &str, at: usize) -> Option<Span> {
    let next = text[at + 1..].chars().next().filter(|c| (c.is_control() && !c.is_whitespace()) || *c == '\u{AD}')?;
    let is_begin = text[..at].chars().next_back().is_none_or(char::is_whitespace);
    let end = at + 1 + next.len_utf8();
    let is_end = text[end..].chars().next().is_none_or(char::is_whitespace);
    (is_begin && is_end).then_some(Span::new(at, end))
}

/// The one finding for a file with these places; it stands at `span`.
pub(super) fn report(rule: &'static str, document: &Document, places: &[Span], span: Span) -> Finding {
    let message = format!(
        "this file was decoded with the wrong encoding and saved again: {} characters of it are others than were written",
        places.len()
    );
    // One program saves many files so.
    let cause = Cause {
        key: "wrong encoding".to_owned(),
        subject: format!("`{}`", sanitize::path(&document.path)),
        many: "were decoded with the wrong encoding and saved again",
        help: None,
    };
    Finding::new(rule, Level::Warning, &document.path, span, message)
        .cause(cause)
        .help("take the text from before that change, or encode the file as Windows-1252 and read the bytes as UTF-8")
}
