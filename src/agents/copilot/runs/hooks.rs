//! Hooks of GitHub Copilot CLI: what a file of hooks must be, which entries are accepted, and for which tools a matcher fires.
//! Only the log tells of a file or an entry that is dropped.

use super::CopilotRuns;
use super::http_hooks::{self, AddressLimits};
use super::valid_hooks::{ONLY_PROMPTS, timeout, valid_action};
use crate::agents::shared::runs::matching::{self, MAX_MATCHERS, MatcherLanguage};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText, is_comment, unknown_event};
use crate::agents::shared::runs::{Approval, DroppedScope, Moment, RunItem, RunKind, RunMode};
use crate::base::text::Span;
use crate::parse::json::{JsonMember, JsonNode, JsonValue};

/// The events by both names, its own and Claude Code's; empty where there is no second one.
const EVENTS: &[(&str, &str, Moment)] = &[
    ("sessionStart", "SessionStart", Moment::SessionStart),
    ("sessionEnd", "SessionEnd", Moment::SessionEnd),
    ("userPromptSubmitted", "UserPromptSubmit", Moment::Prompt),
    ("userPromptTransformed", "", Moment::Prompt),
    ("preToolUse", "PreToolUse", Moment::Tool),
    ("preMcpToolCall", "PreMcpToolCall", Moment::Tool),
    ("postToolUse", "PostToolUse", Moment::Tool),
    ("postToolUseFailure", "PostToolUseFailure", Moment::Tool),
    ("permissionRequest", "PermissionRequest", Moment::Tool),
    ("subagentStart", "SubagentStart", Moment::Tool),
    ("subagentStop", "SubagentStop", Moment::Stop),
    ("agentStop", "Stop", Moment::Stop),
    ("postResult", "", Moment::Stop),
    ("prePRDescription", "", Moment::Other),
    ("errorOccurred", "ErrorOccurred", Moment::Other),
    ("preCompact", "PreCompact", Moment::Other),
    ("notification", "Notification", Moment::Other),
];
/// Events whose hooks see the name of a tool.
const TOOL_EVENTS: [&str; 5] =
    ["preToolUse", "preMcpToolCall", "postToolUse", "postToolUseFailure", "permissionRequest"];
/// Tools with the name that Claude Code has for each, which matchers may use as well.
const TOOLS: &[(&str, &str)] = &[
    ("ask_user", "AskUserQuestion"),
    ("bash", "Bash"),
    ("create", "Write"),
    ("edit", "Edit"),
    ("glob", "Glob"),
    ("grep", "Grep"),
    ("skill", "Skill"),
    ("task", "Task"),
    ("update_todo", "TodoWrite"),
    ("view", "Read"),
    ("web_fetch", "WebFetch"),
    ("web_search", "WebSearch"),
];
/// Tools without a second name.
const OWN_TOOLS: &[&str] = &[
    "apply_patch",
    "list_agents",
    "list_bash",
    "powershell",
    "read_agent",
    "read_bash",
    "report_intent",
    "rg",
    "sql",
    "stop_bash",
    "str_replace_editor",
    "task_complete",
    "write_bash",
];

/// An event by one of its names: its own name and when it is.
pub(super) fn event(name: &str) -> Option<(&'static str, Moment)> {
    let found = EVENTS.iter().find(|(own, other, _)| *own == name || (*other == name && !other.is_empty()));
    found.map(|&(own, _, moment)| (own, moment))
}

/// An event by its own name.
pub(super) fn own_name(name: &str) -> &str {
    event(name).map_or(name, |(own, _)| own)
}

/// Whether a value is meant as a file of hooks: it has them, or an event where they should stand, or the name of one as a value.
pub(super) fn is_meant(root: &JsonNode) -> bool {
    let names_event = |member: &JsonMember| member.value.text().is_some_and(|text| event(text).is_some());
    let is_of_event = |member: &JsonMember| event(&member.key).is_some() || names_event(member);
    root.get("hooks").is_some() || root.members().iter().any(is_of_event)
}

/// Why a file of hooks is dropped whole.
pub(super) fn file_problem(root: &JsonNode) -> Option<(Span, String)> {
    if !root.is_object() {
        return Some((root.span, format!("the file must hold a JSON object, not {}", root.type_with_article())));
    }
    if let Some(version) = root.get("version").filter(|version| version.number() != Some(1.0)) {
        return Some((version.span, "`version` must be 1".to_owned()));
    }
    if let Some(switch) = root.get("disableAllHooks").filter(|switch| switch.bool().is_none()) {
        return Some((switch.span, format!("`disableAllHooks` must be a boolean, not {}", switch.type_with_article())));
    }
    match root.get("hooks") {
        None => Some((root.span, "there is no object `hooks`".to_owned())),
        Some(hooks) => events_problem(hooks),
    }
}

/// Why an object is not one of events.
pub(super) fn events_problem(hooks: &JsonNode) -> Option<(Span, String)> {
    if !hooks.is_object() {
        return Some((hooks.span, format!("`hooks` must be an object, not {}", hooks.type_with_article())));
    }
    let is_wrong = |member: &&JsonMember| event(&member.key).is_some() && !member.value.is_array();
    let wrong = hooks.members().iter().find(is_wrong)?;
    let why = format!("the value of an event must be a list, not {}", wrong.value.type_with_article());
    Some((wrong.value.span, why))
}

