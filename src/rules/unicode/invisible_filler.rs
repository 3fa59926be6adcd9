//! `invisible-filler`: blank characters that count as letters or symbols.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "invisible-filler",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "blank characters that count as letters",
    explanation: r#"## What it does

Reports Hangul fillers (U+115F, U+1160, U+3164, U+FFA0), blank Khmer vowels (U+17B4, U+17B5), the grapheme joiner
(U+034F), the Mongolian separator (U+180E) and the blank Braille cell (U+2800) outside the sequences that need them.

## Why is this bad?

They are letters or symbols to every program, so they pass as part of a name, and blank to every reader: two names
that look alike differ.

## Example

```text
Import `config\u{3164}` from the settings.
```

## How to fix

Remove it; `--fix` does it, and puts a plain space in place of a blank Braille cell.
"#,
    evidence: &[
        Evidence {
            source: "https://www.unicode.org/Public/17.0.0/ucd/DerivedCoreProperties.txt (Default_Ignorable_Code_Point)",
            checked: "2026-11",
        },
        Evidence { source: "https://certitude.consulting/blog/en/invisible-backdoor/", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
});

#[cfg(test)]
mod tests {
    use super::super::testing::{fixed, found, silent};
    use super::*;

    #[test]
    fn finds_and_fixes() {
        found(&RULE, &[("Import config\u{3164} now\n", "error"), ("a\u{2800}b\n", "error")]);
        fixed(&RULE, &[("Import config\u{3164} now\n", "Import config now\n"), ("a \u{2800}b\n", "a  b\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["\u{1112}\u{1161}\u{11AB}\n", "\u{2801}\u{2800}\u{2803}\n"]);
    }
}
