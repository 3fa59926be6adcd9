//! The program: arguments in, exit code out. The only place that knows the process.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use hintlint::cli::{Cli, Command, ConfigArgs};
use hintlint::commands::{
    Console, agents, check, compile, completions, diff, files, hook, init, plan, rules, schema, show,
};
use hintlint::config::ConfigError;
use hintlint::env::Env;
use hintlint::error::Error;
use hintlint::report;

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
            let _ = error.print();
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
        git: Env::git_of_process(),
        directory: std::env::current_dir().unwrap_or_default(),
        stdin: &mut stdin,
        stdout_is_terminal: stdout.is_terminal(),
        stderr_is_terminal: stderr.is_terminal(),
        width: hintlint::commands::terminal_width(),
        stdout: &mut stdout,
        stderr: &mut stderr,
    };
    match run(&cli, &mut console) {
        Ok(code) => ExitCode::from(code),
        Err(Error::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            explain(&error, &mut console);
            // With a switch before it, the name is taken for a file's.
            let is_hook = hook::is_meant(std::env::args_os().skip(1));
            ExitCode::from(if is_hook { hook::refuse(console.stdout) } else { 2 })
        }
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
    let shown = ["paths", "fix", "diff", "staged", "since", "format", "select"];
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

fn run(cli: &Cli, console: &mut Console<'_>) -> Result<u8, Error> {
    match &cli.command {
        None => check::check(&cli.check, console),
        Some(Command::Check(args)) => check::check(args, console),
        Some(Command::Files(args)) => files::files(args, console),
        Some(Command::Agents(args)) => agents::agents(args, console),
        Some(Command::Compile(args)) => compile::compile(args, console),
        Some(Command::Diff(args)) => diff::diff(args, console),
        Some(Command::Show(args)) => Ok(show::run(args, console)?),
        Some(Command::Hook(args)) => Ok(hook::hook(args, console)),
        Some(Command::Plan(args)) => plan::plan(args, console),
        Some(Command::Rules(args)) => rules::list(args, console),
        Some(Command::Explain(args)) => rules::explain(args, console),
        Some(Command::Init(args)) => init::init(args, console),
        Some(Command::Schema) => schema::schema(console),
        Some(Command::Completions(args)) => completions::completions(args, Cli::command(), console),
    }
}

/// Say on standard error why the command could not do its job.
fn explain(error: &Error, console: &mut Console<'_>) {
    let mut options = console.options(ConfigArgs::default().color);
    options.color = console.color(ConfigArgs::default().color, console.stderr_is_terminal);
    options.summary = false;
    if let Error::Config(config) = error {
        let _ = report::human::write(&config_report(config), &options, console.stderr);
    }
    let text = format!("hintlint: {error}");
    let _ = writeln!(console.stderr, "{}", report::sanitize::lines(&text));
}

/// The problems of a config file, as findings at their places.
fn config_report(error: &ConfigError) -> report::Report {
    let mut report = report::Report::default();
    for problem in &error.problems {
        let finding = hintlint::finding::Finding::new(
            "config",
            hintlint::finding::Level::Error,
            &error.path,
            problem.span,
            problem.message.clone(),
        );
        report.findings.push(match &problem.help {
            Some(help) => finding.help(help.clone()),
            None => finding,
        });
    }
    report.sources.insert(error.path.clone(), report::SourceText::new(error.text.as_bytes()));
    report
}
