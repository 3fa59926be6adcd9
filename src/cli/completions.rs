//! `hintlint completions`: what a shell needs to complete our commands, made from the command line's own definition.

use clap::Command;
use clap_complete::Shell;

use super::Console;
use crate::base::error::Error;
use crate::cli::args::CompletionsArgs;

/// Print the completions of `command`, the program's definition, for one shell.
///
/// # Errors
/// When standard output cannot be written.
pub fn completions(args: &CompletionsArgs, command: Command, console: &mut Console<'_>) -> Result<u8, Error> {
    let script = match args.shell {
        Shell::Zsh => zsh(command),
        shell => script(shell, command),
    };
    console.stdout.raw()?.write_all(script.as_bytes())?;
    Ok(0)
}

fn script(shell: Shell, mut command: Command) -> String {
    // The generator panics where it cannot write; a buffer cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "hintlint", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// zsh's generator takes subcommands to come after positional arguments, and would complete nothing after `hintlint compile`.
/// To us the first word is the one or the other.
fn zsh(command: Command) -> String {
    let command = command.mut_subcommand("plan", |plan| without_paths("plan", &plan));
    let command = without_paths("hintlint", &command).version(env!("CARGO_PKG_VERSION"));
    let first_words = ["_hintlint_commands", "_hintlint__subcmd__plan_commands"];
    first_words.into_iter().fold(script(Shell::Zsh, command), |script, commands| {
        script.replace(&format!("\":: :{commands}\""), &format!("\":: :{{ {commands}; _files }}\""))
    })
}

/// A command of that name without its positional arguments.
fn without_paths(name: &'static str, command: &Command) -> Command {
    Command::new(name)
        .about(command.get_about().cloned().unwrap_or_default())
        .args(command.get_arguments().filter(|arg| !arg.is_positional()))
        .subcommands(command.get_subcommands())
}
