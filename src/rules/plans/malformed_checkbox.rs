//! `malformed-checkbox`: a malformed checkbox, which agents do not count. Knows only parsed documents.

use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::rules::context::is_out_of_step;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct MalformedCheckbox;

static INFO: RuleInfo = RuleInfo {
    name: "malformed-checkbox",
    group: Group::Plans,
    levels: &[Level::Warning],
    summary: "a malformed checkbox, which agents do not count",
    explanation: r#"## What it does

Reports, in plans, what was meant as a checkbox and is none: `-[ ]`, `- []`, `- [x]text`, `- [ x]`, a box without a list marker, full-width
brackets, an `x` of another alphabet. Links, citations, code and one-character states such as `[-]` are left alone, and
so are plans in an archive.

## Why is this bad?

GitHub shows it as text, and agents that count boxes do not count it: a plan looks finished while work is open.

## Example

```markdown
-[ ] write the tests
- [x]review
```

## How to fix

Write the box as `- [ ] text`; `--fix` does so.
"#,
    evidence: &[Evidence { source: "https://github.github.com/gfm/#task-list-items-extension-", checked: "2026-11" }],
    fix: FixAvailability::Always,
    aliases: &[],
};

impl Rule for MalformedCheckbox {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if document.kind != Kind::Plan {
            return;
        }
        // What is done with counts no more boxes.
        if discover::why_set_aside(document.path.as_bytes()).is_some() && !cx.selected.contains(INFO.name) {
            return;
        }

        // Where fences are taken the wrong way round, boxes without a marker may be text of a block.
        let has_marker = |span: Span| !document.slice(span).starts_with(['[', '\u{ff3b}']);
        let is_sure = !is_out_of_step(document);
        for task in document.malformed_tasks.iter().filter(|task| is_sure || has_marker(task.span)) {
            let message = format!("this is not a valid checkbox: {}", task.why);
            findings.push(
                Finding::new(INFO.name, Level::Warning, &document.path, task.span, message)
                    .help(format!("write `{}`", task.replacement.trim_end()))
                    .fix(Applicability::Safe, task.span, task.replacement.as_str()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{check, check_at, fixed};

    #[test]
    fn boxes_are_mended_in_plans_only() {
        let text = "# P\n\n-[ ] a\n- [x]b\n- [ ] c\n";
        assert_eq!(
            fixed(&MalformedCheckbox, Kind::Plan, text, Applicability::Safe),
            "# P\n\n- [ ] a\n- [x] b\n- [ ] c\n"
        );
        assert_eq!(check(&MalformedCheckbox, Kind::AgentsMd, text), []);
    }

    #[test]
    fn a_box_in_a_block_that_ended_early_is_left_alone() {
        let text = "# P\n\n```markdown\n## A\n\n```text\n[ ] a\n```\n\n[ ] b\n-[ ] c\n\n```text\nd\n```\n```\n";
        let told = check(&MalformedCheckbox, Kind::Plan, text);
        assert_eq!(told.iter().map(|it| &text[it.span.range()]).collect::<Vec<_>>(), ["-[ ]"]);
    }

    #[test]
    fn an_archived_plan_is_left_alone() {
        let at = |path: &str| check_at(&MalformedCheckbox, path, Kind::Plan, "# P\n\n-[x] a\n").len();
        assert_eq!((at("docs/plans/archive/a.md"), at("docs/plans/a.md")), (0, 1));
    }

    #[test]
    fn links_and_code_are_none() {
        let text = "- [x](u)\n- [text]\n- `-[ ]`\n- [-] dropped\n\n```\n-[ ] a\n```\n";
        assert_eq!(check(&MalformedCheckbox, Kind::Plan, text), []);
    }
}
