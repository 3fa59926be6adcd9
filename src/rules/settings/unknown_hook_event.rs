//! `unknown-hook-event`: hooks of an event that the agent does not know.

use super::documented;
use super::fixes::right_name;
use super::keys::{ParsedSettings, actions, holder};
use super::{Dropped, dropped};
use crate::agents::runs::DroppedScope;
use crate::agents::runs::reading::of_toml;
use crate::base::finding::{Finding, Level};
use crate::parse::json::JsonNode;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "unknown-hook-event",
    group: Group::Settings,
    levels: &[Level::Error, Level::Info],
    summary: "hooks of an event that the agent does not know",
    explanation: "\
## What it does
Reports hooks under a name that is no event of the agent's checked version: another agent's event, or one in the wrong case.
Where the same hooks stand again under the right name, so that they run, this is an info, and so are events of Cursor that its
documentation does not have.

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
        Evidence { source: "https://cursor.com/docs/agent/hooks (documentation)", checked: "2026-11" },
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
            let (level, help, edits) = match (stand_again(cx, &mut files, &dropped), whole_form(cx, &dropped)) {
                (true, _) => (Level::Info, "the same hooks stand under the right name: remove these".to_owned(), None),
                // Under the right name another form may keep an agent from starting.
                (false, Some(help)) => (Level::Error, help, None),
                (false, None) if is_plain(cx, &dropped) => (
                    Level::Error,
                    "write a list of hooks under this agent's name for the event, not a plain command".to_owned(),
                    None,
                ),
                (false, None) => {
                    let edits = right_name(cx, &mut files, &dropped);
                    (Level::Error, "use this agent's name for the event".to_owned(), edits)
                }
            };
            findings.push(dropped.finding(INFO.name, level, message, &help, edits));
        }
        findings.extend(documented::unknown_events(cx, INFO.name));
    }
}

/// The whole form of a hook in TOML, where what stands there is no list of tables: under the right name it would keep the agent from
/// starting (run with Codex 0.169.0).
fn whole_form(cx: &Cx<'_>, dropped: &Dropped<'_>) -> Option<String> {
    let bytes = cx.workspace.settings.get(&dropped.path).filter(|_| dropped.path.as_bytes().ends_with(b".toml"))?;
    let root = of_toml(std::str::from_utf8(bytes).ok()?).ok()?;
    let wrong = root.get("hooks")?.members().iter().find(|event| event.key_span.overlaps(dropped.span))?;
    if wrong.value.is_array() && wrong.value.items().iter().all(JsonNode::is_object) {
        return None;
    }
    let event = dropped.setting.instead.as_deref().unwrap_or("EVENT");
    Some(format!(
        "write the whole form: `[[hooks.{event}]]`, below it `[[hooks.{event}.hooks]]`, and there `type = \"command\"` and \
         `command = \"…\"`; under the right name another form keeps the agent from starting"
    ))
}

/// Bytes behind a key in which its value begins.
const NEAR: usize = 80;

/// Whether a plain text stands where a list of hooks belongs, in JSON or TOML.
fn is_plain(cx: &Cx<'_>, dropped: &Dropped<'_>) -> bool {
    let Some(bytes) = cx.workspace.settings.get(&dropped.path) else { return false };
    let rest = bytes.get(dropped.span.end..).unwrap_or_default();
    let rest = String::from_utf8_lossy(&rest[..rest.len().min(NEAR)]);
    let rest = rest.trim_start_matches(['"', '\'', ' ', '\t']).strip_prefix([':', '=']).unwrap_or_default();
    rest.trim_start().starts_with(['"', '\''])
}

/// Whether all commands under the wrong name stand under the right one, too, so that nothing is lost.
fn stand_again(cx: &Cx<'_>, files: &mut ParsedSettings, dropped: &Dropped<'_>) -> bool {
    let Some(right) = &dropped.setting.instead else { return false };
    let Some(events) = files.root(cx, &dropped.path).and_then(|root| holder(root, dropped.span)) else { return false };
    let wrong = events.members().iter().find(|member| member.key_span == dropped.span);
    let lost = wrong.map(|member| actions(&member.value)).unwrap_or_default();
    let kept = events.get(right).map(actions).unwrap_or_default();
    !lost.is_empty() && lost.is_subset(&kept)
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    #[test]
    fn events_that_cursor_does_not_document_are_infos() {
        let found = |event: &str| {
            let hooks = format!(r#"{{"version": 1, "hooks": {{"{event}": [{{"command": "./a.sh"}}]}}}}"#);
            let found = repository("unknown-hook-event", "", &[(".cursor/hooks.json", &hooks), ("AGENTS.md", "x\n")]);
            found.iter().map(|finding| (finding.level, finding.help.clone().unwrap_or_default())).collect::<Vec<_>>()
        };
        assert_eq!(found("beforeFileEdit"), [(Level::Info, "use a documented name of an event".to_owned())]);
        assert_eq!(found("AfterFileEdit"), [(Level::Info, "write `afterFileEdit`".to_owned())]);
        assert_eq!(found("afterFileEdit"), []);
        assert_eq!(found("workspaceOpen"), []);
    }

    #[test]
    fn a_plain_command_is_no_list_of_hooks() {
        let help = |value: &str| {
            let settings = format!("[hooks]\npre_tool_use = {value}\n");
            let files = [(".codex/config.toml", &settings[..]), ("AGENTS.md", "x\n")];
            let found = repository("unknown-hook-event", "", &files);
            found.iter().map(|finding| finding.help.clone().unwrap_or_default()).collect::<String>()
        };
        for wrong in ["\"a.sh\"", "[\"a.sh\"]", "{ command = \"a.sh\" }", "true"] {
            let help = help(wrong);
            assert!(help.contains("`[[hooks.PreToolUse]]`, below it `[[hooks.PreToolUse.hooks]]`"), "{wrong}: {help}");
        }
        assert!(help("[]").starts_with("use this agent's name"));
        assert!(
            help("[{ hooks = [{ type = \"command\", command = \"a.sh\" }] }]").starts_with("use this agent's name")
        );
    }

    #[test]
    fn a_plain_command_in_json_is_no_list_of_hooks() {
        let settings = r#"{"hooks": {"preToolUse": "a.sh"}}"#;
        let files = [(".claude/settings.json", settings), ("CLAUDE.md", "x\n")];
        let found = repository("unknown-hook-event", "agents = [\"claude\"]\n", &files);
        let help: String = found.iter().map(|finding| finding.help.clone().unwrap_or_default()).collect();
        assert!(help.contains("not a plain command"), "{help}");
    }

    #[test]
    fn hooks_that_stand_again_under_the_right_name_are_an_info() {
        let levels = |wrong: &str, right: &str| {
            let list = |command: &str| format!(r#"[{{"hooks": [{{"type": "command", "command": "{command}"}}]}}]"#);
            let settings =
                format!(r#"{{"hooks": {{"sessionStart": {}, "SessionStart": {}}}}}"#, list(wrong), list(right));
            let files = [(".claude/settings.json", &settings[..]), ("CLAUDE.md", "x\n")];
            let found = repository("unknown-hook-event", "agents = [\"claude\"]\n", &files);
            found.iter().map(|finding| finding.level).collect::<Vec<_>>()
        };
        assert_eq!(levels("a.sh", "a.sh"), [Level::Info]);
        assert_eq!(levels("a.sh", "b.sh"), [Level::Error], "a.sh never runs");
    }
}
