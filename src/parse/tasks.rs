//! Checkboxes of task lists, what each counts as, and what was meant to be one.

mod legend;

use self::legend::Legend;
use super::Markdown;
use crate::base::path;
use crate::base::text::{LineIndex, Span};

/// What a checkbox counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxStanding {
    /// Something is left to do: not begun, in progress, deferred, or of an unexplained state.
    Open,
    /// It is done.
    Done,
    /// It will not be done, and leaves the total.
    Cancelled,
}

/// State of a checkbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// `[ ]`
    Open,
    /// `[x]` or `[X]`
    Done,
    /// Any other single character, such as `[-]`.
    Other(char),
}

/// One checkbox in a list item, outside code and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The box itself, `[ ]`.
    pub marker: Span,
    /// The mark in it.
    pub state: TaskState,
    /// What it counts as: by the file's own legend, else by the mark's usual meaning.
    pub(crate) standing: BoxStanding,
    /// Whether every reader knows the mark, or the file explains it.
    pub is_explained: bool,
    /// The text after the box, on its line.
    pub text: Span,
    /// The nearest task above it in the nesting of lists, as an index into the document's tasks.
    pub parent: Option<usize>,
    /// The heading it stands under, as an index into the document's headings.
    pub heading: Option<usize>,
}

/// Something that looks like a checkbox and that no reader takes for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MalformedTask {
    /// What stands there, from the list marker to the box's end.
    pub span: Span,
    /// What should stand there instead.
    pub replacement: String,
    /// What is wrong with it, for the message.
    pub why: &'static str,
    /// The text after the box, on its line.
    pub text: Span,
    /// The heading it stands under, as an index into the document's headings.
    pub heading: Option<usize>,
}

/// Whether the file at `path` is the task list of a spec. In those `[-]` is a task in progress.
fn is_of_spec(path: &[u8]) -> bool {
    path::file_name(path) == b"tasks.md" && path::file_name(path::parent(path::parent(path))) == b"specs"
}

/// Read the tasks of the document at `path`.
pub(crate) fn read(path: &[u8], text: &str, lines: &LineIndex, markdown: &Markdown) -> (Vec<Task>, Vec<MalformedTask>) {
    let legend = Legend::read(text, lines, markdown);
    let is_of_spec = is_of_spec(path);
    let mut tasks: Vec<Task> = Vec::new();
    let mut malformed = Vec::new();
    // For each list item, the task that it or the nearest item above it is.
    let mut nearest: Vec<Option<usize>> = Vec::with_capacity(markdown.items.len());
    for item in &markdown.items {
        let parent = item.parent.and_then(|above| nearest[above]);
        nearest.push(parent);
        let content = &text[item.content.range()];
        if markdown.in_code(item.content.start) || !content.starts_with(['[', '\u{ff3b}']) {
            continue;
        }
        match read_box(content) {
            Some(Brackets::Task(state, len)) if !is_link(markdown, item.content.start) => {
                let marker = Span::new(item.content.start, item.content.start + len);
                if legend.explains(marker) {
                    continue;
                }
                let rest = content[len..].trim();
                let start =
                    if rest.is_empty() { marker.end } else { item.content.end - content[len..].trim_start().len() };
                nearest.pop();
                nearest.push(Some(tasks.len()));
                let heading = markdown.heading_of(marker.start);
                let (standing, is_explained) = match state {
                    // Nobody has to do it.
                    TaskState::Open if rest.starts_with(OPTIONAL) => (BoxStanding::Cancelled, true),
                    TaskState::Other('-') if is_of_spec && !legend.has('-') => (BoxStanding::Open, true),
                    state => legend.standing(state),
                };
                let text = Span::new(start, start + rest.len());
                tasks.push(Task { marker, state, standing, is_explained, text, parent, heading });
            }
            Some(Brackets::Malformed { len, mark, why }) if !is_link(markdown, item.content.start) => {
                let gap = if content[len..].is_empty() || content[len..].starts_with([' ', '\t']) { "" } else { " " };
                let span = Span::new(item.marker.start, item.content.start + len);
                let replacement = format!("{}[{mark}]{gap}", &text[item.marker.start..item.content.start]);
                malformed.push(malformed_task(text, lines, markdown, span, replacement, why));
            }
            _ => {}
        }
    }
    for line in 0..lines.count() {
        let span = lines.line_span(line);
        if memchr::memchr(b'[', text[span.range()].as_bytes()).is_some() {
            let found = unlisted(text, span, markdown);
            malformed.extend(found.map(|(span, new, why)| malformed_task(text, lines, markdown, span, new, why)));
        }
    }
    malformed.retain(|task| !legend.explains(task.span));
    malformed.sort_by_key(|task| task.span.start);
    (tasks, malformed)
}

