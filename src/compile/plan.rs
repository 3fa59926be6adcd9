//! Which scopes get an artifact, where it stands, and what stands there without being wanted: a plan as data.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::agent::{AgentTexts, Failed};
use super::changes::{ChangeRefusal, Existing};
use super::settings::CompileSettings;
use rayon::prelude::*;

use crate::agents::merged::marker::HEADER;
use crate::agents::merged::repository::is_inside;
use crate::agents::merged::repository::{MergedContext, MergedRepository};
use crate::agents::merged::{self, repository::MergedSettings as _};
use crate::base::defect;
use crate::base::error::Obstacle;
use crate::base::path::{self, RepoPath};
use crate::config::DEFAULT_OUTPUT;
use crate::discover::Discovery;
use crate::workspace::Workspace;
use crate::workspace::contexts::WorkspaceFiles;
use crate::world::RepoWorld;

/// The pseudo-agent whose contexts this module renders itself.
pub(crate) const MERGED: &str = "merged";

/// What a run is limited to. Empty lists mean everything that the config names.
#[derive(Clone, Debug, Default)]
pub struct ArtifactSelection {
    /// Only scopes at or below these directories.
    pub directories: Vec<RepoPath>,
    /// These agents instead of the config's.
    pub agents: Vec<String>,
}

/// One artifact that should exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its path.
    pub path: RepoPath,
    /// Whose context it holds.
    pub agent: String,
    /// The directory whose context it holds.
    pub scope: RepoPath,
}

/// The artifacts of a workspace.
#[derive(Debug, Default)]
pub struct Plan {
    /// What should exist, by path.
    pub artifacts: Vec<Artifact>,
    /// Files with our header that should not exist, by path.
    pub orphans: Vec<RepoPath>,
    /// What the user should know, one sentence each.
    pub notes: Vec<String>,
    /// Whether the plan covers the whole output folder.
    pub whole: bool,
    /// The attributes file of the output folder, if there is one and the caller has read it.
    pub attributes: Option<Arc<[u8]>>,
}

/// The merged contexts of a workspace.
pub(crate) type Merged<'w> = MergedRepository<'w, RepoWorld<WorkspaceFiles<'w>>, CompileSettings<'w>>;

/// Renders the artifacts of one workspace.
pub struct Compiler<'w> {
    pub(super) workspace: &'w Workspace,
    texts: &'w AgentTexts,
    pub(super) output: Vec<u8>,
    merged: Merged<'w>,
    /// The scopes of `merged`, where artifacts name their parent. Found beforehand: a lock that is held while a thread pool
    /// works could be asked for again by the same thread.
    parents: BTreeSet<RepoPath>,
}

/// An artifact's text, and what could not be read for it.
#[derive(Debug, Default)]
pub(crate) struct RenderedArtifact {
    /// The bytes that the artifact should have.
    pub text: String,
    /// Sources that failed.
    pub failures: Vec<RepoPath>,
    /// Whether rendering panicked; then there is no text.
    pub defect: bool,
}

impl RenderedArtifact {
    /// Why this text must not be written.
    pub(super) fn refusal(&self) -> Option<ChangeRefusal> {
        match (self.defect, self.failures.is_empty()) {
            (true, _) => Some(ChangeRefusal::Defect),
            (false, false) => Some(ChangeRefusal::SourceFailed(self.failures.clone())),
            (false, true) => None,
        }
    }
}

impl std::fmt::Debug for Compiler<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiler").field("output", &self.output).finish_non_exhaustive()
    }
}

impl<'w> Compiler<'w> {
    /// Prepare to compile; `texts` are the contexts of the agents but for `merged`. Fails when the config's output folder is
    /// unusable; the message says why.
    pub fn new(workspace: &'w Workspace, texts: &'w AgentTexts) -> Result<Self, Obstacle> {
        // A bad pattern has stopped the run before this.
        let discovery = Discovery::new(&workspace.config).map_err(|bad| bad.message)?;
        let settings = CompileSettings::new(&workspace.config, discovery)?;
        let output = settings.output().to_vec();
        let world = workspace.world();
        let root = world.root().clone();
        let merged = MergedRepository::new(world, root, settings, &workspace.documents);
        let mut compiler = Compiler { workspace, texts, output, merged, parents: BTreeSet::new() };
        if !workspace.config.compile.inherit {
            compiler.parents = compiler.scopes(MERGED, &compiler.extra_scopes(&mut Vec::new()));
        }
        Ok(compiler)
    }

