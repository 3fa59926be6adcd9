//! `parent-done-child-open`: a task is ticked while a task below it is open. Knows only parsed documents.

use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::tasks::{BoxStanding, TaskState};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct ParentDoneChildOpen;

static INFO: RuleInfo = RuleInfo {
    name: "parent-done-child-open",
    group: Group::Plans,
    levels: &[Level::Warning],
    summary: "a task is ticked while a task below it is open",
    explanation: r#"## What it does

Reports a ticked box in a plan with an open box nested below it. Boxes below a line that calls them criteria, checks or tests of
the task are left alone: many keep those as a list to read.

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
            if let (TaskState::Open, BoxStanding::Open, Some(parent)) = (task.state, task.standing, task.parent)
                && !is_criterion(document, document.tasks[parent].text.end, task.marker.start)
            {
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

/// Lines above a box that are searched for what introduces it.
const MAX_LINES: usize = 40;

/// Whether what introduces the box at `at`, below the line that ends at `from`, announces the criteria by which the task is accepted.
fn is_criterion(document: &Document, from: usize, at: usize) -> bool {
    let Some(between) = document.text.get(from..at) else { return false };
    let is_box = |line: &str| {
        let line = line.trim_start_matches(['-', '*', '+', ' ', '\t']);
        line.is_empty() || line.starts_with('[')
    };
    // What stands on the box's own line is its marker.
    let above = between.rsplit('\n').skip(1).take(MAX_LINES);
    let lead = above.map(str::trim).find(|line| !is_box(line)).unwrap_or_default().to_lowercase();
    let words =
        ["accept", "criteria", "criterion", "definition of done", "verif", "checklist", "evidence", "test case"];
    words.iter().any(|word| lead.contains(word))
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

    #[test]
    fn an_optional_task_may_stay_open() {
        assert_eq!(check(&ParentDoneChildOpen, Kind::Plan, "- [x] 1. a\n  - [x] 1.1 b\n  - [ ]* 1.2 c\n"), []);
        assert_eq!(check(&ParentDoneChildOpen, Kind::Plan, "- [x] 1. a\n  - [ ] 1.1 *b*\n").len(), 1);
    }

    #[test]
    fn criteria_are_no_tasks() {
        let of = |lead: &str| {
            let text = format!("- [x] 1. Types\n\n  {lead}:\n  - [x] a\n  - [ ] b\n");
            check(&ParentDoneChildOpen, Kind::Plan, &text).len()
        };
        assert_eq!((of("**Acceptance Criteria**"), of("Verification"), of("**Steps**")), (0, 0, 1));
        assert_eq!(check(&ParentDoneChildOpen, Kind::Plan, "- [x] accept it\n  - [ ] b\n").len(), 1);
    }
}
