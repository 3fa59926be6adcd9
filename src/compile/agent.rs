//! Contexts of real agents for artifacts: each scope's text as `show --part main` gives it for the repository alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::plan::MERGED;
use crate::agents::context::{self, Context, LoadOptions, PartName};
use crate::agents::{self, Dialect};
use crate::base::defect;
use crate::base::error::Failure;
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::source::{EntryKind, Source};
use crate::workspace::Workspace;
use crate::workspace::contexts::{file_type, listed};
use crate::world::git_dirs::is_in_git_dir;
use crate::world::{DirectoryEntry, FileType, ReadError, RepoFiles, RepoWorld};

/// A source as the files of a [`RepoWorld`].
pub(crate) struct SourceFiles<'s> {
    source: &'s dyn Source,
    links: &'s BTreeMap<RepoPath, Vec<u8>>,
}

impl<'s> SourceFiles<'s> {
    /// The files of `source`; `links` are its symbolic links and their targets.
    pub(crate) fn new(source: &'s dyn Source, links: &'s BTreeMap<RepoPath, Vec<u8>>) -> Self {
        SourceFiles { source, links }
    }
}

impl RepoFiles for SourceFiles<'_> {
    fn kind(&self, path: &[u8]) -> Option<FileType> {
        listed(self.source.listing(), path)
    }

    fn read(&self, path: &[u8]) -> Result<Arc<[u8]>, ReadError> {
        self.source.read(&RepoPath::new(path)).map_err(ReadError::from)
    }

    fn is_git(&self, path: &[u8]) -> bool {
        let is_empty =
            |path: &[u8]| self.source.empty_dirs().iter().any(|dir| path::is_at_or_below(dir.as_bytes(), path));
        let kind = |path: &[u8]| self.kind(path).or_else(|| is_empty(path).then_some(FileType::Directory));
        is_in_git_dir(path, &kind)
    }

    fn read_link(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.links.get(&RepoPath::new(path)).cloned()
    }

    fn children(&self, dir: &[u8]) -> Vec<DirectoryEntry> {
        let children = self.source.listing().children(dir);
        let entry = |(name, kind): (&[u8], Option<EntryKind>)| DirectoryEntry {
            name: name.to_vec(),
            kind: kind.map_or(FileType::Directory, file_type),
        };
        children.into_iter().map(entry).collect()
    }
}

/// The contexts of all agents that get artifacts, but for `merged`: made at once, since a source is read by one thread.
#[derive(Debug, Default)]
pub struct AgentTexts {
    by_agent: BTreeMap<String, BTreeMap<RepoPath, Result<String, Failed>>>,
}

/// Loading a context panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

impl AgentTexts {
    /// Load what each agent of `[compile] agents` loads in each of its scopes.
    pub fn new(source: &dyn Source, workspace: &Workspace) -> Self {
        let mut by_agent = BTreeMap::new();
        for agent in workspace.config.compile.agents.iter().filter(|agent| *agent != MERGED) {
            if let Some(dialect) = agents::by_id(agent) {
                by_agent.insert(agent.clone(), scopes(source, workspace, dialect));
            }
        }
        AgentTexts { by_agent }
    }

    /// Whether this agent's contexts were loaded.
    pub(super) fn knows(&self, agent: &str) -> bool {
        self.by_agent.contains_key(agent)
    }

    /// The directories whose context differs from their parent's.
    pub(super) fn scopes(&self, agent: &str) -> impl Iterator<Item = &RepoPath> {
        self.by_agent.get(agent).into_iter().flat_map(BTreeMap::keys)
    }

    /// The context of `scope` without header: repository-relative paths, LF, hidden characters made visible. `None` if the
    /// agent loads nothing there.
    pub(super) fn text(&self, agent: &str, scope: &RepoPath) -> Option<Result<&str, Failed>> {
        let text = self.by_agent.get(agent)?.get(scope)?;
        Some(text.as_deref().map_err(|&failed| failed))
    }

    /// The contexts that could not be loaded, as failures of their scopes.
    pub fn failures(&self) -> impl Iterator<Item = Failure> {
        self.failed().map(|(agent, scope)| {
            let message = defect::message(&format!("hintlint cannot tell what {agent} loads here"));
            let path = if scope.as_bytes().is_empty() { RepoPath::from(".") } else { scope.clone() };
            Failure { path, message }
        })
    }

    fn failed(&self) -> impl Iterator<Item = (&String, &RepoPath)> {
        let all = self.by_agent.iter().flat_map(|(agent, scopes)| scopes.iter().map(move |scope| (agent, scope)));
        all.filter(|(_, (_, text))| text.is_err()).map(|(agent, (scope, _))| (agent, scope))
    }
}

