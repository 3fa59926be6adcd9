//! What agents write down of a run in the folders of hint files, and git tracks all the same: locks, states of loops, work trees.

use std::collections::BTreeSet;

use crate::agents::files;
use crate::base::kind::Role;
use crate::base::path::{self, RepoPath};
use crate::source::{EntryKind, ListedPath, Probe, Source};
use crate::workspace::Workspace;

/// The tracked states of runs, by path; of a work tree its folder.
pub(super) fn collect(source: &dyn Source, workspace: &Workspace) -> Vec<RepoPath> {
    if !source.is_versioned() {
        return Vec::new();
    }
    let places: Vec<&str> = workspace.dialects().flat_map(|dialect| dialect.files.run_state).copied().collect();
    let of_run = |entry: ListedPath<'_>| places.iter().find_map(|place| state_at(entry, place));
    let found: BTreeSet<(RepoPath, RepoPath)> = workspace.listing.marked().filter_map(of_run).collect();
    let found: Vec<_> = found.into_iter().filter(|(state, _)| !is_instruction(state)).collect();
    let files: Vec<RepoPath> = found.iter().map(|(_, file)| file.clone()).collect();
    let probes = source.probe_many(&files);
    let tracked = found.into_iter().zip(probes).filter(|(_, probe)| *probe == Probe::Tracked);
    let states: BTreeSet<RepoPath> = tracked.map(|((state, _), _)| state).collect();
    states.into_iter().collect()
}

/// Whether the file holds what somebody wrote for an agent, whatever its name says.
fn is_instruction(state: &RepoPath) -> bool {
    let name = state.file_name();
    // Rules of the plugin hookify have that ending, and teams share them.
    name.starts_with(b"hookify.")
        || files::names_of(Role::Local).any(|local| name.eq_ignore_ascii_case(local.as_bytes()))
}

/// What `place` says of an entry: the state, and the entry that git is asked about. A place ends in a file's name, which may begin with
/// a star, or in a folder's star, which means what lies there and no file.
fn state_at(entry: ListedPath<'_>, place: &str) -> Option<(RepoPath, RepoPath)> {
    let (folder, name) = place.rsplit_once('/')?;
    let here = RepoPath::new(entry.path);
    if name == "*" {
        let above = path::ancestors_from_root(entry.path);
        let state = above.into_iter().find(|at| is_in(path::parent(at), folder))?;
        let is_tree = entry.kind == EntryKind::Submodule || state.len() < entry.path.len();
        return is_tree.then(|| (RepoPath::new(state), here));
    }
    let file = path::file_name(entry.path);
    let is_named = match name.strip_prefix('*') {
        Some(end) => file.len() > end.len() && file.ends_with(end.as_bytes()),
        None => file == name.as_bytes(),
    };
    (entry.kind == EntryKind::File && is_named && is_in(path::parent(entry.path), folder)).then(|| (here.clone(), here))
}

/// Whether the folder `dir` is `folder` of the root or of a folder below it.
fn is_in(dir: &[u8], folder: &str) -> bool {
    dir.strip_suffix(folder.as_bytes()).is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
}
