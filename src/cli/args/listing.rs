//! Commands that print what the program knows or would check.

use super::{ConfigArgs, ListFormat, RulesFormat, SourceArgs};
use clap::Args;
use std::path::PathBuf;

/// `hintlint files`
#[derive(Clone, Debug, Default, Args)]
pub struct FilesArgs {
    /// Files and directories; the whole repository without any
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Which state is listed.
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The form of the list.
    #[command(flatten)]
    pub(crate) form: ListArgs,
    /// Also say what is left out, and why
    #[arg(short, long)]
    pub verbose: bool,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// `hintlint agents`
#[derive(Clone, Debug, Default, Args)]
pub struct AgentsArgs {
    /// The form of the list.
    #[command(flatten)]
    pub(crate) form: ListArgs,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
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
    pub(crate) format: RulesFormat,
}

/// `hintlint explain`
#[derive(Clone, Debug, Default, Args)]
pub struct ExplainArgs {
    /// The rule's name
    #[arg(value_name = "RULE")]
    pub rule: String,
}

/// What every command that prints a list takes.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ListArgs {
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
