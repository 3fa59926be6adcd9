//! How a committed artifact differs from what its sources give: its class, its first differing line, and the source line
//! behind that. Pure; the past comes in as a function.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use super::PastState;
use super::changes::{ChangeRefusal, Existing};
use super::plan::{Artifact, Compiler, MERGED, Plan};
use crate::agents::merged::expand::Origin;
use crate::agents::merged::marker;
use crate::base::path::{self, RepoPath};
use crate::workspace::imports::ImportTarget;

/// The ways in which an artifact can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DriftClass {
    /// It should exist and does not.
    Missing,
    /// Its sources changed since it was written, or nobody can tell.
    Stale,
    /// Somebody changed the artifact itself.
    Edited,
    /// Nothing but blanks, blank lines, line endings or a byte order mark differ.
    WhitespaceOnly,
    /// A merge left its markers in it.
    ConflictMarkers,
    /// It has our header and nothing asks for it.
    Orphaned,
}

impl DriftClass {
    /// The class in words, as every report names it.
    pub fn name(self) -> &'static str {
        match self {
            DriftClass::Missing => "missing",
            DriftClass::Stale => "stale",
            DriftClass::Edited => "edited",
            DriftClass::WhitespaceOnly => "whitespace only",
            DriftClass::ConflictMarkers => "conflict markers",
            DriftClass::Orphaned => "orphaned",
        }
    }
}

/// The source line behind a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guilt {
    /// The source file.
    pub path: RepoPath,
    /// Its line, from 0; `None` when the file no longer contributes.
    pub line: Option<usize>,
}

/// One artifact that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The artifact.
    pub path: RepoPath,
    /// What is wrong.
    pub class: DriftClass,
    /// Whose context it should hold, and of which directory; `None` for an orphan.
    pub artifact: Option<Artifact>,
    /// The artifact's first differing line, from 0.
    pub line: usize,
    /// The source line behind that.
    pub guilt: Option<Guilt>,
    /// What stands there, if anything readable does.
    pub found: Option<Arc<[u8]>>,
    /// What should stand there.
    pub expected: Option<String>,
    /// Why `hintlint compile` will not fix it by itself.
    pub refusal: Option<ChangeRefusal>,
}

/// The drift of a workspace's artifacts, as far as it can be determined without history.
#[derive(Debug, Default)]
pub(crate) struct ArtifactState {
    /// What should stand where.
    pub plan: Plan,
    /// What is not as it should be, by path.
    pub drifts: Vec<Drift>,
}

impl ArtifactState {
    /// The artifacts for which history is needed, to see whether they or their sources changed.
    pub(crate) fn open(&self) -> BTreeSet<RepoPath> {
        open(&self.drifts)
    }
}

/// The paths of those drifts that their past may show to be edits.
pub(crate) fn open(drifts: &[Drift]) -> BTreeSet<RepoPath> {
    drifts.iter().filter(|drift| drift.class == DriftClass::Stale).map(|drift| drift.path.clone()).collect()
}

/// The repository at the last commit that changed an artifact; `None` when that cannot be told.
pub(crate) type Recall<'a> = &'a (dyn Fn(&RepoPath) -> Option<Arc<PastState>> + Sync);

