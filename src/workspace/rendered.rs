//! The hint files that a package manager of hints writes for each agent in its own way, by its lock. Knows no rule.

use std::collections::BTreeSet;

use super::Workspace;
use crate::base::path::{self, RepoPath};
use crate::source::Source;

/// Locks at the root that name the files which the manager wrote: of prpm, and of Microsoft's apm.
const LOCKS: [&str; 3] = ["prpm.lock", "apm.lock.yaml", "apm.lock"];
/// A longer lock is not read.
const MAX_LOCK: usize = 4 << 20;
/// The parts of a folder's path from which on a lock that names it means all that it holds.
const MIN_PARTS: usize = 3;

/// The documents that a lock names, or of which it names the folder.
pub(super) fn collect(source: &dyn Source, workspace: &Workspace) -> BTreeSet<RepoPath> {
    let locks: Vec<RepoPath> =
        LOCKS.iter().filter(|lock| workspace.listing.contains(lock.as_bytes())).map(|lock| (*lock).into()).collect();
    if locks.is_empty() {
        return BTreeSet::new();
    }
    let texts = source.read_many(&locks);
    let texts: Vec<_> = texts.into_iter().flatten().filter(|bytes| bytes.len() <= MAX_LOCK).collect();
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"',".contains(byte);
    let named: BTreeSet<&[u8]> = texts
        .iter()
        .flat_map(|bytes| bytes.split(is_end))
        .map(|word| word.strip_prefix(b"./").unwrap_or(word))
        .map(|word| word.strip_suffix(b"/").unwrap_or(word))
        .collect();
    let is_named = |path: &RepoPath| {
        let above = path::ancestors_from_root(path.parent()).into_iter();
        let mut folders = above.filter(|folder| folder.split(|&byte| byte == b'/').count() >= MIN_PARTS);
        named.contains(path.as_bytes()) || folders.any(|folder| named.contains(folder))
    };
    workspace.documents.iter().map(|document| &document.path).filter(|path| is_named(path)).cloned().collect()
}
