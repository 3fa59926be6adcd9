//! Commands of which a text leaves the choice: "`npm run dev` or `composer run dev`". Knows the text alone.

use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};

/// Whether the code span around `command` is one of several in a row, joined by *or*, of which another holds what `is_defined`.
pub(super) fn has_a_defined_one(document: &Document, command: Span, is_defined: impl Fn(Span) -> bool) -> bool {
    let codes = &document.markdown.code;
    let at = codes.partition_point(|code| code.span.start <= command.start).saturating_sub(1);
    if codes.get(at).is_none_or(|code| code.kind != CodeKind::Span || !code.span.covers(command)) {
        return false;
    }
    let joins = |pair: &[Code]| {
        let between = document.text.get(pair[0].span.end..pair[1].span.start).unwrap_or_default().trim();
        let are_spans = pair.iter().all(|code| code.kind == CodeKind::Span);
        (are_spans && matches!(between, "," | "or" | ", or" | "/" | "|")).then(|| between != ",")
    };
    let (before, behind) = (codes[..=at].windows(2).rev(), codes[at..].windows(2));
    let first = at - before.map_while(joins).count();
    let last = at + behind.map_while(joins).count();
    let row = &codes[first..=last];
    let has_or = row.windows(2).filter_map(joins).any(|is_or| is_or);
    has_or && row.iter().any(|code| is_defined(code.span))
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
            has_a_defined_one(&document, span("gone"), |code| code.covers(span("kept")))
        };
        assert!(is_left("Run `npm run kept`, `npm run other`, or `composer run gone`.\n"));
        assert!(is_left("Run `composer gone` / `npm run kept`.\n"));
        assert!(!is_left("Run `npm run kept`, `composer run gone`.\n"));
        assert!(!is_left("Run `npm run kept` and then `npm run a` or `composer run gone`.\n"));
    }
}
