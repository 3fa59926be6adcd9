//! `duplicate-field`: a field is set twice. Knows only parsed documents.

use crate::base::finding::{Finding, Level};
use crate::parse::{Document, ProblemKind};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct DuplicateField;

static INFO: RuleInfo = RuleInfo {
    name: "duplicate-field",
    group: Group::Frontmatter,
    levels: &[Level::Error],
    summary: "a field is set twice",
    explanation: r#"## What it does

Reports a key that stands twice in the same mapping of frontmatter or `hint.yaml`.

## Why is this bad?

YAML forbids it. Some readers refuse the whole block, some keep the first value and some the last, so two agents may load
two different rules from one file.

## Example

```yaml
globs: "src/**"
globs: "lib/**"
```

## How to fix

Keep one; join the values in a list if both were meant.
"#,
    evidence: &[Evidence { source: "https://yaml.org/spec/1.2.2/", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for DuplicateField {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for problem in &document.problems {
            if let ProblemKind::DuplicateField { key, first } = &problem.kind {
                let message = format!("duplicate field `{key}`: agents disagree on which value counts");
                findings.push(
                    Finding::new(INFO.name, Level::Error, &document.path, problem.span, message)
                        .help("keep one of the two")
                        .related(&document.path, *first, "first here"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::base::text::Span;
    use crate::rules::testing::{check, places};

    #[test]
    fn the_second_is_reported_with_the_first() {
        let text = "---\nname: a\nm: {k: 1, k: 2}\nname: b\n---\n";
        assert_eq!(places(&DuplicateField, Kind::Skill, text), ["k", "name"]);
        assert_eq!(check(&DuplicateField, Kind::Skill, text)[1].related[0].span, Span::new(4, 8));
        assert_eq!(
            places(&DuplicateField, Kind::of_agent("cursor-rule"), "---\nglobs: *.a\nglobs: *.b\n---\n"),
            ["globs"]
        );
        assert_eq!(places(&DuplicateField, Kind::Skill, "---\na: {x: 1}\nb: {x: 1}\n---\n"), [""; 0]);
    }
}
