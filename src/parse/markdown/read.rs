//! The one pass over the Markdown parser's events that fills [`Markdown`].

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, LinkType, OffsetIter, Options, Parser, Tag, TagEnd};

use super::bound;
use super::links::{self, Definitions};
use super::{Code, CodeKind, Heading, Link, LinkKind, ListItem, Markdown, TextLeaf, html};
use crate::base::text::Span;
use crate::parse::imports::{Gather, Leaf};

/// Markdown as GitHub and the agents' readers see it. Frontmatter was cut off before.
const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// Read the Markdown of `text` from offset `base` on.
pub(super) fn read(text: &str, base: usize) -> Markdown {
    pass(text, base, None)
}

/// The same, and the leaves in which imports are looked for, where they can be had from the same pass over the whole text.
pub(in crate::parse) fn read_with_leaves(text: &str, base: usize) -> (Markdown, Option<Vec<Leaf>>) {
    let mut gather = if base == 0 { Gather::beside(text) } else { None };
    let markdown = pass(text, base, gather.as_mut());
    (markdown, gather.map(Gather::finish))
}

fn pass(text: &str, base: usize, mut gather: Option<&mut Gather<'_>>) -> Markdown {
    let excess = bound::excess(&text[base..]).map(|(at, why)| (base + at, why));
    let read = &text[base..excess.map_or(text.len(), |(at, _)| at)];
    let mut events: OffsetIter<'_> = Parser::new_ext(read, OPTIONS).into_offset_iter();
    let definitions = Definitions::collect(text, base, events.reference_definitions());
    let mut pass = Pass { text, base, definitions, ..Pass::new(text, base) };
    pass.out.excess = excess;
    for (event, range) in events.by_ref() {
        if let Some(gather) = &mut gather {
            gather.event(&event, range.clone());
        }
        pass.event(event, Span::new(base + range.start, base + range.end));
    }
    pass.finish()
}

/// A link that is still open.
struct OpenLink {
    link: Link,
    /// The end of what its text holds so far.
    inner_end: usize,
    inline: bool,
}

/// A code block that is still open.
struct OpenCode {
    fence: Option<String>,
    content: Option<Span>,
}

struct Pass<'t> {
    text: &'t str,
    base: usize,
    definitions: Definitions,
    out: Markdown,
    heading: Option<Heading>,
    links: Vec<OpenLink>,
    code: Option<OpenCode>,
    items: Vec<usize>,
    /// Images and autolinks that are open; their text is no text leaf.
    silent: usize,
    /// Whether the last event was text, so that text that follows at once belongs to the same run.
    text_runs_on: bool,
}

impl<'t> Pass<'t> {
    fn new(text: &'t str, base: usize) -> Self {
        Pass {
            text,
            base,
            definitions: Definitions::default(),
            out: Markdown::default(),
            heading: None,
            links: Vec::new(),
            code: None,
            items: Vec::new(),
            silent: 0,
            text_runs_on: false,
        }
    }

