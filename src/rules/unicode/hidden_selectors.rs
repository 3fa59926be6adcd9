//! `hidden-selectors`: variation selectors that select nothing.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "hidden-selectors",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "variation selectors that select nothing hide data",
    explanation: r#"## What it does

Reports variation selectors (U+FE00 to U+FE0F, U+E0100 to U+E01EF and the Mongolian ones) that change nothing: after a
character that has no such variant, or several in a row. Runs are decoded as bytes and as half bytes. Reports one base
that U+FE0E and U+FE0F follow at least 8 times each in a file (warning): each is right by itself, together they spell bits.

## Why is this bad?

The 256 selectors can carry any byte each, after any letter or emoji, and are drawn as nothing. A person who reviews
the file sees nothing; the agent reads every character.

## Example

```text
Use tabs.\u{FE00}\u{E0158}\u{E0155}\u{E015C}\u{E015C}\u{E015F}
```

## How to fix

Remove the run; `--fix` does it, and keeps the one selector that belongs to an emoji before it. A single selector
after a symbol that has no emoji form, before the key of a keycap, or in a code span behind the emoji to which it belongs, is
only odd (info).
"#,
    evidence: &[
        Evidence { source: "https://www.unicode.org/Public/17.0.0/ucd/StandardizedVariants.txt", checked: "2026-11" },
        Evidence {
            source: "https://paulbutler.org/2025/smuggling-arbitrary-data-through-an-emoji/",
            checked: "2026-11",
        },
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
        found(
            &RULE,
            &[
                ("Use tabs\u{E0158}\u{E0155}\u{E015C}\u{E015C}\n", "error"),
                ("\u{2211}\u{FE0F} b\n", "info"),
                ("x\u{FE0F}#\u{20E3} b\n", "info"),
                ("x\u{FE0F}# b\n", "error"),
                ("| \u{1F3D7}\u{FE0F} Plans | `-\u{FE0F}-plans` |\n", "info"),
                ("| Plans | `-\u{FE0F}-plans` |\n", "error"),
                ("<a id=\"\u{FE0F}-plans\"></a>\n", "info"),
                ("<a id=\"\u{FE0F}\u{FE0F}-plans\"></a>\n", "error"),
                ("<a id=\"x\u{FE0F}-plans\"></a>\n", "error"),
                ("Use VS16 (`x\u{FE0F}`)\n", "error"),
                ("Use none (`\u{FE0F}`)\n", "error"),
                ("Never VS16 (`\u{FE0F}`) in a column\n", "info"),
                ("| \u{1F3D7}\u{FE0F} Plans | `-\u{FE0F}\u{FE0F}-plans` |\n", "error"),
            ],
        );
        fixed(&RULE, &[("Use tabs\u{E0158}\u{E0155}\u{E015C}\n", "Use tabs\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["\u{2764}\u{FE0F} 1\u{FE0F}\u{20E3} \u{845B}\u{E0100} \u{2714}\u{FE0E}\n"]);
    }
}
