//! `hintlint.toml`: its shape, its defaults, and errors that name the place. Reads no file; the source hands it the text.

mod allow;
pub(crate) mod extends;
mod keys;
pub(crate) mod levels;
pub mod patterns;
mod read;
mod values;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::base::error::ConfigError;
use crate::base::finding::Level;
use crate::base::path::RepoPath;
use crate::base::text::Span;

pub(crate) use keys::{ConfigKey, KEYS, KeyKind, nearest};
pub(crate) use levels::sanitized;

/// The names of the config file, at the repository root. Both at once is an error.
pub(crate) const FILE_NAMES: [&str; 2] = ["hintlint.toml", ".hintlint.toml"];

/// The name that means all rules, in `[rules]` as in `--select`.
pub(crate) const ALL_RULES: &str = "all";

/// Where artifacts stand if `[compile] output` names no other folder.
pub(crate) const DEFAULT_OUTPUT: &str = ".hintlint/context";

/// The whole config, with defaults filled in.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file it came from, if there is one.
    pub path: Option<RepoPath>,
    /// All files that it was read from, with those that it extends.
    pub sources: Vec<RepoPath>,
    /// Other configs of the repository that the file extends, each with its place.
    pub extends: Vec<(String, Span)>,
    /// Where each key was read from that has one value, by its dotted name.
    pub(crate) origins: BTreeMap<String, (RepoPath, Span)>,
    /// The enabled agents; `None` means `"auto"`.
    pub agents: Option<Vec<String>>,
    /// Patterns (gitignore syntax) of files that are not checked, each with its place.
    pub exclude: Vec<(String, Span)>,
    /// Settings per rule or group, in source order.
    pub(crate) rules: Vec<RuleSetting>,
    /// Settings that hold for some paths only.
    pub overrides: Vec<Override>,
    /// `[limits]`
    pub(crate) limits: Limits,
    /// `[compile]`
    pub compile: Compile,
    /// `[plans] paths`: gitignore-style patterns from the root.
    pub plans: Vec<String>,
    /// `[hooks] loops`: commands that start a loop, besides those that the hooks know.
    pub loops: Vec<String>,
    /// `[library] paths`
    pub library: Vec<String>,
    /// `[baseline] path`: the file of findings that are known already.
    pub baseline: String,
    /// `[packages] path`: the directory of hint packages.
    pub packages: String,
    /// `[search]`
    pub search: Search,
    /// Whether `[search]` stands in the config; without it an older tool's settings are read.
    pub search_configured: bool,
    /// `[dex]`
    pub(crate) dex: Dex,
    /// Whether `[compile]` stands in the config; that, or a tracked artifact, switches the artifact rules on.
    pub compile_configured: bool,
    /// The settings of the file that have no effect, one sentence each.
    pub notes: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        let owned = |patterns: &[&str]| patterns.iter().map(ToString::to_string).collect();
        Config {
            path: None,
            sources: Vec::new(),
            extends: Vec::new(),
            origins: BTreeMap::new(),
            agents: None,
            exclude: Vec::new(),
            rules: Vec::new(),
            overrides: Vec::new(),
            limits: Limits::default(),
            compile: Compile::default(),
            plans: owned(&DEFAULT_PLANS),
            loops: Vec::new(),
            library: owned(&["src/hints/**/*.md"]),
            baseline: DEFAULT_BASELINE.into(),
            packages: "hints".into(),
            search: Search::default(),
            search_configured: false,
            dex: Dex::default(),
            compile_configured: false,
            notes: Vec::new(),
        }
    }
}

/// Where the baseline stands if `[baseline] path` names no other file.
pub(crate) const DEFAULT_BASELINE: &str = ".hintlint/baseline.json";

