//! Characters judged by themselves and their nearest surroundings: spaces, noncharacters, private use, marks.

use super::class::Class;
use super::context::TextContext;
use super::raw::{HitFix, Raw};
use super::regions::{RegionKind, RegionKinds};
use crate::base::characters::{Properties, is, is_ignorable, is_noncharacter, is_private_use, is_unusual_space};
use crate::base::finding::{Applicability, Level};
use crate::base::text::Span;

/// Private-use runs below this are icons.
const PRIVATE_RUN: usize = 4;
/// UTS #39 5.4: more nonspacing marks than this on one base are forbidden.
const MARKS: usize = 4;
/// Marks of one script stack higher, as in Hebrew and Tibetan.
const SCRIPT_MARKS: usize = 8;

/// The end of the maximal run of characters from `at` on that belong together.
fn run_end(text: &str, at: usize, belongs: impl Fn(char) -> bool) -> usize {
    text[at..].char_indices().find(|&(_, c)| !belongs(c)).map_or(text.len(), |(offset, _)| at + offset)
}

/// A run of noncharacters.
pub(super) fn judge_noncharacters(cx: &TextContext<'_>, at: usize, out: &mut Vec<Raw>) -> usize {
    let end = run_end(cx.text, at, is_noncharacter);
    out.push(Raw::new(Class::Noncharacter, Span::new(at, end), Level::Error).removable(Applicability::Safe));
    end
}

/// A run of unassigned code points.
pub(super) fn judge_unassigned(cx: &TextContext<'_>, at: usize, out: &mut Vec<Raw>) -> usize {
    let end = run_end(cx.text, at, |c| is(c, Properties::UNASSIGNED));
    out.push(Raw::new(Class::Unassigned, Span::new(at, end), Level::Warning));
    end
}

/// A run of U+FFFD.
pub(super) fn judge_replacement(cx: &TextContext<'_>, at: usize, out: &mut Vec<Raw>) -> usize {
    let end = run_end(cx.text, at, |c| c == '\u{FFFD}');
    let span = Span::new(at, end);
    if !cx.regions(span).has(RegionKind::Code) {
        out.push(Raw::new(Class::ReplacementCharacter, span, Level::Warning));
    }
    end
}

/// A run of private-use characters; ignorable ones between them do not break it. The end of the run.
pub(super) fn judge_private_use(cx: &TextContext<'_>, at: usize, out: &mut Vec<Raw>) -> usize {
    let end = run_end(cx.text, at, |c| is_private_use(c) || is_ignorable(c));
    let run = &cx.text[at..end];
    let kept = run.trim_end_matches(is_ignorable).len();
    if run.chars().filter(|&c| is_private_use(c)).count() >= PRIVATE_RUN {
        out.push(Raw::new(Class::PuaRun, Span::new(at, at + kept), Level::Warning).removable(Applicability::Manual));
    }
    at + kept
}

/// Marks stacked on one base; ignorable characters between them do not hide the stack. The end of the stack.
pub(super) fn judge_marks(cx: &TextContext<'_>, at: usize, out: &mut Vec<Raw>) -> usize {
    let stacked = |c: char| is_ignorable(c) || is(c, Properties::NONSPACING);
    let end = run_end(cx.text, at, stacked);
    let run = cx.text[at..end].trim_end_matches(is_ignorable);
    let marks = || run.chars().filter(|&c| !is_ignorable(c));
    let inherited = marks().filter(|&c| is(c, Properties::INHERITED)).count();
    let count = marks().count();
    let span = Span::new(at, at + run.len());
    if inherited > MARKS || count > SCRIPT_MARKS {
        let kept = if inherited > MARKS { MARKS } else { SCRIPT_MARKS };
        let marked = |c: char| !is_ignorable(c) && (inherited <= MARKS || is(c, Properties::INHERITED));
        let first = run.char_indices().filter(|&(_, c)| marked(c)).nth(kept).map_or(at, |(offset, _)| at + offset);
        let hit = Raw::new(Class::Zalgo, span, Level::Warning);
        out.push(
            hit.fix(HitFix::remove(Applicability::Manual, Span::new(first, span.end)))
                .note(format!("{count} combining marks are stacked on one letter")),
        );
    }
    span.end
}

