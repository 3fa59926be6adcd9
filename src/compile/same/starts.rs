//! In which directories an agent is started to compare all: each that holds hint files, and for each of those one directory below
//! it that holds none. What an agent loads depends on the hint files of the directories above its start and, where imports and
//! links may not leave the start, on whether their targets lie in it: every other directory has both in common with one of these.

use std::collections::BTreeSet;

use super::side::TextSide;
use crate::agents::files::is_agent_folder;
use crate::agents::{Boundary, Dialect, Proof};
use crate::base::path::{self, RepoPath};

/// A directory in which an agent is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SameStart {
    /// The directory.
    pub(super) directory: Vec<u8>,
    /// The directory below which it stands for all that hold nothing.
    pub(super) stands_below: Option<RepoPath>,
}

/// Where `dialect` is started in both states.
pub(super) fn of(old: &TextSide<'_>, new: &TextSide<'_>, dialect: &'static Dialect) -> Vec<SameStart> {
    let mut own: BTreeSet<Vec<u8>> = old.scopes(dialect).into_iter().chain(new.scopes(dialect)).collect();
    if dialect.imports.is_some_and(|imports| imports.boundary == Boundary::Start) {
        let found = own.iter().flat_map(|dir| [old.found_files(dialect, dir), new.found_files(dialect, dir)]);
        let holding: BTreeSet<Vec<u8>> = found.flatten().flat_map(|file| directories_of(&file)).collect();
        own.extend(holding);
    }
    let mut starts: Vec<SameStart> =
        own.iter().map(|directory| SameStart { directory: directory.clone(), stands_below: None }).collect();
    // Below the directories of `merged` its text is that of the directory.
    if dialect.proof != Proof::Ours {
        for directory in &own {
            if let Some(below) = representative(old, new, directory, &own) {
                starts.push(SameStart { directory: below, stands_below: Some(RepoPath::new(directory)) });
            }
        }
    }
    starts
}

/// The directories that a file lies in, as far as an agent may be started there: nobody does that in a folder of agents' files.
fn directories_of(file: &[u8]) -> Vec<Vec<u8>> {
    let above = path::ancestors_from_root(path::parent(file)).into_iter().skip(1);
    above.take_while(|dir| !is_agent_folder(path::file_name(dir))).map(<[u8]>::to_vec).collect()
}

/// The first directory in `directory` that is none of `own`: one of both states if there is such, then a visible one.
fn representative(
    old: &TextSide<'_>,
    new: &TextSide<'_>,
    directory: &[u8],
    own: &BTreeSet<Vec<u8>>,
) -> Option<Vec<u8>> {
    let children = |side: &TextSide<'_>| -> BTreeSet<Vec<u8>> {
        let workspace = side.state.workspace;
        let children = workspace.listing.children(directory).into_iter();
        let folders = children.filter(|(name, kind)| kind.is_none() && !is_agent_folder(name));
        let paths = folders.map(|(name, _)| path::join(directory, name));
        paths.filter(|path| !own.contains(path) && !workspace.is_git(path)).collect()
    };
    let (before, after) = (children(old), children(new));
    let is_in_both = |dir: &Vec<u8>| before.contains(dir) && after.contains(dir);
    before.union(&after).min_by_key(|dir| (!is_in_both(dir), path::file_name(dir).starts_with(b"."))).cloned()
}
