//! The legend of a file: what its author says that a mark in a checkbox means, and which boxes only explain a mark. Knows the
//! usual meanings for files without one.
//!
//! An entry is a box and the words behind it: `[~] = in progress`, `` `[-]` cancelled ``. A box that could be a task is an
//! entry only where a sign of equality or another entry on its line says so, or where it stands under a heading or a line that
//! announces a legend and nothing but the meaning follows.

use super::{BoxStanding, TaskState};
use crate::base::text::{LineIndex, Span};
use crate::parse::markdown::{CodeKind, Markdown};

/// What the marks mean in one file.
#[derive(Debug, Default)]
pub(super) struct Legend {
    meanings: Vec<(char, BoxStanding)>,
    /// Where the boxes stand that explain a mark, sorted.
    boxes: Vec<usize>,
}

/// Words for a mark. Of two that fit the longer counts.
const MEANINGS: [(BoxStanding, &[&str]); 3] = [
    (
        BoxStanding::Open,
        &[
            "active",
            "blocked",
            "deferred",
            "delayed",
            "doing",
            "failed",
            "failing",
            "half done",
            "half-done",
            "in progress",
            "in review",
            "in-progress",
            "incomplete",
            "needs review",
            "next",
            "not complete",
            "not completed",
            "not done",
            "not started",
            "not yet",
            "on hold",
            "ongoing",
            "open",
            "partial",
            "partially",
            "partly",
            "paused",
            "pending",
            "planned",
            "postponed",
            "queued",
            "scheduled",
            "started",
            "to do",
            "to-do",
            "todo",
            "unchecked",
            "unfinished",
            "waiting",
            "wip",
        ],
    ),
    (
        BoxStanding::Done,
        &[
            "closed",
            "complete",
            "completed",
            "done",
            "finished",
            "implemented",
            "merged",
            "passed",
            "resolved",
            "shipped",
            "verified",
        ],
    ),
    (
        BoxStanding::Cancelled,
        &[
            "abandoned",
            "canceled",
            "cancelled",
            "declined",
            "dropped",
            "n/a",
            "no longer needed",
            "not applicable",
            "not needed",
            "obsolete",
            "out of scope",
            "rejected",
            "removed",
            "skipped",
            "superseded",
            "won't do",
            "won't fix",
            "wont do",
            "wont fix",
            "wontfix",
        ],
    ),
];

/// What may stand between a box and its meaning and says that the one explains the other.
const EQUALS: [&str; 7] = ["=>", "=", "->", "→", "⇒", "means", "stands for"];
/// What may stand there as well.
const FILLERS: [&str; 8] = [":", "–", "—", "-", "|", "for", "is", "marks"];

/// One box with a meaning behind it.
struct LegendEntry {
    /// Where the box begins.
    at: usize,
    mark: char,
    standing: BoxStanding,
    /// Whether a sign of equality stands between them.
    says_so: bool,
    /// Whether nothing else follows.
    is_whole: bool,
    /// Whether the box stands in backticks, so that it is no task.
    is_code: bool,
}

impl Legend {
    /// Read the legend of `text`.
    pub(super) fn read(text: &str, lines: &LineIndex, markdown: &Markdown) -> Legend {
        let mut legend = Legend::default();
        if memchr::memchr(b'[', text.as_bytes()).is_none() {
            return legend;
        }
        // Whether the last line of words that is no entry announces a legend.
        let mut announced = false;
        for line in 0..lines.count() {
            let span = lines.line_span(line);
            let content = text[span.range()].trim();
            if content.is_empty() {
                continue;
            }
            let in_block = markdown.code_at(span.start).is_some_and(|code| code.kind != CodeKind::Span);
            if in_block || markdown.in_comment(span.start) {
                continue;
            }
            let entries = match memchr::memchr(b'[', content.as_bytes()) {
                Some(_) => entries(text, span),
                None => Vec::new(),
            };
            let announces_here = announces(content.split('[').next().unwrap_or(content));
            if entries.is_empty() {
                announced = announces_here || (announced && content.starts_with(['|', '-', '*', '+']));
                continue;
            }
            let many = entries.len() > 1;
            let first = entries[0].at - usize::from(entries[0].is_code);
            let leads = text[span.start..first].trim_start_matches(|c: char| !c.is_alphanumeric()).is_empty();
            for entry in entries {
                let is_listed = entry.is_code && leads;
                let is_meant = announces_here || (announced && entry.is_whole);
                if entry.says_so || many || is_listed || is_meant {
                    legend.add(entry);
                }
            }
        }
        legend
    }

    fn add(&mut self, entry: LegendEntry) {
        if !self.meanings.iter().any(|(mark, _)| *mark == entry.mark) {
            self.meanings.push((entry.mark, entry.standing));
        }
        self.boxes.push(entry.at);
    }

    /// Whether a box explains a mark instead of being a task.
    pub(super) fn explains(&self, boxed: Span) -> bool {
        let next = self.boxes.partition_point(|at| *at < boxed.start);
        self.boxes.get(next).is_some_and(|at| *at < boxed.end)
    }

    /// Whether the file explains the mark.
    pub(super) fn has(&self, mark: char) -> bool {
        self.meanings.iter().any(|(known, _)| *known == mark)
    }

    /// What a box with this mark counts as, and whether the file itself says so.
    pub(super) fn standing(&self, state: TaskState) -> (BoxStanding, bool) {
        let said = |wanted: char| self.meanings.iter().find(|(mark, _)| *mark == wanted).map(|(_, standing)| *standing);
        match state {
            TaskState::Open => (BoxStanding::Open, true),
            TaskState::Done => (said('x').or_else(|| said('X')).unwrap_or(BoxStanding::Done), true),
            TaskState::Other(mark) => match said(mark) {
                Some(standing) => (standing, true),
                None if mark == '-' => (BoxStanding::Cancelled, false),
                None => (BoxStanding::Open, false),
            },
        }
    }
}

