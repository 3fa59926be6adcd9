//! How vendored skills change between two states of a repository: which files of a skill that `skills-lock.json` names are others,
//! and whether the lock is. Pure: two states in, changes out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::run_changes::RunState;
use crate::base::path::RepoPath;
use crate::workspace::locks::LockedSkill;

/// What became of a file or of an entry of the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SkillDifference {
    /// It was not there.
    Added,
    /// It is another.
    Changed,
    /// It is not there any more.
    Removed,
}

/// A vendored skill that is different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkillChange {
    /// Its name in the lock.
    pub name: String,
    /// The folder of this copy.
    pub folder: RepoPath,
    /// What became of its entry in the lock; `None` where that is the same.
    pub lock: Option<SkillDifference>,
    /// The files that are different, below the folder.
    pub files: Vec<(RepoPath, SkillDifference)>,
}

/// The vendored skills that differ, by name and folder.
pub(crate) fn compare(before: &RunState<'_>, after: &RunState<'_>) -> Vec<SkillChange> {
    let (old, new) = (skills(before), skills(after));
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let change = |key: &(String, RepoPath)| {
        let (was, is) = (old.get(key), new.get(key));
        let lock = difference(was.map(|skill| &skill.hash), is.map(|skill| &skill.hash));
        let (before, after) = (contents(before, was), contents(after, is));
        let paths: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        let files = paths.into_iter().filter_map(|path| {
            let difference = difference(before.get(path), after.get(path))?;
            let inside = path.as_bytes().strip_prefix(key.1.as_bytes())?.strip_prefix(b"/")?;
            Some((RepoPath::new(inside), difference))
        });
        let (name, folder) = key.clone();
        let change = SkillChange { name, folder, lock, files: files.collect() };
        (change.lock.is_some() || !change.files.is_empty()).then_some(change)
    };
    keys.into_iter().filter_map(change).collect()
}

/// The skills that are locked and here.
fn skills<'s>(state: &RunState<'s>) -> BTreeMap<(String, RepoPath), &'s LockedSkill> {
    let skills = state.workspace.skills_lock.iter().flat_map(|lock| &lock.skills);
    skills.map(|skill| ((skill.name.clone(), skill.folder.clone()), skill)).collect()
}

/// The files of a skill; `None` for one that cannot be read.
fn contents(state: &RunState<'_>, skill: Option<&&LockedSkill>) -> BTreeMap<RepoPath, Option<Arc<[u8]>>> {
    let Some(skill) = skill else { return BTreeMap::new() };
    let bytes = state.source.read_many(&skill.files);
    skill.files.iter().cloned().zip(bytes.into_iter().map(Result::ok)).collect()
}

pub(super) fn difference<T: PartialEq>(before: Option<&T>, after: Option<&T>) -> Option<SkillDifference> {
    match (before, after) {
        (None, Some(_)) => Some(SkillDifference::Added),
        (Some(_), None) => Some(SkillDifference::Removed),
        (before, after) => (before != after).then_some(SkillDifference::Changed),
    }
}
