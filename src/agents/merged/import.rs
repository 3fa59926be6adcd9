//! The `@path` tokens of a document that `merged` reads as imports.

use std::borrow::Cow;

use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::imports::{Grammar, may_import, references, references_of};

/// One `@path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AtPath {
    /// From the `@` to the end of the path.
    pub span: Span,
    /// The path as written, without the `@`.
    pub path: String,
}

/// The tokens of the document's text from `body` on that could be imports, in order.
pub(crate) fn tokens(document: &Document, body: usize) -> Vec<AtPath> {
    if !may_import(document) {
        return Vec::new();
    }
    let found = match body {
        0 => Cow::Borrowed(references_of(Grammar::Prose, document)),
        _ => Cow::Owned(references(Grammar::Prose, document.text.get(body..).unwrap_or_default())),
    };
    let live = found.iter().filter(|reference| reference.inert.is_none());
    live.map(|reference| AtPath {
        span: Span::new(reference.span.start + body, reference.span.end + body),
        path: reference.path.clone(),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;

    #[test]
    fn source_code_imports_nothing() {
        let count = |path: &str, kind| {
            let document = Document::parse(path.into(), kind, b"@docs/a.md\n".as_slice().into());
            tokens(&document, 0).len()
        };
        assert_eq!(count("AGENTS.md", Kind::AgentsMd), 1);
        assert_eq!(count(".dexhints", Kind::of_agent("dex-hints")), 1);
        assert_eq!(count("docs/x.md", Kind::Imported), 1);
        assert_eq!(count("LICENSE", Kind::Imported), 1);
        assert_eq!(count("src/views.py", Kind::Imported), 0);
        assert_eq!(count("package.json", Kind::Imported), 0);
    }
}
