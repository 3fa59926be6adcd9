//! Skills, subagents and commands that agents have: they list names and descriptions at start, and load the files when one is
//! used. What an agent has in one state only, or with another text, is a difference.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::agents::Dialect;
use crate::agents::files::{self, has_folder, skill_readers};
use crate::base::kind::{Kind, Role};
use crate::base::path::RepoPath;
use crate::compile::run_changes::RunState;
use crate::compile::skill_changes::{SkillDifference, difference};
use crate::source::{Changes, EntryKind};
use crate::workspace::Resolution;

/// What an agent has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OfferedKind {
    /// A skill.
    Skill,
    /// Another agent that it may call.
    Subagent,
    /// A prompt that the user calls.
    Command,
}

impl OfferedKind {
    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            OfferedKind::Skill => "skill",
            OfferedKind::Subagent => "subagent",
            OfferedKind::Command => "command",
        }
    }
}

/// A skill, subagent or command that is different.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OfferedChange {
    /// Where agents find it.
    pub path: RepoPath,
    /// What it is.
    pub kind: OfferedKind,
    /// What became of it.
    pub difference: SkillDifference,
    /// Other files of a skill that differ, below its folder; empty where it is its own text that differs.
    pub files: Vec<RepoPath>,
    /// For which agents.
    pub agents: Vec<&'static str>,
}

/// By the path where agents find it: what it is, the file itself, and who has it.
type Offers = BTreeMap<(RepoPath, OfferedKind), (RepoPath, BTreeSet<&'static str>)>;

/// Whether `dialect` has anything.
pub(super) fn is_any(state: &RunState<'_>, dialect: &'static Dialect) -> bool {
    !offers(state, &[dialect]).is_empty()
}

/// What differs for `agents`, by path. Of `moves` those count that name whole paths.
pub(super) fn compare(
    before: &RunState<'_>,
    after: &RunState<'_>,
    agents: &[&'static Dialect],
    moves: &[(String, String)],
    changes: Option<&Changes>,
) -> Vec<OfferedChange> {
    let renamed = |path: RepoPath| {
        let mut all = moves.iter().filter(|(from, _)| from.contains('/'));
        let moved = all.find_map(|(from, to)| {
            let rest =
                path.as_bytes().strip_prefix(from.as_bytes()).filter(|rest| rest.is_empty() || rest[0] == b'/')?;
            Some(RepoPath::new([to.strip_prefix("./").unwrap_or(to).as_bytes(), rest].concat()))
        });
        moved.unwrap_or(path)
    };
    let old: Offers =
        offers(before, agents).into_iter().map(|((path, kind), value)| ((renamed(path), kind), value)).collect();
    let new = offers(after, agents);
    let keys: BTreeSet<&(RepoPath, OfferedKind)> = old.keys().chain(new.keys()).collect();
    let mut found = Vec::new();
    for key in keys {
        let nobody = BTreeSet::new();
        let (was, is) = (old.get(key), new.get(key));
        let (had, has) = (was.map_or(&nobody, |was| &was.1), is.map_or(&nobody, |is| &is.1));
        let mut add = |difference, files, agents: Vec<&'static str>| {
            if !agents.is_empty() {
                let (path, kind) = key.clone();
                found.push(OfferedChange { path, kind, difference, files, agents });
            }
        };
        add(SkillDifference::Removed, Vec::new(), had.difference(has).copied().collect());
        add(SkillDifference::Added, Vec::new(), has.difference(had).copied().collect());
        if let (Some((was, _)), Some((is, _))) = (was, is) {
            let both = had.intersection(has).copied().collect();
            if text(before, was) != text(after, is) {
                add(SkillDifference::Changed, Vec::new(), both);
            } else if key.1 == OfferedKind::Skill {
                let files = other_files((before, was), (after, is), changes);
                if !files.is_empty() {
                    add(SkillDifference::Changed, files, both);
                }
            }
        }
    }
    found
}

/// What `agents` have.
fn offers(state: &RunState<'_>, agents: &[&'static Dialect]) -> Offers {
    let workspace = state.workspace;
    let has = |path: &[u8]| workspace.listing.contains(path);
    let mut offers = Offers::new();
    let mut add = |path: &RepoPath, kind, real: &RepoPath, agent| {
        let known = offers.entry((path.clone(), kind)).or_insert_with(|| (real.clone(), BTreeSet::new()));
        known.1.insert(agent);
    };
    for document in &workspace.documents {
        let paths: BTreeSet<&RepoPath> = document.opened().iter().chain([&document.path]).collect();
        for path in paths {
            let kind = files::kind_of(path.as_bytes()).unwrap_or(document.kind);
            let Some(offered) = offered(kind) else { continue };
            let readers = match kind {
                Kind::Skill => skill_readers(path.as_bytes(), &has),
                _ => Vec::new(),
            };
            let reads = |dialect: &Dialect| match kind {
                Kind::Skill if dialect.files.skills.is_some() => {
                    readers.iter().any(|reader| reader.agent == dialect.id)
                }
                Kind::Skill => dialect.files.skill_folders.iter().any(|folder| is_in(path, folder)),
                _ => dialect.files.reads.contains(&kind),
            };
            agents.iter().filter(|dialect| reads(dialect)).for_each(|dialect| {
                add(path, offered, &document.path, dialect.id);
            });
        }
    }
    // Commands in TOML.
    for dialect in agents {
        for folder in dialect.files.prompts.iter().filter(|folder| folder.ends_with("/commands/")) {
            let entries = workspace.listing.marked().filter(|entry| has_folder(entry.path, folder));
            for entry in entries.filter(|entry| entry.kind != EntryKind::Submodule) {
                if let Resolution::File(real) = workspace.resolve(entry.path) {
                    add(&RepoPath::new(entry.path), OfferedKind::Command, &real, dialect.id);
                }
            }
        }
    }
    offers
}

