//! Character classes and small scanners of the lexer. Offsets are in bytes.

use super::super::is_js_space;

/// What stands at one side of a run of `*` or `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CharClass {
    Space,
    Mark,
    Word,
}

/// Marks and symbols outside ASCII, in the main.
const MARKS: &[(u32, u32)] = &[
    (0xa1, 0xa9),
    (0xab, 0xac),
    (0xae, 0xb1),
    (0xb4, 0xb4),
    (0xb6, 0xb8),
    (0xbb, 0xbb),
    (0xbf, 0xbf),
    (0xd7, 0xd7),
    (0xf7, 0xf7),
    (0x2010, 0x2027),
    (0x2030, 0x205e),
    (0x207a, 0x207e),
    (0x208a, 0x208e),
    (0x20a0, 0x20c1),
    (0x2100, 0x2101),
    (0x2103, 0x2106),
    (0x2116, 0x2118),
    (0x211e, 0x2123),
    (0x2190, 0x2429),
    (0x249c, 0x24e9),
    (0x2500, 0x2775),
    (0x2794, 0x2bff),
    (0x2e00, 0x2e5d),
    (0x3001, 0x3004),
    (0x3008, 0x3020),
    (0x3030, 0x3030),
    (0x309b, 0x309c),
    (0x30a0, 0x30a0),
    (0x30fb, 0x30fb),
    (0xfe30, 0xfe6b),
    (0xff01, 0xff0f),
    (0xff1a, 0xff20),
    (0xff3b, 0xff40),
    (0xff5b, 0xff65),
    (0xffe0, 0xffee),
    (0xfffc, 0xfffd),
    (0x1f000, 0x1faff),
];

/// The class of a character; the end of the text is a blank.
pub(super) fn class(c: Option<char>) -> CharClass {
    match c {
        None => CharClass::Space,
        Some(c) if is_js_space(c) => CharClass::Space,
        Some(c) if c.is_ascii_punctuation() => CharClass::Mark,
        Some(c) if c.is_ascii() => CharClass::Word,
        Some(c) => {
            let at = MARKS.partition_point(|&(_, last)| last < c as u32);
            if MARKS.get(at).is_some_and(|&(first, _)| first <= c as u32) { CharClass::Mark } else { CharClass::Word }
        }
    }
}

/// What ends a line for the regular expressions of JavaScript.
pub(super) fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// The character at `at`.
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The byte at `at`.
pub(super) fn byte_at(text: &str, at: usize) -> Option<u8> {
    text.as_bytes().get(at).copied()
}

/// Where the line of `at` ends: at its LF or at the end.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at.min(text.len())..]).map_or(text.len(), |found| at + found)
}

/// Whether a line ends at `at`.
pub(super) fn at_line_end(text: &str, at: usize) -> bool {
    byte_at(text, at).is_none_or(|byte| byte == b'\n')
}

/// Behind all bytes from `at` on that `is` holds for.
pub(super) fn skip(text: &str, at: usize, is: impl Fn(u8) -> bool) -> usize {
    let bytes = text.as_bytes().get(at..).unwrap_or_default();
    at + bytes.iter().take_while(|&&byte| is(byte)).count()
}

/// Behind the blanks at `at`, at most three.
pub(super) fn indent(text: &str, at: usize) -> usize {
    at + text.as_bytes()[at..].iter().take(3).take_while(|&&byte| byte == b' ').count()
}

/// Behind all white space from `at` on.
pub(super) fn skip_space(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + rest.len() - rest.trim_start_matches(is_js_space).len()
}

/// Behind a name of a tag at `at`: a letter, then letters, digits, `_` and `-`.
pub(super) fn tag_name(text: &str, at: usize) -> usize {
    if !byte_at(text, at).is_some_and(|byte| byte.is_ascii_alphabetic()) {
        return at;
    }
    skip(text, at, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
