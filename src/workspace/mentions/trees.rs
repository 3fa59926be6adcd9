//! Entries of drawn trees that lead nowhere. How a tree is drawn, `plain` knows.

use std::collections::BTreeSet;

use super::paths::folders_above;
use super::place::{Tried, find, is_common};
use super::stance::Stance;
use super::{Mention, MentionForm, Miss, plain, token};
use crate::base::kind::Role;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::parse::placeholder::is_placeholder;
use crate::workspace::Workspace;

/// The entries of a tree that are not there, if the tree shows this repository: at least one of its files is there. What hangs
/// below a folder that is gone need not be told.
pub(super) fn in_tree(workspace: &Workspace, document: &Document, tree: &[plain::DrawnEntry]) -> Vec<Mention> {
    let dir = document.path.parent();
    if is_of_any_project(tree) {
        return Vec::new();
    }
    let is_rootless = tree.first().is_some_and(|first| first.depth > 0);
    let is_below = is_below_a_folder(workspace, dir, tree);
    let shown = if is_rootless { shown_folders(workspace, document, tree) } else { Vec::new() };
    let tries = |entry: &plain::DrawnEntry| {
        let paths =
            readings(entry, is_rootless || is_below, &shown).into_iter().filter(|path| token::in_code(path).is_some());
        paths.map(|path| find(workspace, dir, &path, false, &[])).collect::<Vec<_>>()
    };
    let (mut files_there, mut folders_there) = (0, 0);
    let mut gone: Option<usize> = None;
    let mut found = Vec::new();
    let mut drawn_files: BTreeSet<RepoPath> = BTreeSet::new();
    for (index, entry) in tree.iter().enumerate() {
        if gone.is_some_and(|depth| entry.depth > depth) {
            continue;
        }
        gone = None;
        let tried = tries(entry);
        drawn_files.extend(tried.iter().filter_map(file_found));
        if tried.iter().any(|tried| matches!(tried, Tried::Found(_) | Tried::Unknown)) {
            let tells = entry.depth > 0 && !is_everywhere(&entry.path);
            files_there += usize::from(tells && !entry.directory);
            folders_there += usize::from(tells && entry.directory);
            continue;
        }
        let candidates = absent(tried);
        if candidates.is_empty()
            || begins_a_drawing(is_rootless, index, entry)
            || !entry.directory && !may_be_missed(&entry.path, tree)
            || is_in_the_folder_told(workspace, document, entry, &candidates)
        {
            continue;
        }
        gone = entry.directory.then_some(entry.depth);
        found.push(of_entry(workspace, document, entry, candidates));
    }
    let there = files_there + folders_there;
    let root = tree.first().filter(|root| !is_rootless && root.directory && root.path.contains('/'));
    let is_own = |root: &plain::DrawnEntry| root.depth == 0 && path::file_name(dir) == root.path.as_bytes();
    let root_stands = |root: &plain::DrawnEntry| tries(root).iter().any(|tried| matches!(tried, Tried::Found(_)));
    // The hint file of a folder draws that folder.
    let is_of_folder = root.is_some_and(root_stands) || !is_rootless && tree.first().is_some_and(is_own);
    // A rule draws beside the files that are there others that might be.
    let is_rule = document.kind.role() == Some(Role::Rule);
    let part = if is_of_folder { 1 } else { 2 + usize::from(is_rule) };
    claim_folders(workspace, &mut found, (files_there, folders_there), stands_for_any(tree));
    claim_absent(workspace, &mut found, files_there, files_there / part);
    claim_moved(workspace, &mut found, &drawn_files, there);
    // Without a root that is there, most entries must be.
    let least = if is_rootless && shown.is_empty() { found.len() + 1 } else { 1 };
    if there < least {
        // Nothing but history can tell that the drawing of a folder of which nothing is left shows this repository.
        let root = tree.first().filter(|root| !is_rootless && root.depth == 0 && root.directory);
        return if root.is_some_and(root_stands) { left_to_history(found) } else { Vec::new() };
    }
    found
}

/// Whether the root of a drawing has a name to fill in: it shows how any project looks.
fn is_of_any_project(tree: &[plain::DrawnEntry]) -> bool {
    tree.first().is_some_and(|root| root.depth == 0 && root.directory && is_placeholder(&root.path))
}

/// Whether an entry of a drawing is a file that may be missed, and none of any number.
fn may_be_missed(path: &str, tree: &[plain::DrawnEntry]) -> bool {
    token::may_have_been(path) && !is_numbered(path, tree)
}

/// Whether what stands behind an entry names a folder, below the drawn one, that holds the file: "`a.ts` (in `search/`)".
fn is_in_the_folder_told(
    workspace: &Workspace,
    document: &Document,
    entry: &plain::DrawnEntry,
    candidates: &[RepoPath],
) -> bool {
    let behind = document.text[entry.span.end..].lines().next().unwrap_or_default();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
    let folders = behind.split(|c: char| !is_part(c)).filter_map(|word| word.strip_suffix('/'));
    folders.filter(|folder| !folder.is_empty()).any(|folder| {
        let inside = |path: &RepoPath| path::join(&path::join(path.parent(), folder.as_bytes()), path.file_name());
        candidates.iter().any(|path| workspace.listing.contains(&inside(path)))
    })
}

