//! Which documents a run reports on. What no finding of theirs needs is neither parsed nor looked up.

use std::collections::BTreeSet;

use super::Workspace;
use crate::base::path::RepoPath;
use crate::parse::Document;

/// The documents whose findings may be shown. Rules may look at the others all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// All documents.
    #[default]
    All,
    /// These.
    Only(BTreeSet<RepoPath>),
}

impl Focus {
    /// The documents of `workspace` that `selects` takes.
    pub(crate) fn of(workspace: &Workspace, selects: impl Fn(&RepoPath) -> bool) -> Focus {
        let paths = workspace.documents.iter().map(|document| &document.path);
        Focus::Only(paths.filter(|path| selects(path)).cloned().collect())
    }

    /// Whether findings in the file at `path` may be shown.
    pub(crate) fn has(&self, path: &RepoPath) -> bool {
        match self {
            Focus::All => true,
            Focus::Only(paths) => paths.contains(path),
        }
    }
}

/// How to choose the [`Focus`], before anything is parsed that only some documents need.
pub(crate) enum Choose<'c> {
    /// The run reports on all documents.
    All,
    /// The run reports on some documents: tells which, once files are read and imports are followed.
    Some(&'c dyn Fn(&Workspace) -> Focus),
    /// The run reports on none: it wants their texts, and not what these name.
    Nothing,
}

impl Workspace {
    /// The documents that the run reports on.
    pub(crate) fn in_focus(&self) -> impl Iterator<Item = &Document> {
        self.documents.iter().filter(|document| self.focus.has(&document.path))
    }
}
