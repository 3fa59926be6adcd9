//! `conflict-markers`: a merge conflict was committed. Knows only parsed documents.

use crate::base::finding::{Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct ConflictMarkers;

static INFO: RuleInfo = RuleInfo {
    name: "conflict-markers",
    group: Group::Context,
    levels: &[Level::Error, Level::Info],
    summary: "a merge conflict was committed",
    explanation: r#"## What it does

Reports the three marker lines of a merge conflict, each at the beginning of a line and in order: seven `<`, seven `=`, seven
`>`. A conflict inside a code block counts too, unless the block shows nothing else or the text before it speaks of conflicts;
so does not an edit block (`<<<<<<< SEARCH`). A whole conflict between two fences of a prompt or a page is an info where the text
before it speaks of conflicts, or shows an answer or an example.

## Why is this bad?

An agent reads both sides, and the markers, as instructions: two contradictory rules at once.

## Example

```text
<<<<<<< HEAD
Use npm.
=======
Use pnpm.
>>>>>>> main
```

## How to fix

Keep one side, or both in an order that makes sense, and delete the markers. A finding of this rule cannot be suppressed from
inside the file.
"#,
    evidence: &[Evidence {
        source: "https://git-scm.com/docs/git-merge#_how_conflicts_are_presented",
        checked: "2026-11",
    }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for ConflictMarkers {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if memchr::memmem::find(document.text.as_bytes(), b"<<<<<<<").is_none() {
            return;
        }
        let mut open: Option<(Span, Option<Span>)> = None;
        for line in 0..document.lines.count() {
            let span = document.lines.line_content(document.text.as_bytes(), line);
            let text = document.slice(span);
            match (marker(text), &mut open) {
                (Some('<'), _) => open = Some((span, None)),
                (Some('='), Some((_, middle @ None))) => *middle = Some(span),
                (Some('>'), Some((first, Some(middle)))) => {
                    if !is_example(document, *first, span) {
                        let level = if is_shown(document, *first, span) { Level::Info } else { Level::Error };
                        findings.push(Finding { level, ..report(document, *first, *middle, span) });
                    }
                    open = None;
                }
                (Some('>'), _) => open = None,
                _ => {}
            }
        }
    }
}

fn report(document: &Document, first: Span, middle: Span, last: Span) -> Finding {
    Finding::new(INFO.name, Level::Error, &document.path, first, "an unresolved merge conflict begins here")
        .help("keep one side and delete the marker lines")
        .related(&document.path, middle, "the other side begins here")
        .related(&document.path, last, "the conflict ends here")
}

/// The character of a conflict marker line. The labels of edit blocks make none.
fn marker(line: &str) -> Option<char> {
    let line = line.trim_end();
    if line == "=======" {
        return Some('=');
    }
    let (mark, label) = match line.strip_prefix("<<<<<<<") {
        Some(label) => ('<', label),
        None => ('>', line.strip_prefix(">>>>>>>")?),
    };
    let is_edit_block = ["SEARCH", "REPLACE", "ORIGINAL", "UPDATED"].contains(&label.trim());
    (!is_edit_block && (label.is_empty() || label.starts_with(' '))).then_some(mark)
}

/// Bytes before a conflict that are searched for words about it.
const BEFORE: usize = 400;

/// Words before something that a prompt or a page shows, in small letters.
const SHOWING: [&str; 7] = ["answer", "conflict", "example", "for instance", "output", "response", "template"];

/// Whether a prompt or a page shows the conflict: it stands in one code block, or between two fences, of which the first may have ended
/// a block by mistake, and the text before it says that it shows something.
fn is_shown(document: &Document, first: Span, last: Span) -> bool {
    let is_loaded = matches!(document.kind.role(), Some(Role::Main | Role::Override | Role::Local | Role::Rule));
    if is_loaded || document.kind == Kind::AgentsMd || first.start < document.body {
        return false;
    }
    let code = document.markdown.code_at(first.start).filter(|code| code.span.contains(last.start));
    let is_fence = |line: Option<&str>| {
        line.is_some_and(|line| ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence)))
    };
    let (before, after) = (&document.text[document.body..first.start], &document.text[last.end..]);
    let is_between = || is_fence(before.lines().next_back()) && is_fence(after.lines().nth(1));
    let start = code.map_or(first.start, |code| code.span.start);
    let from = document.text.ceil_char_boundary(start.saturating_sub(BEFORE));
    let said = document.text[from..first.start].to_lowercase();
    (code.is_some() || is_between()) && SHOWING.iter().any(|word| said.contains(word))
}

