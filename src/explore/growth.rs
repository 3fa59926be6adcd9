//! How contexts grew over the commits that changed them. Another part loads the commits; this is the plain data.

use serde::Serialize;

use crate::compile::comparison::ContextChange;

/// The commits that changed contexts, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Growth {
    /// The commits.
    pub steps: Vec<GrowthStep>,
    /// How many commits were looked at.
    pub looked: usize,
}

/// A commit that changed contexts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct GrowthStep {
    /// The first digits of the commit's name; empty for what is not committed.
    pub id: String,
    /// Its date.
    pub date: String,
    /// The first line of its message.
    pub subject: String,
    /// Agent, directory, bytes before and after, tokens before and after.
    pub sizes: Vec<(&'static str, String, [usize; 4])>,
}

impl GrowthStep {
    /// The sizes of what changed.
    pub(crate) fn sizes(changes: &[ContextChange]) -> Vec<(&'static str, String, [usize; 4])> {
        let size = |change: &ContextChange| {
            let (before, after) = (&change.before, &change.after);
            let sizes = [before.bytes, after.bytes, before.tokens, after.tokens];
            (change.agent, change.scope.to_str_lossy().into_owned(), sizes)
        };
        changes.iter().map(size).collect()
    }
}
