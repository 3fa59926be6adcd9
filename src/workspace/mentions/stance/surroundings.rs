//! The text around a path: its paragraph or table row, its sentence, the lines that introduce it and the headings above. Knows
//! Markdown's marks; of words, only those that a table's cells and heads say.

use super::heads::{CASE, EXAMPLE_HEAD, GONE_HEAD, MADE_HEAD, MAY_MISS_HEAD};
use super::pattern::folded;
use super::words::{AFTER, FORBIDDEN, GONE};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::Heading;

/// Headings above the path that are looked at.
const MAX_HEADINGS: usize = 100;
/// Lines around the path that are read as its paragraph, at most, in each direction.
const MAX_LINES: usize = 8;
/// How far back a list is searched for the line that introduces it.
const MAX_LEAD_LINES: usize = 60;

/// The row of a table in which a path stands.
pub(super) struct TableRow {
    /// The path's own cell.
    pub(super) cell: Span,
    /// The row's other cells.
    others: Vec<Span>,
    /// What heads the path's column.
    head: Option<Span>,
    /// Whether a column tells what follows where a file is missing.
    may_miss: bool,
}

/// Words of a cell that says in which state its row is; a longer one describes something.
const STATUS_WORDS: usize = 3;

impl TableRow {
    /// Whether the row says that what it names is not there, or is an example. A link in a column of examples leads to one that is there.
    pub(super) fn denies(&self, text: &str, is_link: bool) -> bool {
        self.says_gone(text) || self.is_of_a_case(text) || !is_link && self.is_of_examples(text)
    }

    /// Whether the table says of the whole row, or of the whole column, that it is gone or yet to come. What a longer cell says
    /// is its own business.
    fn says_gone(&self, text: &str) -> bool {
        let words = |cell: &Span| folded(text[cell.range()].trim());
        let is_status = |cell: &String| cell.split_whitespace().count() <= STATUS_WORDS && !cell.contains('`');
        // A cross before what the row is about forbids that, and not what other cells name.
        let subject = self.others.first().filter(|cell| cell.start < self.cell.start);
        let words_of = |cell: &Span| {
            let cell_words = words(cell);
            match cell_words.strip_prefix('❌').filter(|rest| Some(cell) == subject && !rest.trim().is_empty()) {
                Some(rest) => rest.to_owned(),
                None => cell_words,
            }
        };
        let denies = |cell: String| GONE.is_match(&cell) || FORBIDDEN.is_match(&cell) || AFTER.is_match(&cell);
        let speaks_of_it = |cell: String| {
            let begins = ["it's ", "it is ", "they're ", "they are "].iter().any(|begin| cell.starts_with(begin));
            begins && AFTER.is_match(&cell)
        };
        self.may_miss
            || self.others.iter().map(words_of).any(speaks_of_it)
            || self.others.iter().map(words_of).filter(is_status).any(denies)
            || self
                .others
                .iter()
                .map(words_of)
                .any(|cell| ["*planned*", "- planned", "(planned"].iter().any(|it| cell.contains(it)))
            || self.head.iter().map(words).any(|head| GONE_HEAD.is_match(&head))
    }

    /// Whether another cell gives names with a number or date to fill in: `FEAT-XXX.log`.
    pub(super) fn names_any(&self, text: &str) -> bool {
        self.others.iter().any(|cell| ["XXX", "YYYY-MM", "NNN"].iter().any(|mark| text[cell.range()].contains(mark)))
    }

    /// Whether the row is about what a cross before it forbids: it may say where that would lie.
    pub(super) fn is_of_the_forbidden(&self, text: &str) -> bool {
        let subject = self.others.first().filter(|cell| cell.start < self.cell.start);
        subject.is_some_and(|cell| text[cell.range()].trim_start().starts_with('❌'))
    }

