//! The excerpt of a file that `human` shows with a finding: a few lines, cropped around what they show, made visible by the
//! sanitiser, with the labels moved to where their text now stands. `miette` draws it.
//!
//! An excerpt is built from the line index and a window of bytes around each place, so its cost depends neither on the size of
//! the file nor on the length of a line. Knows nothing of rules, levels or colours.

mod crop;

use std::collections::{BTreeMap, BTreeSet};

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::base::text::{Position, Span};
use crate::report::SourceText;
use crop::Cropped;

/// A span over more lines than this shows only its first and its last line.
const MAX_SPAN_LINES: usize = 8;

/// No excerpt is narrower than this, however narrow the terminal.
const MIN_WIDTH: usize = 24;

/// A place to show.
#[derive(Clone, Debug)]
pub(super) struct Annotation {
    /// The bytes.
    pub(super) span: Span,
    /// Line and column of their start, for the heading.
    pub(super) position: Position,
    /// What to write under them, on one line, sanitised.
    pub(super) label: Option<String>,
}

/// Lines of a file as they will be printed. Offsets count bytes of `text`, not of the file.
#[derive(Debug)]
pub(super) struct Snippet {
    name: String,
    text: String,
    lines: Vec<PrintedLine>,
    /// The labels by ascending offset, the order in which `miette` gives out its styles.
    labels: Vec<Label>,
}

/// One printed line.
#[derive(Debug)]
struct PrintedLine {
    /// Its number in the file, from 0.
    number: usize,
    /// Where it begins in the excerpt's text.
    start: usize,
    /// Where the next begins.
    end: usize,
}

/// A label on the excerpt's text.
#[derive(Debug)]
struct Label {
    span: Span,
    text: Option<String>,
    primary: bool,
    position: Position,
}

/// A place, cut to what will be shown of it.
struct Mark {
    span: Span,
    first: usize,
    last: usize,
    label: Option<String>,
    primary: bool,
    position: Position,
}

impl Snippet {
    /// The excerpt of `source` that shows `places`, of which the first is the primary one, in at most `width` columns.
    pub(super) fn new(name: String, source: &SourceText, places: Vec<Annotation>, width: usize) -> Snippet {
        let marks = marks(source, places);
        let numbers = lines_in_order(source, &marks);
        let digits = numbers.iter().max().map_or(1, |last| (last + 1).to_string().len());
        let bars = marks.iter().filter(|mark| mark.first != mark.last).count();
        let gutter = digits + 4 + if bars > 0 { bars + 3 } else { 0 };
        let width = width.saturating_sub(gutter).max(MIN_WIDTH);

        let mut snippet = Snippet { name, text: String::new(), lines: Vec::new(), labels: Vec::new() };
        let mut cropped = BTreeMap::new();
        for number in numbers {
            let anchor = anchor(source, &marks, number);
            let line = Cropped::new(&source.bytes, source.lines.line_content(&source.bytes, number), anchor, width);
            let start = snippet.text.len();
            snippet.text.push_str(line.text());
            snippet.text.push('\n');
            snippet.lines.push(PrintedLine { number, start, end: snippet.text.len() });
            cropped.insert(number, (start, line));
        }
        for mark in marks {
            let (first_start, first) = &cropped[&mark.first];
            let (last_start, last) = &cropped[&mark.last];
            let start = first_start + first.start_of(mark.span.start);
            let end = last_start + last.end_of(mark.span.end);
            let column = if mark.first == mark.last { first.column_between(mark.span) } else { 0 };
            let text = mark.label.map(|label| wrap_label(&label, width.saturating_sub(column + 4)));
            let span = Span::new(start, end.max(start));
            snippet.labels.push(Label { span, text, primary: mark.primary, position: mark.position });
        }
        snippet.labels.sort_by_key(|label| label.span.start);
        snippet
    }

    /// The labels as `miette` wants them.
    pub(super) fn labels(&self) -> impl Iterator<Item = LabeledSpan> + '_ {
        self.labels.iter().map(|label| {
            let span = (label.span.start, label.span.len());
            match label.primary {
                true => LabeledSpan::new_primary_with_span(label.text.clone(), span),
                false => LabeledSpan::new_with_span(label.text.clone(), span),
            }
        })
    }

    /// For each label, in `miette`'s order, whether it is the primary one.
    pub(super) fn primaries(&self) -> impl Iterator<Item = bool> + '_ {
        self.labels.iter().map(|label| label.primary)
    }

    fn line_at(&self, offset: usize) -> Option<usize> {
        self.lines.iter().position(|line| line.start <= offset && offset < line.end)
    }
}

