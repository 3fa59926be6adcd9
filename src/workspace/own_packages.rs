//! The names of the npm packages that this repository makes.

use super::Workspace;
use crate::base::path::RepoPath;
use crate::source::Source;
use std::collections::BTreeSet;

const MANIFEST: &[u8] = b"package.json";
/// Most manifests that are read.
const MAX_MANIFESTS: usize = 200;

/// Read them, where settings name plugins, which may be one of those packages.
pub(super) fn read(source: &dyn Source, workspace: &Workspace) -> BTreeSet<String> {
    let names_plugins = |bytes: &[u8]| memchr::memmem::find(bytes, b"\"plugin\"").is_some();
    if !workspace.settings.values().any(|bytes| names_plugins(bytes)) {
        return BTreeSet::new();
    }
    let manifests = workspace.listing.with_name(MANIFEST).into_iter().take(MAX_MANIFESTS);
    let manifests: Vec<RepoPath> = manifests.map(RepoPath::new).collect();
    let name = |bytes: &[u8]| {
        let root: serde_json::Value = serde_json::from_slice(bytes).ok()?;
        root.get("name")?.as_str().map(str::to_owned)
    };
    source.read_many(&manifests).into_iter().flatten().filter_map(|bytes| name(&bytes)).collect()
}
