//! The worlds in which released agents ran hooks, started servers and obeyed settings, against `show --runs` of the real program.
//! A session is played with its answer: what the recorded calls of tools would set off.

mod permissions;
mod played;
mod sessions;

use crate::vectors::{json_files, object, say};
use played::Played;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Worlds that cannot be played, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("claude-all-events", "which events a session has is not what is asked here"),
    ("claude-env-table", "a table of many runs, held by the unit tests of variables"),
    ("claude-run-home", "a command that prints a variable"),
    ("claude-run-node-options", "what a program does with a variable"),
    ("claude-run-path", "what a shell does with a variable"),
    ("claude-run-bash-env-tool", "what a shell does with a variable"),
    ("claude-safe-bare", "a switch of the command line"),
    ("claude-mcp-cmd-mcp-list", "another command of the agent"),
    ("codex-m-required", "whether a program is there"),
    ("codex-tty-trusted-hooks", "the agent was stopped while it loaded"),
    ("codex-tty-unknown", "the agent was stopped while it loaded"),
];

#[test]
fn what_runs_is_what_released_agents_ran() {
    let only = std::env::var("VECTOR").unwrap_or_default();
    // Worlds that are tried out lie elsewhere.
    let worlds =
        std::env::var("WORLDS").unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/runs").to_owned());
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in json_files(Path::new(&worlds)) {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        if !name.contains(&only) || LEFT_OUT.iter().any(|(left, _)| *left == name) {
            continue;
        }
        let world: Value = serde_json::from_slice(&std::fs::read(&file).expect("a world")).expect("a world is JSON");
        let played = Played::new(&world);
        let count = counts.entry(world["agent"].as_str().unwrap_or_default().to_owned()).or_default();
        count.1 += 1;
        let problems = played.problems();
        count.0 += usize::from(problems.is_empty());
        wrong.extend(problems.into_iter().map(|problem| format!("{name}: {problem}")));
    }
    for (agent, (right, all)) in &counts {
        say(&format!("{agent}: {right} of {all} worlds run the same"));
    }
    assert!(!counts.is_empty(), "no world was played");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// The worlds beside the checkout are those of ours.
#[test]
fn every_world_of_settings_beside_the_checkout_is_one_of_ours() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let theirs = root.join("../shared/vectors-settings");
    if !theirs.is_dir() {
        return say(&format!("SKIPPED: {} is not there", theirs.display()));
    }
    let agents: BTreeSet<String> =
        ["claude", "codex", "copilot", "gemini", "opencode", "qwen"].map(str::to_owned).into();
    for file in json_files(&theirs) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        if agents.iter().any(|agent| name.starts_with(&format!("{agent}-"))) {
            let same = std::fs::read(&file).ok() == std::fs::read(root.join("tests/runs").join(&name)).ok();
            assert!(same, "{name} differs from the world beside the checkout");
        }
    }
}

/// Whether an argument follows another.
fn has_pair(arguments: &[String], first: &str, second: &str) -> bool {
    arguments.windows(2).any(|pair| pair[0] == first && pair[1] == second)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|one| text(one).to_owned()).collect()
}

/// The world in the form of those that hold texts.
fn on_disk(world: &Value) -> Value {
    let fill = |text: &str| text.replace("{BASE}", "http://127.0.0.1:1").replace("{OTHER}", "http://127.0.0.1:2");
    let file = |content: &Value| match content.as_str() {
        Some(text) => json!({"text": fill(text)}),
        None => content.clone(),
    };
    let mut files: serde_json::Map<String, Value> =
        object(&world["files"]).map(|(path, content)| (path.clone(), file(content))).collect();
    // The user's own file is not among those of the world.
    if text(&world["about"]).starts_with("user turned folder trust on") {
        let settings = json!({"security": {"folderTrust": {"enabled": true}}}).to_string();
        files.insert(format!("home/.{}/settings.json", text(&world["agent"])), json!({"text": settings}));
    }
    let git = if world["git"] == true { json!(["repo"]) } else { json!([]) };
    json!({"name": format!("runs-{}-{}", text(&world["agent"]), text(&world["name"])), "files": files, "git": git, "cwd": world["cwd"]})
}

/// What the program says of the world.
fn ask(world: &Value, root: &str) -> Value {
    let arguments = strings(&world["args"]);
    let has = |switch: &str| arguments.iter().any(|argument| argument == switch);
    let mode = match (text(&world["mode"]), world["trusted"].as_bool()) {
        ("tty", _) => "interactive",
        (_, Some(true)) => "headless",
        _ if has("--trust") => "headless",
        _ => "headless-untrusted",
    };
    let agent = text(&world["agent"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_hintlint"));
    command.env_clear().env("HOME", format!("{root}/home"));
    if agent != "claude" {
        command.envs(object(&world["env"]).map(|(name, value)| (name, text(value).replace("{ROOT}", root))));
    }
    // The user has said where requests go, unless a file of the repository is to have its turn.
    let name = text(&world["name"]);
    if !(name.starts_with("dotenv-") || name.contains("unset")) {
        command.envs(match agent {
            "gemini" => Some(("GOOGLE_VERTEX_BASE_URL", "http://127.0.0.1:1")),
            "qwen" => Some(("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")),
            "opencode" if text(&world["about"]).contains("its own inline config") => Some((
                "OPENCODE_CONFIG_CONTENT",
                r#"{"provider": {"mock": {"options": {"baseURL": "http://127.0.0.1:1/v1"}}}}"#,
            )),
            _ => None,
        });
    }
    command.arg("show").arg(format!("{root}/{}", text(&world["cwd"])));
    command.args(["--runs", "--agent", agent, "--mode", mode, "--format", "json"]);
    if has("--dangerously-bypass-hook-trust") {
        command.args(["--agent-option", "codex.bypassHookTrust=true"]);
    }
    if has("--skip-trust") {
        command.args(["--agent-option", "gemini.skipTrust=true"]);
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--plugin-dir") {
        let directory = json!([arguments[at + 1].replace("{ROOT}", root)]);
        command.arg("--agent-option").arg(format!("{agent}.pluginDirs={directory}"));
    }
    let output = command.output().expect("hintlint runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the answer is JSON")
}
