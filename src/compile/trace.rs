//! Where the lines of an agent's text come from. The agents put their texts together each in its own way; this compares the
//! result with the files behind it, line by line, and needs to know none of those ways.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use crate::base::characters::is_hidden;

/// Most comparisons of lines for one text. A line behind that has no origin.
const MAX_COMPARED: usize = 20_000_000;
/// Lines that are compared to tell which of several equal lines is meant.
const RUN: usize = 16;
/// A line of a frame is taken for a line of a file only if it has this many bytes.
const TELLING: usize = 4;

/// The lines of a file as they are compared: without hidden characters, in NFC, without blanks at both ends.
#[derive(Debug)]
pub(crate) struct FileLines(Vec<String>);

/// The place of a line in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineOrigin {
    /// The file, as an index into the sources.
    pub(crate) source: usize,
    /// The line, from 0.
    pub(crate) line: usize,
}

impl FileLines {
    /// The lines of `text`.
    pub(crate) fn of(text: &str) -> FileLines {
        FileLines(text.split('\n').map(|line| comparable(line).into_owned()).collect())
    }

    fn get(&self, line: usize) -> Option<&str> {
        self.0.get(line).map(String::as_str)
    }

    /// The first line from `from` on that is not blank.
    fn next_text(&self, from: usize) -> Option<(usize, &str)> {
        (from..self.0.len()).map(|line| (line, self.0[line].as_str())).find(|(_, text)| !text.is_empty())
    }
}

fn comparable(line: &str) -> Cow<'_, str> {
    if line.is_ascii() && !line.bytes().any(|byte| byte.is_ascii_control() && byte != b'\t' && byte != b'\r') {
        return Cow::Borrowed(line.trim());
    }
    let shown = line.chars().filter(|c| *c == '\t' || !is_hidden(*c));
    Cow::Owned(shown.nfc().collect::<String>().trim().to_owned())
}

/// The origin of each line of `text` among `sources`, in the order in which an agent loads them.
pub(crate) fn trace(text: &str, sources: &[&FileLines]) -> Vec<Option<LineOrigin>> {
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(comparable).collect();
    let mut tracer = Tracer { lines: &lines, sources, next: vec![0; sources.len()], current: None, compared: 0 };
    (0..lines.len()).map(|at| tracer.origin(at)).collect()
}

struct Tracer<'t> {
    lines: &'t [Cow<'t, str>],
    sources: &'t [&'t FileLines],
    /// The line of each source that is expected next.
    next: Vec<usize>,
    current: Option<usize>,
    compared: usize,
}

impl Tracer<'_> {
    fn origin(&mut self, at: usize) -> Option<LineOrigin> {
        let line = &*self.lines[at];
        if let Some(source) = self.current
            && self.sources[source].get(self.next[source]) == Some(line)
        {
            return Some(self.take(LineOrigin { source, line: self.next[source] }));
        }
        if line.is_empty() {
            return None;
        }
        let found = self.best(at).or_else(|| self.partial(line))?;
        Some(self.take(found))
    }

    fn take(&mut self, origin: LineOrigin) -> LineOrigin {
        self.next[origin.source] = origin.line + 1;
        self.current = Some(origin.source);
        origin
    }

    /// The place where most of the following lines are the same; among equals what was not passed yet, then the current file.
    fn best(&mut self, at: usize) -> Option<LineOrigin> {
        let line = &*self.lines[at];
        let mut best = None;
        for (source, file) in self.sources.iter().enumerate() {
            self.compared += file.0.len();
            if self.compared > MAX_COMPARED {
                break;
            }
            for found in (0..file.0.len()).filter(|found| file.0[*found] == line) {
                let run = (1..RUN).take_while(|n| file.get(found + n) == self.lines.get(at + n).map(|line| &**line));
                let run = run.count();
                let is_first = file.next_text(0).is_some_and(|(first, _)| first == found);
                let next = self.next[source];
                let is_near = next > 0 && (next..=next + 1).contains(&found);
                if run == 0 && line.len() < TELLING && !is_first && !is_near {
                    continue;
                }
                let is_ahead = found >= next;
                let rank = (is_ahead, run, self.current == Some(source));
                if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                    best = Some((rank, LineOrigin { source, line: found }));
                }
            }
        }
        best.map(|(_, origin)| origin)
    }

    /// The file whose next line the agent cut or wrapped in its own text.
    fn partial(&self, line: &str) -> Option<LineOrigin> {
        let start = line.trim_end_matches('\u{FFFD}');
        let order = self.current.into_iter().chain(0..self.sources.len());
        order.into_iter().find_map(|source| {
            let (at, whole) = self.sources[source].next_text(self.next[source])?;
            let is_framed = whole.len() >= TELLING && line.contains(whole);
            let is_cut = start.len() >= TELLING && whole.starts_with(start);
            (is_framed || is_cut).then_some(LineOrigin { source, line: at })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line's origin as `FILE:LINE`, both from 0, or `-`.
    fn check(sources: &[&str], text: &str, expected: &str) {
        let files: Vec<FileLines> = sources.iter().map(|text| FileLines::of(text)).collect();
        let found = trace(text, &files.iter().collect::<Vec<_>>());
        let show = |origin: &Option<LineOrigin>| match origin {
            Some(LineOrigin { source, line }) => format!("{source}:{line}"),
            None => "-".to_owned(),
        };
        assert_eq!(found.iter().map(show).collect::<Vec<_>>().join(" "), expected, "{text}");
    }

    #[test]
    fn frames_have_no_origin() {
        check(&["one\ntwo\n"], "<file>\none\ntwo\n</file>", "- 0:0 0:1 -");
        check(&["\n\none\n\ntwo\n"], "# Title\n\none\n\ntwo", "- - 0:2 0:3 0:4");
    }

    #[test]
    fn imports_stand_inside_their_importer() {
        check(&["a\n@b.md\nc\n", "inner 1\ninner 2\n"], "a\ninner 1\ninner 2\nc", "0:0 1:0 1:1 0:2");
    }

    #[test]
    fn equal_lines_are_told_by_their_neighbours() {
        check(&["# Rules\nuse tabs\n", "# Rules\nuse spaces\n"], "# Rules\nuse spaces", "1:0 1:1");
        check(&["same\n", "same\n"], "same\n\nsame", "0:0 0:1 1:0");
    }

    #[test]
    fn cut_and_framed_lines_are_found() {
        check(&["first line\nsecond line\n"], "first line\nsecond l", "0:0 0:1");
        check(&["first line\n"], "<doc>first line</doc>", "0:0");
        check(&["gr\u{fc}n ist es\n"], "gr\u{fc}n \u{FFFD}", "0:0");
    }

    #[test]
    fn hidden_characters_that_an_agent_takes_out_do_not_matter() {
        check(&["a\u{200B}bc\r\nx\n"], "abc\nx", "0:0 0:1");
        check(&["\u{FEFF}title\n"], "title", "0:0");
    }

    #[test]
    fn a_huge_text_ends() {
        let text = "x\n".repeat(50_000);
        let file = FileLines::of(&"y\n".repeat(50_000));
        assert!(trace(&text, &[&file]).iter().all(Option::is_none));
    }
}
