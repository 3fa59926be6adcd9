//! `unknown-task-state`: a checkbox holds a character that readers do not know. Knows only parsed documents.

use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::parse::Document;
use crate::parse::tasks::TaskState;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct UnknownTaskState;

static INFO: RuleInfo = RuleInfo {
    name: "unknown-task-state",
    group: Group::Plans,
    levels: &[Level::Info],
    summary: "a checkbox holds a character that readers do not know",
    explanation: r#"## What it does

Reports a box in a plan that holds neither a blank nor an `x`, such as `[-]` or `[~]`, and whose mark the plan does not explain. A
legend explains it: `[~] = deferred`, or a list of marks below the heading `Legend`.

## Why is this bad?

Some editors give such states a meaning; GitHub and most agents do not count them at all. `hintlint plan` and the hooks take `[-]` for
cancelled and every other mark for open.

## Example

```markdown
- [~] half done
```

## How to fix

Use `[ ]` or `[x]`, and say the rest in words; or explain the mark in a legend.
"#,
    evidence: &[Evidence { source: "https://github.github.com/gfm/#task-list-items-extension-", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for UnknownTaskState {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if document.kind != Kind::Plan {
            return;
        }

        for task in &document.tasks {
            if let (TaskState::Other(state), false) = (task.state, task.is_explained) {
                let message = format!("agents count `[{state}]` as neither open nor done");
                findings.push(
                    Finding::new(INFO.name, Level::Info, &document.path, task.marker, message)
                        .help("use `[ ]` or `[x]`, or explain the mark in a legend"),
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
    fn other_states_are_told() {
        let text = "- [-] a\n- [~] b\n- [x] c\n- [ ] d\n- [1] cited\n";
        assert_eq!(places(&UnknownTaskState, Kind::Plan, text), ["[-]", "[~]"]);
        assert_eq!(places(&UnknownTaskState, Kind::AgentsMd, text), [""; 0]);
        let explained = format!("Legend: [~] deferred\n\n{text}");
        assert_eq!(places(&UnknownTaskState, Kind::Plan, &explained), ["[-]"]);
    }
}
