//! Paths that a text means as it means others: of the same shape, in a folder that it shortens, in a list of the files beside it or of a
//! folder that its heading names, or the only one of a list that is not there.

use std::collections::BTreeSet;

use super::block::block_around;
use super::nearby::lone_files_stand;
use super::passing::DATA;
use crate::base::kind::Role;
use crate::base::path::{self, RepoPath};
use crate::parse::Document;
use crate::workspace::Workspace;
use crate::workspace::mentions::{Mention, MentionForm, Miss, is_of_one_project};

/// Whether a hint file relies on a file of a folder of which it gives only the end: `tests/common/rows.rs` where `backend/tests/common`
/// is, and has no such file.
pub(super) fn is_in_a_shortened_folder(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { candidates, near: None } = &mention.place else { return false };
    let written = mention.path.trim_start_matches("./");
    let Some((folder, _)) = written.rsplit_once('/').filter(|(folder, _)| folder.contains('/')) else { return false };
    let ending = path::extension(written.as_bytes());
    let is_source = ending.is_some_and(|ending| !DATA.contains(&ending));
    let is_told = mention.form == MentionForm::File && mention.relied_on && !mention.hedged && !mention.to_come;
    let stands = |candidate: &RepoPath| workspace.listing.has_dir(candidate.parent());
    if !is_told || !is_source || document.kind.is_general() || candidates.iter().any(stands) {
        return false;
    }
    let end = format!("/{folder}/");
    let name = path::file_name(written.as_bytes());
    workspace.listing.with_name_in_any_case(name).is_empty()
        && workspace.listing.runs().any(|(dir, _)| memchr::memmem::find(dir, end.as_bytes()).is_some())
}

/// Paths of one shape that must be there before a text means all of them.
const MIN_SHAPED: usize = 3;

/// Whether the list or table around a path names others that differ from it in one folder alone, most of which are there:
/// `web/conf/plugin.json` beside `api/conf/plugin.json`.
pub(super) fn has_shape_of_others(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let written = mention.path.trim_start_matches("./");
    let parts: Vec<&str> = written.split('/').collect();
    let is_told = mention.form == MentionForm::File && mention.relied_on && !mention.to_come && parts.len() > 2;
    let Some(around) = block_around(document, mention.span.start).filter(|_| is_told) else { return false };
    let above = path::ancestors_from_root(document.path.parent());
    let stands = |other: &&str| above.iter().any(|dir| workspace.listing.contains(&path::join(dir, other.as_bytes())));
    let differs_at = |other: &str| {
        let others: Vec<&str> = other.split('/').collect();
        let differing: Vec<usize> = (0..parts.len()).filter(|&at| others.get(at) != Some(&parts[at])).collect();
        match (others.len() == parts.len(), &*differing) {
            (true, [only]) if only + 1 < parts.len() => Some(*only),
            _ => None,
        }
    };
    let text = document.slice(around);
    let names: BTreeSet<&str> = text.split('`').filter(|name| !name.contains([' ', '\n', '*', '<', '{'])).collect();
    (0..parts.len()).any(|at| {
        let (there, absent): (Vec<&str>, Vec<&str>) =
            names.iter().copied().filter(|name| differs_at(name) == Some(at)).partition(stands);
        there.len() >= MIN_SHAPED && (absent.len() + 1) * 2 <= there.len()
    })
}

/// Headings of lists of the files beside a hint file.
const FILES_HERE: [&str; 4] = ["files", "key files", "files here", "files in this directory"];

/// Whether the hint file of a folder lists the lone name among its files: first in an item below a heading of its own, or beside others.
pub(super) fn is_listed_beside(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let heading = document.markdown.heading_of(mention.span.start).map(|at| &document.markdown.headings[at]);
    let is_files = heading.is_some_and(|heading| FILES_HERE.contains(&heading.text.trim().to_lowercase().as_str()));
    let line = document.lines.line_span(document.lines.line_of(mention.span.start));
    let before = document.text.get(line.start..mention.span.start).unwrap_or_default();
    let is_first = matches!(before.trim_end_matches('*'), "- `" | "* `" | "| `" | "- **`" | "| **`");
    mention.form == MentionForm::File
        && document.kind.role() == Some(Role::Main)
        && !document.path.parent().is_empty()
        && is_first
        && !mention.to_come
        && is_of_one_project(&mention.path)
        && (is_files || !mention.hedged && lone_files_stand(workspace, document, mention))
}

