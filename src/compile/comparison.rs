//! How the context of each directory and agent changes between two states of a repository. Pure: two frozen workspaces in,
//! changes out. Directories that no change can reach are not rendered.

use std::collections::{BTreeMap, BTreeSet};

use crate::agents::context::{PartName, Reason};
use crate::agents::{Dialect, Proof};
use crate::base::finding::Level;
use crate::base::path::{self, RepoPath};
use crate::base::text::Position;
use crate::base::tokens;
use crate::compile::agent::{candidates, text};
use crate::compile::{Compiler, compiler};
use crate::workspace::Workspace;
use crate::workspace::contexts::home_of;
use crate::workspace::imports::ImportTarget;

/// The context of one agent in one directory, in one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ContextState {
    /// What the agent is sent at start, then the rules that wait for a file; hidden characters written out.
    pub text: String,
    /// The bytes that it is sent at start.
    pub bytes: usize,
    /// The tokens that it is sent at start.
    pub tokens: usize,
    /// The files behind the text, each with the line (from 1) at which it is cut, if it is.
    pub files: BTreeMap<RepoPath, Option<usize>>,
    /// Files that the agent would load and that its size limit leaves no room for.
    pub lost: BTreeSet<RepoPath>,
}

/// A file of which the agent's size limit takes something away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SizeCut {
    /// The file.
    pub path: RepoPath,
    /// The line (from 1) that holds the first byte that is not sent.
    pub line: usize,
    /// Whether nothing of it is sent.
    pub whole: bool,
}

/// A hidden or deceptive character, or run of them, that was not there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The file.
    pub path: RepoPath,
    /// Where in it.
    pub(crate) position: Position,
    /// The class of the character.
    pub class: &'static str,
    /// What is to be said of it.
    pub message: String,
}

/// How one agent's context of one directory changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContextChange {
    /// The agent.
    pub agent: &'static str,
    /// The directory.
    pub scope: RepoPath,
    /// Before.
    pub before: ContextState,
    /// After.
    pub after: ContextState,
    /// Files that are loaded now and were not.
    pub added: Vec<RepoPath>,
    /// Files that were loaded and are not any more, though no size limit is the reason.
    pub dropped: Vec<RepoPath>,
    /// Files that are cut now and were not, or elsewhere.
    pub cut: Vec<SizeCut>,
    /// New hidden characters in the files that are loaded.
    pub hidden: Vec<Hidden>,
}

