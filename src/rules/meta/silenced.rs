//! Which comments silence warnings about hidden characters in a whole file. No rule: reports name these comments, since what they
//! silence cannot be seen. Knows suppressions and findings.

use std::collections::BTreeMap;

use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::rules::{Group, find};
use crate::workspace::Workspace;

/// A finding that a suppression silenced; SARIF lists them.
#[derive(Clone, Debug)]
pub(crate) struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// The reason that the suppression gives.
    pub reason: String,
}

/// A comment that suppresses warnings about hidden characters in a whole file. Every format names it: nobody sees what such
/// a warning is about, and a reviewer must not have to look for the comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Silenced {
    /// The file.
    pub path: RepoPath,
    /// The line of the comment, from 1.
    pub line: usize,
    /// Number of warnings silenced.
    pub warnings: usize,
    /// The rules that warned, sorted.
    pub rules: Vec<&'static str>,
    /// The reason that the comment gives.
    pub reason: String,
}

/// The comments for whole files that silenced the warnings of group `unicode` among `suppressed`, by path and line.
pub(crate) fn silenced<'s>(workspace: &Workspace, suppressed: impl Iterator<Item = &'s Suppressed>) -> Vec<Silenced> {
    let mut found = BTreeMap::new();
    for Suppressed { finding, .. } in suppressed {
        let Some(info) = find(finding.rule).filter(|info| info.group == Group::Unicode) else { continue };
        let Some(document) = workspace.document(finding.path.as_bytes()) else { continue };
        let names = |name: &str| name == info.name || name == info.group.name() || info.aliases.contains(&name);
        let comment = document.suppressions.iter().find(|comment| {
            comment.whole_file && finding.level >= Level::Warning && comment.rules.iter().any(|(name, _)| names(name))
        });
        let Some(comment) = comment else { continue };
        let line = document.lines.line_of(comment.span.start) + 1;
        let silenced = found.entry((finding.path.clone(), line)).or_insert_with(|| Silenced {
            path: finding.path.clone(),
            line,
            warnings: 0,
            rules: Vec::new(),
            reason: comment.reason.clone(),
        });
        silenced.warnings += 1;
        if let Err(at) = silenced.rules.binary_search(&info.name) {
            silenced.rules.insert(at, info.name);
        }
    }
    found.into_values().collect()
}
