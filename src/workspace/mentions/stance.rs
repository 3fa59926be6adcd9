//! What the text around a path says of it: that it is there, that it might be, or that it is not. Reads no files.

mod alternatives;
mod heads;
mod needles;
mod negations;
mod pattern;
mod prepare;
mod purpose;
mod records;
mod shown;
mod surroundings;
mod tongues;
mod words;

use std::borrow::Cow;

pub(super) use alternatives::is_alternative;
pub(crate) use prepare::prepare;
pub(super) use shown::shows_examples;
pub(super) use surroundings::introductions;

use alternatives::{is_manifest, is_one_of_many, tells_projects_apart};
use pattern::folded;
use purpose::without_purpose;
use records::{LOOKED_ON, TO_COME, is_made_or_gone, is_told_later};
use surroundings::{
    headings, is_dated, is_derived_from, is_of_another_repository, is_ticked_off, item_of_sentence, leads, line_end,
    line_start, paragraph, sentence_after, sentence_before, table, table_row,
};
use words::{
    ACTS, ADDS, AFTER, BEFORE, COMMENT_DENIES, EXAMPLE, EXAMPLE_LEAD, FORBIDDEN, FORBIDS, GONE, GONE_HEADING, HEDGE,
    HEDGE_COMMAND, HEDGE_HEADING, MADE_LABEL, MAKES, OLD, OUTLINE, PRODUCES_LEAD, READ, RECORD, REPLACES, SENDS,
    SOURCE_OF,
};

use crate::base::text::Span;
use crate::parse::Document;

/// What the text claims about a path that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stance {
    /// The text relies on the file.
    Claims,
    /// The path may be an illustration, or lie in another repository.
    Hedges,
    /// The text says that the file is gone, must not be there, is yet to be made, or is only an example.
    Denies,
}

/// Bytes around the path that are looked at, in each direction: a line may be as long as a file.
const MAX_BYTES: usize = 4000;

/// What the text of `document` claims about the path at `span`.
pub(super) fn stance(document: &Document, span: Span) -> Stance {
    judged(document, span, Denying { old: true, examples: true })
}

/// The same, where a path that the text calls old counts as there: another path that it calls so is.
pub(super) fn stance_of_old(document: &Document, span: Span) -> Stance {
    judged(document, span, Denying { old: false, examples: true })
}

/// Whether the text denies the path at `span` for nothing but that it is an example.
pub(super) fn is_only_an_example(document: &Document, span: Span) -> bool {
    stance(document, span) == Stance::Denies
        && judged(document, span, Denying { old: true, examples: false }) != Stance::Denies
}

/// Whether words that call a path old, or an example, deny it.
#[derive(Clone, Copy, Debug)]
struct Denying {
    old: bool,
    examples: bool,
}

