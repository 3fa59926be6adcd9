//! What one agent loads when it starts in one directory: the exact text of each part, the files behind it, and what was left
//! out and why. Plain data and the entry point; each agent's rules are in `dialect`.

use super::loading::Loading;
use crate::agents::{Dialect, Proof};
use crate::base::text::Span;
use crate::world::{AbsPath, WithoutGit, World};
use std::collections::BTreeMap;
use std::fmt;

/// A piece of the context that the agent puts in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartName {
    /// The user's own files, where the agent sends them apart.
    User,
    /// What is sent at start.
    Main,
    /// What is sent at start behind a block of the agent's own.
    After,
    /// What is sent when a file is touched.
    Touch,
}

impl PartName {
    /// All parts, in load order.
    pub const ALL: [PartName; 4] = [PartName::User, PartName::Main, PartName::After, PartName::Touch];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            PartName::User => "user",
            PartName::Main => "main",
            PartName::After => "after",
            PartName::Touch => "touch",
        }
    }
}

/// One part's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which part.
    pub name: PartName,
    /// The text, to the byte.
    pub text: String,
    /// Where the agent puts it.
    pub placement: &'static str,
}

/// Why a file is in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// A policy of the machine.
    Managed,
    /// A file of the user's, for all projects.
    User,
    /// A hint file on the walk.
    Project,
    /// A private hint file on the walk.
    Local,
    /// A rule or instruction file that always applies.
    Rule,
    /// A rule whose globs match the touched file.
    MatchedRule,
    /// Named in a setting.
    Setting,
    /// Named by an import.
    Import,
    /// A hint file on the way to the touched file.
    Touch,
}

impl Why {
    /// The name in listings and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Why::Managed => "managed",
            Why::User => "user",
            Why::Project => "project",
            Why::Local => "local",
            Why::Rule => "rule",
            Why::MatchedRule => "matched rule",
            Why::Setting => "setting",
            Why::Import => "import",
            Why::Touch => "touch",
        }
    }
}

/// The token that brought an imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Importer {
    /// The file that names it.
    pub path: AbsPath,
    /// The token, in bytes of that file's text as the agent scans it (its bytes, where they are UTF-8 and nothing was taken
    /// off its front).
    pub span: Span,
}

/// Where a file was cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// How many of its bytes are in the context.
    pub kept: usize,
    /// The line (from 1) that holds the first byte that is not.
    pub line: usize,
}

/// One file's contribution to a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The file, under the name by which the agent found it.
    pub path: AbsPath,
    /// The file itself, links resolved.
    pub real_path: AbsPath,
    /// The part that it is in.
    pub part: PartName,
    /// Why it is there.
    pub why: Why,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its lines.
    pub lines: usize,
    /// Its size in tokens, estimated from the bytes.
    pub tokens: usize,
    /// The token that brought it.
    pub imported_by: Option<Importer>,
    /// Where it was cut off, if it was.
    pub cut: Option<Cut>,
    /// The globs of a matched rule.
    pub globs: Vec<String>,
}

/// A rule that waits for a file to match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditional {
    /// The rule's file.
    pub path: AbsPath,
    /// The directory that its globs are relative to.
    pub base: AbsPath,
    /// The globs, as the agent splits and expands them; none if the rule is sent only when the model or the user asks.
    pub globs: Vec<String>,
    /// The text that is sent on a match.
    pub text: String,
    /// Why it can never apply, if it cannot.
    pub never: Option<&'static str>,
}

/// Why a file or token is not in the context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// There is no such file.
    Missing,
    /// It is a directory.
    Directory,
    /// It could not be read, or is neither file nor directory.
    Unreadable,
    /// It is not UTF-8, and the agent drops such files whole.
    NotUtf8,
    /// It lies outside the directory that bounds imports.
    Outside(AbsPath),
    /// The chain of imports is longer than the agent follows.
    TooDeep(usize),
    /// The agent imports no file with this extension.
    Extension(String),
    /// The token stands in code.
    Code,
    /// The token stands in a comment.
    Comment,
    /// Punctuation behind the path is taken as part of it; without it the file exists.
    Punctuation,
    /// The agent refuses such paths (absolute ones, `~`, URLs, git's own files).
    Refused,
    /// The agent looks for no imports in this file, though it does in others.
    NoImports,
    /// An ignore file of the repository hides it from imports.
    Ignored,
    /// It is in the context already.
    AlreadyLoaded,
    /// Another file of the directory or walk takes its place.
    ShadowedBy(AbsPath),
    /// A setting excludes it.
    Excluded,
    /// The size budget was spent before it.
    BudgetSpent(usize),
    /// It is empty after the agent removed what it does not send.
    Empty,
    /// Our own limit against hostile input.
    Limit,
}

