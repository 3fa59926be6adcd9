//! `displaced-frontmatter`: frontmatter does not stand at the beginning of the file. Knows only parsed documents.

use crate::base::finding::{Applicability, Finding, Level};
use crate::base::text::Span;
use crate::parse::{Document, ProblemKind};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct DisplacedFrontmatter;

static INFO: RuleInfo = RuleInfo {
    name: "displaced-frontmatter",
    group: Group::Frontmatter,
    levels: &[Level::Warning],
    summary: "frontmatter does not stand at the beginning of the file",
    explanation: r#"## What it does

Reports a block that reads like frontmatter (fences, `key: value` lines, at least one field that some agent knows) but stands
after blank lines, a comment, a title or stray characters.

## Why is this bad?

Frontmatter counts only at the first byte of a file. Anywhere else agents take it for text: a path-scoped rule applies to
every file, a skill has no name.

## Example

```markdown
<!-- synced from the handbook -->
---
paths: src/**
---
```

## How to fix

Move the block to the beginning of the file.
"#,
    evidence: &[Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" }],
    fix: FixAvailability::Always,
    aliases: &[],
};

impl Rule for DisplacedFrontmatter {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let problem = document.problems.iter().find(|problem| problem.kind == ProblemKind::DisplacedFrontmatter);
        let Some(problem) = problem else { return };
        let block = problem.span;
        let line = document.slice(block).lines().next().unwrap_or("").len();
        let message = "this frontmatter is not at the beginning of the file, so agents read it as text";
        let place = Span::new(block.start, block.start + line);
        let finding = Finding::new(INFO.name, Level::Warning, &document.path, place, message)
            .help("move the block to the first line of the file");
        // The block, from its own line's start to the end of its last line, goes before all that precedes it.
        let line_start = document.lines.line_span(document.lines.line_of(block.start)).start;
        // On the first line the file's own byte order mark stands before the body, and stays where it is.
        let start = line_start.max(document.body);
        let end = document.lines.line_span(document.lines.line_of(block.end.saturating_sub(1))).end;
        let newline = if document.slice(block).contains("\r\n") { "\r\n" } else { "\n" };
        let lines: Vec<&str> = document.slice(block).lines().map(str::trim_end).collect();
        let before = document.text[document.body..start].trim_matches(['\u{200b}', '\u{2060}', '\n', '\r', ' ', '\t']);
        let gap = if before.is_empty() { String::new() } else { format!("{before}{newline}") };
        let moved = format!("{}{newline}{gap}", lines.join(newline));
        findings.push(finding.fix(Applicability::Unsafe, Span::new(document.body, end), moved));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::{check, fixed};

    #[test]
    fn the_block_moves_to_the_top() {
        for (text, want) in [
            ("\n\n---\npaths: a\n---\nT\n", "---\npaths: a\n---\nT\n"),
            ("<!-- c -->\n\n---\npaths: a\n---\n\nT\n", "---\npaths: a\n---\n<!-- c -->\n\nT\n"),
            ("\u{200b}---\npaths: a\n---\nT\n", "---\npaths: a\n---\nT\n"),
            ("# T\r\n\r\n---\r\npaths: a\r\n---", "---\r\npaths: a\r\n---\r\n# T\r\n"),
            ("\u{feff}\u{feff}---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
            ("\u{feff} ---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
            ("\u{feff}\u{200b}---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
            ("\u{feff}\u{2060}\n---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
            ("\u{feff}\n\u{feff}---\npaths: a\n---\nT\n", "\u{feff}---\npaths: a\n---\nT\n"),
        ] {
            assert_eq!(fixed(&DisplacedFrontmatter, Kind::of_agent("claude-rule"), text, Applicability::Unsafe), want);
        }
    }

    #[test]
    fn breaks_and_examples_are_left_alone() {
        for text in ["# T\n\n---\n\nname: x\n\n---\n", "\n```\n---\nname: x\n---\n```\n", "---\nname: x\n---\n"] {
            assert_eq!(check(&DisplacedFrontmatter, Kind::AgentsMd, text), []);
        }
    }
}
