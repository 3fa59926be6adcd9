//! `dead-setting`: a rule about tools, a server or a matcher without effect.

use super::{dropped, said};
use crate::agents::runs::{DroppedScope, RunKind};
use crate::base::finding::{Finding, Level};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use std::collections::BTreeSet;

static INFO: RuleInfo = RuleInfo {
    name: "dead-setting",
    group: Group::Settings,
    levels: &[Level::Warning],
    summary: "a permission rule, server or matcher without effect",
    explanation: "\
## What it does
Reports permission rules that an agent skips, servers that it does not start because of how they are written, and matchers of
hooks that are a tool's name in the wrong case.

## Why is this bad?
A `deny` rule that is skipped refuses nothing, and a hook whose matcher fits no tool never runs. Most agents do not say so.

## Example
`\"deny\": [\"read(./secret.txt)\"]`: the names of Claude Code's tools begin with a capital letter, so the file can be read.

## How to fix
Write the rule, server or matcher as the agent reads it, or remove it.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with defective rules and servers", checked: "2026-11" },
        Evidence { source: "@openai/codex 0.169.0, run with defective servers", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct DeadSetting;

impl Rule for DeadSetting {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for dropped in dropped(cx) {
            let what = match dropped.setting.what {
                DroppedScope::Rule => "skips this rule",
                DroppedScope::Server => "does not start this server",
                _ => continue,
            };
            let message = format!("{} {what}: {}", dropped.agent.versioned(), dropped.setting.why);
            let finding = Finding::new(INFO.name, Level::Warning, &dropped.path, dropped.span, message);
            let help = format!("correct it, or remove it{}", said(dropped.setting));
            findings.push(finding.agents([dropped.agent.id]).help(help));
        }
        matchers(cx, findings);
    }
}

/// Matchers that differ from a tool's name in case alone. Any other name may be that of a tool which is newer than our list.
fn matchers(cx: &Cx<'_>, findings: &mut Vec<Finding>) {
    let mut seen = BTreeSet::new();
    for runs in cx.workspace.runs() {
        for item in &runs.items {
            let RunKind::Hook { matcher: Some(matcher), fires_for: Some(fires_for), near, .. } = &item.kind else {
                continue;
            };
            let Some(tool) = near.filter(|_| fires_for.is_empty()) else { continue };
            let Some((path, span)) = cx.workspace.place_of_setting(&item.place) else { continue };
            if !seen.insert((runs.dialect.id, path.clone(), span)) {
                continue;
            }
            let agent = runs.dialect.versioned();
            let message =
                format!("this hook never runs: its matcher is `{matcher}`, and {agent} calls the tool `{tool}`");
            let finding = Finding::new(INFO.name, Level::Warning, &path, span, message);
            findings.push(finding.agents([runs.dialect.id]).help(format!("write `{tool}`; case counts")));
        }
    }
}
