//! `misplaced-bom`: a byte order mark inside the file.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "misplaced-bom",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Info],
    summary: "a byte order mark is inside the file",
    explanation: r#"## What it does

Reports U+FEFF anywhere but at the first byte. One at the first byte is mentioned at level info, because some loaders
then miss the frontmatter; so is one in code on a line that names it.

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
});

#[cfg(test)]
mod tests {
    use super::super::testing::{fixed, found, silent};
    use super::*;

    #[test]
    fn finds_and_fixes() {
        found(
            &RULE,
            &[
                ("Never push to ma\u{FEFF}in.\n", "error"),
                ("\u{FEFF}\u{FEFF}Two.\n", "error"),
                ("\u{FEFF}One.\n", "info"),
            ],
        );
        fixed(&RULE, &[("\u{FEFF}a\u{FEFF}b\r\n", "\u{FEFF}ab\r\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["None.\n"]);
    }
}
