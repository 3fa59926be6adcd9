//! Questions to a repository's past, and the answers. All questions of a run are answered together, by looking only at
//! commits that touch the paths in question, and those that they were renamed to, until no new name turns up.

mod cache;
mod commits;
mod endings;
mod ledger;
mod search;
pub(crate) mod steps;
mod submodules;
pub mod versions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::raw::RawChange;
use super::repository::GitRepository;
use super::{Probe, Source, SourceError, changes};
use crate::base::path::{RepoPath, ancestors_from_root};
use cache::{Cache, CachePlace};
use ledger::Ledger;
use search::HistorySearch;

/// The questions of one run's rules. Without questions, history is not read.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Paths (of files or directories) that do not exist now: were they ever tracked, and what became of them?
    pub fates: BTreeSet<RepoPath>,
    /// Files: when did they last change?
    pub last_changes: BTreeSet<RepoPath>,
    /// Ends of paths, such as `Helpers/Counter.cs`: which removed paths ended so? What became of them is answered as well.
    pub endings: BTreeSet<RepoPath>,
    /// Which folders belonged to submodules once? Answered along with other questions only.
    pub submodules: bool,
}

impl Questions {
    /// Whether there are no questions.
    pub fn is_empty(&self) -> bool {
        self.fates.is_empty() && self.last_changes.is_empty() && self.endings.is_empty()
    }

    /// Whether all of these questions are among `others`.
    pub(crate) fn are_among(&self, others: &Questions) -> bool {
        self.fates.is_subset(&others.fates)
            && self.last_changes.is_subset(&others.last_changes)
            && self.endings.is_subset(&others.endings)
            && (others.submodules || !self.submodules)
    }
}

/// A commit as a message can name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitRef {
    /// Abbreviated object name, 10 digits.
    pub id: String,
    /// Committer date, `YYYY-MM-DD` (UTC).
    pub date: String,
    /// Seconds since 1970.
    pub time: i64,
}

/// What became of a path that is not there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// No commit ever had it.
    NeverTracked,
    /// It was renamed; `to` exists now. Chains of renames are followed to their end.
    Renamed {
        /// Where it is now.
        to: RepoPath,
        /// Whether every step of the chain kept the content byte for byte.
        exact: bool,
        /// The commit of the first step; `None` if that is not committed yet.
        commit: Option<CommitRef>,
    },
    /// It was deleted, or renamed to something that was deleted since.
    Deleted {
        /// The commit in which it went, under whichever name that was; `None` if that is not committed yet.
        commit: Option<CommitRef>,
    },
    /// It was removed: deleted, or renamed and changed by the same commit. The files that would tell the two apart are missing.
    Gone {
        /// The commit that did it.
        commit: Option<CommitRef>,
    },
    /// History cannot tell: shallow or partial clone, no history at all.
    Unknown,
}

/// What history said.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Answers to [`Questions::fates`].
    pub fates: BTreeMap<RepoPath, Fate>,
    /// Answers to [`Questions::last_changes`].
    pub last_changes: BTreeMap<RepoPath, CommitRef>,
    /// Answers to [`Questions::endings`], where there are any; `fates` has what became of each.
    pub endings: BTreeMap<RepoPath, BTreeSet<RepoPath>>,
    /// Folders that belonged to submodules once, and hold nothing now; where [`Questions::submodules`] asks for them.
    pub submodules: BTreeSet<RepoPath>,
    /// Folders of [`Questions::fates`] that held nothing, at any time, but a file such as `.gitkeep`; of these no fate is told.
    pub emptied: BTreeSet<RepoPath>,
    /// What limits these answers, for stderr and the JSON notes.
    pub notes: Vec<String>,
}

impl Answers {
    /// What became of `path`; unknown if it was not asked for.
    pub fn fate(&self, path: &RepoPath) -> &Fate {
        self.fates.get(path).unwrap_or(&Fate::Unknown)
    }

