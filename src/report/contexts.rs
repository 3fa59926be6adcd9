//! How contexts change, for people, for a pull request comment, and as JSON. Which change is which is `comparison`'s to say.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde_json::{Value, json};

use super::diff::{self, Audience, FileDiff};
use super::markdown::{code, prose};
use super::{runs, safe_json, skills};
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::tokens;
use crate::compile::comparison::{ContextChange, Hidden};
use crate::compile::run_changes::RunChange;
use crate::compile::skill_changes::SkillChange;

/// A comment on GitHub has room for 65,536 characters.
const MAX_COMMENT: usize = 60_000;

/// What is compared, and what came of it.
#[derive(Debug)]
pub(crate) struct Comparison<'c> {
    /// The older revision, as it was named.
    pub base: &'c str,
    /// The newer one; `None` for the worktree.
    pub head: Option<&'c str>,
    /// The changes.
    pub changes: &'c [ContextChange],
    /// How what the agents run changes.
    pub runs: &'c [RunChange],
    /// How vendored skills change.
    pub skills: &'c [SkillChange],
    /// What limits them.
    pub notes: &'c [String],
}

/// Changes that say the same, of several agents and directories.
struct EqualChanges<'c> {
    first: &'c ContextChange,
    diff: String,
    members: Vec<&'c ContextChange>,
}

/// Put changes together whose files and lines are the same; the first one, of the topmost directory, stands for all. Changes of
/// several agents come together unless each is to be told by itself.
fn groups(changes: &[ContextChange], each_agent: bool) -> Vec<EqualChanges<'_>> {
    let mut groups: Vec<EqualChanges<'_>> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for change in changes {
        let diff = unified(change, false);
        let lines = diff
            .lines()
            .filter(|line| line.starts_with(['+', '-']) && !line.starts_with("+++ ") && !line.starts_with("--- "));
        let hidden: Vec<_> = change.hidden.iter().map(|hidden| (&hidden.path, hidden.position)).collect();
        let key = format!(
            "{:?} {:?} {:?} {:?} {hidden:?} {}",
            each_agent.then_some(change.agent),
            change.added,
            change.dropped,
            change.cut,
            lines.collect::<Vec<_>>().join("\n")
        );
        let index = *known.entry(key).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.members.push(change),
            None => groups.push(EqualChanges { first: change, diff, members: vec![change] }),
        }
    }
    groups
}

impl EqualChanges<'_> {
    fn agents(&self) -> Vec<&'static str> {
        let agents: BTreeSet<_> = self.members.iter().map(|change| change.agent).collect();
        agents.into_iter().collect()
    }

    /// The members in the first one's directory.
    fn here(&self) -> impl Iterator<Item = &ContextChange> {
        self.members.iter().copied().filter(|change| change.scope == self.first.scope)
    }

    /// The other directories, with the agents that do not change in the first one there.
    fn elsewhere(&self) -> BTreeSet<&RepoPath> {
        self.members.iter().map(|change| &change.scope).filter(|scope| **scope != self.first.scope).collect()
    }
}

