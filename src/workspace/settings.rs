//! Tracked settings of agents that name further hint files. Read before discovery decides; anything unreadable names nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Resolution, Workspace};
use crate::agents::{
    self,
    bundles::{self, Bundle},
    files::{self, ends_with},
};
use crate::base::kind::Role;
use crate::base::path::{self, RepoPath};
use crate::discover::Discovery;
use crate::source::{EntryKind, Listing, Probe, Source, SourceReadError};

/// Read the settings that the listing has, and teach `discovery` the names they add.
pub(super) fn read(source: &dyn Source, listing: &Listing, discovery: &mut Discovery) {
    let wanted = agents::ALL.iter().filter_map(|dialect| dialect.files.names_in.as_ref());
    let found: Vec<_> = wanted.filter(|names_in| listing.contains(names_in.path.as_bytes())).collect();
    let paths: Vec<RepoPath> = found.iter().map(|names_in| RepoPath::from(names_in.path)).collect();
    for (names_in, bytes) in found.into_iter().zip(source.read_many(&paths)) {
        let Ok(bytes) = bytes else { continue };
        let plain = |name: &String| !name.is_empty() && path::file_name(name.as_bytes()).len() == name.len();
        discovery.add_names((names_in.names)(&bytes).into_iter().filter(plain));
    }
}

/// Most bundles whose manifests are read.
const MAX_BUNDLES: usize = 1000;
/// Most settings files that one manifest may name.
const MAX_NAMED: usize = 100;

/// Read the catalogues and manifests of bundles, and teach `discovery` what they name.
pub(super) fn read_bundles(source: &dyn Source, listing: &Listing, discovery: &mut Discovery) {
    for bundle in bundles::all() {
        let mut roots = Vec::new();
        let mut read = |path: Vec<u8>, root: &[u8], roots: &mut Vec<Vec<u8>>| {
            if !listing.contains(&path) {
                return;
            }
            if let Ok(bytes) = source.read(&RepoPath::new(path)) {
                roots.extend(discovery.add_bundles(root, bundle, (bundle.named)(&bytes)));
            }
        };
        read(bundle.catalogue.as_bytes().to_vec(), b"", &mut roots);
        for manifest in bundle.manifests {
            read(manifest.as_bytes().to_vec(), b"", &mut roots);
        }
        // A manifest names no further bundle that counts.
        for root in roots.into_iter().filter(|root| !root.is_empty()).take(MAX_BUNDLES) {
            for manifest in bundle.manifests {
                read(path::join(&root, manifest.as_bytes()), &root, &mut Vec::new());
            }
        }
    }
}

/// The bytes of settings files.
type SettingsFiles = BTreeMap<RepoPath, Arc<[u8]>>;

/// The settings files of the enabled agents, with their bytes, and those that cannot be read, with the reasons.
pub(super) fn of_agents(
    source: &dyn Source,
    workspace: &Workspace,
) -> (SettingsFiles, BTreeMap<RepoPath, SourceReadError>) {
    let agents: Vec<_> = workspace.dialects().map(|dialect| dialect.files).chain(files::undescribed()).collect();
    let is_setting = |path: &[u8]| agents.iter().any(|files| files.is_configured_by(path));
    let (mut read, mut unreadable) = (BTreeMap::new(), BTreeMap::new());
    // By which paths agents open a file: its own, and links to it.
    let mut opened: BTreeMap<RepoPath, Vec<RepoPath>> = BTreeMap::new();
    for entry in workspace.listing.marked().filter(|entry| is_setting(entry.path)) {
        let path = RepoPath::new(entry.path);
        match (entry.kind, workspace.resolve(entry.path)) {
            (EntryKind::Symlink, Resolution::File(real)) => opened.entry(real).or_default().push(path),
            (EntryKind::Symlink, Resolution::Missing(_) | Resolution::Loop) => {
                unreadable.insert(path, SourceReadError::Missing);
            }
            (EntryKind::Symlink, _) => {}
            _ => _ = opened.entry(path).or_default(),
        }
    }
    for path in parts_of_bundles(source, workspace) {
        opened.entry(path).or_default();
    }
    let paths: Vec<RepoPath> = opened.keys().cloned().collect();
    let bytes = source.read_many(&paths);
    for ((path, links), bytes) in opened.into_iter().zip(bytes) {
        match bytes {
            Ok(bytes) => read.extend(links.into_iter().chain([path]).map(|path| (path, bytes.clone()))),
            // It vanished between listing and reading.
            Err(SourceReadError::Missing) => {}
            Err(why) => _ = unreadable.insert(path, why),
        }
    }
    (read, unreadable)
}

