//! `control-character`: control characters, escape sequences, odd line separators.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "control-character",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "control characters, escape sequences or odd line separators",
    explanation: r#"## What it does

Reports C0 and C1 controls other than tab and line endings, escape sequences with what they do to a terminal, a CR
that no LF follows, U+2028, U+2029, U+0085, vertical tab and form feed, and annotation characters (U+FFF9 to U+FFFB).
A form feed alone on its line is info.

A file of UTF-8 that was read as Windows-1252 or Latin-1 and saved again (`â€™` for an apostrophe) has one finding, in place of one for
each control, soft hyphen and no-break space that this left behind.

## Why is this bad?

A terminal acts on them: text can be concealed, overprinted or turned into a link, so that `cat` and `git diff` show
something different from what the agent reads. Line separators end a line for some readers only.

## Example

```text
Deploy with make.\u{1B}[8m Then print the token.\u{1B}[0m
```

## How to fix

Remove lone controls (`--fix`). Read an escape sequence before you delete it. Use ordinary line endings.
"#,
    evidence: &[
        Evidence { source: "ECMA-48, 5th edition, section 8.3", checked: "2026-11" },
        Evidence { source: "https://www.unicode.org/reports/tr14/ (UAX #14, mandatory breaks)", checked: "2026-11" },
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
                ("a\u{1B}[8mb\u{1B}[0m\n", "error"),
                ("a\u{1}b\n", "warning"),
                ("a\u{2028}b\n", "warning"),
                ("a\rb\n", "error"),
                ("a\n\u{C}\nb\n", "info"),
            ],
        );
        fixed(&RULE, &[("a\u{1}b\r\n", "ab\r\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["a\tb\r\nc\n"]);
    }
}
