//! Scripts of the repository that agents run, and how they change although no settings file does: a user who has approved the
//! line that runs a script is not asked again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::side::{FoundRun, RunSide, RunStart};
use super::{ChangedAgent, GatheredChanges, RunChange, RunDifference, RunReach, grade};
use crate::agents::runs::RunKind;
use crate::agents::{Dialect, Proof};
use crate::base::path::RepoPath;
use crate::source::{ChangeKind, Changes};
use crate::workspace::scripts::{NamedScripts, ScriptHost, may_run_script};

/// Most scripts that are compared.
const MAX_SCRIPTS: usize = 2_000;

/// How a script changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScriptChange {
    /// It was not there.
    Added,
    /// It is not there any more.
    Removed,
    /// Its content is another.
    Content,
    /// It is another file by way of a link.
    Link,
    /// Its mode is another.
    Mode,
}

impl ScriptChange {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ScriptChange::Added => "added",
            ScriptChange::Removed => "removed",
            ScriptChange::Content => "content",
            ScriptChange::Link => "link",
            ScriptChange::Mode => "mode",
        }
    }
}

/// What an agent runs that is started in one place.
pub(super) struct RunsBelow {
    pub(super) dialect: &'static Dialect,
    pub(super) start: RunStart,
    /// Whether the agent is meant.
    pub(super) is_chosen: bool,
    pub(super) items: Vec<FoundRun>,
}

/// What runs a script.
struct ScriptUse<'r> {
    item: &'r FoundRun,
    dialect: &'static Dialect,
    start: &'r RunStart,
    is_chosen: bool,
}

impl ScriptUse<'_> {
    /// Whether it is a hook that fires for nothing that the agent knows.
    fn never(&self) -> bool {
        matches!(&self.item.subject.kind, RunKind::Hook { fires_for: Some(fires_for), .. } if fires_for.is_empty())
    }
}

/// Tell the scripts that `running` names and that differ.
pub(super) fn compare(
    old: &RunSide<'_>,
    new: &RunSide<'_>,
    running: &[RunsBelow],
    changes: Option<&Changes>,
    found: &mut GatheredChanges,
) {
    let place = |path: &[u8]| place_in_any_case(old, new, path);
    let has = |path: &[u8]| place(path).is_some();
    let read = |path: &[u8]| {
        let path = place(path)?;
        new.file(path.as_bytes()).or_else(|| old.file(path.as_bytes())).map(|(_, bytes)| bytes)
    };
    let scripts = NamedScripts { has: &has, read: &read };
    let mut uses: BTreeMap<RepoPath, Vec<ScriptUse<'_>>> = BTreeMap::new();
    let mut known: BTreeMap<(&str, &RepoPath, &RunStart), BTreeSet<RepoPath>> = BTreeMap::new();
    for RunsBelow { dialect, start, is_chosen, items } in running {
        let runs =
            |kind: &RunKind| may_run_script(kind) || matches!(kind, RunKind::Hook { kind, .. } if kind == "powershell");
        for item in items.iter().filter(|item| runs(&item.subject.kind)) {
            let host = ScriptHost { directory: &start.directory, named_in: &item.path, is_bundle: start.is_bundle };
            let named =
                known.entry((&item.key, &item.path, start)).or_insert_with(|| scripts.of(&item.subject.kind, &host));
            for script in named.iter().filter_map(|script| place(script.as_bytes())) {
                if uses.len() < MAX_SCRIPTS || uses.contains_key(&script) {
                    let one = ScriptUse { item, dialect, start, is_chosen: *is_chosen };
                    uses.entry(script).or_default().push(one);
                }
            }
        }
    }
    for (script, mut uses) in uses {
        // An agent for which the hook fires for nothing does not run what it runs for others.
        if uses.iter().any(|one| !one.never()) {
            uses.retain(|one| !one.never());
        }
        if let Some((change, line)) = change(old, new, &script, changes) {
            let is_chosen = uses.iter().any(|one| one.is_chosen);
            for group in by_installation(&uses) {
                if group.iter().any(|one| one.is_chosen || !is_chosen) {
                    found.changes.extend(told(script.clone(), change, line, &group));
                }
            }
        }
    }
}

