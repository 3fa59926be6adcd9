//! What the tests of this group share: a repository in memory, a past that is told rather than walked, and its findings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::config::Config;
use crate::rules::run::{Selection, run};
use crate::source::history::{Answers, CommitRef, Fate, Questions};
use crate::source::{Listing, Memory, Probe, ReadResult, Source};
use crate::workspace::load;

/// What became of a path.
#[derive(Clone, Copy)]
pub(crate) enum Past<'a> {
    Deleted,
    Renamed(&'a str),
    RenamedAndChanged(&'a str),
    /// It was a submodule, which is gone.
    Submodule,
    Unknown,
}

/// Files in memory, of which some directories are ignored.
struct Ignoring<'a>(Memory, &'a [&'a str]);

impl Source for Ignoring<'_> {
    fn listing(&self) -> &Arc<Listing> {
        self.0.listing()
    }

    fn read_many(&self, paths: &[RepoPath]) -> Vec<ReadResult> {
        self.0.read_many(paths)
    }

    fn probe_many(&self, paths: &[RepoPath]) -> Vec<Probe> {
        let ignored = |path: &RepoPath| {
            self.1.iter().any(|dir| crate::base::path::is_at_or_below(path.as_bytes(), dir.as_bytes()))
        };
        let known = self.0.probe_many(paths);
        paths.iter().zip(known).map(|(path, known)| if ignored(path) { Probe::Ignored } else { known }).collect()
    }
}

/// The findings of `rule` in a repository with a past; folders in `ignored` are ignored by git.
pub(crate) fn findings(
    rule: &str,
    files: &[(&str, &str)],
    past: &[(&str, Past<'_>)],
    ignored: &[&str],
    selected: bool,
) -> Vec<Finding> {
    let source = Ignoring(Memory::of_files(files.iter().copied()), ignored);
    let loaded = load(&source, Config::default(), &[]).unwrap();
    let commit = || Some(CommitRef { id: "0123456789".into(), date: "2026-01-02".into(), time: 1 });
    let fate =
        |path: &RepoPath| match past.iter().find(|(known, _)| *known == path.to_str_lossy()).map(|(_, past)| *past) {
            None => Fate::NeverTracked,
            Some(Past::Unknown) => Fate::Unknown,
            Some(Past::Deleted | Past::Submodule) => Fate::Deleted { commit: commit() },
            Some(Past::Renamed(to)) => Fate::Renamed { to: to.into(), exact: true, commit: commit() },
            Some(Past::RenamedAndChanged(to)) => Fate::Renamed { to: to.into(), exact: false, commit: commit() },
        };
    let mut history = |questions: &Questions| {
        let removed = |ending: &RepoPath| {
            let end = format!("/{}", ending.to_str_lossy());
            let paths = past.iter().filter(|(path, _)| path.ends_with(&end)).map(|(path, _)| RepoPath::from(*path));
            (ending.clone(), paths.collect())
        };
        let endings: BTreeMap<RepoPath, BTreeSet<RepoPath>> = questions.endings.iter().map(removed).collect();
        let asked = questions.fates.iter().chain(endings.values().flatten());
        let fates: BTreeMap<_, _> = asked.map(|path| (path.clone(), fate(path))).collect();
        let modules = past.iter().filter(|(_, past)| questions.submodules && matches!(past, Past::Submodule));
        let submodules = modules.map(|(path, _)| RepoPath::from(*path)).collect();
        Answers { fates, endings, submodules, ..Answers::default() }
    };
    let select = if selected { vec![rule.to_owned()] } else { Vec::new() };
    let selection = Selection { select, min_level: Level::Info, ..Selection::default() };
    let mut findings = run(loaded, &selection, &mut history).findings;
    findings.retain(|finding| finding.rule == rule);
    findings
}

/// Of one hint file and some other files: level, text and fix of each finding.
pub(crate) fn check(rule: &str, text: &str, files: &[&str], past: &[(&str, Past<'_>)]) -> Vec<String> {
    check_at(rule, "AGENTS.md", text, files, past)
}

/// The same, of a hint file at `path`.
pub(crate) fn check_at(rule: &str, path: &str, text: &str, files: &[&str], past: &[(&str, Past<'_>)]) -> Vec<String> {
    let mut all: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
    all.push((path, text));
    show(&findings(rule, &all, past, &["dist", "pkg/dist"], true), text)
}

/// The findings of `rule` about the file at `path`, infos among them.
fn told(rule: &str, path: &str, text: &str, files: &[(&str, &str)], past: &[(&str, Past<'_>)]) -> Vec<Finding> {
    let mut all = files.to_vec();
    all.push((path, text));
    let mut found = findings(rule, &all, past, &[], false);
    found.retain(|finding| finding.path == path.into());
    found
}

/// The same above info, as [`show`] has them.
pub(crate) fn warnings(
    rule: &str,
    path: &str,
    text: &str,
    files: &[(&str, &str)],
    past: &[(&str, Past<'_>)],
) -> Vec<String> {
    let mut found = told(rule, path, text, files, past);
    found.retain(|finding| finding.level > Level::Info);
    show(&found, text)
}

/// The paths that are missing in the text at `path`, beside empty files.
pub(crate) fn missing(path: &str, text: &str, files: &[&str]) -> Vec<String> {
    let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
    warnings("missing-path", path, text, &files, &[])
}

/// The same, infos among them.
pub(crate) fn missing_or_doubtful(path: &str, text: &str, files: &[&str]) -> Vec<String> {
    let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "")).collect();
    show(&told("missing-path", path, text, &files, &[]), text)
}

pub(crate) fn show(findings: &[Finding], text: &str) -> Vec<String> {
    let fix = |finding: &Finding| {
        let fix = finding.fix.as_ref()?;
        Some(format!(" {} {}", fix.applicability.name(), fix.edits[0].replacement))
    };
    let line = |finding: &Finding| {
        format!("{} {}{}", finding.level.name(), &text[finding.span.range()], fix(finding).unwrap_or_default())
    };
    findings.iter().map(line).collect()
}