/// A message that fits beside its label, on several lines if need be.
fn wrap_label(label: &str, width: usize) -> String {
    let options = textwrap::Options::new(width.max(MIN_WIDTH))
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::fill(label, options)
}

/// The marks for `places`: one each, or two where only the ends of a long span are shown.
fn marks(source: &SourceText, places: Vec<Annotation>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (n, place) in places.into_iter().enumerate() {
        let Annotation { span, position, label } = place;
        let len = source.bytes.len();
        let start = span.start.min(len);
        let span = Span::new(start, span.end.clamp(start, len));
        let first = source.lines.line_of(start);
        let last = source.lines.line_of(span.end.saturating_sub(1).max(start));
        let primary = n == 0;
        if last - first < MAX_SPAN_LINES {
            marks.push(Mark { span, first, last, label, primary, position });
            continue;
        }
        let head = Span::new(start, source.lines.line_content(&source.bytes, first).end.max(start));
        let tail = Span::new(source.lines.line_span(last).start, span.end);
        let lines = format!("from here, over {} lines", last - first + 1);
        let label = Some(label.map_or(lines.clone(), |label| format!("{label} ({lines})")));
        marks.push(Mark { span: head, first, last: first, label, primary, position });
        let position = Position { line: last + 1, column: 1 };
        marks.push(Mark { span: tail, first: last, last, label: Some("to here".to_owned()), primary: false, position });
    }
    marks
}

/// The lines to show, with one line of context: first the run of lines around the primary mark, then the others, ascending.
fn lines_in_order(source: &SourceText, marks: &[Mark]) -> Vec<usize> {
    let mut numbers = BTreeSet::new();
    for mark in marks {
        let last_context = (mark.last + 1).min(source.lines.count() - 1).max(mark.last);
        numbers.extend(mark.first.saturating_sub(1)..=last_context);
    }
    let Some(primary) = marks.iter().find(|mark| mark.primary) else { return Vec::new() };
    let mut from = primary.first;
    while from > 0 && numbers.contains(&(from - 1)) {
        from -= 1;
    }
    let to = (from..).find(|number| !numbers.contains(number)).unwrap_or(from);
    let others = numbers.iter().copied().filter(|number| !(from..to).contains(number));
    (from..to).chain(others).collect()
}

/// The bytes of line `number` that must not be cropped away: of the first mark that begins or ends there.
fn anchor(source: &SourceText, marks: &[Mark], number: usize) -> Span {
    let line = source.lines.line_span(number);
    let touches = |mark: &&Mark| mark.first == number || mark.last == number;
    match marks.iter().find(touches) {
        Some(mark) => {
            let start = mark.span.start.clamp(line.start, line.end);
            // Of a span over several lines only an end is shown.
            let end = if mark.first == mark.last { mark.span.end } else { mark.span.end.min(start + 1) };
            if mark.first != mark.last && mark.last == number {
                return Span::empty(mark.span.end.clamp(line.start, line.end));
            }
            Span::new(start, end.clamp(start, line.end))
        }
        None => Span::empty(line.start),
    }
}

impl SourceCode for Snippet {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let end = span.offset() + span.len().saturating_sub(1);
        let (Some(mut first), Some(mut last)) = (self.line_at(span.offset()), self.line_at(end)) else {
            return Err(MietteError::OutOfBounds);
        };
        let adjoin = |line: usize| self.lines[line].number + 1 == self.lines[line + 1].number;
        // A span over a gap between two runs of lines cannot be drawn in one piece.
        if !(first..last).all(adjoin) {
            return Err(MietteError::OutOfBounds);
        }
        let place =
            self.labels.iter().filter(|label| label.span.start == span.offset()).max_by_key(|label| label.primary);
        let position = match place {
            Some(label) if before == 0 && after == 0 => label.position,
            _ => Position { line: 0, column: 1 },
        };
        for _ in 0..before {
            first -= usize::from(first > 0 && adjoin(first - 1));
        }
        for _ in 0..after {
            last += usize::from(last + 1 < self.lines.len() && adjoin(last));
        }
        let (start, end) = (self.lines[first].start, self.lines[last].end);
        // Without context, `miette` asks where the label is, and prints that; else it asks for the lines and counts from theirs.
        let line = if position.line > 0 { position.line - 1 } else { self.lines[first].number };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[start..end],
            (start, end - start).into(),
            line,
            position.column - 1,
            last - first + 1,
        )))
    }
}