/// Whether a hint file lists the lone name below a heading that names one folder, where others of the list lie.
pub(super) fn is_listed_below_its_folder(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let Miss::Absent { near: None, .. } = &mention.place else { return false };
    let Some(heading) = document.markdown.heading_of(mention.span.start).map(|at| &document.markdown.headings[at])
    else {
        return false;
    };
    let above = path::ancestors_from_root(document.path.parent());
    let words = heading.text.split(|c: char| c.is_whitespace() || "`()[]:,".contains(c));
    let written: BTreeSet<&str> =
        words.filter(|word| word.contains('/')).map(|word| word.trim_end_matches('/')).collect();
    let folder = |written: &str| {
        let places = above.iter().rev().filter_map(|dir| path::resolve(dir, written.as_bytes()));
        places.into_iter().find(|place| workspace.listing.has_dir(place))
    };
    let only = if written.len() == 1 { written.first().and_then(|written| folder(written)) } else { None };
    let (Some(folder), Some(around)) = (only, block_around(document, mention.span.start)) else { return false };
    let items = document.slice(around).lines().filter_map(|line| line.trim_start().strip_prefix(['-', '*', '+']));
    let names = items.filter_map(|item| item.trim_start_matches([' ', '*']).strip_prefix('`')?.split_once('`'));
    let names: BTreeSet<&str> = names
        .map(|(name, _)| name)
        .filter(|name| name.contains('.') && !name.contains(['/', '*', '<', '{', ' ']))
        .collect();
    let there = names.iter().filter(|name| workspace.listing.contains(&path::join(&folder, name.as_bytes()))).count();
    mention.form == MentionForm::File
        && !document.kind.is_general()
        && names.contains(mention.path.as_str())
        && !mention.to_come
        && !mention.hedged
        && is_of_one_project(&mention.path)
        && there > 0
        && there * 2 >= names.len()
}

/// Other paths of a list that must be there, at least, before the only one that is not there is a slip.
const MIN_THERE: usize = 3;

/// Folders above a file without which a text for any project may have the same path.
const DEEP: usize = 3;

/// Whether the list or table around a path names several others, all of which are there; in a prompt only where all of them lie deep in this
/// repository.
pub(super) fn is_the_only_one_absent(workspace: &Workspace, document: &Document, mention: &Mention) -> bool {
    let written = mention.path.trim_start_matches("./").trim_end_matches('/');
    let is_claimed = mention.claimed || mention.relied_on || mention.form == MentionForm::Directory;
    let is_told = is_claimed && !mention.hedged && !mention.to_come && written.contains('/');
    let Some(around) = block_around(document, mention.span.start).filter(|_| is_told) else { return false };
    let above = path::ancestors_from_root(document.path.parent());
    let resolved = |name: &str| above.iter().filter_map(|dir| path::resolve(dir, name.as_bytes())).collect::<Vec<_>>();
    let stands = |name: &str| {
        resolved(name).iter().any(|place| workspace.listing.contains(place) || workspace.listing.has_dir(place))
    };
    let is_path =
        |name: &&str| name.contains('/') && !name.contains([' ', '\n', '*', '<', '{', '$', '~', '@', '(', ':']);
    let spans = document.slice(around).split('`').skip(1).step_by(2).filter(is_path);
    let others: BTreeSet<&str> =
        spans.map(|name| name.trim_start_matches("./").trim_end_matches('/')).filter(|name| *name != written).collect();
    let is_deep = |name: &str| name.matches('/').count() >= DEEP;
    let is_of_here = !document.kind.is_general() || is_deep(written) && others.iter().all(|name| is_deep(name));
    let first = written.split('/').next().unwrap_or_default();
    is_of_here && others.len() >= MIN_THERE && others.iter().all(|name| stands(name)) && stands(first)
}
