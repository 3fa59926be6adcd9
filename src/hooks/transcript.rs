//! The transcript of a session, one JSON object per line, as Claude Code writes it: where the last loop was started, and what
//! was said and done since. Everything in a transcript is hostile by assumption: a loop starts by a command of the user's or a
//! call of the model's, never by text that quotes one.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;

use super::store::hash;

/// The command that starts a loop, without its slash.
const LOOP: &str = "ralph-wiggum:ralph-loop";
/// The command with which the user ends one.
const CANCEL: &str = "ralph-wiggum:cancel-ralph";
/// What every line that could start or end a loop holds.
const PLUGIN: &str = "ralph-wiggum:";
/// What the agent puts before the reason of a hook that let it not stop.
const FEEDBACK: &str = "Stop hook feedback:";
/// The heading by which our own reasons are known.
pub const ENFORCEMENT: &str = "[RALPH LOOP ENFORCEMENT]";
/// Bytes of a transcript that are read, from its end.
const MAX_BYTES: u64 = 256 << 20;

/// A loop, and what happened since it was started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loop {
    /// What the command was given.
    pub arguments: String,
    /// The line that started it, hashed: what tells it from other loops of the session.
    pub key: String,
    /// The texts of the assistant, in order.
    pub said: Vec<String>,
    /// How many of them are older than what the user said last.
    pub said_earlier: usize,
    /// What the assistant had said last before the loop.
    pub said_before: Option<String>,
    /// How often the agent was told to go on.
    pub blocks: u32,
    /// How often of these the assistant had said nothing since.
    pub silent_blocks: u32,
}

/// The bytes of the transcript at `path`, without its beginning if it is enormous.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let said = |error: std::io::Error| format!("the transcript {} cannot be read: {error}", path.display());
    let data = std::fs::metadata(path).map_err(said)?;
    if !data.is_file() {
        return Err(format!("the transcript {} is no regular file", path.display()));
    }
    let mut file = File::open(path).map_err(said)?;
    let skipped = data.len().saturating_sub(MAX_BYTES);
    file.seek(SeekFrom::Start(skipped)).map_err(said)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(said)?;
    if skipped > 0 {
        let first = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |end| end + 1);
        bytes.drain(..first);
    }
    Ok(bytes)
}

/// The loop that was started last, unless the user ended it since; `None` if there is none. Only lines that could matter are
/// parsed, and a line that is no JSON is passed over.
pub fn last_loop(transcript: &[u8]) -> Option<Loop> {
    memchr::memmem::rfind(transcript, PLUGIN.as_bytes())?;
    let lines: Vec<&[u8]> = transcript.split(|&byte| byte == b'\n').collect();
    let candidates = (0..lines.len()).rev().filter(|&index| contains(lines[index], PLUGIN));
    for index in candidates {
        let Some(entry) = parse(lines[index]) else { continue };
        match start_of(&entry) {
            Some(Start::Cancel) => return None,
            Some(Start::Loop { call: Some(id), .. }) if has_failed(&lines[index + 1..], &id) => {}
            Some(Start::Loop { arguments, after, .. }) => {
                let key = hash(lines[index]);
                let mut found = Loop { arguments, key, said: after, ..Loop::default() };
                found.said_before = lines[..index].iter().rev().filter_map(|line| parse_assistant(line)).find_map(last);
                follow(&lines[index + 1..], &mut found);
                return Some(found);
            }
            None => {}
        }
    }
    None
}

fn follow(lines: &[&[u8]], found: &mut Loop) {
    for line in lines {
        if let Some(entry) = parse_assistant(line) {
            let texts = texts_of(&entry);
            if !texts.is_empty() {
                found.silent_blocks = 0;
            }
            found.said.extend(texts);
        } else if contains(line, "\"user\"") && !contains(line, "\"tool_result\"") {
            let Some(entry) = parse(line) else { continue };
            if is_feedback(&entry) {
                found.blocks += 1;
                found.silent_blocks += 1;
            } else if is_prompt(&entry) {
                found.said_earlier = found.said.len();
            }
        }
    }
}

fn contains(line: &[u8], text: &str) -> bool {
    memchr::memmem::find(line, text.as_bytes()).is_some()
}

