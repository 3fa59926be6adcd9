//! `ignored-field`: a field of another agent's files. Knows only parsed documents.

use super::schema;
use crate::finding::{Applicability, Finding, Level};
use crate::parse::Document;
use crate::parse::frontmatter::Value;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct IgnoredField;

static INFO: RuleInfo = RuleInfo {
    name: "ignored-field",
    group: Group::Frontmatter,
    levels: &[Level::Warning],
    summary: "a field of another agent's files",
    explanation: r#"## What it does

Reports a field that means something in another agent's files and nothing here, such as `globs` in `.claude/rules` (Claude Code reads
`paths`) or `paths` in a Cursor rule (Cursor reads `globs`). Silent where the file has the right field as well, since then the other
is there for somebody else.

## Why is this bad?

The rule does not apply where its author believes: Claude Code loads a rule with only `globs` for every file.

## Example

```yaml
# .claude/rules/api.md
globs: "src/api/**"
```

## How to fix

Rename the field to the one that the message names.
"#,
    evidence: &[
        Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" },
        Evidence { source: "the tables in `schema.rs`, each with its own source", checked: "2026-11" },
    ],
    fix: FixAvailability::Always,
    aliases: &[],
};

impl Rule for IgnoredField {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let (Some(schema), Some(frontmatter)) = (schema::of(document.kind), &document.frontmatter) else { return };
        let mut renamed: Vec<&str> = Vec::new();
        for field in &frontmatter.fields {
            let Some(ignored) = schema.ignored(&field.key) else { continue };
            if frontmatter.get(ignored.instead).is_some()
                || field.value.value == Value::Null
                || renamed.contains(&ignored.instead)
            {
                continue;
            }
            renamed.push(ignored.instead);
            let message = format!("`{}` is not read in {}: {}", ignored.name, schema.what, ignored.effect);
            findings.push(
                Finding::new(INFO.name, Level::Warning, &document.path, field.key_span, message)
                    .help(format!("use `{}`", ignored.instead))
                    .fix(Applicability::Unsafe, field.key_span, ignored.instead),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::Kind;
    use crate::rules::testing::{check, fixed};

    #[test]
    fn the_right_name_is_offered() {
        for (kind, line, want) in [
            (Kind::ClaudeRule, "globs: \"src/**\"", "paths: \"src/**\""),
            (Kind::CursorRule, "paths: src/**", "globs: src/**"),
            (Kind::ClaudeAgent, "allowed-tools: Read", "tools: Read"),
            (Kind::CopilotScoped, "globs: a\npaths: b", "applyTo: a\npaths: b"),
        ] {
            let text = format!("---\n{line}\n---\n");
            assert_eq!(fixed(&IgnoredField, kind, &text, Applicability::Unsafe), format!("---\n{want}\n---\n"));
        }
    }

    #[test]
    fn a_file_for_two_agents_is_left_alone() {
        for (kind, lines) in [
            (Kind::ClaudeRule, "paths: a\nglobs: a"),
            (Kind::ClaudeRule, "globs:\nalwaysApply: true"),
            (Kind::AgentsMd, "globs: a"),
        ] {
            assert_eq!(check(&IgnoredField, kind, &format!("---\n{lines}\n---\n")), []);
        }
    }
}
