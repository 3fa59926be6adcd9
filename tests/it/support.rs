//! Real git repositories for tests: made by the `git` program in a temporary folder, with a home, a clock and an
//! environment of their own, so that no test sees the machine's configuration or the repository it runs in.

#![allow(dead_code, reason = "each test file uses its part of this toolbox")]

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hintlint::base::path::bytes_to_os_path;
use tempfile::TempDir;

/// What the first call of `git` takes for the time, in seconds since 1970: 2026-01-01T00:00:00Z. Each further call of the
/// same [`Repo`] is a minute later.
pub(crate) const EPOCH: i64 = 1_767_225_600;

/// A folder of its own, usually a git repository, that vanishes with the value.
pub(crate) struct Repo {
    dir: TempDir,
    root: PathBuf,
    calls: Cell<i64>,
}

/// What a program said and how it ended.
#[derive(Debug)]
pub(crate) struct Run {
    /// Standard output, lossily decoded.
    pub(crate) stdout: String,
    /// Standard error, lossily decoded.
    pub(crate) stderr: String,
    /// Exit code; -1 when a signal ended it.
    pub(crate) code: i32,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Run {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

impl Repo {
    /// An empty repository on branch `main`.
    pub(crate) fn new() -> Self {
        Self::init(&[])
    }

    /// The same, with further options of `git init`, such as `--bare` or `--object-format=sha256`.
    pub(crate) fn init(options: &[&str]) -> Self {
        let repo = Self::plain_folder();
        repo.git(&[&["init", "-q", "-b", "main"], options].concat());
        repo
    }

    /// A folder that is not in any repository.
    pub(crate) fn plain_folder() -> Self {
        let dir = tempfile::Builder::new().prefix("hintlint-test-").tempdir().expect("a temporary folder");
        let base = dir.path().canonicalize().expect("the temporary folder exists");
        let root = base.join("repo");
        fs::create_dir_all(base.join("home")).expect("a home");
        fs::create_dir_all(&root).expect("a root");
        Repo { dir, root, calls: Cell::new(0) }
    }

    /// A repository with one commit of `files`.
    pub(crate) fn with_files<P: AsRef<[u8]>, B: AsRef<[u8]>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let repo = Self::new();
        for (path, bytes) in files {
            repo.write(path, bytes);
        }
        repo.commit("start");
        repo
    }

    /// The repository's top directory.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path beside the repository, for clones, linked worktrees and separate git directories.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.root.with_file_name(name)
    }

    /// The home directory of every program that this value runs.
    pub(crate) fn home(&self) -> PathBuf {
        self.beside("home")
    }

    /// The operating-system path of a repository path, which may be any bytes.
    pub(crate) fn at(&self, path: impl AsRef<[u8]>) -> PathBuf {
        self.root.join(bytes_to_os_path(path.as_ref()))
    }

    /// Write a file and the directories above it.
    pub(crate) fn write(&self, path: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        fs::write(path, bytes).expect("a file");
        self
    }

    /// Read a file back.
    pub(crate) fn read(&self, path: impl AsRef<[u8]>) -> Vec<u8> {
        fs::read(self.at(path)).expect("a readable file")
    }

    /// Remove a file or a whole directory from the worktree.
    pub(crate) fn remove(&self, path: impl AsRef<[u8]>) -> &Self {
        let path = self.at(path);
        match path.is_dir() && !path.is_symlink() {
            true => fs::remove_dir_all(path).expect("a removable directory"),
            false => fs::remove_file(path).expect("a removable file"),
        }
        self
    }

    /// Make a symbolic link with the given target text.
    #[cfg(unix)]
    pub(crate) fn symlink(&self, path: impl AsRef<[u8]>, target: &str) -> &Self {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        std::os::unix::fs::symlink(target, path).expect("a link");
        self
    }

    /// Stage everything that is not ignored, deletions included.
    pub(crate) fn add(&self) -> &Self {
        self.git(&["add", "--all"]);
        self
    }

