//! The part of a repository that one merged context is made of, read through a [`World`] path by path: the directory is never
//! listed, however large it is. Where that is not enough to be sure, the caller has to load all of it. It renders nothing.

use crate::agents::merged::{FILES, MAX_IMPORT_FILES};
use crate::base::path::{self, RepoPath};
use crate::config::{self, Config};
use crate::source::{EntryKind, Memory, Probe, Source};
use crate::workspace::imports::Target;
use crate::workspace::{self, Loaded, Resolution, Workspace};
use crate::world::{AbsPath, FileType, World};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A workspace of the files that the context of directory `below` can be made of, in the repository at `root`. `None` where
/// that takes more than these files: the config has a problem to be told, or an ignore file names one of them, so that git's
/// index has to say whether it counts.
pub(super) fn load(world: &dyn World, root: &AbsPath, below: &[u8]) -> Option<Loaded> {
    let mut part = Part { world, root, files: BTreeMap::new(), ignores: BTreeMap::new(), seen: BTreeSet::new() };
    for name in config::FILE_NAMES {
        part.add(name.as_bytes())?;
    }
    let config = part.config()?;
    for dir in path::ancestors_from_root(below) {
        for name in FILES {
            part.add(&path::join(dir, name.as_bytes()))?;
        }
    }
    // Each round reads the files that the last one named for the first time.
    loop {
        let loaded = workspace::load(&part.source(), config.clone(), &[]).ok()?;
        let before = part.seen.len();
        for path in wanted(&loaded.workspace) {
            part.add(path.as_bytes())?;
        }
        if part.seen.len() == before {
            return Some(loaded);
        }
        if part.files.len() > MAX_IMPORT_FILES {
            return None;
        }
    }
}

/// What imports and links name and the workspace lacks.
fn wanted(workspace: &Workspace) -> Vec<RepoPath> {
    let imports = workspace.imports.iter().filter(|import| import.agents.contains(&"merged"));
    let targets = imports.filter_map(|import| match &import.target {
        Target::Missing(path) | Target::NotTracked { path, .. } | Target::Unreadable(path, _) => Some(path.clone()),
        Target::File(_) | Target::Outside(_) | Target::Loop | Target::Unknown => None,
    });
    let links = workspace.links.keys().filter_map(|link| match workspace.resolve(link.as_bytes()) {
        Resolution::Missing(path) => Some(path),
        _ => None,
    });
    targets.chain(links).collect()
}

struct Part<'w> {
    world: &'w dyn World,
    root: &'w AbsPath,
    files: BTreeMap<RepoPath, (EntryKind, Arc<[u8]>)>,
    /// The ignore files of the directories that were looked into.
    ignores: BTreeMap<RepoPath, Arc<[u8]>>,
    seen: BTreeSet<RepoPath>,
}

