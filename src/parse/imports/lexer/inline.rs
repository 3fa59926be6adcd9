//! The text leaves of one block: plain text between marks, code and HTML set apart.

use super::super::is_js_space;
use super::super::leaves::{Leaf, LeafKind};
use super::super::mapped::Mapped;
use super::brackets::{collapsed, destination, labelled, masked, text_end};
use super::chars::{byte_at, skip};
use super::emphasis::{self, Closers};
use super::html;
use std::collections::BTreeSet;

/// Emphasis and links nest no deeper; what lies deeper is plain text.
const MAX_DEPTH: usize = 100;

/// One text in which marks are looked for: a block's, or what stands between two marks.
struct InlineText<'t> {
    text: &'t Mapped,
    at: usize,
    depth: usize,
    links: &'t BTreeSet<String>,
    /// What marks are looked for in, once one is met.
    mask: Option<Vec<u8>>,
    closers: Closers,
    /// Where the last run of marks ends.
    marks_end: usize,
    /// The character before, if it belongs to plain text.
    before: Option<char>,
    /// Plain text that is not a leaf yet.
    open: Option<Mapped>,
}

/// Add the leaves of `text` to `out`.
pub(super) fn leaves(text: &Mapped, links: &BTreeSet<String>, depth: usize, out: &mut Vec<Leaf>) {
    let mut frame = InlineText {
        text,
        at: 0,
        depth,
        links,
        mask: None,
        closers: Closers::default(),
        marks_end: 0,
        before: None,
        open: None,
    };
    while frame.at < text.text.len() {
        frame.next(out);
    }
    frame.flush(out);
}

