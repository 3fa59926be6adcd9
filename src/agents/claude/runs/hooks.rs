//! Hooks of Claude Code: which entries it accepts, what a defect costs, and for which tools a matcher fires. A defective
//! PreToolUse or PermissionRequest hook takes its whole file with it, since it might guard what the file allows.

use super::ClaudeRuns;
use super::hook_types::unsupported;
use super::types::OBJECT;
use crate::agents::shared::runs::matching::{self, MAX_MATCHERS, MatcherLanguage};
use crate::agents::shared::runs::reading::{MAX_ENTRIES, SettingsText, is_comment, unknown_event};
use crate::agents::shared::runs::types::ValueType;
use crate::agents::shared::runs::{Approval, DroppedScope, Moment, RunKind};
use crate::base::text::Span;
use crate::parse::json::{JsonMember, JsonNode, JsonValue};

/// The events whose hooks may guard permissions.
pub(super) const GUARD_EVENTS: [&str; 2] = ["PreToolUse", "PermissionRequest"];

/// Events about a call of a tool.
const TOOL_EVENTS: [&str; 5] =
    ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"];

/// Events of which the package matches nothing: a matcher leaves none out.
pub(super) const UNMATCHED_EVENTS: [&str; 10] = [
    "CwdChanged",
    "MessageDisplay",
    "PostToolBatch",
    "Stop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptSubmit",
    "WorktreeCreate",
    "WorktreeRemove",
];

/// Events of subagents, whose matchers the package compares with the type of the agent.
const SUBAGENT_EVENTS: [&str; 2] = ["SubagentStart", "SubagentStop"];
/// Tools whose names are, or were, those of agents too.
const TOOLS_AND_AGENTS: [&str; 3] = ["Agent", "Bash", "Task"];

/// Why sessions end. Without a terminal it is `other`.
const END_REASONS: &[&str] =
    &["bypass_permissions_disabled", "clear", "logout", "other", "prompt_input_exit", "resume"];

/// All events, as the package has them.
pub(super) const EVENTS: &[(&str, Moment)] = &[
    ("PreToolUse", Moment::Tool),
    ("PostToolUse", Moment::Tool),
    ("PostToolUseFailure", Moment::Tool),
    ("PostToolBatch", Moment::Tool),
    ("Notification", Moment::Other),
    ("UserPromptSubmit", Moment::Prompt),
    ("UserPromptExpansion", Moment::Prompt),
    ("SessionStart", Moment::SessionStart),
    ("SessionEnd", Moment::SessionEnd),
    ("Stop", Moment::Stop),
    ("StopFailure", Moment::Stop),
    ("SubagentStart", Moment::Tool),
    ("SubagentStop", Moment::Stop),
    ("PreCompact", Moment::Other),
    ("PostCompact", Moment::Other),
    ("PreModelSwitch", Moment::Other),
    ("PostModelSwitch", Moment::Other),
    ("PermissionRequest", Moment::Tool),
    ("PermissionDenied", Moment::Tool),
    ("Setup", Moment::Other),
    ("TeammateIdle", Moment::Other),
    ("TaskCreated", Moment::Other),
    ("TaskCompleted", Moment::Other),
    ("Elicitation", Moment::Other),
    ("ElicitationResult", Moment::Other),
    ("ConfigChange", Moment::Other),
    ("WorktreeCreate", Moment::Other),
    ("WorktreeRemove", Moment::Other),
    ("InstructionsLoaded", Moment::SessionStart),
    ("CwdChanged", Moment::Other),
    ("FileChanged", Moment::Other),
    ("DirectoryAdded", Moment::Other),
    ("MessageDisplay", Moment::Other),
];

/// Tools of the agent, and the older names that it still knows.
pub(super) const TOOLS: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "KillShell",
    "LSP",
    "ListMcpResourcesTool",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "PowerShell",
    "Read",
    "ReadMcpResourceTool",
    "Skill",
    "SlashCommand",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Write",
];

/// Fields that a hook of any type may have.
const FIELDS: &[(&str, ValueType)] =
    &[("if", ValueType::Text), ("once", ValueType::Bool), ("statusMessage", ValueType::Text)];

