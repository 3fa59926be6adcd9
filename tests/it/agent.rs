//! An agent for tests: sends a hook the JSON that Claude Code sends, in a home of its own, and reads the answer as it does.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::{Repo, Run};

/// A repository, and an agent that works in it.
pub(crate) struct Agent {
    pub(crate) repo: Repo,
    /// Whether it is Gemini CLI, which loads none of the files that the hooks take rules from.
    is_gemini: bool,
}

/// What a hook answered.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) json: Value,
    pub(crate) stderr: String,
}

impl Told {
    /// What a hook that was begun answers.
    pub(crate) fn of(child: Child) -> Told {
        let run: Run = child.wait_with_output().expect("hintlint ends").into();
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
        Told { json: serde_json::from_str(&run.stdout).expect("an answer in JSON"), stderr: run.stderr }
    }

    /// What the model is told; empty if nothing.
    pub(crate) fn context(&self) -> &str {
        self.json["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or("")
    }

    /// What the user is told; empty if nothing.
    pub(crate) fn message(&self) -> &str {
        self.json["systemMessage"].as_str().unwrap_or("")
    }

    /// Why the agent may not stop; none if it may.
    pub(crate) fn blocked(&self) -> Option<&str> {
        (self.json["decision"] == "block").then(|| self.json["reason"].as_str().expect("a reason"))
    }

    /// Nothing was said to anybody.
    pub(crate) fn is_silent(&self) -> bool {
        self.json == json!({}) && self.stderr.is_empty()
    }
}

impl Agent {
    /// With one commit of `files`.
    pub(crate) fn new(files: &[(&str, &str)]) -> Agent {
        Agent { repo: Repo::with_files(files.iter().copied()), is_gemini: false }
    }

    /// The same, and the agent is Gemini CLI.
    pub(crate) fn gemini(files: &[(&str, &str)]) -> Agent {
        Agent { is_gemini: true, ..Agent::new(files) }
    }

