//! That a run about what changed finds what a run about everything finds of it. The slow way is the oracle: check everything,
//! then keep the findings that the changes are answerable for.

use proptest::prelude::*;

use super::super::Affected;
use crate::base::finding::Level;
use crate::base::path::RepoPath;
use crate::compile::Artifacts;
use crate::engine::report::Filters;
use crate::engine::{CheckRequest, ConfigFrom, Report, Repository, check, load};
use crate::rules::run::{Selection, run_with};
use crate::source::history::{Answers, CommitRef, Fate, Questions};
use crate::source::{ChangeKind, ChangedPath, Changes, EntryKind, Memory};
use crate::workspace::texts;

/// Places of files.
const PATHS: [&str; 22] = [
    "AGENTS.md",
    "CLAUDE.md",
    "a/AGENTS.md",
    "a/AGENTS.override.md",
    "a/CLAUDE.md",
    "a/b/AGENTS.md",
    ".claude/rules/r.md",
    ".cursor/rules/r.mdc",
    ".claude/skills/s/SKILL.md",
    "GEMINI.md",
    "docs/guide.md",
    "docs/a_b.md",
    "docs/Other.md",
    "docs/deep/x.md",
    "src/x.rs",
    "src/Y.rs",
    "src/deep/z.rs",
    "package.json",
    "Makefile",
    "README.md",
    "docs/\u{e9}t\u{e9}.md",
    "_.md",
];

/// Links and where they lead.
const LINKS: [(&str, &str); 4] = [
    ("docs/link.md", "guide.md"),
    ("d", "docs"),
    (".claude/rules/l.md", "../../docs/deep/x.md"),
    ("b/CLAUDE.md", "../AGENTS.md"),
];

/// Lines that name them, in many spellings.
const LINES: [&str; 44] = [
    "# Setup",
    "## Part two",
    "Plain words.",
    "@docs/guide.md",
    "@docs/link.md",
    "See @guide.md and @deep/x.md.",
    "@../docs/a_b.md",
    "@a/AGENTS.md",
    "@AGENTS.md",
    "@CLAUDE.md",
    "@none.md",
    "`src/x.rs` and `src/deep/`",
    "`src/X.rs` `src/y.rs`",
    "`src/{x,Y,never}.rs`",
    "`src/deep/z.rs:12`",
    "`docs/never.md`",
    "`x.rs` is old.",
    "src/x.rs and docs/guide.md in words",
    "[a](docs/guide.md#setup)",
    "[a](docs/guide#part-two)",
    "[a](d/guide.md#none)",
    "[a](docs/a\\_b.md)",
    "[a](docs/a%5Fb.md)",
    "[a](docs/%61_b.md)",
    "[a](docs/a&#95;b.md)",
    "[a](docs/other.md)",
    "[a](d/deep/x.md) [b](./deep/)",
    "[a](docs/link.md#none)",
    "[a](docs/%C3%A9t%C3%A9.md)",
    "[a](#setup) [b](#gone)",
    "[a](_.md)",
    "[a]: docs/deep/x.md",
    "[a](../README.md#none)",
    "`npm run test` or `npm run none`",
    "`make lint` `cat src/x.rs`",
    "<!-- hintlint-ignore stale-path: kept on purpose -->",
    "<!-- hintlint-ignore references, imports: kept on purpose -->",
    "<!-- hintlint-ignore-file missing-import: kept -->",
    "<!-- hintlint-ignore broken-link: docs/guide.md comes back -->",
    "- [ ] a task\n  - [x] below",
    "A word with a z\u{200b}ero width.",
    "---\npaths: src/deep/*.rs, docs/**\n---",
    "A passage that is long enough to be told as repeated where two files of one kind are loaded together, word for word.",
    "{\"scripts\":{\"test\":\"x\"}}",
];

/// Some of what was asked for is gone, some was renamed, some never was; it depends on the path alone.
fn told(questions: &Questions) -> Answers {
    let commit = || Some(CommitRef { id: "0123456789".into(), date: "2026-01-02".into(), time: 1 });
    let fate = |path: &RepoPath| match path.as_bytes().iter().map(|byte| usize::from(*byte)).sum::<usize>() % 4 {
        0 => Fate::NeverTracked,
        1 => Fate::Renamed { to: "README.md".into(), exact: true, commit: commit() },
        _ => Fate::Deleted { commit: commit() },
    };
    let fates = questions.fates.iter().map(|path| (path.clone(), fate(path))).collect();
    let last = |path: &RepoPath| CommitRef { time: path.as_bytes().len() as i64, ..commit().unwrap() };
    let last_changes = questions.last_changes.iter().map(|path| (path.clone(), last(path))).collect();
    Answers { fates, last_changes, ..Answers::default() }
}

/// A text of some of the lines.
fn text(lines: &[usize]) -> String {
    lines.iter().map(|&line| format!("{}\n\n", LINES[line])).collect()
}

