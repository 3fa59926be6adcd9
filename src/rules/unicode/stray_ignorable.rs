//! `stray-ignorable`: soft hyphens out of place, deprecated and reserved invisible characters. The engine in `parse::unicode` has judged the characters; this file only reports.

use super::report;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct StrayIgnorable;

static INFO: RuleInfo = RuleInfo {
    name: "stray-ignorable",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "invisible characters that no text needs",
    explanation: r#"## What it does

Reports soft hyphens (U+00AD) outside a word of prose, the deprecated format characters U+206A to U+206F, code points
that Unicode reserves for invisible characters, and musical and shorthand controls far from their scripts.

## Why is this bad?

They are drawn as nothing, split words for searches and tools, and can carry data.

## Example

```text
cd src/com\u{AD}mands
```

## How to fix

Remove it; `--fix` does it. A soft hyphen between the letters of a long word of prose is left alone.
"#,
    evidence: &[Evidence {
        source: "https://www.unicode.org/Public/17.0.0/ucd/DerivedCoreProperties.txt (Default_Ignorable_Code_Point)",
        checked: "2026-11",
    }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for StrayIgnorable {
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
        found(
            &StrayIgnorable,
            &[("cd src/com\u{AD}mands\n", "warning"), ("x\u{206A} y\n", "error"), ("x \u{AD} y\n", "warning")],
        );
        mended(&StrayIgnorable, &[("x\u{206A} y\n", "x y\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&StrayIgnorable, &["Donau\u{AD}dampf\u{AD}schiff\n"]);
    }
}
