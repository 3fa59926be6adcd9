//! That a run about some files reads, parses and asks no more than their findings need.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::base::path::RepoPath;
use crate::engine::{CheckRequest, Checked, ConfigFrom, Repository, check};
use crate::rules::run::Selection;
use crate::source::history::{Answers, Fate, Questions};
use crate::source::{ChangeKind, ChangedPath, Changes, Listing, Memory, Probe, ReadResult, Source};

/// What was asked of a source.
#[derive(Default)]
struct Seen {
    read: BTreeSet<String>,
    probed: BTreeSet<String>,
}

/// A source that writes down what is asked of it.
struct RecordingSource(Memory, Rc<RefCell<Seen>>);

fn names(paths: &[RepoPath]) -> impl Iterator<Item = String> {
    paths.iter().map(|path| path.to_str_lossy().into_owned())
}

impl Source for RecordingSource {
    fn listing(&self) -> &Arc<Listing> {
        self.0.listing()
    }

    fn read_many(&self, paths: &[RepoPath]) -> Vec<ReadResult> {
        self.1.borrow_mut().read.extend(names(paths));
        self.0.read_many(paths)
    }

    fn probe_many(&self, paths: &[RepoPath]) -> Vec<Probe> {
        self.1.borrow_mut().probed.extend(names(paths));
        self.0.probe_many(paths)
    }
}

/// All that was ever asked for is gone.
fn all_gone(questions: &Questions) -> Answers {
    let fates = questions.fates.iter().map(|path| (path.clone(), Fate::Deleted { commit: None })).collect();
    Answers { fates, ..Answers::default() }
}

/// Twelve hint files, each of which names a file that is gone, runs a command, and has a link without a target.
fn files() -> Vec<(String, String)> {
    let text = |n: usize| {
        format!("# Part {n}\n\n`src/gone{n}.rs` [x](none{n}.md) `npm run none{n}`\n\n[y](docs/guide.md#part)\n")
    };
    let mut files: Vec<(String, String)> = (0..12).map(|n| (format!("p{n:02}/AGENTS.md"), text(n))).collect();
    files.extend(
        [
            ("docs/guide.md", "# Part\n"),
            ("src/kept.rs", ""),
            ("package.json", "{\"scripts\":{}}"),
            ("p05/CLAUDE.md", "@notes.md\n"),
            ("p05/notes.md", "`src/noted.rs`\n"),
        ]
        .map(|(path, text)| (path.to_owned(), text.to_owned())),
    );
    files
}

struct WorkCounts {
    checked: Checked,
    seen: Rc<RefCell<Seen>>,
}

impl WorkCounts {
    fn of(request: &CheckRequest, change: impl FnOnce(&mut Repository)) -> Self {
        let seen = Rc::default();
        let source = RecordingSource(Memory::of_files(files()), Rc::clone(&seen));
        let mut repository = Repository::new(Box::new(source), ConfigFrom::Repository).unwrap();
        repository.told = Some(all_gone);
        change(&mut repository);
        *seen.borrow_mut() = Seen::default();
        let checked = check(&repository, request).unwrap();
        WorkCounts { checked, seen }
    }

    fn after(changes: &[(&str, ChangeKind)]) -> Self {
        let list =
            changes.iter().map(|(path, kind)| ChangedPath { path: (*path).into(), kind: kind.clone() }).collect();
        let selection = Selection { ignore: vec!["context".into()], ..Selection::default() };
        WorkCounts::of(&CheckRequest { changes: Some(Changes { list }), selection, ..CheckRequest::default() }, |_| ())
    }

    fn findings(&self) -> Vec<String> {
        let findings = &self.checked.report.findings;
        findings.iter().map(|finding| format!("{} {}", finding.path.to_str_lossy(), finding.rule)).collect()
    }

    fn parsed(&self) -> Vec<String> {
        let parsed = self.checked.workspace.documents.iter().filter(|document| document.is_parsed());
        parsed.map(|document| document.path.to_str_lossy().into_owned()).collect()
    }

