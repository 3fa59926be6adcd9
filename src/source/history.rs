//! Questions to a repository's past, and the answers. All questions of a run are answered in one pass over the commits.

use std::collections::{BTreeMap, BTreeSet};

use crate::path::RepoPath;

/// What the rules of one run want to know. No question, no pass.
#[derive(Debug, Default)]
pub struct Questions {
    /// Paths (of files or directories) that do not exist now: were they ever tracked, and what became of them?
    pub fates: BTreeSet<RepoPath>,
    /// Files: when did they last change?
    pub last_changes: BTreeSet<RepoPath>,
}

impl Questions {
    /// Whether nobody asked anything.
    pub fn is_empty(&self) -> bool {
        self.fates.is_empty() && self.last_changes.is_empty()
    }
}

/// A commit as a message can name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitRef {
    /// Abbreviated object name, 10 digits.
    pub id: String,
    /// Committer date, `YYYY-MM-DD` (UTC).
    pub date: String,
    /// Seconds since 1970.
    pub time: i64,
}

/// What became of a path that is not there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// No commit ever had it.
    NeverTracked,
    /// It was renamed; `to` exists now. Chains of renames are followed to their end.
    Renamed {
        /// Where it is now.
        to: RepoPath,
        /// Whether every step of the chain kept the content byte for byte.
        exact: bool,
        /// The commit of the first step.
        commit: CommitRef,
    },
    /// It was deleted, or renamed to something that was deleted since.
    Deleted {
        /// The commit that did it.
        commit: CommitRef,
    },
    /// History cannot tell: shallow or partial clone, no history at all.
    Unknown,
}

/// What history said.
#[derive(Debug, Default)]
pub struct Answers {
    /// Answers to [`Questions::fates`].
    pub fates: BTreeMap<RepoPath, Fate>,
    /// Answers to [`Questions::last_changes`].
    pub last_changes: BTreeMap<RepoPath, CommitRef>,
    /// What limits these answers, for stderr and the JSON notes.
    pub notes: Vec<String>,
}

impl Answers {
    /// What became of `path`; unknown if nobody asked.
    pub fn fate(&self, path: &RepoPath) -> &Fate {
        self.fates.get(path).unwrap_or(&Fate::Unknown)
    }
}
