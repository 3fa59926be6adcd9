//! Where a fact comes from.

/// Where a claim comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// A URL, or a program and the version that was observed.
    pub source: &'static str,
    /// When it was checked, `YYYY-MM` or `YYYY-MM-DD`.
    pub checked: &'static str,
}
