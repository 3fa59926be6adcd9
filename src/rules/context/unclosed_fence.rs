//! `unclosed-fence`: a code fence is never closed. Knows only parsed documents.

mod swapped;

use self::swapped::{Swapped, is_heading, swapped};
use crate::base::finding::{Applicability, Cause, Finding, Level, Related};
use crate::base::kind::Kind;
use crate::base::path;
use crate::base::text::Span;
use crate::parse::markdown::{Code, CodeKind};
use crate::parse::tasks::TaskState;
use crate::parse::{Document, Problem, ProblemKind};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct UnclosedFence;

static INFO: RuleInfo = RuleInfo {
    name: "unclosed-fence",
    group: Group::Context,
    levels: &[Level::Warning, Level::Info],
    summary: "a code fence is never closed",
    explanation: r#"## What it does

Reports a code fence that runs to the end of the file, or to the end of the list item or quote it stands in, because no line
closes it. If at most one line follows, or nothing but code of the language that the fence names, it is an info: the reader loses nothing. In a plan it is one, too, unless it hides tasks.
Also reports a block that contains
a fence as long as its own: the block ends where that fence ends, and after it code is read as text and text as code; and a bare fence with code
right before it and a blank line and headings behind it, which looks like the end of such a block and begins one.

## Why is this bad?

All that follows is code: no import runs there, no checkbox counts, and a reader sees instructions as an example.

## Example

````text
```shell
make test

# Style
````

## How to fix

Close the fence where the code ends. A fence inside a list item must be closed with the item's indentation; a block that shows
fences needs a longer fence around it. Where the code certainly reaches the end of the file, `--fix` writes the closing line there: not
where the last fence may close a block that contains fences and that an inner fence closed too early.
"#,
    evidence: &[Evidence { source: "https://spec.commonmark.org/0.31.2/#fenced-code-blocks", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for UnclosedFence {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let first = findings.len();
        let mut cut: Option<usize> = None;
        let mut fence_end = 0;
        // A fence that is open where reading stopped may be closed behind that place.
        let is_cut = |problem: &&Problem| matches!(problem.kind, ProblemKind::TooMuchMarkup(_));
        let end = document.problems.iter().find(is_cut).map_or(usize::MAX, |problem| problem.span.start);
        for code in document.markdown.code.iter().filter(|code| code.span.end < end) {
            let CodeKind::Fence { open, closed, language } = &code.kind else { continue };
            // The line that should have closed a fence opens one when it stands outside the fence's item: one slip, one finding.
            let follows_cut = cut.take().filter(|_| language.is_empty());
            let fence_end = std::mem::replace(&mut fence_end, code.span.end);
            let is_opened = || is_opened_in_html(document, fence_end, *open) || is_paired_to_the_eye(document);
            if *closed || language.is_empty() && is_opened() {
                continue;
            }
            if let Some(finding) = follows_cut.and_then(|index| findings.get_mut(first + index)) {
                finding.related.push(Related {
                    path: document.path.clone(),
                    span: *open,
                    message: "and this line opens another one instead of closing it".into(),
                });
                continue;
            }
            cut = Some(findings.len() - first);
            findings.push(report(document, *open, code));
        }
        // A plan shows whole files, and is read once.
        let is_told = findings.len() > first || document.kind == Kind::Plan || end < usize::MAX;
        if !is_told {
            let crossed = crossed(document).map(|crossed| report_crossed(document, &crossed));
            let swapped = || swapped(document).filter(|_| !hides_a_beginning(document));
            let of_bare_ones = || swapped().map(|swapped| report_swapped(document, &swapped));
            findings.extend(crossed.or_else(of_bare_ones));
        }
    }
}

/// Whether fences of `document` are taken the wrong way round somewhere, so that code may be text and text code.
pub(in crate::rules) fn is_out_of_step(document: &Document) -> bool {
    let is_open = |code: &Code| matches!(code.kind, CodeKind::Fence { closed: false, .. });
    document.markdown.code.iter().any(is_open) || crossed(document).is_some() || swapped(document).is_some()
}

/// A block that ends at the line that should close the fence inside it, when enough blocks do so that no fence is open at the
/// end of the
/// file. The places of both; of several, the first that certainly opens a block.
fn crossed(document: &Document) -> Option<CrossedFences> {
    let fences = document.markdown.code.iter().filter_map(|code| {
        let CodeKind::Fence { open, ref language, .. } = code.kind else { return None };
        let mut at = code.content.start;
        let mut inner = None;
        for line in document.slice(code.content).split_inclusive('\n') {
            let from = at + (line.len() - line.trim_start().len());
            if line.trim_start().starts_with(document.slice(open)) {
                // Further in, the inner fence may end without ending the block.
                inner = opens_fence(line).then(|| Span::new(from, at + line.trim_end().len()));
            }
            at += line.len();
        }
        inner.map(|inner| (!language.is_empty(), open, inner))
    });
    let crossed: Vec<(bool, Span, Span)> = fences.collect();
    if crossed.is_empty() || is_paired_to_the_eye(document) {
        return None;
    }
    let certain = crossed.iter().find(|(is_certain, ..)| *is_certain);
    let swaps = crossed.len().is_multiple_of(2);
    certain.or(crossed.first()).map(|(_, outer, inner)| CrossedFences { outer: *outer, inner: *inner, swaps })
}

/// A block and the fence in it that it ends with.
struct CrossedFences {
    outer: Span,
    inner: Span,
    /// Whether code and text are taken for each other behind it, up to the next such block.
    swaps: bool,
}

fn report_crossed(document: &Document, crossed: &CrossedFences) -> Finding {
    let (outer, inner) = (crossed.outer, crossed.inner);
    let line = document.lines.line_content(document.text.as_bytes(), document.lines.line_of(outer.start));
    let place = Span::new(outer.start, outer.start + document.slice(Span::new(outer.start, line.end)).trim_end().len());
    let message = "this block contains a fence as long as its own and ends there: after it, code is read as text and text as code";
    let path = &document.path;
    let cause = |kind: &str, many: &'static str| Cause {
        key: format!("{kind} fences in {}", String::from_utf8_lossy(folder_of_hand(document))),
        subject: format!("a block of {}", path.to_str_lossy()),
        many,
        help: None,
    };
    if !crossed.swaps {
        let message =
            "this code fence is not closed before the next one begins: both and the text between them are one block";
        return Finding::new(INFO.name, Level::Warning, path, place, message)
            .related(path, inner, "the fence whose end closes it")
            .help("close the block above that line, or give it a longer fence, such as four backticks, if it shows that one")
            .cause(cause("joined", "are not closed before the next one begins"));
    }
    Finding::new(INFO.name, Level::Warning, path, place, message)
        .related(path, inner, "the fence that it shows")
        .help("give this block a longer fence than the one inside it, such as four backticks, or close the block above it")
        .cause(cause("crossed", "contain a fence as long as their own, so that code and text are swapped after it"))
}

fn report_swapped(document: &Document, swapped: &Swapped) -> Finding {
    let path = &document.path;
    let message =
        "this fence begins a block where it looks like the end of one: the headings behind it are read as code";
    let cause = Cause {
        key: format!("swapped fences in {}", String::from_utf8_lossy(folder_of_hand(document))),
        subject: format!("a fence of {}", path.to_str_lossy()),
        many: "begin a block where they look like the end of one",
        help: None,
    };
    Finding::new(INFO.name, Level::Warning, path, swapped.open, message)
        .related(path, swapped.before, "the block before it, which ends at the fence that it shows")
        .help("give the block that shows fences a longer fence, such as four backticks")
        .cause(cause)
}

fn report(document: &Document, open: Span, code: &Code) -> Finding {
    let line = document.lines.line_content(document.text.as_bytes(), document.lines.line_of(open.start));
    let place = Span::new(open.start, open.start + document.slice(Span::new(open.start, line.end)).trim_end().len());
    let to_the_end = document.text[code.span.end..].trim().is_empty();
    let message = match to_the_end {
        true => "this code fence is never closed: the rest of the file is code",
        false => "this code fence is never closed: its list item or quote ends first",
    };
    let behind = document.slice(code.content).lines().filter(|line| !line.trim().is_empty()).count();
    let is_idle =
        to_the_end && behind <= 1 && matches!(&code.kind, CodeKind::Fence { language, .. } if language.is_empty());
    // Nobody works with a plan all of whose tasks are done.
    let put_away = |part: &[u8]| matches!(part, b"completed" | b"done" | b"closed" | b"finished" | b"implemented");
    let is_done = document.kind == Kind::Plan
        && (document.path.as_bytes().split(|&byte| byte == b'/').any(put_away)
            || !document.tasks.is_empty() && document.tasks.iter().all(|task| task.state != TaskState::Open));
    // What a plan shows is read once; its tasks are counted.
    let is_task = |line: &str| ["- [ ]", "* [ ]"].iter().any(|mark| line.trim_start().starts_with(mark));
    let is_shown = document.kind == Kind::Plan && !document.slice(code.content).lines().any(is_task);
    let nested = if to_the_end { nested_before(document, open) } else { None };
    let is_all = to_the_end && behind >= MIN_CODE && nested.is_none() && is_all_code(document, code);
    let is_closed = !to_the_end && closes_to_the_eye(document, open, code);
    let level = if is_idle || is_done || is_shown || is_all || is_closed { Level::Info } else { Level::Warning };
    let finding = Finding::new(INFO.name, level, &document.path, place, message);
    if let Some((outer, inner)) = nested {
        let opening = document.lines.line_of(outer.start) + 1;
        return finding
            .related(&document.path, outer, "this block shows a fence")
            .related(&document.path, inner, "the end of this fence closes the outer block")
            .help(format!(
                "line {opening} opens a block that contains a fence: make its opening and closing fence longer than that one, such as four backticks"
            ));
    }
    match closing_line(document, line, open, code) {
        Some(closing) if to_the_end => finding.cause(cause(document)).help("close the fence at the end").fix(
            Applicability::Safe,
            Span::empty(document.text.len()),
            closing,
        ),
        _ if to_the_end => finding
            .cause(cause(document))
            .help("close the fence where the code ends, with the indentation it was opened with"),
        _ => finding
            .cause(cause(document))
            .help("close the fence where the code ends, with the indentation it was opened with"),
    }
}

/// Whether the block of a list item whose code stands further left is closed by a fence with the indentation of its own: readers see
/// where it ends.
fn closes_to_the_eye(document: &Document, open: Span, code: &Code) -> bool {
    let line = document.lines.line_span(document.lines.line_of(open.start));
    let (indent, mark) = (document.slice(Span::new(line.start, open.start)), document.slice(open));
    let mut behind = document.text[code.span.end..].lines();
    let next = behind.find(|line| line.trim_start().starts_with(mark));
    let is_alike = |next: &str| next.len() - next.trim_start().len() == indent.len() && next.trim() == mark;
    indent.trim().is_empty() && next.is_some_and(is_alike)
}

/// Lines of code, at least, that show by themselves that nothing but code follows.
const MIN_CODE: usize = 5;

/// Whether a block says what language it holds, and no line of it looks like text of the file: closing it at the end would change nothing.
fn is_all_code(document: &Document, code: &Code) -> bool {
    let CodeKind::Fence { language, .. } = &code.kind else { return false };
    let is_numbered = |line: &str| line.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(". ");
    let is_text = |line: &str| {
        let line = line.trim_start();
        ["## ", "### ", "#### ", "- **", "* **", "**", "| "].iter().any(|begin| line.starts_with(begin))
            || line.starts_with(|c: char| c.is_ascii_digit()) && is_numbered(line)
    };
    let is_markdown = matches!(language.to_ascii_lowercase().as_str(), "markdown" | "md" | "mdx");
    !language.is_empty() && !is_markdown && !document.slice(code.content).lines().any(is_text)
}

/// The folder whose files come from one hand: each skill of a collection has a folder of its own.
fn folder_of_hand(document: &Document) -> &[u8] {
    let folder = document.path.parent();
    let parent = path::parent(folder);
    if document.kind == Kind::Skill && !parent.is_empty() { parent } else { folder }
}

/// What open fences of the files of one folder have in common: one program cut them off.
fn cause(document: &Document) -> Cause {
    let path = &document.path;
    Cause {
        key: format!("fences in {}", String::from_utf8_lossy(folder_of_hand(document))),
        subject: format!("a fence of {}", path.to_str_lossy()),
        many: "are never closed",
        help: None,
    }
}

/// Whether the HTML between the end of the fence before, at `fence_end`, and `open` holds an odd number of fences: CommonMark takes
/// the first of them for HTML, while everybody reads the one at `open` as its end.
fn is_opened_in_html(document: &Document, fence_end: usize, open: Span) -> bool {
    let is_fence = |line: &&str| matches!(line.trim_start().get(..3), Some("```" | "~~~"));
    let html = &document.markdown.html;
    let before = html[..html.partition_point(|html| html.end <= open.start)].last();
    before
        .is_some_and(|html| fence_end <= html.start && document.slice(*html).lines().filter(is_fence).count() % 2 == 1)
}

