//! `replacement-character`: U+FFFD in the text. The engine in `parse::unicode` has judged the characters; this file only reports.

use super::report;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct ReplacementCharacter;

static INFO: RuleInfo = RuleInfo {
    name: "replacement-character",
    group: Group::Unicode,
    levels: &[Level::Warning, Level::Error],
    summary: "U+FFFD: text was lost in a conversion",
    explanation: r#"## What it does

Reports U+FFFD in the text itself. In code it is left alone.

## Why is this bad?

Some program could not read the text that stood here and put the mark in its place. What was there is lost to the
agent, too.

## Example

```text
Written by Jos\u{FFFD}
```

## How to fix

Restore the text from its source.
"#,
    evidence: &[Evidence { source: "https://www.unicode.org/charts/PDF/UFFF0.pdf", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for ReplacementCharacter {
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
        found(&ReplacementCharacter, &[("Written by Jos\u{FFFD} in May\n", "warning")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&ReplacementCharacter, &["`\u{FFFD}` marks it\n"]);
    }
}
