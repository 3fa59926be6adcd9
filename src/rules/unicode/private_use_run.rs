//! `private-use-run`: four or more private-use characters in a row.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
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
});

#[cfg(test)]
mod tests {
    use super::super::testing::{found, silent};
    use super::*;

    #[test]
    fn finds_at_its_level() {
        found(&RULE, &[("Version \u{E068}\u{E065}\u{E06C}\u{E06C}\u{E06F} now\n", "warning")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["\u{E0A0} main \u{F8FF}\n"]);
    }
}
