//! Whether a repository's own ignore files exclude a path: `.gitignore` files only, never the user's excludes. Knows no
//! repository: the caller hands in the files' bytes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bstr::ByteSlice;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::base::path::{bytes_to_os_path, join, parent};

/// The name of ignore files.
pub(crate) const FILE_NAME: &[u8] = b".gitignore";

/// Gives the bytes of a listed ignore file.
pub(crate) type ReadFile<'a> = &'a dyn Fn(&[u8]) -> Option<Arc<[u8]>>;

/// The ignore files of a directory and of those above it, innermost first.
#[derive(Debug)]
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    /// Length of the directory's path with its final `/`; patterns are matched against what follows.
    skip: usize,
    patterns: Gitignore,
}

impl Rules {
    /// The rules inside `dir`, whose ignore file has `bytes`. A line that is no pattern is passed over, as git does.
    pub(super) fn new(above: Option<Arc<Rules>>, dir: &[u8], bytes: &[u8]) -> Option<Arc<Rules>> {
        let mut builder = GitignoreBuilder::new("");
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        for line in text.lines() {
            let _ = builder.add_line(None, &line.to_str_lossy());
        }
        let Ok(patterns) = builder.build() else { return above };
        if patterns.is_empty() {
            return above;
        }
        let skip = if dir.is_empty() { 0 } else { dir.len() + 1 };
        Some(Arc::new(Rules { above, skip, patterns }))
    }
}

/// Whether `rules` exclude `path`, given that they exclude no directory above it.
pub(super) fn excludes(rules: Option<&Arc<Rules>>, path: &[u8], is_dir: bool) -> bool {
    let mut next = rules;
    while let Some(rules) = next {
        match rules.patterns.matched(bytes_to_os_path(&path[rules.skip..]), is_dir) {
            Match::Ignore(_) => return true,
            Match::Whitelist(_) => return false,
            Match::None => next = rules.above.as_ref(),
        }
    }
    false
}

/// Answers for any path of a source, reading its ignore files as they are needed.
#[derive(Debug, Default)]
pub(crate) struct Ignored {
    /// By directory: its rules, or that the directory itself is excluded.
    directories: Mutex<HashMap<Vec<u8>, DirectoryIgnore>>,
}

#[derive(Clone, Debug)]
enum DirectoryIgnore {
    Excluded,
    Open(Option<Arc<Rules>>),
}

impl Ignored {
    /// Whether `path` is excluded, itself or with a directory above it. It need not exist, so both a file and a directory of
    /// that name are considered.
    pub(crate) fn excludes(&self, path: &[u8], read: ReadFile<'_>) -> bool {
        if path.is_empty() {
            return false;
        }
        match self.directory(parent(path), read) {
            DirectoryIgnore::Excluded => true,
            DirectoryIgnore::Open(rules) => {
                excludes(rules.as_ref(), path, false) || excludes(rules.as_ref(), path, true)
            }
        }
    }

    fn directory(&self, dir: &[u8], read: ReadFile<'_>) -> DirectoryIgnore {
        let mut known = self.directories.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = DirectoryIgnore::Open(None);
        for dir in crate::base::path::ancestors_from_root(dir) {
            if let Some(found) = known.get(dir) {
                state = found.clone();
                continue;
            }
            if let DirectoryIgnore::Open(above) = &state {
                state = match !dir.is_empty() && excludes(above.as_ref(), dir, true) {
                    true => DirectoryIgnore::Excluded,
                    false => DirectoryIgnore::Open(match read(&join(dir, FILE_NAME)) {
                        Some(bytes) => Rules::new(above.clone(), dir, &bytes),
                        None => above.clone(),
                    }),
                };
            }
            known.insert(dir.to_vec(), state.clone());
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excluded(files: &[(&str, &str)], path: &str) -> bool {
        let read = |path: &[u8]| {
            let found = files.iter().find(|file| file.0.as_bytes() == path)?;
            Some(Arc::from(found.1.as_bytes()))
        };
        Ignored::default().excludes(path.as_bytes(), &read)
    }

    #[test]
    fn patterns_hold_below_their_file() {
        let files = [(".gitignore", "*.log\n/top\nbuild/\n"), ("a/.gitignore", "!keep.log\nlocal\n")];
        for path in ["x.log", "a/b/x.log", "top", "build", "build/x/y.md", "a/build/x", "a/local", "a/b/local/c"] {
            assert!(excluded(&files, path), "{path}");
        }
        for path in ["a/keep.log", "a/top", "local", "b/local", "a", "", ".gitignore"] {
            assert!(!excluded(&files, path), "{path}");
        }
    }

    #[test]
    fn nothing_returns_from_an_excluded_directory() {
        let files = [(".gitignore", "out\n!out/keep.md\n"), ("out/.gitignore", "!*\n")];
        assert!(excluded(&files, "out/keep.md"));
    }

    #[test]
    fn odd_files_are_read_as_git_reads_them() {
        let files = [(".gitignore", "\u{feff}bom\r\n# comment\n[\n\\#literal\ntrailing   \n")];
        for path in ["bom", "#literal", "trailing"] {
            assert!(excluded(&files, path), "{path}");
        }
        assert!(!excluded(&files, "comment"));
    }
}
