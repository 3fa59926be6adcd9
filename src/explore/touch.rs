//! Which files an agent is sent when it touches a file, having started at the root: asked of the agents' own code for each file,
//! or once for a directory where nothing depends on a file's name.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::Serialize;

use super::contexts::{NONE, TableBuilder, number};
use super::text::Interned;
use crate::agents::context::PartName;
use crate::agents::{Dialect, Proof};
use crate::base::defect;
use crate::base::path::{self, RepoPath};
use crate::source::EntryKind;
use crate::workspace::Workspace;
use crate::workspace::contexts::LoadedContext;

/// Most contexts that are loaded for files.
const MAX_LOADS: usize = 20_000;
/// Most files that the page knows by name.
const MAX_FILES: usize = 20_000;
/// Files that are asked about at once.
const BATCH: usize = 256;
/// Stands for any file of a directory. No file has such a name.
const ANY: &[u8] = b"\x7f";

/// What each file calls in.
#[derive(Serialize)]
pub(super) struct TouchTable {
    /// The paths of files, sorted.
    paths: Vec<String>,
    /// What each one calls in, as an index into `sets`.
    of: Vec<usize>,
    /// Agent and layer, in order.
    sets: Vec<Vec<(usize, usize)>>,
    /// What a file calls in by its directory alone: directory and set, the directory as an index into `dirs`.
    dirs: Vec<usize>,
    /// Whether there are more files.
    more: bool,
}

/// Ask for all files, or as many as the bounds allow.
pub(super) fn table(
    agents: &[&'static Dialect],
    tables: &mut TableBuilder<'_, '_>,
    notes: &mut Vec<String>,
) -> TouchTable {
    let workspace = tables.workspace;
    let (by_file, by_directory): (Vec<usize>, Vec<usize>) = (0..agents.len())
        .filter(|agent| agents[*agent].proof != Proof::Ours)
        .partition(|agent| has_rules(workspace, agents[*agent]));
    let most = (MAX_LOADS / by_file.len().max(1)).min(MAX_FILES);
    let files = workspace.listing.iter().filter(|entry| entry.kind == EntryKind::File).map(|entry| entry.path);
    let mut paths: Vec<&[u8]> = files.take(most + 1).collect();
    let more = paths.len() > most;
    paths.truncate(most);
    if more {
        notes.push(format!("only the first {most} files of the repository can be looked up by name"));
    }
    let dirs = tables.directories();
    let any: Vec<(Vec<u8>, Vec<usize>)> = dirs.iter().map(|dir| (path::join(dir, ANY), by_directory.clone())).collect();
    let of_dirs = called_in(&any, agents, tables);
    let known: BTreeMap<&[u8], usize> = dirs.iter().enumerate().map(|(index, dir)| (dir.as_slice(), index)).collect();
    let dir_of = |path: &[u8]| {
        let above = path::ancestors_from_root(path::parent(path));
        above.iter().rev().find_map(|dir| known.get(dir)).copied().unwrap_or_default()
    };
    // Agents differ in what they do with a hint file that is touched itself.
    let own_agents = |path: &[u8]| {
        let file = number(tables.files.index(&RepoPath::new(path)));
        let is_it = |layer: usize| tables.layers.get(layer).is_some_and(|row| row[0] == file && file != NONE);
        let own = of_dirs[dir_of(path)].iter().filter(|(_, layer)| is_it(*layer)).map(|(agent, _)| *agent);
        by_file.iter().copied().chain(own).collect::<BTreeSet<usize>>().into_iter().collect()
    };
    let asked: Vec<(Vec<u8>, Vec<usize>)> = paths.iter().map(|path| (path.to_vec(), own_agents(path))).collect();
    let mut sets = Interned::default();
    let of_files = called_in(&asked, agents, tables).into_iter().zip(&asked);
    let of = of_files.map(|(mut set, (path, own))| {
        set.extend(of_dirs[dir_of(path)].iter().filter(|(agent, _)| !own.contains(agent)));
        set.sort_by_key(|(agent, _)| *agent);
        sets.index(set)
    });
    let of = of.collect();
    let dirs = of_dirs.iter().map(|set| sets.index(set.clone())).collect();
    let paths = paths.into_iter().map(|path| String::from_utf8_lossy(path).into_owned()).collect();
    TouchTable { paths, of, sets: sets.into_values(), dirs, more }
}

/// The layers that touching each path loads: agent and layer, in order.
fn called_in(
    asked: &[(Vec<u8>, Vec<usize>)],
    agents: &[&'static Dialect],
    tables: &mut TableBuilder<'_, '_>,
) -> Vec<Vec<(usize, usize)>> {
    let workspace = tables.workspace;
    let load = |(path, own): &(Vec<u8>, Vec<usize>)| -> Vec<(usize, LoadedContext<'_>)> {
        let load = |agent: &usize| {
            let loaded =
                defect::contain(|| workspace.context_on_touching(agents[*agent], b"", Some(&RepoPath::new(path))));
            loaded.map(|loaded| (*agent, loaded))
        };
        own.iter().filter_map(load).collect()
    };
    let mut found = Vec::with_capacity(asked.len());
    for batch in asked.chunks(BATCH) {
        for loaded in batch.par_iter().map(load).collect::<Vec<_>>() {
            let mut set = Vec::new();
            for (agent, loaded) in loaded {
                for layer in loaded.context.layers.iter().filter(|layer| layer.part == PartName::Touch) {
                    let row = tables.layer_row(&loaded, layer);
                    set.push((agent, tables.layers.index(row)));
                }
            }
            found.push(set);
        }
    }
    found
}

/// Whether what the agent is sent may depend on more than a file's directory.
fn has_rules(workspace: &Workspace, dialect: &Dialect) -> bool {
    let paths = workspace.documents.iter().map(|document| &document.path).chain(workspace.links.keys());
    let is_rule = |path: &RepoPath| {
        dialect.rules.iter().any(|rules| {
            let mut folder = rules.path.as_bytes().to_vec();
            folder.push(b'/');
            memchr::memmem::find(path.as_bytes(), &folder).is_some()
        })
    };
    !dialect.rules.is_empty() && paths.into_iter().any(is_rule)
}
