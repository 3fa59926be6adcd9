//! A `hintlint-ignore` comment that silences nothing, or that cannot be understood.

use std::collections::BTreeSet;

use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::parse::{Document, ProblemKind};
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo, find};
use crate::workspace::Workspace;

const INFO: RuleInfo = RuleInfo {
    name: "unused-suppression",
    group: Group::Meta,
    levels: &[Level::Warning],
    summary: "a `hintlint-ignore` comment suppresses nothing, or has no reason",
    explanation: "\
## What it does
Reports `hintlint-ignore` comments whose rules find nothing in what the comment covers, and those that cannot be understood:
no rule named, or no reason after the colon.

## Why is this bad?
A suppression that outlives its cause hides the next real finding. One without a reason cannot be reviewed; it silences nothing.

## Example
```markdown
<!-- hintlint-ignore stale-path -->
```

## How to fix
Delete the comment, or write `<!-- hintlint-ignore RULE: why this is right here -->`.
",
    evidence: &[],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct UnusedSuppression;

impl Rule for UnusedSuppression {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for problem in &document.problems {
            if let ProblemKind::MalformedSuppression(what) = &problem.kind {
                let message = format!("this suppression does nothing: {what}");
                findings.push(
                    Finding::new(INFO.name, Level::Warning, &document.path, problem.span, message)
                        .help("write `<!-- hintlint-ignore RULE: why this is right here -->`"),
                );
            }
        }
    }
}

/// What goes with the comment at `span`: its whole lines if nothing else stands on them.
fn removal(document: &Document, span: Span) -> Span {
    let start = document.text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = document.text[span.end..].find('\n').map_or(document.text.len(), |at| span.end + at + 1);
    let around = [Span::new(start, span.start), Span::new(span.end, end)];
    // A byte order mark before the comment is no blank, so it stays.
    if around.iter().all(|part| document.slice(*part).trim().is_empty()) { Span::new(start, end) } else { span }
}

/// Findings for suppressions that silenced nothing. `used` holds what did; `ran` tells whether a rule or group was checked.
pub(crate) fn unused_suppressions(
    workspace: &Workspace,
    used: &BTreeSet<(RepoPath, usize, String)>,
    ran: &dyn Fn(&str) -> bool,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for document in workspace.in_focus().filter(|document| document.may_suppress()) {
        for (index, suppression) in document.suppressions.iter().enumerate() {
            let is_used = |name: &str| used.contains(&(document.path.clone(), index, name.to_owned()));
            let alone = suppression.rules.len() == 1;
            for (name, span) in &suppression.rules {
                let canonical = find(name).map_or(name.as_str(), |info| info.name);
                if is_used(name) || !ran(canonical) {
                    continue;
                }
                let message = format!("there is no `{name}` finding here to suppress");
                let finding = Finding::new(INFO.name, Level::Warning, &document.path, *span, message);
                findings.push(match alone {
                    true => finding.help("delete the comment").fix(
                        Applicability::Unsafe,
                        removal(document, suppression.span),
                        "",
                    ),
                    false => finding.help(format!("remove `{name}` from the comment")),
                });
            }
        }
    }
    findings
}
