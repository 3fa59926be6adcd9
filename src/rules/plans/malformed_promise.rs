//! `malformed-promise`: a completion promise that no loop will recognise. Knows only parsed documents.

use crate::discover::Kind;
use crate::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::text::Span;

/// The rule.
pub(super) struct MalformedPromise;

static INFO: RuleInfo = RuleInfo {
    name: "malformed-promise",
    group: Group::Plans,
    levels: &[Level::Warning],
    summary: "a completion promise that no loop will recognise",
    explanation: r#"## What it does

Reports, in plans and outside code, a `<promise>` that is not closed, a `</promise>` that nothing opens, an empty promise, and a tag with a
blank, a capital or an attribute in it.

## Why is this bad?

A loop that waits for `<promise>TOKEN</promise>` compares the tag letter by letter. One that is written otherwise in the plan is repeated
otherwise by the agent, and the loop never ends.

## Example

```markdown
When all is done, say <promise>ALL DONE<promise>.
```

## How to fix

Write `<promise>TOKEN</promise>`, on one line.
"#,
    evidence: &[Evidence { source: "oh-my-claudecode 94e71c36, scripts/persistent-mode.cjs", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for MalformedPromise {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if document.kind != Kind::Plan {
            return;
        }

        let mut open: Option<Span> = None;
        let mut report = |span: Span, message: &str| {
            findings.push(
                Finding::new(INFO.name, Level::Warning, &document.path, span, message)
                    .help("write `<promise>TOKEN</promise>`"),
            );
        };
        for tag in tags(document) {
            match (document.slice(tag), open) {
                ("<promise>", None) => open = Some(tag),
                ("<promise>", Some(first)) => {
                    let between = document.slice(Span::new(first.end, tag.start));
                    // One slip is one finding: a token and a second opening tag on one line mean a closing tag.
                    if between.contains('\n') || between.trim().is_empty() {
                        report(first, "this promise is never closed");
                        open = Some(tag);
                    } else {
                        report(tag, "this tag opens a second promise where the first is to be closed");
                        open = None;
                    }
                }
                ("</promise>", Some(first)) => {
                    let token = document.slice(Span::new(first.end, tag.start));
                    if token.trim().is_empty() {
                        report(Span::new(first.start, tag.end), "this promise is empty");
                    } else if token.contains('\n') {
                        report(Span::new(first.start, tag.end), "this promise does not stand on one line");
                    }
                    open = None;
                }
                ("</promise>", None) => report(tag, "this closes a promise that nothing opens"),
                _ => {
                    report(tag, "this is not how a promise's tag is written");
                    open = None;
                }
            }
        }
        if let Some(first) = open {
            report(first, "this promise is never closed");
        }
    }
}

/// Everything that begins like a promise's tag, outside code and comments.
fn tags(document: &Document) -> Vec<Span> {
    let bytes = document.text.as_bytes();
    let mut found = Vec::new();
    for start in memchr::memchr_iter(b'<', bytes).filter(|&start| start >= document.body) {
        let rest = &bytes[start + 1..];
        let slash = usize::from(rest.first() == Some(&b'/'));
        let Some(name) = rest.get(slash..slash + 7) else { continue };
        let after = rest.get(slash + 7).copied().unwrap_or(b' ');
        let is_tag = name.eq_ignore_ascii_case(b"promise") && matches!(after, b'>' | b'/' | b' ');
        if !is_tag || document.markdown.in_code(start) || document.markdown.in_comment(start) {
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
    use crate::rules::testing::{check, places};

    #[test]
    fn slips_are_reported_where_they_stand() {
        for (text, place) in [
            ("Say <promise>DONE<promise>.\n", vec!["<promise>"]),
            ("Say <promise>DONE\nor <promise>DONE\n", vec!["<promise>", "<promise>"]),
            ("Say <promise>DONE\n", vec!["<promise>"]),
            ("Say DONE</promise>\n", vec!["</promise>"]),
            ("Say <promise> </promise>\n", vec!["<promise> </promise>"]),
            ("Say <Promise>DONE</promise>\n", vec!["<Promise>", "</promise>"]),
            ("Say <promise/>\n", vec!["<promise/>"]),
        ] {
            assert_eq!(places(&MalformedPromise, Kind::Plan, text), place, "{text}");
        }
    }

    #[test]
    fn whole_promises_and_examples_are_fine() {
        for text in [
            "<promise>ALL DONE</promise>\n",
            "`<promise>`\n",
            "<promises>\n",
            "```\n<promise>\n```\n",
            "<!-- <promise> -->\n",
        ] {
            assert_eq!(check(&MalformedPromise, Kind::Plan, text), [], "{text}");
        }
    }
}
