//! Files of the repository that agents run: what the commands of settings name, with the bytes of scripts and what is known of paths where
//! nothing stands.

mod named;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) use named::{NamedByCommand, NamedScripts, ScriptHost};

use super::{Resolution, Workspace};
use crate::agents::runs::{DroppedScope, RunKind, RunMode};
use crate::base::path::{self, RepoPath};
use crate::source::{EntryKind, Probe, Source};

/// Most scripts that are read, and most paths without a file that are asked about.
const MAX_SCRIPTS: usize = 2_000;

/// What is known of the files that agents run.
#[derive(Debug, Default)]
pub(crate) struct Scripts {
    /// The scripts, by path.
    pub(crate) bytes: BTreeMap<RepoPath, Arc<[u8]>>,
    /// Those of them that git tracks and that are not executable; empty where git does not tell.
    pub(crate) not_executable: BTreeSet<RepoPath>,
    /// Paths that commands name and where no file stands.
    pub(crate) missing: BTreeMap<RepoPath, Probe>,
}

/// Whether something of this kind may run a script of the repository.
pub(crate) fn may_run_script(kind: &RunKind) -> bool {
    match kind {
        RunKind::Hook { kind, .. } => kind == "command",
        RunKind::Server { is_remote, .. } => !is_remote,
        RunKind::Helper { .. } | RunKind::PreRun { .. } => true,
        _ => false,
    }
}

/// Read the scripts that the workspace's settings name.
pub(crate) fn collect(source: &dyn Source, workspace: &Workspace) -> Scripts {
    let (mut named, mut missing) = (BTreeSet::new(), BTreeSet::new());
    for mode in RunMode::ALL {
        for runs in workspace.runs(mode) {
            let Some(directory) = workspace.world().relative(&runs.start).map(<[u8]>::to_vec) else { continue };
            missing.extend(runs.dropped.iter().filter_map(|dropped| match &dropped.what {
                DroppedScope::Absent(name) => path::resolve(&directory, name.as_bytes()).map(RepoPath::new),
                _ => None,
            }));
            for item in runs.items.iter().filter(|item| may_run_script(&item.kind)) {
                let Some((named_in, _)) = workspace.place_of_setting(&item.place) else { continue };
                if named.len() + missing.len() > MAX_SCRIPTS {
                    break;
                }
                let host = ScriptHost { directory: &directory, named_in: &named_in, is_bundle: runs.is_bundle };
                let found = workspace.scripts_of(&item.kind, &host);
                named.extend(found.scripts.into_keys());
                missing.extend(found.missing);
                missing.extend(workspace.absent_folder(&item.kind, &host));
            }
        }
    }
    let real = |path: RepoPath| match workspace.resolve(path.as_bytes()) {
        Resolution::File(real) => Some(real),
        _ => None,
    };
    let paths: Vec<RepoPath> = named.into_iter().filter_map(real).collect();
    let bytes = source.read_many(&paths);
    let not_executable = source.not_executable(&paths);
    let missing: Vec<RepoPath> = missing.into_iter().collect();
    let probes = if missing.is_empty() { Vec::new() } else { source.probe_many(&missing) };
    Scripts {
        not_executable: not_executable.into_iter().collect(),
        bytes: paths.into_iter().zip(bytes).filter_map(|(path, bytes)| Some((path, bytes.ok()?))).collect(),
        missing: missing.into_iter().zip(probes).collect(),
    }
}

/// Whether a folder is not below the one of the start, as far as its text tells, or is named by a variable.
fn is_elsewhere(folder: &str) -> bool {
    folder.starts_with(['/', '~']) || folder.contains(['$', '{', '%', '\\', ':'])
}

impl Workspace {
    /// The folder in which a hook or a server is to be started, where there is no such folder in the repository.
    pub(crate) fn absent_folder(&self, kind: &RunKind, host: &ScriptHost<'_>) -> Option<RepoPath> {
        let (folder, above) = match kind {
            RunKind::Hook { directory: Some(folder), .. } if !folder.starts_with('/') => (folder, &b""[..]),
            // Agents put in variables, and go up from the folder of the start.
            RunKind::Server { directory: Some(folder), .. } if !is_elsewhere(folder) => (folder, host.directory),
            _ => return None,
        };
        let folder = path::resolve(above, folder.as_bytes()).filter(|folder| !folder.is_empty() && !host.is_bundle)?;
        // A template's folder is a root once it is copied.
        let is_there = |dir: &[u8]| !matches!(self.resolve(dir), Resolution::Missing(_));
        let copied = path::resolve(host.directory, &folder)?;
        (!is_there(&folder) && !is_there(&copied)).then(|| RepoPath::new(folder))
    }

    /// What the words of a command name, by the files that are listed.
    pub(crate) fn scripts_of(&self, kind: &RunKind, host: &ScriptHost<'_>) -> NamedByCommand {
        let has = |path: &[u8]| {
            matches!(self.listing.kind(path), Some(EntryKind::File | EntryKind::Symlink))
                || matches!(self.resolve(path), Resolution::File(_))
        };
        NamedScripts { has: &has, read: &|_| None }.named_by(kind, host)
    }
}