/// Whether the root of a drawing is a folder that stands: what is drawn below it is no path from the root of the repository.
fn is_below_a_folder(workspace: &Workspace, dir: &[u8], tree: &[plain::DrawnEntry]) -> bool {
    let root = tree.first().filter(|first| first.depth == 0 && first.directory);
    let root = root.filter(|root| root.path.contains(char::is_alphanumeric));
    root.is_some_and(|root| workspace.listing.has_dir(&path::join(dir, root.path.as_bytes())))
}

/// The mentions of which nothing but history can tell that they are meant.
fn left_to_history(mut found: Vec<Mention>) -> Vec<Mention> {
    found.retain(|mention| !mention.hedged && !mention.denied && mention.path.contains('/'));
    found.iter_mut().for_each(|mention| (mention.claimed, mention.relied_on) = (false, false));
    found
}

/// The mention of an entry that is not there.
fn of_entry(
    workspace: &Workspace,
    document: &Document,
    entry: &plain::DrawnEntry,
    candidates: Vec<RepoPath>,
) -> Mention {
    let form = if entry.directory { MentionForm::Directory } else { MentionForm::File };
    let path = path_in_repository(workspace, entry, &candidates);
    let place = Miss::Absent { candidates, near: None };
    Mention {
        // A skill, a command or a subagent draws how a project may look.
        hedged: entry.stance == Stance::Hedges || document.kind.is_general(),
        denied: entry.stance == Stance::Denies,
        verbatim: false,
        ..Mention::new(form, entry.span, path, place)
    }
}

fn file_found(tried: &Tried) -> Option<RepoPath> {
    match tried {
        Tried::Found(file) => file.clone(),
        _ => None,
    }
}

/// What all readings of an entry miss.
fn absent(tried: Vec<Tried>) -> Vec<RepoPath> {
    let of_one = |tried| match tried {
        Tried::Absent(candidates) => candidates,
        _ => Vec::new(),
    };
    tried.into_iter().flat_map(of_one).collect()
}

/// Files of a drawing that are there, at least, before it counts as one of this repository as it is.
const MIN_THERE: usize = 4;

/// Claim the absent files of a drawing of which most files are there, if at most `most` are not: it means those, too. A drawing of one
/// folder that is there means it even if half of its files are not.
fn claim_absent(workspace: &Workspace, found: &mut [Mention], files_there: usize, most: usize) {
    let is_file = |mention: &Mention| mention.form == MentionForm::File;
    let files_absent = found.iter().filter(|mention| is_file(mention) && !mention.denied).count();
    if files_there < MIN_THERE || files_absent > most {
        return;
    }
    for mention in found.iter_mut().filter(|mention| is_file(mention) && !mention.denied) {
        let Miss::Absent { candidates, .. } = &mention.place else { continue };
        let stands = candidates.iter().any(|candidate| workspace.listing.has_dir(candidate.parent()));
        let may_be_meant = !mention.hedged && !token::is_personal(&mention.path) && token::is_plausible(&mention.path);
        mention.claimed = stands && mention.path.contains('/') && may_be_meant;
        mention.relied_on = mention.claimed;
    }
}

/// Files that were moved into folders below the one in which they are drawn, at least, before that one was surely divided.
const MIN_DIVIDED: usize = 2;

/// Claim an absent file of which the repository has the only one of its name elsewhere, where the drawing does not show that one, too:
/// it was moved. Most of the drawing must be there.
fn claim_moved(workspace: &Workspace, found: &mut [Mention], drawn: &BTreeSet<RepoPath>, there: usize) {
    // Where all lie below the folders in which they are drawn, these were divided since.
    let lies_below = |mention: &&Mention| {
        let Miss::Absent { candidates, .. } = &mention.place else { return false };
        let only = workspace.listing.with_name(path::file_name(mention.path.as_bytes()));
        let is_in = |folder: &[u8]| !folder.is_empty() && only.len() == 1 && path::is_at_or_below(only[0], folder);
        candidates.iter().any(|candidate| is_in(candidate.parent()))
    };
    let divided = found.iter().filter(lies_below).count();
    let is_divided = divided >= MIN_DIVIDED && found.len() - divided <= there;
    if !is_divided && (there < MIN_THERE || found.len() * 3 > there) {
        return;
    }
    for mention in found.iter_mut().filter(|mention| mention.form == MentionForm::File && !mention.denied) {
        let name = path::file_name(mention.path.as_bytes());
        let may_be_meant = !mention.hedged && !token::is_personal(&mention.path) && token::is_plausible(&mention.path);
        let [only] = workspace.listing.with_name(name)[..] else { continue };
        let is_other = drawn.contains(&RepoPath::new(only)) || discover::why_set_aside(only).is_some();
        if !may_be_meant || is_common(name) || is_other || discover::is_illustrative(only) {
            continue;
        }
        let Miss::Absent { near, .. } = &mut mention.place else { continue };
        *near = Some(RepoPath::new(only));
        mention.claimed = true;
        mention.relied_on = true;
        mention.exact = true;
    }
}

