//! Commands of which a text leaves the choice: "`npm run dev` or `composer run dev`". Knows the text alone.

use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};

/// Whether the code span around `command` is one of several in a row, joined by *or*, of which another holds one of `defined`.
pub(super) fn has_a_defined_one(document: &Document, command: Span, defined: &[Span]) -> bool {
    let spans: Vec<&Code> = document.markdown.code.iter().filter(|code| code.kind == CodeKind::Span).collect();
    let Some(at) = spans.iter().position(|code| code.span.covers(command)) else { return false };
    let joins = |pair: &[&Code]| {
        let between = document.text.get(pair[0].span.end..pair[1].span.start).unwrap_or_default().trim();
        matches!(between, "," | "or" | ", or" | "/" | "|").then(|| between != ",")
    };
    let (before, behind) = (spans[..=at].windows(2).rev(), spans[at..].windows(2));
    let first = at - before.map_while(joins).count();
    let last = at + behind.map_while(joins).count();
    let row = &spans[first..=last];
    let has_or = row.windows(2).filter_map(joins).any(|is_or| is_or);
    let holds = |code: &&Code| defined.iter().any(|span| code.span.covers(*span));
    has_or && row.iter().any(holds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;

    #[test]
    fn one_of_several_commands_is_enough() {
        let is_left = |text: &str| {
            let document = Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into());
            let span = |word: &str| {
                let at = text.find(word).unwrap();
                Span::new(at, at + word.len())
            };
            has_a_defined_one(&document, span("gone"), &[span("kept")])
        };
        assert!(is_left("Run `npm run kept`, `npm run other`, or `composer run gone`.\n"));
        assert!(is_left("Run `composer gone` / `npm run kept`.\n"));
        assert!(!is_left("Run `npm run kept`, `composer run gone`.\n"));
        assert!(!is_left("Run `npm run kept` and then `npm run a` or `composer run gone`.\n"));
    }
}
