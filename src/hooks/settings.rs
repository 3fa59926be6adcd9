//! The agent's settings file with our hooks in it, or without: edits of its text that leave every other byte as it is, and of
//! which the second undoes the first to the byte. Knows no files.

#[cfg(test)]
mod tests;

use std::ops::Range;

use serde::Serialize;
use serde_json::{Value, json};

use super::HookEvent;
use crate::agents::{HookRegistration, RegistrationForm};
use crate::base::text::{LineIndex, Span};
use crate::parse::json::{self, JsonGrammar, JsonNode, JsonProblemKind, JsonValue};

/// Seconds after which the agent gives a hook up.
const TIMEOUT: u64 = 10;
/// What is said of a comment.
const NO_COMMENTS: &str = "JSON has no comments, and the agent ignores a file with one";

/// What is wrong with a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsProblem {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// A problem at a place of the text.
fn problem(text: &str, at: usize, message: String) -> SettingsProblem {
    let place = LineIndex::new(text.as_bytes()).position(text.as_bytes(), at);
    SettingsProblem { line: place.line, column: place.column, message }
}

/// Read a settings file. A byte order mark is read as a blank.
///
/// # Errors
/// When it is no JSON.
fn parse(text: &str) -> Result<JsonNode, SettingsProblem> {
    let unmarked = text.replacen('\u{feff}', "   ", usize::from(text.starts_with('\u{feff}')));
    json::parse(&unmarked, JsonGrammar::STRICT).map_err(|found| match found.kind {
        JsonProblemKind::Empty => problem(text, 0, "the file is empty; delete it or write `{}` into it".to_owned()),
        JsonProblemKind::Comment => problem(text, found.at, NO_COMMENTS.to_owned()),
        JsonProblemKind::Unexpected if text[found.at..].starts_with('#') => {
            problem(text, found.at, NO_COMMENTS.to_owned())
        }
        kind => problem(text, found.at, format!("the file has {}", kind.words())),
    })
}

/// The places of what an object or a list holds; a member begins at its key.
fn children(container: &JsonNode) -> Vec<Range<usize>> {
    match &container.value {
        JsonValue::Object(members) => members.iter().map(|member| member.span().range()).collect(),
        JsonValue::Array(items) => items.iter().map(|item| item.span.range()).collect(),
        _ => Vec::new(),
    }
}

/// What registers one event.
fn entry(event: HookEvent, form: &HookRegistration) -> Value {
    let (command, timeout) = (command(event), TIMEOUT * form.ticks);
    let is_of_tools = event == HookEvent::PostToolUse;
    match form.form {
        RegistrationForm::Groups => {
            let hook = json!({"type": "command", "command": command, "timeout": timeout});
            match is_of_tools {
                true => json!({"matcher": form.matcher, "hooks": [hook]}),
                false => json!({"hooks": [hook]}),
            }
        }
        RegistrationForm::Flat => {
            let mut hook = json!({"type": "command", "bash": command, "powershell": command, "timeoutSec": timeout});
            if is_of_tools {
                hook["matcher"] = form.matcher.into();
            }
            hook
        }
    }
}

/// The agent's name for an event.
pub(super) fn name(event: HookEvent, form: &HookRegistration) -> &'static str {
    let place = HookEvent::ALL.iter().position(|other| *other == event);
    place.and_then(|place| form.events.get(place)).copied().unwrap_or_else(|| event.agents_name())
}

fn command(event: HookEvent) -> String {
    format!("hintlint hook {}", event.name())
}

/// A settings file with our hooks only.
pub(crate) fn fresh(form: &HookRegistration) -> String {
    // The object was made for the hooks, so that it begins like the other containers that are ours.
    let text = match form.form {
        RegistrationForm::Groups => add("{}\n", form),
        RegistrationForm::Flat => add("{\n  \"version\": 1\n}\n", form),
    };
    text.unwrap_or_default().replacen("{\n\n", "{\n", 1)
}

/// `text` with our hooks; itself if it has them all.
///
/// # Errors
/// When it is no JSON, or has something else where hooks belong.
pub fn add(text: &str, form: &HookRegistration) -> Result<String, SettingsProblem> {
    let mut text = text.to_owned();
    for event in HookEvent::ALL {
        text = add_one(&text, event, form)?;
    }
    Ok(text)
}

