//! Path patterns of rules, each in the language of the agent that reads it.

mod dead_glob;
mod invalid_glob;
mod unmatched_glob;

use super::Rule;
#[cfg(feature = "server")]
use crate::{
    base::path::RepoPath,
    parse::{Document, patterns::PathPattern},
    workspace::Workspace,
};

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[&dead_glob::DeadGlob, &invalid_glob::InvalidGlob, &unmatched_glob::UnmatchedGlob];

/// The files that a pattern of `document` matches, sorted; `None` for one that cannot be read.
#[cfg(feature = "server")]
pub(crate) fn matching(workspace: &Workspace, document: &Document, pattern: &PathPattern) -> Option<Vec<RepoPath>> {
    unmatched_glob::matching(&workspace.listing, document, pattern)
}