impl Part<'_> {
    /// Look at a path, and take what is there, or the first link on the way; of a directory one file. `None` if the whole
    /// repository has to be asked. It calls itself no more than once.
    fn add(&mut self, path: &[u8]) -> Option<()> {
        if path.is_empty() || !self.seen.insert(RepoPath::new(path)) {
            return Some(());
        }
        let ends = memchr::memchr_iter(b'/', path).chain(std::iter::once(path.len()));
        for end in ends {
            let here = &path[..end];
            let absolute = self.root.join(here);
            match self.world.link_type(&absolute) {
                None => return Some(()),
                Some(FileType::Link) => {
                    let target = self.world.read_link(&absolute)?;
                    return self.take(here, EntryKind::Symlink, target.into());
                }
                Some(FileType::Directory) if self.world.link_type(&absolute.join(".git")).is_some() => {
                    return self.take(here, EntryKind::Submodule, Arc::default());
                }
                Some(FileType::Directory) if end < path.len() => {}
                // A directory is known by what is in it.
                Some(FileType::Directory) => {
                    let entries = self.world.read_dir(&absolute);
                    let Some(entry) = entries.iter().find(|entry| entry.kind != FileType::Directory) else {
                        return Some(());
                    };
                    return self.add(&path::join(here, &entry.name));
                }
                Some(FileType::File) if end < path.len() => return Some(()),
                Some(FileType::File) => {
                    let bytes = self.world.read(&absolute).ok()?;
                    return self.take(here, EntryKind::File, bytes);
                }
                Some(FileType::Special) => return self.take(here, EntryKind::Special, Arc::default()),
            }
        }
        Some(())
    }

    /// Take a file, unless an ignore file names it.
    fn take(&mut self, path: &[u8], kind: EntryKind, bytes: Arc<[u8]>) -> Option<()> {
        for dir in path::ancestors_from_root(path::parent(path)) {
            let ignore = RepoPath::new(path::join(dir, b".gitignore"));
            if !self.ignores.contains_key(&ignore) {
                let bytes = self.world.read(&self.root.join(ignore.as_bytes())).unwrap_or_default();
                self.ignores.insert(ignore, bytes);
            }
        }
        let path = RepoPath::new(path);
        let ignores = Memory::of_files(self.ignores.iter().map(|(path, bytes)| (path.as_bytes(), bytes)));
        if ignores.probe_many(std::slice::from_ref(&path)) == [Probe::Ignored] {
            return None;
        }
        self.files.insert(path, (kind, bytes));
        Some(())
    }

    /// The config in force; `None` if there are two or it is not right.
    fn config(&self) -> Option<Config> {
        let mut files = self.files.iter();
        match (files.next(), files.next()) {
            (None, _) => Some(Config::default()),
            (Some((path, (EntryKind::File, bytes))), None) => {
                Config::parse(path, std::str::from_utf8(bytes).ok()?).ok()
            }
            _ => None,
        }
    }

    fn source(&self) -> Memory {
        Memory::new(self.files.iter().map(|(path, (kind, bytes))| (path.clone(), *kind, bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{MemoryFiles, RepoWorld};

    fn check(files: MemoryFiles, below: &str, expected: Option<&[&str]>) {
        let world = RepoWorld::new(files);
        let loaded = load(&world, world.root(), below.as_bytes());
        let paths: Option<Vec<String>> = loaded.map(|loaded| {
            loaded.workspace.documents.iter().map(|document| document.path.to_str_lossy().into_owned()).collect()
        });
        let expected: Option<Vec<String>> = expected.map(|paths| paths.iter().map(ToString::to_string).collect());
        assert_eq!(paths, expected);
    }

    #[test]
    fn files_of_the_way_and_their_imports_are_read() {
        let files = MemoryFiles::new()
            .file("AGENTS.md", "@docs/a.md\n")
            .file("docs/a.md", "@b.md\n@none.md\n@dir\n")
            .file("docs/b.md", "b\n")
            .file("docs/dir/x.md", "x\n")
            .file("docs/c.md", "c\n")
            .file("p/CLAUDE.md", "p\n")
            .file("q/CLAUDE.md", "q\n");
        check(files.clone(), "p", Some(&["AGENTS.md", "docs/a.md", "docs/b.md", "p/CLAUDE.md"]));
        check(files, "", Some(&["AGENTS.md", "docs/a.md", "docs/b.md"]));
    }

    /// A world that must not be listed.
    struct Unlisted(RepoWorld<MemoryFiles>);

    impl World for Unlisted {
        fn file_type(&self, path: &AbsPath) -> Option<FileType> {
            self.0.file_type(path)
        }

        fn link_type(&self, path: &AbsPath) -> Option<FileType> {
            self.0.link_type(path)
        }

        fn read(&self, path: &AbsPath) -> Result<Arc<[u8]>, crate::world::ReadError> {
            self.0.read(path)
        }

        fn read_dir(&self, path: &AbsPath) -> Vec<crate::world::Entry> {
            panic!("{path} is listed")
        }

        fn read_link(&self, path: &AbsPath) -> Option<Vec<u8>> {
            self.0.read_link(path)
        }

        fn real_path(&self, path: &AbsPath) -> Result<AbsPath, crate::world::ReadError> {
            self.0.real_path(path)
        }

        fn env(&self) -> &crate::env::Env {
            self.0.env()
        }
    }

    #[test]
    fn nothing_is_listed() {
        let files = MemoryFiles::new()
            .file("hintlint.toml", "exclude = [\"docs/**\"]\n")
            .file(".gitignore", "target\n")
            .file("AGENTS.md", "@docs/a.md @docs/none.md @other/x.md\n")
            .link("CLAUDE.md", "AGENTS.md")
            .file("docs/a.md", "@b.md\n")
            .file("docs/b.md", "b\n")
            .file("p/q/GEMINI.md", "g\n");
        let world = Unlisted(RepoWorld::new(files));
        let loaded = load(&world, world.0.root(), b"p/q").expect("this is enough");
        assert_eq!(loaded.workspace.documents.len(), 4);
    }

    #[test]
    fn links_are_followed_inside() {
        let files = MemoryFiles::new()
            .link("CLAUDE.md", "shared/main.md")
            .link("shared", "other")
            .file("other/main.md", "@more.md\n")
            .file("other/more.md", "more\n")
            .link("GEMINI.md", "gone.md");
        check(files, "", Some(&["other/main.md", "other/more.md"]));
    }

    #[test]
    fn what_git_has_to_decide_is_left_to_the_caller() {
        let files = MemoryFiles::new().file("AGENTS.md", "@local.md\n").file("local.md", "x\n");
        check(files.clone(), "", Some(&["AGENTS.md", "local.md"]));
        check(files.clone().file(".gitignore", "local.md\n"), "", None);
        check(files.clone().file(".gitignore", "other.md\n"), "", Some(&["AGENTS.md", "local.md"]));
        check(files.clone().file("hintlint.toml", "nonsense = 1\n"), "", None);
        check(files.file("hintlint.toml", "").file(".hintlint.toml", ""), "", None);
    }
}
