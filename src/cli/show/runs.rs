//! What agents run, connect to and obey in a directory, as a listing for people and as JSON.

use super::{ShowArgs, ShowError, ShowFormat, settings};
use crate::agents::runs::{
    self, AgentRuns, DroppedScope, DroppedSetting, LostSettings, RunItem, RunKind, RunMode, RunOptions, SettingPlace,
};
use crate::agents::{self, Dialect};
use crate::base::sanitize;
use crate::cli::Console;
use crate::report::safe_json;
use crate::world::{AbsPath, World};
use serde_json::{Value, json};
use std::io::{self, Write};

/// How the agent is started, on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum RunModeArg {
    /// In a terminal, by a person who trusts the folder.
    #[default]
    Interactive,
    /// Without a terminal, in a trusted folder.
    Headless,
    /// Without a terminal, in a folder that nobody has trusted.
    HeadlessUntrusted,
}

impl From<RunModeArg> for RunMode {
    fn from(mode: RunModeArg) -> RunMode {
        match mode {
            RunModeArg::Interactive => RunMode::Interactive,
            RunModeArg::Headless => RunMode::Headless,
            RunModeArg::HeadlessUntrusted => RunMode::HeadlessUntrusted,
        }
    }
}

/// Print what the chosen agent runs in `start`, or all agents for which that is known.
///
/// # Errors
/// Where nothing is known of the chosen agent, or the output cannot be written.
pub(super) fn print(
    world: &dyn World,
    start: &AbsPath,
    chosen: Option<&'static Dialect>,
    args: &ShowArgs,
    console: &mut Console<'_>,
) -> Result<u8, ShowError> {
    let options = RunOptions { user: !args.no_user, settings: settings(&args.agent_options)? };
    let mode = args.mode.unwrap_or_default().into();
    let dialects = agents::ALL.iter().copied().filter(|dialect| chosen.is_none_or(|chosen| chosen == *dialect));
    let found: Vec<AgentRuns> =
        dialects.filter_map(|dialect| runs::load(world, dialect, start, mode, &options)).collect();
    if let Some(chosen) = chosen.filter(|_| found.is_empty()) {
        let known: Vec<&str> = agents::ALL.iter().filter(|agent| agent.runs.is_some()).map(|agent| agent.id).collect();
        return Err(ShowError::Usage(format!("what {} runs is not known; it is for {}", chosen.id, known.join(", "))));
    }
    match args.format {
        ShowFormat::Text => text(&found, &mut console.stdout)?,
        ShowFormat::Json => {
            let value = json!({"version": 1, "agents": found.iter().map(object).collect::<Vec<_>>()});
            safe_json::write(&value, &mut console.stdout)?;
        }
    }
    console.stdout.flush()?;
    Ok(0)
}

fn text(found: &[AgentRuns], out: &mut dyn Write) -> io::Result<()> {
    for (at, runs) in found.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{} {}, {}:", runs.dialect.title, runs.dialect.version, runs.mode.name())?;
        if runs.items.is_empty() && runs.dropped.is_empty() {
            writeln!(out, "  nothing")?;
        }
        for item in &runs.items {
            let on_use =
                item.on_use_of.as_ref().map(|name| format!(" of {}", sanitize::line(name))).unwrap_or_default();
            let (moment, about) = (item.moment.name(), described(&item.kind));
            writeln!(out, "  {moment}{on_use}: {about} ({}; {})", placed(runs, &item.place), item.approval.name())?;
        }
        for dropped in &runs.dropped {
            let said = if dropped.is_said { "" } else { ", without a word" };
            let (what, why) = (lost(&dropped.what), sanitize::line(&dropped.why));
            writeln!(out, "  dropped{said}: {what}, since {why} ({})", placed(runs, &dropped.place))?;
        }
    }
    Ok(())
}

/// The file as it is reached from the start directory, and the line.
fn placed(runs: &AgentRuns, place: &SettingPlace) -> String {
    let path = place.path.relative_to(&runs.start);
    format!("{}:{}", sanitize::line(&String::from_utf8_lossy(&path)), place.line)
}

