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

Reports a box in a plan that holds neither a blank nor an `x`, such as `[-]` or `[~]`.

## Why is this bad?

Some editors give such states a meaning; GitHub and agents that count boxes do not count them at all.

## Example

```markdown
- [~] half done
```

## How to fix

Use `[ ]` or `[x]`, and say the rest in words.
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
            if let TaskState::Other(state) = task.state {
                let message = format!("`[{state}]` is neither open nor done for the readers of plans");
                findings.push(
                    Finding::new(INFO.name, Level::Info, &document.path, task.marker, message)
                        .help("use `[ ]` or `[x]`, and say the rest in words"),
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
    }
}
