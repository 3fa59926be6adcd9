//! A path in backticks that never existed.

use super::block::list_of;
use super::finding::{or_elsewhere, replace, same_subject};
use super::git_hooks::is_git_hook;
use super::handed_out::{is_in_an_agents_folder, is_in_use, is_installed_place};
use super::meant::{has_siblings, is_agents_own, is_left_behind, is_meant, is_meant_folder, is_missed_folder};
use super::nearby::{
    Siblings, is_compiled, is_dash_for_dash, is_made_from_a_template, is_short_for_a_part, is_short_for_a_source,
    is_the_only_one_absent, names_its_source, names_what_it_tests,
};
use super::own::{
    FolderNames, is_of_a_package, is_of_own_bundle, is_own_page, is_target_of_a_link, leads_to_another_repository,
};
use super::passing::{is_made_later, is_of_a_recipe, is_of_any, is_output};
use super::verdict::{PathVerdict, ask_fates, verdict_by_end};
use super::{MEASURED, applies_to_names, lost_folder, one_machine, shown, skill_files};
use crate::agents::files;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::parse::placeholder::is_placeholder;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss, begins_with_the_checkout};

const INFO: RuleInfo = RuleInfo {
    name: "missing-path",
    group: Group::References,
    levels: &[Level::Info, Level::Warning],
    summary: "a path in backticks never existed",
    explanation: "\
## What it does
Reports paths in code spans that are not in the repository and never were, where their folder exists or the text sends the reader there (`see`, `run`): as info,
or as a warning where a hint file of this repository relies on a source file or a page as on one that is there, and its folder is, where exactly one
tracked file has that name and lies close by, where it is the only path of a list that is not there, and where the path lies
in an existing folder of an agent, such as `.claude/commands`. In a drawn tree of which most files exist, the others are reported, too; blanks may draw it as well as branches. A file of data that a script of the repository writes is left alone, and so are generated folders and what a command of the text makes (`mkdir -p`).
What a list names beside other files of a folder, and a page or script that a skill names beside its own, or behind `../`, are infos; a
page in `references` to which the skill sends its reader is a warning.
A folder is told where its list, table or drawing names others beside it that are there, and few that are not, where the text
says that something is in it (`live under src/api/`), unless it says where something is to be put, or where the text
sends the reader there: as a warning where it would lie among sources, where one source has its name by now, where it is the only one
of its list that is not there, and where the reader is told to look into it. Warnings are scripts of a skill that only
another copy of it has, its own files named by a folder in which it used to lie or misspelt, files that only another skill
beside it has, and sources that the hint file of a folder names below a folder beside it. So are files that a
drawing shows in one place and the repository has in another, and paths behind an `@`
in rules, skills and subagents, where a file of another ending is there or most paths of that spelling lead to files.
A path counts from the folder in its heading, too (in `web/src/`), where that one has the path's first folder. One letter of a folder that is wrong is a
warning. A path whose folder stands beside the one that has the only file of the name, a script that another use of `-` and `_` spells, a
folder of an agent with one wrong letter, and hooks of git beside others are warnings, too. In a rule, an `@` path with a line to itself
brings a file.
So are paths below a folder that was deleted or renamed, files of a skill under the path of its own folder or `${CLAUDE_SKILL_DIR}`, a
variable of a plugin's root without the slash behind it, and what a fence lists beside folders or files that are there. Paths that one
move explains are one finding.
Paths below what was a submodule once are left alone, as are those that an import alias of the project leads to a file, and those
of which a page that the text names says that they need not be there. In a file whose frontmatter names another repository as its
`source` or `upstream`, paths are an info. An absolute path into the home of one person, `/Users/jo/app/x.ts`, is a warning; one below `/home` or `/Volumes` only where this repository has
the file. Hint files of a Claude plugin name its files by
`${CLAUDE_PLUGIN_ROOT}`; such a path counts from the folder of the manifest,
and is reported where its own folder is there.

## Why is this bad?
A wrong path sends the agent searching. Such paths are often written from memory, by people and by agents.

## Example
```markdown
Extend the coverage in `tests/test_pytest_plugin.py`.
```
in a repository whose `tests` has no such file.

## How to fix
Correct the path; `--unsafe-fixes` writes that of the file close by.
",
    evidence: &[MEASURED],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct MissingPath;

impl Rule for MissingPath {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        let siblings = Siblings::default();
        let telling = |document: &&Document| applies_to_names(cx.workspace, document, cx.selected, INFO.name);
        for document in cx.workspace.in_focus().filter(telling).filter(|_| cx.matters(&INFO, Level::Warning)) {
            lost_folder::ask(cx, document, questions);
        }
        ask_fates(cx, &INFO, questions, |document, mention| {
            let applies = applies_to_names(cx.workspace, document, cx.selected, INFO.name);
            let is_surely_own = is_surely_own(cx.workspace, document, mention, applies);
            let is_own = is_surely_own || is_own(&siblings, cx, document, mention, applies);
            let has_near = matches!(mention.place, Miss::Absent { near: Some(_), .. });
            let level = if has_near || is_surely_own { Level::Warning } else { Level::Info };
            match mention.form {
                _ if mention.excused => None,
                MentionForm::File => (is_own || applies).then_some(level),
                MentionForm::Directory => {
                    let is_meant = applies && is_meant_folder(&siblings, cx.workspace, document, mention);
                    is_meant.then_some(Level::Warning)
                }
                _ => None,
            }
        });
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let applies = applies_to_names(cx.workspace, document, cx.selected, INFO.name);
        let (siblings, folders) = (Siblings::default(), FolderNames::default());
        let mentions = cx.workspace.mentions.of(&document.path);
        let told = mentions.iter().filter(|mention| !mention.excused);
        let of_skill: Vec<Finding> =
            told.filter_map(|mention| skill_files::check(&INFO, cx, document, mention)).collect();
        let lost: Vec<Finding> = match applies {
            true => mentions.iter().filter_map(|mention| lost_folder::told(&INFO, cx, document, mention)).collect(),
            false => Vec::new(),
        };
        let all_told = || of_skill.iter().chain(&lost);
        let is_told = |mention: &&Mention| all_told().any(|finding| finding.span == mention.span);
        let is_path =
            |mention: &&Mention| matches!(mention.form, MentionForm::File | MentionForm::Directory) && !mention.excused;
        for mention in mentions.iter().filter(is_path).filter(|mention| !is_told(mention)) {
            let is_folder = mention.form == MentionForm::Directory;
            if is_folder && !(applies && is_meant_folder(&siblings, cx.workspace, document, mention)) {
                continue;
            }
            if let Miss::Outside { inside } = &mention.place
                && (applies || inside.is_some() && is_in_use(document))
            {
                findings.push(one_machine::told(&INFO, cx, document, mention, inside.as_ref()));
            }
            let Miss::Absent { candidates, near } = &mention.place else { continue };
            // In a cut-off history the path may have existed; without history it never did.
            let never = match verdict_by_end(cx, document, mention, candidates) {
                PathVerdict::Never => true,
                PathVerdict::Unknown => cx.answers.notes.is_empty(),
                PathVerdict::Renamed { .. } | PathVerdict::Deleted { .. } | PathVerdict::Excused => false,
            };
            let is_misplaced = near.is_some() && mention.relied_on && !mention.hedged;
            let is_surely_own = is_folder || is_surely_own(cx.workspace, document, mention, applies);
            let is_own = is_surely_own || is_own(&siblings, cx, document, mention, applies);
            if is_none_of_here(&folders, cx.workspace, document, mention, candidates) {
                continue;
            }
            let Some(first) = candidates.first().filter(|_| never && (mention.claimed || is_misplaced || is_own))
            else {
                continue;
            };
            let is_page = document.kind == Kind::SkillPage && !mention.of_bundle && !cx.selected.contains(INFO.name);
            // What only this repository has under that name is none of another one.
            let is_page = is_page && !(is_misplaced && is_in_an_agents_folder(document));
            if !applies && !is_own || is_page && !siblings.stand_beside(cx.workspace, document, mention) {
                continue;
            }
            let is_short = near.as_ref().is_some_and(|near| is_short_for_a_part(mention, near));
            let is_sure = (near.is_some() || is_surely_own)
                && (!is_folder || is_missed_folder(cx.workspace, document, mention))
                && !is_of_any(mention)
                && !(mention.form == MentionForm::File && is_output(&mention.path))
                && !is_of_a_recipe(document, mention)
                && !is_short;
            let level = if is_sure { Level::Warning } else { Level::Info };
            // The file itself is not what it meant.
            let near = near.as_ref().filter(|near| **near != document.path);
            findings.push(never_there(cx.workspace, document, mention, (first, near), level));
        }
        findings.extend(of_skill.into_iter().chain(lost));
    }
}

