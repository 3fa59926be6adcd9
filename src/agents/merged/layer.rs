//! One file's contribution to a merged context: its text normalised as the design says, cut at its imports. Looks at one
//! document only; the caller says which tokens are imports and which hidden characters stay.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::close::close;
use super::import::{self, AtPath};
use super::marker;
use crate::base::kind::FrontmatterStyle;
use crate::base::text::Span;
use crate::parse::{Document, unicode};

/// A normalised text. Lines are counted from 0 in the source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NormalisedText {
    /// Text and whole-line imports, in order.
    pub parts: Vec<TextPart>,
    /// Imports that stand inside sentences: their text follows after all parts.
    pub trailing: Vec<PathImport>,
    /// The last line that contributes.
    pub last_line: usize,
    /// Whether normalising the file panicked, so that its text is not known.
    pub failed: bool,
}

/// A piece of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextPart {
    /// Whole lines, each with its `\n`, from consecutive source lines.
    Text {
        /// The lines.
        text: String,
        /// Source line of the first.
        line: usize,
    },
    /// A line that is only `@path`.
    Import(PathImport),
}

/// An import by path, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathImport {
    /// The path without the `@`.
    pub path: String,
    /// Source line of the token.
    pub line: usize,
    /// The token with its `@`, in bytes of the source file.
    pub span: Span,
}

impl NormalisedText {
    /// Normalise a document. A layer without parts is empty and contributes nothing. `clean` removes hidden characters from
    /// a text. The grammar finds tokens; a token is an import if `is_import` accepts its path as written.
    pub(crate) fn of(
        document: &Document,
        clean: impl for<'t> Fn(&'t str) -> Cow<'t, str>,
        is_import: &dyn Fn(&str) -> bool,
    ) -> NormalisedText {
        #[cfg(test)]
        crate::base::defect::provoke("a layer", &document.bytes);
        match cleaned(document, clean) {
            None => normalise(document, is_import),
            Some(text) => {
                let bytes = text.into_bytes().into();
                let clean = Document::parse(document.path.clone(), document.kind, bytes);
                normalise(&clean, is_import).with_spans_in(document)
            }
        }
    }

    /// With the tokens' spans in `document`, of which only the clean text was read. A token that hidden characters kept from
    /// being one there has the span of its line.
    fn with_spans_in(mut self, document: &Document) -> NormalisedText {
        let tokens = import::tokens(document, body_of(document));
        let of_parts = self.parts.iter_mut().filter_map(|part| match part {
            TextPart::Import(import) => Some(import),
            TextPart::Text { .. } => None,
        });
        for import in of_parts.chain(&mut self.trailing) {
            let line = document.lines.line_span(import.line.min(document.lines.count() - 1));
            let same = |token: &&AtPath| line.covers(token.span) && token.path == import.path;
            import.span = tokens.iter().find(same).map_or(line, |token| token.span);
        }
        self
    }

    /// The text of a document without hidden characters and without any import.
    pub(crate) fn text_of(document: &Document) -> String {
        let layer = NormalisedText::of(document, unicode::sanitize, &|_| false);
        let text = |part: TextPart| match part {
            TextPart::Text { text, .. } => text,
            TextPart::Import(_) => String::new(),
        };
        layer.parts.into_iter().map(text).collect()
    }

    /// Whether the file contributes nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty() && !self.failed
    }

    /// Length of the text in bytes, imports aside.
    pub(crate) fn len(&self) -> usize {
        let len = |part: &TextPart| match part {
            TextPart::Text { text, .. } => text.len(),
            TextPart::Import(_) => 0,
        };
        self.parts.iter().map(len).sum()
    }
}

/// The whole file as valid UTF-8, without hidden characters and without lone carriage returns; `None` if it is so already.
/// A lone carriage return ends a line in Markdown, and a terminal that obeys it hides the text before it. Line numbers change
/// only in files that have one.
fn cleaned(document: &Document, clean: impl for<'t> Fn(&'t str) -> Cow<'t, str>) -> Option<String> {
    let text = String::from_utf8_lossy(&document.bytes);
    let mut clean = clean(&text);
    let bytes = clean.as_bytes();
    if memchr::memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n')) {
        clean = clean.replace("\r\n", "\n").replace('\r', "\n").into();
    }
    (clean.as_bytes() != &*document.bytes).then(|| clean.into_owned())
}

/// A line of the output and where it came from.
pub(super) struct OutputLine<'a> {
    pub(super) text: Cow<'a, str>,
    /// The source line, from 0.
    pub(super) source: usize,
    /// The import that the line consists of.
    pub(super) import: Option<&'a AtPath>,
}

fn normalise(document: &Document, is_import: &dyn Fn(&str) -> bool) -> NormalisedText {
    let body = body_of(document);
    let mut tokens = import::tokens(document, body);
    tokens.retain(|token| is_import(&token.path));
    let mut lines = lines_of(document, body, &tokens);
    close(document, body, &mut lines);
    let mut layer = assemble(&lines);
    let alone: BTreeSet<Span> = lines.iter().filter_map(|line| line.import).map(|token| token.span).collect();
    let in_text = tokens.iter().filter(|token| !alone.contains(&token.span));
    layer.trailing = in_text
        .map(|token| PathImport {
            path: token.path.clone(),
            line: document.lines.line_of(token.span.start),
            span: token.span,
        })
        .collect();
    layer
}