/// Whether the words before a box, or a line of words, announce a legend.
fn announces(line: &str) -> bool {
    // A sentence about legends announces none. Most lines are sentences, and not folded for this.
    const FEW: usize = 6;
    let words = |line| str::split(line, |c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    if words(line).nth(FEW).is_some() {
        return false;
    }
    let line = line.to_lowercase();
    let words: Vec<&str> = words(&line).collect();
    let is_named = |word: &&str| matches!(*word, "legend" | "notation" | "symbols" | "markers" | "marks");
    let is_key = words.last() == Some(&"key") || words == ["checkboxes"] || words == ["checkbox", "states"];
    words.len() <= FEW && (words.iter().any(is_named) || is_key)
}

/// The boxes of a line that have a meaning behind them.
fn entries(text: &str, line: Span) -> Vec<LegendEntry> {
    let content = text[line.range()].trim_end();
    let mut entries = Vec::new();
    for (at, _) in content.match_indices('[') {
        let Some((mark, after)) = boxed(&content[at..]) else { continue };
        let is_code = content[..at].ends_with('`') && after.starts_with('`');
        let (mut rest, mut says_so) = (after.strip_prefix('`').filter(|_| is_code).unwrap_or(after), false);
        rest = rest.trim_start_matches(['*', '_', '\'', '"', ' ', '\t']);
        for (separators, is_equals) in [(&EQUALS[..], true), (&FILLERS[..], false)] {
            let found = separators.iter().find_map(|separator| {
                let behind = rest.strip_prefix(separator)?;
                let is_word = separator.ends_with(char::is_alphabetic);
                (!is_word || behind.starts_with([' ', '\t'])).then_some(behind)
            });
            if let Some(behind) = found {
                (rest, says_so) = (behind, is_equals);
                break;
            }
        }
        let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[');
        if let Some((standing, is_whole)) = meaning(rest) {
            entries.push(LegendEntry { at: line.start + at, mark, standing, says_so, is_whole, is_code });
        }
    }
    entries
}

/// The mark of the box that `text` begins with, and what follows it.
fn boxed(text: &str) -> Option<(char, &str)> {
    let mut chars = text.strip_prefix('[')?.chars();
    let mark = chars.next().filter(|mark| !mark.is_ascii_digit() && !matches!(mark, '[' | ']' | '^' | '\\'))?;
    let rest = chars.as_str();
    let rest = rest.strip_prefix('\u{fe0f}').unwrap_or(rest).strip_prefix(']')?;
    (!rest.starts_with(['(', '['])).then_some((mark, rest))
}

/// The meaning that `text` begins with, and whether only a remark follows it.
fn meaning(text: &str) -> Option<(BoxStanding, bool)> {
    /// No meaning is longer, in bytes.
    const LONGEST: usize = 24;
    let end = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= LONGEST).last()?;
    let lower = text[..end].to_lowercase().replace('’', "'");
    let fits = |phrase: &&&str| {
        lower.strip_prefix(**phrase).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let found = MEANINGS
        .iter()
        .flat_map(|(standing, phrases)| phrases.iter().filter(fits).map(|phrase| (phrase.chars().count(), *standing)));
    let (length, standing) = found.max_by_key(|(length, _)| *length)?;
    let rest = text.char_indices().nth(length).map_or("", |(at, _)| &text[at..]);
    let rest = rest.trim_start_matches(['*', '_', '`', '"', '\'', ' ', '\t']);
    let rest =
        ["tasks", "task", "items", "item"].iter().find_map(|noun| rest.strip_prefix(noun)).unwrap_or(rest).trim();
    let is_whole = rest.is_empty() || rest.starts_with(['(', ',', ';', '.', '|', '/', ')', '[', '·', '•']);
    Some((standing, is_whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::markdown;

    fn legend(text: &str) -> Legend {
        Legend::read(text, &LineIndex::new(text.as_bytes()), &markdown::read(text, 0))
    }

    #[track_caller]
    fn check(text: &str, expected: &[(char, BoxStanding)]) {
        assert_eq!(legend(text).meanings, expected, "{text:?}");
    }

    #[test]
    fn a_legend_says_what_marks_mean() {
        use BoxStanding::{Cancelled, Done, Open};
        check("Legend: [ ] todo, [x] done, [~] dropped\n", &[(' ', Open), ('x', Done), ('~', Cancelled)]);
        check("`[-]` = in progress\n", &[('-', Open)]);
        check("- `[~]` - cancelled (with a reason)\n", &[('~', Cancelled)]);
        check("| `[>]` | Deferred |\n", &[('>', Open)]);
        check("## Legend\n\n- [✓] Complete\n- [!] **Blocked**\n", &[('✓', Done), ('!', Open)]);
        check("Status key:\n\n- [/] won’t do\n", &[('/', Cancelled)]);
        check("- [-] → partially done\n", &[('-', Open)]);
        check("Use [~] for not applicable and [-] for in-progress.\n", &[('~', Cancelled), ('-', Open)]);
    }

    #[test]
    fn tasks_and_prose_are_no_legend() {
        for text in [
            "- [~] Done with the parser, not with the printer\n",
            "- [-] cancelled: the old way\n",
            "- [ ] pending migrations run at start\n",
            "## Key tasks\n- [~] Open the door\n",
            "Mark it [x] when it is done.\n",
            "The legend of [x](u) done.\n",
            "```\n[~] = cancelled\n```\n",
            "<!-- [~] = cancelled -->\n",
            "[x]: done\n",
            "- [ ] Remove the legend: see [x](done)\n",
        ] {
            check(text, &[]);
        }
    }
}
