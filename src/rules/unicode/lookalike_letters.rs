//! `lookalike-letters`: letters of another script that look like ASCII.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "lookalike-letters",
    group: Group::Unicode,
    levels: &[Level::Warning, Level::Error, Level::Info],
    summary: "letters of another script that look like ASCII letters",
    explanation: r#"## What it does

Reports words that mix Latin with Cyrillic, Greek, Armenian or Cherokee letters of which every one looks like an ASCII
letter; words wholly of such letters in a file that has no others of the script; and fullwidth Latin in names. In
code, paths and URLs it is an error. Mathematical letters are info, and so is what stands on a line that
gives the code of each such letter; on one that names the script or the trick (`homoglyph`, `Unicode`) the level is one lower. A word wholly in Cyrillic or Greek is an info in prose if no word of the file is what it looks like,
and so is a slip in a README or a page of `docs/` that no agent loads. Text in one script is left alone.

## Why is this bad?

The word is not what it seems: another host, another command, another file.

## Example

```text
Download it from https://p\u{430}ypal.example
```

## How to fix

Write the word in ASCII letters if that is what is meant. A real word of your language goes into the config:
`lookalike-letters = { allow = ["word"] }`.
"#,
    evidence: &[Evidence {
        source: "https://www.unicode.org/reports/tr39/ (UTS #39, confusables)",
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
        found(
            &RULE,
            &[("See p\u{430}ypal for details\n", "warning"), ("See https://p\u{430}ypal.example/x\n", "error")],
        );
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(
            &RULE,
            &[
                "\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}, JSON\u{43E}\u{43C}\n",
                "\u{394}t is 5 \u{3BC}s\n",
                // A formula, and a letter that a text is about.
                "`\u{3B9}\u{1D62}` and \u{3C5}\u{2090}\n",
                "Map `\u{FF21}` to `A`\n",
            ],
        );
        found(&RULE, &[("`\u{430}\u{1D62}p`\n", "error"), ("`\u{FF4C}\u{FF53}`\n", "warning")]);
    }
}
