//! Where frontmatter stands: its fences at the beginning of a file, a fence that never closes, a block in the wrong place.

use super::Value;
use super::entries::{FieldLines, entries, lines};
use super::{mdc, yaml};
use crate::base::kind::Kind;
use crate::base::text::Span;

/// Keys that some agent reads. A block with none of them does not count as displaced frontmatter.
const KNOWN_KEYS: [&str; 15] = [
    "name",
    "description",
    "globs",
    "alwaysApply",
    "paths",
    "applyTo",
    "applies_to",
    "trigger",
    "inclusion",
    "relevant_for",
    "allowed-tools",
    "tools",
    "model",
    "argument-hint",
    "fileMatchPattern",
];
/// How many lines of text may precede a displaced block, and how many lines the block may have.
const MAX_LINES_BEFORE: usize = 3;
const MAX_BLOCK_LINES: usize = 200;

/// What stands at the beginning of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fences {
    /// No fence, or a thematic break.
    None,
    /// A block: the whole with both fences, and the YAML between.
    Closed { span: Span, yaml: Span },
    /// The place of an opening fence that nothing closes, before what reads like frontmatter.
    Unterminated(Span),
}

/// Look for frontmatter at `start`.
pub(super) fn find(text: &str, start: usize) -> Fences {
    let mut rest = lines(&text[start..]);
    let Some(open) = rest.next().filter(|line| is_fence(&text[start..][line.range()])) else { return Fences::None };
    let at = start + open.end;
    let close = rest.find(|line| is_fence(&text[start..][line.range()]));
    if let Some(close) = close {
        return Fences::Closed { span: Span::new(start, start + close.end), yaml: Span::new(at, start + close.start) };
    }
    let block = head(&text[at..]);
    let entries = entries(block);
    let reads_so =
        entries.iter().all(|entry| entry.key.is_some()) && (entries.len() > 1 || has_known_key(block, &entries));
    if !entries.is_empty() && reads_so { Fences::Unterminated(Span::new(start, start + 3)) } else { Fences::None }
}

/// Whether invalid YAML between fences is frontmatter whose own end is missing, so that a thematic break far below closed it.
pub(super) fn runs_into_body(source: &str) -> bool {
    let block = head(source);
    let body = &source[block.len()..];
    let is_heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    has_known_key(block, &entries(block))
        && is_mapping(block)
        && body.lines().any(is_heading)
        && body.lines().any(|line| !line.trim().is_empty() && !line.starts_with(['#', ' ', '-']) && !is_field(line))
}

/// Whether a line below a comment of the YAML goes on with it.
fn is_field(line: &str) -> bool {
    let key = line.split_once(':').filter(|(_, value)| value.is_empty() || value.starts_with(' '));
    key.is_some_and(|(key, _)| {
        !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    })
}

/// A block that looks like frontmatter and stands a little below the beginning, fences included.
pub(super) fn displaced(text: &str, start: usize, kind: Kind) -> Option<Span> {
    let mut at = start;
    let mut before = 0;
    while at < text.len() {
        let line = &text[at..][..text[at..].find('\n').map_or(text.len() - at, |end| end + 1)];
        let content =
            line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}' | '\u{2060}'));
        if content == "---" {
            return block_at(text, at);
        }
        if content.starts_with("<!--") {
            let end = at + text[at..].find("-->")? + 3;
            let line_end = text[end..].find('\n').map_or(text.len(), |n| end + n + 1);
            if !text[end..line_end].trim().is_empty() {
                return None;
            }
            at = line_end;
            continue;
        }
        if !content.is_empty() {
            before += 1;
            let is_code = content.starts_with("```") || content.starts_with("~~~") || line.starts_with("    ");
            if before > MAX_LINES_BEFORE || is_code || !kind.reads_frontmatter() {
                return None;
            }
        }
        at += line.len();
    }
    None
}

fn block_at(text: &str, at: usize) -> Option<Span> {
    let mut rest = lines(&text[at..]);
    let open = rest.next()?;
    let close = rest.take(MAX_BLOCK_LINES).find(|line| text[at..][line.range()].trim() == "---")?;
    let block = &text[at + open.end..at + close.start];
    if !is_mapping(block) || !has_known_key(block, &entries(block)) {
        return None;
    }
    let end = at + close.start + text[at..][close.range()].trim_end().len();
    let start = at + text[at..].find("---").unwrap_or(0);
    Some(Span::new(start, end))
}

/// The text up to the first blank line or heading, to a `---` that has text behind it, or to the `...` that ends a YAML document and, for
/// agents, no frontmatter.
fn head(text: &str) -> &str {
    let end = lines(text).find(|line| {
        let line = text[line.range()].trim_end();
        line.is_empty() || line.starts_with('#') || line.starts_with("--- ") || line == "..."
    });
    &text[..end.map_or(text.len(), |line| line.start)]
}

fn has_known_key(block: &str, entries: &[FieldLines]) -> bool {
    entries.iter().filter_map(|entry| entry.key).any(|key| KNOWN_KEYS.contains(&&block[key.range()]))
}

fn is_mapping(block: &str) -> bool {
    let tree = yaml::parse(block, 0).or_else(|_| mdc::parse(block, 0));
    tree.is_ok_and(|tree| tree.root.is_some_and(|root| matches!(root.value, Value::Map(_))))
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}
