//! Plans with their progress.

use serde::Serialize;

use super::data::PageFiles;
use crate::base::kind::Kind;
use crate::plan::Overview;
use crate::workspace::Workspace;

/// A plan.
#[derive(Serialize)]
pub(super) struct PlanRow {
    file: usize,
    title: Option<String>,
    done: usize,
    total: usize,
    cancelled: usize,
    /// Heading, level, line, boxes done, boxes.
    sections: Vec<(String, u8, usize, usize, usize)>,
    /// Line and text.
    open: Vec<(usize, String)>,
}

/// The plans of `workspace`, by path.
pub(super) fn rows(workspace: &Workspace, files: &mut PageFiles<'_>) -> Vec<PlanRow> {
    let mut rows = Vec::new();
    for (file, document) in workspace.documents.iter().enumerate().filter(|(_, file)| file.kind == Kind::Plan) {
        files.show(Some(file));
        let overview = Overview::of(document);
        let sections = overview.sections.into_iter().map(|section| {
            let progress = section.progress;
            (section.heading, section.level, section.line, progress.completed, progress.total)
        });
        rows.push(PlanRow {
            file,
            title: overview.title,
            done: overview.progress.completed,
            total: overview.progress.total,
            cancelled: overview.cancelled,
            sections: sections.collect(),
            open: overview.open.into_iter().map(|task| (task.line, task.text)).collect(),
        });
    }
    rows
}
