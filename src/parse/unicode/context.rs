//! Where a character stands: its neighbours, its line, its file. Judges nothing.

use std::cell::{Cell, OnceCell};

use super::place::{Place, PlaceSet, Places};
use super::properties::{Properties, is_ignorable};
use super::raw::Holds;
use crate::text::Span;

/// How far a word or token is followed in each direction, in bytes. Longer ones are cut there, so that no input makes the
/// scan quadratic.
const REACH: usize = 512;

/// One text with its places, and what has been worked out about it so far.
pub(super) struct Context<'a> {
    pub(super) text: &'a str,
    places: &'a Places,
    line: Cell<Option<Line>>,
    file: OnceCell<File>,
    /// The last word judged for its soft hyphens, and whether they hyphenate it.
    pub(super) hyphenated: Cell<Option<(Span, bool)>>,
}

/// What matters of the line a character stands on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The line without its LF.
    pub(super) span: Span,
    /// The union of the properties of its characters.
    pub(super) properties: Properties,
    /// Whether it has letters of a cursive right-to-left script.
    pub(super) cursive: bool,
    /// Whether it has box-drawing characters.
    pub(super) boxes: bool,
    /// Whether it has Braille cells other than the blank one.
    pub(super) braille: bool,
}

impl Line {
    pub(super) fn right_to_left(&self) -> bool {
        self.properties.any(Properties::RTL)
    }

    fn of(text: &str, span: Span) -> Line {
        let mut line = Line { span, properties: Properties::default(), cursive: false, boxes: false, braille: false };
        for c in text[span.range()].chars() {
            let properties = Properties::of(c);
            line.properties = line.properties.and(properties);
            line.cursive |= properties.all(Properties::RTL.and(Properties::JOINING));
            line.boxes |= matches!(c, '\u{2500}'..='\u{257F}');
            line.braille |= matches!(c, '\u{2801}'..='\u{28FF}');
        }
        line
    }
}

/// What matters of the whole file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct File {
    pub(super) right_to_left: bool,
    /// A Cyrillic letter that looks like no ASCII letter: somebody writes Cyrillic here.
    pub(super) ordinary_cyrillic: bool,
    pub(super) cjk: bool,
}

impl<'a> Context<'a> {
    pub(super) fn new(text: &'a str, places: &'a Places) -> Self {
        Context { text, places, line: Cell::new(None), file: OnceCell::new(), hyphenated: Cell::new(None) }
    }

    /// The character that begins at `at`.
    pub(super) fn after(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    /// The character that ends at `at`.
    pub(super) fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    pub(super) fn places(&self, span: Span) -> PlaceSet {
        self.places.over(span)
    }

    /// The line that holds `at`.
    pub(super) fn line(&self, at: usize) -> Line {
        match self.line.get() {
            Some(line) if line.span.start <= at && at <= line.span.end => line,
            _ => {
                let line = Line::of(self.text, self.line_span(at));
                self.line.set(Some(line));
                line
            }
        }
    }

    /// Whether the line before or after `line` has Braille cells.
    pub(super) fn braille_beside(&self, line: Line) -> bool {
        let above = line.span.start.checked_sub(1).map(|end| self.line_span(end));
        let below = (line.span.end < self.text.len()).then(|| self.line_span(line.span.end + 1));
        [above, below].into_iter().flatten().any(|span| Line::of(self.text, span).braille)
    }

    fn line_span(&self, at: usize) -> Span {
        let bytes = self.text.as_bytes();
        let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |index| index + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |index| at + index);
        Span::new(start, end)
    }

    pub(super) fn file(&self) -> File {
        *self.file.get_or_init(|| {
            let mut file = File::default();
            for c in self.text.chars().filter(|c| !c.is_ascii()) {
                let properties = Properties::of(c);
                file.right_to_left |= properties.any(Properties::RTL);
                file.cjk |= properties.any(Properties::CJK);
                file.ordinary_cyrillic |= properties.all(Properties::CYRILLIC.and(Properties::LETTER))
                    && super::properties::lookalike(c).is_none();
            }
            file
        })
    }

