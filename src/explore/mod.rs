//! Contexts as one HTML page: who loads what where, how much of it, from which file, and what is wrong with it.
//!
//! Data in, text out: nothing is read or written here, and the same workspace gives the same bytes. The page needs no network. Its
//! policy lets no script and no style run but its own, by their hashes; everything that comes from the repository is in one
//! block of JSON, which scripts put on the page as text.

mod changes;
mod contexts;
mod data;
mod growth;
mod hash;
mod imports;
mod plans;
mod rows;
mod text;
mod touch;

use crate::agents::Dialect;
use crate::base::finding::Finding;
use crate::compile::comparison::ContextChange;
use crate::workspace::Workspace;

pub(crate) use growth::{Growth, GrowthStep};

/// What a page shows.
#[derive(Debug)]
pub(crate) struct Explored<'e> {
    /// What is looked at, in the user's words: `the worktree`, or a revision.
    pub title: &'e str,
    /// The directory that the page shows first.
    pub start: &'e str,
    /// The repository.
    pub workspace: &'e Workspace,
    /// The agents, sorted by name.
    pub agents: &'e [&'static Dialect],
    /// What the rules say of it.
    pub findings: &'e [Finding],
    /// The contexts that differ from another revision's.
    pub since: Option<Since<'e>>,
    /// How the contexts grew.
    pub growth: Option<&'e Growth>,
    /// What limits the page, one sentence each.
    pub notes: &'e [String],
}

/// What changed since a revision.
#[derive(Clone, Copy, Debug)]
pub struct Since<'e> {
    /// The revision, as it was named.
    pub base: &'e str,
    /// The changes.
    pub(crate) changes: &'e [ContextChange],
}

const STYLE: &str = include_str!("page.css");
/// The parts of the script, in the order in which they stand in it.
const SCRIPT: [&str; 7] = [
    include_str!("page.js"),
    include_str!("text.js"),
    include_str!("directories.js"),
    include_str!("matrix.js"),
    include_str!("graph.js"),
    include_str!("past.js"),
    include_str!("start.js"),
];
const BODY: &str = include_str!("page.html");

/// The page.
pub(crate) fn page(explored: &Explored<'_>) -> String {
    let data = text::embedded(&data::Data::of(explored));
    let script = SCRIPT.concat();
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash::source(&script),
        hash::source(STYLE)
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>What agents load</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n{BODY}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_files_cannot_end_their_element() {
        let script = SCRIPT.concat();
        assert!(!script.to_lowercase().contains("</script") && !script.contains("<!--"), "it would end the script");
        assert!(!STYLE.to_lowercase().contains("</style"), "it would end the style");
        for bad in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
            assert!(!script.contains(bad), "texts are put on the page as text, not by {bad}");
        }
        for bad in [" onclick", " onload", " onerror", "style=", "http:", "https:", "src=", "javascript:"] {
            assert!(!BODY.to_lowercase().contains(bad), "the page's policy refuses {bad}");
        }
    }
}