/// The directories in which `dialect` loads other files than in their parent, and its text there.
fn scopes(
    source: &dyn Source,
    workspace: &Workspace,
    dialect: &'static Dialect,
) -> BTreeMap<RepoPath, Result<String, Failed>> {
    let world = RepoWorld::new(SourceFiles::new(source, &workspace.links));
    let options = LoadOptions {
        user: false,
        trusted: true,
        strip_root: Some(world.root().clone()),
        config: crate::workspace::contexts::settings(&workspace.config, dialect),
        ..LoadOptions::default()
    };
    let load = |dir: &[u8]| context::load(&world, dialect, &world.absolute(dir), &options);
    let mut scopes = BTreeMap::new();
    for dir in candidates(workspace, dialect) {
        let text = defect::contain(|| {
            let here = load(&dir);
            let differs = dir.is_empty() || loaded(&here) != loaded(&load(path::parent(&dir)));
            Some(text(&here)).filter(|text| differs && !text.is_empty())
        });
        if let Some(text) = text.map_or(Some(Err(Failed)), |text| text.map(Ok)) {
            scopes.insert(RepoPath::new(&dir), text);
        }
    }
    scopes
}

/// What tells one context from another: its files and the rules that wait, whatever the text says of the directory.
fn loaded(context: &Context) -> Vec<&[u8]> {
    let layers = context.layers.iter().map(|layer| layer.path.as_bytes());
    layers.chain(context.conditional.iter().map(|rule| rule.path.as_bytes())).collect()
}

/// The directories that hold something which `dialect` reads: its names, or its folders of rules.
pub(crate) fn candidates(workspace: &Workspace, dialect: &Dialect) -> BTreeSet<Vec<u8>> {
    let mut dirs: BTreeSet<Vec<u8>> = BTreeSet::from([Vec::new()]);
    let discovered: BTreeSet<&[u8]> = workspace.documents.iter().map(|document| document.path.as_bytes()).collect();
    let links = workspace.links.keys().map(RepoPath::as_bytes);
    for file in discovered.into_iter().chain(links) {
        let mut dir = path::parent(file);
        // A file in `.claude/rules` belongs to the directory that holds `.claude`.
        while let Some(hidden) = first_hidden(dir) {
            dir = hidden;
        }
        let named = dialect.names.iter().any(|name| {
            let name = name.rsplit('/').next().unwrap_or(name).as_bytes();
            let own = path::file_name(file);
            own == name || (dialect.ignores_case && own.eq_ignore_ascii_case(name))
        });
        let ruled = dialect.rules.iter().any(|rules| {
            let below = path::join(dir, rules.path.as_bytes());
            file.starts_with(&below) && file.ends_with(rules.suffix.as_bytes())
        });
        if named || ruled {
            dirs.insert(dir.to_vec());
        }
    }
    // Names that the config gives the agent are no hint files by themselves, so that nobody discovers them.
    let configured = workspace.config.of_agent(dialect.id);
    let names = configured.iter().filter(|(key, _)| *key == "filenames").filter_map(|(_, value)| value.as_array());
    let names: BTreeSet<&[u8]> = names.flatten().filter_map(|name| Some(name.as_str()?.as_bytes())).collect();
    let is_new = names.iter().any(|name| !dialect.names.iter().any(|known| known.as_bytes() == *name));
    if is_new {
        let named = workspace.listing.iter().filter(|entry| names.contains(path::file_name(entry.path)));
        dirs.extend(named.map(|entry| path::parent(entry.path).to_vec()));
    }
    dirs.extend(workspace.config.compile.directories.iter().map(|dir| dir.clone().into_bytes()));
    dirs
}

/// The directory above the first component of `dir` that begins with a dot.
fn first_hidden(dir: &[u8]) -> Option<&[u8]> {
    if dir.starts_with(b".") {
        return Some(b"");
    }
    memchr::memmem::find(dir, b"/.").map(|at| &dir[..at])
}

/// The main part, and the rules that wait for a file, with what hides made visible.
pub(crate) fn text(context: &Context) -> String {
    let mut text = context.text(PartName::Main).replace("\r\n", "\n").replace('\r', "\n");
    for rule in &context.conditional {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        let globs = rule.globs.join(", ");
        text.push_str(&format!("Loaded when touching: {globs}\n\n{}", rule.text.trim_matches('\n')));
    }
    sanitize::lines(&text)
}
