//! `hintlint manual`: manual pages, made from the command line's own definition. Packages install them.

use clap::Command;
use clap_mangen::Man;

use super::Console;
use crate::base::error::Error;
use crate::cli::args::ManualArgs;

/// Write the page of one command of `program`, or of the program itself.
///
/// # Errors
/// When there is no such command, or standard output cannot be written.
pub(crate) fn manual(args: &ManualArgs, mut program: Command, console: &mut Console<'_>) -> Result<u8, Error> {
    program.build();
    let command = match &args.command {
        None => &program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| {
            Error::failed(format!("there is no command `{name}`"), "`hintlint --help` lists the commands")
        })?,
    };
    // The name of a page has no space: `hintlint-check`.
    let title = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let version = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone()).title(title.to_uppercase()).source(version).render(console.stdout.raw()?)?;
    Ok(0)
}
