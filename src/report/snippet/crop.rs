//! One line of a file as it will be printed: escaped, tabs as spaces, cropped around a place; and where each byte went.

use unicode_width::UnicodeWidthChar;

use crate::base::sanitize::{self, Piece};
use crate::base::text::Span;

/// Tab stops stand every so many columns.
const TAB: usize = 4;

/// At least this much is shown to the left of a place that fills the width, if there is that much.
const LEAD: usize = 8;

const ELLIPSIS: &str = "…";

/// A line, ready to print.
#[derive(Debug)]
pub(super) struct Cropped {
    text: String,
    /// The characters shown, in order.
    cells: Vec<Cell>,
    /// Where the text of the cells begins and ends within `text`: between the ellipses.
    shown: Span,
}

/// One character of the file, or one byte outside UTF-8.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Its first byte in the file.
    source: usize,
    /// The first byte of what is printed for it.
    start: usize,
    /// The column in which that begins.
    column: usize,
}

/// A stretch of a line, rendered. The last cell is a sentinel behind the last character.
struct RenderedLine {
    text: String,
    cells: Vec<Cell>,
}

impl Cropped {
    /// Print the bytes at `line` of `bytes`, a line without its ending, in at most `width` columns. What is not shown is cut
    /// away as far as possible from `anchor`.
    pub(super) fn new(bytes: &[u8], line: Span, anchor: Span, width: usize) -> Cropped {
        // A window that surely holds what fits: no character has more than four bytes. Combining marks are cut off when
        // they pile up.
        let reach = 4 * width + 16;
        let from = boundary(bytes, line, anchor.start.saturating_sub(reach));
        let to = boundary(bytes, line, anchor.start.saturating_add(reach));
        let rendered = render(&bytes[from..to], from);
        let whole = Span::new(0, rendered.cells.len() - 1);
        if from == line.start && to == line.end && rendered.width(whole) <= width {
            return Cropped::of(rendered, whole, false, false);
        }
        let cells = choose(&rendered, anchor, width.saturating_sub(2));
        let left = from > line.start || cells.start > 0;
        let right = to < line.end || cells.end < whole.end;
        Cropped::of(rendered, cells, left, right)
    }

    fn of(rendered: RenderedLine, cells: Span, left: bool, right: bool) -> Cropped {
        let (first, last) = (rendered.cells[cells.start], rendered.cells[cells.end]);
        let mut text = String::with_capacity(last.start - first.start + 2 * ELLIPSIS.len());
        text.push_str(if left { ELLIPSIS } else { "" });
        let begin = text.len();
        text.push_str(&rendered.text[first.start..last.start]);
        let shown = Span::new(begin, text.len());
        text.push_str(if right { ELLIPSIS } else { "" });
        let margin = usize::from(left);
        let cells = rendered.cells[cells.start..=cells.end].iter().map(|cell| Cell {
            source: cell.source,
            start: cell.start - first.start + begin,
            column: cell.column - first.column + margin,
        });
        Cropped { cells: cells.collect(), text, shown }
    }

    /// The printed line, without a line ending.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where in the text the character that holds byte `offset` of the file begins; the nearest end if it is cropped away.
    pub(super) fn start_of(&self, offset: usize) -> usize {
        self.cell_at(offset).map_or(self.shown.start, |cell| cell.start)
    }

    /// Where in the text the character ends that holds the byte before `end`; the nearest end if it is cropped away.
    pub(super) fn end_of(&self, end: usize) -> usize {
        let next = self.cells.partition_point(|cell| cell.source < end);
        self.cells.get(next).map_or(self.shown.end, |cell| cell.start)
    }

    /// The printed column in the middle of `span`.
    pub(super) fn column_between(&self, span: Span) -> usize {
        let start = self.cell_at(span.start).map_or(0, |cell| cell.column);
        let next = self.cells.partition_point(|cell| cell.source < span.end);
        let end = self.cells.get(next).or(self.cells.last()).map_or(start, |cell| cell.column);
        usize::midpoint(start, end.max(start))
    }

    fn cell_at(&self, offset: usize) -> Option<&Cell> {
        let next = self.cells.partition_point(|cell| cell.source <= offset);
        self.cells.get(next.checked_sub(1)?)
    }
}

/// The first character boundary of `line` at or after `offset`. Bytes outside UTF-8 have a boundary within four bytes too.
fn boundary(bytes: &[u8], line: Span, offset: usize) -> usize {
    let offset = offset.clamp(line.start, line.end);
    let next = (offset..line.end).take(4).find(|&at| bytes[at] & 0xC0 != 0x80);
    next.unwrap_or(if line.end - offset < 4 { line.end } else { offset })
}

/// Render `bytes`, which begin at `offset` of the file.
fn render(bytes: &[u8], offset: usize) -> RenderedLine {
    let mut rendered =
        RenderedLine { text: String::with_capacity(bytes.len() + 16), cells: Vec::with_capacity(bytes.len() + 1) };
    let mut next = Cell { source: offset, start: 0, column: 0 };
    for piece in sanitize::pieces(bytes) {
        match piece {
            Piece::Clean(clean) => {
                for c in clean.chars() {
                    rendered.text.push(c);
                    next = rendered.close(next, c.len_utf8(), c.width().unwrap_or(0));
                }
                continue;
            }
            Piece::Hidden('\t') => rendered.text.extend(std::iter::repeat_n(' ', TAB - next.column % TAB)),
            Piece::Hidden(c) => sanitize::push_escape(&mut rendered.text, c),
            Piece::Byte(byte) => sanitize::push_byte(&mut rendered.text, byte),
        }
        let source = if let Piece::Hidden(c) = piece { c.len_utf8() } else { 1 };
        // An escape is ASCII: one column a byte.
        let width = rendered.text.len() - next.start;
        next = rendered.close(next, source, width);
    }
    rendered.cells.push(next);
    rendered
}

