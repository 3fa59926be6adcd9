//! Which agents read a document: what `show` says of the directories that the document is for, and what the agents' tables say
//! of files that are in no context, such as skills and commands.

use std::collections::{BTreeMap, BTreeSet};

use super::Workspace;
use super::contexts::{LoadedContext, home_of};
use super::imports::{Import, ImportTarget};
use crate::agents::context::Reason;
use crate::agents::{self, Choice, Dialect};
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::parse::Document;

/// Imports in a row that are followed to find out who reads a file.
const MAX_DEPTH: usize = 32;

/// Whether agents load files of `kind` into a context by their names or places. Of others they hold only descriptions.
fn is_loaded(kind: Kind) -> bool {
    match kind {
        Kind::Of(kind) => !matches!(kind.role, Role::Command | Role::Subagent | Role::Style),
        Kind::AgentsMd | Kind::Configured => true,
        _ => false,
    }
}

/// The directories in which an agent that loads `document` may be started: its own, and the one that holds the agent's folder.
pub(crate) fn starts(document: &Document) -> BTreeSet<&[u8]> {
    let paths = document.opened().iter().chain([&document.path]);
    paths.flat_map(|path| [path.parent(), home_of(path.as_bytes())]).collect()
}

impl Workspace {
    /// The enabled agents that read `document`, sorted; `merged` among them where it does.
    pub fn readers(&self, document: &Document) -> Vec<&'static str> {
        let enabled = self.agents.iter().map(|enabled| enabled.agent).chain(["merged"]);
        let mut readers: Vec<_> = enabled.filter(|agent| self.is_read_by(agent, document)).collect();
        readers.sort_unstable();
        readers.dedup();
        readers
    }

    /// Whether the agent called `agent` reads `document`, by itself or through imports. Each file is looked at once, however many
    /// files import it.
    fn is_read_by(&self, agent: &'static str, document: &Document) -> bool {
        let Some(dialect) = agents::by_id(agent) else { return false };
        let mut seen = BTreeSet::from([&document.path]);
        let mut round = vec![document];
        for _ in 0..=MAX_DEPTH {
            if round.iter().any(|document| self.is_read_alone(dialect, document)) {
                return true;
            }
            let importers = round.iter().flat_map(|document| self.imports_of(&document.path));
            let importers = importers.filter(|import| import.agents.contains(&agent)).map(|import| &import.importer);
            let new: BTreeSet<&RepoPath> = importers.filter(|path| !seen.contains(path)).collect();
            round = new.iter().filter_map(|path| self.document(path.as_bytes())).collect();
            seen.extend(new);
        }
        false
    }

    /// Whether `dialect` reads `document` without any import.
    fn is_read_alone(&self, dialect: &'static Dialect, document: &Document) -> bool {
        match is_loaded(document.kind) && dialect.id != "merged" {
            true => self.loads(dialect, document),
            false => dialect.files.reads.contains(&document.kind),
        }
    }

    /// The imports that bring in the file at `path`.
    fn imports_of(&self, path: &RepoPath) -> impl Iterator<Item = &Import> {
        let by_target = self.known.by_target.get_or_init(|| {
            let mut by_target: BTreeMap<RepoPath, Vec<usize>> = BTreeMap::new();
            for (index, import) in self.imports.iter().enumerate() {
                if let ImportTarget::File(target) = &import.target {
                    by_target.entry(target.clone()).or_default().push(index);
                }
            }
            by_target
        });
        by_target.get(path).into_iter().flatten().map(|&index| &self.imports[index])
    }

    /// Whether an enabled agent loads `document` when it is started in a directory that the document is for. The agents that tell
    /// by the name are asked first: what another loads in a directory has to be worked out, and few files need that.
    pub(crate) fn is_loaded(&self, document: &Document) -> bool {
        self.dialects().any(|dialect| self.loads_by_name(dialect, document))
            || self.dialects().any(|dialect| self.loads(dialect, document))
    }

    /// Whether `dialect` loads every file with the name of `document`, regardless of the files beside it.
    fn loads_by_name(&self, dialect: &'static Dialect, document: &Document) -> bool {
        let path = document.path.as_bytes();
        let always = |dir: &&[u8]| {
            let named = dialect.names.iter().position(|known| path::join(dir, known.as_bytes()) == path);
            match dialect.choice {
                Choice::All => named.is_some(),
                Choice::FirstInDirectory | Choice::FirstOnWalk => named == Some(0),
                Choice::FirstSetWithText(first) => named.is_some_and(|place| place < first),
            }
        };
        // Settings can change names and exclude files.
        self.settings.is_empty() && starts(document).iter().any(always)
    }

    /// Whether `dialect` loads `document` when it is started in a directory that the document is for.
    pub fn loads(&self, dialect: &'static Dialect, document: &Document) -> bool {
        if self.loads_by_name(dialect, document) {
            return true;
        }
        starts(document).iter().any(|dir| {
            let known = self.known.of(dialect.id, dir);
            known.get_or_init(|| self.context(dialect, dir).files(self)).contains(&document.path)
        })
    }

    /// The directories in which `dialect` loads `document`, or lets it wait, when it starts there: those that the document and the
    /// files that import it are for. Sorted.
    #[cfg(feature = "server")]
    pub(crate) fn loading_directories(&self, dialect: &'static Dialect, document: &Document) -> Vec<Vec<u8>> {
        let mut seen = BTreeSet::from([&document.path]);
        let mut round = vec![document];
        let mut directories: BTreeSet<Vec<u8>> = BTreeSet::new();
        for _ in 0..=MAX_DEPTH {
            directories.extend(round.iter().flat_map(|document| starts(document)).map(<[u8]>::to_vec));
            let importers = round.iter().flat_map(|document| self.imports_of(&document.path));
            let importers = importers.filter(|import| import.agents.contains(&dialect.id));
            let new: BTreeSet<&RepoPath> =
                importers.map(|import| &import.importer).filter(|path| !seen.contains(path)).collect();
            round = new.iter().filter_map(|path| self.document(path.as_bytes())).collect();
            seen.extend(new);
            if round.is_empty() {
                break;
            }
        }
        let holds = |dir: &Vec<u8>| {
            let known = self.known.of(dialect.id, dir);
            known.get_or_init(|| self.context(dialect, dir).files(self)).contains(&document.path)
        };
        directories.into_iter().filter(holds).collect()
    }

    /// Why enabled agents that know files of this name or place do not load `document`: each agent with the reason.
    pub(crate) fn why_unread(&self, document: &Document) -> Vec<(&'static str, String)> {
        let why = |dialect: &'static Dialect| {
            let reasons = starts(document).into_iter().filter_map(|dir| skipped(&self.context(dialect, dir), document));
            let [reason] = reasons.collect::<BTreeSet<String>>().into_iter().collect::<Vec<_>>().try_into().ok()?;
            Some((dialect.id, reason))
        };
        let unread = self.dialects().filter(|dialect| is_loaded(document.kind) && !self.loads(dialect, document));
        unread.filter_map(why).collect()
    }
}

