//! MCP servers of Qwen Code: its settings and `.mcp.json`. A project's start once the user has approved them.

use super::QwenRuns;
use crate::agents::shared::globs::matches_stars;
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText};
use crate::agents::shared::runs::transports;
use crate::agents::shared::runs::{Approval, DroppedScope, Moment, RunKind, RunMode};
use crate::parse::json::{JsonGrammar, JsonNode};
use std::collections::BTreeSet;

impl QwenRuns<'_, '_> {
    /// The servers of the project's settings, of `.mcp.json`, and of the user's settings; of several with one name the first.
    pub(super) fn read_servers(&mut self) {
        let world = self.reader.world;
        let path = self.reader.out.start.join(".mcp.json");
        let shared = SettingsText::read_with_mark(world, &path).filter(|_| self.approval.is_some());
        let shared = shared.and_then(|text| Some((text.json(JsonGrammar::COMMENTED).ok()?, text)));
        let is_free = self.setting(&["tools", "approvalMode"]).and_then(|(_, mode)| mode.text());
        let is_free = is_free.is_some_and(|mode| mode.trim().eq_ignore_ascii_case("yolo"));
        let project = match (is_free, self.reader.out.mode) {
            (true, _) => Some(self.approval.unwrap_or(Approval::Nobody)),
            (false, RunMode::Interactive) => Some(Approval::Item),
            (false, RunMode::Headless | RunMode::HeadlessUntrusted) => None,
        };
        let (allowed, excluded) = (self.listed(&["mcp", "allowed"]), self.listed(&["mcp", "excluded"]));
        let mut sources: Vec<(&SettingsText, &JsonNode, Option<Approval>)> = Vec::new();
        sources.extend(self.files.iter().filter(|file| file.is_project).map(|file| (&file.text, &file.root, project)));
        sources.extend(shared.iter().map(|(root, text)| (text, root, project)));
        let user = self.files.iter().filter(|file| !file.is_project);
        sources.extend(user.map(|file| (&file.text, &file.root, Some(Approval::Nobody))));
        let mut seen = BTreeSet::new();
        for (text, root, approval) in sources {
            let servers = root.get("mcpServers").map(JsonNode::effective).unwrap_or_default();
            for server in servers.into_iter().take(MAX_ENTRIES) {
                let place = text.place(server.value.span);
                let is_kept_out = excluded.iter().any(|pattern| matches_stars(pattern, &server.key))
                    || !(allowed.is_empty() || allowed.contains(&server.key));
                let found = if !seen.insert(server.key.as_str()) {
                    Err("a file of higher precedence has a server of this name".to_owned())
                } else if is_kept_out {
                    Err("`mcp.allowed` or `mcp.excluded` keeps it out".to_owned())
                } else {
                    transports::command(&server.value, world.env(), false)
                };
                match (found, approval) {
                    (Ok((command, is_remote)), Some(approval)) => {
                        let directory = transports::directory(&server.value, is_remote).map(str::to_owned);
                        let given = transports::given(&server.value, is_remote, "env", &["headers"]);
                        let kind = RunKind::Server { name: server.key.clone(), command, is_remote, directory, given };
                        self.reader.push(Moment::Start, kind, place, approval);
                    }
                    (Ok(_), None) => {
                        self.reader.drop(place, "nobody has approved it", DroppedScope::Entry, false);
                    }
                    (Err(why), _) => self.reader.drop(place, why, DroppedScope::Entry, false),
                }
            }
        }
    }
}
