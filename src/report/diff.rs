//! Unified diffs of whole files: what `--diff` and `compile --diff` print.
//!
//! Raw, a diff is a patch that `git apply` takes, with every byte of the files intact. For a terminal it is sanitised and
//! coloured, and no longer a patch. Knows nothing of findings; where the bytes come from is the caller's matter.

use std::fmt::Write as _;
use std::io::{self, Write};

use similar::{Algorithm, DiffOp, DiffTag};

use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::report::paint;

/// So many unchanged lines stand around a change, as in git.
const CONTEXT: usize = 3;

/// One file before and after.
#[derive(Clone, Copy, Debug)]
pub struct FileDiff<'a> {
    /// The file's path.
    pub path: &'a RepoPath,
    /// Its bytes before; `None` for a new file.
    pub before: Option<&'a [u8]>,
    /// Its bytes after; `None` for a file that goes.
    pub after: Option<&'a [u8]>,
}

/// Who reads a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// `git apply`: raw bytes, quoted names.
    Patch,
    /// A person: hidden characters escaped; colour codes if `color`.
    Person {
        /// Whether to write colour codes.
        color: bool,
    },
}

/// Write the differences of `files`, in their order. Files without a difference are left out.
pub fn write(files: &[FileDiff<'_>], audience: Audience, out: &mut dyn Write) -> io::Result<()> {
    files.iter().filter(|file| file.before != file.after).try_for_each(|file| match audience {
        Audience::Patch => out.write_all(&one(file, Audience::Patch)),
        Audience::Person { .. } => {
            let text = one(file, audience);
            // A person's diff was built from sanitised text; the guard needs whole lines as they will be printed.
            out.write_all(sanitize::guard_lines(&String::from_utf8_lossy(&text)).as_bytes())
        }
    })
}

/// The diff of one file.
fn one(file: &FileDiff<'_>, audience: Audience) -> Vec<u8> {
    let mut sheet = Sheet { audience, text: Vec::new() };
    let (old, new) = (name("a/", file.path), name("b/", file.path));
    sheet.heading(&format!("diff --git {} {}", old.in_header, new.in_header));
    // The mode is git's for a plain file; a change of an existing file keeps its mode.
    match (file.before, file.after) {
        (None, _) => sheet.heading("new file mode 100644"),
        (_, None) => sheet.heading("deleted file mode 100644"),
        _ => {}
    }
    let before = lines(file.before.unwrap_or_default());
    let after = lines(file.after.unwrap_or_default());
    if before.is_empty() && after.is_empty() {
        return sheet.text;
    }
    sheet.heading(&format!("--- {}", if file.before.is_some() { &old.alone } else { "/dev/null" }));
    sheet.heading(&format!("+++ {}", if file.after.is_some() { &new.alone } else { "/dev/null" }));
    let ops = similar::capture_diff_slices(Algorithm::Myers, &before, &after);
    for hunk in similar::group_diff_ops(ops, CONTEXT) {
        sheet.hunk(&hunk, &before, &after);
    }
    sheet.text
}

/// The lines of `bytes`, each with its `\n`.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&b| b == b'\n').collect()
}

/// A file's name as git writes it.
struct DiffName {
    /// After `diff --git`.
    in_header: String,
    /// After `---` and `+++`: a name with spaces ends with a tab there, so that nothing takes its tail for a date.
    alone: String,
}

fn name(prefix: &str, path: &RepoPath) -> DiffName {
    let plain = |b: &u8| (0x20..0x7F).contains(b) && *b != b'"' && *b != b'\\';
    if path.as_bytes().iter().all(plain) {
        let name = format!("{prefix}{}", path.to_str_lossy());
        let alone = if name.contains(' ') { format!("{name}\t") } else { name.clone() };
        return DiffName { in_header: name, alone };
    }
    let mut quoted = format!("\"{prefix}");
    for &byte in path.as_bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b'\n' => quoted.push_str("\\n"),
            b'\t' => quoted.push_str("\\t"),
            byte if plain(&byte) => quoted.push(char::from(byte)),
            byte => write!(quoted, "\\{byte:03o}").expect("a String takes everything"),
        }
    }
    quoted.push('"');
    DiffName { in_header: quoted.clone(), alone: quoted }
}

/// A diff being written.
struct Sheet {
    audience: Audience,
    text: Vec<u8>,
}

impl Sheet {
    fn heading(&mut self, line: &str) {
        match self.audience {
            Audience::Patch => self.text.extend_from_slice(line.as_bytes()),
            Audience::Person { color } => {
                self.text
                    .extend_from_slice(paint::paint(color, paint::BOLD, &sanitize::line(line.trim_end())).as_bytes());
            }
        }
        self.text.push(b'\n');
    }

    fn hunk(&mut self, ops: &[DiffOp], before: &[&[u8]], after: &[&[u8]]) {
        let (Some(first), Some(last)) = (ops.first(), ops.last()) else { return };
        let old = range(first.old_range().start, last.old_range().end);
        let new = range(first.new_range().start, last.new_range().end);
        let head = format!("@@ -{old} +{new} @@");
        let color = matches!(self.audience, Audience::Person { color: true });
        self.text.extend_from_slice(paint::paint(color, paint::CYAN, &head).as_bytes());
        self.text.push(b'\n');
        for op in ops {
            if op.tag() == DiffTag::Equal {
                before[op.old_range()].iter().for_each(|line| self.line(b' ', line));
            } else {
                before[op.old_range()].iter().for_each(|line| self.line(b'-', line));
                after[op.new_range()].iter().for_each(|line| self.line(b'+', line));
            }
        }
    }

    fn line(&mut self, sign: u8, line: &[u8]) {
        let content = line.strip_suffix(b"\n");
        match self.audience {
            Audience::Patch => {
                self.text.push(sign);
                self.text.extend_from_slice(content.unwrap_or(line));
            }
            Audience::Person { color } => {
                let content = content.unwrap_or(line);
                // An unchanged line's ending is no news; on a changed one it may be the change.
                let content = if sign == b' ' { content.strip_suffix(b"\r").unwrap_or(content) } else { content };
                let text = format!("{}{}", char::from(sign), sanitize::line_bytes(content));
                let text = match sign {
                    b'-' => paint::paint(color, paint::RED, &text),
                    b'+' => paint::paint(color, paint::GREEN, &text),
                    _ => text.into(),
                };
                self.text.extend_from_slice(text.as_bytes());
            }
        }
        self.text.push(b'\n');
        if content.is_none() {
            self.text.extend_from_slice(b"\\ No newline at end of file\n");
        }
    }
}

/// A hunk's range of lines (from 0, half open) as `start,count`: from 1, or the line before if it is empty; `,1` is left out.
fn range(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        count => format!("{},{count}", start + 1),
    }
}

#[cfg(test)]
mod tests;
