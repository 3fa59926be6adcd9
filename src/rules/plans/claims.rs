//! What a plan says of its own progress, in numbers. Counts no boxes.
//!
//! A claim is a whole line `LABEL: N/M [NOUN…] [(P%)]` or `N/M NOUN…`, with `of` or `out of` for the slash and with any emphasis,
//! or the end of a heading: `(N/M)`, `[N/M]`. Anything else on the line makes it prose.

use std::collections::BTreeMap;

use crate::base::text::Span;
use crate::parse::Document;

/// One statement of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) done: usize,
    pub(super) done_span: Span,
    pub(super) total: usize,
    pub(super) total_span: Span,
    /// The number before a `%`.
    pub(super) percent_span: Option<Span>,
    /// The heading it stands in or under.
    pub(super) heading: Option<usize>,
    /// Whether it is the end of that heading.
    pub(super) in_heading: bool,
    /// Whether the numbers might be a date: nothing says that they count tasks.
    pub(super) may_be_date: bool,
}

/// Labels that announce progress, and whether a date may follow them as well.
const LABELS: [(&str, bool); 16] = [
    ("progress", false),
    ("overall progress", false),
    ("total progress", false),
    ("current progress", false),
    ("plan progress", false),
    ("task progress", false),
    ("tasks", false),
    ("tasks completed", false),
    ("tasks complete", false),
    ("tasks done", false),
    ("completed tasks", false),
    ("checklist", false),
    ("completed", true),
    ("completion", true),
    ("done", true),
    ("status", true),
];
const NOUNS: [&str; 10] =
    ["task", "tasks", "item", "items", "step", "steps", "checkbox", "checkboxes", "todo", "todos"];
const VERBS: [&str; 8] = ["done", "complete", "completed", "finished", "ticked", "checked", "are", "is"];

/// All claims of a plan, in order.
pub(super) fn read(document: &Document) -> Vec<Claim> {
    let mut claims = Vec::new();
    for line in document.lines.line_of(document.body)..document.lines.count() {
        let span = document.lines.line_content(document.text.as_bytes(), line);
        if span.start >= document.body && document.slice(span).bytes().any(|byte| byte.is_ascii_digit()) {
            claims.extend(read_line(document, span));
        }
    }
    without_part_numbers(document, claims)
}

fn read_line(document: &Document, span: Span) -> Option<Claim> {
    let text = document.slice(span);
    let start = span.start + (text.len() - text.trim_start_matches([' ', '\t', '>', '#', '-', '+', '*', '_']).len());
    let (markdown, at) = (&document.markdown, start.min(span.end));
    if at >= span.end || markdown.in_code(at) || markdown.in_comment(at) {
        return None;
    }
    let heading = markdown.heading_of(at);
    let in_heading = heading.is_some_and(|index| markdown.headings[index].span.contains(at));
    let claim = match in_heading {
        true => heading_end(document, span),
        false => labelled(document, Span::new(at, span.end)).or_else(|| counted(document, Span::new(at, span.end))),
    };
    claim.map(|claim| Claim { heading, in_heading, ..claim })
}

/// `## Title (3/10)`
fn heading_end(document: &Document, span: Span) -> Option<Claim> {
    let text = document.slice(span).trim_end_matches([' ', '\t', '#', '*', '_']);
    let open = match text.chars().last()? {
        ')' => '(',
        ']' => '[',
        _ => return None,
    };
    let at = text.rfind(open)?;
    let mut cursor = Cursor { document, at: span.start + at + 1, end: span.start + text.len() - 1 };
    let claim = cursor.ratio()?;
    cursor.words();
    cursor.is_done().then_some(claim)
}

