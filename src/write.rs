//! The only writer of user files: each change is atomic, checked against the bytes it was made from, and stays inside the
//! root. Knows nothing of hints; bytes go out as given.

use std::fmt;
use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use crate::path::RepoPath;

/// The folder that writes may not leave, with all links resolved.
#[derive(Clone, Debug)]
pub struct Root(PathBuf);

/// What a write came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The file has the new bytes now.
    Changed,
    /// It had them already.
    Unchanged,
}

/// Why a file was left as it was.
#[derive(Debug)]
pub struct WriteError {
    /// The file.
    pub path: RepoPath,
    /// What stood in the way.
    pub problem: Problem,
}

/// What stood in the way of a write.
#[derive(Debug)]
pub enum Problem {
    /// The path, or what its links lead to, lies outside the root or in git's own folder.
    Outside,
    /// Nothing is there, although something was read there.
    Missing,
    /// Something is there, although nothing was.
    Exists,
    /// A directory, FIFO, device or socket.
    NotAFile,
    /// What should be the folder above it, or one above that, is something else.
    NotAFolder(PathBuf),
    /// Its bytes are not those that the change was made from.
    ChangedSinceRead,
    /// The file has no write permission.
    ReadOnlyFile,
    /// The folder that holds it has no write permission.
    ReadOnlyFolder(PathBuf),
    /// The operating system refused; what was tried, and its answer.
    Io(&'static str, io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Problem::Outside => f.write_str("lies outside the repository, or in its .git folder; nothing was written"),
            Problem::Missing => f.write_str("is gone since it was read; nothing was written"),
            Problem::Exists => f.write_str("exists already, perhaps ignored by git; nothing was written"),
            Problem::NotAFile => f.write_str("is no regular file; nothing was written"),
            Problem::NotAFolder(place) => {
                write!(f, "cannot be written: {} is no folder", place.display())
            }
            Problem::ChangedSinceRead => f.write_str("changed since it was read; nothing was written, run again"),
            Problem::ReadOnlyFile => f.write_str("is read-only; nothing was written"),
            Problem::ReadOnlyFolder(folder) => {
                write!(f, "cannot be written: the folder {} is read-only", folder.display())
            }
            Problem::Io(what, error) => write!(f, "cannot {what}: {error}"),
        }
    }
}

impl std::error::Error for WriteError {}

impl Root {
    /// The root of all writes of a run.
    ///
    /// # Errors
    /// When the folder cannot be resolved.
    pub fn new(folder: &Path) -> io::Result<Self> {
        fs::canonicalize(folder).map(Root)
    }

    /// Replace the bytes of an existing file. A link is followed to its target, which must lie inside the root. The mode stays.
    ///
    /// # Errors
    /// When the file no longer holds `before`, or cannot be written; it is then as it was.
    pub fn replace(&self, path: &RepoPath, before: &[u8], after: &[u8]) -> Result<Written, WriteError> {
        self.try_replace(path, before, after).map_err(|problem| WriteError { path: path.clone(), problem })
    }

    /// Create a file that must not exist yet, with the folders above it.
    ///
    /// # Errors
    /// When something else is there, or the file cannot be written.
    pub fn create(&self, path: &RepoPath, after: &[u8]) -> Result<Written, WriteError> {
        self.try_create(path, after).map_err(|problem| WriteError { path: path.clone(), problem })
    }

    /// Delete a regular file (never through a link) that still holds `before`, and the folders that this leaves empty, up to
    /// but not including `keep`.
    ///
    /// # Errors
    /// When the file changed, or cannot be deleted.
    pub fn delete(&self, path: &RepoPath, before: &[u8], keep: &[u8]) -> Result<(), WriteError> {
        self.try_delete(path, before, keep).map_err(|problem| WriteError { path: path.clone(), problem })
    }

    fn try_replace(&self, path: &RepoPath, before: &[u8], after: &[u8]) -> Result<Written, Problem> {
        let target = self.resolve(&self.0.join(relative(path)?))?;
        let metadata = regular_file(&target)?;
        if metadata.permissions().readonly() {
            return Err(Problem::ReadOnlyFile);
        }
        match check_unchanged(&target, before, after)? {
            Written::Unchanged => Ok(Written::Unchanged),
            Written::Changed => {
                let file = temporary(&target, after, Some(&metadata))?;
                // As late as possible: what is lost between this look and the rename cannot be helped without locks.
                check_unchanged(&target, before, after)?;
                file.persist(&target).map_err(|error| Problem::Io("rename the new file into place", error.error))?;
                Ok(Written::Changed)
            }
        }
    }

