//! Loading: list, discover, then read, parse and follow imports in rounds until nothing new is named.
//!
//! Reading happens in batches on one thread, since a source need not be shared between threads; parsing goes parallel over
//! the bytes. The result is a frozen [`Workspace`].

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::contexts::file_type;
use super::imports::{self, Import, Target};
use super::opened::{self, LinkedFile};
use super::{Choose, Resolution, Workspace, pages};
use crate::agents;
use crate::agents::merged::marker::has_header;
use crate::agents::signs;
use crate::base::defect;
use crate::base::error::Failure;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::config::Config;
use crate::config::patterns::BadPattern;
use crate::discover::{Candidate, Discovery};
use crate::parse::Document;
use crate::source::{EntryKind, Listing, Probe, Source, SourceReadError};
use crate::world::FileType;
use crate::world::git_dirs::looks_like_git_dir;

/// Most files that imports may bring into one run.
pub(crate) const MAX_IMPORTED_FILES: usize = 10_000;

/// Below this many files a thread pool costs more than it saves.
const PARALLEL_FROM: usize = 32;

/// So many files are read together while others are parsed.
const BATCH: usize = 64;

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
    if listing.is_large() && matches!(choose, Choose::All) {
        // What takes time to make, other cores make while this one looks for what is to be read.
        let by_name = listing.clone();
        // A panic of a detached task would end the process.
        rayon::spawn(move || _ = defect::contain(|| by_name.prepare()));
        rayon::spawn(|| _ = defect::contain(super::prepare));
    }
    let mut discovery = Discovery::new(&config)?;
    super::settings::read(source, &listing, &mut discovery);
    super::settings::read_bundles(source, &listing, &mut discovery);
    let enabled = match &config.agents {
        Some(names) => names
            .iter()
            .filter_map(|name| crate::agents::by_id(name))
            .map(|dialect| signs::Enabled { agent: dialect.id, why: "agents in the config".into() })
            .collect(),
        None => signs::detect(&listing),
    };
    let mut candidates = discovery.candidates(&listing);
    for path in explicit {
        let kind = discovery.kind(path.as_bytes()).unwrap_or(Kind::Markdown);
        candidates.push(Candidate { path: path.clone(), kind });
    }
    let links = read_links(source, &listing);
    let key_files = super::key_files::collect(source, &listing, &discovery);
    let git_dirs = git_dirs(&listing, source.empty_dirs());
    let mut workspace =
        Workspace { config, listing, git_dirs, links, key_files, agents: enabled, ..Workspace::default() };
    let mut loader = Loader {
        source,
        discovery: &discovery,
        failures: Vec::new(),
        documents: BTreeMap::new(),
        opened: BTreeMap::new(),
        parse: match choose {
            Choose::All => parse,
            Choose::Some(_) => leave_unparsed,
        },
        workspace: &mut workspace,
    };
    loader.read_candidates(candidates);
    opened::note(&mut loader.documents, &loader.opened, &loader.workspace.linked);
    loader.follow_imports();
    loader.read_pages();
    let mut failures = loader.failures;
    let documents = loader.documents;
    workspace.documents = documents.into_values().collect();
    workspace.settings = super::settings::of_agents(source, &workspace);
    workspace.personal_settings = super::settings::personal(source, &workspace);
    if let Choose::Some(choose) = choose {
        workspace.focus = choose(&workspace);
    }
    let mut defects = Defects::default();
    workspace.mentions =
        defects.contain("the paths that files name", |failed| super::mentions::collect(source, &workspace, failed));
    workspace.commands =
        defects.contain("the commands that files name", |failed| super::commands::collect(source, &workspace, failed));
    workspace.functions =
        defects.contain("the functions of hint packages", |failed| super::modules::collect(source, &workspace, failed));
    failures.append(&mut defects.failures);
    Ok(LoadedWorkspace { workspace, failures })
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
pub(crate) fn read_links(source: &dyn Source, listing: &crate::source::Listing) -> BTreeMap<RepoPath, Vec<u8>> {
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

struct Loader<'a> {
    source: &'a dyn Source,
    discovery: &'a Discovery,
    failures: Vec<Failure>,
    documents: BTreeMap<RepoPath, Document>,
    /// Links to hint files, by the file.
    opened: BTreeMap<RepoPath, BTreeSet<RepoPath>>,
    parse: fn(Unparsed) -> (RepoPath, Option<Document>),
    workspace: &'a mut Workspace,
}