    /// Stage everything and commit it, even if nothing changed. Answers the commit's name.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.add().commit_staged(message)
    }

    /// Commit what is staged. Answers the commit's name.
    pub(crate) fn commit_staged(&self, message: &str) -> String {
        self.git(&["commit", "-q", "--allow-empty", "--no-verify", "-m", message]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// Run `git` in the repository; panics with what it said if it fails. Answers its standard output.
    pub(crate) fn git<S: AsRef<OsStr>>(&self, args: &[S]) -> String {
        self.git_in(&self.root, args)
    }

    /// Run `git` in any directory; panics with what it said if it fails. Answers its standard output.
    pub(crate) fn git_in<S: AsRef<OsStr>>(&self, dir: &Path, args: &[S]) -> String {
        let run = self.try_git_in(dir, args);
        let args: Vec<OsString> = args.iter().map(|arg| arg.as_ref().to_owned()).collect();
        assert_eq!(run.code, 0, "git {args:?}: {}{}", run.stdout, run.stderr);
        run.stdout
    }

    /// Run `git`, which may fail.
    pub(crate) fn try_git_in<S: AsRef<OsStr>>(&self, dir: &Path, args: &[S]) -> Run {
        self.command("git", dir).args(args).output().expect("git is installed").into()
    }

    /// Run `hintlint` in the repository.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.run_in(&self.root, args)
    }

    /// Run `hintlint` in any directory.
    pub(crate) fn run_in(&self, dir: &Path, args: &[&str]) -> Run {
        self.hintlint(dir).args(args).output().expect("hintlint starts").into()
    }

    /// A `hintlint` that has not been started, for tests that set its environment or standard input.
    pub(crate) fn hintlint(&self, dir: &Path) -> Command {
        self.command(env!("CARGO_BIN_EXE_hintlint"), dir)
    }

    /// Run `hintlint` in the repository as a user whom permissions bind. Under root that is `nobody`, who is given the folder;
    /// where that cannot be had, the log says so and there is no answer.
    pub(crate) fn run_unprivileged(&self, args: &[&str]) -> Option<Run> {
        if !fs::read_to_string("/proc/self/status").is_ok_and(|status| status.contains("Uid:\t0")) {
            return Some(self.run(args));
        }
        crate::clients::find("setpriv")?;
        let owned = Command::new("chown").args(["-hR", "65534:65534"]).arg(self.dir.path()).status();
        assert!(owned.expect("chown starts").success());
        let mut command = self.command("setpriv", &self.root);
        // The program may lie where nobody else can reach it; what is open already needs no path.
        let program = fs::File::open(env!("CARGO_BIN_EXE_hintlint")).expect("the program is there");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "/proc/self/fd/0"]).args(args);
        command.stdin(program);
        Some(command.output().expect("setpriv starts").into())
    }

    /// The variables that every program of this value sees, for tests that call the library.
    pub(crate) fn variables(&self) -> Vec<(OsString, OsString)> {
        let inherited = ["PATH", "SYSTEMROOT", "LLVM_PROFILE_FILE"];
        let mut variables: Vec<(OsString, OsString)> =
            inherited.iter().filter_map(|name| Some((name.into(), std::env::var_os(name)?))).collect();
        variables.push(("HOME".into(), self.home().into()));
        variables.push(("XDG_CONFIG_HOME".into(), self.home().join(".config").into()));
        for (name, value) in [("LC_ALL", "C"), ("TZ", "UTC"), ("GIT_CONFIG_NOSYSTEM", "1")] {
            variables.push((name.into(), value.into()));
        }
        variables
    }

    /// A program in `dir` with a scrubbed environment: nothing but the path, the home, and a clock that each call of
    /// `git` sees a minute later.
    pub(crate) fn command(&self, program: &str, dir: &Path) -> Command {
        let now = EPOCH + 60 * self.calls.get();
        if program == "git" {
            self.calls.set(self.calls.get() + 1);
        }
        let mut command = Command::new(program);
        command
            .current_dir(dir)
            .env_clear()
            .envs(self.variables())
            .env("GIT_AUTHOR_NAME", "Ada")
            .env("GIT_AUTHOR_EMAIL", "ada@example.invalid")
            .env("GIT_COMMITTER_NAME", "Ada")
            .env("GIT_COMMITTER_EMAIL", "ada@example.invalid")
            .env("GIT_AUTHOR_DATE", format!("{now} +0000"))
            .env("GIT_COMMITTER_DATE", format!("{now} +0000"))
            .env("GIT_TERMINAL_PROMPT", "0")
            .args(if program == "git" { &["-c", "protocol.file.allow=always", "-c", "gc.auto=0"][..] } else { &[] });
        command
    }
}
