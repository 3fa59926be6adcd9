//! What an agent loads in a directory of the frozen workspace: the dialects, over the bytes that are in memory already.
//!
//! Nothing is loaded ahead of time. A rule asks for the few contexts that it needs, so that a thousand scopes cost nothing
//! where nobody asks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::own_projects::PROJECT_FILES;
use super::{Resolution, Workspace};
use crate::agents::context::{self, Context, LoadOptions};
use crate::agents::{self, Dialect, Proof, files};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::config::Config;
use crate::discover;
use crate::parse::Document;
use crate::source::{self, EntryKind, Listing, Probe};
use crate::world::{AbsPath, DirectoryEntry, FileType, ReadError, RepoFiles, RepoWorld};

/// A workspace as the files of a [`RepoWorld`]. Documents and the agents' settings can be read; every other file is there and
/// cannot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkspaceFiles<'w>(&'w Workspace);

/// What stands at a path of a listing, in the words of a world.
pub(crate) fn file_type(kind: EntryKind) -> FileType {
    match kind {
        EntryKind::File => FileType::File,
        EntryKind::Symlink => FileType::Link,
        EntryKind::Submodule => FileType::Directory,
        EntryKind::Special => FileType::Special,
    }
}

/// What stands at a path of `listing`. A submodule is a directory that holds `.git`.
pub(crate) fn listed(listing: &Listing, path: &[u8]) -> Option<FileType> {
    let of_submodule =
        || path::file_name(path) == b".git" && listing.kind(path::parent(path)) == Some(EntryKind::Submodule);
    let other = || match listing.has_dir(path) {
        true => Some(FileType::Directory),
        false => of_submodule().then_some(FileType::File),
    };
    listing.kind(path).map(file_type).or_else(other)
}

impl RepoFiles for WorkspaceFiles<'_> {
    fn kind(&self, path: &[u8]) -> Option<FileType> {
        listed(&self.0.listing, path)
    }

    fn read(&self, path: &[u8]) -> Result<Arc<[u8]>, ReadError> {
        let path = RepoPath::new(path);
        let document = self.0.document(path.as_bytes()).map(|document| document.bytes.clone());
        let why = || match self.0.unreadable.get(&path) {
            Some(source::SourceReadError::Failed(why)) => ReadError::Other(why.clone()),
            _ => ReadError::NotLoaded,
        };
        document.or_else(|| self.0.settings.get(&path).cloned()).ok_or_else(why)
    }

    fn is_git(&self, path: &[u8]) -> bool {
        self.0.is_git(path)
    }

    fn read_link(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.0.links.get(&RepoPath::new(path)).cloned()
    }

    fn children(&self, dir: &[u8]) -> Vec<DirectoryEntry> {
        let entry = |(name, kind): (&[u8], Option<EntryKind>)| DirectoryEntry {
            name: name.to_vec(),
            kind: kind.map_or(FileType::Directory, file_type),
        };
        self.0.listing.children(dir).into_iter().map(entry).collect()
    }
}

/// One agent's context in one directory, with paths of the repository.
pub(crate) struct LoadedContext<'w> {
    world: RepoWorld<WorkspaceFiles<'w>>,
    /// What the agent loads there.
    pub context: Context,
}

impl LoadedContext<'_> {
    /// The repository path of an absolute one of the context.
    pub(crate) fn path(&self, path: &AbsPath) -> Option<RepoPath> {
        self.world.relative(path).map(RepoPath::new)
    }

    /// The files of `workspace` that are in the context, or wait in it for a matching file, links resolved.
    pub(super) fn files(&self, workspace: &Workspace) -> BTreeSet<RepoPath> {
        let context = &self.context;
        let again = context
            .skipped
            .iter()
            .filter(|skipped| skipped.imported_by.is_none() && skipped.reason == context::Reason::AlreadyLoaded);
        let layers = context.layers.iter().map(|layer| &layer.real_path);
        let waiting = context.conditional.iter().map(|rule| &rule.path);
        let paths = layers.chain(waiting).chain(again.filter_map(|skipped| skipped.path.as_ref()));
        let real = |path: RepoPath| match workspace.resolve(path.as_bytes()) {
            Resolution::File(real) => real,
            _ => path,
        };
        paths.filter_map(|path| self.path(path)).map(real).collect()
    }
}

