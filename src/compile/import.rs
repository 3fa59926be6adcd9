//! Which documents `merged` reads imports from, and the `@path` tokens of their text.

use crate::base::kind::Kind;
use crate::base::path;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::imports::{Grammar, references, references_of};

/// One `@path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// From the `@` to the end of the path.
    pub span: Span,
    /// The path as written, without the `@`.
    pub path: String,
}

/// Extensions of imported files in which `@path` can be an import. In others (source code, JSON) it is a decorator or a package.
const PROSE_EXTENSIONS: [&str; 10] = ["adoc", "markdown", "md", "mdc", "mdx", "org", "qmd", "rst", "text", "txt"];

/// The tokens of the document's text from `body` on that could be imports, in order.
pub fn tokens(document: &Document, body: usize) -> Vec<Token> {
    if !may_import(document) {
        return Vec::new();
    }
    let found = match body {
        0 => references_of(Grammar::Merged, document),
        _ => references(Grammar::Merged, document.text.get(body..).unwrap_or_default()),
    };
    let live = found.into_iter().filter(|reference| reference.inert.is_none());
    live.map(|reference| Token {
        span: Span::new(reference.span.start + body, reference.span.end + body),
        path: reference.path,
    })
    .collect()
}

/// Whether tokens in a file of this kind and name can be imports.
pub fn may_import(document: &Document) -> bool {
    match document.kind {
        Kind::Artifact | Kind::PackageYaml => false,
        Kind::Imported => extension(document.path.as_bytes()).is_none_or(|extension| {
            PROSE_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
        }),
        _ => true,
    }
}

/// What stands after the last dot of the file name; `None` for `.env` and for names without a dot.
fn extension(path: &[u8]) -> Option<&[u8]> {
    let name = path::file_name(path);
    let dot = memchr::memrchr(b'.', name)?;
    (dot > 0).then(|| &name[dot + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

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
