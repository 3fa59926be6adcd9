//! Which pages only people read, where a slip in prose does no harm to an agent. Judges no character.

use std::cell::OnceCell;

use crate::base::kind::Kind;
use crate::parse::Document;
use crate::parse::markdown::{self, CodeKind, Markdown};
use crate::parse::unicode::UnicodeHit;
use crate::rules::Cx;
use crate::workspace::imports::ImportTarget;

/// Languages of fences that nobody runs: pictures, samples of output, prose.
const PICTURES: [&str; 12] =
    ["csv", "dot", "graphviz", "log", "markdown", "md", "mermaid", "output", "plaintext", "plantuml", "text", "txt"];

/// A document as people read it.
pub(super) struct PeoplesPage<'d> {
    document: &'d Document,
    /// Whether it is one that only people read.
    is_one: OnceCell<bool>,
    /// The Markdown of a file that was only searched for characters.
    markdown: OnceCell<Markdown>,
}

impl<'d> PeoplesPage<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        PeoplesPage { document, is_one: OnceCell::new(), markdown: OnceCell::new() }
    }

    /// Whether the character stands in a page that no agent loads by itself, and not in code that an agent would copy from it.
    pub(super) fn holds(&self, hit: &UnicodeHit, cx: &Cx<'_>) -> bool {
        let is_one = || is_page(self.document) && !is_imported(self.document, cx);
        *self.is_one.get_or_init(is_one) && !self.is_copied(hit)
    }

    /// Whether the character stands in a fence whose text is run or put into a file.
    fn is_copied(&self, hit: &UnicodeHit) -> bool {
        let markdown = match self.document.kind {
            Kind::Text => self.markdown.get_or_init(|| markdown::read(&self.document.text, 0)),
            _ => &self.document.markdown,
        };
        markdown.code_at(hit.span.start).is_some_and(|code| match &code.kind {
            CodeKind::Fence { language, .. } => !PICTURES.contains(&language.to_lowercase().as_str()),
            _ => false,
        })
    }
}

/// Whether the file is a README or a page among the documents for people, and was read only for its characters or by a link.
fn is_page(document: &Document) -> bool {
    let path = document.path.as_bytes().to_ascii_lowercase();
    let is_readme = document.path.file_name().to_ascii_lowercase().starts_with(b"readme.");
    let is_text = [&b".md"[..], b".mdx", b".markdown", b".rst", b".txt"].iter().any(|end| path.ends_with(end));
    let mut folders = path.split(|&byte| byte == b'/');
    let is_of_docs = folders.clone().any(|part| matches!(part, b"docs" | b"doc" | b"documentation"));
    let is_hidden = folders.any(|part| part.starts_with(b"."));
    matches!(document.kind, Kind::Text | Kind::Markdown) && is_text && (is_readme || is_of_docs && !is_hidden)
}

fn is_imported(document: &Document, cx: &Cx<'_>) -> bool {
    let leads_here = |target: &ImportTarget| matches!(target, ImportTarget::File(path) if *path == document.path);
    cx.workspace.imports.iter().any(|import| leads_here(&import.target))
}
