//! Files that commands attach: an `@path` in a prompt brings the file into it, counted from the directory in which the agent is
//! started. Only those that lead nowhere are kept; the source is asked about them once.

use super::contexts::home_of;
use super::imports::{self, Import, ImportTarget};
use super::{Workspace, mentions};
use crate::agents::files;
use crate::base::defect;
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::imports::{Grammar, Reference, may_import, references_of, without_punctuation};
use crate::source::{Probe, Source};

/// The directory from which the paths in a prompt count, in the first place.
pub(crate) fn start_of(prompt: &RepoPath) -> &[u8] {
    home_of(prompt.as_bytes())
}

/// The attachments of all prompts that name no file. Prompts on which the search panics go to `failed`.
pub(super) fn collect(source: &dyn Source, workspace: &Workspace, failed: &mut Vec<RepoPath>) -> Vec<Import> {
    let is_prompt = |document: &&Document| matches!(document.kind, Kind::Of(kind) if kind.attaches);
    let own = workspace.in_focus().filter(is_prompt).filter(|document| workspace.why_elsewhere(document).is_none());
    let mut found: Vec<Import> = Vec::new();
    for document in own {
        match defect::contain(|| missing(workspace, document)) {
            Some(missing) => found.extend(missing),
            None => failed.push(document.path.clone()),
        }
    }
    let paths: Vec<RepoPath> = found.iter().filter_map(|import| aimed_at(import).cloned()).collect();
    let probes = if paths.is_empty() { Vec::new() } else { source.probe_many(&paths) };
    let mut probes = probes.into_iter();
    found.retain(|_| probes.next() == Some(Probe::Absent));
    found
}

/// The path at which nothing is.
pub(crate) fn aimed_at(attachment: &Import) -> Option<&RepoPath> {
    match &attachment.target {
        ImportTarget::Missing(path) => Some(path),
        _ => None,
    }
}

/// Whether the path is that of a main hint file, which agents load by themselves where there is one.
fn is_main(written: &str) -> bool {
    files::main_names().any(|name| name == written)
}

/// The attachments of one prompt that lead nowhere: not from the directory of its agent's folder, not from the root.
fn missing(workspace: &Workspace, document: &Document) -> Vec<Import> {
    if !may_import(document) {
        return Vec::new();
    }
    let starts = [start_of(&document.path), b"", document.path.parent()];
    let aim = |written: &str| {
        let aims = starts.map(|start| imports::aim(workspace, &RepoPath::new(path::join(start, b"x")), written));
        let is_missing = |aim: &Option<ImportTarget>| matches!(aim, Some(ImportTarget::Missing(_)));
        aims.iter().all(is_missing).then_some(aims).and_then(|[first, ..]| first)
    };
    let is_meant = |reference: &&Reference| {
        let start = reference.span.start;
        // Fields are sent as they are.
        start >= document.body
            && reference.inert.is_none()
            && !document.markdown.in_code(start)
            && !document.markdown.in_comment(start)
    };
    let attachment = |reference: &Reference| {
        let written = without_punctuation(&reference.path);
        // What the user types is filled in first.
        let target = aim(written).filter(|_| !written.contains(['$', '{', '<', '*']) && !is_main(written))?;
        let span = Span::new(reference.span.start, (reference.span.start + 1 + written.len()).min(reference.span.end));
        let is_relied_on = !mentions::is_doubted(document, span);
        is_relied_on.then(|| Import {
            importer: document.path.clone(),
            span,
            written: written.to_owned(),
            agents: Vec::new(),
            target,
        })
    };
    references_of(Grammar::Prose, document).iter().filter(is_meant).filter_map(attachment).collect()
}
