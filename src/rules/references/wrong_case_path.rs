//! A path that exists only if upper and lower case are not told apart.

use super::{MEASURED, applies, replace, shown};
use crate::finding::{Applicability, Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::mentions::{Form, Place};

const INFO: RuleInfo = RuleInfo {
    name: "wrong-case-path",
    group: Group::References,
    levels: &[Level::Warning],
    summary: "a path differs from the file's name in upper and lower case",
    explanation: "\
## What it does
Reports paths in code spans and links that name a tracked file, but for upper and lower case.

## Why is this bad?
The path works on macOS and Windows and is missing on Linux, in CI and in containers, where agents run.

## Example
```markdown
Use `.github/PULL_REQUEST_TEMPLATE.md` when preparing a pull request.
```
where the file is `.github/pull_request_template.md`.

## How to fix
Write the path as the file is spelt; `--fix` does it.
",
    evidence: &[MEASURED],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct WrongCasePath;

impl Rule for WrongCasePath {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if !applies(document, cx.selected, INFO.name) {
            return;
        }
        for mention in cx.workspace.mentions.of(&document.path) {
            let Place::OtherCase(file) = &mention.place else { continue };
            // A lone name in lower case is as often a word for the thing as the file's name.
            if mention.form != Form::Link && !mention.path.contains('/') {
                continue;
            }
            let message = format!("`{}` is spelt {}; case counts on Linux", mention.path, shown(file));
            let finding = Finding::new(INFO.name, Level::Warning, &document.path, mention.span, message);
            let from = crate::path::RepoPath::new(file.as_bytes());
            findings.push(replace(document, mention, &from, file, Applicability::Safe, finding));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_at};

    #[test]
    fn the_tracked_spelling_is_offered() {
        let files = [".github/pull_request_template.md", "docs/Guide.md", "README.md"];
        let text =
            "`.github/PULL_REQUEST_TEMPLATE.md` [g](./docs/guide.md#x) `readme.md` `README.md` `docs/Guide.md`\n";
        let want = [
            "warning .github/PULL_REQUEST_TEMPLATE.md safe .github/pull_request_template.md",
            "warning ./docs/guide.md safe ./docs/Guide.md",
        ];
        assert_eq!(check("wrong-case-path", text, &files, &[]), want);
        let want = ["warning src/Api.ts safe src/api.ts", "warning ../docs/guide.md safe ../docs/Guide.md"];
        let text = "`src/Api.ts` `../docs/guide.md`\n";
        assert_eq!(check_at("wrong-case-path", "pkg/AGENTS.md", text, &["pkg/src/api.ts", "docs/Guide.md"], &[]), want);
    }

    #[test]
    fn a_wrong_spelling_is_wrong_whatever_the_text_says() {
        let want = ["warning docs/Plan.md safe docs/plan.md"];
        assert_eq!(
            check("wrong-case-path", "Never delete `docs/Plan.md`; if it exists, read it.\n", &["docs/plan.md"], &[]),
            want
        );
    }

    #[test]
    fn two_files_that_differ_in_case_are_both_right() {
        assert_eq!(check("wrong-case-path", "`docs/A.md` `docs/a.md`\n", &["docs/A.md", "docs/a.md"], &[]), [""; 0]);
    }
}
