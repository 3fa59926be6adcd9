//! The agent wants to stop: it may, unless it is in a loop whose promise it has not said. The transcript says what the loop is;
//! what is kept for the session only counts, since not every version of the agent writes its feedback into the transcript.

use std::path::Path;

use super::input::HookAnswer;
use super::once;
use super::ralph::{self, StopVerdict};
use super::seen::SeenCache;
use super::store::{FileChange, STOPS, hash};
use super::transcript::{self, Loop, LoopCommands, Said, TranscriptMemory};
use super::{Hook, HookEvent, settings};
use crate::base::error::Obstacle;
use serde_json::Value;

/// Answer the event.
pub fn stop(hook: &Hook<'_>) -> HookAnswer {
    let input = &hook.input;
    // A subagent's stop has the transcript of the session that called it.
    let own = settings::name(HookEvent::Stop, &hook.caller.registration);
    let is_other = !["", HookEvent::Stop.agents_name(), own].contains(&input.hook_event_name.as_str());
    if is_other || input.transcript_path.is_empty() {
        return HookAnswer::default();
    }
    let path = match (input.transcript_path.strip_prefix("~/"), hook.world.env().home()) {
        (Some(below), Some(home)) => Path::new(home).join(below),
        _ => Path::new(&input.cwd).join(&input.transcript_path),
    };
    let mut log = Vec::new();
    let names = LoopCommands::with(&configured(hook, &mut log));
    let told = match transcript::read(&path, &names, remembered(hook, &names).as_ref()) {
        Ok(told) => told,
        Err(problem) => return HookAnswer { log: vec![problem.into()], ..HookAnswer::default() },
    };
    let memory = told.memory.filter(TranscriptMemory::is_worth_keeping).map(|memory| remember(&memory, &names));
    let found = told.found.filter(|found| found.request.promise.is_some());
    let mut answer = match found {
        Some(found) => decide(hook, &found, memory, told.length),
        None => {
            log.extend(memory.and_then(|memory| keep(hook, memory).err()).map(String::from));
            HookAnswer::default()
        }
    };
    answer.log.extend(log);
    answer.log.extend(told.log);
    answer
}

/// The commands that the project's config adds to those that start a loop.
fn configured(hook: &Hook<'_>, log: &mut Vec<String>) -> Vec<String> {
    let Some(project) = &hook.project else { return Vec::new() };
    match project.config(hook.world) {
        Ok(config) => config.loops,
        Err(problem) => {
            log.push(problem.into());
            Vec::new()
        }
    }
}

/// The field of the session's file that has what was read of its transcript, with the names that were looked for.
const TRANSCRIPT: &str = "transcript";

fn remembered(hook: &Hook<'_>, names: &LoopCommands) -> Option<TranscriptMemory> {
    let bytes = hook.store?.read(&hook.session()?.file(STOPS)).ok()??;
    let mut value: Value = serde_json::from_slice(&bytes).ok()?;
    let memory = value.get_mut(TRANSCRIPT)?.take();
    // What other names would have found is not known.
    (memory.get("names") == Some(&names.to_json())).then(|| serde_json::from_value(memory).ok()).flatten()
}

fn remember(memory: &TranscriptMemory, names: &LoopCommands) -> Value {
    let mut value = serde_json::to_value(memory).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("names".to_owned(), names.to_json());
    }
    value
}

/// Keep what was read of a transcript without a loop.
fn keep(hook: &Hook<'_>, memory: Value) -> Result<(), Obstacle> {
    let (Some(store), Some(session)) = (hook.store, hook.session()) else { return Ok(()) };
    store.change_session(STOPS, &session, |bytes| {
        let before = SeenCache::parse(bytes);
        let mut after = before.clone();
        after.set(TRANSCRIPT, memory);
        (if after == before { FileChange::Keep } else { FileChange::Write(after.to_bytes()) }, ())
    })
}

