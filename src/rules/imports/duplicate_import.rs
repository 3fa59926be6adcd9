//! The same target imported twice by one file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::OBSERVED;
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::imports::ImportTarget;

const INFO: RuleInfo = RuleInfo {
    name: "duplicate-import",
    group: Group::Imports,
    levels: &[Level::Info],
    summary: "a file imports the same target twice",
    explanation: "\
## What it does
Reports the second import of one target in one file.

## Why is this bad?
Agents that paste imports in place load the text twice and pay for it twice; the others load it once, where the first token is.

## Example
```markdown
@docs/style.md

See also @docs/style.md.
```

## How to fix
Delete one of the two, or write the second as plain text.
",
    evidence: &[OBSERVED],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct DuplicateImport;

impl Rule for DuplicateImport {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let mut first: BTreeMap<(&RepoPath, &RepoPath), Span> = BTreeMap::new();
        for import in &cx.workspace.imports {
            let ImportTarget::File(target) = &import.target else { continue };
            match first.entry((&import.importer, target)) {
                Entry::Vacant(vacant) => {
                    vacant.insert(import.span);
                }
                Entry::Occupied(occupied) => findings.push(
                    Finding::new(
                        INFO.name,
                        Level::Info,
                        &import.importer,
                        import.span,
                        format!("{} is already imported above", target.to_str_lossy()),
                    )
                    .related(&import.importer, *occupied.get(), "first imported here")
                    .agents(import.agents.iter().copied()),
                ),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn the_second_of_two_spellings_is_reported() {
        let files = [("CLAUDE.md", "@a.md\n\n@./a.md\n"), ("a.md", "x\n")];
        assert_eq!(check("duplicate-import", &files), ["CLAUDE.md:7-14 info a.md is already imported above"]);
    }
}
