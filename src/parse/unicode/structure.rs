//! Whether a fix leaves a text's structure as it is: frontmatter, comments, code, imports, headings, lists, tables, links.
//! Compares what readers make of the text before and after; knows nothing of hidden characters.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::class::Class;
use super::raw::{Holds, Raw};
use crate::base::finding::{Applicability, Level};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::frontmatter::{self, Field, Value};
use crate::parse::imports::{self, Grammar};

/// So many times the text, and so many bytes more, are read to find out which fixes change the structure. What is undecided
/// then counts as changing it.
const READINGS: usize = 16;
const BUDGET: usize = 2 << 20;

/// What every reader of the text finds by its letters alone, code aside.
const LITERALS: [&str; 3] = ["<!--", "-->", "hintlint-ignore"];

/// What an element is, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ElementKind {
    Frontmatter,
    /// A key of the frontmatter, or the type of its value.
    Field,
    Comment,
    Code,
    Table,
    /// Any other element of Markdown.
    Block,
    Heading,
    List,
    Import,
}

/// One element of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Element {
    pub(super) part: ElementKind,
    pub(super) span: Span,
    /// What tells it from another element of its kind at the same place.
    detail: String,
}

/// The elements of `text`, sorted.
pub(super) fn elements(text: &str) -> Vec<Element> {
    let mut found = Vec::new();
    let mut add = |part, span, detail: String| found.push(Element { part, span, detail });
    let mut problems = Vec::new();
    let (block, body) = frontmatter::read(text, Kind::Markdown, &mut problems);
    for problem in problems {
        add(ElementKind::Frontmatter, problem.span, format!("{:?}", std::mem::discriminant(&problem.kind)));
    }
    if let Some(block) = &block {
        add(ElementKind::Frontmatter, block.span, String::new());
        for span in block.keys(text) {
            add(ElementKind::Field, span, text[span.range()].to_owned());
        }
        fields(&block.fields, &mut add);
    }
    if let Some(loose) = loose_block(text).filter(|loose| block.as_ref().is_none_or(|block| block.span.end < loose.end))
    {
        add(ElementKind::Field, loose, text[loose.range()].to_owned());
    }
    let mut spans = Vec::new();
    let code = markdown(text, body, &mut spans, &mut add);
    let within = |code: &[Span], at: usize| {
        code.get(code.partition_point(|code| code.end <= at)).is_some_and(|code| code.contains(at))
    };
    for literal in LITERALS {
        let hits = memchr::memmem::find_iter(text.as_bytes(), literal);
        for at in hits.filter(|&at| !within(&code, at)) {
            add(ElementKind::Comment, Span::new(at, at + literal.len()), literal.to_owned());
        }
    }
    for grammar in Grammar::ALL {
        for import in imports::references(grammar, text) {
            // What is no path is a name, as of a person; in a code span it is quoted.
            if !import.path.contains(['/', '.']) || within(&spans, import.span.start) {
                continue;
            }
            add(ElementKind::Import, import.span, format!("{grammar:?} {:?} {}", import.inert, import.path));
        }
    }
    found.sort_unstable();
    found
}

/// What stands between a first line `---` and the next line that begins so, whatever follows on that one: some readers, such
/// as Cline's, take that for frontmatter, and leave out a file whose frontmatter they cannot read.
fn loose_block(text: &str) -> Option<Span> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let inner = text[start..].strip_prefix("---\n").or_else(|| text[start..].strip_prefix("---\r\n"))?;
    let from = text.len() - inner.len();
    // The closing line may be the first one: the line end before it belongs to the opening one.
    let length = memchr::memmem::find(&text.as_bytes()[from - 1..], b"\n---")?;
    Some(Span::new(from, from + length.saturating_sub(1)))
}

/// Record the type of every value of the frontmatter.
fn fields(fields: &[Field], add: &mut dyn FnMut(ElementKind, Span, String)) {
    let mut open: Vec<&Field> = fields.iter().collect();
    while let Some(field) = open.pop() {
        add(ElementKind::Field, field.key_span, field.value.value.describe().to_owned());
        if let Value::Map(inner) = &field.value.value {
            open.extend(inner);
        }
    }
}