    fn asked(&self) -> Vec<String> {
        let asked = self.checked.known.asked.iter();
        asked.flat_map(|(questions, _)| &questions.fates).map(|path| path.to_str_lossy().into_owned()).collect()
    }
}

#[test]
fn without_limits_all_files_are_looked_at() {
    let work = WorkCounts::of(&CheckRequest::default(), |_| ());
    assert_eq!(work.parsed().len(), 14);
    // What is gone by one cause is one finding.
    assert!(work.asked().len() > 20 && work.findings().len() > 12, "{:?}", work.findings());
    assert!(work.seen.borrow().read.contains("package.json"));
}

#[test]
fn where_nothing_changed_nothing_is_looked_at() {
    let work = WorkCounts::after(&[]);
    assert_eq!(work.findings(), [""; 0]);
    assert!(work.checked.workspace.documents.is_empty());
    assert!(work.checked.known.asked.is_none(), "history was asked");
    let seen = work.seen.borrow();
    assert!(seen.read.is_empty() && seen.probed.is_empty(), "{:?} {:?}", seen.read, seen.probed);
}

#[test]
fn a_source_file_that_no_hint_names_costs_no_parsing() {
    let work = WorkCounts::after(&[("src/kept.rs", ChangeKind::Modified)]);
    assert_eq!(work.findings(), [""; 0]);
    assert_eq!((work.parsed(), work.asked()), (vec![], vec![]));
    assert!(!work.seen.borrow().read.contains("package.json"));
}

#[test]
fn a_changed_hint_file_is_looked_at_alone() {
    let work = WorkCounts::after(&[("p03/AGENTS.md", ChangeKind::Modified)]);
    assert_eq!(work.parsed(), ["p03/AGENTS.md"]);
    assert_eq!(work.asked(), ["none3.md", "p03/docs/guide.md", "p03/none3.md", "p03/src/gone3.rs", "src/gone3.rs"]);
    assert_eq!(
        work.findings(),
        ["p03/AGENTS.md stale-path", "p03/AGENTS.md broken-link", "p03/AGENTS.md stale-command"]
    );
}

#[test]
fn a_changed_import_brings_its_importers_along() {
    let work = WorkCounts::after(&[("p05/notes.md", ChangeKind::Modified)]);
    // What the importer may be a copy of is compared with it.
    assert_eq!(work.parsed(), ["p05/AGENTS.md", "p05/CLAUDE.md", "p05/notes.md"]);
    assert_eq!(work.asked(), ["p05/src/noted.rs", "src/noted.rs"]);
}

#[test]
fn of_what_went_only_the_mentions_are_asked_about() {
    let work = WorkCounts::after(&[("src/gone7.rs", ChangeKind::Deleted)]);
    assert_eq!(work.parsed(), ["p07/AGENTS.md"]);
    // The other link of that line stands beside the name, and is told with it.
    assert_eq!(work.asked(), ["none7.md", "p07/none7.md", "p07/src/gone7.rs", "src/gone7.rs"]);
    assert_eq!(
        work.findings(),
        ["p07/AGENTS.md stale-path", "p07/AGENTS.md broken-link", "p07/AGENTS.md stale-command"]
    );
}

#[test]
fn of_one_file_only_its_questions_are_asked() {
    let path: RepoPath = "p02/AGENTS.md".into();
    let selection = Selection { paths: vec![path.clone()], ..Selection::default() };
    let request = CheckRequest { selection, files: vec![path.clone()], ..CheckRequest::default() };
    let work =
        WorkCounts::of(&request, |repository| repository.overlay(path, b"`src/new.rs` and `old/`\n".as_slice().into()));
    assert_eq!(work.parsed(), ["p02/AGENTS.md"]);
    assert_eq!(work.findings(), ["p02/AGENTS.md stale-path"]);
    assert_eq!(work.checked.report.files, 1);
    // A folder is an info, which is not shown.
    assert_eq!(work.asked(), ["p02/src/new.rs", "src/new.rs"]);
}
