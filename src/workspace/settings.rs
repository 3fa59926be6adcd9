//! Tracked settings of agents that name further hint files. Read before discovery decides; anything unreadable names nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Workspace;
use crate::agents::{self, bundles, files::ends_with};
use crate::base::path::{self, RepoPath};
use crate::discover::Discovery;
use crate::source::{Listing, Probe, Source};

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

/// Read the catalogues and manifests of bundles, and teach `discovery` what they name.
pub(super) fn read_bundles(source: &dyn Source, listing: &Listing, discovery: &mut Discovery) {
    for bundle in bundles::all() {
        let mut roots = Vec::new();
        let mut read = |path: Vec<u8>, root: &[u8], roots: &mut Vec<Vec<u8>>| {
            if !listing.contains(&path) {
                return;
            }
            if let Ok(bytes) = source.read(&RepoPath::new(path)) {
                roots.extend(discovery.add_bundles(root, (bundle.named)(&bytes)));
            }
        };
        read(bundle.catalogue.as_bytes().to_vec(), b"", &mut roots);
        read(bundle.manifest.as_bytes().to_vec(), b"", &mut roots);
        // A manifest names no further bundle that counts.
        for root in roots.into_iter().filter(|root| !root.is_empty()).take(MAX_BUNDLES) {
            read(path::join(&root, bundle.manifest.as_bytes()), &root, &mut Vec::new());
        }
    }
}

/// The settings files of the enabled agents, with their bytes; what cannot be read counts as absent.
pub(super) fn of_agents(source: &dyn Source, workspace: &Workspace) -> BTreeMap<RepoPath, Arc<[u8]>> {
    let files = workspace.dialects().map(|dialect| dialect.files);
    let wanted =
        files.flat_map(|files| files.settings.iter().chain(files.run_files).chain(files.ignore_files)).copied();
    let wanted: Vec<&str> = wanted.collect();
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    // Most paths are told by their last bytes.
    let last: Vec<u8> = wanted.iter().filter_map(|path| path.bytes().next_back()).collect();
    let is_setting = |path: &[u8]| {
        path.last().is_some_and(|byte| last.contains(byte)) && wanted.iter().any(|end| ends_with(path, end))
    };
    let listed = workspace.listing.marked().filter(|entry| is_setting(entry.path));
    let paths: Vec<RepoPath> = listed.map(|entry| RepoPath::new(entry.path)).collect();
    let bytes = source.read_many(&paths);
    paths.into_iter().zip(bytes).filter_map(|(path, bytes)| Some((path, bytes.ok()?))).collect()
}

/// The settings of one person that git tracks all the same.
pub(super) fn personal(source: &dyn Source, workspace: &Workspace) -> Vec<RepoPath> {
    let wanted: Vec<&str> = workspace.dialects().flat_map(|dialect| dialect.files.personal_settings).copied().collect();
    let is_personal = |path: &&RepoPath| wanted.iter().any(|end| ends_with(path.as_bytes(), end));
    let paths: Vec<RepoPath> = workspace.settings.keys().filter(is_personal).cloned().collect();
    if paths.is_empty() || !source.is_versioned() {
        return Vec::new();
    }
    let probes = source.probe_many(&paths);
    paths.into_iter().zip(probes).filter(|(_, probe)| *probe == Probe::Tracked).map(|(path, _)| path).collect()
}
