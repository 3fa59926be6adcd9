//! `unterminated-frontmatter`: frontmatter has no closing `---`. Knows only parsed documents.

use crate::base::finding::{Applicability, Finding, Level};
use crate::base::text::Span;
use crate::parse::{Document, ProblemKind};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct UnterminatedFrontmatter;

static INFO: RuleInfo = RuleInfo {
    name: "unterminated-frontmatter",
    group: Group::Frontmatter,
    levels: &[Level::Error, Level::Warning],
    summary: "frontmatter has no closing `---`",
    explanation: r#"## What it does

Reports a `---` at the beginning of a file, followed by `key: value` lines, that no `---` line of its own closes. A `...` line ends a YAML
document, and closes frontmatter for no agent. A `---` that is indented, or has text behind it, is a warning: Claude Code takes it for the
end, and stricter readers do not.

## Why is this bad?

Without the closing line there is no frontmatter: agents read the fields as text, or take everything down to the next thematic
break for YAML and drop it.

## Example

```markdown
---
description: Release checklist

# Release
```

## How to fix

Put a `---` line after the last field.
"#,
    evidence: &[
        Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" },
        Evidence {
            source: "@anthropic-ai/claude-code 2.1.330, run: an indented `---`, and one before a title",
            checked: "2026-11",
        },
    ],
    fix: FixAvailability::Always,
    aliases: &[],
};

impl Rule for UnterminatedFrontmatter {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let problem = document.problems.iter().find(|problem| problem.kind == ProblemKind::UnterminatedFrontmatter);
        let Some(problem) = problem else { return };
        if let Some(end) = loose_end(document, problem.span) {
            findings.push(told_loose(document, problem.span, end));
            return;
        }
        let message = "this `---` opens frontmatter that no `---` line closes";
        let finding = Finding::new(INFO.name, Level::Error, &document.path, problem.span, message)
            .help("put a `---` line after the last field");
        let at = end_of_fields(document, problem.span);
        let line = document.lines.line_span(document.lines.line_of(at));
        if document.slice(line).trim_end() == "..." {
            let dots = Span::new(line.start, line.start + 3);
            findings.push(finding.fix(Applicability::Unsafe, dots, "---"));
            return;
        }
        let newline = if document.text[..at].ends_with("\r\n") { "---\r\n" } else { "---\n" };
        findings.push(match document.text[..at].ends_with('\n') {
            true => finding.fix(Applicability::Unsafe, Span::empty(at), newline),
            false => finding.fix(Applicability::Unsafe, Span::empty(at), "\n---\n"),
        });
    }
}

/// The line among the fields that begins with `---` but for blanks, and is no end of its own: it is indented, or text follows.
fn loose_end(document: &Document, open: Span) -> Option<Span> {
    let first = document.lines.line_of(open.start) + 1;
    let lines = (first..document.lines.count()).map(|line| document.lines.line_span(line));
    let mut fields = lines.take_while(|line| !document.slice(*line).trim().is_empty());
    fields.find(|line| {
        let behind = document.slice(*line).trim_start().strip_prefix("---");
        behind.is_some_and(|behind| behind.trim().is_empty() || behind.starts_with(' '))
    })
}

/// The finding about an `end` that only lenient readers take for one.
fn told_loose(document: &Document, open: Span, end: Span) -> Finding {
    let line = document.slice(end);
    let start = end.start + line.len() - line.trim_start().len();
    let behind = line.trim().trim_start_matches('-').trim_start();
    let (what, place, text) = match behind {
        "" => ("it is indented", Span::new(end.start, start), ""),
        behind => ("text follows it", Span::new(start + 3, end.start + line.trim_end().len() - behind.len()), "\n\n"),
    };
    let message = format!("no `---` line of its own closes this frontmatter: there is one, and {what}");
    Finding::new(INFO.name, Level::Warning, &document.path, open, message)
        .related(
            &document.path,
            Span::new(start, start + 3),
            "here Claude Code sees the end, and stricter readers do not",
        )
        .help("let `---` stand alone at the beginning of its line")
        .fix(Applicability::Unsafe, place, text)
}

/// The offset just past the fields: the first blank line, `...` or heading after the opening fence.
fn end_of_fields(document: &Document, open: Span) -> usize {
    let first = document.lines.line_of(open.start) + 1;
    let mut end = document.text.len();
    for line in first..document.lines.count() {
        let span = document.lines.line_span(line);
        let content = document.slice(span).trim_end();
        if content.is_empty() || content.starts_with('#') || content == "..." {
            end = span.start;
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::{check, fixed};

    #[test]
    fn the_fence_goes_after_the_fields() {
        for (text, want) in [
            ("---\r\nname: x\r\n\r\n# T\r\n", "---\r\nname: x\r\n---\r\n\r\n# T\r\n"),
            ("---\nname: x", "---\nname: x\n---\n"),
            ("---\nname: x\n...\n\n# T\n", "---\nname: x\n---\n\n# T\n"),
            ("---\nname: x\n\n# T\n\nText.\n\n---\nMore.\n", "---\nname: x\n---\n\n# T\n\nText.\n\n---\nMore.\n"),
        ] {
            assert_eq!(fixed(&UnterminatedFrontmatter, Kind::Skill, text, Applicability::Unsafe), want);
        }
    }

    #[test]
    fn an_end_that_lenient_readers_take_is_a_warning() {
        for (text, want) in [
            ("---\nname: x\n  ---  \n\n# T\n", "---\nname: x\n---  \n\n# T\n"),
            ("---\nname: x\n--- # T\n\nText.\n", "---\nname: x\n---\n\n# T\n\nText.\n"),
        ] {
            assert_eq!(check(&UnterminatedFrontmatter, Kind::Skill, text)[0].level, Level::Warning, "{text}");
            assert_eq!(fixed(&UnterminatedFrontmatter, Kind::Skill, text, Applicability::Unsafe), want);
        }
        let far = "---\nname: x\n\n# T\n\n  ---\nMore.\n";
        assert_eq!(check(&UnterminatedFrontmatter, Kind::Skill, far)[0].level, Level::Error);
    }

    #[test]
    fn a_thematic_break_is_none() {
        for text in ["---\n\n# T\n", "---\nText only.\n", "---\nname: x\n---\n", "# T\n\n---\nname: x\n"] {
            assert_eq!(check(&UnterminatedFrontmatter, Kind::AgentsMd, text), []);
        }
    }
}
