//! Matchers and rules that name a server of the repository in another spelling. Claude Code calls a server's tools
//! `mcp__SERVER__TOOL`, with `_` for what is no letter, digit, `-` or `_` in the server's name, and case counts. A name like none
//! here may be that of a person's own server.

use super::ClaudeRuns;
use crate::agents::shared::runs::{DroppedScope, PermissionList, RunKind};

/// How the names of servers' tools begin.
const PREFIX: &str = "mcp__";

impl ClaudeRuns<'_, '_> {
    /// Put on record the hooks that never run and the rules without effect because of a server's name.
    pub(super) fn note_server_slips(&mut self) {
        let servers: Vec<String> = self.reader.out.items.iter().filter_map(|item| server(&item.kind)).collect();
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

/// The plain name of one server's tools with the server as the repository spells it, where that is another spelling.
fn corrected(name: &str, servers: &[String]) -> Option<String> {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let rest = name.strip_prefix(PREFIX).filter(|_| is_plain)?;
    let (given, tool) = rest.split_once("__").map_or((rest, None), |(given, tool)| (given, Some(tool)));
    // A name with two of them in it can be read in two ways.
    let is_clear = !given.is_empty() && tool.is_none_or(|tool| !tool.contains("__"));
    if !is_clear || servers.iter().any(|server| server == given) {
        return None;
    }
    let mut same = servers.iter().filter(|server| letters(server) == letters(given)).collect::<Vec<_>>();
    same.dedup();
    let [right] = same[..] else { return None };
    Some(tool.map_or_else(|| format!("{PREFIX}{right}"), |tool| format!("{PREFIX}{right}__{tool}")))
}

fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_servers() {
        let servers = ["my-server", "GitHub", "my_db"].map(str::to_owned);
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
