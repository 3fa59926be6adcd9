//! A hook answers whatever it is sent: JSON without hidden characters, without a file that is no instruction, and a loop that it
//! keeps going can be ended by saying what it asks for.
//!
//! The input is an archive whose first section is the message. `TRANSCRIPT` in the message stands for the path of a file with
//! the content of the archive's [`TRANSCRIPT_NAME`].

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use hintlint::base::path::RepoPath;
use hintlint::env::Env;
use hintlint::hooks::input::HookAnswer;
use hintlint::hooks::store::Store;
use hintlint::hooks::{HookEvent, ralph, run as answer, transcript};

use super::archive::{Archive, Entry};
use super::machine::{CHECKOUT, Machine};
use super::{expect, git, seeds};

/// The file of the archive that is the transcript.
const TRANSCRIPT_NAME: &str = "transcript";

pub(crate) fn run(data: &[u8]) {
    let archive = Archive::read(data);
    let transcript = match archive.entries.get(&RepoPath::from(TRANSCRIPT_NAME)) {
        Some(Entry::File(bytes)) => bytes.as_slice(),
        _ => b"",
    };
    events(&archive, &archive.first, transcript);
    can_end(transcript);
}

/// Run every event with the message, and again in a session that remembers the first time. Gives what the model is told.
pub(crate) fn events(archive: &Archive, message: &[u8], transcript: &[u8]) -> Vec<String> {
    events_on(&archive.machine(), message, transcript)
}

/// The same on a machine.
pub(crate) fn events_on(machine: &Machine, message: &[u8], transcript: &[u8]) -> Vec<String> {
    let scratch = git::scratch();
    let file = scratch.path().join("transcript.jsonl");
    fs::write(&file, transcript).expect("a file can be written");
    let message = String::from_utf8_lossy(message).replace("TRANSCRIPT", &file.to_string_lossy());
    let env = Env::empty().with("CLAUDE_CONFIG_DIR", scratch.path().join("claude"));
    let store = Store::new(&env).expect("the folder is absolute");
    let now = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    let mut told = Vec::new();
    for event in HookEvent::ALL.into_iter().chain([HookEvent::Stop]) {
        for store in [None, Some(&store)] {
            let answer = answer(event, message.as_bytes(), machine, store, now);
            check(event, &answer);
            told.extend(answer.context);
        }
    }
    told
}

fn check(event: HookEvent, answer: &HookAnswer) {
    let HookAnswer { messages, context, block, log, form: _ } = answer;
    for text in messages.iter().chain(context).chain(block) {
        expect::nothing_hidden(event.name(), text);
        expect::no_secret(event.name(), text);
    }
    log.iter().for_each(|line| expect::no_secret(event.name(), line));
    let json: serde_json::Value =
        serde_json::from_str(&answer.to_json(event.agents_name())).expect("an answer is JSON");
    assert!(json.is_object(), "an answer is an object");
}

/// A loop ends when the assistant says what the hook tells it to say.
fn can_end(transcript: &[u8]) {
    let told = transcript::last_loop(Cursor::new(transcript), transcript.len() as u64).expect("memory can be read");
    let Some(promise) = told.found.and_then(|found| found.request.promise) else { return };
    let said = format!("<promise>{promise}</promise>");
    assert!(
        ralph::promises(&said, &promise),
        "the loop never ends: {said:?} does not count as the promise {promise:?}"
    );
}

/// A session in which a loop was started.
pub(crate) fn looping(promise: &str, said: &str) -> Vec<u8> {
    let command = format!(
        "<command-name>/ralph-wiggum:ralph-loop</command-name><command-args>go on --completion-promise '{promise}' --max-iterations 5</command-args>"
    );
    let line = |role: &str, content: &str| {
        serde_json::json!({"type": role, "message": {"role": role, "content": content}}).to_string()
    };
    [line("user", &command), line("assistant", said), String::new()].join("\n").into_bytes()
}

/// A message in the form that the agent sends.
pub(crate) fn message(tool: &str, touched: &str, source: &str) -> Vec<u8> {
    let value = serde_json::json!({
        "session_id": "s1", "transcript_path": "TRANSCRIPT", "cwd": CHECKOUT, "source": source, "tool_name": tool,
        "tool_input": {"file_path": format!("{CHECKOUT}/{touched}")}, "last_assistant_message": null,
    });
    value.to_string().into_bytes()
}

pub(crate) fn seeds(fixtures: &Path) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let rule = "---\napplies_to: \"**\"\n---\nRule.\n@../../docs/a.md\n";
    let files: [(&str, &str); 7] = [
        ("README.md", "# Project\n\nRead AGENTS.md.\n"),
        ("AGENTS.md", "Use tabs.\n\n@docs/a.md\n"),
        (".claude/rules/a.md", rule),
        (".claude/rules/b.md", "---\nalwaysApply: true\n---\nSee @../../sub/README.md and @./a.md\n"),
        ("docs/a.md", "Imported.\n"),
        ("sub/README.md", "Part.\n"),
        (".claude/PLAN.md", "- [ ] open\n- [x] done\n"),
    ];
    for (tool, touched, source) in
        [("Read", "src/a.rs", "startup"), ("Edit", ".claude/PLAN.md", "resume"), ("Write", "sub/b.ts", "clear")]
    {
        let mut archive = Archive { first: message(tool, touched, source), ..Archive::default() };
        for (name, text) in files {
            archive.add(name.as_bytes(), Entry::File(text.into()));
        }
        archive.add(TRANSCRIPT_NAME.as_bytes(), Entry::File(looping("DONE", "I said <promise>NO</promise>.")));
        seeds.push(archive.to_bytes());
    }
    // The fixtures' texts as the files that hooks show. What hooks must remove comes in by mutation.
    for text in seeds::texts(fixtures, &|text| !text.is_ascii() && text.len() < 600 && expect::is_quiet(text)) {
        let mut archive = Archive { first: message("Read", "sub/b.ts", "startup"), ..Archive::default() };
        for name in ["README.md", "sub/README.md"] {
            archive.add(name.as_bytes(), Entry::File(text.clone()));
        }
        seeds.push(archive.to_bytes());
    }
    seeds
}
