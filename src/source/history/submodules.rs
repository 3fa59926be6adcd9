//! Folders that belonged to submodules once: every path that some version of `.gitmodules` gives, in the source or in a commit. Bounded.

use std::collections::BTreeSet;

use super::cache::RecalledHistory;
use super::commits::{self, CommitEvent, WantedChanges};
use super::search::Teller;
use super::{Answers, Fate, History, Questions};
use crate::base::path::RepoPath;
use crate::source::Source;
use crate::source::program::{ProgramError, from_hex};

/// The file in which git keeps the paths of submodules.
const MODULES: &str = ".gitmodules";
/// Most commits whose version of the file is read, and most bytes of one version.
const MAX_VERSIONS: usize = 200;
const MAX_BYTES: usize = 256 << 10;

/// The question what became of `.gitmodules`, where the answer tells whether there ever was one.
pub(super) fn question(questions: &Questions, source: &dyn Source) -> Option<RepoPath> {
    let modules = RepoPath::from(MODULES);
    let is_open = questions.submodules && !source.listing().contains(modules.as_bytes());
    (is_open && !questions.fates.contains(&modules)).then_some(modules)
}

/// The paths of all submodules of the past that `source` has no files of. Where history cannot be read there are none, and the other
/// answers say why.
pub(super) fn former(
    history: &History,
    questions: &Questions,
    answers: &Answers,
    source: &dyn Source,
) -> BTreeSet<RepoPath> {
    let modules = RepoPath::from(MODULES);
    let is_there = source.listing().contains(modules.as_bytes());
    let was_there = matches!(answers.fate(&modules), Fate::Deleted { .. } | Fate::Gone { .. } | Fate::Renamed { .. });
    if !questions.submodules || !is_there && !was_there {
        return BTreeSet::new();
    }
    let mut found = BTreeSet::new();
    if is_there {
        let now = source.read_many(std::slice::from_ref(&modules));
        now.into_iter().flatten().for_each(|bytes| found.extend(paths(&bytes)));
    }
    let head = history.head().ok().flatten();
    let events = head.and_then(|head| versions(history, &head).ok()).unwrap_or_default();
    let of_file = events.iter().flat_map(|event| &event.changes).filter(|change| change.from == modules.as_bytes());
    let ids: Vec<Vec<u8>> = of_file.take(MAX_VERSIONS).filter_map(|change| from_hex(&change.object)).collect();
    let ids: Vec<&[u8]> = ids.iter().map(Vec::as_slice).collect();
    history.repository.blobs(&ids).into_iter().flatten().for_each(|bytes| found.extend(paths(&bytes)));
    found.retain(|path| !source.listing().has_dir(path.as_bytes()));
    found
}

/// The newest commits that changed the file, with what they changed of it at least.
fn versions(history: &History, head: &str) -> Result<Vec<CommitEvent>, ProgramError> {
    let repository = &history.repository;
    let names = BTreeSet::from([MODULES.as_bytes().to_vec()]);
    let wanted = WantedChanges { renames: false, exact_only: false, modifications: true };
    if let Some(mut kept) = history.kept() {
        let cache = &mut kept.cache;
        if let Some(order) = cache.reach(repository, head)? {
            let mut recalled = RecalledHistory { cache, repository, order: &order, wanted };
            let events = Teller::touching(&mut recalled, &names)?;
            // The cache knows the commits, and no objects.
            let ids: Vec<&str> = events.iter().take(MAX_VERSIONS).map(|event| event.commit.id.as_str()).collect();
            return commits::whole(repository, ids.into_iter(), &wanted);
        }
    }
    commits::touching(repository, head, &names, &wanted)
}

/// The paths in a version of the file.
fn paths(bytes: &[u8]) -> Vec<RepoPath> {
    let lines = bytes.split(|&byte| byte == b'\n').take_while(|_| bytes.len() <= MAX_BYTES);
    let path = |line: &[u8]| {
        let value = line.trim_ascii().strip_prefix(b"path")?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii();
        let value = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(value);
        let value = value.strip_suffix(b"/").unwrap_or(value);
        (!value.is_empty()).then(|| RepoPath::new(value))
    };
    lines.filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_behind_their_key() {
        let text = b"[submodule \"a\"]\n\tpath = libs/a\n\turl = ../a\n[submodule \"b\"]\n  path=\"libs/b c/\"\n\tpathspec = no\n";
        assert_eq!(paths(text), [RepoPath::from("libs/a"), RepoPath::from("libs/b c")]);
        assert_eq!(paths(b"path =\n# path = x\n"), []);
    }
}