/// Whether the text says by something else that the path is no file which this repository should have.
fn is_none_of_here<'w>(
    folders: &FolderNames<'w>,
    workspace: &'w Workspace,
    document: &Document,
    mention: &Mention,
    candidates: &[RepoPath],
) -> bool {
    // `a.handler` is a function of a module.
    mention.path.ends_with(".handler")
        || names_its_source(workspace, document, mention)
        || names_what_it_tests(workspace, document, mention)
        || is_short_for_a_source(workspace, mention)
        || is_compiled(workspace, candidates)
        || is_made_from_a_template(workspace, mention)
        || is_target_of_a_link(document, mention)
        || leads_to_another_repository(workspace, document, mention, candidates)
        || is_installed_place(workspace, document, &mention.path)
        || is_made_later(document, &mention.path)
        || begins_with_the_checkout(workspace, &mention.path)
        || is_of_a_package(folders, workspace, document, mention)
        || is_an_address(workspace, document, mention)
        || mention.form == MentionForm::Directory && is_placeholder(&mention.path)
}

/// Whether a path with a slash before it is one of the addresses that an app of Django serves.
fn is_an_address(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let first = mention.path.trim_start_matches('/').split('/').next().unwrap_or_default();
    mention.form == MentionForm::Directory
        && document.slice(mention.span).starts_with('/')
        && workspace.listing.contains(format!("{first}/urls.py").as_bytes())
}