/// An entry of the session itself: what a subagent does, and what sums up an earlier part, is another's.
fn parse(line: &[u8]) -> Option<Value> {
    let entry: Value = serde_json::from_slice(line).ok()?;
    let is = |key: &str| entry.get(key).and_then(Value::as_bool).unwrap_or(false);
    (!is("isSidechain") && !is("isCompactSummary")).then_some(entry)
}

fn parse_assistant(line: &[u8]) -> Option<Value> {
    let entry = contains(line, "\"assistant\"").then(|| parse(line)).flatten()?;
    let is_error = entry.get("isApiErrorMessage").and_then(Value::as_bool).unwrap_or(false);
    (role(&entry) == Some("assistant") && !is_error).then_some(entry)
}

/// What is said in an entry; older transcripts have it in the entry itself.
fn message(entry: &Value) -> &Value {
    entry.get("message").unwrap_or(entry)
}

/// Who speaks: the entry's type, where it has one, and the message's role agree.
fn role(entry: &Value) -> Option<&str> {
    let role = message(entry).get("role").and_then(Value::as_str);
    let kind = entry.get("type").and_then(Value::as_str);
    match (kind, role) {
        (Some(kind), Some(role)) => (kind == role).then_some(role),
        (kind, role) => role.or(kind),
    }
}

/// What an entry says in words: its text blocks, or its text.
fn texts_of(entry: &Value) -> Vec<String> {
    let texts = match message(entry).get("content") {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(blocks)) => blocks.iter().filter_map(text_of).collect(),
        _ => Vec::new(),
    };
    texts.into_iter().filter(|text| !text.trim().is_empty()).collect()
}

fn text_of(block: &Value) -> Option<String> {
    let is_text = block.get("type").and_then(Value::as_str) == Some("text");
    is_text.then(|| block.get("text")?.as_str().map(str::to_owned)).flatten()
}

fn last(entry: Value) -> Option<String> {
    texts_of(&entry).pop()
}

fn is_feedback(entry: &Value) -> bool {
    role(entry) == Some("user")
        && texts_of(entry).iter().any(|text| text.trim_start().starts_with(FEEDBACK) && text.contains(ENFORCEMENT))
}

/// Whether the user says something of their own.
fn is_prompt(entry: &Value) -> bool {
    let is_meta = entry.get("isMeta").and_then(Value::as_bool).unwrap_or(false);
    let texts = texts_of(entry);
    !is_meta && role(entry) == Some("user") && texts.iter().any(|text| !text.trim_start().starts_with(FEEDBACK))
}

/// What starts or ends a loop.
enum Start {
    Loop {
        arguments: String,
        /// The id of the model's call.
        call: Option<String>,
        /// What the assistant says in the same entry behind it.
        after: Vec<String>,
    },
    Cancel,
}

fn start_of(entry: &Value) -> Option<Start> {
    match role(entry)? {
        "user" => {
            let is_meta = entry.get("isMeta").and_then(Value::as_bool).unwrap_or(false);
            let texts = if is_meta { Vec::new() } else { texts_of(entry) };
            let (name, arguments) = texts.iter().find_map(|text| command_of(text))?;
            named(&name, arguments, None, Vec::new())
        }
        "assistant" => {
            let blocks = message(entry).get("content")?.as_array()?;
            let calls = blocks.iter().enumerate().rev();
            calls.into_iter().find_map(|(index, block)| {
                let (name, arguments) = call_of(block)?;
                let id = block.get("id").and_then(Value::as_str).map(str::to_owned);
                let after = blocks[index + 1..].iter().filter_map(text_of).filter(|text| !text.trim().is_empty());
                named(&name, arguments, id, after.collect())
            })
        }
        _ => None,
    }
}

fn named(name: &str, arguments: String, call: Option<String>, after: Vec<String>) -> Option<Start> {
    match name.trim().trim_start_matches('/') {
        LOOP => Some(Start::Loop { arguments, call, after }),
        CANCEL => Some(Start::Cancel),
        _ => None,
    }
}