/// Caches of frequent questions: what agents load in the directories asked about last, so that a folder of
/// rules is not gone through for every rule in it, where skills lie, and which documents and rules are about other projects.
#[derive(Debug, Default)]
pub(crate) struct RecentContexts {
    loads: Mutex<BTreeMap<(&'static str, Vec<u8>), Loads>>,
    /// The folders of skills.
    skills: OnceLock<BTreeSet<Vec<u8>>>,
    /// Whether the repository is somebody's home.
    pub(super) is_a_home: OnceLock<bool>,
    /// Whether the repository is one from which others are made.
    pub(super) is_unfilled: OnceLock<bool>,
    /// The rules about projects of another kind.
    pub(super) packs: OnceLock<super::rule_packs::RulePacks>,
    /// Why documents are not about this repository.
    elsewhere: OnceLock<BTreeMap<RepoPath, Option<String>>>,
    /// The subagents that other texts read by their paths.
    pub(super) read_by_path: OnceLock<BTreeSet<RepoPath>>,
    /// The rules about projects in general.
    pub(super) general_rules: OnceLock<BTreeSet<RepoPath>>,
    /// The imports by the file that they bring in, as indices of the workspace's.
    pub(super) by_target: OnceLock<BTreeMap<RepoPath, Vec<usize>>>,
}

/// The files of one context.
type Loads = Arc<OnceLock<BTreeSet<RepoPath>>>;

/// How many contexts are remembered.
const MAX_KNOWN: usize = 64;

impl RecentContexts {
    /// The place for what `agent` loads in `dir`; empty if that is not known yet.
    pub(super) fn of(&self, agent: &'static str, dir: &[u8]) -> Loads {
        let mut known = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.entry((agent, dir.to_vec())).or_default().clone()
    }
}

impl Workspace {
    /// The repository as a world.
    pub(crate) fn world(&self) -> RepoWorld<WorkspaceFiles<'_>> {
        RepoWorld::new(WorkspaceFiles(self))
    }

    /// What `dialect` loads when it starts in `dir`, in a project that its user trusts.
    pub(crate) fn context(&self, dialect: &'static Dialect, dir: &[u8]) -> LoadedContext<'_> {
        self.context_on_touching(dialect, dir, None)
    }

    /// The same, and what it loads when it touches a file.
    pub(crate) fn context_on_touching(
        &self,
        dialect: &'static Dialect,
        dir: &[u8],
        touched: Option<&RepoPath>,
    ) -> LoadedContext<'_> {
        let world = self.world();
        let options = LoadOptions {
            user: false,
            trusted: true,
            touch: touched.map(|path| world.absolute(path.as_bytes())),
            strip_root: Some(world.root().clone()),
            config: settings(&self.config, dialect),
            ..LoadOptions::default()
        };
        let context = context::load(&world, dialect, &world.absolute(dir), &options);
        LoadedContext { world, context }
    }