    /// The renderer of `merged` contexts.
    pub(crate) fn merged(&self) -> &Merged<'w> {
        &self.merged
    }

    /// The directories whose own files contribute to a `merged` context, in bytewise order.
    pub fn directories(&self) -> Vec<&'w [u8]> {
        let documents = self.workspace.documents.iter().map(|document| &document.path);
        let others = self.workspace.links.keys().chain(self.workspace.unreadable.keys());
        let named = documents.chain(others).filter(|path| merged::reads(path.file_name()));
        let dirs: BTreeSet<&[u8]> = named.map(RepoPath::parent).collect();
        // This is where most files are normalised, so it goes parallel; the order stays.
        let dirs: Vec<&[u8]> = dirs.into_iter().collect();
        dirs.into_par_iter().filter(|dir| self.merged.contributes(dir)).collect()
    }

    /// Which artifacts should exist, and which exist and should not.
    pub fn plan(&self, selection: &ArtifactSelection) -> Plan {
        let config = &self.workspace.config.compile;
        let agents = if selection.agents.is_empty() { &config.agents } else { &selection.agents };
        let mut plan =
            Plan { whole: selection.directories.is_empty() && selection.agents.is_empty(), ..Plan::default() };
        let extra = self.extra_scopes(&mut plan.notes);
        let (known, unknown): (Vec<&String>, Vec<&String>) =
            agents.iter().partition(|agent| *agent == MERGED || self.texts.knows(agent));
        plan.notes.extend(
            unknown.iter().map(|agent| format!("no artifact can be made for the agent `{}`", agent.escape_debug())),
        );
        for agent in known {
            for scope in self.scopes(agent, &extra) {
                if selection.selects(&scope) {
                    plan.artifacts.push(Artifact {
                        path: self.artifact_path(agent, &scope),
                        agent: agent.clone(),
                        scope,
                    });
                }
            }
        }
        plan.artifacts.sort_by(|a, b| a.path.cmp(&b.path));
        plan.artifacts.dedup_by(|a, b| a.path == b.path);
        let in_agent =
            |name: &[u8]| selection.agents.is_empty() || agents.iter().any(|a| name == file_name(a).as_bytes());
        for path in self.folder_files() {
            let (_, scope) = self.artifact_of(&path);
            let wanted = plan.artifacts.binary_search_by(|artifact| artifact.path.cmp(&path)).is_ok();
            let is_ours = path.file_name().ends_with(b".md") && matches!(self.existing(&path), Existing::Ours(_));
            if !wanted && is_ours && selection.selects(&scope) && in_agent(path.file_name()) {
                plan.orphans.push(path);
            }
        }
        plan.orphans.sort();
        plan
    }

    /// The output folder. What was compiled before the config named another than the default one was left there.
    fn folders(&self) -> impl Iterator<Item = &[u8]> {
        let default = DEFAULT_OUTPUT.as_bytes();
        let apart = !path::is_at_or_below(default, &self.output) && !path::is_at_or_below(&self.output, default);
        std::iter::once(self.output.as_slice()).chain(apart.then_some(default))
    }

    /// The folder of artifacts that `path` lies in.
    pub(crate) fn folder_of(&self, path: &RepoPath) -> &[u8] {
        self.folders().find(|folder| is_inside(path.as_bytes(), folder)).unwrap_or(&self.output)
    }

    /// Whether `path` lies where artifacts stood before the config named another folder.
    pub(crate) fn is_left_behind(&self, path: &RepoPath) -> bool {
        !is_inside(path.as_bytes(), &self.output)
    }

    fn folder_files(&self) -> impl Iterator<Item = RepoPath> {
        let listing = &self.workspace.listing;
        let indexes = self.folders().flat_map(|folder| listing.below(folder));
        indexes.map(|index| RepoPath::new(listing.entry(index).path))
    }

    /// Where the attributes of the output folder stand.
    pub(crate) fn attributes_path(&self) -> RepoPath {
        RepoPath::new(path::join(&self.output, b".gitattributes"))
    }

    fn extra_scopes(&self, notes: &mut Vec<String>) -> Vec<RepoPath> {
        let mut extra = Vec::new();
        for written in &self.workspace.config.compile.directories {
            match path::resolve(b"", written.as_bytes()).filter(|dir| self.workspace.listing.has_dir(dir)) {
                Some(dir) => extra.push(RepoPath::new(dir)),
                None => {
                    notes.push(format!("[compile] directories names `{}`, which holds no file", written.escape_debug()))
                }
            }
        }
        extra
    }

    /// The scopes of an agent, in bytewise order: only where the context is not empty.
    fn scopes(&self, agent: &str, extra: &[RepoPath]) -> BTreeSet<RepoPath> {
        let mut scopes: BTreeSet<RepoPath> = if agent == MERGED {
            self.directories().into_iter().map(RepoPath::new).collect()
        } else {
            self.texts.scopes(agent).cloned().collect()
        };
        let own: Vec<RepoPath> = scopes.iter().cloned().collect();
        // An extra scope with nothing above it has no context to hold.
        let inherits = |dir: &&RepoPath| own.iter().any(|scope| is_inside(dir.as_bytes(), scope.as_bytes()));
        scopes.extend(extra.iter().filter(inherits).cloned());
        scopes.retain(|scope| scope.as_bytes() != self.output && !is_inside(scope.as_bytes(), &self.output));
        scopes
    }

    /// Where the artifact of `scope` for `agent` stands.
    pub(crate) fn artifact_path(&self, agent: &str, scope: &RepoPath) -> RepoPath {
        let inside = path::join(scope.as_bytes(), file_name(agent).as_bytes());
        RepoPath::new(path::join(&self.output, &inside))
    }

    /// The agent and scope that a path of the output folder would be the artifact of.
    pub(crate) fn artifact_of<'p>(&self, path: &'p RepoPath) -> (&'p [u8], RepoPath) {
        let name = path.file_name();
        let scope = path.parent().get(self.folder_of(path).len() + 1..).unwrap_or_default();
        (name.strip_suffix(b".md").unwrap_or(name), RepoPath::new(scope))
    }

    /// The bytes that an artifact should have.
    pub(crate) fn render(&self, artifact: &Artifact) -> Option<RenderedArtifact> {
        let failed = || Some(RenderedArtifact { defect: true, ..RenderedArtifact::default() });
        if artifact.agent != MERGED {
            return match self.texts.text(&artifact.agent, &artifact.scope)? {
                Ok(text) => {
                    let text = format!("{HEADER}\n\n{}\n", text.trim_end_matches('\n'));
                    Some(RenderedArtifact { text, ..RenderedArtifact::default() })
                }
                Err(Failed) => failed(),
            };
        }
        let render = || {
            let context = self.merged_context(artifact)?;
            let failures = context.failures.into_keys().collect();
            Some(RenderedArtifact { text: context.expanded.artifact(), failures, defect: false })
        };
        defect::contain(render).unwrap_or_else(failed)
    }

    /// The context of a `merged` artifact, with or without what it inherits.
    pub(super) fn merged_context(&self, artifact: &Artifact) -> Option<MergedContext> {
        let inherit = self.workspace.config.compile.inherit;
        let parent = if inherit { None } else { self.parent_artifact(&artifact.scope) };
        self.merged.context(artifact.scope.as_bytes(), !inherit, parent.as_ref())
    }

    /// The artifact of the nearest scope above.
    fn parent_artifact(&self, scope: &RepoPath) -> Option<RepoPath> {
        let dirs = path::ancestors_from_root(scope.parent());
        let above = dirs.into_iter().rev().map(RepoPath::new).find(|dir| dir != scope && self.parents.contains(dir));
        above.map(|dir| self.artifact_path(MERGED, &dir))
    }
}

impl ArtifactSelection {
    fn selects(&self, scope: &RepoPath) -> bool {
        let holds = |dir: &RepoPath| scope == dir || is_inside(scope.as_bytes(), dir.as_bytes());
        self.directories.is_empty() || self.directories.iter().any(holds)
    }
}

fn file_name(agent: &str) -> String {
    format!("{agent}.md")
}
