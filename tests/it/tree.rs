//! A directory tree on disk, and `hintlint show` run in it with nothing of the machine's own environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary tree with a `home` in it.
pub(crate) struct Tree {
    _dir: tempfile::TempDir,
    root: PathBuf,
    env: Vec<(String, String)>,
}

impl Tree {
    /// Files by path; a path that ends in `/` is a directory, a text that begins with `->` a link.
    pub(crate) fn new(files: &[(&str, &str)]) -> Tree {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("it exists");
        let tree = Tree { _dir: dir, root, env: Vec::new() };
        std::fs::create_dir_all(tree.root.join("home")).expect("a home");
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    /// With an environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Tree {
        self.env.push((name.into(), value.into()));
        self
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let target = self.root.join(path);
        if path.ends_with('/') {
            std::fs::create_dir_all(target).expect("a directory");
            return;
        }
        std::fs::create_dir_all(target.parent().expect("it lies below the root")).expect("a directory");
        match text.strip_prefix("->") {
            #[cfg(unix)]
            Some(link) => std::os::unix::fs::symlink(link, target).expect("a link"),
            _ => std::fs::write(target, text).expect("a file"),
        }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Run `hintlint show DIR ARGS…`.
    pub(crate) fn run(&self, dir: &str, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hintlint"));
        command.env_clear().env("HOME", self.root.join("home")).envs(self.env.iter().cloned());
        command.current_dir(&self.root).arg("show").arg(Path::new(dir)).args(args);
        command.output().expect("hintlint runs")
    }

    /// What it prints, with the tree's root written `{ROOT}`.
    pub(crate) fn show(&self, dir: &str, args: &[&str]) -> String {
        let output = self.run(dir, args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self.text(&output.stdout)
    }

    /// Output with the tree's root written `{ROOT}`.
    pub(crate) fn text(&self, bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).replace(&*self.root.to_string_lossy(), "{ROOT}")
    }
}
