//! The extension `TREE` of an index: the names of the trees that a commit of exactly what is staged would have, as far as git
//! left them there.

use std::collections::BTreeMap;

use super::ID;

/// One entry of the extension `TREE`: a name, NUL, the number of files below it, SP, the number of subtrees, LF, and the tree's
/// object name, which is left out where the number is negative because something below has changed. The subtrees follow.
#[derive(Clone, Copy, Debug)]
pub(in crate::source) struct CachedTree<'e> {
    /// The directory's name; empty for the root.
    name: &'e [u8],
    /// The tree, unless something below it has changed.
    pub(in crate::source) id: Option<&'e [u8]>,
    subtrees: usize,
    /// What follows: the subtrees, and what follows them.
    rest: &'e [u8],
}

impl<'e> CachedTree<'e> {
    /// The entry that `extension` begins with; `None` if that is none.
    pub(in crate::source) fn first(extension: &'e [u8]) -> Option<Self> {
        let name_end = memchr::memchr(0, extension)?;
        let rest = &extension[name_end + 1..];
        let line_end = memchr::memchr(b'\n', rest)?;
        let line = std::str::from_utf8(&rest[..line_end]).ok()?;
        let (files, subtrees) = line.split_once(' ')?;
        let (files, subtrees) = (files.parse::<i64>().ok()?, subtrees.parse().ok()?);
        let rest = &rest[line_end + 1..];
        let (id, rest) = if files < 0 { (None, rest) } else { (Some(rest.get(..ID)?), &rest[ID..]) };
        Some(CachedTree { name: &extension[..name_end], id, subtrees, rest })
    }

    /// The entries of the directories directly below this one, by name; of a damaged extension, those before the damage.
    pub(in crate::source) fn children(&self) -> BTreeMap<&'e [u8], CachedTree<'e>> {
        let mut children = BTreeMap::new();
        let mut rest = self.rest;
        for _ in 0..self.subtrees {
            let Some(child) = CachedTree::first(rest) else { break };
            let Some(behind) = child.behind() else { break };
            children.insert(child.name, child);
            rest = behind;
        }
        children
    }

    /// What follows this entry and all of its subtrees.
    fn behind(&self) -> Option<&'e [u8]> {
        let (mut rest, mut open) = (self.rest, self.subtrees);
        while open > 0 {
            let next = CachedTree::first(rest)?;
            open = (open - 1).checked_add(next.subtrees)?;
            rest = next.rest;
        }
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees_are_found_by_name() {
        let id = |number: u8| [number; ID];
        let extension =
            [&b"\x00-1 2\n"[..], b"a\x002 1\n", &id(1), b"b\x001 0\n", &id(2), b"b\x00-1 1\n", b"c\x001 0\n", &id(3)]
                .concat();
        let root = CachedTree::first(&extension).expect("valid");
        let path = |names: &[&str]| {
            let found = names.iter().try_fold(root, |tree, name| tree.children().get(name.as_bytes()).copied())?;
            Some(found.id.map(|id| id[0]))
        };
        assert_eq!(path(&["a"]), Some(Some(1)));
        assert_eq!(path(&["a", "b"]), Some(Some(2)));
        assert_eq!(path(&["b"]), Some(None));
        assert_eq!(path(&["b", "c"]), Some(Some(3)));
        assert_eq!((path(&["c"]), path(&["a", "c"])), (None, None));
        for length in 0..extension.len() {
            let cut = CachedTree::first(&extension[..length]);
            assert!(cut.is_none_or(|root| root.children().len() < 2));
        }
    }
}
