//! Places in a text as the protocol counts them: lines from 0, which end with `\n`, `\r\n` or `\r`, and characters in the units
//! that were agreed on. Inside, everything is a byte offset.

use gen_lsp_types::{Position, PositionEncodingKind, Range};

use crate::base::text::Span;

/// In what units characters of a line are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// What every client understands.
    #[default]
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

impl Encoding {
    /// The best of what a client offers.
    pub(super) fn choose<'o>(offered: impl Iterator<Item = &'o str> + Clone) -> Encoding {
        let offers = |name: &str| offered.clone().any(|offer| offer == name);
        match () {
            () if offers("utf-8") => Encoding::Utf8,
            () if offers("utf-16") => Encoding::Utf16,
            () if offers("utf-32") => Encoding::Utf32,
            () => Encoding::Utf16,
        }
    }

    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// A text, its lines, and the units in which places in it are told.
pub(super) struct Lined<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Lined<'t> {
    pub(super) fn new(text: &'t str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        let ends = ends.filter(|&at| !(bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n')));
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        Lined { text, starts, encoding }
    }

    /// The byte offset of a place. One past the end of its line is that end; one past the last line is the end of the text.
    pub(super) fn offset(&self, position: Position) -> usize {
        let Some(&start) = usize::try_from(position.line).ok().and_then(|line| self.starts.get(line)) else {
            return self.text.len();
        };
        let mut left = usize::try_from(position.character).unwrap_or(usize::MAX);
        let line = &self.text[start..];
        let end = line.find(['\n', '\r']).unwrap_or(line.len());
        for (at, c) in line[..end].char_indices() {
            let units = self.encoding.units(c);
            if left < units {
                return start + at;
            }
            left -= units;
        }
        start + end
    }

    /// The place of a byte offset, which is moved to the beginning of its character.
    pub(super) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let units: usize = self.text[self.starts[line]..offset].chars().map(|c| self.encoding.units(c)).sum();
        Position { line: count(line), character: count(units) }
    }

    pub(super) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    pub(super) fn span(&self, range: Range) -> Span {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        Span::new(start.min(end), end.max(start))
    }
}

/// A number as the protocol has them.
pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\r\nпр🙂x\n\rz\u{2028}y";

    #[test]
    fn each_unit_counts_differently() {
        for (encoding, column) in [(Encoding::Utf8, 8), (Encoding::Utf16, 4), (Encoding::Utf32, 3)] {
            let lined = Lined::new(TEXT, encoding);
            let x = TEXT.find('x').unwrap_or_default();
            assert_eq!(lined.position(x), Position { line: 1, character: column }, "{encoding:?}");
            assert_eq!(lined.offset(Position { line: 1, character: column }), x);
            // Inside the emoji.
            assert_eq!(lined.position(x - 1), lined.position(x - 4));
        }
        assert_eq!(Lined::new(TEXT, Encoding::Utf16).offset(Position { line: 1, character: 3 }), 7);
    }

    #[test]
    fn every_offset_leads_back_and_nonsense_is_clamped() {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let lined = Lined::new(TEXT, encoding);
            // Between the two bytes of a line end there is no place.
            for (at, _) in TEXT.char_indices().filter(|(at, _)| *at != 2) {
                assert_eq!(lined.offset(lined.position(at)), at, "{encoding:?} {at}");
            }
            assert_eq!(lined.offset(Position { line: 0, character: u32::MAX }), 1);
            assert_eq!(lined.offset(Position { line: u32::MAX, character: 0 }), TEXT.len());
            assert_eq!(lined.position(usize::MAX).line, 3);
            let span = lined
                .span(Range { start: Position { line: 9, character: 0 }, end: Position { line: 0, character: 0 } });
            assert_eq!(span, Span::new(0, TEXT.len()));
        }
    }

    #[test]
    fn the_units_are_agreed_on() {
        let choose = |offers: &[&str]| Encoding::choose(offers.iter().copied());
        assert_eq!(choose(&[]), Encoding::Utf16);
        assert_eq!(choose(&["utf-16", "utf-8"]), Encoding::Utf8);
        assert_eq!(choose(&["utf-32"]), Encoding::Utf32);
        assert_eq!(choose(&["ebcdic"]), Encoding::Utf16);
    }
}
