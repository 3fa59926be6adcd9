//! What stands in the output folder now, and what a run would write, delete or leave alone there: steps as data.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use super::plan::{Compiler, Plan, RenderedArtifact};
use crate::agents::merged::ATTRIBUTES;
use crate::agents::merged::marker::has_header;
use crate::base::path::{self, RepoPath};
use crate::source::EntryKind;

/// What stands at a path of the output folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Nothing.
    Missing,
    /// A regular file with our header.
    Ours(Arc<[u8]>),
    /// Something else, with its bytes if it is a regular file that was loaded.
    Foreign(Option<Arc<[u8]>>),
}

/// One step of carrying out a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArtifactStep {
    /// Write a file of the output folder.
    Write {
        /// Its path.
        path: RepoPath,
        /// The bytes that must still be there; `None` if there must be nothing.
        before: Option<Arc<[u8]>>,
        /// The new bytes.
        after: String,
    },
    /// Delete a file of the output folder.
    Delete {
        /// Its path.
        path: RepoPath,
        /// The bytes that must still be there.
        before: Arc<[u8]>,
    },
}

/// Why a path is not changed although the plan says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeRefusal {
    /// What stands there lacks our header, or is no regular file.
    Foreign,
    /// It has our header, but it is not what the last run wrote and git has no copy of it.
    Unsaved,
    /// These sources could not be read.
    SourceFailed(Vec<RepoPath>),
    /// Rendering panicked.
    Defect,
}

impl ChangeRefusal {
    /// The reason in words, to stand after the path, and what to do.
    pub fn explain(&self) -> (Cow<'static, str>, &'static str) {
        match self {
            ChangeRefusal::Foreign => (
                "has the path of an artifact but no hintlint header".into(),
                "move or delete it, then run `hintlint compile`",
            ),
            ChangeRefusal::Unsaved => (
                "was changed by hand and git has no copy of it".into(),
                "move your changes to the source files and delete it, then run `hintlint compile`",
            ),
            ChangeRefusal::Defect => ("cannot be rendered because of a bug in hintlint".into(), "please report it"),
            ChangeRefusal::SourceFailed(paths) => {
                let names: Vec<_> = paths.iter().map(RepoPath::to_str_lossy).collect();
                (
                    format!("cannot be rendered: {} could not be read", names.join(", ")).into(),
                    "make the files readable",
                )
            }
        }
    }
}

/// What is known of the files that a run may replace or delete.
#[derive(Clone, Copy)]
pub struct Custody<'a> {
    /// Whether git tracks the path.
    pub is_tracked: &'a dyn Fn(&RepoPath) -> bool,
    /// Whether these bytes are what the last run wrote there.
    pub was_written: &'a dyn Fn(&RepoPath, &[u8]) -> bool,
}

impl Custody<'_> {
    fn may_replace(&self, path: &RepoPath, bytes: &[u8]) -> bool {
        (self.is_tracked)(path) || (self.was_written)(path, bytes)
    }
}

impl std::fmt::Debug for Custody<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Custody")
    }
}

/// What carrying out a plan comes to.
#[derive(Debug, Default)]
pub struct CompileOutcome {
    /// What is to be written and deleted, by path.
    pub changes: Vec<ArtifactStep>,
    /// What is left alone, by path.
    pub refusals: Vec<(RepoPath, ChangeRefusal)>,
}

impl Compiler<'_> {
    /// What stands at a path of the output folder now.
    pub(crate) fn existing(&self, path: &RepoPath) -> Existing {
        let listing = &self.workspace.listing;
        let dirs = path::ancestors_from_root(path.parent());
        if dirs.iter().any(|dir| !dir.is_empty() && listing.contains(dir)) || listing.has_dir(path.as_bytes()) {
            return Existing::Foreign(None);
        }
        let bytes = || self.workspace.document(path.as_bytes()).map(|document| document.bytes.clone());
        match listing.kind(path.as_bytes()) {
            None => Existing::Missing,
            Some(EntryKind::File) => match bytes() {
                Some(bytes) if has_header(&bytes) => Existing::Ours(bytes),
                bytes => Existing::Foreign(bytes),
            },
            Some(_) => Existing::Foreign(None),
        }
    }

    /// What a run would write and delete.
    pub fn changes(&self, plan: &Plan, custody: &Custody<'_>) -> CompileOutcome {
        let rendered: Vec<_> = plan
            .artifacts
            .par_iter()
            .filter_map(|artifact| {
                let rendered = self.render(artifact)?;
                let existing = self.existing(&artifact.path);
                let current = matches!(&existing, Existing::Ours(bytes) if **bytes == *rendered.text.as_bytes());
                (!current).then_some((&artifact.path, existing, rendered))
            })
            .collect();
        let mut outcome = CompileOutcome::default();
        for (path, existing, rendered) in rendered {
            match self.write(path, existing, rendered, custody) {
                Ok(change) => outcome.changes.push(change),
                Err(refusal) => outcome.refusals.push((path.clone(), refusal)),
            }
        }
        for path in &plan.orphans {
            match self.existing(path) {
                Existing::Ours(before) if custody.may_replace(path, &before) => {
                    outcome.changes.push(ArtifactStep::Delete { path: path.clone(), before });
                }
                Existing::Missing => {}
                _ => outcome.refusals.push((path.clone(), ChangeRefusal::Unsaved)),
            }
        }
        outcome.changes.extend(self.attributes(plan, custody));
        outcome.changes.sort_by(|a, b| a.path().cmp(b.path()));
        outcome.refusals.sort_by(|a, b| a.0.cmp(&b.0));
        outcome
    }

    fn write(
        &self,
        path: &RepoPath,
        existing: Existing,
        rendered: RenderedArtifact,
        custody: &Custody<'_>,
    ) -> Result<ArtifactStep, ChangeRefusal> {
        if let Some(refusal) = rendered.refusal() {
            return Err(refusal);
        }
        let before = match existing {
            Existing::Missing => None,
            Existing::Foreign(_) => return Err(ChangeRefusal::Foreign),
            Existing::Ours(bytes) if custody.may_replace(path, &bytes) => Some(bytes),
            Existing::Ours(_) => return Err(ChangeRefusal::Unsaved),
        };
        Ok(ArtifactStep::Write { path: path.clone(), before, after: rendered.text })
    }

    /// The attributes file comes with the first artifact and goes with the last; another one's is never touched.
    fn attributes(&self, plan: &Plan, custody: &Custody<'_>) -> Option<ArtifactStep> {
        let path = self.attributes_path();
        if !self.workspace.listing.contains(path.as_bytes()) {
            let blocked = matches!(self.existing(&path), Existing::Foreign(_));
            let wanted = !plan.artifacts.is_empty() && !blocked;
            return wanted.then(|| ArtifactStep::Write { path, before: None, after: ATTRIBUTES.into() });
        }
        let before = plan.attributes.clone().filter(|bytes| **bytes == *ATTRIBUTES.as_bytes())?;
        let gone = plan.whole
            && plan.artifacts.is_empty()
            && plan.orphans.iter().all(|path| match self.existing(path) {
                Existing::Ours(bytes) => custody.may_replace(path, &bytes),
                _ => true,
            });
        gone.then_some(ArtifactStep::Delete { path, before })
    }
}

impl ArtifactStep {
    /// The path that changes.
    pub fn path(&self) -> &RepoPath {
        match self {
            ArtifactStep::Write { path, .. } | ArtifactStep::Delete { path, .. } => path,
        }
    }
}