fn judged(document: &Document, span: Span, denying: Denying) -> Stance {
    let whole = &document.text;
    let window = Span::new(
        whole.floor_char_boundary(span.start.saturating_sub(MAX_BYTES)),
        whole.floor_char_boundary(span.end + MAX_BYTES),
    );
    let text = &whole[window.range()];
    let offset = span.start;
    let span = Span::new(span.start - window.start, span.end - window.start);
    let row = table_row(text, span);
    let block = row.as_ref().map_or_else(|| paragraph(text, span), |row| row.cell);
    let is_link = text[span.range()].contains("](");
    if row.as_ref().is_some_and(|row| row.denies(text, is_link)) {
        return Stance::Denies;
    }
    let is_row = row.is_some();
    let is_unsure_row =
        row.is_some_and(|row| row.is_of_the_forbidden(text) || row.is_of_what_is_made(text) || row.names_any(text));
    let (above, below) = (unquoted(&text[block.start..span.start]), unquoted(&text[span.end..block.end]));
    let (before, after) = (folded(sentence_before(&above)), folded(sentence_after(&below)));
    let leads: Vec<String> = leads(text, line_start(text, block.start)).into_iter().map(folded).collect();
    let is_over = text[block.start..span.start].matches("~~").count() % 2 == 1 || is_ticked_off(&above);
    let before_mark = before.trim_end_matches(['`', '[', '!', '(', '@']);
    let after_mark = before_a_list(&after).trim_start_matches(['`', ')', ']', '>']);
    // In its sentence the path is one word.
    let (sentence, item) = (format!("{before}x{after}"), item_of_sentence(&before, &after));
    let forbidden = || {
        let alone = before_mark.trim_matches(|c: char| !c.is_alphanumeric()).is_empty();
        (alone || FORBIDDEN.is_match(&format!("never {}", sentence.trim_start_matches(['-', '*', '+', ' ']))))
            && is_forbidden(document, offset, &leads)
    };
    let derives = is_derived_from(&text[span.range()], after_mark);
    let quoted = is_quoted(&text[block.start..span.start], &text[span.end..block.end]);
    let denies = is_over
        || is_dated(&before)
        || is_told_later(&text[span.range()], &above, &below)
        || is_of_another_repository(&document.text, &text[block.start..span.start])
        || derives
        || makes(&before, before_mark)
        || quoted && is_link
        || is_one_of_many(&text[span.range()], &sentence)
        || is_row && is_manifest(&text[span.range()]) && tells_projects_apart(&text[table(text, span).range()])
        || GONE.is_match(&format!("{item}x{after}").replace('*', ""))
        || negations::is_negated(item, &after)
        || FORBIDDEN.is_match(&clause(&before, if ACTS.is_match(after_mark) { "" } else { &after }))
        || is_made_or_gone((text, span), (before_mark, after_mark))
        || denying.old && OLD.is_match(before_mark)
        || AFTER.is_match(after_mark)
        || denying.examples && EXAMPLE.is_match(before_mark)
        || forbidden();
    if denies {
        return Stance::Denies;
    }
    // What the arrow of an item leads to is not what its list forbids.
    let is_instead = ["→ use ", "-> use "].iter().any(|end| before_mark.ends_with(end));
    let around = if is_instead { Stance::Claims } else { introduced(document, offset, &leads) };
    let named = without_purpose(&sentence);
    let hedges = quoted || is_unsure_row || is_caption(text, span) || HEDGE.is_match(&named);
    if hedges { around.max(Stance::Hedges) } else { around }
}

/// What stands behind a path that introduces a list, up to the list: each item of it speaks for itself.
fn before_a_list(after: &str) -> &str {
    let bare = after.trim_start_matches(['`', ')', '*', '_', ']']);
    if bare.starts_with(":\n- ") || bare.starts_with(":\n* ") { &after[..after.len() - bare.len() + 1] } else { after }
}

/// Whether the words before the path, up to its `mark`, say that it is made.
fn makes(before: &str, mark: &str) -> bool {
    let mark = what_to_read(mark);
    MADE_LABEL.is_match(before) || MAKES.is_match(mark) && !SOURCE_OF.is_match(mark)
}

/// What stands before a path without the clause that says when to read it: "when writing a test, read `x.md`" makes no `x.md`.
fn what_to_read(mark: &str) -> &str {
    const WHEN: [&str; 5] = ["after ", "before ", "if you ", "when ", "while "];
    const READS: [&str; 7] = ["always ", "consult ", "first ", "follow ", "read ", "refer to ", "see "];
    let begin = mark.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let clause = begin.split_once(", ").filter(|_| WHEN.iter().any(|word| begin.starts_with(word)));
    let reads = |rest: &str| READS.iter().any(|verb| rest.starts_with(verb));
    clause.map(|(_, rest)| rest.trim_start_matches(['*', '_'])).filter(|rest| reads(rest)).unwrap_or(mark)
}

/// The text of a quote without the marks before its lines.
fn unquoted(text: &str) -> Cow<'_, str> {
    if text.contains("\n>") { text.replace("\n>", "\n").into() } else { text.into() }
}

/// What stands before the name of a file whose text follows.
const CAPTIONS: [&str; 8] = ["archivo", "arquivo", "datei", "fichier", "file", "文件", "ファイル", "파일"];

