//! What a text consists of: its headings with the progress of their tasks, its frontmatter, and marks where characters hide.

use gen_lsp_types::{DocumentSymbol, InlayHint, SymbolKind};

use super::view::View;
use crate::base::characters::{is_hidden, visible};
use crate::base::kind::Kind;
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::tasks::BoxStanding;
use crate::plan::{Overview, Progress};

/// Marks of one answer, and symbols of one kind, at most.
const MAX_MARKS: usize = 5000;
/// Kinds of characters that one mark names, and characters of a payload that it shows.
const NAMED: usize = 3;
const SHOWN: usize = 40;

/// The outline of a document: frontmatter, then headings as a tree, with the tasks of a plan.
pub(super) fn symbols(view: &View<'_>, document: &Document) -> Vec<DocumentSymbol> {
    let mut roots: Vec<DocumentSymbol> = frontmatter(view, document).into_iter().collect();
    roots.extend(headings(view, document));
    roots
}

fn symbol(view: &View<'_>, document: &Document, name: &str, span: Span, named: Span) -> DocumentSymbol {
    let lined = view.lined(&document.text);
    let name = sanitize::line(name.trim());
    #[allow(deprecated, reason = "the type has the field, and no other way to be made")]
    DocumentSymbol {
        name: if name.is_empty() { "(empty)".to_owned() } else { name.into_owned() },
        kind: SymbolKind::String,
        range: lined.range(span),
        selection_range: lined.range(named),
        detail: None,
        tags: None,
        deprecated: None,
        children: None,
    }
}

fn frontmatter(view: &View<'_>, document: &Document) -> Option<DocumentSymbol> {
    let frontmatter = document.frontmatter.as_ref()?;
    let field = |field: &crate::parse::frontmatter::Field| {
        let span = Span::new(field.key_span.start, field.value.span.end.max(field.key_span.end));
        let value = sanitize::line(document.slice(field.value.span).trim()).chars().take(SHOWN).collect::<String>();
        DocumentSymbol {
            kind: SymbolKind::Property,
            detail: Some(value),
            ..symbol(view, document, &field.key, span, field.key_span)
        }
    };
    let children = frontmatter.fields.iter().take(MAX_MARKS).map(field).collect();
    let whole = symbol(view, document, "frontmatter", frontmatter.span, frontmatter.span);
    Some(DocumentSymbol { kind: SymbolKind::Namespace, children: Some(children), ..whole })
}

/// Headings as a tree. Each reaches to the next of its level or above.
fn headings(view: &View<'_>, document: &Document) -> Vec<DocumentSymbol> {
    let overview = Overview::of(document);
    let headings: Vec<_> = document.markdown.headings.iter().take(MAX_MARKS).collect();
    // From the last to the first, each takes those behind it that lie deeper.
    let mut open: Vec<(u8, DocumentSymbol)> = Vec::new();
    for (at, heading) in headings.iter().enumerate().rev() {
        let later = headings[at + 1..].iter().find(|later| later.level <= heading.level);
        let end = later.map_or(document.text.len(), |later| later.span.start);
        let next = headings.get(at + 1).map_or(document.text.len(), |next| next.span.start);
        let own = Span::new(heading.span.start, next.max(heading.span.end));
        let mut children = tasks(view, document, own);
        while open.last().is_some_and(|(level, _)| *level > heading.level) {
            children.extend(open.pop().map(|(_, child)| child));
        }
        let line = document.lines.position(&document.bytes, heading.span.start).line;
        let section = overview.sections.iter().find(|section| section.line == line);
        let whole = Span::new(heading.span.start, end.max(heading.span.end));
        let symbol = symbol(view, document, &heading.text, whole, heading.span);
        let detail = section.map(|section| told(section.progress));
        open.push((heading.level, DocumentSymbol { detail, children: Some(children), ..symbol }));
    }
    let mut found: Vec<DocumentSymbol> = open.into_iter().rev().map(|(_, symbol)| symbol).collect();
    let first = headings.first().map_or(document.text.len(), |first| first.span.start);
    let before = tasks(view, document, Span::new(0, first));
    found.splice(0..0, before);
    found
}

fn told(progress: Progress) -> String {
    let percent = (progress.completed * 100).checked_div(progress.total).unwrap_or(0);
    format!("{progress} done ({percent}%)")
}

/// The tasks of a plan in `span`.
fn tasks(view: &View<'_>, document: &Document, span: Span) -> Vec<DocumentSymbol> {
    if document.kind != Kind::Plan {
        return Vec::new();
    }
    let own = document.tasks.iter().filter(|task| span.contains(task.marker.start)).take(MAX_MARKS);
    let task = |task: &crate::parse::Task| {
        let state = match task.standing {
            BoxStanding::Open => "open",
            BoxStanding::Done => "done",
            BoxStanding::Cancelled => "cancelled",
        };
        let whole = Span::new(task.marker.start, task.text.end.max(task.marker.end));
        let symbol = symbol(view, document, document.slice(task.text), whole, task.marker);
        DocumentSymbol { kind: SymbolKind::Boolean, detail: Some(state.to_owned()), ..symbol }
    };
    own.map(task).collect()
}

/// Marks beside hidden characters in `span`: which they are, and what they spell.
pub(super) fn inlay_hints(view: &View<'_>, document: &Document, span: Span) -> Vec<InlayHint> {
    let lined = view.lined(&document.text);
    let own = document.hidden.iter().filter(|hit| hit.span.start < span.end && hit.span.end > span.start);
    let mark = |hit: &crate::parse::unicode::UnicodeHit| {
        let text = document.text.get(hit.span.range())?;
        let hidden: Vec<char> = text.chars().filter(|&c| is_hidden(c)).collect();
        if hidden.is_empty() {
            return None;
        }
        let mut kinds: Vec<String> = Vec::new();
        for c in &hidden {
            let name = format!("U+{:04X}", u32::from(*c));
            if kinds.len() < NAMED && !kinds.contains(&name) {
                kinds.push(name);
            }
        }
        let mut label = kinds.join(" ");
        if hidden.len() > kinds.len() {
            label = format!("{label} ({} hidden characters)", hidden.len());
        }
        if let Some(decoded) = &hit.decoded {
            let payload: String = visible(&decoded.text).chars().take(SHOWN).collect();
            label = format!("{label} \"{payload}\"");
        }
        Some(InlayHint {
            position: lined.position(hit.span.start),
            label: format!("⟦{label}⟧").into(),
            tooltip: Some(sanitize::line(&hit.message).into_owned().into()),
            kind: None,
            text_edits: None,
            padding_left: None,
            padding_right: None,
            data: None,
        })
    };
    own.filter_map(mark).take(MAX_MARKS).collect()
}
