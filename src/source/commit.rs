//! Which tree a commit has. Knows the first line of git's commit format, and nothing of history.

use git2::Oid;
use gix_object::Kind;

use super::SourceError;
use super::objects::{ObjectError, ObjectStore};

/// The tree of the commit `id`.
pub(super) fn tree_of(objects: &ObjectStore, id: Oid) -> Result<Oid, ObjectError> {
    let mut bytes = Vec::new();
    objects.with_reader(|reader| reader.read(id, Kind::Commit, &mut bytes))?;
    tree_line(&bytes).ok_or_else(|| ObjectError::Damaged("it is malformed".to_owned()))
}

/// What is said of a commit that cannot be read.
pub(super) fn unreadable(id: Oid, why: &ObjectError) -> SourceError {
    SourceError::new(format!("commit {id} cannot be read: {why}")).help("run `git fsck`")
}

/// The object that the line `tree ID` names.
fn tree_line(bytes: &[u8]) -> Option<Oid> {
    let line = bytes.strip_prefix(b"tree ")?;
    let id = line.get(..40).filter(|_| line.get(40) == Some(&b'\n'))?;
    Oid::from_str(std::str::from_utf8(id).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_of_a_commit_stands_in_its_first_line() {
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let tree = |text: String| tree_line(text.as_bytes()).map(|id| id.to_string());
        assert_eq!(tree(format!("tree {one}\nparent {two}\nauthor A > <a> 5 +0000\n")), Some(one.clone()));
        for broken in [String::new(), "tree 12\n".to_owned(), format!("parent {one}\n"), format!("tree {one}")] {
            assert_eq!(tree(broken), None);
        }
    }
}
