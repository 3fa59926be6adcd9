//! The command line as data: clap structs and nothing that acts.

mod check;
mod compile;
mod explore;
mod hook;
mod listing;
mod pack;
mod plan;
mod value;

pub(crate) use check::CheckArgs;
pub(crate) use compile::{CompileArgs, DiffArgs};
pub(crate) use explore::ExploreArgs;
pub(crate) use hook::{HookArgs, InitArgs};
pub(crate) use listing::{AgentsArgs, ExplainArgs, FilesArgs, ListArgs, RulesArgs};
pub(crate) use pack::{PackArgs, PackCommand, PackMetadataArgs, PackModulesArgs, PackResourceArgs, PreambleShell};
pub(crate) use plan::{PlanArgs, PlanCommand, PlanStatusArgs};
pub use value::Format;
pub(crate) use value::{ColorChoice, DiffFormat, FailOn, LevelArg, ListFormat, PlanFormat, RulesFormat, UnicodeScope};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::cli::baseline::BaselineArgs;
use crate::cli::ci::CiArgs;
use crate::cli::config::ConfigShowArgs;
use crate::cli::search::args::{ListAllHintsArgs, SearchArgs, ShowHintsArgs};
use crate::cli::show::ShowArgs;

/// Lint and compile the files that tell AI coding agents how to work.
#[derive(Debug, Parser)]
#[command(
    name = "hintlint",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    max_term_width = 100,
    after_help = "Example: hintlint --fix"
)]
pub struct Cli {
    /// The command; `check` without one.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The arguments of `check`, for when no command is named.
    #[command(flatten)]
    pub(crate) check: CheckArgs,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lint hint files; the default (`check --help` has all its options)
    #[command(after_help = "Example: hintlint check --fix docs/ CLAUDE.md")]
    Check(Box<CheckArgs>),
    /// Write a baseline of today's findings, to report only new ones
    #[command(after_help = "Example: hintlint baseline")]
    Baseline(BaselineArgs),
    /// List what is checked, and as what
    #[command(after_help = "Example: hintlint files -v packages/api")]
    Files(FilesArgs),
    /// Say which agents are enabled, and why
    #[command(after_help = "Example: hintlint agents")]
    Agents(AgentsArgs),
    /// Write each directory's merged context, for commit
    #[command(after_help = "Example: hintlint compile --check")]
    Compile(CompileArgs),
    /// Print exactly what an agent loads in a directory
    #[command(after_help = "Example: hintlint show --agent claude packages/api --sources")]
    Show(ShowArgs),
    /// Write an HTML page of what each agent loads in each directory
    #[command(after_help = "Example: hintlint explore --since main --output page.html")]
    Explore(ExploreArgs),
    /// Show how what agents load changes between two revisions
    #[command(after_help = "Example: hintlint diff origin/main --format markdown")]
    Diff(DiffArgs),
    /// Show the progress of plans, or track the one that is worked on
    #[command(
        after_help = "Example: hintlint plan docs/plans/release.md",
        args_conflicts_with_subcommands = true,
        subcommand_precedence_over_arg = true
    )]
    Plan(PlanArgs),
    /// Load a hint package and get what it brings
    #[command(after_help = "Example: hintlint pack load hello")]
    Pack(PackArgs),
    /// Find the hints that answer a question
    #[command(alias = "search-hints", after_help = "Example: hintlint search retry")]
    Search(SearchArgs),
    /// List all hints, as `search --list` does
    #[command(hide = true, after_help = "Example: hintlint list-all-hints --verbose")]
    ListAllHints(ListAllHintsArgs),
    /// Print the hints that answer a question, as `search --show-content` does
    #[command(hide = true, after_help = "Example: hintlint show-hints retry")]
    ShowHints(ShowHintsArgs),
    /// Answer an event of an agent: JSON on stdin, JSON on stdout
    #[command(after_help = "Example: hintlint hook session-start\n\n\
                      Agents run these; `hintlint init --agent-hooks` registers them.\n\n\
                      session-start  adds the project's README.md and AGENTS.md and the progress of the active plan\n\
                      post-tool-use  adds the rules for a file that was touched, and tracks edits of the plan\n\
                      stop           keeps a loop (/ralph-loop) going until the agent has output its <promise>\n\
                      session-end    notes the session in the plan's state\n\n\
                      The active plan (\"boulder\") is .claude/PLAN.md, or what `plan activate` names.\n\
                      A loop is a task with `--completion-promise WORDS`: the agent may stop only once\n\
                      it has said <promise>WORDS</promise>.")]
    Hook(HookArgs),
    /// Serve an editor: the language server protocol on stdin and stdout
    #[command(hide = cfg!(not(feature = "server")), after_help = "Example: hintlint server")]
    Server(ServerArgs),
    /// List all rules
    #[command(after_help = "Example: hintlint rules --format markdown")]
    Rules(RulesArgs),
    /// Explain one rule
    #[command(after_help = "Example: hintlint explain hidden-tags")]
    Explain(ExplainArgs),
    /// Write a config, a hint template, hooks or a workflow
    #[command(after_help = "Example: hintlint init --pre-commit --workflow")]
    Init(InitArgs),
    /// Lint, fix and show an example repository; writes no file of yours
    #[command(after_help = "Example: hintlint tour")]
    Tour(TourArgs),
    /// Check a pull request in CI: annotations, SARIF, a summary
    #[command(after_help = "Example: hintlint ci --base origin/main --summary summary.md")]
    Ci(CiArgs),
    /// Print the effective config, and where each value comes from
    #[command(after_help = "Example: hintlint config --format json")]
    Config(ConfigShowArgs),
    /// Print the JSON Schema of hintlint.toml
    #[command(after_help = "Example: hintlint schema > hintlint.schema.json")]
    Schema,
    /// Print completions for a shell
    #[command(after_help = "Example: hintlint completions fish > ~/.config/fish/completions/hintlint.fish")]
    Completions(CompletionsArgs),
    /// Print a manual page, for packages
    #[command(hide = true, after_help = "Example: hintlint manual check > hintlint-check.1")]
    Manual(ManualArgs),
    /// Print the names that completions offer, one per line
    #[command(hide = true, after_help = "Example: hintlint complete-names packages")]
    CompleteNames(CompleteNamesArgs),
}

