//! The roots of plugins that the marketplaces of GitHub Copilot name, by their documentation. Its files have the form of Claude Code's.

use crate::agents::claude::plugins;
use crate::agents::shared::bundles::BundlePath;

/// The roots of plugins that a marketplace lists. Agents in folders of other names are not known by their places.
pub(super) fn named(bytes: &[u8]) -> Vec<BundlePath> {
    let named = plugins::named(bytes).into_iter();
    named.filter(|path| matches!(path, BundlePath::Root(_))).collect()
}
