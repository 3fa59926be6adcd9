//! `private-use-run`: four or more private-use characters in a row. The engine in `parse::unicode` has judged the characters; this file only reports.

use super::report;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct PrivateUseRun;

static INFO: RuleInfo = RuleInfo {
    name: "private-use-run",
    group: Group::Unicode,
    levels: &[Level::Warning, Level::Error],
    summary: "a run of private-use characters",
    explanation: r#"## What it does

Reports four or more private-use characters in a row (U+E000 to U+F8FF and planes 15 and 16). Single ones are icons of
patched fonts and are left alone. The run is also read as bytes.

## Why is this bad?

They mean only what their author says, most fonts draw a box or nothing, and a run of them can carry data.

## Example

```text
Version \u{E068}\u{E065}\u{E06C}\u{E06C}\u{E06F}
```

## How to fix

Write in plain text what they stand for. There is no automatic fix: an icon may be wanted.
"#,
    evidence: &[Evidence { source: "https://www.unicode.org/faq/private_use.html", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for PrivateUseRun {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        report::check(&INFO, document, cx, findings);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, silent};
    use super::*;

    #[test]
    fn finds_at_its_level() {
        found(&PrivateUseRun, &[("Version \u{E068}\u{E065}\u{E06C}\u{E06C}\u{E06F} now\n", "warning")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&PrivateUseRun, &["\u{E0A0} main \u{F8FF}\n"]);
    }
}
