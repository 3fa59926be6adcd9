//! The transcript of a session, one JSON object per line, as agents write it: where the last loop was started, and what
//! was said and done since. Read a block at a time, since a transcript may have any size, and from where the last reading ended,
//! since it only grows. Everything in it is hostile by assumption: a loop starts by a command of the user's or a call of the
//! model's, never by text that quotes one.

mod entry;
mod follow;
mod lines;
mod memory;
mod start;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::entry::TranscriptEntry;
use self::follow::{follow, hear};
use self::lines::LineReader;
pub(crate) use self::memory::{Said, TranscriptMemory};
use self::start::{Start, start_of};
use super::ralph::{self, LoopRequest};
use super::store::hash;
use crate::agents::ASSISTANT;
use crate::base::error::Obstacle;
use crate::source::regular::{self, Links};

/// The commands that start a loop, without their slashes: the plugin has had two names, and a command may go without.
pub(super) const LOOPS: [&str; 3] = ["ralph-wiggum:ralph-loop", "ralph-loop:ralph-loop", "ralph-loop"];
/// The commands with which the user ends one.
const CANCELS: [&str; 3] = ["ralph-wiggum:cancel-ralph", "ralph-loop:cancel-ralph", "cancel-ralph"];
/// What every line that could start or end a loop holds, names of the config aside.
const NEEDLE: &str = "ralph";
/// Names of the config beyond this many are passed over.
const MAX_NAMES: usize = 50;
/// The heading by which our own reasons are known.
pub const ENFORCEMENT: &str = "[RALPH LOOP ENFORCEMENT]";

/// The names of the commands that start and end loops.
#[derive(Clone, Debug)]
pub(crate) struct LoopCommands {
    loops: Vec<String>,
    needles: Vec<String>,
}

impl LoopCommands {
    /// The plugin's names, and those that the config adds.
    pub(crate) fn with(added: &[String]) -> LoopCommands {
        let plain = |name: &String| name.trim().trim_start_matches('/').to_owned();
        let added: Vec<String> = added.iter().map(plain).filter(|name| !name.is_empty()).take(MAX_NAMES).collect();
        LoopCommands {
            needles: [NEEDLE.to_owned()].into_iter().chain(added.iter().cloned()).collect(),
            loops: LOOPS.iter().map(ToString::to_string).chain(added).collect(),
        }
    }

    /// Whether a line may start or end a loop.
    fn are_in(&self, line: &[u8]) -> bool {
        self.needles.iter().any(|needle| contains(line, needle))
    }

    /// The names that start a loop.
    pub(crate) fn to_json(&self) -> Value {
        self.loops.clone().into()
    }
}

/// A loop, and what happened since it was started: only what decides whether it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Loop {
    /// What the command asks for.
    pub request: LoopRequest,
    /// The line that started it, hashed: what tells it from other loops of the session.
    pub key: String,
    /// Where the line begins in which the assistant said something last.
    pub said_at: Option<u64>,
    /// What that was, trimmed.
    pub(crate) last: Option<Said>,
    /// The last one before the loop, trimmed, where nothing was said in it.
    pub(crate) said_before: Option<Said>,
    /// Whether the promise was said after the user's last words.
    pub promised: bool,
    /// Whether it was said before them.
    pub promised_earlier: bool,
    /// How often the agent was told to go on.
    pub blocks: u32,
    /// How often of these the assistant had said nothing since.
    pub silent_blocks: u32,
}

/// A loop that counts unless the call with which it began fails.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PendingLoop {
    found: Loop,
    /// The id of a call that has no result yet.
    call: Option<String>,
    /// The offset of the line that started it.
    at: u64,
    /// Where it was told to go on, of late.
    #[serde(skip)]
    told_at: Vec<u64>,
}

/// What a transcript tells.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The loop that was started last, unless the user ended it since.
    pub found: Option<Loop>,
    /// What could not be looked at, one sentence each.
    pub log: Vec<String>,
    /// The bytes that were there.
    pub length: u64,
    /// What the next reading begins with; none where it must begin anew.
    pub(crate) memory: Option<TranscriptMemory>,
}

/// What the transcript at `path` tells. `memory` is of the last reading.
///
/// # Errors
/// When there is none, or it cannot be read.
pub(crate) fn read(path: &Path, names: &LoopCommands, memory: Option<&TranscriptMemory>) -> Result<Told, Obstacle> {
    let said = |error: io::Error| Obstacle::from(format!("the transcript {} cannot be read: {error}", path.display()));
    if !std::fs::metadata(path).map_err(said)?.is_file() {
        return Err(format!("the transcript {} is no regular file", path.display()).into());
    }
    let file = regular::open(path, Links::Follow).map_err(said)?;
    let data = file.metadata().map_err(said)?;
    look(file, data.len(), names, memory).map_err(said)
}

/// What the first `length` bytes of `file` tell to a first reader that knows no other names.
///
/// # Errors
/// When it cannot be read.
pub fn last_loop(file: impl Read + Seek, length: u64) -> io::Result<Told> {
    look(file, length, &LoopCommands::with(&[]), None)
}