    /// Whether another cell says what a project may have, so that the row is for those that have it: "`Makefile` with `test` target".
    fn is_of_a_case(&self, text: &str) -> bool {
        let first = self.others.first().filter(|cell| cell.start < self.cell.start);
        first.is_some_and(|cell| CASE.is_match(&folded(text[cell.range()].trim())))
    }

    /// Whether the column lists what is made.
    pub(super) fn is_of_what_is_made(&self, text: &str) -> bool {
        self.head.is_some_and(|head| MADE_HEAD.is_match(&folded(text[head.range()].trim())))
    }

    /// Whether the table gives the column as one of examples.
    fn is_of_examples(&self, text: &str) -> bool {
        self.head.is_some_and(|head| EXAMPLE_HEAD.is_match(&folded(text[head.range()].trim())))
    }
}

/// The row of `span`, if its line is one.
pub(super) fn table_row(text: &str, span: Span) -> Option<TableRow> {
    let line = Span::new(line_start(text, span.start), line_end(text, span.end));
    let cells = cells(text, line)?;
    let column = cells.iter().position(|cell| cell.start <= span.start && span.end <= cell.end)?;
    let others = cells.iter().enumerate().filter(|(index, _)| *index != column).map(|(_, cell)| *cell).collect();
    let heads = heads(text, line.start).unwrap_or_default();
    let may_miss = heads.iter().any(|head| MAY_MISS_HEAD.is_match(&folded(text[head.range()].trim())));
    Some(TableRow { cell: cells[column], others, head: heads.get(column).copied(), may_miss })
}

/// All rows of the table in which `span` stands, as far as they are looked at.
pub(super) fn table(text: &str, span: Span) -> Span {
    let mut table = Span::new(line_start(text, span.start), line_end(text, span.end));
    for _ in 0..MAX_LEAD_LINES {
        let Some(end) = table.start.checked_sub(1) else { break };
        let above = Span::new(line_start(text, end), end);
        if cells(text, above).is_none() {
            break;
        }
        table.start = above.start;
    }
    for _ in 0..MAX_LEAD_LINES {
        let start = (table.end + 1).min(text.len());
        let below = Span::new(start, line_end(text, start));
        if cells(text, below).is_none() {
            break;
        }
        table.end = below.end;
    }
    table
}

/// The cells of a line that begins and ends like a row of a table.
fn cells(text: &str, line: Span) -> Option<Vec<Span>> {
    let row = &text[line.range()];
    if !row.trim_start().starts_with('|') || !row.trim_end().ends_with('|') || row.trim().len() < 2 {
        return None;
    }
    let bars: Vec<usize> = row.match_indices('|').map(|(at, _)| at).filter(|&at| !row[..at].ends_with('\\')).collect();
    Some(bars.windows(2).map(|pair| Span::new(line.start + pair[0] + 1, line.start + pair[1])).collect())
}

/// The cells that head the table of the row at `at`.
fn heads(text: &str, at: usize) -> Option<Vec<Span>> {
    let mut start = at;
    for _ in 0..MAX_LEAD_LINES {
        let above = line_start(text, start.checked_sub(1)?);
        let line = Span::new(above, line_end(text, above));
        let is_rule = text[line.range()].chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t' | '\r'));
        if is_rule && text[line.range()].contains('-') {
            let first = line_start(text, above.checked_sub(1)?);
            return cells(text, Span::new(first, above - 1));
        }
        cells(text, line)?;
        start = above;
    }
    None
}

/// The headings above `offset`, innermost first, without the title of the whole file.
pub(super) fn headings(document: &Document, offset: usize) -> Vec<&Heading> {
    let all = &document.markdown.headings;
    let mut found: Vec<&Heading> = Vec::new();
    let mut at = document.markdown.heading_of(offset);
    for _ in 0..MAX_HEADINGS {
        let Some(index) = at else { break };
        let heading = &all[index];
        if found.last().is_none_or(|inner| heading.level < inner.level) && heading.level > 1 {
            found.push(heading);
        }
        at = index.checked_sub(1).filter(|_| found.last().is_none_or(|inner| inner.level > 2));
    }
    found
}

