//! Which package is active: one small file below git's own folder, so that it is never committed, or in the user's state folder
//! outside git. Every change is made under a lock. The file may be anybody's: what makes no sense of it is refused.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use git2::{ObjectType, Oid};
use serde_json::{Value, json};

use super::modules;
use crate::base::path::{RepoPath, os_path_to_bytes};
use crate::env::Env;
use crate::write::{WriteError, WriteRoot};

/// The file's name.
const FILE: &str = "pack.json";
/// Held while the file is read and changed.
const LOCK: &str = "pack.lock";
/// How long the lock is waited for. Its holders only read and write a small file, but a busy machine may hold up a dozen of them.
const PATIENCE: Duration = Duration::from_secs(10);
/// A larger file is not ours.
const MAX_BYTES: u64 = 1 << 20;

/// The active package as the file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Active {
    /// The name of its folder.
    pub(crate) package: String,
    /// The file names of its modules when it was loaded.
    pub(crate) modules: Vec<String>,
}

/// Why the state cannot be read or changed.
#[derive(Debug)]
pub(crate) enum StateError {
    /// There is no folder to keep it in.
    NoHome,
    /// Its folder cannot be used.
    Folder(std::io::Error),
    /// Its file cannot be written or locked.
    Write(WriteError),
    /// Its file is not ours.
    Damaged,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the state of hint packages cannot be kept: ")?;
        match self {
            StateError::NoHome => f.write_str("there is no home directory"),
            StateError::Folder(error) => write!(f, "its folder cannot be used: {error}"),
            StateError::Write(error) => write!(f, "pack.json {error}"),
            StateError::Damaged => f.write_str("pack.json is damaged"),
        }
    }
}

impl std::error::Error for StateError {}

/// Where the state of one worktree is kept.
pub(crate) struct StateFile {
    folder: PathBuf,
}

impl StateFile {
    /// The state of the worktree at `top`, whose git folder is `git_dir`.
    ///
    /// # Errors
    /// When there is neither a git folder nor a home.
    pub(crate) fn of(top: &Path, git_dir: Option<&Path>, env: &Env) -> Result<StateFile, StateError> {
        if let Some(git_dir) = git_dir {
            return Ok(StateFile { folder: git_dir.join("hintlint") });
        }
        let home = env.state_home().ok_or(StateError::NoHome)?;
        let key = Oid::hash_object(ObjectType::Blob, &os_path_to_bytes(top)).map_err(|_| StateError::NoHome)?;
        Ok(StateFile { folder: Path::new(&home).join("hintlint").join(key.to_string()) })
    }

    /// The active package, if there is one.
    ///
    /// # Errors
    /// When the file is there and is not ours.
    pub(crate) fn read(&self) -> Result<Option<Active>, StateError> {
        if std::fs::symlink_metadata(self.folder.join(FILE)).is_err() {
            return Ok(None);
        }
        let root = WriteRoot::new(&self.folder).map_err(StateError::Folder)?;
        read_in(&root)
    }

    /// Make `active` the active package, or none. Answers what was active before; a damaged file is replaced.
    ///
    /// # Errors
    /// When the file cannot be written or is in use by another program.
    pub(crate) fn replace(&self, active: Option<&Active>) -> Result<Option<Active>, StateError> {
        let root = WriteRoot::create_root(&self.folder).map_err(StateError::Folder)?;
        let _lock = root.lock(&RepoPath::from(LOCK), PATIENCE).map_err(StateError::Write)?;
        let before = read_in(&root).ok().flatten();
        root.put(&RepoPath::from(FILE), text(active).as_bytes()).map_err(StateError::Write)?;
        Ok(before)
    }
}

fn read_in(root: &WriteRoot) -> Result<Option<Active>, StateError> {
    let bytes = root.get(&RepoPath::from(FILE), MAX_BYTES).ok_or(StateError::Damaged)?;
    parse(&bytes).ok_or(StateError::Damaged)
}

fn text(active: Option<&Active>) -> String {
    let value = match active {
        None => json!({"version": 1, "active": null, "modules": [], "resource_roots": []}),
        Some(active) => json!({
            "version": 1, "active": active.package, "modules": active.modules, "resource_roots": ["resources/"],
        }),
    };
    format!("{value:#}\n")
}

/// The state in `bytes`; the outer `None` if they are not ours.
fn parse(bytes: &[u8]) -> Option<Option<Active>> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    if value.get("version")?.as_u64()? != 1 {
        return None;
    }
    let package = match value.get("active")? {
        Value::Null => return Some(None),
        Value::String(name) => name.clone(),
        _ => return None,
    };
    let is_module = |name: &&str| modules::is_module(name.as_bytes()) && !name.contains(['/', '\\']);
    let names = value.get("modules")?.as_array()?.iter();
    let modules = names.map(|name| name.as_str().filter(is_module).map(str::to_owned)).collect::<Option<_>>()?;
    Some(Some(Active { package, modules }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn active(package: &str) -> Active {
        Active { package: package.into(), modules: vec!["a.psm1".into()] }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateFile::of(Path::new("/x"), Some(folder.path()), &Env::empty()).unwrap();
        assert_eq!(state.read().unwrap(), None);
        assert!(!folder.path().join("hintlint").exists());
        assert_eq!(state.replace(Some(&active("a"))).unwrap(), None);
        assert_eq!(state.replace(Some(&active("b"))).unwrap(), Some(active("a")));
        assert_eq!(state.read().unwrap(), Some(active("b")));
        assert_eq!(state.replace(None).unwrap(), Some(active("b")));
        assert_eq!(state.read().unwrap(), None);
    }

    #[test]
    fn a_file_that_is_not_ours_is_damaged_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateFile::of(Path::new("/x"), Some(folder.path()), &Env::empty()).unwrap();
        for bytes in [
            "",
            "[]",
            "{\"version\": 2}",
            "{\"version\": 1, \"active\": 3}",
            "{\"version\": 1, \"active\": \"a\", \"modules\": [\"../x.psm1\"]}",
            "{\"version\": 1, \"active\": \"a\", \"modules\": [\"x.exe\"]}",
        ] {
            std::fs::create_dir_all(folder.path().join("hintlint")).unwrap();
            std::fs::write(folder.path().join("hintlint/pack.json"), bytes).unwrap();
            assert!(matches!(state.read(), Err(StateError::Damaged)), "{bytes}");
            assert_eq!(state.replace(Some(&active("a"))).unwrap(), None);
            assert_eq!(state.read().unwrap(), Some(active("a")));
        }
    }

    #[test]
    fn outside_git_each_folder_has_a_state_of_its_own() {
        let home = tempfile::tempdir().unwrap();
        let env = Env::empty().with("HOME", home.path().to_str().unwrap());
        let of = |top: &str| StateFile::of(Path::new(top), None, &env).unwrap();
        of("/x").replace(Some(&active("a"))).unwrap();
        assert_eq!((of("/x").read().unwrap(), of("/y").read().unwrap()), (Some(active("a")), None));
        assert!(home.path().join(".local/state/hintlint").is_dir());
        assert!(matches!(StateFile::of(Path::new("/x"), None, &Env::empty()), Err(StateError::NoHome)));
    }
}