/// The same of `file`, of which `length` bytes count: what is written meanwhile is for the next time. Only lines that could
/// matter are parsed, and a line that is no JSON is passed over.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn look(
    mut file: impl Read + Seek,
    length: u64,
    names: &LoopCommands,
    memory: Option<&TranscriptMemory>,
) -> io::Result<Told> {
    let memory = match memory {
        Some(memory) if memory.fits(&mut file, length)? => Some(memory),
        _ => None,
    };
    // A line that has no end yet may be torn; it counts now, and is read again next time.
    let Some(whole) = lines::end_of_last(&mut file, length)? else { return Ok(Told::default()) };
    let mut told = Told { length, ..Told::default() };
    let (mut loops, mut is_certain) = match memory {
        Some(memory) => {
            let mut loops = memory.loops.clone();
            let mut lines = LineReader::new(&mut file, memory.read, whole.max(memory.read));
            follow(&mut lines, memory.read, &mut loops, names)?;
            hear(&mut lines, &mut loops)?;
            told.complain(&lines);
            (loops, !lines.spent)
        }
        None => {
            let mut lines = LineReader::new(&mut file, 0, whole);
            let mut loops = Vec::from_iter(search(&mut lines, names)?);
            if let [found] = &loops[..] {
                // What comes before the loop is not looked at again.
                lines.forget_before(found.at);
                hear(&mut lines, &mut loops)?;
            }
            told.complain(&lines);
            let is_certain = !lines.spent && loops.iter().all(|found| found.call.is_none());
            (loops, is_certain)
        }
    };
    for candidate in loops.iter_mut().filter(|candidate| candidate.found.lacks_said_before()) {
        let mut lines = LineReader::new(&mut file, 0, candidate.at);
        lines.last(ASSISTANT.needles, candidate.at, |line| {
            candidate.found.said_before = assistants(line).and_then(|entry| last_text(&entry)).map(Said::Text);
            candidate.found.said_before.is_some()
        })?;
        is_certain &= !lines.spent;
    }
    loops.iter_mut().for_each(|candidate| candidate.found.forget_said_before());
    let mark = if is_certain { memory::mark(&mut file, whole)? } else { None };
    told.memory = mark.map(|mark| TranscriptMemory { read: whole, mark, loops: loops.clone() });
    if whole < length {
        let mut lines = LineReader::new(&mut file, whole, length);
        follow(&mut lines, whole, &mut loops, names)?;
        hear(&mut lines, &mut loops)?;
        told.complain(&lines);
    }
    loops.iter_mut().for_each(|candidate| candidate.found.forget_said_before());
    told.found = loops.pop().map(|candidate| candidate.found);
    Ok(told)
}

impl Told {
    fn complain<F>(&mut self, lines: &LineReader<F>) {
        if lines.passed_over {
            self.log.push(format!("transcript lines over {} MiB are skipped", lines::MAX_LINE >> 20));
        }
        if lines.spent {
            self.log.push("the transcript has too many failed calls; older ones are ignored".to_owned());
        }
    }
}

/// The last loop, sought from the end.
fn search<F: Read + Seek>(lines: &mut LineReader<F>, names: &LoopCommands) -> io::Result<Option<PendingLoop>> {
    let mut before = lines.end();
    let needles: Vec<&str> = names.needles.iter().map(String::as_str).collect();
    loop {
        let read = |at: u64, line: &[u8]| TranscriptEntry::parse(line).and_then(|entry| start_of(&entry, at, names));
        let line = lines.last(&needles, before, |line| read(0, line).is_some())?;
        let Some(line) = line else { return Ok(None) };
        let Some(Start::Loop { mut found, call }) = read(line.at, &line.bytes) else { return Ok(None) };
        found.key = hash(&line.bytes);
        let mut loops = vec![PendingLoop { found, call, at: line.at, told_at: Vec::new() }];
        follow(lines, line.next(), &mut loops, names)?;
        if let Some(found) = loops.pop() {
            return Ok(Some(found));
        }
        before = line.at;
    }
}

impl Loop {
    /// A loop that was started with these arguments.
    pub fn begin(arguments: &str) -> Loop {
        Loop { request: ralph::request(arguments), ..Loop::default() }
    }

    /// The assistant says something, in the line at the offset `at`.
    pub fn say(&mut self, at: u64, text: &str) {
        self.said_at = Some(at);
        self.last = Some(Said::Text(text.trim().to_owned()));
        self.silent_blocks = 0;
        self.hear(text);
    }

    /// Notice a promise in what is said.
    fn hear(&mut self, text: &str) {
        self.promised |= self.request.promise.as_ref().is_some_and(|wanted| ralph::promises(text, wanted));
    }

    /// Whether what was said before it may matter, and is not known yet.
    fn lacks_said_before(&self) -> bool {
        self.said_at.is_none() && self.request.promise.is_some() && self.said_before.is_none()
    }

    /// What was said before it matters only as long as nothing was said in it.
    fn forget_said_before(&mut self) {
        if self.said_at.is_some() {
            self.said_before = None;
        }
    }
}

fn contains(line: &[u8], text: &str) -> bool {
    memchr::memmem::find(line, text.as_bytes()).is_some()
}

/// What the assistant said, if that is in the line.
fn assistants(line: &[u8]) -> Option<TranscriptEntry<'_>> {
    let may_be = ASSISTANT.needles.iter().any(|needle| contains(line, needle));
    let entry = may_be.then(|| TranscriptEntry::parse(line)).flatten()?;
    (entry.is_of(&ASSISTANT) && !entry.is_api_error()).then_some(entry)
}

/// The last text, trimmed.
fn last_text(entry: &TranscriptEntry<'_>) -> Option<String> {
    let mut last = None;
    entry.each_text(|text| last = Some(text.trim().to_owned()));
    last
}
