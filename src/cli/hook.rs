//! `hintlint hook`: one event of an agent, JSON in and JSON out. It ends with 0 or 1 whatever comes in and wherever the answer
//! goes: an agent takes exit code 2 for the hook's wish to stop it.

use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::time::SystemTime;

use clap::CommandFactory;

use super::Console;
use crate::base::defect;
use crate::cli::args::{Cli, HookArgs};
use crate::hooks::input::HookAnswer;
use crate::hooks::store::Store;
use crate::hooks::{self, HookEvent};
use crate::world::HostWorld;

/// More than this (in bytes) of standard input is not read: a tool's whole answer may stand there.
const MAX_INPUT: u64 = 64 << 20;

/// Run the command; the answer is the exit code.
pub(crate) fn hook(args: &HookArgs, console: &mut Console<'_>) -> u8 {
    let event = HookEvent::from(args.event);
    let world = HostWorld::new(console.env.clone());
    let store = Store::new(&console.env);
    let message = console.stdin.take(MAX_INPUT);
    let run = || hooks::run(event, message, &world, store.as_ref(), SystemTime::now());
    // An agent takes a hook that breaks off for one that wants to stop it.
    let failed = || defect::message("this event could not be answered");
    let answer = defect::contain(run).unwrap_or_else(|| HookAnswer { log: vec![failed()], ..HookAnswer::default() });
    for line in &answer.log {
        console.note(line);
    }
    match print(&mut console.stdout, &answer.to_json(event.agents_name())) {
        Ok(()) => 0,
        // An agent that has gone away needs no message.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => 0,
        Err(error) => {
            console.note(&format!("cannot write the answer: {error}"));
            1
        }
    }
}

/// Print the empty answer for wrong arguments, after the error was printed. The exit code does not stop the agent.
pub fn refuse(stdout: &mut dyn Write) -> u8 {
    // Exit code 1 already says that something is wrong.
    let _ = print(stdout, "{}");
    1
}

fn print(stdout: &mut dyn Write, answer: &str) -> std::io::Result<()> {
    writeln!(stdout, "{answer}")?;
    stdout.flush()
}

/// Whether arguments that make no sense were meant for this command: its name is the first of them that is neither a switch nor
/// a switch's value. An unknown switch may have a value too; then an event must follow the name.
pub fn is_meant(arguments: impl Iterator<Item = OsString>) -> bool {
    let mut arguments = arguments.peekable();
    let command = Cli::command();
    let is_command = |word: &str| command.find_subcommand(word).is_some();
    let of = |switch: &str| {
        let name = switch.strip_prefix("--").map(|long| long.split('=').next().unwrap_or(long));
        let mut known = command.get_arguments();
        known.find(|known| match name {
            Some(long) => known.get_long() == Some(long),
            None => known.get_short().is_some_and(|short| switch[1..].ends_with(short)),
        })
    };
    let (mut may_be_value, mut is_unsure) = (false, false);
    while let Some(argument) = arguments.next() {
        // Bytes that are no text are neither the name nor, for certain, a switch.
        let Some(word) = argument.to_str() else { continue };
        if word == "--" {
            return false;
        }
        if word.starts_with('-') && word != "-" {
            let known = of(word);
            let takes_value = known.is_some_and(|known| known.get_action().takes_values()) && !word.contains('=');
            if takes_value {
                arguments.next();
            }
            may_be_value = known.is_none() && !word.contains('=');
            continue;
        }
        let mut is_event =
            || arguments.peek().is_some_and(|next| HookEvent::ALL.iter().any(|event| *next == *event.name()));
        if word == "hook" {
            return !is_unsure || is_event();
        }
        if !std::mem::take(&mut may_be_value) || is_command(word) {
            return false;
        }
        is_unsure = true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_counts() {
        for (arguments, expected) in [
            ("hook", true),
            ("hook stop --bogus", true),
            ("--no-color hook stop", true),
            ("--config x.toml hook check", true),
            ("check hook", false),
            ("init --agent-hooks hook", false),
            ("--config hook check", false),
            ("--config=x.toml hook", true),
            ("docs hook", false),
            ("docs/hook", false),
            ("-- hook", false),
            ("--bogus x.toml hook stop", true),
            ("--bogus=x.toml hook stop", true),
            ("--bogus hook stop", true),
            ("-Z x hook stop", true),
            ("-o x hook stop", true),
            ("-qo x hook stop", true),
            ("--bogus x y hook", false),
            ("--bogus docs hook", false),
            ("--bogus check hook", false),
            ("é hook", false),
            ("-é hook", true),
            ("", false),
        ] {
            assert_eq!(is_meant(arguments.split(' ').map(OsString::from)), expected, "{arguments}");
        }
    }
}
