//! One state of a repository: what each agent runs in each directory, all modes together.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{RunReach, RunState, RunSubject};
use crate::agents::files::{ends_with, is_agent_folder, is_in_agent_folder};
use crate::agents::runs::{self, DroppedScope, RunItem, RunKind, RunMode, RunOptions, SettingPlace};
use crate::agents::{self, Dialect};
use crate::base::defect;
use crate::base::path::{self, RepoPath};
use crate::compile::agent::SourceFiles;
use crate::source::EntryKind;
use crate::workspace::Workspace;
use crate::workspace::contexts::home_of;
use crate::world::{AbsPath, DirectoryEntry, FileType, ReadError, RepoFiles, RepoWorld};

/// Most directories in which agents are started.
const MAX_DIRECTORIES: usize = 200;

/// One thing that an agent runs or heeds.
#[derive(Clone, Debug)]
pub(super) struct FoundRun {
    pub(super) subject: RunSubject,
    /// An identity: equal for the same item, wherever it is and whoever approves it.
    pub(super) key: String,
    pub(super) path: RepoPath,
    pub(super) line: usize,
    pub(super) reach: RunReach,
}

/// One thing that a file says and an agent does not do.
#[derive(Clone, Debug)]
pub(super) struct FoundDrop {
    pub(super) why: String,
    pub(super) what: DroppedScope,
    pub(super) path: RepoPath,
    pub(super) line: usize,
    /// The server that does not start, where that is said.
    pub(super) server: Option<String>,
    /// The file's bytes, where they are not looked at to the end.
    whole: Option<Arc<[u8]>>,
}

impl PartialEq for FoundDrop {
    /// The line may be another one, and so may be how much stands in what has no effect.
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(&self.what) == std::mem::discriminant(&other.what)
            && (&self.why, &self.path, &self.whole) == (&other.why, &other.path, &other.whole)
    }
}

/// What one agent runs in one directory.
#[derive(Debug, Default)]
pub(super) struct FoundRuns {
    pub(super) items: Vec<FoundRun>,
    pub(super) dropped: Vec<FoundDrop>,
}

/// What came of reading files, by their paths.
type ReadFiles = BTreeMap<Vec<u8>, Result<Arc<[u8]>, ReadError>>;

/// The files of a source, each read once.
pub(in crate::compile) struct ReadOnce<'s> {
    files: SourceFiles<'s>,
    workspace: &'s Workspace,
    read: RefCell<ReadFiles>,
    read_as: ReadAs,
}

/// Files that count as others than they are.
#[derive(Debug, Default)]
pub(in crate::compile) struct ReadAs {
    /// Links, and where they lead.
    pub(in crate::compile) links: BTreeMap<RepoPath, Vec<u8>>,
    /// Files with another text.
    pub(in crate::compile) texts: BTreeMap<RepoPath, Arc<[u8]>>,
}

impl<'s> ReadOnce<'s> {
    /// The files of a state.
    pub(in crate::compile) fn new(state: &RunState<'s>, read_as: ReadAs) -> Self {
        let files = SourceFiles::new(state.source, &state.workspace.links);
        ReadOnce { files, workspace: state.workspace, read: RefCell::default(), read_as }
    }
}

impl RepoFiles for ReadOnce<'_> {
    fn kind(&self, path: &[u8]) -> Option<FileType> {
        match self.read_as.links.contains_key(&RepoPath::new(path)) {
            true => Some(FileType::Link),
            false => self.files.kind(path),
        }
    }

    fn read(&self, path: &[u8]) -> Result<Arc<[u8]>, ReadError> {
        let other = || self.read_as.texts.get(&RepoPath::new(path));
        if let Some(text) = (!self.read_as.texts.is_empty()).then(other).flatten() {
            return Ok(text.clone());
        }
        if let Some(document) = self.workspace.document(path) {
            return Ok(document.bytes.clone());
        }
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let bytes = self.files.read(path);
        self.read.borrow_mut().insert(path.to_vec(), bytes.clone());
        bytes
    }

    fn is_git(&self, path: &[u8]) -> bool {
        self.workspace.is_git(path)
    }

    fn read_link(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.read_as.links.get(&RepoPath::new(path)).cloned().or_else(|| self.files.read_link(path))
    }

    fn children(&self, dir: &[u8]) -> Vec<DirectoryEntry> {
        self.files.children(dir)
    }
}

