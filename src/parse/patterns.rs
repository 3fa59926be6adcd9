//! Path patterns in frontmatter: which fields hold them, and where each pattern stands.

use super::Document;
use super::frontmatter::{FrontmatterNode, Value};
use std::collections::BTreeSet;

use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::base::text::Span;

/// One pattern and where it stands: exactly, or the value that holds it where escapes hide the exact place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathPattern {
    /// The pattern, without quotes.
    pub text: String,
    /// Its place.
    pub span: Span,
    /// Whether the bytes there are the pattern.
    pub exact: bool,
}

/// The patterns of a field's value: of a list its items, of a string what its commas part.
pub(crate) fn patterns(document: &Document, node: &FrontmatterNode) -> Vec<PathPattern> {
    match &node.value {
        Value::String(text) => split(document, node, text),
        Value::List(items) => items
            .iter()
            .filter_map(|item| match &item.value {
                Value::String(text) => Some(whole(document, item, text)),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The offset at which the text of `node` stands as it reads, if nothing in it is escaped or folded.
fn verbatim(document: &Document, node: &FrontmatterNode, text: &str) -> Option<usize> {
    let source = document.slice(node.span);
    if source == text {
        return Some(node.span.start);
    }
    let quoted = source.len() == text.len() + 2 && source.get(1..source.len() - 1) == Some(text);
    quoted.then_some(node.span.start + 1)
}

fn whole(document: &Document, node: &FrontmatterNode, text: &str) -> PathPattern {
    let start = verbatim(document, node, text);
    let span = start.map_or(node.span, |start| Span::new(start, start + text.len()));
    PathPattern { text: text.to_owned(), span, exact: start.is_some() }
}

/// Split a string at commas outside braces.
fn split(document: &Document, node: &FrontmatterNode, text: &str) -> Vec<PathPattern> {
    let start = verbatim(document, node, text);
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push((from, at));
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push((from, text.len()));
    let pattern = |(from, to): (usize, usize)| {
        let part = &text[from..to];
        // Cursor takes `"a", "b"` as it stands; the quotes are no part of the patterns.
        let bare = part.trim().trim_matches(['"', '\'']);
        let offset = from + part.find(bare).unwrap_or(0);
        let span = start.map_or(node.span, |start| Span::new(start + offset, start + offset + bare.len()));
        (!bare.is_empty()).then(|| PathPattern { text: bare.to_owned(), span, exact: start.is_some() })
    };
    parts.into_iter().filter_map(pattern).collect()
}

/// All patterns of a document, without those that only exclude.
pub(crate) fn of(document: &Document) -> Vec<PathPattern> {
    let fields = document.frontmatter.iter().flat_map(|frontmatter| &frontmatter.fields);
    let fields = fields.filter(|field| document.kind.patterns().contains(&field.key.as_str()));
    fields.flat_map(|field| patterns(document, &field.value)).filter(|pattern| !pattern.text.starts_with('!')).collect()
}

/// The directories from which the patterns of `document` count: the one that holds the agent's folder or, for agents whose
/// documentation does not say, that one or the root. `applies_to`, which is no agent's field, counts from the root.
pub(crate) fn bases(document: &Document) -> Vec<&[u8]> {
    fn owner(path: &RepoPath) -> &[u8] {
        let path = path.as_bytes();
        let dotted = memchr::memmem::find(path, b"/.").map_or(0, |at| at + 1);
        path[..dotted].strip_suffix(b"/").unwrap_or(b"")
    }
    let shared = document.frontmatter.as_ref().is_some_and(|frontmatter| frontmatter.get("applies_to").is_some());
    let mut bases: Vec<&[u8]> = document.opened().iter().map(owner).collect();
    if shared || !matches!(document.kind, Kind::Of(kind) if kind.patterns_from_owner) {
        bases.push(b"");
    }
    let mut seen = BTreeSet::new();
    bases.retain(|base| seen.insert(*base));
    bases
}

/// The folders and file name with which a pattern begins, up to the first wildcard; empty where the pattern matches at any depth.
pub(crate) fn literal_prefix(pattern: &str) -> &str {
    let anchored = pattern.trim_start_matches('/').trim_end_matches('/').contains('/') || pattern.starts_with('/');
    if !anchored {
        return "";
    }
    match pattern.find(['*', '?', '[', '{', '\\', '!', '(']) {
        Some(at) => &pattern[..pattern[..at].rfind('/').unwrap_or(0)],
        None => pattern.trim_end_matches('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_end_before_the_first_wildcard() {
        for (pattern, prefix) in [
            ("src/api/**/*.ts", "src/api"),
            ("src/a*/x.ts", "src"),
            ("src/a.ts", "src/a.ts"),
            ("src/api/", "src/api"),
            ("/src", "/src"),
            ("src", ""),
            ("*.ts", ""),
            ("**/x/*.ts", ""),
            ("src/{a,b}/c.ts", "src"),
            ("{src,lib}/**", ""),
        ] {
            assert_eq!(literal_prefix(pattern), prefix, "{pattern}");
        }
    }

    #[test]
    fn patterns_stand_where_they_are_written() {
        let text = "---\nglobs: src/**/*.{ts,tsx}, \"lib/*.js\",!dist/**\n---\n";
        let document =
            Document::parse("a/.cursor/rules/r.mdc".into(), Kind::of_agent("cursor-rule"), text.as_bytes().into());
        let found: Vec<_> = of(&document).iter().map(|pattern| text[pattern.span.range()].to_owned()).collect();
        assert_eq!(found, ["src/**/*.{ts,tsx}", "lib/*.js"]);
        assert_eq!(bases(&document), [&b"a"[..], b""]);
        for (field, want) in [("paths", &[&b"a"[..]][..]), ("applies_to", &[b"a", b""])] {
            let text = format!("---\n{field}: src/**\n---\n");
            let rule =
                Document::parse("a/.claude/rules/r.md".into(), Kind::of_agent("claude-rule"), text.as_bytes().into());
            assert_eq!(bases(&rule), want, "{field}");
        }
    }
}
