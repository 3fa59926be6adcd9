//! Lists: where items end, and the text of each without its indentation.

use super::super::is_js_space;
use super::super::mapped::Mapped;
use super::blocks::{BlockNode, Blocks};
use super::chars::{byte_at, indent, line_end, skip};
use super::extents;

/// The list at `from`: its length, its source and the blocks of those of its items that matter.
pub(super) fn list(blocks: &mut Blocks, frame: &Mapped, from: usize) -> Option<(usize, Mapped, Vec<Vec<BlockNode>>)> {
    if !begins(&frame.text[from..]) {
        return None;
    }
    let mut texts = Vec::new();
    let mut bullet = None;
    let mut at = from;
    while at < frame.text.len() {
        let Some(marked) = marker(&frame.text, at) else { break };
        let mark = byte_at(&frame.text, marked - 1);
        if *bullet.get_or_insert(mark) != mark || extents::rule(&frame.text[at..]).is_some() {
            break;
        }
        let (end, text) = item(frame, at, marked);
        texts.push(text);
        at = end;
    }
    let last = texts.last_mut()?;
    last.truncate(last.text.trim_end_matches(is_js_space).len());
    let len = frame.text[from..at].trim_end_matches(is_js_space).len();
    let mut items = Vec::new();
    for text in texts.iter().filter(|text| matters(&text.text)) {
        let mut nodes = Vec::new();
        blocks.top = false;
        blocks.read(text, &mut nodes, false);
        items.push(nodes);
    }
    // As behind every text that was read.
    blocks.top = true;
    Some((len, frame.slice(from..from + len), items))
}

/// Whether an item's text may hold a token, or define a link.
fn matters(text: &str) -> bool {
    memchr::memchr(b'@', text.as_bytes()).is_some() || text.contains("]:")
}

/// Behind a list marker at `at`, with the blanks before it, if a blank or the end of the line follows.
fn marker(text: &str, at: usize) -> Option<usize> {
    let open = indent(text, at);
    let end = open + marker_length(&text[open..])?;
    matches!(byte_at(text, end), None | Some(b'\t' | b'\n' | b' ')).then_some(end)
}

/// The length of the bullet or number that `rest` begins with.
fn marker_length(rest: &str) -> Option<usize> {
    let digits = skip(rest, 0, |byte| byte.is_ascii_digit());
    match byte_at(rest, digits)? {
        b'-' | b'+' | b'*' if digits == 0 => Some(1),
        b'.' | b')' if (1..=9).contains(&digits) => Some(digits + 1),
        _ => None,
    }
}

/// Whether a list begins here: behind the marker stands nothing, or a blank and something else.
fn begins(rest: &str) -> bool {
    let Some(end) = marker(rest, 0) else { return false };
    matches!(byte_at(rest, end), None | Some(b'\n')) || !matches!(byte_at(rest, end + 1), None | Some(b'\n'))
}

/// The item at `at` whose marker ends at `marked`: where it ends, and its text.
fn item(frame: &Mapped, at: usize, marked: usize) -> (usize, Mapped) {
    let text = &frame.text;
    let mut end = line_end(text, marked);
    let tabs = skip(text, marked, |byte| byte == b'\t');
    let mut first = Mapped::default();
    first.push_str(&"   ".repeat(tabs - marked), frame.source(marked));
    first.push(frame, tabs..end);
    let mut blank = is_blank(&first.text);
    let mut width = marked - at;
    let mut content = Mapped::default();
    if blank {
        width += 1;
        if let Some(after) = blank_line(text, (end + 1).min(text.len())) {
            return (after, content);
        }
    } else {
        let blanks = skip(text, marked, |byte| byte == b' ') - marked;
        let skipped = if blanks > 4 { 1 } else { blanks };
        content = if skipped == 0 { first.clone() } else { first.slice(skipped..first.text.len()) };
        width += skipped;
    }
    let most = 3.min(width - 1);
    let mut next = end + 1;
    let mut previous = first.text;
    while next < text.len() {
        let line_ends = line_end(text, next);
        let line = &text[next..line_ends];
        if starts_other(line, most) {
            break;
        }
        let is_empty = is_blank(line);
        let inside = frame.expanded(next..line_ends, width);
        let columns = indentation(line);
        let belongs = is_empty || columns >= width;
        if !belongs && (blank || !goes_on(&previous, most)) {
            break;
        }
        content.push_str("\n", frame.source(next - 1));
        if belongs {
            content.push_all(&inside);
        } else {
            content.push(frame, next..line_ends);
        }
        blank |= is_empty;
        previous = inside.text;
        end = line_ends;
        next = end + 1;
    }
    ((end + 1).min(text.len()), content)
}

fn is_blank(line: &str) -> bool {
    line.chars().all(is_js_space)
}

/// The columns before the first character that is no blank; a tab is four.
fn indentation(line: &str) -> usize {
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    line[..blank].bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum()
}

/// Behind a line of blanks at `at`, with its line end.
fn blank_line(text: &str, at: usize) -> Option<usize> {
    let end = skip(text, at, |byte| matches!(byte, b' ' | b'\t'));
    match byte_at(text, end) {
        None => Some(end),
        Some(b'\n') => Some(end + 1),
        Some(_) => None,
    }
}

/// Whether a line, indented by at most `most`, ends an item regardless of the lines before.
fn starts_other(line: &str, most: usize) -> bool {
    let blanks = skip(line, 0, |byte| byte == b' ');
    let rest = &line[blanks..];
    let is_item = || marker_length(rest).is_some_and(|end| matches!(byte_at(rest, end), None | Some(b' ' | b'\t')));
    let is_tag = || {
        let inside = rest.split(['\r', '\u{2028}', '\u{2029}']).next().unwrap_or_default();
        byte_at(rest, 1).is_some_and(|byte| byte.is_ascii_alphabetic())
            && rest.starts_with('<')
            && inside[2..].contains('>')
    };
    blanks <= most && (starts_block(rest) || rest.starts_with("<!--") || is_tag() || is_item())
}

/// Whether a heading, a fence or a thematic break begins here.
fn starts_block(rest: &str) -> bool {
    rest.starts_with('#') || rest.starts_with("```") || rest.starts_with("~~~") || is_rule(rest)
}

/// A thematic break whose first three marks only blanks part.
fn is_rule(rest: &str) -> bool {
    let Some(mark) = byte_at(rest, 0).filter(|byte| matches!(byte, b'-' | b'_' | b'*')) else { return false };
    rest.bytes().all(|byte| byte == mark || byte == b' ') && rest.bytes().filter(|&byte| byte == mark).count() >= 3
}

/// Whether a line goes on lazily behind `previous`, which must be text.
fn goes_on(previous: &str, most: usize) -> bool {
    let blanks = skip(previous, 0, |byte| byte == b' ');
    let is_code = {
        let open = blanks.min(4);
        let inside = if open == 4 {
            Some(4)
        } else if byte_at(previous, open) == Some(b'\t') {
            Some(open + 1)
        } else {
            None
        };
        inside.is_some_and(|at| {
            let at = skip(previous, at, |byte| matches!(byte, b' ' | b'\t'));
            at < previous.len()
        })
    };
    !is_code && (blanks > most || !starts_block(&previous[blanks..]))
}
