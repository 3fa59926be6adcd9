//! Imports that lead back to where they began.

use std::collections::{BTreeMap, BTreeSet};

use super::OBSERVED;
use crate::finding::{Finding, Level};
use crate::path::RepoPath;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::imports::{Import, Target};

const INFO: RuleInfo = RuleInfo {
    name: "import-cycle",
    group: Group::Imports,
    levels: &[Level::Warning],
    summary: "files import each other in a circle",
    explanation: "\
## What it does
Reports imports that lead back to the file that holds them, directly or through others. One finding per circle, at the import
that closes it.

## Why is this bad?
Agents end the circle in different ways: by a comment in the prompt, by the depth limit, or by loading a file twice.

## Example
`a.md` holds `@b.md`, and `b.md` holds `@a.md`.

## How to fix
Delete one of the imports.
",
    evidence: &[OBSERVED],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct ImportCycle;

impl Rule for ImportCycle {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for circle in circles(&cx.workspace.imports) {
            let [first, ..] = circle[..] else { continue };
            let last = circle[circle.len() - 1];
            let names = circle.iter().chain([&first]).map(|import| import.importer.to_str_lossy().into_owned());
            let message = format!("this import closes a circle: {}", names.collect::<Vec<_>>().join(" → "));
            let mut finding = Finding::new(INFO.name, Level::Warning, &last.importer, last.span, message)
                .help("delete one of these imports")
                .agents(last.agents.iter().copied());
            for import in &circle[..circle.len() - 1] {
                finding = finding.related(&import.importer, import.span, "goes on here");
            }
            findings.push(finding);
        }
    }
}

/// One circle per import that leads back to a file on the way to it, found depth first from the first path on; each circle
/// begins at the file that the closing import names. Without recursion, since chains may be long.
fn circles(imports: &[Import]) -> Vec<Vec<&Import>> {
    let mut edges: BTreeMap<&RepoPath, Vec<(&RepoPath, &Import)>> = BTreeMap::new();
    for import in imports {
        if let Target::File(target) = &import.target {
            edges.entry(&import.importer).or_default().push((target, import));
        }
    }
    let mut circles: Vec<Vec<&Import>> = Vec::new();
    let mut done: BTreeSet<&RepoPath> = BTreeSet::new();
    for &start in edges.keys() {
        if !done.insert(start) {
            continue;
        }
        let mut way: Vec<(&RepoPath, usize)> = vec![(start, 0)];
        let mut taken: Vec<&Import> = Vec::new();
        while let Some((file, next)) = way.last_mut() {
            let Some(&(target, import)) = edges.get(*file).and_then(|edges| edges.get(*next)) else {
                way.pop();
                taken.pop();
                continue;
            };
            *next += 1;
            if let Some(at) = way.iter().position(|(on_way, _)| *on_way == target) {
                circles.push(taken[at..].iter().copied().chain([import]).collect());
            } else if done.insert(target) {
                way.push((target, 0));
                taken.push(import);
            }
        }
    }
    circles
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn circles_are_reported_once() {
        let files =
            [("CLAUDE.md", "@a.md\n"), ("a.md", "@b.md\n"), ("b.md", "x @a.md\n"), ("c/CLAUDE.md", "@CLAUDE.md\n")];
        assert_eq!(
            check("import-cycle", &files),
            [
                "b.md:2-7 warning this import closes a circle: a.md → b.md → a.md",
                "c/CLAUDE.md:0-10 warning this import closes a circle: c/CLAUDE.md → c/CLAUDE.md"
            ]
        );
    }

    #[test]
    fn diamonds_are_no_circles() {
        let files = [("CLAUDE.md", "@a.md\n@b.md\n"), ("a.md", "@c.md\n"), ("b.md", "@c.md\n"), ("c.md", "x\n")];
        assert_eq!(check("import-cycle", &files), [""; 0]);
    }
}