fn body_of(document: &Document) -> usize {
    if document.kind.frontmatter() == FrontmatterStyle::WholeFile {
        return if document.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    }
    let body = document.body.min(document.text.len());
    if body == 0 && document.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { body }
}

/// The body's lines without line endings, `hintlint-` comments and blank lines at both ends; imitated markers are quoted.
fn lines_of<'a>(document: &'a Document, body: usize, tokens: &'a [AtPath]) -> Vec<OutputLine<'a>> {
    let cuts = cuts(document, body);
    let mut lines: Vec<OutputLine<'a>> = Vec::new();
    let mut cut_behind = false;
    let first = document.lines.line_of(body);
    let mut pending: Option<OutputLine<'a>> = None;
    for number in first..document.lines.count() {
        let span = document.lines.line_span(number);
        let content = document.lines.line_content(&document.bytes, number);
        let content = Span::new(content.start.max(body), content.end.max(body));
        let (text, cut) = without(document, content, &cuts);
        cut_behind |= cut;
        let mut line = match pending.take() {
            Some(before) if !before.text.is_empty() => OutputLine { text: before.text + text, ..before },
            _ => OutputLine { text, source: number, import: None },
        };
        // A comment that holds the line's end joins what stands before it to what stands behind.
        if span.end > content.end && from(&cuts, span.end - 1).first().is_some_and(|cut| cut.contains(span.end - 1)) {
            pending = Some(line);
            continue;
        }
        if cut && line.text.ends_with([' ', '\t']) {
            line.text = line.text.trim_end().to_owned().into();
        }
        let after_blank = lines.last().is_none_or(|line| line.is_blank());
        if !(cut_behind && after_blank && line.is_blank()) {
            line.import = whole_line_token(document, &line, content, tokens);
            lines.push(line);
            cut_behind = false;
        }
    }
    lines.extend(pending);
    for line in &mut lines {
        if let Some(quoted) = marker::quote(&line.text) {
            line.text = quoted.into();
        }
    }
    trim(&mut lines);
    lines
}

impl OutputLine<'_> {
    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

fn trim(lines: &mut Vec<OutputLine<'_>>) {
    let end = lines.iter().rposition(|line| !line.is_blank()).map_or(0, |last| last + 1);
    lines.truncate(end);
    let start = lines.iter().position(|line| !line.is_blank()).unwrap_or(0);
    lines.drain(..start);
}

/// The `hintlint-` comments of the body; one that is alone on its lines goes with the line ending.
fn cuts(document: &Document, body: usize) -> Vec<Span> {
    let text = &document.text;
    let ours = document.markdown.comments.iter().filter(|comment| comment.span.start >= body);
    let ours = ours.filter(|comment| document.slice(comment.content).trim_start().starts_with("hintlint-"));
    ours.map(|comment| {
        let Span { start, end } = comment.span;
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1).max(body);
        let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
        let alone = text[line_start..start].trim().is_empty() && text[end..line_end].trim().is_empty();
        if alone { Span::new(line_start, line_end) } else { comment.span }
    })
    .collect()
}

/// Those of `cuts`, which are sorted and apart, that end behind `offset`.
fn from(cuts: &[Span], offset: usize) -> &[Span] {
    &cuts[cuts.partition_point(|cut| cut.end <= offset)..]
}

/// The text of `content` without what the cuts take, and whether they took anything of it or around it.
fn without<'a>(document: &'a Document, content: Span, cuts: &[Span]) -> (Cow<'a, str>, bool) {
    let near = from(cuts, content.start).iter().take_while(|cut| cut.start <= content.end);
    let mut cuts = near.filter(|cut| cut.overlaps(content) || cut.contains(content.start)).peekable();
    if cuts.peek().is_none() {
        return (document.slice(content).into(), false);
    }
    let mut kept = String::new();
    let mut at = content.start;
    for cut in cuts {
        kept.push_str(document.slice(Span::new(at, cut.start.clamp(at, content.end))));
        at = cut.end.clamp(at, content.end);
    }
    kept.push_str(document.slice(Span::new(at, content.end)));
    (kept.into(), true)
}

fn whole_line_token<'a>(
    document: &Document,
    line: &OutputLine<'_>,
    content: Span,
    tokens: &'a [AtPath],
) -> Option<&'a AtPath> {
    let next = tokens.partition_point(|token| token.span.start < content.start);
    let token = tokens.get(next).filter(|token| content.covers(token.span))?;
    (line.text.trim() == document.slice(token.span)).then_some(token)
}

fn assemble(lines: &[OutputLine<'_>]) -> NormalisedText {
    let mut layer =
        NormalisedText { last_line: lines.last().map_or(0, |line| line.source), ..NormalisedText::default() };
    let mut next = None;
    for line in lines {
        if let Some(token) = line.import {
            layer.parts.push(TextPart::Import(PathImport {
                path: token.path.clone(),
                line: line.source,
                span: token.span,
            }));
            next = None;
            continue;
        }
        match layer.parts.last_mut() {
            Some(TextPart::Text { text, .. }) if next == Some(line.source) => {
                text.push_str(&line.text);
                text.push('\n');
            }
            _ => layer.parts.push(TextPart::Text { text: format!("{}\n", line.text), line: line.source }),
        }
        next = Some(line.source + 1);
    }
    layer
}

#[cfg(test)]
mod tests;