/// For each path: the lines of the file now (none: no file), and what the changes did to it.
type Tree = Vec<(Option<Vec<usize>>, u8)>;

fn tree() -> impl Strategy<Value = Tree> {
    let file = (
        prop::option::weighted(0.6, prop::collection::vec(0..LINES.len(), 0..7)),
        // Mostly nothing.
        prop::sample::select(vec![0_u8, 0, 0, 0, 0, 1, 2]),
    );
    prop::collection::vec(file, PATHS.len())
}

fn changes(tree: &Tree, links: &[(bool, bool)], renames: bool) -> Changes {
    let mut list = Vec::new();
    let mut gone: Vec<RepoPath> = Vec::new();
    for (path, (now, done)) in PATHS.iter().zip(tree) {
        let kind = match (now, done) {
            (_, 0) => continue,
            (Some(_), 1) => ChangeKind::Added,
            (Some(_), _) => ChangeKind::Modified,
            (None, _) => ChangeKind::Deleted,
        };
        if kind == ChangeKind::Deleted && renames {
            gone.push((*path).into());
            continue;
        }
        list.push(ChangedPath { path: (*path).into(), kind });
    }
    for ((link, _), (is_there, is_changed)) in LINKS.iter().zip(links) {
        if *is_changed {
            let kind = if *is_there { ChangeKind::Modified } else { ChangeKind::Deleted };
            list.push(ChangedPath { path: (*link).into(), kind });
        }
    }
    // What went was renamed to what came, as far as that reaches.
    for change in list.iter_mut().filter(|change| change.kind == ChangeKind::Added) {
        if let Some(from) = gone.pop() {
            change.kind = ChangeKind::Renamed { from, exact: false };
        }
    }
    list.extend(gone.into_iter().map(|path| ChangedPath { path, kind: ChangeKind::Deleted }));
    list.sort();
    Changes { list }
}

fn repository(tree: &Tree, links: &[(bool, bool)]) -> Repository {
    let files = PATHS.iter().zip(tree).filter_map(|(path, (now, _))| {
        Some((RepoPath::from(*path), EntryKind::File, text(now.as_ref()?).into_bytes()))
    });
    let there = LINKS.iter().zip(links).filter(|(_, (is_there, _))| *is_there);
    let links =
        there.map(|((path, target), _)| (RepoPath::from(*path), EntryKind::Symlink, target.as_bytes().to_vec()));
    let source = Memory::new(files.chain(links).collect::<Vec<_>>());
    let mut repository = Repository::new(Box::new(source), ConfigFrom::Repository).unwrap();
    repository.told = Some(told);
    repository
}

fn selections() -> Vec<Selection> {
    let of = |select: &[&str], min_level, paths: &[&str]| Selection {
        select: select.iter().map(|name| (*name).to_owned()).collect(),
        min_level,
        paths: paths.iter().map(|path| RepoPath::from(*path)).collect(),
        ..Selection::default()
    };
    vec![
        of(&[], Level::Warning, &[]),
        of(&[], Level::Info, &[]),
        of(&["all"], Level::Warning, &[]),
        of(&["missing-path", "unmatched-glob", "unused-suppression"], Level::Error, &[]),
        of(&[], Level::Info, &["a", "docs/guide.md"]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_of_some_is_what_is_found_of_all(
        tree in tree(),
        links in prop::collection::vec((any::<bool>(), prop::bool::weighted(0.2)), LINKS.len()),
        renames in any::<bool>(),
        selection in prop::sample::select(selections()),
    ) {
        let repository = repository(&tree, &links);
        let changes = changes(&tree, &links, renames);
        let everything = Selection { paths: Vec::new(), ..selection.clone() };
        let mut loaded = load(&repository, &[], false).unwrap();
        let wanted = texts::WantedTexts { all: false, selects: &|_| true };
        texts::search(&repository.files(), wanted, &mut texts::CleanFiles::default(), &mut loaded).unwrap();
        let mut judgement = run_with(loaded, &Artifacts::default(), &everything, &mut |questions| told(questions));
        judgement.findings.retain(|finding| selection.has_path(&finding.path));
        judgement.suppressed.retain(|suppressed| selection.has_path(&suppressed.finding.path));
        let affected = Affected::new(&judgement.workspace, &changes);
        let (wanted, _) = Report::of(judgement, &everything, &Filters { affected: Some(&affected), ..Filters::default() });
        let silenced: Vec<_> = wanted.suppressed.iter().map(|suppressed| suppressed.finding.clone()).collect();
        let request = CheckRequest { selection, changes: Some(changes), ..CheckRequest::default() };
        let some = check(&repository, &request).unwrap();
        prop_assert_eq!(&some.report.findings, &wanted.findings);
        let found: Vec<_> = some.report.suppressed.iter().map(|suppressed| suppressed.finding.clone()).collect();
        prop_assert_eq!(found, silenced);
        prop_assert_eq!(some.report.failures.len(), 0);
    }
}
