//! `invalid-settings`: an agent ignores a whole settings file, or does not start because of it.

use super::{dropped, said};
use crate::agents::runs::DroppedScope;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "invalid-settings",
    group: Group::Settings,
    levels: &[Level::Error],
    summary: "a settings file that an agent ignores as a whole",
    explanation: "\
## What it does
Reports settings, hooks and servers files that an agent drops as a whole: a trailing comma or a comment where its reader knows
none, a wrong type of a key that it checks, one defective hook that may guard permissions. The message says what is lost with the
file. For each agent the file is read exactly as strictly as its released version reads it.

## Why is this bad?
The agent goes on without the file. Rules that refuse something and hooks that guard something are off, and without a terminal
the run still ends with exit code 0.

## Example
A comma behind the last key of `.claude/settings.json` switches off every `deny` rule in it.

## How to fix
Correct the place. `--unsafe-fixes` removes a trailing comma: what the file says takes effect then.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with broken settings", checked: "2026-11" },
        Evidence { source: "@openai/codex 0.169.0, run with broken settings", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct InvalidSettings;

impl Rule for InvalidSettings {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        for dropped in dropped(cx) {
            let (agent, why) = (dropped.agent.versioned(), &dropped.setting.why);
            let message = match &dropped.setting.what {
                DroppedScope::Agent => format!("{agent} does not start here: {why}"),
                DroppedScope::File(lost) => match lost.words() {
                    words if words.is_empty() => format!("{agent} ignores the whole file: {why}"),
                    words => format!("{agent} ignores the whole file, and with it {words}: {why}"),
                },
                _ => continue,
            };
            let finding = Finding::new(INFO.name, Level::Error, &dropped.path, dropped.span, message);
            let finding =
                finding.agents([dropped.agent.id]).help(format!("correct this place{}", said(dropped.setting)));
            findings.push(match comma(cx, &dropped.path, dropped.span) {
                Some(comma) => finding.fix(Applicability::Unsafe, comma, ""),
                None => finding,
            });
        }
    }
}

/// The trailing comma at `span`.
fn comma(cx: &Cx<'_>, path: &RepoPath, span: Span) -> Option<Span> {
    let bytes = cx.workspace.settings.get(path)?;
    let rest = bytes.get(span.end..)?;
    let next = rest.iter().find(|b| !b.is_ascii_whitespace());
    (bytes.get(span.range()) == Some(b",") && matches!(next, Some(b'}' | b']'))).then_some(span)
}