impl CopilotRuns<'_, '_> {
    /// The hooks of an object of events.
    pub(super) fn read_events(
        &mut self,
        text: &SettingsText,
        hooks: &JsonNode,
        approval: Approval,
        on_use_of: Option<&str>,
    ) {
        let limits = AddressLimits::of(self.reader.world.env());
        for member in hooks.effective().into_iter().take(MAX_ENTRIES).filter(|member| !is_comment(member)) {
            if event(&member.key).is_none() {
                // Another agent's settings have events of its own.
                let is_own = text.path.dirname().file_name() != b".claude";
                let known = EVENTS.iter().flat_map(|(own, other, _)| [*own, *other]).filter(|name| !name.is_empty());
                let scope = if is_own { DroppedScope::Event } else { DroppedScope::Entry };
                let why = unknown_event(&member.key, known);
                self.reader.drop_misspelled(text.place(member.key_span), why, scope, false);
                continue;
            }
            if !member.value.is_array() {
                let why = format!("the value of an event must be a list, not {}", member.value.type_with_article());
                self.reader.drop(text.place(member.value.span), why, DroppedScope::Event, false);
                continue;
            }
            let is_foreign = text.path.dirname().file_name() == b".claude";
            for entry in member.value.items().iter().take(MAX_ENTRIES) {
                // Claude Code's nesting, one level deep.
                let inner = entry.get("hooks");
                if let Some(inner) = inner.filter(|inner| !inner.is_array()) {
                    let why = format!("`hooks` must be a list, not {}", inner.type_with_article());
                    self.reader.drop(text.place(inner.span), why, DroppedScope::Hook, false);
                    continue;
                }
                let is_null = |node: &&JsonNode| is_foreign && node.value == JsonValue::Null;
                let matcher = entry.get("matcher").filter(|node| !is_null(node));
                let entries = inner.map_or(std::slice::from_ref(entry), JsonNode::items);
                for hook in entries.iter().take(MAX_ENTRIES) {
                    self.matchers += usize::from(matcher.or_else(|| hook.get("matcher")).is_some());
                    let is_tried = self.matchers <= MAX_MATCHERS;
                    match accept(&member.key, hook, (matcher, is_tried), (self.reader.out.mode, &limits)) {
                        Ok((span, kind)) => match refusal(&kind, &limits) {
                            Some(why) => {
                                // Another agent sends it.
                                let is_told = !is_foreign || http_hooks::refuses(own_name(&member.key));
                                let scope = if is_told { DroppedScope::Hook } else { DroppedScope::Entry };
                                self.reader.drop(text.place(span), why, scope, false);
                            }
                            None => self.take_hook(text, (hook, span, kind), approval, on_use_of),
                        },
                        Err((span, why)) => self.reader.drop(text.place(span), why, DroppedScope::Hook, false),
                    }
                }
            }
        }
    }

    /// Put a hook on record, with what it runs on Windows.
    fn take_hook(
        &mut self,
        text: &SettingsText,
        (hook, span, kind): (&JsonNode, Span, RunKind),
        approval: Approval,
        on_use_of: Option<&str>,
    ) {
        let RunKind::Hook { event: name, .. } = &kind else { return };
        let moment = event(name).map_or(Moment::Other, |(_, moment)| moment);
        let other = for_windows(hook).map(|other| (other.span, with_action(&kind, other)));
        for (span, kind) in std::iter::once((span, kind)).chain(other) {
            let (place, on_use_of) = (text.place(span), on_use_of.map(str::to_owned));
            self.reader.out.items.push(RunItem { moment, kind, place, approval, on_use_of });
        }
    }
}

/// One hook and the place of what it does, or its defect. The matcher is that of the entry around it, and may be tried or not.
fn accept(
    name: &str,
    hook: &JsonNode,
    (matcher, is_tried): (Option<&JsonNode>, bool),
    (mode, limits): (RunMode, &AddressLimits),
) -> Result<(Span, RunKind), (Span, String)> {
    let (kind, action) = valid_action(name, hook, limits)?;
    if kind == "prompt" && mode != RunMode::Interactive {
        return Err((action.span, ONLY_PROMPTS.to_owned()));
    }
    if action.text().is_some_and(|text| text.trim().is_empty()) {
        return Err((action.span, "the hook is empty".to_owned()));
    }
    // Other events have nothing that a matcher could fit, and `*` is an expression but for Claude Code's events.
    let is_tried = is_tried && event(name).is_some_and(|(own, _)| TOOL_EVENTS.contains(&own));
    let is_all = |text: &str| text == "*" && !is_own_name(name);
    let matcher = match matcher.or_else(|| hook.get("matcher")) {
        None => None,
        Some(matcher) => match matcher.text() {
            Some(text) if !is_all(text) && is_tried && matching::is_malformed(text) => {
                return Err((matcher.span, "`matcher` is not a valid regular expression".to_owned()));
            }
            Some(text) => Some(text),
            None => {
                return Err((matcher.span, format!("`matcher` must be a string, not {}", matcher.type_with_article())));
            }
        },
    };
    let arguments = hook.get("args").filter(|_| hook.get("exec").is_some()).map(JsonNode::items).unwrap_or_default();
    let words = std::iter::once(action).chain(arguments).filter_map(JsonNode::text);
    let text = words.collect::<Vec<_>>().join(" ");
    let fires_for = if is_tried { fires_for(name, matcher) } else { None };
    let kind = RunKind::Hook {
        event: name.to_owned(),
        matcher: matcher.map(str::to_owned),
        kind: kind.to_owned(),
        action: text,
        directory: hook.get("cwd").and_then(JsonNode::text).map(str::to_owned),
        timeout: timeout(hook).and_then(JsonNode::number),
        fires_for,
        near: None,
    };
    Ok((action.span, kind))
}