    /// What the agent calls a tool of Claude Code's.
    fn tool<'n>(&self, name: &'n str) -> &'n str {
        match name {
            "Read" if self.is_gemini => "read_file",
            "Write" if self.is_gemini => "write_file",
            "Edit" | "MultiEdit" if self.is_gemini => "replace",
            name => name,
        }
    }

    /// A file of the user's own folder.
    pub(crate) fn home(&self, path: &str) -> PathBuf {
        self.repo.home().join(path)
    }

    /// Write a file below the home.
    pub(crate) fn write_home(&self, path: &str, text: &str) {
        let path = self.home(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        std::fs::write(path, text).expect("a file");
    }

    /// The state of the active plan; null if there is none.
    pub(crate) fn state(&self) -> Value {
        match std::fs::read(self.home(".claude/.boulder.json")) {
            Ok(bytes) => serde_json::from_slice(&bytes).expect("valid JSON"),
            Err(_) => Value::Null,
        }
    }

    /// The history of cleared states.
    pub(crate) fn history(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.home(".claude/.boulder.history.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("valid JSON")).collect()
    }

    /// Send bytes to a hook; whatever they are, it ends well.
    pub(crate) fn send_in(&self, dir: &Path, event: &str, bytes: &[u8]) -> Told {
        Told::of(self.begin_in(dir, event, bytes))
    }

    /// Send bytes to a hook, and do not wait for it.
    pub(crate) fn begin_in(&self, dir: &Path, event: &str, bytes: &[u8]) -> Child {
        let mut command = self.repo.hintlint(dir);
        if self.is_gemini {
            command.env("GEMINI_CWD", dir);
        }
        command.args(["hook", event]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("hintlint starts");
        // A hook that has seen enough may close its input.
        let _ = child.stdin.take().expect("piped").write_all(bytes);
        child
    }

    fn send(&self, event: &str, name: &str, session: &str, more: Value) -> Told {
        let mut message = json!({
            "session_id": session,
            "transcript_path": self.transcript().to_str().expect("UTF-8"),
            "cwd": self.repo.root().to_str().expect("UTF-8"),
            "permission_mode": "default",
            "hook_event_name": name,
        });
        let fields = message.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        self.send_in(self.repo.root(), event, message.to_string().as_bytes())
    }

    /// A session starts; `source` is `startup`, `resume`, `clear` or `compact`.
    pub(crate) fn starts(&self, session: &str, source: &str) -> Told {
        self.send("session-start", "SessionStart", session, json!({"source": source}))
    }

    /// A session ends.
    pub(crate) fn ends(&self, session: &str) -> Told {
        self.send("session-end", "SessionEnd", session, json!({"reason": "prompt_input_exit"}))
    }

    /// The agent has used a tool on a file of the repository, or on one named by an absolute path.
    pub(crate) fn uses(&self, session: &str, tool: &str, path: &str) -> Told {
        self.uses_in(session, "", tool, path)
    }

    /// The same in one of the session's subagents.
    pub(crate) fn uses_in(&self, session: &str, subagent: &str, tool: &str, path: &str) -> Told {
        let path = self.repo.at(path);
        let input = match tool {
            "Read" => json!({"file_path": path}),
            "Write" => json!({"file_path": path, "content": "x"}),
            "NotebookEdit" => json!({"notebook_path": path, "new_source": "x"}),
            _ => json!({"file_path": path, "old_string": "a", "new_string": "b", "replace_all": false}),
        };
        let mut more = json!({
            "tool_name": self.tool(tool), "tool_input": input, "tool_response": {"filePath": path, "success": true},
            "tool_use_id": "toolu_01", "duration_ms": 12,
        });
        if !subagent.is_empty() {
            more["agent_id"] = subagent.into();
            more["agent_type"] = "Explore".into();
        }
        let name = if self.is_gemini { "AfterTool" } else { "PostToolUse" };
        self.send("post-tool-use", name, session, more)
    }

    /// Where the session's transcript lies.
    pub(crate) fn transcript(&self) -> PathBuf {
        self.home(".claude/projects/p/transcript.jsonl")
    }

    /// Write the transcript, one entry a line.
    pub(crate) fn transcribe(&self, entries: &[Value]) {
        let lines: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
        self.write_home(".claude/projects/p/transcript.jsonl", &lines);
    }

    /// The agent wants to stop. Its transcript has grown since the last time, as it does between two stops.
    pub(crate) fn stops(&self, session: &str, active: bool) -> Told {
        if self.transcript().is_file() {
            let mut transcript =
                std::fs::OpenOptions::new().append(true).open(self.transcript()).expect("a transcript");
            writeln!(transcript, "{}", json!({"type": "system", "subtype": "turn_duration"})).expect("a transcript");
        }
        self.stops_again(session, active)
    }

    /// Another hook is told of the same stop.
    pub(crate) fn stops_again(&self, session: &str, active: bool) -> Told {
        self.send("stop", "Stop", session, json!({"stop_hook_active": active}))
    }

    /// The agent wants to stop, after these entries and with these as its last words.
    pub(crate) fn stops_saying(&self, session: &str, last: &str) -> Told {
        self.send("stop", "Stop", session, json!({"stop_hook_active": false, "last_assistant_message": last}))
    }
}

/// An entry of a transcript with what all have.
fn entry(kind: &str, message: Value) -> Value {
    json!({
        "parentUuid": null, "isSidechain": false, "userType": "external", "cwd": "/r", "sessionId": "s", "version": "2.1.329",
        "type": kind, "message": message, "uuid": "u", "timestamp": "2026-01-09T10:00:00.000Z",
    })
}

/// The user says something.
pub(crate) fn user(text: &str) -> Value {
    entry("user", json!({"role": "user", "content": text}))
}

/// The user runs a command.
pub(crate) fn command(name: &str, arguments: &str) -> Value {
    user(&format!(
        "<command-message>{name} is running…</command-message>\n<command-name>/{name}</command-name>\n<command-args>{arguments}</command-args>"
    ))
}

/// The assistant says something.
pub(crate) fn says(text: &str) -> Value {
    entry("assistant", json!({"role": "assistant", "content": [{"type": "text", "text": text}]}))
}

/// The assistant calls a skill.
pub(crate) fn skill(name: &str, arguments: &str) -> Value {
    let call =
        json!({"type": "tool_use", "id": "toolu_9", "name": "Skill", "input": {"skill": name, "args": arguments}});
    entry("assistant", json!({"role": "assistant", "content": [call]}))
}

/// What the agent writes when a hook did not let it stop.
pub(crate) fn feedback(reason: &str) -> Value {
    let mut entry = user(&format!("Stop hook feedback:\n{reason}"));
    entry["isMeta"] = true.into();
    entry
}
