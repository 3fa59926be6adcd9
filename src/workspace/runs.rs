//! What the enabled agents run because of the repository's files, in each directory that has files which say so.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Resolution, Workspace};
use crate::agents::bundles::BundlePath;
use crate::agents::files::{ends_with, is_agent_folder};
use crate::agents::runs::{self, AgentRuns, RunMode, RunOptions, SettingPlace};
use crate::agents::{self, Dialect, Proof};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover;

/// Most directories that are looked at for one agent.
const MAX_DIRECTORIES: usize = 1_000;

/// Whether nobody starts an agent in `dir`: it lies in a home's settings, which a repository keeps for another place, in a project
/// that was copied into an agent's folder, in the folder of a plugin's manifest, or in that from which a container is made.
fn is_of_a_home(dir: &[u8]) -> bool {
    let is_of_manifest = |folder: &[u8]| folder.starts_with(b".") && folder.ends_with(b"-plugin");
    let mut folders = dir.split(|&byte| byte == b'/');
    folders.any(|folder| {
        matches!(folder, b".config" | b".devcontainer") || is_agent_folder(folder) || is_of_manifest(folder)
    })
}

impl Workspace {
    /// What each enabled agent with observed behaviour runs in each directory that has its settings files, started in
    /// `mode`, and at the root; then what it runs of bundles that are handed out. It is found out once.
    pub(crate) fn runs(&self, mode: RunMode) -> &[AgentRuns] {
        self.found_runs[mode as usize].get_or_init(|| {
            let world = self.world();
            let mut found = Vec::new();
            let is_observed = |dialect: &&'static Dialect| dialect.proof != Proof::Documentation;
            for dialect in self.dialects().filter(|dialect| dialect.runs.is_some()).filter(is_observed) {
                let mut directories = BTreeSet::from([Vec::new()]);
                for file in self.settings.keys() {
                    let files = dialect.files;
                    let found = [files.run_directory(file.as_bytes()), files.unread_directory(file.as_bytes())];
                    if directories.len() < MAX_DIRECTORIES {
                        directories.extend(found.into_iter().flatten().map(<[u8]>::to_vec));
                    }
                }
                let own = directories.into_iter().filter(|dir| !self.is_start_elsewhere(dir) && !is_of_a_home(dir));
                let own = own.filter(|dir| !self.is_bundle_of_others(dialect, dir)).map(|dir| (dir, false));
                let bundles = self.bundle_roots(dialect, |path| self.settings.get(&RepoPath::new(path)).cloned());
                let bundles = bundles.into_iter().map(|dir| (dir, true));
                for (dir, is_bundle) in own.chain(bundles) {
                    let options = RunOptions { is_bundle, ..RunOptions::default() };
                    found.extend(runs::load(&world, dialect, &world.absolute(&dir), mode, &options));
                }
            }
            found
        })
    }

    /// What editors start when somebody opens a folder that has files which say so.
    pub(crate) fn runs_of_editors(&self) -> Vec<AgentRuns> {
        let world = self.world();
        let mut found = Vec::new();
        for editor in agents::EDITORS {
            let folders = self.settings.keys().filter_map(|file| editor.files.run_directory(file.as_bytes()));
            let folders = folders.filter(|dir| !self.is_start_elsewhere(dir) && !is_of_a_home(dir));
            for dir in folders.collect::<BTreeSet<_>>().into_iter().take(MAX_DIRECTORIES) {
                let (mode, options) = (RunMode::Interactive, RunOptions::default());
                found.extend(runs::load(&world, editor, &world.absolute(dir), mode, &options));
            }
        }
        found
    }

    /// The settings in the directory of `runs` that count only where the agent is started in that very directory.
    pub(crate) fn settings_of_start(&self, runs: &AgentRuns) -> BTreeSet<RepoPath> {
        let world = self.world();
        let paths = |runs: &AgentRuns| -> BTreeSet<RepoPath> {
            let places = runs.items.iter().map(|item| &item.place.path);
            let paths = places.filter_map(|path| world.relative(path).map(RepoPath::new));
            paths.filter(|path| self.settings.contains_key(path)).collect()
        };
        let directory = world.relative(&runs.start).unwrap_or_default();
        if directory.is_empty() || runs.is_bundle {
            return BTreeSet::new();
        }
        // No such folder need be there: what counts in it is what is handed down.
        let below = runs.start.join("folder");
        let below = runs::load(&world, runs.dialect, &below, runs.mode, &RunOptions::default());
        let handed_down = below.as_ref().map(paths).unwrap_or_default();
        let is_own = |path: &RepoPath| path::is_at_or_below(path.as_bytes(), directory) && !handed_down.contains(path);
        paths(runs).into_iter().filter(is_own).collect()
    }

