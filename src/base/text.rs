//! Byte spans, and the translation of byte offsets into lines and columns.
//!
//! Everything inside the program speaks in byte spans; lines and columns exist only where something is reported.

use std::borrow::Cow;
use std::ops::Range;

/// A half-open range of byte offsets in one file: `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset just past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`; `end` must not lie before `start`.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "span {start}..{end} runs backwards");
        Span { start, end }
    }

    /// The empty span at `offset`.
    pub fn empty(offset: usize) -> Self {
        Span { start: offset, end: offset }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` lies inside the span.
    pub fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Whether `other` lies wholly inside the span.
    pub fn covers(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two spans share at least one byte.
    pub(crate) fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The span as a range, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Span::new(range.start, range.end)
    }
}

/// A place as people count it. Both numbers start at 1; the column counts Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    /// Line number, from 1.
    pub line: usize,
    /// Column in Unicode scalar values, from 1.
    pub column: usize,
}

/// Where each line of a text begins. Lines end with `\n`; a `\r` before it belongs to the line's end.
#[derive(Clone, Debug)]
pub(crate) struct LineIndex {
    starts: Vec<usize>,
    len: usize,
}

impl LineIndex {
    /// Index the lines of `bytes`.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        LineIndex { starts, len: bytes.len() }
    }

    /// Number of lines, at least one; a final `\n` opens no further line.
    pub(crate) fn count(&self) -> usize {
        let n = self.starts.len();
        if n > 1 && self.starts[n - 1] == self.len { n - 1 } else { n }
    }

    /// The line (from 0) that holds the byte at `offset`.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The span of a line (from 0), with its line ending.
    pub(crate) fn line_span(&self, line: usize) -> Span {
        let start = self.starts.get(line).copied().unwrap_or(self.len);
        let end = self.starts.get(line + 1).copied().unwrap_or(self.len);
        Span::new(start, end)
    }

    /// The span of a line (from 0), without `\n` or `\r\n`.
    pub(crate) fn line_content(&self, bytes: &[u8], line: usize) -> Span {
        let Span { start, mut end } = self.line_span(line);
        if end > start && bytes[end - 1] == b'\n' {
            end -= 1;
            if end > start && bytes[end - 1] == b'\r' {
                end -= 1;
            }
        }
        Span::new(start, end)
    }

    /// Line and column of `offset`. Each byte that is not part of valid UTF-8 counts as one column.
    pub(crate) fn position(&self, bytes: &[u8], offset: usize) -> Position {
        let offset = offset.min(bytes.len());
        let line = self.line_of(offset);
        let before = &bytes[self.starts[line].min(offset)..offset];
        Position { line: line + 1, column: count_chars(before) + 1 }
    }
}

/// Number of Unicode scalar values in `bytes`; a byte outside valid UTF-8 counts as one.
pub(crate) fn count_chars(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        return bytes.len();
    }
    bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

/// The text of `bytes`, with U+FFFD for what is not UTF-8. To tell that all is UTF-8 takes a tenth of the time of looking for
/// what is not.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The text of `bytes`, of the same length: each byte outside valid UTF-8 becomes `?`, so offsets stay true.
pub(crate) fn same_length_text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Cow::Owned(text)
}

/// The byte at which the `units`-th UTF-16 unit of `text` begins; its end if it has no more.
pub(crate) fn utf16_offset(text: &str, units: usize) -> usize {
    let mut left = units;
    for (at, c) in text.char_indices() {
        if left < c.len_utf16() {
            return at;
        }
        left -= c.len_utf16();
    }
    text.len()
}

/// The ASCII letters and digits of a name in small letters: what its spellings have in common.
pub(crate) fn spelling_core(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// How many insertions, deletions, replacements and swaps of neighbouring characters lead from `a` to `b`. Of longer texts the
/// first two hundred characters count.
pub(crate) fn edit_distance(a: &str, b: &str) -> usize {
    const COMPARED: usize = 200;
    let [a, b] = [a, b].map(|text| text.chars().take(COMPARED).collect::<Vec<char>>());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// `1234567` as `1,234,567`.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_scalar_values() {
        let bytes = "ab\r\nпр🙂x\n".as_bytes();
        let index = LineIndex::new(bytes);
        assert_eq!(index.count(), 2);
        assert_eq!(index.position(bytes, 0), Position { line: 1, column: 1 });
        assert_eq!(index.position(bytes, bytes.len() - 2), Position { line: 2, column: 4 });
        assert_eq!(index.line_content(bytes, 0), Span::new(0, 2));
        assert_eq!(index.position(bytes, bytes.len()), Position { line: 3, column: 1 });
    }

    #[test]
    fn text_of_broken_bytes_keeps_offsets() {
        let bytes = b"a\xff\xfe\xd0\xbfb";
        assert_eq!(same_length_text(bytes), "a??\u{43f}b");
        assert_eq!(count_chars(bytes), 5);
    }

    #[test]
    fn edits_are_counted() {
        for (a, b, edits) in [
            ("", "", 0),
            ("", "abc", 3),
            ("main", "mian", 1),
            ("kitten", "sitting", 3),
            ("größe", "grösse", 2),
            ("ca", "abc", 3),
        ] {
            assert_eq!((edit_distance(a, b), edit_distance(b, a)), (edits, edits), "{a} {b}");
        }
    }

    #[test]
    fn thousands_are_parted() {
        assert_eq!([0, 999, 1000, 12_345, 1_234_567].map(thousands), ["0", "999", "1,000", "12,345", "1,234,567"]);
    }
}
