//! Raw HTML: comments, the links of `<a href>` and `<img src>`, and the rest as spans.

use super::{Comment, Link, LinkKind, Markdown};
use crate::base::text::Span;

/// One piece of inline HTML: a comment or a tag.
pub(super) fn inline(text: &str, span: Span, out: &mut Markdown) {
    if text[span.range()].starts_with("<!--") {
        let (comment, _) = comment_at(text, span.start, span.end, false);
        out.comments.push(comment);
    } else {
        out.html.push(span);
        tag_links(text, span, out);
    }
}

/// An HTML block: comments, and the HTML between them.
pub(super) fn block(text: &str, span: Span, out: &mut Markdown) {
    let mut at = span.start;
    while let Some(found) = text[at..span.end].find("<!--") {
        let start = at + found;
        // A block that begins with a comment is one; inside `<div>` and the like a comment is part of that HTML.
        let leads = text[span.start..start].trim().is_empty();
        markup(text, Span::new(at, start), out);
        let (comment, end) = comment_at(text, start, span.end, leads);
        out.comments.push(comment);
        at = end;
    }
    markup(text, Span::new(at, span.end), out);
}

fn markup(text: &str, span: Span, out: &mut Markdown) {
    if !text[span.range()].trim().is_empty() {
        out.html.push(span);
        tag_links(text, span, out);
    }
}

/// The comment that begins at `start`, and where it ends. `<!-->` and `<!--->` are whole comments in HTML.
fn comment_at(text: &str, start: usize, limit: usize, block: bool) -> (Comment, usize) {
    let inner = start + 4;
    let rest = &text[inner..limit];
    let (content, end, closed) = if rest.starts_with('>') {
        (Span::empty(inner), inner + 1, true)
    } else if rest.starts_with("->") {
        (Span::empty(inner), inner + 2, true)
    } else {
        match rest.find("-->") {
            Some(at) => (Span::new(inner, inner + at), inner + at + 3, true),
            None => (Span::new(inner, limit), limit, false),
        }
    };
    (Comment { span: Span::new(start, end), content, block, closed }, end)
}

/// The destinations of the `<a>` and `<img>` tags in `span`.
fn tag_links(text: &str, span: Span, out: &mut Markdown) {
    let source = &text[span.range()];
    let mut at = 0;
    while let Some(found) = source[at..].find('<') {
        let start = at + found;
        at = start + 1;
        let name_len = source[at..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        let wanted = match source[at..at + name_len].to_ascii_lowercase().as_str() {
            "a" => "href",
            "img" => "src",
            _ => continue,
        };
        let (value, end) = attribute(source, at + name_len, wanted);
        at = end;
        if let Some(value) = value {
            let moved = |range: Span| Span::new(span.start + range.start, span.start + range.end);
            out.links.push(Link {
                span: moved(Span::new(start, end)),
                destination: source[value.range()].replace("&amp;", "&"),
                destination_span: moved(value),
                kind: LinkKind::Html,
            });
        }
    }
}

/// Walk the attributes of a tag from `at` to its `>`: the value of `wanted`, and where the tag ends.
fn attribute(source: &str, mut at: usize, wanted: &str) -> (Option<Span>, usize) {
    let mut value = None;
    loop {
        at += source[at..].len() - source[at..].trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/').len();
        let name_end = source[at..].find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>' | '/' | '<'));
        let Some(name_end) = name_end.map(|end| at + end) else { return (value, source.len()) };
        let name = &source[at..name_end];
        let equals = source[name_end..].trim_start();
        if !equals.starts_with('=') || name.is_empty() {
            match source[name_end..].chars().next() {
                Some('>') => return (value, name_end + 1),
                Some('<') | None => return (value, name_end),
                Some('=') => at = name_end + 1,
                Some(_) => at = name_end,
            }
            continue;
        }
        let after = equals[1..].trim_start();
        let start = source.len() - after.len();
        let found = match after.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let Some(end) = after[1..].find(quote) else { return (value, source.len()) };
                at = start + 1 + end + 1;
                Span::new(start + 1, start + 1 + end)
            }
            _ => {
                let end = after.find(|c: char| c.is_ascii_whitespace() || c == '>').unwrap_or(after.len());
                at = start + end;
                Span::new(start, start + end)
            }
        };
        if value.is_none() && name.eq_ignore_ascii_case(wanted) {
            value = Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::markdown::{LinkKind, read};

    #[test]
    fn comments_of_every_shape() {
        let text = "<!-- a\nb -->\ntext <!-- c --> text\n\n- x\n  <!-- d -->\n\n<div>\n<!-- e -->\n</div>\n\n`<!-- no -->`\n\n\
                    ```\n<!-- no -->\n```\n\n<!-->\n\n<!--->\n\n<!---->\n\n> <!-- q\n> r -->\n\n<!-- open\n\nend\n";
        let found: Vec<_> = read(text, 0)
            .comments
            .iter()
            .map(|c| (text[c.content.range()].trim(), c.block, c.closed))
            .map(|(content, block, closed)| (content.to_owned(), block, closed))
            .collect();
        let want = [
            ("a\nb", true, true),
            ("c", false, true),
            ("d", true, true),
            ("e", false, true),
            ("", true, true),
            ("", true, true),
            ("", true, true),
            ("q\n> r", true, true),
            ("open\n\nend", true, false),
        ];
        assert_eq!(found, want.map(|(content, block, closed)| (content.to_owned(), block, closed)));
    }

    #[test]
    fn html_links_have_places() {
        let text = "x <a class=b href='c d.md?a&amp;b'>y</a>\n\n<p>\n<IMG alt=\">\" SRC=e.png/>\n<area href=no><a href>\n</p>\n";
        let found: Vec<_> = read(text, 0)
            .links
            .iter()
            .filter(|link| link.kind == LinkKind::Html)
            .map(|link| (text[link.destination_span.range()].to_owned(), link.destination.clone()))
            .collect();
        let want = [("c d.md?a&amp;b", "c d.md?a&b"), ("e.png/", "e.png/")];
        assert_eq!(found, want.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
