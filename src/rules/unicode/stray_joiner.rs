//! `stray-joiner`: a joiner after an emoji that joins nothing. The engine in `parse::unicode` has judged the characters; this file only reports.

use super::report;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct StrayJoiner;

static INFO: RuleInfo = RuleInfo {
    name: "stray-joiner",
    group: Group::Unicode,
    levels: &[Level::Warning, Level::Error],
    summary: "a zero-width joiner after an emoji joins nothing",
    explanation: r#"## What it does

Reports U+200D after an emoji when no emoji follows. Family, profession and flag sequences are accepted by their
grammar, so that those of coming years are, too.

## Why is this bad?

It is the rest of a cut sequence, or a place to hide data between emoji.

## Example

```text
Done \u{1F389}\u{200D} and dusted.
```

## How to fix

Remove it; `--fix` does it.
"#,
    evidence: &[Evidence {
        source: "https://www.unicode.org/reports/tr51/ (UTS #51, section 1.4.9)",
        checked: "2026-11",
    }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for StrayJoiner {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        report::check(&INFO, document, cx, findings);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, mended, silent};
    use super::*;

    #[test]
    fn finds_and_mends() {
        found(&StrayJoiner, &[("Done \u{1F389}\u{200D} now\n", "warning")]);
        mended(&StrayJoiner, &[("Done \u{1F389}\u{200D} now\n", "Done \u{1F389} now\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&StrayJoiner, &["\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{1F3F3}\u{200D}\u{1F308}\n"]);
    }
}
