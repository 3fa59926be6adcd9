//! A path in backticks that history knows as deleted or renamed.

mod moved;

use super::block::line_names;
use super::finding::tell;
use super::handed_out::{is_in_an_agents_folder, is_installed_place};
use super::nearby::{lone_folders_stand, names_its_source};
use super::own::{is_log, is_own_past, may_be_own_past};
use super::passing::{
    WORKING, goes_in, holds_work, is_looked_for, is_made_here, is_of_a_tool, is_of_an_agent, is_of_one_task, is_queue,
};
use super::verdict::{ChanceDrawings, PathVerdict, ask_fates, is_any_name, is_made_by_each, verdict_by_end};
use super::{MEASURED, applies_to_names, shown};
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss, is_said, with_another_ending};

const INFO: RuleInfo = RuleInfo {
    name: "stale-path",
    group: Group::References,
    levels: &[Level::Error, Level::Warning, Level::Info],
    summary: "a path in backticks was deleted or renamed",
    explanation: "\
## What it does
Reports paths in code spans that do not exist any more, although git history knows them: files as errors, directories as
warnings, or as info where the text may speak of another repository, as skills, commands and subagents do unless they name the whole path from the root, and where the folder is
one for passing things, such as `plans/active`. A folder of one word is a warning where a hint file lists it beside others that are there.
A path counts as there if it exists relative to the file's folder, to any folder above it or to the root, if it ends some
tracked path, or if git ignores it. Of `src/{a,b}.ts` each path is looked up, of `docs/old/<name>.md` the folder. Text that says itself that the file is gone, must
not exist or is yet to be made, examples after *e.g.* or *Example:*, and tables of what one pull request or incident was about
are left alone, and so are plans, which are records of their day, files for other repositories, and archives. A skill that is handed out
answers for its own files, and for those that it names by a long path of this repository. A lone name in a list is looked for in the
folder that introduces the list; a name that exactly one file ever had, and none has now, is a warning, and so is any path of which the text gives only
the end, unless it names the folder in full elsewhere. Working files, such as `PLAN.md`, are an info, and so are files of one task, such as `design.md` in a folder of
`specs`, and what a command of the text makes (`mkdir -p docs/audit`).
A path that is the end of a tracked path is a warning if it was the whole path until the file was moved into another folder, and the
text does not name that folder.

Of a drawing whose root alone is there, history tells what was in it; an entry that history knows is left alone where it knows next to
nothing else of the drawing that is not there. A path that a text in a folder gives from the root counts as
deleted where it was, even if the folder has what the path begins with.
Comments in fences of code that name the file, names of folders in a sentence about the folder that holds them, folders whose names were
written in other letters, and moved files that git ignores by now are looked up, too.

## Why is this bad?
Agents believe what they read. They search for the file, fail, and guess; or they create it anew where it used to be.

## Example
```markdown
Register the tool in `src/core/tools/init.ts`.
```
after `src/core` was moved to `packages/core/src`.

## How to fix
Name the new place. Where history shows a rename, `--fix` writes it if the file moved unchanged, `--unsafe-fixes` if it was
changed on the way.
",
    evidence: &[MEASURED],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct StalePath;

impl Rule for StalePath {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        ask_fates(cx, &INFO, questions, |document, mention| {
            let applies = || applies_to_names(cx.workspace, document, cx.selected, INFO.name);
            // What else a drawing shows tells whether it is one of this repository.
            let is_graver =
                || is_listed(cx, document, mention) || document.markdown.fence_at(mention.span.start).is_some();
            let asked =
                level(document, mention).map(|level| if is_graver() { level.max(Level::Warning) } else { level });
            asked.filter(|_| applies() || mention.of_bundle || may_be_own_past(cx.workspace, document, mention))
        });
        for (_, mention) in cx.workspace.mentions.examples().filter(|_| cx.matters(&INFO, Level::Warning)) {
            questions.fates.extend(whole_path(mention));
        }
        moved::ask(cx, questions);
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let examples = cx.workspace.mentions.examples_of(&document.path);
        findings.extend(examples.iter().filter_map(|mention| example(document, mention, cx)));
        let applies = applies_to_names(cx.workspace, document, cx.selected, INFO.name);
        let mut drawings = ChanceDrawings::default();
        for mention in cx.workspace.mentions.of(&document.path) {
            findings.extend(moved::check(document, mention, cx));
            let (Some(level), Miss::Absent { candidates, .. }) = (level(document, mention), &mention.place) else {
                continue;
            };
            let verdict = verdict_by_end(cx, document, mention, candidates);
            if matches!(&verdict, PathVerdict::Renamed { to, .. }
                if to.file_name() == mention.path.as_bytes() || tells_of_it(document, mention, to))
            {
                continue;
            }
            let from = match &verdict {
                PathVerdict::Renamed { from, .. } | PathVerdict::Deleted { from, .. } => *from,
                PathVerdict::Never | PathVerdict::Excused | PathVerdict::Unknown => continue,
            };
            // A folder that comes and goes left nothing behind that would take its place.
            if mention.excused && is_folder(mention) && matches!(verdict, PathVerdict::Deleted { .. }) {
                continue;
            }
            if document.kind == Kind::Skill && names_its_source(cx.workspace, document, mention) {
                continue;
            }
            let is_installed = is_installed_place(cx.workspace, document, &mention.path);
            if is_installed && !is_in_an_agents_folder(document) {
                continue;
            }
            let is_of_bundle = mention.of_bundle && document.kind != Kind::Plan;
            if !applies && !is_of_bundle && !is_own_past(cx.workspace, document, mention, from)
                || drawings.hold(cx, document, mention)
            {
                continue;
            }
            let message = match &verdict {
                PathVerdict::Renamed { to, .. } => format!("`{}` was renamed to {}", mention.path, shown(to)),
                PathVerdict::Deleted { .. } => format!("`{}` does not exist any more", mention.path),
                PathVerdict::Never | PathVerdict::Excused | PathVerdict::Unknown => continue,
            };
            let is_end = !candidates.contains(from);
            let is_guess = is_end && is_any_name(&mention.path);
            let is_setting = is_any_name(&mention.path) && is_of_the_program(cx.workspace, mention)
                || is_made_by_each(cx.workspace, &verdict, from);
            // What a rule about any project calls a tool's own file is none of this one.
            let is_any =
                is_guess && cx.workspace.is_about_any_project(document) || is_of_any_project(document, mention);
            let level = match is_installed || is_any || is_setting {
                true => Level::Info,
                false => told_level(document, mention, (&verdict, from), is_end, level),
            };
            let level = if level == Level::Info && is_listed(cx, document, mention) { Level::Warning } else { level };
            let finding = Finding::new(INFO.name, level, &document.path, mention.span, message);
            let mut finding = tell(document, mention, &verdict, finding);
            if let Some(fix) = finding.fix.as_mut().filter(|_| is_guess || is_setting || is_end && is_folder(mention)) {
                fix.applicability = Applicability::Unsafe;
            }
            findings.push(name_beside(cx, (&verdict, from), finding));
        }
    }
}

