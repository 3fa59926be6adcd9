//! Whether two states are the same for agents, in words and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{counted, runs, safe_json, skills};
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::compile::same::{LostLine, OfferedChange, SameVerdict, SidePlace, TextDifference};

/// Longer lines are cut, in characters.
const MAX_LINE: usize = 200;
/// Most lost lines that are listed for people.
const LISTED_LOST: usize = 5;
/// Most further texts that are listed for people.
const LISTED_TEXTS: usize = 40;
/// Most directories that are named for all others, and files of a skill.
const NAMED: usize = 3;

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
        return same(verdict, &moves, out);
    }
    if let Some(first) = verdict.texts.first() {
        writeln!(
            out,
            "Different: what {} loads in {}, from byte {} on{moves}",
            first.agent,
            start(first),
            first.offset
        )?;
        writeln!(out, "  before: {}", place(&first.before))?;
        writeln!(out, "  after:  {}", place(&first.after))?;
        lost(first, out)?;
    }
    let others = grouped(verdict.texts.get(1..).unwrap_or_default());
    for (told, agents) in others.iter().take(LISTED_TEXTS) {
        let verb = if agents.len() == 1 { "loads" } else { "load" };
        writeln!(out, "Also different: what {} {verb} in {told}", agents.join(", "))?;
    }
    if let Some(rest) = others.len().checked_sub(LISTED_TEXTS).filter(|rest| *rest > 0) {
        writeln!(out, "Also different: {rest} more, which --format json lists")?;
    }
    for change in &verdict.offered {
        writeln!(out, "Different: {}", offered(change))?;
    }
    for change in &verdict.runs {
        writeln!(out, "Different: what is run: {}", runs::line(change))?;
    }
    if let Some((agent, directory)) = &verdict.reordered {
        writeln!(out, "Different: the order in which {agent} runs the same things in {}", sanitize::path(directory))?;
    }
    Ok(())
}

/// The line that nothing differs, and what was compared for it.
fn same(verdict: &SameVerdict, moves: &str, out: &mut dyn Write) -> io::Result<()> {
    let directories = counted(verdict.directories, "directory", "directories");
    let agents = if verdict.agents.is_empty() { "no agent".to_owned() } else { verdict.agents.join(", ") };
    let named: Vec<_> = verdict.representatives.iter().take(NAMED).map(sanitize::path).collect();
    let others = match (verdict.representatives.len(), named.join(", ")) {
        (0, _) => String::new(),
        (1, name) => format!(" and in {name}, which stands for all others"),
        (count, names) if count <= NAMED => format!(" and in {names}, which stand for all others"),
        (count, names) => format!(" and in {count} that stand for all others ({names}, …)"),
    };
    writeln!(out, "Same, byte for byte: what {agents} would load and run in {directories}{others}{moves}")
}