/// Where an agent is started, or the bundle that somebody has installed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RunStart {
    /// Directories come before the bundles in them.
    pub(super) is_bundle: bool,
    pub(super) directory: Vec<u8>,
}

/// One state.
pub(super) struct RunSide<'s> {
    pub(super) workspace: &'s Workspace,
    world: RepoWorld<ReadOnce<'s>>,
    /// The bundles of any agent that nobody opens but those who work on them, found out once.
    installed: OnceCell<BTreeSet<Vec<u8>>>,
}

impl<'s> RunSide<'s> {
    pub(super) fn new(state: &RunState<'s>) -> Self {
        let world = RepoWorld::new(ReadOnce::new(state, ReadAs::default()));
        RunSide { workspace: state.workspace, world, installed: OnceCell::new() }
    }

    /// The directories that hold settings of any agent.
    pub(super) fn directories(&self) -> BTreeSet<Vec<u8>> {
        let ends: BTreeSet<&str> = agents::running()
            .flat_map(|dialect| dialect.files.run_files.iter().chain(dialect.files.settings))
            .copied()
            .collect();
        let mut found = BTreeSet::new();
        for entry in self.workspace.listing.marked() {
            let end = ends.iter().find(|end| ends_with(entry.path, end));
            let directory = match end {
                Some(end) => entry.path[..entry.path.len() - end.len()].strip_suffix(b"/").unwrap_or_default(),
                None if is_in_agent_folder(path::parent(entry.path)) => home_of(entry.path),
                None => continue,
            };
            if found.len() < MAX_DIRECTORIES
                && !found.contains(directory)
                && !self.workspace.is_start_elsewhere(directory)
            {
                found.insert(directory.to_vec());
            }
        }
        // What is set above counts below, and the other way round an agent is started at the root first.
        if !found.is_empty() {
            found.insert(Vec::new());
        }
        found
    }

    /// Where `dialect` is started for `directories`, and the bundles for it that are handed out from here.
    pub(super) fn starts(&self, dialect: &Dialect, directories: &BTreeSet<Vec<u8>>) -> BTreeSet<RunStart> {
        let roots = self.workspace.bundle_roots(dialect, |path| Some(self.file(path)?.1)).into_iter();
        let bundles = roots.take(MAX_DIRECTORIES).map(|directory| RunStart { is_bundle: true, directory });
        let is_here = |dir: &[u8]| dir.is_empty() || self.workspace.listing.has_dir(dir);
        // A plugin whose agent is not known to run anything is told: whoever is started in it gets its servers, and no other line
        // names them. Of the others the bundles tell.
        let is_own = |dir: &&Vec<u8>| is_here(dir) && !is_in_agent_folder(dir) && !self.is_installed(dir);
        let own = directories.iter().filter(is_own);
        let own = own.map(|directory| RunStart { is_bundle: false, directory: directory.clone() });
        own.chain(bundles).collect()
    }

    /// Whether a folder below the root is handed out as a bundle and has no settings of its own, so that nobody is started there.
    fn is_installed(&self, dir: &[u8]) -> bool {
        let find = || {
            let roots = |dialect| self.workspace.bundle_roots(dialect, |path| Some(self.file(path)?.1));
            let has_no_settings = |dir: &Vec<u8>| {
                !self.workspace.listing.children(dir).into_iter().any(|(name, _)| is_agent_folder(name))
            };
            agents::running().flat_map(roots).filter(|dir| !dir.is_empty()).filter(has_no_settings).collect()
        };
        self.installed.get_or_init(find).contains(dir)
    }

    /// What `dialect` runs when it starts there, in all modes.
    pub(super) fn runs(&self, dialect: &'static Dialect, start: &RunStart) -> FoundRuns {
        let options = RunOptions { is_bundle: start.is_bundle, ..RunOptions::default() };
        let mut found = FoundRuns::default();
        let mut known: BTreeMap<(String, RepoPath, usize), usize> = BTreeMap::new();
        let start = self.world.absolute(&start.directory);
        for (number, mode) in RunMode::ALL.into_iter().enumerate() {
            let load = || runs::load(&self.world, dialect, &start, mode, &options);
            let Some(loaded) = defect::contain(load).flatten() else { continue };
            for item in &loaded.items {
                let Some(path) = self.path(&item.place.path) else { continue };
                let (subject, key) = subject(item);
                let place = (key.clone(), path.clone(), item.place.span.start);
                let index = *known.entry(place).or_insert(found.items.len());
                if index == found.items.len() {
                    found.items.push(FoundRun { subject, key, path, line: item.place.line, reach: [None; 3] });
                }
                found.items[index].reach[number] = Some(item.approval);
            }
            // In a trusted folder that a person opens an agent heeds the most, so that what it drops there it always drops.
            if mode == RunMode::Interactive {
                let dropped = loaded.dropped.iter().filter(|dropped| !counts_above(dropped, &start));
                found.dropped = dropped.filter_map(|dropped| self.dropped(dropped)).collect();
            }
        }
        found
    }

