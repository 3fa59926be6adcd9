//! Where a link's destination stands in the source, which the Markdown parser does not say.

use std::collections::BTreeMap;

use pulldown_cmark::RefDefs;

use super::{Link, LinkKind};
use crate::base::text::Span;

/// All reference definitions of a file, by their label as Markdown compares labels.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    by_label: BTreeMap<String, Link>,
}

impl Definitions {
    pub(super) fn collect(text: &str, base: usize, definitions: &RefDefs<'_>) -> Self {
        let by_label = definitions.iter().map(|(label, definition)| {
            let span = Span::new(base + definition.span.start, base + definition.span.end);
            let span = Span::new(span.start, span.start + text[span.range()].trim_end().len());
            let destination_span = definition_destination(text, span);
            let destination = definition.dest.to_string();
            (folded(label), Link { span, destination, destination_span, kind: LinkKind::Definition })
        });
        let by_label = by_label.collect();
        Definitions { by_label }
    }

    /// Where the destination of `label` stands.
    pub(super) fn place_of(&self, label: &str) -> Option<Span> {
        self.by_label.get(&folded(label)).map(|link| link.destination_span)
    }

    pub(super) fn into_links(self) -> BTreeMap<String, Link> {
        self.by_label
    }
}

/// Labels compare without case and with runs of white space as one blank.
fn folded(label: &str) -> String {
    let lower = label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    lower.replace('\u{df}', "ss")
}

/// The destination of an inline link or image, found after its text, which ends at or after `inner_end`.
pub(super) fn inline_destination(text: &str, span: Span, inner_end: usize) -> Span {
    let inner_end = inner_end.min(span.end);
    let Some(open) = text[inner_end..span.end].find("](") else { return Span::empty(span.end) };
    destination(text, inner_end + open + 2, span.end)
}

fn definition_destination(text: &str, span: Span) -> Span {
    let source = &text[span.range()];
    let mut escaped = false;
    let colon = source.bytes().enumerate().find_map(|(at, byte)| {
        let found = byte == b']' && !escaped && source[at + 1..].starts_with(':');
        escaped = byte == b'\\' && !escaped;
        found.then_some(at + 2)
    });
    colon.map_or(Span::empty(span.end), |at| destination(text, span.start + at, span.end))
}

/// The destination that begins at `from`, after blanks and line ends, and ends before `limit`.
fn destination(text: &str, from: usize, limit: usize) -> Span {
    let source = &text[from..limit];
    let mut start = source.len() - source.trim_ascii_start().len();
    // A line end inside a block quote is followed by the quote's own marker.
    while source[..start].contains('\n') && source[start..].starts_with('>') {
        start += 1 + (source[start + 1..].len() - source[start + 1..].trim_start().len());
    }
    let rest = &source[start..];
    let bracketed = rest.starts_with('<');
    let (mut depth, mut escaped) = (0_usize, false);
    let mut end = rest.len();
    for (at, byte) in rest.bytes().enumerate().skip(usize::from(bracketed)) {
        let stops = match byte {
            _ if escaped => false,
            b'>' => bracketed,
            _ if bracketed => false,
            b'(' => {
                depth += 1;
                false
            }
            b')' if depth > 0 => {
                depth -= 1;
                false
            }
            b')' => true,
            _ => byte.is_ascii_whitespace(),
        };
        if stops {
            end = at;
            break;
        }
        escaped = byte == b'\\' && !escaped;
    }
    let begin = from + start;
    Span::new(begin + usize::from(bracketed), (begin + end).max(begin + usize::from(bracketed)))
}

#[cfg(test)]
mod tests {
    use crate::parse::markdown::read;

    #[test]
    fn destinations_are_placed_exactly() {
        let text = "[a](b.md) [`]`](<x y.md> \"t\") ![i](p\\)q(r).png) [r][L] [l] [no] <https://e.org> [](e) [![n](n.png)](m.md)\n\n\
                    > [q](\n> z.md)\n\n[l]: <d e.md> 'T'\n[unused]:\n  u.md\n";
        let markdown = read(text, 0);
        let found: Vec<_> =
            markdown.links.iter().map(|l| (&text[l.destination_span.range()], l.destination.as_str())).collect();
        assert_eq!(
            found,
            [
                ("b.md", "b.md"),
                ("x y.md", "x y.md"),
                ("p\\)q(r).png", "p)q(r).png"),
                ("d e.md", "d e.md"),
                ("d e.md", "d e.md"),
                ("https://e.org", "https://e.org"),
                ("e", "e"),
                ("m.md", "m.md"),
                ("n.png", "n.png"),
                ("z.md", "z.md"),
                ("d e.md", "d e.md"),
                ("u.md", "u.md"),
            ]
        );
    }
}