fn decide(hook: &Hook<'_>, found: &Loop, memory: Option<Value>, length: u64) -> HookAnswer {
    let last_message = hook.input.last_assistant_message.as_deref();
    let by_transcript = LoopCounts::of(found, last_message);
    let judge = |counts: &LoopCounts| match counts.ended {
        true => StopVerdict::Free,
        false => ralph::verdict(found, last_message, counts.blocks, counts.silent),
    };
    let counted = match hook.session() {
        Some(session) => hook.store.map(|store| {
            store.change_session(STOPS, &session, |bytes| {
                let before = SeenCache::parse(bytes);
                let mut claimed = before.clone();
                if !once::claim(hook, &mut claimed, &length.to_string()) {
                    return (FileChange::Keep, StopVerdict::Free);
                }
                let counts = by_transcript.with(&before);
                let verdict = judge(&counts);
                let mut after = counts.after(&verdict).written_to(claimed);
                if let Some(memory) = memory {
                    after.set(TRANSCRIPT, memory);
                }
                let change = if after == before { FileChange::Keep } else { FileChange::Write(after.to_bytes()) };
                (change, verdict)
            })
        }),
        None => None,
    };
    let mut answer = HookAnswer::default();
    let verdict = match counted {
        Some(Ok(verdict)) => verdict,
        other => {
            answer.log.extend(other.and_then(Result::err).map(String::from));
            judge(&by_transcript)
        }
    };
    match verdict {
        StopVerdict::Free => {}
        StopVerdict::Over(said) => answer.messages.push(said),
        StopVerdict::Blocked(reason) => {
            answer.messages.push(ralph::about(found));
            answer.block = Some(reason);
        }
    }
    answer
}

/// What is counted of one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LoopCounts {
    key: String,
    /// The last text of the assistant, hashed.
    last: String,
    /// Where it stands in the transcript, from 1; 0 if the transcript does not have it yet.
    said_at: u64,
    blocks: u64,
    /// Stops in a row before which nothing was said, this one included.
    silent: u64,
    /// Whether the loop ended without its promise.
    ended: bool,
}

impl LoopCounts {
    fn of(found: &Loop, last_message: Option<&str>) -> LoopCounts {
        let new = ralph::new_message(found, last_message);
        let own = || found.last.as_ref().map_or_else(|| hash(b""), Said::hash);
        let last = new.map_or_else(own, |text| hash(text.trim().as_bytes()));
        let said_at = if new.is_some() { None } else { found.said_at };
        let silent = if new.is_some() { 0 } else { found.silent_blocks + u32::from(said_at.is_none()) };
        LoopCounts {
            key: found.key.clone(),
            last,
            said_at: said_at.map_or(0, |at| at + 1),
            blocks: found.blocks.into(),
            silent: silent.into(),
            ended: false,
        }
    }

    /// With what was counted before.
    fn with(&self, before: &SeenCache) -> LoopCounts {
        if before.text("loop") != self.key {
            return self.clone();
        }
        // What the transcript did not have then may stand anywhere in it now.
        let is_same = before.text("last") == self.last && [0, self.said_at].contains(&before.number("said_at"));
        let silent = if is_same { before.number("silent") + 1 } else { 0 };
        LoopCounts {
            blocks: self.blocks.max(before.number("blocks")),
            silent: self.silent.max(silent),
            ended: before.number("ended") > 0,
            ..self.clone()
        }
    }

    fn after(mut self, verdict: &StopVerdict) -> LoopCounts {
        match verdict {
            StopVerdict::Blocked(_) => self.blocks += 1,
            StopVerdict::Over(said) if !said.contains("COMPLETE]") => self.ended = true,
            StopVerdict::Over(_) | StopVerdict::Free => {}
        }
        self
    }

    fn written_to(&self, mut seen: SeenCache) -> SeenCache {
        seen.set("loop", self.key.as_str());
        seen.set("last", self.last.as_str());
        seen.set("said_at", self.said_at);
        seen.set("blocks", self.blocks);
        seen.set("silent", self.silent);
        seen.set("ended", u64::from(self.ended));
        seen
    }
}