    /// The nearest character before `at`, and after it, that `skip` does not pass over.
    pub(super) fn neighbours(&self, span: Span, skip: impl Fn(char) -> bool) -> (Option<char>, Option<char>) {
        let before = self.window_before(span.start).chars().rev().find(|&c| !skip(c));
        let after = self.window_after(span.end).chars().find(|&c| !skip(c));
        (before, after)
    }

    /// The maximal stretch around `span` whose characters all satisfy `belongs`.
    pub(super) fn stretch(&self, span: Span, belongs: impl Fn(char) -> bool) -> Span {
        let head = self.window_before(span.start);
        let kept: usize = head.chars().rev().take_while(|&c| belongs(c)).map(char::len_utf8).sum();
        let tail: usize = self.window_after(span.end).chars().take_while(|&c| belongs(c)).map(char::len_utf8).sum();
        Span::new(span.start - kept, span.end + tail)
    }

    /// At most [`REACH`] bytes before `at`.
    pub(super) fn window_before(&self, at: usize) -> &'a str {
        tail(&self.text[..at], REACH)
    }

    /// At most [`REACH`] bytes from `at` on.
    pub(super) fn window_after(&self, at: usize) -> &'a str {
        let rest = &self.text[at..];
        let end = (0..=REACH.min(rest.len())).rev().find(|&end| rest.is_char_boundary(end)).unwrap_or(0);
        &rest[..end]
    }

    /// What the characters at `span` keep from being there.
    pub(super) fn holds(&self, span: Span) -> Option<Holds> {
        match () {
            () if self.is_in_import(span) => Some(Holds::Import),
            () if self.is_in_code_mark(span) => Some(Holds::Code),
            () => None,
        }
    }

    /// Whether, without the characters at `span`, the line would open or close a code fence, or two runs of backticks would
    /// become one, which pairs with others.
    fn is_in_code_mark(&self, span: Span) -> bool {
        if self.neighbours(span, is_ignorable) == (Some('`'), Some('`')) {
            return true;
        }
        let after = self.window_after(span.end);
        if memchr::memchr2(b'`', b'~', after.as_bytes()).is_none() {
            return false;
        }
        let line = self.line(span.start).span;
        // A fence stands near the start of its line, and no long line may make the scan quadratic.
        if span.start > line.start + REACH {
            return false;
        }
        let after = after.split('\n').next().unwrap_or("");
        let marker = |c: char| " \t>-+*.)".contains(c) || c.is_ascii_digit();
        let visible = |text: &str| {
            text.chars().filter(|&c| !is_ignorable(c)).skip_while(|&c| marker(c)).take(3).collect::<String>()
        };
        let is_fence = |head: &str| head == "```" || head == "~~~";
        let before = &self.text[line.start..span.start];
        is_fence(&visible(&format!("{before}{after}"))) && !is_fence(&visible(before))
    }

    /// Whether the characters at `span` are part of an `@path`, or keep it from being one: before the `@`, within the path, or
    /// right behind it. Whoever takes them away changes which file is imported.
    fn is_in_import(&self, span: Span) -> bool {
        if self.places(span).has(Place::Import) {
            return true;
        }
        let sign = |text: &str| memchr::memchr(b'@', text.as_bytes()).is_some();
        if !sign(self.window_before(span.start)) && !sign(self.window_after(span.end)) {
            return false;
        }
        let word = self.stretch(span, |c| !c.is_whitespace());
        let text = &self.text[word.range()];
        if self.places(word).has(Place::Code) || !text.contains(['/', '.']) {
            return false;
        }
        // An address has its name right before the sign.
        let opens = |at: usize| !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "._-+".contains(c));
        text.match_indices('@').any(|(at, _)| opens(at))
    }

    /// Whether the characters around `span` are both of an ASCII token: name, number, path or address.
    pub(super) fn inside_ascii_token(&self, span: Span) -> bool {
        let of_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | ':' | '@' | '\\' | '-');
        let (before, after) = self.neighbours(span, is_ignorable);
        before.is_some_and(of_token) && after.is_some_and(of_token)
    }
}

/// At most the last `length` bytes of `text`, cut at a character.
pub(super) fn tail(text: &str, length: usize) -> &str {
    let from = text.len().saturating_sub(length);
    let start = (from..=text.len()).find(|&start| text.is_char_boundary(start)).unwrap_or(text.len());
    &text[start..]
}