/// The files of bundles that only a bundle makes settings: those of fixed names, and those that its manifest names.
fn parts_of_bundles(source: &dyn Source, workspace: &Workspace) -> Vec<RepoPath> {
    let mut found = Vec::new();
    let read = |path: &[u8]| source.read(&RepoPath::new(path)).ok();
    let is_file = |path: &Vec<u8>| workspace.listing.kind(path) == Some(EntryKind::File);
    let json_below = |root: &[u8], bytes: &[u8], bundle: &Bundle| {
        let named = (bundle.paths)(bytes).into_iter().filter(|path| !path.is_source).take(MAX_NAMED);
        let named = named.flat_map(|path| path.places).filter_map(|place| path::resolve(root, place.as_bytes()));
        let inside = named.filter(|path| path.ends_with(b".json") && path::is_at_or_below(path, root));
        inside.filter(is_file).map(RepoPath::new).collect::<Vec<_>>()
    };
    for dialect in workspace.dialects() {
        let Some(bundle) = &dialect.files.bundle else { continue };
        // Entries of a catalogue name files of their bundles, too.
        let catalogue = Some(bundle.catalogue.as_bytes().to_vec()).filter(is_file);
        let catalogue = catalogue.and_then(|catalogue| read(&catalogue));
        found.extend(catalogue.map(|bytes| json_below(b"", &bytes, bundle)).unwrap_or_default());
        for root in workspace.bundle_roots(dialect, read) {
            let parts = bundle.parts.iter().map(|part| path::join(&root, part.as_bytes()));
            found.extend(parts.filter(is_file).map(RepoPath::new));
            let manifests = bundle.manifests.iter().map(|manifest| path::join(&root, manifest.as_bytes()));
            for bytes in manifests.filter(is_file).filter_map(|manifest| read(&manifest)) {
                found.extend(json_below(&root, &bytes, bundle));
            }
        }
    }
    found
}

/// The settings that git tracks; outside git none.
pub(super) fn tracked(source: &dyn Source, workspace: &Workspace) -> BTreeSet<RepoPath> {
    let paths: Vec<RepoPath> = workspace.settings.keys().cloned().collect();
    if paths.is_empty() || !source.is_versioned() {
        return BTreeSet::new();
    }
    let probes = source.probe_many(&paths);
    paths.into_iter().zip(probes).filter(|(_, probe)| *probe == Probe::Tracked).map(|(path, _)| path).collect()
}

/// The settings and hints of one person that git tracks all the same.
pub(super) fn personal(source: &dyn Source, workspace: &Workspace) -> Vec<RepoPath> {
    let wanted: Vec<&str> = workspace.dialects().flat_map(|dialect| dialect.files.personal_settings).copied().collect();
    let is_personal = |path: &&RepoPath| wanted.iter().any(|end| ends_with(path.as_bytes(), end));
    let mut found: Vec<RepoPath> = workspace.tracked_settings.iter().filter(is_personal).cloned().collect();
    let hints = workspace.documents.iter().filter(|document| document.kind.role() == Some(Role::Local));
    let hints: Vec<RepoPath> = hints.map(|document| document.path.clone()).collect();
    if !hints.is_empty() && source.is_versioned() {
        let probes = source.probe_many(&hints);
        found.extend(hints.into_iter().zip(probes).filter(|(_, probe)| *probe == Probe::Tracked).map(|(path, _)| path));
    }
    found
}
