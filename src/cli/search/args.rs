//! The arguments of `hintlint search` and of the original's names for it, as data.

use clap::{Args, ValueEnum};

use crate::base::error::Obstacle;
use crate::cli::args::{ConfigArgs, ListArgs, SourceArgs};

/// `hintlint search`
#[derive(Clone, Debug, Args)]
pub struct SearchArgs {
    /// The question, in plain words
    #[arg(value_name = "QUERY", required_unless_present = "list", default_value = "", hide_default_value = true)]
    pub query: String,
    /// List all hints and their purpose instead
    #[arg(long, conflicts_with = "query")]
    pub list: bool,
    /// Print no more hints than this
    #[arg(short, long, value_name = "N", default_value_t = 5)]
    pub limit: usize,
    /// The model, if one is to select
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Print the full text of the hints
    #[arg(short = 'c', long)]
    pub show_content: bool,
    /// hint, skill, package or rule
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "KIND",
        hide_possible_values = true,
        help = "Search hints, or: skill, package, rule"
    )]
    pub(crate) kind: KindArg,
    /// Which state is searched.
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The form of the list.
    #[command(flatten)]
    pub(crate) form: ListArgs,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// `hintlint list-all-hints`
#[derive(Clone, Debug, Default, Args)]
pub struct ListAllHintsArgs {
    /// Show what each hint is for
    #[arg(short, long)]
    pub verbose: bool,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// `hintlint show-hints`
#[derive(Clone, Debug, Args)]
pub struct ShowHintsArgs {
    /// The question, in plain words
    #[arg(value_name = "QUERY")]
    pub query: String,
    /// Print no more hints than this
    #[arg(short, long, value_name = "N", default_value_t = 5)]
    pub limit: usize,
    /// The model, if one is to select
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// The model that selects, in place of the ranking by words.
#[derive(Clone, Debug, Args)]
pub(crate) struct ModelArgs {
    /// Have this model select; Ollama's, if the config names no provider
    #[arg(short, long, value_name = "MODEL")]
    pub model: Option<String>,
    /// The model's temperature, from 0 to 1
    #[arg(short, long, value_name = "T", default_value_t = 0.3, value_parser = temperature)]
    pub temperature: f64,
    /// Fail where the model cannot be asked, instead of ranking by words
    #[arg(long)]
    pub no_fallback: bool,
    /// Allow sending the key to a server that a tracked file names: to HOST, or without HOST to any
    #[arg(long, value_name = "HOST", num_args = 0..=1, require_equals = true)]
    pub allow_host: Option<Option<String>>,
}

fn temperature(text: &str) -> Result<f64, Obstacle> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a temperature is a number from 0 to 1".into())
}

/// What is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindArg {
    /// Files of the hint library.
    #[default]
    Hint,
    /// Skills.
    Skill,
    /// Hint packages.
    Package,
    /// Rules of agents' folders.
    Rule,
}