/// `text` without our hooks, and without the containers that [`add`] made for them; itself if it has none. After [`add`] the
/// text is again what it was before.
///
/// # Errors
/// When it is no JSON.
pub fn remove(text: &str, form: &HookRegistration) -> Result<String, SettingsProblem> {
    let mut text = text.to_owned();
    while let Some((range, left)) = next_cut(&text, &parse(&text)?, form) {
        let left = text[left].to_owned();
        text.replace_range(range, &left);
    }
    Ok(text)
}

/// The commands in a settings file that run one of `scripts`: the event, the script and the line, from 1. A text that is not JSON
/// has none.
pub(crate) fn running<'n>(text: &str, scripts: &[&'n str]) -> Vec<(String, &'n str, usize)> {
    let Ok(root) = parse(text) else { return Vec::new() };
    let mut found = Vec::new();
    for member in root.get("hooks").map_or(&[][..], JsonNode::members) {
        let hooks = member.value.items().iter().flat_map(|group| group.get("hooks").map_or(&[][..], JsonNode::items));
        for command in hooks.filter_map(|hook| hook.get("command")) {
            let said = command.text().unwrap_or_default();
            let names = |script: &&&str| said.split(['/', '\\', ' ', '"', '\'']).any(|word| word == **script);
            let line = text[..command.span.start].matches('\n').count() + 1;
            found.extend(scripts.iter().find(names).map(|script| (member.key.clone(), *script, line)));
        }
    }
    found
}

fn add_one(text: &str, event: HookEvent, form: &HookRegistration) -> Result<String, SettingsProblem> {
    let root = parse(text)?;
    if !root.is_object() {
        return Err(problem(text, root.span.start, "the settings are not a JSON object".to_owned()));
    }
    let name = name(event, form);
    let Some(hooks) = root.get("hooks") else {
        return Ok(insert(text, &root, Some("hooks"), &json!({name: [entry(event, form)]})));
    };
    if !hooks.is_object() {
        return Err(problem(text, hooks.span.start, "`hooks` is no object".to_owned()));
    }
    let Some(groups) = hooks.get(name) else {
        return Ok(insert(text, hooks, Some(name), &json!([entry(event, form)])));
    };
    if !groups.is_array() {
        return Err(problem(text, groups.span.start, format!("`hooks.{name}` is no list")));
    }
    let has_ours = groups.items().iter().any(|group| runs_it(group, event, form));
    Ok(if has_ours { text.to_owned() } else { insert(text, groups, None, &entry(event, form)) })
}

/// The hooks of an entry: those of its list, or itself where the agent takes that.
fn hooks_of<'n>(entry: &'n JsonNode, form: &HookRegistration) -> &'n [JsonNode] {
    match (entry.get("hooks"), form.form) {
        (Some(list), _) => list.items(),
        (None, RegistrationForm::Flat) => std::slice::from_ref(entry),
        (None, RegistrationForm::Groups) => &[],
    }
}

/// The command line of a hook.
fn line_of(hook: &JsonNode) -> Option<&str> {
    ["command", "bash"].into_iter().find_map(|key| hook.get(key)?.text())
}

/// Whether an entry runs our hook already, perhaps by a path or a wrapper of the user's.
fn runs_it(entry: &JsonNode, event: HookEvent, form: &HookRegistration) -> bool {
    hooks_of(entry, form).iter().filter_map(line_of).any(|text| text.trim_end().ends_with(&command(event)))
}

/// The hook in an entry that is as we write it, as an index.
fn ours(entry: &JsonNode, event: HookEvent, form: &HookRegistration) -> Option<usize> {
    hooks_of(entry, form).iter().position(|hook| line_of(hook) == Some(&command(event)))
}

