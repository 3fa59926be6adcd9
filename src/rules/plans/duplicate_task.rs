//! `duplicate-task`: a plan lists the same task twice. Knows only parsed documents.

use std::collections::BTreeMap;

use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct DuplicateTask;

static INFO: RuleInfo = RuleInfo {
    name: "duplicate-task",
    group: Group::Plans,
    levels: &[Level::Info],
    summary: "a plan lists the same task twice",
    explanation: r#"## What it does

Reports a box in a plan whose text stands already in another box under the same heading and the same outer task.

## Why is this bad?

One of them will be ticked and the other stay open, or the work is done twice.

## Example

```markdown
- [x] Update the changelog
- [ ] update the changelog
```

## How to fix

Delete one, or say what sets them apart.
"#,
    evidence: &[Evidence { source: "https://github.github.com/gfm/#task-list-items-extension-", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for DuplicateTask {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if document.kind != Kind::Plan {
            return;
        }

        let mut seen: BTreeMap<(Option<usize>, Option<usize>, String), Span> = BTreeMap::new();
        for task in &document.tasks {
            let words: Vec<String> = document.slice(task.text).split_whitespace().map(str::to_lowercase).collect();
            if words.is_empty() {
                continue;
            }
            let place = seen.entry((task.heading, task.parent, words.join(" "))).or_insert(task.text);
            if *place != task.text {
                findings.push(
                    Finding::new(
                        INFO.name,
                        Level::Info,
                        &document.path,
                        task.text,
                        "this task is already in the same list",
                    )
                    .help("delete one, or write how they differ")
                    .related(&document.path, *place, "first here"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::places;

    #[test]
    fn the_same_words_in_the_same_place_are_reported() {
        let text = "# A\n- [ ] Run  tests\n  - [ ] run tests\n- [x] run tests\n- [ ]\n- [ ]\n# B\n- [ ] run tests\n";
        assert_eq!(places(&DuplicateTask, Kind::Plan, text), ["run tests"]);
        assert_eq!(places(&DuplicateTask, Kind::AgentsMd, text), [""; 0]);
    }
}
