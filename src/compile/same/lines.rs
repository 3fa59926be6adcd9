//! How two texts of an agent differ, line by line: where they begin to, which lines are nowhere any more, and in which file each
//! line stands.

use std::collections::BTreeSet;

use super::side::{LoadedText, TextSide};
use super::starts::SameStart;
use super::{LostLine, MAX_LOST, SidePlace, TextDifference};
use crate::agents::Dialect;
use crate::base::path::RepoPath;
use crate::compile::trace::{FileLines, LineOrigin, trace};

/// What stands in front of a rule that waits for a file, and in front of one that nothing but a question brings.
pub(super) const ON_TOUCH: &str = "Loaded when touching: ";
pub(super) const ON_REQUEST: &str = "Loaded on request";

/// A text in lines, each with the file and line (from 1) that it comes from.
struct TracedLines<'t> {
    loaded: &'t LoadedText,
    /// The lines with where they begin, in bytes.
    lines: Vec<(usize, &'t str)>,
    origins: Vec<Option<(RepoPath, usize)>>,
}

impl<'t> TracedLines<'t> {
    fn new(side: &TextSide<'_>, loaded: &'t LoadedText) -> Self {
        let mut start = 0;
        let lines: Vec<(usize, &str)> = loaded
            .text
            .split('\n')
            .map(|line| {
                start += line.len() + 1;
                (start - line.len() - 1, line)
            })
            .collect();
        let mut files: Vec<&RepoPath> = Vec::new();
        for file in &loaded.files {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        let texts: Vec<String> = files.iter().map(|file| side.file_text(file).unwrap_or_default()).collect();
        let sources: Vec<FileLines> = texts.iter().map(|text| FileLines::of(text)).collect();
        let traced = trace(&loaded.text, &sources.iter().collect::<Vec<_>>());
        let place = |(origin, (_, line)): (Option<LineOrigin>, &(usize, &str))| match origin {
            Some(origin) => Some((files[origin.source].clone(), origin.line + 1)),
            None => files.iter().zip(&texts).find_map(|(file, text)| Some(((*file).clone(), holding(text, line)?))),
        };
        let origins = traced.into_iter().zip(&lines).map(place).collect();
        TracedLines { loaded, lines, origins }
    }

    /// The lines that hold something, without blanks at both ends.
    fn texts(&self) -> impl Iterator<Item = (usize, &'t str)> {
        self.lines.iter().enumerate().map(|(at, (_, line))| (at, line.trim())).filter(|(_, line)| !line.is_empty())
    }

    /// The lines that come from a file and are not among `others`, tokens of followed imports excepted.
    fn missing_from(&self, others: &BTreeSet<&str>) -> Vec<usize> {
        let is_told = |at: usize| self.origins[at].as_ref().is_some_and(|origin| !self.loaded.tokens.contains(origin));
        self.texts().filter(|(at, line)| !others.contains(line) && is_told(*at)).map(|(at, _)| at).collect()
    }

    /// The line `at` under the names of its own state.
    fn place(&self, at: usize) -> SidePlace {
        // Names hold no line ends.
        let shown = self.loaded.shown.split('\n').nth(at).unwrap_or(self.lines[at].1);
        SidePlace { file: self.origins[at].clone(), text: Some(shown.to_owned()), words: None }
    }

    /// The line that holds the byte at `offset`, where the other text goes on with `other`.
    fn place_at(&self, offset: usize, other: Option<u8>) -> SidePlace {
        let ends = |words: &str| SidePlace { words: Some(words.to_owned()), ..SidePlace::default() };
        if self.loaded.text.is_empty() {
            return ends("(nothing)");
        }
        let mut at = self.lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let is_at_end = offset == self.lines[at].0 + self.lines[at].1.len();
        // Where the other text has ended, it is the next line that is more.
        let mut is_blank = false;
        if is_at_end && other.is_none() {
            at += 1;
        }
        while at < self.lines.len() && self.lines[at].1.trim().is_empty() {
            is_blank |= offset <= self.lines[at].0;
            at += 1;
        }
        if at >= self.lines.len() {
            return ends("(nothing more)");
        }
        SidePlace { words: is_blank.then(|| "(a blank line, then)".to_owned()), ..self.place(at) }
    }
}

/// The line (from 1) of `text` of which an agent made `line` by taking something out.
fn holding(text: &str, line: &str) -> Option<usize> {
    let line = line.trim();
    if line.is_empty() {
        return None;
    }
    let is_cut_from = |whole: &str| {
        let whole = whole.trim();
        let before = whole.bytes().zip(line.bytes()).take_while(|(a, b)| a == b).count();
        let behind = whole.bytes().rev().zip(line.bytes().rev()).take_while(|(a, b)| a == b).count();
        whole.len() > line.len() && before + behind >= line.len() && has_comment(whole)
    };
    text.lines().position(is_cut_from).map(|at| at + 1)
}

/// Whether a line may hold what agents take out.
fn has_comment(line: &str) -> bool {
    line.contains("<!--") || line.contains("-->")
}

/// What is different in what `dialect` loads at `start`; `None` if nothing is.
pub(super) fn difference(
    dialect: &'static Dialect,
    start: &SameStart,
    (old, was): (&TextSide<'_>, &LoadedText),
    (new, is): (&TextSide<'_>, &LoadedText),
) -> Option<TextDifference> {
    if was.text == is.text {
        return None;
    }
    let same = was.text.bytes().zip(is.text.bytes()).take_while(|(a, b)| a == b).count();
    let (before, after) = (TracedLines::new(old, was), TracedLines::new(new, is));
    let kept: BTreeSet<&str> = after.texts().map(|(_, line)| line).collect();
    let known: BTreeSet<&str> = before.texts().map(|(_, line)| line).collect();
    let beyond = beyond_limit(new, is);
    let lost: Vec<LostLine> = before
        .missing_from(&kept)
        .into_iter()
        .map(|at| LostLine { place: before.place(at), is_cut: beyond.contains(before.lines[at].1.trim()) })
        .collect();
    let cut_count = lost.iter().filter(|lost| lost.is_cut).count();
    let gained = after.missing_from(&known);
    // On a character of both texts.
    let at = (0..=same).rev().find(|&at| was.text.is_char_boundary(at) && is.text.is_char_boundary(at)).unwrap_or(0);
    let next = |text: &str| text.as_bytes().get(at).copied();
    let (mut first, mut second) = (before.place_at(at, next(&is.text)), after.place_at(at, next(&was.text)));
    tell_blanks(&mut first, &mut second);
    Some(TextDifference {
        agent: dialect.id,
        directory: RepoPath::new(&start.directory),
        stands_below: start.stands_below.clone(),
        offset: same,
        before: first,
        after: second,
        lost_count: lost.len(),
        cut_count,
        limit: is.limit.filter(|_| cut_count > 0),
        gained: gained.first().map(|&at| after.place(at)),
        gained_count: gained.len(),
        is_reordered: lost.is_empty() && !is_within(&before, &after, &known),
        lost: lost.into_iter().take(MAX_LOST).collect(),
    })
}

/// Whether the lines of files before stand in the same order after.
fn is_within(before: &TracedLines<'_>, after: &TracedLines<'_>, known: &BTreeSet<&str>) -> bool {
    let mut rest = after.texts().filter(|(_, line)| known.contains(line)).map(|(_, line)| line);
    let own = before.texts().filter(|(at, _)| before.origins[*at].is_some());
    let mut own =
        own.filter(|(at, _)| before.origins[*at].as_ref().is_some_and(|at| !before.loaded.tokens.contains(at)));
    own.all(|(_, line)| rest.any(|other| other == line))
}

/// The lines that stand behind the last byte that the agent reads.
fn beyond_limit(side: &TextSide<'_>, loaded: &LoadedText) -> BTreeSet<String> {
    let mut beyond = BTreeSet::new();
    for (file, line) in &loaded.cut {
        let text = side.file_text(file).unwrap_or_default();
        beyond.extend(text.lines().skip(line.saturating_sub(1)).map(|line| line.trim().to_owned()));
    }
    beyond
}

/// Where both lines look alike, say how they differ.
fn tell_blanks(before: &mut SidePlace, after: &mut SidePlace) {
    let (Some(was), Some(is)) = (before.text.clone(), after.text.clone()) else { return };
    if before.words.is_some() || after.words.is_some() || was.trim_end() != is.trim_end() || was == is {
        return;
    }
    let is_by_line_end = was.ends_with('\r') != is.ends_with('\r');
    for (place, text) in [(before, was), (after, is)] {
        let end = if text.ends_with('\r') { "CRLF" } else { "LF" };
        let blanks = text.trim_end_matches('\r').len() - text.trim_end().len();
        place.words = Some(match is_by_line_end {
            true => format!("(its line end is {end})"),
            false if blanks == 1 => "(1 blank at its end)".to_owned(),
            false => format!("({blanks} blanks at its end)"),
        });
    }
}
