//! What differs between a session as it is played and as it was observed.

use super::Played;
use crate::runs::{strings, text};
use crate::vectors::object;
use serde_json::Value;

impl Played<'_> {
    /// What differs from what was observed.
    pub(in crate::runs) fn problems(&self) -> Vec<String> {
        let observed = &self.world["observed"];
        let mut problems = Vec::new();
        let mut check = |what: &str, expected: String, found: String| {
            if expected != found {
                problems.push(format!("{what}: {expected} observed, {found} told"));
            }
        };
        let is_terminal = self.world["mode"] == "tty";
        let is_shown = self.world["agent"] == "opencode";
        let marks = |names: &mut Vec<String>| {
            // The mark of the tool itself is no hook's, and the status line is drawn as often as it is.
            names.retain(|name| name != "tool" || is_shown);
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
        // The prefix stands before servers, too.
        let found = if self.is_prefixed() { String::new() } else { found.join(" ") };
        check("servers", expected.join(" "), found);
        for (key, found) in [("deny_works", self.denied), ("allow_works", self.allowed && !self.is_prefixed())] {
            let has_call = key != "allow_works"
                || ["\"Bash\"", "\"run_shell_command\""]
                    .iter()
                    .any(|name| self.world["script"].to_string().contains(name));
            if let Some(expected) = observed[key].as_bool().filter(|_| has_call && !is_terminal) {
                check(key, expected.to_string(), found.to_string());
            }
        }
        problems.extend(self.environment_problems());
        problems
    }

    /// What differs in the environment, and in where requests went.
    fn environment_problems(&self) -> Vec<String> {
        let observed = &self.world["observed"];
        let mut problems = Vec::new();
        let mut check = |what: &str, expected: String, found: String| {
            if expected != found {
                problems.push(format!("{what}: {expected} observed, {found} told"));
            }
        };
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
            let is_cloud = self.is_of_cloud();
            let mut endpoints =
                self.of_kind("endpoint").filter(|run| is_cloud || self.is_used_endpoint(text(&run["name"])));
            // They wait for their servers before the first request to the model.
            let waits = matches!(text(&self.world["agent"]), "codex" | "gemini");
            let mut servers = self.of_kind("server").filter(|run| waits && run["remote"] == true);
            let is_other = endpoints.any(|run| text(&run["url"]).contains(":2"))
                || servers.any(|run| text(&run["command"][0]).contains(":2"));
            check("first request", text(to).to_owned(), if is_other { "other" } else { "main" }.to_owned());
        }
        let has_exit = matches!(text(&self.world["agent"]), "codex" | "gemini" | "opencode" | "qwen")
            && self.of_kind("helper").all(|run| run["key"] != "tools.discoveryCommand");
        if let Some(exit) = observed["exit"].as_i64().filter(|_| has_exit) {
            check("does not start", (exit != 0).to_string(), self.is_refused.to_string());
        }
        for variable in self.of_kind("variable").filter(|run| run["when"] == "tool") {
            let expected = text(&observed["tool_env"][text(&variable["name"])]).replace("{ROOT}", &self.root);
            check(text(&variable["name"]), expected, text(&variable["value"]).to_owned());
        }
        for (name, expected) in object(&observed["hook_env"]) {
            let expected = text(expected).replace("{ROOT}", &self.root).replace("{OTHER}", "http://127.0.0.1:2");
            // What the user has set is no file's.
            if name == "PATH" || expected.starts_with("{BASE}") {
                continue;
            }
            let expected = if expected == "(unset)" { String::new() } else { expected };
            let endpoint = self.of_kind("endpoint").find(|run| run["name"] == *name).map(|run| text(&run["url"]));
            check(name, expected, self.variable(name).or(endpoint).unwrap_or_default().to_owned());
        }
        problems
    }
}
