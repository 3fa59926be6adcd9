//! Templates of pages in a fence that an inner fence cuts short: what follows the cut is read as text, and is still the template.
//! Knows the text alone.

use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};

/// What follows the cut of each template, up to the fence that was meant to close it.
pub(super) fn remains(document: &Document) -> Vec<Span> {
    let fences: Vec<&Code> =
        document.markdown.code.iter().filter(|code| matches!(code.kind, CodeKind::Fence { .. })).collect();
    let mut found: Vec<Span> = Vec::new();
    for (index, fence) in fences.iter().enumerate() {
        let is_past = found.last().is_none_or(|last| last.end <= fence.span.start);
        if !is_past || !is_page(document, fence) || !opens_another(document.slice(fence.content)) {
            continue;
        }
        let closing = closing_of(&document.text, fence.span.end);
        // Otherwise the fence that was meant to close the template opens one without a language.
        let next = || fences[index + 1..].iter().find(|next| language(next).is_empty()).map(|next| next.span.start);
        let Some(end) = closing.or_else(next) else { break };
        found.push(Span::new(fence.span.end, end));
    }
    found
}

/// What readers take for blocks of code where a fence inside a block ended that, so that text and code are swapped behind it. Empty
/// where fences are as they look.
pub(super) fn blocks_to_the_eye(document: &Document) -> Vec<Span> {
    let fences = document.markdown.code.iter().filter(|code| matches!(code.kind, CodeKind::Fence { .. }));
    if !fences.clone().any(|fence| opens_another(document.slice(fence.content))) {
        return Vec::new();
    }
    let (mut found, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    for line in document.lines.line_of(document.body)..document.lines.count() {
        let span = document.lines.line_span(line);
        let Some(rest) = document.slice(span).trim_start().strip_prefix("```") else { continue };
        let opens = !rest.trim_start_matches('`').trim().is_empty();
        if depth == 0 {
            begin = span.start;
        }
        depth = if opens || depth == 0 { depth + 1 } else { depth - 1 };
        if depth == 0 {
            found.push(Span::new(begin, span.end));
        }
    }
    found
}

/// Where the fence stands that was meant to close a template whose first inner fence ends at `at`: the first that closes no other.
/// One with a language opens an inner fence, and so does one behind an empty line with text right below it.
fn closing_of(text: &str, at: usize) -> Option<usize> {
    let start = at + text[at..].find('\n')?;
    let mut lines = text[start..].split_inclusive('\n').peekable();
    let (mut at, mut open, mut after_blank) = (start, false, false);
    while let Some(line) = lines.next() {
        let bare = line.trim();
        if let Some(rest) = bare.strip_prefix("```") {
            let opens = !rest.trim_start_matches('`').is_empty();
            let has_text = lines.peek().is_some_and(|next| !next.trim().is_empty());
            match open {
                true => open = opens,
                false if opens || after_blank && has_text => open = true,
                false => return Some(at),
            }
        }
        after_blank = bare.is_empty();
        at += line.len();
    }
    None
}

/// Whether one of `remains`, which are sorted by place, holds `span`.
pub(super) fn holds(remains: &[Span], span: Span) -> bool {
    let before = remains.partition_point(|region| region.start <= span.start);
    before.checked_sub(1).is_some_and(|at| span.end <= remains[at].end)
}

fn language(code: &Code) -> &str {
    match &code.kind {
        CodeKind::Fence { language, .. } => language,
        _ => "",
    }
}

/// Whether the fence shows a page of Markdown, or writes one by a command that does not end in it.
fn is_page(document: &Document, code: &Code) -> bool {
    let language = language(code).to_ascii_lowercase();
    // A file name may follow.
    let shows = matches!(language.split([':', ' ', '{', ',']).next(), Some("markdown" | "md" | "mdx"));
    shows || writes_on(document.slice(code.content))
}

/// Whether a here-document begins in `text` and does not end there.
fn writes_on(text: &str) -> bool {
    let mut open: Option<&str> = None;
    for line in text.lines() {
        match open {
            Some(word) if line.trim() == word => open = None,
            Some(_) => {}
            None => {
                let word = line.split_once("<<").map(|(_, rest)| rest.trim_start_matches('-').trim_start());
                let word = word.map(|rest| rest.trim_matches(['\'', '"']).split(['\'', '"', ' ']).next().unwrap_or(""));
                open = word.filter(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
            }
        }
    }
    open.is_some()
}

/// Whether the last fence that opens in `text` is never closed there: the outer one was closed in its place.
fn opens_another(text: &str) -> bool {
    let mut open = false;
    for line in text.lines() {
        if let Some(rest) = line.trim_start().strip_prefix("```") {
            open = !rest.trim_start_matches('`').trim().is_empty();
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;

    fn held(text: &str) -> bool {
        let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
        let at = text.find("(a.md)").unwrap();
        holds(&remains(&document), Span::new(at, at + 6))
    }

    #[test]
    fn what_follows_the_cut_is_the_template() {
        let template = "```markdown\n# T\n\n```sh\nx\n```\n\n[A](a.md)\n```\n";
        assert!(held(template));
        let written = "```sh\ncat > R.md << 'EOF'\n# T\n\n```sh\nx\n```\n\n[A](a.md)\nEOF\n```\n";
        assert!(held(written));
        assert!(held(&template.replace("\n\n[A]", "\n\n```ts\ny\n```\n\n[A]")));
        // A fence without a language behind an empty line opens one.
        let named = template.replace("```markdown", "```markdown:docs/README.md");
        assert!(held(&named.replace("\n\n[A]", "\n\n```\ny\n```\n\n```md\nz\n```\n\n[A]")));
    }

    #[test]
    fn what_looks_like_a_block_is_one_where_text_and_code_are_swapped() {
        let shown = |text: &str| {
            let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
            let at = text.find("(a.md)").unwrap();
            holds(&blocks_to_the_eye(&document), Span::new(at, at + 6))
        };
        let swapped =
            "```text\nx\n```sh\ny\n```\nz\n```\n\n```markdown\n# T\n\n```sh\nx\n```\n\n[A](a.md)\n```\n\nText.\n";
        assert!(shown(swapped));
        assert!(!shown(&swapped.replace("Text.", "[B](b.md)").replace("[A](a.md)\n```", "```\n[A](a.md)")));
        assert!(!shown("```sh\nx\n```\n[A](a.md)\n```sh\ny\n```\n"));
    }

    #[test]
    fn what_follows_a_whole_template_is_text() {
        for text in [
            "```markdown\n# T\n```\n\n[A](a.md)\n\n```\nx\n```\n",
            "```sh\nx\n```\n\n[A](a.md)\n\n```\nx\n```\n",
            "```sh\ncat << EOF\n```sh\nEOF\n```\n\n[A](a.md)\n\n```\nx\n```\n",
            "````markdown\n```sh\nx\n```\n````\n\n[A](a.md)\n\n```\nx\n```\n",
            "```markdown\n```sh\nx\n```\ny\n```\nz\n```\n[A](a.md)\n",
        ] {
            assert!(!held(text), "{text}");
        }
    }
}