impl<'t> InlineText<'t> {
    fn rest(&self) -> &'t str {
        &self.text.text[self.at..]
    }

    /// Take the next token.
    fn next(&mut self, out: &mut Vec<Leaf>) {
        let rest = self.rest();
        let taken = match rest.as_bytes()[0] {
            b'\\' => self.escape(out).or_else(|| self.hard_break(out)),
            b' ' => self.hard_break(out),
            b'<' => self.tag(out),
            b'!' | b'[' => self.link(out),
            b'*' | b'_' => self.emphasis(out),
            b'`' => self.code(out),
            _ => None,
        };
        match taken {
            Some(len) => {
                self.at += len;
                self.before = None;
            }
            None => self.plain(),
        }
    }

    /// End the leaf of plain text.
    fn flush(&mut self, out: &mut Vec<Leaf>) {
        if let Some(text) = self.open.take() {
            out.push(Leaf::new(LeafKind::Text, text));
        }
    }

    fn add(&mut self, len: usize) {
        let (text, at) = (self.text, self.at);
        self.open.get_or_insert_default().push(text, at..at + len);
    }

    fn plain(&mut self) {
        let len = plain_length(self.rest());
        self.add(len);
        let last = self.rest()[..len].chars().next_back();
        if last != Some('_') {
            self.before = last;
        }
        self.at += len;
    }

    /// An escaped mark ends a leaf and belongs to none.
    fn escape(&mut self, out: &mut Vec<Leaf>) -> Option<usize> {
        byte_at(self.rest(), 1).filter(u8::is_ascii_punctuation)?;
        self.flush(out);
        Some(2)
    }

    fn hard_break(&mut self, out: &mut Vec<Leaf>) -> Option<usize> {
        let rest = self.rest();
        let end = if rest.starts_with('\\') {
            1
        } else {
            let blanks = skip(rest, 0, |byte| byte == b' ');
            if blanks < 2 {
                return None;
            }
            blanks
        };
        if byte_at(rest, end) != Some(b'\n') || ends(&rest[end + 1..]) {
            return None;
        }
        self.flush(out);
        Some(end + 1)
    }

    fn tag(&mut self, out: &mut Vec<Leaf>) -> Option<usize> {
        let rest = self.rest();
        if let Some(len) = html::inline(rest) {
            self.alone(LeafKind::InlineHtml, 0, len, out);
            return Some(len);
        }
        let len = html::autolink(rest)?;
        self.flush(out);
        Some(len)
    }

    fn alone(&mut self, kind: LeafKind, from: usize, to: usize, out: &mut Vec<Leaf>) {
        self.flush(out);
        let text = self.text.slice(self.at + from..self.at + to);
        out.push(Leaf::new(kind, text));
    }

    fn code(&mut self, out: &mut Vec<Leaf>) -> Option<usize> {
        let rest = self.rest();
        let ticks = skip(rest, 0, |byte| byte == b'`');
        let mut at = ticks;
        loop {
            at += memchr::memchr(b'`', &rest.as_bytes()[at..])?;
            let end = skip(rest, at, |byte| byte == b'`');
            if end - at == ticks {
                self.alone(LeafKind::Code, ticks, at, out);
                return Some(end);
            }
            at = end;
        }
    }

    fn link(&mut self, out: &mut Vec<Leaf>) -> Option<usize> {
        let rest = self.rest();
        let open = usize::from(rest.starts_with('!'));
        if byte_at(rest, open) != Some(b'[') {
            return None;
        }
        if let Some(close) = text_end(rest, open + 1).filter(|&close| byte_at(rest, close + 1) == Some(b'('))
            && let Some(end) = destination(rest, close + 1)
        {
            self.linked(open == 1, open + 1, close, out);
            return Some(end);
        }
        let found = labelled(rest, open)?;
        if !self.links.contains(&collapsed(&rest[found.label])) {
            // The bracket alone is plain text.
            self.add(1);
            return Some(1);
        }
        self.linked(open == 1, found.text.start, found.text.end, out);
        Some(found.end)
    }

    /// The text of a link has leaves of its own, that of an image has none.
    fn linked(&mut self, is_image: bool, from: usize, to: usize, out: &mut Vec<Leaf>) {
        self.flush(out);
        if is_image || self.depth >= MAX_DEPTH {
            return;
        }
        let (mut from, to) = (self.at + from, self.at + to);
        let mut text = Mapped::default();
        while let Some(found) = memchr::memchr(b'\\', &self.text.text.as_bytes()[from..to]) {
            let at = from + found;
            let unescaped = matches!(byte_at(&self.text.text, at + 1), Some(b'[' | b']')) && at + 1 < to;
            text.push(self.text, from..at + usize::from(!unescaped));
            from = at + 1;
        }
        text.push(self.text, from..to);
        leaves(&text, self.links, self.depth + 1, out);
    }

    fn emphasis(&mut self, out: &mut Vec<Leaf>) -> Option<usize> {
        let rest = self.rest();
        let mark = rest.as_bytes()[0];
        if self.at >= self.marks_end {
            self.marks_end = self.at + skip(rest, 0, |byte| byte == mark);
        }
        let len = self.marks_end - self.at;
        let follows = rest[len..].chars().next()?;
        if self.depth >= MAX_DEPTH || is_js_space(follows) || !emphasis::opens(rest, len, self.before) {
            return None;
        }
        let mask = self.mask.get_or_insert_with(|| masked(&self.text.text, self.links));
        let (start, size) = emphasis::close(mask, self.at + len, mark, len, &mut self.closers)?;
        let whole = len + start + size;
        let marks = 2 - (len.min(size) & 1);
        self.flush(out);
        let text = self.text.slice(self.at + marks..self.at + whole - marks);
        leaves(&text, self.links, self.depth + 1, out);
        Some(whole)
    }
}

/// Whether only white space is left.
fn ends(rest: &str) -> bool {
    rest.trim_start_matches(is_js_space).is_empty()
}

/// How much of `rest` is plain text before the next mark.
fn plain_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let ticks = skip(rest, 0, |byte| byte == b'`');
    let first = if ticks > 0 { ticks } else { rest.chars().next().map_or(1, char::len_utf8) };
    let mut at = first;
    while let Some(found) = bytes[at.min(bytes.len())..].iter().position(|b| b"!*<[\\_`\n".contains(b)) {
        at += found;
        if bytes[at] != b'\n' {
            return at;
        }
        if at >= first + 2 && bytes[at - 2..at] == *b"  " {
            if ends(&rest[at..]) {
                return rest.len();
            }
            return first.max(rest[..at].trim_end_matches(' ').len());
        }
        at += 1;
    }
    rest.len()
}
