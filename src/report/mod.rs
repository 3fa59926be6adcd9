//! Reports: one pure function per format, from a [`Report`] to a writer. Nothing here reads a file or decides an exit code.
//!
//! Each format is one module with `write(&Report, &Options, &mut dyn Write)`. Whatever came from a file passes [`sanitize`].

pub mod baseline;
pub mod concise;
pub mod contexts;
pub mod diff;
pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod junit;
mod locate;
pub mod markdown;
mod paint;
pub mod printer;
pub mod progress;
pub mod rdjson;
mod reached;
pub(crate) mod runs;
pub mod safe_json;
pub mod same;
pub mod sarif;
mod skills;
mod snippet;
pub mod statistics;
pub mod summary;

use crate::base::finding::{Applicability, Finding, Level};
use crate::base::sanitize;
use crate::engine::{Extent, FixSummary, Report, SourceText};
use crate::rules::meta::Silenced;
use crate::rules::rule_url;

pub(crate) use reached::Reached;

/// How a report is to look. Which findings it has is decided before.
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// Whether to write colour codes.
    pub color: bool,
    /// Whether the names of rules are links to their pages, which some terminals open.
    pub hyperlinks: bool,
    /// Width of the terminal, in columns.
    pub width: usize,
    /// Whether `human` ends with the summary line.
    pub summary: bool,
    /// Whether a job summary, too, has the whole report; `github` then refers to it.
    pub job_summary: bool,
    /// From which level on a finding makes the run fail.
    pub fails_from: Option<Level>,
    /// How `human` and `concise` write paths.
    pub(crate) reached: Reached,
}

impl Default for ReportOptions {
    fn default() -> Self {
        ReportOptions {
            color: false,
            hyperlinks: false,
            width: 80,
            summary: true,
            job_summary: false,
            fails_from: Some(Level::Error),
            reached: Reached::default(),
        }
    }
}

impl ReportOptions {
    /// The address that the name of `rule` is linked to, where names are links.
    fn page_of(&self, rule: &str) -> Option<String> {
        self.hyperlinks.then(|| rule_url(rule)).flatten()
    }
}

impl Silenced {
    /// What is silenced and why, without the place.
    fn words(&self) -> String {
        let warnings = counted(self.warnings, "warning", "warnings");
        let (rules, reason) = (self.rules.join(", "), sanitize::line(&self.reason));
        format!("hintlint-ignore-file suppresses {warnings} about hidden characters ({rules}); reason: {reason}")
    }

    /// The same as a sentence of its own.
    fn sentence(&self) -> String {
        format!("{}:{}: {}", sanitize::path(&self.path), self.line, self.words())
    }
}

/// How to have a finding fixed, for formats that cannot carry its edits.
fn fix_words(finding: &Finding) -> Option<&'static str> {
    match finding.fix.as_ref()?.applicability {
        Applicability::Safe => Some("`hintlint --fix` fixes this"),
        Applicability::Unsafe => Some("`hintlint --unsafe-fixes` fixes this"),
        Applicability::Manual => None,
    }
}

/// `n` and the noun: `1 file`, `2 files`.
fn counted(n: usize, singular: &str, plural: &str) -> String {
    format!("{n} {}", if n == 1 { singular } else { plural })
}

/// The words behind a list of which only `listed` of `count` stand.
fn not_listed(count: usize, listed: usize) -> Option<String> {
    let rest = count.checked_sub(listed).filter(|rest| *rest > 0)?;
    Some(format!("{} not listed here", counted(rest, "more is", "more are")))
}

#[cfg(test)]
mod tests;
