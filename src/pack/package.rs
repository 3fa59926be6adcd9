//! The folder of packages and each package in it, read from disk. What is read is opened below the package's own folder, so
//! that no link and no race leads out of it.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::metadata::{self, Metadata};
use super::modules::{self, Module};
use super::resource::{self, ResourceRefusal};
use crate::base::path::{RepoPath, is_dot_git, os_path_to_bytes};
use crate::discover::package_file_names;
use crate::source::MAX_FILE_BYTES;
use crate::write::WriteRoot;

/// A folder of packages or modules may have so many entries; the first ones in bytewise order count.
pub(super) const MAX_ENTRIES: usize = 10_000;

/// Which variant of a package's files comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Platform {
    /// Files named `hint_windows.*`.
    Windows,
    /// Files named `hint_linux.*`, on every other system.
    Linux,
}

impl Platform {
    /// The one that this program runs on.
    pub(crate) fn current() -> Platform {
        if cfg!(windows) { Platform::Windows } else { Platform::Linux }
    }

    /// What stands in file names and in `disable`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Platform::Windows => "windows",
            Platform::Linux => "linux",
        }
    }
}

/// The names under which a file of the package `package` is looked for, the first one first.
pub(crate) fn file_names(package: &str, extension: &str, platform: Platform) -> [String; 4] {
    package_file_names(package, extension, platform.name())
}

/// Why a package cannot be used. Its words name packages and never a path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PackageError {
    /// The name is no single folder.
    BadName,
    /// There is no such package.
    Missing(String),
    /// It has no prompt, or no metadata: the name of the file that is missing.
    NoFile(String, &'static str),
    /// Its prompt has no text.
    EmptyPrompt(String),
    /// A file of it cannot be read: its name and why.
    Unreadable(String, &'static str, String),
    /// Its metadata is no mapping of YAML: why.
    BadMetadata(String, String),
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackageError::BadName => {
                f.write_str("a package's name is the name of one folder, without a path separator")
            }
            PackageError::Missing(name) => write!(f, "there is no hint package `{name}`"),
            PackageError::NoFile(name, file) => write!(f, "the hint package `{name}` has no {file}"),
            PackageError::EmptyPrompt(name) => write!(f, "hint.md of the hint package `{name}` has no text"),
            PackageError::Unreadable(name, file, why) => {
                write!(f, "{file} of the hint package `{name}` cannot be read: {why}")
            }
            PackageError::BadMetadata(name, why) => {
                write!(f, "hint.yaml of the hint package `{name}` cannot be used: {why}")
            }
        }
    }
}

impl std::error::Error for PackageError {}

/// The folder that holds the packages.
pub(crate) struct Packages {
    root: Option<WriteRoot>,
    platform: Platform,
}

impl Packages {
    /// The packages below the folder `folder` of the repository whose top is `top`. There are none if there is no such folder.
    pub(crate) fn open(top: &Path, folder: &str, platform: Platform) -> Packages {
        let root = WriteRoot::new(top).ok().and_then(|top| top.linked_folder(&RepoPath::from(folder)).ok());
        Packages { root, platform }
    }

    /// The names of all folders that hold a prompt or metadata, in bytewise order. Hidden folders are none.
    pub(crate) fn names(&self) -> Vec<String> {
        let Some(root) = &self.root else { return Vec::new() };
        let names = root.names().into_iter().filter_map(|name| name.into_string().ok());
        let mut names: Vec<String> = names.filter(|name| !name.starts_with('.') && check_name(name).is_ok()).collect();
        names.sort_unstable();
        names.truncate(MAX_ENTRIES);
        names.retain(|name| self.package(name).is_ok_and(|package| package.has("md") || package.has("yaml")));
        names
    }

    /// The package called `name`; its files need not be complete.
    ///
    /// # Errors
    /// When the name is none, or there is no such folder.
    pub(crate) fn package(&self, name: &str) -> Result<Package, PackageError> {
        check_name(name)?;
        let missing = || PackageError::Missing(name.to_owned());
        let root = self.root.as_ref().ok_or_else(missing)?.folder(&name.into()).map_err(|_| missing())?;
        Ok(Package { name: name.to_owned(), root, platform: self.platform })
    }
}

/// Whether `name` can be that of a package on every system.
fn check_name(name: &str) -> Result<(), PackageError> {
    let bad = name.is_empty()
        || [".", ".."].contains(&name)
        || name.contains(['/', '\\', ':', '\0'])
        || name.chars().any(char::is_control)
        || is_dot_git(name.as_bytes())
        || resource::is_device(name);
    if bad { Err(PackageError::BadName) } else { Ok(()) }
}

/// One package.
pub(crate) struct Package {
    /// The name of its folder.
    pub(crate) name: String,
    root: WriteRoot,
    platform: Platform,
}

impl Package {
    /// The text of the prompt, without a byte order mark.
    ///
    /// # Errors
    /// When there is none, or it has no text.
    pub(crate) fn prompt(&self) -> Result<String, PackageError> {
        let text = self.text("md", "hint.md")?;
        match text.trim().is_empty() {
            true => Err(PackageError::EmptyPrompt(self.name.clone())),
            false => Ok(text),
        }
    }

    /// The metadata.
    ///
    /// # Errors
    /// When there is none, or it is no mapping.
    pub(crate) fn metadata(&self) -> Result<Metadata, PackageError> {
        let text = self.text("yaml", "hint.yaml")?;
        metadata::read(&text, &self.name).map_err(|why| PackageError::BadMetadata(self.name.clone(), why.into()))
    }