fn offered(kind: Kind) -> Option<OfferedKind> {
    match (kind, kind.role()) {
        (Kind::Skill, _) => Some(OfferedKind::Skill),
        (_, Some(Role::Subagent)) => Some(OfferedKind::Subagent),
        (_, Some(Role::Command)) => Some(OfferedKind::Command),
        _ => None,
    }
}

fn is_in(path: &RepoPath, folder: &str) -> bool {
    has_folder(path.as_bytes(), &format!("{folder}/"))
}

fn text(state: &RunState<'_>, file: &RepoPath) -> Option<Arc<[u8]>> {
    match state.workspace.document(file.as_bytes()) {
        Some(document) => Some(document.bytes.clone()),
        None => state.source.read(file).ok(),
    }
}

/// The files of a skill besides its own text that differ, below its folder.
fn other_files(
    (before, was): (&RunState<'_>, &RepoPath),
    (after, is): (&RunState<'_>, &RepoPath),
    changes: Option<&Changes>,
) -> Vec<RepoPath> {
    let (old, new) = (was.parent(), is.parent());
    // Git tells modes, too.
    if let Some(changes) = changes.filter(|_| old == new) {
        let below = |path: &RepoPath| {
            let rest = path.as_bytes().strip_prefix(new)?;
            (path != is).then(|| Some(RepoPath::new(rest.strip_prefix(b"/")?)))?
        };
        let changed: BTreeSet<RepoPath> = changes.present().chain(changes.gone()).filter_map(below).collect();
        return changed.into_iter().collect();
    }
    let (old, new) = (contents(before, was), contents(after, is));
    let paths: BTreeSet<&RepoPath> = old.keys().chain(new.keys()).collect();
    let differs = |path: &&RepoPath| difference(old.get(path), new.get(path)).is_some();
    paths.into_iter().filter(differs).cloned().collect()
}

/// The files in the folder of a skill besides its own text, by their paths below it.
fn contents(state: &RunState<'_>, skill: &RepoPath) -> BTreeMap<RepoPath, Option<Arc<[u8]>>> {
    let listing = &state.workspace.listing;
    let files =
        listing.below(skill.parent()).map(|index| listing.entry(index)).filter(|entry| entry.kind == EntryKind::File);
    let files: Vec<RepoPath> = files.map(|entry| RepoPath::new(entry.path)).filter(|path| path != skill).collect();
    let below = |path: &RepoPath| RepoPath::new(path.as_bytes().strip_prefix(skill.parent()).unwrap_or_default());
    let bytes = state.source.read_many(&files);
    files.iter().map(below).zip(bytes.into_iter().map(Result::ok)).collect()
}