    fn try_create(&self, path: &RepoPath, after: &[u8]) -> Result<Written, Problem> {
        let target = self.0.join(relative(path)?);
        let folder = target.parent().unwrap_or(&self.0);
        self.make_folders(folder)?;
        match fs::symlink_metadata(&target) {
            Ok(metadata) if metadata.is_file() => {
                let same = fs::read(&target).map_err(|error| Problem::Io("read", error))? == after;
                return if same { Ok(Written::Unchanged) } else { Err(Problem::Exists) };
            }
            Ok(_) => return Err(Problem::NotAFile),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Problem::Io("look at the file", error)),
        }
        let file = temporary(&target, after, None)?;
        file.persist_noclobber(&target).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => Problem::Exists,
            _ => Problem::Io("rename the new file into place", error.error),
        })?;
        Ok(Written::Changed)
    }

    fn try_delete(&self, path: &RepoPath, before: &[u8], keep: &[u8]) -> Result<(), Problem> {
        let target = self.0.join(relative(path)?);
        let metadata = fs::symlink_metadata(&target).map_err(missing_or("look at the file"))?;
        if !metadata.is_file() {
            return Err(Problem::NotAFile);
        }
        let target = self.resolve(&target)?;
        if fs::read(&target).map_err(|error| Problem::Io("read", error))? != before {
            return Err(Problem::ChangedSinceRead);
        }
        let folder = target.parent().unwrap_or(&self.0).to_path_buf();
        check_writable(&folder)?;
        fs::remove_file(&target).map_err(missing_or("delete"))?;
        let keep = self.0.join(RepoPath::new(keep).to_os_path());
        // A folder that is not empty refuses; that ends the climb.
        let mut folders = folder.ancestors().take_while(|folder| folder.starts_with(&keep) && **folder != keep);
        while folders.next().is_some_and(|folder| fs::remove_dir(folder).is_ok()) {}
        Ok(())
    }

    /// The path with all links resolved, if it lies inside the root and outside git's folder.
    fn resolve(&self, path: &Path) -> Result<PathBuf, Problem> {
        let target = fs::canonicalize(path).map_err(missing_or("resolve"))?;
        let inside = target.strip_prefix(&self.0).map_err(|_| Problem::Outside)?;
        if inside.components().any(is_git_folder) { Err(Problem::Outside) } else { Ok(target) }
    }

    /// Create `folder` and what is missing above it. What exists above must resolve to a place inside the root.
    fn make_folders(&self, folder: &Path) -> Result<(), Problem> {
        let existing = folder.ancestors().find(|folder| fs::symlink_metadata(folder).is_ok()).unwrap_or(&self.0);
        let resolved = self.resolve(existing)?;
        if !resolved.is_dir() {
            return Err(Problem::NotAFolder(existing.to_path_buf()));
        }
        if existing == folder {
            return Ok(());
        }
        check_writable(&resolved)?;
        fs::create_dir_all(folder).map_err(|error| Problem::Io("create its folder", error))
    }
}

/// Write a file that the user named, wherever that is: one that exists is replaced as a whole, or stays as it was. A device or
/// FIFO is written to as it is, and so is a file whose folder takes no new files.
///
/// # Errors
/// When the file cannot be written.
pub fn whole(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let before = fs::metadata(place).ok();
    let in_place = || fs::OpenOptions::new().write(true).truncate(true).open(place)?.write_all(bytes);
    if before.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return in_place();
    }
    // A link stays, and what it leads to is replaced.
    let target = if before.is_some() { fs::canonicalize(place)? } else { place.to_owned() };
    let file = match temporary(&target, bytes, before.as_ref()) {
        Ok(file) => file,
        Err(Problem::ReadOnlyFolder(_)) if before.is_some() => return in_place(),
        Err(Problem::ReadOnlyFolder(_)) => return Err(io::Error::other("its folder is read-only")),
        Err(Problem::Io(_, error)) => return Err(error),
        Err(problem) => return Err(io::Error::other(format!("{problem:?}"))),
    };
    match file.persist(&target) {
        Ok(_) => Ok(()),
        // Something that is mounted cannot be renamed over.
        Err(error) if before.is_some() => in_place().map_err(|_| error.error),
        Err(error) => Err(error.error),
    }
}

/// The path below the root. One with `..`, a root of its own or git's folder in it is not repository-relative.
fn relative(path: &RepoPath) -> Result<PathBuf, Problem> {
    let path = path.to_os_path();
    let plain = |component: Component<'_>| matches!(component, Component::Normal(_)) && !is_git_folder(component);
    if path.as_os_str().is_empty() || !path.components().all(plain) { Err(Problem::Outside) } else { Ok(path) }
}

fn is_git_folder(component: Component<'_>) -> bool {
    component.as_os_str().eq_ignore_ascii_case(".git")
}

fn missing_or(what: &'static str) -> impl Fn(io::Error) -> Problem {
    move |error| match error.kind() {
        io::ErrorKind::NotFound => Problem::Missing,
        _ => Problem::Io(what, error),
    }
}

