//! The program: arguments in, exit code out. The only place that knows the process.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use hintlint::base::defect;
use hintlint::base::error::Error;
use hintlint::base::sanitize;
use hintlint::cli::args::{Cli, Command};
use hintlint::cli::{self, Console, failure, hook};
use hintlint::env::Env;
use hintlint::report::printer::Printer;

// Large listings are made of few large pieces, which it takes from the system in large pages.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if asks_for_version_alone() {
        // A closed pipe is no reason for a message.
        let _ = writeln!(std::io::stdout(), "{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is no reason for another message.
            let _ = print_clap(&error);
            return ExitCode::from(match error.use_stderr() {
                false => 0,
                true if hook::is_meant(std::env::args_os().skip(1)) => hook::refuse(&mut std::io::stdout()),
                true => 2,
            });
        }
    };
    let mut stdout = std::io::stdout();
    let mut stderr = std::io::stderr();
    let mut stdin = std::io::stdin();
    let mut console = Console {
        env: Env::from_process(),
        directory: std::env::current_dir().unwrap_or_default(),
        stdin: &mut stdin,
        stdout_is_terminal: stdout.is_terminal(),
        stderr_is_terminal: stderr.is_terminal(),
        width: hintlint::cli::terminal_width(),
        done_with: Vec::new(),
        stdout: Printer::new(&mut stdout),
        stderr: Printer::new(&mut stderr),
    };
    defect::record_places();
    let ran =
        defect::contain(|| cli::run(&cli, &mut console).and_then(|code| Ok(console.stdout.finish().map(|()| code)?)));
    let code = match ran {
        Some(Ok(code)) => code,
        Some(Err(Error::Output(error))) if error.kind() == std::io::ErrorKind::BrokenPipe => 0,
        Some(Err(error)) => {
            failure::explain(&error, &mut console);
            // With a switch before it, the name is taken for a file's.
            let is_hook = hook::is_meant(std::env::args_os().skip(1));
            if is_hook { hook::refuse(&mut console.stdout) } else { 2 }
        }
        None => {
            console.note(&defect::message("the command crashed"));
            // An agent takes 2 for a hook's wish to stop it.
            if matches!(cli.command, Some(Command::Hook(_))) { 1 } else { 2 }
        }
    };
    for place in defect::places() {
        console.note(&format!("the crash happened at {place}"));
    }
    // The process ends here, and its memory with it.
    std::mem::forget(std::mem::take(&mut console.done_with));
    ExitCode::from(code)
}

/// Print what is wrong with the arguments, or the help. The text repeats arguments as they are; where that is not fit to print,
/// it loses its colours and is sanitised.
fn print_clap(error: &clap::Error) -> std::io::Result<()> {
    let text = error.render().to_string();
    match error.use_stderr() && sanitize::printed(text.as_bytes()) != text {
        true => Printer::new(&mut std::io::stderr()).write_all(text.as_bytes()),
        false => error.print(),
    }
}

/// Whether the version is all that is wanted. Scripts ask for it only to see whether the program is there; building the tree of
/// all switches to answer would take most of the time.
fn asks_for_version_alone() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next();
    first.is_some_and(|first| first == "--version" || first == "-V") && arguments.next().is_none()
}

/// Parse the arguments. The help of the program itself shows only the switches of `check` that most people need.
fn parse() -> Result<Cli, clap::Error> {
    let shown = ["paths", "fix", "staged", "format"];
    let env = Env::from_process();
    // A variable that is set to nothing, as CI does for an input that was not given, is as good as none.
    let without_empty = |arg: clap::Arg| match arg.get_env().and_then(|name| name.to_str()) {
        Some(name) if env.get(name).is_none() => arg.env(clap::builder::Resettable::Reset),
        _ => arg,
    };
    let command = Cli::command()
        .mut_args(|arg| {
            let hide = !shown.contains(&arg.get_id().as_str()) && !arg.is_hide_set();
            without_empty(arg.hide(hide))
        })
        .mut_subcommands(|command| command.mut_args(without_empty));
    Cli::from_arg_matches(&command.try_get_matches()?)
}
