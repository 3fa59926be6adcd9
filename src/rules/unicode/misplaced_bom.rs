//! `misplaced-bom`: a byte order mark inside the file. The engine in `parse::unicode` has judged the characters; this file only reports.

use super::report;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct MisplacedBom;

static INFO: RuleInfo = RuleInfo {
    name: "misplaced-bom",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Info],
    summary: "a byte order mark stands inside the file",
    explanation: r#"## What it does

Reports U+FEFF anywhere but at the first byte. One at the first byte is mentioned at level info, because some loaders
then miss the frontmatter.

## Why is this bad?

Inside a text it is an invisible character without meaning: it splits words and can carry data.

## Example

```text
Never push to ma\u{FEFF}in.
```

## How to fix

Remove it; `--fix` does it. The one at the first byte is kept.
"#,
    evidence: &[Evidence { source: "https://www.unicode.org/faq/utf_bom.html", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

impl Rule for MisplacedBom {
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
            &MisplacedBom,
            &[
                ("Never push to ma\u{FEFF}in.\n", "error"),
                ("\u{FEFF}\u{FEFF}Two.\n", "error"),
                ("\u{FEFF}One.\n", "info"),
            ],
        );
        mended(&MisplacedBom, &[("\u{FEFF}a\u{FEFF}b\r\n", "\u{FEFF}ab\r\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&MisplacedBom, &["None.\n"]);
    }
}
