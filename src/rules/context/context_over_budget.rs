//! `context-over-budget`: a merged context larger than the config allows. Rendering is `compile`'s work.

use std::collections::{BTreeMap, BTreeSet};

use crate::agents::{Proof, merged};
use crate::base::finding::{Finding, Level};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::compile::{Compiler, compiler};
use crate::config::Limits;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::Workspace;
use crate::workspace::imports::ImportTarget;

/// The rule.
pub(super) struct ContextOverBudget;

static INFO: RuleInfo = RuleInfo {
    name: "context-over-budget",
    group: Group::Context,
    levels: &[Level::Warning, Level::Info],
    summary: "the context of a directory is over the budget",
    explanation: r#"## What it does

Reports the topmost directories whose merged context, as `hintlint show --agent merged` prints it, is larger than
`[limits] context-bytes` (51,200 bytes unless set), those together whose largest part is one file. Where nothing is compiled and no limit
is set, only files of one name count together, since no agent would load the others as well; then it is an info, since no agent has that
limit.

## Why is this bad?

What agents load is paid for in every session, and long instructions are followed less well than short ones.

## Example

A root AGENTS.md that imports whole manuals.

## How to fix

Move detail into nested files, path-scoped rules or documents that are read on demand; or raise the limit.
"#,
    evidence: &[Evidence { source: "defined by hintlint", checked: "2026-11" }],
    fix: FixAvailability::None,
    aliases: &[],
};

impl Rule for ContextOverBudget {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let workspace = cx.workspace;
        let limit = workspace.config.limits.context_bytes;
        let selected = cx.selected.contains(INFO.name);
        let weights = AddedBytes::new(workspace);
        if weights.total() <= limit || weights.own.keys().all(|dir| weights.of(dir, None) <= limit) {
            return;
        }
        // An output folder that cannot be used is the config's problem, and `compile` says so.
        let Ok(compiler) = compiler(workspace) else { return };
        let mut over: BTreeMap<&[u8], (usize, RepoPath)> = BTreeMap::new();
        for dir in compiler.directories() {
            let above = path::ancestors_from_root(dir);
            if above.iter().any(|above| over.contains_key(above)) || weights.of(dir, None) <= limit {
                continue;
            }
            if !selected && workspace.is_for_elsewhere(&path::join(dir, b"AGENTS.md")) {
                continue;
            }
            if let Some(excess) = excess(workspace, &compiler, &weights, dir) {
                over.insert(dir, excess);
            }
        }
        for (cause, dirs) in by_cause(&over, &weights, limit) {
            let mut finding = finding(&over, &dirs, &cause, &weights, limit);
            let heavy =
                dirs.iter().find_map(|dir| heavy(workspace, dir, limit).map(|(title, bytes)| (*dir, title, bytes)));
            if !is_chosen(workspace) {
                finding.level = Level::Info;
            }
            if let Some((dir, title, bytes)) = heavy {
                finding.message.push_str(&format!("; {title} loads {bytes} bytes in {}", name(dir)));
            }
            findings.push(finding);
        }
    }
}

/// Whether merged contexts are committed here, or their size is limited by the config.
fn is_chosen(workspace: &Workspace) -> bool {
    workspace.compiles() || workspace.config.limits.context_bytes != Limits::default().context_bytes
}

/// An enabled agent whose own context in `dir` is over the limit, and its size in bytes.
fn heavy(workspace: &Workspace, dir: &[u8], limit: usize) -> Option<(&'static str, usize)> {
    let proven = workspace.dialects().filter(|dialect| !matches!(dialect.proof, Proof::Documentation | Proof::Ours));
    let sizes = proven.map(|dialect| {
        let parts = workspace.context(dialect, dir).context.parts;
        (dialect.title, parts.iter().map(|part| part.text.len()).sum::<usize>())
    });
    sizes.into_iter().filter(|(_, bytes)| *bytes > limit).max_by_key(|(_, bytes)| *bytes)
}

/// The directories by the file to shorten: one that several share and without which each would be within the limit, or else the one that
/// takes most of the context.
fn by_cause<'d>(
    over: &BTreeMap<&'d [u8], (usize, RepoPath)>,
    weights: &AddedBytes<'_>,
    limit: usize,
) -> BTreeMap<RepoPath, Vec<&'d [u8]>> {
    let mut sharing: BTreeMap<&RepoPath, usize> = BTreeMap::new();
    for dir in over.keys() {
        *sharing.entry(weights.heaviest(dir).unwrap_or(&over[dir].1)).or_default() += 1;
        for file in weights.shared(dir, limit) {
            *sharing.entry(file).or_default() += 1;
        }
    }
    let mut causes: BTreeMap<RepoPath, Vec<&[u8]>> = BTreeMap::new();
    for (dir, (_, own)) in over {
        let heaviest = weights.heaviest(dir).unwrap_or(own);
        let shared = weights.shared(dir, limit).max_by_key(|file| sharing[file]).filter(|file| sharing[file] > 1);
        let cause = shared.filter(|_| path::parent(heaviest.as_bytes()) == *dir).unwrap_or(heaviest);
        causes.entry(cause.clone()).or_default().push(dir);
    }
    causes
}

