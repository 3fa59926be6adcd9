//! Imports that grow beyond all measure when they are expanded.

use std::collections::{BTreeMap, BTreeSet};

use super::OBSERVED;
use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::imports::{Import, ImportTarget};
use crate::workspace::{MAX_IMPORTED_FILES, Workspace};

const INFO: RuleInfo = RuleInfo {
    name: "import-bomb",
    group: Group::Imports,
    levels: &[Level::Error],
    summary: "imports expand to more than 4 MiB",
    explanation: "\
## What it does
Reports hint files whose imports, pasted in place as many agents do, expand to more than 4 MiB of text, and runs whose imports
bring in more than 10,000 files.

## Why is this bad?
A few small files that import each other several times grow exponentially. No model reads that; some agents hang on it.

## Example
Ten files of which each imports the next one ten times.

## How to fix
Import each file once.
",
    evidence: &[OBSERVED],
    fix: FixAvailability::None,
    aliases: &[],
};

/// Most bytes that one context may have once its imports are expanded.
const MAX_EXPANDED_BYTES: u64 = 4 << 20;

/// The deepest that an agent which pastes in place follows imports.
const MAX_DEPTH: usize = 8;

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct ImportBomb;

impl Rule for ImportBomb {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let workspace = cx.workspace;
        let mut edges: BTreeMap<&RepoPath, Vec<&Import>> = BTreeMap::new();
        for import in &workspace.imports {
            edges.entry(&import.importer).or_default().push(import);
        }
        let mut sizes = Sizes { workspace, edges, known: BTreeMap::new() };
        for document in workspace.documents.iter().filter(|document| document.kind != Kind::Imported) {
            let first = sizes.edges.get(&document.path).and_then(|imports| imports.first().copied());
            let Some(first) = first else { continue };
            let size = sizes.expanded(&document.path);
            if size > MAX_EXPANDED_BYTES {
                let message = format!("the imports of this file expand to {} MiB of text", size >> 20);
                findings.push(
                    Finding::new(INFO.name, Level::Error, &document.path, first.span, message)
                        .help("import each file once; 4 MiB is far more than any model reads")
                        .agents(first.agents.iter().copied()),
                );
            }
        }
        let imported = workspace.documents.iter().filter(|document| document.kind == Kind::Imported).count();
        if let (true, Some(import)) = (imported >= MAX_IMPORTED_FILES, workspace.imports.last()) {
            let message = format!("imports bring in more than {MAX_IMPORTED_FILES} files; the rest was not read");
            findings.push(Finding::new(INFO.name, Level::Error, &import.importer, import.span, message));
        }
    }
}

struct Sizes<'w> {
    workspace: &'w Workspace,
    edges: BTreeMap<&'w RepoPath, Vec<&'w Import>>,
    /// The size of a file with its imports followed so many levels deep.
    known: BTreeMap<(&'w RepoPath, usize), u64>,
}

impl<'w> Sizes<'w> {
    /// The size of `path` with its imports pasted in, as many levels as any agent follows: each level from the one below it,
    /// so that the work is bounded by files times levels however fast the text grows.
    fn expanded(&mut self, path: &'w RepoPath) -> u64 {
        let mut levels: Vec<BTreeSet<&'w RepoPath>> = vec![BTreeSet::from([path])];
        for depth in 0..MAX_DEPTH {
            let next = levels[depth].iter().flat_map(|file| self.targets(file)).collect();
            levels.push(next);
        }
        for (depth, files) in levels.iter().enumerate().rev() {
            let left = MAX_DEPTH - depth;
            for &file in files {
                if self.known.contains_key(&(file, left)) {
                    continue;
                }
                let own = self.workspace.document(file.as_bytes()).map_or(0, |document| document.bytes.len() as u64);
                let below = |target: &'w RepoPath| match left.checked_sub(1) {
                    Some(less) => self.known.get(&(target, less)).copied().unwrap_or(0),
                    None => 0,
                };
                let size = self.targets(file).into_iter().map(below).fold(own, u64::saturating_add);
                self.known.insert((file, left), size);
            }
        }
        self.known.get(&(path, MAX_DEPTH)).copied().unwrap_or(0)
    }

    fn targets(&self, file: &RepoPath) -> Vec<&'w RepoPath> {
        let imports = self.edges.get(file).map_or(&[][..], Vec::as_slice);
        let target = |import: &&'w Import| match &import.target {
            ImportTarget::File(target) => Some(target),
            _ => None,
        };
        imports.iter().filter_map(target).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn exponential_growth_is_seen_without_growing() {
        let name = |n: usize| if n == 0 { "CLAUDE.md".to_owned() } else { format!("f{n}.md") };
        let texts: Vec<(String, String)> = (0..9)
            .map(|n| (name(n), format!("@{}\n\n", name(n + 1)).repeat(10)))
            .chain([(name(9), "x\n".into())])
            .collect();
        let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let found = check("import-bomb", &files);
        assert!(found.len() == 1 && found[0].starts_with("CLAUDE.md:0-6 error"), "{found:?}");
    }

    #[test]
    fn ordinary_imports_are_silent() {
        assert_eq!(check("import-bomb", &[("CLAUDE.md", "@a.md\n"), ("a.md", "x\n")]), [""; 0]);
    }
}