/// Why `document` is not in a context that looked at it.
fn skipped(loaded: &LoadedContext<'_>, document: &Document) -> Option<String> {
    let is_this = |path: &RepoPath| *path == document.path || document.opened().contains(path);
    let mut skipped = loaded.context.skipped.iter().filter(|skipped| skipped.imported_by.is_none());
    let found =
        skipped.find(|skipped| skipped.path.as_ref().and_then(|at| loaded.path(at)).is_some_and(|at| is_this(&at)))?;
    match &found.reason {
        Reason::ShadowedBy(by) => Some(format!("{} is loaded instead", loaded.path(by)?.to_str_lossy())),
        reason => Some(reason.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    #[test]
    fn files_that_all_import_each_other_are_each_looked_at_once() {
        let all =
            |n: usize| (0..12).filter(|other| *other != n).map(|other| format!("@A{other}.md\n")).collect::<String>();
        let mut files: Vec<(String, String)> = (0..12).map(|n| (format!("A{n}.md"), all(n))).collect();
        files.push(("CLAUDE.md".into(), "@A0.md\n".into()));
        // A file that no agent loads imports nothing; bounds end the search.
        files.push((".claude/settings.json".into(), "{\"permissions\": {\"deny\": [\"Read(CLAUDE.md)\"]}}".into()));
        let workspace = load(&Memory::of_files(files), Config::default(), &[]).unwrap().workspace;
        assert_eq!(workspace.readers(workspace.document(b"A7.md").unwrap()), ["merged"]);
        assert_eq!(workspace.readers(workspace.document(b"CLAUDE.md").unwrap()), ["merged"]);
    }
}
