//! Values that options take.

use crate::base::finding::Level;
use clap::ValueEnum;

/// A level on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelArg {
    /// Errors only.
    Error,
    /// Warnings and errors.
    #[default]
    Warning,
    /// Everything.
    Info,
}

impl From<LevelArg> for Level {
    fn from(level: LevelArg) -> Level {
        match level {
            LevelArg::Error => Level::Error,
            LevelArg::Warning => Level::Warning,
            LevelArg::Info => Level::Info,
        }
    }
}

/// From which level on a run fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Errors.
    #[default]
    Error,
    /// Warnings too.
    Warning,
    /// Anything.
    Info,
    /// Nothing.
    Never,
}

impl FailOn {
    /// The lowest level that fails.
    pub(crate) fn level(self) -> Option<Level> {
        match self {
            FailOn::Error => Some(Level::Error),
            FailOn::Warning => Some(Level::Warning),
            FailOn::Info => Some(Level::Info),
            FailOn::Never => None,
        }
    }
}

/// The form of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// One line per finding.
    Concise,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// GitHub workflow commands.
    Github,
    /// Markdown.
    Markdown,
    /// GitLab's Code Quality.
    Gitlab,
    /// JUnit's XML.
    Junit,
    /// Reviewdog's Diagnostic Format.
    Rdjson,
}

/// The form of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people.
    #[default]
    Text,
    /// JSON.
    Json,
}

/// The form of the rule table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesFormat {
    /// For people.
    #[default]
    Text,
    /// JSON.
    Json,
    /// The table of the README.
    Markdown,
}

/// The form of the progress of plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// For people.
    #[default]
    Text,
    /// JSON.
    Json,
    /// For a pull request.
    Markdown,
}

/// The form of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// For people.
    #[default]
    Human,
    /// For a comment on a pull request.
    Markdown,
    /// JSON.
    Json,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Which files are searched for hidden characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnicodeScope {
    /// Hint files and what they import.
    #[default]
    Hints,
    /// Every text file.
    All,
}
