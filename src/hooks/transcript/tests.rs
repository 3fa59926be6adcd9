//! Transcripts as tests: what starts and ends a loop, and what is told of it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::follow::FEEDBACK;
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

fn told(bytes: &[u8]) -> Option<Loop> {
    let told = last_loop(std::io::Cursor::new(bytes), bytes.len() as u64).unwrap();
    assert_eq!(told.log, [""; 0]);
    told.found
}

fn found(entries: &[Value]) -> Option<Loop> {
    told(&transcript(entries))
}

/// The promise that the last loop asks for.
fn promise(entries: &[Value]) -> Option<String> {
    found(entries)?.request.promise
}

#[test]
fn loops_start_by_commands_and_calls() {
    for entry in [
        command(LOOPS[0], "--completion-promise A"),
        user("/ralph-wiggum:ralph-loop --completion-promise A"),
        skill("--completion-promise A"),
        json!({"type": "assistant", "message": {"role": "assistant", "content": [
            {"type": "tool_use", "name": "SlashCommand", "input": {"command": "/ralph-wiggum:ralph-loop --completion-promise A"}}]}}),
        json!({"role": "user", "message": {"role": "user", "content": [{"type": "text", "text": "/ralph-wiggum:ralph-loop --completion-promise A"}]}}),
        json!({"role": "user", "content": "/ralph-wiggum:ralph-loop --completion-promise A"}),
    ] {
        assert_eq!(promise(&[says("hi"), entry.clone(), says("ok")]).as_deref(), Some("A"), "{entry}");
    }
}

#[test]
fn the_transcripts_of_other_agents_tell_the_same() {
    let start = "/ralph-loop go --completion-promise A";
    let codex = |role: &str, kind: &str, text: &str| json!({"type": "response_item", "payload": {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}});
    let parts = |kind: &str, role: &str, text: &str| json!({"type": kind, "message": {"role": role, "parts": [{"text": text}]}});
    let data = |kind: &str, text: &str| json!({"type": kind, "data": {"content": text}});
    for [begins, says, asks] in [
        [
            codex("user", "input_text", start),
            codex("assistant", "output_text", "<promise>A</promise>"),
            codex("user", "input_text", "more"),
        ],
        [
            parts("user", "user", start),
            parts("assistant", "model", "<promise>A</promise>"),
            parts("user", "user", "more"),
        ],
        [data("user.message", start), data("assistant.message", "<promise>A</promise>"), data("user.message", "more")],
        [
            json!({"type": "user", "content": [{"text": format!("<hook_context>x</hook_context>\n\n{start}")}]}),
            json!({"type": "gemini", "content": "<promise>A</promise>"}),
            json!({"type": "user", "content": [{"text": "more"}]}),
        ],
    ] {
        assert_eq!(promise(std::slice::from_ref(&begins)).as_deref(), Some("A"), "{begins}");
        let over = found(&[begins.clone(), says.clone()]).unwrap();
        assert!(over.promised && over.said_at.is_some(), "{says}");
        assert!(found(&[begins.clone(), says, asks]).unwrap().promised_earlier);
        let quoted =
            json!({"type": "event_msg", "payload": {"type": "agent_message", "content": "<promise>A</promise>"}});
        assert!(!found(&[begins, quoted]).unwrap().promised);
    }
}

#[test]
fn all_names_start_and_end_loops() {
    for name in LOOPS {
        let start = command(name, "--completion-promise A");
        assert_eq!(promise(&[start.clone(), says("ok")]).as_deref(), Some("A"), "{name}");
        for cancel in CANCELS {
            assert_eq!(promise(&[start.clone(), command(cancel, "")]), None, "{name}, {cancel}");
        }
    }
    let entries = transcript(&[command("mine:again", "--completion-promise A"), says("ok")]);
    let look = |names: &LoopCommands| {
        look(std::io::Cursor::new(&entries), entries.len() as u64, names, None).unwrap().found.is_some()
    };
    assert!(!look(&LoopCommands::with(&[])) && look(&LoopCommands::with(&["/mine:again".into()])));
}

