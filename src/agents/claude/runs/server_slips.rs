//! Matchers and rules that name a server of the repository in another spelling. Claude Code calls a server's tools
//! `mcp__SERVER__TOOL`, with `_` for what is no letter, digit, `-` or `_` in the server's name, and case counts. A name like none
//! here may be that of a person's own server.

use std::collections::{BTreeMap, BTreeSet};

use super::ClaudeRuns;
use crate::agents::shared::runs::{DroppedScope, PermissionList, RunKind};
use crate::base::text::spelling_core;

/// How the names of servers' tools begin.
const PREFIX: &str = "mcp__";

impl ClaudeRuns<'_, '_> {
    /// Put on record the hooks that never run and the rules without effect because of a server's name.
    pub(super) fn note_server_slips(&mut self) {
        let servers = ServerNames::of(self.reader.out.items.iter().filter_map(|item| server(&item.kind)));
        let mut skipped = Vec::new();
        for item in &mut self.reader.out.items {
            match &mut item.kind {
                RunKind::Hook { matcher: Some(matcher), fires_for, near, .. } => {
                    if let Some(right) = corrected(matcher, &servers) {
                        (*fires_for, *near) = (Some(Vec::new()), Some(right));
                    }
                }
                RunKind::Permission { list: PermissionList::Ask | PermissionList::Deny, rule } => {
                    let right = corrected(rule, &servers);
                    skipped.extend(right.map(|right| (item.place.clone(), right)));
                }
                _ => {}
            }
        }
        for (place, right) in skipped {
            let why = format!("no tool has this name, and `{right}` is what the repository's server brings");
            self.reader.drop_misspelled(place, (why, Some(right)), DroppedScope::Rule, false);
        }
    }
}

/// The name that a server has in those of its tools.
fn server(kind: &RunKind) -> Option<String> {
    let RunKind::Server { name, .. } = kind else { return None };
    let is_kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    Some(name.chars().map(|c| if is_kept(c) { c } else { '_' }).collect())
}

/// The names of servers, by what their spellings have in common.
struct ServerNames(BTreeMap<String, BTreeSet<String>>);

impl ServerNames {
    fn of(names: impl Iterator<Item = String>) -> Self {
        let mut servers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for name in names {
            servers.entry(spelling_core(&name)).or_default().insert(name);
        }
        ServerNames(servers)
    }
}

/// The plain name of one server's tools with the server as the repository spells it, where that is another spelling.
fn corrected(name: &str, servers: &ServerNames) -> Option<String> {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let rest = name.strip_prefix(PREFIX).filter(|_| is_plain)?;
    let (given, tool) = rest.split_once("__").map_or((rest, None), |(given, tool)| (given, Some(tool)));
    // A name with two of them in it can be read in two ways.
    let is_clear = !given.is_empty() && tool.is_none_or(|tool| !tool.contains("__"));
    let same = servers.0.get(&spelling_core(given)).filter(|same| is_clear && same.len() == 1)?;
    let right = same.first().filter(|right| *right != given)?;
    Some(tool.map_or_else(|| format!("{PREFIX}{right}"), |tool| format!("{PREFIX}{right}__{tool}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_servers() {
        let servers = ServerNames::of(["my-server", "GitHub", "my_db"].map(str::to_owned).into_iter());
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(corrected(name, &servers).as_deref(), expected, "{name}");
        };
        check("mcp__my_server__read", Some("mcp__my-server__read"));
        check("mcp__github", Some("mcp__GitHub"));
        for silent in [
            "mcp__my-server__read",
            "mcp__my_db__x",
            "mcp__other__x",
            "mcp__my_server.*",
            "Edit",
            "mcp__",
            "mcp__a__b__c",
        ] {
            check(silent, None);
        }
    }
}
