//! The command line as data: clap structs and nothing that acts.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::base::finding::Level;
use crate::cli::baseline::BaselineArgs;
use crate::cli::ci::CiArgs;
use crate::cli::config::ConfigShowArgs;
use crate::cli::search::args::{ListAllHintsArgs, SearchArgs, ShowHintsArgs};
use crate::cli::show::ShowArgs;
use crate::hooks::Event;

/// Lint and compile the files that tell AI coding agents how to work.
#[derive(Debug, Parser)]
#[command(
    name = "hintlint",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    max_term_width = 100,
    after_help = "Example: hintlint --fix\n\n\
                  Without a command, `check` runs; `hintlint check --help` has all its options."
)]
pub struct Cli {
    /// The command; `check` without one.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The arguments of `check`, for when no command is named.
    #[command(flatten)]
    pub check: CheckArgs,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lint hint files; the default
    #[command(after_help = "Example: hintlint check --fix docs/ CLAUDE.md")]
    Check(Box<CheckArgs>),
    /// Write the findings of today, to hear only of others
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
                      session-start  tells the project's README.md and AGENTS.md, and how far the active plan is\n\
                      post-tool-use  tells the rules for a file that was touched, and follows edits of the plan\n\
                      stop           keeps a loop (/ralph-loop) going until its <promise> was said\n\
                      session-end    notes the session in the plan's state\n\n\
                      The active plan (\"boulder\") is .claude/PLAN.md, or what `plan activate` names.\n\
                      A loop is a task with `--completion-promise WORDS`: the agent may stop only once\n\
                      it has said <promise>WORDS</promise>.")]
    Hook(HookArgs),
    /// List all rules
    #[command(after_help = "Example: hintlint rules --format markdown")]
    Rules(RulesArgs),
    /// Explain one rule
    #[command(after_help = "Example: hintlint explain hidden-tags")]
    Explain(ExplainArgs),
    /// Write a config, a hint template, hooks or a workflow
    #[command(after_help = "Example: hintlint init --pre-commit --workflow")]
    Init(InitArgs),
    /// Lint, fix and show an example repository; touches no file
    #[command(after_help = "Example: hintlint tour")]
    Tour(TourArgs),
    /// Check a pull request in CI: annotations, SARIF, a summary
    #[command(after_help = "Example: hintlint ci --base origin/main --summary summary.md")]
    Ci(CiArgs),
    /// Print the config in force, and where each value comes from
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
    /// Print the names that completions offer, one a line
    #[command(hide = true, after_help = "Example: hintlint complete-names packages")]
    CompleteNames(CompleteNamesArgs),
}

