//! `hintlint explore`

use super::{ConfigArgs, SourceArgs};
use clap::Args;
use std::path::PathBuf;

/// `hintlint explore`
#[derive(Clone, Debug, Default, Args)]
pub struct ExploreArgs {
    /// The directory that the page shows first
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Where the page goes; a terminal gets hintlint-explore.html
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Also show what changed since the merge base with REV
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// Also show how contexts grew over the last N commits that changed them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=500))]
    pub history: Option<u16>,
    /// The agents to show, instead of all
    #[arg(long, value_name = "AGENT", value_delimiter = ',')]
    pub agent: Vec<String>,
    /// Which state is shown.
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