/// The lines around `span` that belong to one paragraph, list item or table row.
pub(super) fn paragraph<'t>(text: &'t str, span: Span) -> Span {
    let mut start = line_start(text, span.start);
    // What a quote holds is read without the quote's marks.
    let is_quote = text[start..].trim_start().starts_with('>');
    let bare = |line: &'t str| match line.trim_start().strip_prefix('>').filter(|_| is_quote) {
        Some(rest) => rest,
        None => line,
    };
    for _ in 0..MAX_LINES {
        if start == 0 || begins_block(bare(&text[start..])) {
            break;
        }
        let above = line_start(text, start - 1);
        let line = bare(&text[above..start]);
        let is_other = is_quote && !text[above..].trim_start().starts_with('>');
        if is_other || line.trim().is_empty() || line.trim_start().starts_with(['#', '|']) {
            break;
        }
        start = above;
    }
    let mut end = line_end(text, span.end);
    for _ in 0..MAX_LINES {
        let next = (end + 1).min(text.len());
        let line = bare(&text[next..line_end(text, next)]);
        let is_other = is_quote && !text[next..].trim_start().starts_with('>');
        if next >= text.len() || is_other || line.trim().is_empty() || begins_block(line) {
            break;
        }
        end = line_end(text, next);
    }
    Span::new(start, end)
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |found| found + 1)
}

pub(super) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |found| at + found)
}

/// Whether a list item, heading, table row, quote or fence begins with this line.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let ordered = digits > 0 && line[digits..].starts_with([' ', '.', ')']) && !line[digits..].starts_with(' ');
    ordered
        || line.starts_with(['#', '|', '>'])
        || line.starts_with("```")
        || ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker))
}

/// The lines that introduce the list which holds the line at `at`: the items above it and the paragraph before, where those
/// end with a colon or hold the list.
pub(super) fn leads<'t>(text: &'t str, at: usize) -> Vec<&'t str> {
    let line = &text[at..line_end(text, at)];
    let mut found = Vec::new();
    if !begins_block(line) {
        // A paragraph is introduced by the one before it, if that ends with a colon.
        let above = text[..at].trim_end();
        let lead = above[line_start(above, above.len())..].trim();
        return if lead.trim_end_matches(['*', '_', ' ']).ends_with([':', '：']) {
            vec![sentence_before(lead)]
        } else {
            found
        };
    }
    // What a quote holds is read without the quote's marks.
    let quoted = line.trim_start().starts_with('>');
    let bare = |line: &'t str| if quoted { line.trim_start().trim_start_matches(['>', ' ']) } else { line };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut depth = indent(bare(line));
    let mut start = at;
    for _ in 0..MAX_LEAD_LINES {
        if start == 0 || found.len() == 3 {
            break;
        }
        let above = line_start(text, start - 1);
        let line = bare(text[above..start].trim_end());
        start = above;
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        if trimmed.starts_with('#') {
            break;
        }
        let item = begins_block(line);
        if item && indent(line) < depth {
            depth = indent(line);
            found.push(trimmed);
        } else if !item && indent(line) <= depth {
            if trimmed.trim_end_matches(['*', '_', ' ']).ends_with(':') {
                found.push(sentence_before(trimmed));
            }
            break;
        }
    }
    found
}

/// The text that introduces what stands at `offset`: the lines above its list, or the heading right above.
pub(in crate::workspace::mentions) fn introductions(document: &Document, offset: usize) -> Vec<String> {
    let text = &document.text;
    let start = text.floor_char_boundary(offset.saturating_sub(MAX_LEAD_BYTES));
    let line = line_start(text, offset).max(start);
    let mut found: Vec<String> = leads(&text[start..], line - start).into_iter().map(str::to_owned).collect();
    found.extend(headings(document, offset).first().map(|heading| document.slice(heading.span).to_owned()));
    found
}

