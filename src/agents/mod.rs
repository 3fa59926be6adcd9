//! How each agent loads its hint files: one file (or folder) per agent with its table and its own code. What several agents
//! need is in `shared`.
//!
//! A table holds what was observed of one released version at one date; the golden vectors prove those marked so. Nothing
//! outside this module asks which agent it has in hand. All reading goes through a [`World`](crate::world::World).

pub(crate) mod claude;
mod cline;
mod codex;
mod continue_cli;
mod copilot;
mod cursor;
mod dex;
mod gemini;
mod gemini_2025;
mod goose;
mod kilo;
mod kiro;
pub mod merged;
mod opencode;
mod others;
mod qwen;
mod running;
mod shared;
mod vscode;
mod windsurf;

pub use running::hook_registrations;
pub(crate) use running::{EDITORS, hook_caller, hook_callers, running};
pub(crate) use shared::described::{described, sources};
pub use shared::hooks::HookRegistration;
pub(crate) use shared::hooks::{ASSISTANT, HookCaller, RegistrationForm, Speaker, USER};
pub(crate) use shared::vendors::{is_model_key, is_vendor_host};
pub use shared::{bundles, context, files, runs, signs};
pub(crate) use shared::{globs, roots, settings};

pub(crate) use crate::base::evidence::Evidence;
use crate::base::path;
use crate::parse::imports::Grammar;
use files::AgentFiles;
use shared::documented;
pub(crate) use shared::documented_servers as servers;
use shared::hooks::HookHost;
use shared::loading::Loading;
use shared::runs::{HookAnswers, HookContract, ReplacedVariables, RunKind, RunReader, file_rules::FileRule};
use std::fmt;
use std::ops::RangeInclusive;

/// How a table was established.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Outputs of the released agent are reproduced byte for byte.
    Vectors,
    /// The description or source of the original is followed, row by row.
    Original,
    /// Its documentation is followed; its text frame is not known.
    Documentation,
    /// Defined here.
    Ours,
}

impl Proof {
    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Proof::Vectors => "vectors",
            Proof::Original => "original",
            Proof::Documentation => "documentation",
            Proof::Ours => "ours",
        }
    }
}

/// Which of several names in one directory count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// All of them.
    All,
    /// The first that is there, even if it is empty.
    FirstInDirectory,
    /// The first that is anywhere on the walk, in every directory of it.
    FirstOnWalk,
    /// The first so many names; the others only if these yield no text anywhere on the walk.
    FirstSetWithText(usize),
}

/// What marks the project's root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootMark {
    /// The agent looks for none.
    None,
    /// `.git` of any kind.
    Git,
    /// `.git`, a directory.
    GitDirectory,
    /// `.git`, a directory or a file, but no link.
    GitUnlinked,
    /// `.git`, a file, or a directory that holds what git's own do.
    GitChecked,
    /// What the git program finds: a git directory, or a file that names one. A file that names none ends the search.
    GitProgram,
}

/// Where the walk down to the start directory begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// From the root to the start directory; without a root the start directory alone.
    Root,
    /// From the root to the start directory; without one from `/`.
    RootOrFileSystem,
    /// From `/` to the start directory, past any root.
    FileSystem,
    /// From the directory above the root; without a root from the one above the user's home.
    AboveRoot,
}

/// What becomes of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    /// The text stands in place of the token.
    Replaces,
    /// The text stands in place of the token's line, and every text gains a line end.
    ReplacesLine,
    /// The token stays and the text follows it.
    FollowsToken,
    /// The token stays and the file becomes an entry after its importer.
    FollowsFile,
}

/// Which directory imports may not leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// The root that the walk found, or the start directory.
    Root,
    /// The root found from the importing hint file's own directory, or that directory.
    RootOfFile,
    /// The start directory, unless the user has approved more.
    Start,
}

/// How a path is compared with the boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    /// The path as it is written.
    Path,
    /// The path with links resolved.
    RealPath,
    /// Both must lie inside.
    Both,
}

/// How imports work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Imports {
    /// What a token is.
    pub(crate) grammar: Grammar,
    /// What becomes of it.
    pub(crate) placement: Placement,
    /// How many imports may follow one another.
    pub(crate) depth: usize,
    /// What they may not leave.
    pub(crate) boundary: Boundary,
    /// How a target is compared with it.
    pub(crate) inside: Inside,
    /// The extensions that may be imported, in lower case; `None` for all. What has no extension may be imported always.
    pub(crate) extensions: Option<&'static [&'static str]>,
}

/// What becomes of a file that is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InvalidUtf8 {
    /// U+FFFD stands in place of each invalid sequence.
    Replaced,
    /// The file is dropped.
    DropsFile,
}

/// What goes at both ends of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trim {
    /// Nothing.
    Nothing,
    /// A leading U+FEFF.
    ByteOrderMark,
    /// White space, which U+FEFF is not.
    WhiteSpace,
    /// White space as JavaScript knows it, U+FEFF included.
    JavaScript,
}

/// What becomes of invisible characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invisible {
    /// They stay.
    Kept,
    /// The text is put into NFC, then these go.
    NfcThenWithout(&'static [RangeInclusive<char>]),
    /// These go, then the text is put into NFC.
    WithoutThenNfc(&'static [RangeInclusive<char>]),
    /// What our own safe fixes would remove goes.
    Sanitized,
}

/// What becomes of a file's text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextTreatment {
    /// Invalid UTF-8.
    pub(crate) invalid_utf8: InvalidUtf8,
    /// Both ends.
    pub(crate) trim: Trim,
    /// Whether YAML frontmatter is taken out of ordinary hint files.
    pub(crate) drops_frontmatter: bool,
    /// Invisible characters.
    pub(crate) invisible: Invisible,
}

