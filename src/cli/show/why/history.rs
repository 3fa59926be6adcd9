//! `show --why TEXT --history`: the commit at which an agent began or stopped to be sent a text, along the first parents.
//!
//! The newest commits that can have changed a context are rendered one after the other, so that the answer is exact even where
//! the text came and went. Behind them a bisection finds one commit where it came or went, and the answer says so.

use super::{AgentAnswer, ShowArgs, ShowError, session};
use crate::agents::{Dialect, Proof};
use crate::base::defect;
use crate::base::path::RepoPath;
use crate::base::sanitize;
use crate::cli::Console;
use crate::cli::args::SourceArgs;
use crate::compile::compiler;
use crate::compile::influence::Influence;
use crate::compile::why::Sought;
use crate::source::history::steps::FirstParent;
use crate::workspace::Workspace;
use crate::world::AbsPath;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Commits that are looked at.
const MAX_LOOKED: usize = 20_000;
/// Commits that are rendered one after the other before the bisection.
const MAX_RENDERED: usize = 256;
/// States behind them among which the bisection looks for two that differ.
const MAX_PROBES: usize = 64;
/// Digits of a commit's name.
const DIGITS: usize = 10;

/// When an agent began or stopped to be sent the text.
pub(super) struct Turn {
    is_sent: bool,
    when: TextChange,
}

enum TextChange {
    /// By this commit; whether the text may have come and gone since.
    Commit { id: String, date: String, subject: String, is_exact: bool },
    /// By what is not committed.
    Uncommitted,
    /// Not in the commits that were looked at.
    Never { looked: usize, is_all: bool, is_sampled: bool },
}

/// What is asked.
pub(super) struct HistoryQuestion<'q> {
    pub(super) root: &'q AbsPath,
    pub(super) start: &'q AbsPath,
    pub(super) sought: &'q Sought,
    pub(super) file: Option<AbsPath>,
    pub(super) args: &'q ShowArgs,
}

impl Turn {
    /// In words.
    pub(super) fn told(&self) -> String {
        let word = if self.is_sent { "since" } else { "until" };
        match &self.when {
            TextChange::Commit { id, date, subject, is_exact } => {
                let doubt = if *is_exact { "" } else { " (it may have come and gone since)" };
                let short: String = id.chars().take(DIGITS).collect();
                format!("{word} {short} of {date}, {}{doubt}", sanitize::line(subject))
            }
            TextChange::Uncommitted => format!("{word} a change that is not committed"),
            TextChange::Never { looked, is_all, is_sampled } => {
                let told = match (is_all, self.is_sent) {
                    (true, true) => "in every commit".to_owned(),
                    (true, false) => "in no commit".to_owned(),
                    (false, _) => format!("as in all of the last {looked} commits"),
                };
                told + if *is_sampled { " (only some of them were checked)" } else { "" }
            }
        }
    }

    pub(super) fn json(&self) -> Value {
        let change = if self.is_sent { "started" } else { "stopped" };
        match &self.when {
            TextChange::Commit { id, date, subject, is_exact } => {
                json!({"change": change, "commit": id, "date": date, "subject": subject, "exact": is_exact})
            }
            TextChange::Uncommitted => json!({"change": change, "commit": null, "exact": true}),
            TextChange::Never { looked, .. } => json!({"change": null, "looked": looked}),
        }
    }
}

/// One walk through history for all agents.
struct HistoryWalk<'q, 'c, 'd> {
    question: &'q HistoryQuestion<'q>,
    console: &'c mut Console<'d>,
    steps: Vec<FirstParent>,
    /// Which of the agents that are asked about are sent the text before the commit of a number, where that was looked at.
    known: BTreeMap<usize, Vec<bool>>,
}

/// Find, for each answer, the commit since which it holds.
pub(super) fn fill(
    answers: &mut [AgentAnswer],
    question: &HistoryQuestion<'_>,
    console: &mut Console<'_>,
) -> Result<(), ShowError> {
    let now = session(&SourceArgs::default(), question.start, &question.args.config, console)?;
    let steps = match now.repository.first_parents(MAX_LOOKED) {
        Ok(steps) => steps,
        Err(error) => {
            console.note(&format!("the history could not be searched: {error}"));
            return Ok(());
        }
    };
    let failed = |error: crate::base::error::Error| ShowError::Repository(Box::new(error));
    let loaded = now.load().map_err(failed)?.workspace;
    let mut walk = HistoryWalk { question, console, steps, known: BTreeMap::new() };
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (index, answer) in answers.iter().enumerate() {
        open.push((index, walk.has(&loaded, answer.agent)));
    }
    let agents: Vec<&'static Dialect> = answers.iter().map(|answer| answer.agent).collect();
    let mut turns: Vec<Option<TextChange>> = answers.iter().map(|_| None).collect();
    let is_now: Vec<bool> = open.iter().map(|(_, is_sent)| *is_sent).collect();
    let rest = walk.newest(&agents, &mut open, &mut turns)?;
    let asked: Vec<&'static Dialect> = open.iter().map(|(index, _)| agents[*index]).collect();
    for (number, (index, is_sent)) in open.into_iter().enumerate() {
        turns[index] = Some(walk.older(&asked, number, is_sent, rest)?);
    }
    for ((answer, when), is_sent) in answers.iter_mut().zip(turns).zip(is_now) {
        answer.turn = when.map(|when| Turn { is_sent, when });
    }
    Ok(())
}