/// Whether HTML hides a fence from CommonMark, so that all that follow are taken the wrong way round, while everybody reads them in
/// pairs.
fn is_paired_to_the_eye(document: &Document) -> bool {
    let is_fence = |line: &&str| matches!(line.trim_start().get(..3), Some("```" | "~~~"));
    let hides = |html: &Span| document.slice(*html).lines().filter(is_fence).count() % 2 == 1;
    let mut open: Option<&str> = None;
    let body = document.text.get(document.body..).unwrap_or_default();
    for line in body.lines().filter(is_fence) {
        let line = line.trim();
        let run = &line[..line.len() - line.trim_start_matches(&line[..1]).len()];
        open = match open {
            None => Some(run),
            Some(outer) if line == run && run.starts_with(outer) => None,
            open => open,
        };
    }
    open.is_none() && document.markdown.html.iter().any(hides)
}

/// Whether HTML hides the beginning of a block from CommonMark, so that its end is taken for a beginning: a tag stands right above it.
fn hides_a_beginning(document: &Document) -> bool {
    let hides = |html: &Span| {
        let mut fences = document.slice(*html).lines().filter(|line| line.trim_start().starts_with("```"));
        fences.next().is_some_and(opens_fence) && fences.next().is_none()
    };
    document.markdown.html.iter().any(hides) && is_paired_to_the_eye(document)
}