/// Where plans are looked for by default. Never `TODO.md` or a README: their checkboxes are not a plan's.
pub(crate) const DEFAULT_PLANS: [&str; 7] = [
    "PLAN.md",
    ".claude/PLAN.md",
    "docs/plans/**/*.md",
    "docs/superpowers/plans/**/*.md",
    ".kiro/specs/*/tasks.md",
    ".omc/plans/*.md",
    ".sisyphus/plans/*.md",
];

impl Config {
    /// Read the config file at `path` with contents `text`.
    ///
    /// # Errors
    /// All problems of the file, each with its place: syntax, unknown keys, wrong types, values outside their range.
    pub fn parse(path: &RepoPath, text: &str) -> Result<Config, ConfigError> {
        read::read(Config::default(), path, text)
    }

    /// What the config says to one agent, by the agent's own keys. Only `dex` takes its settings from here.
    pub(crate) fn of_agent(&self, agent: &str) -> Vec<(&'static str, Value)> {
        match agent {
            "dex" => vec![
                ("enabled", self.dex.enabled.into()),
                ("filenames", self.dex.filenames.clone().into()),
                ("max_total_size", self.limits.context_bytes.into()),
                ("max_import_depth", self.limits.import_depth.into()),
            ],
            _ => Vec::new(),
        }
    }
}

/// What the config says of one rule or group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleSetting {
    /// Rule or group name as written.
    pub name: String,
    /// The config file that has it.
    pub file: RepoPath,
    /// Where the name stands.
    pub span: Span,
    /// A level; `Some(None)` is `off`; `None` leaves the rule's own levels.
    pub level: Option<Option<Level>>,
    /// Code points (`U+00AD`), path patterns, words that the rule leaves alone.
    pub allow: Vec<String>,
}

impl RuleSetting {
    /// A setting that says nothing yet of the rule or group `name`.
    fn new(name: &str, file: &RepoPath, span: Span) -> Self {
        RuleSetting { name: name.to_owned(), file: file.clone(), span, level: None, allow: Vec::new() }
    }
}

/// The provider that asks no model.
pub(crate) const KEYWORD: &str = "keyword";

/// `[search]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// Who selects: [`KEYWORD`], or the name of a provider of models.
    pub provider: String,
    /// The model that is asked, if it is not the provider's usual one.
    pub model: Option<String>,
    /// Where the provider is reached, if not at its usual place.
    pub host: Option<String>,
}

impl Default for Search {
    fn default() -> Self {
        Search { provider: KEYWORD.into(), model: None, host: None }
    }
}

/// One `[[overrides]]` table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Patterns (gitignore syntax).
    pub paths: Vec<String>,
    /// The config file that has it.
    pub file: RepoPath,
    /// Where the table stands.
    pub span: Span,
    /// The settings for those paths.
    pub(crate) rules: Vec<RuleSetting>,
}

/// `[limits]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// How many imports deep `merged` and `dex` follow.
    pub import_depth: usize,
    /// Limit in bytes: `merged` contexts over it are reported, `dex` contexts are cut.
    pub context_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { import_depth: 3, context_bytes: 51_200 }
    }
}

/// `[compile]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compile {
    /// The artifacts' folder, repository-relative.
    pub output: String,
    /// The agents that get artifacts.
    pub agents: Vec<String>,
    /// Whether a scope's artifact holds its ancestors' layers too.
    pub inherit: bool,
    /// Extra scopes.
    pub directories: Vec<String>,
}

impl Default for Compile {
    fn default() -> Self {
        Compile { output: DEFAULT_OUTPUT.into(), agents: vec!["merged".into()], inherit: true, directories: Vec::new() }
    }
}

/// `[dex]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dex {
    /// Whether dex hints are loaded at all.
    pub enabled: bool,
    /// The names looked for in each directory, in order.
    pub filenames: Vec<String>,
}

impl Default for Dex {
    fn default() -> Self {
        let filenames = [".dexhints", "DEX.md", "AGENTS.md", "CLAUDE.md"].map(String::from).to_vec();
        Dex { enabled: true, filenames }
    }
}
