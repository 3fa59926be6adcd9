//! Reports: one pure function per format, from a [`Report`] to a writer. Nothing here reads a file or decides an exit code.
//!
//! Each format is one module with `write(&Report, &Options, &mut dyn Write)`. Whatever came from a file passes [`sanitize`].

pub mod concise;
pub mod contexts;
pub mod diff;
pub mod github;
pub mod human;
pub mod json;
mod locate;
pub mod markdown;
mod paint;
pub mod printer;
pub mod progress;
pub mod safe_json;
pub mod sarif;
mod snippet;
pub mod statistics;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::base::error::Failure;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::base::text::LineIndex;
use crate::rules::meta::{Silenced, Suppressed};

/// How a report is to look. Which findings it has is decided before.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether to write colour codes.
    pub color: bool,
    /// Width of the terminal, in columns.
    pub width: usize,
    /// Whether `human` ends with the summary line.
    pub summary: bool,
    /// Whether a job summary, too, has the whole report; `github` then refers to it.
    pub job_summary: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { color: false, width: 80, summary: true, job_summary: false }
    }
}

/// The text of a file that findings point into.
#[derive(Debug)]
pub struct SourceText {
    /// The bytes as linted.
    pub bytes: Arc<[u8]>,
    /// Where lines begin.
    pub lines: LineIndex,
}

impl SourceText {
    /// The text `bytes`, with its lines indexed.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let lines = LineIndex::new(&bytes);
        SourceText { bytes, lines }
    }
}

impl Silenced {
    /// What is silenced and why, without the place.
    fn words(&self) -> String {
        let warnings = counted(self.warnings, "warning", "warnings");
        let (rules, reason) = (self.rules.join(", "), sanitize::line(&self.reason));
        format!("hintlint-ignore-file silences {warnings} about hidden characters ({rules}), with the reason: {reason}")
    }

    /// The same as a sentence of its own.
    fn sentence(&self) -> String {
        format!("{}:{}: {}", sanitize::path(&self.path), self.line, self.words())
    }
}

/// Everything a run has to say. Findings are filtered by level and sorted by path, place and rule.
#[derive(Debug, Default)]
pub struct Report {
    /// What is shown.
    pub findings: Vec<Finding>,
    /// What suppressions silenced.
    pub suppressed: Vec<Suppressed>,
    /// The comments that silence warnings about hidden characters in a whole file, by path and line.
    pub silenced: Vec<Silenced>,
    /// Files that could not be read.
    pub failures: Vec<Failure>,
    /// Limits of this run, one sentence each.
    pub notes: Vec<String>,
    /// Number of files checked.
    pub files: usize,
    /// Number of directories that hold them.
    pub directories: usize,
    /// The texts of all files that findings (also related places and edits) point into.
    pub sources: BTreeMap<RepoPath, SourceText>,
    /// How long the run took; only `human` prints it.
    pub elapsed: Duration,
    /// What `--fix` did, if it ran.
    pub fixed: Option<FixSummary>,
}

/// What `--fix` did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixSummary {
    /// Number of findings mended, by rule.
    pub by_rule: BTreeMap<&'static str, usize>,
    /// Number of files written.
    pub files: usize,
}

impl Report {
    /// Number of findings of `level`.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }

    /// Number of findings that `--fix` mends.
    pub fn fixable(&self) -> usize {
        let safe =
            |finding: &&Finding| finding.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
        self.findings.iter().filter(safe).count()
    }
}

/// `n` and the noun: `1 file`, `2 files`.
fn counted(n: usize, singular: &str, plural: &str) -> String {
    format!("{n} {}", if n == 1 { singular } else { plural })
}

#[cfg(test)]
mod tests;
