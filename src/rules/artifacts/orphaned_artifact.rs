//! An artifact that no scope asks for.

use super::{DEFINED, scope_name, switched_on};
use crate::base::finding::{Finding, Level};
use crate::base::text::Span;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};

const INFO: RuleInfo = RuleInfo {
    name: "orphaned-artifact",
    group: Group::Artifacts,
    levels: &[Level::Error],
    summary: "a context artifact has no directory or agent any more",
    explanation: "\
## What it does
Reports files of the output folder that carry hintlint's header although their directory has no hint file left, or their agent
is no longer among those of `[compile]`; and what was left in the default folder when the config named another.

## Why is this bad?
Nothing keeps such a file up to date. Its readers take outdated text for what agents load.

## Example
`.hintlint/context/old/merged.md` is still there after `old/AGENTS.md` was deleted.

## How to fix
Run `hintlint compile`, which deletes it, and commit that.
",
    evidence: &[DEFINED],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct OrphanedArtifact;

impl Rule for OrphanedArtifact {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let Some((compiler, state)) = switched_on(cx) else { return };
        for path in &state.plan.orphans {
            let (agent, scope) = compiler.artifact_of(path);
            let agents = &cx.workspace.config.compile.agents;
            let message = if compiler.is_left_behind(path) {
                format!(
                    "this artifact is not generated any more: artifacts go to `{}` now",
                    cx.workspace.config.compile.output
                )
            } else if agents.iter().any(|known| known.as_bytes() == agent) {
                format!("this artifact is not generated any more: {} has no hint files of its own", scope_name(&scope))
            } else {
                let agent = String::from_utf8_lossy(agent);
                format!("this artifact is not generated any more: `{agent}` is not among the agents of [compile]")
            };
            let finding = Finding::new(INFO.name, Level::Error, path, Span::empty(0), message);
            findings.push(finding.help("run `hintlint compile`, which deletes it, and commit that"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{artifact, check};

    #[test]
    fn only_files_with_our_header_in_our_place_are_orphans() {
        let (root, old) = (artifact("Root."), artifact("Old."));
        let files = [
            ("AGENTS.md", "Root."),
            (".hintlint/context/merged.md", root.as_str()),
            (".hintlint/context/claude.md", old.as_str()),
            (".hintlint/context/old/merged.md", old.as_str()),
            (".hintlint/context/notes/merged.md", "# Notes without a header\n"),
            ("docs/merged.md", old.as_str()),
        ];
        assert_eq!(
            check("", &files),
            [
                "orphaned-artifact .hintlint/context/claude.md:0-0 this artifact is not generated any more: `claude` is not among the agents of [compile]",
                "orphaned-artifact .hintlint/context/old/merged.md:0-0 this artifact is not generated any more: `old` has no hint files of its own",
            ]
        );
    }
}
