//! `invalid-hook`: an agent drops a hook.

use super::fixes::hook_type;
use super::keys::{ParsedSettings, around};
use super::{Dropped, dropped};
use crate::agents::bundles;
use crate::agents::runs::DroppedScope;
use crate::base::finding::{Finding, Level};
use crate::parse::json::JsonNode;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

static INFO: RuleInfo = RuleInfo {
    name: "invalid-hook",
    group: Group::Settings,
    levels: &[Level::Warning, Level::Info],
    summary: "a hook that an agent drops",
    explanation: "\
## What it does
Reports hooks with a defect because of which an agent drops them and no more: no `type`, no `command`, a `timeout` that is a
string, an entry without its list `hooks`, a type that its event does not support (`prompt` on SessionStart). Where a defect costs more than the hook, `invalid-settings` reports it.
An entry that holds comments alone, such as `{\"_comment\": \"…\"}`, is passed over. In `.github/hooks` an entry with the commands of
Visual Studio Code alone (`windows`, `linux`, `osx`) is an info.

## Why is this bad?
The hook never runs, and the session goes on.

## Example
`{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"make lint\"}]}]}}` has no `type`, so nothing is run.

## How to fix
Write the hook as the agent's documentation has it: `{\"type\": \"command\", \"command\": \"make lint\"}`.
`--unsafe-fixes` adds the `type` of a command, or corrects its case.
",
    evidence: &[
        Evidence { source: "@anthropic-ai/claude-code 2.1.330, run with broken hooks", checked: "2026-11" },
        Evidence {
            source: "@anthropic-ai/claude-code 2.1.330: types of hooks, run on four events, read for the others",
            checked: "2026-11",
        },
        Evidence { source: "@google/gemini-cli 0.61.0, run with broken hooks", checked: "2026-11" },
        Evidence { source: "@qwen-code/qwen-code 0.24.4, run with broken hooks", checked: "2026-11" },
    ],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
pub(super) struct InvalidHook;

impl Rule for InvalidHook {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let mut files = ParsedSettings::default();
        for dropped in dropped(cx).into_iter().filter(|dropped| dropped.setting.what == DroppedScope::Hook) {
            let root = files.root(cx, &dropped.path);
            let entry = root.and_then(|root| around(root, dropped.span).last().copied());
            // `wrong-type` tells of a field of a hint file that is no mapping. Who selects this rule alone hears of it here.
            let is_said = !cx.selected.contains(INFO.name) || cx.selected.contains("wrong-type");
            let is_field = dropped.setting.why.starts_with("`hooks` must be");
            let is_told = is_said && is_field && cx.workspace.document(dropped.path.as_bytes()).is_some();
            if is_told || is_of_unread_field(cx, &dropped) || entry.is_some_and(holds_comments_alone) {
                continue;
            }
            let message = format!("{} never runs this hook: {}", dropped.agent.versioned(), dropped.setting.why);
            let is_of_editor = entry.is_some_and(|entry| runs_in_an_editor(&dropped, entry));
            let level = if is_of_editor { Level::Info } else { Level::Warning };
            let edits = hook_type(cx, &mut files, &dropped);
            findings.push(dropped.finding(INFO.name, level, message, "correct the hook, or remove it", edits));
        }
    }
}

/// Whether the hook stands in a subagent of a plugin, whose `hooks` nobody reads: `ignored-field` tells of that.
fn is_of_unread_field(cx: &Cx<'_>, dropped: &Dropped<'_>) -> bool {
    let has = |path: &[u8]| cx.workspace.listing.contains(path);
    let document = cx.workspace.document(dropped.path.as_bytes());
    document.is_some_and(|document| bundles::unread(document.path.as_bytes(), document.kind, has).contains(&"hooks"))
}

/// Whether the entry has commands by their systems, as Visual Studio Code reads them in the same folder (documentation).
fn runs_in_an_editor(dropped: &Dropped<'_>, entry: &JsonNode) -> bool {
    let has = |system: &&str| entry.get(system).and_then(JsonNode::text).is_some();
    dropped.path.as_bytes().starts_with(b".github/hooks/") && ["windows", "linux", "osx"].iter().any(has)
}

