//! From byte offsets to lines and columns, for reports that ask for many places of one file in ascending order.
//!
//! Owns the rule for places whose text is unknown: they are at line 1, column 1.

use crate::finding::Finding;
use crate::path::RepoPath;
use crate::report::{Report, SourceText};
use crate::text::{Position, Span, count_chars};

/// Finds lines and columns, and remembers the last place so that a long line is counted once, not once per finding.
pub(super) struct Locator<'a> {
    report: &'a Report,
    last: Option<Last<'a>>,
}

/// A place that has been counted. `offset` is no continuation byte, so counting may resume there.
struct Last<'a> {
    path: &'a RepoPath,
    line: usize,
    offset: usize,
    column: usize,
}

impl<'a> Locator<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        Locator { report, last: None }
    }

    /// The text of `path`, if the report has it.
    pub(super) fn source(&self, path: &RepoPath) -> Option<&'a SourceText> {
        self.report.sources.get(path)
    }

    /// Where `offset` of `path` is. An offset past the end counts as the end.
    pub(super) fn position(&mut self, path: &RepoPath, offset: usize) -> Position {
        let Some((path, source)) = self.report.sources.get_key_value(path) else {
            return Position { line: 1, column: 1 };
        };
        let offset = offset.min(source.bytes.len());
        let line = source.lines.line_of(offset);
        let known = self.last.as_ref().filter(|last| last.path == path && last.line == line && last.offset <= offset);
        let (from, column) = match known {
            Some(last) => (last.offset, last.column),
            None => (source.lines.line_span(line).start.min(offset), 1),
        };
        let column = column + count_chars(&source.bytes[from..offset]);
        if source.bytes.get(offset).is_none_or(|b| b & 0xC0 != 0x80) {
            self.last = Some(Last { path, line, offset, column });
        }
        Position { line: line + 1, column }
    }

    /// Where `span` of `path` begins and ends.
    pub(super) fn range(&mut self, path: &RepoPath, span: Span) -> (Position, Position) {
        (self.position(path, span.start), self.position(path, span.end))
    }
}

/// Whether `finding` is about its file as a whole, not about a place in it.
pub(super) fn is_placeless(finding: &Finding) -> bool {
    finding.span == Span::empty(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::report::sanitize::tests::hostile_bytes;

    proptest! {
        #[test]
        fn agrees_with_the_line_index(bytes in hostile_bytes(), offsets in prop::collection::vec(0usize..60, 1..20)) {
            let report = crate::report::tests::report(&[("a.md", &bytes)]);
            let path = RepoPath::from("a.md");
            let source = &report.sources[&path];
            let mut locator = Locator::new(&report);
            for offset in offsets {
                prop_assert_eq!(locator.position(&path, offset), source.lines.position(&bytes, offset));
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