/// One item in words.
fn described(kind: &RunKind) -> String {
    let line = |text: &str| sanitize::line(text).into_owned();
    match kind {
        RunKind::Hook { event, matcher, kind, action, fires_for, .. } => {
            let matcher = matcher.as_ref().map(|matcher| format!(" for {}", line(matcher))).unwrap_or_default();
            let kind = if kind == "command" { "hook".to_owned() } else { format!("{} hook", line(kind)) };
            let never = if fires_for.as_ref().is_some_and(Vec::is_empty) { ", never" } else { "" };
            format!("{kind} {}{matcher}{never}: {}", line(event), line(action))
        }
        RunKind::Server { name, command, is_remote } => {
            let verb = if *is_remote { "connects to server" } else { "starts server" };
            format!("{verb} {}: {}", line(name), line(&command.join(" ")))
        }
        RunKind::Variable { name, value } => format!("sets {}={}", line(name), line(value)),
        RunKind::Endpoint { name, url } => format!("sends its requests to {} by {}", line(url), line(name)),
        RunKind::Permission { list, rule } => format!("{}: {}", list.name(), line(rule)),
        RunKind::Setting { key, value } => format!("{} is {}", line(key), line(value)),
        RunKind::Helper { key, command } => format!("{}: {}", line(key), line(command)),
        RunKind::PreRun { command } => format!("runs before the model: {}", line(command)),
    }
}

/// What a defect costs, in words.
fn lost(what: &DroppedScope) -> String {
    match what {
        DroppedScope::Hook => "this hook".to_owned(),
        DroppedScope::Event => "the hooks of this event".to_owned(),
        DroppedScope::Rule => "this rule".to_owned(),
        DroppedScope::Server => "this server".to_owned(),
        DroppedScope::Entry => "this entry".to_owned(),
        DroppedScope::Agent => "the agent does not start".to_owned(),
        DroppedScope::File(lost) => match lost.words() {
            words if words.is_empty() => "the file".to_owned(),
            words => format!("the file with {words}"),
        },
    }
}

fn object(runs: &AgentRuns) -> Value {
    json!({
        "agent": runs.dialect.id,
        "agent_version": runs.dialect.version,
        "directory": runs.start.to_str_lossy(),
        "mode": runs.mode.name(),
        "trusted": runs.mode != RunMode::HeadlessUntrusted,
        "runs": runs.items.iter().map(item).collect::<Vec<_>>(),
        "dropped": runs.dropped.iter().map(dropped).collect::<Vec<_>>(),
    })
}

fn item(item: &RunItem) -> Value {
    let mut value = match &item.kind {
        RunKind::Hook { event, matcher, kind, action, timeout, fires_for, .. } => json!({
            "kind": "hook", "event": event, "matcher": matcher, "type": kind, "action": action, "timeout": timeout,
            "fires_for": fires_for,
        }),
        RunKind::Server { name, command, is_remote } => {
            json!({"kind": "server", "name": name, "command": command, "remote": is_remote})
        }
        RunKind::Variable { name, value } => json!({"kind": "variable", "name": name, "value": value}),
        RunKind::Endpoint { name, url } => json!({"kind": "endpoint", "name": name, "url": url}),
        RunKind::Permission { list, rule } => json!({"kind": "permission", "list": list.name(), "rule": rule}),
        RunKind::Setting { key, value } => json!({"kind": "setting", "key": key, "value": value}),
        RunKind::Helper { key, command } => json!({"kind": "helper", "key": key, "command": command}),
        RunKind::PreRun { command } => json!({"kind": "pre-run", "command": command}),
    };
    value["when"] = json!(item.moment.name());
    value["on_use_of"] = json!(item.on_use_of);
    value["approval"] = json!(item.approval.name());
    place(&mut value, &item.place);
    value
}

fn dropped(dropped: &DroppedSetting) -> Value {
    let scope = match dropped.what {
        DroppedScope::File(_) => "file",
        DroppedScope::Hook => "hook",
        DroppedScope::Event => "event",
        DroppedScope::Rule => "rule",
        DroppedScope::Server => "server",
        DroppedScope::Entry => "entry",
        DroppedScope::Agent => "agent",
    };
    let mut value = json!({"why": dropped.why, "scope": scope, "said": dropped.is_said});
    if let DroppedScope::File(LostSettings { hooks, deny, allow, servers, variables }) = dropped.what {
        value["lost"] =
            json!({"hooks": hooks, "deny": deny, "allow": allow, "servers": servers, "variables": variables});
    }
    place(&mut value, &dropped.place);
    value
}

fn place(value: &mut Value, place: &SettingPlace) {
    value["path"] = json!(place.path.to_str_lossy());
    value["line"] = json!(place.line);
    value["start"] = json!(place.span.start);
    value["end"] = json!(place.span.end);
}
