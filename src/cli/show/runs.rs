//! What agents run, connect to and obey in a directory, as a listing for people and as JSON.

use super::{ShowArgs, ShowError, ShowFormat, settings};
use crate::agents::runs::{
    self, AgentRuns, DroppedScope, DroppedSetting, LostSettings, RunItem, RunKind, RunMode, RunOptions, SettingPlace,
};
use crate::agents::{self, Dialect, Proof};
use crate::base::sanitize;
use crate::cli::Console;
use crate::report::{runs as runs_report, safe_json};
use crate::world::{AbsPath, World};
use serde_json::{Value, json};
use std::io::{self, Write};

/// How the agent is started, on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RunModeArg {
    /// In a terminal, by a person who trusts the folder.
    #[default]
    Interactive,
    /// Without a terminal, in a trusted folder.
    Headless,
    /// Without a terminal, in an untrusted folder.
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
    let options = RunOptions { user: !args.no_user, settings: settings(&args.agent_options)?, is_bundle: false };
    let mode = args.mode.unwrap_or_default().into();
    let dialects = agents::running().filter(|dialect| chosen.is_none_or(|chosen| chosen == *dialect));
    let found: Vec<AgentRuns> =
        dialects.filter_map(|dialect| runs::load(world, dialect, start, mode, &options)).collect();
    if let Some(chosen) = chosen.filter(|_| found.is_empty()) {
        let known: Vec<&str> = agents::running().map(|agent| agent.id).collect();
        return Err(ShowError::Usage(format!(
            "hintlint does not know what {} runs; it knows this for {}",
            chosen.id,
            known.join(", ")
        )));
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
        let version = match runs.dialect.proof {
            Proof::Documentation => "by its documentation",
            _ => runs.dialect.version,
        };
        writeln!(out, "{} {version}, {}:", runs.dialect.title, runs.mode.name())?;
        if runs.items.is_empty() && runs.dropped.is_empty() {
            writeln!(out, "  nothing")?;
        }
        let is_rule = |item: &&RunItem| matches!(item.kind, RunKind::Permission { .. });
        let are_ordered = runs.dialect.last_rule_counts && runs.items.iter().filter(is_rule).count() > 1;
        let first_rule = runs.items.iter().position(|item| are_ordered && is_rule(&item));
        for (at, item) in runs.items.iter().enumerate() {
            if first_rule == Some(at) {
                writeln!(out, "  of the rules about tools that fit a call the last one counts:")?;
            }
            let on_use =
                item.on_use_of.as_ref().map(|name| format!(" of {}", sanitize::line(name))).unwrap_or_default();
            let (moment, about) = (item.moment.name(), runs_report::described(&item.kind));
            writeln!(out, "  {moment}{on_use}: {about} ({}; {})", placed(runs, &item.place), item.approval.name())?;
        }
        for dropped in &runs.dropped {
            if dropped.what == DroppedScope::Rest {
                let why = sanitize::line(&dropped.why);
                writeln!(out, "  only partly checked: {why} ({})", placed(runs, &dropped.place))?;
                continue;
            }
            let said = if dropped.is_said { "" } else { ", silently" };
            let (what, why) = (runs_report::lost(&dropped.what), sanitize::line(&dropped.why));
            writeln!(out, "  dropped{said}: {what}, because {why} ({})", placed(runs, &dropped.place))?;
        }
    }
    Ok(())
}

/// The file as it is reached from the start directory, and the line.
fn placed(runs: &AgentRuns, place: &SettingPlace) -> String {
    let path = place.path.relative_to(&runs.start);
    format!("{}:{}", sanitize::line(&String::from_utf8_lossy(&path)), place.line)
}

fn object(runs: &AgentRuns) -> Value {
    json!({
        "agent": runs.dialect.id,
        "agent_version": runs.dialect.version,
        "proof": runs.dialect.proof.name(),
        "directory": runs.start.to_str_lossy(),
        "mode": runs.mode.name(),
        "last_rule_counts": runs.dialect.last_rule_counts,
        "trusted": runs.mode != RunMode::HeadlessUntrusted,
        "runs": runs.items.iter().map(item).collect::<Vec<_>>(),
        "dropped": runs.dropped.iter().map(dropped).collect::<Vec<_>>(),
    })
}

fn item(item: &RunItem) -> Value {
    let mut value = runs_report::object(&item.kind);
    value["when"] = json!(item.moment.name());
    value["on_use_of"] = json!(item.on_use_of);
    value["approval"] = json!(item.approval.name());
    place(&mut value, &item.place);
    value
}

fn dropped(dropped: &DroppedSetting) -> Value {
    let scope = runs_report::scope(&dropped.what);
    let mut value = json!({"why": dropped.why, "scope": scope, "said": dropped.is_said});
    if let DroppedScope::File(lost) | DroppedScope::Place(lost) = dropped.what {
        let LostSettings { hooks, deny, allow, ask, servers, variables } = lost;
        value["lost"] = json!({
            "hooks": hooks, "deny": deny, "allow": allow, "ask": ask, "servers": servers, "variables": variables,
        });
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