    /// Whether `path` lies in what belonged to a submodule once.
    pub(crate) fn is_of_submodule(&self, path: &RepoPath) -> bool {
        !self.submodules.is_empty()
            && ancestors_from_root(path.parent()).into_iter().any(|dir| self.submodules.contains(&RepoPath::new(dir)))
    }
}

/// What a source's past is.
pub(super) struct History {
    pub(super) repository: Arc<GitRepository>,
    /// The source's commit, if it is one; the others follow `HEAD`.
    pub(super) commit: Option<String>,
    /// Changes since then that are not committed.
    pub(super) uncommitted: Uncommitted,
    /// What is staged, once it was asked for.
    pub(super) staged: OnceLock<Vec<RawChange>>,
    /// Whether what commits changed is kept between runs.
    pub(super) is_kept: bool,
    /// What is kept, once it was asked for; `None` if nothing can be.
    pub(super) kept: OnceLock<Option<Mutex<KeptCommits>>>,
}

/// What is kept of commits between runs.
pub(super) struct KeptCommits {
    place: CachePlace,
    cache: Cache,
}

/// A file of ours in the git directory, to be written. Nothing depends on it.
#[derive(Debug)]
pub struct CacheFile {
    /// The directory that linked worktrees share.
    pub git_dir: PathBuf,
    /// Where the file lies in it.
    pub path: RepoPath,
    /// What it should hold.
    pub bytes: Vec<u8>,
}

/// Which changes lie between the newest commit and the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uncommitted {
    /// None: the source is a commit.
    Nothing,
    /// What is staged.
    Staged,
    /// What is staged, and what is done to the worktree besides.
    Worktree,
}

impl History {
    /// The newest commit; `None` on a branch without commits.
    pub(super) fn head(&self) -> Result<Option<String>, SourceError> {
        match &self.commit {
            Some(commit) => Ok(Some(commit.clone())),
            None => self.repository.head(),
        }
    }

    /// What is staged, against `head`, the newest commit.
    pub(super) fn staged(&self, head: &str) -> Result<&[RawChange], SourceError> {
        if let Some(known) = self.staged.get() {
            return Ok(known);
        }
        let changes = changes::staged(&self.repository, head)?;
        Ok(self.staged.get_or_init(|| changes))
    }

    /// Removed paths by their ends. Where history cannot be read there are none, and the other questions say why.
    fn endings(&self, questions: &Questions, source: &dyn Source) -> BTreeMap<RepoPath, BTreeSet<RepoPath>> {
        let Ok(Some(head)) = self.head() else { return BTreeMap::new() };
        if questions.endings.is_empty() {
            return BTreeMap::new();
        }
        endings::removed(self, &head, &questions.endings, source.listing()).unwrap_or_default()
    }

    /// Report each path that a non-merge commit reachable from `head` deleted or renamed; false if there is no cache
    /// that can answer.
    fn each_deleted(&self, head: &str, tell: &mut dyn FnMut(&[u8])) -> bool {
        let Some(mut kept) = self.kept() else { return false };
        let cache = &mut kept.cache;
        let Ok(Some(order)) = cache.reach(&self.repository, head) else { return false };
        cache.deleted(&order).for_each(tell);
        true
    }

