//! Visible blanks in plain text: rows of several kinds that can spell bits, and rows so long that what follows them is out
//! of sight. Both may be ASCII alone, so the fast path for ASCII asks here too.

use std::ops::Range;

use super::class::Class;
use super::raw::{HitFix, Raw};
use super::structure::{self, ElementKind};
use crate::base::characters::{Properties, is, is_unusual_space};
use crate::base::finding::{Applicability, Level};
use crate::base::text::Span;

/// Changes from one kind of blank to another on one line, from which on they may spell something.
const ALTERNATIONS: usize = 16;
/// Columns of blanks on one line beyond which text is out of sight.
const COLUMNS: usize = 80;
/// Blank lines beyond which text is out of sight.
const LINES: usize = 50;
/// Columns of a tab: the fewest that a viewer gives it.
const TAB: usize = 4;
/// The shortest row of ASCII blanks that matters: of tabs alone. Shorter ones would cost the search its speed.
const SHORTEST: usize = COLUMNS / TAB + 1;
/// Letters and digits that make what follows a row of blanks text, rather than a drawing.
const WORDS: usize = 4;

/// Whether a row of blanks in `part` of a text of ASCII alone may be something for [`judge`]; at the speed of memory.
pub(super) fn may_matter(bytes: &[u8], part: Range<usize>) -> bool {
    // A row has four bytes together at a multiple of this, and prose nearly never, so that the branch is foretold.
    const STEP: usize = SHORTEST - 3;
    let mut at = part.start;
    while at < part.end {
        let Some(word) = bytes[at..].first_chunk() else { break };
        if u32::from_le_bytes(*word) & 0xC0C0_C0C0 == 0 {
            let row = ascii_row(bytes, at);
            if matters(&bytes[row.range()]) {
                return true;
            }
            at = at.max(row.end);
        }
        at += STEP;
    }
    false
}

/// The row of ASCII blanks around `at`.
fn ascii_row(bytes: &[u8], at: usize) -> Span {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let before = bytes[..at].iter().rev().take_while(blank).count();
    let after = bytes[at..].iter().take_while(blank).count();
    Span::new(at - before, at + after)
}

/// Whether a row of ASCII blanks may be something for [`judge`].
fn matters(row: &[u8]) -> bool {
    let lines = || row.iter().filter(|&&byte| byte == b'\n').count() > LINES;
    let long = |part: &[u8]| part.len() > COLUMNS || (part.len() >= SHORTEST && part.contains(&b'\t'));
    row.len() >= SHORTEST && (lines() || row.split(|&byte| byte == b'\n').any(long))
}

/// Rows of white space that are long enough to matter, line ends included.
fn rows(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut rows: Vec<Span> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        // A byte that is no blank ends the look at once, which is the rule.
        if matches!(bytes[at], b' ' | b'\t' | b'\n' | b'\r') || bytes[at] >= 0x80 {
            let row = row_at(text, at);
            if row.len() >= SHORTEST {
                rows.push(row);
                at = row.end.max(at);
            }
        }
        at += SHORTEST;
    }
    rows
}

/// The row of white space around `at`, empty if there is none.
fn row_at(text: &str, at: usize) -> Span {
    let at = text.floor_char_boundary(at);
    let (head, tail) = text.split_at(at);
    let blank = |c: char| is_blank(c) || matches!(c, '\n' | '\r');
    let end = at + tail.len() - tail.trim_start_matches(blank).len();
    if end == at {
        return Span::empty(at);
    }
    Span::new(head.trim_end_matches(blank).len(), end)
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t') || is_unusual_space(c)
}

