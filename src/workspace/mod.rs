//! Everything a run knows, frozen: the listing, the parsed documents, the import graph. Rules and `compile` read it; nothing writes it.

mod aliases;
pub(crate) mod attachments;
mod borrowed;
mod collections;
pub mod commands;
pub mod contexts;
pub(crate) mod focus;
pub(crate) mod glob_search;
pub(crate) mod homes;
pub mod imports;
pub mod key_files;
mod load;
pub(crate) mod locks;
mod made_patterns;
pub mod mentions;
mod modules;
mod named_collections;
mod opened;
mod own_packages;
mod own_projects;
mod pages;
pub(crate) mod read_by_path;
pub(crate) mod readers;
mod rendered;
mod root_texts;
mod rule_packs;
mod runs;
pub(crate) mod scripts;
pub(crate) mod settings;
pub(crate) mod symbols;
pub mod texts;
mod tracked_state;
pub(crate) mod unmatched_rules;
pub(crate) mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

pub(crate) use focus::{Choose, Focus};
pub(crate) use load::LoadedWorkspace;
use load::PARALLEL_FROM;
pub use load::load;
pub(crate) use load::{MAX_IMPORTED_FILES, load_for, read_links};
pub(crate) use pages::is_root_file;

use crate::agents;
use crate::agents::runs::AgentRuns;
use crate::base::defect;
use crate::base::path::{self, RepoPath};
use crate::config::Config;
use crate::parse::Document;
use crate::parse::powershell::Functions;
use crate::source::{EntryKind, Listing, Probe, SourceReadError};
use crate::world::links::{ends, follow};

pub(crate) use crate::world::links::Resolution;

/// The frozen state of one repository, as rules see it.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The config in force.
    pub config: Config,
    /// The files that the config was read from, with their text.
    pub config_files: Vec<(RepoPath, Arc<[u8]>)>,
    /// All paths of the source.
    pub(crate) listing: Arc<Listing>,
    /// Folders that hold what a git directory holds, such as a bare repository.
    pub(crate) git_dirs: Vec<RepoPath>,
    /// All parsed files, sorted by path. A file that several links name stands here once, under its own path.
    pub documents: Vec<Document>,
    /// Symbolic links of the listing and their targets as written.
    pub links: BTreeMap<RepoPath, Vec<u8>>,
    /// The enabled agents, sorted by name; `merged` is always there besides.
    pub(crate) agents: Vec<agents::signs::Enabled>,
    /// All imports, by importer and place.
    pub imports: Vec<imports::Import>,
    /// Documents that are hint files only because a link with a hint's name leads to them.
    pub linked: BTreeSet<RepoPath>,
    /// What is known of import targets and the like that the listing lacks.
    pub probes: BTreeMap<RepoPath, Probe>,
    /// Tracked settings of agents, by path.
    pub settings: BTreeMap<RepoPath, Arc<[u8]>>,
    /// Those of them that git tracks.
    pub tracked_settings: BTreeSet<RepoPath>,
    /// Those of the latter that belong to one person.
    pub personal_settings: Vec<RepoPath>,
    /// The README and the ignore file of the root, where there are settings.
    pub(crate) root_texts: BTreeMap<RepoPath, Arc<[u8]>>,
    /// The names of the npm packages that are made here, where settings name plugins.
    pub(crate) own_packages: BTreeSet<String>,
    /// What agents wrote down of a run, and git tracks.
    pub(crate) tracked_state: Vec<RepoPath>,
    /// Tracked files of keys, by path.
    pub(crate) key_files: BTreeMap<RepoPath, key_files::KeyFile>,
    /// The lock of vendored skills, if there is one.
    pub(crate) skills_lock: Option<locks::SkillsLock>,
    /// Folders of skills that the locks of folders name.
    pub(crate) locked_in_folders: BTreeSet<RepoPath>,
    /// Hint files that a package manager wrote, by its lock.
    pub(crate) rendered: BTreeSet<RepoPath>,
    /// Hint files that say that they come from another repository, and folders of such skills.
    pub(crate) borrowed: BTreeSet<RepoPath>,
    /// Commands that the documents name and that nothing defines.
    pub commands: commands::Commands,
    /// Paths that the documents name and that lead nowhere.
    pub(crate) mentions: mentions::Mentions,
    /// Versions that the documents give and that no manifest allows.
    pub(crate) stale_versions: versions::VersionClashes,
    /// Functions and types that the documents say source files have, and that are nowhere.
    pub(crate) unknown_symbols: symbols::UnknownSymbols,
    /// What prompts attach and what is not there.
    pub(crate) attachments: Vec<imports::Import>,
    /// Paths that stand for what patterns match, where git ignores that.
    pub(crate) made_patterns: BTreeSet<RepoPath>,
    /// What the modules of hint packages define, by the package's folder.
    pub(crate) functions: BTreeMap<RepoPath, Functions>,
    /// Hint files that could not become documents (directory, FIFO, over the size limit), and why.
    pub unreadable: BTreeMap<RepoPath, SourceReadError>,
    /// Other text files in which hidden characters were found, sorted by path; none of them is among `documents`.
    pub texts: Vec<Document>,
    /// All other text files that were searched for hidden characters, sorted.
    pub searched: Vec<RepoPath>,
    /// Limits of this run that the user should know of, one sentence each.
    pub notes: Vec<String>,
    /// The documents that the run reports on.
    pub(crate) focus: Focus,
    /// What rules have asked for before.
    pub(crate) known: contexts::RecentContexts,
    /// The files that agents run, where a check asks for them.
    pub(crate) scripts: scripts::Scripts,
    /// Rules of agents that name a file which is not there, where a check asks for them.
    pub(crate) unmatched_rules: Vec<unmatched_rules::UnmatchedRule>,
    /// What agents run, by mode, once somebody asked.
    pub(crate) found_runs: [OnceLock<Vec<AgentRuns>>; 3],
}

