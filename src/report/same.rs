//! Whether two states are the same for agents, in words and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{counted, runs, safe_json};
use crate::base::sanitize;
use crate::compile::same::{SameVerdict, SidePlace, TextDifference};

/// Longer lines are cut, in characters.
const MAX_LINE: usize = 200;
/// Most lost lines that are listed for people.
const LISTED_LOST: usize = 5;

/// Write the verdict: the first difference with both sides, then for whom else there is one.
///
/// # Errors
/// When `out` cannot be written.
pub(crate) fn write(verdict: &SameVerdict, as_json: bool, out: &mut dyn Write) -> io::Result<()> {
    if as_json {
        return safe_json::write(&object(verdict), out);
    }
    let moves =
        verdict.moves.iter().map(|(from, to)| format!("{} read as {}", sanitize::line(from), sanitize::line(to)));
    let moves: Vec<String> = moves.collect();
    let moves = if moves.is_empty() { String::new() } else { format!(", with {}", moves.join(", ")) };
    if verdict.is_same() {
        let directories = counted(verdict.directories, "directory", "directories");
        let agents = if verdict.agents.is_empty() { "no agent".to_owned() } else { verdict.agents.join(", ") };
        return writeln!(out, "Same, byte for byte: what {agents} would load and run in {directories}{moves}");
    }
    if let Some(first) = verdict.texts.first() {
        let directory = sanitize::path(&first.directory);
        writeln!(out, "Different: what {} loads in {directory}, from byte {} on{moves}", first.agent, first.offset)?;
        writeln!(out, "  before: {}", place(&first.before))?;
        writeln!(out, "  after:  {}", place(&first.after))?;
        lost(first, out)?;
    }
    for other in verdict.texts.iter().skip(1) {
        let (directory, after) = (sanitize::path(&other.directory), place(&other.after));
        writeln!(out, "Also different: what {} loads in {directory}, after: {after}", other.agent)?;
    }
    for change in &verdict.runs {
        writeln!(out, "Different: what is run: {}", runs::line(change))?;
    }
    if let Some((agent, directory)) = &verdict.reordered {
        writeln!(out, "Different: the order in which {agent} runs the same things in {}", sanitize::path(directory))?;
    }
    Ok(())
}

/// The lines that the agent no longer gets, wherever they stood.
fn lost(difference: &TextDifference, out: &mut dyn Write) -> io::Result<()> {
    let count = difference.lost_count;
    if count == 0 {
        return writeln!(out, "  lost:   no line; only the order or added text differs");
    }
    writeln!(out, "  lost:   {}", counted(count, "line", "lines"))?;
    for lost in difference.lost.iter().take(LISTED_LOST) {
        writeln!(out, "    {}", place(lost))?;
    }
    match count.checked_sub(LISTED_LOST).filter(|rest| *rest > 0) {
        Some(rest) => writeln!(out, "    and {rest} more"),
        None => Ok(()),
    }
}

/// A line with its file.
fn place(place: &SidePlace) -> String {
    let Some(text) = &place.text else { return "(nothing more)".to_owned() };
    let cut: String = text.chars().take(MAX_LINE).collect();
    let text = sanitize::line(&cut).into_owned();
    match &place.file {
        Some((path, line)) => format!("{}:{line}: {text}", sanitize::path(path)),
        None => text,
    }
}

fn object(verdict: &SameVerdict) -> Value {
    let side = |place: &SidePlace| {
        let file = place.file.as_ref().map(|(path, line)| json!({"path": path.to_str_lossy(), "line": line}));
        json!({"file": file, "text": place.text})
    };
    let text = |one: &TextDifference| {
        json!({
            "agent": one.agent,
            "scope": sanitize::path(&one.directory),
            "offset": one.offset,
            "before": side(&one.before),
            "after": side(&one.after),
            "lost": {"count": one.lost_count, "lines": one.lost.iter().map(side).collect::<Vec<_>>()},
        })
    };
    let reordered = verdict.reordered.as_ref();
    json!({
        "version": 1,
        "same": verdict.is_same(),
        "agents": verdict.agents,
        "directories": verdict.directories,
        "texts": verdict.texts.iter().map(text).collect::<Vec<_>>(),
        "runs": runs::json(&verdict.runs),
        "reordered": reordered.map(|(agent, directory)| json!({"agent": agent, "scope": sanitize::path(directory)})),
    })
}

#[cfg(test)]
mod tests;
