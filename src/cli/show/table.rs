//! Which agent loads which file: a table of all agents for one start directory and one touched file.

use super::ShowFormat;
use crate::agents::context::{self, LoadOptions};
use crate::agents::{self, Proof};
use crate::base::defect;
use crate::base::sanitize;
use crate::compile::delivery::{Delivery, deliveries};
use crate::report::safe_json;
use crate::world::{AbsPath, World};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// One row per file, one column per agent. The answer names the agents of whom nothing is known, since loading panicked.
pub(in crate::cli) fn print(
    world: &dyn World,
    start: &AbsPath,
    options: &LoadOptions,
    format: ShowFormat,
    out: &mut dyn Write,
) -> io::Result<Vec<&'static str>> {
    let agents: Vec<&str> =
        agents::ALL.iter().filter(|dialect| dialect.proof != Proof::Ours).map(|dialect| dialect.id).collect();
    let mut rows: BTreeMap<AbsPath, BTreeMap<&str, Delivery>> = BTreeMap::new();
    let (mut roots, mut failed) = (BTreeSet::new(), Vec::new());
    for id in &agents {
        let Some(dialect) = agents::by_id(id) else { continue };
        let Some(context) = defect::contain(|| context::load(world, dialect, start, options)) else {
            failed.push(dialect.id);
            continue;
        };
        roots.extend(context.root.clone());
        for (path, delivery) in deliveries(&context) {
            rows.entry(path.clone()).or_default().insert(id, delivery);
        }
    }
    match format {
        ShowFormat::Json => {
            let files: Vec<Value> = rows
                .iter()
                .map(|(path, agents)| {
                    let agents: serde_json::Map<String, Value> =
                        agents.iter().map(|(id, state)| ((*id).to_owned(), json!(state.name()))).collect();
                    json!({"path": path.to_str_lossy(), "agents": agents})
                })
                .collect();
            let touched = options.touch.as_ref().map(|path| path.to_str_lossy());
            let value = json!({"version": 1, "directory": start.to_str_lossy(), "file": touched, "files": files});
            safe_json::write(&value, out)?;
        }
        ShowFormat::Text => text(&agents, &rows, roots.first(), out)?,
    }
    out.flush()?;
    Ok(failed)
}

fn text(
    agents: &[&str],
    rows: &BTreeMap<AbsPath, BTreeMap<&str, Delivery>>,
    root: Option<&AbsPath>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = |path: &AbsPath| match root {
        Some(root) if path.is_within(root) => sanitize::line_bytes(&path.relative_to(root)).into_owned(),
        _ => sanitize::line(&path.to_str_lossy()).into_owned(),
    };
    let names: Vec<String> = rows.keys().map(name).collect();
    // Agents that load nothing here would only make the table wide.
    let used: Vec<&str> = agents.iter().copied().filter(|id| rows.values().any(|row| row.contains_key(id))).collect();
    if used.is_empty() {
        return writeln!(out, "no agent loads any file here");
    }
    let width = names.iter().map(|name| unicode_width::UnicodeWidthStr::width(name.as_str())).max().unwrap_or(0);
    write!(out, "{:width$}", "")?;
    for id in &used {
        write!(out, "  {id}")?;
    }
    writeln!(out)?;
    for (name, row) in names.iter().zip(rows.values()) {
        let pad = width - unicode_width::UnicodeWidthStr::width(name.as_str());
        let mut line = format!("{name}{}", " ".repeat(pad));
        for id in &used {
            let state = row.get(id).map_or("-", |state| state.name());
            line.push_str(&format!("  {state:<0$}", id.len()));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
