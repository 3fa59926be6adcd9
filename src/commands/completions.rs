//! `hintlint completions`: what a shell needs to complete our commands, made from the command line's own definition.

use clap::Command;

use super::Console;
use crate::cli::CompletionsArgs;
use crate::error::Error;

/// Print the completions of `command`, the program's definition, for one shell.
///
/// # Errors
/// When standard output cannot be written.
pub fn completions(args: &CompletionsArgs, mut command: Command, console: &mut Console<'_>) -> Result<u8, Error> {
    // The generator panics where it cannot write; a buffer cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "hintlint", &mut script);
    console.stdout.write_all(&script)?;
    Ok(0)
}