/// A file that was read, and what it is.
type Unparsed = (RepoPath, Kind, Arc<[u8]>);

impl Loader<'_> {
    fn read_candidates(&mut self, candidates: Vec<Candidate>) {
        let mut wanted: BTreeMap<RepoPath, Kind> = BTreeMap::new();
        let mut through_links: Vec<(RepoPath, Kind)> = Vec::new();
        for Candidate { path, kind } in candidates {
            if self.workspace.is_git(path.as_bytes()) {
                self.workspace.unreadable.insert(path, SourceReadError::GitDirectory);
                continue;
            }
            match self.workspace.listing.kind(path.as_bytes()) {
                Some(EntryKind::Symlink) => through_links.push((path, kind)),
                _ => {
                    wanted.entry(path).or_insert(kind);
                }
            }
        }
        for (path, kind) in through_links {
            let why = match self.workspace.resolve(path.as_bytes()) {
                Resolution::File(target) => {
                    self.open(&mut wanted, LinkedFile { link: path, target, kind });
                    continue;
                }
                Resolution::Directory(_) => SourceReadError::Directory,
                Resolution::Special => SourceReadError::Special,
                Resolution::Submodule | Resolution::Outside => continue,
                Resolution::Missing(_) | Resolution::Loop => SourceReadError::Missing,
            };
            self.workspace.unreadable.insert(path, why);
        }
        for opened in opened::through_folders(self.workspace, self.discovery) {
            self.open(&mut wanted, opened);
        }
        self.read(wanted.into_iter().collect());
        self.note_directories();
    }

    /// Note a link to a hint file. The file is checked once, as what it is by itself or else as what the link makes it.
    fn open(&mut self, wanted: &mut BTreeMap<RepoPath, Kind>, opened: LinkedFile) {
        let LinkedFile { link, target, kind } = opened;
        if let Entry::Vacant(entry) = wanted.entry(target.clone()) {
            self.workspace.linked.insert(entry.key().clone());
            entry.insert(kind);
        }
        self.opened.entry(target).or_default().insert(link);
    }

    /// A directory with a hint's name, such as `CLAUDE.md/`, hides the hint that its author wanted.
    fn note_directories(&mut self) {
        let names: Vec<&[u8]> = agents::files::main_names().map(str::as_bytes).collect();
        let mut found = BTreeSet::new();
        let below_such =
            self.workspace.listing.marked().filter(|entry| memchr::memmem::find(entry.path, b".md/").is_some());
        for entry in below_such {
            let above = path::ancestors_from_root(path::parent(entry.path)).into_iter();
            found.extend(above.filter(|dir| names.contains(&path::file_name(dir))).map(RepoPath::new));
        }
        let empty = self.source.empty_dirs().iter().filter(|path| names.contains(&path.file_name()));
        let excluded = |path: &RepoPath| self.discovery.is_excluded(path.as_bytes());
        let found: Vec<RepoPath> = found.into_iter().chain(empty.cloned()).filter(|path| !excluded(path)).collect();
        for path in found {
            self.workspace.unreadable.insert(path, SourceReadError::Directory);
        }
        for (path, message) in self.source.unreadable() {
            self.failures.push(Failure { path: path.clone(), message: message.clone() });
        }
    }

    /// Read and parse files. Of many, some are parsed while the next are read.
    fn read(&mut self, wanted: Vec<(RepoPath, Kind)>) {
        if wanted.len() < PARALLEL_FROM {
            let files = self.bytes(&wanted);
            return self.take(files.into_iter().map(self.parse).collect());
        }
        let parse_one = self.parse;
        let parsed = Mutex::new(Vec::with_capacity(wanted.len()));
        rayon::in_place_scope(|scope| {
            for batch in wanted.chunks(BATCH) {
                let files = self.bytes(batch);
                let parsed = &parsed;
                scope.spawn(move |_| {
                    let documents: Vec<_> = files.into_iter().map(parse_one).collect();
                    parsed.lock().unwrap_or_else(PoisonError::into_inner).extend(documents);
                });
            }
        });
        let mut parsed = parsed.into_inner().unwrap_or_else(PoisonError::into_inner);
        parsed.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.take(parsed);
    }

    /// Keep what could be parsed; the rest failed like a file that cannot be read.
    fn take(&mut self, parsed: Vec<(RepoPath, Option<Document>)>) {
        for (path, document) in parsed {
            match document {
                Some(document) => drop(self.documents.insert(path, document)),
                None => {
                    let message = defect::message("this file could not be parsed");
                    self.workspace.unreadable.insert(path.clone(), SourceReadError::Failed(message.clone()));
                    self.failures.push(Failure { path, message });
                }
            }
        }
    }

    /// The bytes of those files that can be read; what is wrong with the others is noted.
    fn bytes(&mut self, wanted: &[(RepoPath, Kind)]) -> Vec<Unparsed> {
        let paths: Vec<RepoPath> = wanted.iter().map(|(path, _)| path.clone()).collect();
        let results = self.source.read_many(&paths);
        let mut readable = Vec::with_capacity(paths.len());
        for ((path, bytes), &(_, kind)) in paths.into_iter().zip(results).zip(wanted) {
            match bytes {
                Ok(bytes) => readable.push((path, kind, bytes)),
                Err(SourceReadError::Failed(message)) => {
                    self.workspace.unreadable.insert(path.clone(), SourceReadError::Failed(message.clone()));
                    self.failures.push(Failure { path, message });
                }
                // A file that vanished between listing and reading is gone; there is nothing to say about it.
                Err(SourceReadError::Missing) if kind != Kind::Markdown => {}
                Err(SourceReadError::Missing) => self.failures.push(Failure { path, message: "no such file".into() }),
                Err(why) => {
                    self.workspace.unreadable.insert(path, why);
                }
            }
        }
        readable
    }

    /// Follow imports breadth first. Each round reads the files that the last one named for the first time.
    fn follow_imports(&mut self) {
        let mut agents: BTreeMap<RepoPath, BTreeSet<&'static str>> = BTreeMap::new();
        for document in self.documents.values() {
            let importing = imports::importing_agents(self.workspace, document);
            if !importing.is_empty() {
                agents.insert(document.path.clone(), importing.into_iter().collect());
            }
        }
        let mut found: BTreeMap<(RepoPath, usize), Import> = BTreeMap::new();
        let mut round: BTreeSet<RepoPath> = agents.keys().cloned().collect();
        while !round.is_empty() {
            let mut named: BTreeMap<RepoPath, BTreeSet<&'static str>> = BTreeMap::new();
            for (importer, tokens) in self.tokens(&round, &agents) {
                let Some(tokens) = tokens else {
                    let message = defect::message("the imports of this file could not be collected");
                    self.failures.push(Failure { path: importer.clone(), message });
                    continue;
                };
                for (span, written, recognisers) in tokens {
                    let Some(target) = imports::aim(self.workspace, importer, &written) else { continue };
                    if let Target::File(path) = &target {
                        named.entry(path.clone()).or_default().extend(&recognisers);
                    }
                    let import = Import { importer: importer.clone(), span, written, agents: recognisers, target };
                    found.insert((importer.clone(), span.start), import);
                }
            }
            round = self.next_round(named, &mut agents);
        }
        self.workspace.imports = found.into_values().collect();
        self.settle_targets();
    }

    /// The import tokens of each document of a round, for the agents that load it; none where looking for them panicked.
    fn tokens<'r>(
        &self,
        round: &'r BTreeSet<RepoPath>,
        agents: &BTreeMap<RepoPath, BTreeSet<&'static str>>,
    ) -> Vec<(&'r RepoPath, Option<Vec<imports::ReadToken>>)> {
        let documents = &self.documents;
        let tokens = |importer: &'r RepoPath| {
            let document = documents.get(importer)?;
            let who: Vec<_> = agents.get(importer).into_iter().flatten().copied().collect();
            Some((importer, defect::contain(|| imports::tokens(document, &who))))
        };
        if round.len() < PARALLEL_FROM {
            return round.iter().filter_map(tokens).collect();
        }
        let round: Vec<&RepoPath> = round.iter().collect();
        round.into_par_iter().filter_map(tokens).collect()
    }

    fn next_round(
        &mut self,
        named: BTreeMap<RepoPath, BTreeSet<&'static str>>,
        agents: &mut BTreeMap<RepoPath, BTreeSet<&'static str>>,
    ) -> BTreeSet<RepoPath> {
        let known = |loader: &Self, path: &RepoPath| {
            loader.documents.contains_key(path) || loader.workspace.unreadable.contains_key(path)
        };
        let room = MAX_IMPORTED_FILES.saturating_sub(self.documents.len());
        let new: Vec<_> = named.keys().filter(|path| !known(self, path)).take(room).cloned().collect();
        self.read(new.into_iter().map(|path| (path, Kind::Imported)).collect());
        let mut round = BTreeSet::new();
        for (path, who) in named {
            let all = agents.entry(path.clone()).or_default();
            let before = all.len();
            all.extend(who);
            if all.len() > before {
                round.insert(path);
            }
        }
        round
    }

    /// Read the Markdown files to which skills lead, step by step.
    fn read_pages(&mut self) {
        let skills = self.documents.values().filter(|document| document.kind == Kind::Skill);
        let mut from: Vec<RepoPath> = skills.map(|document| document.path.clone()).collect();
        let mut room = pages::MAX_PAGES;
        for _ in 0..pages::MAX_STEPS {
            let documents = from.iter().filter_map(|path| self.documents.get(path));
            let named = documents.filter_map(|document| defect::contain(|| pages::named(self.workspace, document)));
            let mut named: BTreeSet<RepoPath> = named.flatten().collect();
            named.retain(|path| {
                let known = self.documents.contains_key(path) || self.workspace.unreadable.contains_key(path);
                !known && !self.discovery.is_excluded(path.as_bytes())
            });
            from = named.into_iter().take(room).collect();
            if from.is_empty() {
                break;
            }
            room -= from.len();
            self.read(from.iter().map(|path| (path.clone(), Kind::SkillPage)).collect());
        }
    }

    /// Ask the source about targets that the listing lacks or has without version control, and mark those that cannot be read.
    fn settle_targets(&mut self) {
        let mut ask: BTreeSet<RepoPath> = BTreeSet::new();
        for import in &self.workspace.imports {
            if let Target::File(path) | Target::Missing(path) = &import.target {
                ask.insert(path.clone());
                ask.insert(import.importer.clone());
            }
        }
        let ask: Vec<RepoPath> = ask.into_iter().collect();
        self.workspace.probes = ask.iter().cloned().zip(self.source.probe_many(&ask)).collect();
        let mut imports = std::mem::take(&mut self.workspace.imports);
        for import in &mut imports {
            let target = import.target.clone();
            let (Target::File(path) | Target::Missing(path)) = &target else { continue };
            if let Some(why) = self.workspace.unreadable.get(path) {
                import.target = Target::Unreadable(path.clone(), why.clone());
                continue;
            }
            let tracked = self.workspace.probes.get(&import.importer) == Some(&Probe::Tracked);
            let probe = self.workspace.probes.get(path).copied();
            // Where the importer itself is not tracked yet, both will be added together.
            let missing = matches!(target, Target::Missing(_));
            import.target = if tracked || missing { imports::with_probe(target, probe) } else { target };
        }
        self.workspace.imports = imports;
    }
}

/// A file's document, by its path; none if parsing it panicked.
fn parse((path, kind, bytes): Unparsed) -> (RepoPath, Option<Document>) {
    let kind = kind_by_text(kind, &bytes);
    (path.clone(), defect::contain(|| Document::parse(path, kind, bytes)))
}

/// A file's document, by its path, which is parsed when somebody looks at it.
fn leave_unparsed((path, kind, bytes): Unparsed) -> (RepoPath, Option<Document>) {
    let kind = kind_by_text(kind, &bytes);
    (path.clone(), Some(Document::unparsed(path, kind, bytes)))
}

/// The kind of a file, told by its place, as its text settles it: what stands in the artifacts' place without our header is
/// somebody's own file.
fn kind_by_text(kind: Kind, bytes: &[u8]) -> Kind {
    if kind == Kind::Artifact && !has_header(bytes) { Kind::Markdown } else { kind }
}
