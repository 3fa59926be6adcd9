//! Reads the entries of one kind from a source, whichever it is. A file that cannot be read is a failure and hides no other.

use rayon::prelude::*;

use super::{Catalogue, CatalogueEntry, CatalogueKind};
use crate::base::defect;
use crate::base::error::Failure;
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::discover::Discovery;
use crate::pack::{Platform, file_names};
use crate::parse::frontmatter::{self, Frontmatter};
use crate::source::{EntryKind, Listing, Source};
use crate::workspace::{Resolution, read_links, resolve};

/// The library of a source.
#[derive(Debug, Default)]
pub struct ReadLibrary {
    /// What could be read.
    pub catalogue: Catalogue,
    /// What could not, and why.
    pub failures: Vec<Failure>,
}

/// Read all entries of `kind`.
pub fn read(source: &dyn Source, discovery: &Discovery, kind: CatalogueKind) -> ReadLibrary {
    let listing = source.listing();
    if kind == CatalogueKind::Package {
        return packages(source, discovery, listing);
    }
    let paths = paths(source, discovery, listing, kind);
    let files: Vec<RepoPath> = paths.iter().map(|(_, file)| file.clone()).collect();
    let read = source.read_many(&files);
    let entry = |((path, _), bytes): ((RepoPath, RepoPath), crate::source::ReadResult)| match bytes {
        Ok(bytes) => {
            let entry = defect::contain(|| CatalogueEntry::new(path.clone(), kind, bytes));
            entry.ok_or_else(|| Failure { path, message: defect::message("this file could not be parsed") })
        }
        Err(why) => Err(Failure { path, message: why.to_string() }),
    };
    let entries: Vec<Result<CatalogueEntry, Failure>> =
        paths.into_iter().zip(read).collect::<Vec<_>>().into_par_iter().map(entry).collect();
    reading(entries)
}

fn reading(entries: Vec<Result<CatalogueEntry, Failure>>) -> ReadLibrary {
    let (mut read, mut failures) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry {
            Ok(entry) => read.push(entry),
            Err(failure) => failures.push(failure),
        }
    }
    ReadLibrary { catalogue: Catalogue::new(read), failures }
}

/// The paths of all files of `kind`, and the file that each leads to.
fn paths(
    source: &dyn Source,
    discovery: &Discovery,
    listing: &Listing,
    kind: CatalogueKind,
) -> Vec<(RepoPath, RepoPath)> {
    let is_wanted = |path: &[u8]| match kind {
        CatalogueKind::Hint => discovery.is_in_library(path),
        CatalogueKind::Skill => discovery.kind(path) == Some(Kind::Skill),
        CatalogueKind::Rule => discovery.kind(path).and_then(Kind::role) == Some(Role::Rule),
        CatalogueKind::Package => false,
    };
    let wanted = listing.iter().filter(|entry| is_wanted(entry.path) && !discovery.is_excluded(entry.path));
    let (mut files, mut linked) = (Vec::new(), Vec::new());
    for entry in wanted {
        let path = RepoPath::new(entry.path);
        match entry.kind {
            EntryKind::File => files.push((path.clone(), path)),
            EntryKind::Symlink => linked.push(path),
            EntryKind::Submodule | EntryKind::Special => {}
        }
    }
    if !linked.is_empty() {
        let links = read_links(source, listing);
        for path in linked {
            if let Resolution::File(file) = resolve(listing, &links, path.as_bytes()) {
                files.push((path, file));
            }
        }
    }
    files
}

/// A package is a folder with a prompt; its metadata describes it.
fn packages(source: &dyn Source, discovery: &Discovery, listing: &Listing) -> ReadLibrary {
    let mut folders: Vec<RepoPath> = Vec::new();
    for entry in listing.iter() {
        let is_of_package = matches!(discovery.kind(entry.path), Some(Kind::PackageHint | Kind::PackageYaml));
        if is_of_package && entry.kind == EntryKind::File && !discovery.is_excluded(entry.path) {
            let folder = RepoPath::new(path::parent(entry.path));
            if folders.last() != Some(&folder) {
                folders.push(folder);
            }
        }
    }
    let first = |folder: &RepoPath, extension: &str| {
        let name = String::from_utf8_lossy(folder.file_name()).into_owned();
        let names = file_names(&name, extension, Platform::current());
        let paths = names.into_iter().map(|name| RepoPath::new(path::join(folder.as_bytes(), name.as_bytes())));
        paths.into_iter().find(|path| listing.kind(path.as_bytes()) == Some(EntryKind::File))
    };
    let mut entries = Vec::new();
    for folder in &folders {
        let Some(prompt) = first(folder, "md") else { continue };
        let entry = match source.read(&prompt) {
            Ok(bytes) => CatalogueEntry::new(prompt, CatalogueKind::Package, bytes),
            Err(why) => {
                entries.push(Err(Failure { path: prompt, message: why.to_string() }));
                continue;
            }
        };
        let metadata = first(folder, "yaml").and_then(|path| source.read(&path).ok());
        entries.push(Ok(match metadata.and_then(|bytes| yaml(&bytes)) {
            Some(metadata) => entry.described(&metadata),
            None => entry,
        }));
    }
    reading(entries)
}

fn yaml(bytes: &[u8]) -> Option<Frontmatter> {
    let text = crate::base::text::same_length_text(bytes);
    frontmatter::read(&text, Kind::PackageYaml, &mut Vec::new()).0
}
