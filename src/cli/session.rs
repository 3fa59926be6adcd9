//! What commands that read a repository share: find it, read its config, turn arguments into repository paths, load.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::CommandFactory as _;

use super::{Console, config_file};
use crate::base::error::{ConfigError, ConfigProblem, Error};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath, normal, os_path_to_bytes};
use crate::cli::args::{ConfigArgs, SourceArgs};
use crate::compile::{self, Ledger};
use crate::config::{self, Config};
use crate::discover::{BadPattern, Discovery};
use crate::source::history::{Answers, Questions};
use crate::source::{self, GitVars, MAX_FILE_BYTES, Opened, Side, Source, Spec};
use crate::workspace::{self, Loaded, Workspace};
use crate::write;

/// Where what `compile` wrote is remembered, below git's own folder.
const LEDGER: &str = "hintlint/artifacts";

/// A file with its bytes.
pub type Named = (RepoPath, Arc<[u8]>);

/// An opened repository with its config and the paths that the user named.
pub struct Session {
    /// The repository.
    pub opened: Opened,
    spec: Spec,
    /// The config in force.
    pub config: Config,
    /// The config file and its text, if there is one.
    pub config_text: Option<Named>,
    /// What to report on; everything if empty.
    pub paths: Vec<RepoPath>,
    /// Those of `paths` that are files.
    pub files: Vec<RepoPath>,
    /// Whether all text files are searched for hidden characters.
    pub search_all: bool,
    /// Whether the config is the repository's own, so that each of its states has one.
    finds_config: bool,
}

/// What history tells of artifacts.
#[derive(Debug, Default)]
pub struct Recalled {
    /// By artifact: the repository at the last commit that changed it, where that is known.
    pub states: BTreeMap<RepoPath, Arc<Workspace>>,
    /// Why some are not known, for the user.
    pub notes: Vec<String>,
}

/// Most past states that are loaded in one run. They tell who is behind a drift; that there is one is certain without them.
const MAX_PASTS: usize = 16;

