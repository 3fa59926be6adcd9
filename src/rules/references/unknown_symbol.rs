//! A function or type that a text says a source file has, and that is nowhere in the repository.

use super::finding::same_subject;
use super::{applies_to_names, shown};
use crate::base::evidence::Evidence;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};

const INFO: RuleInfo = RuleInfo {
    name: "unknown-symbol",
    group: Group::References,
    levels: &[Level::Warning],
    summary: "a function or type that a source file is said to have, and that is nowhere in the repository",
    explanation: "\
## What it does
Where a line names a source file that is there, and behind it functions, types or fields in code spans, reports those of them that neither
this file nor any other one of the repository has, in any spelling (`userId`, `user_id`), in its text or its path. Names of one word are
passed over, and so are lines that tell of the past, forbid, plan or give examples, skills, commands and subagents, which may speak of any
project, and repositories of more than 6,000 files.

## Why is this bad?
The agent looks for it, finds nothing, and writes it anew or calls what does not exist.

## Example
```markdown
- `internal/db/seed.go`: `SeedAdminUser(db, name)`
```
where the function is called `SeedSuperAdmin` by now.

## How to fix
Write the name that it has now, or drop the mention.
",
    evidence: &[Evidence { source: "hint files and sources of 90 public repositories", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct UnknownSymbolRule;

impl Rule for UnknownSymbolRule {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let Some(unknown) = cx.workspace.unknown_symbols.get(&document.path) else { return };
        if !applies_to_names(cx.workspace, document, cx.selected, INFO.name) {
            return;
        }
        for symbol in unknown {
            let (name, file) = (document.slice(symbol.span), shown(&symbol.file));
            let message = format!("`{name}` is nowhere in this repository, and {file} is said to have it");
            let cause = same_subject(format!("symbols of {file}"), name, "are nowhere in this repository");
            let finding = Finding::new(INFO.name, Level::Warning, &document.path, symbol.span, message).cause(cause);
            let finding = finding.related(&symbol.file, Span::default(), "this file is said to have it");
            findings.push(match &symbol.near {
                Some(near) => finding.help(format!("did you mean `{near}`?")).fix(
                    Applicability::Unsafe,
                    symbol.span,
                    near.as_str(),
                ),
                None => finding.help("write the name that it has now, or drop the mention"),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::warnings;

    #[test]
    fn the_name_that_is_nearly_so_is_offered() {
        let file = ("src/rows.ts", "// Rows.\n\nexport const readAllRows = 1;\n\n");
        let of = |path: &str| warnings("unknown-symbol", path, "- `src/rows.ts`: `readAllRaws()`\n", &[file], &[]);
        assert_eq!(of("AGENTS.md"), ["warning readAllRaws unsafe readAllRows"]);
        assert_eq!(of("docs/plans/2026-01-02-x.md"), [""; 0]);
    }
}
