//! `dead-glob`: a path pattern that begins with a folder which is gone. What is there was settled while loading; the rule asks
//! history about the rest.

use super::ask_of_patterns;
use crate::base::finding::{Finding, Level};
use crate::parse::Document;
use crate::rules::references::{MEASURED, PathVerdict, applies, shown, tell, verdict};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::mentions::{MentionForm, Miss};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "dead-glob",
    group: Group::Globs,
    levels: &[Level::Error, Level::Info],
    summary: "a path pattern begins with a folder that was deleted or renamed",
    explanation: "\
## What it does
Reports patterns in `paths`, `globs`, `applyTo`, `fileMatchPattern` and `applies_to` whose part before the first wildcard names a
folder or file that git history knows and that is not there any more. Patterns count from where their agent counts them. In a
list of which others never matched anything, it is an info: such a list is for any project.

## Why is this bad?
The rule was written for these files. They live elsewhere now, and the agent never loads it.

## Example
```yaml
paths: src/api/**/*.ts
```
after `src/api` was moved to `packages/server/src/api`.

## How to fix
Write the new folder. Where history shows a rename, `--fix` does it if everything moved unchanged, `--unsafe-fixes` otherwise.
",
    evidence: &[
        MEASURED,
        Evidence { source: "Claude Code 2.1.329, observed", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// Patterns of a file for folders that never were, at least, before those for folders that are gone prove nothing.
const MANY_NEVER: usize = 2;

/// The rule.
pub(super) struct DeadGlob;

impl Rule for DeadGlob {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        ask_of_patterns(cx, &INFO, questions, |_| Level::Error);
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if !applies(cx.workspace, document, cx.selected, INFO.name) {
            return;
        }
        let globs = || {
            let mentions = cx.workspace.mentions.of(&document.path).iter();
            mentions.filter(|mention| mention.form == MentionForm::Glob).filter_map(|mention| match &mention.place {
                Miss::Absent { candidates, .. } => Some((mention, verdict(cx, candidates))),
                _ => None,
            })
        };
        // A list of places that any project may have is for those that this one has.
        let never = globs().filter(|(_, verdict)| matches!(verdict, PathVerdict::Never)).count();
        let is_of_any = never >= MANY_NEVER;
        for (mention, verdict) in globs() {
            let message = match &verdict {
                PathVerdict::Renamed { to, .. } => {
                    format!("the pattern matches nothing: {} was renamed to {}", mention.path, shown(to))
                }
                PathVerdict::Deleted { .. } => {
                    format!("the pattern matches nothing: {} does not exist any more", mention.path)
                }
                PathVerdict::Never | PathVerdict::Excused | PathVerdict::Unknown => continue,
            };
            let level = if is_of_any { Level::Info } else { Level::Error };
            let finding = Finding::new(INFO.name, level, &document.path, mention.span, message);
            findings.push(tell(document, mention, &verdict, finding));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::INFO;
    use crate::rules::references::testing::{Past, check_at};

    const PAST: &[(&str, Past<'_>)] = &[
        ("src/api", Past::Renamed("server/api")),
        ("src/old.ts", Past::Deleted),
        ("sub/lib", Past::RenamedAndChanged("sub/core")),
        ("dist", Past::Deleted),
    ];
    const FILES: &[&str] = &["server/api/a.ts", "sub/core/b.ts", "src/kept/c.ts"];

    #[test]
    fn folders_that_went_are_reported_and_followed() {
        let text = "---\npaths:\n  - src/api/**/*.ts\n  - \"src/old.ts\"\n  - src/kept/*.ts\n  - \"*.ts\"\n  - never/**\n  - dist/**\n---\nx\n";
        let want = ["error src/api safe server/api", "error src/old.ts"];
        assert_eq!(check_at(INFO.name, ".claude/rules/r.md", text, FILES, PAST), want);
    }

    #[test]
    fn a_list_for_any_project_is_an_info() {
        let text = "---\npaths:\n  - src/old.ts\n  - never/**\n  - app/**\n---\nx\n";
        let want = ["info src/old.ts"];
        assert_eq!(check_at(INFO.name, ".claude/rules/r.md", text, FILES, PAST), want);
    }

    #[test]
    fn patterns_count_from_where_the_agent_counts() {
        let text = "---\npaths: lib/*.ts, src/api/*.ts\n---\nx\n";
        assert_eq!(check_at(INFO.name, "sub/.claude/rules/r.md", text, FILES, PAST), ["error lib unsafe core"]);
        let text = "---\nglobs: src/api/*.ts, SRC/KEPT/*.ts\nalwaysApply: false\n---\nx\n";
        let want = ["error src/api safe server/api"];
        assert_eq!(check_at(INFO.name, "sub/.cursor/rules/r.mdc", text, FILES, PAST), want);
    }
}
