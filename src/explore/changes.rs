//! What changed for whom since a revision, side by side. Changes that say the same are there once.

use std::collections::BTreeMap;

use serde::Serialize;
use similar::{Algorithm, DiffOp};

use super::Since;
use crate::agents::Dialect;
use crate::base::path::RepoPath;
use crate::compile::comparison::ContextChange;

/// Unchanged lines around a change.
const AROUND: usize = 3;

/// All changes.
#[derive(Serialize)]
pub(super) struct ChangeTable {
    base: String,
    groups: Vec<ChangeGroup>,
}

/// Changes of the same files and lines.
#[derive(Serialize)]
struct ChangeGroup {
    /// Agent (index), directory, bytes before and after, tokens before and after.
    members: Vec<(usize, String, [usize; 4])>,
    facts: Vec<String>,
    rows: Vec<DiffRow>,
}

/// What stands left and right in a row: the number of a line and its text. Empty on both sides between two places.
type DiffRow = (Option<(usize, String)>, Option<(usize, String)>);

/// A changed line, and whether it is the left one.
type SideLine = (bool, String);

impl ChangeTable {
    /// The changes as rows.
    pub(super) fn of(since: Since<'_>, agents: &[&'static Dialect]) -> ChangeTable {
        let mut groups: Vec<ChangeGroup> = Vec::new();
        let mut known: BTreeMap<(Vec<String>, Vec<SideLine>), usize> = BTreeMap::new();
        for change in since.changes {
            let Some(agent) = agents.iter().position(|dialect| dialect.id == change.agent) else { continue };
            let (rows, facts) = (rows(&change.before.text, &change.after.text), facts(change));
            let index = *known.entry((facts.clone(), changed(&rows))).or_insert(groups.len());
            let (before, after) = (&change.before, &change.after);
            let sizes = [before.bytes, after.bytes, before.tokens, after.tokens];
            let member = (agent, change.scope.to_str_lossy().into_owned(), sizes);
            match groups.get_mut(index) {
                Some(group) => group.members.push(member),
                None => groups.push(ChangeGroup { members: vec![member], facts, rows }),
            }
        }
        ChangeTable { base: since.base.to_owned(), groups }
    }
}

/// The lines that differ, whatever their numbers.
fn changed(rows: &[DiffRow]) -> Vec<SideLine> {
    let differ = rows.iter().filter(|(left, right)| left.as_ref().map(|l| &l.1) != right.as_ref().map(|r| &r.1));
    let texts =
        differ.flat_map(|(left, right)| [left.as_ref().map(|l| (true, &l.1)), right.as_ref().map(|r| (false, &r.1))]);
    texts.flatten().map(|(is_left, text)| (is_left, text.clone())).collect()
}

fn facts(change: &ContextChange) -> Vec<String> {
    let mut facts = Vec::new();
    let name = |path: &RepoPath| path.to_str_lossy().into_owned();
    facts.extend(change.added.iter().map(|path| format!("now loaded: {}", name(path))));
    facts.extend(change.dropped.iter().map(|path| format!("no longer loaded: {}", name(path))));
    facts.extend(change.cut.iter().map(|cut| match cut.whole {
        false => format!("now cut: {} in line {}", name(&cut.path), cut.line),
        true => format!("now cut: {}, all of it", name(&cut.path)),
    }));
    facts.extend(change.hidden.iter().map(|hidden| {
        let line = hidden.position.line;
        format!("new hidden character: {}:{line}: {}", name(&hidden.path), hidden.message)
    }));
    facts
}

fn rows(before: &str, after: &str) -> Vec<DiffRow> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let left = |at: usize| old.get(at).map(|text| (at + 1, (*text).to_owned()));
    let right = |at: usize| new.get(at).map(|text| (at + 1, (*text).to_owned()));
    let mut rows = Vec::new();
    let ops = similar::capture_diff_slices(Algorithm::Myers, &old, &new);
    for hunk in similar::group_diff_ops(ops, AROUND) {
        if !rows.is_empty() {
            rows.push((None, None));
        }
        for op in hunk {
            let (a, b) = (op.old_range(), op.new_range());
            let count = a.len().max(b.len());
            let is_same = matches!(op, DiffOp::Equal { .. });
            rows.extend((0..count).map(|at| {
                let (l, r) =
                    (Some(a.start + at).filter(|l| a.contains(l)), Some(b.start + at).filter(|r| b.contains(r)));
                debug_assert!(!is_same || l.is_some() && r.is_some());
                (l.and_then(left), r.and_then(right))
            }));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_stand_beside_each_other() {
        let shown = |row: &DiffRow| {
            let side =
                |side: &Option<(usize, String)>| side.as_ref().map_or("-".into(), |(n, text)| format!("{n}{text}"));
            format!("{}|{}", side(&row.0), side(&row.1))
        };
        let found: Vec<String> = rows("a\nb\nc\n", "a\nx\ny\nc\n").iter().map(shown).collect();
        assert_eq!(found, ["1a|1a", "2b|2x", "-|3y", "3c|4c"]);
        assert!(rows("a\n", "a\n").is_empty());
    }
}
