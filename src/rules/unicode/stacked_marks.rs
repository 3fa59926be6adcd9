//! `stacked-marks`: more combining marks on a letter than any spelling needs. The engine in `parse::unicode` has judged the characters; this file only reports.

use super::report;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct StackedMarks;

static INFO: RuleInfo = RuleInfo {
    name: "stacked-marks",
    group: Group::Unicode,
    levels: &[Level::Warning, Level::Error],
    summary: "too many combining marks on one letter",
    explanation: r#"## What it does

Reports more than four combining marks in a row that belong to no script of their own, and more than eight of a
script.

## Why is this bad?

The marks grow over the lines above and below and make them unreadable.

## Example

```text
h\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}i
```

## How to fix

Keep the marks that the spelling needs. What stands past the limit is suggested for removal, and only a person can tell.
"#,
    evidence: &[Evidence {
        source: "https://www.unicode.org/reports/tr39/ (UTS #39, section 5.4)",
        checked: "2026-11",
    }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for StackedMarks {
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
        found(&StackedMarks, &[("h\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}i\n", "warning")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&StackedMarks, &["Vi\u{1EC7}t Nam e\u{302}\u{301}\n"]);
    }
}
