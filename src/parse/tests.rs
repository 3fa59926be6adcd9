//! What a parsed document says of itself.

use proptest::prelude::*;

use super::*;

/// Every span of the document, in the order of its list; lists that must be sorted one by one.
fn sorted_lists(document: &Document) -> Vec<Vec<Span>> {
    let markdown = &document.markdown;
    vec![
        markdown.headings.iter().map(|heading| heading.span).collect(),
        markdown.code.iter().map(|code| code.span).collect(),
        markdown.comments.iter().map(|comment| comment.span).collect(),
        markdown.links.iter().map(|link| link.span).collect(),
        markdown.text.iter().map(|leaf| leaf.span).collect(),
        markdown.items.iter().map(|item| item.span).collect(),
        markdown.blocks.clone(),
        markdown.html.clone(),
        document.tasks.iter().map(|task| task.marker).collect(),
        document.malformed_tasks.iter().map(|task| task.span).collect(),
        document.suppressions.iter().map(|suppression| suppression.span).collect(),
        document.problems.iter().map(|problem| problem.span).collect(),
    ]
}

fn inner_spans(document: &Document) -> Vec<Span> {
    let markdown = &document.markdown;
    let mut spans: Vec<Span> = markdown.code.iter().map(|code| code.content).collect();
    spans.extend(markdown.comments.iter().map(|comment| comment.content));
    spans.extend(markdown.links.iter().map(|link| link.destination_span));
    spans.extend(markdown.items.iter().flat_map(|item| [item.marker, item.content]));
    spans.extend(document.tasks.iter().map(|task| task.text));
    spans.extend(document.suppressions.iter().map(|suppression| suppression.covers));
    for problem in &document.problems {
        match &problem.kind {
            ProblemKind::InvalidFrontmatter { quote: Some((span, _)), .. } => spans.push(*span),
            ProblemKind::DuplicateField { first, .. } => spans.push(*first),
            _ => {}
        }
    }
    if let Some(frontmatter) = &document.frontmatter {
        spans.extend([frontmatter.span, frontmatter.yaml]);
        let mut nodes: Vec<&frontmatter::FrontmatterNode> = frontmatter.other.iter().collect();
        for field in &frontmatter.fields {
            spans.push(field.key_span);
            nodes.push(&field.value);
        }
        while let Some(node) = nodes.pop() {
            spans.push(node.span);
            match &node.value {
                frontmatter::Value::List(items) => nodes.extend(items),
                frontmatter::Value::Map(fields) => nodes.extend(fields.iter().map(|field| &field.value)),
                _ => {}
            }
        }
    }
    spans
}

fn check(kind: Kind, bytes: &[u8]) {
    let document = Document::parse("a/b.md".into(), kind, bytes.into());
    let on_boundary = |span: Span| {
        span.start <= span.end
            && span.end <= bytes.len()
            && document.text.is_char_boundary(span.start)
            && document.text.is_char_boundary(span.end)
    };
    for (index, list) in sorted_lists(&document).into_iter().enumerate() {
        assert!(list.iter().all(|&span| on_boundary(span)), "list {index}: {list:?}");
        assert!(list.is_sorted_by_key(|span| span.start), "list {index}: {list:?}");
    }
    let inner = inner_spans(&document);
    assert!(inner.iter().all(|&span| on_boundary(span)), "{inner:?}");
    assert!(document.body <= bytes.len());
}

fn kinds() -> [Kind; 5] {
    [Kind::AgentsMd, Kind::Skill, Kind::of_agent("cursor-rule"), Kind::PackageYaml, Kind::Artifact]
}

/// Pieces that the parsers give meaning to.
const PIECES: [&str; 60] = [
    "\u{feff}",
    "---\n",
    "---",
    "\n",
    "\r\n",
    "\r",
    " ",
    "    ",
    "\t",
    "- ",
    "* ",
    "1. ",
    "2)",
    "[ ]",
    "[x]",
    "[]",
    "[ x]",
    "-[ ] a",
    "［ ］",
    "• ",
    "#",
    "## h {#i}",
    "===\n",
    "> ",
    "`",
    "```",
    "~~~",
    "``",
    "<!--",
    "-->",
    "->",
    "<div>",
    "</div>",
    "<a href=\"x\">",
    "<img src=",
    "[a](b)",
    "[a][b]",
    "[b]: <c d>\n",
    "![",
    "](",
    ")",
    "<https://x>",
    "name: x\n",
    "description: a: b\n",
    "globs: *.ts\n",
    "x: [a, b\n",
    "y: \"q\n",
    "z: |\n  t\n",
    "&a ",
    "*a ",
    "{a: ",
    "# hintlint-ignore a: b\n",
    "<!-- hintlint-ignore a, b: c -->\n",
    "\0",
    "é",
    "中",
    "\u{200b}",
    "|a|b|\n|-|-|\n",
    "\\",
    "text",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_in_any_order_keep_every_span_in_place(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40),
        kind in prop::sample::select(kinds().to_vec()),
        fenced in any::<bool>(),
    ) {
        let text = pieces.concat();
        check(kind, if fenced { format!("---\n{text}\n---\n{text}") } else { text }.as_bytes());
    }

    #[test]
    fn any_bytes_keep_every_span_in_place(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        kind in prop::sample::select(kinds().to_vec()),
    ) {
        check(kind, &bytes);
    }
}

/// Long runs of what makes careless parsers quadratic. The bound is coarse: it tells seconds from minutes.
#[test]
fn repetition_costs_linear_time() {
    let started = std::time::Instant::now();
    for piece in [
        "[",
        "![",
        "<!--",
        "<!-- a -->",
        "`",
        "```\n",
        "- ",
        "> ",
        "*a ",
        "[a](",
        "<a href=",
        "<a ",
        "[x]: y\n",
        "- [ ] a\n",
        "-[ ] a\n",
        "<!-- hintlint-ignore a: b -->\n",
        "<!-- hintlint-ignore a: b -->",
        "\\",
        "&amp;",
        "|a",
        "  - a\n",
        "{a: ",
        "a: *b\n",
        "a: b: c\n",
        "# hintlint-ignore a: b\n",
        "- a: b: c\n",
        "a:\n",
        "\"",
        "[a][b]",
    ] {
        let repeated = piece.repeat((1 << 17) / piece.len());
        for kind in [Kind::Skill, Kind::of_agent("cursor-rule")] {
            Document::parse("a.md".into(), kind, repeated.as_bytes().into());
            Document::parse("a.md".into(), kind, format!("---\n{repeated}\n---\n").as_bytes().into());
            Document::parse("a.md".into(), kind, format!("---\n{repeated}").as_bytes().into());
        }
        let seconds = started.elapsed().as_secs();
        assert!(seconds < 300, "{piece:?} brought it to {seconds} s");
    }
}
