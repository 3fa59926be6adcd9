//! How much of a text is read as Markdown. The parser needs a node for every mark and walks all open containers on every line,
//! so a hostile text is cut before it is parsed.

use std::fmt;

use pulldown_cmark::{Options, Parser};

/// Block quotes and list items nest no deeper.
pub(crate) const MAX_NESTING: usize = 100;
/// Characters that may be markup, line ends included. The largest of 547 real hint files has 6,682.
pub(crate) const MAX_MARKS: usize = 100_000;

/// Why a text is not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMuch {
    /// Quotes and list items nest deeper than [`MAX_NESTING`].
    Nesting,
    /// There are more than [`MAX_MARKS`] marks.
    Marks,
}

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooMuch::Nesting => write!(f, "quotes and list items nest deeper than {MAX_NESTING} levels"),
            TooMuch::Marks => write!(f, "there are more than {MAX_MARKS} line ends and marks such as `*` and `[`"),
        }
    }
}

/// A Markdown parser for as much of `text` as is read.
pub(in crate::parse) fn parser(text: &str, options: Options) -> Parser<'_> {
    Parser::new_ext(within(text), options)
}

/// As much of `text` as is read as Markdown.
pub(crate) fn within(text: &str) -> &str {
    excess(text).map_or(text, |(at, _)| &text[..at])
}

/// The offset of the first line that is not read, and why.
pub(crate) fn excess(text: &str) -> Option<(usize, TooMuch)> {
    let bytes = text.as_bytes();
    let counts_marks = bytes.len() > MAX_MARKS;
    let mut items = Vec::new();
    let (mut start, mut marks) = (0, 0);
    while start < bytes.len() {
        let end = memchr::memchr2(b'\n', b'\r', &bytes[start..]).map_or(bytes.len(), |at| start + at + 1);
        let line = &bytes[start..end];
        if is_too_deep(line, &mut items) {
            return Some((start, TooMuch::Nesting));
        }
        if counts_marks {
            marks += line.iter().filter(|&&byte| is_mark(byte)).count();
            if marks > MAX_MARKS {
                return Some((start, TooMuch::Marks));
            }
        }
        start = end;
    }
    None
}

fn is_mark(byte: u8) -> bool {
    matches!(
        byte,
        b'\n' | b'\r' | b'*' | b'_' | b'~' | b'`' | b'[' | b']' | b'!' | b'<' | b'>' | b'&' | b'\\' | b'|' | b'#'
    )
}

/// Whether the containers that may be open in `line` are too many. `items` are the columns at which the content of the open list
/// items begins. A quote has its mark on each of its lines; an item goes on where the indentation is as deep as its content.
fn is_too_deep(line: &[u8], items: &mut Vec<usize>) -> bool {
    let (mut at, mut column, mut quotes) = (0, 0, 0);
    if is_break(line) {
        return false;
    }
    loop {
        match line.get(at) {
            Some(b' ') => column += 1,
            Some(b'\t') => column += 4 - column % 4,
            Some(b'>') => {
                quotes += 1;
                column += 1;
            }
            _ => {
                let Some(len) = marker(&line[at..]) else { return false };
                while items.last().is_some_and(|&content| content > column) {
                    items.pop();
                }
                column += len;
                items.push(column + 1);
                at += len - 1;
            }
        }
        at += 1;
        if quotes + items.len() > MAX_NESTING {
            return true;
        }
    }
}

/// The length of the list marker with which `rest` begins.
fn marker(rest: &[u8]) -> Option<usize> {
    const MAX_DIGITS: usize = 9;
    let digits = rest.iter().take(MAX_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
    let ends = if digits == 0 { &b"-+*"[..] } else { b".)" };
    let is_marker = digits <= MAX_DIGITS
        && rest.get(digits).is_some_and(|byte| ends.contains(byte))
        && rest.get(digits + 1).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    is_marker.then_some(digits + 1)
}

/// Whether a line is a thematic break such as `- - -`, which is no list.
fn is_break(line: &[u8]) -> bool {
    let mut marks = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    let Some(first @ (b'-' | b'*')) = marks.next() else { return false };
    marks.all(|mark| mark == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(depth: usize) -> String {
        (0..depth).map(|level| format!("{}- a\n", "  ".repeat(level))).collect()
    }

    #[test]
    fn what_nests_deeper_than_the_limit_is_not_read() {
        let many = |piece: &str, count: usize| piece.repeat(count);
        for (text, read) in [
            (format!("a\n{}x\n", many(">", MAX_NESTING + 1)), 2),
            (format!("a\n{}x\n", many("> ", MAX_NESTING + 1)), 2),
            (format!("a\r{}x\n", many("- ", MAX_NESTING + 1)), 2),
            (format!("{}x\n", many("1. ", MAX_NESTING + 1)), 0),
            (format!("{}x\n", many("> - ", MAX_NESTING / 2 + 1)), 0),
            (lines(MAX_NESTING + 1), lines(MAX_NESTING).len()),
        ] {
            assert_eq!(excess(&text), Some((read, TooMuch::Nesting)), "{text:.40}");
        }
    }

    #[test]
    fn what_nests_as_deep_as_the_limit_or_not_at_all_is_read() {
        let many = |piece: &str, count: usize| piece.repeat(count);
        for text in [
            format!("{}x\n", many(">", MAX_NESTING)),
            format!("{}x\n", many("- ", MAX_NESTING)),
            lines(MAX_NESTING),
            // One list of many items, and many lists one after the other.
            many("- a\n", 1000),
            many("- a\n  - b\n", 1000),
            many("- a\n\ntext\n\n", 1000),
            // Breaks, rules and table rows are no lists.
            format!("{}\n", many("- ", 1000)),
            format!("{}\n", many("* ", 1000)),
            format!("a {}\n", many("> ", 1000)),
            format!("{}\n", many("-", 1000)),
            format!("{}- a\n", many(" ", 1000)),
            format!("{}x\n", many("**", 1000)),
        ] {
            assert_eq!(excess(&text), None, "{text:.40}");
        }
    }

    #[test]
    fn marks_are_counted_to_the_line() {
        let line = format!("{}\n", "*".repeat(99));
        let text = line.repeat(MAX_MARKS / 100);
        assert_eq!(excess(&text), None);
        let more = format!("{text}*");
        assert_eq!(excess(&more), Some((text.len(), TooMuch::Marks)));
        // Length alone is no reason.
        assert_eq!(excess(&"many words in one line ".repeat(MAX_MARKS)), None);
    }
}
