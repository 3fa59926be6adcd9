//! Imports past the depth that an agent follows.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{OBSERVED, depth_limit};
use crate::base::finding::{Finding, Level};
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};
use crate::workspace::imports::{Import, ImportTarget};

const INFO: RuleInfo = RuleInfo {
    name: "import-too-deep",
    group: Group::Imports,
    levels: &[Level::Error],
    summary: "an import lies deeper than an agent follows",
    explanation: "\
## What it does
Reports imports that an agent does not follow because they are nested too deep: Claude Code follows 4 levels, Gemini CLI and Qwen
Code 5, Goose 3, Copilot CLI 8, `merged` and `dex` what `[limits] import-depth` says (3).

## Why is this bad?
The file is there, the import is right, and the agent never loads the text.

## Example
`CLAUDE.md` imports a.md, that b.md, that c.md, that d.md, that e.md: Claude Code never reads e.md.

## How to fix
Import the file from a file nearer to the top.
",
    evidence: &[OBSERVED],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct ImportTooDeep;

impl Rule for ImportTooDeep {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let configured = cx.workspace.config.limits.import_depth;
        let imports = &cx.workspace.imports;
        let mut too_deep: BTreeMap<(&RepoPath, Span), (&Import, Vec<&'static str>)> = BTreeMap::new();
        let agents: BTreeSet<&'static str> = imports.iter().flat_map(|import| import.agents.iter().copied()).collect();
        for agent in agents {
            let Some(limit) = depth_limit(agent, configured) else { continue };
            let depths = depths(cx, agent);
            let depth = |path: &RepoPath| depths.get(path).copied().unwrap_or(usize::MAX);
            for import in imports.iter().filter(|import| import.agents.contains(&agent)) {
                let ImportTarget::File(target) = &import.target else { continue };
                if depth(&import.importer) == limit && depth(target) > limit {
                    let entry = too_deep.entry((&import.importer, import.span));
                    entry.or_insert((import, Vec::new())).1.push(agent);
                }
            }
        }
        for (import, agents) in too_deep.into_values() {
            let limit = |agent: &&str| Some(format!("{agent} follows {}", depth_limit(agent, configured)?));
            let limits: Vec<String> = agents.iter().filter_map(limit).collect();
            let message =
                format!("`@{}` is nested too deep and is never loaded: {} levels", import.shown(), limits.join(", "));
            findings.push(
                Finding::new(INFO.name, Level::Error, &import.importer, import.span, message)
                    .help("import it from a file nearer to the top")
                    .agents(agents),
            );
        }
    }
}

/// How many imports lie between a hint file that `agent` loads and each file, at least.
fn depths<'w>(cx: &Cx<'w>, agent: &'static str) -> BTreeMap<&'w RepoPath, usize> {
    let mut edges: BTreeMap<&RepoPath, Vec<&RepoPath>> = BTreeMap::new();
    let mut depths: BTreeMap<&RepoPath, usize> = BTreeMap::new();
    let mut queue: VecDeque<&RepoPath> = VecDeque::new();
    for import in cx.workspace.imports.iter().filter(|import| import.agents.contains(&agent)) {
        if let ImportTarget::File(target) = &import.target {
            edges.entry(&import.importer).or_default().push(target);
        }
        let document = cx.workspace.document(import.importer.as_bytes());
        let loaded = document.is_some_and(|document| document.kind != Kind::Imported);
        if loaded && depths.insert(&import.importer, 0).is_none() {
            queue.push_back(&import.importer);
        }
    }
    while let Some(file) = queue.pop_front() {
        let next = depths.get(file).copied().unwrap_or(0) + 1;
        for &target in edges.get(file).into_iter().flatten() {
            if !depths.contains_key(target) {
                depths.insert(target, next);
                queue.push_back(target);
            }
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn the_import_past_the_limit_is_reported() {
        let files = [
            ("CLAUDE.md", "@a.md\n"),
            ("a.md", "@b.md\n"),
            ("b.md", "@c.md\n"),
            ("c.md", "@d.md\n"),
            ("d.md", "@e.md\n"),
            ("e.md", "x\n"),
        ];
        assert_eq!(
            check("import-too-deep", &files),
            [
                "c.md:0-5 error `@d.md` is nested too deep and is never loaded: merged follows 3 levels",
                "d.md:0-5 error `@e.md` is nested too deep and is never loaded: claude follows 4 levels"
            ]
        );
    }

    #[test]
    fn a_shorter_way_saves_it() {
        let files = [
            ("CLAUDE.md", "@a.md\n@d.md\n"),
            ("a.md", "@b.md\n"),
            ("b.md", "@c.md\n"),
            ("c.md", "@d.md\n"),
            ("d.md", "x\n"),
        ];
        assert_eq!(check("import-too-deep", &files), [""; 0]);
    }
}