/// What every command that opens a repository takes.
#[derive(Clone, Debug, Default, Args)]
pub struct ConfigArgs {
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
pub struct SourceArgs {
    /// Read what is staged instead of the worktree
    #[arg(long, conflicts_with = "rev")]
    pub staged: bool,
    /// Read revision REV instead of the worktree
    #[arg(long, value_name = "REV")]
    pub rev: Option<String>,
}

/// What is kept between runs.
#[derive(Clone, Debug, Default, Args)]
pub struct CacheArgs {
    /// Neither use nor keep what runs learn of history
    #[arg(long, env = "HINTLINT_NO_CACHE", hide_env = true, value_parser = clap::builder::FalseyValueParser::new())]
    pub no_cache: bool,
}

/// `hintlint check`
#[derive(Clone, Debug, Default, Args)]
pub struct CheckArgs {
    /// Files and directories to report on; all without any
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Fix what is safe to fix
    #[arg(long)]
    pub fix: bool,
    /// Fix also what may change meaning
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// With --fix: then write the artifacts, where there are any
    #[arg(long, requires = "fix", conflicts_with_all = ["diff", "stdin_filename", "rev"])]
    pub compile: bool,
    /// Print the fixes as a diff and write nothing
    #[arg(long)]
    pub diff: bool,
    /// Which state is linted.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Only what the changes since REV cause or touch
    #[arg(long, value_name = "REV", conflicts_with_all = ["staged", "rev"])]
    pub since: Option<String>,
    /// With --staged or --since: report everything
    #[arg(long)]
    pub all: bool,
    /// human, concise, json, sarif, github, markdown, gitlab, junit or rdjson
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        env = "HINTLINT_FORMAT",
        hide_env = true,
        hide_possible_values = true,
        hide_default_value = true,
        help = "human (default), json, sarif, github, gitlab, …"
    )]
    pub format: Format,
    /// Write the report to FILE instead of stdout
    #[arg(short, long, value_name = "FILE", env = "HINTLINT_OUTPUT", hide_env = true)]
    pub output: Option<PathBuf>,
    /// Check only these rules, groups or `all`
    #[arg(long, value_name = "RULE", value_delimiter = ',', env = "HINTLINT_SELECT", hide_env = true)]
    pub select: Vec<String>,
    /// Leave out these rules or groups
    #[arg(long, value_name = "RULE", value_delimiter = ',', env = "HINTLINT_IGNORE", hide_env = true)]
    pub ignore: Vec<String>,
    /// Show findings from this level on
    #[arg(long, value_enum, default_value_t = LevelArg::Warning, value_name = "LEVEL", env = "HINTLINT_MIN_LEVEL", hide_env = true, hide_possible_values = true, hide_default_value = true, help = "Show from here on: error, warning (default), info")]
    pub min_level: LevelArg,
    /// Exit 1 from this level on
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "LEVEL", env = "HINTLINT_FAIL_ON", hide_env = true, hide_possible_values = true, hide_default_value = true, help = "Exit 1 from here on (default: error), or never")]
    pub fail_on: FailOn,
    /// Check for these agents instead of the config's
    #[arg(long, value_name = "AGENT", value_delimiter = ',')]
    pub agent: Vec<String>,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub config: ConfigArgs,
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "SCOPE",
        hide_possible_values = true,
        hide_default_value = true,
        help = "Search `hints` or `all` files for hidden text"
    )]
    pub unicode_scope: UnicodeScope,
    /// Lint standard input (`-`) as if it were PATH
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<PathBuf>,
    /// Report also what the baseline knows
    #[arg(long)]
    pub no_baseline: bool,
    /// With --staged: exit 0 although files changed
    #[arg(long)]
    pub exit_zero_on_fix: bool,
    /// Leave excluded files out even if they are named
    #[arg(long)]
    pub force_exclude: bool,
    /// Print no summary
    #[arg(short, long)]
    pub quiet: bool,
    /// Say what is read and why
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print counts per rule instead of findings
    #[arg(long)]
    pub statistics: bool,
    /// What is kept between runs.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// `hintlint files`
