//! What a text tells of the past or of what is planned: remarks in drawings, lists behind "replaced", and logs of work done.

use std::sync::LazyLock;

use super::before_items;
use super::pattern::{FoldedPattern, folded};
use super::surroundings::{is_about, line_end, line_start};
use super::tongues::{MAKE_AFTER, MAKE_BEFORE};
use super::words::{BEFORE, LATER, MAY_MISS_LATER};
use crate::base::text::Span;

/// A remark behind an entry of a drawing says that it is yet to come, or stands for something.
pub(super) static TO_COME: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)^[^0-9a-z\x80-\xff]*(?:future|planned|upcoming|placeholders?|todo|tbd|wip)\b(?:\s*$|\s*[\])(:;,.]|\s+-)
          | \b(?:placeholders?|planned|todo|tbd|for\s+(?:the\s+)?future(?:\s+use)?)[\])\x20.]*$
          | [(\[](?:[^)\]]*\s)?(?:future|planned|upcoming|placeholders?|todo|tbd|wip|not\s+(?:yet|implemented)|coming\s+soon|in\s+design)(?:\s[^)\]]*)?[)\]]
          | \b(?:add|create)d?\s+(?:\w+\s+){0,3}when\s+(?:first\s+)?(?:needed|required)
          | 占位 | 佔位 | 预留 | 預留 | 待实现 | 待實現 | 未实装 | 未実装 | 予定 | プレースホルダ | 예정 | 플레이스홀더 | \b(?:futur[oa]|planejad[oa]|planificad[oa]|a\s+criar|por\s+crear|geplant|künftig|prévu)\b",
    )
});

/// What stands before a list of paths says that all of them are gone.
static GONE_ITEMS: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:absorbed|consolidated|deleted|dropped|folded|merged|removed|renamed|replaced|replaces|retired|superseded|supersedes|unified)
            \s+(?:[\w-]+\s+){0,4}[(\x22'*_]*$",
    )
});

/// The line above a list says on which day somebody looked.
pub(super) static LOOKED_ON: LazyLock<FoldedPattern> = LazyLock::new(|| {
    FoldedPattern::new(
        r"(?x)\b(?:audited|checked|inspected|scanned|searched|surveyed)\s+(?:on|at|as\s+of)\s+20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]\s*[:][*_\x20\n]*$",
    )
});

/// So many bytes behind a path are read for what a later sentence says of it.
const NEXT_SENTENCES: usize = 200;

/// Whether what follows the sentence says of its path that it is gone, or what to do where it is missing.
pub(super) fn is_told_later(path: &str, above: &str, below: &str) -> bool {
    is_about(above) && LATER.is_match(&folded(below))
        || MAY_MISS_LATER.is_match(&folded(&below[..below.floor_char_boundary(NEXT_SENTENCES)]))
        || is_gone_by_name(path.rsplit('/').next().unwrap_or(path), below)
}

/// Whether `below` says of the file called `name` that it is gone: "`install.sh` no longer exists".
fn is_gone_by_name(name: &str, below: &str) -> bool {
    const GONE: [&str; 6] =
        ["no longer exist", "does not exist", "has been deleted", "has been removed", "was deleted", "was removed"];
    let quoted = format!("`{name}`");
    below.match_indices(&quoted).any(|(at, _)| {
        let behind = below[at + quoted.len()..].trim_start();
        GONE.iter().any(|words| behind.starts_with(words))
    })
}

/// Words with which an entry of a log tells what was done.
const DONE: [&str; 26] = [
    "added",
    "adjusted",
    "built",
    "cleaned",
    "converted",
    "created",
    "deleted",
    "enhanced",
    "extended",
    "extracted",
    "fixed",
    "implemented",
    "improved",
    "integrated",
    "introduced",
    "introspected",
    "migrated",
    "mounted",
    "persisted",
    "refactored",
    "removed",
    "renamed",
    "rewrote",
    "scaffolded",
    "switched",
    "updated",
];

/// Words behind those with which an item says where or how something is done, and not that it was.
const WHERE: [&str; 16] = [
    "as",
    "at",
    "automatically",
    "by",
    "for",
    "from",
    "if",
    "in",
    "into",
    "on",
    "only",
    "per",
    "under",
    "via",
    "when",
    "with",
];

/// Entries of a list that tell of work done, at least, before it is a log.
const MIN_DONE: usize = 2;

/// Lines around an item that are looked at, at most, in each direction.
const MAX_LINES: usize = 8;

/// Whether what stands right `before` or `after` the path at `span` says that it is made or gone, or its item tells of work done.
pub(super) fn is_made_or_gone((text, span): (&str, Span), (before, after): (&str, &str)) -> bool {
    BEFORE.is_match(before)
        || MAKE_BEFORE.is_match(before)
        || MAKE_AFTER.is_match(after)
        || GONE_ITEMS.is_match(before_items(before))
        || is_work_done(text, span)
}

/// Whether the path at `span` stands in an item that tells of work done, in a list of such items.
fn is_work_done(text: &str, span: Span) -> bool {
    let start = line_start(text, span.start);
    if !tells_of_work(&text[start..]) {
        return false;
    }
    let above = text[..start].lines().rev().take(MAX_LINES).take_while(|line| is_item(line));
    let below = text[line_end(text, start)..].lines().skip(1).take(MAX_LINES).take_while(|line| is_item(line));
    above.chain(below).filter(|line| tells_of_work(line)).count() + 1 >= MIN_DONE
}

fn is_item(line: &str) -> bool {
    let bare = line.trim_start();
    ["- ", "* ", "+ "].iter().any(|mark| bare.starts_with(mark))
}

/// Whether an item of a list begins with what was done.
fn tells_of_work(line: &str) -> bool {
    let line = line.lines().next().unwrap_or_default();
    let begin: String = line.chars().take(80).collect();
    let text = folded(&begin);
    let mut words = text.trim_start_matches(|c: char| !c.is_ascii_alphanumeric()).split(' ');
    let done = words.next().is_some_and(|word| DONE.contains(&word));
    is_item(line) && done && words.next().is_some_and(|word| !word.is_empty() && !WHERE.contains(&word))
}

/// All patterns of this file, to compile.
pub(super) static PATTERNS: [&LazyLock<FoldedPattern>; 3] = [&TO_COME, &GONE_ITEMS, &LOOKED_ON];
