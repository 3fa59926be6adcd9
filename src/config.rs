//! `hintlint.toml`: its shape, its defaults, and errors that name the place. Reads no file; the source hands it the text.

use std::collections::BTreeMap;

use crate::finding::Level;
use crate::path::RepoPath;
use crate::text::Span;

/// The whole config, with defaults filled in.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The file it came from, if there is one.
    pub path: Option<RepoPath>,
    /// The enabled agents; `None` means `"auto"`.
    pub agents: Option<Vec<String>>,
    /// Patterns (gitignore syntax) of files that are not checked, each with its place.
    pub exclude: Vec<(String, Span)>,
    /// Settings per rule or group, in source order.
    pub rules: Vec<RuleSetting>,
    /// Settings that hold for some paths only.
    pub overrides: Vec<Override>,
    /// `[limits]`
    pub limits: Limits,
    /// `[compile]`
    pub compile: Compile,
    /// `[plans] paths`: gitignore-style patterns from the root.
    pub plans: Vec<String>,
    /// `[library] paths`
    pub library: Vec<String>,
    /// `[packages] path`: the directory of hint packages.
    pub packages: String,
    /// `[search]`
    pub search: Search,
    /// `[dex]`
    pub dex: Dex,
    /// The artifacts folder's existence or `[compile]` in the config switches artifact rules on; this is the config's half.
    pub compile_configured: bool,
}

/// What the config says of one rule or group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSetting {
    /// Rule or group name as written.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// A level; `Some(None)` is `off`; `None` leaves the rule's own levels.
    pub level: Option<Option<Level>>,
    /// Code points (`U+00AD`), path patterns, words that the rule leaves alone.
    pub allow: Vec<String>,
    /// Further keys of the table form, for rules that have options of their own.
    pub options: BTreeMap<String, String>,
}

/// One `[[overrides]]` table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Patterns (gitignore syntax).
    pub paths: Vec<String>,
    /// Where the table stands.
    pub span: Span,
    /// The settings for those paths.
    pub rules: Vec<RuleSetting>,
}

/// `[limits]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many imports deep `merged` and `dex` follow.
    pub import_depth: usize,
    /// Bytes of context: a finding for `merged`, a cut for `dex`.
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
        Compile {
            output: ".hintlint/context".into(),
            agents: vec!["merged".into()],
            inherit: true,
            directories: Vec::new(),
        }
    }
}

/// `[search]`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// `keyword`, `ollama` or `anthropic`.
    pub provider: Option<String>,
    /// The model's name.
    pub model: Option<String>,
    /// The provider's address.
    pub host: Option<String>,
}

/// `[dex]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dex {
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