/// Whether a code block shows the conflict: it holds nothing else, or the text before it or its heading mentions conflicts.
fn is_example(document: &Document, first: Span, last: Span) -> bool {
    let Some(code) = document.markdown.code_at(first.start).filter(|code| code.span.contains(last.start)) else {
        return false;
    };
    let content = document.slice(code.content);
    let nothing_else =
        content.trim_start().starts_with("<<<<<<<") && code.content.start + content.trim_end().len() <= last.end;
    if nothing_else {
        return true;
    }
    let from = document.text.ceil_char_boundary(code.span.start.saturating_sub(BEFORE));
    let before = document.text[from..first.start].to_lowercase();
    let heading = document.markdown.heading_of(code.span.start).map(|index| &document.markdown.headings[index].text);
    before.contains("conflict") || heading.is_some_and(|heading| heading.to_lowercase().contains("conflict"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{check, places};

    const CONFLICT: &str = "<<<<<<< HEAD\na\n||||||| base\nb\n=======\nc\n>>>>>>> topic\n";

    #[test]
    fn conflicts_are_found_in_text_frontmatter_and_code() {
        for text in [
            format!("# T\n\n{CONFLICT}"),
            format!("---\n{CONFLICT}---\n").replace("a\n", "name: x\n"),
            format!("Build:\n\n```sh\nmake\n{CONFLICT}make test\n```\n"),
            CONFLICT.replace('\n', "\r\n"),
        ] {
            assert_eq!(places(&ConflictMarkers, Kind::AgentsMd, &text), ["<<<<<<< HEAD"], "{text}");
        }
        let twice = format!("{CONFLICT}\n{CONFLICT}");
        assert_eq!(check(&ConflictMarkers, Kind::AgentsMd, &twice).len(), 2);
    }

    #[test]
    fn a_conflict_that_a_prompt_shows_is_an_info() {
        let shown = format!("**Response Template**:\n```markdown\nIn a.ts:\n```\n{CONFLICT}```\nWhich one?\n```\n");
        let inside = format!("The output is for example:\n\n```text\nIn a.ts:\n{CONFLICT}Which one?\n```\n");
        let levels = |kind: Kind, text: &str| -> Vec<Level> {
            check(&ConflictMarkers, kind, text).iter().map(|finding| finding.level).collect()
        };
        let prompt = Kind::of_agent("claude-agent");
        assert_eq!(levels(prompt, &shown), [Level::Info]);
        assert_eq!(levels(Kind::Skill, &inside), [Level::Info]);
        // What an agent loads by itself, what stands in the text, and what nothing announces.
        assert_eq!(levels(Kind::AgentsMd, &shown), [Level::Error]);
        assert_eq!(levels(prompt, &format!("The output is:\n\n{CONFLICT}")), [Level::Error]);
        assert_eq!(levels(prompt, &inside.replace("The output is for example:", "Build it:")), [Level::Error]);
    }

    #[test]
    fn what_only_speaks_of_conflicts_is_left_alone() {
        for text in [
            "Look for `<<<<<<<`, `=======` and `>>>>>>>`.\n".to_owned(),
            "Title\n=======\n\n>>>>>>> quoted\n".to_owned(),
            "=======\n>>>>>>> x\n<<<<<<< y\n".to_owned(),
            format!("```\n{CONFLICT}```\n"),
            format!("Resolve conflicts like this:\n\n```js\nf();\n{CONFLICT}g();\n```\n"),
            "```\na.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n".to_owned(),
            "<<<<<<<<<< x\n=======\n>>>>>>>>>> y\n".to_owned(),
        ] {
            assert_eq!(check(&ConflictMarkers, Kind::AgentsMd, &text), [], "{text}");
        }
    }
}
