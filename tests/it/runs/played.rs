//! A session that is played with what the program says of a world, and what differs from what was observed.

mod problems;

use super::permissions;
use super::sessions::{CLAUDE, CODEX, COPILOT, GEMINI, OPENCODE, QWEN, Session};
use super::{ask, has_pair, on_disk, strings, text};
use crate::vectors::World;
use serde_json::Value;

/// Seconds that a program needs to start.
const START: f64 = 0.02;

/// What `allowed-tools` of a command say for the call of the worlds.
const GRANTS: [&str; 4] = ["Bash(rec tool)", "Bash(rec *)", "Bash(rec:*)", "Bash"];
/// What stands around a rule.
const UNQUOTED: [char; 6] = [' ', '[', ']', '"', '-', '\''];

/// A world with the answer of the program for it.
pub(super) struct Played<'w> {
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
    pub(super) fn new(world: &'w Value) -> Played<'w> {
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
            || ["--agent", "--command"].iter().any(|switch| has_pair(&strings(&self.world["args"]), switch, name))
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

    /// Fire the hooks of an event; equal commands run once, but in Codex.
    fn fire(&mut self, session: &Session, event: &str, subject: &str) {
        let mut commands: Vec<String> = Vec::new();
        let is_each = self.world["agent"] == "codex";
        let is_of = |run: &Value| {
            let name = text(&run["event"]);
            name == event || session.aliases.iter().any(|(own, other)| *own == event && *other == name)
        };
        for run in self.of_kind("hook").filter(|run| is_of(run) && run["type"] == "command" && self.is_approved(run)) {
            let is_stopped =
                run["timeout"].as_f64().is_some_and(|seconds| seconds < START + slept(text(&run["action"])));
            let fires =
                !is_stopped && run["fires_for"].as_array().is_none_or(|all| all.iter().any(|one| one == subject));
            let command = text(&run["action"]);
            if fires && self.counts(run) && (is_each || commands.iter().all(|other| other != command)) {
                commands.push(command.to_owned());
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
        // No program has a name with a blank.
        let program = command.strip_prefix('\'').and_then(|rest| rest.split('\'').next());
        if program.is_some_and(|program| program.contains(' ')) {
            return None;
        }
        let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches(['"', '\'', ';'])).collect();
        match words[..] {
            ["sleep", _, "rec", mark] => Some(mark.to_owned()),
            ["rec", mark, ..] => {
                let default = mark.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')?.split_once(":-"));
                Some(default.map_or(mark, |(_, default)| default).to_owned())
            }
            [script, kind, event] if script.ends_with("/repo/hk.sh") => Some(format!("{kind}-{event}")),
            [script] => {
                let path = script.trim_start_matches("$CLAUDE_PROJECT_DIR").replace('"', "");
                let file = text(&self.world["files"][format!("repo{path}")]);
                Some(file.split("rec ").nth(1)?.split_whitespace().next()?.to_owned())
            }
            _ => None,
        }
    }

    /// The mark that a file of JavaScript leaves when it is loaded: the item's file, or the one that a settings file names.
    fn mark_of_code(&self, run: &Value) -> Option<String> {
        let path = text(&run["path"]).strip_prefix(&self.root)?.trim_start_matches('/').to_owned();
        let path = match (text(&run["command"]).strip_prefix("./"), path.rsplit_once('/')) {
            (Some(named), Some((folder, _))) => format!("{folder}/{named}"),
            _ => path,
        };
        let code = text(&self.world["files"][path]);
        Some(code.split("name:'").nth(1)?.split('\'').next()?.to_owned())
    }

    /// Whether a command or skill that is started has a line that runs before the model, which ends it where that may not run.
    fn has_pre_run(&self) -> bool {
        let files = self.world["files"].as_object().into_iter().flatten();
        let is_started = |path: &str| {
            path.contains("/.claude/commands/") || (path.contains("/.claude/skills/s/") && self.is_used("s"))
        };
        let mut used = files.filter(|(path, _)| is_started(path));
        used.any(|(_, file)| {
            let lines = text(file).lines();
            let mut lines =
                lines.filter(|line| line.starts_with("!`") || line.contains(" !`") || line.starts_with("```!"));
            lines.next().is_some()
        })
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.of_kind("variable").find(|run| run["name"] == name).and_then(|run| run["value"].as_str())
    }

    /// Whether the model is asked for by way of a cloud.
    fn is_of_cloud(&self) -> bool {
        let switches = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_USE_VERTEX"];
        switches.iter().any(|name| self.variable(name).is_some())
    }

    /// Whether a prefix that is no program stands before every command.
    fn is_prefixed(&self) -> bool {
        self.variable("CLAUDE_CODE_SHELL_PREFIX").is_some()
    }

    fn session(&self) -> &'static Session {
        match text(&self.world["agent"]) {
            "codex" => &CODEX,
            "copilot" => &COPILOT,
            "gemini" => &GEMINI,
            "qwen" => &QWEN,
            "opencode" => &OPENCODE,
            _ => &CLAUDE,
        }
    }

    /// Whether requests go where this setting or variable says: of several variables one is the session's.
    fn is_used_endpoint(&self, name: &str) -> bool {
        let is_variable = name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
        !is_variable || name == self.session().endpoint
    }

    fn play(&mut self) {
        let answered_no = text(&self.world["name"]).contains("trust-no");
        if answered_no || self.is_refused {
            return;
        }
        let session = self.session();
        let servers = self.of_kind("server").filter(|run| self.counts(run) && self.is_approved(run));
        let startable = servers.filter(|run| run["command"][0] == "rec-mcp");
        let servers = startable.map(|run| run["command"][1].as_str().unwrap_or("?").to_owned()).collect();
        let helpers = |key: &str| -> Vec<String> {
            let found = self.of_kind("helper").filter(|run| run["key"] == key);
            found.filter_map(|run| self.mark(text(&run["command"]))).collect()
        };
        let server_finder = helpers("mcp.serverCommand");
        let discovery = helpers("tools.discoveryCommand");
        // The command prints no list of tools, which ends the agent.
        if !discovery.is_empty() {
            self.hooks = discovery;
            return;
        }
        let plugins = self.of_kind("helper").filter(|run| matches!(text(&run["key"]), "plugin" | "tool"));
        let plugins: Vec<String> = plugins.filter_map(|run| self.mark_of_code(run)).collect();
        let status = [helpers("statusLine"), helpers("ui.statusLine")].concat();
        let key = helpers("apiKeyHelper");
        let headers = helpers("headersHelper");
        self.servers = servers;
        self.hooks.extend(plugins);
        self.hooks.extend(server_finder);
        self.hooks.extend(headers);
        self.fire(session, session.start, "startup");
        let is_terminal = self.world["mode"] == "tty";
        self.hooks.extend(status);
        let steps = self.world["observed"]["ran_by_step"].as_array().cloned().unwrap_or_default();
        if !is_terminal || steps.iter().any(|step| step["keys"] == "hi") {
            let pre_runs = self.of_kind("pre-run").filter(|run| self.counts(run));
            let pre_runs: Vec<String> = pre_runs.filter_map(|run| self.mark(text(&run["command"]))).collect();
            self.fire(session, session.prompt, "");
            let is_aborted = pre_runs.is_empty() && self.has_pre_run();
            self.hooks.extend(pre_runs);
            self.hooks.extend(key);
            if !is_aborted {
                self.play_tools(session);
            }
        }
        if !is_terminal {
            self.fire(session, session.end, session.ending);
        }
    }

    fn play_tools(&mut self, session: &Session) {
        // Without a model that answers nothing more happens.
        let is_proxied =
            ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].iter().any(|name| self.variable(name).is_some());
        if is_proxied || self.is_of_cloud() {
            return;
        }
        let script = self.world["script"].as_array().cloned().unwrap_or_default();
        self.fire(session, session.before_request, "");
        for call in &script {
            let name = text(&call["name"]);
            let tool = session.tools.iter().find(|(own, _)| *own == name).map_or(name, |(_, seen)| *seen);
            let is_secret = text(&call["input"]["file_path"]).ends_with("secret.txt");
            // Of this agent's rules the last counts, whatever others say.
            let is_ordered = self.world["agent"] == "opencode" && tool == "bash";
            if !is_ordered && self.is_listed("deny", tool, &call["input"]) {
                self.denied |= is_secret;
                // Of a command is asked after the hooks, and a tool that is refused altogether is not offered.
                if tool == "Bash" && self.world["agent"] == "claude" && !self.is_named("deny", tool) {
                    self.fire(session, session.before_tool, tool);
                }
                continue;
            }
            // Without a terminal a shell that needs a question is refused before its hooks.
            let is_refused = name == "run_shell_command" && !self.permits(tool, &call["input"]);
            if !is_refused {
                self.fire(session, session.before_tool, tool);
            }
            if !is_ordered && self.is_listed("ask", tool, &call["input"]) {
                self.denied |= is_secret;
                continue;
            }
            let is_free = session.free_tools.contains(&name) && !text(&call["input"]["file_path"]).contains("/out/");
            let is_free = is_free || (is_ordered && self.is_free_shell());
            let permits = is_free || !is_ordered && self.permits(tool, &call["input"]);
            if permits {
                self.allowed |= matches!(tool, "Bash" | "run_shell_command");
                if tool == "bash" {
                    // The tool runs what the settings name as the shell, with `-c` and the command.
                    let shell = self.of_kind("helper").any(|run| run["key"] == "shell");
                    self.hooks.push(if shell { "-c" } else { "tool" }.to_owned());
                }
                self.fire(session, session.after_tool, tool);
            }
            self.fire(session, session.before_request, "");
            if session.prompts_after_tools {
                self.fire(session, session.prompt, "");
            }
        }
        for stop in session.stops {
            self.fire(session, stop, "");
        }
    }

    /// Whether the shell of an agent that asks only where it is told to runs: the last rule counts.
    fn is_free_shell(&self) -> bool {
        let rules = self.of_kind("permission").filter(|run| {
            let rule = text(&run["rule"]);
            run["on_use_of"].is_null() && (rule == "*" || rule == "bash" || rule.starts_with("bash("))
        });
        rules.last().is_none_or(|run| run["list"] == "allow")
    }

    /// Whether a rule of a list names a tool alone.
    fn is_named(&self, list: &str, tool: &str) -> bool {
        self.of_kind("permission").any(|run| run["list"] == list && run["rule"] == tool)
    }

    /// Whether a rule of a list covers a call.
    fn is_listed(&self, list: &str, tool: &str, input: &Value) -> bool {
        let path = text(&input["file_path"]).replace("{ROOT}", &self.root);
        let argument = if matches!(tool, "Bash" | "run_shell_command") { text(&input["command"]) } else { &path };
        let start = format!("{}/{}", self.root, text(&self.world["cwd"]));
        let rules = self.of_kind("permission").filter(|run| run["list"] == list).map(|run| text(&run["rule"]));
        rules.into_iter().any(|rule| permissions::covers(rule, tool, argument, &start))
    }

    /// Whether a command may run without a question.
    fn permits(&self, tool: &str, input: &Value) -> bool {
        let answers = self.of_kind("hook").any(|run| text(&run["action"]).contains("\"permissionDecision\":\"allow\""));
        let of_command = tool == "Bash"
            && self.world["files"].as_object().is_some_and(|files| {
                files.iter().any(|(path, file)| {
                    let allows = |rule: &&str| {
                        text(file).lines().any(|line| {
                            line.trim_start_matches("allowed-tools:")
                                .split(", ")
                                .any(|one| one.trim_matches(UNQUOTED) == *rule)
                        })
                    };
                    let is_started = path.contains("commands/") || path.contains("skills/s/");
                    is_started && GRANTS.iter().any(allows)
                })
            });
        let is_free =
            self.of_kind("setting").any(|run| run["key"] == "tools.approvalMode" && run["value"] == "\"yolo\"");
        answers || is_free || of_command || self.is_listed("allow", tool, input)
    }
}

/// The seconds for which a command sleeps.
fn slept(command: &str) -> f64 {
    let rest = command.strip_prefix("sleep ").and_then(|rest| rest.split_once(';'));
    rest.and_then(|(seconds, _)| seconds.parse().ok()).unwrap_or_default()
}