impl RenderedLine {
    /// Close `cell`, whose text has been written, and begin the next.
    fn close(&mut self, cell: Cell, source: usize, width: usize) -> Cell {
        self.cells.push(cell);
        Cell { source: cell.source + source, start: self.text.len(), column: cell.column + width }
    }

    /// Printed width of the cells with these indices.
    fn width(&self, cells: Span) -> usize {
        self.cells[cells.end].column - self.cells[cells.start].column
    }
}

/// Which cells to show in `width` columns: `anchor` in the middle if it fits, else its beginning; as much as fits around it.
fn choose(rendered: &RenderedLine, anchor: Span, width: usize) -> Span {
    let cells = &rendered.cells;
    let last = cells.len() - 1;
    let first = cells.partition_point(|cell| cell.source <= anchor.start).saturating_sub(1).min(last);
    let behind = cells.partition_point(|cell| cell.source < anchor.end).clamp(first, last);
    let place = rendered.width(Span::new(first, behind)).min(width);
    let lead = ((width - place) / 2).max(LEAD.min(width / 4));
    // The columns to begin and to end with, moved left as long as the right end of the line has room to spare.
    let total = cells[last].column;
    let from_column = cells[first].column.saturating_sub(lead).min(total.saturating_sub(width));
    let mut from = cells.partition_point(|cell| cell.column < from_column).min(first);
    // A mark or selector must not be parted from the character that it belongs to.
    while from > 0 && from < last && cells[from + 1].column == cells[from].column {
        from += 1;
    }
    let to = cells.partition_point(|cell| cell.column <= cells[from].column + width).saturating_sub(1);
    Span::new(from, to.clamp(from, last))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::base::sanitize::tests::{assert_harmless, hostile_bytes};

    /// The line `text` in `width` columns around the first `needle`, with the needle's printed extent marked below.
    fn crop(text: &str, needle: &str, width: usize) -> String {
        let start = text.find(needle).expect("the needle is there");
        let span = Span::new(start, start + needle.len());
        let cropped = Cropped::new(text.as_bytes(), Span::new(0, text.len()), span, width);
        let (start, end) = (cropped.start_of(span.start), cropped.end_of(span.end));
        let indent = cropped.text()[..start].width();
        format!("\n{}\n{}{}\n", cropped.text(), " ".repeat(indent), "^".repeat(cropped.text()[start..end].width()))
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        insta::assert_snapshot!(crop("a\tб日本 \u{200B}x\u{1B}.", "\u{200B}", 40), @r#"
        a   б日本 \u{200B}x\u{001B}.
                  ^^^^^^^^
        "#);
        insta::assert_snapshot!(crop("a\tб", "\t", 40), @r#"
        a   б
         ^^^
        "#);
    }

    #[test]
    fn a_long_line_is_cropped_around_the_place() {
        let long = format!("{}needle{}", "left ".repeat(5000), " right".repeat(5000));
        insta::assert_snapshot!(crop(&long, "needle", 40), @r#"
        … left left left needle right right rig…
                         ^^^^^^
        "#);
        insta::assert_snapshot!(crop(&long[..25_010], "needle", 40), @r#"
        …ft left left left left left needle rig
                                     ^^^^^^
        "#);
        insta::assert_snapshot!(crop(&long[24_990..], "needle", 40), @r#"
        left left needle right right right rig…
                  ^^^^^^
        "#);
        insta::assert_snapshot!(crop(&long, &"left ".repeat(20), 40), @r#"
        left left left left left left left lef…
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        "#);
    }

    #[test]
    fn a_log_command_is_broken_also_at_the_edge_of_the_place() {
        insta::assert_snapshot!(crop("x ##[error]y", "[error]", 40), @r#"
        x \u{0023}#[error]y
                   ^^^^^^^
        "#);
    }

    proptest! {
        #[test]
        fn any_place_fits_the_width(bytes in hostile_bytes(), a in 0usize..80, b in 0usize..80, width in 24usize..60) {
            let bytes: Vec<u8> = bytes.into_iter().filter(|&b| b != b'\n').collect();
            let (a, b) = (a.min(bytes.len()), b.min(bytes.len()));
            let span = Span::new(a.min(b), a.max(b));
            let cropped = Cropped::new(&bytes, Span::new(0, bytes.len()), span, width);
            assert_harmless(cropped.text(), false);
            let columns: usize = cropped.text().chars().map(|c| c.width().unwrap_or(0)).sum();
            prop_assert!(columns <= width, "{columns} columns: {:?}", cropped.text());
            let (start, end) = (cropped.start_of(span.start), cropped.end_of(span.end));
            prop_assert!(start <= end.max(start) && end <= cropped.text().len());
            prop_assert!(cropped.text().is_char_boundary(start) && cropped.text().is_char_boundary(end));
        }
    }
}
