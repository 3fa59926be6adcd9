//! The newest commits along the first parents, and the paths that each one changed, as the `git` program tells them. What a
//! merge brings counts as the merge's. Bounded; where git fails, what it told before holds.

use std::ops::ControlFlow;

use super::ledger::date;
use crate::base::path::RepoPath;
use crate::source::program::{GitCall, ProgramError};
use crate::source::raw::{self, HistoryStep};
use crate::source::repository::GitRepository;
use crate::source::{Opened, SourceError};

/// One commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FirstParent {
    /// The object's name.
    pub id: String,
    /// Committer date, `YYYY-MM-DD` (UTC).
    pub date: String,
    /// The first line of the message, lossily decoded.
    pub subject: String,
    /// The first parent; `None` of a first commit, and where a shallow clone ends.
    pub parent: Option<String>,
    /// The paths that differ from the first parent, sorted.
    pub changed: Vec<RepoPath>,
}

impl Opened {
    /// The newest `most` commits of what is opened, the newest first. Outside git there are none.
    ///
    /// # Errors
    /// When git tells of none.
    pub(crate) fn first_parents(&self, most: usize) -> Result<Vec<FirstParent>, SourceError> {
        let Some(history) = &self.history else { return Ok(Vec::new()) };
        let Some(head) = history.head()? else { return Ok(Vec::new()) };
        let mut steps: Vec<FirstParent> = Vec::new();
        let told = walk(&history.repository, &head, most, &[], &mut |step| match step {
            HistoryStep::Commit { id, time, parents, subject } => {
                let parent = parents.into_iter().next();
                steps.push(FirstParent { id, date: date(time), subject, parent, changed: Vec::new() });
            }
            HistoryStep::Change(change) => {
                if let Some(step) = steps.last_mut() {
                    step.changed.push(RepoPath::new(change.from));
                }
            }
        });
        if steps.is_empty() {
            told?;
        }
        steps.iter_mut().for_each(|step| step.changed.sort());
        Ok(steps)
    }
}

/// Tell the newest `most` commits, and what each one changed below `paths`, or anywhere if there are none.
pub(super) fn walk(
    repository: &GitRepository,
    head: &str,
    most: usize,
    paths: &[Vec<u8>],
    step: &mut dyn FnMut(HistoryStep),
) -> Result<(), ProgramError> {
    let mut tell = |next| {
        step(next);
        ControlFlow::Continue(())
    };
    repository.program().stream(&GitCall::FirstParents { head, most, paths }, |output| raw::read(output, &mut tell))
}
