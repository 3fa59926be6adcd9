//! Paths that the text means just as it writes them, from its own folder: no file of the same name elsewhere is meant.

use crate::base::text::Span;
use crate::parse::Document;

/// Whether the path surely counts from the folder of the text. What a line imports counts from the file that has the line.
pub(super) fn is_exact(document: &Document, span: Span, written: &str) -> bool {
    let climbs = written.starts_with("../") && !document.path.parent().is_empty();
    let is_import = || {
        let line = document.lines.line_span(document.lines.line_of(span.start));
        let text = &document.text;
        let start = text.floor_char_boundary(span.start.saturating_sub(IMPORT_REACH).max(line.start));
        let end = text.floor_char_boundary((span.end + IMPORT_REACH).min(line.end));
        let around = text[start..end].to_lowercase();
        let before = text[start..span.start].trim_end_matches(['`', '"', '\'', ' ']);
        let words = ["import", "require", "include", "export", "extends"];
        before.ends_with(" from") || words.iter().any(|word| around.contains(word))
    };
    is_page_beside(document, written) || climbs && !document.kind.is_general() && !is_import()
}

/// Bytes on either side of a path, in its line, in which the word stands that makes it an import.
const IMPORT_REACH: usize = 400;

/// Whether the text names a page beside it as such: `./overview.md`.
pub(super) fn is_page_beside(document: &Document, written: &str) -> bool {
    let is_page = written.ends_with(".md") || written.ends_with(".mdc");
    written.starts_with("./") && is_page && !document.kind.is_general()
}
