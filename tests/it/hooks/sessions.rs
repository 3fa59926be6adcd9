//! Whole sessions of Claude Code 2.1.330, recorded against a mock of its service: what it told each hook, and what its transcript
//! got in between. Replayed through the real program in the project that they were recorded in.

use std::io::Write;

use serde_json::{Value, json};

use crate::agent::{Agent, Told};
use crate::clients::own;

const FILES: &[(&str, &str)] = &[
    ("README.md", "# Project\n"),
    ("src/README.md", "About src.\n"),
    ("src/a.rs", "fn a(){}\n"),
    (".claude/PLAN.md", "# Plan: Great\n- [x] one\n- [ ] two\n"),
    (".claude/rules/r.md", "---\napplies_to: [\"src/*.rs\"]\n---\nKeep it short.\n"),
];

/// What each hook answers, in a line.
fn replay(name: &str) -> Vec<String> {
    let agent = Agent::new(FILES);
    let text = std::fs::read_to_string(own(&format!("tests/it/hooks/sessions/{name}.jsonl"))).expect("a recording");
    let (repo, home) = (agent.repo.root().display().to_string(), agent.repo.home().display().to_string());
    let here = text.replace("{REPO}", &repo).replace("{HOME}", &home);
    let steps: Vec<Value> = here.lines().map(|line| serde_json::from_str(line).expect("a step")).collect();
    assert!(steps.iter().any(|step| step["written"].as_array().is_some_and(|lines| !lines.is_empty())));
    steps.iter().map(|step| answer(&agent, step)).collect()
}

fn answer(agent: &Agent, step: &Value) -> String {
    let (event, message) = (step["event"].as_str().expect("an event"), &step["message"]);
    let path = std::path::PathBuf::from(message["transcript_path"].as_str().expect("a path"));
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    let mut transcript = std::fs::OpenOptions::new().create(true).append(true).open(path).expect("a transcript");
    for line in step["written"].as_array().expect("lines") {
        writeln!(transcript, "{line}").expect("a line");
    }
    let told = agent.send_in(agent.repo.root(), event, message.to_string().as_bytes());
    assert_eq!(told.stderr, "", "{step}");
    let place = match (message["source"].as_str(), message.get("agent_id")) {
        (Some(source), _) => format!(" ({source})"),
        (None, Some(_)) => " (subagent)".to_owned(),
        (None, None) => String::new(),
    };
    format!("{event}{place}: {}", in_short(&told))
}

/// The heads of the pieces that somebody is told.
fn in_short(told: &Told) -> String {
    let heads = ["[BOULDER", "Boulder", "# ", "Continuing", "[RALPH", "<promise>", "Ralph"];
    let texts = [told.blocked().unwrap_or_default(), told.message(), told.context()];
    let lines =
        texts.iter().flat_map(|text| text.lines()).filter(|line| heads.iter().any(|head| line.starts_with(head)));
    let short = |line: &str| line.split([':', '.']).next().unwrap_or_default().to_owned();
    lines.map(short).collect::<Vec<_>>().join(" | ")
}

#[test]
fn a_session_with_a_subagent() {
    assert_eq!(
        replay("subagent"),
        [
            "session-start (startup): Boulder state tracking enabled for this plan | Boulder state tracking enabled for this plan | # README | # Project",
            "post-tool-use (subagent): # src/README",
            "post-tool-use: # src/README",
            "post-tool-use: ",
            "stop: ",
            "session-end: ",
        ],
        "the subagent is told, then the session itself, once"
    );
}

#[test]
fn a_session_that_is_compacted() {
    assert_eq!(
        replay("compaction"),
        [
            "session-start (startup): Boulder state tracking enabled for this plan | Boulder state tracking enabled for this plan | # README | # Project",
            "post-tool-use: # src/README",
            "stop: ",
            "session-end: ",
            "session-start (resume): Continuing the plan Great ( | [BOULDER STATE DETECTED] | Continuing from where you left off",
            "session-start (compact): Continuing the plan Great ( | [BOULDER STATE DETECTED] | Continuing from where you left off | # README | # Project",
            "session-end: ",
            "session-start (resume): Continuing the plan Great ( | [BOULDER STATE DETECTED] | Continuing from where you left off",
            "post-tool-use: # src/README",
            "stop: ",
            "session-end: ",
        ],
        "what was told is told again once it is gone"
    );
}

#[test]
fn a_session_that_is_resumed_after_its_loop_ended() {
    assert_eq!(
        replay("resumed"),
        [
            "session-start (startup): Boulder state tracking enabled for this plan | Boulder state tracking enabled for this plan | # README | # Project",
            "stop: [RALPH LOOP ENFORCEMENT]",
            "stop: [RALPH LOOP COMPLETE] | Ralph loop has ended",
            "session-end: ",
            "session-start (resume): Continuing the plan Great ( | [BOULDER STATE DETECTED] | Continuing from where you left off",
            "stop: ",
            "session-end: ",
        ],
        "a loop that is over stays so"
    );
}

/// Codex is known when a session starts, which has no turn yet: it reads AGENTS.md itself.
#[test]
fn a_session_of_codex_is_not_told_what_it_reads_itself() {
    let told = |transcript: &str| {
        let files = [("AGENTS.md", "Be brief.\n"), ("CLAUDE.md", "Be kind.\n"), ("README.md", "# Project\n")];
        let agent = Agent::new(&files);
        let root = agent.repo.root();
        let message = json!({
            "session_id": "s", "transcript_path": format!("/h/{transcript}"), "cwd": root, "model": "gpt-5",
            "hook_event_name": "SessionStart", "permission_mode": "default", "source": "startup",
        });
        let told = agent.send_in(root, "session-start", message.to_string().as_bytes());
        (told.context().contains("# Project"), told.context().contains("Be brief."))
    };
    assert_eq!(told("sessions/2026/11/23/rollout-2026-11-23T04-17-24-01a2069f.jsonl"), (true, false));
    assert_eq!(told("projects/p/2fe878e6.jsonl"), (true, true));
}
