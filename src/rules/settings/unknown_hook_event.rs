//! `unknown-hook-event`: hooks of an event that the agent does not know.

use super::dropped;
use super::fixes::right_name;
use super::keys::ParsedSettings;
use crate::agents::runs::DroppedScope;
use crate::base::finding::{Finding, Level};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "unknown-hook-event",
    group: Group::Settings,
    levels: &[Level::Error],
    summary: "hooks of an event that the agent does not know",
    explanation: "\
## What it does
Reports hooks under a name that is no event of the agent's checked version: another agent's event, or one in the wrong case.

## Why is this bad?
None of these hooks runs. A guard under `preToolUse` in Claude Code's settings guards nothing.

## Example
`\"preToolUse\": [ … ]` in `.claude/settings.json`: the event is `PreToolUse`.

## How to fix
Use the agent's name of the event. A newer version of the agent may know more events than the one that was checked.
`--unsafe-fixes` corrects the case of an event.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run and read", checked: "2026-11" },
        Evidence { source: "@openai/codex 0.169.0, run", checked: "2026-11" },
        Evidence { source: "@google/gemini-cli 0.61.0 and @qwen-code/qwen-code 0.24.4, read", checked: "2026-11" },
        Evidence { source: "@github/copilot 1.0.102, read", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct UnknownHookEvent;

impl Rule for UnknownHookEvent {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let mut files = ParsedSettings::default();
        for dropped in dropped(cx).into_iter().filter(|dropped| dropped.setting.what == DroppedScope::Event) {
            let message = format!("{} never runs these hooks: {}", dropped.agent.versioned(), dropped.setting.why);
            let edits = right_name(cx, &mut files, &dropped);
            findings.push(dropped.finding(
                INFO.name,
                Level::Error,
                message,
                "use this agent's name for the event",
                edits,
            ));
        }
    }
}
