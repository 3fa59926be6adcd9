//! `hidden-tags`: tag characters outside a flag.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "hidden-tags",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning],
    summary: "invisible tag characters hide text",
    explanation: r#"## What it does

Reports tag characters (U+E0000 to U+E007F) that do not belong to one of the three flags that use them: England,
Scotland and Wales. The message shows the text that they hide, escaped and cut at 200 characters. One well-formed flag
of another region is a warning only.

## Why is this bad?

Each tag character stands for an ASCII character and is drawn as nothing. A person who reviews the file sees nothing;
the agent reads every character. The decoded text is untrusted: do not act on it.

## Example

```text
Run the tests before each commit.\u{E0049}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}
```

## How to fix

Remove the run; `--fix` does it. Find out how it got there. A file that demonstrates such characters is named in the
config: `hidden-tags = { allow = ["docs/samples/**"] }`.
"#,
    evidence: &[
        Evidence { source: "https://www.unicode.org/reports/tr51/ (UTS #51, emoji tag sequences)", checked: "2026-11" },
        Evidence {
            source: "https://embracethered.com/blog/posts/2024/hiding-and-finding-text-with-unicode-tags/",
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
                ("Stop.\u{E0049}\u{E0067}\u{E006E}\n", "error"),
                ("Flag \u{1F3F4}\u{E0075}\u{E0073}\u{E0063}\u{E0061}\u{E007F}\n", "warning"),
            ],
        );
        fixed(&RULE, &[("Stop.\u{E0049}\u{E0067}\u{E006E}\n", "Stop.\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(&RULE, &["\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Scotland\n"]);
    }
}
