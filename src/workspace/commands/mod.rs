//! Commands that hint files tell agents to run and that no manifest defines. Collected while loading: manifests are read only
//! where a text runs one of their scripts.

mod define;
mod tell;

use std::collections::{BTreeMap, BTreeSet};

use crate::config::nearest;
use crate::discover::Kind;
use crate::path::{self, RepoPath};
use crate::source::{EntryKind, Source};
use crate::text::{Span, same_length_text};
use crate::workspace::Workspace;

/// Manifests that are read, at most; beyond them nothing is said.
const MAX_MANIFESTS: usize = 400;

/// What runs a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runner {
    /// npm, pnpm, yarn, bun.
    Package,
    /// make.
    Make,
    /// just.
    Just,
}

impl Runner {
    /// The kind of file that defines what it runs.
    pub fn file(self) -> &'static str {
        match self {
            Runner::Package => "package.json",
            Runner::Make => "Makefile",
            Runner::Just => "justfile",
        }
    }

    /// Whether a file of this name defines what it runs.
    fn reads(self, name: &[u8]) -> bool {
        match self {
            Runner::Package => name == b"package.json",
            Runner::Make => {
                matches!(name, b"Makefile" | b"makefile" | b"GNUmakefile")
                    || name.ends_with(b".mk")
                    || name.ends_with(b".mak")
            }
            Runner::Just => {
                name.eq_ignore_ascii_case(b"justfile")
                    || name.eq_ignore_ascii_case(b".justfile")
                    || name.ends_with(b".just")
            }
        }
    }
}

/// One command of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What runs it.
    pub runner: Runner,
    /// The script, target or recipe.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// What is defined and spelt most alike.
    pub near: Option<String>,
}

/// The commands that nothing defines, by file and place.
#[derive(Debug, Default)]
pub struct Commands {
    by_document: BTreeMap<RepoPath, Vec<Command>>,
}

impl Commands {
    /// Those in the file at `path`.
    pub fn of(&self, path: &RepoPath) -> &[Command] {
        self.by_document.get(path).map_or(&[], Vec::as_slice)
    }
}

/// All commands of the workspace's documents that no manifest defines.
pub(super) fn collect(source: &dyn Source, workspace: &Workspace) -> Commands {
    let mut told: BTreeMap<RepoPath, Vec<Command>> = BTreeMap::new();
    for document in workspace.documents.iter().filter(|document| document.kind != Kind::Artifact) {
        let found = tell::commands(document);
        if !found.is_empty() {
            told.insert(document.path.clone(), found);
        }
    }
    let runners: BTreeSet<Runner> = told.values().flatten().map(|command| command.runner).collect();
    if runners.is_empty() {
        return Commands::default();
    }
    let defined = definitions(source, workspace, &runners);
    for commands in told.values_mut() {
        commands.retain_mut(|command| {
            let Some(names) = defined.get(&command.runner).filter(|names| !names.contains(&command.name)) else {
                return false;
            };
            command.near = nearest(&command.name, names.iter().map(String::as_str)).map(str::to_owned);
            true
        });
    }
    told.retain(|_, commands| !commands.is_empty());
    Commands { by_document: told }
}

/// What the manifests of the repository define, for the runners that have any and whose manifests could all be read.
fn definitions(
    source: &dyn Source,
    workspace: &Workspace,
    runners: &BTreeSet<Runner>,
) -> BTreeMap<Runner, BTreeSet<String>> {
    let mut manifests: BTreeMap<Runner, Vec<RepoPath>> = BTreeMap::new();
    for entry in workspace.listing.iter().filter(|entry| entry.kind == EntryKind::File) {
        let name = path::file_name(entry.path);
        if let Some(runner) = runners.iter().find(|runner| runner.reads(name)) {
            manifests.entry(*runner).or_default().push(RepoPath::new(entry.path));
        }
    }
    let mut defined = BTreeMap::new();
    for (runner, paths) in manifests.into_iter().filter(|(_, paths)| paths.len() <= MAX_MANIFESTS) {
        let texts = source.read_many(&paths).into_iter().collect::<Result<Vec<_>, _>>();
        let names = texts.ok().and_then(|texts| {
            let mut names = BTreeSet::new();
            for bytes in texts {
                names.extend(define::names(runner, &same_length_text(&bytes))?);
            }
            Some(names)
        });
        defined.extend(names.map(|names| (runner, names)));
    }
    defined
}