/// What is said of texts, and of whose.
fn grouped(texts: &[TextDifference]) -> Vec<(String, Vec<&'static str>)> {
    let mut groups: Vec<(String, Vec<&'static str>)> = Vec::new();
    for text in texts {
        let first = match (text.lost.first(), &text.gained) {
            (Some(lost), _) => format!("first {}", place(&lost.place)),
            (None, Some(gained)) => format!("first {}", place(gained)),
            (None, None) => format!("after: {}", place(&text.after)),
        };
        let told = format!("{}: {}; {first}", start(text), change(text));
        match groups.iter_mut().find(|(known, _)| *known == told) {
            Some((_, agents)) => agents.push(text.agent),
            None => groups.push((told, vec![text.agent])),
        }
    }
    groups
}

/// The directory of a start, and for which others it stands.
fn start(difference: &TextDifference) -> String {
    let directory = sanitize::path(&difference.directory);
    match &difference.stands_below {
        Some(above) if above.as_bytes().is_empty() => {
            format!("{directory} (and each directory without hint files below the root)")
        }
        Some(above) => format!("{directory} (and each directory without hint files below {})", sanitize::path(above)),
        None => directory.into_owned(),
    }
}

/// How many lines are lost and gained.
fn change(difference: &TextDifference) -> String {
    let gained = counted(difference.gained_count, "line", "lines");
    match (difference.lost_count, difference.gained_count) {
        (0, 0) if difference.is_reordered => "loses no line; the order differs".to_owned(),
        (0, 0) => "loses no line; blanks, line ends, repeated lines or the agent's own words differ".to_owned(),
        (0, _) if difference.is_reordered => format!("gains {gained}, loses none; the order differs"),
        (0, _) => format!("gains {gained}, loses none"),
        (lost, _) => {
            let cut = cut(difference).map_or(String::new(), |cut| format!(" ({cut})"));
            format!("loses {}{cut}", counted(lost, "line", "lines"))
        }
    }
}

/// That lines are lost because the agent reads no further.
fn cut(difference: &TextDifference) -> Option<String> {
    let read = match difference.limit {
        Some(limit) => format!("{} reads {limit} bytes", difference.agent),
        None => format!("{} reads no further", difference.agent),
    };
    match difference.cut_count {
        0 => None,
        all if all == difference.lost_count => Some(format!("cut off: {read}")),
        some => Some(format!("{some} of them cut off: {read}")),
    }
}

/// The lines that the agent no longer gets, wherever they stood.
fn lost(difference: &TextDifference, out: &mut dyn Write) -> io::Result<()> {
    let count = difference.lost_count;
    if count == 0 {
        return writeln!(out, "  lost:   no line: {} {}", difference.agent, change(difference));
    }
    let cut = cut(difference).map_or(String::new(), |cut| format!(", {cut}"));
    writeln!(out, "  lost:   {}{cut}", counted(count, "line", "lines"))?;
    for lost in difference.lost.iter().take(LISTED_LOST) {
        writeln!(out, "    {}", place(&lost.place))?;
    }
    match count.checked_sub(LISTED_LOST).filter(|rest| *rest > 0) {
        Some(rest) => writeln!(out, "    and {rest} more"),
        None => Ok(()),
    }
}

/// A line with its file.
fn place(place: &SidePlace) -> String {
    let cut: String = place.text.iter().flat_map(|text| text.chars()).take(MAX_LINE).collect();
    let text = sanitize::line(cut.trim_end()).into_owned();
    let text = match &place.file {
        Some((path, line)) => format!("{}:{line}: {text}", sanitize::path(path)),
        None => text,
    };
    match &place.words {
        Some(words) if place.text.is_none() => words.clone(),
        Some(words) if words.ends_with("then)") => format!("{words} {text}"),
        Some(words) => format!("{text} {words}"),
        None => text,
    }
}

/// What became of a skill, subagent or command.
fn offered(change: &OfferedChange) -> String {
    let agents = change.agents.join(", ");
    let (kind, path) = (change.kind.name(), sanitize::path(&change.path));
    let became = skills::word(change.difference);
    let named: Vec<_> = change.files.iter().take(NAMED).map(sanitize::path).collect();
    let files = match change.files.len().saturating_sub(NAMED) {
        0 if named.is_empty() => String::new(),
        0 => format!(": {}", named.join(", ")),
        more => format!(": {} and {more} more files", named.join(", ")),
    };
    format!("{became} for {agents}: {kind} {path}{files}")
}

fn object(verdict: &SameVerdict) -> Value {
    let side = |place: &SidePlace| {
        let file = place.file.as_ref().map(|(path, line)| json!({"path": path.to_str_lossy(), "line": line}));
        json!({"file": file, "text": place.text, "note": place.words})
    };
    let lost = |lost: &LostLine| {
        let mut value = side(&lost.place);
        value["cut"] = json!(lost.is_cut);
        value
    };
    let text = |one: &TextDifference| {
        json!({
            "agent": one.agent,
            "scope": sanitize::path(&one.directory),
            "stands_below": one.stands_below.as_ref().map(|above| sanitize::path(above)),
            "offset": one.offset,
            "before": side(&one.before),
            "after": side(&one.after),
            "lost": {
                "count": one.lost_count,
                "cut": one.cut_count,
                "limit": one.limit,
                "lines": one.lost.iter().map(lost).collect::<Vec<_>>(),
            },
            "gained": {"count": one.gained_count, "first": one.gained.as_ref().map(side)},
            "reordered": one.is_reordered,
        })
    };
    let offered = |one: &OfferedChange| {
        json!({
            "kind": one.kind.name(),
            "path": one.path.to_str_lossy(),
            "change": skills::word(one.difference),
            "files": one.files.iter().map(RepoPath::to_str_lossy).collect::<Vec<_>>(),
            "agents": one.agents,
        })
    };
    let reordered = verdict.reordered.as_ref();
    json!({
        "version": 1,
        "same": verdict.is_same(),
        "agents": verdict.agents,
        "directories": verdict.directories,
        "representatives": verdict.representatives.iter().map(sanitize::path).collect::<Vec<_>>(),
        "texts": verdict.texts.iter().map(text).collect::<Vec<_>>(),
        "offered": verdict.offered.iter().map(offered).collect::<Vec<_>>(),
        "runs": runs::json(&verdict.runs),
        "reordered": reordered.map(|(agent, directory)| json!({"agent": agent, "scope": sanitize::path(directory)})),
    })
}

#[cfg(test)]
mod tests;
