//! What agents run and how that changes, in words, as Markdown and as JSON. Keys are never shown whole.

mod lost;
mod private;

use std::io::{self, Write};

use serde_json::{Value, json};

pub(crate) use lost::{lost, scope};

use super::markdown::{code, prose};
use crate::agents::runs::{Approval, DroppedScope, RunKind, RunMode};
use crate::agents::{self, Proof};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::compile::run_changes::{RunChange, RunDifference, RunReach, RunSubject, ScriptChange};
use crate::source::hex;

/// Most changes that are listed for people and on a page.
const LISTED: usize = 200;
const LISTED_ON_PAGE: usize = 50;
/// Longer commands and values are cut, in characters.
const MAX_WORDS: usize = 240;

/// One item in words, as the file has it.
pub(crate) fn described(kind: &RunKind) -> String {
    let (words, code) = in_parts(kind);
    words + &code
}

/// One item in words, and what the file has after them: a command, a value or a rule.
fn in_parts(kind: &RunKind) -> (String, String) {
    let line = |text: &str| sanitize::line(text).into_owned();
    match kind {
        RunKind::Hook { event, matcher, kind, action, directory, fires_for, .. } => {
            let directory = started_in(directory.as_deref());
            let matcher = matcher.as_ref().filter(|matcher| !matcher.is_empty());
            let matcher = matcher.map(|matcher| format!(" for {}", line(matcher))).unwrap_or_default();
            let kind = if kind == "command" { "hook".to_owned() } else { format!("{} hook", line(kind)) };
            let never = if fires_for.as_ref().is_some_and(Vec::is_empty) { ", never" } else { "" };
            (format!("{kind} {}{matcher}{directory}{never}: ", line(event)), line(action))
        }
        RunKind::Server { name, command, is_remote: false, directory, given } => {
            let directory = started_in(directory.as_deref());
            let variables: String =
                given.iter().map(|(name, value)| format!("{}={} ", line(name), line(value))).collect();
            (format!("starts server {}{directory}: ", line(name)), variables + &line(&command.join(" ")))
        }
        RunKind::Server { name, command, is_remote: true, given, .. } => {
            let headers: String =
                given.iter().map(|(name, value)| format!(", {}: {}", line(name), line(value))).collect();
            (format!("connects to server {}: ", line(name)), line(&command.join(" ")) + &headers)
        }
        RunKind::Variable { name, value } => ("sets ".to_owned(), format!("{}={}", line(name), line(value))),
        RunKind::Endpoint { name, url, .. } => {
            ("sends its requests to ".to_owned(), format!("{} by {}", line(url), line(name)))
        }
        RunKind::Permission { list, rule } => (format!("{}: ", list.name()), line(rule)),
        RunKind::Setting { key, value } => (format!("{} is ", line(key)), line(value)),
        RunKind::Style { name, .. } => ("output style ".to_owned(), line(name)),
        RunKind::Helper { key, command } => (format!("{}: ", line(key)), line(command)),
        RunKind::PreRun { command } => ("runs before the model: ".to_owned(), line(command)),
    }
}

fn started_in(directory: Option<&str>) -> String {
    directory.map(|folder| format!(" in {}", sanitize::line(folder))).unwrap_or_default()
}

/// One item as JSON.
pub(crate) fn object(kind: &RunKind) -> Value {
    match kind {
        RunKind::Hook { event, matcher, kind, action, directory, timeout, fires_for, .. } => {
            let mut object = json!({
                "kind": "hook", "event": event, "matcher": matcher, "type": kind, "action": action, "timeout": timeout,
                "fires_for": fires_for,
            });
            directory.iter().for_each(|folder| object["cwd"] = json!(folder));
            object
        }
        RunKind::Server { name, command, is_remote, directory, given } => {
            let mut object = json!({"kind": "server", "name": name, "command": command, "remote": is_remote});
            directory.iter().for_each(|folder| object["cwd"] = json!(folder));
            if !given.is_empty() {
                let given: serde_json::Map<String, Value> =
                    given.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
                object[if *is_remote { "headers" } else { "env" }] = Value::Object(given);
            }
            object
        }
        RunKind::Variable { name, value } => json!({"kind": "variable", "name": name, "value": value}),
        RunKind::Endpoint { name, url, .. } => json!({"kind": "endpoint", "name": name, "url": url}),
        RunKind::Permission { list, rule } => json!({"kind": "permission", "list": list.name(), "rule": rule}),
        RunKind::Setting { key, value } => json!({"kind": "setting", "key": key, "value": value}),
        RunKind::Style { name, digest } => json!({"kind": "style", "name": name, "sha256": hex(digest)}),
        RunKind::Helper { key, command } => json!({"kind": "helper", "key": key, "command": command}),
        RunKind::PreRun { command } => json!({"kind": "pre-run", "command": command}),
    }
}

/// A part of what is told.
enum ToldPart {
    Words(String),
    /// What a file has: a command, a value or a rule.
    Code(String),
}

impl ToldPart {
    fn text(&self) -> &str {
        match self {
            ToldPart::Words(text) | ToldPart::Code(text) => text,
        }
    }