/// Judge the rows of blanks of a Markdown text.
pub(super) fn judge(text: &str) -> Vec<Raw> {
    let mut out = Vec::new();
    let mut drawn: Option<[Vec<Span>; 2]> = None;
    for row in rows(text) {
        let lines = text[row.range()].matches('\n').count();
        let rest = &text[row.end..];
        let line = Span::new(row.end, row.end + rest.find('\n').unwrap_or(rest.len()));
        let shown = Span::new(line.start, line.start + text[line.range()].trim_end().len());
        let own = Span::new(row.start + text[row.range()].rfind('\n').map_or(0, |at| at + 1), row.end);
        let mut at = row.start;
        for part in text[row.range()].split('\n') {
            if part.is_ascii() {
                out.extend(alternating(text, Span::new(at, at + part.len())));
            }
            at += part.len() + 1;
        }
        if shown.is_empty() {
            continue;
        }
        if is_fence(&text[shown.range()]) && text[line.end..].trim().is_empty() {
            // The blank lines end a code block, which nothing follows.
            continue;
        }
        if lines > LINES + 1 || (lines > LINES && row.start == 0) {
            let note = format!("stands after {} blank lines, out of sight", lines - usize::from(row.start > 0));
            out.push(Raw::new(Class::OutOfSight, shown, Level::Warning).flat().note(note));
            continue;
        }
        let columns = text[own.range()].chars().map(|c| if c == '\t' { TAB } else { 1 }).sum::<usize>();
        let words = text[shown.range()].chars().filter(|c| c.is_alphanumeric()).nth(WORDS - 1).is_some();
        let begins = text[..own.start].rfind('\n').map_or(0, |at| at + 1);
        // Tables of other kinds of markup, too, have a border at both ends of a line.
        let bordered = text[begins..].trim_start().starts_with('|') && text[shown.range()].ends_with('|');
        let leading = own.start == 0 || text[..own.start].ends_with('\n');
        if columns > COLUMNS && words && !bordered {
            let [aligned, indented] = drawn.get_or_insert_with(|| drawn_in(text));
            // An indent so deep is itself what hides the text.
            if !lies_in(aligned, shown) && (leading || !lies_in(indented, shown)) {
                let note = format!("comes after {columns} columns of blanks, out of sight");
                out.push(Raw::new(Class::OutOfSight, shown, Level::Warning).flat().note(note));
            }
        }
    }
    out
}

/// Whether a line holds only the marks of a code fence.
fn is_fence(line: &str) -> bool {
    ['`', '~'].iter().any(|&mark| line.len() >= 3 && line.chars().all(|c| c == mark))
}

/// The tables and the code of a text, and what only its indentation makes code: there blanks draw. Sorted, without overlap.
fn drawn_in(text: &str) -> [Vec<Span>; 2] {
    let mut drawn = [Vec::new(), Vec::new()];
    for element in structure::elements(text) {
        if matches!(element.part, ElementKind::Table | ElementKind::Code) {
            drawn[usize::from(element.is_indented_code())].push(element.span);
        }
    }
    drawn.map(|mut spans: Vec<Span>| {
        spans.sort_unstable();
        let mut end = 0;
        // A span that reaches beyond the last one's end never lies in it.
        spans.retain(|span| {
            let more = span.end > end;
            end = end.max(span.end);
            more
        });
        spans
    })
}

fn lies_in(spans: &[Span], text: Span) -> bool {
    let after = spans.partition_point(|span| span.end <= text.start);
    spans.get(after).is_some_and(|span| span.overlaps(text))
}

/// The blanks of a line that change from kind to kind so often that they can spell something: in one row, or one after each
/// word. Between words the common two are left out, since typography mixes those: the space and, before and after short
/// words, the no-break space.
pub(super) fn alternating(text: &str, line: Span) -> Option<Raw> {
    let mut words: Vec<(usize, char)> = Vec::new();
    let mut row: Vec<(usize, char)> = Vec::new();
    let mut before = None;
    let chars = text[line.range()].char_indices().map(|(offset, c)| (line.start + offset, c));
    for (at, c) in chars.chain([(line.end, '\n')]) {
        if is_blank(c) {
            row.push((at, c));
            continue;
        }
        if !row.is_empty() {
            if changes(&row) >= ALTERNATIONS && !is_padding(&row) {
                return Some(hit(&row));
            }
            if before.is_some_and(is_word) && is_word(c) {
                words.extend(row.iter().filter(|(_, c)| !matches!(c, '\u{A0}' | '\u{3000}' | '\t')));
            }
            row.clear();
        }
        before = Some(c);
    }
    (changes(&words) >= ALTERNATIONS).then(|| hit(&words))
}

/// Whether `c` is a letter of a script that has one kind of blank between words.
fn is_word(c: char) -> bool {
    is(c, Properties::LETTER) && !is(c, Properties::MONGOLIAN.and(Properties::CJK))
}

