//! Loading: list, discover, then read, parse and follow imports in rounds until nothing new is named.
//!
//! Reading happens in batches on one thread, since a source need not be shared between threads; parsing goes parallel over
//! the bytes. The result is a frozen [`Workspace`].

mod follow;
mod read;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::read::{WorkspaceLoader, leave_unparsed, parse};
use super::contexts::file_type;
use super::{Choose, Workspace, opened};
use crate::agents::signs;
use crate::base::defect;
use crate::base::error::Failure;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::config::Config;
use crate::config::patterns::BadPattern;
use crate::discover::{Discovery, FileToCheck};
use crate::source::{EntryKind, Listing, Source, SourceReadError};
use crate::world::FileType;
use crate::world::git_dirs::looks_like_git_dir;

/// Most files that imports may bring into one run.
pub(crate) const MAX_IMPORTED_FILES: usize = 10_000;

/// Below this many files a thread pool costs more than it saves.
pub(super) const PARALLEL_FROM: usize = 4;

/// A loaded workspace, and what went wrong on the way.
#[derive(Debug)]
pub struct LoadedWorkspace {
    /// The frozen state.
    pub workspace: Workspace,
    /// Files that could not be read; each costs exit code 2 and hides nothing else.
    pub failures: Vec<Failure>,
}

/// Load everything that `config` makes a hint file, and `explicit` besides.
///
/// # Errors
/// A pattern of the config that is not a valid glob.
pub fn load(source: &dyn Source, config: Config, explicit: &[RepoPath]) -> Result<LoadedWorkspace, BadPattern> {
    load_for(source, config, explicit, Choose::All)
}

/// The same for a run that may report on some documents only: the others are read, and parsed where an import may stand in
/// them or a rule looks at them.
///
/// # Errors
/// A pattern of the config that is not a valid glob.
pub(crate) fn load_for(
    source: &dyn Source,
    config: Config,
    explicit: &[RepoPath],
    choose: Choose<'_>,
) -> Result<LoadedWorkspace, BadPattern> {
    let listing = source.listing().clone();
    if matches!(choose, Choose::All) {
        prepare_meanwhile(&listing);
    }
    let mut discovery = Discovery::new(&config)?;
    super::settings::read(source, &listing, &mut discovery);
    super::settings::read_bundles(source, &listing, &mut discovery);
    super::collections::read(source, &listing, &mut discovery);
    super::named_collections::read(source, &listing, &mut discovery);
    let agents = enabled(&config, &listing);
    let mut candidates = discovery.candidates(&listing);
    for path in explicit {
        let kind = discovery.kind(path.as_bytes()).unwrap_or(Kind::Markdown);
        candidates.push(FileToCheck { path: path.clone(), kind });
    }
    // A run on some documents may ask none of the patterns. A panic of a detached task would end the process.
    if matches!(choose, Choose::All) && candidates.len() >= PARALLEL_FROM {
        rayon::spawn(|| _ = defect::contain(super::prepare));
    }
    let links = read_links(source, &listing);
    let key_files = super::key_files::collect(source, &listing, &discovery);
    let git_dirs = git_dirs(&listing, source.empty_dirs());
    let mut workspace = Workspace { config, listing, git_dirs, links, key_files, agents, ..Workspace::default() };
    let parse = match choose {
        Choose::All => parse,
        Choose::Some(_) | Choose::Nothing => leave_unparsed,
    };
    let mut loader = WorkspaceLoader::new(source, &discovery, parse, &mut workspace);
    loader.read_candidates(candidates);
    opened::note(&mut loader.documents, &loader.opened, &loader.workspace.linked);
    loader.follow_imports();
    loader.read_pages();
    let mut failures = loader.failures;
    let documents = loader.documents;
    workspace.documents = documents.into_values().collect();
    let (settings, unreadable) = super::settings::of_agents(source, &workspace);
    workspace.settings = settings;
    for (path, why) in unreadable {
        if let SourceReadError::Failed(message) = &why {
            failures.push(Failure { path: path.clone(), message: message.clone() });
        }
        workspace.unreadable.insert(path, why);
    }
    workspace.tracked_settings = super::settings::tracked(source, &workspace);
    workspace.skills_lock = super::locks::collect(source, &workspace);
    workspace.locked_in_folders = super::locks::of_folders(source, &workspace);
    workspace.rendered = super::rendered::collect(source, &workspace);
    workspace.borrowed = super::borrowed::collect(source, &workspace);
    workspace.personal_settings = super::settings::personal(source, &workspace);
    workspace.root_texts = super::root_texts::read(source, &workspace);
    workspace.own_packages = super::own_packages::read(source, &workspace);
    workspace.tracked_state = super::tracked_state::collect(source, &workspace);
    if let Choose::Some(choose) = choose {
        workspace.focus = choose(&workspace);
    }
    if !matches!(choose, Choose::Nothing) {
        failures.append(&mut collect_names(source, &mut workspace));
    }
    Ok(LoadedWorkspace { workspace, failures })
}

