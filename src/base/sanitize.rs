//! The one sanitiser: whatever came from a file, a name, a config or a message is printed through it and then holds no
//! character that a terminal, a log, a renderer or a model would act on without the reader seeing it.
//!
//! What is hidden becomes a visible escape: `\n`, `\r`, `\t`, `\u{XXXX}` for a code point, `\xFF` for a byte outside UTF-8.
//! A backslash that was there before stays as it is, so running the sanitiser twice changes nothing; the price is that an
//! escape in the output may also have stood in the input literally. Knows nothing of findings or formats.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::base::characters;
use crate::base::path::RepoPath;

/// A stretch of input: fit to print, or something to escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text that may be printed as it is.
    Clean(&'a str),
    /// A character that must be escaped.
    Hidden(char),
    /// A byte that is not part of valid UTF-8.
    Byte(u8),
}

/// Which control characters the caller's format needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// None: the result is one line.
    Nothing,
    /// `\n` and `\t`.
    Lines,
}

/// Split `bytes` into what may be printed and what must be escaped. `\n` and `\t` are among the latter.
pub(crate) fn pieces(bytes: &[u8]) -> impl Iterator<Item = Piece<'_>> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let clean = TextPieces { text: chunk.valid(), before: None };
        clean.chain(chunk.invalid().iter().map(|&byte| Piece::Byte(byte)))
    })
}

/// The pieces of valid text.
struct TextPieces<'a> {
    text: &'a str,
    before: Option<char>,
}

impl<'a> Iterator for TextPieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let first = self.text.chars().next()?;
        let clean = clean_len(self.text, self.before);
        if clean == 0 {
            self.text = &self.text[first.len_utf8()..];
            self.before = Some(first);
            return Some(Piece::Hidden(first));
        }
        let (clean, rest) = self.text.split_at(clean);
        self.before = clean.chars().next_back();
        self.text = rest;
        Some(Piece::Clean(clean))
    }
}

/// Length of the longest prefix of `text` that may be printed, where `before` precedes it.
fn clean_len(text: &str, mut before: Option<char>) -> usize {
    let mut at = 0;
    loop {
        let plain = plain_len(&text.as_bytes()[at..]);
        if plain > 0 {
            at += plain;
            before = text.as_bytes().get(at - 1).map(|&b| char::from(b));
        }
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { return at };
        if is_hostile(before, c, &rest[c.len_utf8()..]) {
            return at;
        }
        at += c.len_utf8();
        before = Some(c);
    }
}

/// Length of the prefix that needs no closer look: printable ASCII without `#`.
fn plain_len(bytes: &[u8]) -> usize {
    // No branch within a block, so that long ASCII text is read at memory speed.
    let plain = |b: &u8| (b.wrapping_sub(0x20) < 0x5F) & (*b != b'#');
    let blocks = bytes.chunks_exact(32).take_while(|block| block.iter().fold(true, |all, b| all & plain(b))).count();
    blocks * 32 + bytes[blocks * 32..].iter().take_while(|b| plain(b)).count()
}

/// Whether `c`, between `before` and `rest`, must be escaped.
fn is_hostile(before: Option<char>, c: char, rest: &str) -> bool {
    match c {
        '#' => opens_log_command(rest),
        '\u{FE0E}' | '\u{FE0F}' => !selects_emoji(before, rest),
        c => is_hidden(c),
    }
}

/// Whether `c` is invisible, reorders text, controls a terminal or stands for nothing; private-use characters say nothing to a
/// reader and may carry a payload. Variation selectors are hidden; whether one is ordinary writing depends on its place.
pub fn is_hidden(c: char) -> bool {
    characters::is_hidden(c) || characters::is_private_use(c)
}

/// Whether a variation selector 15 or 16 stands where emoji use it: after a symbol, or inside a keycap such as `1️⃣`.
fn selects_emoji(before: Option<char>, rest: &str) -> bool {
    match before {
        Some('0'..='9' | '#' | '*') => rest.starts_with('\u{20E3}'),
        Some(base) => characters::is_pictograph(base),
        None => false,
    }
}

/// Whether a `#` before `rest` opens a log command: CI runners obey `##[name]`, `##vso[name]` and the like anywhere in a line.
fn opens_log_command(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix('#') else { return false };
    let name = rest.bytes().take(32).take_while(u8::is_ascii_alphanumeric).count();
    rest.as_bytes().get(name) == Some(&b'[')
}

/// Write the visible form of `c` to `out`.
pub(crate) fn push_escape(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c => write!(out, "\\u{{{:04X}}}", u32::from(c)).expect("a String takes everything"),
    }
}

/// Write the visible form of a byte outside UTF-8 to `out`.
pub(crate) fn push_byte(out: &mut String, byte: u8) {
    write!(out, "\\x{byte:02X}").expect("a String takes everything");
}

fn sanitize(bytes: &[u8], keep: Keep) -> Cow<'_, str> {
    if plain_len(bytes) == bytes.len()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let mut pieces = pieces(bytes);
    let mut out = match pieces.next() {
        None => return Cow::Borrowed(""),
        Some(Piece::Clean(text)) if text.len() == bytes.len() => return Cow::Borrowed(text),
        Some(first) => {
            let mut out = String::with_capacity(bytes.len() + 16);
            push(&mut out, first, keep);
            out
        }
    };
    pieces.for_each(|piece| push(&mut out, piece, keep));
    Cow::Owned(out)
}

