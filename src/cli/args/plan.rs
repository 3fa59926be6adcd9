//! `hintlint plan`.

use super::{ConfigArgs, ListArgs, PlanFormat};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `hintlint plan`
#[derive(Clone, Debug, Default, Args)]
pub struct PlanArgs {
    /// What to do with the state of the active plan; without it the progress of plans is shown.
    #[command(subcommand)]
    pub(crate) command: Option<PlanCommand>,
    /// Plans, or directories that hold them; all of the repository without any
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also show what changed since REV: boxes done, new, open again, removed
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
    pub(crate) format: PlanFormat,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// What `hintlint plan` does to the state of the active plan.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Make FILE the plan that agents continue in each session
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
pub(crate) struct PlanActivateArgs {
    /// The plan
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// `hintlint plan status`
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PlanStatusArgs {
    /// The form of the list.
    #[command(flatten)]
    pub form: ListArgs,
}
