//! Checking never panics, findings lie on character boundaries inside their files, fixes reach a fixed point, and a safe fix
//! brings no finding.
//!
//! The first byte of the input says which fixes are applied: `u` stands for unsafe ones. The rest is an archive.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use hintlint::base::finding::{Applicability, Level};
use hintlint::base::path::RepoPath;
use hintlint::config::Config;
use hintlint::engine::{Overlay, Report, edits};
use hintlint::rules::run::{Selection, run as check};
use hintlint::source::Source;
use hintlint::source::history::Answers;
use hintlint::workspace::{self, Workspace};

use super::archive::Archive;
use super::{expect, seeds};

/// Everything that can be said of a source.
pub(crate) fn lint(source: &dyn Source, config: &Config) -> Option<(Report, Workspace)> {
    let loaded = workspace::load(source, config.clone(), &[]).ok()?;
    let selection = Selection { min_level: Level::Info, ..Selection::default() };
    Some(Report::new(check(loaded, &selection, &mut |_| Answers::default()), &selection, None))
}

/// Apply the fixes that `allowed` permits until there are none; the archive with what they make of it.
pub(crate) fn to_the_end(archive: &Archive, config: &Config, allowed: Applicability) -> Option<Archive> {
    let memory = archive.source();
    let mut overlay = Overlay::new(&memory, BTreeMap::new());
    let mut first: Option<(expect::Counts, Vec<RepoPath>)> = None;
    for _ in 0..edits::MAX_ROUNDS {
        let (report, workspace) = lint(&overlay, config)?;
        expect::spans_fit(&report, &workspace);
        let counts = expect::counts(&report.findings);
        let (before, checked) = first.get_or_insert_with(|| {
            (counts.clone(), workspace.documents.iter().map(|document| document.path.clone()).collect())
        });
        let bytes = |path: &RepoPath| -> Option<Arc<[u8]>> {
            workspace.document(path.as_bytes()).map(|document| document.bytes.clone())
        };
        let fixed = edits::apply(&report.findings, allowed, &bytes);
        if fixed.is_empty() {
            if allowed == Applicability::Safe {
                expect::nothing_new(before, &counts, &|path| checked.contains(path));
            }
            let mut after = archive.clone();
            overlay.changed().iter().for_each(|(path, bytes)| after.change(path, bytes));
            return Some(after);
        }
        for (path, fixed) in fixed {
            overlay.change(path, fixed.bytes);
        }
    }
    panic!("the {} fixes do not end", allowed.name());
}

pub(crate) fn run(data: &[u8]) {
    let allowed = if data.starts_with(b"u") { Applicability::Unsafe } else { Applicability::Safe };
    to_the_end(&Archive::read(data), &Config::default(), allowed);
}

pub(crate) fn seeds(fixtures: &Path) -> Vec<Vec<u8>> {
    let archives = seeds::archives(fixtures);
    let with = |first: &'static [u8]| {
        archives.iter().map(move |archive| Archive { first: first.to_vec(), ..archive.clone() }.to_bytes())
    };
    with(b"safe").chain(with(b"unsafe")).collect()
}