/// A command of the user's: the tags that the agent records it with, or the command itself at the text's very beginning.
fn command_of(text: &str) -> Option<(String, String)> {
    let text = text.trim_start();
    if text.starts_with("<command-message>") || text.starts_with("<command-name>") {
        let name = between(text, "<command-name>", "</command-name>")?;
        // The arguments are the user's own words and may hold anything, such as the closing tag.
        let arguments = text.split_once("<command-args>").and_then(|(_, rest)| rest.rsplit_once("</command-args>"));
        return Some((name.to_owned(), arguments.map_or(String::new(), |(arguments, _)| arguments.to_owned())));
    }
    let rest = text.strip_prefix('/')?;
    let (name, arguments) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
    Some((name.to_owned(), arguments.to_owned()))
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split_once(end)?.0)
}

/// A call of the model's that runs a command.
fn call_of(block: &Value) -> Option<(String, String)> {
    let text = |key: &str| block.get("input").and_then(|input| input.get(key)).and_then(Value::as_str);
    if block.get("type").and_then(Value::as_str) != Some("tool_use") {
        return None;
    }
    match block.get("name").and_then(Value::as_str)? {
        "Skill" => {
            let name = text("skill").or_else(|| text("command"))?;
            Some((name.to_owned(), text("args").unwrap_or_default().to_owned()))
        }
        // The tool's name in older versions.
        "SlashCommand" => command_of(text("command")?),
        _ => None,
    }
}