/// `**Progress**: 3/10 tasks (30%)`
fn labelled(document: &Document, span: Span) -> Option<Claim> {
    let text = document.slice(span);
    let colon = text.find([':', '\u{ff1a}'])?;
    let label = text[..colon].trim_matches([' ', '\t', '*', '_']).to_lowercase();
    let &(_, date) = LABELS.iter().find(|(known, _)| *known == label)?;
    let after = span.start + colon + text[colon..].chars().next().map_or(0, char::len_utf8);
    let mut cursor = Cursor { document, at: after, end: span.end };
    let mut claim = cursor.ratio()?;
    let nouns = cursor.words();
    claim.percent_span = cursor.percent();
    claim.may_be_date = date && nouns == 0 && claim.percent_span.is_none();
    cursor.words();
    cursor.is_done().then_some(claim)
}

/// `3 of 10 tasks completed`
fn counted(document: &Document, span: Span) -> Option<Claim> {
    let mut cursor = Cursor { document, at: span.start, end: span.end };
    let mut claim = cursor.ratio()?;
    let nouns = cursor.words();
    claim.percent_span = cursor.percent();
    (nouns > 0 && cursor.is_done()).then_some(claim)
}

/// Reads a line from left to right; emphasis marks count as blanks.
struct Cursor<'d> {
    document: &'d Document,
    at: usize,
    end: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        self.document.slice(Span::new(self.at, self.end))
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '*', '_']).len();
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn number(&mut self) -> Option<(usize, Span)> {
        self.skip_blanks();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let span = Span::new(self.at, self.at + digits);
        let number = if digits <= 5 { self.document.slice(span).parse().ok()? } else { return None };
        self.at = span.end;
        Some((number, span))
    }

    fn ratio(&mut self) -> Option<Claim> {
        let (done, done_span) = self.number()?;
        self.skip_blanks();
        if !(self.take("/") || self.take("out of ") || self.take("of ")) {
            return None;
        }
        let (total, total_span) = self.number()?;
        let claim = Claim {
            done,
            done_span,
            total,
            total_span,
            percent_span: None,
            heading: None,
            in_heading: false,
            may_be_date: false,
        };
        (total > 0).then_some(claim)
    }

    /// Skip nouns and verbs of counting; how many there were.
    fn words(&mut self) -> usize {
        let mut count = 0;
        loop {
            self.skip_blanks();
            let rest = self.rest();
            let len = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
            let word = rest[..len].to_lowercase();
            if !(NOUNS.contains(&word.as_str()) || VERBS.contains(&word.as_str())) {
                return count;
            }
            self.at += len;
            count += 1;
        }
    }

    /// `(30%)`, `30%`, `- 30%`
    fn percent(&mut self) -> Option<Span> {
        let before = self.at;
        let rest = self.rest();
        self.at +=
            rest.len() - rest.trim_start_matches([' ', '\t', '*', '_', '(', '[', '-', '–', '—', '=', '~', '|']).len();
        let found = self.number().map(|(_, span)| span).filter(|_| self.take("%"));
        match found {
            Some(_) => {
                self.skip_blanks();
                self.words();
                let _ = self.take(")") || self.take("]");
            }
            None => self.at = before,
        }
        found
    }

    /// Whether nothing is left but marks.
    fn is_done(&self) -> bool {
        self.rest().trim_matches([' ', '\t', '*', '_', '.', '!', '✓', '✅']).is_empty()
    }
}

/// Drop what numbers the parts of a document: headings of one level that end with `(1/M)`, `(2/M)`, …
fn without_part_numbers(document: &Document, claims: Vec<Claim>) -> Vec<Claim> {
    let level = |claim: &Claim| claim.heading.map_or(0, |index| document.markdown.headings[index].level);
    let mut rows: BTreeMap<(u8, usize), Vec<usize>> = BTreeMap::new();
    for claim in claims.iter().filter(|claim| claim.in_heading) {
        rows.entry((level(claim), claim.total)).or_default().push(claim.done);
    }
    let numbers_parts = |claim: &Claim| {
        let row = rows.get(&(level(claim), claim.total)).filter(|row| row.len() > 1);
        claim.in_heading && row.is_some_and(|row| row.iter().enumerate().all(|(index, &done)| done == index + 1))
    };
    claims.into_iter().filter(|claim| !numbers_parts(claim)).collect()
}
