//! Text files that are no hint files, searched for hidden characters: all of the source, or those that reach a model all the
//! same: READMEs, which our hooks inject, output styles, and the files of hint packages; and what agents obey: settings, and the
//! code and rules in their folders.
//!
//! Only files with hits are kept; a large repository costs no more memory than its listing.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::{LoadedWorkspace, Workspace};
use crate::agents::files;
use crate::base::error::Failure;
use crate::base::finding::Applicability;
use crate::base::path::{self, RepoPath};
use crate::base::{defect, sanitize};
use crate::config::patterns::BadPattern;
use crate::discover::{self, Discovery};
use crate::parse::{Document, unicode};
use crate::source::{EntryKind, FileContent, ListedPath, Source, SourceReadError};

/// Most files that a note names.
const NAMED: usize = 3;

/// Which files are searched.
#[derive(Clone, Copy)]
pub(crate) struct WantedTexts<'w> {
    /// Whether all text files are searched, or only those that reach a model or belong to a hint package.
    pub all: bool,
    /// Whether the run is about this file.
    pub selects: &'w dyn Fn(&RepoPath) -> bool,
}

/// Whether a model gets to read the file although no agent loads it as a hint.
fn reaches_a_model(path: &[u8]) -> bool {
    let prompt = || (path.ends_with(b".md") || path.ends_with(b".toml")) && files::is_prompt(path);
    path::file_name(path) == b"README.md" || files::is_obeyed(path) || prompt()
}

/// The files that an earlier search of the same source found nothing in: a run that fixes files looks again only at those
/// that changed or have hits.
#[derive(Debug, Default)]
pub(crate) struct CleanFiles {
    clean: BTreeSet<RepoPath>,
    no_text: BTreeSet<RepoPath>,
}

impl CleanFiles {
    /// Look at `path` again: it changed.
    pub(crate) fn forget(&mut self, path: &RepoPath) {
        self.clean.remove(path);
        self.no_text.remove(path);
    }
}

