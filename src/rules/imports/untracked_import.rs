//! An import of a file that only this machine has.

use super::OBSERVED;
use crate::agents::files;
use crate::base::finding::{Cause, Finding, Level};
use crate::base::kind::Role;
use crate::base::path::RepoPath;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::imports::ImportTarget;

const INFO: RuleInfo = RuleInfo {
    name: "untracked-import",
    group: Group::Imports,
    levels: &[Level::Error, Level::Warning],
    summary: "an import names a file that is not in version control",
    explanation: "\
## What it does
Reports imports, in tracked files, of files that exist here and that git does not track. An error; a warning where a committed
ignore file excludes the target, since it then is a personal file by intent. Where the name says so, too (`CLAUDE.local.md`), nothing is
said.

## Why is this bad?
Everybody else who clones the repository has no such file, so their agents load other instructions than yours.

## Example
```markdown
@docs/new-rules.md     <!-- written, never added -->
```

## How to fix
`git add` the file, or move the import to a personal file such as `CLAUDE.local.md`.
",
    evidence: &[OBSERVED],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct UntrackedImport;

impl Rule for UntrackedImport {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for import in &cx.workspace.imports {
            let ImportTarget::NotTracked { path, ignored } = &import.target else { continue };
            if *ignored && is_personal(path) {
                continue;
            }
            let shown = path.to_str_lossy();
            let (level, message, help) = if *ignored {
                let message = format!("{shown} is ignored by git: a clone does not have it");
                (Level::Warning, message, "import it from a personal file such as CLAUDE.local.md".to_owned())
            } else {
                let message = format!("{shown} exists here and is not in git: nobody else has it");
                (Level::Error, message, format!("run `git add {shown}`"))
            };
            let cause = Cause {
                key: format!("{ignored} {}", import.importer.to_str_lossy()),
                subject: shown.clone().into_owned(),
                many: if *ignored { "are ignored by git: a clone does not have them" } else { "are not in git" },
                help: None,
            };
            findings.push(
                Finding::new(INFO.name, level, &import.importer, import.span, message)
                    .help(help)
                    .agents(import.agents.iter().copied())
                    .cause(cause),
            );
        }
    }
}

/// Whether the file is one person's by its name: everybody has another one, or none.
fn is_personal(path: &RepoPath) -> bool {
    let is_local = files::kind_of(path.as_bytes()).is_some_and(|kind| kind.role() == Some(Role::Local));
    is_local || path.file_name().split(|&byte| byte == b'.').skip(1).any(|part| matches!(part, b"local" | b"personal"))
}

#[cfg(test)]
mod tests {
    use super::is_personal;

    #[test]
    fn names_of_personal_files() {
        for (path, want) in [
            ("CLAUDE.local.md", true),
            ("docs/notes.local.md", true),
            ("local.md", false),
            ("docs/locals.md", false),
            ("CLAUDE.md", false),
        ] {
            assert_eq!(is_personal(&path.into()), want, "{path}");
        }
    }
}
