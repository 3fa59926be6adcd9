//! What a text names, as links: where a path leads, who names a file or a heading.

use gen_lsp_types::{DocumentLink, Location, Uri};

use super::view::View;
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::parse::Document;
use crate::workspace::mentions::found::{NamedAs, NamedPath, named_paths};
use crate::workspace::mentions::{heading_anchors, is_same_anchor};

/// References that are told, at most.
const MAX_REFERENCES: usize = 5000;

/// The path that `document` names at `offset`.
pub(super) fn named_at(view: &View<'_>, document: &Document, offset: usize) -> Option<NamedPath> {
    let named = named_paths(view.workspace(), document);
    named.into_iter().find(|named| named.span.contains(offset) || named.span.end == offset)
}

/// The place of a heading in a file that was loaded.
fn heading(view: &View<'_>, file: &RepoPath, anchor: &str) -> Option<Span> {
    let document = view.document(file)?;
    let anchors = heading_anchors(&document.markdown);
    let found = anchors.iter().position(|(_, slug)| is_same_anchor(slug, anchor)).or_else(|| {
        let headings = &document.markdown.headings;
        headings.iter().position(|heading| heading.id.as_deref().is_some_and(|id| is_same_anchor(id, anchor)))
    })?;
    anchors.get(found).map(|(span, _)| *span)
}

/// The file whose text has to be read before it can be told where the path at `offset` leads.
pub(super) fn unread_target(view: &View<'_>, document: &Document, offset: usize) -> Option<RepoPath> {
    let named = named_at(view, document, offset)?;
    named.file.filter(|file| named.anchor.is_some() && view.is_unread(file))
}

/// Where the path at `offset` leads.
pub(super) fn definition(view: &View<'_>, document: &Document, offset: usize) -> Option<Location> {
    let named = named_at(view, document, offset)?;
    let file = named.file?;
    let span = named.anchor.and_then(|anchor| heading(view, &file, &anchor)).unwrap_or_default();
    Some(view.location(&file, span))
}

/// All files that the text names. What is part of a pattern is no link.
pub(super) fn document_links(view: &View<'_>, document: &Document) -> Vec<DocumentLink> {
    let lined = view.lined(&document.text);
    let named = named_paths(view.workspace(), document);
    let link = |named: NamedPath| {
        let file = named.file.filter(|_| named.form != NamedAs::Pattern)?;
        let mut target = view.uri(&file);
        if let Some(span) = named.anchor.and_then(|anchor| heading(view, &file, &anchor)) {
            let line = view.range(&file, span).start.line + 1;
            target = Uri(format!("{}#L{line}", target.0));
        }
        Some(DocumentLink { range: lined.range(named.span), target: Some(target), ..DocumentLink::default() })
    };
    named.into_iter().filter_map(link).collect()
}

/// What references are looked for.
struct WantedReferences {
    file: RepoPath,
    /// The heading's anchor and the heading; all that names the file without one.
    anchors: Vec<String>,
    declared: Span,
}

fn wanted(view: &View<'_>, document: &Document, offset: usize) -> Option<WantedReferences> {
    if let Some(NamedPath { file: Some(file), anchor, .. }) = named_at(view, document, offset) {
        let declared = anchor.as_ref().and_then(|anchor| heading(view, &file, anchor));
        return Some(WantedReferences {
            file,
            anchors: anchor.into_iter().collect(),
            declared: declared.unwrap_or_default(),
        });
    }
    let file = document.path.clone();
    let headings = heading_anchors(&document.markdown);
    let at = headings.iter().position(|(span, _)| span.contains(offset) || span.end == offset);
    match at {
        Some(at) => {
            let (declared, slug) = headings[at].clone();
            let own = document.markdown.headings.get(at).and_then(|heading| heading.id.clone());
            Some(WantedReferences { file, anchors: std::iter::once(slug).chain(own).collect(), declared })
        }
        // Anywhere else the file itself is meant.
        None => Some(WantedReferences { file, anchors: Vec::new(), declared: Span::default() }),
    }
}

/// Who names the heading, or the file, that is meant at `offset`.
pub(super) fn references(view: &View<'_>, document: &Document, offset: usize, with_declaration: bool) -> Vec<Location> {
    let Some(wanted) = wanted(view, document, offset) else { return Vec::new() };
    let is_meant = |named: &NamedPath| {
        let anchored = |anchor: &String| wanted.anchors.iter().any(|wanted| is_same_anchor(wanted, anchor));
        named.file.as_ref() == Some(&wanted.file)
            && match wanted.anchors.is_empty() {
                // A link within the file names no file.
                true => !named.path.is_empty(),
                false => named.anchor.as_ref().is_some_and(anchored),
            }
    };
    let mut found: Vec<Location> = Vec::new();
    if with_declaration {
        found.push(view.location(&wanted.file, wanted.declared));
    }
    for other in &view.workspace().documents {
        let named = named_paths(view.workspace(), other).into_iter().filter(|named| is_meant(named));
        let lined = view.lined(&other.text);
        let uri = view.uri(&other.path);
        found.extend(named.map(|named| Location { uri: uri.clone(), range: lined.range(named.span) }));
        if found.len() > MAX_REFERENCES {
            found.truncate(MAX_REFERENCES);
            break;
        }
    }
    found
}