/// Record the elements of the Markdown from `body` on; its code, in order, and its code spans. This is a pass of its own and
/// not a document's: it runs on texts after fixes, up to [`READINGS`] times, and needs tables, quotes and definitions, which
/// no document keeps.
fn markdown(
    text: &str,
    body: usize,
    spans: &mut Vec<Span>,
    add: &mut dyn FnMut(ElementKind, Span, String),
) -> Vec<Span> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS;
    let mut code = Vec::new();
    let parser = Parser::new_ext(&text[body..], options);
    for (_, definition) in parser.reference_definitions().iter() {
        let span = &definition.span;
        add(ElementKind::Block, Span::new(span.start + body, span.end + body), "definition".into());
    }
    for (event, range) in parser.into_offset_iter() {
        let span = Span::new(range.start + body, range.end + body);
        let html = || {
            if text[span.range()].trim_start().starts_with("<!--") { ElementKind::Comment } else { ElementKind::Block }
        };
        let (part, detail) = match event {
            Event::Start(Tag::Heading { level, .. }) => (ElementKind::Heading, format!("{level}")),
            Event::Start(Tag::CodeBlock(kind)) => {
                code.push(span);
                (
                    ElementKind::Code,
                    if matches!(kind, CodeBlockKind::Indented) { INDENTED.into() } else { "fence".into() },
                )
            }
            Event::Code(_) => {
                code.push(span);
                spans.push(span);
                (ElementKind::Code, "span".into())
            }
            Event::Start(Tag::HtmlBlock) => (html(), "html".into()),
            Event::InlineHtml(_) => (html(), "inline".into()),
            Event::Start(Tag::List(first)) => (ElementKind::List, format!("{first:?}")),
            Event::Start(Tag::Item) => (ElementKind::List, "item".into()),
            Event::Start(Tag::Table(_)) => (ElementKind::Table, "table".into()),
            Event::Start(Tag::TableCell) => (ElementKind::Table, "cell".into()),
            Event::Start(Tag::BlockQuote(_)) => (ElementKind::Block, "quote".into()),
            Event::Start(Tag::FootnoteDefinition(_)) => (ElementKind::Block, "footnote".into()),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => (ElementKind::Block, "link".into()),
            Event::Rule => (ElementKind::Block, "rule".into()),
            Event::TaskListMarker(done) => (ElementKind::Block, format!("task {done}")),
            Event::FootnoteReference(_) => (ElementKind::Block, "reference".into()),
            _ => continue,
        };
        add(part, span, detail);
    }
    code
}

const INDENTED: &str = "indented";

impl Element {
    /// Whether it is code that only its indentation makes code.
    pub(super) fn is_indented_code(&self) -> bool {
        self.part == ElementKind::Code && self.detail == INDENTED
    }
}

/// Take the safety from each fix that changes a guarded part of the structure of `text`, and say what it would change. All that
/// stay safe leave these parts as they are together. A plain space after a block marker may make the heading or list that it
/// is for.
pub(super) fn keep(text: &str, hits: &mut [Raw], guarded: fn(ElementKind) -> bool) {
    let safe = |hit: &Raw| hit.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
    let (spaces, others): (Vec<usize>, Vec<usize>) = (0..hits.len())
        .filter(|&index| safe(&hits[index]))
        .partition(|&index| hits[index].class == Class::UnusualSpace);
    if spaces.is_empty() && others.is_empty() {
        return;
    }
    let mut trial = Trial::new(text, hits, &[&spaces[..], &others].concat());
    let mut changed =
        trial.settle(&spaces, |part| guarded(part) && !matches!(part, ElementKind::Heading | ElementKind::List));
    changed.extend(trial.settle(&others, guarded));
    for (index, change) in changed {
        let hit = &mut hits[index];
        if let Some(fix) = &mut hit.fix {
            fix.applicability = Applicability::Unsafe;
        }
        if matches!(change, Some((ElementKind::Frontmatter | ElementKind::Comment, true))) {
            hit.level = Level::Error;
        }
        hit.holds = Some(match change {
            Some((ElementKind::Frontmatter, _)) => Holds::Frontmatter,
            Some((ElementKind::Field, _)) => Holds::Field,
            Some((ElementKind::Comment, _)) => Holds::Comment,
            Some((ElementKind::Code, _)) => Holds::Code,
            Some((ElementKind::Import, _)) => Holds::Import,
            _ => Holds::Structure,
        });
    }
}

/// What a fix changes first, and whether that appears; `None` if it was not computed.
type FirstChange = Option<(ElementKind, bool)>;

/// A text to which fixes are applied on trial. Elements of every trial are placed in the text without anything that any fix
/// takes away, so that they can be compared.
struct Trial<'t> {
    text: &'t str,
    /// The edits of the fixes, in order and without overlap, each with its hit.
    edits: Vec<(Span, String, usize)>,
    applied: Vec<bool>,
    bare: String,
    read: usize,
}

