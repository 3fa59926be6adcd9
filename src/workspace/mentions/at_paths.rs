//! Paths behind an `@` in files in which no known agent looks for imports, such as rules of editors and skills: `@rules/x.md`. They are
//! told where another file has the rest of the name, or where most paths of that spelling lead to files.

use std::collections::BTreeSet;

use super::stance::{Stance, stance};
use super::{Mention, MentionForm, Miss, token, with_another_ending};
use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::workspace::attachments::start_of;
use crate::workspace::{Resolution, Workspace};

/// Paths of one text, at most.
const MAX_PATHS: usize = 500;

/// Other paths behind an `@` that lead to files, at least.
const MIN_KEPT: usize = 2;

/// A path behind an `@`: where it stands, whether a slash stands before it, and the file it leads to or misses.
struct PathBehindAt<'t> {
    span: Span,
    written: &'t str,
    from_root: bool,
    missing: Option<RepoPath>,
}

/// The paths behind an `@` in `document` that lead to no file.
pub(super) fn paths(workspace: &Workspace, document: &Document) -> Vec<Mention> {
    let is_set_aside = || discover::why_set_aside(document.path.as_bytes()).is_some();
    // What prompts attach is another matter, and plans tell of their day.
    let is_other = document.kind == Kind::Plan || document.kind.role() == Some(Role::Command);
    if is_other || files::is_imported_from(document.kind) || !document.text.contains('@') || is_set_aside() {
        return Vec::new();
    }
    let named: Vec<PathBehindAt<'_>> = document
        .text
        .match_indices('@')
        .take(MAX_PATHS)
        .filter_map(|(at, _)| at_path(workspace, document, at))
        .collect();
    let (lost, kept): (Vec<_>, Vec<_>) = named.into_iter().partition(|path| path.missing.is_some());
    let distinct = |paths: &[PathBehindAt<'_>]| paths.iter().map(|path| path.written).collect::<BTreeSet<_>>().len();
    let are_kept = |kept: usize, lost: usize| kept >= MIN_KEPT && kept >= lost;
    let are_paths = are_kept(distinct(&kept), distinct(&lost)) || {
        let (kept, lost) = if lost.is_empty() { (0, 0) } else { in_folder(workspace, document) };
        are_kept(kept, lost)
    };
    let mentions = lost.into_iter().filter_map(|path| {
        let missing = path.missing?;
        let near =
            with_another_ending(&workspace.listing, missing.as_bytes()).or_else(|| renamed_rule(workspace, &missing));
        let stands = workspace.listing.has_dir(missing.parent());
        // What climbs from the text's own folder is no name of anything else. Of pages the imports are told.
        let climbs = path.written.starts_with("../") && document.kind != Kind::Markdown;
        if near.is_none() && !((are_paths || climbs) && stands) {
            return None;
        }
        if stance(document, path.span) != Stance::Claims {
            return None;
        }
        let place = Miss::Absent { candidates: vec![missing], near };
        let mention = Mention::new(MentionForm::File, path.span, path.written.to_owned(), place);
        Some(Mention { claimed: true, relied_on: true, of_bundle: true, from_root: path.from_root, ..mention })
    });
    mentions.chain(alone(workspace, document)).collect()
}

/// The paths behind an `@` that have a line of a rule to themselves, where no file has such a path and none ends so: what the rule brings
/// with it is not there.
fn alone(workspace: &Workspace, document: &Document) -> Vec<Mention> {
    if document.kind.role() != Some(Role::Rule) {
        return Vec::new();
    }
    let places = document.text.match_indices('@').take(MAX_PATHS);
    places.filter_map(|(at, _)| alone_at(workspace, document, at)).collect()
}

fn alone_at(workspace: &Workspace, document: &Document, at: usize) -> Option<Mention> {
    let line = document.lines.line_span(document.lines.line_of(at));
    let trimmed = document.slice(line).trim();
    let item = trimmed.trim_start_matches(['-', '*', ' ']);
    let path = item.strip_prefix('@')?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if !document.text[at..line.end].trim_end().ends_with(item) || !path.chars().all(is_part) || path.starts_with('/') {
        return None;
    }
    let is_code = document.markdown.in_code(at) || document.markdown.in_comment(at);
    // What has its first folder here is judged with the others of the text.
    let is_known = || at_path(workspace, document, at).is_some();
    if is_code || !token::is_plausible(path) || token::may_be_made(path) || is_known() {
        return None;
    }
    let starts = [b"", start_of(&document.path), document.path.parent()];
    let full = starts.iter().map(|start| path::resolve(start, path.as_bytes()));
    let missing: Option<Vec<RepoPath>> = full
        .map(|full| match workspace.resolve(&full?) {
            Resolution::Missing(missing) => Some(missing),
            _ => None,
        })
        .collect();
    let same = workspace.listing.with_name_in_any_case(path::file_name(path.as_bytes()));
    let end = format!("/{path}").to_ascii_lowercase();
    if same.iter().any(|file| file.to_ascii_lowercase().ends_with(end.as_bytes())) {
        return None;
    }
    let near = match &*same {
        [only] => Some(RepoPath::new(only)),
        _ => None,
    };
    let mut candidates = missing?;
    candidates.dedup();
    let span = Span::new(at + 1, at + 1 + path.len());
    let place = Miss::Absent { candidates, near };
    let mention = Mention::new(MentionForm::File, span, path.to_owned(), place);
    // What has a line to itself says nothing but its path.
    let is_meant = item == trimmed || stance(document, span) == Stance::Claims;
    is_meant.then_some(Mention { claimed: true, relied_on: true, of_bundle: true, ..mention })
}

/// Texts of one folder that are searched for such paths, at most.
const MAX_TEXTS: usize = 100;

/// How many paths behind an `@` lead to files, and how many do not, in all texts of the folder that are of the kind of `document`.
fn in_folder(workspace: &Workspace, document: &Document) -> (usize, usize) {
    let is_beside = |other: &&Document| other.kind == document.kind && other.path.parent() == document.path.parent();
    let beside = workspace.documents.iter().filter(is_beside).take(MAX_TEXTS);
    let named = beside.flat_map(|other| {
        let places = other.text.match_indices('@').take(MAX_PATHS);
        places
            .filter_map(move |(at, _)| at_path(workspace, other, at))
            .map(|path| (path.written, path.missing.is_none()))
    });
    let distinct: BTreeSet<(&str, bool)> = named.collect();
    let kept = distinct.iter().filter(|(_, is_kept)| *is_kept).count();
    (kept, distinct.len() - kept)
}

/// The file beside the missing one that is a rule of the other ending.
fn renamed_rule(workspace: &Workspace, missing: &RepoPath) -> Option<RepoPath> {
    let bytes = missing.as_bytes();
    let stem = bytes.strip_suffix(b".mdc").map(|stem| [stem, b".md"].concat());
    let other = stem.or_else(|| bytes.strip_suffix(b".md").map(|stem| [stem, b".mdc"].concat()))?;
    workspace.listing.contains(&other).then(|| RepoPath::new(other))
}

/// The path behind the `@` at `at`, outside fences and comments, if its first folder is one of this repository, or it climbs from the
/// text's own.
fn at_path<'t>(workspace: &Workspace, document: &'t Document, at: usize) -> Option<PathBehindAt<'t>> {
    let text = &document.text;
    let opens = |c: char| c.is_whitespace() || matches!(c, '`' | '(' | '[' | '"' | '\'' | '*');
    if !text[..at].chars().next_back().is_none_or(opens) {
        return None;
    }
    if document.markdown.fence_at(at).is_some() || document.markdown.in_comment(at) {
        return None;
    }
    let rest = &text[at + 1..];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let whole = &rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())];
    let behind = &rest[whole.len()..];
    // Stars that were opened before it close behind it.
    let behind = if text[..at].ends_with('*') { behind.trim_start_matches('*') } else { behind };
    if behind.starts_with(['*', '<', '{', '$', '[', '@', '…', ':', '#']) {
        return None;
    }
    let word = whole.trim_end_matches(['.', '/', '-']);
    let path = word.strip_prefix('/').unwrap_or(word);
    let (first, _) = path.split_once('/')?;
    let base = if first == ".." { document.path.parent() } else { b"" };
    if !token::is_plausible(path) || base.is_empty() && !workspace.listing.has_dir(first.as_bytes()) {
        return None;
    }
    let start = at + 1 + (word.len() - path.len());
    let from_root = word.len() > path.len();
    let missing = match workspace.resolve(&path::resolve(base, path.as_bytes())?) {
        Resolution::Missing(missing) => Some(missing),
        Resolution::File(_) => None,
        _ => return None,
    };
    Some(PathBehindAt { span: Span::new(start, start + path.len()), written: path, from_root, missing })
}
