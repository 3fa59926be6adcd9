//! `unusual-space`: spaces that break a heading, a list, code or a name.

use super::report::CharacterRule;
use crate::base::finding::Level;
use crate::rules::{Evidence, FixAvailability, Group, RuleInfo};

/// The rule.
pub(super) const RULE: CharacterRule = CharacterRule(&RuleInfo {
    name: "unusual-space",
    group: Group::Unicode,
    levels: &[Level::Warning, Level::Error, Level::Info],
    summary: "a no-break or other unusual space changes what the line is",
    explanation: r#"## What it does

Reports spaces other than U+0020 right after a heading or list marker, in code between ASCII characters, and in import
lines and paths. In prose every space is left alone, and so are the no-break spaces of pasted directory trees.
One alone between quotation marks or on a line that names it, one in a plan, and one in a README or a page of `docs/` that no agent
loads, is an info, unless a shell would read it.

## Why is this bad?

After `#` or `-`, Markdown then sees neither heading nor list; a shell takes the space for a part of the word; a path
with it names no file.

## Example

```text
#\u{A0}Build
```

## How to fix

Replace it with a plain space; `--fix` does so, except in names.
"#,
    evidence: &[Evidence { source: "https://spec.commonmark.org/0.31.2/#atx-headings", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
});

#[cfg(test)]
mod tests {
    use super::super::testing::{fixed, found, silent};
    use super::*;

    #[test]
    fn finds_and_fixes() {
        found(&RULE, &[("#\u{A0}Build\n", "warning"), ("```sh\nnpm\u{A0}test\n```\n", "error")]);
        fixed(&RULE, &[("#\u{A0}Build\r\n", "# Build\r\n")]);
    }

    #[test]
    fn leaves_the_legitimate_alone() {
        silent(
            &RULE,
            &[
                "Vraiment\u{202F}? \u{AB}\u{A0}oui\u{A0}\u{BB}\n",
                "```\n\u{2502}\u{A0}\u{A0} \u{251C}\u{2500}\u{2500} src\n```\n",
            ],
        );
    }
}
