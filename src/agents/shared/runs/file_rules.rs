//! Rules about files of a repository, as far as they name one path: what they are about, and whether that may lie anywhere.

/// The path of a rule without wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileRule {
    /// From the directory that the agent is started in, without `./` and without a `/` at its end.
    pub(crate) path: String,
    /// Whether it lies in that directory, and not also below.
    pub(crate) is_anchored: bool,
}