/// Those of a command beside them.
const COMMAND_FIELDS: &[(&str, ValueType)] = &[
    ("args", ValueType::Texts),
    ("async", ValueType::Bool),
    ("asyncRewake", ValueType::Bool),
    ("rewakeMessage", ValueType::Text),
    ("shell", ValueType::OneOf(&["bash", "powershell"])),
];

/// A hook that is accepted.
struct AcceptedHook {
    event: String,
    matcher: Option<String>,
    kind: String,
    action: String,
    timeout: Option<f64>,
    /// The permission rule that a call of a tool must fit.
    condition: Option<String>,
    span: Span,
}

/// A hook, entry or event that is not.
struct HookDefect {
    event: String,
    span: Span,
    why: String,
    /// Whether the event is one that the agent knows.
    is_known: bool,
    /// Whether the agent says so to its user.
    is_said: bool,
    /// What the string at the place must say, where that is certain.
    instead: Option<String>,
}

/// The first defect of a hook that may guard permissions. An event that is `null` guards nothing, and no more does an empty list
/// in place of the events.
pub(super) fn guard_problem(hooks: &JsonNode) -> Option<(Span, String)> {
    if hooks.items().iter().any(JsonNode::is_object) {
        return Some((hooks.span, "`hooks` must be an object, not a list of hooks".to_owned()));
    }
    let is_null = |defect: &HookDefect| {
        let event = hooks.get(&defect.event);
        event.is_some_and(|event| event.span == defect.span && event.value == JsonValue::Null)
    };
    let is_guard =
        |defect: &HookDefect| GUARD_EVENTS.contains(&defect.event.as_str()) && defect.is_said && !is_null(defect);
    let defect = read(hooks).1.into_iter().find(is_guard)?;
    Some((defect.span, format!("{}, on {}", defect.why, defect.event)))
}

impl ClaudeRuns<'_, '_> {
    /// The hooks of the settings files in effect.
    pub(super) fn read_settings_hooks(&mut self) {
        let files = std::mem::take(&mut self.files);
        for file in &files {
            let Some(hooks) = file.root.get("hooks") else { continue };
            let approval = self.approval();
            self.read_hooks(&file.text, hooks, approval, None);
        }
        self.files = files;
    }

    /// The hooks of one object of events.
    pub(super) fn read_hooks(
        &mut self,
        text: &SettingsText,
        hooks: &JsonNode,
        approval: Approval,
        on_use_of: Option<&str>,
    ) {
        if !hooks.is_object() {
            let why = format!("`hooks` must be an object, not {}", hooks.type_with_article());
            self.drop(text.place(hooks.span), why, DroppedScope::Hook, true);
            return;
        }
        let (accepted, defects) = read(hooks);
        for defect in defects {
            let scope = if defect.is_known { DroppedScope::Hook } else { DroppedScope::Event };
            let why = (defect.why, defect.instead);
            self.reader.drop_misspelled(text.place(defect.span), why, scope, defect.is_said);
        }
        if self.without_hooks {
            return;
        }
        self.drop_dead_matchers(text, hooks);
        for hook in accepted {
            let moment = moment(&hook.event);
            let AcceptedHook { event, matcher, kind, action, timeout, condition, span } = hook;
            self.matchers += usize::from(matcher.is_some());
            let is_tried = self.matchers <= MAX_MATCHERS;
            let fires_for = is_tried.then(|| fires_for_condition(&event, matcher.as_deref(), condition.as_deref()));
            let fires_for = fires_for.flatten();
            let near = matcher.as_deref().and_then(|matcher| matching::near(matcher, TOOLS));
            let kind = RunKind::Hook { event, matcher, kind, action, directory: None, timeout, fires_for, near };
            self.push_with(moment, kind, text.place(span), approval, on_use_of.map(str::to_owned));
        }
    }
}

/// When hooks of `event` run.
fn moment(event: &str) -> Moment {
    EVENTS.iter().find(|(name, _)| *name == event).map_or(Moment::Other, |&(_, moment)| moment)
}

