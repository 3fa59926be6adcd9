//! Rules about the paths, links and commands that a text names. What leads where was settled while loading; the rules here ask
//! what became of it, and say so.

mod block;
mod broken_link;
mod finding;
mod git_hooks;
mod handed_out;
mod lost_folder;
mod meant;
mod missing_path;
mod nearby;
mod one_machine;
mod own;
mod passing;
mod skill_files;
mod stale_command;
mod stale_path;
mod stale_version;
mod unknown_name;
mod unknown_symbol;
mod verdict;
mod wrong_case_path;

use std::collections::BTreeSet;

pub(super) use finding::tell;
use own::{is_own_link, is_template};
pub(super) use verdict::{PathVerdict, ask_fates, verdict};

use super::{Evidence, Rule};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, Miss};

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[
    &broken_link::BrokenLink,
    &missing_path::MissingPath,
    &stale_command::StaleCommand,
    &stale_path::StalePath,
    &stale_version::StaleVersion,
    &unknown_name::UnknownName,
    &unknown_symbol::UnknownSymbolRule,
    &wrong_case_path::WrongCasePath,
];

/// Where the rules' restraint comes from.
pub(super) const MEASURED: Evidence = Evidence {
    source: "hint files of 54 public repositories with their full history, judged finding by finding",
    checked: "2026-11",
};

/// Whether the rule called `name` holds `document` to this repository: not where the file describes others, unless the user
/// selected the rule.
pub(super) fn applies(
    workspace: &Workspace,
    document: &Document,
    selected: &BTreeSet<&'static str>,
    name: &str,
) -> bool {
    selected.contains(name) || workspace.why_elsewhere(document).is_none()
}

/// The same, for rules about what a text names in passing: a plan is a record of its day, and names what was there then.
pub(super) fn applies_to_names(
    workspace: &Workspace,
    document: &Document,
    selected: &BTreeSet<&'static str>,
    name: &str,
) -> bool {
    document.kind != Kind::Plan && applies(workspace, document, selected, name)
}

/// Whether the rule called `name` judges `mention`: also where the file is part of a skill that is handed out, if the mention
/// is a link to a file of that skill.
pub(super) fn applies_to_link(
    workspace: &Workspace,
    document: &Document,
    mention: &Mention,
    selected: &BTreeSet<&'static str>,
    name: &str,
) -> bool {
    // A page of a skill shows links of imaginary sites, too; one that climbs is meant.
    let is_meant = document.kind != Kind::SkillPage || mention.path.starts_with("../") || selected.contains(name);
    let is_meant = is_meant && !(is_template(document) && matches!(mention.place, Miss::Absent { .. }));
    is_meant && applies(workspace, document, selected, name) || is_own_link(workspace, document, mention)
}

/// Whether the path is that of a file that a program runs.
fn has_script_ending(path: &str) -> bool {
    let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
    matches!(
        ending,
        Some(
            "bash"
                | "cjs"
                | "dart"
                | "js"
                | "mjs"
                | "php"
                | "pl"
                | "ps1"
                | "py"
                | "R"
                | "rb"
                | "sh"
                | "ts"
                | "tsx"
                | "zsh"
        )
    )
}

pub(super) fn shown(path: &RepoPath) -> std::borrow::Cow<'_, str> {
    path.to_str_lossy()
}

#[cfg(test)]
mod absent_tests;
#[cfg(test)]
mod moved_tests;
#[cfg(test)]
mod path_tests;
#[cfg(test)]
mod recall_tests;
#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;
