//! `command-before-model`: a command of a hint file that runs before the model sees the text.

use super::effects::effects;
use crate::agents::runs::RunKind;
use crate::base::finding::{Finding, Level};
use crate::base::sanitize;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "command-before-model",
    group: Group::Settings,
    levels: &[Level::Info],
    summary: "a command in a hint file that runs before the model sees the text",
    explanation: "\
## What it does
Lists the commands in commands and skills whose output takes their place before the model sees the text, where nothing asks the
user: `` !`command` `` in files of which `allowed-tools` or the settings allow it, and `!{command}` in commands of Gemini CLI where its
settings do.

## Why is this bad?
It may be fine. But a reviewer of such a file reads prose, and a shell runs this part of it.

## Example
`` Changes: !`git diff HEAD` `` in `.claude/commands/review.md`, with `allowed-tools: Bash(git diff:*)`.

## How to fix
Nothing, if the command is meant. Keep `allowed-tools` as narrow as the command.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330 and opencode-ai 1.18.33, run", checked: "2026-11" },
        Evidence { source: "@google/gemini-cli 0.61.0, run with a command and `tools.allowed`", checked: "2026-11" },
    ],
    fix: FixAvailability::None,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct CommandBeforeModel;

/// Whether a command has several parts, each of which needs a permission.
fn is_compound(command: &str) -> bool {
    ["|", "&&", ";", "$(", "`"].iter().any(|sign| command.contains(sign))
}

/// Longer commands are cut, in characters.
const SHOWN: usize = 80;

impl Rule for CommandBeforeModel {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if !cx.matters(&INFO, Level::Info) {
            return;
        }
        for effect in effects(cx, |_, item| matches!(item.kind, RunKind::PreRun { .. })) {
            let RunKind::PreRun { command } = &effect.item.kind else { continue };
            let how = if is_compound(command) { "where its permissions cover each part" } else { "without asking" };
            let command: String = sanitize::line(command).chars().take(SHOWN).collect();
            let message = format!("{} runs `{command}` before the model sees this text, {how}", effect.who());
            findings.push(effect.finding(INFO.name, Level::Info, message).help("check that the command is intended"));
        }
    }
}