impl TextTreatment {
    /// Nothing is taken out.
    const PLAIN: TextTreatment = TextTreatment {
        invalid_utf8: InvalidUtf8::Replaced,
        trim: Trim::Nothing,
        drops_frontmatter: false,
        invisible: Invisible::Kept,
    };
}

/// A directory of rule files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleDirectory {
    /// Its path below a directory of the walk.
    pub(crate) path: &'static str,
    /// How the names of its files end.
    pub(crate) suffix: &'static str,
    /// The frontmatter key that makes a rule conditional.
    pub(crate) key: &'static str,
}

impl Imports {
    /// The extension, in lower case, because of which a file of this name is not imported.
    pub(crate) fn refused_extension(&self, name: &[u8]) -> Option<String> {
        let extension = String::from_utf8_lossy(path::extension(name)?).to_lowercase();
        self.extensions.filter(|known| !known.contains(&extension.as_str())).map(|_| extension)
    }
}

/// One agent's loading rules.
pub struct Dialect {
    /// The name on the command line and in output.
    pub id: &'static str,
    /// The product's name.
    pub(crate) title: &'static str,
    /// The version that the table was checked against.
    pub(crate) version: &'static str,
    /// When it was checked, as `YYYY-MM`.
    pub(crate) checked: &'static str,
    /// How it was established.
    pub(crate) proof: Proof,
    /// Where the facts come from.
    pub(crate) evidence: &'static [Evidence],
    /// The names it reads in a directory, in precedence order.
    pub(crate) names: &'static [&'static str],
    /// Whether names match without regard to case.
    pub(crate) ignores_case: bool,
    /// Which of several names count.
    pub(crate) choice: Choice,
    /// The user's own files, relative to the home directory (or what an environment variable puts in its place).
    pub(crate) user_files: &'static [&'static str],
    /// Directories of rules.
    pub(crate) rules: &'static [RuleDirectory],
    /// What marks the root.
    pub(crate) root: RootMark,
    /// Which directories are read.
    pub(crate) walk: Walk,
    /// How imports work, if they do.
    pub(crate) imports: Option<Imports>,
    /// What becomes of texts.
    pub(crate) text: TextTreatment,
    /// Bytes that all project files together may have.
    pub(crate) max_bytes: Option<usize>,
    /// Its files in a repository.
    pub files: &'static AgentFiles,
    /// Where it puts the main part.
    pub(crate) placement: &'static str,
    pub(crate) load: fn(&mut Loading<'_>),
    /// What it runs because of a repository's files, where that is known.
    pub(crate) runs: Option<fn(&mut RunReader<'_>)>,
    /// What a setting of a repository lets it do without a question, in words that follow its name.
    pub(crate) weakens: fn(&RunKind) -> Option<&'static str>,
    /// The path that a permission rule names, if it names one.
    pub(crate) file_rule: fn(&str) -> Option<FileRule>,
    /// How its hooks tell its model something, where that was observed.
    pub(crate) answers: Option<HookAnswers>,
    /// What its hooks are given and must answer, where that was observed.
    pub(crate) hook_contract: Option<&'static HookContract>,
    /// Whether it starts servers in its own folder, whatever `cwd` they name.
    pub(crate) ignores_server_cwd: bool,
    /// Whether of several permission rules that fit the last one counts.
    pub(crate) last_rule_counts: bool,
    /// Which variables in a hook's command it replaces by itself, whatever quotes stand around them.
    pub(crate) replaced_variables: ReplacedVariables,
}

impl Dialect {
    /// What most agents have in common. Every table names what differs.
    const BASE: Dialect = Dialect {
        id: "",
        title: "",
        version: "",
        checked: "",
        proof: Proof::Documentation,
        evidence: &[],
        names: &[],
        ignores_case: false,
        choice: Choice::All,
        user_files: &[],
        rules: &[],
        root: RootMark::Git,
        walk: Walk::Root,
        imports: None,
        text: TextTreatment::PLAIN,
        max_bytes: None,
        files: &AgentFiles::NONE,
        placement: "",
        load: |loading| documented::load(loading, documented::RuleTrigger::Always),
        runs: None,
        weakens: |_| None,
        file_rule: |_| None,
        answers: None,
        hook_contract: None,
        ignores_server_cwd: false,
        last_rule_counts: false,
        replaced_variables: ReplacedVariables::None,
    };

    /// The product and the version that was checked, as messages name them.
    pub(crate) fn versioned(&self) -> String {
        match self.proof {
            Proof::Vectors => format!("{} {}", self.title, self.version),
            Proof::Original | Proof::Documentation | Proof::Ours => self.title.to_owned(),
        }
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dialect({} {})", self.id, self.version)
    }
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// All dialects, in order of their names.
pub static ALL: &[&Dialect] = &[
    &claude::CLAUDE,
    &cline::CLINE,
    &codex::CODEX,
    &continue_cli::CONTINUE,
    &copilot::COPILOT,
    &cursor::CURSOR,
    &dex::DEX,
    &gemini::GEMINI,
    &gemini_2025::GEMINI_2025,
    &goose::GOOSE,
    &kilo::KILO,
    &kiro::KIRO,
    &merged::MERGED,
    &opencode::OPENCODE,
    &qwen::QWEN,
    &windsurf::WINDSURF,
];

/// What the hooks need to know of the agent that runs them.
pub(crate) const HOST: &HookHost = &claude::hints::HOOKS;

/// The dialect called `id`.
pub(crate) fn by_id(id: &str) -> Option<&'static Dialect> {
    ALL.iter().copied().find(|dialect| dialect.id == id)
}

/// The ids of all dialects, in order.
pub fn ids() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|dialect| dialect.id)
}

#[cfg(test)]
mod tests;
