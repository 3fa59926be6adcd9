//! `children-done-parent-open`: all tasks below an open task are ticked. Knows only parsed documents.

use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::Kind;
use crate::parse::Document;
use crate::parse::tasks::TaskState;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct ChildrenDoneParentOpen;

static INFO: RuleInfo = RuleInfo {
    name: "children-done-parent-open",
    group: Group::Plans,
    levels: &[Level::Info],
    summary: "all tasks below an open task are ticked",
    explanation: r#"## What it does

Reports an open box in a plan whose nested boxes (at least one) are all ticked.

## Why is this bad?

The outer task may be done too; progress that counts it shows less than there is.

## Example

```markdown
- [ ] ship the release
  - [x] tag it
  - [x] publish it
```

## How to fix

Tick the outer box if nothing else is left of it.
"#,
    evidence: &[Evidence { source: "https://github.github.com/gfm/#task-list-items-extension-", checked: "2026-11" }],
    fix: FixAvailability::Always,
    aliases: &[],
};

impl Rule for ChildrenDoneParentOpen {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if document.kind != Kind::Plan {
            return;
        }

        // For each task: how many boxes are nested directly below it, and how many of them are ticked.
        let mut below = vec![(0_usize, 0_usize); document.tasks.len()];
        for task in &document.tasks {
            if let Some(parent) = task.parent {
                below[parent].0 += 1;
                below[parent].1 += usize::from(task.state == TaskState::Done);
            }
        }
        for (task, (all, done)) in document.tasks.iter().zip(below) {
            if task.state == TaskState::Open && all > 0 && all == done {
                findings.push(
                    Finding::new(
                        INFO.name,
                        Level::Info,
                        &document.path,
                        task.marker,
                        "all tasks below this open task are ticked",
                    )
                    .help("tick it if nothing else is left to do")
                    .fix(Applicability::Unsafe, task.marker, "[x]"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{check, fixed};

    #[test]
    fn the_outer_box_is_offered_a_tick() {
        let text = "- [ ] a\n  - [x] b\n  - [X] c\n- [ ] d\n  - [x] e\n  - [ ] f\n- [ ] g\n";
        let want = text.replacen("[ ] a", "[x] a", 1);
        assert_eq!(fixed(&ChildrenDoneParentOpen, Kind::Plan, text, Applicability::Unsafe), want);
        assert_eq!(check(&ChildrenDoneParentOpen, Kind::AgentsMd, text), []);
    }
}