/// Whether the path at `span` is all that its line says, and a fence follows: it names the file whose text the fence shows.
fn is_caption(text: &str, span: Span) -> bool {
    let end = line_end(text, span.end);
    let (before, after) = (&text[line_start(text, span.start)..span.start], &text[span.end..end]);
    let marks = |c: char| c.is_ascii_digit() || " \t`*_#:：.()>-".contains(c);
    let rest = text[end..].trim_start_matches(['\r', '\n', ' ']);
    // "**Dialog (`Dialog.tsx`):**"
    let is_name_of_part = !text[span.range()].contains('/')
        && before.trim_end_matches('`').ends_with('(')
        && after.trim_start_matches('`').starts_with("):");
    let label = before.trim_matches(marks).to_lowercase();
    (label.is_empty() || CAPTIONS.contains(&label.as_str()) || is_name_of_part)
        && after.chars().all(marks)
        && (rest.starts_with("```") || rest.starts_with("~~~"))
}

/// Whether the text tells the reader to read the path at `span`.
pub(super) fn is_to_be_read(document: &Document, span: Span) -> bool {
    let text = &document.text;
    let start = text.floor_char_boundary(line_start(text, span.start).max(span.start.saturating_sub(MAX_BYTES)));
    let before = folded(&text[start..span.start]);
    READ.is_match(before_items(&before))
}

/// Whether the text sends the reader to the path at `span`, to read it or to run it.
pub(super) fn is_sent_to(document: &Document, span: Span) -> bool {
    let text = &document.text;
    let start = text.floor_char_boundary(line_start(text, span.start).max(span.start.saturating_sub(MAX_BYTES)));
    SENDS.is_match(before_items(&folded(&text[start..span.start])))
}

/// What stands before a path, and before the code spans that are listed with it: "read `a.md` and `b.md`".
fn before_items(before: &str) -> &str {
    let joints = [" + ", " plus ", ", and ", " and ", ", ", " & ", " / ", "、", " und ", " et ", " y ", " e "];
    let mut rest = before;
    loop {
        let bare = rest.trim_end_matches(['`', '[', '(']);
        let item = joints.iter().find_map(|joint| bare.strip_suffix(joint)).and_then(|item| item.strip_suffix('`'));
        match item.and_then(|item| item.rsplit_once('`')) {
            Some((before, _)) => rest = before,
            None => return bare,
        }
    }
}

/// Whether the sentence before the path at `span` tells of something that is to be added, or may be.
pub(super) fn is_to_come(document: &Document, span: Span) -> bool {
    let text = &document.text;
    let start = text.floor_char_boundary(line_start(text, span.start).max(span.start.saturating_sub(MAX_BYTES)));
    ADDS.is_match(&folded(sentence_before(&text[start..span.start])))
}

/// The part of the sentence that no semicolon cuts off from the path between `before` and `after`.
fn clause(before: &str, after: &str) -> String {
    let before = before.rsplit(';').next().unwrap_or(before);
    let after = after.split(';').next().unwrap_or(after);
    format!("{before}x{after}")
}

/// What the text claims about a path at `span` in the command of a fence: by the comments beside and above it, and by what
/// introduces the fence.
pub(super) fn stance_in_fence(document: &Document, span: Span, fence: Span) -> Stance {
    let text = &document.text;
    let line = Span::new(line_start(text, span.start), line_end(text, span.end).min(fence.end));
    let end = text.floor_char_boundary(line.end.min(span.end + MAX_BYTES));
    let beside = text[span.end..end].split_once(" #").map_or("", |(_, comment)| comment);
    let above = line.start.checked_sub(1).filter(|&end| end > fence.start).map(|end| &text[line_start(text, end)..end]);
    let above = above.map(str::trim_start).filter(|above| above.starts_with('#') && above.len() <= MAX_BYTES);
    let (beside, above) = (folded(beside), folded(above.unwrap_or("")));
    if GONE.is_match(&beside) || COMMENT_DENIES.is_match(&beside) || COMMENT_DENIES.is_match(&above) {
        return Stance::Denies;
    }
    let around = of_fence(document, fence);
    if HEDGE_COMMAND.is_match(&beside) || HEDGE_COMMAND.is_match(&above) { around.max(Stance::Hedges) } else { around }
}

/// Whether the line that introduces a list, or the heading right above, says only "Never".
fn is_forbidden(document: &Document, offset: usize, leads: &[String]) -> bool {
    let heading = headings(document, offset).into_iter().next().map(|heading| folded(&heading.text));
    heading.iter().chain(leads).any(|text| FORBIDS.is_match(text))
}