/// What `of` makes of each of `documents`, on all cores where there are many; `None` where it panicked.
fn of_each<T: Send>(documents: &[&Document], of: impl Fn(&Document) -> T + Sync) -> Vec<Option<T>> {
    let contained = |document: &&Document| defect::contain(|| of(document));
    match documents.len() {
        0..PARALLEL_FROM => documents.iter().map(contained).collect(),
        _ => documents.par_iter().map(contained).collect(),
    }
}

/// Make what [`load()`] needs of any repository but the smallest, and what takes some time to make, on this core alone. Nothing
/// depends on it.
pub(crate) fn prepare() {
    mentions::prepare();
}

impl Workspace {
    /// The document at `path` (its own path, not a link's).
    pub fn document(&self, path: &[u8]) -> Option<&Document> {
        at_path(&self.documents, path)
    }

    /// The documents below the folder `dir`, sorted by path; all of them for the root.
    pub(crate) fn documents_below(&self, dir: &[u8]) -> &[Document] {
        let prefix = if dir.is_empty() { Vec::new() } else { [dir, b"/"].concat() };
        let from = self.documents.partition_point(|document| document.path.as_bytes() < prefix.as_slice());
        let rest = &self.documents[from..];
        &rest[..rest.partition_point(|document| document.path.as_bytes().starts_with(&prefix))]
    }

    /// The document at `path`, or else the text file there that hidden characters were found in.
    pub fn text(&self, path: &[u8]) -> Option<&Document> {
        self.document(path).or_else(|| at_path(&self.texts, path))
    }

    /// Follow `path` (repository-relative, without `..`) through the links of the listing.
    pub(crate) fn resolve(&self, path: &[u8]) -> Resolution {
        match resolve(&self.listing, &self.links, path) {
            Resolution::File(at) | Resolution::Directory(at) | Resolution::Missing(at)
                if self.is_git(at.as_bytes()) =>
            {
                Resolution::Outside
            }
            other => other,
        }
    }

    /// Whether `path` is a git directory or lies in one: of that nothing is imported or compiled.
    pub fn is_git(&self, path: &[u8]) -> bool {
        path::has_dot_git(path) || self.git_dirs.iter().any(|dir| path::is_at_or_below(path, dir.as_bytes()))
    }
}

fn at_path<'d>(documents: &'d [Document], path: &[u8]) -> Option<&'d Document> {
    let found = documents.binary_search_by(|document| document.path.as_bytes().cmp(path));
    found.ok().map(|index| &documents[index])
}

/// Follow `path` through `links`; see [`Workspace::resolve`].
pub(crate) fn resolve(listing: &Listing, links: &BTreeMap<RepoPath, Vec<u8>>, path: &[u8]) -> Resolution {
    let link = |path: &[u8]| match links.is_empty() {
        true => None,
        false => ends(path).find_map(|end| Some((end, links.get(&RepoPath::new(&path[..end]))?.clone()))),
    };
    follow(path, link, |path| classify(listing, path))
}

fn classify(listing: &Listing, path: &[u8]) -> Resolution {
    match listing.kind(path) {
        Some(EntryKind::File) => Resolution::File(RepoPath::new(path)),
        Some(EntryKind::Submodule) => Resolution::Submodule,
        Some(EntryKind::Special) => Resolution::Special,
        Some(EntryKind::Symlink) | None if listing.has_dir(path) => Resolution::Directory(RepoPath::new(path)),
        Some(EntryKind::Symlink) | None => {
            if listing.is_in_submodule(path) {
                Resolution::Submodule
            } else {
                Resolution::Missing(RepoPath::new(path))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::ListingBuilder;

    #[test]
    fn links_are_followed_inside_and_refused_outside() {
        let mut builder = ListingBuilder::default();
        for file in ["docs/a.md", "AGENTS.md"] {
            builder.push(file.as_bytes(), EntryKind::File);
        }
        let links =
            [("CLAUDE.md", "AGENTS.md"), ("d", "docs"), ("out", "../x"), ("l1", "l2"), ("l2", "l1"), ("abs", "/etc")];
        for (link, _) in links {
            builder.push(link.as_bytes(), EntryKind::Symlink);
        }
        let listing = builder.finish();
        let links = links.map(|(link, target)| (RepoPath::from(link), target.as_bytes().to_vec())).into();
        let resolve = |path: &str| resolve(&listing, &links, path.as_bytes());
        assert_eq!(resolve("CLAUDE.md"), Resolution::File("AGENTS.md".into()));
        assert_eq!(resolve("d/a.md"), Resolution::File("docs/a.md".into()));
        assert_eq!(resolve("d"), Resolution::Directory("docs".into()));
        assert_eq!(resolve("d/none.md"), Resolution::Missing("docs/none.md".into()));
        assert_eq!(resolve("out"), Resolution::Outside);
        assert_eq!(resolve("abs/passwd"), Resolution::Outside);
        assert_eq!(resolve("l1"), Resolution::Loop);
    }
}