    /// The tables of the enabled agents, sorted by name; `merged` is not among them unless the config names it.
    pub(crate) fn dialects(&self) -> impl Iterator<Item = &'static Dialect> {
        self.agents.iter().filter_map(|enabled| agents::by_id(enabled.agent))
    }

    /// The agent that files of `kind` belong to, if it is enabled.
    pub(crate) fn enabled_owner(&self, kind: Kind) -> Option<&'static Dialect> {
        files::owner(kind).filter(|owner| self.dialects().any(|enabled| enabled == *owner))
    }

    /// Whether agents are not started where `path` stands: its files are for another place or time.
    pub(crate) fn is_for_elsewhere(&self, path: &[u8]) -> bool {
        self.why_for_elsewhere(path, Kind::AgentsMd).is_some()
    }

    /// Whether agents are not started in the folder `dir`.
    pub(crate) fn is_start_elsewhere(&self, dir: &[u8]) -> bool {
        self.is_for_elsewhere(&path::join(dir, b"AGENTS.md")) || self.is_of_documents(dir)
    }

    /// Whether `dir` lies among documents and holds nothing of a project that somebody would start an agent in.
    fn is_of_documents(&self, dir: &[u8]) -> bool {
        let above = path::ancestors_from_root(dir);
        let is_documents =
            |dir: &&[u8]| matches!(dir.to_ascii_lowercase().as_slice(), b"doc" | b"docs" | b"documentation");
        let mut below = above.into_iter().filter(|dir| !dir.is_empty()).peekable();
        let has_project = |dir: &[u8]| {
            let mut names = PROJECT_FILES.into_iter().chain(files::main_names());
            names.any(|name| self.listing.contains(&path::join(dir, name.as_bytes())))
        };
        let is_old = |dir: &&[u8]| {
            let name = path::file_name(dir);
            [&b"legacy"[..], b"old", b"deprecated", b"retired"].iter().any(|old| name.eq_ignore_ascii_case(old))
        };
        if !below.peek().is_some_and(is_documents) || !dir.contains(&b'/') {
            return false;
        }
        // What is kept among documents is kept with its project.
        path::ancestors_from_root(dir).iter().any(is_old) || !below.any(has_project)
    }

    /// Why the hint file at `path` is not about this repository as it is now: a skill that is handed out, a file that belongs
    /// to a skill, a template, a fixture, an example, a record of the past.
    pub(crate) fn why_for_elsewhere(&self, path: &[u8], kind: Kind) -> Option<String> {
        let skills = self.known.skills.get_or_init(|| {
            let skills = self.listing.marked().filter(|entry| path::file_name(entry.path) == b"SKILL.md");
            skills.map(|entry| path::parent(entry.path).to_vec()).filter(|dir| !dir.is_empty()).collect()
        });
        let part_of_skill = || {
            let above = path::ancestors_from_root(path::parent(path));
            let skill = above.into_iter().find(|dir| !skills.is_empty() && skills.contains(*dir))?;
            Some(format!(
                "part of the published skill {}: describes other repositories",
                String::from_utf8_lossy(skill)
            ))
        };
        let for_a_home = || self.is_for_a_home(path).then(|| "kept for a home: read in every project".to_owned());
        discover::why_set_aside(path).or_else(for_a_home).or_else(|| match kind {
            Kind::Skill | Kind::SkillPage => (!discover::stands_among_own_skills(path))
                .then(|| "a published skill: describes other repositories".to_owned()),
            Kind::Of(kind) if discover::is_in_bundle(path, kind.role) => {
                Some("part of a published bundle: describes other repositories".to_owned())
            }
            _ => part_of_skill(),
        })
    }

    /// Why `document` is not about this repository as it is now, by all the paths by which agents open it.
    pub(crate) fn why_elsewhere(&self, document: &Document) -> Option<String> {
        let told = |document: &Document| (document.path.clone(), self.tell_elsewhere(document));
        let known = self.known.elsewhere.get_or_init(|| self.documents.iter().map(told).collect());
        // More files may have been read since.
        known.get(&document.path).cloned().unwrap_or_else(|| self.tell_elsewhere(document))
    }

    fn tell_elsewhere(&self, document: &Document) -> Option<String> {
        if self.is_of_a_template(document) {
            return Some("its title, or that of the root's hint file, has blanks to fill in: a template".to_owned());
        }
        let mut why = None;
        for path in document.opened() {
            if self.is_of_a_shown_project(path.as_bytes()) {
                return None;
            }
            why = Some(self.why_for_elsewhere(path.as_bytes(), document.kind)?);
        }
        why
    }

    /// Whether merged contexts are committed here: by the config, or because a tracked artifact says so.
    pub fn compiles(&self) -> bool {
        let tracked = |path: &RepoPath| self.probes.get(path) != Some(&Probe::Untracked);
        self.config.compile_configured
            || self.documents.iter().any(|document| document.kind == Kind::Artifact && tracked(&document.path))
    }

    /// Whether agents load `document` and none of them looks for imports in it. Where contexts are committed, `merged` does.
    pub(crate) fn imports_nothing(&self, document: &Document) -> bool {
        let loaders = self.loaders(document);
        !loaders.is_empty() && !self.compiles() && !loaders.iter().any(|dialect| self.imports_from(dialect, document))
    }

    /// Whether `dialect` looks for imports in `document`, if it loads it.
    pub(crate) fn imports_from(&self, dialect: &Dialect, document: &Document) -> bool {
        // A file that settings name is read like the agent's own.
        let is_named = || {
            let Some(names_in) = &dialect.files.names_in else { return false };
            let bytes = self.settings.get(&RepoPath::from(names_in.path));
            let names = bytes.map(|bytes| (names_in.names)(bytes)).unwrap_or_default();
            names.iter().any(|name| name.as_bytes() == document.path.file_name())
        };
        // An imported file is read by the grammar of whoever imports it, also where it is another agent's own.
        let is_imported = || {
            let mut imports = self.imports.iter().filter(|import| import.agents.contains(&dialect.id));
            imports.any(|import| super::imports::leads_to(import, &document.path))
        };
        dialect.imports.is_some()
            && (document.kind == Kind::Imported
                || super::imports::has_grammar(dialect.id, document.kind)
                || is_named()
                || is_imported())
    }

    /// The enabled agents that load `document`, by itself or by an import. Those known from documentation only are left out.
    pub(crate) fn loaders(&self, document: &Document) -> Vec<&'static Dialect> {
        let proven = self.dialects().filter(|dialect| !matches!(dialect.proof, Proof::Documentation | Proof::Ours));
        let imports: Vec<&str> = self
            .imports
            .iter()
            .filter(|import| super::imports::leads_to(import, &document.path))
            .flat_map(|import| import.agents.iter().copied())
            .collect();
        proven.filter(|dialect| imports.contains(&dialect.id) || self.loads(dialect, document)).collect()
    }
}

