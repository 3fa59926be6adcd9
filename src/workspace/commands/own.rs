//! Which undefined commands surely mean this project: skills, prompts and agents may be written for any.

use std::collections::{BTreeMap, BTreeSet};

use super::project::ProjectManifests;
use super::{ANYWHERE, MentionedCommand, Runner};
use crate::base::kind::Role;
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Fields by which a skill says that it is handed out.
const HANDED_OUT: [&str; 8] = ["author", "homepage", "license", "metadata", "repository", "risk", "source", "version"];

/// Words of a sentence that speaks of projects of several kinds.
const OF_KINDS: [&str; 10] =
    [" if ", "depending", "detect", "e.g", "equivalent", "etc", "projects", "such as", "whichever", "| "];

/// Say of the undefined `commands` of `document` which stand beside one of this project's own, and which mean this project in any
/// case. The others of the text are `defined`, each with whether few projects define it. Commands of a toolchain that may be one of
/// several are taken out.
pub(super) fn mark(
    document: &Document,
    project: &ProjectManifests,
    defined: &BTreeMap<(Runner, String), bool>,
    commands: &mut Vec<MentionedCommand>,
) {
    let toolchains: BTreeSet<String> = commands
        .iter()
        .filter(|command| command.runner == Runner::Toolchain)
        .filter_map(|command| command.name.split(' ').next().map(str::to_owned))
        .collect();
    commands
        .retain(|command| command.runner != Runner::Toolchain || toolchains.len() == 1 && is_of_one(document, command));
    let mut unknown: BTreeMap<Runner, BTreeSet<String>> = BTreeMap::new();
    for command in commands.iter() {
        unknown.entry(command.runner).or_default().insert(command.name.clone());
    }
    let is_handed_out = || {
        let fields = document.frontmatter.as_ref();
        fields.is_some_and(|fields| HANDED_OUT.iter().any(|field| fields.get(field).is_some()))
    };
    for command in commands {
        let unknown = unknown[&command.runner].len();
        let defined = || defined.iter().filter(|((runner, _), _)| *runner == command.runner);
        // A text with many unknown targets and one known by chance is about other projects.
        command.beside_defined = defined().next().is_some();
        command.beside_own = defined().any(|(_, is_own)| *is_own) && defined().count() >= unknown;
        command.of_project = unknown == 1
            && !command.hedged
            && is_told_alone(command.runner)
            && project.is_one_in_the_root(command.runner)
            && !speaks_of_kinds(document, command)
            && !is_handed_out();
    }
}

/// Whether the line of a command that most projects have speaks of projects of several kinds: a row of a table, or the remark behind it.
fn speaks_of_kinds(document: &Document, command: &MentionedCommand) -> bool {
    let line = document.slice(document.lines.line_span(document.lines.line_of(command.span.start))).to_lowercase();
    ANYWHERE.contains(&command.name.as_str()) && OF_KINDS.iter().any(|words| line.contains(words))
}

/// Whether the one manifest of a project settles what its commands are.
fn is_told_alone(runner: Runner) -> bool {
    matches!(runner, Runner::Package | Runner::Make | Runner::Just | Runner::Task | Runner::Composer | Runner::Mise)
}

/// Lines above a command that may say of which projects it is.
const LINES_ABOVE: usize = 10;

/// Whether the text is about one kind of project where it gives the command of a toolchain: a directory's main hints, which speak
/// neither there nor right above of projects of some kind.
fn is_of_one(document: &Document, command: &MentionedCommand) -> bool {
    let at = document.lines.line_of(command.span.start);
    let line = document.slice(document.lines.line_span(at)).to_lowercase();
    let above = (at.saturating_sub(LINES_ABOVE)..at).map(|at| document.slice(document.lines.line_span(at)));
    let of_kinds = above.into_iter().any(|line| line.to_lowercase().contains("projects"));
    // A line that has the program twice compares two ways to run it.
    let program = command.name.split(' ').next().unwrap_or_default();
    let in_fence = document.markdown.fence_at(command.span.start).is_some();
    let compares = in_fence && line.split_whitespace().filter(|word| *word == program).count() > 1;
    document.kind.role() == Some(Role::Main)
        && !compares
        && !of_kinds
        && !command.hedged
        && !OF_KINDS.iter().any(|word| line.contains(word))
}

/// What a text of this project surely means, other texts of it mean as well.
pub(super) fn mark_repeated(workspace: &Workspace, told: &mut BTreeMap<RepoPath, Vec<MentionedCommand>>) {
    let mut sure: BTreeSet<(Runner, String)> = BTreeSet::new();
    for (path, commands) in told.iter() {
        let Some(document) = workspace.document(path.as_bytes()) else { continue };
        if workspace.is_of_rule_pack(document) || workspace.why_elsewhere(document).is_some() {
            continue;
        }
        let is_sure = |command: &&MentionedCommand| {
            let means_this = command.beside_own || command.of_project || !document.kind.is_general();
            !command.hedged && command.certain && command.manifest.is_none() && means_this
        };
        sure.extend(commands.iter().filter(is_sure).map(|command| (command.runner, command.name.clone())));
    }
    for command in told.values_mut().flatten().filter(|command| is_told_alone(command.runner)) {
        command.of_project |= sure.contains(&(command.runner, command.name.clone()));
    }
}