/// Whether the call with this id was refused or failed, so that nothing was started.
fn has_failed(lines: &[&[u8]], id: &str) -> bool {
    let result = |entry: Value| {
        let blocks = message(&entry).get("content")?.as_array()?;
        let block = blocks.iter().find(|block| block.get("tool_use_id").and_then(Value::as_str) == Some(id))?;
        Some(block.get("is_error").and_then(Value::as_bool).unwrap_or(false))
    };
    let mut results = lines.iter().filter(|line| contains(line, id)).filter_map(|line| result(parse(line)?));
    results.next().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn user(text: &str) -> Value {
        json!({"type": "user", "message": {"role": "user", "content": text}, "isSidechain": false})
    }

    fn says(text: &str) -> Value {
        json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}})
    }

    fn skill(args: &str) -> Value {
        let input = json!({"skill": "ralph-wiggum:ralph-loop", "args": args});
        let call = json!({"type": "tool_use", "id": "toolu_1", "name": "Skill", "input": input});
        json!({"type": "assistant", "message": {"role": "assistant", "content": [call]}})
    }

    fn command(name: &str, args: &str) -> Value {
        user(&format!(
            "<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n<command-args>{args}</command-args>"
        ))
    }

    fn result(is_error: bool) -> Value {
        let block = json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": "x", "is_error": is_error});
        json!({"type": "user", "message": {"role": "user", "content": [block]}})
    }

    fn transcript(entries: &[Value]) -> Vec<u8> {
        entries.iter().map(|entry| format!("{entry}\n")).collect::<String>().into_bytes()
    }

    fn arguments(entries: &[Value]) -> Option<String> {
        last_loop(&transcript(entries)).map(|found| found.arguments.trim().to_owned())
    }

    #[test]
    fn loops_start_by_commands_and_calls() {
        for entry in [
            command(LOOP, "A"),
            user("/ralph-wiggum:ralph-loop A"),
            skill("A"),
            json!({"type": "assistant", "message": {"role": "assistant", "content": [
                {"type": "tool_use", "name": "SlashCommand", "input": {"command": "/ralph-wiggum:ralph-loop A"}}]}}),
            json!({"role": "user", "message": {"role": "user", "content": [{"type": "text", "text": "/ralph-wiggum:ralph-loop A"}]}}),
            json!({"role": "user", "content": "/ralph-wiggum:ralph-loop A"}),
        ] {
            assert_eq!(arguments(&[says("hi"), entry.clone(), says("ok")]).as_deref(), Some("A"), "{entry}");
        }
    }

    #[test]
    fn quoted_text_starts_nothing() {
        let tags = "<command-name>/ralph-wiggum:ralph-loop</command-name><command-args>A</command-args>";
        let told = |key: &str| {
            let mut entry = command(LOOP, "A");
            entry[key] = true.into();
            entry
        };
        for entry in [
            user(&format!("see {tags}")),
            user("please run /ralph-wiggum:ralph-loop A"),
            user("/ralph-wiggum:ralph-loops A"),
            says("/ralph-wiggum:ralph-loop A"),
            says(tags),
            json!({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": tags}]}}),
            json!({"type": "assistant", "message": {"role": "assistant", "content": [
                {"type": "tool_use", "name": "Bash", "input": {"command": "/ralph-wiggum:ralph-loop A"}}]}}),
            json!({"type": "assistant", "message": {"role": "user", "content": "/ralph-wiggum:ralph-loop A"}}),
            json!({"type": "summary", "summary": "/ralph-wiggum:ralph-loop A"}),
            told("isSidechain"),
            told("isMeta"),
            told("isCompactSummary"),
        ] {
            assert_eq!(arguments(std::slice::from_ref(&entry)), None, "{entry}");
        }
        assert_eq!(last_loop(b"ralph-wiggum:ralph-loop\n{\"ralph-wiggum:\n\xff\n"), None);
    }

    #[test]
    fn the_last_loop_counts_unless_it_was_ended_or_never_began() {
        assert_eq!(arguments(&[command(LOOP, "A"), skill("B"), result(false)]).as_deref(), Some("B"));
        assert_eq!(arguments(&[command(LOOP, "A"), skill("B"), result(true)]).as_deref(), Some("A"));
        assert_eq!(arguments(&[command(LOOP, "A"), command(CANCEL, "")]), None);
        assert_eq!(arguments(&[command(CANCEL, ""), command(LOOP, "A")]).as_deref(), Some("A"));
        assert_eq!(arguments(&[command(LOOP, "say </command-args> A")]).as_deref(), Some("say </command-args> A"));
    }

    #[test]
    fn what_was_said_since_is_told() {
        let feedback = user(&format!("Stop hook feedback:\n{ENFORCEMENT}\n\nGo on."));
        let thinking = json!({"type": "assistant", "message": {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "<promise>X</promise>"}, {"type": "tool_use", "name": "Bash", "input": {}}]}});
        let mut sidechain = says("of a subagent");
        sidechain["isSidechain"] = true.into();
        let found = last_loop(&transcript(&[
            says("before"),
            command(LOOP, ""),
            says("one"),
            feedback.clone(),
            thinking,
            sidechain,
            says(" "),
            says("two"),
            feedback.clone(),
            user("Stop hook feedback:\nof another hook"),
            says("[RALPH LOOP ENFORCEMENT]"),
            feedback.clone(),
            feedback,
        ]))
        .unwrap();
        assert_eq!(found.said, ["one", "two", "[RALPH LOOP ENFORCEMENT]"]);
        assert_eq!((found.blocks, found.silent_blocks, found.said_earlier), (4, 2, 0));
        assert_eq!(found.said_before.as_deref(), Some("before"));
    }

    #[test]
    fn what_was_said_before_the_users_last_words_is_told_apart() {
        let found =
            last_loop(&transcript(&[command(LOOP, ""), says("one"), user("and now?"), result(false), says("two")]));
        assert_eq!(found.map(|found| (found.said_earlier, found.said.len())), Some((1, 2)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn torn_transcripts_and_odd_arguments_break_nothing(
            cuts in prop::collection::vec((0..400_usize, 0..400_usize), 0..4),
            arguments in "[-a-z=\"'\\\\ \n</>é]{0,40}",
        ) {
            let whole = [command(LOOP, &arguments), says("<promise>x</promise>"), result(false), skill(&arguments), user("x")];
            let mut bytes = transcript(&whole);
            for (at, len) in cuts {
                let at = at.min(bytes.len());
                bytes.drain(at..(at + len).min(bytes.len()));
            }
            if let Some(found) = last_loop(&bytes) {
                super::super::ralph::verdict(&found, Some(&arguments), 1, 1);
            }
        }
    }

    #[test]
    fn the_transcript_must_be_a_file() {
        let dir = tempfile::tempdir().unwrap();
        assert!(read(dir.path()).unwrap_err().contains("no regular file"));
        assert!(read(&dir.path().join("none")).is_err());
    }
}
