//! `parent-done-child-open`: a task is ticked while a task below it is open. Knows only parsed documents.

use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::tasks::TaskState;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct ParentDoneChildOpen;

static INFO: RuleInfo = RuleInfo {
    name: "parent-done-child-open",
    group: Group::Plans,
    levels: &[Level::Warning],
    summary: "a task is ticked while a task below it is open",
    explanation: r#"## What it does

Reports a ticked box in a plan with an open box nested below it.

## Why is this bad?

Either the task is not done, or the open box was forgotten. An agent that resumes the plan skips it, or does it twice.

## Example

```markdown
- [x] ship the release
  - [ ] tag it
```

## How to fix

Tick the inner box, or open the outer one.
"#,
    evidence: &[Evidence { source: "https://github.github.com/gfm/#task-list-items-extension-", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for ParentDoneChildOpen {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if document.kind != Kind::Plan {
            return;
        }

        let mut open_below: Vec<Option<Span>> = vec![None; document.tasks.len()];
        for task in &document.tasks {
            if let (TaskState::Open, Some(parent)) = (task.state, task.parent) {
                open_below[parent].get_or_insert(task.marker);
            }
        }
        for (task, open) in document.tasks.iter().zip(open_below) {
            let (TaskState::Done, Some(open)) = (task.state, open) else { continue };
            let message = "this task is ticked, but a task below it is open";
            findings.push(
                Finding::new(INFO.name, Level::Warning, &document.path, task.marker, message)
                    .help("tick the inner box, or open the outer one")
                    .related(&document.path, open, "open"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{check, places};

    #[test]
    fn only_direct_contradictions_are_reported() {
        let text = "- [x] a\n  - [ ] b\n- [x] c\n  - note\n    - [ ] d\n- [x] e\n  - [x] f\n- [ ] g\n  - [ ] h\n- [x] i\n  - [-] j\n";
        assert_eq!(places(&ParentDoneChildOpen, Kind::Plan, text), ["[x]", "[x]"]);
        assert_eq!(check(&ParentDoneChildOpen, Kind::Plan, text)[1].span.start, text.find("[x] c").unwrap());
        assert_eq!(check(&ParentDoneChildOpen, Kind::AgentsMd, text), []);
    }
}
