//! What a rule says: a finding, its level and place, and the fix that goes with it. Plain data; printing is `report`'s work.

use crate::base::path::RepoPath;
use crate::base::text::Span;

/// How bad a finding is. Ordered: `Info < Warning < Error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Odd but explainable; shown only when asked for.
    Info,
    /// Probably not what the author meant.
    Warning,
    /// Wrong, or a danger to whoever trusts the file.
    Error,
}

impl Level {
    /// The level's name in every format and in the config.
    pub fn name(self) -> &'static str {
        match self {
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }

    /// One level up; an error stays an error.
    pub(crate) fn raised(self) -> Level {
        match self {
            Level::Info => Level::Warning,
            Level::Warning | Level::Error => Level::Error,
        }
    }
}

/// What the user may lose when a fix is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// Cannot change meaning; `--fix` applies it.
    Safe,
    /// May change meaning; `--unsafe-fixes` applies it.
    Unsafe,
    /// Shown, never applied.
    Manual,
}

impl Applicability {
    /// The applicability's name in machine formats.
    pub fn name(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
            Applicability::Manual => "manual",
        }
    }
}

/// Replace the bytes at `span` of `path` by `replacement`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The file that changes.
    pub path: RepoPath,
    /// The bytes that go.
    pub span: Span,
    /// The text that comes.
    pub replacement: String,
}

/// Edits that belong together: all are applied or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Who may apply it.
    pub applicability: Applicability,
    /// The edits, in any order; they must not overlap each other.
    pub edits: Vec<Edit>,
}

/// A second place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Related {
    /// The file, which may be another than the finding's.
    pub path: RepoPath,
    /// The place in it.
    pub span: Span,
    /// What is to be seen there.
    pub message: String,
}

/// The cause of a finding, so that findings of one cause can be reported together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    /// The same for all findings of one cause and rule.
    pub key: String,
    /// What this finding is about, such as a dead path.
    pub subject: String,
    /// What is wrong with several subjects of this cause, as the end of a sentence: `do not exist any more`.
    pub many: &'static str,
    /// What to do about several subjects; the first finding's help if `None`.
    pub help: Option<String>,
}

/// One problem at one primary place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's name.
    pub rule: &'static str,
    /// How bad it is here.
    pub level: Level,
    /// The file.
    pub path: RepoPath,
    /// The place; `0..0` when the finding is about the file as a whole.
    pub span: Span,
    /// What is wrong, in one sentence without a final full stop.
    pub message: String,
    /// What to do next.
    pub help: Option<String>,
    /// The agents it holds for, sorted; empty when it holds for all.
    pub agents: Vec<&'static str>,
    /// Further places.
    pub(crate) related: Vec<Related>,
    /// How to fix it.
    pub fix: Option<Fix>,
    /// Why it is there, if other findings may be there for the same reason.
    pub(crate) cause: Option<Cause>,
}

impl Finding {
    /// A finding of `rule` at `span` of `path`.
    pub fn new(rule: &'static str, level: Level, path: &RepoPath, span: Span, message: impl Into<String>) -> Self {
        Finding {
            rule,
            level,
            path: path.clone(),
            span,
            message: message.into(),
            help: None,
            agents: Vec::new(),
            related: Vec::new(),
            fix: None,
            cause: None,
        }
    }

    /// Whether it is about its file as a whole, not about a place in it.
    pub(crate) fn is_placeless(&self) -> bool {
        self.span == Span::empty(0)
    }

    /// Say what to do next.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Set the cause, so that findings of one cause are reported together.
    #[must_use]
    pub(crate) fn cause(mut self, cause: Cause) -> Self {
        self.cause = Some(cause);
        self
    }

    /// Name the agents it holds for.
    #[must_use]
    pub fn agents(mut self, agents: impl IntoIterator<Item = &'static str>) -> Self {
        self.agents = agents.into_iter().collect();
        self.agents.sort_unstable();
        self.agents.dedup();
        self
    }

    /// Point at a further place.
    #[must_use]
    pub fn related(mut self, path: &RepoPath, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { path: path.clone(), span, message: message.into() });
        self
    }

    /// Offer a fix of one edit in the finding's own file.
    #[must_use]
    pub fn fix(self, applicability: Applicability, span: Span, replacement: impl Into<String>) -> Self {
        let edit = Edit { path: self.path.clone(), span, replacement: replacement.into() };
        self.fix_edits(applicability, vec![edit])
    }

    /// Offer a fix of several edits.
    #[must_use]
    pub(crate) fn fix_edits(mut self, applicability: Applicability, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix { applicability, edits });
        self
    }
}
