//! From byte offsets to lines and columns, for reports that ask for many places of one file in ascending order.
//!
//! Owns the rule for places whose text is unknown: they are at line 1, column 1.

use std::collections::BTreeMap;

use crate::base::path::RepoPath;
use crate::base::text::{Position, Span, count_chars};
use crate::report::{Report, SourceText};

/// Finds lines and columns, and remembers them, so that a long line is counted once, not once per finding.
pub(super) struct Locator<'a> {
    report: &'a Report,
    /// Per file, the column of each offset that was asked for. None of them is inside a character, so counting may resume there.
    known: BTreeMap<&'a RepoPath, BTreeMap<usize, usize>>,
}

impl<'a> Locator<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        Locator { report, known: BTreeMap::new() }
    }

    /// The text of `path`, if the report has it.
    pub(super) fn source(&self, path: &RepoPath) -> Option<&'a SourceText> {
        self.report.sources.get(path)
    }

    /// Where `offset` of `path` is. An offset past the end counts as the end, one inside a character as the character's start.
    pub(super) fn position(&mut self, path: &RepoPath, offset: usize) -> Position {
        let Some((path, source)) = self.report.sources.get_key_value(path) else {
            return Position { line: 1, column: 1 };
        };
        let offset = char_start(&source.bytes, offset.min(source.bytes.len()));
        let line = source.lines.line_of(offset);
        let line_start = source.lines.line_span(line).start.min(offset);
        let known = self.known.entry(path).or_default();
        let (from, before) =
            known.range(line_start..=offset).next_back().map_or((line_start, 1), |(&at, &column)| (at, column));
        let column = before + count_chars(&source.bytes[from..offset]);
        if source.bytes.get(offset).is_none_or(|b| b & 0xC0 != 0x80) {
            known.insert(offset, column);
        }
        Position { line: line + 1, column }
    }

    /// Where `span` of `path` begins and ends.
    pub(super) fn range(&mut self, path: &RepoPath, span: Span) -> (Position, Position) {
        (self.position(path, span.start), self.position(path, span.end))
    }
}

/// The start of the character that holds `offset`; `offset` itself where the bytes are no character.
fn char_start(bytes: &[u8], offset: usize) -> usize {
    let is_inside = |byte: Option<&u8>| byte.is_some_and(|b| b & 0xC0 == 0x80);
    if !is_inside(bytes.get(offset)) {
        return offset;
    }
    let lead = (offset.saturating_sub(3)..offset).rev().find(|&at| !is_inside(bytes.get(at)));
    match lead {
        Some(lead) => match bytes[lead..bytes.len().min(lead + 4)].utf8_chunks().next() {
            Some(chunk) if chunk.valid().chars().next().is_some_and(|c| lead + c.len_utf8() > offset) => lead,
            _ => offset,
        },
        None => offset,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::sanitize::tests::hostile_bytes;

    /// Where each character, and each byte outside UTF-8, begins.
    fn boundaries_of(bytes: &[u8]) -> Vec<usize> {
        let mut at = 0;
        let mut starts = Vec::new();
        for chunk in bytes.utf8_chunks() {
            starts.extend(chunk.valid().char_indices().map(|(n, _)| at + n));
            at += chunk.valid().len();
            starts.extend((0..chunk.invalid().len()).map(|n| at + n));
            at += chunk.invalid().len();
        }
        starts
    }

    proptest! {
        #[test]
        fn agrees_with_the_line_index(bytes in hostile_bytes(), offsets in prop::collection::vec(0usize..60, 1..20)) {
            let report = crate::report::tests::report(&[("a.md", &bytes)]);
            let path = RepoPath::from("a.md");
            let source = &report.sources[&path];
            let mut locator = Locator::new(&report);
            let boundaries = boundaries_of(&bytes);
            for offset in offsets {
                let at = locator.position(&path, offset);
                if offset >= bytes.len() || boundaries.contains(&offset) {
                    prop_assert_eq!(at, source.lines.position(&bytes, offset));
                }
                prop_assert!(at <= locator.position(&path, offset + 1));
            }
        }
    }

    #[test]
    fn an_unknown_text_is_at_its_start() {
        let report = Report::default();
        let position = Locator::new(&report).position(&RepoPath::from("a.md"), 7);
        assert_eq!(position, Position { line: 1, column: 1 });
    }
}
