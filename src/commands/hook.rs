//! `hintlint hook`: one event of an agent, JSON in and JSON out. It ends well whatever comes in: an agent takes any other exit
//! code for the hook's wish to stop it.

use std::io::{Read, Write};
use std::time::SystemTime;

use super::Console;
use crate::cli::HookArgs;
use crate::defect;
use crate::error::Error;
use crate::hooks::input::Answer;
use crate::hooks::store::Store;
use crate::hooks::{self, Event};
use crate::world::HostWorld;

/// More than this on standard input is not read: a tool's whole answer may stand there.
const MAX_INPUT: u64 = 256 << 20;

/// Run the command; the answer is the exit code.
///
/// # Errors
/// When standard output cannot be written.
pub fn hook(args: &HookArgs, console: &mut Console<'_>) -> Result<u8, Error> {
    let event = Event::from(args.event);
    let mut bytes = Vec::new();
    let read = console.stdin.take(MAX_INPUT).read_to_end(&mut bytes);
    let answer = match read {
        Ok(_) => {
            let world = HostWorld::new(console.env.clone());
            let store = Store::new(&console.env);
            let run = || hooks::run(event, &bytes, &world, store.as_ref(), SystemTime::now());
            // An agent takes a hook that breaks off for one that wants to stop it.
            let failed = || defect::message("this event could not be answered");
            defect::contain(run).unwrap_or_else(|| Answer { log: vec![failed()], ..Answer::default() })
        }
        Err(error) => Answer { log: vec![format!("standard input cannot be read: {error}")], ..Answer::default() },
    };
    for line in &answer.log {
        console.note(line);
    }
    writeln!(console.stdout, "{}", answer.to_json(event.agents_name()))?;
    Ok(0)
}
