//! Fixes of settings files where one is certain: a comma or comments that the reader does not know, the type of a hook, a name in
//! the wrong case. Nothing else of the file changes. What it says takes effect then, so that none of them is a safe fix.

use super::Dropped;
use super::keys::{self, ParsedSettings};
use crate::base::finding::Edit;
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::parse::json::{self, JsonGrammar, JsonNode};
use crate::rules::Cx;

/// More edits of one file are no slip of the pen.
const MAX_EDITS: usize = 1_000;
/// What a hook of each type must have.
const HOOK_TYPES: [(&str, &str); 5] =
    [("command", "command"), ("prompt", "prompt"), ("agent", "prompt"), ("http", "url"), ("mcp_tool", "tool")];

/// Content that a JSON file may not contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonSlip {
    Comma,
    Comment,
}

impl JsonSlip {
    /// The slip at the place, if that is what is wrong there.
    pub(super) fn at(cx: &Cx<'_>, dropped: &Dropped<'_>) -> Option<JsonSlip> {
        let bytes = cx.workspace.settings.get(&dropped.path).filter(|_| dropped.path.as_bytes().ends_with(b".json"))?;
        match bytes.get(dropped.span.start..)? {
            [b'/', b'/' | b'*', ..] => Some(JsonSlip::Comment),
            [b',', rest @ ..] if matches!(rest.trim_ascii_start(), [b'}' | b']', ..]) => Some(JsonSlip::Comma),
            _ => None,
        }
    }

    /// The word for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            JsonSlip::Comma => "comma",
            JsonSlip::Comment => "comment",
        }
    }

    /// Take all of its kind out of the file; nothing where the file is no JSON even then.
    pub(super) fn edits(self, cx: &Cx<'_>, path: &RepoPath) -> Option<Vec<Edit>> {
        let text = std::str::from_utf8(cx.workspace.settings.get(path)?).ok()?;
        let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let edits: Vec<Edit> = slips(&text[mark..], self)
            .into_iter()
            .take(MAX_EDITS + 1)
            .map(|span| Span::new(span.start + mark, span.end + mark))
            .map(|span| Edit { path: path.clone(), span, replacement: String::new() })
            .collect();
        let grammar = match self {
            JsonSlip::Comma => JsonGrammar::COMMENTED,
            JsonSlip::Comment => JsonGrammar { comments: false, trailing_commas: true },
        };
        let mut rest = text.to_owned();
        for edit in edits.iter().rev() {
            rest.replace_range(edit.span.range(), "");
        }
        let is_right = json::parse(&rest[mark..], grammar).is_ok();
        (is_right && (1..=MAX_EDITS).contains(&edits.len())).then_some(edits)
    }
}

/// All places of one kind in a text that is JSON but for them, in order. A comment that has its lines for itself goes with them,
/// another one with the blanks before it.
fn slips(text: &str, wanted: JsonSlip) -> Vec<Span> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut comma) = (Vec::new(), 0, None);
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let length = match rest {
            [b'"', ..] => string_length(rest),
            [b'/', b'/', ..] => memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()),
            [b'/', b'*', ..] => memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4),
            _ => 1,
        };
        match (byte, comma) {
            (b'/', _) if length > 1 => {
                if wanted == JsonSlip::Comment {
                    found.push(with_blanks(text, Span::new(at, at + length)));
                }
            }
            (b' ' | b'\t' | b'\n' | b'\r', _) => {}
            (b',', _) => comma = Some(at),
            (b'}' | b']', Some(place)) if wanted == JsonSlip::Comma => {
                found.push(Span::new(place, place + 1));
                comma = None;
            }
            _ => comma = None,
        }
        at += length;
    }
    found
}

/// The bytes of the string at the beginning of `rest`.
fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    rest.len()
}

/// A comment with what is of no use without it.
fn with_blanks(text: &str, comment: Span) -> Span {
    let before = text[..comment.start].trim_end_matches([' ', '\t']);
    let after = text[comment.end..].trim_start_matches([' ', '\t']);
    let end = text.len() - after.len();
    let line_end = ["\r\n", "\n"].iter().find(|line_end| after.starts_with(**line_end));
    match line_end {
        Some(line_end) if before.is_empty() || before.ends_with('\n') => Span::new(before.len(), end + line_end.len()),
        Some(_) => Span::new(before.len(), comment.end),
        None => comment,
    }
}

/// The edit that gives a hook its type, or writes the type as the agent does, where no more than that is wrong at the place.
pub(super) fn hook_type(cx: &Cx<'_>, files: &mut ParsedSettings, dropped: &Dropped<'_>) -> Option<Vec<Edit>> {
    let root = files.root(cx, &dropped.path)?;
    let around = keys::around(root, dropped.span);
    let text = |hook: &JsonNode, key: &str| hook.get(key).and_then(JsonNode::text).is_some_and(|text| !text.is_empty());
    let &[.., parent, node] = &around[..] else { return None };
    let edit = |span: Span, replacement: String| Some(vec![Edit { path: dropped.path.clone(), span, replacement }]);
    if node.is_object() {
        let is_command = parent.is_array() && node.get("type").is_none() && text(node, "command");
        let is_other = HOOK_TYPES.iter().any(|(_, key)| *key != "command" && node.get(key).is_some());
        let first = node.members().first()?.key_span.start;
        let bytes = cx.workspace.settings.get(&dropped.path)?;
        let gap = std::str::from_utf8(bytes.get(node.span.start + 1..first)?).ok()?;
        let gap = if gap.contains('\n') { gap } else { " " };
        // A comment in the gap would stand twice.
        let is_plain = gap.chars().all(char::is_whitespace);
        let replacement = format!("\"type\": \"command\",{gap}");
        return edit(Span::empty(first), replacement).filter(|_| is_command && !is_other && is_plain);
    }
    let written = parent.get("type").filter(|kind| kind.span == node.span)?.text()?;
    let (name, key) = HOOK_TYPES.iter().find(|(name, _)| name.eq_ignore_ascii_case(written) && *name != written)?;
    edit(node.span, format!("\"{name}\"")).filter(|_| text(parent, key))
}

/// The edit that writes the string at the place as the agent does, where that is certain.
pub(super) fn right_name(cx: &Cx<'_>, files: &mut ParsedSettings, dropped: &Dropped<'_>) -> Option<Vec<Edit>> {
    let right = dropped.setting.instead.as_ref()?;
    let root = files.root(cx, &dropped.path)?;
    let is_free = match keys::holder(root, dropped.span) {
        // The same key twice would hide one of the two.
        Some(object) => object.get(right).is_none(),
        None => keys::around(root, dropped.span).last()?.text().is_some(),
    };
    let replacement = serde_json::Value::from(right.as_str()).to_string();
    is_free.then(|| vec![Edit { path: dropped.path.clone(), span: dropped.span, replacement }])
}