fn push(out: &mut String, piece: Piece<'_>, keep: Keep) {
    match piece {
        Piece::Clean(text) => out.push_str(text),
        Piece::Hidden(c @ ('\n' | '\t')) if keep == Keep::Lines => out.push(c),
        Piece::Hidden(c) => push_escape(out, c),
        Piece::Byte(byte) => push_byte(out, byte),
    }
}

/// What opens a link in a terminal (OSC 8), before its address, and what ends the address.
const LINK: &[u8] = b"\x1B]8;;";
const LINK_END: &[u8] = b"\x1B\\";

/// `text` as one visible line: line breaks and tabs are escaped too.
pub fn line(text: &str) -> Cow<'_, str> {
    sanitize(text.as_bytes(), Keep::Nothing)
}

/// `bytes` as one visible line.
pub(crate) fn line_bytes(bytes: &[u8]) -> Cow<'_, str> {
    sanitize(bytes, Keep::Nothing)
}

/// `text` with each of its lines as one visible line.
pub fn lines(text: &str) -> String {
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// `bytes` as text for a terminal: `\n` and `\t` stay, `\r` before `\n` goes, everything else becomes visible, and no line can
/// be taken for a workflow command.
pub fn terminal(bytes: &[u8]) -> String {
    guarded(bytes, |line, out| out.push_str(&sanitize(line, Keep::Lines)))
}

/// `bytes`, which we composed, as [`terminal`] prints them, but for colours and links to our own pages, which stay.
pub fn printed(bytes: &[u8]) -> String {
    guarded(bytes, |mut line, out| {
        while let Some(at) = memchr::memchr(0x1B, line) {
            let ours = colour_len(&line[at..]).max(link_len(&line[at..]));
            out.push_str(&sanitize(&line[..at], Keep::Lines));
            match ours {
                0 => push_escape(out, '\u{1B}'),
                len => out.push_str(&String::from_utf8_lossy(&line[at..at + len])),
            }
            line = &line[at + ours.max(1)..];
        }
        out.push_str(&sanitize(line, Keep::Lines));
    })
}

/// `bytes` with each line's text, without its end, as `push` writes it, and then without workflow commands.
fn guarded(bytes: &[u8], push: impl Fn(&[u8], &mut String)) -> String {
    let mut out = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&b| b == b'\n') {
        let ending = [&b"\r\n"[..], b"\n"].into_iter().find_map(|ending| line.strip_suffix(ending));
        push(ending.unwrap_or(line), &mut out);
        out.push_str(if ending.is_some() { "\n" } else { "" });
    }
    match guard_lines(&out) {
        Cow::Borrowed(_) => out,
        Cow::Owned(guarded) => guarded,
    }
}

/// Length of the colour code that `bytes` begin with; 0 without one.
fn colour_len(bytes: &[u8]) -> usize {
    let Some(code) = bytes.strip_prefix(b"\x1B[") else { return 0 };
    let len = code.iter().take_while(|b| b.is_ascii_digit() || **b == b';').count();
    if code.get(len) == Some(&b'm') { 2 + len + 1 } else { 0 }
}

/// Length of the mark that `bytes` begin with and that opens a link to a page of this project, or ends a link; 0 without one.
fn link_len(bytes: &[u8]) -> usize {
    let Some(address) = bytes.strip_prefix(LINK) else { return 0 };
    let len = address.iter().take_while(|b| b.is_ascii_alphanumeric() || b"-._/:".contains(b)).count();
    let is_ours = len == 0 || address.starts_with(concat!(env!("CARGO_PKG_REPOSITORY"), "/").as_bytes());
    match is_ours && address[len..].starts_with(LINK_END) {
        true => LINK.len() + len + LINK_END.len(),
        false => 0,
    }
}

/// `text` as a link to `address`, a page of this project: a terminal that knows such links shows the text and opens the page.
pub(crate) fn linked(address: &str, text: &str) -> String {
    let (open, end) = (String::from_utf8_lossy(LINK), String::from_utf8_lossy(LINK_END));
    format!("{open}{address}{end}{text}{open}{end}")
}

/// `path` on one line; the repository's root, which has no name, is `.`.
pub fn path(path: &RepoPath) -> Cow<'_, str> {
    if path.as_bytes().is_empty() { Cow::Borrowed(".") } else { line_bytes(path.as_bytes()) }
}

/// Escape a `::` that opens a line: a CI runner would read a workflow command there, also behind blanks. To be applied to whole
/// lines as they will be printed, since only the place in the line matters.
pub(crate) fn guard_lines(text: &str) -> Cow<'_, str> {
    let forged = |line: &str| line[indent_len(line)..].starts_with("::");
    if !text.contains("::") || !text.split('\n').any(forged) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (n, line) in text.split('\n').enumerate() {
        if n > 0 {
            out.push('\n');
        }
        if forged(line) {
            let indent = indent_len(line);
            out.push_str(&line[..indent]);
            push_escape(&mut out, ':');
            out.push_str(&line[indent + 1..]);
        } else {
            out.push_str(line);
        }
    }
    Cow::Owned(out)
}

/// Length of the blanks and colours that `line` begins with.
fn indent_len(line: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &line[at..];
        match rest.len() - rest.trim_start().len() + colour_len(rest.trim_start().as_bytes()) {
            0 => return at,
            len => at += len,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