    fn markdown(&self) -> String {
        match self {
            ToldPart::Words(text) => prose(text),
            ToldPart::Code(text) if text.is_empty() => String::new(),
            ToldPart::Code(text) => code(text),
        }
    }
}

/// A subject in words that anybody may read.
fn words(subject: &RunSubject) -> [ToldPart; 2] {
    let on_use = subject.on_use_of.as_ref().map(|name| format!("on use of {}: ", sanitize::line(name)));
    let (words, code) = in_parts(&private::without_keys(&subject.kind));
    let words = cut(format!("{}{words}", on_use.unwrap_or_default()), MAX_WORDS);
    let room = MAX_WORDS.saturating_sub(words.chars().count());
    [ToldPart::Words(words), ToldPart::Code(cut(code, room))]
}

fn cut(text: String, room: usize) -> String {
    match text.char_indices().nth(room) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A change in words, without its place.
pub(crate) fn told(change: &RunChange) -> String {
    parts(change).iter().map(ToldPart::text).collect()
}

/// The parts of a change in words.
fn parts(change: &RunChange) -> Vec<ToldPart> {
    let mut parts = Vec::new();
    let mut say = |text: &str| parts.push(ToldPart::Words(text.to_owned()));
    match &change.difference {
        RunDifference::Added(subject) => {
            say("new: ");
            parts.extend(words(subject));
        }
        RunDifference::Removed(subject) => {
            say("gone: ");
            parts.extend(words(subject));
        }
        RunDifference::Changed { before, after } => {
            let kind = after.kind.clone();
            let (before, after) = (words(before), words(after));
            let is_same = before.iter().zip(&after).all(|(before, after)| before.text() == after.text());
            // What differs is a key, the end of a long text, or a time limit.
            say(match (is_same, &kind) {
                (true, RunKind::Style { .. }) => "changed text: ",
                (true, _) => "changed in a part that is not shown here: ",
                (false, _) => "changed: ",
            });
            parts.extend(after);
            if !is_same {
                parts.push(ToldPart::Words("; before: ".to_owned()));
                parts.extend(before);
            }
        }
        RunDifference::Reached { subject, before } => {
            say("other approval: ");
            parts.extend(words(subject));
            parts.push(ToldPart::Words(format!("; before: {}", conditions(before))));
        }
        RunDifference::Ignored { why, what: DroppedScope::Rest } => {
            say(&format!("only partly checked: {}", sanitize::line(why)));
        }
        RunDifference::Ignored { why, what } => {
            say(&format!("no effect: {}, because {}", lost(what), sanitize::line(why)));
        }
        RunDifference::Starts { why } => say(&format!("the agent starts again: before, {}", sanitize::line(why))),
        RunDifference::Untold { changes } => {
            say(&format!("{changes} more changes are not listed; this is the most serious one"));
        }
        RunDifference::Script { change, run_by, named_in: (path, line) } => {
            let verb = match change {
                ScriptChange::Added => "new script",
                ScriptChange::Removed => "script is gone",
                ScriptChange::Content => "changed script",
                ScriptChange::Link => "script is another file now",
                ScriptChange::Mode => "script has another mode",
            };
            let [what, command] = words(run_by);
            // What says that something runs is a sentence without `run by`.
            let what = what.text().replacen("starts server ", "server ", 1).replacen("runs before", "a line before", 1);
            say(&format!("{verb}, run by {what}"));
            parts.push(command);
            parts.push(ToldPart::Words(format!(" ({}:{line})", sanitize::path(path))));
        }
    }
    parts
}

/// In which modes something happens, and who is asked.
fn conditions(reach: &RunReach) -> String {
    let [interactive, headless, untrusted] = reach;
    let modes = match (interactive, headless, untrusted) {
        (None, None, None) => return "nowhere".to_owned(),
        (None, _, Some(_)) => "without a terminal",
        (_, _, Some(_)) => "trusted or not",
        (Some(_), None, None) => "in a terminal, once trusted",
        (None, Some(_), None) => "without a terminal, once trusted",
        (Some(_), Some(_), None) => "once trusted",
    };
    let asks = |approval: &Option<Approval>| *approval == Some(Approval::Item);
    match (reach.iter().flatten().all(|approval| *approval == Approval::Item), asks(interactive)) {
        (true, _) => format!("{modes}, asks first"),
        (false, true) => format!("{modes}, asks first in a terminal"),
        (false, false) => modes.to_owned(),
    }
}

/// Whether what an agent does is known from its documentation alone.
fn is_documented(agent: &str) -> bool {
    agents::running().any(|dialect| dialect.id == agent && dialect.proof == Proof::Documentation)
}

/// Whether only documentation says what the agent does with bundles.
fn has_documented_bundles(agent: &str) -> bool {
    agents::running().any(|dialect| dialect.id == agent && dialect.files.has_documented_bundles())
}

/// Who is asked, for a product with a window.
fn by_documentation(reach: &RunReach) -> &'static str {
    match reach.iter().flatten().all(|approval| *approval == Approval::Item) {
        true => "asks first",
        false => "once trusted",
    }
}

