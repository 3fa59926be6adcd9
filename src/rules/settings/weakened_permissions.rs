//! `weakened-permissions`: a file of the repository lets an agent act without a question.

use super::effects::effects;
use crate::agents::runs::RunKind;
use crate::base::finding::{Finding, Level};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

pub(super) static INFO: RuleInfo = RuleInfo {
    name: "weakened-permissions",
    group: Group::Settings,
    levels: &[Level::Warning, Level::Info],
    summary: "a repository lets an agent act without asking",
    explanation: "\
## What it does
Reports settings in a repository that take away a question or a boundary as a whole: all servers approved, a mode that edits files
or runs commands unasked, a sandbox that is off. A rule that allows each shell command, and that says so, is an info, and so are the
approval of all servers, which starts only those that a file beside it lists, and the settings of somebody's home (also in `dotfiles/`
and `home/`). Rules for single commands are passed over, and so is what the agent ignores in a repository's settings.

## Why is this bad?
Everybody who opens the repository has these settings, also with text in front of the agent that somebody else wrote.

## Example
`{\"permissions\": {\"allow\": [\"Bash(*)\"]}}` in `.claude/settings.json`.

## How to fix
Allow the single commands and servers that the work needs. Settings that one person wants to risk belong in that person's own settings.
",
    evidence: &[
        Evidence { source: "six released agents, run with such settings", checked: "2026-11" },
        Evidence { source: "https://code.claude.com/docs/en/permissions", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct WeakenedPermissions;

impl Rule for WeakenedPermissions {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for effect in effects(cx, |dialect, item| (dialect.weakens)(&item.kind).is_some()) {
            let Some(consequence) = effect.agents.first().and_then(|(agent, _)| (agent.weakens)(&effect.item.kind))
            else {
                continue;
            };
            // Without a terminal nobody is asked about servers anyway.
            let is_of_servers = matches!(&effect.item.kind, RunKind::Setting { key, .. } if key.contains("Mcp"));
            let is_for_all = !is_of_servers
                && effect.agents.iter().any(|(_, modes)| modes.iter().any(|(mode, _)| !mode.is_trusted()));
            let reach = if is_for_all { ", even in a folder that the user has not trusted" } else { "" };
            let message = format!("because of this line, {} {consequence}{reach}", effect.who());
            let help = "allow only what the work needs, or leave it to each person's own settings";
            // A list of rules says what it allows; a mode does not.
            let level = match effect.item.kind {
                RunKind::Permission { .. } => Level::Info,
                // Whoever lists servers and approves all of them has said so twice.
                _ if is_of_servers => Level::Info,
                // They are that person's own.
                _ if cx.workspace.is_a_home() || is_linked_into_a_home(effect.path.as_bytes()) => Level::Info,
                _ => Level::Warning,
            };
            findings.push(effect.finding(INFO.name, level, message).help(help));
        }
    }
}

/// Whether the file lies in a folder of files that somebody links into a home.
fn is_linked_into_a_home(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/').next().is_some_and(|first| matches!(first, b"dotfiles" | b"home"))
}
