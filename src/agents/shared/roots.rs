//! Roots and the directories between them and a start directory. It knows no agent.

use crate::agents::RootMark;
use crate::world::{AbsPath, FileType, ReadError, World};

/// `relative` from `dir` as the file system resolves it: `..` behind a link leads above the link's target.
pub(crate) fn physical(world: &dyn World, dir: &AbsPath, relative: &str) -> Result<AbsPath, ReadError> {
    let mut at = world.real_path(dir)?;
    for part in relative.split('/').filter(|part| !part.is_empty()) {
        if !world.is_dir(&at) {
            return Err(ReadError::NotADirectory);
        }
        at = match part {
            "." => at,
            ".." => at.dirname(),
            name => world.real_path(&at.join(name))?,
        };
    }
    Ok(at)
}

/// The directories from `top` down to `start`; `start` alone if `top` is not above it.
pub(crate) fn directories(top: &AbsPath, start: &AbsPath) -> Vec<AbsPath> {
    if !start.is_within(top) {
        return directories(&AbsPath::new("/"), start);
    }
    let mut dirs: Vec<AbsPath> = start.ancestors().take_while(|dir| dir.is_within(top)).collect();
    dirs.reverse();
    dirs
}

/// Those of `dirs`, each inside the one before, that lie below `end`; all of them if it is not among them.
pub(crate) fn below(mut dirs: Vec<AbsPath>, end: Option<&AbsPath>) -> Vec<AbsPath> {
    if let Some(at) = dirs.iter().position(|dir| Some(dir) == end) {
        dirs.drain(..=at);
    }
    dirs
}

/// The nearest directory from `start` upwards that is a root.
pub(crate) fn find_root(world: &dyn World, start: &AbsPath, rule: RootMark) -> Option<AbsPath> {
    if rule == RootMark::GitProgram {
        return git_root(world, start);
    }
    start.ancestors().find(|dir| {
        let git = dir.join(".git");
        match rule {
            RootMark::None | RootMark::GitProgram => false,
            RootMark::GitChecked => world.is_file(&git) || is_git_dir(world, dir, &git),
            RootMark::Git => world.file_type(&git).is_some(),
            RootMark::GitDirectory => world.link_type(&git) == Some(FileType::Directory),
            RootMark::GitUnlinked => {
                matches!(world.link_type(&git), Some(FileType::Directory | FileType::File))
            }
        }
    })
}

/// The root of the main checkout of the linked worktree at `root`; `None` if it is no such.
pub(crate) fn main_checkout(world: &dyn World, root: &AbsPath) -> Option<AbsPath> {
    let read = |path: &AbsPath| {
        let bytes = world.read(path).ok()?;
        Some(String::from_utf8_lossy(&bytes).trim().to_owned())
    };
    let link = read(&root.join(".git"))?;
    let git_dir = root.resolve(link.strip_prefix("gitdir:")?.trim().as_bytes());
    let common = git_dir.resolve(read(&git_dir.join("commondir"))?.as_bytes());
    (common.file_name() == b".git").then(|| common.dirname())
}

/// The root of the repository that the git program finds from `start` upwards.
fn git_root(world: &dyn World, start: &AbsPath) -> Option<AbsPath> {
    for dir in start.ancestors() {
        let git = dir.join(".git");
        let is_root = match world.file_type(&git) {
            Some(FileType::Directory) => is_git_dir(world, &dir, &git),
            Some(FileType::File) => return names_git_dir(world, &git).then_some(dir),
            _ => false,
        };
        if is_root {
            return Some(dir);
        }
    }
    None
}

/// Whether `git`, the `.git` of `dir`, is a git directory. In a repository alone every `.git` is one.
fn is_git_dir(world: &dyn World, dir: &AbsPath, git: &AbsPath) -> bool {
    world.virtual_root() == Some(dir) || world.real_path(git).is_ok_and(|real| world.is_git_dir(&real))
}

/// Whether the file at `path`, as in a worktree or submodule, names a git directory.
fn names_git_dir(world: &dyn World, path: &AbsPath) -> bool {
    let Ok(bytes) = world.read(path) else { return false };
    let target = bytes.trim_ascii().strip_prefix(b"gitdir:").map(<[u8]>::trim_ascii);
    target.is_some_and(|target| world.is_file(&path.dirname().resolve(target).join("HEAD")))
}