/// What `hintlint.toml` says to an agent, as the agent's settings.
pub(crate) fn settings(config: &Config, dialect: &Dialect) -> BTreeMap<String, Value> {
    config.of_agent(dialect.id).into_iter().map(|(key, value)| (format!("{}.{key}", dialect.id), value)).collect()
}

/// The directory that a file is a hint for: its own, or the one that holds the agent's folder it lies in. In other hidden folders
/// hints are their own folder's.
pub(crate) fn home_of(path: &[u8]) -> &[u8] {
    let dir = path::parent(path);
    let mut start = 0_usize;
    for part in dir.split(|&byte| byte == b'/') {
        if agents::files::is_agent_folder(part) {
            return &dir[..start.saturating_sub(1)];
        }
        start += part.len() + 1;
    }
    dir
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    fn loads(files: &[(&str, &str)], agent: &str, path: &str) -> bool {
        let source = Memory::of_files(files.iter().copied());
        let workspace = super::super::load(&source, Config::default(), &[]).unwrap().workspace;
        let document = workspace.document(path.as_bytes()).unwrap();
        workspace.loads(agents::by_id(agent).unwrap(), document)
    }

    #[test]
    fn skills_that_are_handed_out_are_for_elsewhere() {
        let skills = ["SKILL.md", "skills/x/SKILL.md", "plugins/p/skills/x/SKILL.md", ".claude/skills/y/SKILL.md"];
        let source = Memory::of_files(skills.map(|path| (path, "x")));
        let workspace = super::super::load(&source, Config::default(), &[]).unwrap().workspace;
        let skills = skills.map(|path| workspace.why_for_elsewhere(path.as_bytes(), Kind::Skill).is_some());
        assert_eq!(skills, [true, true, true, false]);
        assert!(workspace.is_for_elsewhere(b"skills/x/AGENTS.md") && workspace.is_for_elsewhere(b"examples/AGENTS.md"));
        assert!(!workspace.is_for_elsewhere(b"skills/AGENTS.md"));
        assert!(workspace.is_for_elsewhere(b"home/dot_claude/CLAUDE.md"));
        assert!(!workspace.is_for_elsewhere(b"home/dot_config/CLAUDE.md"));
    }

    #[test]
    fn hidden_folders_have_hints_of_their_own() {
        assert!(loads(
            &[("CLAUDE.md", "a"), (".devcontainer/c/CLAUDE.md", "b")],
            "claude",
            ".devcontainer/c/CLAUDE.md"
        ));
    }

    #[test]
    fn agents_choose_among_names() {
        let both = [("AGENTS.md", "a"), ("CLAUDE.md", "b"), ("x/AGENTS.md", "c"), ("x/AGENTS.override.md", "d")];
        assert!(!loads(&both, "claude", "AGENTS.md") && loads(&both, "claude", "CLAUDE.md"));
        assert!(loads(&both, "codex", "AGENTS.md") && !loads(&both, "codex", "CLAUDE.md"));
        assert!(!loads(&both, "codex", "x/AGENTS.md") && loads(&both, "codex", "x/AGENTS.override.md"));
        assert!(loads(&both, "opencode", "AGENTS.md") && !loads(&both, "opencode", "CLAUDE.md"));
        assert!(loads(&[("AGENTS.md", "a"), ("CLAUDE.md", "\n")], "claude", "AGENTS.md"));
    }

    #[test]
    fn a_committed_codex_config_counts() {
        let config = (".codex/config.toml", "project_doc_fallback_filenames = [\"HINTS.md\"]\n");
        assert!(loads(&[("HINTS.md", "a"), config], "codex", "HINTS.md"));
    }

    #[test]
    fn rules_belong_to_the_directory_above_their_folder() {
        assert_eq!(home_of(b"a/.claude/rules/x/y.md"), b"a");
        assert_eq!(home_of(b".github/copilot-instructions.md"), b"");
        assert_eq!(home_of(b"a/b/AGENTS.md"), b"a/b");
        assert_eq!(home_of(b"AGENTS.md"), b"");
        assert_eq!(home_of(b"a/.devcontainer/x/CLAUDE.md"), b"a/.devcontainer/x");
        let rule = [(".claude/rules/r.md", "---\npaths: src/**\n---\nx"), ("CLAUDE.md", "y")];
        assert!(loads(&rule, "claude", ".claude/rules/r.md"));
        assert!(!loads(&[("claude.md", "y"), (".claude/x", "")], "claude", "claude.md"));
    }
}