fn malformed_task(
    text: &str,
    lines: &LineIndex,
    markdown: &Markdown,
    span: Span,
    replacement: String,
    why: &'static str,
) -> MalformedTask {
    let line = lines.line_content(text.as_bytes(), lines.line_of(span.start));
    let rest = &text[span.end..line.end.max(span.end)];
    let start = span.end + (rest.len() - rest.trim_start().len());
    let said = Span::new(start, start + rest.trim().len());
    MalformedTask { span, replacement, why, text: said, heading: markdown.heading_of(span.start) }
}

/// What marks a task as optional, right behind its box: `- [ ]* Write tests`.
const OPTIONAL: &str = "* ";

/// What a pair of brackets at the beginning of an item is.
#[derive(Debug, PartialEq, Eq)]
enum Brackets {
    /// A box of `len` bytes that readers know.
    Task(TaskState, usize),
    /// A box of `len` bytes that was meant to hold `mark`.
    Malformed { len: usize, mark: char, why: &'static str },
}

/// Read the box that `content` begins with. Links, citations and type names such as `[]string` are no boxes.
fn read_box(content: &str) -> Option<Brackets> {
    if content.starts_with('\u{ff3b}') {
        return full_width(content);
    }
    let close = content.char_indices().take(6).find(|&(_, c)| c == ']').map(|(at, _)| at)?;
    let (inner, rest) = (&content[1..close], &content[close + 1..]);
    let len = close + 1;
    let apart = rest.is_empty() || rest.starts_with([' ', '\t']) || rest.starts_with(OPTIONAL);
    let malformed = |mark, why| Some(Brackets::Malformed { len, mark, why });
    let bare = inner.trim_matches([' ', '\t']);
    let mut chars = inner.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (None, ..) if apart => malformed(' ', "a box needs a space or an `x` between its brackets"),
        (None, ..) => None,
        (Some(c), None, _) | (Some(c), Some('\u{fe0f}'), None) => {
            let mark = match c {
                ' ' | '\t' => ' ',
                'x' | 'X' => 'x',
                '\u{a0}' | '\u{3000}' | '\u{2007}' | '\u{202f}' => {
                    return if apart { malformed(' ', "the space in the box is not U+0020") } else { None };
                }
                'х' | 'Х' | 'χ' | 'Χ' | '\u{ff58}' | '\u{ff38}' => {
                    return if apart {
                        malformed('x', "the `x` in the box is a letter of another alphabet")
                    } else {
                        None
                    };
                }
                _ if !apart || c.is_ascii_digit() || matches!(c, '^' | '[' | ']' | '\\') => return None,
                other => return Some(Brackets::Task(TaskState::Other(other), len)),
            };
            match (apart, mark) {
                (true, ' ') => Some(Brackets::Task(TaskState::Open, len)),
                (true, _) => Some(Brackets::Task(TaskState::Done, len)),
                (false, _) if begins_text(rest) => malformed(mark, "a space is missing after the box"),
                _ => None,
            }
        }
        _ if !(apart || begins_text(rest)) => None,
        _ if bare.is_empty() => malformed(' ', "a box holds one character between its brackets"),
        _ if bare.eq_ignore_ascii_case("x") => malformed('x', "a box holds one character between its brackets"),
        _ => None,
    }
}

