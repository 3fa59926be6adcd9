//! Whether agents load, offer and run the same in two states of a repository, byte for byte: the proof that a refactoring loses
//! nothing. Text may move from one file to another where that is said; then the names of the files in agents' frames are the
//! only thing that may differ.

mod lines;
mod offered;
mod side;
mod starts;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use self::offered::OfferedChange;
use self::side::{LoadedText, TextSide};
use self::starts::SameStart;
use super::run_changes::{self, RunAgents, RunChange, RunState};
use crate::agents::Dialect;
use crate::base::path::RepoPath;
use crate::source::Changes;

/// A line of an agent's text, or where it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SidePlace {
    /// The file and line (from 1) that the text comes from, where it can be told.
    pub file: Option<(RepoPath, usize)>,
    /// The line of the agent's text, under the names of its own state; `None` where the text has ended.
    pub text: Option<String>,
    /// What the line itself does not show: a blank line in front of it, or blanks and the line end behind it.
    pub words: Option<String>,
}

/// A line that is nowhere any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LostLine {
    /// Where it stood.
    pub place: SidePlace,
    /// Whether it still stands in a file, behind the last byte that the agent reads.
    pub is_cut: bool,
}

/// Where the text of one agent in one directory begins to differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextDifference {
    /// The agent.
    pub agent: &'static str,
    /// The directory in which it is started.
    pub directory: RepoPath,
    /// The directory below which it stands for each that holds no hint files of its own.
    pub stands_below: Option<RepoPath>,
    /// How many bytes of its text are the same.
    pub offset: usize,
    /// Before.
    pub before: SidePlace,
    /// After.
    pub after: SidePlace,
    /// Lines of the old text that are missing in the new one, up to [`MAX_LOST`].
    pub lost: Vec<LostLine>,
    /// How many those are in all.
    pub lost_count: usize,
    /// How many of them still stand in a file, and are cut off.
    pub cut_count: usize,
    /// The bytes that the agent reads, where it cuts something off.
    pub limit: Option<usize>,
    /// The first line of the new text that is not in the old one.
    pub gained: Option<SidePlace>,
    /// How many those are in all.
    pub gained_count: usize,
    /// Whether the lines of both stand in another order.
    pub is_reordered: bool,
}

/// Most lost lines that are kept.
const MAX_LOST: usize = 20;

/// What is not the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SameVerdict {
    /// The agents that were compared.
    pub agents: Vec<&'static str>,
    /// In how many directories that hold something for them.
    pub directories: usize,
    /// Directories that hold nothing for an agent and stand for all others.
    pub representatives: BTreeSet<RepoPath>,
    /// Texts that differ, by agent and directory, those that lose most first.
    pub texts: Vec<TextDifference>,
    /// Skills, subagents and commands that differ.
    pub offered: Vec<OfferedChange>,
    /// What is run differently.
    pub runs: Vec<RunChange>,
    /// An agent and directory for which the order differs in which the same things run.
    pub reordered: Option<(&'static str, RepoPath)>,
    /// From which file to which text may move.
    pub moves: Vec<(String, String)>,
}

impl SameVerdict {
    /// Whether nothing differs.
    pub(crate) fn is_same(&self) -> bool {
        self.texts.is_empty() && self.offered.is_empty() && self.runs.is_empty() && self.reordered.is_none()
    }
}

/// The agents to compare.
#[derive(Clone, Debug, Default)]
pub(crate) struct SameAgents {
    /// These in any case.
    pub chosen: Vec<&'static Dialect>,
    /// These if they load or are offered something in either state.
    pub if_reading: Vec<&'static Dialect>,
}

/// Compare two states for `agents`. Each of `moves` names a file, in any directory if there is no `/` in it, and the one that
/// its text may move to.
pub(crate) fn compare(
    before: &RunState<'_>,
    after: &RunState<'_>,
    agents: &SameAgents,
    moves: &[(String, String)],
    changes: Option<&Changes>,
) -> SameVerdict {
    let mut verdict = SameVerdict { moves: moves.to_vec(), ..SameVerdict::default() };
    let (old, new) = (TextSide::new(before, moves), TextSide::new(after, moves));
    let (mut compared, mut all) = (Vec::new(), BTreeSet::new());
    for (&dialect, is_chosen) in agents.all() {
        let starts = starts::of(&old, &new, dialect);
        let texts: Vec<_> = starts
            .iter()
            .map(|start| (start, old.loaded(dialect, &start.directory), new.loaded(dialect, &start.directory)))
            .collect();
        let is_idle = texts.iter().all(|(_, was, is)| was.is_empty() && is.is_empty());
        if !is_chosen && is_idle && !offered::is_any(before, dialect) && !offered::is_any(after, dialect) {
            continue;
        }
        let differs = |(start, was, is): &(&SameStart, LoadedText, LoadedText)| {
            lines::difference(dialect, start, (&old, was), (&new, is))
        };
        let found: Vec<TextDifference> = texts.iter().filter_map(differs).collect();
        // What is said of a directory is not said again of those below it.
        let (own, below): (Vec<_>, Vec<_>) = found.into_iter().partition(|one| one.stands_below.is_none());
        let by_directory: BTreeMap<&RepoPath, &TextDifference> = own.iter().map(|one| (&one.directory, one)).collect();
        let is_said = |one: &TextDifference| {
            let above = one.stands_below.as_ref().and_then(|above| by_directory.get(above));
            above.is_some_and(|above| one.is_like(above))
        };
        let below: Vec<TextDifference> = below.into_iter().filter(|one| !is_said(one)).collect();
        verdict.texts.extend(own.into_iter().chain(below));
        let (below, here): (Vec<&SameStart>, Vec<&SameStart>) =
            starts.iter().partition(|start| start.stands_below.is_some());
        all.extend(here.into_iter().map(|start| start.directory.clone()));
        verdict.representatives.extend(below.into_iter().map(|start| RepoPath::new(&*start.directory)));
        compared.push(dialect);
    }
    compared.sort_by_key(|dialect| dialect.id);
    verdict.directories = all.len();
    verdict.agents = compared.iter().map(|dialect| dialect.id).collect();
    verdict.texts.sort_by_key(|one| (std::cmp::Reverse(one.lost_count), one.lost_count == 0 && !one.is_reordered));
    verdict.offered = offered::compare(before, after, &compared, moves, changes);
    let chosen = RunAgents { chosen: compared.clone(), others: Vec::new() };
    verdict.runs = run_changes::compare(before, after, &chosen, changes);
    if verdict.runs.is_empty() {
        verdict.reordered = run_changes::first_reordered(before, after, &compared);
    }
    verdict
}

impl SameAgents {
    fn all(&self) -> impl Iterator<Item = (&&'static Dialect, bool)> {
        let further = self.if_reading.iter().filter(|dialect| !self.chosen.contains(dialect));
        self.chosen.iter().map(|dialect| (dialect, true)).chain(further.map(|dialect| (dialect, false)))
    }
}

impl TextDifference {
    /// Whether the same lines of files are different as in `other`, whatever the agent's own lines say of the directory.
    fn is_like(&self, other: &TextDifference) -> bool {
        let told = |one: &TextDifference| {
            let places = [&one.before, &one.after].map(|place| place.file.clone());
            let lost: Vec<_> = one.lost.iter().map(|lost| lost.place.clone()).collect();
            (places, one.lost_count, one.gained_count, one.cut_count, one.is_reordered, lost, one.gained.clone())
        };
        told(self) == told(other)
    }
}