/// Whether the text around `span` gives a command as an example, or as one of another repository.
pub(super) fn command_is_hedged(document: &Document, span: Span) -> bool {
    let line = Span::new(line_start(&document.text, span.start), line_end(&document.text, span.end));
    let line = Span::new(line.start.max(span.start.saturating_sub(MAX_BYTES)), line.end.min(span.end + MAX_BYTES));
    let near = Span::new(document.text.floor_char_boundary(line.start), document.text.floor_char_boundary(line.end));
    let sentence = sentence_before(&document.text[near.start..span.start]).to_owned()
        + " x "
        + sentence_after(&document.text[span.end..near.end]);
    HEDGE_COMMAND.is_match(&folded(&sentence)) || is_hedged_above(document, span.start)
}

/// Whether the headings above `offset` say so of commands.
fn is_hedged_above(document: &Document, offset: usize) -> bool {
    headings(document, offset).into_iter().any(|heading| HEDGE_COMMAND.is_match(&folded(&heading.text)))
}

/// Whether the sentence forbids to use what stands at `span`.
pub(super) fn is_ruled_out(document: &Document, span: Span) -> bool {
    let text = &document.text;
    let start = text.floor_char_boundary(line_start(text, span.start).max(span.start.saturating_sub(MAX_BYTES)));
    FORBIDDEN.is_match(&clause(&folded(sentence_before(&text[start..span.start])), ""))
}

/// What introduces a fence of commands, and stands above it: whether it denies them, and whether it hedges.
pub(super) fn of_commands(document: &Document, fence: Span) -> (bool, bool) {
    let start = document.text.floor_char_boundary(fence.start.saturating_sub(MAX_BYTES));
    let text = &document.text[start..fence.start];
    let leads: Vec<String> = leads(text, line_start(text, text.len())).into_iter().map(folded).collect();
    let denied = introduced(document, fence.start, &leads) == Stance::Denies;
    let hedged = leads.iter().any(|lead| HEDGE_COMMAND.is_match(lead)) || is_hedged_above(document, fence.start);
    (denied, hedged || shows_a_script(document, fence))
}

/// Whether what stands behind an entry of a tree says that it is not there.
pub(super) fn remark_denies(remark: &str) -> bool {
    if TO_COME.is_match(&folded(&remark[..remark.floor_char_boundary(MAX_BYTES)])) {
        return true;
    }
    let remark = remark.trim().trim_start_matches(['#', '/', '←', '-', '–', '—', '*', '(', ' ']);
    let text = folded(&remark[..remark.floor_char_boundary(MAX_BYTES)]);
    let is_loose =
        ["or similar", "if needed", "when needed", "exists but empty"].iter().any(|words| text.contains(words));
    !text.is_empty() && (is_loose || GONE.is_match(&text) || FORBIDDEN.is_match(&text) || AFTER.is_match(&text))
}

/// What the text claims about all that a fence holds, by what introduces it and the headings above.
pub(super) fn of_fence(document: &Document, fence: Span) -> Stance {
    let start = document.text.floor_char_boundary(fence.start.saturating_sub(MAX_BYTES));
    let text = &document.text[start..fence.start];
    let leads: Vec<String> = leads(text, line_start(text, text.len())).into_iter().map(folded).collect();
    let around = introduced(document, fence.start, &leads);
    if shows_a_script(document, fence) { around.max(Stance::Hedges) } else { around }
}

/// Whether a fence shows the text of a whole script, which some project may have, rather than commands for the reader.
fn shows_a_script(document: &Document, fence: Span) -> bool {
    let mut lines = document.slice(fence).lines().map(str::trim);
    lines.find(|line| !line.starts_with("```") && !line.starts_with("~~~")).is_some_and(|line| line.starts_with("#!"))
}

/// The same of a fence that draws a tree: how files should lie is no claim that they do.
pub(super) fn of_tree(document: &Document, fence: Span) -> Stance {
    let is_outline = introductions(document, fence.start).iter().any(|text| OUTLINE.is_match(&folded(text)))
        || headings(document, fence.start).into_iter().take(2).any(|heading| OUTLINE.is_match(&folded(&heading.text)));
    if is_outline { Stance::Denies } else { of_fence(document, fence) }
}