impl Compiler<'_> {
    /// Compare what a plan asks for with what is there. Sorted by path. What its sources do not explain counts as stale
    /// until [`Compiler::settle`] looks at the past.
    pub fn drifts(&self, plan: &Plan) -> Vec<Drift> {
        let drifted = plan.artifacts.par_iter().filter_map(|artifact| self.drift(artifact));
        let mut drifts: Vec<Drift> = drifted.collect();
        drifts.extend(plan.orphans.iter().map(|path| self.orphan(path)));
        drifts.sort_by(|a, b| a.path.cmp(&b.path));
        drifts
    }

    /// Distinguish edited from stale artifacts: one that differs from what its sources compiled to at the time was edited.
    pub fn settle(&self, drifts: &mut [Drift], past: Recall<'_>) {
        drifts.par_iter_mut().filter(|drift| drift.class == DriftClass::Stale).for_each(|drift| {
            let then = drift
                .artifact
                .as_ref()
                .and_then(|artifact| past(&artifact.path).and_then(|past| self.rendered_then(artifact, &past)));
            if then.is_some_and(|then| drift.found.as_deref() != Some(then.as_bytes())) {
                drift.class = DriftClass::Edited;
            }
        });
    }

    fn drift(&self, artifact: &Artifact) -> Option<Drift> {
        let rendered = self.render(artifact)?;
        let existing = self.existing(&artifact.path);
        let failed = rendered.refusal();
        if rendered.defect {
            let found = match existing {
                Existing::Missing => None,
                Existing::Ours(bytes) => Some(bytes),
                Existing::Foreign(bytes) => bytes,
            };
            let (path, artifact) = (artifact.path.clone(), Some(artifact.clone()));
            let class = if found.is_none() { DriftClass::Missing } else { DriftClass::Stale };
            return Some(Drift { path, class, artifact, line: 0, guilt: None, found, expected: None, refusal: failed });
        }
        let (found, refusal) = match existing {
            Existing::Missing => (None, failed),
            Existing::Ours(bytes) if *bytes == *rendered.text.as_bytes() => return None,
            Existing::Ours(bytes) => (Some(bytes), failed),
            Existing::Foreign(bytes) => (bytes, Some(ChangeRefusal::Foreign)),
        };
        let expected = rendered.text;
        let drift = |class, line, guilt| Drift {
            path: artifact.path.clone(),
            class,
            artifact: Some(artifact.clone()),
            line,
            guilt,
            found: found.clone(),
            expected: Some(expected.clone()),
            refusal: refusal.clone(),
        };
        let Some(bytes) = &found else {
            let class = if refusal == Some(ChangeRefusal::Foreign) { DriftClass::Edited } else { DriftClass::Missing };
            return Some(drift(class, 0, None));
        };
        let line = first_difference(bytes, &expected);
        let class = classify(bytes, &expected);
        Some(drift(class, line, self.guilt(artifact, bytes, &expected, line)))
    }

    fn orphan(&self, path: &RepoPath) -> Drift {
        let found = match self.existing(path) {
            Existing::Ours(bytes) => Some(bytes),
            Existing::Missing | Existing::Foreign(_) => None,
        };
        let path = path.clone();
        Drift {
            path,
            class: DriftClass::Orphaned,
            artifact: None,
            line: 0,
            guilt: None,
            found,
            expected: None,
            refusal: None,
        }
    }

    fn rendered_then(&self, artifact: &Artifact, past: &PastState) -> Option<String> {
        // The agents' contexts are those of that time, too.
        let compiler = Compiler::new(&past.workspace, &past.texts).ok()?;
        compiler.render(artifact).filter(|rendered| rendered.refusal().is_none()).map(|rendered| rendered.text)
    }

    /// The source of the first line that differs. Where a whole file has gone, that file.
    fn guilt(&self, artifact: &Artifact, found: &[u8], expected: &str, line: usize) -> Option<Guilt> {
        if artifact.agent != MERGED {
            return self.agent_guilt(artifact, expected, line);
        }
        let text = String::from_utf8_lossy(found);
        let named: BTreeSet<&str> = expected.lines().filter_map(marker::opened_path).collect();
        // The blank line before a marker belongs to it.
        let gone = text.lines().skip(line).take(2).find_map(marker::opened_path).filter(|path| !named.contains(path));
        if let Some(path) = gone {
            return Some(Guilt { path: path.into(), line: None });
        }
        let context = self.merged_context(artifact)?;
        let origins = context.expanded.origins();
        let at = line.min(origins.len().saturating_sub(1));
        let origin = origins[at..].iter().chain(origins[..at].iter().rev()).find_map(|origin| *origin);
        let Origin { source, line } = origin?;
        Some(Guilt { path: self.merged().path(&context.expanded.sources[source].path), line: Some(line) })
    }

    /// The same for an agent whose framing is its own: where the first line that differs stands in a hint file of the
    /// scope or above, the deepest first, or else in what those import.
    fn agent_guilt(&self, artifact: &Artifact, expected: &str, line: usize) -> Option<Guilt> {
        let scope = artifact.scope.as_bytes();
        let above = |path: &RepoPath| path::is_at_or_below(scope, path.parent()) || path.parent().is_empty();
        let mut sources: Vec<_> = self.workspace.documents.iter().filter(|document| above(&document.path)).collect();
        sources.sort_by_key(|document| std::cmp::Reverse(document.path.parent().len()));
        let mut known: BTreeSet<&RepoPath> = sources.iter().map(|document| &document.path).collect();
        let mut next = 0;
        while let Some(importer) = sources.get(next).map(|document| &document.path) {
            next += 1;
            let imports = &self.workspace.imports;
            let from = imports.partition_point(|import| import.importer < *importer);
            for import in imports[from..].iter().take_while(|import| import.importer == *importer) {
                let ImportTarget::File(path) = &import.target else { continue };
                if known.insert(path) {
                    sources.extend(self.workspace.document(path.as_bytes()));
                }
            }
        }
        let lines = expected.lines().skip(line).map(str::trim).filter(|line| !line.is_empty());
        lines.take(MAX_TRIED).find_map(|wanted| {
            sources.iter().find_map(|document| {
                let line = document.text.lines().position(|line| line.trim() == wanted)?;
                Some(Guilt { path: document.path.clone(), line: Some(line) })
            })
        })
    }
}