    /// The folders of bundles for `dialect`, which hold its manifest or are listed in its catalogue. `read` gets at the files.
    pub(crate) fn bundle_roots(
        &self,
        dialect: &Dialect,
        read: impl Fn(&[u8]) -> Option<Arc<[u8]>>,
    ) -> BTreeSet<Vec<u8>> {
        let Some(bundle) = &dialect.files.bundle else { return BTreeSet::new() };
        let mut roots = BTreeSet::new();
        let root_above = |path: &[u8], end: &str| {
            let root = path.strip_suffix(end.as_bytes()).filter(|_| ends_with(path, end))?;
            Some(root.strip_suffix(b"/").unwrap_or(root).to_vec())
        };
        for entry in self.listing.marked() {
            roots.extend(bundle.manifests.iter().find_map(|manifest| root_above(entry.path, manifest)));
            let Some(above) = root_above(entry.path, bundle.catalogue) else { continue };
            for named in read(entry.path).map(|bytes| (bundle.named)(&bytes)).unwrap_or_default() {
                let BundlePath::Root(root) = named else { continue };
                let root = path::resolve(&above, root.as_bytes());
                roots.extend(root.filter(|root| root.is_empty() || self.listing.has_dir(root)));
            }
        }
        if bundle.is_repository(|path| self.listing.contains(path) || self.listing.has_dir(path)) {
            roots.insert(Vec::new());
        }
        roots.into_iter().filter(|root| discover::why_set_aside(root).is_none()).take(MAX_DIRECTORIES).collect()
    }

    /// The files and folders that manifests and catalogues of bundles for `dialect` name.
    pub(crate) fn named_by_bundles(&self, dialect: &Dialect) -> BTreeSet<Vec<u8>> {
        let Some(bundle) = &dialect.files.bundle else { return BTreeSet::new() };
        let mut found = BTreeSet::new();
        for (manifest, bytes) in &self.settings {
            let mut ends = bundle.manifests.iter().chain(std::iter::once(&bundle.catalogue));
            let Some(end) = ends.find(|end| ends_with(manifest.as_bytes(), end)) else { continue };
            let root = &manifest.as_bytes()[..manifest.as_bytes().len() - end.len()];
            let places = (bundle.paths)(bytes).into_iter().flat_map(|named| named.places);
            found.extend(places.filter_map(|place| path::resolve(root, place.as_bytes())));
        }
        found
    }

    /// Whether nobody starts `dialect` in a folder below the root, since it is a bundle for other agents alone. Servers in it are no
    /// settings of `dialect`.
    fn is_bundle_of_others(&self, dialect: &Dialect, dir: &[u8]) -> bool {
        if dir.is_empty() {
            return false;
        }
        let has = |below: &[u8]| self.listing.contains(&path::join(dir, below));
        let has_own =
            dialect.files.bundle.as_ref().is_some_and(|own| own.is_root(dir, |path| self.listing.contains(path)));
        let names = || self.listing.children(dir).into_iter().map(|(name, _)| name);
        let is_manifest = |folder: &[u8]| {
            folder.starts_with(b".") && folder.ends_with(b"-plugin") && has(&path::join(folder, b"plugin.json"))
        };
        // One that a marketplace lists has no manifest, but hooks where only bundles have them.
        let is_bundle = || has(b"hooks/hooks.json") || names().any(is_manifest);
        let is_started_in = || names().any(|name| dialect.files.folders.iter().any(|own| own.as_bytes() == name));
        !has_own && is_bundle() && !is_started_in()
    }

    /// The file, links followed, and the bytes of a place that an agent told; `None` outside the repository. Where the agent
    /// decodes the file otherwise than as UTF-8 the place is the file's beginning.
    pub(crate) fn place_of_setting(&self, place: &SettingPlace) -> Option<(RepoPath, Span)> {
        let world = self.world();
        let path = match self.resolve(world.relative(&place.path)?) {
            Resolution::File(real) => real,
            _ => return None,
        };
        let known = self.settings.get(&path).or_else(|| self.document(path.as_bytes()).map(|document| &document.bytes));
        let Some(bytes) = known else {
            // A file that is code as a whole has no place in it.
            let is_whole = place.span == Span::empty(0) && self.listing.contains(path.as_bytes());
            return is_whole.then(|| (path, Span::empty(0)));
        };
        let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let is_plain = std::str::from_utf8(bytes).is_ok();
        let span = Span::new(place.span.start + mark, place.span.end + mark);
        Some((path, if is_plain && span.end <= bytes.len() { span } else { Span::empty(0) }))
    }
}