/// All changes between two states, by directory and agent.
pub(crate) fn compare(before: &Workspace, after: &Workspace, agents: &[&'static Dialect]) -> Vec<ContextChange> {
    let reach = ReachedDirectories::new(before, after);
    if reach.is_empty() {
        return Vec::new();
    }
    let (old, new) = (Renderer::new(before), Renderer::new(after));
    let mut changes = Vec::new();
    for &dialect in agents {
        let mut dirs = old.scopes(dialect);
        dirs.extend(new.scopes(dialect));
        for dir in dirs.iter().filter(|dir| reach.has(dir)) {
            changes.extend(change(
                dialect.id,
                dir,
                (before, old.state(dialect, dir)),
                (after, new.state(dialect, dir)),
            ));
        }
    }
    changes.sort_by(|a, b| (&a.scope, a.agent).cmp(&(&b.scope, b.agent)));
    changes
}

fn change(
    agent: &'static str,
    dir: &[u8],
    before: (&Workspace, ContextState),
    after: (&Workspace, ContextState),
) -> Option<ContextChange> {
    let ((old, before), (new, after)) = (before, after);
    if before == after {
        return None;
    }
    let added = after.files.keys().filter(|path| !before.files.contains_key(*path)).cloned().collect();
    let gone = before.files.keys().filter(|path| !after.files.contains_key(*path) && !after.lost.contains(*path));
    let dropped = gone.cloned().collect();
    let hidden = after.files.keys().flat_map(|path| new_hidden(old, new, path)).collect();
    let cut = cuts(&before, &after);
    Some(ContextChange { agent, scope: RepoPath::new(dir), before, after, added, dropped, cut, hidden })
}

/// What the size limit takes away now and did not before, by path.
fn cuts(before: &ContextState, after: &ContextState) -> Vec<SizeCut> {
    let moved = after.files.iter().filter(|(path, line)| before.files.get(*path) != Some(line));
    let parts = moved.filter_map(|(path, line)| Some(SizeCut { path: path.clone(), line: (*line)?, whole: false }));
    let wholes = after.lost.difference(&before.lost).map(|path| SizeCut { path: path.clone(), line: 1, whole: true });
    let mut cuts: Vec<SizeCut> = parts.chain(wholes).collect();
    cuts.sort_by(|a, b| a.path.cmp(&b.path));
    cuts
}

/// The hidden characters of a file that it did not have, or not as often.
fn new_hidden(old: &Workspace, new: &Workspace, path: &RepoPath) -> Vec<Hidden> {
    let Some(document) = new.document(path.as_bytes()) else { return Vec::new() };
    let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let before = old.document(path.as_bytes());
    for (document, hit) in before.iter().flat_map(|document| document.hidden.iter().map(move |hit| (document, hit))) {
        *known.entry((hit.class.name(), document.slice(hit.span))).or_default() += 1;
    }
    let mut found = Vec::new();
    for hit in document.hidden.iter().filter(|hit| hit.level >= Level::Warning) {
        match known.get_mut(&(hit.class.name(), document.slice(hit.span))) {
            Some(count) if *count > 0 => *count -= 1,
            _ => found.push(Hidden {
                path: path.clone(),
                position: document.lines.position(&document.bytes, hit.span.start),
                class: hit.class.name(),
                message: hit.message.clone(),
            }),
        }
    }
    found
}

/// The directories whose contexts a change can reach.
struct ReachedDirectories {
    /// Settings of agents or of ours differ, which may change any context.
    everything: bool,
    homes: BTreeSet<Vec<u8>>,
}

impl ReachedDirectories {
    fn new(before: &Workspace, after: &Workspace) -> Self {
        let config = |workspace: &Workspace| {
            let config = &workspace.config;
            format!("{:?} {:?} {:?}", config.limits, config.dex, config.exclude)
        };
        let everything = before.settings != after.settings || config(before) != config(after);
        let mut changed: BTreeSet<RepoPath> = differing(
            before.documents.iter().map(|document| (&document.path, &*document.bytes)),
            after.documents.iter().map(|document| (&document.path, &*document.bytes)),
        );
        changed.extend(differing(before.links.iter(), after.links.iter()));
        changed.extend(differing(before.unreadable.iter(), after.unreadable.iter()));
        // What a token leads to can change without a file that was read: its target may be gone or be a folder now.
        let imports = |workspace: &Workspace| -> BTreeMap<RepoPath, Vec<ImportTarget>> {
            let mut by_file: BTreeMap<RepoPath, Vec<ImportTarget>> = BTreeMap::new();
            for import in &workspace.imports {
                by_file.entry(import.importer.clone()).or_default().push(import.target.clone());
            }
            by_file
        };
        changed.extend(differing(imports(before).iter(), imports(after).iter()));
        let mut todo: Vec<RepoPath> = changed.iter().cloned().collect();
        while let Some(path) = todo.pop() {
            let leads_here = |target: &ImportTarget| matches!(target, ImportTarget::File(to) if *to == path);
            let importers = before.imports.iter().chain(&after.imports).filter(|import| leads_here(&import.target));
            let linked = before.links.keys().chain(after.links.keys());
            let links = linked.filter(|link| [before, after].iter().any(|side| is_link_to(side, link, &path)));
            let above: Vec<RepoPath> = importers.map(|import| import.importer.clone()).chain(links.cloned()).collect();
            todo.extend(above.into_iter().filter(|path| changed.insert(path.clone())));
        }
        ReachedDirectories { everything, homes: changed.iter().map(|path| home_of(path.as_bytes()).to_vec()).collect() }
    }

    fn is_empty(&self) -> bool {
        !self.everything && self.homes.is_empty()
    }

    fn has(&self, dir: &[u8]) -> bool {
        self.everything || path::ancestors_from_root(dir).iter().any(|above| self.homes.contains(*above))
    }
}

fn is_link_to(workspace: &Workspace, link: &RepoPath, path: &RepoPath) -> bool {
    workspace.resolve(link.as_bytes()) == crate::workspace::Resolution::File(path.clone())
}

/// The keys whose values differ, or that one side lacks.
fn differing<'a, V: PartialEq + 'a>(
    before: impl Iterator<Item = (&'a RepoPath, V)>,
    after: impl Iterator<Item = (&'a RepoPath, V)>,
) -> BTreeSet<RepoPath> {
    let mut before: BTreeMap<&RepoPath, V> = before.collect();
    let mut found = BTreeSet::new();
    for (path, value) in after {
        if before.remove(path).as_ref() != Some(&value) {
            found.insert(path.clone());
        }
    }
    found.extend(before.into_keys().cloned());
    found
}

/// Renders contexts of one state.
struct Renderer<'w> {
    workspace: &'w Workspace,
    /// `None` where the output folder of the config cannot be used; then `merged` has no context.
    compiler: Option<Compiler<'w>>,
}

impl<'w> Renderer<'w> {
    fn new(workspace: &'w Workspace) -> Self {
        Renderer { workspace, compiler: compiler(workspace).ok() }
    }

    /// The directories in which the agent may load other files than above.
    fn scopes(&self, dialect: &'static Dialect) -> BTreeSet<Vec<u8>> {
        if dialect.proof != Proof::Ours {
            return candidates(self.workspace, dialect);
        }
        let dirs = self.compiler.iter().flat_map(Compiler::directories);
        dirs.map(<[u8]>::to_vec).collect()
    }

    fn state(&self, dialect: &'static Dialect, dir: &[u8]) -> ContextState {
        if dialect.proof == Proof::Ours { self.merged(dir) } else { self.of_agent(dialect, dir) }
    }

    fn merged(&self, dir: &[u8]) -> ContextState {
        let Some(merged) = self.compiler.as_ref().map(Compiler::merged) else { return ContextState::default() };
        let Some(context) = merged.context(dir, false, None) else { return ContextState::default() };
        let text = context.expanded.text();
        ContextState {
            bytes: text.len(),
            tokens: tokens::count(text.as_bytes()),
            files: context.expanded.sources.iter().map(|source| (merged.path(&source.path), None)).collect(),
            lost: BTreeSet::new(),
            text: text.to_owned(),
        }
    }

    fn of_agent(&self, dialect: &'static Dialect, dir: &[u8]) -> ContextState {
        let loaded = self.workspace.context(dialect, dir);
        let context = &loaded.context;
        let sent = [PartName::User, PartName::Main, PartName::After].map(|part| context.text(part));
        let layers = context.layers.iter().map(|layer| (&layer.path, layer.cut.map(|cut| cut.line)));
        let waiting = context.conditional.iter().map(|rule| (&rule.path, None));
        let files = layers.chain(waiting).filter_map(|(path, cut)| Some((loaded.path(path)?, cut)));
        let lost = context.skipped.iter().filter(|skipped| matches!(skipped.reason, Reason::BudgetSpent(_)));
        let lost = lost.filter_map(|skipped| loaded.path(skipped.path.as_ref()?));
        ContextState {
            bytes: sent.iter().map(|text| text.len()).sum(),
            tokens: sent.iter().map(|text| tokens::count(text.as_bytes())).sum(),
            files: files.collect(),
            lost: lost.collect(),
            text: text(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents;
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    type Files<'f> = &'f [(&'f str, &'f str)];

    fn changes(before: Files<'_>, after: Files<'_>, agents: &[&str]) -> Vec<ContextChange> {
        let load = |files: Files<'_>| {
            load(&Memory::of_files(files.iter().copied()), Config::default(), &[]).unwrap().workspace
        };
        let agents: Vec<_> = agents.iter().filter_map(|agent| agents::by_id(agent)).collect();
        compare(&load(before), &load(after), &agents)
    }

    /// `agent scope +added -dropped`
    fn show(changes: &[ContextChange]) -> Vec<String> {
        let one = |change: &ContextChange| {
            let names = |sign: &str, paths: &[RepoPath]| -> String {
                paths.iter().map(|path| format!(" {sign}{}", path.to_str_lossy())).collect()
            };
            let scope = change.scope.to_str_lossy();
            format!("{} {scope:?}{}{}", change.agent, names("+", &change.added), names("-", &change.dropped))
        };
        changes.iter().map(one).collect()
    }

    #[test]
    fn only_scopes_that_change_are_there() {
        let before = [("AGENTS.md", "root"), ("a/AGENTS.md", "a"), ("b/AGENTS.md", "b"), ("x.txt", "1")];
        let after = [("AGENTS.md", "root"), ("a/AGENTS.md", "changed"), ("b/AGENTS.md", "b"), ("x.txt", "2")];
        assert_eq!(show(&changes(&before, &after, &["codex"])), ["codex \"a\""]);
        assert_eq!(show(&changes(&before, &before, &["codex", "merged"])), [""; 0]);
        let root = [("AGENTS.md", "new"), ("a/AGENTS.md", "a"), ("b/AGENTS.md", "b")];
        assert_eq!(show(&changes(&before, &root, &["merged"])), ["merged \"\"", "merged \"a\"", "merged \"b\""]);
    }

    #[test]
    fn imports_and_new_files_are_followed() {
        let before = [("CLAUDE.md", "@docs/a.md\n"), ("docs/a.md", "one"), ("docs/b.md", "two")];
        let after = [("CLAUDE.md", "@docs/a.md\n"), ("docs/a.md", "@b.md\n"), ("docs/b.md", "two")];
        assert_eq!(show(&changes(&before, &after, &["claude"])), ["claude \"\" +docs/b.md"]);
        assert_eq!(
            show(&changes(&after, &before, &["claude", "merged"])),
            ["claude \"\" -docs/b.md", "merged \"\" -docs/b.md"]
        );
        let gone = [("CLAUDE.md", "@docs/a.md\n")];
        assert_eq!(show(&changes(&before, &gone, &["claude"])), ["claude \"\" -docs/a.md"]);
        let nested = [("CLAUDE.md", "x"), ("p/CLAUDE.md", "y")];
        assert_eq!(show(&changes(&nested[..1], &nested, &["claude"])), ["claude \"p\" +p/CLAUDE.md"]);
    }

    #[test]
    fn one_file_can_take_another_ones_place() {
        let before = [("AGENTS.md", "x")];
        let after = [("AGENTS.md", "x"), ("CLAUDE.md", "y")];
        assert_eq!(show(&changes(&before, &after, &["claude", "codex"])), ["claude \"\" +CLAUDE.md -AGENTS.md"]);
    }

    #[test]
    fn cuts_and_hidden_characters_are_told() {
        let (short, long) = ("x\n".repeat(100), "x\n".repeat(20_000));
        let found = changes(&[("AGENTS.md", &short)], &[("AGENTS.md", &long)], &["codex"]);
        let part = |line| SizeCut { path: "AGENTS.md".into(), line, whole: false };
        assert_eq!(found[0].cut, [part(16_385)]);
        let found =
            changes(&[("AGENTS.md", "a\u{200b}b\n")], &[("AGENTS.md", "a\u{200b}b\n\nc\u{200b}d\n")], &["codex"]);
        let places: Vec<_> =
            found[0].hidden.iter().map(|hidden| (hidden.position.line, hidden.position.column)).collect();
        assert_eq!(places, [(3, 2)]);
        assert!(found[0].after.text.contains("\\u{200B}"), "{}", found[0].after.text);
    }

    #[test]
    fn what_a_budget_leaves_out_is_cut_and_not_dropped() {
        let (short, long) = ("x\n".repeat(100), "x\n".repeat(20_000));
        let before = [("AGENTS.md", &*short), ("p/AGENTS.md", "p"), ("p/q/AGENTS.md", "q")];
        let after = [("AGENTS.md", &*long), ("p/AGENTS.md", "p"), ("p/q/AGENTS.md", "q")];
        let cut = |path: &str, line| SizeCut { path: path.into(), line, whole: line == 1 };
        let found = changes(&before, &after, &["codex"]);
        assert_eq!(show(&found), ["codex \"\"", "codex \"p\"", "codex \"p/q\""]);
        assert_eq!(found[2].cut, [cut("AGENTS.md", 16_385), cut("p/AGENTS.md", 1), cut("p/q/AGENTS.md", 1)]);
        let back = changes(&after, &before, &["codex"]);
        assert_eq!(show(&back)[1], "codex \"p\" +p/AGENTS.md");
        // A new file that is lost at once is a change too, though no text is another.
        assert_eq!(changes(&after[..1], &after[..2], &["codex"])[0].cut, [cut("p/AGENTS.md", 1)]);
    }

    #[test]
    fn settings_reach_everything() {
        let config = |bytes: usize| format!("project_doc_max_bytes = {bytes}\n");
        let (small, large) = (config(2), config(20));
        let before = [("AGENTS.md", "long text"), (".codex/config.toml", &*large)];
        let after = [("AGENTS.md", "long text"), (".codex/config.toml", &*small)];
        let found = changes(&before, &after, &["codex"]);
        assert_eq!(found[0].cut, [SizeCut { path: "AGENTS.md".into(), line: 1, whole: false }]);
    }
}
