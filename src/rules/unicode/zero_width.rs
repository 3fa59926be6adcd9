//! `zero-width`: zero-width characters where no orthography puts one.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "zero-width",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "zero-width characters split words or hide data",
    explanation: r#"## What it does

Reports zero-width spaces, joiners, non-joiners and word joiners (U+200B, U+200C, U+200D, U+2060) in three or more in
a row, inside an ASCII word, path or URL, or where no script that uses them stands next to them. Persian, Arabic, the
scripts of India, Thai, Khmer and others keep theirs. One that keeps an inner fence from closing the outer one, is alone between quotation marks
or on a line that names it, is an info. One or two on a line that names the trick (`zero-width`, `invisible`, `Unicode`) are one level lower,
outside of links, URLs, imports and frontmatter. A lone zero-width space behind a word of prose, before a blank or the end of the line, is an info in a page that
no agent loads by itself: one of a skill's pages, a README or a page of `docs/`.

## Why is this bad?

A word that is split by one of them is not found by a search and is another word to a program: `rm` is not
`r\u{200B}m`. Longer runs carry data.

## Example

```text
Never run `git pu\u{200B}sh`.
```

## How to fix

Remove it; `--fix` does it where no reader can see a difference.
"#,
    evidence: &[Evidence {
        source: "https://www.unicode.org/reports/tr31/ (UAX #31, section 2.3; contexts widened by what real texts do)",
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
            &[
                ("Run git pu\u{200B}sh\n", "error"),
                ("one \u{200B} two\n", "warning"),
                ("x\u{200B}\u{200C}\u{200B}\u{200C} y\n", "error"),
            ],
        );
        fixed(
            &RULE,
            &[("Run git pu\u{200B}sh\n", "Run git push\n"), ("\u{FEFF}one\u{200B}two\r\n", "\u{FEFF}onetwo\r\n")],
        );
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(
            &RULE,
            &[
                "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}\n",
                "\u{E2A}\u{E27}\u{E31}\u{200B}\u{E2A}\u{E14}\u{E35}\n",
                "\u{915}\u{94D}\u{200D}\u{937}\n",
            ],
        );
    }
}
