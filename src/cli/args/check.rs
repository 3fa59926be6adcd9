//! `hintlint check`, which is also what `hintlint` alone does.

use super::{CacheArgs, ConfigArgs, FailOn, Format, LevelArg, SourceArgs, UnicodeScope};
use clap::Args;
use std::path::PathBuf;

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
    /// With --fix: also update committed artifacts
    #[arg(long, requires = "fix", conflicts_with_all = ["diff", "stdin_filename", "rev"])]
    pub compile: bool,
    /// Print the fixes as a diff and write nothing
    #[arg(long)]
    pub diff: bool,
    /// Which state is linted.
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Only what the changes since REV cause or touch
    #[arg(long, value_name = "REV", conflicts_with_all = ["staged", "rev"])]
    pub since: Option<String>,
    /// With --staged or --since: report everything
    #[arg(long)]
    pub all: bool,
    /// Lint again whenever a file changes
    #[arg(long, conflicts_with_all = ["rev", "stdin_filename", "output", "diff"])]
    pub watch: bool,
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
    /// Skip these rules or groups
    #[arg(long, value_name = "RULE", value_delimiter = ',', env = "HINTLINT_IGNORE", hide_env = true)]
    pub ignore: Vec<String>,
    /// Show findings from this level on
    #[arg(long, value_enum, default_value_t = LevelArg::Warning, value_name = "LEVEL", env = "HINTLINT_MIN_LEVEL", hide_env = true, hide_possible_values = true, hide_default_value = true, help = "Show from level: error, warning (default), info")]
    pub(crate) min_level: LevelArg,
    /// Exit 1 from this level on
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "LEVEL", env = "HINTLINT_FAIL_ON", hide_env = true, hide_possible_values = true, hide_default_value = true, help = "Exit 1 from here on (default: error), or never")]
    pub(crate) fail_on: FailOn,
    /// Check for these agents instead of the config's
    #[arg(long, value_name = "AGENT", value_delimiter = ',')]
    pub agent: Vec<String>,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "SCOPE",
        hide_possible_values = true,
        hide_default_value = true,
        help = "Search `hints` or `all` files for hidden text"
    )]
    pub(crate) unicode_scope: UnicodeScope,
    /// Lint standard input (`-`) as if it were PATH
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<PathBuf>,
    /// Also report findings that the baseline hides
    #[arg(long)]
    pub no_baseline: bool,
    /// With --staged: exit 0 even if files changed
    #[arg(long)]
    pub exit_zero_on_fix: bool,
    /// Skip excluded files even if they are named
    #[arg(long)]
    pub force_exclude: bool,
    /// Print no summary
    #[arg(short, long)]
    pub quiet: bool,
    /// Print which files are read, and why
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print counts per rule instead of findings
    #[arg(long)]
    pub statistics: bool,
    /// What is kept between runs.
    #[command(flatten)]
    pub(crate) cache: CacheArgs,
}