    fn event(&mut self, event: Event<'_>, span: Span) {
        let runs_on = std::mem::replace(&mut self.text_runs_on, matches!(event, Event::Text(_)));
        if let Some(open) = self.links.last_mut().filter(|open| open.link.span.covers(span) && open.link.span != span) {
            open.inner_end = open.inner_end.max(span.end);
        }
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.end(tag, span),
            Event::Text(text) => self.text(&text, span, runs_on),
            Event::Code(code) => {
                self.heading_text(&code);
                self.out.code.push(code_span(self.text, span));
            }
            Event::InlineHtml(_) => html::inline(self.text, span, &mut self.out),
            Event::SoftBreak | Event::HardBreak => self.heading_text(" "),
            Event::Rule => self.out.blocks.push(span),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, span: Span) {
        match tag {
            Tag::Paragraph | Tag::BlockQuote(_) | Tag::Table(_) => self.out.blocks.push(span),
            Tag::List(_) => {
                self.out.blocks.push(span);
                if let Some(&item) = self.items.last() {
                    let content = &mut self.out.items[item].content;
                    content.end = content.end.min(span.start).max(content.start);
                }
            }
            Tag::Item => {
                self.out.blocks.push(span);
                let item = list_item(self.text, span, &self.items);
                self.items.push(self.out.items.len());
                self.out.items.push(item);
            }
            Tag::HtmlBlock => {
                self.out.blocks.push(span);
                html::block(self.text, span, &mut self.out);
            }
            Tag::Heading { level, .. } => {
                self.out.blocks.push(span);
                let span = Span::new(span.start, span.start + self.text[span.range()].trim_end().len());
                self.heading = Some(Heading { span, level: level_number(level), text: String::new(), id: None });
            }
            Tag::CodeBlock(kind) => {
                self.out.blocks.push(span);
                let fence = match kind {
                    CodeBlockKind::Fenced(info) => Some(info.split_whitespace().next().unwrap_or("").to_owned()),
                    CodeBlockKind::Indented => None,
                };
                self.code = Some(OpenCode { fence, content: None });
            }
            Tag::Link { link_type, dest_url, id, .. } => self.open_link(link_type, &dest_url, &id, span, false),
            Tag::Image { link_type, dest_url, id, .. } => self.open_link(link_type, &dest_url, &id, span, true),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, span: Span) {
        match tag {
            TagEnd::Item => drop(self.items.pop()),
            TagEnd::Heading(_) => {
                if let Some(mut heading) = self.heading.take() {
                    heading.id = take_id(&mut heading.text);
                    self.out.headings.push(heading);
                }
            }
            TagEnd::CodeBlock => self.close_code(span),
            TagEnd::Link | TagEnd::Image => self.close_link(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, span: Span, runs_on: bool) {
        if let Some(code) = &mut self.code {
            let start = code.content.map_or(span.start, |content| content.start);
            code.content = Some(Span::new(start, span.end.max(start)));
            return;
        }
        self.heading_text(text);
        if self.silent > 0 || span.is_empty() {
            return;
        }
        match self.out.text.last_mut() {
            // The parser splits text where markup might have begun, and leaves out the backslash of an escape.
            Some(leaf) if runs_on && matches!(&self.text[leaf.span.end..span.start], "" | "\\") => {
                leaf.span.end = span.end
            }
            _ => self.out.text.push(TextLeaf { span: with_escape(self.text, span) }),
        }
    }

    fn heading_text(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.text.push_str(text);
        }
    }

    fn close_code(&mut self, span: Span) {
        let Some(OpenCode { fence, content }) = self.code.take() else { return };
        let code = match fence {
            Some(language) => fenced(self.text, span, content, language),
            None => {
                // The parser leaves out the first line's indentation.
                let before = &self.text[self.base..span.start];
                let start = self.base + before.trim_end_matches([' ', '\t']).len();
                let span = Span::new(start, span.end);
                Code { span, content: content.unwrap_or(span), kind: CodeKind::Indented }
            }
        };
        self.out.code.push(code);
    }

    fn open_link(&mut self, link_type: LinkType, destination: &str, label: &str, span: Span, image: bool) {
        let inline = matches!(link_type, LinkType::Inline);
        let kind = match link_type {
            _ if image => LinkKind::Image,
            LinkType::Inline => LinkKind::Inline,
            LinkType::Autolink | LinkType::Email => LinkKind::Autolink,
            _ => LinkKind::Reference,
        };
        let destination_span = match kind {
            LinkKind::Autolink => inside_brackets(self.text, span),
            _ => self.definitions.place_of(label).unwrap_or(Span::empty(span.end)),
        };
        self.silent += usize::from(matches!(kind, LinkKind::Image | LinkKind::Autolink));
        let link = Link { span, destination: destination.to_owned(), destination_span, kind };
        self.links.push(OpenLink { link, inner_end: span.start + 1 + usize::from(image), inline });
    }

    fn close_link(&mut self) {
        let Some(OpenLink { mut link, inner_end, inline }) = self.links.pop() else { return };
        if matches!(link.kind, LinkKind::Image | LinkKind::Autolink) {
            self.silent = self.silent.saturating_sub(1);
        }
        if inline {
            link.destination_span = links::inline_destination(self.text, link.span, inner_end);
        }
        self.out.links.push(link);
    }

    fn finish(mut self) -> Markdown {
        for (_, definition) in std::mem::take(&mut self.definitions).into_links() {
            self.out.blocks.push(definition.span);
            self.out.links.push(definition);
        }
        let out = &mut self.out;
        out.links.sort_by_key(|link| (link.span.start, std::cmp::Reverse(link.span.end)));
        out.blocks.sort_by_key(|block| (block.start, std::cmp::Reverse(block.end)));
        out.blocks.dedup();
        out.comments.sort_by_key(|comment| comment.span.start);
        out.html.sort_unstable();
        self.out
    }
}

fn level_number(level: HeadingLevel) -> u8 {
    level as u8
}

/// A text span with the backslash that escapes its first character.
fn with_escape(text: &str, span: Span) -> Span {
    let escaped =
        text[..span.start].ends_with('\\') && text[span.range()].starts_with(|c: char| c.is_ascii_punctuation());
    Span::new(span.start - usize::from(escaped), span.end)
}

fn inside_brackets(text: &str, span: Span) -> Span {
    let bracketed = span.len() >= 2 && text[span.range()].starts_with('<');
    if bracketed { Span::new(span.start + 1, span.end - 1) } else { span }
}

fn code_span(text: &str, span: Span) -> Code {
    let source = &text[span.range()];
    let ticks = source.len() - source.trim_start_matches('`').len();
    let content =
        if 2 * ticks <= span.len() { Span::new(span.start + ticks, span.end - ticks) } else { Span::empty(span.end) };
    Code { span, content, kind: CodeKind::Span }
}

fn fenced(text: &str, span: Span, content: Option<Span>, language: String) -> Code {
    let source = &text[span.range()];
    let mark = source.chars().next().unwrap_or('`');
    let run = source.len() - source.trim_start_matches(mark).len();
    let first_line = source.find('\n').map_or(source.len(), |at| at + 1);
    let content = content.unwrap_or(Span::empty(span.start + first_line));
    // What follows the content is the closing fence, with the prefixes of the containers it stands in, or nothing.
    let after = text.get(content.end..span.end).unwrap_or("");
    let closed = first_line < source.len() && after.trim_start_matches([' ', '\t', '>', '\r', '\n']).starts_with(mark);
    let end = span.start + source.trim_end_matches(['\r', '\n']).len();
    let span = Span::new(span.start, if closed { end } else { span.end });
    let open = Span::new(span.start, span.start + run);
    Code { span, content, kind: CodeKind::Fence { language, open, closed } }
}

fn list_item(text: &str, span: Span, above: &[usize]) -> ListItem {
    let source = &text[span.range()];
    let digits = source.bytes().take_while(u8::is_ascii_digit).count();
    let marker_end = span.start + (digits + 1).min(source.len());
    let line_end = source.find(['\r', '\n']).map_or(span.end, |at| span.start + at).max(marker_end);
    let rest = &text[marker_end..line_end];
    let content_start = if rest.trim().is_empty() { marker_end } else { line_end - rest.trim_start().len() };
    ListItem {
        span,
        marker: Span::new(span.start, marker_end),
        parent: above.last().copied(),
        depth: above.len(),
        content: Span::new(content_start, content_start + text[content_start..line_end].trim_end().len()),
    }
}

/// Take a trailing `{#id}` off a heading's text.
fn take_id(text: &mut String) -> Option<String> {
    let trimmed = text.trim_end();
    let open = trimmed.strip_suffix('}')?.rfind("{#")?;
    let id = &trimmed[open + 2..trimmed.len() - 1];
    if id.is_empty() || id.contains(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '#')) {
        return None;
    }
    let id = id.to_owned();
    let kept = trimmed[..open].trim_end().len();
    text.truncate(kept);
    Some(id)
}