impl Session {
    /// Open the repository that holds the first of `paths`, or the current directory without any.
    ///
    /// # Errors
    /// When there is no such path, the repository cannot be read, or its config has problems.
    pub fn open(
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
    pub fn open_for(
        console: &Console<'_>,
        name: &Path,
        source: &SourceArgs,
        args: &ConfigArgs,
    ) -> Result<(Session, RepoPath), Error> {
        let absolute = normal(&current(console).join(name));
        let mut session = Session::open_at(console, &absolute, source, args)?;
        let path = session.repository_path(name, &absolute)?;
        let listing = session.source().listing();
        if path.as_bytes().is_empty() || listing.has_dir(path.as_bytes()) || absolute.is_dir() {
            let message = format!("{} is a folder, and text on standard input is a file", name.display());
            return Err(Error::failed(message, "say which: `hintlint --stdin-filename AGENTS.md -`"));
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
        let spec = Spec { start, side, vars: GitVars::new(console.env.exact()) };
        let opened =
            source::open(&spec).map_err(|error| Error::Failed { message: error.to_string(), help: error.help })?;
        let (config, config_text) = match config_file::find(&*opened.source, &console.directory, args)? {
            Some((config, file)) => (config, Some(file)),
            None => (Config::default(), None),
        };
        Ok(Session {
            opened,
            spec,
            config,
            config_text,
            paths: Vec::new(),
            files: Vec::new(),
            search_all: false,
            finds_config: args.config.is_none() && !args.no_config,
        })
    }

    /// The source that the session reads.
    pub fn source(&self) -> &dyn Source {
        &*self.opened.source
    }

    /// Whether `path` is among what the user named.
    pub fn selects(&self, path: &RepoPath) -> bool {
        self.paths.is_empty()
            || self.paths.iter().any(|wanted| path::is_at_or_below(path.as_bytes(), wanted.as_bytes()))
    }

    /// What history says to the rules' questions.
    pub fn answer(&self, questions: &Questions) -> Answers {
        self.opened.answer(questions)
    }

    /// What `compile` wrote last. A ledger that cannot be read is empty, which only makes a run careful.
    pub fn ledger(&self) -> Ledger {
        let bytes = self.git_folder().and_then(|folder| folder.get(&LEDGER.into(), MAX_FILE_BYTES));
        Ledger::parse(&String::from_utf8_lossy(&bytes.unwrap_or_default()))
    }

    /// Keep the ledger. A failure is not worth stopping for: the next run will be careful.
    pub fn save_ledger(&self, ledger: &Ledger) {
        if let Some(folder) = self.git_folder() {
            let _ = folder.put(&LEDGER.into(), ledger.to_text().as_bytes());
        }
    }

    /// Git's own folder of this worktree, in which nothing is ever committed. None outside git.
    fn git_folder(&self) -> Option<write::Root> {
        write::Root::new(self.opened.git_dir.as_ref()?).ok()
    }

    /// The repository path of an argument, which need not exist.
    fn repository_path(&self, named: &Path, absolute: &Path) -> Result<RepoPath, Error> {
        let shown = named.display();
        // In a bare repository paths start from its own folder, as if that were its worktree.
        let root = self.opened.root.as_ref().or(self.opened.git_dir.as_ref()).cloned().unwrap_or_default();
        let inside = absolute.strip_prefix(&root).map(Path::to_path_buf).or_else(|_| {
            // A link on the way here may have another name for the same folder.
            let parent = absolute.parent().and_then(|parent| std::fs::canonicalize(parent).ok()).unwrap_or_default();
            parent.join(absolute.file_name().unwrap_or_default()).strip_prefix(&root).map(Path::to_path_buf)
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
        let listing = self.source().listing();
        let on_disk = self.source().worktree_root().is_some();
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

    /// Load the workspace from `source`, which is the session's own or an overlay of it.
    ///
    /// # Errors
    /// When a pattern of the config is no valid glob.
    pub fn load_from(&self, source: &dyn Source, force_exclude: bool) -> Result<Loaded, Error> {
        let mut files = self.files.clone();
        if force_exclude {
            let discovery = Discovery::new(&self.config).map_err(|bad| self.bad_pattern(&bad))?;
            files.retain(|path| !discovery.is_excluded(path.as_bytes()));
        }
        let mut loaded = workspace::load(source, self.config.clone(), &files).map_err(|bad| self.bad_pattern(&bad))?;
        loaded.workspace.config_text = self.config_text.clone();
        Ok(loaded)
    }

    /// Look up the past of the workspace's artifacts that are not current, for the rules about artifacts.
    pub fn recall_artifacts(&self, workspace: &mut Workspace) {
        if !workspace.documents.iter().any(|document| document.kind == Kind::Artifact) {
            return;
        }
        let open = compile::state(workspace).map(compile::State::open).unwrap_or_default();
        let recalled = self.recall(&open);
        workspace.past = recalled.states;
        workspace.notes.extend(recalled.notes);
    }

    /// Look up the state of the repository at the last commit that changed each of `artifacts`: one that was right then is
    /// stale now, any other was edited. Without artifacts nothing is looked at.
    pub fn recall(&self, artifacts: &BTreeSet<RepoPath>) -> Recalled {
        let questions = Questions { last_changes: artifacts.clone(), ..Questions::default() };
        let answers = self.answer(&questions);
        let mut by_commit: BTreeMap<(i64, String), Vec<RepoPath>> = BTreeMap::new();
        for (path, commit) in answers.last_changes {
            by_commit.entry((commit.time, commit.id)).or_default().push(path);
        }
        let mut by_commit: Vec<_> = by_commit.into_iter().rev().collect();
        by_commit.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
        let mut recalled = Recalled { states: BTreeMap::new(), notes: answers.notes };
        for ((_, commit), paths) in by_commit.into_iter().take(MAX_PASTS) {
            if let Some(workspace) = self.workspace_at(commit).map(Arc::new) {
                recalled.states.extend(paths.into_iter().map(|path| (path, workspace.clone())));
            }
        }
        recalled
    }

    /// The workspace at a commit of this repository, with the config of that time; `None` if it cannot be read.
    fn workspace_at(&self, commit: String) -> Option<Workspace> {
        let spec = Spec { side: Side::Commit(commit), ..self.spec.clone() };
        let opened = source::open(&spec).ok()?;
        let mut config = self.config.clone();
        if self.finds_config {
            config = config_file::of_source(&*opened.source).ok()?.map(|(config, _)| config).unwrap_or_default();
            // What is asked about is rendered, whoever was served at the time.
            let asked = self.config.compile.agents.iter().filter(|agent| !config.compile.agents.contains(agent));
            let asked: Vec<String> = asked.cloned().collect();
            config.compile.agents.extend(asked);
        }
        Some(workspace::load(&*opened.source, config, &[]).ok()?.workspace)
    }

    /// A pattern that is no glob, as an error at its place in the config.
    pub fn bad_pattern(&self, bad: &BadPattern) -> Error {
        let Some((path, bytes)) = &self.config_text else {
            return Error::failed(
                format!("{:?} is no valid pattern: {}", bad.pattern, bad.message),
                "correct the pattern",
            );
        };
        let text = String::from_utf8_lossy(bytes).into_owned();
        let start = text.find(&bad.pattern).unwrap_or(0);
        let span = crate::base::text::Span::new(start, start + bad.pattern.len().min(text.len() - start));
        let message = format!("this is no valid pattern: {}", bad.message);
        let problems = vec![ConfigProblem { span, message, help: None }];
        Error::Config(Box::new(ConfigError { path: path.clone(), text, problems }))
    }
}

/// The directory that arguments start from, with its links resolved.
fn current(console: &Console<'_>) -> PathBuf {
    std::fs::canonicalize(&console.directory).unwrap_or_else(|_| console.directory.clone())
}

fn no_such_path(named: &Path) -> Error {
    let shown = named.display().to_string();
    let program = crate::cli::args::Cli::command();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set()).map(clap::Command::get_name);
    let help = match config::nearest(&shown, commands) {
        Some(near) if !shown.contains('/') => format!("did you mean the command `{near}`?"),
        _ => "`hintlint files` lists what can be checked".to_owned(),
    };
    Error::failed(format!("there is no file or directory {shown}"), help)
}

fn nearest_directory(path: &Path) -> PathBuf {
    path.ancestors().skip(1).find(|dir| dir.is_dir()).unwrap_or(Path::new("/")).to_path_buf()
}
