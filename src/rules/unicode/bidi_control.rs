//! `bidi-control`: bidirectional controls that no right-to-left text needs.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "bidi-control",
    group: Group::Unicode,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "bidirectional controls reorder what is shown",
    explanation: r#"## What it does

Reports overrides (U+202D, U+202E) always; embeddings and isolates (U+202A to U+202C, U+2066 to U+2069) in code,
paths, URLs and frontmatter, on lines without right-to-left letters, or unbalanced; and marks (U+200E, U+200F, U+061C)
on lines that have no right-to-left letter. Unbalanced ones in right-to-left prose are warnings, and so are isolates around
left-to-right words alone where that changes their order: in a line of left-to-right text, beside other left-to-right words,
or with U+2067. Marks need right-to-left letters beside them, or a line in which every fourth letter is one. One that keeps an inner fence from closing the outer one
is an info, and so is a lone U+202A on a line of prose without right-to-left letters, in a page that no agent loads by itself (a page of a skill,
a README, `docs/`): it changes no order.

## Why is this bad?

The characters change the order in which a line is drawn, not the order in which it is read: a reviewer sees another
command than the agent (Trojan Source, CVE-2021-42574).

## Example

```text
Allow only `\u{202E}gnissim\u{2066}` hosts.
```

## How to fix

Remove the control where the line has no right-to-left letter. In right-to-left text close it on its line. `--fix`
removes marks that can have no effect; the rest is left to a person or to `--unsafe-fixes`.
"#,
    evidence: &[
        Evidence { source: "https://www.unicode.org/reports/tr9/", checked: "2026-11" },
        Evidence { source: "https://trojansource.codes/trojan-source.pdf", checked: "2026-11" },
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
        found(&RULE, &[("Allow \u{202E}gnissim hosts\n", "error"), ("Total\u{200F} 5\n", "warning")]);
        fixed(&RULE, &[("Total\u{200F} 5\n", "Total 5\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(
            &RULE,
            &[
                "\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{2066}abc def\u{2069} \u{5E2}\u{5D5}\u{5DC}\u{5DD}\n",
                "\u{5D0}\u{5D1}\u{200F} (C)\n",
            ],
        );
    }
}
