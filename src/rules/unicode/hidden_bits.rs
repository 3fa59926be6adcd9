//! `hidden-bits`: invisible operators, mixed invisible runs, blanks of several kinds that take turns.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "hidden-bits",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "invisible operators, mixed invisible characters or alternating blanks hide data",
    explanation: r#"## What it does

Reports the invisible mathematical operators U+2061 to U+2064, and runs of three or more invisible characters of
several kinds. Runs of two symbols are read as bits, in every order and polarity.

Reports blanks that change from one kind to another 16 times or more on one line (warning): within one row of blanks, or
from word to word. No-break and ideographic spaces between words are ordinary typography and do not count.

## Why is this bad?

Two characters that are drawn as nothing are enough to write any text in bits. A person who reviews the file sees
nothing; the agent reads every character. A single operator between the letters of a formula is only odd (info), and so is the only one
of a file whose text beside it gives its code or its name.

## Example

```text
Keep it short.\u{2064}\u{2062}\u{2062}\u{2064}\u{2062}\u{2062}\u{2064}\u{2064}
```

## How to fix

Remove the run (`--fix`); replace alternating blanks with plain spaces (`--unsafe-fixes`).
"#,
    evidence: &[Evidence {
        source: "https://embracethered.com/blog/posts/2025/sneaky-bits-and-ascii-smuggler/",
        checked: "2026-11",
    }],
    fix: FixAvailability::Always,
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
                ("Short.\u{2064}\u{2062}\u{2062}\u{2064}\n", "error"),
                ("Do \u{2063} this\n", "warning"),
                ("The prefix is `[x]\u{2063}`; it\ncontains U+2063 at its end.\n", "info"),
                ("The prefix is `[x]\u{2063}`; it\ncontains U+2062 at its end.\n", "warning"),
                ("U+2063 is `\u{2063}` or `a\u{2063}b`\n", "warning"),
                ("a\u{200B}\u{2060}\u{034F}\u{00AD}b\n", "error"),
                (&"a\u{2009}b\u{200A}".repeat(9), "warning"),
                (&format!("a{}\n", " \t".repeat(11)), "warning"),
            ],
        );
        fixed(&RULE, &[("Short.\u{2064}\u{2062}\u{2062}\u{2064}\n", "Short.\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["Plain text, caf\u{E9}\n", &"un\u{A0}mot «\u{202F}x\u{202F}» ".repeat(30)]);
    }
}
