//! Paths of a sample that a skill or prompt draws: the drawing's root and files are not in this repository, and what the text says of
//! them further on it says of the sample.

use super::place::{Tried, find};
use super::{Mention, MentionForm, Miss, plain};
use crate::base::path;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Files of one text's samples, at most.
const MAX_FILES: usize = 500;

/// Drop the mentions that name a file of a sample drawn above them: alone, or by its path below the sample's root.
pub(super) fn drop(workspace: &Workspace, document: &Document, found: &mut Vec<Mention>) {
    let may_be = |mention: &Mention| {
        matches!(mention.form, MentionForm::File | MentionForm::Command) && matches!(mention.place, Miss::Absent { .. })
    };
    if !document.kind.is_general() || !found.iter().any(may_be) {
        return;
    }
    let files: Vec<plain::DrawnEntry> = plain::trees(document)
        .into_iter()
        .filter(|tree| is_sample(workspace, document, tree))
        .flat_map(|tree| tree.into_iter().filter(|entry| !entry.directory && entry.depth > 0))
        .take(MAX_FILES)
        .collect();
    let is_of_sample = |mention: &Mention| {
        let written = mention.path.trim_start_matches("./");
        files.iter().any(|file| {
            let below = file.path.split_once('/').map_or(&*file.path, |(_, below)| below);
            let name = path::file_name(below.as_bytes());
            file.span.end <= mention.span.start && (written == below || written.as_bytes() == name)
        })
    };
    found.retain(|mention| !may_be(mention) || !is_of_sample(mention));
}

/// Whether a drawing shows another project: it has a root, and neither that nor any of its files is there.
fn is_sample(workspace: &Workspace, document: &Document, tree: &[plain::DrawnEntry]) -> bool {
    let dir = document.path.parent();
    let Some(root) = tree.first().filter(|root| root.depth == 0 && root.directory && root.path != ".") else {
        return false;
    };
    let is_there = |path: &str| !matches!(find(workspace, dir, path, false, &[]), Tried::Absent(_));
    // Every skill has a file of this name.
    let tells = |entry: &&plain::DrawnEntry| !entry.directory && !entry.path.ends_with("/SKILL.md");
    let is_own = |entry: &plain::DrawnEntry| {
        is_there(&entry.path) || entry.path.split_once('/').is_some_and(|(_, below)| is_there(below))
    };
    !is_there(&root.path) && path::file_name(dir) != root.path.as_bytes() && !tree.iter().filter(tells).any(is_own)
}