/// The text with one more member or item at the end of `container`, in the form that the text has. What stood in an empty
/// container, blanks or nothing, is kept in front of the item with one more blank or line end, which the containers that are
/// ours never begin with: so [`blanks_of`] finds it again.
fn insert(text: &str, container: &JsonNode, key: Option<&str>, value: &Value) -> String {
    let break_ = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let children = children(container);
    let one_line = is_one_line(text, container, &children);
    let unit = indent_unit(text);
    let own_indent = indent_of_line(text, container.span.start);
    let child_indent = match children.last() {
        Some(last) => indent_of_line(text, last.start).to_owned(),
        None => format!("{own_indent}{unit}"),
    };
    let key = key.map_or(String::new(), |key| format!("{}:{}", Value::from(key), if one_line { "" } else { " " }));
    let item = match one_line {
        true => format!("{key}{value}"),
        false => format!("{key}{}", pretty(value, &unit).replace('\n', &format!("{break_}{child_indent}"))),
    };
    let (range, new) = match children.last() {
        Some(last) if one_line => (last.end..last.end, format!(",{item}")),
        Some(last) => (last.end..last.end, format!(",{break_}{child_indent}{item}")),
        None => {
            let inner = container.span.start + 1..container.span.end - 1;
            let blanks = &text[inner.clone()];
            let new = match one_line {
                true => format!(" {blanks}{item}"),
                false => format!("{break_}{blanks}{break_}{child_indent}{item}{break_}{own_indent}"),
            };
            (inner, new)
        }
    };
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

/// Whether what is added belongs on the line that is there: the children stand on it, or the whole file is one line.
fn is_one_line(text: &str, container: &JsonNode, children: &[Range<usize>]) -> bool {
    match children.last() {
        Some(last) => !text[container.span.start..last.start].contains('\n'),
        None => !text.trim().contains('\n') && text.trim().len() > container.span.len(),
    }
}

/// The indentation of the first line that has one.
fn indent_unit(text: &str) -> String {
    let indents = text.lines().map(|line| &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]);
    let first = text.lines().zip(indents).find(|(line, indent)| !indent.is_empty() && !line.trim().is_empty());
    first.map_or("  ", |(_, indent)| indent).to_owned()
}

/// The blanks at the beginning of the line that holds `at`.
fn indent_of_line(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].strip_prefix('\u{feff}').unwrap_or(&text[start..]);
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn pretty(value: &Value, unit: &str) -> String {
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    // Writing a value of ours to memory cannot fail.
    let _ = value.serialize(&mut serializer);
    String::from_utf8(out).unwrap_or_default()
}

/// What stood in `container`, which holds one child now, before [`insert`] put the child there; `None` if it was not empty, or
/// was made with its child, or was changed since.
fn blanks_of(text: &str, container: &JsonNode, child: Span) -> Option<Range<usize>> {
    let start = container.span.start + 1;
    let before = &text[start..child.start];
    let behind = &text[child.end..container.span.end - 1];
    if let Some(blanks) = before.strip_prefix(' ') {
        return behind.is_empty().then_some(start + 1..start + 1 + blanks.len());
    }
    let break_ = if before.starts_with("\r\n") { "\r\n" } else { "\n" };
    let blanks = before.strip_prefix(break_)?.trim_end_matches([' ', '\t']).strip_suffix(break_)?;
    let is_ours = behind.strip_prefix(break_)?.trim_matches([' ', '\t']).is_empty();
    is_ours.then_some(start + break_.len()..start + break_.len() + blanks.len())
}

/// The next part to remove and its replacement: the last of our hooks, with the containers that were made for it.
fn next_cut(text: &str, root: &JsonNode, form: &HookRegistration) -> Option<(Range<usize>, Range<usize>)> {
    let hooks = root.member("hooks")?;
    for event in HookEvent::ALL.into_iter().rev() {
        let Some(member) = hooks.value.member(name(event, form)) else { continue };
        let groups = member.value.items();
        let Some((at, hook)) =
            groups.iter().enumerate().rev().find_map(|(at, group)| Some((at, ours(group, event, form)?)))
        else {
            continue;
        };
        // From the inside out: a container that is empty now goes too, unless it was there before.
        let inner = groups[at].get("hooks").map(|list| (list, list.items()[hook].span));
        let outer = [(&member.value, groups[at].span), (&hooks.value, member.span()), (root, hooks.span())];
        let around: Vec<_> = inner.into_iter().chain(outer).collect();
        let last = around.len() - 1;
        let is_last = |(number, (container, child)): &(usize, (&JsonNode, Span))| {
            *number == last || children(container).len() > 1 || blanks_of(text, container, *child).is_some()
        };
        let (_, (container, child)) = around.into_iter().enumerate().find(is_last)?;
        return Some(cut(text, container, child));
    }
    None
}

/// The range to replace so that `child` is out of `container`, with the comma that it leaves over; and the range that stays of
/// it.
fn cut(text: &str, container: &JsonNode, child: Span) -> (Range<usize>, Range<usize>) {
    let children = children(container);
    let at = children.iter().position(|other| *other == child.range()).unwrap_or(0);
    match (at.checked_sub(1).map(|before| &children[before]), children.get(at + 1)) {
        (Some(before), _) => (before.end..child.end, 0..0),
        (None, Some(after)) => (child.start..after.start, 0..0),
        (None, None) => {
            let inner = container.span.start + 1..container.span.end - 1;
            (inner, blanks_of(text, container, child).unwrap_or(0..0))
        }
    }
}
