//! Path patterns of rules, each in the language of the agent that reads it.

mod dead_glob;
mod invalid_glob;
mod unmatched_glob;

use super::references::{applies, ask_fates};
use super::{Cx, Rule, RuleInfo};
use crate::base::finding::Level;
use crate::source::history::Questions;
use crate::workspace::mentions::MentionForm;
#[cfg(feature = "server")]
use crate::{
    base::path::RepoPath,
    parse::{Document, patterns::PathPattern},
    workspace::Workspace,
};

/// The group's rules, by name.
pub static RULES: &[&dyn Rule] = &[&dead_glob::DeadGlob, &invalid_glob::InvalidGlob, &unmatched_glob::UnmatchedGlob];

/// Ask what became of the paths with which patterns begin. `level` is the gravest level at which the rule of `info` may report one.
fn ask_of_patterns(cx: &Cx<'_>, info: &RuleInfo, questions: &mut Questions, level: impl Fn(&str) -> Level) {
    ask_fates(cx, info, questions, |document, mention| {
        let is_reported = mention.form == MentionForm::Glob && applies(cx.workspace, document, cx.selected, info.name);
        is_reported.then(|| level(&mention.path))
    });
}

/// The files that a pattern of `document` matches, sorted; `None` for one that cannot be read.
#[cfg(feature = "server")]
pub(crate) fn matching(workspace: &Workspace, document: &Document, pattern: &PathPattern) -> Option<Vec<RepoPath>> {
    unmatched_glob::matching(&workspace.listing, document, pattern)
}
