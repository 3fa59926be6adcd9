//! Versions of technologies that hint files give and that no manifest allows. Collected while loading: manifests are read only where a
//! text gives a version of what they may declare.

mod bounds;
mod builds;
mod declared;
mod number;
mod pins;
mod said;
mod technology;

use std::collections::BTreeMap;

use self::declared::{Declaration, declared};
use self::number::{DeclaredVersion, VersionNumber};
use self::said::SaidVersion;
use self::technology::{DeclaredIn, TECHNOLOGIES, Technology};
use super::{Workspace, of_each};
use crate::base::kind::Kind;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::source::{EntryKind, Source};

/// A version that a text gives, and that the manifests around it do not allow.
#[derive(Clone, Debug)]
pub(crate) struct VersionClash {
    /// Where name and number stand.
    pub(crate) span: Span,
    /// Where the number stands.
    pub(crate) digits: Span,
    /// The nearest manifest that says otherwise.
    pub(crate) manifest: RepoPath,
    /// What it says.
    pub(crate) declared: String,
    /// The number that belongs there, where only one can be meant.
    pub(crate) new: Option<String>,
}

/// Those of all texts, by file and place.
pub(crate) type VersionClashes = BTreeMap<RepoPath, Vec<VersionClash>>;

/// What texts call the technologies whose versions a file called `name` may declare.
pub(crate) fn declared_in(name: &[u8]) -> impl Iterator<Item = &'static str> {
    let is_it = move |manifest: &&str| match manifest.strip_prefix('*') {
        Some(ending) => name.ends_with(ending.as_bytes()),
        None => manifest.as_bytes() == name,
    };
    let declares = move |technology: &&Technology| technology.declared.files().iter().any(is_it);
    TECHNOLOGIES.iter().filter(declares).flat_map(|technology| technology.names).copied()
}

/// All versions of the workspace's documents that no manifest allows. Files on which the search panics go to `failed`.
pub(super) fn collect(source: &dyn Source, workspace: &Workspace, failed: &mut Vec<RepoPath>) -> VersionClashes {
    let documents: Vec<&Document> = workspace.in_focus().filter(|document| speaks_of_a_project(document)).collect();
    let found = of_each(&documents, said::said);
    let mut told: Vec<(&Document, Vec<SaidVersion>)> = Vec::new();
    for (document, found) in documents.into_iter().zip(found) {
        match found {
            Some(found) if found.is_empty() => {}
            Some(found) => told.push((document, found)),
            None => failed.push(document.path.clone()),
        }
    }
    let mut wanted: Vec<DeclaredIn> = Vec::new();
    for said in told.iter().flat_map(|(_, said)| said) {
        if !wanted.contains(&said.technology.declared) {
            wanted.push(said.technology.declared);
        }
    }
    if wanted.is_empty() {
        return VersionClashes::new();
    }
    let declared = declared(source, workspace, &wanted);
    let of = |technology: DeclaredIn| {
        let at = wanted.iter().position(|wanted| *wanted == technology);
        at.map_or(&[][..], |at| declared[at].as_slice())
    };
    let stale = told.into_iter().filter_map(|(document, said)| {
        let stale = said.iter().filter_map(|said| clash(workspace, document, said, of(said.technology.declared)));
        let stale: Vec<VersionClash> = stale.collect();
        (!stale.is_empty()).then(|| (document.path.clone(), stale))
    });
    stale.collect()
}

/// Whether the text describes the project that it lies in.
pub(super) fn speaks_of_a_project(document: &Document) -> bool {
    let is_other =
        matches!(document.kind, Kind::Artifact | Kind::Plan | Kind::LibraryHint | Kind::PackageHint | Kind::Markdown);
    !is_other && !document.kind.is_general()
}

/// What contradicts `said`: every declaration at, above and below the document's folder, if there is one.
fn clash(
    workspace: &Workspace,
    document: &Document,
    said: &SaidVersion,
    declared: &[Declaration],
) -> Option<VersionClash> {
    let folder = folder_of_project(&document.path);
    // What describes a folder that holds no code describes another project.
    let is_apart = || !folder.is_empty() && holds_hints_alone(workspace, folder);
    let is_near = |declaration: &&Declaration| {
        let at = declaration.file.parent();
        path::is_at_or_below(at, folder) || path::is_at_or_below(folder, at)
    };
    // What a part needs, the whole need not, and the text may name what else needs it.
    let is_whole = |declaration: &&Declaration| path::is_at_or_below(folder, declaration.file.parent());
    let is_asked = |declaration: &&Declaration| {
        !said.is_bound || is_whole(declaration) && declaration.is_least(said.technology.declared)
    };
    let near: Vec<&Declaration> = declared.iter().filter(is_near).filter(is_asked).collect();
    let by_minor = said.technology.by_minor;
    let contradicts = |declaration: &&Declaration| {
        let allows = |version: &DeclaredVersion| {
            std::iter::once(said.number).chain(said.or).any(|number| match said.is_bound {
                true => version.begins_at(number),
                false => version.allows(number, by_minor),
            })
        };
        declaration.version.as_ref().is_some_and(|version| !allows(version))
    };
    if !near.iter().all(contradicts) || is_apart() {
        return None;
    }
    let depth = |declaration: &&&Declaration| {
        let at = declaration.file.parent();
        (!path::is_at_or_below(folder, at), at.len().abs_diff(folder.len()))
    };
    let nearest = near.iter().min_by_key(depth)?;
    let mut only = near.iter().filter_map(|declaration| declaration.version.as_ref()?.only());
    let first = only.next();
    let new = first.filter(|first| near.len() == 1 || only.all(|other| other == *first));
    Some(VersionClash {
        span: said.span,
        digits: said.digits,
        manifest: nearest.file.clone(),
        declared: nearest.written.clone(),
        new: new.and_then(|new| written_like(document.slice(said.digits), new)),
    })
}

/// Files of a folder that are looked at for one that is no hint, at most.
const MAX_HINTS: usize = 20;

/// Whether nothing lies below `folder` but hint files.
fn holds_hints_alone(workspace: &Workspace, folder: &[u8]) -> bool {
    let mut below = workspace.listing.below(folder).map(|index| workspace.listing.entry(index));
    let is_hint = |path: &[u8]| workspace.document(path).is_some();
    !below.by_ref().take(MAX_HINTS).any(|entry| entry.kind == EntryKind::File && !is_hint(entry.path))
        && below.next().is_none()
}

/// The folder of which the text at `path` tells: rules and instructions lie in a hidden folder of it.
fn folder_of_project(path: &RepoPath) -> &[u8] {
    let folder = path.parent();
    let mut at = 0;
    for part in folder.split(|&byte| byte == b'/') {
        if part.starts_with(b".") {
            return &folder[..at.max(1) - 1];
        }
        at += part.len() + 1;
    }
    folder
}

/// `new` with as many numbers as `old` has; `None` where it has fewer.
fn written_like(old: &str, new: VersionNumber) -> Option<String> {
    match (old.matches('.').count(), new.minor) {
        (0, _) => Some(new.major.to_string()),
        (1, Some(minor)) if !old.ends_with(['x', '*']) => Some(format!("{}.{minor}", new.major)),
        (1, _) if old.ends_with('x') => Some(format!("{}.x", new.major)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
