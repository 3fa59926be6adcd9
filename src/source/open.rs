//! Opens the source that a command asks for: finds the repository, and says clearly why when there is none.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::changes::{self, Base, Changes, ComparedSide};
use super::history::{self, Answers, CacheFile, History, Questions, Uncommitted};
use super::index_file::GitIndex;
use super::repository::GitRepository;
use super::stored::Stored;
use super::vars::GitVars;
use super::worktree::Worktree;
use super::{Source, SourceError};
use crate::base::path::os_path_to_bytes;

/// Which bytes of a repository are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The files on disk, tracked or not, except ignored ones.
    #[default]
    Worktree,
    /// What is staged.
    Index,
    /// A commit, by any name that git has for it.
    Commit(String),
}

/// What to open.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// Any directory of the repository. Relative paths of the environment are taken from here, so for a command it is the
    /// process's current directory.
    pub start: PathBuf,
    /// Which bytes.
    pub side: Side,
    /// The environment, which in a hook names the repository and its index.
    pub vars: GitVars,
}

/// An open source.
pub struct Opened {
    /// The bytes.
    pub source: Box<dyn Source>,
    /// The top of the worktree, or the folder outside git; a bare repository has none.
    pub root: Option<PathBuf>,
    /// Where the start directory lies below the root; empty at the root and in a bare repository.
    pub subdirectory: Vec<u8>,
    /// Git's own folder of this worktree; `None` outside git.
    pub git_dir: Option<PathBuf>,
    pub(super) history: Option<History>,
}

impl From<Box<dyn Source>> for Opened {
    /// A source alone: without a place on disk and without history.
    fn from(source: Box<dyn Source>) -> Self {
        Opened { source, root: None, subdirectory: Vec::new(), git_dir: None, history: None }
    }
}

impl Opened {
    /// Answer the rules' questions in one pass over the commits; without questions nothing is looked at.
    pub fn answer(&self, questions: &Questions) -> Answers {
        match &self.history {
            _ if questions.is_empty() => Answers::default(),
            Some(history) => history.answer(questions, &*self.source),
            None => history::without_history(questions),
        }
    }

    /// Answer from what earlier runs kept of history in the git directory, as far as it goes.
    pub fn keep_history(&mut self) {
        if let Some(history) = &mut self.history {
            history.is_kept = true;
        }
    }

    /// What was learnt of history and should be kept for the next run; once.
    pub fn unsaved_history(&self) -> Option<CacheFile> {
        self.history.as_ref()?.unsaved()
    }

    /// The newest common ancestor with `revision`; `None` outside git and before the first commit.
    ///
    /// # Errors
    /// When there is no such revision or ancestor.
    pub(crate) fn merge_base(&self, revision: &str) -> Result<Option<String>, SourceError> {
        let Some(history) = &self.history else { return Ok(None) };
        let Some(head) = history.head()? else { return Ok(None) };
        history.repository.merge_base(&history.repository.commit(revision)?, &head, revision).map(Some)
    }

    /// What the source changed since `base`.
    pub fn changes(&self, base: &Base) -> Result<Changes, SourceError> {
        let Some(history) = &self.history else {
            let error = SourceError::new("this is not a git repository, so changes cannot be determined");
            return Err(error.help("omit the option to check all files"));
        };
        let History { repository, uncommitted, .. } = history;
        let head = history.head()?;
        let base = match (base, &head) {
            (Base::MergeBase(revision), Some(head)) => {
                Some(repository.merge_base(&repository.commit(revision)?, head, revision)?)
            }
            (Base::MergeBase(revision), None) => {
                return Err(repository.commit(revision).err().unwrap_or_else(no_commit));
            }
            (Base::Revision(revision), _) => Some(repository.commit(revision)?),
            (Base::Previous, Some(head)) if *uncommitted == Uncommitted::Nothing => repository.parent(head)?,
            (Base::Previous, head) => head.clone(),
        };
        let after = match (uncommitted, &head) {
            (Uncommitted::Staged, Some(head)) if base.as_ref() == Some(head) => {
                return Ok(Changes::new(history.staged(head)?.to_vec()));
            }
            (Uncommitted::Worktree, _) => ComparedSide::Worktree,
            (Uncommitted::Staged, _) | (Uncommitted::Nothing, None) => ComparedSide::Index,
            (Uncommitted::Nothing, Some(head)) => ComparedSide::Commit(head),
        };
        changes::between(repository, base.as_deref(), &after, &*self.source)
    }
}

