//! A path that exists only if upper and lower case are not told apart.

use super::finding::{replace, same_subject};
use super::own::is_own_link;
use super::{MEASURED, applies_to_names, shown};
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::mentions::{Mention, MentionForm, Miss};

const INFO: RuleInfo = RuleInfo {
    name: "wrong-case-path",
    group: Group::References,
    levels: &[Level::Warning],
    summary: "a path differs from the file's name in upper and lower case",
    explanation: "\
## What it does
Reports paths in code spans and links that name a tracked file, but for upper and lower case; not where the text gives the right
spelling close by, as one that looks for a file under several names does.

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
        let applies = applies_to_names(cx.workspace, document, cx.selected, INFO.name);
        for mention in cx.workspace.mentions.of(&document.path) {
            let Miss::OtherCase(file) = &mention.place else { continue };
            if !applies && !is_own_link(cx.workspace, document, mention) {
                continue;
            }
            // Commands may make the file that they name.
            if mention.form == MentionForm::Command {
                continue;
            }
            // "app/UI composition" names two things.
            if mention.form == MentionForm::Directory && is_in_prose(document, mention) {
                continue;
            }
            // A lone name in lower case is as often a word for the thing as the file's name.
            let is_lone = mention.form != MentionForm::Link && !mention.path.contains('/');
            if is_lone && !is_in_capitals(&mention.path, file) {
                continue;
            }
            if mention.form != MentionForm::Link && is_one_of_several(document, mention, file) {
                continue;
            }
            // Other folders have files of that very name, and the text may mean those.
            if is_lone && !cx.workspace.listing.with_name(mention.path.as_bytes()).is_empty() {
                continue;
            }
            let message =
                format!("`{}` differs in case from the file {}; case matters on Linux", mention.path, shown(file));
            let cause = same_subject(misspelt_part(&mention.path, file), &mention.path, "are spelt in another case");
            let finding = Finding::new(INFO.name, Level::Warning, &document.path, mention.span, message).cause(cause);
            let from = RepoPath::new(file.as_bytes());
            findings.push(replace(document, mention, &from, file, Applicability::Safe, finding));
        }
    }
}

/// Whether two words with a slash between them stand in prose, without the marks of a path.
fn is_in_prose(document: &Document, mention: &Mention) -> bool {
    let (before, after) = (&document.text[..mention.span.start], &document.text[mention.span.end..]);
    let is_marked = before.ends_with(['`', '"', '(', '/']) || after.starts_with(['`', '/', '"']);
    mention.path.matches('/').count() == 1 && !is_marked && document.markdown.fence_at(mention.span.start).is_none()
}

/// The path of `file` up to the only folder or name that `written` spells otherwise: all paths through it have one cause. The whole path,
/// if there are several.
fn misspelt_part(written: &str, file: &RepoPath) -> String {
    let found = shown(file);
    let pairs = found.rsplit('/').zip(written.rsplit('/')).enumerate();
    let odd: Vec<usize> = pairs.filter(|(_, (right, wrong))| right != wrong).map(|(at, _)| at).collect();
    let part = |behind: usize| found.rsplitn(behind + 1, '/').last().map(str::to_owned);
    match odd[..] {
        [only] => part(only).unwrap_or_default(),
        _ => found.into_owned(),
    }
}

/// Whether a lone name in capitals is that of a page in the root that is spelt in small letters: `README.md` for `readme.md`.
fn is_in_capitals(written: &str, file: &RepoPath) -> bool {
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let found = shown(file);
    let is_upper = |stem: &str| stem.len() > 3 && stem.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    written.ends_with(".md") && is_upper(&stem(written)) && *found == *written.to_lowercase()
}

/// Lines around a mention in which another one counts as its alternative.
const NEAR_LINES: usize = 3;

/// Whether the text gives the right spelling close by, too: then it lists all the spellings that a file may have somewhere.
fn is_one_of_several(document: &Document, mention: &Mention, file: &RepoPath) -> bool {
    let line = document.lines.line_of(mention.span.start);
    let first = document.lines.line_span(line.saturating_sub(NEAR_LINES));
    let last = document.lines.line_span((line + NEAR_LINES).min(document.lines.line_of(document.text.len())));
    document.slice(Span::new(first.start, last.end)).contains(&*shown(file))
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
    fn a_folder_in_another_case_is_one_cause() {
        let part = |written: &str, file: &str| super::misspelt_part(written, &file.into());
        assert_eq!(part("../Docs/ecs/a.md", "docs/ecs/a.md"), "docs");
        assert_eq!(part("Docs/b.md", "docs/b.md"), "docs");
        assert_eq!(part("src/Api.ts", "src/api.ts"), "src/api.ts");
        assert_eq!(part("Src/Api.ts", "src/api.ts"), "src/api.ts");
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
    fn several_spellings_of_one_file_are_a_search() {
        let files = [".github/pull_request_template.md"];
        let text = "- Check `.github/PULL_REQUEST_TEMPLATE.md`\n- Check `.github/pull_request_template.md`\n";
        assert_eq!(check("wrong-case-path", text, &files, &[]), [""; 0]);
        let far = format!("{text}\n\n\n\n\n`.github/Pull_Request_Template.md`\n");
        assert_eq!(check("wrong-case-path", &far, &files, &[]).len(), 1);
    }

    #[test]
    fn a_name_that_other_folders_have_means_those() {
        let text = "Read `AGENTS.md` of the folder first.\n";
        let found = |files: &[&str]| check_at("wrong-case-path", "CLAUDE.md", text, files, &[]).len();
        assert_eq!((found(&["agents.md"]), found(&["agents.md", "app/AGENTS.md"])), (1, 0));
    }

    #[test]
    fn plans_name_what_was_there_then() {
        let text = "- `Plans/a.md`\n";
        assert_eq!(check_at("wrong-case-path", "docs/plans/b.md", text, &["docs/plans/a.md"], &[]), [""; 0]);
        assert_eq!(check_at("wrong-case-path", "docs/CLAUDE.md", text, &["docs/plans/a.md"], &[]).len(), 1);
    }

    #[test]
    fn folders_have_a_spelling_too() {
        let want = ["warning .Agent/Roles safe .agent/roles"];
        assert_eq!(
            check(
                "wrong-case-path",
                "See `.Agent/Roles/`, `Docs/`, `and/OR`.\n",
                &[".agent/roles/a.md", "docs/a.md"],
                &[]
            ),
            want
        );
    }

    #[test]
    fn two_files_that_differ_in_case_are_both_right() {
        assert_eq!(check("wrong-case-path", "`docs/A.md` `docs/a.md`\n", &["docs/A.md", "docs/a.md"], &[]), [""; 0]);
    }

    #[test]
    fn a_climbing_link_of_a_skill_that_is_handed_out() {
        let text = "---\nname: x\ndescription: y\n---\n[g](../../docs/guide.md) [h](docs/guide.md)\n";
        let files =
            [("skills/x/SKILL.md", text), ("docs/GUIDE.md", ""), (".claude-plugin/plugin.json", "{\"name\":\"x\"}")];
        let found = super::super::testing::findings("wrong-case-path", &files, &[], &[], false);
        let want = ["warning ../../docs/guide.md safe ../../docs/GUIDE.md"];
        assert_eq!(super::super::testing::show(&found, text), want);
    }
}
