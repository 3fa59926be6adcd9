//! What the text before an import says of it: that the file need not be there.

use crate::base::text::Span;
use crate::parse::Document;

/// Words of a paragraph by which what follows need not be there.
const OPTIONAL: [&str; 9] = [
    "if absent",
    "if it exists",
    "if missing",
    "if present",
    "if the file exists",
    "if the file is absent",
    "silently ignore",
    "when it exists",
    "when present",
];

/// So many bytes of that paragraph are looked at.
const MAX_PARAGRAPH: usize = 2000;

/// Whether the paragraph before an import that stands alone on its line says that the file may be missing.
pub(super) fn is_called_optional(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let first = document.text.ceil_char_boundary(line.start.saturating_sub(MAX_PARAGRAPH));
    let above = document.text[first..line.start].trim_end();
    let paragraph = above.rsplit("\n\n").next().unwrap_or(above).to_lowercase();
    document.slice(line).trim() == document.slice(span).trim() && OPTIONAL.iter().any(|word| paragraph.contains(word))
}
