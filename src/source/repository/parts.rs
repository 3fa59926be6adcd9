//! Finds a repository: where its parts lie, as libgit2 or the `git` program tell it and as the environment names them, or why
//! there is none. Reads nothing of what is stored in it.

use std::path::{Path, PathBuf};

use git2::{ErrorClass, ErrorCode, RepositoryOpenFlags};

use super::discovery::{GitDirs, pointer};
use super::{special, trust};
use crate::base::path::bytes_to_os_path;
use crate::source::program::{GitCall, Program, ProgramError};
use crate::source::vars::GitVars;
use crate::source::{SourceError, regular};

/// Where a repository's parts lie.
pub(super) struct RepositoryParts {
    pub(super) git_dir: PathBuf,
    pub(super) common_dir: PathBuf,
    pub(super) root: Option<PathBuf>,
    pub(super) library: Option<git2::Repository>,
    pub(super) ignores_replacements: bool,
}

/// Find the repository. Its files are inspected before anything opens them, and nothing that only they say is trusted.
pub(super) fn locate(start: &Path, vars: &GitVars) -> Result<Option<RepositoryParts>, SourceError> {
    let expected = match vars.git_dir(start) {
        Some(dir) => GitDirs::at(&dir),
        None => GitDirs::around(start, &vars.ceilings()),
    };
    if let Some(expected) = &expected {
        special::refuse(expected, vars.home().as_deref())?;
    }
    let Some(parts) = open(start, vars)? else { return Ok(None) };
    let found = GitDirs::at(&parts.git_dir);
    if let Some(found) = found.filter(|found| Some(found) != expected.as_ref()) {
        special::refuse(&found, vars.home().as_deref())?;
    }
    trust::check(&parts, start, vars)?;
    Ok(Some(parts))
}

/// Open the repository, by libgit2 if it can and by the program if not.
fn open(start: &Path, vars: &GitVars) -> Result<Option<RepositoryParts>, SourceError> {
    // Git does not hash objects again on every read. Our own reader does, where no other checksum tells.
    git2::opts::strict_hash_verification(false);
    let refused = match vars.moves_parts() {
        true => None,
        false => match open_library(start, vars) {
            Ok(library) => {
                let parts = library_parts(start, vars, library);
                if vars.follows_replacements() && has_replacements(&parts.common_dir) {
                    return Ok(Some(match program_parts(start, vars) {
                        Ok(parts) => parts,
                        Err(_) => RepositoryParts { ignores_replacements: true, ..parts },
                    }));
                }
                return Ok(Some(parts));
            }
            Err(error) if error.code() == ErrorCode::NotFound && vars.git_dir(start).is_none() => {
                match nearest_head(start).filter(|_| vars.ceilings().is_empty()) {
                    Some((_, Ok(_))) => match program_parts(start, vars) {
                        // It has a worktree that is not there; who needs that will say so.
                        Ok(parts) => return Ok(Some(parts)),
                        Err(why @ ProgramError::NotInstalled) => return Err(refusal(start, Some(error), why)),
                        Err(ProgramError::Failed(_)) => {}
                    },
                    Some((head, Err(why))) => {
                        return Err(SourceError::new(format!("the git directory cannot be read: {why}"))
                            .at(&head)
                            .help("run hintlint as a user who may read it"));
                    }
                    None => {}
                }
                return match dangling_gitfile(start) {
                    Some(file) => Err(SourceError::new("it names a git directory that is not there").at(&file).help(
                        "this is a linked worktree or submodule whose repository was moved or not mounted; make it \
                         reachable or run `git worktree repair`",
                    )),
                    None => Ok(None),
                };
            }
            Err(error) => Some(error),
        },
    };
    match program_parts(start, vars) {
        Ok(parts) => Ok(Some(parts)),
        Err(error) => Err(refusal(start, refused, error)),
    }
}

fn open_library(start: &Path, vars: &GitVars) -> Result<git2::Repository, git2::Error> {
    match vars.git_dir(start) {
        Some(dir) => git2::Repository::open_ext(dir, RepositoryOpenFlags::NO_SEARCH, &[] as &[&Path]),
        None => git2::Repository::open_ext(start, RepositoryOpenFlags::CROSS_FS, vars.ceilings()),
    }
}

