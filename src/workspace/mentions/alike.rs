//! Files and folders that a path which never was is taken for: spelt nearly the same, or in the folder beside. Reads the listing only.

use super::own_sources::is_source;
use crate::base::path::{self, RepoPath};
use crate::base::text::edit_distance;
use crate::discover;
use crate::source::Listing;

/// Letters of a name of which one may be wrong, and of one of which two may be.
const SHORT: usize = 5;
const LONG: usize = 9;

/// The only folder beside `missing` whose name differs from it in a letter or two, or as one thing from many. Names that end in figures
/// count something.
pub(super) fn spelt_alike(listing: &Listing, missing: &RepoPath) -> Option<RepoPath> {
    let dir = missing.parent();
    let name = std::str::from_utf8(missing.file_name()).ok()?;
    let most = match name.len() {
        LONG.. => 2,
        SHORT.. => 1,
        _ => 0,
    };
    let is_plural = |one: &str, many: &str| one.len() > 2 && many.strip_suffix('s') == Some(one);
    let figures = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let is_alike = |other: &[u8]| {
        let other = std::str::from_utf8(other).unwrap_or_default();
        let is_one_of_many = is_plural(name, other) || is_plural(other, name);
        other != name && figures(other) == figures(name) && (is_one_of_many || edit_distance(name, other) <= most)
    };
    let children = listing.children(dir);
    let folders = children.iter().map(|(other, _)| path::join(dir, other)).filter(|full| listing.has_dir(full));
    let mut alike = folders.filter(|full| is_alike(path::file_name(full)));
    let only = alike.next().filter(|_| alike.next().is_none())?;
    Some(RepoPath::new(only))
}

/// Whether `found` ends in what `written` says but for a letter or two of one folder: `scipts/sync.sh` for `scripts/sync.sh`.
pub(super) fn is_slip_of_a_folder(written: &str, found: &[u8]) -> bool {
    let found = String::from_utf8_lossy(found);
    let (ours, theirs): (Vec<&str>, Vec<&str>) = (written.split('/').collect(), found.split('/').collect());
    let Some(theirs) = theirs.len().checked_sub(ours.len()).map(|above| &theirs[above..]) else { return false };
    let mut others = ours.iter().zip(theirs).filter(|(a, b)| a != b);
    let only = others.next().filter(|_| others.next().is_none() && ours.last() == theirs.last());
    only.is_some_and(|(ours, theirs)| {
        let most = if ours.len() >= LONG { 2 } else { usize::from(ours.len() > SHORT) };
        edit_distance(ours, theirs) <= most
    })
}

/// The only source beside `missing`, a folder, that has its name before the ending: `src/transport.ts` for `src/transport`.
pub(super) fn source_called(listing: &Listing, missing: &RepoPath) -> Option<RepoPath> {
    let begin = [missing.file_name(), b"."].concat();
    let children = listing.children(missing.parent());
    let is_it = |name: &[u8]| name.starts_with(&begin) && !name[begin.len()..].contains(&b'.') && is_source(name);
    let mut found = children.iter().filter(|(name, _)| is_it(name));
    let (name, _) = found.next().filter(|_| found.next().is_none())?;
    // At the root stand settings of tools.
    (!missing.parent().is_empty()).then(|| RepoPath::new(path::join(missing.parent(), name)))
}

/// Whether two names differ in nothing but hyphens and underscores.
pub(crate) fn is_spelt_so(name: &[u8], written: &str) -> bool {
    let same = |(a, b): (&u8, &u8)| a == b || matches!((a, b), (b'-', b'_') | (b'_', b'-'));
    name.len() == written.len() && name.iter().zip(written.as_bytes()).all(same)
}

