//! `hintlint pack`.

use super::{ConfigArgs, ListArgs};
use clap::{Args, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// `hintlint pack`
#[derive(Clone, Debug, Args)]
pub struct PackArgs {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: PackCommand,
}

/// What `hintlint pack` does. A hint package is a folder `hints/NAME/` with hint.md and hint.yaml; one is active at a time.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum PackCommand {
    /// List the hint packages
    #[command(after_help = "Example: hintlint pack list --format json")]
    List(PackListArgs),
    /// Make NAME the active package and print its prompt
    #[command(after_help = "Example: hintlint pack load hello")]
    Load(PackLoadArgs),
    /// Make no package active, and name the modules to unload
    #[command(after_help = "Example: hintlint pack unload")]
    Unload(PackListArgs),
    /// Show the active package and its files
    #[command(after_help = "Example: hintlint pack status --format json")]
    Status(PackListArgs),
    /// Print a file of the active package's resources
    #[command(after_help = "Example: hintlint pack resource templates/page.html")]
    Resource(PackResourceArgs),
    /// Print the paths of the active package's modules
    #[command(after_help = "Example: hintlint pack modules --preamble")]
    Modules(PackModulesArgs),
    /// Print the metadata of all packages as a JSON list
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
pub(crate) struct PackListArgs {
    /// The form of the answer.
    #[command(flatten)]
    pub form: ListArgs,
    /// Where the config comes from, and colour.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// `hintlint pack load`
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PackLoadArgs {
    /// The name of the package's folder
    #[arg(value_name = "NAME")]
    pub name: String,
    /// What every command of `pack` takes.
    #[command(flatten)]
    pub common: PackListArgs,
}

/// `hintlint pack resource`
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PackResourceArgs {
    /// The file, relative to the package's resources
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
pub(crate) struct PackModulesArgs {
    /// Print the lines that load the modules into PowerShell, or with `=bash` into bash
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
pub(crate) struct PackMetadataArgs {
    /// Print FILE with the list in place of each {hint_metadata}
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    /// Double the braces in the list, for callers that use it as a format string
    #[arg(long)]
    pub braces: bool,
    /// What every command of `pack` takes.
    #[command(flatten)]
    pub common: PackListArgs,
}

/// The shell that a preamble is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PreambleShell {
    /// `Import-Module` lines.
    Powershell,
    /// `source` lines.
    Bash,
}
