//! Where a path of a repository leads when its symbolic links are followed inside the repository. Reads nothing itself: the
//! caller says where a link points and what stands at a path without links.

use crate::base::path::{self, RepoPath};

/// How many links one path may pass through.
const MAX_LINKS: usize = 40;

/// What a path leads to when links are followed, component by component, inside the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// A regular file, under its own path.
    File(RepoPath),
    /// A directory, under its own path.
    Directory(RepoPath),
    /// A submodule, or something inside one.
    Submodule,
    /// A FIFO, device or socket.
    Special,
    /// Nothing: this path, after following the links before it, does not exist.
    Missing(RepoPath),
    /// A link or `..` leads out of the repository, or a part of it into a git directory.
    Outside,
    /// Links lead in a circle.
    Loop,
}

/// Follow `path`. `link` finds the first component that is a link: its path and its target as written. `..` in a target
/// climbs in the text of the path.
pub(crate) fn follow(
    path: &[u8],
    link: impl Fn(&[u8]) -> Option<(usize, Vec<u8>)>,
    classify: impl Fn(&[u8]) -> Resolution,
) -> Resolution {
    let mut current = path.to_vec();
    for _ in 0..MAX_LINKS {
        let Some((end, target)) = link(&current) else { return classify(&current) };
        if target.starts_with(b"/") {
            return Resolution::Outside;
        }
        let rest = current.get(end + 1..).unwrap_or_default();
        let next = path::resolve(path::parent(&current[..end]), &target).and_then(|at| path::resolve(&at, rest));
        match next {
            Some(next) => current = next,
            None => return Resolution::Outside,
        }
    }
    Resolution::Loop
}

/// Where the components of `path` end.
pub fn ends(path: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'/', path).chain(std::iter::once(path.len()))
}