/// The file at `path` on either side, or the one file that differs from it in case alone: it is run where disks ignore case.
fn place_in_any_case(old: &RunSide<'_>, new: &RunSide<'_>, path: &[u8]) -> Option<RepoPath> {
    if new.has_file(path) || old.has_file(path) {
        return Some(RepoPath::new(path));
    }
    let alike = |side: &RunSide<'_>| match side.workspace.listing.ignoring_case(path)[..] {
        [one] if side.has_file(one) => Some(RepoPath::new(one)),
        _ => None,
    };
    alike(new).or_else(|| alike(old))
}

/// What runs a script here, and what runs it once a bundle is installed, for agents that do not run it here.
fn by_installation<'u, 'r>(uses: &'u [ScriptUse<'r>]) -> [Vec<&'u ScriptUse<'r>>; 2] {
    let (bundled, own): (Vec<_>, Vec<_>) = uses.iter().partition(|one| one.start.is_bundle);
    let is_other = |one: &&ScriptUse<'_>| own.iter().all(|known| known.dialect.id != one.dialect.id);
    let others = bundled.into_iter().filter(is_other).collect();
    [own, others]
}

/// The change of one script, by the gravest of what runs it.
fn told(script: RepoPath, change: ScriptChange, line: usize, uses: &[&ScriptUse<'_>]) -> Option<RunChange> {
    let is_chosen = uses.iter().any(|one| one.is_chosen);
    let weighed = || uses.iter().copied().filter(|one| one.is_chosen || !is_chosen);
    let difference = |one: &ScriptUse<'_>| RunDifference::Script {
        change,
        run_by: one.item.subject.clone(),
        named_in: (one.item.path.clone(), one.item.line),
    };
    let rank = |one: &&ScriptUse<'_>| {
        (grade::of(&difference(one), &one.item.reach), one.dialect.proof == Proof::Documentation, one.item.line)
    };
    let mut by_gravity: Vec<_> = weighed().collect();
    by_gravity.sort_by_key(rank);
    let gravest = *by_gravity.first()?;
    let mut readers: BTreeMap<&'static str, RunReach> = BTreeMap::new();
    let alike = uses.iter().copied().filter(|one| one.item.key == gravest.item.key);
    // Others run it by another line.
    for one in alike.chain(by_gravity) {
        readers.entry(one.dialect.id).or_insert(one.item.reach);
    }
    let is_bundle = weighed().all(|one| one.start.is_bundle);
    let starts = weighed().map(|one| one.start).filter(|start| start.is_bundle == is_bundle);
    let directories = starts.map(|start| RepoPath::new(&*start.directory)).collect();
    let difference = difference(gravest);
    Some(RunChange {
        grade: grade::of(&difference, &gravest.item.reach),
        difference,
        path: script,
        line,
        readers: readers.into_iter().map(|(agent, reach)| ChangedAgent { agent, reach }).collect(),
        directories,
        is_bundle,
    })
}

/// How the script at `path` differs, and the first line that does.
fn change(
    old: &RunSide<'_>,
    new: &RunSide<'_>,
    path: &RepoPath,
    changes: Option<&Changes>,
) -> Option<(ScriptChange, usize)> {
    match (old.file(path.as_bytes()), new.file(path.as_bytes())) {
        (None, None) => None,
        (None, Some(_)) => Some((ScriptChange::Added, 1)),
        (Some(_), None) => Some((ScriptChange::Removed, 1)),
        (Some((_, before)), Some((_, after))) if before != after => {
            Some((ScriptChange::Content, first_difference(&before, &after)))
        }
        (Some((was, _)), Some((is, _))) if was != is => Some((ScriptChange::Link, 1)),
        (Some(_), Some((is, _))) => {
            // The content is the same, so that only the mode is left.
            let is_modified = |changes: &Changes| {
                changes.list.iter().any(|change| change.path == is && change.kind == ChangeKind::Modified)
            };
            let is_link = new.workspace.links.contains_key(&is) != old.workspace.links.contains_key(&is);
            (changes.is_some_and(is_modified) && !is_link).then_some((ScriptChange::Mode, 1))
        }
    }
}

fn first_difference(before: &Arc<[u8]>, after: &Arc<[u8]>) -> usize {
    let same = before.iter().zip(after.iter()).take_while(|(a, b)| a == b).count();
    memchr::memchr_iter(b'\n', &after[..same]).count() + 1
}
