//! `wrong-type`: a field has a value of the wrong type. Knows only parsed documents.

use super::schema::{self, Shape};
use crate::finding::{Applicability, Finding, Level};
use crate::parse::Document;
use crate::parse::frontmatter::{Node, Value};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct WrongType;

static INFO: RuleInfo = RuleInfo {
    name: "wrong-type",
    group: Group::Frontmatter,
    levels: &[Level::Error],
    summary: "a field has a value of the wrong type",
    explanation: r#"## What it does

Reports a known field whose value is a list where a string is read, text where `true` or `false` is read, and so on. An empty
value is the same as none.

## Why is this bad?

Readers differ in what they make of it: one skips the field, another stops with an error. `alwaysApply: "true"` is text, and a
rule with it is not always applied.

## Example

```yaml
alwaysApply: "true"
```

## How to fix

Write the value in the type that the message names. `--unsafe-fixes` adds or removes quotes where they are the whole difference.
"#,
    evidence: &[Evidence { source: "the tables in `schema.rs`, each with its own source", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for WrongType {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let Some(schema) = schema::of(document.kind) else { return };
        for field in document.frontmatter.iter().flat_map(|frontmatter| &frontmatter.fields) {
            let Some(spec) = schema.field(&field.key) else { continue };
            if let Some(wrong) = misfit(spec.shape, &field.value) {
                findings.push(report(document, spec.name, spec.shape, wrong));
            }
        }
    }
}

/// The value, or the item in it, that does not fit.
pub(super) fn misfit(shape: Shape, node: &Node) -> Option<&Node> {
    let fits = match (shape, &node.value) {
        (_, Value::Null) | (Shape::Any, _) => true,
        (Shape::Text | Shape::TextOrList, Value::String(_)) => true,
        (Shape::Bool, Value::Bool(_)) | (Shape::Number, Value::Number(_)) | (Shape::Map, Value::Map(_)) => true,
        (Shape::List | Shape::TextOrList, Value::List(items)) => {
            return items.iter().find(|item| matches!(item.value, Value::List(_) | Value::Map(_)));
        }
        _ => false,
    };
    (!fits).then_some(node)
}

fn report(document: &Document, name: &str, shape: Shape, node: &Node) -> Finding {
    let message = format!("`{name}` must be {}, not {}", shape.describe(), node.value.describe());
    let finding = Finding::new(INFO.name, Level::Error, &document.path, node.span, message);
    let written = document.slice(node.span);
    match (shape, &node.value) {
        (Shape::Text | Shape::TextOrList, Value::Bool(_) | Value::Number(_)) => {
            finding.help("put the value in quotes").fix(Applicability::Unsafe, node.span, format!("\"{written}\""))
        }
        (Shape::Bool, Value::String(text)) => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => finding.help("write `true`").fix(Applicability::Unsafe, node.span, "true"),
            "false" | "no" | "off" => finding.help("write `false`").fix(Applicability::Unsafe, node.span, "false"),
            _ => finding.help("write `true` or `false`, without quotes"),
        },
        (Shape::List, Value::String(text)) if !text.contains([',', '\n', '{']) && written.len() == node.span.len() => {
            finding.help("write a list").fix(Applicability::Unsafe, node.span, format!("[{}]", quoted(written)))
        }
        _ => finding.help(format!("write {}", shape.describe())),
    }
}

fn quoted(written: &str) -> String {
    if written.starts_with(['"', '\'']) { written.to_owned() } else { format!("\"{written}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::Kind;
    use crate::rules::testing::{check, fixed, places};

    #[test]
    fn values_that_do_not_fit_are_found_where_they_stand() {
        for (kind, line, place) in [
            (Kind::Skill, "name: 12", "12"),
            (Kind::Skill, "description: [a, b]", "[a, b]"),
            (Kind::Skill, "metadata: x", "x"),
            (Kind::Skill, "description: true", "true"),
            (Kind::CursorRule, "alwaysApply: \"true\"", "\"true\""),
            (Kind::CursorRule, "globs: [a, {b: c}]", "b: c"),
            (Kind::ClineRule, "paths: src/**", "src/**"),
            (Kind::LibraryHint, "priority: high", "high"),
        ] {
            let text = format!("---\n{line}\n---\n");
            let places = places(&WrongType, kind, &text);
            assert!(places.len() == 1 && places[0].contains(place), "{line}: {places:?}");
        }
    }

    #[test]
    fn values_that_fit_are_left_alone() {
        for (kind, lines) in [
            (Kind::CursorRule, "description:\nglobs:\nalwaysApply: true"),
            (Kind::CursorRule, "globs: **/*.ts"),
            (Kind::ClaudeCommand, "argument-hint: [file]\nallowed-tools: Read, Bash(git:*)"),
            (Kind::Skill, "version: 1.0\nunknown: [1]\nmetadata:\n  version: 1.0"),
            (Kind::AgentsMd, "alwaysApply: \"yes\""),
        ] {
            assert_eq!(check(&WrongType, kind, &format!("---\n{lines}\n---\n")), [], "{lines}");
        }
    }

    #[test]
    fn quotes_come_and_go() {
        for (kind, line, want) in [
            (Kind::Skill, "name: 12", "name: \"12\""),
            (Kind::CursorRule, "alwaysApply: 'Yes'", "alwaysApply: true"),
            (Kind::ClineRule, "paths: src/**", "paths: [\"src/**\"]"),
        ] {
            let text = format!("---\n{line}\n---\n");
            assert_eq!(fixed(&WrongType, kind, &text, Applicability::Unsafe), format!("---\n{want}\n---\n"));
            assert_eq!(fixed(&WrongType, kind, &text, Applicability::Safe), text);
        }
    }
}