#[derive(Clone, Debug, Default, Args)]
pub struct FilesArgs {
    /// Files and directories; the whole repository without any
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Which state is listed.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The form of the list.
    #[command(flatten)]
    pub form: ListArgs,
    /// Also say what is left out, and why
    #[arg(short, long)]
    pub verbose: bool,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// `hintlint agents`
#[derive(Clone, Debug, Default, Args)]
pub struct AgentsArgs {
    /// The form of the list.
    #[command(flatten)]
    pub form: ListArgs,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// `hintlint compile`
#[derive(Clone, Debug, Default, Args)]
pub struct CompileArgs {
    /// Directories whose artifacts are meant; all without any
    #[arg(value_name = "DIR")]
    pub directories: Vec<PathBuf>,
    /// Write nothing; exit 1 if an artifact is missing, stale or edited
    #[arg(long, conflicts_with_all = ["diff", "stdout"])]
    pub check: bool,
    /// Write nothing; print what would change as a diff, exit 1 if anything would
    #[arg(long, conflicts_with = "stdout")]
    pub diff: bool,
    /// Print the artifacts instead of writing them
    #[arg(long)]
    pub stdout: bool,
    /// The agents that get artifacts, instead of the config's
    #[arg(long, value_name = "AGENT", value_delimiter = ',')]
    pub agent: Vec<String>,
    /// Which state is compiled.
    #[command(flatten)]
    pub source: SourceArgs,
    /// With --staged: exit 0 although artifacts were written
    #[arg(long, requires = "staged")]
    pub exit_zero_on_fix: bool,
    /// What is kept between runs.
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Print nothing but problems
    #[arg(short, long)]
    pub quiet: bool,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// `hintlint diff`
#[derive(Clone, Debug, Default, Args)]
pub struct DiffArgs {
    /// The older revision
    #[arg(value_name = "BASE")]
    pub base: String,
    /// The newer revision; the worktree without it
    #[arg(value_name = "HEAD")]
    pub head: Option<String>,
    /// The agents to compare, instead of all enabled ones and `merged`
    #[arg(long, value_name = "AGENT", value_delimiter = ',')]
    pub agent: Vec<String>,
    /// human, markdown or json
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        hide_possible_values = true,
        help = "human, markdown or json"
    )]
    pub format: DiffFormat,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// `hintlint plan`
#[derive(Clone, Debug, Default, Args)]
pub struct PlanArgs {
    /// What to do with the state of the active plan; without it the progress of plans is shown.
    #[command(subcommand)]
    pub command: Option<PlanCommand>,
    /// Plans, or directories that hold them; all of the repository without any
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also what changed since REV was left: boxes done, new, open again, gone
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// text, json or markdown
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        hide_possible_values = true,
        help = "text, json or markdown (for a pull request)"
    )]
    pub format: PlanFormat,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// What `hintlint plan` does to the state of the active plan.
#[derive(Clone, Debug, Subcommand)]
pub enum PlanCommand {
    /// Make FILE the plan that agents' sessions go on with
    #[command(after_help = "Example: hintlint plan activate .claude/PLAN.md")]
    Activate(PlanActivateArgs),
    /// Forget the active plan, until somebody edits or activates it
    #[command(after_help = "Example: hintlint plan clear")]
    Clear,
    /// Show the active plan, and where its state contradicts it
    #[command(after_help = "Example: hintlint plan status --format json")]
    Status(PlanStatusArgs),
}

/// `hintlint plan activate`
#[derive(Clone, Debug, Default, Args)]
pub struct PlanActivateArgs {
    /// The plan
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// `hintlint plan status`
#[derive(Clone, Debug, Default, Args)]
pub struct PlanStatusArgs {
    /// The form of the list.
    #[command(flatten)]
    pub form: ListArgs,
}

/// `hintlint pack`
#[derive(Clone, Debug, Args)]
pub struct PackArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: PackCommand,
}

/// What `hintlint pack` does. A hint package is a folder `hints/NAME/` with hint.md and hint.yaml; one is active at a time.
#[derive(Clone, Debug, Subcommand)]
pub enum PackCommand {
    /// List the hint packages
    #[command(after_help = "Example: hintlint pack list --format json")]
    List(PackListArgs),
    /// Make NAME the active package and print its prompt
    #[command(after_help = "Example: hintlint pack load hello")]
    Load(PackLoadArgs),
    /// Make no package active, and name the modules to unload
    #[command(after_help = "Example: hintlint pack unload")]
    Unload(PackListArgs),
    /// Say which package is active, and what it brings
    #[command(after_help = "Example: hintlint pack status --format json")]
    Status(PackListArgs),
    /// Print a file of the active package's resources
    #[command(after_help = "Example: hintlint pack resource templates/page.html")]
    Resource(PackResourceArgs),
    /// Print the paths of the active package's modules
    #[command(after_help = "Example: hintlint pack modules --preamble")]
    Modules(PackModulesArgs),
    /// Print what all packages say of themselves, as a JSON list
    #[command(after_help = "Example: hintlint pack metadata --template templates/system_prompt.txt")]
    Metadata(PackMetadataArgs),
    /// Answer the <builtin> blocks on standard input
    #[command(after_help = "Example: hintlint pack builtin < answer.txt")]
    Builtin(PackListArgs),
}

impl PackCommand {
    /// What every command takes.
    pub(crate) fn common(&self) -> &PackListArgs {
        match self {
            PackCommand::List(common)
            | PackCommand::Unload(common)
            | PackCommand::Status(common)
            | PackCommand::Builtin(common) => common,
            PackCommand::Load(args) => &args.common,
            PackCommand::Resource(args) => &args.common,
            PackCommand::Modules(args) => &args.common,
            PackCommand::Metadata(args) => &args.common,
        }
    }
}

/// What every command of `hintlint pack` takes.
#[derive(Clone, Debug, Default, Args)]
pub struct PackListArgs {
    /// The form of the answer.
    #[command(flatten)]
    pub form: ListArgs,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// `hintlint pack load`
#[derive(Clone, Debug, Default, Args)]
pub struct PackLoadArgs {
    /// The name of the package's folder
    #[arg(value_name = "NAME")]
    pub name: String,
    /// What every command of `pack` takes.
    #[command(flatten)]
    pub common: PackListArgs,
}

/// `hintlint pack resource`
#[derive(Clone, Debug, Default, Args)]
pub struct PackResourceArgs {
    /// The file, counted from the package's resources
    #[arg(value_name = "PATH")]
    pub path: OsString,
    /// Write the file's bytes to FILE
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Read the file in this encoding and print UTF-8
    #[arg(long, value_name = "ENCODING", conflicts_with = "output")]
    pub encoding: Option<String>,
    /// What every command of `pack` takes.
    #[command(flatten)]
    pub common: PackListArgs,
}

/// `hintlint pack modules`
#[derive(Clone, Debug, Default, Args)]
pub struct PackModulesArgs {
    /// Print the lines that load them: into PowerShell, or with `=bash` into bash
    #[arg(
        long,
        value_enum,
        value_name = "SHELL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "powershell",
        hide_possible_values = true
    )]
    pub preamble: Option<PreambleShell>,
    /// What every command of `pack` takes.
    #[command(flatten)]
    pub common: PackListArgs,
}

