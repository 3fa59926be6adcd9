//! Reading and parsing files in batches: candidates, the files that links lead to, and what cannot be read.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::PARALLEL_FROM;
use crate::agents;
use crate::agents::merged::marker::has_header;
use crate::base::defect;
use crate::base::error::Failure;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::discover::{Discovery, FileToCheck};
use crate::parse::Document;
use crate::source::{EntryKind, Source, SourceReadError};
use crate::workspace::opened::{self, LinkedFile};
use crate::workspace::{Resolution, Workspace};

/// So many files are read together while others are parsed.
const BATCH: usize = 64;

/// Reads and parses files into a workspace that is not complete yet.
pub(super) struct WorkspaceLoader<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) discovery: &'a Discovery,
    pub(super) failures: Vec<Failure>,
    pub(super) documents: BTreeMap<RepoPath, Document>,
    /// Links to hint files, by the file.
    pub(super) opened: BTreeMap<RepoPath, BTreeSet<RepoPath>>,
    pub(super) parse: fn(Unparsed) -> (RepoPath, Option<Document>),
    pub(super) workspace: &'a mut Workspace,
}

/// A file that was read, and what it is.
type Unparsed = (RepoPath, Kind, Arc<[u8]>);

impl<'a> WorkspaceLoader<'a> {
    /// A loader that has read nothing yet.
    pub(super) fn new(
        source: &'a dyn Source,
        discovery: &'a Discovery,
        parse: fn(Unparsed) -> (RepoPath, Option<Document>),
        workspace: &'a mut Workspace,
    ) -> Self {
        let (failures, documents, opened) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { source, discovery, failures, documents, opened, parse, workspace }
    }

    pub(super) fn read_candidates(&mut self, candidates: Vec<FileToCheck>) {
        let mut wanted: BTreeMap<RepoPath, Kind> = BTreeMap::new();
        let mut through_links: Vec<(RepoPath, Kind)> = Vec::new();
        for FileToCheck { path, kind } in candidates {
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

    /// Note a link to a hint file. The file is checked once, by its own kind or else by the link's.
    fn open(&mut self, wanted: &mut BTreeMap<RepoPath, Kind>, opened: LinkedFile) {
        let LinkedFile { link, target, kind } = opened;
        if let Entry::Vacant(entry) = wanted.entry(target.clone()) {
            self.workspace.linked.insert(entry.key().clone());
            entry.insert(kind);
        }
        self.opened.entry(target).or_default().insert(link);
    }

    /// A directory with a hint's name, such as `CLAUDE.md/`, hides the hint that its author wanted. One that holds a page of a site
    /// is a route of it.
    fn note_directories(&mut self) {
        let names: Vec<&[u8]> = agents::files::main_names().map(str::as_bytes).collect();
        let mut found: BTreeMap<RepoPath, bool> = BTreeMap::new();
        let below_such =
            self.workspace.listing.marked().filter(|entry| memchr::memmem::find(entry.path, b".md/").is_some());
        for entry in below_such {
            let above = path::ancestors_from_root(path::parent(entry.path)).into_iter();
            for dir in above.filter(|dir| names.contains(&path::file_name(dir))) {
                *found.entry(RepoPath::new(dir)).or_default() |= is_page(path::file_name(entry.path));
            }
        }
        let empty = self.source.empty_dirs().iter().filter(|path| names.contains(&path.file_name())).cloned();
        let found: Vec<RepoPath> =
            found.into_iter().filter(|&(_, is_route)| !is_route).map(|(path, _)| path).chain(empty).collect();
        for path in found.into_iter().filter(|path| !self.discovery.is_excluded(path.as_bytes())) {
            self.workspace.unreadable.insert(path, SourceReadError::Directory);
        }
        for (path, message) in self.source.unreadable() {
            self.failures.push(Failure { path: path.clone(), message: message.clone() });
        }
    }

    /// Read and parse files. Of many, some are parsed while the next are read.
    pub(super) fn read(&mut self, wanted: Vec<(RepoPath, Kind)>) {
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
                // A file that vanished between listing and reading is skipped.
                Err(SourceReadError::Missing) if kind != Kind::Markdown => {}
                Err(SourceReadError::Missing) => self.failures.push(Failure { path, message: "no such file".into() }),
                Err(why) => {
                    self.workspace.unreadable.insert(path, why);
                }
            }
        }
        readable
    }
}

/// A file's document, by its path; none if parsing it panicked.
pub(super) fn parse((path, kind, bytes): Unparsed) -> (RepoPath, Option<Document>) {
    let kind = kind_by_text(kind, &bytes);
    (path.clone(), defect::contain(|| Document::parse(path, kind, bytes)))
}

/// A file's document, by its path, which is parsed when somebody looks at it.
pub(super) fn leave_unparsed((path, kind, bytes): Unparsed) -> (RepoPath, Option<Document>) {
    let kind = kind_by_text(kind, &bytes);
    (path.clone(), Some(Document::unparsed(path, kind, bytes)))
}

/// The kind of a file, told by its place, as its text settles it: what stands in the artifacts' place without our header is
/// somebody's own file.
fn kind_by_text(kind: Kind, bytes: &[u8]) -> Kind {
    if kind == Kind::Artifact && !has_header(bytes) { Kind::Markdown } else { kind }
}

/// Whether a file of this name is what a site shows for the folder that holds it: `page.tsx`, `route.ts`, `+page.svelte`, `index.md`.
fn is_page(name: &[u8]) -> bool {
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or_default();
    name.len() > stem.len()
        && matches!(stem.strip_prefix(b"+").unwrap_or(stem), b"page" | b"route" | b"index" | b"server")
}