fn changes(blanks: &[(usize, char)]) -> usize {
    blanks.windows(2).filter(|pair| pair[0].1 != pair[1].1).count()
}

/// Whether space and no-break space take turns, which is how editors of web pages write several spaces.
fn is_padding(row: &[(usize, char)]) -> bool {
    row.iter().all(|(_, c)| matches!(c, ' ' | '\u{A0}')) && changes(row) + 1 == row.len()
}

fn hit(blanks: &[(usize, char)]) -> Raw {
    let (first, last) = (blanks[0], blanks[blanks.len() - 1]);
    let odd = blanks.iter().filter(|(_, c)| *c != ' ');
    let edits = odd.map(|&(at, c)| (Span::new(at, at + c.len_utf8()), " ".to_owned())).collect();
    Raw::new(Class::BlankBits, Span::new(first.0, last.0 + last.1.len_utf8()), Level::Warning)
        .flat()
        .fix(HitFix { applicability: Applicability::Unsafe, edits })
        .note(format!("change {} times from one kind to another, as bits would", changes(blanks)))
}

#[cfg(test)]
mod tests {
    use super::super::scan_markdown;
    use super::*;

    fn found(text: &str) -> Vec<Class> {
        let mut classes: Vec<Class> = scan_markdown(text.as_bytes()).iter().map(|hit| hit.class).collect();
        classes.dedup();
        classes
    }

    /// Words with the blanks of `kinds` between them, in turn.
    fn between(kinds: &[char], gaps: usize) -> String {
        (0..gaps).map(|gap| format!("word{}", kinds[gap % kinds.len()])).collect::<String>() + "word\n"
    }

    #[test]
    fn blanks_that_take_turns_are_bits() {
        for text in [
            between(&['\u{2009}', '\u{200A}'], 80),
            between(&['\u{2002}', '\u{2003}'], 17),
            between(&[' ', '\u{2009}'], 17),
            format!("a{}b\n", "\u{2009}\u{200A}".repeat(9)),
            format!("a{}b\n", "\u{2009}\u{200A}\u{200A}".repeat(9)),
            format!("a{}b\n", " \t".repeat(11)),
            format!("a{}\n", "\t  ".repeat(12)),
            format!("é{}b\n", "\u{A0} \u{A0}\u{A0} ".repeat(9)),
            format!("```\na{}b\n```\n", "\u{2009}\u{200A}".repeat(9)),
        ] {
            assert!(found(&text).contains(&Class::BlankBits), "{text:?}");
        }
    }

    #[test]
    fn rows_are_found_at_every_offset() {
        for row in [" ".repeat(81), " \t".repeat(11), "\t".repeat(21), "\n".repeat(52)] {
            for offset in 0..40 {
                let text = format!("{}{row}text", "x".repeat(offset));
                assert!(may_matter(text.as_bytes(), 0..text.len()), "{row:?} at {offset}");
            }
        }
        for quiet in [" ".repeat(80), format!("\n{}", " ".repeat(60)), "\n".repeat(50), "word 12, 34\n".repeat(99)] {
            assert!(!may_matter(format!("x{quiet}x").as_bytes(), 0..quiet.len() + 2), "{quiet:?}");
        }
    }

    #[test]
    fn typography_is_no_code() {
        for text in [
            between(&['\u{2009}', '\u{200A}'], 16),
            between(&[' ', '\u{A0}'], 90),
            between(&['\u{2003}'], 90),
            format!("a{}b\n", "\u{A0} ".repeat(30)),
            "«\u{A0}Oui\u{202F}!\u{A0}» dit-il\u{202F}; 10\u{2009}km et 3\u{202F}%. ".repeat(20),
            "山田\u{3000}太郎 佐藤\u{3000}花子 ".repeat(20),
            "ᠮᠣᠩᠭᠣᠯ\u{202F}ᠤᠨ ᠬᠡᠯᠡ ".repeat(20),
            "word\u{200A}—\u{200A}word, 5\u{2009}kg ".repeat(20),
            format!("\t\t\t{}x\n", " ".repeat(8)),
        ] {
            assert_eq!(found(&text), [], "{text:?}");
        }
    }
}