/// Whether the text surely means a file that is part of this repository, or of what it hands out.
fn is_surely_own(workspace: &Workspace, document: &Document, mention: &Mention, applies: bool) -> bool {
    is_of_own_bundle(document, mention)
        || is_dash_for_dash(document, mention)
        || applies
            && (is_agents_own(workspace, document, mention)
                || is_meant(workspace, document, mention)
                || is_the_only_one_absent(workspace, document, mention))
}

/// Whether the text may well mean such a file: its folder and what else the text names speak for it.
fn is_own(siblings: &Siblings, cx: &Cx<'_>, document: &Document, mention: &Mention, applies: bool) -> bool {
    is_own_page(cx.workspace, document, mention)
        || is_left_behind(cx.workspace, document, mention)
        || has_siblings(siblings, cx.workspace, document, mention, applies)
}

/// A path that never was; `near` is the file that was probably meant instead of `first`.
fn never_there(
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
    (first, near): (&RepoPath, Option<&RepoPath>),
    level: Level,
) -> Finding {
    // History was asked for no other file of a name that a skill or a command has alone.
    let is_lone = document.kind.is_general() && !mention.path.contains('/');
    let past = if is_lone { "" } else { " and never was" };
    let message = format!("`{}` is no {} of this repository{past}", mention.path, noun(mention));
    let list = if level == Level::Warning && near.is_none() { list_of(document, mention.span.start) } else { None };
    let agents = near.and_then(|near| folder_of_agent(mention, near));
    let dead_folder = || match workspace.listing.has_dir(first.parent()) {
        true => first.to_str_lossy().into_owned(),
        false => format!("folder {}", String::from_utf8_lossy(first.parent())),
    };
    // A skill that lists skills of its own lacks all of them for one reason.
    let skills = mention.path.ends_with("/SKILL.md").then(|| format!("skills {}", shown(&document.path)));
    let way = near.and_then(|near| way_to(mention, near));
    let key = agents.or(skills.filter(|_| near.is_none())).or(way).or(list).unwrap_or_else(dead_folder);
    let cause = same_subject(key, &mention.path, "name no file of this repository");
    let finding = Finding::new(INFO.name, level, &document.path, mention.span, message).cause(cause);
    match near {
        // The path leads from the text's own folder; a file elsewhere may be another one.
        Some(near) if mention.exact => {
            finding.help(format!("there is {}; correct the path, or drop the mention", shown(near)))
        }
        Some(near) => {
            let finding = finding.help(format!("did you mean {}?", shown(near)));
            replace(document, mention, first, near, Applicability::Unsafe, finding)
        }
        None => finding.help(or_elsewhere(workspace, document, first, "correct the path, or drop the mention")),
    }
}

/// From which folder a path has to be moved to which other one, as a name of the cause: a build or an installer moves all of them so, or the
/// author counted them from elsewhere.
fn way_to(mention: &Mention, near: &RepoPath) -> Option<String> {
    let near = near.to_str_lossy();
    let written: Vec<&str> = mention.path.trim_start_matches("./").split('/').collect();
    let meant: Vec<&str> = near.split('/').collect();
    let common = written.iter().rev().zip(meant.iter().rev()).take_while(|(a, b)| a == b).count();
    let folders = |parts: &[&str]| parts[..parts.len() - common].join("/");
    (common > 0 && written.len() > common).then(|| format!("way {} {}", folders(&written), folders(&meant)))
}

fn noun(mention: &Mention) -> &'static str {
    if mention.form == MentionForm::Directory && !is_git_hook(&mention.path) { "folder" } else { "file" }
}

/// The folder of an agent in which the text looks for what lies in that of another one, as a name of the cause.
fn folder_of_agent(mention: &Mention, near: &RepoPath) -> Option<String> {
    let folder = mention.path.trim_start_matches("./").split('/').next()?;
    let is_moved = files::is_agent_folder(folder.as_bytes()) && !near.as_bytes().starts_with(folder.as_bytes());
    is_moved.then(|| format!("folder {folder}"))
}

#[cfg(test)]
mod tests;