/// For whom, and started where.
fn circumstances(change: &RunChange) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for reader in &change.readers {
        let conditions = match is_documented(reader.agent) {
            true => "as documented, ".to_owned() + by_documentation(&reader.reach),
            false if change.is_bundle && has_documented_bundles(reader.agent) => "as documented".to_owned(),
            false => conditions(&reader.reach),
        };
        match groups.iter_mut().find(|(known, _)| *known == conditions) {
            Some((_, agents)) => agents.push(reader.agent),
            None => groups.push((conditions, vec![reader.agent])),
        }
    }
    let is_ignored = matches!(change.difference, RunDifference::Ignored { .. } | RunDifference::Starts { .. });
    let group = |(conditions, agents): (String, Vec<&str>)| match is_ignored {
        true => agents.join(", "),
        false if change.is_bundle => format!("{}: once installed, {conditions}", agents.join(", ")),
        false => format!("{}: {conditions}", agents.join(", ")),
    };
    let mut text = groups.into_iter().map(group).collect::<Vec<_>>().join("; ");
    if !change.directories.contains(&RepoPath::from("")) {
        let names: Vec<_> = change.directories.iter().take(3).map(|dir| sanitize::path(dir)).collect();
        let more = change.directories.len().saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let verb = if change.is_bundle { "installed from" } else { "started in" };
        text.push_str(&format!("; {verb} {}{more}", names.join(", ")));
    }
    text
}

fn place(change: &RunChange) -> String {
    format!("{}:{}", sanitize::path(&change.path), change.line)
}

/// A change in one line.
pub(crate) fn line(change: &RunChange) -> String {
    format!("{} ({}; {})", told(change), place(change), circumstances(change))
}

/// For people.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn human(changes: &[RunChange], out: &mut dyn Write) -> io::Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    writeln!(out, "Runs: {}", super::counted(changes.len(), "change", "changes"))?;
    for change in changes.iter().take(LISTED) {
        writeln!(out, "  {}", line(change))?;
    }
    if let Some(rest) = super::not_listed(changes.len(), LISTED) {
        writeln!(out, "  {rest}")?;
    }
    Ok(())
}

/// As Markdown, a list in about `room` bytes; empty for no change.
pub(super) fn markdown(changes: &[RunChange], room: usize) -> String {
    let mut page = String::new();
    let mut shown = 0;
    for change in changes.iter().take(LISTED_ON_PAGE) {
        let told: String = parts(change).iter().map(ToldPart::markdown).collect();
        let line = format!("- {told} ({}; {})\n", code(&place(change)), prose(&circumstances(change)));
        if page.len() + line.len() > room {
            break;
        }
        page.push_str(&line);
        shown += 1;
    }
    if let Some(rest) = super::not_listed(changes.len(), shown) {
        page.push_str(&format!("\n{rest}.\n"));
    }
    page
}

/// As JSON, one object each.
pub(super) fn json(changes: &[RunChange]) -> Vec<Value> {
    changes.iter().map(one).collect()
}

fn one(change: &RunChange) -> Value {
    let subject = |subject: &RunSubject| {
        let mut value = object(&private::without_keys(&subject.kind));
        value["when"] = json!(subject.moment.name());
        value["on_use_of"] = json!(subject.on_use_of);
        value
    };
    let mut value = match &change.difference {
        RunDifference::Added(after) => json!({"change": "added", "after": subject(after)}),
        RunDifference::Removed(before) => json!({"change": "removed", "before": subject(before)}),
        RunDifference::Changed { before, after } => {
            json!({"change": "changed", "before": subject(before), "after": subject(after)})
        }
        RunDifference::Reached { subject: after, before } => {
            json!({"change": "approval", "after": subject(after), "approvals_before": approvals(before)})
        }
        RunDifference::Ignored { why, what } => json!({"change": "ignored", "why": why, "scope": scope(what)}),
        RunDifference::Starts { why } => json!({"change": "starts", "why": why}),
        RunDifference::Untold { changes } => json!({"change": "untold", "changes": changes}),
        RunDifference::Script { change, run_by, named_in: (path, line) } => json!({
            "change": "script",
            "script": change.name(),
            "run_by": subject(run_by),
            "named_in": {"path": path.to_str_lossy(), "line": line},
        }),
    };
    value["grade"] = json!(change.grade.name());
    value["path"] = json!(change.path.to_str_lossy());
    value["line"] = json!(change.line);
    value["message"] = json!(line(change));
    value["directories"] = json!(change.directories.iter().map(|dir| sanitize::path(dir)).collect::<Vec<_>>());
    value["installed"] = json!(change.is_bundle);
    let readers = change.readers.iter();
    let readers = readers.map(|reader| json!({"agent": reader.agent, "approvals": approvals(&reader.reach)}));
    value["agents"] = json!(readers.collect::<Vec<_>>());
    value
}

/// Who is asked, by the modes in which it happens.
fn approvals(reach: &RunReach) -> Value {
    let modes = RunMode::ALL.iter().zip(reach);
    modes.filter_map(|(mode, approval)| Some((mode.name().to_owned(), json!((*approval)?.name())))).collect()
}

#[cfg(test)]
mod tests;