/// Whether the entry has no key but comments, as those of templates: it is not meant to run anything.
fn holds_comments_alone(entry: &JsonNode) -> bool {
    let is_comment = |key: &str| key.starts_with(['_', '/', '#', '$']) || key == "comment";
    !entry.members().is_empty() && entry.members().iter().all(|member| is_comment(&member.key))
}

#[cfg(test)]
mod tests {
    use crate::base::finding::Level;
    use crate::rules::testing::repository;

    #[test]
    fn commands_by_system_are_those_of_an_editor() {
        let level = |entry: &str| {
            let hooks = format!(r#"{{"version": 1, "hooks": {{"PostToolUse": [{entry}]}}}}"#);
            let found = repository("invalid-hook", "", &[(".github/hooks/hooks.json", &hooks), ("AGENTS.md", "x\n")]);
            found.into_iter().map(|finding| finding.level).collect::<Vec<_>>()
        };
        assert_eq!(level(r#"{"type": "command", "windows": "a.cmd", "linux": "./a.sh"}"#), [Level::Info]);
        assert_eq!(level(r#"{"type": "command", "script": "./a.sh"}"#), [Level::Warning]);
    }

    #[test]
    fn an_event_does_not_support_every_type() {
        let found = |hooks: &str| {
            let settings = format!(r#"{{"hooks": {{{hooks}}}}}"#);
            let files = [("CLAUDE.md", "x\n"), (".claude/settings.json", &settings)];
            let found = repository("invalid-hook", "agents = [\"claude\"]\n", &files).into_iter();
            found.map(|finding| finding.message).collect::<Vec<_>>()
        };
        let prompt = r#"[{"hooks": [{"type": "prompt", "prompt": "Say hello."}]}]"#;
        let of_start = found(&format!(r#""SessionStart": {prompt}"#));
        assert!(matches!(&of_start[..], [only] if only.contains("SessionStart supports no hooks of the type prompt")));
        // The package refuses to run it; the file and its other guards count.
        let agent = r#""PermissionRequest": [{"hooks": [{"type": "agent", "prompt": "x"}]}]"#;
        assert!(matches!(&found(agent)[..], [only] if only.contains("type agent")));
        assert_eq!(found(&format!(r#""Stop": {prompt}, "UserPromptSubmit": {prompt}"#)), [""; 0]);
    }

    #[test]
    fn a_field_of_a_wrong_type_is_told_once() {
        let agent = "---\nname: a\ndescription: b\nhooks:\n  - PreToolUse\n---\nx\n";
        let rules = |rule: &str| {
            let found =
                repository(rule, "agents = [\"claude\"]\n", &[(".claude/agents/a.md", agent), ("CLAUDE.md", "x\n")]);
            found.into_iter().map(|finding| finding.rule).collect::<Vec<_>>()
        };
        assert_eq!(rules("invalid-hook"), ["invalid-hook"], "alone it tells of it");
        assert!(!rules("all").contains(&"invalid-hook"));
    }

    #[test]
    fn what_a_plugin_leaves_unread_is_told_by_another_rule() {
        let agent =
            "---\nname: a\ndescription: b\nhooks:\n  PreToolUse:\n    - type: command\n      command: x\n---\nx\n";
        let count = |file: &str| {
            let files = [(file, agent), ("p/.claude-plugin/plugin.json", "{\"name\": \"p\"}\n"), ("CLAUDE.md", "x\n")];
            repository("invalid-hook", "agents = [\"claude\"]\n", &files).len()
        };
        assert_eq!((count("p/agents/a.md"), count(".claude/agents/a.md")), (0, 1));
    }

    #[test]
    fn entries_that_hold_comments_alone_are_templates() {
        let count = |entry: &str| {
            let hooks = format!(r#"{{"version": 1, "hooks": {{"sessionStart": [{entry}]}}}}"#);
            repository("invalid-hook", "", &[(".github/hooks/hooks.json", &hooks), ("AGENTS.md", "x\n")]).len()
        };
        assert_eq!(count(r#"{"_comment": "set the checkout up here"}"#), 0);
        assert_eq!(count(r#"{"//": "later", "_note": "x"}"#), 0);
        assert_eq!(count(r#"{"_comment": "set up", "type": "command"}"#), 1, "a hook without its command");
        assert_eq!(count("{}"), 1);
    }
}