/// The tools, or the sources of a start, for which a hook fires. Other events' subjects are not known.
fn fires_for(event: &str, matcher: Option<&str>) -> Option<Vec<&'static str>> {
    if SUBAGENT_EVENTS.contains(&event) {
        let tools = TOOLS.iter().filter(|tool| !TOOLS_AND_AGENTS.contains(tool));
        let others: Vec<&str> = EVENTS.iter().map(|(event, _)| event).chain(tools).copied().collect();
        return matching::fires_for_subagents(matcher, &others);
    }
    let subjects: &[&str] = match event {
        event if TOOL_EVENTS.contains(&event) => TOOLS,
        // Without a matcher they run on every end.
        "SessionEnd" if matcher.is_some_and(|matcher| !matcher.is_empty()) => END_REASONS,
        "SessionStart" => &["startup", "resume", "clear", "compact"],
        "PreCompact" | "PostCompact" => &["manual", "auto"],
        _ => return None,
    };
    matching::fires_for(MatcherLanguage::NamesOrExpression, matcher, subjects)
}

/// The same for a hook with a condition, which only a call of a tool can fit: on other events it never fires.
fn fires_for_condition(event: &str, matcher: Option<&str>, condition: Option<&str>) -> Option<Vec<&'static str>> {
    let Some(condition) = condition.filter(|condition| !condition.is_empty()) else { return fires_for(event, matcher) };
    if !TOOL_EVENTS.contains(&event) {
        return Some(Vec::new());
    }
    let (tool, content) = condition.split_once('(').unwrap_or((condition, ")"));
    let mut tools = fires_for(event, matcher)?;
    tools.retain(|name| {
        content.ends_with(')') && (*name == tool || (tool.starts_with("mcp__") && name.starts_with("mcp__")))
    });
    Some(tools)
}

/// The hooks of an object of events, and what is wrong with the others.
fn read(hooks: &JsonNode) -> (Vec<AcceptedHook>, Vec<HookDefect>) {
    let (mut accepted, mut defects) = (Vec::new(), Vec::new());
    // It says that it does not know the event of a comment, and loses nothing.
    for event in hooks.effective().into_iter().take(MAX_ENTRIES).filter(|event| !is_comment(event)) {
        if accepted.len() + defects.len() < MAX_ENTRIES {
            read_event(event, &mut accepted, &mut defects);
        }
    }
    (accepted, defects)
}

fn read_event(event: &JsonMember, accepted: &mut Vec<AcceptedHook>, defects: &mut Vec<HookDefect>) {
    let is_known = EVENTS.iter().any(|(name, _)| *name == event.key);
    if !is_known {
        let (why, instead) = unknown_event(&event.key, EVENTS.iter().map(|(name, _)| *name));
        let (event, span) = (event.key.clone(), event.key_span);
        return defects.push(HookDefect { event, span, why, is_known, is_said: true, instead });
    }
    let mut defect = |span: Span, why: String, is_said: bool| {
        defects.push(HookDefect { event: event.key.clone(), span, why, is_known, is_said, instead: None });
    };
    if !event.value.is_array() {
        let why = format!("the value of an event must be a list, not {}", event.value.type_with_article());
        return defect(event.value.span, why, true);
    }
    for entry in event.value.items().iter().take(MAX_ENTRIES) {
        let matcher = entry.get("matcher");
        let why = match (entry.is_object(), matcher, entry.get("hooks")) {
            (false, ..) => format!("an entry must be an object, not {}", entry.type_with_article()),
            (true, Some(matcher), _) if matcher.text().is_none() => {
                format!("`matcher` must be a string, not {}", matcher.type_with_article())
            }
            (true, _, None) => "the entry has no list `hooks`".to_owned(),
            (true, _, Some(inner)) if !inner.is_array() => {
                format!("`hooks` must be a list, not {}", inner.type_with_article())
            }
            (true, _, Some(inner)) => {
                for hook in inner.items().iter().take(MAX_ENTRIES) {
                    match accept(hook, &event.key, matcher.and_then(JsonNode::text)) {
                        Ok(hook) => accepted.push(hook),
                        Err((span, why, is_said)) => defect(span, why, is_said),
                    }
                }
                continue;
            }
        };
        defect(entry.span, why, true);
    }
}

