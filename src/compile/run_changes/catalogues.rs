//! Catalogues of bundles, and how the sources in them change: whoever has installed a bundle gets the code of another commit, of
//! another repository, with the next update.

use std::collections::{BTreeMap, BTreeSet};

use super::side::RunSide;
use super::{ChangedAgent, GatheredChanges, RunChange, RunDifference, RunGrade, RunSubject};
use crate::agents::Dialect;
use crate::agents::bundles::{Bundle, BundleEntry};
use crate::agents::files::ends_with;
use crate::agents::runs::{Approval, Moment, RunKind};
use crate::base::path::RepoPath;

/// Most catalogues that are compared, and entries of all of them.
const MAX_CATALOGUES: usize = 200;
const MAX_TOLD: usize = 1_000;

/// Tell the sources outside of the repository that differ, for `dialects`.
pub(super) fn compare(
    old: &RunSide<'_>,
    new: &RunSide<'_>,
    dialects: &[&'static Dialect],
    found: &mut GatheredChanges,
) {
    let mut told = Vec::new();
    for dialect in dialects {
        let Some(bundle) = &dialect.files.bundle else { continue };
        let (before, after) = (catalogues(old, bundle), catalogues(new, bundle));
        let paths: BTreeSet<&RepoPath> = before.keys().chain(after.keys()).collect();
        for path in paths {
            let (was, is) = (named(before.get(path)), named(after.get(path)));
            let names: BTreeSet<&str> = was.keys().chain(is.keys()).copied().collect();
            for name in names {
                let change = difference(was.get(name).copied(), is.get(name).copied());
                told.extend(change.map(|change| placed(change, path, bundle, dialect)));
            }
        }
    }
    told.truncate(MAX_TOLD);
    found.changes.extend(told);
}

/// The entries of each catalogue for an agent.
fn catalogues(side: &RunSide<'_>, bundle: &Bundle) -> BTreeMap<RepoPath, Vec<BundleEntry>> {
    let paths = side.workspace.listing.marked().map(|entry| entry.path);
    let catalogues = paths.filter(|path| ends_with(path, bundle.catalogue)).take(MAX_CATALOGUES);
    let here = catalogues.filter(|path| !side.workspace.is_for_elsewhere(path));
    let here: Vec<RepoPath> = here.map(RepoPath::new).collect();
    let read = |path: RepoPath| {
        let (_, bytes) = side.file(path.as_bytes())?;
        Some((path, (bundle.entries)(&bytes)))
    };
    here.into_iter().filter_map(read).collect()
}

/// Entries by their names, of two with one name the last.
fn named(entries: Option<&Vec<BundleEntry>>) -> BTreeMap<&str, &BundleEntry> {
    entries.into_iter().flatten().map(|entry| (entry.name.as_str(), entry)).collect()
}

/// What is different of one entry, how grave that is, and the line.
type EntryChange = (RunDifference, RunGrade, usize);

fn difference(before: Option<&BundleEntry>, after: Option<&BundleEntry>) -> Option<EntryChange> {
    let is_outside = before.into_iter().chain(after).any(|entry| entry.is_outside);
    let subject = |entry: &BundleEntry| RunSubject {
        kind: RunKind::Setting { key: format!("plugins.{}", entry.name), value: entry.source.clone() },
        moment: Moment::Start,
        on_use_of: None,
    };
    match (before, after) {
        _ if !is_outside => None,
        (None, Some(new)) => Some((RunDifference::Added(subject(new)), RunGrade::Runs, new.line)),
        (Some(old), None) => Some((RunDifference::Removed(subject(old)), RunGrade::Less, old.line)),
        (Some(old), Some(new)) if old.source != new.source => {
            let difference = RunDifference::Changed { before: subject(old), after: subject(new) };
            Some((difference, RunGrade::Runs, new.line))
        }
        _ => None,
    }
}

fn placed((difference, grade, line): EntryChange, path: &RepoPath, bundle: &Bundle, dialect: &Dialect) -> RunChange {
    let root = &path.as_bytes()[..path.as_bytes().len() - bundle.catalogue.len()];
    let directory = RepoPath::new(root.strip_suffix(b"/").unwrap_or(root));
    let reach = [Some(Approval::Folder), Some(Approval::Folder), None];
    RunChange {
        grade,
        difference,
        path: path.clone(),
        line,
        readers: vec![ChangedAgent { agent: dialect.id, reach }],
        directories: BTreeSet::from([directory]),
        is_bundle: true,
    }
}
