//! Completion promises, `<promise>TOKEN</promise>`, in Markdown: the whole ones, and what was meant to be one. Nothing in code
//! or comments is a promise.

use super::Markdown;
use crate::base::text::Span;

/// A promise as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Promise {
    /// Both tags and what stands between.
    pub span: Span,
    /// What stands between.
    pub token: Span,
}

/// What no loop takes for a promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RefusedPromise {
    /// The tag, or all of it.
    pub span: Span,
    /// What is wrong with it, for the message.
    pub why: &'static str,
}

/// Read the promises of `text` from offset `body` on, in order.
pub(crate) fn read(text: &str, body: usize, markdown: &Markdown) -> (Vec<Promise>, Vec<RefusedPromise>) {
    let (mut promises, mut malformed) = (Vec::new(), Vec::new());
    let mut open: Option<Span> = None;
    let mut report = |span: Span, why: &'static str| malformed.push(RefusedPromise { span, why });
    for tag in tags(text, body, markdown) {
        match (&text[tag.range()], open) {
            ("<promise>", None) => open = Some(tag),
            ("<promise>", Some(first)) => {
                let between = &text[first.end..tag.start];
                // One slip is one finding: a token and a second opening tag on one line mean a closing tag.
                if between.contains('\n') || between.trim().is_empty() {
                    report(first, "this promise is never closed");
                    open = Some(tag);
                } else {
                    report(tag, "this tag opens a second promise where the first should be closed");
                    open = None;
                }
            }
            ("</promise>", Some(first)) => {
                let (span, token) = (Span::new(first.start, tag.end), Span::new(first.end, tag.start));
                match &text[token.range()] {
                    between if between.trim().is_empty() => report(span, "this promise is empty"),
                    between if between.contains('\n') => report(span, "this promise is not on one line"),
                    _ => promises.push(Promise { span, token }),
                }
                open = None;
            }
            ("</promise>", None) => report(tag, "this closes a promise that nothing opens"),
            _ => {
                report(tag, "this is not a valid promise tag");
                open = None;
            }
        }
    }
    if let Some(first) = open {
        report(first, "this promise is never closed");
    }
    (promises, malformed)
}

/// Everything that begins like a promise's tag, outside code and comments.
fn tags(text: &str, body: usize, markdown: &Markdown) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for start in memchr::memchr_iter(b'<', bytes).filter(|&start| start >= body) {
        let rest = &bytes[start + 1..];
        let slash = usize::from(rest.first() == Some(&b'/'));
        let Some(name) = rest.get(slash..slash + 7) else { continue };
        let after = rest.get(slash + 7).copied().unwrap_or(b' ');
        let is_tag = name.eq_ignore_ascii_case(b"promise") && matches!(after, b'>' | b'/' | b' ');
        if !is_tag || markdown.in_code(start) || markdown.in_comment(start) {
            continue;
        }
        let name_end = start + 1 + slash + 7;
        // A tag is short; what runs on without `>` is marked at its name.
        let window = &bytes[name_end..bytes.len().min(name_end + 64)];
        let end = memchr::memchr2(b'>', b'\n', window)
            .filter(|&at| window[at] == b'>')
            .map_or(name_end, |at| name_end + at + 1);
        found.push(Span::new(start, end));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::markdown;

    #[test]
    fn whole_promises_give_their_token() {
        let text =
            "`<promise>A</promise>`\n\n<promise>B C</promise> and <promise>D\n</promise>\n<Promise>E</promise>\n";
        let (promises, malformed) = read(text, 0, &markdown::read(text, 0));
        let tokens: Vec<_> = promises.iter().map(|promise| &text[promise.token.range()]).collect();
        assert_eq!(tokens, ["B C"]);
        let spans: Vec<_> = malformed.iter().map(|malformed| &text[malformed.span.range()]).collect();
        assert_eq!(spans, ["<promise>D\n</promise>", "<Promise>", "</promise>"]);
    }
}
