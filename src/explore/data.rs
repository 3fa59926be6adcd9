//! The data of a page: what `page.js` reads. Files are named by their index in `files`, texts by their index in `strings`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::changes::ChangeTable;
use super::contexts::{self, ContextTables};
use super::imports::{self, ImportRow};
use super::plans::{self, PlanRow};
use super::touch::{self, TouchTable};
use super::{Explored, Growth};
use crate::agents::{Dialect, Proof};
use crate::base::finding::Finding;
use crate::base::path::RepoPath;
use crate::base::tokens;
use crate::parse::Document;
use crate::rules::rule_url;
use crate::workspace::{Resolution, Workspace};

/// Everything.
#[derive(Serialize)]
pub(super) struct Data<'e> {
    version: u8,
    title: &'e str,
    start: &'e str,
    estimated: bool,
    budget: usize,
    agents: Vec<AgentRow>,
    #[serde(flatten)]
    contexts: ContextTables,
    files: Vec<FileRow>,
    touch: TouchTable,
    imports: Vec<ImportRow>,
    plans: Vec<PlanRow>,
    since: Option<ChangeTable>,
    growth: Option<&'e Growth>,
    notes: Vec<String>,
}

/// An agent.
#[derive(Serialize)]
struct AgentRow {
    id: &'static str,
    title: &'static str,
    version: &'static str,
    proof: &'static str,
    enabled: bool,
}

/// A file. Its text is there if a context, an import or a finding shows it.
#[derive(Serialize)]
struct FileRow {
    path: String,
    kind: &'static str,
    bytes: usize,
    tokens: usize,
    text: Option<String>,
    findings: Vec<FindingRow>,
}

/// A finding.
#[derive(Clone, Debug, Serialize)]
struct FindingRow {
    line: usize,
    level: &'static str,
    rule: &'static str,
    message: String,
    help: Option<String>,
    url: Option<String>,
    agents: Vec<&'static str>,
}

/// The files of a page, each with an index.
pub(super) struct PageFiles<'w> {
    workspace: &'w Workspace,
    /// Files with findings that are no documents.
    others: Vec<&'w RepoPath>,
    /// Whether the text of each document is shown.
    shown: Vec<bool>,
}

impl<'w> PageFiles<'w> {
    fn new(workspace: &'w Workspace, findings: &'w [Finding]) -> PageFiles<'w> {
        let is_other = |path: &&RepoPath| workspace.document(path.as_bytes()).is_none();
        let mut others: Vec<&RepoPath> = findings.iter().map(|finding| &finding.path).filter(is_other).collect();
        others.sort();
        others.dedup();
        PageFiles { workspace, others, shown: vec![false; workspace.documents.len()] }
    }

    /// The index of the file that `path` leads to.
    pub(super) fn index(&self, path: &RepoPath) -> Option<usize> {
        let documents = &self.workspace.documents;
        let at = |path: &RepoPath| documents.binary_search_by(|document| document.path.cmp(path)).ok();
        let other = || self.others.binary_search(&path).ok().map(|index| documents.len() + index);
        at(path).or_else(other).or_else(|| match self.workspace.resolve(path.as_bytes()) {
            Resolution::File(real) => at(&real),
            _ => None,
        })
    }

    /// Whether `path` is the own path of the file with this index.
    pub(super) fn is_path(&self, index: usize, path: &RepoPath) -> bool {
        let documents = &self.workspace.documents;
        documents
            .get(index)
            .map(|document| &document.path)
            .or(self.others.get(index.wrapping_sub(documents.len())).copied())
            == Some(path)
    }

    /// The text of the file with this index goes into the page.
    pub(super) fn show(&mut self, index: Option<usize>) {
        if let Some(shown) = index.and_then(|index| self.shown.get_mut(index)) {
            *shown = true;
        }
    }

    fn rows(self, findings: &[Finding]) -> Vec<FileRow> {
        let mut by_path: BTreeMap<&RepoPath, Vec<&Finding>> = BTreeMap::new();
        for finding in findings {
            by_path.entry(&finding.path).or_default().push(finding);
        }
        let rows_of = |path: &RepoPath, document: Option<&Document>| {
            let found = by_path.get(path).into_iter().flatten();
            found.map(|finding| finding_row(finding, document)).collect::<Vec<_>>()
        };
        let documents = self.workspace.documents.iter().zip(&self.shown).map(|(document, shown)| {
            let findings = rows_of(&document.path, Some(document));
            let is_shown = *shown || !findings.is_empty();
            FileRow {
                path: document.path.to_str_lossy().into_owned(),
                kind: document.kind.name(),
                bytes: document.bytes.len(),
                tokens: tokens::count(&document.bytes),
                text: is_shown.then(|| String::from_utf8_lossy(&document.bytes).into_owned()),
                findings,
            }
        });
        let others = self.others.iter().map(|path| FileRow {
            path: path.to_str_lossy().into_owned(),
            kind: "",
            bytes: 0,
            tokens: 0,
            text: None,
            findings: rows_of(path, None),
        });
        documents.chain(others).collect()
    }
}

fn finding_row(finding: &Finding, document: Option<&Document>) -> FindingRow {
    let place = document.filter(|_| !finding.is_placeless());
    FindingRow {
        line: place.map_or(0, |document| document.lines.line_of(finding.span.start) + 1),
        level: finding.level.name(),
        rule: finding.rule,
        message: finding.message.clone(),
        help: finding.help.clone(),
        url: rule_url(finding.rule),
        agents: finding.agents.clone(),
    }
}

impl<'e> Data<'e> {
    /// What `explored` says.
    pub(super) fn of(explored: &Explored<'e>) -> Data<'e> {
        let workspace = explored.workspace;
        let mut files = PageFiles::new(workspace, explored.findings);
        let mut notes = explored.notes.to_vec();
        let mut contexts = contexts::TableBuilder::new(explored, &mut files);
        contexts.load(&mut notes);
        let touch = touch::table(explored.agents, &mut contexts, &mut notes);
        let contexts = contexts.finish();
        let imports = imports::rows(workspace, explored.agents, &mut files);
        let plans = plans::rows(workspace, &mut files);
        Data {
            version: 1,
            title: explored.title,
            start: explored.start,
            estimated: tokens::ESTIMATED,
            budget: workspace.config.limits.context_bytes,
            agents: explored.agents.iter().map(|dialect| agent_row(workspace, dialect)).collect(),
            contexts,
            files: files.rows(explored.findings),
            touch,
            imports,
            plans,
            since: explored.since.map(|since| ChangeTable::of(since, explored.agents)),
            growth: explored.growth,
            notes,
        }
    }
}

fn agent_row(workspace: &Workspace, dialect: &'static Dialect) -> AgentRow {
    AgentRow {
        id: dialect.id,
        title: dialect.title,
        version: dialect.version,
        proof: dialect.proof.name(),
        enabled: dialect.proof == Proof::Ours || workspace.dialects().any(|enabled| enabled == dialect),
    }
}
