//! The program: arguments in, exit code out.

use clap::Parser;
use hintlint::commands::show;
use hintlint::env::Env;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "hintlint", version, about)]
enum Command {
    /// Print exactly what an agent loads when started in a directory
    Show(show::ShowArgs),
}

fn main() -> ExitCode {
    let Command::Show(args) = Command::parse();
    let stdout = std::io::stdout();
    let terminal = stdout.is_terminal();
    let mut stderr = std::io::stderr();
    match show::run(&args, Env::from_process(), &mut stdout.lock(), &mut stderr, terminal) {
        Ok(code) => ExitCode::from(code),
        Err(show::Error::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do when even this fails.
            let _ = writeln!(stderr, "hintlint: {error}");
            ExitCode::from(2)
        }
    }
}