impl HistoryWalk<'_, '_, '_> {
    /// Render the newest commits one after the other. The agents that stay `open` are the same in all of them; the answer is
    /// the first commit that was not looked at.
    fn newest(
        &mut self,
        agents: &[&'static Dialect],
        open: &mut Vec<(usize, bool)>,
        turns: &mut [Option<TextChange>],
    ) -> Result<usize, ShowError> {
        let Some(first) = self.steps.first().map(|step| step.id.clone()) else { return Ok(0) };
        let mut later = self.state(Some(&first))?;
        self.settle(&later, agents, open, |index| turns[index] = Some(TextChange::Uncommitted));
        let mut rendered = 0;
        for at in 0..self.steps.len() {
            if open.is_empty() || rendered == MAX_RENDERED {
                return Ok(at);
            }
            let influence = Influence::of(&later);
            if !self.steps[at].changed.iter().any(|path| influence.has(path)) {
                continue;
            }
            rendered += 1;
            let before = self.state(self.steps[at].parent.clone().as_deref())?;
            let when = |is_exact| commit(&self.steps[at], is_exact);
            self.settle(&before, agents, open, |index| turns[index] = Some(when(true)));
            later = before;
        }
        Ok(self.steps.len())
    }

    /// Remove the agents whose answer differs in `before`.
    fn settle(
        &self,
        before: &Workspace,
        agents: &[&'static Dialect],
        open: &mut Vec<(usize, bool)>,
        mut take: impl FnMut(usize),
    ) {
        open.retain(|(index, is_sent)| {
            let is_same = self.has(before, agents[*index]) == *is_sent;
            if !is_same {
                take(*index);
            }
            is_same
        });
    }

    /// Find a commit before the newest `rest` where it changes for the agent of this number, by bisection.
    fn older(
        &mut self,
        asked: &[&'static Dialect],
        number: usize,
        is_sent: bool,
        rest: usize,
    ) -> Result<TextChange, ShowError> {
        let looked = self.steps.len();
        let is_all = self.steps.last().is_none_or(|step| step.parent.is_none());
        let span = looked.saturating_sub(rest);
        let count = span.min(MAX_PROBES);
        // Where the end is as now, it may have been otherwise in between: before the first commit there is no text.
        let is_end_other = span > 0 && self.has_before(asked, number, looked - 1)? != is_sent;
        let spaced = (1..=count).map(|probe| rest + span * probe / count).chain([looked.saturating_sub(1)]);
        let probes: Vec<usize> = spaced.filter(|at| !is_end_other && *at > rest && *at < looked).collect();
        let (mut same, mut differs) = (rest, is_end_other.then_some(looked));
        for at in probes {
            if self.has_before(asked, number, at - 1)? != is_sent {
                differs = Some(at);
                break;
            }
            same = at;
        }
        let Some(mut other) = differs else {
            return Ok(TextChange::Never { looked, is_all, is_sampled: span > count });
        };
        // After the commit `same` it is as now, after `other` it is not.
        while same + 1 < other {
            let middle = same + (other - same) / 2;
            match self.has_before(asked, number, middle - 1)? == is_sent {
                true => same = middle,
                false => other = middle,
            }
        }
        Ok(commit(&self.steps[same], false))
    }

    /// Whether the agent of this number is sent the text before a commit. Each state is loaded once for all that are asked about.
    fn has_before(&mut self, asked: &[&'static Dialect], number: usize, at: usize) -> Result<bool, ShowError> {
        if let Some(known) = self.known.get(&at) {
            return Ok(known[number]);
        }
        let state = self.state(self.steps[at].parent.clone().as_deref())?;
        let known: Vec<bool> = asked.iter().map(|agent| self.has(&state, agent)).collect();
        let has = known[number];
        self.known.insert(at, known);
        Ok(has)
    }

    /// The repository at a commit; empty before the first.
    fn state(&mut self, commit: Option<&str>) -> Result<Workspace, ShowError> {
        let Some(commit) = commit else { return Ok(Workspace::default()) };
        let source = SourceArgs { rev: Some(commit.to_owned()), ..SourceArgs::default() };
        let opened = session(&source, self.question.start, &self.question.args.config, self.console)?;
        Ok(opened.load().map_err(|error| ShowError::Repository(Box::new(error)))?.workspace)
    }

    /// Whether the agent is sent the text in a state of the repository. What is not known counts as not sent.
    fn has(&self, workspace: &Workspace, agent: &'static Dialect) -> bool {
        let HistoryQuestion { root, start, sought, file, .. } = self.question;
        let dir = start.relative_to(root);
        let file = file.as_ref().filter(|file| file.is_within(root)).map(|file| RepoPath::new(file.relative_to(root)));
        let has = || match agent.proof {
            Proof::Ours => {
                let compiler = compiler(workspace).ok()?;
                let context = compiler.merged().context(&dir, false, None)?;
                Some(sought.find(context.expanded.text()).is_some())
            }
            _ => {
                let loaded = workspace.context_on_touching(agent, &dir, file.as_ref());
                Some(loaded.context.parts.iter().any(|part| sought.find(&part.text).is_some()))
            }
        };
        defect::contain(has).flatten().unwrap_or(false)
    }
}

fn commit(step: &FirstParent, is_exact: bool) -> TextChange {
    TextChange::Commit { id: step.id.clone(), date: step.date.clone(), subject: step.subject.clone(), is_exact }
}
