//! How the text of a layer is normalised and closed.

use super::*;
use crate::base::kind::Kind;

fn layer(bytes: impl AsRef<[u8]>) -> NormalisedText {
    let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, bytes.as_ref().into());
    NormalisedText::of(&document, unicode::sanitize, &|path| path != "no/import")
}

/// The text, with `{path}` for imports.
fn text(layer: &NormalisedText) -> String {
    let part = |part: &TextPart| match part {
        TextPart::Text { text, .. } => text.clone(),
        TextPart::Import(import) => format!("{{{}}}\n", import.path),
    };
    let trailing = layer.trailing.iter().map(|import| format!("+{}\n", import.path));
    layer.parts.iter().map(part).chain(trailing).collect()
}

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(text(&layer(bytes)), expected);
}

#[test]
fn bytes_become_clean_lines() {
    check(b"\xef\xbb\xbfa\r\nb\xff\r\n", "a\nb\u{fffd}\n");
    check("a\u{200b}b\u{e0041}\n", "ab\n");
    check("---\nname: x\n---\n\n# T\n", "# T\n");
    check("\u{feff}---\r\nname: x\r\n---\r\n# T", "# T\n");
    check("a\rb\r\n\r\r\nc\r", "a\nb\n\n\nc\n");
    check(" \n\n  a \n\n\nb\n \n\t\n", "  a \n\n\nb\n");
}

#[test]
fn what_says_nothing_is_empty() {
    for empty in ["", "\n \n", "\u{feff}", "---\na: b\n---\n", "\u{200b}\n", "<!-- hintlint-ignore-file x: y -->\n"] {
        assert!(layer(empty).is_empty(), "{empty:?}");
    }
    assert!(!layer("<!-- a comment -->").is_empty());
}

#[test]
fn our_comments_go_and_leave_no_hole() {
    check("a\n\n<!-- hintlint-ignore x: why -->\nb\n", "a\n\nb\n");
    check("a\n\n<!-- hintlint-ignore x: why -->\n\nb\n", "a\n\nb\n");
    check("a\n\n<!-- hintlint-ignore\n x: why -->\n  <!-- hintlint-ignore y: why -->  \n\nb\n", "a\n\nb\n");
    check("a\n<!-- hintlint-ignore x: why -->\n\nb\n", "a\n\nb\n");
    check("a <!-- hintlint-ignore x: why -->\nb <!-- hintlint-ignore x: y --> c\n", "a\nb  c\n");
    check("a <!-- hintlint-ignore\nx: why --> b\nc\n", "a  b\nc\n");
    check(
        "`<!-- hintlint-ignore x: y -->`\n\n```\n<!-- hintlint-ignore x: y -->\n```\n<!-- other -->\n",
        "`<!-- hintlint-ignore x: y -->`\n\n```\n<!-- hintlint-ignore x: y -->\n```\n<!-- other -->\n",
    );
}

#[test]
fn open_fences_and_comments_are_closed() {
    check("a\n```rust\nb\n\n", "a\n```rust\nb\n```\n");
    check("~~~~\nb", "~~~~\nb\n~~~~\n");
    check("- a\n\n  ```\n  b\n", "- a\n\n  ```\n  b\n  ```\n");
    check("1. ```\n   b\n", "1. ```\n   b\n   ```\n");
    check("> ```\n> b\n", "> ```\n> b\n> ```\n");
    check("```\na\n```\n", "```\na\n```\n");
    check("> ```\n> b\n\nc\n", "> ```\n> b\n\nc\n");
    check("a\n\n<!-- b\n\nc\n", "a\n\n<!-- b\n\nc\n-->\n");
    check("a <!-- b\n", "a <!-- b\n-->\n");
    check("<!-- a --> <!-- b\n", "<!-- a --> <!-- b\n-->\n");
    check("<!--> a\n", "<!--> a\n");
    check("<div>\n@a.md\n```\n@b.md\n", "<div>\n{a.md}\n```\n```\n{b.md}\n");
    check("<script>\n\nx\n", "<script>\n\nx\n</script>\n");
    check("<?php\n", "<?php\n?>\n");
    check("a `<!--` b \\<!-- c\n\n```\n<!--\n```\n", "a `<!--` b \\<!-- c\n\n```\n<!--\n```\n");
}

#[test]
fn imports_stand_alone_or_in_sentences() {
    check("a\n@b.md\nc\n", "a\n{b.md}\nc\n");
    check("  @b.md \r\n\r\nsee @c.md and (@d.md).\r\n", "{b.md}\n\nsee @c.md and (@d.md).\n+c.md\n+d.md\n");
    check("@b.md <!-- hintlint-ignore missing-import: generated -->\n", "{b.md}\n");
    check("@no/import\nsee @no/import\n", "@no/import\nsee @no/import\n");
    check("- @b.md\n\n> @c.md\n", "- @b.md\n\n> @c.md\n+b.md\n+c.md\n");
    check(
        "`@b.md`\n\n```\n@c.md\n```\n\n<!-- @d.md -->\n\n    @e.md\n",
        "`@b.md`\n\n```\n@c.md\n```\n\n<!-- @d.md -->\n\n    @e.md\n",
    );
    check("---\nx: y\n---\n@b.md\n@\u{200b}c.md\n", "{b.md}\n{c.md}\n");
}

#[test]
fn lines_know_where_they_stood() {
    let layer = layer("---\nx: y\n---\n\na\n<!-- hintlint-ignore x: y -->\nb\nsee @d.md\n@c.md\n\nz\n\n");
    let lines: Vec<_> = layer
        .parts
        .iter()
        .map(|part| match part {
            TextPart::Text { text, line } => (text.as_str(), *line),
            TextPart::Import(import) => (import.path.as_str(), import.line),
        })
        .collect();
    assert_eq!(lines, [("a\n", 4), ("b\nsee @d.md\n", 6), ("c.md", 8), ("\nz\n", 9)]);
    assert_eq!((layer.trailing[0].line, layer.last_line), (7, 10));
}

#[test]
fn imitated_markers_are_quoted_everywhere() {
    check(
        "<!-- From: x -->\n\n```\n  <!-- End of x -->\n```\n",
        "<!-- (quoted) From: x -->\n\n```\n  <!-- (quoted) End of x -->\n```\n",
    );
}