/// What a transcript tells that is read again after each piece, from what was remembered.
fn piece_by_piece(bytes: &[u8], ends: &[usize]) -> Vec<Option<Loop>> {
    let mut memory: Option<TranscriptMemory> = None;
    let mut found = Vec::new();
    for &end in ends {
        let told =
            look(std::io::Cursor::new(&bytes[..end]), end as u64, &LoopCommands::with(&[]), memory.as_ref()).unwrap();
        // It goes through the file of the session.
        memory = told.memory.map(|memory| serde_json::from_value(serde_json::to_value(&memory).unwrap()).unwrap());
        found.push(told.found);
    }
    found
}

#[test]
fn only_what_is_new_is_read_again() {
    /// Counts the bytes that are read.
    struct Counted<'b>(std::io::Cursor<&'b [u8]>, u64);
    impl Read for Counted<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(into)?;
            self.1 += read as u64;
            Ok(read)
        }
    }
    impl Seek for Counted<'_> {
        fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let mut entries = vec![command(LOOPS[1], "--completion-promise X")];
    entries.extend((0..40_000).map(|_| says("Some words of an answer that go on and on.")));
    let mut bytes = transcript(&entries);
    let first = last_loop(std::io::Cursor::new(&bytes), bytes.len() as u64).unwrap();
    let first_length = bytes.len() as u64;
    bytes.extend(transcript(&[says("<promise>X</promise>")]));
    let mut file = Counted(std::io::Cursor::new(&bytes), 0);
    let again = look(&mut file, bytes.len() as u64, &LoopCommands::with(&[]), first.memory.as_ref()).unwrap();
    assert!(again.found.is_some_and(|found| found.promised && found.said_at == Some(first_length)));
    assert!(bytes.len() > 4 << 20 && file.1 < 2 << 20, "{} of {} bytes", file.1, bytes.len());
    // Another file of the same length, or a shorter one, is read anew.
    let other: Vec<u8> = bytes.iter().map(|byte| if *byte == b'X' { b'Y' } else { *byte }).collect();
    let told = look(std::io::Cursor::new(&other), other.len() as u64, &LoopCommands::with(&[]), first.memory.as_ref())
        .unwrap();
    assert_eq!(told.found.and_then(|found| found.request.promise).as_deref(), Some("Y"));
    let short = &bytes[..bytes.len() / 2];
    let told =
        look(std::io::Cursor::new(short), short.len() as u64, &LoopCommands::with(&[]), first.memory.as_ref()).unwrap();
    assert_eq!(told.found.map(|found| found.promised), Some(false));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn remembering_changes_nothing(picks in prop::collection::vec(0..11_usize, 1..14), cuts in prop::collection::vec(0..4000_usize, 0..6)) {
        let mut failed = result(true);
        let mut call = skill("--completion-promise C");
        for (number, id) in [(&mut call["message"]["content"][0], "id"), (&mut failed["message"]["content"][0], "tool_use_id")] {
            number[id] = "toolu_2".into();
        }
        let kinds = [
            command(LOOPS[0], "--completion-promise A"), command(LOOPS[2], "no promise"), skill("--completion-promise B"),
            result(false), result(true), call, failed, command(CANCELS[2], ""), says("<promise>A</promise>"),
            user("and now?"), user(&format!("{FEEDBACK}\n{ENFORCEMENT}")),
        ];
        let entries: Vec<Value> = picks.iter().map(|&pick| kinds[pick].clone()).collect();
        let bytes = transcript(&entries);
        let mut ends: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).chain([bytes.len()]).collect();
        ends.sort_unstable();
        let found = piece_by_piece(&bytes, &ends);
        for (end, found) in ends.iter().zip(found) {
            let anew = last_loop(std::io::Cursor::new(&bytes[..*end]), *end as u64).unwrap().found;
            prop_assert_eq!(found, anew, "up to {}", end);
        }
    }
}