/// Whether the line names what the file is called now: by its path, or by its name if that is another one.
fn tells_of_it(document: &Document, mention: &Mention, to: &RepoPath) -> bool {
    let old = mention.path.rsplit('/').next().unwrap_or_default();
    let is_other = old.contains('.') && to.file_name() != old.as_bytes();
    line_names(document, mention.span, to.as_bytes()) || is_other && line_names(document, mention.span, to.file_name())
}

/// `finding` about a path that is gone, with the file beside it that takes its place and ends otherwise.
fn name_beside(cx: &Cx<'_>, (verdict, from): (&PathVerdict<'_>, &RepoPath), finding: Finding) -> Finding {
    let beside = with_another_ending(&cx.workspace.listing, from.as_bytes());
    let Some(beside) = beside.filter(|_| matches!(verdict, PathVerdict::Deleted { .. })) else { return finding };
    let help = finding.help.clone().unwrap_or_default();
    finding.help(format!("{help}; did you mean {}?", shown(&beside)))
}

/// The level at which what became of a path is told, if that of its form is `level`. `is_end` says that the text gives only the end
/// of the path.
fn told_level(
    document: &Document,
    mention: &Mention,
    (verdict, from): (&PathVerdict<'_>, &RepoPath),
    is_end: bool,
    level: Level,
) -> Level {
    // Git keeps no folder that is empty: what comes and goes leaves none behind.
    let is_elsewhere = document.kind.is_general() && !is_folder_here(mention, from);
    let is_passing = is_folder(mention) && (is_elsewhere || holds_work(&mention.path));
    let is_sure = matches!(verdict, PathVerdict::Renamed { exact: true, .. }) && is_told_in_full(mention);
    let is_deep = mention.form == MentionForm::File && is_deep_here(mention, from);
    match level {
        _ if is_passing && matches!(verdict, PathVerdict::Deleted { .. }) => Level::Info,
        // Its first file makes the folder.
        _ if is_folder(mention) && matches!(verdict, PathVerdict::Deleted { .. }) && goes_in(document, mention) => {
            Level::Info
        }
        // What is left of a folder went anywhere.
        _ if is_folder(mention) && document.kind.is_general() && is_elsewhere_now(verdict) => Level::Info,
        _ if is_folder(mention) && is_queue(from) || is_log(document) || made_room(verdict) => Level::Info,
        _ if is_of_work(document, mention, verdict, is_end) => Level::Info,
        // An agent, or a prompt, looks there in any project that the prompt is used in.
        _ if document.kind.is_general() && is_folder(mention) && is_looked_for(&mention.path) => Level::Info,
        _ if is_end && is_of_one_task(from, &mention.path) => Level::Info,
        _ if is_made_here(document, &mention.path) && matches!(verdict, PathVerdict::Deleted { .. }) => Level::Info,
        // Only the end of the path tells which file is meant, and nothing that it is one of that folder.
        Level::Error if is_end && !names_its_folder(document, from) => Level::Warning,
        Level::Info if is_sure || is_deep || is_told_as_folder(document, mention) => Level::Warning,
        level => level,
    }
}

/// Whether a folder was renamed to one with which it has no name in common.
fn is_elsewhere_now(verdict: &PathVerdict<'_>) -> bool {
    let PathVerdict::Renamed { from, to, .. } = verdict else { return false };
    let parts = |path: &RepoPath| path.to_str_lossy().split('/').map(str::to_owned).collect::<Vec<_>>();
    let old = parts(from);
    !parts(to).iter().any(|part| old.contains(part))
}

/// Folders into which what is done is put away.
const ARCHIVES: [&str; 5] = ["archive", "archived", "completed", "done", "history"];

/// Whether the file was put away under a longer name, as `plan.md` is to `archive/plan-2026-05-01.md`: the next one takes its place.
fn made_room(verdict: &PathVerdict<'_>) -> bool {
    let PathVerdict::Renamed { from, to, .. } = verdict else { return false };
    let stem =
        |path: &RepoPath| String::from_utf8_lossy(path.file_name()).split('.').next().unwrap_or_default().to_owned();
    let folder = String::from_utf8_lossy(path::file_name(to.parent())).to_ascii_lowercase();
    let (old, new) = (stem(from), stem(to));
    ARCHIVES.contains(&folder.as_str()) && new.len() > old.len() && new.contains(&old)
}

/// Names that stand for the reader's own project.
const ANY_PROJECT: [&str; 6] = ["MyApp", "YourApp", "my_app", "your_app", "my-app", "your-app"];

/// Whether a lone name is one that a tool or a framework gives to a file of each project: the text is called like the tool, or tells of
/// an imaginary project.
fn is_of_any_project(document: &Document, mention: &Mention) -> bool {
    let name = mention.path.trim_start_matches("./");
    let stem = |name: &str| name.trim_start_matches('.').split('.').next().unwrap_or_default().to_lowercase();
    let about = stem(&String::from_utf8_lossy(document.path.file_name()));
    let is_setting = ["cfg", "ini", "json", "jsonc", "lock", "toml", "yaml", "yml"];
    let is_of_tool = || stem(name) == about && name.rsplit('.').next().is_some_and(|end| is_setting.contains(&end));
    let is_imaginary = || document.kind.is_general() && ANY_PROJECT.iter().any(|word| document.text.contains(word));
    mention.form == MentionForm::File && !name.contains('/') && (is_of_tool() || is_imaginary())
}

/// Folders in which a program that a repository builds has a folder or a file of its own name.
const PROGRAMS: [&str; 3] = ["bin", "cmd", "crates"];

/// Names that programs of many repositories have.
const ANY_PROGRAM: [&str; 14] = [
    "agent", "api", "app", "cli", "client", "config", "core", "daemon", "main", "server", "service", "test", "web",
    "worker",
];

/// Whether a lone name is that of the settings which a program of this repository reads in its users' projects: `acme.yaml` where
/// `cmd/acme` is.
fn is_of_the_program(workspace: &Workspace, mention: &Mention) -> bool {
    let name = mention.path.trim_start_matches("./").trim_start_matches('.');
    let Some((stem, "json" | "jsonc" | "toml" | "yaml" | "yml")) = name.rsplit_once('.') else { return false };
    let is_there = |folder: &str| {
        let files = [format!("{folder}/{stem}"), format!("{folder}/{stem}.js"), format!("{folder}/{stem}.ts")];
        workspace.listing.has_dir(files[0].as_bytes())
            || files.iter().any(|file| workspace.listing.contains(file.as_bytes()))
    };
    let is_package = || workspace.listing.contains(format!("{stem}/__init__.py").as_bytes());
    mention.form == MentionForm::File
        && stem.len() > 3
        && !ANY_PROGRAM.contains(&stem)
        && (PROGRAMS.iter().any(|folder| is_there(folder)) || is_package())
}

/// Whether the text names the folder that held `from`, by its whole path.
fn names_its_folder(document: &Document, from: &RepoPath) -> bool {
    let folder = [from.parent(), b"/"].concat();
    folder.len() > 1 && memchr::memmem::find(document.text.as_bytes(), &folder).is_some()
}

/// Whether the file lay in a folder of work: prompts write into such folders, and take away what they wrote.
fn is_of_work(document: &Document, mention: &Mention, verdict: &PathVerdict<'_>, is_end: bool) -> bool {
    let (PathVerdict::Renamed { from, .. } | PathVerdict::Deleted { from, .. }) = verdict else { return false };
    let is_taken_away = document.kind.is_general() && matches!(verdict, PathVerdict::Deleted { .. });
    (is_end || is_taken_away)
        && mention.form == MentionForm::File
        && holds_work(&String::from_utf8_lossy(from.parent()))
}

/// What an example names, as a path from the root.
fn whole_path(mention: &Mention) -> Option<RepoPath> {
    let Miss::Absent { candidates, .. } = &mention.place else { return None };
    candidates.iter().find(|candidate| is_deep_here(mention, candidate)).cloned()
}

/// An example that was a file of this repository: whoever looks it up finds nothing.
fn example(document: &Document, mention: &Mention, cx: &Cx<'_>) -> Option<Finding> {
    let path = whole_path(mention)?;
    let applies = || applies_to_names(cx.workspace, document, cx.selected, INFO.name);
    let verdict = verdict_by_end(cx, document, mention, std::slice::from_ref(&path));
    let message = match &verdict {
        _ if !applies() => return None,
        // A file that git ignores now is missed by nobody, unless it is somewhere else, and no copy for an agent.
        PathVerdict::Renamed { from, to, .. } if **from == path && !mention.illustrates() => {
            let is_moved = to.file_name() == from.file_name() && cx.workspace.listing.contains(to.as_bytes());
            let is_copied = mention.path.rsplit_once('/').is_some_and(|(folder, _)| is_of_an_agent(folder));
            (is_moved && !is_copied).then(|| format!("`{}` was moved to {}", mention.path, shown(to)))?
        }
        PathVerdict::Renamed { from, to, .. } if **from == path => {
            format!("the example `{}` was renamed to {}", mention.path, shown(to))
        }
        PathVerdict::Deleted { from, .. } if **from == path && mention.illustrates() => {
            format!("the example `{}` does not exist any more", mention.path)
        }
        _ => return None,
    };
    let level = if is_a_sample(document, mention) { Level::Info } else { Level::Warning };
    let finding = Finding::new(INFO.name, level, &document.path, mention.span, message);
    let mut finding = tell(document, mention, &verdict, finding);
    if let Some(fix) = finding.fix.as_mut() {
        fix.applicability = Applicability::Unsafe;
    }
    Some(finding)
}

/// Whether an example stands in a sample sentence, or shows what name comes of it: "`src/a.py` → `tests/test_a.py`".
fn is_a_sample(document: &Document, mention: &Mention) -> bool {
    let behind = document.text[mention.span.end..].trim_start_matches(['`', '*', ' ']);
    is_said(document, mention.span) || ["→", "->", "=>"].iter().any(|arrow| behind.starts_with(arrow))
}

/// Whether a hint file lists the folder beside others at the top of the repository, most of which are there.
fn is_listed(cx: &Cx<'_>, document: &Document, mention: &Mention) -> bool {
    is_folder(mention)
        && !mention.hedged
        && !mention.to_come
        && !document.kind.is_general()
        && !holds_work(&mention.path)
        && lone_folders_stand(cx.workspace, document, mention)
}

fn is_folder(mention: &Mention) -> bool {
    mention.form == MentionForm::Directory
}

/// Whether the path is told with its folder, so that a file which moved unchanged is surely the one that is meant.
fn is_told_in_full(mention: &Mention) -> bool {
    mention.form == MentionForm::Directory || mention.path.trim_start_matches("./").contains('/')
}

/// Folders above a file without which another project may have the same path.
const DEEP: usize = 2;

/// Whether the path, counted from the root, leads so deep that a text which hedges means this repository all the same.
fn is_deep_here(mention: &Mention, from: &RepoPath) -> bool {
    let written = mention.path.trim_start_matches("./");
    from.as_bytes() == written.as_bytes() && written.matches('/').count() >= DEEP && !holds_work(written)
}

/// Whether a prompt relies on a folder by its whole path from the root of this repository.
fn is_folder_here(mention: &Mention, from: &RepoPath) -> bool {
    let written = mention.path.trim_start_matches("./");
    let is_told = !mention.hedged && !mention.to_come && !is_of_a_tool(written);
    is_told && written.contains('/') && from.as_bytes() == written.as_bytes()
}

/// Whether the text says of one word with a slash that it is a folder from which something is taken: "from the `x/` directory".
fn is_told_as_folder(document: &Document, mention: &Mention) -> bool {
    let text = &document.text;
    let before = text[..mention.span.start].trim_end_matches('`').trim_end();
    let takes =
        ["from", "from the", "in the", "inside", "inside the"].iter().any(|word| before.ends_with(&format!(" {word}")));
    let after = text[mention.span.end..].trim_start_matches(['/', '`']).trim_start();
    let is_folder = ["directory", "folder"].iter().any(|word| after.starts_with(word));
    mention.form == MentionForm::Directory
        && !mention.hedged
        && !document.kind.is_general()
        && !holds_work(&mention.path)
        && takes
        && is_folder
}

/// The level at which a path is reported; `None` for what other rules report.
fn level(document: &Document, mention: &Mention) -> Option<Level> {
    match mention.form {
        MentionForm::File if WORKING.contains(&mention.path.as_str()) => Some(Level::Info),
        // Prompts show what an answer may look like.
        MentionForm::File if mention.hedged && document.kind.is_general() => Some(Level::Info),
        MentionForm::File => Some(Level::Error),
        // One word and a slash may be the place where something is to be put.
        MentionForm::Directory if mention.hedged || !mention.path.contains('/') => Some(Level::Info),
        MentionForm::Directory => Some(Level::Warning),
        MentionForm::Command | MentionForm::Link | MentionForm::Glob => None,
    }
}

#[cfg(test)]
mod tests;