    fn dropped(&self, dropped: &runs::DroppedSetting) -> Option<FoundDrop> {
        let SettingPlace { path, line, .. } = &dropped.place;
        use crate::world::World as _;
        let (why, what) = (dropped.why.clone(), dropped.what.clone());
        // Any entry past the bound may be another one, as long as the file is.
        let whole = (what == DroppedScope::Rest).then(|| self.world.read(path).ok()).flatten();
        Some(FoundDrop { why, what, path: self.path(path)?, line: *line, server: dropped.server.clone(), whole })
    }

    fn path(&self, path: &AbsPath) -> Option<RepoPath> {
        self.world.relative(path).map(RepoPath::new)
    }

    /// The bytes of the file at `path`, links followed, and its own path.
    pub(super) fn file(&self, path: &[u8]) -> Option<(RepoPath, Arc<[u8]>)> {
        use crate::workspace::Resolution;
        use crate::world::World as _;
        let Resolution::File(real) = self.workspace.resolve(path) else { return None };
        let bytes = self.world.read(&self.world.absolute(real.as_bytes())).ok()?;
        Some((real, bytes))
    }

    /// Whether a file or link stands at `path`, or links lead from there to a file.
    pub(super) fn has_file(&self, path: &[u8]) -> bool {
        matches!(self.workspace.listing.kind(path), Some(EntryKind::File | EntryKind::Symlink))
            || matches!(self.workspace.resolve(path), crate::workspace::Resolution::File(_))
    }
}

/// Whether an entry without effect at `start` stands in a file of a directory above, where it may have one.
fn counts_above(dropped: &runs::DroppedSetting, start: &AbsPath) -> bool {
    matches!(dropped.what, DroppedScope::Absent(_) | DroppedScope::Entry)
        && !dropped.place.path.ancestors().any(|above| above == *start)
}

/// What an item is, and what it has in common with the same one elsewhere.
fn subject(item: &RunItem) -> (RunSubject, String) {
    let mut kind = item.kind.clone();
    if let RunKind::Hook { matcher, fires_for, near, .. } = &mut kind {
        *matcher = matcher.take().filter(|matcher| !matcher.is_empty());
        // Which tools there are is the agent's business; that none fits is the line's.
        *fires_for = fires_for.take().filter(Vec::is_empty);
        *near = None;
    }
    let subject = RunSubject { kind, moment: item.moment, on_use_of: item.on_use_of.clone() };
    let key = format!("{subject:?}");
    (subject, key)
}

/// What a hook does.
pub(super) fn action(item: &FoundRun) -> Option<&str> {
    match &item.subject.kind {
        RunKind::Hook { action, .. } => Some(action),
        _ => None,
    }
}

/// The name of an item: an item of the same name on the other side is the same one with a changed value.
pub(super) fn name(item: &FoundRun) -> String {
    let path = item.path.to_str_lossy();
    match &item.subject.kind {
        RunKind::Hook { event, matcher, .. } => {
            format!("hook {event:?} {matcher:?} {:?} {path}", item.subject.on_use_of)
        }
        RunKind::Server { name, .. } => format!("server {name} {:?}", item.subject.on_use_of),
        RunKind::Variable { name, .. } => format!("variable {name} {:?}", item.subject.moment),
        RunKind::Endpoint { name, .. } => format!("endpoint {name}"),
        RunKind::Permission { rule, .. } => format!("permission {rule} {:?}", item.subject.on_use_of),
        RunKind::Setting { key, .. } => format!("setting {key}"),
        RunKind::Style { name, .. } => format!("style {name}"),
        RunKind::Helper { key, .. } => format!("helper {key}"),
        RunKind::PreRun { .. } => format!("pre-run {path}"),
    }
}
