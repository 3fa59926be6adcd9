//! `replacement-character`: U+FFFD in the text.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "replacement-character",
    group: Group::Unicode,
    levels: &[Level::Warning, Level::Error, Level::Info],
    summary: "U+FFFD: text was lost in a conversion",
    explanation: r#"## What it does

Reports U+FFFD in the text itself. In code it is left alone; where the line names it, it is an info.

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
});

#[cfg(test)]
mod tests {
    use super::super::testing::{found, silent};
    use super::*;

    #[test]
    fn finds_at_its_level() {
        found(&RULE, &[("Written by Jos\u{FFFD} in May\n", "warning")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["`\u{FFFD}` marks it\n"]);
    }
}
