//! What the plugin manifests and marketplaces of GitHub Copilot name, by their documentation: the roots of plugins, and the paths of
//! their parts.

use crate::agents::claude::plugins;
use crate::agents::shared::bundles::{BundlePath, PlacedPath};

/// The roots of plugins that a marketplace lists. Agents in folders of other names are not known by their places.
pub(super) fn named(bytes: &[u8]) -> Vec<BundlePath> {
    let named = plugins::named(bytes).into_iter();
    named.filter(|path| matches!(path, BundlePath::Root(_))).collect()
}

/// The paths that a manifest or a marketplace names; its files have the form of Claude Code's.
pub(super) fn paths(bytes: &[u8]) -> Vec<PlacedPath> {
    plugins::paths(bytes)
}
