//! `malformed-promise`: a completion promise that no loop will recognise. Knows only parsed documents.

use crate::base::finding::{Finding, Level};
use crate::base::kind::{Kind, Role};
use crate::parse::{Document, promises};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct MalformedPromise;

static INFO: RuleInfo = RuleInfo {
    name: "malformed-promise",
    group: Group::Plans,
    levels: &[Level::Warning],
    summary: "a completion promise that no loop will recognise",
    explanation: r#"## What it does

Reports, in plans, commands and prompts and outside code, a `<promise>` that is not closed, a `</promise>` that nothing opens, an empty promise, and a tag with a
blank, a capital or an attribute in it.

## Why is this bad?

A loop that waits for `<promise>TOKEN</promise>` compares the tag letter by letter. One that is written otherwise in the plan is repeated
otherwise by the agent, and the loop never ends.

## Example

```markdown
When all is done, say <promise>ALL DONE<promise>.
```

## How to fix

Write `<promise>TOKEN</promise>`, on one line.
"#,
    evidence: &[Evidence { source: "oh-my-claudecode 94e71c36, scripts/persistent-mode.cjs", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for MalformedPromise {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        // Plans say when their work is done; commands and prompts start the loops that wait for it.
        if document.kind != Kind::Plan && document.kind.role() != Some(Role::Command) {
            return;
        }

        let (_, malformed) = promises::read(&document.text, document.body, &document.markdown);
        findings.extend(malformed.into_iter().map(|slip| {
            Finding::new(INFO.name, Level::Warning, &document.path, slip.span, slip.why)
                .help("write `<promise>TOKEN</promise>`")
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{check, places};

    #[test]
    fn slips_are_reported_where_they_stand() {
        for (text, place) in [
            ("Say <promise>DONE<promise>.\n", vec!["<promise>"]),
            ("Say <promise>DONE\nor <promise>DONE\n", vec!["<promise>", "<promise>"]),
            ("Say <promise>DONE\n", vec!["<promise>"]),
            ("Say DONE</promise>\n", vec!["</promise>"]),
            ("Say <promise> </promise>\n", vec!["<promise> </promise>"]),
            ("Say <Promise>DONE</promise>\n", vec!["<Promise>", "</promise>"]),
            ("Say <promise/>\n", vec!["<promise/>"]),
        ] {
            assert_eq!(places(&MalformedPromise, Kind::Plan, text), place, "{text}");
        }
    }

    #[test]
    fn whole_promises_and_examples_are_fine() {
        for text in [
            "<promise>ALL DONE</promise>\n",
            "`<promise>`\n",
            "<promises>\n",
            "```\n<promise>\n```\n",
            "<!-- <promise> -->\n",
        ] {
            assert_eq!(check(&MalformedPromise, Kind::Plan, text), [], "{text}");
        }
        let slip = "Say <promise>DONE<promise>.\n";
        for (kind, count) in
            [(Kind::of_agent("claude-command"), 1), (Kind::of_agent("copilot-prompt"), 1), (Kind::AgentsMd, 0)]
        {
            assert_eq!(check(&MalformedPromise, kind, slip).len(), count, "{kind:?}");
        }
    }
}