/// One finding for directories of one cause: at the directory's own largest file if it is one, else at the file they share.
fn finding(
    over: &BTreeMap<&[u8], (usize, RepoPath)>,
    dirs: &[&[u8]],
    cause: &RepoPath,
    weights: &AddedBytes<'_>,
    limit: usize,
) -> Finding {
    let largest = dirs.iter().copied().max_by_key(|dir| (over[dir].0, std::cmp::Reverse(*dir))).unwrap_or_default();
    let (bytes, own) = &over[largest];
    let (file, message) = match dirs.len() {
        1 => (own, format!("the merged context of {} has {bytes} bytes, over the limit of {limit}", name(largest))),
        count => {
            let part = match weights.heaviest(largest) == Some(cause) {
                true => "mostly because of this file",
                false => "and would not be without this file",
            };
            let start =
                format!("the merged contexts of {count} directories are over the limit of {limit} bytes {part}");
            (cause, format!("{start}; the largest, of {}, has {bytes}", name(largest)))
        }
    };
    Finding::new(INFO.name, Level::Warning, file, Span::default(), message)
        .help("move detail into nested files or rules, or raise `[limits] context-bytes`")
        .agents(["merged"])
}

/// The size of the context of `dir` if it is over the limit, and the file to name: the last that the directory adds.
fn excess(
    workspace: &Workspace,
    compiler: &Compiler<'_>,
    weights: &AddedBytes<'_>,
    dir: &[u8],
) -> Option<(usize, RepoPath)> {
    let limit = workspace.config.limits.context_bytes;
    if !is_chosen(workspace) && merged::NAMES.iter().all(|name| weights.of(dir, Some(name)) <= limit) {
        return None;
    }
    let bytes = compiler.merged().context(dir, false, None)?.expanded.text().len();
    if bytes <= limit {
        return None;
    }
    let largest = weights.own.get(dir)?.iter().max_by_key(|(_, weight)| *weight)?;
    Some((bytes, largest.0.clone()))
}

fn name(dir: &[u8]) -> String {
    if dir.is_empty() { "the repository's root".into() } else { format!("`{}`", String::from_utf8_lossy(dir)) }
}

/// Upper bounds of what files and their imports add to a context: cheap to add up, and nearly always enough to say no.
struct AddedBytes<'w> {
    own: BTreeMap<&'w [u8], Vec<(RepoPath, usize)>>,
}

/// What markers around one file can take, apart from its name.
const FRAME: usize = 200;

impl<'w> AddedBytes<'w> {
    fn new(workspace: &'w Workspace) -> Self {
        let mut edges: BTreeMap<&RepoPath, Vec<&RepoPath>> = BTreeMap::new();
        for import in workspace.imports.iter().filter(|import| import.agents.contains(&"merged")) {
            if let ImportTarget::File(target) = &import.target {
                edges.entry(&import.importer).or_default().push(target);
            }
        }
        let mut own: BTreeMap<&[u8], Vec<(RepoPath, usize)>> = BTreeMap::new();
        let files = workspace.documents.iter().map(|document| &document.path).chain(workspace.links.keys());
        for path in files.filter(|path| merged::reads(path.file_name())) {
            let real = match workspace.resolve(path.as_bytes()) {
                crate::workspace::Resolution::File(real) => real,
                _ => continue,
            };
            let mut seen = BTreeSet::from([&real]);
            let mut todo = vec![&real];
            let mut weight = 0;
            while let Some(file) = todo.pop() {
                // A byte that is no UTF-8 becomes three.
                let bytes = workspace.document(file.as_bytes()).map_or(0, |document| {
                    match std::str::from_utf8(&document.bytes) {
                        Ok(text) => text.len(),
                        Err(_) => 3 * document.bytes.len(),
                    }
                });
                weight += bytes + FRAME + 8 * file.as_bytes().len();
                todo.extend(edges.get(file).into_iter().flatten().copied().filter(|next| seen.insert(next)));
            }
            own.entry(path.parent()).or_default().push((path.clone(), weight));
        }
        AddedBytes { own }
    }

    fn total(&self) -> usize {
        self.own.values().flatten().map(|(_, weight)| weight).sum()
    }

    /// The file that adds most to the context of `dir`, the topmost of equals.
    fn heaviest(&self, dir: &[u8]) -> Option<&RepoPath> {
        let mut heaviest: Option<&(RepoPath, usize)> = None;
        for file in path::ancestors_from_root(dir).iter().filter_map(|dir| self.own.get(*dir)).flatten() {
            if heaviest.is_none_or(|heaviest| file.1 > heaviest.1) {
                heaviest = Some(file);
            }
        }
        heaviest.map(|(path, _)| path)
    }

    /// The files of folders above `dir` without which its context would be within `limit`.
    fn shared(&self, dir: &[u8], limit: usize) -> impl Iterator<Item = &RepoPath> {
        let whole = self.of(dir, None);
        let above = path::ancestors_from_root(dir).into_iter().filter(|above| *above != dir);
        let files: Vec<&(RepoPath, usize)> = above.filter_map(|above| self.own.get(above)).flatten().collect();
        files.into_iter().filter(move |(_, weight)| whole.saturating_sub(*weight) <= limit).map(|(path, _)| path)
    }

