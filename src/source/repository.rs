//! One git repository. libgit2 finds it and reads its config and references, our own reader lists its index, gitoxide reads its
//! objects, and the `git` program for everything else. Callers do not see which of them answers.

mod discovery;
mod modes;
mod parts;
mod revisions;
mod special;
mod trust;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use git2::{ObjectType, Oid};

use super::index_file::{self, GitIndex, IndexError, Stat};
use super::objects::{ObjectError, ObjectStore};
use super::program::{GitCall, Program, ProgramError, hex};
use super::regular::{self, Links};
use super::snapshot::Snapshot;
use super::tree::{self, TreeError};
use super::vars::GitVars;
use super::{ReadResult, SourceError, SourceReadError, commit};

pub(super) use modes::is_plain;

/// A repository.
pub(super) struct GitRepository {
    git_dir: PathBuf,
    common_dir: PathBuf,
    root: Option<PathBuf>,
    index_file: PathBuf,
    /// Unlocked for one answer at a time: libgit2's handle must not be shared.
    library: Option<Mutex<git2::Repository>>,
    objects: OnceLock<ObjectStore>,
    program: Program,
    /// What is staged, once it was asked for. One run sees one index.
    index: OnceLock<Arc<GitIndex>>,
    /// Whether objects or parents are replaced by others, and nothing here follows that.
    ignores_replacements: bool,
    /// Whether the environment says where parts of the repository lie.
    has_moved_parts: bool,
}

impl GitRepository {
    /// The repository that holds `start`, or that the environment names. `None` outside git.
    pub(super) fn find(start: &Path, vars: &GitVars) -> Result<Option<GitRepository>, SourceError> {
        let Some(parts) = parts::locate(start, vars)? else { return Ok(None) };
        // Git and libgit2 differ in whether they resolve links; one form lets paths be compared.
        let root = parts.root.map(|root| root.canonicalize().unwrap_or(root));
        let index_base = root.as_deref().unwrap_or(start);
        let index_file = vars.index_file(index_base).unwrap_or_else(|| parts.git_dir.join("index"));
        let program = Program::searching(start, vars).at(&parts.git_dir, &index_file);
        Ok(Some(GitRepository {
            git_dir: parts.git_dir,
            common_dir: parts.common_dir,
            root,
            index_file,
            library: parts.library.map(Mutex::new),
            objects: OnceLock::new(),
            program,
            index: OnceLock::new(),
            ignores_replacements: parts.ignores_replacements,
            has_moved_parts: vars.moves_parts(),
        }))
    }

