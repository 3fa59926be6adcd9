//! `.env` files as the package `dotenv` reads them: `NAME=value` or `NAME: value`, one a line, quotation marks around values of
//! several lines. Nothing is expanded.

use super::reading::MAX_ENTRIES;
use crate::base::text::Span;

/// One variable.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DotenvEntry {
    pub(crate) name: String,
    pub(crate) value: String,
    /// The name and the value.
    pub(crate) span: Span,
}

/// The variables of a text, in order; of several with one name the last counts.
pub(crate) fn parse(text: &str) -> Vec<DotenvEntry> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() && found.len() < MAX_ENTRIES {
        let line_end = line_end(text, at);
        match entry(text, at, line_end) {
            Some((entry, end)) => {
                at = line_end.max(self::line_end(text, end)) + 1;
                found.push(entry);
            }
            None => at = line_end + 1,
        }
    }
    found
}

/// Where the line that holds `at` ends.
fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length)
}

/// The variable of the line from `start` to `end`, and where its value ends.
fn entry(text: &str, start: usize, end: usize) -> Option<(DotenvEntry, usize)> {
    let line = &text[start..end];
    let trimmed = line.trim_start();
    let trimmed = match trimmed.strip_prefix("export") {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => trimmed,
    };
    let name_start = end - trimmed.len();
    let length = trimmed.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"_.-".contains(b)).count();
    let (name, rest) = trimmed.split_at(length);
    let rest = match rest.trim_start().strip_prefix('=') {
        Some(rest) => rest,
        None => rest.strip_prefix(':').filter(|rest| rest.starts_with(char::is_whitespace))?,
    };
    if name.is_empty() {
        return None;
    }
    let value_start = end - rest.trim_start().len();
    let value = &text[value_start..];
    let quote = value.bytes().next().filter(|b| b"'\"`".contains(b));
    let closed = quote.and_then(|quote| Some((quote, closing(value, quote)?)));
    let (value, value_end) = match closed {
        Some((quote, close)) => {
            let inner = &value[1..close];
            let inner = if quote == b'"' { inner.replace("\\n", "\n").replace("\\r", "\r") } else { inner.to_owned() };
            (inner, value_start + close + 1)
        }
        None => {
            let plain = &text[value_start..end];
            let plain = plain.split('#').next().unwrap_or_default().trim_end();
            (plain.to_owned(), value_start + plain.len())
        }
    };
    let entry = DotenvEntry { name: name.to_owned(), value, span: Span::new(name_start, value_end) };
    Some((entry, value_end))
}

/// Where the quotation mark at the beginning of `value` is closed.
fn closing(value: &str, quote: u8) -> Option<usize> {
    memchr::memchr_iter(quote, value.as_bytes()).skip(1).find(|&at| value.as_bytes()[at - 1] != b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read_as_the_package_does() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let found = parse(text);
            let found: Vec<_> = found.iter().map(|entry| (entry.name.as_str(), entry.value.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("A=1\nB = two words # why\r\n# C=3\n", &[("A", "1"), ("B", "two words")]);
        check("export A='a # b'\nB: c\nC=\n", &[("A", "a # b"), ("B", "c"), ("C", "")]);
        check("A=\"one\\ntwo\nthree\"\nB=1", &[("A", "one\ntwo\nthree"), ("B", "1")]);
        check("A=\"open\nB=1", &[("A", "\"open"), ("B", "1")]);
        check("no variable\n=1\nA:1\n", &[]);
        assert_eq!(parse(" A=b").first().map(|entry| entry.span), Some(Span::new(1, 4)));
    }
}
