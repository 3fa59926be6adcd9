//! Commands about contexts as artifacts, and how contexts change.

use super::{CacheArgs, ConfigArgs, DiffFormat, SourceArgs};
use clap::Args;
use std::fmt;
use std::path::PathBuf;

/// `hintlint compile`
#[derive(Clone, Debug, Default, Args)]
pub struct CompileArgs {
    /// Directories to compile; all without any
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
    pub(crate) source: SourceArgs,
    /// With --staged: exit 0 even if artifacts were written
    #[arg(long, requires = "staged")]
    pub exit_zero_on_fix: bool,
    /// What is kept between runs.
    #[command(flatten)]
    pub(crate) cache: CacheArgs,
    /// Print nothing but problems
    #[arg(short, long)]
    pub quiet: bool,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
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
    /// Exit 1 at the first byte that an agent loads or runs differently
    #[arg(long)]
    pub assert_same: bool,
    /// With --assert-same: text may move from file FROM to file TO (beside FROM, or from the root: ./TO)
    #[arg(long, value_name = "FROM=TO", requires = "assert_same", value_parser = moved)]
    pub map: Vec<(String, String)>,
    /// human, markdown or json
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        hide_possible_values = true,
        help = "human, markdown or json"
    )]
    pub(crate) format: DiffFormat,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// A text that is no `FROM=TO`.
#[derive(Debug)]
struct NoMove;

impl fmt::Display for NoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write two paths of the repository, such as CLAUDE.md=AGENTS.md")
    }
}

impl std::error::Error for NoMove {}

/// The two names of `FROM=TO`.
fn moved(text: &str) -> Result<(String, String), NoMove> {
    let is_path = |name: &str| !name.is_empty() && !name.starts_with('/') && !name.split('/').any(|part| part == "..");
    match text.split_once('=').filter(|(from, to)| is_path(from) && is_path(to) && from != to) {
        Some((from, to)) => Ok((from.to_owned(), to.to_owned())),
        None => Err(NoMove),
    }
}
