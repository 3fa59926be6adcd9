//! The part of the environment that says where git's data lies, as a hook sees it, and what the `git` program may be told.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Variables that move parts of a repository to places that only the `git` program follows.
const MOVED_PARTS: [&str; 7] = [
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_SHALLOW_FILE",
    "GIT_NAMESPACE",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
];

/// Further variables of git that are handed to the `git` program: where to search, and configuration. All other variables
/// whose names begin with `GIT_` are kept from it, since they change what it prints or start programs.
const PASSED: [&str; 8] = [
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_EXEC_PATH",
    "GIT_NO_REPLACE_OBJECTS",
];

/// An environment, as far as git is concerned.
#[derive(Clone, Debug, Default)]
pub struct GitVars {
    variables: Vec<(OsString, OsString)>,
}

impl GitVars {
    /// From all variables of a process.
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut variables: Vec<_> = variables.into_iter().collect();
        variables.sort();
        GitVars { variables }
    }

    fn get(&self, name: &str) -> Option<&OsStr> {
        let found = self.variables.iter().find(|variable| variable.0 == name);
        found.map(|(_, value)| value.as_os_str()).filter(|value| !value.is_empty())
    }

    fn path(&self, name: &str, base: &Path) -> Option<PathBuf> {
        self.get(name).map(|value| base.join(value))
    }

    /// `GIT_DIR`; a relative one is taken from `base`.
    pub(super) fn git_dir(&self, base: &Path) -> Option<PathBuf> {
        self.path("GIT_DIR", base)
    }

    /// `GIT_WORK_TREE`; a relative one is taken from `base`.
    pub(super) fn work_tree(&self, base: &Path) -> Option<PathBuf> {
        self.path("GIT_WORK_TREE", base)
    }

    /// `GIT_INDEX_FILE`; a relative one is taken from `base`, which for git is the top of the worktree.
    pub(super) fn index_file(&self, base: &Path) -> Option<PathBuf> {
        self.path("GIT_INDEX_FILE", base)
    }

    /// Directories that the search for a repository does not climb into.
    pub(super) fn ceilings(&self) -> Vec<PathBuf> {
        self.get("GIT_CEILING_DIRECTORIES").map(|value| std::env::split_paths(value).collect()).unwrap_or_default()
    }

    /// Whether parts of the repository lie where only the `git` program looks.
    pub(super) fn moves_parts(&self) -> bool {
        MOVED_PARTS.iter().any(|name| self.get(name).is_some())
    }

    /// Whether the user says where the part of a repository lies that linked worktrees share.
    pub(super) fn moves_common_dir(&self) -> bool {
        self.get("GIT_COMMON_DIR").is_some()
    }

    /// The user's home directory, as git knows it.
    pub(super) fn home(&self) -> Option<PathBuf> {
        self.get("HOME").map(PathBuf::from)
    }

    /// Whether objects are read as `git replace` has it.
    pub(super) fn follows_replacements(&self) -> bool {
        self.get("GIT_NO_REPLACE_OBJECTS").is_none()
    }

    /// What the `git` program gets: everything that is not git's, and of git's what is known to be harmless.
    pub(super) fn for_program(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        let harmless = |name: &OsStr| match name.to_str() {
            Some(name) if name.starts_with("GIT_") => {
                PASSED.contains(&name)
                    || MOVED_PARTS.contains(&name)
                    || name == "GIT_CONFIG_COUNT"
                    || name.starts_with("GIT_CONFIG_KEY_")
                    || name.starts_with("GIT_CONFIG_VALUE_")
            }
            _ => true,
        };
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str())).filter(move |v| harmless(v.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_gets_no_variable_that_changes_its_output() {
        let names = ["PATH", "HOME", "GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_TRACE", "GIT_CONFIG_KEY_0", "GIT_PAGER"];
        let vars = GitVars::new(names.map(|name| (name.into(), "x".into())));
        let passed: Vec<_> = vars.for_program().map(|(name, _)| name.to_str()).collect();
        assert_eq!(passed, [Some("GIT_CONFIG_KEY_0"), Some("HOME"), Some("PATH")]);
        assert_eq!(vars.git_dir(Path::new("/base")), Some(PathBuf::from("/base/x")));
        assert_eq!(vars.index_file(Path::new("/base")), None);
    }
}
