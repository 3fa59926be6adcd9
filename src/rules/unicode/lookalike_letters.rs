//! `lookalike-letters`: letters of another script that look like ASCII. The engine in `parse::unicode` has judged the characters; this file only reports.

use super::report;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct LookalikeLetters;

static INFO: RuleInfo = RuleInfo {
    name: "lookalike-letters",
    group: Group::Unicode,
    levels: &[Level::Warning, Level::Error, Level::Info],
    summary: "letters of another script that look like ASCII letters",
    explanation: r#"## What it does

Reports words that mix Latin with Cyrillic, Greek, Armenian or Cherokee letters of which every one looks like an ASCII
letter; words wholly of such letters in a file that has no others of the script; and fullwidth Latin in names. In
code, paths and URLs it is an error. Mathematical letters are info. Text in one script is left alone.

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
};

impl Rule for LookalikeLetters {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        report::check(&INFO, document, cx, findings);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, silent};
    use super::*;

    #[test]
    fn finds_at_its_level() {
        found(
            &LookalikeLetters,
            &[("See p\u{430}ypal for details\n", "warning"), ("See https://p\u{430}ypal.example/x\n", "error")],
        );
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(
            &LookalikeLetters,
            &["\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}, JSON\u{43E}\u{43C}\n", "\u{394}t is 5 \u{3BC}s\n"],
        );
    }
}
