//! `noncharacter`: noncharacters and unassigned code points. The engine in `parse::unicode` has judged the characters; this file only reports.

use super::report;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct Noncharacter;

static INFO: RuleInfo = RuleInfo {
    name: "noncharacter",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning],
    summary: "noncharacters or unassigned code points",
    explanation: r#"## What it does

Reports code points that Unicode guarantees will never be characters (error) and code points without a character in
the version that hintlint knows (warning). Code points reserved for emoji are left alone.

## Why is this bad?

No text needs them; programs drop, replace or reject them, each in its own way.

## Example

```text
Ends here.\u{FDD0}
```

## How to fix

Remove noncharacters; `--fix` does it. An unassigned code point may be newer than hintlint.
"#,
    evidence: &[Evidence { source: "https://www.unicode.org/faq/private_use.html#nonchar1", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for Noncharacter {
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
        found(&Noncharacter, &[("Ends here.\u{FDD0}\n", "error"), ("Newer \u{378} than\n", "warning")]);
        mended(&Noncharacter, &[("Ends here.\u{FDD0}\n", "Ends here.\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&Noncharacter, &["Assigned \u{377}\n"]);
    }
}