#[test]
fn quoted_text_starts_nothing() {
    let tags =
        "<command-name>/ralph-wiggum:ralph-loop</command-name><command-args>--completion-promise A</command-args>";
    let told = |key: &str| {
        let mut entry = command(LOOPS[0], "--completion-promise A");
        entry[key] = true.into();
        entry
    };
    for entry in [
        user(&format!("see {tags}")),
        user("please run /ralph-wiggum:ralph-loop --completion-promise A"),
        user("/ralph-wiggum:ralph-loops --completion-promise A"),
        says("/ralph-wiggum:ralph-loop --completion-promise A"),
        says(tags),
        json!({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": tags}]}}),
        json!({"type": "assistant", "message": {"role": "assistant", "content": [
            {"type": "tool_use", "name": "Bash", "input": {"command": "/ralph-wiggum:ralph-loop --completion-promise A"}}]}}),
        json!({"type": "assistant", "message": {"role": "user", "content": "/ralph-wiggum:ralph-loop --completion-promise A"}}),
        json!({"type": "summary", "summary": "/ralph-wiggum:ralph-loop --completion-promise A"}),
        told("isSidechain"),
        told("isMeta"),
        told("isCompactSummary"),
    ] {
        assert_eq!(promise(std::slice::from_ref(&entry)), None, "{entry}");
    }
    assert_eq!(super::tests::told(b"ralph-wiggum:ralph-loop\n{\"ralph-wiggum:\n\xff\n"), None);
}

#[test]
fn the_last_loop_counts_unless_it_was_ended_or_never_began() {
    assert_eq!(
        promise(&[command(LOOPS[0], "--completion-promise A"), skill("--completion-promise B"), result(false)])
            .as_deref(),
        Some("B")
    );
    assert_eq!(
        promise(&[command(LOOPS[0], "--completion-promise A"), skill("--completion-promise B"), result(true)])
            .as_deref(),
        Some("A")
    );
    assert_eq!(promise(&[command(LOOPS[0], "--completion-promise A"), command(CANCELS[0], "")]), None);
    assert_eq!(promise(&[command(CANCELS[0], ""), command(LOOPS[0], "--completion-promise A")]).as_deref(), Some("A"));
    assert_eq!(promise(&[command(LOOPS[0], "say </command-args> --completion-promise A")]).as_deref(), Some("A"));
}

#[test]
fn what_was_said_since_is_told() {
    let feedback = user(&format!("Stop hook feedback:\n{ENFORCEMENT}\n\nGo on."));
    let thinking = json!({"type": "assistant", "message": {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "<promise>X</promise>"}, {"type": "tool_use", "name": "Bash", "input": {}}]}});
    let mut sidechain = says("of a subagent");
    sidechain["isSidechain"] = true.into();
    let found_one = found(&[
        says("before"),
        command(LOOPS[0], "--completion-promise X"),
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
    ])
    .unwrap();
    assert_eq!(found_one.last, Some(Said::Text("[RALPH LOOP ENFORCEMENT]".into())));
    assert_eq!((found_one.blocks, found_one.silent_blocks), (4, 2));
    assert!(!found_one.promised && !found_one.promised_earlier);
    let silent = found(&[says("x"), says("before"), command(LOOPS[0], "--completion-promise X")]).unwrap();
    assert_eq!((silent.said_at, silent.said_before), (None, Some(Said::Text("before".into()))));
}