impl Reason {
    /// The name in JSON.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Reason::Missing => "missing",
            Reason::Directory => "directory",
            Reason::Unreadable => "unreadable",
            Reason::NotUtf8 => "not-utf8",
            Reason::Outside(_) => "outside",
            Reason::TooDeep(_) => "too-deep",
            Reason::Extension(_) => "extension",
            Reason::Code => "code",
            Reason::Comment => "comment",
            Reason::Punctuation => "punctuation",
            Reason::Refused => "refused",
            Reason::NoImports => "no-imports",
            Reason::Ignored => "ignored",
            Reason::AlreadyLoaded => "already-loaded",
            Reason::ShadowedBy(_) => "shadowed",
            Reason::Excluded => "excluded",
            Reason::BudgetSpent(_) => "budget-spent",
            Reason::Empty => "empty",
            Reason::Limit => "limit",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Missing => f.write_str("no such file"),
            Reason::Directory => f.write_str("a directory"),
            Reason::Unreadable => f.write_str("cannot be read"),
            Reason::NotUtf8 => f.write_str("not UTF-8, so the whole file is dropped"),
            Reason::Outside(dir) => write!(f, "outside {dir}"),
            Reason::TooDeep(limit) => write!(f, "deeper than {limit} imports"),
            Reason::Extension(extension) => write!(f, "extension .{extension} is not imported"),
            Reason::Code => f.write_str("in code"),
            Reason::Comment => f.write_str("in a comment"),
            Reason::Punctuation => f.write_str("the punctuation behind it is taken as part of the path"),
            Reason::Refused => f.write_str("such paths are refused"),
            Reason::NoImports => f.write_str("the agent follows no imports in this file"),
            Reason::Ignored => f.write_str("hidden by an ignore file"),
            Reason::AlreadyLoaded => f.write_str("loaded already"),
            Reason::ShadowedBy(path) => write!(f, "{path} is loaded instead"),
            Reason::Excluded => f.write_str("excluded by a setting"),
            Reason::BudgetSpent(budget) => write!(f, "the budget of {budget} bytes is spent"),
            Reason::Empty => f.write_str("empty once stripped"),
            Reason::Limit => f.write_str("a limit of hintlint is reached"),
        }
    }
}

/// A file or token that is not in the context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// The file, or the target of the token; `None` when a token resolves to no path.
    pub path: Option<AbsPath>,
    /// The token's path as written; empty for a file on the walk.
    pub token: String,
    /// The file and place of the token; `None` for a file on the walk.
    pub imported_by: Option<Importer>,
    /// Why.
    pub reason: Reason,
}

/// A file that may exist and could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnreadFile {
    /// The file.
    pub path: AbsPath,
    /// What went wrong.
    pub message: String,
}

/// What the caller decides.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Whether the user's own files count.
    pub user: bool,
    /// Whether the project's own settings count for agents that ask their user first.
    pub trusted: bool,
    /// The file that is touched after the start.
    pub touch: Option<AbsPath>,
    /// Settings that are in no file, such as `gemini.names`; they win over the agents' files.
    pub settings: BTreeMap<String, serde_json::Value>,
    /// What our own config says to the agents, by the same keys; the environment wins over it.
    pub config: BTreeMap<String, serde_json::Value>,
    /// The directory to leave out of the paths in texts; they become relative to it.
    pub strip_root: Option<AbsPath>,
    /// Files that texts name by another path.
    pub named_as: BTreeMap<AbsPath, AbsPath>,
}

impl LoadOptions {
    /// The path by which texts name `path`.
    pub(crate) fn name_of<'p>(&'p self, path: &'p AbsPath) -> &'p AbsPath {
        self.named_as.get(path).unwrap_or(path)
    }
}

impl Default for LoadOptions {
    fn default() -> Self {
        let (settings, config, named_as) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        LoadOptions { user: true, trusted: false, touch: None, settings, config, strip_root: None, named_as }
    }
}

/// What one agent loads.
#[derive(Clone, Debug)]
pub struct Context {
    /// Whose rules.
    pub dialect: &'static Dialect,
    /// The directory that it starts in.
    pub start: AbsPath,
    /// The root that it finds, if it looks for one and finds it.
    pub root: Option<AbsPath>,
    /// The parts that this agent has, in load order; empty ones included, `Touch` only when a file is touched.
    pub parts: Vec<Part>,
    /// The files behind the parts, in the order of the texts.
    pub layers: Vec<Layer>,
    /// Rules that wait for a matching file.
    pub conditional: Vec<Conditional>,
    /// What is not in it.
    pub(crate) skipped: Vec<Skipped>,
    /// Remarks for the user: settings that could not be parsed, limits that were reached.
    pub notes: Vec<String>,
    /// Files that could not be read.
    pub(crate) failures: Vec<UnreadFile>,
    /// The most bytes of the project's files that the agent sends, if it has such a limit here.
    pub limit: Option<usize>,
    /// Whether the agent's own order of some files depends on the file system; ours is bytewise.
    pub order_unspecified: bool,
    /// Each path that was considered and what became of it, for `-v`.
    pub considered: Vec<(AbsPath, &'static str)>,
}

impl Context {
    /// A context in which nothing has been loaded yet.
    pub(crate) fn empty(dialect: &'static Dialect, start: &AbsPath) -> Context {
        Context {
            dialect,
            start: start.clone(),
            root: None,
            parts: Vec::new(),
            layers: Vec::new(),
            conditional: Vec::new(),
            skipped: Vec::new(),
            notes: Vec::new(),
            failures: Vec::new(),
            limit: None,
            order_unspecified: false,
            considered: Vec::new(),
        }
    }

    /// The text of a part; empty if the agent has no such part or nothing in it.
    pub(crate) fn text(&self, name: PartName) -> &str {
        self.parts.iter().find(|part| part.name == name).map_or("", |part| part.text.as_str())
    }
}

/// What `dialect` loads when it starts in `start`, which must exist and have its links resolved.
pub fn load(world: &dyn World, dialect: &'static Dialect, start: &AbsPath, options: &LoadOptions) -> Context {
    // What a released agent loads is shown as it is; ours load nothing of git's own.
    let without_git = WithoutGit::new(world);
    let world: &dyn World = if dialect.proof == Proof::Original { &without_git } else { world };
    let mut loading = Loading::new(world, dialect, start, options);
    (dialect.load)(&mut loading);
    loading.finish()
}
