//! What commands that read a repository share: open the one that the arguments name, and turn arguments into its paths.

use std::path::{Path, PathBuf};

use clap::CommandFactory as _;

use super::{Console, config_file};
use crate::base::error::Error;
use crate::base::path::{self, RepoPath, normal, os_path_to_bytes};
use crate::cli::args::{ConfigArgs, SourceArgs};
use crate::config;
use crate::engine::{self, Opening, Repository};
use crate::report::Reached;
use crate::source::Side;
use crate::workspace::LoadedWorkspace;

/// An open repository and the paths that the user named.
pub(crate) struct Session {
    /// The repository.
    pub repository: Repository,
    /// What to report on; everything if empty.
    pub paths: Vec<RepoPath>,
    /// Those of `paths` that are files.
    pub files: Vec<RepoPath>,
    /// How paths are written for a person.
    pub reached: Reached,
}

impl Session {
    /// Open the repository that holds the first of `paths`, or the current directory without any.
    ///
    /// # Errors
    /// When there is no such path, the repository cannot be read, or its config has problems.
    pub(crate) fn open(
        console: &Console<'_>,
        paths: &[PathBuf],
        source: &SourceArgs,
        args: &ConfigArgs,
    ) -> Result<Session, Error> {
        let directory = current(console);
        let absolute: Vec<PathBuf> = paths.iter().map(|path| normal(&directory.join(path))).collect();
        let mut session = Session::open_at(console, absolute.first().map_or(&directory, |path| path), source, args)?;
        for (named, path) in paths.iter().zip(&absolute) {
            session.take_path(named, path)?;
        }
        Ok(session)
    }

    /// Open the repository that holds the file `name`, which need not exist, and report on that file alone. Answers its path.
    ///
    /// # Errors
    /// When the repository cannot be read, its config has problems, or the name leads out of it or is that of a folder.
    pub(crate) fn open_for(
        console: &Console<'_>,
        name: &Path,
        source: &SourceArgs,
        args: &ConfigArgs,
    ) -> Result<(Session, RepoPath), Error> {
        let absolute = normal(&current(console).join(name));
        let mut session = Session::open_at(console, &absolute, source, args)?;
        let path = session.repository_path(name, &absolute)?;
        let listing = session.repository.source().listing();
        if path.as_bytes().is_empty() || listing.has_dir(path.as_bytes()) || absolute.is_dir() {
            let message = format!("{} is a folder, but standard input must be named as a file", name.display());
            return Err(Error::failed(message, "name the file: `hintlint --stdin-filename AGENTS.md -`"));
        }
        session.files = vec![path.clone()];
        session.paths = vec![path.clone()];
        Ok((session, path))
    }

    fn open_at(console: &Console<'_>, place: &Path, source: &SourceArgs, args: &ConfigArgs) -> Result<Session, Error> {
        let side = match (&source.rev, source.staged) {
            (Some(rev), _) => Side::Commit(rev.clone()),
            (None, true) => Side::Index,
            (None, false) => Side::Worktree,
        };
        let start = if place.is_dir() { place.to_owned() } else { nearest_directory(place) };
        let config = config_file::chosen(&console.directory, args)?;
        let repository = engine::open(Opening { start, side, env: console.env.clone(), config })?;
        let reached = match repository.root() {
            Some(root) => Reached::new(root, &current(console)),
            None => Reached::default(),
        };
        Ok(Session { repository, paths: Vec::new(), files: Vec::new(), reached })
    }

    /// Whether `path` is among what the user named.
    pub(crate) fn selects(&self, path: &RepoPath) -> bool {
        self.paths.is_empty()
            || self.paths.iter().any(|wanted| path::is_at_or_below(path.as_bytes(), wanted.as_bytes()))
    }

    /// Load the repository and the named files.
    ///
    /// # Errors
    /// When a pattern of the config is no valid glob.
    pub(crate) fn load(&self) -> Result<LoadedWorkspace, Error> {
        engine::load_texts(&self.repository, &self.files)
    }

    /// The repository path of an argument, which need not exist.
    fn repository_path(&self, named: &Path, absolute: &Path) -> Result<RepoPath, Error> {
        let shown = named.display();
        // In a bare repository paths start from its own folder, as if that were its worktree.
        let root = self.repository.root().or(self.repository.git_dir()).unwrap_or(Path::new(""));
        let inside = absolute.strip_prefix(root).map(Path::to_path_buf).or_else(|_| {
            // A link on the way here may have another name for the same folder.
            let parent = absolute.parent().and_then(|parent| std::fs::canonicalize(parent).ok()).unwrap_or_default();
            parent.join(absolute.file_name().unwrap_or_default()).strip_prefix(root).map(Path::to_path_buf)
        });
        let inside = inside.map_err(|_| {
            let message = format!("{shown} lies outside the repository {}", root.display());
            Error::failed(message, "name paths of one repository at a time")
        })?;
        Ok(RepoPath::new(os_path_to_bytes(&inside)))
    }

    /// Take an argument as something to report on.
    fn take_path(&mut self, named: &Path, absolute: &Path) -> Result<(), Error> {
        let path = self.repository_path(named, absolute)?;
        let listing = self.repository.source().listing();
        let on_disk = self.repository.source().worktree_root().is_some();
        let is_directory = listing.has_dir(path.as_bytes()) || (on_disk && absolute.is_dir());
        let is_file = listing.contains(path.as_bytes()) || (on_disk && absolute.symlink_metadata().is_ok());
        if !is_directory && !is_file {
            return Err(no_such_path(named));
        }
        if !is_directory {
            self.files.push(path.clone());
        }
        self.paths.push(path);
        Ok(())
    }
}

/// What other linters call our commands.
const OTHER_WORDS: [(&str, &str); 7] = [
    ("lint", "check"),
    ("run", "check"),
    ("validate", "check"),
    ("verify", "check"),
    ("fix", "check --fix"),
    ("format", "check --fix"),
    ("list", "files"),
];

/// The directory that arguments start from, with its links resolved.
fn current(console: &Console<'_>) -> PathBuf {
    std::fs::canonicalize(&console.directory).unwrap_or_else(|_| console.directory.clone())
}

fn no_such_path(named: &Path) -> Error {
    let shown = named.display().to_string();
    let program = crate::cli::args::Cli::command();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set()).map(clap::Command::get_name);
    let meant = OTHER_WORDS.iter().find(|(word, _)| *word == shown).map(|(_, command)| *command);
    let help = match meant.or_else(|| config::nearest(&shown, commands)) {
        Some(command) if !shown.contains('/') => format!("did you mean the command `{command}`?"),
        _ => "`hintlint files` lists what can be checked".to_owned(),
    };
    Error::failed(format!("there is no file or directory {shown}"), help)
}

fn nearest_directory(path: &Path) -> PathBuf {
    path.ancestors().skip(1).find(|dir| dir.is_dir()).unwrap_or(Path::new("/")).to_path_buf()
}
