//! Running rules, each on its own: a rule that panics on a file costs that file and rule, and no finding of another.

use rayon::prelude::*;

use crate::base::defect;
use crate::base::error::Failure;
use crate::base::finding::Finding;
use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::rules::{Cx, Group, Rule, RuleInfo};
use crate::source::history::Questions;
use crate::workspace::Workspace;

/// Below this many documents a thread pool costs more than it saves.
pub(super) const PARALLEL_FROM: usize = 4;

/// What the rules ask of history.
#[derive(Default)]
pub(super) struct HistoryQuestions {
    /// Rules that have a question.
    pub(super) asking: Vec<&'static dyn Rule>,
    /// Rules that have none.
    pub(super) others: Vec<&'static dyn Rule>,
    /// All questions together.
    pub(super) questions: Questions,
}

/// Collect the questions of `active`; a rule that fails at it is not run.
pub(super) fn ask(active: &[&'static dyn Rule], cx: &Cx<'_>, found: &mut RawFindings) -> HistoryQuestions {
    let ask = |rule: &&'static dyn Rule| {
        let mut own = Questions::default();
        defect::contain(|| rule.ask(cx, &mut own))?;
        Some(own)
    };
    let all: Vec<Option<Questions>> = match cx.workspace.documents.len() {
        0..PARALLEL_FROM => active.iter().map(ask).collect(),
        _ => active.par_iter().map(ask).collect(),
    };
    let mut asked = HistoryQuestions::default();
    for (rule, own) in active.iter().zip(all) {
        match own {
            None => found.failed(rule.info(), None),
            Some(own) if own.is_empty() => asked.others.push(*rule),
            Some(mut own) => {
                asked.asking.push(*rule);
                asked.questions.fates.append(&mut own.fates);
                asked.questions.last_changes.append(&mut own.last_changes);
                asked.questions.endings.append(&mut own.endings);
                asked.questions.submodules |= own.submodules;
            }
        }
    }
    asked
}

/// What rules found, and what they failed on; in no order.
#[derive(Default)]
pub(super) struct RawFindings {
    pub(super) findings: Vec<Finding>,
    pub(super) failures: Vec<Failure>,
}

impl RawFindings {
    /// Check one document with one rule.
    pub(super) fn check(&mut self, rule: &dyn Rule, document: &Document, cx: &Cx<'_>) {
        if defect::contain(|| rule.check(document, cx, &mut self.findings)).is_none() {
            self.failed(rule.info(), Some(&document.path));
        }
    }

    /// Check the workspace as a whole with one rule.
    fn check_workspace(&mut self, rule: &dyn Rule, cx: &Cx<'_>) {
        if defect::contain(|| rule.check_workspace(cx, &mut self.findings)).is_none() {
            self.failed(rule.info(), None);
        }
    }

    fn failed(&mut self, info: &RuleInfo, path: Option<&RepoPath>) {
        self.failures.push(match path {
            Some(path) => {
                let message = defect::message(&format!("the rule {} failed on this file", info.name));
                Failure { path: path.clone(), message }
            }
            None => whole_run(&format!("the rule {} failed", info.name)),
        });
    }

    pub(super) fn append(&mut self, mut other: RawFindings) {
        self.findings.append(&mut other.findings);
        self.failures.append(&mut other.failures);
    }
}

/// The documents that could not be parsed when rules looked at them.
pub(super) fn unparsed(workspace: &Workspace) -> Vec<Failure> {
    let failed = workspace.documents.iter().filter(|document| document.failed_to_parse());
    let failure = |document: &Document| Failure {
        path: document.path.clone(),
        message: defect::message("this file could not be parsed"),
    };
    failed.map(failure).collect()
}

/// Rules of other groups about what a model makes of a text, whoever loads it.
const OF_ANY_TEXT: [&str; 2] = ["conflict-markers", "unclosed-fence"];

/// Whether the rule is for files like `document`. A page of a skill is text that a model reads: its links, its fences and its hidden
/// characters count, and no agent's loading rules hold for it.
fn looks_at(info: &RuleInfo, document: &Document) -> bool {
    document.kind != Kind::SkillPage
        || matches!(info.group, Group::References | Group::Unicode | Group::Meta)
        || OF_ANY_TEXT.contains(&info.name)
}

/// A defect that no single file is known to cause.
pub(super) fn whole_run(what: &str) -> Failure {
    Failure { path: RepoPath::from("."), message: defect::message(what) }
}

/// What `rules` find in the documents, and in the workspace as a whole.
pub(super) fn check(rules: &[&dyn Rule], cx: &Cx<'_>) -> RawFindings {
    let documents: Vec<&Document> = cx.workspace.in_focus().collect();
    let of = |mut found: RawFindings, document: &&Document| {
        for rule in rules.iter().filter(|rule| looks_at(rule.info(), document)) {
            found.check(*rule, document, cx);
        }
        found
    };
    let at_large = |mut found: RawFindings, rule: &&dyn Rule| {
        found.check_workspace(*rule, cx);
        found
    };
    if documents.len() < PARALLEL_FROM {
        return rules.iter().fold(documents.iter().fold(RawFindings::default(), of), at_large);
    }
    let both = |mut a: RawFindings, b: RawFindings| {
        a.append(b);
        a
    };
    let (found, more) = rayon::join(
        || documents.par_iter().fold(RawFindings::default, of).reduce(RawFindings::default, both),
        || rules.par_iter().fold(RawFindings::default, at_large).reduce(RawFindings::default, both),
    );
    both(found, more)
}
