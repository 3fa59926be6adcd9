//! The import graph for lint: which tokens are imports, for which agents, and what each one leads to.
//!
//! A token counts when the grammar of an enabled agent (or of `merged`) recognises it in a file that agent loads, and when
//! it looks like a path to a person too: npm scopes, handles, decorators and aliases must never be called broken imports.

use std::collections::BTreeMap;

use super::Workspace;
use crate::agents::{self, Choice};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::imports::{Grammar, Reference, may_import, references_of, without_punctuation};
use crate::source::{Probe, ReadError};

use super::Resolution;
use super::placeholder::is_placeholder;

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
    pub target: Target,
}

/// Where an import leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file of the repository, under its own path.
    File(RepoPath),
    /// A file that exists here and is not in version control; `ignored` tells whether a committed ignore file says so.
    NotTracked {
        /// The file.
        path: RepoPath,
        /// Whether git ignores it.
        ignored: bool,
    },
    /// Nothing is there.
    Missing(RepoPath),
    /// It leads out of the repository.
    Outside(Escape),
    /// It is there and cannot be imported.
    Unreadable(RepoPath, ReadError),
    /// Links that lead in a circle.
    Loop,
    /// The source cannot tell: a submodule's file, for example.
    Unknown,
}

/// How an import leaves the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// `~/…`
    Home,
    /// `/…`
    Absolute,
    /// `..` past the root.
    Parent,
    /// A symbolic link.
    Link,
    /// Into a git directory, which lies in the repository's folder and is no part of the repository.
    Git,
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
    has_grammar(agent, document.kind)
}

/// A token with the path as written and the agents that recognise it.
pub(super) type Token = (Span, String, Vec<&'static str>);

/// The import tokens of `document` for `agents`, each with the agents that recognise it, in source order.
pub(super) fn tokens(document: &Document, agents: &[&'static str]) -> Vec<Token> {
    if !may_import(document) {
        return Vec::new();
    }
    let mut by_start: BTreeMap<usize, Token> = BTreeMap::new();
    let mut grammars: BTreeMap<Grammar, Vec<Reference>> = BTreeMap::new();
    for &agent in agents {
        // An imported file is read by the grammar of whoever imports it.
        let Some(imports) = agents::by_id(agent).and_then(|dialect| dialect.imports) else { continue };
        let grammar = imports.grammar;
        let found = grammars.entry(grammar).or_insert_with(|| references_of(grammar, document));
        for reference in found.iter().filter(|reference| reference.inert.is_none()) {
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

/// Whether `import` brings in `path`.
pub(super) fn leads_to(import: &Import, path: &RepoPath) -> bool {
    matches!(&import.target, Target::File(target) if target == path)
}

/// What a token leads to before any file is looked at beyond the listing; `None` when it is no import to a person.
pub(crate) fn aim(workspace: &Workspace, importer: &RepoPath, written: &str) -> Option<Target> {
    if written.is_empty() || written.contains("://") || written.contains('\0') {
        return None;
    }
    let written = written.split('#').next().unwrap_or(written);
    if let Some(rest) = written.strip_prefix("~/") {
        return (!rest.is_empty()).then_some(Target::Outside(Escape::Home));
    }
    if let Some(rest) = written.strip_prefix('/') {
        // `@/components/x.tsx` is a bundler's alias for a source folder far more often than a file of the machine.
        let machine = ["etc", "home", "Users", "tmp", "var", "opt", "usr", "root", "mnt", "private", "Volumes"];
        let first = rest.split('/').next().unwrap_or_default();
        return (machine.contains(&first) || is_document_name(rest)).then_some(Target::Outside(Escape::Absolute));
    }
    let explicit = written.starts_with("./") || written.starts_with("../");
    let Some(plain) = path::resolve(importer.parent(), written.as_bytes()) else {
        let meant = explicit || is_document_name(written);
        return (meant && !is_template(written)).then_some(Target::Outside(Escape::Parent));
    };
    if workspace.is_git(&plain) {
        return (explicit || written.contains('/')).then_some(Target::Outside(Escape::Git));
    }
    match workspace.resolve(&plain) {
        Resolution::File(path) => Some(Target::File(path)),
        Resolution::Directory(path) if explicit => Some(Target::Unreadable(path, ReadError::Directory)),
        Resolution::Directory(_) => None,
        Resolution::Outside => Some(Target::Outside(Escape::Link)),
        Resolution::Special => Some(Target::Unreadable(RepoPath::new(&plain), ReadError::Special)),
        Resolution::Loop => Some(Target::Loop),
        Resolution::Submodule => Some(Target::Unknown),
        Resolution::Missing(path) => {
            let meant = explicit || looks_like_path(workspace, importer, written);
            (meant && !is_template(written)).then_some(Target::Missing(path))
        }
    }
}

/// Whether a token that names nothing was meant as a path.
fn looks_like_path(workspace: &Workspace, importer: &RepoPath, written: &str) -> bool {
    if is_document_name(written) {
        return true;
    }
    let Some((first, _)) = written.split_once('/') else { return false };
    let has_extension = path::extension(written.as_bytes())
        .is_some_and(|e| e.len() <= 8 && e.first().is_some_and(u8::is_ascii_alphabetic));
    let beside = path::join(importer.parent(), first.as_bytes());
    has_extension && (workspace.listing.has_dir(&beside) || workspace.listing.has_dir(first.as_bytes()))
}

/// Whether the name ends as documents and data files do, which neither handles nor packages do.
fn is_document_name(written: &str) -> bool {
    let known = ["md", "mdc", "mdx", "markdown", "txt", "rst", "adoc", "yaml", "yml", "toml", "json", "jsonc"];
    let known = |extension: &[u8]| known.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(extension));
    path::extension(written.as_bytes()).is_some_and(known)
}

/// Whether the path has to be filled in before it names a file: a placeholder, or one with a part in brackets.
fn is_template(written: &str) -> bool {
    is_placeholder(written) || written.contains(['[', ']'])
}

/// What the source says of a target that the listing has not, or has without saying whether it is tracked.
pub(super) fn with_probe(target: Target, probe: Option<Probe>) -> Target {
    match (target, probe) {
        (Target::Missing(path), Some(Probe::Untracked)) => Target::NotTracked { path, ignored: false },
        (Target::Missing(path), Some(Probe::Ignored)) => Target::NotTracked { path, ignored: true },
        (Target::Missing(_), Some(Probe::Unknown)) => Target::Unknown,
        (Target::File(path), Some(Probe::Untracked)) => Target::NotTracked { path, ignored: false },
        (Target::File(path), Some(Probe::Ignored)) => Target::NotTracked { path, ignored: true },
        (target, _) => target,
    }
}