    /// The top of the worktree; a bare repository has none.
    pub(super) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The directory with this worktree's `HEAD` and index.
    pub(super) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The directory that linked worktrees share.
    pub(super) fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    /// libgit2's handle, if it could open the repository.
    pub(super) fn library(&self) -> Option<MutexGuard<'_, git2::Repository>> {
        self.library.as_ref().map(|library| library.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The objects, where they are of a kind that is read here; elsewhere the program reads them.
    pub(super) fn objects(&self) -> Option<&ObjectStore> {
        self.library.as_ref().map(|_| self.objects.get_or_init(|| ObjectStore::open(&self.common_dir)))
    }

    /// Whether history ends where it was cut off.
    pub(super) fn is_shallow(&self) -> bool {
        std::fs::metadata(self.common_dir.join("shallow")).is_ok_and(|file| file.len() > 0)
    }

    /// Commits at which history was cut off; none in a whole clone.
    pub(super) fn cut_off_commits(&self) -> BTreeSet<String> {
        let text = regular::read(&self.common_dir.join("shallow"), u64::MAX - 1).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
    }

    /// Whether objects may be missing that a server promised to hand in later.
    pub(super) fn is_partial(&self) -> bool {
        let Ok(packs) = std::fs::read_dir(self.common_dir.join("objects/pack")) else { return false };
        packs.flatten().any(|file| Path::new(&file.file_name()).extension().is_some_and(|end| end == "promisor"))
    }

    /// Whether a commit's id and the shallow boundary alone determine what it changed: nothing is replaced, nothing
    /// is missing that may come later, and the environment adds nothing.
    pub(super) fn has_lasting_history(&self) -> bool {
        let keeps_objects = || match self.common_dir.join("reftable").is_dir() {
            true => self.program.line(&GitCall::Replacement).is_ok_and(|name| name.is_empty()),
            false => !parts::has_replacements(&self.common_dir),
        };
        !self.has_moved_parts && !self.is_partial() && keeps_objects()
    }

    /// Stands for where history is cut off; zeros in a whole clone.
    pub(super) fn shallow_key(&self) -> [u8; 20] {
        let text = regular::read(&self.common_dir.join("shallow"), u64::MAX - 1).unwrap_or_default();
        let hash = Oid::hash_object(ObjectType::Blob, &text).ok().filter(|_| !text.is_empty());
        hash.and_then(|hash| hash.as_bytes().try_into().ok()).unwrap_or_default()
    }

    /// What the user should know about how this repository is read.
    pub(super) fn notes(&self) -> Vec<String> {
        let note = "`git replace` or `info/grafts` replaces objects of this repository, which only the git \
                    program follows; it is not installed, so they are read as they were";
        self.ignores_replacements.then(|| note.to_owned()).into_iter().collect()
    }

    /// What is staged.
    pub(super) fn index(&self) -> Result<Arc<GitIndex>, SourceError> {
        match self.index.get() {
            Some(index) => Ok(index.clone()),
            None => self.read_index().map(|index| self.index.get_or_init(|| Arc::new(index)).clone()),
        }
    }

    fn read_index(&self) -> Result<GitIndex, SourceError> {
        let corrupt = |error: &dyn std::fmt::Display| {
            SourceError::new(error.to_string())
                .at(&self.index_file)
                .help("run `git status`; if that fails too, remove the index and run `git reset`")
        };
        let unreadable = |why: &str| {
            SourceError::new(format!("the index cannot be read: {why}"))
                .at(&self.index_file)
                .help("it must be a file that you may read; `git status` says what git makes of it")
        };
        let unsupported = match self.library {
            Some(_) => match self.plain_index() {
                Ok(index) => return Ok(index),
                Err(IndexError::Unreadable(why)) => return Err(unreadable(&why)),
                // Git itself takes some of these for valid, since it reads past the end of the file.
                Err(error @ IndexError::Corrupt(_)) => return Err(corrupt(&error)),
                Err(error @ IndexError::Unsupported(_)) => error.to_string(),
            },
            None => match regular::open(&self.index_file, Links::Follow) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(unreadable(&error.to_string()));
                }
                _ => String::new(),
            },
        };
        self.program.index().map_err(|error| match error {
            ProgramError::NotInstalled => SourceError::new(unsupported).at(&self.index_file).help("install git"),
            ProgramError::Failed(words) => corrupt(&words),
        })
    }

    /// What our own reader makes of the index.
    fn plain_index(&self) -> Result<GitIndex, IndexError> {
        let unreadable = |error: std::io::Error| IndexError::Unreadable(error.to_string());
        match regular::open(&self.index_file, Links::Follow) {
            Ok(file) => {
                let length = file.metadata().map_err(unreadable)?.len();
                index_file::read(file, length)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(GitIndex::default()),
            Err(error) => Err(unreadable(error)),
        }
    }

    /// What the index notes of files on disk, where it is of a kind that is read here. It is read again, since only a
    /// comparison with the worktree needs this.
    pub(super) fn noted_stats(&self) -> Option<NotedStats> {
        self.library.as_ref()?;
        let file = regular::open(&self.index_file, Links::Follow).ok()?;
        let meta = file.metadata().ok()?;
        let index = index_file::read_with_stats(file, meta.len()).ok()?;
        Some(NotedStats { stats: index.stats, index: Stat::of_file(&meta) })
    }

    /// Whether the file system keeps executable bits, so that one that differs is a change.
    pub(super) fn trusts_modes(&self) -> bool {
        let config = self.library().and_then(|library| library.config().ok());
        config.is_none_or(|config| config.get_bool("core.filemode").unwrap_or(true))
    }

    /// All paths of a commit.
    pub(super) fn tree(&self, commit: &str) -> Result<Snapshot, SourceError> {
        let unreadable = match self.objects().map(|objects| self.tree_here(objects, commit)) {
            Some(Ok(snapshot)) => return Ok(snapshot),
            Some(Err(TreeError::Refused(error))) => return Err(error.at(&self.git_dir)),
            Some(Err(TreeError::Unreadable(error))) => Some(error),
            None => None,
        };
        self.program.tree(commit).map_err(|error| unreadable.unwrap_or(error).at(&self.git_dir))
    }

    /// The same, from `objects`; where one is damaged, the program may know another copy.
    fn tree_here(&self, objects: &ObjectStore, commit: &str) -> Result<Snapshot, TreeError> {
        let tree = tree_of(objects, commit).map_err(TreeError::Unreadable)?;
        let Some(index) = self.index_of_tree(tree) else { return tree::list(objects, tree) };
        // Whatever the index says, a commit without its tree is damaged.
        objects.with_reader(|reader| tree::read(reader, tree))?;
        Ok(index.staged.clone())
    }

    /// The index, if it holds just what a commit does.
    pub(super) fn index_of(&self, commit: &str) -> Option<Arc<GitIndex>> {
        self.index_of_tree(tree_of(self.objects()?, commit).ok()?)
    }

    /// The index, if it holds just what a tree does. Mostly the tree of `HEAD` is one: its files need not be listed again.
    fn index_of_tree(&self, tree: Oid) -> Option<Arc<GitIndex>> {
        if self.index.get().is_none() {
            let file = regular::open(&self.index_file, Links::Follow).ok()?;
            let length = file.metadata().ok()?.len();
            if !index_file::may_hold_tree(file, length, tree.as_bytes()) {
                return None;
            }
        }
        let index = self.index().ok()?;
        (index.tree.as_deref() == Some(tree.as_bytes()) && index.unmerged.is_empty()).then_some(index)
    }

    /// The bytes of blobs, in the order of `blobs`.
    pub(super) fn blobs(&self, blobs: &[&[u8]]) -> Vec<ReadResult> {
        let mut results = match self.objects() {
            Some(objects) => self.blobs_here(objects, blobs),
            None => match self.program.blobs(blobs) {
                Ok(results) => results,
                Err(error) => vec![Err(SourceReadError::Failed(SourceError::from(error).to_string())); blobs.len()],
            },
        };
        let failed = |result: &ReadResult| matches!(result, Err(SourceReadError::Failed(_)));
        let is_partial = results.iter().any(failed) && self.is_partial();
        for (result, blob) in results.iter_mut().zip(blobs) {
            if let Err(SourceReadError::Failed(why)) = result {
                *why = format!("object {} cannot be read: {why}", hex(blob));
                if is_partial {
                    why.push_str(
                        "; this is a partial clone, and nothing is fetched on the way: run `git fetch --refetch`",
                    );
                }
            }
        }
        results
    }

    /// The same, from `objects`. What is missing there or damaged, the program may find elsewhere.
    fn blobs_here(&self, objects: &ObjectStore, blobs: &[&[u8]]) -> Vec<ReadResult> {
        let read = objects.blobs(blobs);
        let is_open =
            |read: &Result<_, ObjectError>| matches!(read, Err(ObjectError::Damaged(_) | ObjectError::Missing));
        let open: Vec<&[u8]> =
            blobs.iter().zip(&read).filter(|(_, read)| is_open(read)).map(|(blob, _)| *blob).collect();
        let mut copies = self.program.blobs(&open).unwrap_or_default().into_iter();
        // Git does not compare a file with its name.
        let is_whole =
            |bytes: &[u8], blob: &[u8]| Oid::hash_object(ObjectType::Blob, bytes).is_ok_and(|id| id.as_bytes() == blob);
        let result = |(blob, read): (&&[u8], Result<Arc<[u8]>, ObjectError>)| {
            let copy = if is_open(&read) { copies.next() } else { None };
            match (read, copy) {
                (Ok(bytes), _) => Ok(bytes),
                (Err(_), Some(Ok(copy))) if is_whole(&copy, blob) => Ok(copy),
                (Err(ObjectError::TooLarge(size)), _) | (_, Some(Err(SourceReadError::TooLarge(size)))) => {
                    Err(SourceReadError::TooLarge(size))
                }
                (Err(why), _) => Err(SourceReadError::Failed(why.to_string())),
            }
        };
        blobs.iter().zip(read).map(result).collect()
    }
}

/// The tree of a commit.
fn tree_of(objects: &ObjectStore, commit: &str) -> Result<Oid, SourceError> {
    let id = Oid::from_str(commit).map_err(|error| SourceError::new(error.message()))?;
    commit::tree_of(objects, id).map_err(|why| commit::unreadable(id, &why))
}

/// What an index notes of files on disk.
pub(super) struct NotedStats {
    /// In the order of the listing.
    pub(super) stats: Vec<Stat>,
    /// The same of the index itself.
    pub(super) index: Stat,
}