    /// The modules, in bytewise order of their names.
    pub(crate) fn modules(&self) -> Vec<Module> {
        let Ok(folder) = self.root.folder(&"modules".into()) else { return Vec::new() };
        let mut names = folder.names();
        names.sort_unstable();
        names.truncate(MAX_ENTRIES);
        let names = names.into_iter().filter(|name| modules::is_module(&os_path_to_bytes(Path::new(name))));
        let inside = names.filter_map(|name| {
            let below = RepoPath::new([b"modules/", os_path_to_bytes(Path::new(&name)).as_slice()].concat());
            // A link out of the package would have its caller run somebody else's code.
            self.root.open_file(&below).ok()?;
            Some(Module { path: folder.path().join(&name), name: name.into_string().ok()? })
        });
        inside.collect()
    }

    /// Open the resource at `path`. Answers the file and its size in bytes.
    ///
    /// # Errors
    /// When there is none that may be given.
    pub(crate) fn resource(&self, path: &[u8]) -> Result<(File, u64), ResourceRefusal> {
        resource::check(path)?;
        let folder = self.root.folder(&"resources".into()).map_err(|_| ResourceRefusal::Missing)?;
        let (file, metadata) =
            folder.open_file(&resource::plain(path)).map_err(|error| ResourceRefusal::from(&error.problem))?;
        Ok((file, metadata.len()))
    }

    fn has(&self, extension: &str) -> bool {
        self.first(extension).is_some()
    }

    fn first(&self, extension: &str) -> Option<File> {
        let mut names = file_names(&self.name, extension, self.platform).into_iter();
        names.find_map(|name| self.root.open_file(&name.as_str().into()).ok()).map(|(file, _)| file)
    }

    /// The text of a file of the package, with U+FFFD for what is not UTF-8.
    fn text(&self, extension: &str, file: &'static str) -> Result<String, PackageError> {
        let no_file = || PackageError::NoFile(self.name.clone(), file);
        let unreadable = |why: String| PackageError::Unreadable(self.name.clone(), file, why);
        let mut bytes = Vec::new();
        let opened = self.first(extension).ok_or_else(no_file)?;
        opened.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(unreadable("it is larger than 8 MiB".to_owned()));
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn packages(files: &[(&str, &str)]) -> (tempfile::TempDir, Packages) {
        let top = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = top.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let packages = Packages::open(top.path(), "hints", Platform::Linux);
        (top, packages)
    }

    #[test]
    fn a_package_has_a_prompt_or_metadata() {
        let (_top, packages) = packages(&[
            ("hints/b/hint.md", "x"),
            ("hints/a/hint.yaml", "x"),
            ("hints/c/c_linux.md", "x"),
            ("hints/d/hint_windows.md", "x"),
            ("hints/e/README.md", "x"),
            ("hints/.f/hint.md", "x"),
            ("hints/g.md", "x"),
        ]);
        assert_eq!(packages.names(), ["a", "b", "c"]);
    }

    #[test]
    fn the_platform_comes_first_and_the_folders_name_last() {
        for (platform, other) in [(Platform::Linux, Platform::Windows), (Platform::Windows, Platform::Linux)] {
            let own = platform.name();
            let order = [format!("hint_{own}.md"), format!("p_{own}.md"), "hint.md".into(), "p.md".into()];
            for first in 0..order.len() {
                let paths: Vec<String> = order[first..].iter().map(|name| format!("hints/p/{name}")).collect();
                let names = order[first..].iter().map(String::as_str);
                let mut files: Vec<(&str, &str)> = paths.iter().map(String::as_str).zip(names).collect();
                let foreign = format!("hints/p/hint_{}.md", other.name());
                files.push((&foreign, "another platform's"));
                let (top, _) = packages(&files);
                let packages = Packages::open(top.path(), "hints", platform);
                assert_eq!(packages.package("p").unwrap().prompt().as_deref(), Ok(order[first].as_str()));
            }
        }
    }

    #[test]
    fn a_prompt_loses_its_byte_order_mark_and_may_not_be_empty() {
        let (_top, packages) = packages(&[
            ("hints/a/hint.md", "\u{feff}# A\n"),
            ("hints/b/hint.md", "\u{feff} \n"),
            ("hints/c/hint.yaml", ""),
        ]);
        let prompt = |name: &str| packages.package(name).and_then(|package| package.prompt());
        assert_eq!(prompt("a").as_deref(), Ok("# A\n"));
        assert_eq!(prompt("b"), Err(PackageError::EmptyPrompt("b".into())));
        assert_eq!(prompt("c"), Err(PackageError::NoFile("c".into(), "hint.md")));
        assert_eq!(prompt("d"), Err(PackageError::Missing("d".into())));
    }

    #[test]
    fn names_are_single_folders() {
        let (_top, packages) = packages(&[("hints/a/hint.md", "x"), ("hint.md", "x")]);
        for name in ["", ".", "..", "../a", "a/", "/a", "a\\b", "a/../a", "C:", "a\0", "a\nb", "con", "NUL.x", ".git"] {
            assert!(matches!(packages.package(name), Err(PackageError::BadName)), "{name:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_a_package_are_not_followed() {
        let (top, packages) = packages(&[("hints/a/hint.md", "x"), ("out/hint.md", "x"), ("out/modules/x.sh", "x")]);
        let link = |target: &str, at: &str| std::os::unix::fs::symlink(target, top.path().join(at)).unwrap();
        link("../out", "hints/linked");
        link("../../out/hint.md", "hints/a/hint.yaml");
        link("../../out/modules", "hints/a/modules");
        assert_eq!(packages.names(), ["a"]);
        let package = packages.package("a").unwrap();
        assert_eq!(package.metadata().unwrap_err(), PackageError::NoFile("a".into(), "hint.yaml"));
        assert_eq!(package.modules(), []);
    }
}