/// The only file of the repository, or below `dir`, whose name has hyphens where `name`, that of a script, has underscores, or the
/// other way round.
pub(super) fn with_other_dashes(listing: &Listing, dir: &[u8], name: &str) -> Option<RepoPath> {
    let scripts = [".bash", ".cjs", ".js", ".mjs", ".ps1", ".py", ".rb", ".sh", ".ts"];
    if !scripts.iter().any(|end| name.ends_with(end)) {
        return None;
    }
    let other = match (name.contains('_'), name.contains('-')) {
        (true, false) => name.replace('_', "-"),
        (false, true) => name.replace('-', "_"),
        _ => return None,
    };
    let all = listing.with_name(other.as_bytes());
    let below: Vec<&[u8]> =
        all.iter().copied().filter(|file| !dir.is_empty() && path::is_at_or_below(file, dir)).collect();
    match (&*all, &*below) {
        ([only], _) | (_, [only]) => Some(RepoPath::new(only)),
        _ => None,
    }
}

/// The shortest name, without its ending, that one folder has and no other.
const MIN_STEM: usize = 8;

/// Folders of tests, whose files are called like what they test.
fn is_of_tests(path: &str) -> bool {
    let is_test = |part: &str| discover::TESTS.contains(&part) || matches!(part, "fixtures" | "mocks");
    path.to_ascii_lowercase().split('/').any(is_test)
}

/// Whether the folder that `written` names stands beside the one in which `found` lies: the text took one for the other.
pub(super) fn is_in_a_sister_folder(listing: &Listing, written: &str, found: &[u8]) -> bool {
    let folder = String::from_utf8_lossy(path::parent(written.as_bytes())).into_owned();
    let stem = written.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    let mut above = path::parent(found);
    for _ in folder.split('/') {
        if above.is_empty() {
            return false;
        }
        above = path::parent(above);
    }
    stem.len() >= MIN_STEM
        && !folder.is_empty()
        && !is_of_tests(&folder)
        && !is_of_tests(&String::from_utf8_lossy(found))
        && listing.has_dir(&path::join(above, folder.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Memory, Source};

    #[test]
    fn one_folder_is_spelt_nearly_the_same() {
        let files = ["pkg/control/validator/a.go", "pkg/control/stage1/a.go", "pkg/control/api/a.go", "pkg/tests/a.go"];
        let source = Memory::of_files(files.map(|file| (file, "")));
        let found =
            |path: &str| spelt_alike(source.listing(), &path.into()).map(|found| found.to_str_lossy().into_owned());
        assert_eq!(found("pkg/control/validators").as_deref(), Some("pkg/control/validator"));
        assert_eq!(found("pkg/test").as_deref(), Some("pkg/tests"));
        assert_eq!(found("pkg/control/apis").as_deref(), Some("pkg/control/api"));
        for other in ["pkg/control/stage2", "pkg/control/apt", "pkg/control/renderers", "pkg/validators"] {
            assert_eq!(found(other), None, "{other}");
        }
    }

    #[test]
    fn a_letter_of_a_folder_is_wrong() {
        assert!(is_slip_of_a_folder("scipts/sync.sh", b"scripts/sync.sh"));
        assert!(is_slip_of_a_folder("src/compnents/Row.tsx", b"web/src/components/Row.tsx"));
        for (written, found) in [
            ("scripts/sync.sh", &b"scripts/sync.sh"[..]),
            ("docs/a.md", b"docz/a.md"),
            ("backend/a.py", b"frontend/a.py"),
            ("a/scipts/sync.sh", b"scripts/sync.sh"),
            ("scipts/sync.sh", b"scripts/sink.sh"),
        ] {
            assert!(!is_slip_of_a_folder(written, found), "{written}");
        }
    }

    #[test]
    fn one_source_has_the_name_of_the_folder() {
        let files = ["src/transport.ts", "src/a.ts", "src/a.rs", "src/b.test.ts", "src/c.json", "docs.ts"];
        let source = Memory::of_files(files.map(|file| (file, "")));
        let found =
            |path: &str| source_called(source.listing(), &path.into()).map(|found| found.to_str_lossy().into_owned());
        assert_eq!(found("src/transport").as_deref(), Some("src/transport.ts"));
        for other in ["src/a", "src/b", "src/c", "src/trans", "docs", "lib/transport"] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