/// Bytes before a path in which what introduces it is searched.
const MAX_LEAD_BYTES: usize = 4000;

/// The end of `text` from its last sentence on.
pub(super) fn sentence_before(text: &str) -> &str {
    boundaries(text).last().map_or(text, |at| &text[at..])
}

/// The beginning of `text` up to the end of its first sentence.
pub(super) fn sentence_after(text: &str) -> &str {
    boundaries(text).next().map_or(text, |at| &text[..at])
}

/// Whether a paragraph begins as an item that is ticked off: it tells what was done then.
pub(super) fn is_ticked_off(above: &str) -> bool {
    let item = above.trim_start_matches(['-', '*', '+', ' ']);
    above.len() > item.len() && (item.starts_with("[x] ") || item.starts_with("[X] "))
}

/// What a sentence says before the path since the last semicolon, where semicolons divide it into the items of a list, one of which
/// the path begins or belongs to. What introduces the list holds for all of them.
pub(super) fn item_of_sentence<'t>(before: &'t str, after: &str) -> &'t str {
    let mut depth = 0_usize;
    let mut cuts = before.char_indices().rev().filter(|(_, c)| {
        match c {
            ')' => depth += 1,
            '(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *c == ';' && depth == 0
    });
    let Some((cut, _)) = cuts.next() else { return before };
    let is_list = cuts.next().is_some() || after.contains(';');
    let introduces = |lead: &str| lead.contains(": ") && !lead[..lead.find(": ").unwrap_or_default()].contains('`');
    if is_list && !introduces(&before[..cut]) { &before[cut + 1..] } else { before }
}

/// Where sentences end: after a full stop with a blank behind it that closes no abbreviation.
fn boundaries(text: &str) -> impl Iterator<Item = usize> {
    text.char_indices().filter_map(move |(at, c)| {
        let end = at + c.len_utf8();
        if matches!(c, '。' | '！' | '？') {
            return Some(end);
        }
        // Most characters end nothing, and need no look at the word before them.
        let blank = || text[end..].chars().next().is_some_and(char::is_whitespace);
        if !(matches!(c, '.' | '!' | '?') && blank()) {
            return None;
        }
        let word = text[..at].rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
        let abbreviation =
            matches!(word.to_ascii_lowercase().as_str(), "e.g" | "i.e" | "eg" | "ie" | "etc" | "vs" | "cf" | "z.b");
        (!abbreviation).then_some(end)
    })
}

/// Whether a paragraph that begins so is about the path behind it: no other word stands before.
pub(super) fn is_about(before: &str) -> bool {
    !before.contains(char::is_alphanumeric)
}

/// Whether the path stands in brackets behind the name of another repository, as the text calls it elsewhere:
/// "deployed by `infra` (`charts/x`)".
pub(super) fn is_of_another_repository(text: &str, before: &str) -> bool {
    let open = before.rfind('(').filter(|&at| is_about(&before[at..]));
    let name = open.and_then(|at| before[..at].trim_end().strip_suffix('`')?.rsplit('`').next());
    let is_name = |name: &&str| name.len() > 1 && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    name.filter(is_name).is_some_and(|name| text.contains(&format!("`{name}` repo")))
}

/// Whether the sentence begins with a date, as an entry of a log does.
pub(super) fn is_dated(before: &str) -> bool {
    let begin = before.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let mut parts = begin.splitn(3, '-');
    let mut digits = |count: usize| {
        parts
            .next()
            .is_some_and(|part| part.len() >= count && part.bytes().take(count).all(|byte| byte.is_ascii_digit()))
    };
    digits(4) && digits(2) && digits(2)
}

/// Whether the text shows what name comes of the path: "`src/a/b.md` -> `b`".
pub(super) fn is_derived_from(path: &str, after: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    let derived = after.trim_start().strip_prefix("->").map(str::trim_start);
    derived.is_some_and(|rest| rest.trim_start_matches(['`', '/']).split('`').next().is_some_and(|word| word == stem))
}
