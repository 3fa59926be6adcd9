//! Lists whose items begin with the names of files of one folder: where most of them are there, the others are meant to be there, too.

use super::token;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::workspace::Workspace;

/// Lines of a list above and below an item that are looked at, at most.
const MAX_LINES: usize = 60;

/// Files of a list that are there, at least, before another one is missed.
const MIN_THERE: usize = 3;

/// Whether the name at `span` begins an item of a list of such names, most of which `folder` has.
pub(super) fn is_missed(workspace: &Workspace, document: &Document, span: Span, folder: &RepoPath) -> bool {
    let own = document.lines.line_of(span.start);
    let line = |at: usize| document.slice(document.lines.line_span(at));
    let indent = |text: &str| text.len() - text.trim_start().len();
    let Some(name) = first_name(line(own)).filter(|name| *name == document.slice(span)) else { return false };
    let depth = indent(line(own));
    // An item may go on in lines of its own, deeper than its marker.
    let is_inside = |at: &usize| !line(*at).trim().is_empty() && indent(line(*at)) >= depth;
    let above = (own.saturating_sub(MAX_LINES)..own).rev().take_while(is_inside);
    let below = (own + 1..document.lines.count()).take(MAX_LINES).take_while(is_inside);
    let others = above.chain(below).filter(|at| indent(line(*at)) == depth).filter_map(|at| first_name(line(at)));
    let (there, absent): (Vec<&str>, Vec<&str>) = others
        .filter(|other| *other != name)
        .partition(|other| workspace.listing.contains(&path::join(folder.as_bytes(), other.as_bytes())));
    there.len() >= MIN_THERE && (absent.len() + 1) * 2 <= there.len()
}

/// The lone name of a file with which an item begins.
fn first_name(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let rest = text.strip_prefix(['-', '*', '+'])?.strip_prefix(' ')?.trim_start_matches('*');
    let (name, _) = rest.strip_prefix('`')?.split_once('`')?;
    (!name.contains(['/', ' ', '*', '<', '{']) && token::has_extension(name)).then_some(name)
}
