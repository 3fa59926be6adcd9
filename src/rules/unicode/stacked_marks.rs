//! `stacked-marks`: more combining marks on a letter than any spelling needs.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
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

Keep the marks that the spelling needs. Marks over the limit are suggested for removal; a person must decide.
"#,
    evidence: &[Evidence {
        source: "https://www.unicode.org/reports/tr39/ (UTS #39, section 5.4)",
        checked: "2026-11",
    }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
});

#[cfg(test)]
mod tests {
    use super::super::testing::{found, silent};
    use super::*;

    #[test]
    fn finds_at_its_level() {
        found(&RULE, &[("h\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}i\n", "warning")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["Vi\u{1EC7}t Nam e\u{302}\u{301}\n"]);
    }
}
