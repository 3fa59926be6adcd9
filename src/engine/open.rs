//! An open repository: its source, its config, and the unsaved text over its files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::baseline::Baseline;
use super::stage::{Stage, Watcher};
use super::{BaselineFrom, NamedFile, Overlay, config_file};
use crate::base::error::{ConfigError, ConfigProblem, Error, Obstacle};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::config::Config;
use crate::config::extends::WholeConfig;
use crate::config::patterns::BadPattern;
use crate::env::Env;
use crate::source::history::steps::FirstParent;
use crate::source::history::versions::Versions;
use crate::source::history::{Answers, CacheFile, Questions};
use crate::source::{self, Base, Changes, GitVars, Opened, Side, Source, SourceError, Spec};
use crate::write;

/// What a source did not tell, as the run's error.
fn untold(error: SourceError) -> Error {
    Error::Failed { message: error.to_string(), help: error.help }
}

/// Which repository to open.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// Any folder of it. Relative paths of the environment start here.
    pub start: PathBuf,
    /// Which bytes: the worktree, the index or a commit.
    pub side: Side,
    /// The environment, which in a hook names the repository and its index.
    pub env: Env,
    /// Where the config comes from.
    pub config: ConfigFrom,
}

/// Where the config comes from.
#[derive(Clone, Debug, Default)]
pub enum ConfigFrom {
    /// From the repository's own file, if it has one.
    #[default]
    Repository,
    /// The same, with an editor's unsaved text in place of some files.
    Unsaved(BTreeMap<RepoPath, Arc<[u8]>>),
    /// From this file.
    File(NamedFile),
    /// From nowhere: the defaults hold.
    Defaults,
}

impl ConfigFrom {
    /// Whether each state of the repository has a config of its own.
    fn is_found(&self) -> bool {
        matches!(self, ConfigFrom::Repository | ConfigFrom::Unsaved(_))
    }
}

/// An open repository.
pub struct Repository {
    pub(super) opened: Opened,
    pub(super) spec: Spec,
    /// The config in force.
    pub config: Config,
    /// The config file and its text, if there is one.
    pub config_text: Option<NamedFile>,
    /// The files that it extends.
    pub extended: Vec<NamedFile>,
    /// Whether the config is the repository's own, so that each of its states has one.
    pub(super) finds_config: bool,
    pub(super) unsaved: BTreeMap<RepoPath, Arc<[u8]>>,
    /// Why history could not be kept for the next run, if it could not.
    unkept: OnceLock<String>,
    watcher: Watcher,
    /// A history that a test supplies instead of the repository's.
    #[cfg(test)]
    pub(super) told: Option<fn(&Questions) -> Answers>,
}

/// Open a repository.
///
/// # Errors
/// When the repository cannot be read, or its config has problems.
pub fn open(opening: Opening) -> Result<Repository, Error> {
    let Opening { start, side, env, config } = opening;
    let spec = Spec { start, side, vars: GitVars::new(env.exact()) };
    let found = source::find(&spec).map_err(untold)?;
    let opened = found.open().map_err(untold)?;
    let root = opened.root.clone().filter(|_| config.is_found());
    Repository::of(opened, spec, config).map_err(|mut error| {
        if let Error::Config(error) = &mut error {
            error.root = root;
        }
        error
    })
}

impl Repository {
    /// The repository whose files are those of `source`. It has no history.
    ///
    /// # Errors
    /// When its config has problems.
    pub fn new(source: Box<dyn Source>, config: ConfigFrom) -> Result<Repository, Error> {
        Repository::of(source.into(), Spec::default(), config)
    }

