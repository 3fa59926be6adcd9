//! `duplicate-hint-name`: two hints of the library have the same name.

use std::collections::BTreeMap;

use super::hints;
use crate::base::finding::{Finding, Level};
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "duplicate-hint-name",
    group: Group::Library,
    levels: &[Level::Warning],
    summary: "two hints of the library have the same name",
    explanation: "\
## What it does
Reports hints of the library (`[library] paths`) that have the same file name in different folders. A file without a `description`
is no hint.

## Why is this bad?
A hint is known by its file's name. A model that selects hints answers with names, and a search prints names: of two hints with one
name only the first is ever found.

## Example
`src/hints/web/setup.md` and `src/hints/api/setup.md`.

## How to fix
Give one of them a name that says what it is about, such as `new-project-setup-web.md`.
",
    evidence: &[Evidence { source: "flpipeline f0fa1c8, getRelevantHints.ts", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct DuplicateHintName;

impl Rule for DuplicateHintName {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let mut first: BTreeMap<&str, &Document> = BTreeMap::new();
        for (name, hint) in hints(cx.workspace) {
            let Some(other) = first.get(name) else {
                first.insert(name, hint);
                continue;
            };
            let message = format!("another hint is called `{name}` too");
            let finding = Finding::new(INFO.name, Level::Warning, &hint.path, Span::empty(0), message)
                .help("rename one of them: a hint is selected by its name")
                .related(&other.path, Span::empty(0), "the hint that this name selects");
            findings.push(finding);
        }
    }
}
