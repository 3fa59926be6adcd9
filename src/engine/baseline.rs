//! The baseline: findings that were known when it was written. A later check counts them and speaks of the others.
//!
//! An entry knows its finding by rule, file and the text of the line, so that it outlasts lines that come and go above it. Where
//! the file itself is gone, the finding may have moved with the text into another; each entry stands for so many findings
//! as it counts and no more, so that no new finding hides behind an old one.

use std::collections::{BTreeMap, VecDeque};

use serde::Deserialize;

use super::{Fingerprints, SourceText};
use crate::base::error::Error;
use crate::base::finding::Finding;
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::rules::is_silenceable;

/// The version of the file's form.
pub(crate) const VERSION: u32 = 1;

/// What to do about a file that cannot be used.
const HELP: &str = "rewrite it with `hintlint baseline`, or delete it";

/// What an entry knows its findings by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BaselineEntry {
    /// The file, as it is printed.
    pub path: String,
    /// The rule.
    pub rule: String,
    /// The hash of the line's text.
    pub line: u64,
}

/// The known findings, each with how many of it there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Baseline {
    /// The entries, sorted.
    pub entries: BTreeMap<BaselineEntry, usize>,
}

/// What a baseline makes of findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownFindings {
    /// The file.
    pub file: RepoPath,
    /// How many findings the baseline hid that would be shown without it.
    pub old: usize,
    /// Entries that no finding matches any more, with how many are left; empty where not all was checked.
    pub unmatched: Vec<(BaselineEntry, usize)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    version: u32,
    findings: Vec<EntryForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryForm {
    path: String,
    rule: String,
    line: String,
    count: usize,
}

impl Baseline {
    /// Read the baseline at `file`.
    ///
    /// # Errors
    /// When the text is no baseline, or one of another version. An entry that stands twice, as a merge may leave it, counts once.
    pub(crate) fn parse(file: &RepoPath, text: &[u8]) -> Result<Baseline, Error> {
        let file = file.to_str_lossy();
        let refuse = |why: String| Error::failed(format!("the baseline {file} cannot be used: {why}"), HELP);
        let version = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).ok()?.get("version")?.as_u64();
        if version(text).is_some_and(|version| version > u64::from(VERSION)) {
            let message = format!("the baseline {file} is from a newer hintlint than {}", env!("CARGO_PKG_VERSION"));
            return Err(Error::failed(message, "update hintlint, or write the file anew with `hintlint baseline`"));
        }
        let form: FileForm = serde_json::from_slice(text).map_err(|error| refuse(error.to_string()))?;
        if form.version != VERSION {
            return Err(refuse(format!("this hintlint does not support its version: {}", form.version)));
        }
        let mut entries = BTreeMap::new();
        for (number, EntryForm { path, rule, line, count }) in form.findings.into_iter().enumerate() {
            let hash = u64::from_str_radix(&line, 16).ok().filter(|_| line.len() == 16 && !line.starts_with('+'));
            let Some(line) = hash.filter(|_| count > 0) else {
                return Err(refuse(format!("entry {} has no valid `line` or `count`", number + 1)));
            };
            let known: &mut usize = entries.entry(BaselineEntry { path, rule, line }).or_default();
            *known = count.max(*known);
        }
        Ok(Baseline { entries })
    }

    /// A baseline of all `findings` that a baseline may contain.
    pub(super) fn of(findings: &[Finding], sources: &BTreeMap<RepoPath, SourceText>) -> Baseline {
        let mut fingerprints = Fingerprints::new(sources);
        let mut baseline = Baseline::default();
        for finding in findings.iter().filter(|finding| is_silenceable(finding)) {
            *baseline.entries.entry(entry(finding, &mut fingerprints)).or_default() += 1;
        }
        baseline
    }

    /// The `findings` that match an entry of their own file.
    pub(super) fn known_among(&self, findings: Vec<Finding>, sources: &BTreeMap<RepoPath, SourceText>) -> Vec<Finding> {
        let mut left = Leftover { entries: self.entries.clone(), moved: BTreeMap::new() };
        let mut fingerprints = Fingerprints::new(sources);
        findings.into_iter().filter(|finding| left.takes(&entry(finding, &mut fingerprints))).collect()
    }

    /// Take the known ones out of `shown` and `hidden`. `is_there` tells whether a file exists.
    pub(super) fn take_known(
        &self,
        file: &RepoPath,
        shown: &mut Vec<Finding>,
        hidden: &mut Vec<Finding>,
        sources: &BTreeMap<RepoPath, SourceText>,
        is_there: impl Fn(&str) -> bool,
    ) -> KnownFindings {
        let mut left = Leftover { entries: self.entries.clone(), moved: BTreeMap::new() };
        let mut fingerprints = Fingerprints::new(sources);
        let before = shown.len();
        for findings in [&mut *shown, &mut *hidden] {
            findings.retain(|finding| !is_silenceable(finding) || !left.takes(&entry(finding, &mut fingerprints)));
        }
        left.index_moved(is_there);
        for findings in [&mut *shown, hidden] {
            findings.retain(|finding| !is_silenceable(finding) || !left.takes_moved(finding, &mut fingerprints));
        }
        let unmatched = left.entries.into_iter().filter(|(_, count)| *count > 0).collect();
        KnownFindings { file: file.clone(), old: before - shown.len(), unmatched }
    }
}

fn entry(finding: &Finding, fingerprints: &mut Fingerprints<'_>) -> BaselineEntry {
    let path = sanitize::path(&finding.path).into_owned();
    BaselineEntry { path, rule: finding.rule.to_owned(), line: fingerprints.line(finding) }
}

/// What findings have not used up of a baseline.
struct Leftover {
    entries: BTreeMap<BaselineEntry, usize>,
    /// Entries of files that are gone, by rule and line.
    moved: BTreeMap<(String, u64), VecDeque<BaselineEntry>>,
}

impl Leftover {
    /// Whether an entry matches this finding; it is then used up.
    fn takes(&mut self, entry: &BaselineEntry) -> bool {
        match self.entries.get_mut(entry) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// Find the entries whose file is gone.
    fn index_moved(&mut self, is_there: impl Fn(&str) -> bool) {
        let left = self.entries.iter().filter(|(_, count)| **count > 0).map(|(entry, _)| entry);
        for entry in left.filter(|entry| !is_there(&entry.path)) {
            self.moved.entry((entry.rule.clone(), entry.line)).or_default().push_back(entry.clone());
        }
    }

    /// The same for an entry of a file that is gone. A finding about a whole file has no line to be known by: there the file
    /// must have kept its name or its folder.
    fn takes_moved(&mut self, finding: &Finding, fingerprints: &mut Fingerprints<'_>) -> bool {
        let key = (finding.rule.to_owned(), fingerprints.line(finding));
        let Some(candidates) = self.moved.get_mut(&key) else { return false };
        let is_near = |entry: &BaselineEntry| {
            let old = entry.path.as_bytes();
            path::file_name(old) == finding.path.file_name() || path::parent(old) == finding.path.parent()
        };
        let found = candidates.iter().position(|entry| !finding.is_placeless() || is_near(entry));
        let Some((at, count)) = found.and_then(|at| Some((at, self.entries.get_mut(&candidates[at])?))) else {
            return false;
        };
        *count -= 1;
        if *count == 0 {
            candidates.remove(at);
        }
        true
    }
}

#[cfg(test)]
mod tests;
