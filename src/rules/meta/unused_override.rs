//! An `[[overrides]]` table or an `exclude` pattern that matches no file.

use crate::base::finding::{Finding, Level};
use crate::config::patterns::{matches, patterns};
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};

const INFO: RuleInfo = RuleInfo {
    name: "unused-override",
    group: Group::Meta,
    levels: &[Level::Info],
    summary: "an override in the config matches no file",
    explanation: "\
## What it does
Reports `[[overrides]]` tables whose `paths` match no file that is checked, and `exclude` patterns that match no path at all.

## Why is this bad?
The folder was probably renamed, and the exception no longer holds for what it was written for.

## Example
```toml
[[overrides]]
paths = [\"old-folder/**\"]
rules = { references = \"off\" }
```

## How to fix
Correct the pattern or delete the table.
",
    evidence: &[],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct UnusedOverride;

impl Rule for UnusedOverride {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let config = &cx.workspace.config;
        for table in &config.overrides {
            let Ok(compiled) = patterns(&table.paths) else { continue };
            let documents = cx.workspace.documents.iter().map(|document| &document.path);
            let used = documents.chain(&cx.workspace.searched).any(|path| matches(&compiled, path.as_bytes()));
            if !used {
                let message = format!("no checked file matches {}", table.paths.join(", "));
                findings.push(Finding::new(INFO.name, Level::Info, &table.file, table.span, message));
            }
        }
        let Some((path, _)) = config.origin("", "exclude") else { return };
        for (pattern, span) in &config.exclude {
            let Ok(compiled) = patterns([pattern]) else { continue };
            let negated = pattern.starts_with('!');
            if !negated && !cx.workspace.listing.iter().any(|entry| matches(&compiled, entry.path)) {
                let message = format!("`{pattern}` excludes nothing");
                findings.push(Finding::new(INFO.name, Level::Info, path, *span, message));
            }
        }
    }
}