    /// At least the size of the context of `dir`; of the files called `name` alone, if one is given.
    fn of(&self, dir: &[u8], name: Option<&str>) -> usize {
        let dirs = path::ancestors_from_root(dir);
        let files = dirs.iter().filter_map(|dir| self.own.get(dir)).flatten();
        let counts = |path: &RepoPath| name.is_none_or(|name| path.file_name() == name.as_bytes());
        files.filter(|(path, _)| counts(path)).map(|(_, weight)| weight).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::lines;

    fn check(config: &str, files: &[(&str, &str)]) -> Vec<String> {
        lines("context-over-budget", config, files)
    }

    #[test]
    fn the_topmost_directory_is_named() {
        let big = "x".repeat(60_000);
        let found = check("", &[("AGENTS.md", &big), ("a/AGENTS.md", &big)]);
        assert_eq!(found.len(), 1);
        // Codex stops at its own limit, which another rule reports.
        assert!(
            found[0].starts_with("AGENTS.md:0-0 info the merged context of the repository's root has 60"),
            "{found:?}"
        );
        let found = check("", &[("CLAUDE.md", &big), ("a/CLAUDE.md", &big)]);
        let start = "CLAUDE.md:0-0 info the merged context of the repository's root has 60";
        assert!(found.len() == 1 && found[0].starts_with(start), "{found:?}");
        assert!(
            found[0].contains("; Claude Code loads 60") && found[0].ends_with("in the repository's root"),
            "{found:?}"
        );
        let huge = "x".repeat(5 * 51_200);
        let found = check("", &[("CLAUDE.md", &huge)]);
        assert!(found.len() == 1 && found[0].starts_with("CLAUDE.md:0-0 info"), "{found:?}");
        let found = check("", &[("AGENTS.md", "x"), ("a/b/AGENTS.md", &big)]);
        assert!(
            found.len() == 1 && found[0].starts_with("a/b/AGENTS.md:0-0 info the merged context of `a/b`"),
            "{found:?}"
        );
    }

    #[test]
    fn directories_that_one_file_weighs_on_are_told_together() {
        let (most, some) = ("x".repeat(45_000), "x".repeat(10_000));
        let more = some.clone() + "y";
        let files = [("AGENTS.md", &*most), ("a/AGENTS.md", &*some), ("b/AGENTS.md", &*more), ("c/AGENTS.md", "z")];
        let found = check("", &files);
        let start = "AGENTS.md:0-0 info the merged contexts of 2 directories are over the limit of 51200 bytes";
        assert!(
            found.len() == 1 && found[0].starts_with(start) && found[0].contains("the largest, of `b`"),
            "{found:?}"
        );
    }

    #[test]
    fn a_file_without_which_no_directory_would_be_over_is_the_cause() {
        let (shared, own, alone) = ("x".repeat(30_000), "x".repeat(40_000), "x".repeat(60_000));
        let files = [("AGENTS.md", &*shared), ("a/AGENTS.md", &*own), ("b/AGENTS.md", &*own), ("c/AGENTS.md", &*alone)];
        let found = check("", &files);
        let start = "AGENTS.md:0-0 info the merged contexts of 2 directories are over the limit of 51200 bytes and would not be";
        assert!(found.len() == 2 && found[0].starts_with(start), "{found:?}");
        assert!(found[1].starts_with("c/AGENTS.md:0-0 info the merged context of `c`"), "{found:?}");
        assert_eq!(check("", &files[..2]).len(), 1);
    }

    #[test]
    fn imports_count() {
        let big = "x".repeat(60_000);
        assert_eq!(check("", &[("AGENTS.md", "@big.md\n"), ("big.md", &big)]).len(), 1);
        assert_eq!(check("", &[("AGENTS.md", "`@big.md`\n"), ("big.md", &big)]).len(), 0);
    }

    #[test]
    fn copies_for_several_agents_count_together_only_where_they_are_merged() {
        let half = "x".repeat(30_000);
        let files = [("AGENTS.md", &*half), ("CLAUDE.md", &*half)];
        assert_eq!(check("", &files), [""; 0]);
        assert_eq!(check("[compile]\n", &files).len(), 1);
        assert_eq!(check("[limits]\ncontext-bytes = 50000\n", &files).len(), 1);
        assert_eq!(check("[limits]\ncontext-bytes = 70000\n", &files), [""; 0]);
    }

    #[test]
    fn the_limit_is_to_the_byte() {
        let files = [("AGENTS.md", "some text\n")];
        let size = |limit: usize| check(&format!("[limits]\ncontext-bytes = {limit}\n"), &files).len();
        let exact = (1..1000).find(|&limit| size(limit) == 0).unwrap();
        assert_eq!((size(exact - 1), size(exact)), (1, 0));
        assert!((60..110).contains(&exact), "{exact}");
    }
}
