//! The last gate before standard output and standard error. Whatever a command prints passes line by line and leaves with
//! nothing that a terminal or a CI runner obeys but our own colours and links to our own pages, even where the command forgot
//! to sanitise a name. Bytes that must stay as they are (a file's text in a pipe, a patch, annotations) go past it by
//! [`Printer::raw`].

use std::io::{self, Write};

use crate::base::sanitize;

/// A stream that only text fit to print leaves.
pub struct Printer<'w> {
    out: &'w mut dyn Write,
    /// The line that is not complete yet.
    line: Vec<u8>,
}

impl<'w> Printer<'w> {
    /// A gate before `out`.
    pub fn new(out: &'w mut dyn Write) -> Self {
        Printer { out, line: Vec::new() }
    }

    /// The stream behind the gate.
    ///
    /// # Errors
    /// When what was printed before cannot be written.
    pub fn raw(&mut self) -> io::Result<&mut dyn Write> {
        self.finish()?;
        Ok(&mut *self.out)
    }

    /// Write the last line, if it has no end.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.line) {
            line if line.is_empty() => Ok(()),
            line => self.out.write_all(sanitize::printed(&line).as_bytes()),
        }
    }
}

impl Write for Printer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(end) = memchr::memrchr(b'\n', bytes) else {
            self.line.extend_from_slice(bytes);
            return Ok(bytes.len());
        };
        let mut lines = std::mem::take(&mut self.line);
        lines.extend_from_slice(&bytes[..=end]);
        self.out.write_all(sanitize::printed(&lines).as_bytes())?;
        self.line.extend_from_slice(&bytes[end + 1..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.finish()?;
        self.out.flush()
    }
}

impl Drop for Printer<'_> {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::sanitize::tests::{assert_harmless, assert_no_commands, hostile_bytes};

    /// What is printed when `pieces` are written one by one.
    fn printed(pieces: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out);
        for piece in pieces {
            printer.write_all(piece).expect("a Vec takes everything");
        }
        drop(printer);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn commands_and_controls_are_broken_however_they_are_written() {
        for pieces in [&[&b"::error::x\n"[..]][..], &[b" \t", b":", b":error::x"], &[b"\x1B[1m", b"::", b"x\x1B[0m"]] {
            let text = printed(pieces);
            assert!(text.contains("\\u{003A}:"), "{text:?}");
        }
        assert_eq!(printed(&[b"a ::b\n", b"##", b"[x]\n\x1B[2J"]), "a ::b\n\\u{0023}#[x]\n\\u{001B}[2J");
    }

    #[test]
    fn our_own_text_passes() {
        for text in ["", "a", "a\n\tb\n", "\u{1B}[1;31merror\u{1B}[0m: é 日本 ❤\u{FE0F}\n  ╰── std::io\n"] {
            assert_eq!(printed(&[text.as_bytes()]), text);
        }
    }

    #[test]
    fn links_to_our_pages_pass_and_no_others() {
        let ours = sanitize::linked(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v1/docs/rules/a-b.md"), "error[a-b]");
        assert_eq!(printed(&[ours.as_bytes()]), ours);
        let elsewhere = [
            sanitize::linked("https://example.com/", "x"),
            sanitize::linked(concat!(env!("CARGO_PKG_REPOSITORY"), ".example.com/"), "x"),
            sanitize::linked(concat!(env!("CARGO_PKG_REPOSITORY"), "/ x"), "x"),
            "\u{1B}]8;id=1;\u{1B}\\".to_owned(),
            "\u{1B}]8;;\u{7}".to_owned(),
        ];
        for text in elsewhere {
            assert!(printed(&[text.as_bytes()]).starts_with("\\u{001B}]8;"), "{text:?}");
        }
    }

    #[test]
    fn raw_bytes_keep_their_place() {
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out);
        printer.write_all(b"::a").expect("a Vec takes everything");
        printer.raw().expect("a Vec takes everything").write_all(b"\n::b\r\n").expect("a Vec takes everything");
        printer.write_all(b"::c\n").expect("a Vec takes everything");
        drop(printer);
        assert_eq!(String::from_utf8_lossy(&out), "\\u{003A}:a\n::b\r\n\\u{003A}:c\n");
    }

    proptest! {
        #[test]
        fn nothing_hostile_leaves(pieces in prop::collection::vec(hostile_bytes(), 0..6)) {
            let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
            let text = printed(&pieces);
            assert_harmless(&text.replace('\t', " "), true);
            assert_no_commands(&text);
            prop_assert_eq!(printed(&[text.as_bytes()]), text);
        }
    }
}