/// Look before opening: a FIFO would block for ever.
fn regular_file(target: &Path) -> Result<Metadata, Problem> {
    let metadata = fs::symlink_metadata(target).map_err(missing_or("look at the file"))?;
    if metadata.is_file() { Ok(metadata) } else { Err(Problem::NotAFile) }
}

fn check_unchanged(target: &Path, before: &[u8], after: &[u8]) -> Result<Written, Problem> {
    let now = fs::read(target).map_err(missing_or("read"))?;
    match () {
        () if now == after => Ok(Written::Unchanged),
        () if now == before => Ok(Written::Changed),
        () => Err(Problem::ChangedSinceRead),
    }
}

/// The mode says so even where the user's privileges would not stop them.
fn check_writable(folder: &Path) -> Result<(), Problem> {
    let metadata = fs::metadata(folder).map_err(|error| Problem::Io("look at its folder", error))?;
    if metadata.permissions().readonly() { Err(Problem::ReadOnlyFolder(folder.to_path_buf())) } else { Ok(()) }
}

/// A complete, synced file beside `target`. It vanishes when it is dropped unless it is renamed.
fn temporary(target: &Path, bytes: &[u8], like: Option<&Metadata>) -> Result<tempfile::NamedTempFile, Problem> {
    let folder = target.parent().unwrap_or(target);
    check_writable(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hintlint-").suffix(".tmp");
    #[cfg(unix)]
    if like.is_none() {
        use std::os::unix::fs::PermissionsExt;
        // The user's umask takes away from this, as for any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Problem::ReadOnlyFolder(folder.to_path_buf())
        }
        _ => Problem::Io("create a temporary file beside it", error),
    })?;
    file.write_all(bytes).map_err(|error| Problem::Io("write", error))?;
    if let Some(metadata) = like {
        let permissions = metadata.permissions();
        file.as_file().set_permissions(permissions).map_err(|error| Problem::Io("keep its mode", error))?;
    }
    file.as_file().sync_all().map_err(|error| Problem::Io("write", error))?;
    Ok(file)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    struct Folder {
        dir: tempfile::TempDir,
        root: Root,
    }

    impl Folder {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            fs::create_dir(dir.path().join("repo")).unwrap();
            let root = Root::new(&dir.path().join("repo")).unwrap();
            Folder { dir, root }
        }

        fn at(&self, path: &str) -> PathBuf {
            self.dir.path().join("repo").join(path)
        }

        fn put(&self, path: &str, text: &str) {
            fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
            fs::write(self.at(path), text).unwrap();
        }

        fn read(&self, path: &str) -> String {
            fs::read_to_string(self.at(path)).unwrap()
        }

        fn replace(&self, path: &str, before: &str, after: &str) -> Result<Written, Problem> {
            self.root.replace(&path.into(), before.as_bytes(), after.as_bytes()).map_err(|error| error.problem)
        }

        fn names(&self, folder: &str) -> Vec<String> {
            let entries = fs::read_dir(self.at(folder)).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    #[test]
    fn mode_and_bytes_are_kept() {
        let folder = Folder::new();
        folder.put("a.md", "old\r\n");
        fs::set_permissions(folder.at("a.md"), fs::Permissions::from_mode(0o751)).unwrap();
        assert_eq!(folder.replace("a.md", "old\r\n", "\u{feff}new\r\n").unwrap(), Written::Changed);
        assert_eq!(folder.read("a.md"), "\u{feff}new\r\n");
        assert_eq!(fs::metadata(folder.at("a.md")).unwrap().permissions().mode() & 0o777, 0o751);
        assert_eq!(folder.replace("a.md", "whatever", "\u{feff}new\r\n").unwrap(), Written::Unchanged);
        assert_eq!(folder.names(""), ["a.md"]);
    }

    #[test]
    fn a_file_that_changed_is_left_alone() {
        let folder = Folder::new();
        folder.put("a.md", "theirs");
        assert!(matches!(folder.replace("a.md", "read", "new"), Err(Problem::ChangedSinceRead)));
        assert!(matches!(folder.replace("b.md", "read", "new"), Err(Problem::Missing)));
        assert_eq!(folder.read("a.md"), "theirs");
        assert_eq!(folder.names(""), ["a.md"]);
    }

    #[test]
    fn links_are_followed_inside_the_root_only() {
        let folder = Folder::new();
        folder.put("docs/a.md", "old");
        fs::create_dir(folder.at("../repo-x")).unwrap();
        fs::write(folder.at("../repo-x/b.md"), "old").unwrap();
        folder.put(".git/config", "old");
        for (link, target) in [
            ("in.md", "docs/a.md"),
            ("out.md", "../repo-x/b.md"),
            ("x", "../repo-x"),
            ("git.md", ".git/config"),
            ("loop.md", "loop.md"),
            ("dangling.md", "none"),
        ] {
            symlink(target, folder.at(link)).unwrap();
        }
        assert_eq!(folder.replace("in.md", "old", "new").unwrap(), Written::Changed);
        assert!(fs::symlink_metadata(folder.at("in.md")).unwrap().is_symlink());
        assert_eq!(folder.read("docs/a.md"), "new");
        for path in ["out.md", "x/b.md", "git.md", ".git/config", "../repo-x/b.md", "/etc/passwd"] {
            assert!(matches!(folder.replace(path, "old", "new"), Err(Problem::Outside)), "{path}");
        }
        assert!(matches!(
            folder.root.create(&"x/new.md".into(), b"x"),
            Err(WriteError { problem: Problem::Outside, .. })
        ));
        assert!(matches!(folder.replace("loop.md", "old", "new"), Err(Problem::Io(..))));
        assert!(matches!(folder.replace("dangling.md", "old", "new"), Err(Problem::Missing)));
        assert_eq!(fs::read_to_string(folder.at("../repo-x/b.md")).unwrap(), "old");
    }

    #[test]
    fn special_files_are_never_opened() {
        let folder = Folder::new();
        let made = std::process::Command::new("mkfifo").arg(folder.at("fifo.md")).status().unwrap();
        assert!(made.success());
        fs::create_dir(folder.at("dir.md")).unwrap();
        for path in ["fifo.md", "dir.md"] {
            assert!(matches!(folder.replace(path, "", "new"), Err(Problem::NotAFile)), "{path}");
            assert!(matches!(
                folder.root.create(&path.into(), b""),
                Err(WriteError { problem: Problem::NotAFile, .. })
            ));
            assert!(matches!(
                folder.root.delete(&path.into(), b"", b""),
                Err(WriteError { problem: Problem::NotAFile, .. })
            ));
        }
    }

    #[test]
    fn a_read_only_folder_gives_an_error_and_keeps_no_rest() {
        let folder = Folder::new();
        folder.put("docs/a.md", "old");
        fs::set_permissions(folder.at("docs"), fs::Permissions::from_mode(0o555)).unwrap();
        let error = folder.root.replace(&"docs/a.md".into(), b"old", b"new").unwrap_err();
        assert!(matches!(error.problem, Problem::ReadOnlyFolder(_)));
        assert!(error.to_string().contains("read-only"), "{error}");
        assert!(matches!(
            folder.root.create(&"docs/b/c.md".into(), b""),
            Err(WriteError { problem: Problem::ReadOnlyFolder(_), .. })
        ));
        assert_eq!(folder.names("docs"), ["a.md"]);
        fs::set_permissions(folder.at("docs"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(folder.at("docs/a.md"), fs::Permissions::from_mode(0o444)).unwrap();
        assert!(matches!(folder.replace("docs/a.md", "old", "new"), Err(Problem::ReadOnlyFile)));
        assert_eq!(folder.read("docs/a.md"), "old");
    }

    #[test]
    fn creating_makes_folders_and_never_replaces() {
        let folder = Folder::new();
        assert_eq!(folder.root.create(&"a/b/c.md".into(), b"x").unwrap(), Written::Changed);
        assert_eq!(folder.root.create(&"a/b/c.md".into(), b"x").unwrap(), Written::Unchanged);
        assert!(matches!(
            folder.root.create(&"a/b/c.md".into(), b"y"),
            Err(WriteError { problem: Problem::Exists, .. })
        ));
        assert!(folder.root.create(&"a/b/c.md/d.md".into(), b"y").is_err());
        assert_eq!(folder.read("a/b/c.md"), "x");
        let mode = fs::metadata(folder.at("a/b/c.md")).unwrap().permissions().mode();
        fs::write(folder.at("plain"), "").unwrap();
        assert_eq!(mode, fs::metadata(folder.at("plain")).unwrap().permissions().mode(), "the umask decides");
    }

    #[test]
    fn deleting_takes_empty_folders_along() {
        let folder = Folder::new();
        folder.put("out/a/b/c.md", "x");
        folder.put("out/a/keep.md", "x");
        let delete = |path: &str, bytes: &[u8]| folder.root.delete(&path.into(), bytes, b"out");
        assert!(matches!(delete("out/a/b/c.md", b"y"), Err(WriteError { problem: Problem::ChangedSinceRead, .. })));
        delete("out/a/b/c.md", b"x").unwrap();
        assert_eq!(folder.names("out/a"), ["keep.md"]);
        delete("out/a/keep.md", b"x").unwrap();
        assert_eq!(folder.names("out"), Vec::<String>::new());
        symlink("a", folder.at("out/l.md")).unwrap();
        assert!(matches!(delete("out/l.md", b""), Err(WriteError { problem: Problem::NotAFile, .. })));
    }
}