/// The unified diff of one change, sanitised.
fn unified(change: &ContextChange, color: bool) -> String {
    let path = RepoPath::new(path::join(change.scope.as_bytes(), format!("{}.md", change.agent).as_bytes()));
    let side = |state: &crate::compile::comparison::ContextState| {
        let mut text = state.text.clone();
        // The end of a context is no line end of a file; a note about it would be no news.
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    };
    let (before, after) = (side(&change.before), side(&change.after));
    let file = FileDiff { path: &path, before: Some(before.as_bytes()), after: Some(after.as_bytes()) };
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = diff::write(&[file], Audience::Person { color }, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn sizes(change: &ContextChange) -> (String, String) {
    let arrow = |before: usize, after: usize| {
        let sign = if after >= before { '+' } else { '-' };
        format!("{before} → {after} ({sign}{})", after.abs_diff(before))
    };
    let (before, after) = (&change.before, &change.after);
    (arrow(before.bytes, after.bytes), arrow(before.tokens, after.tokens))
}

fn title(comparison: &Comparison<'_>) -> String {
    format!("{} to {}", comparison.base, comparison.head.unwrap_or("the worktree"))
}

/// For people.
///
/// # Errors
/// When `out` cannot be written.
pub(crate) fn human(comparison: &Comparison<'_>, color: bool, out: &mut dyn Write) -> io::Result<()> {
    runs::human(comparison.runs, out)?;
    skills::human(comparison.skills, out)?;
    let is_first = comparison.runs.is_empty() && comparison.skills.is_empty();
    if comparison.changes.is_empty() && is_first {
        return writeln!(out, "No context changes from {}.", sanitize::line(&title(comparison)));
    }
    for (index, group) in groups(comparison.changes, false).iter().enumerate() {
        let first = group.first;
        let space = if index == 0 && is_first { "" } else { "\n" };
        writeln!(out, "{space}{}: {}", sanitize::path(&first.scope), group.agents().join(", "))?;
        for change in group.here() {
            let (bytes, tokens) = sizes(change);
            writeln!(out, "  {}: {bytes} bytes, {}{tokens} tokens", change.agent, tokens::WORD)?;
        }
        for line in facts(first, &|path| sanitize::path(path).into_owned(), &|text| sanitize::line(text).into_owned()) {
            writeln!(out, "  {line}")?;
        }
        let elsewhere: Vec<_> = group.elsewhere().into_iter().map(|scope| sanitize::path(scope)).collect();
        if !elsewhere.is_empty() {
            writeln!(out, "  the same in {}", elsewhere.join(", "))?;
        }
        out.write_all(if color { unified(first, true) } else { group.diff.clone() }.as_bytes())?;
    }
    Ok(())
}

/// Files that come, go and are cut, and new hidden characters, one line each.
fn facts(change: &ContextChange, path: &dyn Fn(&RepoPath) -> String, text: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(change.added.iter().map(|added| format!("now loaded: {}", path(added))));
    lines.extend(change.dropped.iter().map(|dropped| format!("no longer loaded: {}", path(dropped))));
    lines.extend(change.cut.iter().map(|cut| match cut.whole {
        false => format!("now cut: {} in line {}", path(&cut.path), cut.line),
        true => format!("now cut: {}, all of it", path(&cut.path)),
    }));
    for Hidden { path: file, position, message, .. } in &change.hidden {
        let place = format!("{}:{}:{}", path(file), position.line, position.column);
        lines.push(format!("new hidden character: {place}: {}", text(message)));
    }
    lines
}

/// For a comment on a pull request: escaped, and short enough.
///
/// # Errors
/// When `out` cannot be written.
pub(crate) fn markdown(comparison: &Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    if comparison.changes.is_empty() && comparison.runs.is_empty() && comparison.skills.is_empty() {
        return writeln!(out, "## hintlint: no context changes\n\n{}", prose(&title(comparison)));
    }
    let scopes: BTreeSet<_> = comparison.changes.iter().map(|change| &change.scope).collect();
    let contexts = super::counted(scopes.len(), "directory", "directories");
    let loaded = (!scopes.is_empty()).then(|| format!("what agents load changes in {contexts}"));
    let run = (!comparison.runs.is_empty()).then(|| {
        let count = super::counted(comparison.runs.len(), "way", "ways");
        format!(
            "what they run {}",
            if loaded.is_some() { format!("in {count}") } else { format!("changes in {count}") }
        )
    });
    let skills = (!comparison.skills.is_empty())
        .then(|| super::counted(comparison.skills.len(), "vendored skill changes", "vendored skills change"));
    let head: Vec<String> = loaded.into_iter().chain(run).chain(skills).collect();
    let mut page = format!("## hintlint: {}\n\n{}\n", head.join(", "), prose(&title(comparison)));
    for note in comparison.notes {
        page.push_str(&format!("\n- note: {}\n", prose(note)));
    }
    if !comparison.runs.is_empty() {
        page.push_str(&format!("\n### Runs\n\n{}", runs::markdown(comparison.runs, MAX_COMMENT / 2)));
    }
    page.push_str(&skills::markdown(comparison.skills));
    let room = MAX_COMMENT.saturating_sub(page.len());
    page.push_str(&sections(comparison.changes, room));
    out.write_all(page.as_bytes())
}

/// The changes as Markdown, each once, in about `room` bytes.
pub(super) fn sections(changes: &[ContextChange], room: usize) -> String {
    let mut page = String::new();
    let groups = groups(changes, false);
    for (index, group) in groups.iter().enumerate() {
        let section = section(group);
        if page.len() + section.len() > room {
            let left = super::counted(groups.len() - index, "more change is", "more changes are");
            page.push_str(&format!("\n{left} not shown here; `hintlint diff` shows all.\n"));
            break;
        }
        page.push_str(&section);
    }
    page
}

fn section(group: &EqualChanges<'_>) -> String {
    let first = group.first;
    let mut text = format!("\n### {}\n\n", code(&sanitize::path(&first.scope)));
    let about = tokens::WORD.trim_end();
    let unit = if about.is_empty() { "Tokens".to_owned() } else { format!("Tokens ({about})") };
    text.push_str(&format!("| Agent | Bytes | {unit} |\n| --- | ---: | ---: |\n"));
    for change in group.here() {
        let (bytes, tokens) = sizes(change);
        text.push_str(&format!("| {} | {bytes} | {tokens} |\n", change.agent));
    }
    text.push('\n');
    for line in facts(first, &|path| code(&sanitize::path(path)), &|text| prose(text)) {
        text.push_str(&format!("- {line}\n"));
    }
    let elsewhere: Vec<_> = group.elsewhere().into_iter().map(|scope| code(&sanitize::path(scope))).collect();
    if !elsewhere.is_empty() {
        text.push_str(&format!("- the same in {}\n", elsewhere.join(", ")));
    }
    if !group.diff.is_empty() {
        let longest = group.diff.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        text.push_str(&format!(
            "\n<details><summary>Difference</summary>\n\n{fence}diff\n{}{fence}\n\n</details>\n",
            group.diff
        ));
    }
    text
}

/// One object. A change that directories below inherit is given once, with the directories and their sizes.
///
/// # Errors
/// When `out` cannot be written.
pub(crate) fn json(comparison: &Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let groups = groups(comparison.changes, true);
    let value = json!({
        "version": 1,
        "base": comparison.base,
        "head": comparison.head,
        "tokens_estimated": tokens::ESTIMATED,
        "notes": comparison.notes,
        "runs": runs::json(comparison.runs),
        "skills": skills::json(comparison.skills),
        "scopes": groups.iter().map(one).collect::<Vec<_>>(),
    });
    safe_json::write(&value, out)
}

fn one(group: &EqualChanges<'_>) -> Value {
    let change = group.first;
    let paths = |paths: &[RepoPath]| paths.iter().map(|path| path.to_str_lossy().into_owned()).collect::<Vec<_>>();
    let cut =
        change.cut.iter().map(|cut| json!({"path": cut.path.to_str_lossy(), "line": cut.line, "whole": cut.whole}));
    let hidden = change.hidden.iter().map(|hidden| {
        let place = hidden.position;
        json!({
            "path": hidden.path.to_str_lossy(),
            "line": place.line,
            "column": place.column,
            "class": hidden.class,
            "message": hidden.message,
        })
    });
    let inherited = group.members.iter().skip(1).map(|change| {
        let mut value = measured(change);
        value["scope"] = json!(sanitize::path(&change.scope));
        value
    });
    let mut value = json!({
        "scope": sanitize::path(&change.scope),
        "agent": change.agent,
        "added": paths(&change.added),
        "dropped": paths(&change.dropped),
        "cut": cut.collect::<Vec<_>>(),
        "hidden": hidden.collect::<Vec<_>>(),
        "diff": group.diff,
        "inherited_by": inherited.collect::<Vec<_>>(),
    });
    if let (Value::Object(all), Value::Object(sizes)) = (&mut value, measured(change)) {
        all.extend(sizes);
    }
    value
}

/// The sizes before and after.
fn measured(change: &ContextChange) -> Value {
    json!({
        "bytes": {"before": change.before.bytes, "after": change.after.bytes},
        "tokens": {"before": change.before.tokens, "after": change.after.tokens},
    })
}

#[cfg(test)]
mod tests;
