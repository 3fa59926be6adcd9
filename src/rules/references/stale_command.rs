//! A command that runs a script, recipe or alias which the project does not define.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{replace, same_subject, tell};
use super::nearby::stands_beside_others;
use super::own::{is_own_script, is_vendored};
use super::verdict::{PathVerdict, ask_fates, is_any_name, verdict_by_end};
use super::{MEASURED, applies_to_names, has_script_ending, shown, skill_files};
use crate::agents::files;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::parse::placeholder::is_noun;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::EntryKind;
use crate::source::history::Questions;
use crate::workspace::Workspace;
use crate::workspace::commands::{MentionedCommand, Runner};
use crate::workspace::mentions::{Mention, MentionForm, Miss, begins_with_the_checkout};

const INFO: RuleInfo = RuleInfo {
    name: "stale-command",
    group: Group::References,
    levels: &[Level::Warning, Level::Info],
    summary: "a command runs a script that the project does not define",
    explanation: "\
## What it does
Reads the commands in code spans and shell fences, and reports those that run a script of `package.json` (npm, pnpm, yarn, bun),
a target of a `Makefile`, a recipe of a `justfile`, an alias of `.cargo/config.toml`, a program, example, package or feature
of `Cargo.toml` (`--bin`, `--example`, `-p`, `--features`), a service of a compose file, a module of a Python package (`python -m`), a script of `composer.json`, a task of `deno.json`, of a `Taskfile.yml` or of `mise.toml`, or a
task of `pyproject.toml` that no such file of the repository defines. The same goes for packages of a workspace (`pnpm --filter`, `yarn workspace`, `npm -w`, `turbo --filter`),
projects of nx and gradle, modules of maven, files of .NET projects, environments of tox, sessions of nox, tests and benches of cargo, tasks of a namespace of rake, and
tasks of mix that neither `mix.exs` nor a dependency brings; and for a command of a toolchain of which the repository has neither a project nor a source file. Where the command says in which folder or package it runs (`cd web &&`, `--prefix`, `-C`, `--filter`, `-w`), that one has
to define it. Also reports files that a command reads or runs, and folders that it takes or enters, if git history knows them as
deleted or renamed; scripts that it runs from a folder which is there and never had them, also those of a skill's own; files and folders of tests that a
hint file has run (`pytest`, `jest`, `vitest`, `mocha`, `phpunit`, `rspec`) and that never were; and what
stands in one fence beside other entries of a folder that are there. What may be an example,
and commands in skills and prompts that name no package, are info, unless such a text lacks only one script and the repository has one file that could define it. What programs do by
themselves, what plugins and installed programs may do, and files that define names by
computing them are left alone.

## Why is this bad?
Agents run what they are told to run. A command that fails costs a turn, and often a wrong guess.

## Example
```markdown
Run `npm run typecheck` before you commit.
```
where `package.json` calls it `check-types`.

## How to fix
Write the command as the project defines it now.
",
    evidence: &[
        MEASURED,
        Evidence { source: "https://docs.npmjs.com/cli/v11/commands/npm-run", checked: "2026-11" },
        Evidence { source: "https://just.systems/man/en/", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct StaleCommand;

impl Rule for StaleCommand {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, cx: &Cx<'_>, questions: &mut Questions) {
        ask_fates(cx, &INFO, questions, |document, mention| {
            let applies = || {
                applies_to_names(cx.workspace, document, cx.selected, INFO.name)
                    || is_own_script(cx.workspace, document, mention)
            };
            (mention.form == MentionForm::Command && applies()).then_some(Level::Error)
        });
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let applies = applies_to_names(cx.workspace, document, cx.selected, INFO.name);
        let first = findings.len();
        for mention in
            cx.workspace.mentions.of(&document.path).iter().filter(|mention| mention.form == MentionForm::Command)
        {
            let Miss::Absent { candidates, near } = &mention.place else { continue };
            if !applies && !is_own_script(cx.workspace, document, mention) {
                continue;
            }
            let verdict = verdict_by_end(cx, document, mention, candidates);
            let message = match &verdict {
                PathVerdict::Renamed { to, .. } => {
                    format!("the command names `{}`, which was renamed to {}", mention.path, shown(to))
                }
                PathVerdict::Deleted { .. } => {
                    format!("the command names `{}`, which does not exist any more", mention.path)
                }
                // The rule for paths tells which file of the skill is meant.
                PathVerdict::Never if skill_files::check(&INFO, cx, document, mention).is_some() => continue,
                PathVerdict::Never => {
                    if begins_with_the_checkout(cx.workspace, &mention.path) {
                        continue;
                    }
                    findings.extend(match near {
                        Some(near) => misplaced(document, mention, candidates, near),
                        None => never_there(cx.workspace, document, mention, candidates),
                    });
                    continue;
                }
                PathVerdict::Excused | PathVerdict::Unknown => continue,
            };
            // A file that history knows belongs to this repository, even if the text describes others.
            let is_file = has_script_ending(&mention.path) && mention.path.trim_start_matches("./").contains('/');
            let level = if mention.hedged && !is_file { Level::Info } else { Level::Warning };
            let finding = Finding::new(INFO.name, level, &document.path, mention.span, message);
            findings.push(tell(document, mention, &verdict, finding));
        }
        if applies {
            check_names(document, cx, first, findings);
        }
    }
}

/// Names of one runner that no manifest defines and a text gives, at least, before all of them have one cause.
const MANY_UNDEFINED: usize = 4;

/// What the commands of `document` name that no manifest defines. The findings from `first` on tell of their files.
fn check_names(document: &Document, cx: &Cx<'_>, first: usize, findings: &mut Vec<Finding>) {
    let told: Vec<Span> = findings[first..].iter().map(|finding| finding.span).collect();
    // A text that names many of one runner was written for another manifest.
    let mut undefined: BTreeMap<Runner, BTreeSet<&str>> = BTreeMap::new();
    for command in cx.workspace.commands.of(&document.path) {
        if command.near.is_none() && command.manifest.is_none() {
            undefined.entry(command.runner).or_default().insert(&command.name);
        }
    }
    let are_many = |runner: Runner| undefined.get(&runner).is_some_and(|names| names.len() >= MANY_UNDEFINED);
    for command in cx.workspace.commands.of(&document.path) {
        let is_any = command.name.ends_with("proj") && is_of_any(&command.name.to_lowercase());
        if is_any || told.iter().any(|span| span.overlaps(command.span)) {
            continue;
        }
        let message = match &command.manifest {
            Some(manifest) => format!("{} does not define `{}`", shown(manifest), command.name),
            None => command.runner.misses(&command.name),
        };
        let level = if is_proven(cx.workspace, document, command) { Level::Warning } else { Level::Info };
        let cause = match command.runner.needs(&command.name) {
            Some(toolchain) => same_subject(toolchain.to_owned(), &command.name, "need a project that is not here"),
            None => {
                // Scripts of one family came and went together: `build:web`, `build:docs`.
                let family = command.name.split_once(':').map_or(command.name.as_str(), |(family, _)| family);
                let key = match are_many(command.runner) {
                    true => format!("{:?} of {} {:?}", command.runner, shown(&document.path), command.manifest),
                    false => format!("{:?} {family} {:?}", command.runner, command.manifest),
                };
                same_subject(key, &command.name, "are not defined")
            }
        };
        let finding = Finding::new(INFO.name, level, &document.path, command.span, message).cause(cause);
        findings.push(match &command.near {
            Some(near) => {
                finding.help(format!("did you mean `{near}`?")).fix(Applicability::Unsafe, command.span, near.as_str())
            }
            None if command.runner == Runner::Toolchain => finding.help("write the command of this project"),
            None => finding.help("write the command as the project defines it, or define it"),
        });
    }
}

/// A file that never was where the command looks for it, and is in one other place.
fn misplaced(document: &Document, mention: &Mention, candidates: &[RepoPath], near: &RepoPath) -> Option<Finding> {
    let first =
        candidates.first().filter(|_| (mention.relied_on || mention.claimed) && !is_installed(&mention.path, near))?;
    if document.kind.is_general() && is_any_source(&mention.path) {
        return None;
    }
    let message = format!("the command names `{}`, which is not in this repository", mention.path);
    let cause = same_subject(shown(first).into_owned(), &mention.path, "name no file of this repository");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, mention.span, message).cause(cause);
    let finding = finding.help(format!("did you mean {}?", shown(near)));
    Some(replace(document, mention, first, near, Applicability::Unsafe, finding))
}

/// Whether a path is that of a source file as any project may have it: `src/api.ts`.
fn is_any_source(written: &str) -> bool {
    let parts: Vec<&str> = written.trim_start_matches("./").split('/').collect();
    matches!(*parts, ["src" | "lib" | "app", name] if is_any_name(name))
}

/// Whether a path leads into an agent's folder, to which installing this repository brings `file` with the folder that holds it.
fn is_installed(written: &str, file: &RepoPath) -> bool {
    let mut parts = written.trim_start_matches("./").split('/');
    let agent = parts.next().unwrap_or_default();
    let mut end = parts.rev().take(2).collect::<Vec<_>>();
    end.reverse();
    files::is_agent_folder(agent.as_bytes())
        && !files::is_in_agent_folder(file.as_bytes())
        && end.len() == 2
        && file.as_bytes().ends_with(end.join("/").as_bytes())
}

/// A script that never was in the folder from which the command runs it, and is nowhere else; or what other commands of the fence
/// name beside what is there.
fn never_there(
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
    candidates: &[RepoPath],
) -> Option<Finding> {
    if document.kind.is_general() && is_of_any_fence(workspace, document, mention) {
        return None;
    }
    let is_script = mention.claimed && (has_script_ending(&mention.path) || is_of_tests(&mention.path));
    let runs = is_script && (!document.kind.is_general() || is_own_script(workspace, document, mention));
    let verb = if runs { "runs" } else { "names" };
    let is_meant = runs || stands_beside_others(workspace, document, mention, candidates);
    let first = candidates.first().filter(|_| is_meant && !mention.excused && !is_of_any(&mention.path))?;
    let message = format!("the command {verb} `{}`, which is not in this repository and never was", mention.path);
    let key = format!("{} in {}", shown(&document.path), shown(&RepoPath::new(first.parent())));
    let cause = same_subject(key, &mention.path, "name no file of this repository");
    let finding = Finding::new(INFO.name, Level::Warning, &document.path, mention.span, message).cause(cause);
    Some(finding.help("correct the path, or add the file"))
}

/// Absent paths that a fence of a prompt gives beside a script, at least, before it shows commands of any project.
const MANY_ABSENT: usize = 2;

/// Whether commands of the fence around `mention` name several other folders that are not there either.
fn is_of_any_fence(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Some(fence) = document.markdown.fence_at(mention.span.start) else { return false };
    let first = |path: &str| path.trim_start_matches("./").split('/').next().unwrap_or_default().to_owned();
    let own = first(&mention.path);
    let all = workspace.mentions.of(&document.path).iter();
    let beside = all.filter(|other| other.form == MentionForm::Command && fence.span.covers(other.span));
    let absent = beside.filter(|other| matches!(other.place, Miss::Absent { .. }));
    let folders: BTreeSet<String> = absent.map(|other| first(&other.path)).filter(|folder| *folder != own).collect();
    folders.len() >= MANY_ABSENT
}

/// Whether a path is that of a folder of tests.
fn is_of_tests(written: &str) -> bool {
    written.split('/').any(|part| discover::TESTS.contains(&part))
}

/// Whether a file has the name of any of its kind: `tests/test_file.py`, `src/module.rs`.
fn is_of_any(written: &str) -> bool {
    let name = written.rsplit('/').next().unwrap_or(written);
    let stem = name.split('.').next().unwrap_or(name);
    is_noun(stem.trim_start_matches("test_").trim_end_matches("_test"))
}

/// Whether the command is this repository's, and its manifests prove that nothing defines it. Skills, prompts, agents and rules
/// about other projects give commands of projects in general; what they say counts where they name the package, where they also
/// give a command that is this project's own, or where it is the one command of theirs that the one manifest lacks.
fn is_proven(workspace: &Workspace, document: &Document, command: &MentionedCommand) -> bool {
    let certain = command.certain || matches!(command.runner, Runner::Package | Runner::Mix | Runner::Rake);
    let means_this = command.beside_own || command.of_project && !is_vendored(workspace, document);
    let is_general = || document.kind.is_general() && !means_this || workspace.is_of_rule_pack(document);
    let is_meant = !command.hedged || command.of_project;
    // What nearly every project has may be that of a submodule, where the text knows nothing that this one has.
    let is_bare =
        command.is_common() && command.manifest.is_none() && !command.beside_defined && command.near.is_none();
    let is_of_any = is_bare && workspace.listing.marked().any(|entry| entry.kind == EntryKind::Submodule);
    is_meant && !is_of_any && (command.manifest.is_some() || certain && !is_general())
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod script_tests;
