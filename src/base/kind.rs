//! The kinds of files. Agents' tables define the kinds of their own files; here stand those that no single agent owns, and what
//! a kind can say of itself. Which path is of which kind is decided elsewhere.

use super::fields::Schema;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// What a file is, and so how it is parsed and which rules look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `AGENTS.md`, which many agents read
    AgentsMd,
    /// `SKILL.md`, which many agents read
    Skill,
    /// A kind that one agent's table defines
    Of(&'static AgentKind),
    /// A plan with checkboxes, by the config's `[plans] paths`
    Plan,
    /// A hint of the library, by the config's `[library] paths`
    LibraryHint,
    /// `hints/<name>/hint.md`
    PackageHint,
    /// `hints/<name>/hint.yaml`
    PackageYaml,
    /// A committed context artifact: our place and our header
    Artifact,
    /// Hints for an agent whose loading is not known here
    OtherRules,
    /// A name that an agent's tracked settings add
    Configured,
    /// A file that is here only because a hint file imports it
    Imported,
    /// A Markdown file in a skill's folder that the skill leads to
    SkillPage,
    /// A file that was named on the command line and is nothing else
    Markdown,
    /// Any other text file, searched for hidden characters and not parsed
    Text,
}

/// What an agent does with the files of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A directory's hints for whoever starts there.
    Main,
    /// Takes the place of the hint file beside it.
    Override,
    /// One person's hints, beside the main file.
    Local,
    /// A main file from before the agent had a folder of rules.
    Legacy,
    /// One of a folder of rules.
    Rule,
    /// A prompt that the user calls by name.
    Command,
    /// Describes another agent that this one may call.
    Subagent,
    /// A text that takes the place of a part of the agent's own instructions once a setting chooses it.
    Style,
}

/// A kind of file that one agent defines. Two of the same name are the same.
pub struct AgentKind {
    /// The name in `hintlint files` and in JSON.
    pub(crate) name: &'static str,
    /// What its files are for.
    pub(crate) role: Role,
    /// How its frontmatter is read.
    pub(crate) frontmatter: FrontmatterStyle,
    /// Its frontmatter's fields; `None` where the agent gives frontmatter no meaning.
    pub(crate) fields: Option<&'static Schema>,
    /// The fields that hold path patterns.
    pub(crate) patterns: &'static [&'static str],
    /// Whether patterns count from the directory that holds the agent's folder, and never from the root.
    pub(crate) patterns_from_owner: bool,
    /// The part of the path behind which the file's own name begins, such as `/rules/`; empty for single files.
    pub(crate) folder: &'static str,
    /// Whether it stands beside other agents' hint files on purpose, and is a copy of none.
    pub(crate) adds: bool,
    /// Whether a file that does nothing but import AGENTS.md is a good one.
    pub(crate) may_be_stub: bool,
    /// What an empty file does all the same.
    pub(crate) hides: Option<&'static str>,
    /// Whether an `@path` in its text attaches a file, counted from where the agent is started.
    pub(crate) attaches: bool,
    /// Whether its patterns match only files, so that a folder path matches nothing, according to the documentation.
    pub(crate) patterns_name_files: bool,
    /// Whether it can be said that no agent reads a file of this kind.
    pub(crate) told_unread: bool,
    /// What its agent puts in place of the arguments of a call, and what others do.
    pub(crate) arguments: Option<&'static Arguments>,
    /// Whether its `agent` field counts only beside `context: fork`.
    pub(crate) forks_by_context: bool,
    /// Characters that its agent takes of one file, according to the documentation.
    pub(crate) max_chars: Option<usize>,
}

/// The places in a prompt that its agent fills with what the user adds to the call.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// What this agent fills.
    pub(crate) own: &'static str,
    /// What only others fill: how it begins, and whose it is.
    pub(crate) foreign: &'static [(&'static str, &'static str)],
}

impl AgentKind {
    /// A kind without frontmatter fields, patterns or folder.
    pub(crate) const fn new(name: &'static str, role: Role) -> Self {
        AgentKind {
            name,
            role,
            frontmatter: FrontmatterStyle::Yaml,
            fields: None,
            patterns: &[],
            patterns_from_owner: false,
            folder: "",
            adds: false,
            may_be_stub: false,
            hides: None,
            attaches: false,
            patterns_name_files: false,
            told_unread: !matches!(role, Role::Command | Role::Subagent | Role::Style),
            arguments: None,
            forks_by_context: false,
            max_chars: None,
        }
    }
}

impl fmt::Debug for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for AgentKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for AgentKind {}

impl PartialOrd for AgentKind {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AgentKind {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(other.name)
    }
}

impl Hash for AgentKind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Kind {
    /// Whether a file of this kind may speak of any project, and not of the one it lies in.
    pub(crate) fn is_general(self) -> bool {
        matches!(self, Kind::Skill | Kind::SkillPage)
            || matches!(self.role(), Some(Role::Command | Role::Subagent | Role::Style))
    }

    /// The kind's name in `hintlint files` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::AgentsMd => "agents-md",
            Kind::Skill => "skill",
            Kind::Of(kind) => kind.name,
            Kind::Plan => "plan",
            Kind::LibraryHint => "library-hint",
            Kind::PackageHint => "package-hint",
            Kind::PackageYaml => "package-yaml",
            Kind::Artifact => "artifact",
            Kind::OtherRules => "other-rules",
            Kind::Configured => "configured",
            Kind::Imported => "imported",
            Kind::SkillPage => "skill-page",
            Kind::Markdown => "markdown",
            Kind::Text => "text",
        }
    }

    /// What an agent does with such files, if it is one agent's kind or `AGENTS.md`.
    pub(crate) fn role(self) -> Option<Role> {
        match self {
            Kind::AgentsMd => Some(Role::Main),
            Kind::Of(kind) => Some(kind.role),
            _ => None,
        }
    }

    /// Whether the file's body is read as Markdown.
    pub(crate) fn is_markdown(self) -> bool {
        !matches!(self, Kind::PackageYaml | Kind::Text)
    }

    /// How the file's frontmatter is read.
    pub(crate) fn frontmatter(self) -> FrontmatterStyle {
        match self {
            Kind::Of(kind) => kind.frontmatter,
            Kind::PackageYaml => FrontmatterStyle::WholeFile,
            Kind::Artifact | Kind::Text => FrontmatterStyle::None,
            _ => FrontmatterStyle::Yaml,
        }
    }

    /// Whether the `agent` field of such files counts only beside `context: fork`.
    pub(crate) fn is_forked_by_context(self) -> bool {
        match self {
            Kind::Skill => true,
            Kind::Of(kind) => kind.forks_by_context,
            _ => false,
        }
    }

    /// Whether somebody acts upon frontmatter at the top of such files.
    pub(crate) fn reads_frontmatter(self) -> bool {
        match self {
            Kind::Skill | Kind::LibraryHint => true,
            Kind::Of(kind) => kind.fields.is_some(),
            _ => false,
        }
    }

    /// The frontmatter fields that hold path patterns.
    pub fn patterns(self) -> &'static [&'static str] {
        match self {
            Kind::Skill => &["paths"],
            Kind::LibraryHint => &["applies_to"],
            Kind::Of(kind) => kind.patterns,
            _ => &[],
        }
    }
}

/// How a kind's frontmatter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrontmatterStyle {
    /// The kind has none.
    None,
    /// YAML between `---` lines at the first byte (after a byte order mark).
    Yaml,
    /// The same, read line by line, for agents whose own documentation has `globs: *.ts, src/**` without quotes.
    Mdc,
    /// The whole file is YAML.
    WholeFile,
}
