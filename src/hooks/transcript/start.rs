//! What starts a loop, and what ends one: a command of the user's or a call of the model's, never a text that quotes one.

use super::entry::{EntryBlock, ToolCall, TranscriptEntry};
use super::{CANCELS, Loop, LoopCommands};
use crate::agents::{ASSISTANT, USER};

/// What starts or ends a loop.
pub(super) enum Start {
    Loop {
        /// With what the assistant says in the same entry behind it.
        found: Loop,
        /// The id of the model's call.
        call: Option<String>,
    },
    Cancel,
}

/// What the entry starts or ends; it stands at the offset `at`.
pub(super) fn start_of(entry: &TranscriptEntry<'_>, at: u64, names: &LoopCommands) -> Option<Start> {
    let mut start = None;
    if entry.is_of(&USER) && !entry.is_meta() {
        let mut command = None;
        entry.each_text(|text| {
            if command.is_none() {
                command = command_of(text).map(|(name, arguments)| named(name, arguments, None, names));
            }
        });
        start = command.flatten();
    } else if entry.is_of(&ASSISTANT) {
        entry.each_block(|block| match (block, &mut start) {
            (EntryBlock::Text(text), Some(Start::Loop { found, .. })) => found.say(at, &text),
            (EntryBlock::Call(call), start) => {
                let named =
                    call_of(&call).and_then(|(name, arguments)| named(name, arguments, call.id.as_deref(), names));
                *start = named.or(start.take());
            }
            _ => {}
        });
    }
    start
}

fn named(name: &str, arguments: &str, call: Option<&str>, names: &LoopCommands) -> Option<Start> {
    let name = name.trim().trim_start_matches('/');
    if CANCELS.contains(&name) {
        return Some(Start::Cancel);
    }
    let is_loop = names.loops.iter().any(|known| known == name);
    is_loop.then(|| Start::Loop { found: Loop::begin(arguments), call: call.map(str::to_owned) })
}

/// A command of the user's: the tags that the agent records it with, or the command itself at the text's very beginning.
fn command_of(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    // What hooks say may stand before it.
    let said = text.strip_prefix("<hook_context>").and_then(|text| text.split_once("</hook_context>"));
    let text = said.map_or(text, |(_, text)| text.trim_start());
    if text.starts_with("<command-message>") || text.starts_with("<command-name>") {
        let name = between(text, "<command-name>", "</command-name>")?;
        // The arguments are the user's own words and may hold anything, such as the closing tag.
        let arguments = text.split_once("<command-args>").and_then(|(_, rest)| rest.rsplit_once("</command-args>"));
        return Some((name, arguments.map_or("", |(arguments, _)| arguments)));
    }
    let rest = text.strip_prefix('/')?;
    let (name, arguments) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
    Some((name, arguments))
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split_once(end)?.0)
}

/// A call of the model's that runs a command.
fn call_of<'c>(call: &'c ToolCall<'_>) -> Option<(&'c str, &'c str)> {
    let input = &call.input;
    match &*call.name {
        "Skill" => {
            let name = input.skill.text().or_else(|| input.command.text())?;
            Some((name, input.args.text().unwrap_or_default()))
        }
        // The tool's name in older versions.
        "SlashCommand" => command_of(input.command.text()?),
        _ => None,
    }
}
