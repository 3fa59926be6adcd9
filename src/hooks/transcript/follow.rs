//! What happened in the loops of a transcript: they begin, are ended, go on, and their promises are said. Only lines with a text
//! that may change that are looked at, so that talk costs no more than its bytes.

use std::io::{self, Read, Seek};

use super::entry::{EntryBlock, TranscriptEntry};
use super::lines::{Follower, LineReader};
use super::start::{Start, start_of};
use super::{ENFORCEMENT, Loop, LoopCommands, PendingLoop, Said, assistants, contains, last_text};
use crate::agents::{ASSISTANT, USER};
use crate::hooks::store::hash;

/// Calls without a result that are kept in mind, in case the last of them fails.
const MAX_PENDING: usize = 8;
/// What the agent puts before the reason of a hook that let it not stop.
pub(super) const FEEDBACK: &str = "Stop hook feedback:";
/// What the lines hold that matter besides the names: a promise, a reason of ours, the user's words, and the result of a call.
const NEEDLES: [&str; 4] = ["promise", ENFORCEMENT, USER.needles[0], "tool_use_id"];
/// Replaces the id of a failed call; no call has this id.
const FAILED: &str = "\0";

/// Take in what happened from the offset `from` on. A loop whose call was refused or failed never began.
pub(super) fn follow<F: Read + Seek>(
    lines: &mut LineReader<F>,
    from: u64,
    loops: &mut Vec<PendingLoop>,
    names: &LoopCommands,
) -> io::Result<()> {
    let needles: Vec<&str> = NEEDLES.into_iter().chain(names.needles.iter().map(String::as_str)).collect();
    lines.follow(from, &needles, &mut Following { loops, names })
}

/// The last words of the assistant in `lines`, which count in the loops that began before them. A stop is silent where nothing was
/// said after the one before.
pub(super) fn hear<F: Read + Seek>(lines: &mut LineReader<F>, loops: &mut [PendingLoop]) -> io::Result<()> {
    let mut said = None;
    let line = match loops.iter().any(PendingLoop::matters) {
        true => lines.last(ASSISTANT.needles, lines.end(), |line| {
            said = assistants(line).and_then(|entry| last_text(&entry));
            said.is_some()
        })?,
        false => None,
    };
    let words = line.zip(said);
    for candidate in loops.iter_mut().filter(|candidate| candidate.matters()) {
        let mut told_at = std::mem::take(&mut candidate.told_at);
        let found = &mut candidate.found;
        if let Some((line, said)) = words.as_ref().filter(|(line, _)| line.at > candidate.at) {
            (found.said_at, found.last) = (Some(line.at), Some(Said::Text(said.clone())));
            found.silent_blocks = 0;
            told_at.retain(|&at| at > line.at);
        }
        found.silent_blocks = found.silent_blocks.saturating_add(u32::try_from(told_at.len()).unwrap_or(u32::MAX));
    }
    Ok(())
}

struct Following<'f> {
    loops: &'f mut Vec<PendingLoop>,
    names: &'f LoopCommands,
}

impl Follower for Following<'_> {
    fn wants(&self, needle: usize) -> bool {
        match needle {
            0 | 1 => self.loops.iter().any(PendingLoop::matters),
            // A promise counts only as long as the user says nothing more.
            2 => self.loops.iter().any(|candidate| candidate.found.promised),
            3 => self.loops.iter().any(|candidate| candidate.call.is_some()),
            _ => true,
        }
    }

    fn look(&mut self, at: u64, line: &[u8]) {
        for candidate in &mut *self.loops {
            candidate.take_in(at, line);
        }
        self.loops.retain(|candidate| !candidate.has_failed());
        // A loop that began for certain ends those before it.
        if let Some(certain) = self.loops.iter().rposition(|candidate| candidate.call.is_none()) {
            self.loops.drain(..certain);
        }
        if self.names.are_in(line)
            && let Some(start) = TranscriptEntry::parse(line).and_then(|entry| start_of(&entry, at, self.names))
        {
            self.begin(start, line, at);
        }
    }
}

impl Following<'_> {
    /// A loop starts after others, or the user ends them all.
    fn begin(&mut self, start: Start, line: &[u8], at: u64) {
        match start {
            Start::Cancel => self.loops.clear(),
            Start::Loop { mut found, call } => {
                found.key = hash(line);
                match &call {
                    None => self.loops.clear(),
                    Some(_) if self.loops.len() > MAX_PENDING => drop(self.loops.remove(1)),
                    Some(_) => {}
                }
                self.loops.push(PendingLoop { found, call, at, told_at: Vec::new() });
            }
        }
    }
}

impl PendingLoop {
    /// Whether anything can be done for it: without a promise it is never enforced.
    fn matters(&self) -> bool {
        self.found.request.promise.is_some()
    }

    fn take_in(&mut self, at: u64, line: &[u8]) {
        if let Some(failed) = self.call.as_deref().and_then(|id| result_of(line, id)) {
            self.call = failed.then(|| FAILED.to_owned());
        }
        if self.matters() && !self.has_failed() && self.found.take_in(line) {
            /// More of them in a row are as good as this many.
            const MANY: usize = 64;
            if self.told_at.len() == MANY {
                self.told_at.remove(0);
            }
            self.told_at.push(at);
        }
    }

    fn has_failed(&self) -> bool {
        self.call.as_deref() == Some(FAILED)
    }
}

impl Loop {
    /// A promise is said, the user speaks, or the agent is told to go on; whether it is the last.
    fn take_in(&mut self, line: &[u8]) -> bool {
        if let Some(entry) = assistants(line) {
            entry.each_text(|text| self.hear(text));
        } else if contains(line, USER.needles[0]) && !contains(line, "\"tool_result\"") {
            let Some(entry) = TranscriptEntry::parse(line).filter(|entry| entry.is_of(&USER)) else { return false };
            let (mut is_feedback, mut is_prompt) = (false, false);
            entry.each_text(|text| match text.trim_start().starts_with(FEEDBACK) {
                true => is_feedback |= text.contains(ENFORCEMENT),
                false => is_prompt = !entry.is_meta(),
            });
            if is_feedback {
                self.blocks += 1;
                return true;
            }
            if is_prompt {
                self.promised_earlier |= std::mem::take(&mut self.promised);
            }
        }
        false
    }
}

/// Whether the call with this id failed, if the line tells its result.
fn result_of(line: &[u8], id: &str) -> Option<bool> {
    let entry = contains(line, id).then(|| TranscriptEntry::parse(line)).flatten()?;
    let mut result = None;
    entry.each_block(|block| match block {
        EntryBlock::Result { id: of, failed } if of == id && result.is_none() => result = Some(failed),
        _ => {}
    });
    result
}