/// `［ ］` and `［x］`, as an input method for Chinese or Japanese types them.
fn full_width(content: &str) -> Option<Brackets> {
    let (inner, rest) = content.strip_prefix('\u{ff3b}')?.split_once('\u{ff3d}')?;
    let mark = match inner {
        "" | " " | "\u{3000}" => ' ',
        "x" | "X" | "\u{ff58}" | "\u{ff38}" => 'x',
        _ => return None,
    };
    let len = content.len() - rest.len();
    Some(Brackets::Malformed { len, mark, why: "the brackets of the box are full-width" })
}

/// Whether text, rather than the rest of a link or of a type, follows a box.
fn begins_text(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '_' | '`' | '"' | '\'' | '~' | '@' | '#'))
}

fn is_link(markdown: &Markdown, offset: usize) -> bool {
    let index = markdown.links.partition_point(|link| link.span.start < offset);
    markdown.links.get(index).is_some_and(|link| link.span.start == offset)
}

/// A box on a line that no list holds: the list marker is missing, is none, or touches the box. Gives where it stands, what
/// should stand there, and what is wrong.
fn unlisted(text: &str, line: Span, markdown: &Markdown) -> Option<(Span, String, &'static str)> {
    let content = text[line.range()].trim_end();
    let blanks = content.len() - content.trim_start_matches([' ', '\t', '>']).len();
    let content = &content[blanks..];
    let start = line.start + blanks;
    let (marker_len, why) = marker(content)?;
    let gap = content[marker_len..].len() - content[marker_len..].trim_start_matches([' ', '\t']).len();
    let box_start = start + marker_len + gap;
    let boxed = &content[marker_len + gap..];
    let outside = markdown.in_code(start) || markdown.in_code(box_start) || markdown.in_comment(start);
    if outside || is_link(markdown, box_start) || is_item(markdown, start) || in_html(markdown, start) {
        return None;
    }
    let (len, mark) = match read_box(boxed)? {
        Brackets::Task(TaskState::Open, len) => (len, ' '),
        Brackets::Task(TaskState::Done, len) => (len, 'x'),
        Brackets::Task(..) => return None,
        Brackets::Malformed { len, mark, .. } => (len, mark),
    };
    let rest = boxed[len..].trim_start();
    // `[ ] = open, [x] = done` explains the boxes.
    let explains =
        rest.starts_with(['=', ':', '-', '–', '—', '→', ',', '/', '|']) || rest.contains("[x]") || rest.contains("[ ]");
    if rest.is_empty() || explains {
        return None;
    }
    let marker = match &content[..marker_len] {
        marker if marker.is_ascii() && !marker.is_empty() => marker,
        _ => "-",
    };
    let after = if boxed[len..].starts_with([' ', '\t']) { "" } else { " " };
    Some((Span::new(start, box_start + len), format!("{marker} [{mark}]{after}"), why))
}

/// The length of what stands for a list marker before a box, and what is wrong with it.
fn marker(content: &str) -> Option<(usize, &'static str)> {
    let first = content.chars().next()?;
    match first {
        '[' | '\u{ff3b}' => Some((0, "a list marker is missing before the box")),
        '-' | '*' | '+' if content[1..].starts_with('[') => {
            Some((1, "a space is missing between the list marker and the box"))
        }
        '•' | '·' | '–' | '—' | '‣' | '◦' | '●' | '−' => {
            let len = first.len_utf8();
            content[len..]
                .trim_start()
                .starts_with('[')
                .then_some((len, "the character before the box is not a Markdown list marker"))
        }
        '0'..='9' => {
            let digits = content.bytes().take_while(u8::is_ascii_digit).count();
            let touches = digits <= 9 && (content[digits..].starts_with(".[") || content[digits..].starts_with(")["));
            touches.then_some((digits + 1, "a space is missing between the list marker and the box"))
        }
        _ => None,
    }
}

/// Whether a list item begins at `offset`, or its own text does.
fn is_item(markdown: &Markdown, offset: usize) -> bool {
    let index = markdown.items.partition_point(|item| item.span.start <= offset);
    markdown.items[..index].last().is_some_and(|item| item.span.start == offset || item.content.start == offset)
}

fn in_html(markdown: &Markdown, offset: usize) -> bool {
    let index = markdown.html.partition_point(|html| html.start <= offset);
    markdown.html[..index].last().is_some_and(|html| html.contains(offset))
}

#[cfg(test)]
mod tests;