/// `hintlint server`
#[derive(Clone, Debug, Default, Args)]
pub struct ServerArgs {
    /// Accepted for clients that always pass it; stdin and stdout are always used
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// What every command that opens a repository takes.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ConfigArgs {
    /// Read this config instead of the repository's
    #[arg(long, value_name = "FILE", env = "HINTLINT_CONFIG", hide_env = true)]
    pub config: Option<PathBuf>,
    /// Read no config, not even one that --config names
    #[arg(long)]
    pub no_config: bool,
    /// When to use colour
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        env = "HINTLINT_COLOR",
        hide_env = true,
        hide_possible_values = true,
        help = "Use colour: auto, always, never"
    )]
    pub color: ColorChoice,
}

/// Which state of the repository is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct SourceArgs {
    /// Read what is staged instead of the worktree
    #[arg(long, conflicts_with = "rev")]
    pub staged: bool,
    /// Read revision REV instead of the worktree
    #[arg(long, value_name = "REV")]
    pub rev: Option<String>,
}

/// What is kept between runs.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CacheArgs {
    /// Do not use the cache of the git history
    #[arg(long, env = "HINTLINT_NO_CACHE", hide_env = true, value_parser = clap::builder::FalseyValueParser::new())]
    pub no_cache: bool,
}

/// `hintlint tour`
#[derive(Clone, Debug, Default, Args)]
pub struct TourArgs {
    /// When to use colour
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        env = "HINTLINT_COLOR",
        hide_env = true,
        hide_possible_values = true,
        help = "Use colour: auto, always, never"
    )]
    pub(crate) color: ColorChoice,
}

/// `hintlint manual`
#[derive(Clone, Debug, Args)]
pub struct ManualArgs {
    /// The command; the program itself without one
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// `hintlint completions`
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// `hintlint complete-names`
#[derive(Clone, Debug, Args)]
pub struct CompleteNamesArgs {
    /// Whose names
    #[arg(value_enum, value_name = "KIND")]
    pub(crate) of: NamesOf,
}

/// Whose names completions ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NamesOf {
    /// Those of the hint library.
    Hints,
    /// Those of hint packages.
    Packages,
}
