//! `stray-ignorable`: soft hyphens out of place, deprecated and reserved invisible characters.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "stray-ignorable",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "invisible characters that no text needs",
    explanation: r#"## What it does

Reports soft hyphens (U+00AD) outside a word of prose, the deprecated format characters U+206A to U+206F, code points
that Unicode reserves for invisible characters, and musical and shorthand controls far from their scripts. One in the prose of a README
or a page of `docs/` that no agent loads is an info.

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
});

#[cfg(test)]
mod tests {
    use super::super::testing::{fixed, found, silent};
    use super::*;

    #[test]
    fn finds_and_fixes() {
        found(
            &RULE,
            &[("cd src/com\u{AD}mands\n", "warning"), ("x\u{206A} y\n", "error"), ("x \u{AD} y\n", "warning")],
        );
        fixed(&RULE, &[("x\u{206A} y\n", "x y\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["Donau\u{AD}dampf\u{AD}schiff\n"]);
    }
}