fn library_parts(start: &Path, vars: &GitVars, library: git2::Repository) -> RepositoryParts {
    let workdir = library.workdir().filter(|_| !is_inside_bare(start, &library)).map(Path::to_owned);
    // Whether a search would have found the same repository.
    let is_around = || {
        let found = git2::Repository::discover_path(start, vars.ceilings());
        found.is_ok_and(|found| found.canonicalize().ok() == library.path().canonicalize().ok())
    };
    let root = match (vars.work_tree(start), workdir) {
        (Some(dir), _) => Some(dir),
        // With `GIT_DIR` alone git takes the current directory for the top of the worktree; hooks are started there. We
        // also find the top from a directory below it, where git would see every file as deleted.
        (None, Some(_)) if vars.git_dir(start).is_some() && !is_around() => Some(start.to_owned()),
        (None, workdir) => workdir,
    };
    RepositoryParts {
        git_dir: library.path().to_owned(),
        common_dir: library.commondir().to_owned(),
        root,
        library: Some(library),
        ignores_replacements: false,
    }
}

/// Whether `start` lies in a git directory that says nothing of a worktree: libgit2 takes the folder around it for one, which
/// is right for a folder called `.git` only.
fn is_inside_bare(start: &Path, library: &git2::Repository) -> bool {
    let (Ok(start), Ok(git_dir)) = (start.canonicalize(), library.path().canonicalize()) else { return false };
    let names_worktree = || library.config().is_ok_and(|config| config.get_path("core.worktree").is_ok());
    start.starts_with(&git_dir) && !git_dir.ends_with(".git") && !names_worktree()
}

/// The `HEAD` of the nearest git directory called `.git` at or above `start`, and whether it can be looked at.
fn nearest_head(start: &Path) -> Option<(PathBuf, std::io::Result<()>)> {
    let mut heads = start.ancestors().map(|dir| dir.join(".git/HEAD"));
    heads.find_map(|head| match head.metadata() {
        Ok(meta) => meta.is_file().then_some((head, Ok(()))),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Some((head, Err(error))),
        Err(_) => None,
    })
}

/// Whether git reads other objects here than those that are named: libgit2 knows nothing of that.
pub(super) fn has_replacements(common_dir: &Path) -> bool {
    let loose = std::fs::read_dir(common_dir.join("refs/replace")).is_ok_and(|mut files| files.next().is_some());
    let packed = || regular::read(&common_dir.join("packed-refs"), u64::MAX - 1).unwrap_or_default();
    let grafts = || std::fs::metadata(common_dir.join("info/grafts")).is_ok_and(|file| file.len() > 0);
    loose || grafts() || memchr::memmem::find(&packed(), b" refs/replace/").is_some()
}

fn program_parts(start: &Path, vars: &GitVars) -> Result<RepositoryParts, ProgramError> {
    let program = Program::searching(start, vars);
    let path = |call: GitCall<'_>| Ok(start.join(bytes_to_os_path(&program.line(&call)?)));
    Ok(RepositoryParts {
        git_dir: path(GitCall::GitDir)?,
        common_dir: path(GitCall::CommonDir)?,
        // Fails in a bare repository and inside a git directory, where there is no worktree.
        root: path(GitCall::TopLevel).ok(),
        library: None,
        ignores_replacements: false,
    })
}

/// Why neither could open the repository.
fn refusal(start: &Path, library: Option<git2::Error>, program: ProgramError) -> SourceError {
    let unsafe_owner = library.as_ref().is_some_and(|error| error.code() == ErrorCode::Owner);
    if unsafe_owner {
        return SourceError::new("the repository belongs to another user, and git refuses to trust it")
            .at(start)
            .help("if you trust it, run `git config --global --add safe.directory` with the path of the repository");
    }
    match (library, program) {
        (Some(error), ProgramError::NotInstalled) => {
            let is_format = ["unsupported", "unknown"].iter().any(|word| error.message().contains(word));
            let help = match error.class() {
                ErrorClass::Config => "fix git's configuration",
                ErrorClass::Repository if is_format => {
                    "the git program reads more kinds of repositories (reftable, SHA-256, partial clones): install it"
                }
                _ => "install git, and run `git status` there",
            };
            SourceError::new(format!("the repository cannot be opened: {}", error.message())).at(start).help(help)
        }
        (None, error @ ProgramError::NotInstalled) => SourceError::from(error).at(start),
        (Some(error), ProgramError::Failed(words)) if words.is_empty() => {
            SourceError::new(format!("the repository cannot be opened: {}", error.message())).at(start)
        }
        (_, ProgramError::Failed(words)) => SourceError::new(format!("the repository cannot be opened: {words}"))
            .at(start)
            .help("run `git status` there"),
    }
}

/// The nearest `.git` at or above `start`, if it is a file that names a directory which is not there.
fn dangling_gitfile(start: &Path) -> Option<PathBuf> {
    let file = start.ancestors().map(|dir| dir.join(".git")).find(|path| path.symlink_metadata().is_ok())?;
    let target = pointer(&file, b"gitdir:")?;
    (!target.exists()).then_some(file)
}