    fn of(opened: Opened, spec: Spec, from: ConfigFrom) -> Result<Repository, Error> {
        let finds_config = from.is_found();
        let found = match from {
            ConfigFrom::Repository => config_file::of_source(&*opened.source)?,
            ConfigFrom::Unsaved(texts) => config_file::of_source(&Overlay::new(&*opened.source, texts))?,
            ConfigFrom::File(file) => Some(config_file::named(file)?),
            ConfigFrom::Defaults => None,
        };
        let (whole, config_text) = match found {
            Some((whole, file)) => (whole, Some(file)),
            None => (WholeConfig { config: Config::default(), extended: Vec::new() }, None),
        };
        let WholeConfig { config, extended } = whole;
        Ok(Repository {
            opened,
            spec,
            config,
            config_text,
            extended,
            finds_config,
            unsaved: BTreeMap::new(),
            unkept: OnceLock::new(),
            watcher: Watcher::default(),
            #[cfg(test)]
            told: None,
        })
    }

    /// Tell `watch` of each stage of later work when it begins.
    pub fn watch(&mut self, watch: impl Fn(Stage) + Send + Sync + 'static) {
        self.watcher = Watcher::new(watch);
    }

    /// A stage begins.
    pub(crate) fn enter(&self, stage: Stage) {
        self.watcher.tell(stage);
    }

    /// Check this text in place of the file at `path`, which need not exist. Nothing is written.
    pub fn overlay(&mut self, path: RepoPath, text: Arc<[u8]>) {
        self.unsaved.insert(path, text);
    }

    /// Check the file at `path` as it is saved again.
    pub fn remove_overlay(&mut self, path: &RepoPath) {
        self.unsaved.remove(path);
    }

    /// Check these texts, and no others, in place of the saved files.
    #[cfg(feature = "server")]
    pub(crate) fn set_overlays(&mut self, texts: BTreeMap<RepoPath, Arc<[u8]>>) {
        self.unsaved = texts;
    }

    /// The files as they are saved.
    pub fn source(&self) -> &dyn Source {
        &*self.opened.source
    }

