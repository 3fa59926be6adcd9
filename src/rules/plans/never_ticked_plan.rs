//! `never-ticked-plan`: no box of a plan was ever ticked. Knows only parsed documents.

use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::parse::Document;
use crate::parse::tasks::TaskState;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct NeverTickedPlan;

static INFO: RuleInfo = RuleInfo {
    name: "never-ticked-plan",
    group: Group::Plans,
    levels: &[Level::Info],
    summary: "no box of a plan was ever ticked",
    explanation: r#"## What it does

Reports a plan with five or more checkboxes of which none is ticked.

## Why is this bad?

It is new, or nobody keeps it: an agent that resumes such a plan starts from its beginning.

## Example

```markdown
- [ ] one
- [ ] two
- [ ] three
- [ ] four
- [ ] five
```

## How to fix

Tick what is done, or delete the plan once it is.
"#,
    evidence: &[Evidence { source: "https://github.github.com/gfm/#task-list-items-extension-", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for NeverTickedPlan {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if document.kind != Kind::Plan {
            return;
        }

        const FEW: usize = 5;
        let untouched = document.tasks.iter().all(|task| task.state == TaskState::Open);
        if let (Some(first), true) = (document.tasks.first(), untouched && document.tasks.len() >= FEW) {
            let message = format!("none of the {} boxes of this plan is ticked", document.tasks.len());
            findings.push(
                Finding::new(INFO.name, Level::Info, &document.path, first.marker, message)
                    .help("tick what is done, or delete the plan once it is"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::check;

    #[test]
    fn five_open_boxes_and_no_other() {
        let text = "- [ ] a\n".repeat(5);
        assert_eq!(check(&NeverTickedPlan, Kind::Plan, &text).len(), 1);
        for (kind, text) in [
            (Kind::AgentsMd, text.clone()),
            (Kind::Plan, format!("{text}- [x] b\n")),
            (Kind::Plan, format!("{text}- [-] b\n")),
            (Kind::Plan, "- [ ] a\n".repeat(4)),
            (Kind::Plan, String::new()),
        ] {
            assert_eq!(check(&NeverTickedPlan, kind, &text), []);
        }
    }
}