/// A run of spaces other than U+0020: wrong after a block marker, in code, and in an import or a path.
pub(super) fn judge_spaces(cx: &TextContext<'_>, at: usize, out: &mut Vec<Raw>) -> usize {
    const NAMES: RegionKinds = RegionKinds::of(&[RegionKind::Import, RegionKind::Path]);
    let end = run_end(cx.text, at, is_unusual_space);
    let span = Span::new(at, end);
    let regions = cx.regions(span);
    let spaces = || cx.text[span.range()].char_indices();
    let one_by_one = |applicability| HitFix {
        applicability,
        edits: spaces()
            .map(|(offset, c)| (Span::new(at + offset, at + offset + c.len_utf8()), " ".to_owned()))
            .collect(),
    };
    let hit = Raw::new(Class::UnusualSpace, span, Level::Warning);
    // Between Chinese and Japanese characters it is the space that input methods type, and names of files have it.
    let is_cjk = |c: Option<char>| c.is_some_and(|c| is(c, Properties::CJK));
    let is_ideographic = spaces().all(|(_, c)| c == '\u{3000}') && is_cjk(cx.before(at)) && is_cjk(cx.after(end));
    let in_name = regions.any(NAMES) && (!is_ideographic || regions.has(RegionKind::Import));
    if regions.has(RegionKind::Code) {
        let printable = |c: Option<char>| c.is_some_and(|c| matches!(c, ' '..='~'));
        // A template of Chinese or Japanese text has it in a code span, too.
        let line = cx.text[..at].rsplit('\n').next().unwrap_or_default();
        let is_of_text = spaces().all(|(_, c)| c == '\u{3000}') && line.chars().any(|c| is(c, Properties::CJK));
        if printable(cx.before(at)) && printable(cx.after(end)) && !cx.line(at).boxes && !is_of_text {
            let applicability = if in_name { Applicability::Manual } else { Applicability::Safe };
            out.push(hit.fix(one_by_one(applicability)).note("is used in place of a plain space"));
        } else if in_name {
            out.push(hit.flat().fix(one_by_one(Applicability::Manual)).note("is not the space that it looks like"));
        }
    } else if in_name {
        out.push(hit.flat().fix(one_by_one(Applicability::Manual)).note("is not the space that it looks like"));
    } else if !regions.any(RegionKinds::of(&[RegionKind::Frontmatter, RegionKind::FrontmatterKey]))
        && let Some(block) = follows_marker(cx, at)
    {
        let fix = HitFix::replace(Applicability::Safe, span, " ");
        out.push(hit.fix(fix).note(format!("follows a marker, so that CommonMark sees no {block}")));
    }
    end
}

/// What the line would be, had it a plain space at `at`: the text before is only a block marker.
fn follows_marker(cx: &TextContext<'_>, at: usize) -> Option<&'static str> {
    let line = cx.line(at).span;
    let head = cx.text[line.start..at].trim_start_matches([' ', '\t', '>']);
    if (1..=6).contains(&head.len()) && head.bytes().all(|byte| byte == b'#') {
        return Some("heading");
    }
    if matches!(head, "-" | "*" | "+") {
        return Some("list item");
    }
    let digits = head.strip_suffix(['.', ')'])?;
    let number = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    // In the middle of a paragraph only a 1 opens a list; "24." there is a date that was wrapped.
    let above = cx.text[..line.start].trim_end_matches(['\n', '\r']);
    let fresh = above.len() + 1 < line.start || line.start == 0 || begins_with_marker(above);
    (number && (fresh || digits == "1")).then_some("list item")
}

/// Whether the last line of `text` begins with a list marker.
fn begins_with_marker(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or("").trim_start_matches([' ', '\t', '>']);
    line.starts_with(['-', '*', '+', '#']) || line.starts_with(|c: char| c.is_ascii_digit())
}