    /// The files with the unsaved text over them.
    pub fn files(&self) -> Overlay<'_> {
        Overlay::new(self.source(), self.unsaved.clone())
    }

    /// The top of the worktree, or the folder outside git; a bare repository has none.
    pub fn root(&self) -> Option<&Path> {
        self.opened.root.as_deref()
    }

    /// Git's own folder of this worktree; `None` outside git.
    pub fn git_dir(&self) -> Option<&Path> {
        self.opened.git_dir.as_deref()
    }

    /// Where the folder that was opened lies below the root; empty at the root and in a bare repository.
    pub fn subdirectory(&self) -> &[u8] {
        &self.opened.subdirectory
    }

    /// The versions that `paths` had in the newest `most` commits.
    ///
    /// # Errors
    /// When git cannot tell.
    pub(crate) fn versions(&self, paths: &[RepoPath], most: usize) -> Result<Versions, Error> {
        self.opened.versions(paths, most).map_err(untold)
    }

    /// The newest `most` commits along the first parents, the newest first.
    ///
    /// # Errors
    /// When git cannot tell.
    pub(crate) fn first_parents(&self, most: usize) -> Result<Vec<FirstParent>, Error> {
        self.opened.first_parents(most).map_err(untold)
    }

    /// The newest common ancestor with `revision`.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn merge_base(&self, revision: &str) -> Result<String, Error> {
        let found = self.opened.merge_base(revision).map_err(untold)?;
        found.ok_or_else(|| Error::failed("there is no commit to compare with", "commit first, or leave --since out"))
    }

    /// What changed since `base`.
    ///
    /// # Errors
    /// When git cannot tell.
    pub fn changes(&self, base: &Base) -> Result<Changes, Error> {
        self.opened.changes(base).map_err(untold)
    }

    /// Keep what is learnt of history in the git directory, and use what earlier runs kept there.
    pub fn keep_history(&mut self) {
        self.opened.keep_history();
    }

    /// Answer the rules' questions from history. The answers are cached for the next run, if caching is allowed.
    pub fn answer(&self, questions: &Questions) -> Answers {
        #[cfg(test)]
        if let Some(told) = self.told {
            return told(questions);
        }
        self.enter(Stage::History);
        let answers = self.opened.answer(questions);
        if let Some(file) = self.opened.unsaved_history()
            && let Err(why) = keep(&file)
        {
            let _ = self.unkept.set(why.into());
        }
        answers
    }

    /// Why history could not be kept for the next run, which will read it again.
    pub(crate) fn unkept(&self) -> Option<&str> {
        self.unkept.get().map(String::as_str)
    }

    /// The files that the config was read from, the repository's own or named one first.
    pub(crate) fn config_files(&self) -> Vec<NamedFile> {
        self.config_text.iter().chain(&self.extended).cloned().collect()
    }

    /// The same repository at a commit.
    ///
    /// # Errors
    /// When the commit cannot be read, or the config has problems.
    pub(super) fn at_commit(&self, commit: &str, config: ConfigFrom) -> Result<Repository, Error> {
        let spec = Spec { side: Side::Commit(commit.to_owned()), ..self.spec.clone() };
        let opened = source::open(&spec).map_err(untold)?;
        Repository::of(opened, spec, config)
    }

    /// The known findings of its own file, and the file; `None` without one.
    ///
    /// # Errors
    /// When the file cannot be read or is no baseline.
    pub(crate) fn own_baseline(&self) -> Result<Option<(RepoPath, Baseline)>, Error> {
        self.baseline(&BaselineFrom::Repository)
    }

    /// The known findings, and the file that has them; `None` without one.
    pub(super) fn baseline(&self, from: &BaselineFrom) -> Result<Option<(RepoPath, Baseline)>, Error> {
        let path = match from {
            BaselineFrom::Nowhere => return Ok(None),
            BaselineFrom::Given(path, baseline) => return Ok(Some((path.clone(), baseline.clone()))),
            BaselineFrom::Repository => RepoPath::from(self.config.baseline.as_str()),
        };
        let listing = self.source().listing();
        if listing.kind(path.as_bytes()).is_none() && !listing.has_dir(path.as_bytes()) {
            return Ok(None);
        }
        let text = config_file::text_of(self.source(), &path).map_err(|why| {
            let message = format!("cannot read the baseline {}: {why}", path.to_str_lossy());
            Error::failed(message, "rewrite it with `hintlint baseline`, or delete it")
        })?;
        text.map(|(_, bytes)| Ok((path.clone(), Baseline::parse(&path, &bytes)?))).transpose()
    }

    /// Where the path of the config starts, if it is the repository's own.
    fn config_root(&self) -> Option<PathBuf> {
        self.finds_config.then(|| self.opened.root.clone()).flatten()
    }

    /// A pattern that is no glob, as an error at its place in the config.
    pub(crate) fn bad_pattern(&self, bad: &BadPattern) -> Error {
        let files = self.config_files();
        let has = |(_, bytes): &&NamedFile| memchr::memmem::find(bytes, bad.pattern.as_bytes()).is_some();
        let Some((path, bytes)) = files.iter().find(has).or(files.first()) else {
            let message = format!("{:?} is not a valid pattern: {}", bad.pattern, bad.message);
            return Error::failed(message, "correct the pattern");
        };
        let text = String::from_utf8_lossy(bytes).into_owned();
        let start = text.find(&bad.pattern).unwrap_or(0);
        let span = Span::new(start, start + bad.pattern.len().min(text.len() - start));
        let message = format!("this is not a valid pattern: {}", bad.message);
        let problems = vec![ConfigProblem { span, message, help: None }];
        Error::Config(Box::new(ConfigError { path: path.clone(), text, problems, root: self.config_root() }))
    }
}

/// Write a file of ours in the git directory.
fn keep(file: &CacheFile) -> Result<(), Obstacle> {
    let place = || file.git_dir.join(file.path.to_os_path()).display().to_string();
    let root = write::WriteRoot::new(&file.git_dir).map_err(|error| format!("{}: {error}", place()))?;
    root.put(&file.path, &file.bytes).map_err(|error| format!("{} {error}", place()).into())
}
