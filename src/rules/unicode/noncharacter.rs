//! `noncharacter`: noncharacters and unassigned code points.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "noncharacter",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "noncharacters or unassigned code points",
    explanation: r#"## What it does

Reports code points that Unicode guarantees will never be characters (error) and code points without a character in
the version that hintlint knows (warning). Code points reserved for emoji are left alone. A bound of a
range in a pattern, such as `[^a-\u{FFFF}]` has in code, is an info.

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
});

#[cfg(test)]
mod tests {
    use super::super::testing::{fixed, found, silent};
    use super::*;

    #[test]
    fn finds_and_fixes() {
        found(&RULE, &[("Ends here.\u{FDD0}\n", "error"), ("Newer \u{378} than\n", "warning")]);
        fixed(&RULE, &[("Ends here.\u{FDD0}\n", "Ends here.\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["Assigned \u{377}\n"]);
    }
}
