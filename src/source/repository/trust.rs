//! Whether a repository is what it seems. The environment is the user's word; what the files of a clone say is its author's.
//! The author must not be able to make a part of a clone the repository, nor take a run out of the clone.
//!
//! Git decides the same about bare repositories with `safe.bareRepository=explicit`. It is stricter than this: a bare repository
//! that lies in no worktree opens here for who stands in it, as on a server, since nobody but its owner can have made its config.
//! Followed as git does are alternates (`git clone --shared` makes them; objects are found by the hash of their content alone,
//! so that an author must know what they would learn) and includes of the config (no value of it is executed or printed).

use std::path::Path;

use super::discovery::{GitDirs, looks_like_one, named_by, pointer};
use super::parts::RepositoryParts;
use crate::source::SourceError;
use crate::source::vars::GitVars;

/// Refuse a repository that only its own files claim to be one, or whose files lead out of it.
pub(super) fn check(parts: &RepositoryParts, start: &Path, vars: &GitVars) -> Result<(), SourceError> {
    let Some(found) = GitDirs::at(&parts.git_dir) else { return Ok(()) };
    let is_named = vars.git_dir(start).is_some();
    let start = start.canonicalize().unwrap_or_else(|_| start.to_owned());
    // The directory whose `.git` led here.
    let top = start.ancestors().find(|dir| named_by(dir).is_some_and(|named| named == found.git_dir));
    if !vars.moves_common_dir() {
        check_common_dir(&found)?;
    }
    if !is_named {
        check_surroundings(&found)?;
        if let Some(top) = top {
            check_pointer(&found, top)?;
        }
    }
    match &parts.root {
        Some(root) if vars.work_tree(&start).is_none() && root.is_dir() => {
            let root = root.canonicalize().unwrap_or_else(|_| root.clone());
            check_worktree(&found, &root, top, is_named.then_some(&*start))
        }
        _ => Ok(()),
    }
}

/// `commondir` is made by `git worktree add` and names the directory two levels up.
fn check_common_dir(found: &GitDirs) -> Result<(), SourceError> {
    let GitDirs { git_dir, common_dir } = found;
    let folder = git_dir.parent().filter(|folder| folder.ends_with("worktrees"));
    if git_dir == common_dir || folder.and_then(Path::parent) == Some(common_dir) {
        return Ok(());
    }
    let message = format!("it names {} as part of this repository, which lies elsewhere", common_dir.display());
    Err(SourceError::new(message)
        .at(&git_dir.join("commondir"))
        .help("`git worktree add` creates no such file; set GIT_COMMON_DIR to that path if this is intended"))
}

/// A git directory among the files of another worktree may have come with them: whoever commits there wrote its config.
fn check_surroundings(found: &GitDirs) -> Result<(), SourceError> {
    let is_other = |dir: &&Path| {
        let is_file_of = found.git_dir.strip_prefix(dir).is_ok_and(|below| !below.iter().any(is_dot_git));
        let named = || named_by(dir).filter(|named| *named != found.git_dir && *named != found.common_dir);
        is_file_of && named().is_some_and(|named| looks_like_one(&named))
    };
    let Some(outer) = found.git_dir.ancestors().skip(1).find(is_other) else { return Ok(()) };
    let message = format!("this git directory lies among the files of the repository {}", outer.display());
    Err(SourceError::new(format!("{message}, whose authors may have written its config")).at(&found.git_dir).help(
        format!(
            "to check these files as part of that repository, run hintlint in {}; if you trust this git directory, set \
             GIT_DIR to its path",
            outer.display()
        ),
    ))
}

/// Git refuses to check out a path with such a part, in every version.
fn is_dot_git(name: &std::ffi::OsStr) -> bool {
    name == ".git"
}

/// A `.git` that is a file or link must not lead to the git directory of another worktree.
fn check_pointer(found: &GitDirs, top: &Path) -> Result<(), SourceError> {
    let dot_git = top.join(".git");
    let owner = match pointer(&found.git_dir.join("gitdir"), b"") {
        // A linked worktree. If the place that it names is empty, it was moved by hand.
        Some(named) => named.canonicalize().ok().filter(|named| Some(named) != dot_git.canonicalize().ok().as_ref()),
        None if found.git_dir.file_name().is_some_and(is_dot_git) => {
            found.git_dir.parent().filter(|parent| *parent != top).map(Path::to_owned)
        }
        None => None,
    };
    let Some(owner) = owner else { return Ok(()) };
    let message = format!("it names a git directory that belongs to another worktree: {}", owner.display());
    Err(SourceError::new(message).at(&dot_git).help(elsewhere(found)))
}

/// The worktree must be where git would have put the git directory, or name it, or be a part of either. `named` is the start
/// directory, if the user named the git directory.
fn check_worktree(found: &GitDirs, root: &Path, top: Option<&Path>, named: Option<&Path>) -> Result<(), SourceError> {
    let git_dir = &found.git_dir;
    let own = git_dir.parent().filter(|_| git_dir.file_name().is_some_and(is_dot_git));
    let is_own = [own, top, Some(git_dir.as_path())].into_iter().flatten().any(|dir| root.starts_with(dir));
    if !is_own && named != Some(root) && named_by(root).is_none_or(|named| named != *git_dir) {
        let message = format!("its config names {} as the worktree, which lies outside the repository", root.display());
        return Err(SourceError::new(message).at(git_dir).help(elsewhere(found)));
    }
    let is_file = git_dir.strip_prefix(root).is_ok_and(|below| !below.iter().any(is_dot_git));
    if named.is_some() || !is_file || git_dir == root {
        return Ok(());
    }
    let message = format!("this git directory lies among the files of its worktree {}", root.display());
    Err(SourceError::new(format!("{message}, whose authors may have written its config"))
        .at(git_dir)
        .help("move it elsewhere, or set GIT_DIR to its path if you trust it"))
}

fn elsewhere(found: &GitDirs) -> String {
    format!(
        "if this is intended, set GIT_DIR to {} and GIT_WORK_TREE to the folder with the files",
        found.git_dir.display()
    )
}
