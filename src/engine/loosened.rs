//! Ways in which a change weakens its own review: weaker rules, more exclusions, suppressions, baseline entries,
//! and hint files that reviews no longer show. A list for people; it judges nothing.

mod attributes;
mod settings;

use std::collections::BTreeMap;

use super::NamedFile;
use super::baseline::{Baseline, BaselineEntry};
use crate::base::path::RepoPath;
use crate::base::text::{LineIndex, Span};
use crate::config::Config;
use crate::parse::Document;
use crate::source::{ChangeKind, Changes, Source};
use crate::workspace::Workspace;

/// The first line of what Git LFS puts in a file's place.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// One thing that a change loosens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Loosening {
    /// The file that says so.
    pub path: RepoPath,
    /// The line in it, from 1.
    pub line: usize,
    /// What it loosens.
    pub what: String,
}

/// One state of a repository, with what judges it.
#[derive(Clone, Copy)]
pub(crate) struct JudgedState<'s> {
    /// Its files.
    pub source: &'s dyn Source,
    /// Its hint files.
    pub workspace: &'s Workspace,
    /// Its own config.
    pub config: &'s Config,
    /// The files that the config was read from.
    pub config_files: &'s [NamedFile],
    /// Its own known findings, and their file.
    pub baseline: Option<&'s (RepoPath, Baseline)>,
}

impl JudgedState<'_> {
    /// The line of a place in a config file.
    fn config_line(&self, file: &RepoPath, span: Span) -> usize {
        let text = self.config_files.iter().find(|(path, _)| path == file).map(|(_, bytes)| bytes);
        text.map_or(1, |bytes| LineIndex::new(bytes).line_of(span.start.min(bytes.len())) + 1)
    }
}

/// What `after` loosens of `before`, by path and line.
pub(crate) fn loosened(before: &JudgedState<'_>, after: &JudgedState<'_>, changes: &Changes) -> Vec<Loosening> {
    let mut found = settings::loosened(before, after);
    found.extend(suppressions(before, after, changes));
    found.extend(known(before, after));
    found.extend(attributes::hiding(before, after));
    found.extend(pointers(before, after));
    found.sort();
    found.dedup();
    found
}

/// What a comment says: whether it is for the whole file, the rules, the reason.
type CommentWords = (bool, Vec<String>, String);

fn words(suppression: &crate::parse::Suppression) -> CommentWords {
    let rules = suppression.rules.iter().map(|(name, _)| name.clone()).collect();
    (suppression.whole_file, rules, suppression.reason.clone())
}

/// Comments that were not there before. One that moves with its file or within it is the same.
fn suppressions(before: &JudgedState<'_>, after: &JudgedState<'_>, changes: &Changes) -> Vec<Loosening> {
    let old_name = |path: &RepoPath| {
        let renamed = changes.list.iter().find_map(|change| match &change.kind {
            ChangeKind::Renamed { from, .. } if change.path == *path => Some(from.clone()),
            _ => None,
        });
        renamed.unwrap_or_else(|| path.clone())
    };
    let silences = |document: &&Document| document.may_suppress() && !document.suppressions.is_empty();
    let mut found = Vec::new();
    for document in after.workspace.documents.iter().filter(silences) {
        let old = before.workspace.document(old_name(&document.path).as_bytes()).filter(silences);
        let mut there: BTreeMap<CommentWords, usize> = BTreeMap::new();
        for suppression in old.iter().flat_map(|old| &old.suppressions) {
            *there.entry(words(suppression)).or_default() += 1;
        }
        for suppression in &document.suppressions {
            let words = words(suppression);
            if let Some(count) = there.get_mut(&words).filter(|count| **count > 0) {
                *count -= 1;
                continue;
            }
            let (whole_file, rules, reason) = words;
            let place = if whole_file { "in the whole file" } else { "here" };
            let what = format!("a comment suppresses {} {place}: {reason}", rules.join(", "));
            let line = document.lines.line_of(suppression.span.start) + 1;
            found.push(Loosening { path: document.path.clone(), line, what });
        }
    }
    found
}

/// Findings that were not known before.
fn known(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let Some((file, baseline)) = after.baseline else { return Vec::new() };
    let old = |entry: &BaselineEntry| {
        before.baseline.and_then(|(_, baseline)| baseline.entries.get(entry)).copied().unwrap_or(0)
    };
    let new = baseline.entries.iter().filter(|(entry, count)| **count > old(entry));
    let loosening = |(entry, count): (&BaselineEntry, &usize)| {
        let more = count - old(entry);
        let what = format!("the baseline hides {more} more of {} in {}", entry.rule, entry.path);
        Loosening { path: file.clone(), line: 1, what }
    };
    new.map(loosening).collect()
}

/// Hint files that became pointers: a review shows three lines, and what an agent reads depends on who fetches.
fn pointers(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let is_pointer = |document: &&Document| document.bytes.starts_with(POINTER);
    let was =
        |document: &Document| before.workspace.document(document.path.as_bytes()).is_some_and(|old| is_pointer(&old));
    let new = after.workspace.documents.iter().filter(|document| is_pointer(document) && !was(document));
    let what = "a Git LFS pointer replaces the text, so reviews do not show it";
    new.map(|document| Loosening { path: document.path.clone(), line: 1, what: what.to_owned() }).collect()
}

#[cfg(test)]
mod tests;
