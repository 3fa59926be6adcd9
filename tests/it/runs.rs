//! The worlds in which released agents ran hooks, started servers and obeyed settings, against `show --runs` of the real program.
//! A session is played with its answer: what the recorded calls of tools would set off.

mod sessions;

use crate::vectors::{World, json_files, object, say};
use serde_json::{Value, json};
use sessions::{CLAUDE, CODEX, COPILOT, Session};
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
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in json_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs")) {
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
    let agents: BTreeSet<String> = ["claude", "codex", "copilot"].map(str::to_owned).into();
    for file in json_files(&theirs) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        if agents.iter().any(|agent| name.starts_with(&format!("{agent}-"))) {
            let same = std::fs::read(&file).ok() == std::fs::read(root.join("tests/runs").join(&name)).ok();
            assert!(same, "{name} differs from the world beside the checkout");
        }
    }
}

/// A world with the answer of the program for it.
struct Played<'w> {
    world: &'w Value,
    root: String,
    runs: Vec<Value>,
    /// Whether the agent does not start.
    is_refused: bool,
    hooks: Vec<String>,
    servers: Vec<String>,
    allowed: bool,
    denied: bool,
}

impl<'w> Played<'w> {
    fn new(world: &'w Value) -> Played<'w> {
        let place = World::new(&on_disk(world));
        let root = place.root.to_string_lossy().into_owned();
        let answer = ask(world, &root);
        let runs = answer["agents"][0]["runs"].as_array().cloned().unwrap_or_default();
        let mut dropped = answer["agents"][0]["dropped"].as_array().into_iter().flatten();
        let is_refused = dropped.any(|dropped| dropped["scope"] == "agent");
        let (hooks, servers) = (Vec::new(), Vec::new());
        let mut played = Played { world, root, runs, is_refused, hooks, servers, allowed: false, denied: false };
        played.play();
        played
    }

    fn of_kind(&self, kind: &str) -> impl Iterator<Item = &Value> {
        self.runs.iter().filter(move |run| run["kind"] == kind)
    }

    /// Whether a command, skill or agent is started in this world. The prompt is not recorded: it starts what is there.
    fn is_used(&self, name: &str) -> bool {
        let about = text(&self.world["about"]);
        let script = self.world["script"].as_array().into_iter().flatten();
        let mut agents =
            script.filter(|call| call["name"] == "Agent").map(|call| text(&call["input"]["subagent_type"]));
        let file = |folder: &str| self.world["files"].get(format!("repo/.claude/{folder}")).is_some();
        agents.any(|agent| agent == name)
            || has_pair(&strings(&self.world["args"]), "--agent", name)
            || file(&format!("commands/{name}.md"))
            || (file(&format!("skills/{name}/SKILL.md"))
                && !about.contains("never started")
                && !about.contains("by the model"))
    }

    /// Whether somebody who is asked has said yes. Nobody answers a terminal in which no key was pressed.
    fn is_approved(&self, run: &Value) -> bool {
        let steps = self.world["observed"]["ran_by_step"].as_array();
        let is_trusted = self.world["trusted"] == true;
        let is_answered = is_trusted || steps.is_none_or(|steps| steps.iter().any(|step| step["keys"] != ""));
        match text(&run["approval"]) {
            "the user is asked" => false,
            "the folder is trusted" => is_answered,
            _ => true,
        }
    }

    fn counts(&self, run: &Value) -> bool {
        run["on_use_of"].as_str().is_none_or(|name| self.is_used(name))
    }

    /// Fire the hooks of an event; equal commands run once.
    fn fire(&mut self, session: &Session, event: &str, subject: &str) {
        let mut commands = BTreeSet::new();
        let is_of = |run: &Value| {
            let name = text(&run["event"]);
            name == event || session.aliases.iter().any(|(own, other)| *own == event && *other == name)
        };
        for run in self.of_kind("hook").filter(|run| is_of(run) && run["type"] == "command" && self.is_approved(run)) {
            let fires = run["fires_for"].as_array().is_none_or(|all| all.iter().any(|one| one == subject));
            if fires && self.counts(run) {
                commands.insert(text(&run["action"]).to_owned());
            }
        }
        for command in commands {
            if let Some(mark) = self.mark(&command) {
                let is_once = command.contains("hk.sh") && self.hooks.contains(&mark);
                if !is_once {
                    self.hooks.push(mark);
                }
            }
        }
    }

    /// The mark that a command leaves: `rec MARK`, or a script of the world that does so.
    fn mark(&self, command: &str) -> Option<String> {
        let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
        match words[..] {
            ["rec", mark, ..] => Some(mark.to_owned()),
            [script, kind, event] if script.ends_with("/repo/hk.sh") => Some(format!("{kind}-{event}")),
            [script] => {
                let path = script.trim_start_matches("$CLAUDE_PROJECT_DIR").replace('"', "");
                let file = text(&self.world["files"][format!("repo{path}")]);
                Some(file.split("rec ").nth(1)?.split_whitespace().next()?.to_owned())
            }
            _ => None,
        }
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.of_kind("variable").find(|run| run["name"] == name).and_then(|run| run["value"].as_str())
    }

    /// Whether a prefix that is no program stands before every command.
    fn is_prefixed(&self) -> bool {
        self.variable("CLAUDE_CODE_SHELL_PREFIX").is_some()
    }

    fn play(&mut self) {
        let answered_no = text(&self.world["name"]).contains("trust-no");
        if answered_no || self.is_refused {
            return;
        }
        let session = match text(&self.world["agent"]) {
            "codex" => &CODEX,
            "copilot" => &COPILOT,
            _ => &CLAUDE,
        };
        let servers = self.of_kind("server").filter(|run| self.counts(run) && self.is_approved(run));
        let startable = servers.filter(|run| run["command"][0] == "rec-mcp");
        self.servers = startable.map(|run| text(&run["command"][1]).to_owned()).collect();
        self.fire(session, session.start, "startup");
        let is_terminal = self.world["mode"] == "tty";
        let helpers = |key: &str| -> Vec<String> {
            let found = self.of_kind("helper").filter(|run| run["key"] == key);
            found.filter_map(|run| self.mark(text(&run["command"]))).collect()
        };
        let (status, key) = (helpers("statusLine"), helpers("apiKeyHelper"));
        self.hooks.extend(status);
        let steps = self.world["observed"]["ran_by_step"].as_array().cloned().unwrap_or_default();
        if !is_terminal || steps.iter().any(|step| step["keys"] == "hi") {
            let pre_runs = self.of_kind("pre-run").filter(|run| self.counts(run));
            let pre_runs: Vec<String> = pre_runs.filter_map(|run| self.mark(text(&run["command"]))).collect();
            self.fire(session, session.prompt, "");
            self.hooks.extend(pre_runs);
            self.hooks.extend(key);
            self.play_tools(session);
        }
        if !is_terminal {
            self.fire(session, session.end, "");
        }
    }

    fn play_tools(&mut self, session: &Session) {
        // Without a model that answers nothing more happens.
        let is_proxied = ["HTTP_PROXY", "HTTPS_PROXY"].iter().any(|name| self.variable(name).is_some());
        if is_proxied || self.variable("CLAUDE_CODE_USE_BEDROCK").is_some() {
            return;
        }
        let script = self.world["script"].as_array().cloned().unwrap_or_default();
        for call in &script {
            let name = text(&call["name"]);
            let tool = session.tools.iter().find(|(own, _)| *own == name).map_or(name, |(_, seen)| *seen);
            if self.is_denied(tool, &call["input"]) {
                self.denied |= text(&call["input"]["file_path"]).ends_with("secret.txt");
                continue;
            }
            self.fire(session, session.before_tool, tool);
            let is_free = matches!(name, "Read" | "Agent" | "exec_command" | "view")
                && !text(&call["input"]["file_path"]).contains("/out/");
            let permits = is_free || self.permits(tool, text(&call["input"]["command"]));
            if permits {
                self.allowed |= tool == "Bash";
                self.fire(session, session.after_tool, tool);
            }
        }
        for stop in session.stops {
            self.fire(session, stop, "");
        }
    }

    /// Whether a deny rule refuses a call. Patterns of files are held by the tests of what is loaded.
    fn is_denied(&self, tool: &str, input: &Value) -> bool {
        let path = text(&input["file_path"]).replace("{ROOT}", &self.root);
        let rules = self.of_kind("permission").filter(|run| run["list"] == "deny").map(|run| text(&run["rule"]));
        let mut rules = rules.filter(|rule| tool == "Read" && rule.starts_with("Read"));
        rules.any(|rule| match rule.strip_prefix("Read(").and_then(|rest| rest.strip_suffix(')')) {
            None => true,
            Some(pattern) => {
                let relative = pattern.strip_prefix("./").or_else(|| pattern.strip_prefix('/')).unwrap_or(pattern);
                path == format!("{}/repo/{relative}", self.root)
            }
        })
    }

    fn permits(&self, tool: &str, command: &str) -> bool {
        let rules = self.of_kind("permission").filter(|run| run["list"] == "allow").map(|run| text(&run["rule"]));
        let answers = self.of_kind("hook").any(|run| text(&run["action"]).contains("\"permissionDecision\":\"allow\""));
        let of_command = tool == "Bash"
            && self.world["files"].as_object().is_some_and(|files| {
                files.iter().any(|(path, file)| {
                    path.contains("commands/") && text(file).contains("allowed-tools: Bash(rec tool)")
                })
            });
        answers
            || of_command
            || rules.into_iter().any(|rule| {
                let inner = rule
                    .strip_prefix(tool)
                    .and_then(|rest| rest.strip_prefix('('))
                    .map(|rest| rest.trim_end_matches(')'));
                rule == tool || inner.is_some_and(|inner| inner == command || matches!(inner, "rec:*" | "rec *"))
            })
    }

    /// What differs from what was observed.
    fn problems(&self) -> Vec<String> {
        let observed = &self.world["observed"];
        let mut problems = Vec::new();
        let mut check = |what: &str, expected: String, found: String| {
            if expected != found {
                problems.push(format!("{what}: {expected} observed, {found} told"));
            }
        };
        let is_terminal = self.world["mode"] == "tty";
        let marks = |names: &mut Vec<String>| {
            // The mark of the tool itself is no hook's, and the status line is drawn as often as it is.
            names.retain(|name| name != "tool");
            names.sort();
            if is_terminal {
                names.dedup();
            }
            names.join(" ")
        };
        let mut expected = strings(&observed["hooks_run"]);
        let mut found = if self.is_prefixed() { Vec::new() } else { self.hooks.clone() };
        check("hooks", marks(&mut expected), marks(&mut found));
        let (mut expected, mut found) = (strings(&observed["servers"]), self.servers.clone());
        expected.sort();
        found.sort();
        check("servers", expected.join(" "), found.join(" "));
        for (key, found) in [("deny_works", self.denied), ("allow_works", self.allowed && !self.is_prefixed())] {
            let has_call = key != "allow_works" || self.world["script"].to_string().contains("\"Bash\"");
            if let Some(expected) = observed[key].as_bool().filter(|_| has_call && !is_terminal) {
                check(key, expected.to_string(), found.to_string());
            }
        }
        if let Some(expected) =
            observed["env_seen_by_hooks"].as_array().filter(|seen| !self.hooks.is_empty() && !seen.is_empty())
        {
            let found = self.variable("HS_ENV").unwrap_or("None");
            let is_same = expected.iter().any(|one| one == found);
            check(
                "HS_ENV",
                expected.iter().map(Value::to_string).collect(),
                if is_same { expected.iter().map(Value::to_string).collect() } else { found.to_owned() },
            );
        }
        let to = observed["first_request"]["to"].as_array().or_else(|| observed["first_request_to"].as_array());
        if let Some(to) = to.and_then(|to| to.first()) {
            let is_bedrock = self.variable("CLAUDE_CODE_USE_BEDROCK").is_some();
            let mut endpoints =
                self.of_kind("endpoint").filter(|run| run["name"] == "ANTHROPIC_BASE_URL" || is_bedrock);
            let mut servers =
                self.of_kind("server").filter(|run| run["remote"] == true && self.world["agent"] == "codex");
            let is_other = endpoints.any(|run| text(&run["url"]).contains(":2"))
                || servers.any(|run| text(&run["command"][0]).contains(":2"));
            check("first request", text(to).to_owned(), if is_other { "other" } else { "main" }.to_owned());
        }
        if let (Some(exit), "codex") = (observed["exit"].as_i64(), text(&self.world["agent"])) {
            check("does not start", (exit != 0).to_string(), self.is_refused.to_string());
        }
        for variable in self.of_kind("variable").filter(|run| run["when"] == "tool") {
            let expected = text(&observed["tool_env"][text(&variable["name"])]).replace("{ROOT}", &self.root);
            check(text(&variable["name"]), expected, text(&variable["value"]).to_owned());
        }
        for (name, expected) in object(&observed["hook_env"]) {
            let expected = text(expected).replace("{ROOT}", &self.root);
            check(name, expected, self.variable(name).unwrap_or_default().to_owned());
        }
        problems
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
    let files: serde_json::Map<String, Value> =
        object(&world["files"]).map(|(path, content)| (path.clone(), file(content))).collect();
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
    command.arg("show").arg(format!("{root}/{}", text(&world["cwd"])));
    command.args(["--runs", "--agent", agent, "--mode", mode, "--format", "json"]);
    if has("--dangerously-bypass-hook-trust") {
        command.args(["--agent-option", "codex.bypassHookTrust=true"]);
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--plugin-dir") {
        let directory = json!([arguments[at + 1].replace("{ROOT}", root)]);
        command.arg("--agent-option").arg(format!("{agent}.pluginDirs={directory}"));
    }
    let output = command.output().expect("hintlint runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the answer is JSON")
}