/// Search the text files of `source` that are wanted, unless the config excludes them or they
/// are documents anyway. What `seen` knows is not read again.
///
/// # Errors
/// A pattern of the config that is not a valid glob.
pub(crate) fn search(
    source: &dyn Source,
    wanted: WantedTexts<'_>,
    seen: &mut CleanFiles,
    loaded: &mut LoadedWorkspace,
) -> Result<(), BadPattern> {
    let workspace = &mut loaded.workspace;
    let listing = &workspace.listing;
    let packaged = listing.below(workspace.config.packages.as_bytes()).map(|index| listing.entry(index));
    let wanted_here = |entry: &ListedPath<'_>| (wanted.selects)(&RepoPath::new(entry.path));
    let mut entries: Vec<ListedPath<'_>> = match wanted.all {
        true => listing.iter().filter(wanted_here).collect(),
        false => listing.marked().filter(|entry| reaches_a_model(entry.path)).filter(wanted_here).collect(),
    };
    entries.extend(packaged.filter(wanted_here).filter(|entry| in_package(workspace, &RepoPath::new(entry.path))));
    entries.sort_unstable_by_key(|entry| entry.path);
    entries.dedup_by_key(|entry| entry.path);
    if entries.is_empty() {
        return Ok(());
    }
    let discovery = Discovery::new(&workspace.config)?;
    let known =
        |path: &RepoPath| workspace.document(path.as_bytes()).is_some() || workspace.unreadable.contains_key(path);
    let paths: Vec<RepoPath> = entries
        .into_iter()
        .filter(|entry| entry.kind == EntryKind::File)
        .map(|entry| RepoPath::new(entry.path))
        .filter(|path| !known(path) && !discovery.is_excluded(path.as_bytes()))
        .filter(|path| !seen.no_text.contains(path))
        .collect();
    let (settled, paths): (Vec<RepoPath>, Vec<RepoPath>) =
        paths.into_iter().partition(|path| seen.clean.contains(path));
    let found = Mutex::new(TextOutcomes::default());
    source.each_text(&paths, &|index, content| {
        let outcome = defect::contain(|| look(&paths[index], content));
        let failed = || TextOutcome::Failed(defect::message("this file could not be searched"));
        let outcome = outcome.unwrap_or_else(failed);
        if !matches!(outcome, TextOutcome::Clean) {
            // What a thread added before it panicked is whole.
            found.lock().unwrap_or_else(PoisonError::into_inner).add(index, &paths[index], outcome);
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.texts.sort_by(|a, b| a.path.cmp(&b.path));
    found.failures.sort_by(|a, b| a.path.cmp(&b.path));
    seen.no_text.extend(found.no_text.iter().map(|&index| paths[index].clone()));
    let searched = paths.into_iter().enumerate().filter(|(index, _)| !found.left_out.contains(index));
    workspace.searched = searched.map(|(_, path)| path).collect();
    let has_hits = |path: &RepoPath| found.texts.binary_search_by(|text| text.path.cmp(path)).is_ok();
    seen.clean.extend(workspace.searched.iter().filter(|path| !has_hits(path)).cloned());
    workspace.searched.extend(settled);
    workspace.searched.sort_unstable();
    workspace.texts = found.texts;
    workspace.notes.extend(too_large(&found.too_large));
    loaded.failures.extend(found.failures);
    Ok(())
}

/// Whether `path` is a resource or module of a hint package, which agents get to see on request.
fn in_package(workspace: &Workspace, path: &RepoPath) -> bool {
    let packages = workspace.config.packages.as_bytes();
    let Some(rest) = path.as_bytes().strip_prefix(packages).and_then(|rest| rest.strip_prefix(b"/")) else {
        return false;
    };
    let Some(end) = memchr::memchr(b'/', rest) else { return false };
    let package = path::join(packages, &rest[..end]);
    let mut files = discover::package_files(&rest[..end]).into_keys();
    files.any(|name| workspace.listing.contains(&path::join(&package, name.as_bytes())))
}

/// What came of one file.
enum TextOutcome {
    Clean,
    Hidden(Box<Document>),
    NoText,
    TooLarge,
    Failed(String),
}

/// What came of all files but the clean ones, in no order.
#[derive(Default)]
struct TextOutcomes {
    texts: Vec<Document>,
    left_out: BTreeSet<usize>,
    no_text: BTreeSet<usize>,
    too_large: BTreeSet<RepoPath>,
    failures: Vec<Failure>,
}

impl TextOutcomes {
    fn add(&mut self, index: usize, path: &RepoPath, outcome: TextOutcome) {
        match outcome {
            TextOutcome::Clean => return,
            TextOutcome::Hidden(document) => return self.texts.push(*document),
            TextOutcome::NoText => {
                self.no_text.insert(index);
            }
            TextOutcome::TooLarge => {
                self.too_large.insert(path.clone());
            }
            TextOutcome::Failed(message) => self.failures.push(Failure { path: path.clone(), message }),
        }
        self.left_out.insert(index);
    }
}

fn look(path: &RepoPath, content: FileContent) -> TextOutcome {
    let bytes = match content {
        FileContent::Text(bytes) => bytes,
        // What vanished meanwhile, or is now something else, is not a text of this repository.
        FileContent::Binary
        | FileContent::Unreadable(
            SourceReadError::Missing
            | SourceReadError::Directory
            | SourceReadError::Special
            | SourceReadError::GitDirectory,
        ) => return TextOutcome::NoText,
        FileContent::Unreadable(SourceReadError::TooLarge(_)) => return TextOutcome::TooLarge,
        FileContent::Unreadable(SourceReadError::Failed(message)) => return TextOutcome::Failed(message),
    };
    #[cfg(test)]
    defect::provoke("a text", &bytes);
    let mut hidden = match path::is_markdown(path.as_bytes()) {
        true => unicode::scan_markdown(&bytes),
        false => unicode::scan_other(&bytes),
    };
    // A key, a pattern or a command without a character that it had is another one, and programs obey it.
    let fixes = hidden.iter_mut().filter_map(|hit| hit.fix.as_mut()).filter(|_| files::is_obeyed(path.as_bytes()));
    fixes
        .filter(|fix| fix.applicability == Applicability::Safe)
        .for_each(|fix| fix.applicability = Applicability::Unsafe);
    match hidden.is_empty() {
        true => TextOutcome::Clean,
        false => TextOutcome::Hidden(Box::new(Document::searched(path.clone(), bytes.into(), hidden))),
    }
}

fn too_large(paths: &BTreeSet<RepoPath>) -> Option<String> {
    let mut names: Vec<String> = paths.iter().take(NAMED).map(|path| sanitize::path(path).into_owned()).collect();
    if paths.len() > NAMED {
        names.push(format!("and {} more", paths.len() - NAMED));
    }
    let (subject, verb) = if paths.len() == 1 { ("a file", "was") } else { ("files", "were") };
    (!names.is_empty())
        .then(|| format!("{subject} over 8 MiB {verb} not searched for hidden characters: {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::Arc;

    use super::*;
    use crate::config::Config;
    use crate::source::{Listing, Memory, Probe, ReadResult};

    /// A source that remembers what was read of it.
    struct RememberingSource {
        memory: Memory,
        read: RefCell<Vec<String>>,
    }

    impl Source for RememberingSource {
        fn listing(&self) -> &Arc<Listing> {
            self.memory.listing()
        }

        fn read_many(&self, paths: &[RepoPath]) -> Vec<ReadResult> {
            self.read.borrow_mut().extend(paths.iter().map(|path| path.to_str_lossy().into_owned()));
            self.memory.read_many(paths)
        }

        fn probe_many(&self, paths: &[RepoPath]) -> Vec<Probe> {
            self.memory.probe_many(paths)
        }
    }

    #[test]
    fn what_reaches_a_model_is_searched_by_default() {
        let odd = "so\u{200B}me\n";
        let paths = [
            ".claude/settings.json",
            ".mcp.json",
            "README.md",
            "docs/README.md",
            "opencode.json",
            "packages/api/.mcp.json",
            ".claude/output-styles/a.txt",
            "README.txt",
            "docs/.mcp.json.bak",
            "docs/guide.md",
            "docs/readme.md",
            "package.json",
        ];
        let source = Memory::of_files(paths.map(|path| (path, odd)));
        let search = |selects: &dyn Fn(&RepoPath) -> bool| {
            let mut loaded = super::super::load(&source, Config::default(), &[]).unwrap();
            search(&source, WantedTexts { all: false, selects }, &mut CleanFiles::default(), &mut loaded).unwrap();
            loaded.workspace.texts
        };
        let texts = search(&|_| true);
        let found: Vec<_> = texts.iter().map(|text| text.path.to_str_lossy().into_owned()).collect();
        assert_eq!(found, paths[..6]);
        for text in &texts {
            let fix = text.hidden[0].fix.as_ref().unwrap();
            let settings = !text.path.as_bytes().ends_with(b".md");
            assert_eq!(fix.applicability == Applicability::Unsafe, settings, "{:?}", text.path);
        }
        let changed = search(&|path| path.as_bytes() == b"docs/README.md");
        assert_eq!(
            changed.iter().map(|text| text.path.clone()).collect::<Vec<_>>(),
            [RepoPath::from("docs/README.md")]
        );
    }

    #[test]
    fn a_second_search_reads_only_what_had_hits_or_changed() {
        let files = [("a.txt", "clean\n"), ("b.txt", "so\u{200B}me\n"), ("c.bin", "\0\0"), ("d.txt", "clean\n")];
        let source = RememberingSource { memory: Memory::of_files(files), read: RefCell::default() };
        let mut seen = CleanFiles::default();
        let search = |seen: &mut CleanFiles| {
            let mut loaded = super::super::load(&source, Config::default(), &[]).unwrap();
            source.read.borrow_mut().clear();
            let all = WantedTexts { all: true, selects: &|_| true };
            search(&source, all, seen, &mut loaded).unwrap();
            let names =
                |paths: &[RepoPath]| paths.iter().map(|path| path.to_str_lossy().into_owned()).collect::<Vec<_>>();
            let texts: Vec<RepoPath> = loaded.workspace.texts.iter().map(|text| text.path.clone()).collect();
            (source.read.take(), names(&loaded.workspace.searched), names(&texts))
        };
        let (read, searched, texts) = search(&mut seen);
        assert_eq!((read.len(), searched.join(" "), texts.join(" ")), (4, "a.txt b.txt d.txt".into(), "b.txt".into()));
        let again = search(&mut seen);
        assert_eq!(again, (vec!["b.txt".to_owned()], searched, texts));
        seen.forget(&"d.txt".into());
        assert_eq!(search(&mut seen).0, ["b.txt", "d.txt"]);
    }
}