/// Why a hook that is sent to an address fails each time.
fn refusal(kind: &RunKind, limits: &AddressLimits) -> Option<String> {
    let RunKind::Hook { event, kind, action, .. } = kind else { return None };
    limits.refusal(own_name(event), action).filter(|_| kind == "http")
}

/// What a hook runs on Windows, where it has another command for Unix shells.
fn for_windows(hook: &JsonNode) -> Option<&JsonNode> {
    let unix = hook.get("bash")?.text()?;
    let other = hook.get("powershell").or_else(|| hook.get("command"))?;
    other.text().filter(|text| !text.trim().is_empty() && *text != unix).map(|_| other)
}

/// The same hook with the command of another shell.
fn with_action(kind: &RunKind, action: &JsonNode) -> RunKind {
    let mut other = kind.clone();
    if let RunKind::Hook { kind, action: text, .. } = &mut other {
        *kind = "powershell".to_owned();
        *text = action.text().unwrap_or_default().to_owned();
    }
    other
}

/// Whether an event is called by the agent's own name, and not by Claude Code's.
fn is_own_name(name: &str) -> bool {
    EVENTS.iter().any(|(own, ..)| *own == name)
}

/// The tools for which a hook fires, by the agent's own names. Claude Code's names of tools fit on Claude Code's events. An empty
/// matcher fits none. The subjects of other events are unknown.
fn fires_for(name: &str, matcher: Option<&str>) -> Option<Vec<&'static str>> {
    let is_of_tools = event(name).is_some_and(|(own, _)| TOOL_EVENTS.contains(&own));
    if !is_of_tools {
        return None;
    }
    if matcher == Some("") {
        return Some(Vec::new());
    }
    let find = |names: &[&'static str]| matching::fires_for(MatcherLanguage::WholeExpression, matcher, names);
    let (own, other): (Vec<&str>, Vec<&str>) = TOOLS.iter().copied().unzip();
    let (by_own, by_other, rest) = (find(&own)?, find(&other)?, find(OWN_TOOLS)?);
    let knows_others = !is_own_name(name);
    let fits =
        |tool: &&(&'static str, &'static str)| by_own.contains(&tool.0) || (knows_others && by_other.contains(&tool.1));
    let mut found: Vec<&'static str> = TOOLS.iter().filter(fits).map(|tool| tool.0).collect();
    found.extend(rest);
    found.sort_unstable();
    found.dedup();
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matchers_fit_whole_names_of_both_agents() {
        let check = |event: &str, matcher: &str, expected: &[&str]| {
            assert_eq!(fires_for(event, Some(matcher)).as_deref(), Some(expected), "{event} {matcher}");
        };
        for event in ["preToolUse", "PreToolUse"] {
            check(event, "view", &["view"]);
            check(event, "vi", &[]);
            check(event, "", &[]);
            check(event, ".*_bash", &["list_bash", "read_bash", "stop_bash", "write_bash"]);
        }
        check("PreToolUse", "Read", &["view"]);
        check("preToolUse", "Read", &[]);
        check("PreToolUse", "Edit|create", &["create", "edit"]);
        check("preToolUse", "Edit|create", &["create"]);
        assert!(fires_for("PreToolUse", None).is_some_and(|all| all.contains(&"view") && all.contains(&"sql")));
        assert_eq!(fires_for("agentStop", Some("view")), None);
    }

    #[test]
    fn windows_has_a_command_of_its_own() {
        let check = |text: &str, expected: Option<&str>| {
            let hook = crate::parse::json::parse(text, crate::parse::json::JsonGrammar::STRICT).expect("it is JSON");
            assert_eq!(for_windows(&hook).and_then(JsonNode::text), expected, "{text}");
        };
        check(r#"{"bash": "a", "powershell": "b"}"#, Some("b"));
        check(r#"{"bash": "a", "command": "b"}"#, Some("b"));
        check(r#"{"bash": "a", "command": "a"}"#, None);
        check(r#"{"bash": "a", "powershell": " "}"#, None);
        check(r#"{"powershell": "b"}"#, None);
        check(r#"{"command": "b"}"#, None);
    }
}
