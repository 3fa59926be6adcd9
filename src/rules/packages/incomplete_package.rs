//! `incomplete-package`: a hint package without its prompt or its metadata.

use super::packages;
use crate::base::finding::{Finding, Level};
use crate::base::text::Span;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "incomplete-package",
    group: Group::Packages,
    levels: &[Level::Error],
    summary: "a hint package lacks its prompt or its metadata",
    explanation: "\
## What it does
Reports folders of hint packages (`hints/NAME/`) that have a prompt (`hint.md`) and no metadata (`hint.yaml`), or metadata and no
prompt. Files for one platform, such as `hint_linux.md`, count, and so do those called as the package, such as `NAME.md`. A folder with a `hint.md` alone is a package where another
folder beside it has a `hint.yaml`, or where it has `resources/` or `modules/` of its own.

## Why is this bad?
Without a prompt the package cannot be loaded. Without metadata no agent gets to know that it exists.

## Example
`hints/deploy/hint.md` without a `hints/deploy/hint.yaml`.

## How to fix
Write the missing file: `hint.md` holds the prompt, `hint.yaml` the keys `name`, `description` and `system_prompt_injection`.
",
    evidence: &[Evidence { source: "task_agent 9d2d36d, hint loading", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct IncompletePackage;

impl Rule for IncompletePackage {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for package in packages(cx.workspace) {
            let (there, missing, why) = match (package.prompts.first(), package.metadata.first()) {
                (Some(prompt), None) => (prompt, "hint.yaml", "agents do not learn that it exists"),
                (None, Some(metadata)) => (metadata, "hint.md", "it cannot be loaded"),
                _ => continue,
            };
            let name = String::from_utf8_lossy(package.name()).into_owned();
            let message = format!("the hint package `{name}` has no {missing}: {why}");
            let finding = Finding::new(INFO.name, Level::Error, &there.path, Span::empty(0), message);
            findings.push(finding.help(format!("write {missing} beside this file")));
        }
    }
}
