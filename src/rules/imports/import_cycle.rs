//! Imports that lead back to where they began.

use std::collections::{BTreeMap, BTreeSet};

use super::OBSERVED;
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::imports::{Import, ImportTarget};

const INFO: RuleInfo = RuleInfo {
    name: "import-cycle",
    group: Group::Imports,
    levels: &[Level::Warning],
    summary: "files import each other in a cycle",
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
        for Circle { begin, left_out, closing } in circles(&cx.workspace.imports) {
            let first = begin.first().unwrap_or(&closing);
            let name = |import: &Import| import.importer.to_str_lossy().into_owned();
            let mut names: Vec<String> = begin.iter().map(|import| name(import)).collect();
            if left_out > 0 {
                names.push(format!("… {left_out} more files …"));
            }
            names.extend([name(closing), name(first)]);
            let message = format!("this import closes a cycle: {}", names.join(" → "));
            let mut finding = Finding::new(INFO.name, Level::Warning, &closing.importer, closing.span, message)
                .help("delete one of these imports")
                .agents(closing.agents.iter().copied());
            for import in &begin {
                finding = finding.related(&import.importer, import.span, "goes on here");
            }
            findings.push(finding);
        }
    }
}

/// So many imports of a circle are named, besides the one that closes it. Files that all import each other have as many
/// circles as imports, each of them as long as there are files.
const NAMED: usize = 8;

/// Imports that lead from a file back to it.
struct Circle<'i> {
    /// The first imports, from the file that the closing one names.
    begin: Vec<&'i Import>,
    /// How many stand between these and the closing one.
    left_out: usize,
    closing: &'i Import,
}

/// One circle per import that leads back to a file on the way to it, found depth first from the first path on. Without
/// recursion, since chains may be long.
fn circles(imports: &[Import]) -> Vec<Circle<'_>> {
    let mut edges: BTreeMap<&RepoPath, Vec<(&RepoPath, &Import)>> = BTreeMap::new();
    for import in imports {
        if let ImportTarget::File(target) = &import.target {
            edges.entry(&import.importer).or_default().push((target, import));
        }
    }
    let mut circles = Vec::new();
    let mut done: BTreeSet<&RepoPath> = BTreeSet::new();
    for &start in edges.keys() {
        if !done.insert(start) {
            continue;
        }
        let mut way: Vec<(&RepoPath, usize)> = vec![(start, 0)];
        let mut places = BTreeMap::from([(start, 0)]);
        let mut taken: Vec<&Import> = Vec::new();
        while let Some((file, next)) = way.last_mut() {
            let Some(&(target, import)) = edges.get(*file).and_then(|edges| edges.get(*next)) else {
                places.remove(*file);
                way.pop();
                taken.pop();
                continue;
            };
            *next += 1;
            if let Some(&at) = places.get(target) {
                let circle = &taken[at..];
                let begin = circle[..circle.len().min(NAMED)].to_vec();
                circles.push(Circle { left_out: circle.len() - begin.len(), begin, closing: import });
            } else if done.insert(target) {
                places.insert(target, way.len());
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
                "b.md:2-7 warning this import closes a cycle: a.md → b.md → a.md",
                "c/CLAUDE.md:0-10 warning this import closes a cycle: c/CLAUDE.md → c/CLAUDE.md"
            ]
        );
    }

    #[test]
    fn a_long_circle_is_named_by_its_beginning() {
        let files: Vec<(String, String)> =
            (0..30).map(|n| (format!("f{n:02}.md"), format!("@f{:02}.md\n", (n + 1) % 30))).collect();
        let mut all = vec![("CLAUDE.md", "@f00.md\n")];
        all.extend(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        let found = check("import-cycle", &all);
        let begin = (0..8).map(|n| format!("f{n:02}.md → ")).collect::<String>();
        let message = format!("this import closes a cycle: {begin}… 21 more files … → f29.md → f00.md");
        assert_eq!(found, [format!("f29.md:0-7 warning {message}")]);
    }

    #[test]
    fn diamonds_are_no_circles() {
        let files = [("CLAUDE.md", "@a.md\n@b.md\n"), ("a.md", "@c.md\n"), ("b.md", "@c.md\n"), ("c.md", "x\n")];
        assert_eq!(check("import-cycle", &files), [""; 0]);
    }
}