/// What `leads` and the headings above `offset` say.
fn introduced(document: &Document, offset: usize, leads: &[String]) -> Stance {
    let denies = leads.iter().any(|lead| {
        GONE.is_match(lead)
            || FORBIDDEN.is_match(lead)
            || OLD.is_match(&format!("{} ", lead.trim_end_matches([':', ' ', '*', '_'])))
            || REPLACES.is_match(lead)
            || EXAMPLE_LEAD.is_match(lead)
            || RECORD.is_match(lead)
            || PRODUCES_LEAD.is_match(lead)
            || BEFORE.is_match(lead.trim_end_matches([':', ' ', '*', '_']))
            || LOOKED_ON.is_match(lead)
    });
    if denies || is_in_example(document, offset) {
        return Stance::Denies;
    }
    let headings: Vec<String> = headings(document, offset).into_iter().map(|heading| folded(&heading.text)).collect();
    if headings
        .iter()
        .any(|heading| GONE_HEADING.is_match(heading) || RECORD.is_match(heading) || REPLACES.is_match(heading))
    {
        return Stance::Denies;
    }
    let hedges = leads.iter().any(|lead| HEDGE.is_match(lead) || MAKES.is_match(what_to_read(lead)))
        || headings.iter().any(|heading| HEDGE_HEADING.is_match(heading));
    if hedges { Stance::Hedges } else { Stance::Claims }
}

/// Whether an `<example>` is open at `offset` that is closed behind it.
fn is_in_example(document: &Document, offset: usize) -> bool {
    let text = document.text.as_bytes();
    let before = &text[offset.saturating_sub(MAX_BYTES)..offset];
    let ends = |rest: &[u8]| matches!(rest.first(), Some(b'>' | b' ' | b'\n')) || rest.starts_with(b"s>");
    let opens = memchr::memmem::rfind_iter(before, b"<example");
    let open = opens.into_iter().find(|at| ends(&before[at + b"<example".len()..]));
    let closed = |rest: &[u8]| memchr::memmem::find(rest, b"</example").is_some();
    open.is_some_and(|open| !closed(&before[open..]) && closed(&text[offset..])) || is_in_a_log(&text[..offset])
}

/// So many bytes before a path are searched for the begin of a log.
const MAX_LOG: usize = 16 << 10;

/// Whether a program's log of past sessions is open at the end of `before`.
fn is_in_a_log(before: &[u8]) -> bool {
    let before = &before[before.len().saturating_sub(MAX_LOG)..];
    let open = memchr::memmem::rfind(before, b"<claude-mem-context>");
    open.is_some_and(|open| memchr::memmem::find(&before[open..], b"</claude-mem-context>").is_none())
}

/// Whether `span` stands behind an opening quotation mark of its line. A link in an example is often quoted on its line alone,
/// and not to the end.
pub(super) fn is_in_quotes(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let text = &document.text;
    let start = text.ceil_char_boundary(line.start.max(span.start.saturating_sub(MAX_BYTES)));
    let end = text.floor_char_boundary(line.end.min(span.end + MAX_BYTES)).max(span.end);
    let before = &text[start..span.start];
    is_quoted(before, &text[span.end..end]) || before.matches('“').count() > before.matches('”').count()
}

/// Whether the text between `before` and `after` stands inside quotation marks: what others say, or what is to be said.
fn is_quoted(before: &str, after: &str) -> bool {
    let open = |pair: [char; 2]| {
        let opened = before.rfind(pair[0]);
        opened.is_some_and(|at| !before[at..].contains(pair[1])) && after.contains(pair[1])
    };
    // A mark behind a figure stands for inches.
    let straight = before.match_indices('"').filter(|(at, _)| !before[..*at].ends_with(|c: char| c.is_ascii_digit()));
    straight.count() % 2 == 1 && after.contains('"')
        || open(['“', '”'])
        || open(['„', '“'])
        || open(['«', '»'])
        || open(['「', '」'])
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod word_tests;
