//! `unknown-field`: a field that no reader of the file knows. Knows only parsed documents.

use super::misspelled_field::slip;
use super::schema;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct UnknownField;

static INFO: RuleInfo = RuleInfo {
    name: "unknown-field",
    group: Group::Frontmatter,
    levels: &[Level::Info],
    summary: "a field that no reader of the file knows",
    explanation: r#"## What it does

Reports a top-level field that no agent reading the file knows and that is not a misspelling. Files to whose frontmatter no agent gives
a meaning, such as AGENTS.md, are not looked at.

## Why is this bad?

It does nothing. That may be fine (a field for people or for another tool), or not what was meant.

## Example

```yaml
---
name: release
description: How to release.
auther: Jo
---
```

## How to fix

Delete the field, or move it below `metadata` where the format has that.
"#,
    evidence: &[Evidence { source: "the tables in `schema.rs`, each with its own source", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for UnknownField {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let (Some(schema), Some(frontmatter)) = (schema::of(document.kind), &document.frontmatter) else { return };
        for field in &frontmatter.fields {
            let key = field.key.as_str();
            if schema.field(key).is_some() || schema.ignored(key).is_some() || slip(schema, field).is_some() {
                continue;
            }
            let message = format!("unknown field `{key}`: no agent that reads {} knows it", schema.what);
            let finding = Finding::new(INFO.name, Level::Info, &document.path, field.key_span, message);
            findings.push(match schema.field("metadata") {
                Some(_) => finding.help("delete it, or move it below `metadata`"),
                None => finding.help("delete it, or keep it if another tool reads it"),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::testing::places;

    #[test]
    fn only_what_is_in_no_table_is_reported() {
        let text = "---\nname: a\nauthor: b\nnmae: c\nmetadata: {x: 1}\n---\n";
        assert_eq!(places(&UnknownField, Kind::Skill, text), ["author"]);
        assert_eq!(places(&UnknownField, Kind::AgentsMd, text), [""; 0]);
        assert_eq!(places(&UnknownField, Kind::of_agent("claude-rule"), "---\nglobs: x\n---\n"), [""; 0]);
    }
}