/// The same of folders, which are made where they are needed: of a drawing that shows few that are not there.
/// Those in the root are none of a drawing whose own root is that of any project.
fn claim_folders(
    workspace: &Workspace,
    found: &mut [Mention],
    (files_there, folders_there): (usize, usize),
    is_of_any: bool,
) {
    let all_there = files_there + folders_there;
    let is_folder = |mention: &Mention| mention.form == MentionForm::Directory;
    let absent = found.iter().filter(|mention| is_folder(mention)).count();
    if folders_there < MIN_THERE && all_there < MIN_THERE * 2 || absent * 3 > all_there {
        return;
    }
    for mention in found.iter_mut().filter(|mention| is_folder(mention) && !mention.denied) {
        let Miss::Absent { candidates, .. } = &mention.place else { continue };
        let stands = |candidate: &RepoPath| {
            workspace.listing.has_dir(candidate.parent()) && !(is_of_any && candidate.parent().is_empty())
        };
        let is_name = |part: &str| part.contains(char::is_alphanumeric);
        let may_be_meant = !mention.hedged && token::may_have_been_a_folder(&mention.path);
        mention.claimed = candidates.iter().any(stands) && may_be_meant && mention.path.split('/').all(is_name);
        mention.relied_on = mention.claimed;
    }
}

/// Whether the root of a drawing is called as that of any project.
fn stands_for_any(tree: &[plain::DrawnEntry]) -> bool {
    let names = ["app", "my-app", "myapp", "project", "repo", "repository", "root", "workspace"];
    tree.first().is_some_and(|root| root.depth == 0 && root.directory && names.contains(&root.path.as_str()))
}

/// The path of an entry without the drawing's root, where what is left begins in a folder of the repository.
fn path_in_repository(workspace: &Workspace, entry: &plain::DrawnEntry, candidates: &[RepoPath]) -> String {
    let stands = |candidate: &&RepoPath| {
        let is_end = entry.path.as_bytes().ends_with(candidate.as_bytes());
        is_end && !candidate.parent().is_empty() && workspace.listing.has_dir(candidate.parent())
    };
    candidates.iter().find(stands).map_or_else(|| entry.path.clone(), |found| found.to_str_lossy().into_owned())
}

/// Whether a drawing counts files of one name, `task-1.md` and `task-2.md`: they stand for any number of them.
fn is_numbered(path: &str, tree: &[plain::DrawnEntry]) -> bool {
    let counted = |path: &str| {
        let (stem, ending) = path.rsplit_once('.')?;
        let bare = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        (bare.len() < stem.len()).then(|| (bare.to_owned(), ending.to_owned()))
    };
    counted(path).is_some_and(|own| tree.iter().filter(|entry| counted(&entry.path).as_ref() == Some(&own)).count() > 1)
}

/// Whether an entry is the root of a drawing; further files in that column lie beside the folders.
fn begins_a_drawing(is_rootless: bool, index: usize, entry: &plain::DrawnEntry) -> bool {
    !is_rootless && entry.depth == 0 && (index == 0 || entry.directory)
}

/// Whether most repositories have a file or folder of this name at their top: it tells of none.
fn is_everywhere(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let names = ["package.json", "tsconfig.json", "readme.md", "src", "tests", "test", "docs", "license", ".gitignore"];
    path.split('/').count() <= 2 && names.contains(&name.to_ascii_lowercase().as_str())
}

/// The folders that introduce a drawing without a root.
fn shown_folders(workspace: &Workspace, document: &Document, tree: &[plain::DrawnEntry]) -> Vec<RepoPath> {
    let fence = tree.first().and_then(|first| document.markdown.code_at(first.span.start));
    fence.map_or_else(Vec::new, |fence| folders_above(workspace, document, Span::empty(fence.span.start)).collect())
}

/// The paths that an entry may mean. The root of a drawing is mostly called as the repository, of which the listing knows no name; a
/// drawing without a root shows the folder that introduces it, or the one of the text.
fn readings(entry: &plain::DrawnEntry, is_rootless: bool, shown: &[RepoPath]) -> Vec<String> {
    if !shown.is_empty() {
        return shown.iter().map(|folder| format!("{}/{}", folder.to_str_lossy(), entry.path)).collect();
    }
    let below = entry.path.split_once('/').map(|(_, below)| below.to_owned());
    let below = below.filter(|_| !is_rootless && entry.depth > 0);
    std::iter::once(entry.path.clone()).chain(below).collect()
}
