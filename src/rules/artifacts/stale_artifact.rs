//! An artifact whose bytes are not what its sources give.

use super::{COMMAND, DEFINED, switched_on};
use crate::base::finding::{Finding, Level};
use crate::base::text::{LineIndex, Span};
use crate::compile::ChangeRefusal;
use crate::compile::drift::{Drift, DriftClass, Guilt};
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};

const INFO: RuleInfo = RuleInfo {
    name: "stale-artifact",
    group: Group::Artifacts,
    levels: &[Level::Error],
    summary: "a context artifact differs from what its source files compile to",
    explanation: "\
## What it does
Compares every committed artifact with what `hintlint compile` would write, byte for byte. The message says what kind of
difference it is (stale, edited, whitespace only, conflict markers) and which source line is behind the first one.

## Why is this bad?
Reviewers trust the artifact to be what agents read. When it is not, they approve a text that does not take effect.

## Example
`AGENTS.md` was changed, `.hintlint/context/merged.md` was not.

## How to fix
Run `hintlint compile` and commit the result. Move changes that were made in the artifact itself to the source file.
",
    evidence: &[DEFINED],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct StaleArtifact;

impl Rule for StaleArtifact {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let Some((compiler, state)) = switched_on(cx) else { return };
        let there =
            state.drifts.iter().filter(|drift| !matches!(drift.class, DriftClass::Missing | DriftClass::Orphaned));
        let mut drifts: Vec<Drift> = there.cloned().collect();
        compiler.settle(&mut drifts, &|artifact| cx.artifacts.past.get(artifact).cloned());
        findings.extend(drifts.iter().map(|drift| finding(cx, drift)));
    }
}

fn finding(cx: &Cx<'_>, drift: &Drift) -> Finding {
    let help = match &drift.refusal {
        Some(refusal) => refusal.explain().1,
        None => COMMAND,
    };
    let span = drift.found.as_deref().map_or(Span::empty(0), |bytes| {
        let lines = LineIndex::new(bytes);
        lines.line_content(bytes, drift.line.min(lines.count() - 1))
    });
    let finding = Finding::new(INFO.name, Level::Error, &drift.path, span, message(drift)).help(help);
    let Some(Guilt { path, line: Some(line) }) = &drift.guilt else { return finding };
    match cx.workspace.document(path.as_bytes()) {
        Some(source) => {
            let span = source.lines.line_content(&source.bytes, *line);
            finding.related(path, span, "the source of the first line that differs")
        }
        None => finding,
    }
}

fn message(drift: &Drift) -> String {
    let class = drift.class.name();
    match (drift.class, &drift.guilt) {
        (_, _) if drift.refusal == Some(ChangeRefusal::Foreign) => {
            format!("{class}: this file has the path of an artifact but no hintlint header")
        }
        (DriftClass::WhitespaceOnly, _) => {
            format!("{class}: whitespace or line endings differ from what the sources give")
        }
        (DriftClass::ConflictMarkers, _) => format!("{class}: a merge of this artifact was not resolved"),
        (_, Some(Guilt { path, line: Some(line) })) => {
            format!(
                "{class}: differs from what the sources compile to, first because of {} line {}",
                path.to_str_lossy(),
                line + 1
            )
        }
        (_, Some(Guilt { path, line: None })) => {
            format!(
                "{class}: differs from what the sources compile to, first because {} no longer contributes",
                path.to_str_lossy()
            )
        }
        (_, None) => format!("{class}: differs from what the sources compile to"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{artifact, check};

    #[test]
    fn the_class_and_the_source_line_are_named() {
        let source = "---\nx: y\n---\n\nOne.\n\nTwo.\n";
        let conflict = artifact("One.\n\n<<<<<<< ours\nTwo.\n=======\n2.\n>>>>>>> theirs");
        let long = artifact("One.\n\nTwo.\n\n<!-- Imported: docs/a.md -->\n\nA.\n\n<!-- End of import: docs/a.md -->");
        for (text, expected) in [
            (artifact("One.\n\nTwo."), None),
            (
                artifact("One.\n\n2."),
                Some("stale: differs from what the sources compile to, first because of AGENTS.md line 7"),
            ),
            (
                artifact("One."),
                Some("stale: differs from what the sources compile to, first because of AGENTS.md line 7"),
            ),
            (
                long,
                Some("stale: differs from what the sources compile to, first because docs/a.md no longer contributes"),
            ),
            (
                artifact("One.\n\n\nTwo.  "),
                Some("whitespace only: whitespace or line endings differ from what the sources give"),
            ),
            (conflict, Some("conflict markers: a merge of this artifact was not resolved")),
            ("# Mine\n".into(), Some("edited: this file has the path of an artifact but no hintlint header")),
        ] {
            let found = check("[compile]", &[("AGENTS.md", source), (".hintlint/context/merged.md", &text)]);
            let found: Vec<_> = found.iter().map(|line| line.splitn(3, ' ').nth(2).unwrap()).collect();
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn the_first_differing_line_of_the_artifact_is_marked() {
        let text = artifact("One.\n\n2.");
        let at = text.find("2.").unwrap();
        let found = check("", &[("AGENTS.md", "One.\n\nTwo.\n"), (".hintlint/context/merged.md", &text)]);
        assert!(found[0].contains(&format!("merged.md:{at}-{} ", at + 2)), "{found:?}");
    }
}
