//! Paths as a person reaches them from the folder that the command was typed in, so that a terminal can open them. Formats for
//! machines never use it: their paths start at the root.

use std::borrow::Cow;
use std::path::Path;

use crate::base::path::{self, RepoPath, os_path_to_bytes};
use crate::base::sanitize;

/// Where the current folder lies, as seen from the repository's root. The default: at the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    /// The current folder below the root; empty at the root and outside the repository.
    folder: Vec<u8>,
    /// The root, relative to the current folder where it lies below that, else absolute; empty inside the repository.
    root: Vec<u8>,
}

impl Reached {
    /// Paths of the repository at `root` for a person in `directory`. Both are absolute, without links.
    pub(crate) fn new(root: &Path, directory: &Path) -> Reached {
        let bytes = |path: &Path| os_path_to_bytes(path);
        match (directory.strip_prefix(root), root.strip_prefix(directory)) {
            (Ok(folder), _) => Reached { folder: bytes(folder), root: Vec::new() },
            (Err(_), Ok(below)) => Reached { folder: Vec::new(), root: bytes(below) },
            (Err(_), Err(_)) => Reached { folder: Vec::new(), root: bytes(root) },
        }
    }

    /// `path` as it is reached, fit to print.
    pub(crate) fn path(&self, path: &RepoPath) -> Cow<'static, str> {
        Cow::Owned(sanitize::path(&RepoPath::new(self.bytes(path.as_bytes()))).into_owned())
    }

    /// `path` as it is reached, as an argument for a shell.
    pub(crate) fn argument(&self, path: &RepoPath) -> String {
        // A name that begins with a hyphen would be an option.
        let path = self.path(path);
        path::shell_word(&if path.starts_with('-') { format!("./{path}") } else { path.into_owned() })
    }

    /// `path` as it is reached.
    fn bytes(&self, path: &[u8]) -> Vec<u8> {
        if !self.root.is_empty() {
            return if path.is_empty() { self.root.clone() } else { path::join(&self.root, path) };
        }
        let mut shared = self.folder.as_slice();
        let mut climbs = 0;
        while !path::is_at_or_below(path, shared) {
            shared = path::parent(shared);
            climbs += 1;
        }
        let below = match shared.is_empty() {
            true => path,
            false => path.get(shared.len() + 1..).unwrap_or_default(),
        };
        let mut parts = vec![b"..".as_slice(); climbs];
        parts.extend((!below.is_empty()).then_some(below));
        if parts.is_empty() { b".".to_vec() } else { parts.join(&b'/') }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each path as it is reached from `directory`, where the root is `/r`.
    fn reached<const N: usize>(directory: &str, paths: [&str; N]) -> [String; N] {
        let reached = Reached::new(Path::new("/r"), Path::new(directory));
        paths.map(|path| reached.path(&path.into()).into_owned())
    }

    #[test]
    fn arguments_are_one_word_each() {
        let reached = Reached::new(Path::new("/r"), Path::new("/r/p"));
        let arguments = ["A.md", "p/-x", "p/it's.md", "p/a b"].map(|path| reached.argument(&path.into()));
        assert_eq!(arguments, ["../A.md", "./-x", r"'it'\''s.md'", "'a b'"]);
    }

    #[test]
    fn from_inside_below_and_outside() {
        let paths = ["A.md", "p/A.md", "p/q/A.md", "pq/A.md", "p", ""];
        assert_eq!(reached("/r", paths), ["A.md", "p/A.md", "p/q/A.md", "pq/A.md", "p", "."]);
        assert_eq!(reached("/r/p", paths), ["../A.md", "A.md", "q/A.md", "../pq/A.md", ".", ".."]);
        assert_eq!(reached("/r/p/q", paths), ["../../A.md", "../A.md", "A.md", "../../pq/A.md", "..", "../.."]);
        assert_eq!(reached("/", ["A.md", ""]), ["r/A.md", "r"]);
        assert_eq!(reached("/other", ["A.md", ""]), ["/r/A.md", "/r"]);
    }
}