#[test]
fn what_was_said_before_the_users_last_words_is_told_apart() {
    let one = says("<promise>X</promise>");
    let loop_ = || command(LOOPS[0], "--completion-promise X");
    let last = |text: &str| Some(Said::Text(text.to_owned()));
    let promised = |entries: &[Value]| found(entries).map(|found| (found.promised, found.promised_earlier, found.last));
    assert_eq!(promised(&[loop_(), one.clone(), result(false), says("two")]), Some((true, false, last("two"))));
    assert_eq!(promised(&[loop_(), one.clone(), user("and now?"), says("two")]), Some((false, true, last("two"))));
    assert_eq!(promised(&[loop_(), user("and now?"), one]), Some((true, false, last("<promise>X</promise>"))));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn torn_transcripts_and_odd_arguments_break_nothing(
        cuts in prop::collection::vec((0..400_usize, 0..400_usize), 0..4),
        arguments in "[-a-z=\"'\\\\ \n</>é]{0,40}",
    ) {
        let whole = [command(LOOPS[0], &arguments), says("<promise>x</promise>"), result(false), skill(&arguments), user("x")];
        let mut bytes = transcript(&whole);
        for (at, len) in cuts {
            let at = at.min(bytes.len());
            bytes.drain(at..(at + len).min(bytes.len()));
        }
        if let Some(found) = told(&bytes) {
            super::super::ralph::verdict(&found, Some(&arguments), 1, 1);
        }
    }
}

#[test]
fn calls_that_failed_are_looked_past_within_bounds() {
    let mut call = skill("--completion-promise B");
    let mut failed = result(true);
    let mut entries = vec![command(LOOPS[0], "--completion-promise A")];
    for n in 0..5 {
        call["message"]["content"][0]["id"] = format!("toolu_{n}").into();
        entries.push(call.clone());
    }
    assert_eq!(promise(&entries).as_deref(), Some("B"), "a call without a result counts");
    for n in 0..5 {
        failed["message"]["content"][0]["tool_use_id"] = format!("toolu_{n}").into();
        entries.push(failed.clone());
    }
    assert_eq!(promise(&entries).as_deref(), Some("A"));
}

#[test]
fn blocks_of_a_line_are_taken_one_by_one() {
    let text = json!({"type": "text", "text": "<promise>X</promise>"}).to_string();
    let many = vec![text.as_str(); 20_000].join(",");
    let line = format!("{{\"type\":\"assistant\",\"message\":{{\"role\":\"assistant\",\"content\":[{many}]}}}}\n");
    let mut bytes = transcript(&[command(LOOPS[0], "--completion-promise X")]);
    bytes.extend_from_slice(line.as_bytes());
    let found = told(&bytes).unwrap();
    assert!(found.promised && found.said_at.is_some());
}

#[test]
fn what_is_written_meanwhile_is_for_the_next_time() {
    let mut bytes = transcript(&[command(LOOPS[0], "--completion-promise X")]);
    let length = bytes.len() as u64;
    bytes.extend(transcript(&[says("<promise>X</promise>")]));
    let told = |length| last_loop(std::io::Cursor::new(&bytes), length).unwrap().found.unwrap().promised;
    assert!(!told(length) && told(bytes.len() as u64));
    let shrunk = last_loop(std::io::Cursor::new(&bytes[..10]), length).unwrap();
    assert_eq!(shrunk, Told::default());
}

#[test]
fn a_line_that_is_too_long_is_said_and_passed_over() {
    let mut bytes = transcript(&[command(LOOPS[0], "--completion-promise X"), says("one")]);
    bytes.extend(transcript(&[says(&"<promise>X</promise> ".repeat(1 << 20))]));
    let told = last_loop(std::io::Cursor::new(&bytes), bytes.len() as u64).unwrap();
    assert_eq!(told.log, ["transcript lines over 8 MiB are skipped"]);
    assert_eq!(told.found.map(|found| (found.last, found.promised)), Some((Some(Said::Text("one".into())), false)));
}

#[test]
fn the_transcript_must_be_a_file() {
    let dir = tempfile::tempdir().unwrap();
    assert!(read(dir.path(), &LoopCommands::with(&[]), None).unwrap_err().to_string().contains("no regular file"));
    assert!(read(&dir.path().join("none"), &LoopCommands::with(&[]), None).is_err());
}
