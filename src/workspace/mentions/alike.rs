//! The folder beside one that never was which is spelt nearly the same. Reads the listing only.

use crate::base::path::{self, RepoPath};
use crate::base::text::edit_distance;
use crate::source::Listing;

/// Letters of a name of which one may be wrong, and of one of which two may be.
const SHORT: usize = 5;
const LONG: usize = 9;

/// The only folder beside `missing` whose name differs from it in a letter or two. Names that end in figures count something.
pub(super) fn spelt_alike(listing: &Listing, missing: &RepoPath) -> Option<RepoPath> {
    let dir = missing.parent();
    let name = std::str::from_utf8(missing.file_name()).ok()?;
    let most = match name.len() {
        LONG.. => 2,
        SHORT.. => 1,
        _ => return None,
    };
    let figures = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let is_alike = |other: &[u8]| {
        let other = std::str::from_utf8(other).unwrap_or_default();
        other != name && figures(other) == figures(name) && edit_distance(name, other) <= most
    };
    let children = listing.children(dir);
    let folders = children.iter().map(|(other, _)| path::join(dir, other)).filter(|full| listing.has_dir(full));
    let mut alike = folders.filter(|full| is_alike(path::file_name(full)));
    let only = alike.next().filter(|_| alike.next().is_none())?;
    Some(RepoPath::new(only))
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
        assert_eq!(found("pkg/test").as_deref(), None);
        for other in ["pkg/control/stage2", "pkg/control/apis", "pkg/control/renderers", "pkg/validators"] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
