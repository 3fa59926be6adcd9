//! The imports of all files: what each token leads to, and for which agents it counts.

use serde::Serialize;

use super::contexts::{NONE, number};
use super::data::PageFiles;
use crate::agents::Dialect;
use crate::workspace::Workspace;
use crate::workspace::imports::ImportTarget;

/// An import.
#[derive(Serialize)]
pub(super) struct ImportRow {
    /// The importing file.
    from: i64,
    line: usize,
    /// The path as written.
    written: String,
    /// Indices of agents.
    agents: Vec<usize>,
    /// The imported file, if it is one.
    to: i64,
    /// Why it is none.
    problem: Option<&'static str>,
}

/// All imports, by file and place.
pub(super) fn rows(workspace: &Workspace, agents: &[&'static Dialect], files: &mut PageFiles<'_>) -> Vec<ImportRow> {
    let mut rows = Vec::new();
    for import in &workspace.imports {
        let (Some(from), Some(document)) =
            (files.index(&import.importer), workspace.document(import.importer.as_bytes()))
        else {
            continue;
        };
        let (to, problem) = match &import.target {
            ImportTarget::File(path) => (files.index(path), None),
            ImportTarget::NotTracked { path, ignored } => {
                (files.index(path), Some(if *ignored { "ignored by git" } else { "not in version control" }))
            }
            ImportTarget::Missing(_) => (None, Some("no such file")),
            ImportTarget::Outside(_) => (None, Some("outside the repository")),
            ImportTarget::Unreadable(..) => (None, Some("cannot be imported")),
            ImportTarget::Loop => (None, Some("links in a circle")),
            ImportTarget::Unknown => (None, Some("not known here")),
        };
        files.show(Some(from));
        files.show(to);
        let counts = |dialect: &&'static Dialect| import.agents.contains(&dialect.id);
        rows.push(ImportRow {
            from: number(Some(from)),
            line: document.lines.line_of(import.span.start) + 1,
            written: import.written.clone(),
            agents: (0..agents.len()).filter(|index| counts(&agents[*index])).collect(),
            to: to.map_or(NONE, |to| number(Some(to))),
            problem,
        });
    }
    rows
}