    /// What is kept between runs.
    fn kept(&self) -> Option<MutexGuard<'_, KeptCommits>> {
        let read = |place: CachePlace| Mutex::new(KeptCommits { cache: place.read(), place });
        let place = || CachePlace::of(&self.repository).filter(|_| self.is_kept);
        let kept = self.kept.get_or_init(|| place().map(read)).as_ref();
        kept.map(|kept| kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The file to be written, if something was learnt since it was read.
    pub(super) fn unsaved(&self) -> Option<CacheFile> {
        let mut kept = self.kept.get()?.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = kept.place.bytes(&kept.cache, &self.repository)?;
        kept.cache.mark_saved();
        Some(CacheFile { git_dir: kept.place.common_dir.clone(), path: kept.place.file().into(), bytes })
    }

    /// Answer all questions about a source.
    pub(super) fn answer(&self, questions: &Questions, source: &dyn Source) -> Answers {
        let cut_off = self.repository.cut_off_commits();
        let mut endings = self.endings(questions, source);
        drop_ignored(source, &mut endings);
        let mut questions = questions.clone();
        questions.fates.extend(endings.values().flatten().cloned());
        let modules = submodules::question(&questions, source);
        questions.fates.extend(modules.clone());
        let questions = &questions;
        let mut ledger = Ledger::new(questions, source.listing());
        let search = HistorySearch { history: self, repository: &self.repository, questions, cut_off: &cut_off };
        let failure = search.look(source, &mut ledger).err();
        let complete = failure.is_none() && cut_off.is_empty();
        let is_blind = ledger.is_blind();
        let mut answers = ledger.answers(complete);
        answers.endings = endings;
        answers.submodules = submodules::former(self, questions, &answers, source);
        if let Some(modules) = modules {
            answers.fates.remove(&modules);
        }
        let is_open = |(path, fate): (&RepoPath, &Fate)| {
            matches!(fate, Fate::Unknown | Fate::Gone { .. }) && !answers.emptied.contains(path)
        };
        let unknown = answers.fates.iter().any(is_open) || answers.last_changes.len() < questions.last_changes.len();
        if unknown {
            let partial = self.repository.is_partial();
            answers.notes = limits(failure, !cut_off.is_empty(), partial, is_blind);
        }
        answers
    }
}

/// Leave out removed paths that git ignores now: a tool makes them, and they were tracked by mistake.
fn drop_ignored(source: &dyn Source, endings: &mut BTreeMap<RepoPath, BTreeSet<RepoPath>>) {
    let found: BTreeSet<RepoPath> = endings.values().flatten().cloned().collect();
    let found: Vec<RepoPath> = found.into_iter().collect();
    let probes = if found.is_empty() { Vec::new() } else { source.probe_many(&found) };
    let ignored: BTreeSet<&RepoPath> =
        found.iter().zip(probes).filter(|(_, probe)| *probe == Probe::Ignored).map(|(path, _)| path).collect();
    endings.values_mut().for_each(|paths| paths.retain(|path| !ignored.contains(path)));
    endings.retain(|_, paths| !paths.is_empty());
}

/// Notes on why some questions have no answer.
fn limits(failure: Option<SourceError>, shallow: bool, partial: bool, is_blind: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if shallow {
        notes.push(
            "this is a shallow clone, so deletions and renames of some paths are unknown and not reported; fetch the whole history \
             (`git fetch --unshallow`, or `fetch-depth: 0` in actions/checkout)"
                .to_owned(),
        );
    }
    if partial {
        notes.push(
            "this is a partial clone and hintlint fetches nothing, so deletions and renames of some paths are not fully known; use a full \
             clone"
                .to_owned(),
        );
    } else if is_blind {
        notes.push(
            "some files of the past are missing from this repository, so only renames that kept the content were found, and \
             for other removed paths it is unknown whether they were deleted or renamed; `git fsck` lists what is missing"
                .to_owned(),
        );
    }
    match failure {
        Some(error) if notes.is_empty() => {
            notes
                .push(format!("the history could not be read, so deleted and renamed paths are not reported: {error}"));
        }
        _ => {}
    }
    notes
}

/// The file of a whole clone that [`CacheFile`] tells of, with this content between header and checksum: for those who try how
/// it is read.
pub fn cache_file(content: &[u8]) -> Vec<u8> {
    cache::sealed(content, &[0; 20])
}

/// The answers where there is no history: everything is unknown.
pub(super) fn without_history(questions: &Questions) -> Answers {
    let fates = questions.fates.iter().map(|path| (path.clone(), Fate::Unknown)).collect();
    Answers { fates, ..Answers::default() }
}