/// `hintlint pack metadata`
#[derive(Clone, Debug, Default, Args)]
pub struct PackMetadataArgs {
    /// Print FILE with the list in place of each {hint_metadata}
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    /// Double the list's braces, for callers that format it
    #[arg(long)]
    pub braces: bool,
    /// What every command of `pack` takes.
    #[command(flatten)]
    pub common: PackListArgs,
}

/// The shell that a preamble is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PreambleShell {
    /// `Import-Module` lines.
    Powershell,
    /// `source` lines.
    Bash,
}

/// `hintlint hook`
#[derive(Clone, Debug, Args)]
pub struct HookArgs {
    /// The event: session-start, post-tool-use, stop, session-end
    #[arg(
        value_enum,
        value_name = "EVENT",
        hide_possible_values = true,
        help = "session-start, post-tool-use, stop or session-end"
    )]
    pub event: HookEvent,
}

/// `hintlint rules`
#[derive(Clone, Debug, Default, Args)]
pub struct RulesArgs {
    /// text, json or markdown
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        hide_possible_values = true,
        help = "text, json or markdown"
    )]
    pub format: RulesFormat,
}

/// `hintlint explain`
#[derive(Clone, Debug, Default, Args)]
pub struct ExplainArgs {
    /// The rule's name
    #[arg(value_name = "RULE")]
    pub rule: String,
}

/// `hintlint init`
#[derive(Clone, Debug, Default, Args)]
pub struct InitArgs {
    /// Write a .dexhints template instead of hintlint.toml
    #[arg(long)]
    pub hints: bool,
    /// Write .pre-commit-config.yaml, or print what to add
    #[arg(long)]
    pub pre_commit: bool,
    /// Write .github/workflows/hintlint.yml
    #[arg(long)]
    pub workflow: bool,
    /// Let an agent follow plans and rules, by its hooks
    #[arg(long)]
    pub agent_hooks: bool,
    /// claude (the default), codex, copilot, gemini or qwen
    #[arg(long, requires = "agent_hooks", value_name = "AGENT")]
    pub agent: Option<String>,
    /// With --agent-hooks: in your settings, for all projects
    #[arg(long, requires = "agent_hooks")]
    pub user: bool,
    /// With --agent-hooks: take them out again
    #[arg(long, requires = "agent_hooks")]
    pub remove: bool,
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
    pub color: ColorChoice,
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
    pub of: NamesOf,
}

/// Whose names completions ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NamesOf {
    /// Those of the hint library.
    Hints,
    /// Those of hint packages.
    Packages,
}

/// An event of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HookEvent {
    /// A session starts, goes on, or forgets what was said.
    SessionStart,
    /// A tool was used.
    PostToolUse,
    /// The agent wants to stop.
    Stop,
    /// A session ends.
    SessionEnd,
}

impl From<HookEvent> for Event {
    fn from(event: HookEvent) -> Event {
        match event {
            HookEvent::SessionStart => Event::SessionStart,
            HookEvent::PostToolUse => Event::PostToolUse,
            HookEvent::Stop => Event::Stop,
            HookEvent::SessionEnd => Event::SessionEnd,
        }
    }
}

/// A level on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LevelArg {
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
pub enum FailOn {
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
    pub fn level(self) -> Option<Level> {
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

/// What every command that prints a list takes.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct ListArgs {
    /// text or json
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        hide_possible_values = true,
        help = "text or json"
    )]
    pub format: ListFormat,
}

/// The form of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For people.
    #[default]
    Text,
    /// JSON.
    Json,
}

/// The form of the rule table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RulesFormat {
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
pub enum PlanFormat {
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
pub enum DiffFormat {
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
pub enum ColorChoice {
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
pub enum UnicodeScope {
    /// Hint files and what they import.
    #[default]
    Hints,
    /// Every text file.
    All,
}