/// Let another core build the index of a large listing while this one looks for the files to read.
fn prepare_meanwhile(listing: &Arc<Listing>) {
    if listing.is_large() {
        let by_name = listing.clone();
        // A panic of a detached task would end the process.
        rayon::spawn(move || _ = defect::contain(|| by_name.prepare()));
    }
}

/// The agents that the config names, or those of which `listing` has signs.
fn enabled(config: &Config, listing: &Listing) -> Vec<signs::Enabled> {
    let Some(names) = &config.agents else { return signs::detect(listing) };
    let dialects = names.iter().filter_map(|name| crate::agents::by_id(name));
    dialects.map(|dialect| signs::Enabled { agent: dialect.id, why: "agents in the config".into() }).collect()
}

/// Collect the paths, commands and functions that the documents name. Returns the files that this failed on.
fn collect_names(source: &dyn Source, workspace: &mut Workspace) -> Vec<Failure> {
    let mut defects = Defects::default();
    workspace.mentions =
        defects.contain("the paths that files name", |failed| super::mentions::collect(source, workspace, failed));
    workspace.commands =
        defects.contain("the commands that files name", |failed| super::commands::collect(source, workspace, failed));
    workspace.stale_versions =
        defects.contain("the versions that files give", |failed| super::versions::collect(source, workspace, failed));
    workspace.unknown_symbols = defects.contain("the symbols that files are said to have", |failed| {
        super::symbols::collect(source, workspace, failed)
    });
    workspace.attachments = defects
        .contain("the files that prompts attach", |failed| super::attachments::collect(source, workspace, failed));
    workspace.made_patterns =
        defects.contain("the patterns of files", |_| super::made_patterns::collect(source, workspace));
    workspace.functions =
        defects.contain("the functions of hint packages", |failed| super::modules::collect(source, workspace, failed));
    defects.failures
}

/// Steps over all documents that panicked, on one of them or as a whole.
#[derive(Default)]
struct Defects {
    failures: Vec<Failure>,
}

impl Defects {
    /// Collect `what`. `work` notes the files that it failed on.
    fn contain<T: Default>(&mut self, what: &str, work: impl FnOnce(&mut Vec<RepoPath>) -> T) -> T {
        let mut failed = Vec::new();
        let done = defect::contain(|| work(&mut failed));
        let message = |place: &str| defect::message(&format!("{what} could not be collected{place}"));
        self.failures.extend(failed.into_iter().map(|path| Failure { path, message: message(" from this file") }));
        done.unwrap_or_else(|| {
            self.failures.push(Failure { path: RepoPath::from("."), message: message("") });
            T::default()
        })
    }
}

/// Every link of `listing` with its target as written.
pub(crate) fn read_links(source: &dyn Source, listing: &Listing) -> BTreeMap<RepoPath, Vec<u8>> {
    let links = listing.marked().filter(|entry| entry.kind == EntryKind::Symlink);
    let paths: Vec<RepoPath> = links.map(|entry| RepoPath::new(entry.path)).collect();
    let targets = source.read_many(&paths);
    paths.into_iter().zip(targets).filter_map(|(path, target)| Some((path, target.ok()?.to_vec()))).collect()
}

/// The folders of `listing` and of the `empty` directories beside it that look like git directories; the root never does.
fn git_dirs(listing: &Listing, empty: &[RepoPath]) -> Vec<RepoPath> {
    let heads = listing.marked().filter(|entry| path::file_name(entry.path) == b"HEAD");
    let folders = heads.map(|head| path::parent(head.path)).filter(|dir| !dir.is_empty());
    let looks_like_git = |dir: &&[u8]| {
        looks_like_git_dir(&|name| {
            let path = path::join(dir, name.as_bytes());
            let is_dir =
                || listing.has_dir(&path) || empty.iter().any(|empty| path::is_at_or_below(empty.as_bytes(), &path));
            listing.kind(&path).map(file_type).or_else(|| is_dir().then_some(FileType::Directory))
        })
    };
    folders.filter(looks_like_git).map(RepoPath::new).collect()
}
