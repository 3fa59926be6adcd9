//! Which pages only people read, where a slip in prose does no harm to an agent. Judges no character.

use std::cell::OnceCell;

use crate::base::kind::Kind;
use crate::parse::Document;
use crate::parse::markdown::{self, Code, CodeKind, Markdown};
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

    /// Whether a character has no effect where it stands: a lone zero-width space at the end of a word, or a lone left-to-right
    /// embedding on a line without right-to-left letters, in the prose of a page that no agent loads by itself.
    pub(super) fn is_idle(&self, hit: &UnicodeHit, cx: &Cx<'_>) -> bool {
        let document = self.document;
        let of_this_rule = document.hidden.iter().filter(|other| other.class.rule() == hit.class.rule());
        let is_unloaded = || document.kind == Kind::SkillPage || is_page(document);
        of_this_rule.take(MAX_IDLE + 1).count() <= MAX_IDLE
            && self.is_alone(hit)
            && is_unloaded()
            && !is_imported(document, cx)
            && self.code_at(hit).is_none()
    }

    /// Whether the character is one of those, no other is on its line, and nothing that takes effect is beside it.
    fn is_alone(&self, hit: &UnicodeHit) -> bool {
        let document = self.document;
        let line = document.lines.line_span(document.lines.line_of(hit.span.start));
        let from = document.hidden.partition_point(|other| other.span.start < line.start);
        let on_line = document.hidden[from..].iter().take_while(|other| other.span.start < line.end).count();
        let before = document.text.get(line.start..hit.span.start);
        let Some((before, after)) = before.zip(document.text.get(hit.span.end..line.end)) else { return false };
        let is_linked = document.markdown.links.iter().any(|link| link.destination_span.covers(hit.span));
        let is_idle = match document.slice(hit.span) {
            "\u{200B}" => ends_a_word(before, after),
            "\u{202A}" => !before.chars().chain(after.chars()).any(may_run_leftwards),
            _ => false,
        };
        hit.decoded.is_none() && hit.span.start >= document.body && on_line == 1 && !is_linked && is_idle
    }

    /// The code that the character stands in.
    fn code_at(&self, hit: &UnicodeHit) -> Option<&Code> {
        let markdown = match self.document.kind {
            Kind::Text => self.markdown.get_or_init(|| markdown::read(&self.document.text, 0)),
            _ => &self.document.markdown,
        };
        markdown.code_at(hit.span.start)
    }

    /// Whether the character stands in a fence whose text is run or put into a file.
    fn is_copied(&self, hit: &UnicodeHit) -> bool {
        self.code_at(hit).is_some_and(|code| match &code.kind {
            CodeKind::Fence { language, .. } => !PICTURES.contains(&language.to_lowercase().as_str()),
            _ => false,
        })
    }
}

/// Characters without effect in one file, at most: more of them may carry data by where they stand and where not.
const MAX_IDLE: usize = 8;

/// Whether what stands between two parts of a line follows a word of the text, and no path, import or open address that it would
/// change.
fn ends_a_word(before: &str, after: &str) -> bool {
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_closed = last.ends_with(['>', ')', ']']);
    let is_followed = last.contains(['@', '/', '`', '$', '~']);
    let is_last = after.chars().next().is_none_or(char::is_whitespace);
    is_last && !before.trim().is_empty() && (is_closed || !is_followed)
}

/// Whether a character is drawn from right to left, or changes the order of others.
fn may_run_leftwards(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}')
        || matches!(c, '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
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