fn no_commit() -> SourceError {
    SourceError::new("there is no commit yet").help("commit first, or leave the revision out")
}

/// What a [`Spec`] asks for, found and not yet listed.
pub(crate) struct Found<'s> {
    spec: &'s Spec,
    /// `None` outside git.
    repository: Option<GitRepository>,
}

/// Find what `spec` asks for.
pub(crate) fn find(spec: &Spec) -> Result<Found<'_>, SourceError> {
    if !spec.start.is_dir() {
        return Err(SourceError::new("no such directory").at(&spec.start));
    }
    Ok(Found { spec, repository: GitRepository::find(&spec.start, &spec.vars)? })
}

impl Found<'_> {
    /// List it.
    pub(crate) fn open(self) -> Result<Opened, SourceError> {
        match self.repository {
            Some(repository) => open_repository(self.spec, Arc::new(repository)),
            None => open_folder(self.spec),
        }
    }
}

/// Open what `spec` asks for.
pub fn open(spec: &Spec) -> Result<Opened, SourceError> {
    find(spec)?.open()
}

fn open_repository(spec: &Spec, repository: Arc<GitRepository>) -> Result<Opened, SourceError> {
    let root = repository.root().map(Path::to_owned);
    let subdirectory = root.as_deref().map_or_else(Vec::new, |root| below(root, &spec.start));
    let (source, commit, uncommitted): (Box<dyn Source>, _, _) = match &spec.side {
        Side::Worktree => {
            let root = worktree(&repository)?;
            let index = repository.index()?;
            let source = Worktree::of_repository(root, repository.clone(), &index);
            (Box::new(source), None, Uncommitted::Worktree)
        }
        Side::Index => {
            let root = worktree(&repository)?;
            let index = repository.index()?;
            let notes = [repository.notes(), unmerged_note(&index)].concat();
            let source = Stored::of_index(repository.clone(), index, root, notes);
            (Box::new(source), None, Uncommitted::Staged)
        }
        Side::Commit(revision) => {
            let commit = repository.commit(revision)?;
            let source = Stored::of_commit(repository.clone(), &commit)?;
            (Box::new(source), Some(commit), Uncommitted::Nothing)
        }
    };
    let git_dir = Some(repository.git_dir().to_owned());
    let history =
        History { repository, commit, uncommitted, staged: OnceLock::new(), is_kept: false, kept: OnceLock::new() };
    Ok(Opened { source, root, subdirectory, git_dir, history: Some(history) })
}

fn open_folder(spec: &Spec) -> Result<Opened, SourceError> {
    let what = match &spec.side {
        Side::Worktree => {
            let root =
                spec.start.canonicalize().map_err(|error| SourceError::new(error.to_string()).at(&spec.start))?;
            let source = Box::new(Worktree::of_folder(root.clone()));
            return Ok(Opened { source, root: Some(root), subdirectory: Vec::new(), git_dir: None, history: None });
        }
        Side::Index => "staged files",
        Side::Commit(_) => "revisions",
    };
    Err(SourceError::new(format!("this is not a git repository, so there are no {what}"))
        .at(&spec.start)
        .help("run it inside a repository; plain `hintlint` checks a folder's files"))
}

fn worktree(repository: &GitRepository) -> Result<PathBuf, SourceError> {
    let root = repository.root().ok_or_else(|| {
        SourceError::new("the repository is bare: it has neither worktree nor index")
            .at(repository.git_dir())
            .help("name a commit with `--rev`, such as `--rev HEAD`; a command without that option needs a worktree")
    })?;
    match root.is_dir() {
        true => Ok(root.to_owned()),
        false => Err(SourceError::new("the worktree is not there")
            .at(root)
            .help("correct `GIT_WORK_TREE` or git's setting `core.worktree`, or name a commit with `--rev`")),
    }
}

fn unmerged_note(index: &GitIndex) -> Vec<String> {
    match index.unmerged.len() {
        0 => Vec::new(),
        1 => vec!["1 path is unmerged; our side of it was taken".to_owned()],
        count => vec![format!("{count} paths are unmerged; our side of them was taken")],
    }
}

/// Where `start` lies below `root`; empty if it does not.
fn below(root: &Path, start: &Path) -> Vec<u8> {
    let start = start.canonicalize().unwrap_or_else(|_| start.to_owned());
    start.strip_prefix(root).map(os_path_to_bytes).unwrap_or_default()
}