impl<'t> Trial<'t> {
    fn new(text: &'t str, hits: &[Raw], fixes: &[usize]) -> Self {
        let of_hit =
            |&index: &usize| hits[index].fix.iter().flat_map(move |fix| fix.edits.iter().map(move |e| (e, index)));
        let mut edits: Vec<(Span, String, usize)> =
            fixes.iter().flat_map(of_hit).map(|((span, by), index)| (*span, by.clone(), index)).collect();
        edits.sort_by_key(|(span, _, index)| (*span, *index));
        let mut end = 0;
        edits.retain(|(span, ..)| {
            let apart = span.start >= end;
            end = if apart { span.end } else { end };
            apart
        });
        let mut bare = String::with_capacity(text.len());
        let mut at = 0;
        for (span, ..) in &edits {
            bare.push_str(&text[at..span.start]);
            at = span.end;
        }
        bare.push_str(&text[at..]);
        Trial { text, edits, applied: vec![false; hits.len()], bare, read: 0 }
    }

    /// Apply as many of `fixes` as keep the parts that count; the others, each with what it changes.
    fn settle(&mut self, fixes: &[usize], counts: impl Fn(ElementKind) -> bool) -> Vec<(usize, FirstChange)> {
        let mut refused = Vec::new();
        if fixes.is_empty() {
            return refused;
        }
        let of_parts = |mut elements: Vec<Element>| {
            elements.retain(|element| counts(element.part));
            elements
        };
        let before = of_parts(self.with(&[]));
        let mut rest = fixes;
        while !rest.is_empty() {
            if self.read > BUDGET + READINGS * self.text.len() {
                refused.extend(rest.iter().map(|&index| (index, None)));
                break;
            }
            let mut found = difference(&before, &of_parts(self.with(rest)));
            if found.is_none() {
                self.accept(rest);
                break;
            }
            // The shortest row of fixes that changes something: its last fix does.
            let (mut same, mut differs) = (0, rest.len());
            while same + 1 < differs {
                let middle = usize::midpoint(same, differs);
                match difference(&before, &of_parts(self.with(&rest[..middle]))) {
                    None => same = middle,
                    change => (differs, found) = (middle, change),
                }
            }
            self.accept(&rest[..same]);
            refused.push((rest[same], found));
            rest = &rest[differs..];
        }
        refused
    }

    fn accept(&mut self, fixes: &[usize]) {
        fixes.iter().for_each(|&index| self.applied[index] = true);
    }

    /// The elements of the text with `more` fixes besides those accepted.
    fn with(&mut self, more: &[usize]) -> Vec<Element> {
        let mut applied = self.applied.clone();
        more.iter().for_each(|&index| applied[index] = true);
        let mut out = String::with_capacity(self.text.len());
        // Where a stretch begins in `out`, where in `bare`, and whether `bare` has it at all.
        let mut stretches = vec![(0, 0, true)];
        let (mut at, mut removed) = (0, 0);
        for (span, by, index) in &self.edits {
            out.push_str(&self.text[at..span.start]);
            stretches.push((out.len(), span.start - removed, false));
            out.push_str(if applied[*index] { by } else { &self.text[span.range()] });
            removed += span.len();
            stretches.push((out.len(), span.end - removed, true));
            at = span.end;
        }
        out.push_str(&self.text[at..]);
        self.read += out.len();
        let place = |offset: usize| {
            let index = stretches.partition_point(|&(start, ..)| start <= offset).saturating_sub(1);
            let (start, bare, kept) = stretches[index];
            if kept { bare + offset - start } else { bare }
        };
        let mut elements = elements(&out);
        for element in &mut elements {
            let (start, end) = (place(element.span.start), place(element.span.end));
            let inside = &self.bare[start..end.max(start)];
            // Blanks at the ends come and go with blank lines, and mean nothing.
            let start = start + inside.len() - inside.trim_start().len();
            element.span = Span::new(start, start + inside.trim().len());
        }
        elements.sort_unstable();
        elements
    }
}

/// The most telling part in which two sorted lists differ, and whether the second has more of it.
fn difference(before: &[Element], after: &[Element]) -> FirstChange {
    let mut found: FirstChange = None;
    let (mut a, mut b) = (before.iter().peekable(), after.iter().peekable());
    loop {
        let (part, appears) = match (a.peek(), b.peek()) {
            (None, None) => return found,
            (Some(x), Some(y)) if x == y => {
                a.next();
                b.next();
                continue;
            }
            (Some(x), y) if y.is_none_or(|y| x < y) => (a.next().map(|x| x.part), false),
            _ => (b.next().map(|y| y.part), true),
        };
        let Some(part) = part else { return found };
        found = match found {
            Some((known, true)) if known <= part => found,
            Some((known, false)) if known < part || (known == part && !appears) => found,
            _ => Some((part, appears)),
        };
    }
}

#[cfg(test)]
mod tests;