/// One hook, or its defect and whether the agent says it.
fn accept(hook: &JsonNode, event: &str, matcher: Option<&str>) -> Result<AcceptedHook, (Span, String, bool)> {
    let said = |span: Span, why: String| Err((span, why, true));
    if !hook.is_object() {
        return said(hook.span, format!("a hook must be an object, not {}", hook.type_with_article()));
    }
    let Some(kind) = hook.get("type") else { return said(hook.span, "the hook has no `type`".to_owned()) };
    let field = match kind.text() {
        Some("command") => "command",
        Some("prompt" | "agent") => "prompt",
        Some("http") => "url",
        Some("mcp_tool") => "tool",
        _ => {
            let why = "`type` must be command, prompt, agent, http or mcp_tool".to_owned();
            return said(kind.span, why);
        }
    };
    let Some(action) = hook.get(field) else { return said(hook.span, format!("the hook has no `{field}`")) };
    let Some(text) = action.text() else {
        return said(action.span, format!("`{field}` must be a string, not {}", action.type_with_article()));
    };
    let timeout = hook.get("timeout");
    if let Some(timeout) = timeout.filter(|timeout| !timeout.number().is_some_and(|seconds| seconds > 0.0)) {
        return said(timeout.span, "`timeout` must be a number above 0".to_owned());
    }
    let (kind, kind_span) = (kind.text().unwrap_or_default(), kind.span);
    if let Some(defect) = field_defect(hook, kind, action) {
        return Err(defect);
    }
    if text.trim().is_empty() {
        return Err((action.span, format!("`{field}` is empty"), false));
    }
    if let Some(why) = unsupported(event, kind) {
        return Err((kind_span, why, false));
    }
    Ok(AcceptedHook {
        event: event.to_owned(),
        matcher: matcher.map(str::to_owned),
        kind: kind.to_owned(),
        action: match hook.get("shell").and_then(JsonNode::text) {
            Some("powershell") => format!("pwsh -Command {}", quoted(text)),
            _ => with_arguments(text, hook.get("args")),
        },
        timeout: timeout.and_then(JsonNode::number),
        condition: hook.get("if").and_then(JsonNode::text).map(str::to_owned),
        span: action.span,
    })
}

/// What is wrong with the other fields of a hook of the type `kind`.
fn field_defect(hook: &JsonNode, kind: &str, action: &JsonNode) -> Option<(Span, String, bool)> {
    let own: &[(&str, ValueType)] = match kind {
        "command" => COMMAND_FIELDS,
        "http" => &[("headers", ValueType::TextMap), ("allowedEnvVars", ValueType::Texts)],
        "mcp_tool" => &[("server", ValueType::Text), ("input", ValueType::Object)],
        _ => &[("model", ValueType::Text)],
    };
    for (field, required) in FIELDS.iter().chain(own) {
        if let Some(node) = hook.get(field).filter(|node| !required.fits(node)) {
            let why = required.mismatch(field, node, OBJECT);
            return Some((node.span, why, true));
        }
    }
    if kind == "mcp_tool" && hook.get("server").is_none() {
        return Some((hook.span, "the hook has no `server`".to_owned(), true));
    }
    let is_url =
        |text: &str| text.split_once("://").is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty());
    let is_malformed = kind == "http" && !action.text().is_some_and(is_url);
    is_malformed.then(|| (action.span, "`url` must be a whole URL".to_owned(), true))
}

/// The command with its list of arguments, as a shell would need them. With such a list the command is the program alone.
fn with_arguments(command: &str, arguments: Option<&JsonNode>) -> String {
    let Some(arguments) = arguments else { return command.to_owned() };
    let program = if command.contains(char::is_whitespace) { quoted(command) } else { command.to_owned() };
    let arguments = arguments.items().iter().filter_map(JsonNode::text);
    let is_plain = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./:=".contains(&byte))
    };
    let words = arguments.map(|word| if is_plain(word) { word.to_owned() } else { quoted(word) });
    std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ")
}

/// One word of a shell. The agent puts its variables into arguments, as a shell does between double quotes.
fn quoted(word: &str) -> String {
    match word.contains('$') && !word.contains(['"', '\\', '`']) {
        true => format!("\"{word}\""),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
