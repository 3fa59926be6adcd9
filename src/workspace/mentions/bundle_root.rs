//! Paths that begin with the variable by which the hint files of a bundle name its root. Which variables there are, the agents'
//! tables say.

use super::stance::{Stance, stance, stance_in_fence};
use super::{Mention, MentionForm, Miss, token};
use crate::agents::bundles;
use crate::base::path;
use crate::base::text::Span;
use crate::discover;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};
use crate::workspace::{Resolution, Workspace};

/// Paths of one text, at most.
const MAX_PATHS: usize = 500;

/// The files of the bundle around `document` that it names and that are not there.
pub(super) fn paths(workspace: &Workspace, document: &Document) -> Vec<Mention> {
    if !document.text.contains("${") || discover::why_set_aside(document.path.as_bytes()).is_some() {
        return Vec::new();
    }
    let has = |file: &[u8]| workspace.listing.contains(file);
    let roots = bundles::roots_above(document.path.as_bytes(), has);
    let named = roots.flat_map(|(variable, root)| {
        let begin = format!("${{{variable}}}/");
        let places: Vec<(usize, usize)> =
            document.text.match_indices(&begin).map(|(at, found)| (at, at + found.len())).take(MAX_PATHS).collect();
        places.into_iter().filter_map(move |(at, from)| below(workspace, document, root, Span::new(at, from)))
    });
    named.collect()
}

/// The path behind the variable at `variable`, if it leads to no file below `root`.
fn below(workspace: &Workspace, document: &Document, root: &[u8], variable: Span) -> Option<Mention> {
    let rest = &document.text[variable.end..];
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let whole = &rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())];
    let path = whole.trim_end_matches(['.', '/', '-']);
    // A pattern, a placeholder or another variable goes on.
    let goes_on = rest[whole.len()..].starts_with(['*', '<', '{', '$', '[', '%', '(', '…']);
    if goes_on || whole.ends_with('/') || !token::may_have_been(path) {
        return None;
    }
    let full = path::resolve(root, path.as_bytes())?;
    let Resolution::Missing(missing) = workspace.resolve(&full) else { return None };
    let span = Span::new(variable.start, variable.end + path.len());
    let code = document.markdown.code_at(span.start);
    let fence = code.filter(|code| matches!(code.kind, CodeKind::Fence { .. }));
    // A hint file inside of another one shows how the reader's own may look, and so does a sample of settings in what is handed out.
    let is_sample = |fence: &Code| {
        let content = document.slice(fence.content);
        content.starts_with("---") || document.kind.is_general() && is_data(fence)
    };
    if fence.is_some_and(is_sample) {
        return None;
    }
    let stance = match fence {
        Some(fence) => stance_in_fence(document, span, fence.span),
        None => stance(document, span),
    };
    // What is to be written stands in no folder yet, nor does what an imaginary bundle holds.
    let stands = path.contains('/') && workspace.listing.has_dir(missing.parent());
    let claimed = stance == Stance::Claims && stands;
    let place = Miss::Absent { candidates: vec![missing], near: None };
    let mention = Mention::new(MentionForm::File, span, document.slice(span).to_owned(), place);
    (stance != Stance::Denies).then(|| Mention {
        claimed,
        relied_on: claimed,
        hedged: stance == Stance::Hedges,
        of_bundle: true,
        verbatim: false,
        ..mention
    })
}

/// Whether a fence holds data.
fn is_data(fence: &Code) -> bool {
    let CodeKind::Fence { language, .. } = &fence.kind else { return false };
    matches!(&*language.to_ascii_lowercase(), "json" | "json5" | "jsonc" | "toml" | "yaml")
}
