//! The import graph for lint: which tokens are imports, for which agents, and what each one leads to.
//!
//! A token counts when the grammar of an enabled agent (or of `merged`) recognises it in a file that agent loads, and when
//! it looks like a path to a person too: npm scopes, handles, decorators and aliases must never be called broken imports.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Resolution, Workspace};
use crate::agents::merged::target::PathTree;
use crate::agents::{self, Choice, Dialect, Placement};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::sanitize;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::imports::{Reference, may_import, references_of, without_punctuation};
use crate::source::Probe;

pub(crate) use crate::agents::merged::target::aim;
pub(crate) use crate::agents::merged::target::{Escape, ImportTarget};

/// One import token of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The file that holds the token.
    pub importer: RepoPath,
    /// The token, with its `@`.
    pub span: Span,
    /// The path as written, without `@` and without punctuation around it.
    pub written: String,
    /// The agents for whom it imports, sorted.
    pub agents: Vec<&'static str>,
    /// Where it leads.
    pub(crate) target: ImportTarget,
}

impl Import {
    /// The path as messages show it.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        sanitize::line(&self.written)
    }
}

/// Whether `agent` looks for imports in files of `kind`.
pub(super) fn has_grammar(agent: &str, kind: Kind) -> bool {
    agents::by_id(agent).is_some_and(|dialect| dialect.imports.is_some() && dialect.files.imports_in.contains(&kind))
}

/// The agents that load `document` by its own name and import from it, `merged` among them.
pub(super) fn importing_agents(workspace: &Workspace, document: &Document) -> Vec<&'static str> {
    let enabled = workspace.agents.iter().map(|enabled| enabled.agent).chain(["merged"]);
    let mut agents: Vec<_> = enabled.filter(|agent| loads_and_imports(workspace, agent, document)).collect();
    agents.sort_unstable();
    agents.dedup();
    agents
}

fn loads_and_imports(workspace: &Workspace, agent: &str, document: &Document) -> bool {
    let Some(dialect) = agents::by_id(agent) else { return false };
    has_grammar(agent, document.kind) && takes_by_name(workspace, dialect, document)
}

/// Whether `dialect`, which reads files of this kind, takes this one: none from some folders, and none where files that it prefers stand.
pub(crate) fn takes_by_name(workspace: &Workspace, dialect: &Dialect, document: &Document) -> bool {
    let dir = path::parent(document.path.as_bytes());
    if dialect.files.passes_over.iter().any(|folder| path::file_name(dir) == folder.as_bytes()) {
        return false;
    }
    if let (Choice::FirstSetWithText(first), Kind::AgentsMd) = (dialect.choice, document.kind)
        && path::ancestors_from_root(dir).into_iter().any(|dir| {
            dialect.names[..first].iter().any(|name| workspace.listing.contains(&path::join(dir, name.as_bytes())))
        })
    {
        return false;
    }
    true
}

/// A token with the path as written and the agents that recognise it.
pub(super) type ReadToken = (Span, String, Vec<&'static str>);

/// The import tokens of `document` for `agents`, each with the agents that recognise it, in source order.
pub(super) fn tokens(document: &Document, agents: &[&'static str]) -> Vec<ReadToken> {
    if !may_import(document) {
        return Vec::new();
    }
    let mut by_start: BTreeMap<usize, ReadToken> = BTreeMap::new();
    for &agent in agents {
        // An imported file is read by the grammar of whoever imports it.
        let Some(imports) = agents::by_id(agent).and_then(|dialect| dialect.imports) else { continue };
        let found = references_of(imports.grammar, document);
        // The source of a list item may be code, which is not meant as an import.
        let is_meant = |reference: &&Reference| {
            let start = reference.span.start;
            imports.placement != Placement::FollowsFile
                || !may_hold_code(&document.text)
                || (document.markdown.code_at(start).is_none() && !document.markdown.in_comment(start))
        };
        for reference in found.iter().filter(|reference| reference.inert.is_none()).filter(is_meant) {
            let written = without_punctuation(&reference.path);
            let cut = reference.path.len() - written.len();
            let span =
                Span::new(reference.span.start, reference.span.end.saturating_sub(cut).max(reference.span.start));
            let entry = by_start.entry(span.start).or_insert_with(|| (span, written.to_owned(), Vec::new()));
            if cut == 0 || agent == "merged" {
                entry.2.push(agent);
            }
        }
    }
    by_start.into_values().filter(|(_, _, agents)| !agents.is_empty()).collect()
}

/// Whether a text may hold code or a comment. Parses nothing.
fn may_hold_code(text: &str) -> bool {
    ["`", "~~~", "<!--", "\t", "    "].iter().any(|mark| text.contains(mark))
}

/// Whether `import` brings in `path`.
pub(super) fn leads_to(import: &Import, path: &RepoPath) -> bool {
    matches!(&import.target, ImportTarget::File(target) if target == path)
}

impl PathTree for Workspace {
    fn resolve(&self, path: &[u8]) -> Resolution {
        Workspace::resolve(self, path)
    }

    fn has_dir(&self, path: &[u8]) -> bool {
        self.listing.has_dir(path)
    }

    fn is_git(&self, path: &[u8]) -> bool {
        Workspace::is_git(self, path)
    }
}

/// What the source says of a target that the listing has not, or has without saying whether it is tracked.
pub(super) fn with_probe(target: ImportTarget, probe: Option<Probe>) -> ImportTarget {
    match (target, probe) {
        (ImportTarget::Missing(path), Some(Probe::Untracked)) => ImportTarget::NotTracked { path, ignored: false },
        (ImportTarget::Missing(path), Some(Probe::Ignored)) => ImportTarget::NotTracked { path, ignored: true },
        (ImportTarget::Missing(_), Some(Probe::Unknown)) => ImportTarget::Unknown,
        (ImportTarget::File(path), Some(Probe::Untracked)) => ImportTarget::NotTracked { path, ignored: false },
        (ImportTarget::File(path), Some(Probe::Ignored)) => ImportTarget::NotTracked { path, ignored: true },
        (target, _) => target,
    }
}
