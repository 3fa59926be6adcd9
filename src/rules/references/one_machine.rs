//! Paths that exist on one person's machine.

use super::finding::same_subject;
use super::shown;
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::rules::{Cx, RuleInfo};
use crate::workspace::mentions::Mention;

/// The finding of the rule of `info` about a path into the home of one person.
pub(super) fn told(
    info: &RuleInfo,
    cx: &Cx<'_>,
    document: &Document,
    mention: &Mention,
    inside: Option<&RepoPath>,
) -> Finding {
    let (place, many) = match mention.path.starts_with("/Volumes/") {
        true => ("on one person's disk", "are on one person's disk"),
        false => ("in one person's home folder", "are in one person's home folder"),
    };
    let message = format!("`{}` is {place} and exists on no other machine", mention.path);
    let home = mention.path.replace('\\', "/").split('/').take(3).collect::<Vec<_>>().join("/");
    let key = format!("home {home}");
    let cause = same_subject(key, &mention.path, many);
    // The files of somebody's home are for that one machine.
    let level = if cx.workspace.is_a_home() { Level::Info } else { Level::Warning };
    let finding = Finding::new(info.name, level, &document.path, mention.span, message).cause(cause);
    finding.help(match inside {
        Some(inside) => format!("did you mean {}?", shown(inside)),
        None => "name a file of the repository, or begin the path with `~/` or a variable".to_owned(),
    })
}