/// Most lines of an artifact that are looked for in its sources.
const MAX_TRIED: usize = 3;

/// What kind of difference this is, as far as the two texts tell.
fn classify(found: &[u8], expected: &str) -> DriftClass {
    let text = String::from_utf8_lossy(found);
    if has_conflict(&text) && !has_conflict(expected) {
        return DriftClass::ConflictMarkers;
    }
    if words(&text).eq(words(expected)) {
        return DriftClass::WhitespaceOnly;
    }
    if marker::has_header(found) { DriftClass::Stale } else { DriftClass::Edited }
}

/// The first line (from 0) in which two texts differ.
fn first_difference(found: &[u8], expected: &str) -> usize {
    let mut expected = expected.as_bytes().split(|&b| b == b'\n');
    found.split(|&b| b == b'\n').take_while(|line| expected.next() == Some(line)).count()
}

/// Whether conflict markers stand at line starts in their order.
fn has_conflict(text: &str) -> bool {
    let mut wanted = ["<<<<<<< ", "=======", ">>>>>>> "].iter();
    let mut next = wanted.next();
    for line in text.lines() {
        let is_next = next.is_some_and(|marker| match *marker {
            "=======" => line == "=======",
            marker => line.starts_with(marker),
        });
        if is_next {
            next = wanted.next();
        }
    }
    next.is_none()
}

/// The words of a text, with line breaks between the lines that have any.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty());
    lines.flat_map(|line| line.split_whitespace().chain(std::iter::once("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blanks_count_as_whitespace() {
        let same = |a: &str, b: &str| words(a).eq(words(b));
        assert!(same("\u{feff}a  b\r\n\r\n\r\nc", "a b\n\nc \n"));
        assert!(!same("a b", "ab"));
        assert!(!same("a\nb", "a b"));
    }

    #[test]
    fn conflicts_need_all_three_markers_in_order() {
        assert!(has_conflict("a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n"));
        assert!(!has_conflict("=======\n<<<<<<< HEAD\n>>>>>>> b\n"));
        assert!(!has_conflict("    <<<<<<< HEAD\n=======\n>>>>>>> b\n"));
    }

    #[test]
    fn the_first_differing_line_is_found_at_either_end() {
        assert_eq!(first_difference(b"a\nb\n", "a\nc\n"), 1);
        assert_eq!(first_difference(b"a\n", "a\nc\n"), 1);
        assert_eq!(first_difference(b"a\nc\n", "a\n"), 1);
    }
}