/// Whether a line of code looks like the beginning of a fence, with a word behind it that an end of a fence cannot have.
fn opens_fence(line: &str) -> bool {
    let line = line.trim();
    let behind = ["```", "~~~"].iter().find_map(|run| Some(line.strip_prefix(run)?.trim_start_matches(&run[..1])));
    // What closes a call of the code that the block shows is no word.
    let is_word = |word: &str| word.trim_start().starts_with(|c: char| c.is_alphanumeric() || "{[.<_:+~!".contains(c));
    behind.is_some_and(|word| is_word(word) && !word.contains('`'))
}

/// The fence before `open` that holds the beginning of another one, so that what closes the inner one closes it, and every fence
/// after it is taken the wrong way round. The places of both. A fence without a word may itself be such an end that was taken for a
/// beginning: the one that made it so counts.
fn nested_before(document: &Document, open: Span) -> Option<(Span, Span)> {
    let before = document.markdown.code.iter().filter(|code| code.span.end <= open.start);
    let nested = before.filter_map(|code| {
        let CodeKind::Fence { open, ref language, .. } = code.kind else { return None };
        let is_certain = !language.is_empty();
        let mut at = code.content.start;
        for line in document.slice(code.content).split_inclusive('\n') {
            if opens_fence(line) && line.trim_start().starts_with(document.slice(open)) {
                let from = at + (line.len() - line.trim_start().len());
                return Some((is_certain, open, Span::new(from, at + line.trim_end().len())));
            }
            at += line.len();
        }
        None
    });
    let nested: Vec<(bool, Span, Span)> = nested.collect();
    let certain = nested.iter().rev().find(|(is_certain, ..)| *is_certain);
    certain.or(nested.last()).map(|(_, outer, inner)| (*outer, *inner))
}

/// What closes the fence at the end of the file, if the code may well end there: it stands in no list item or quote, and
/// neither a heading nor a further fence follows it, and the fence certainly opens it. One without a word may be the end of an
/// earlier block.
fn closing_line(document: &Document, line: Span, open: Span, code: &Code) -> Option<String> {
    let is_fence = |code: &&Code| matches!(code.kind, CodeKind::Fence { .. });
    let opens = document.markdown.code.iter().filter(is_fence).count() == 1
        || matches!(&code.kind, CodeKind::Fence { language, .. } if !language.is_empty());
    let content = code.content;
    let looks_like_text =
        |line: &str| is_heading(line) || ["```", "~~~"].iter().any(|run| line.trim_start().starts_with(run));
    let indent = document.slice(Span::new(line.start, open.start));
    let code = document.slice(content);
    let plain = indent.len() <= 3 && indent.bytes().all(|byte| byte == b' ');
    if !opens || !plain || code.trim().is_empty() || code.lines().any(looks_like_text) {
        return None;
    }
    let newline = if document.text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = if document.text.ends_with('\n') { "" } else { newline };
    Some(format!("{gap}{indent}{}{newline}", document.slice(open)))
}

#[cfg(test)]
mod tests;
