//! Plans as numbers: the progress of a file with checkboxes, as a whole and under each heading, and what is still open.
//!
//! The boxes are those that the linter counts (`parse::tasks`): none in code, none in comments. Knows no file system; which
//! plan is being worked on is `state`'s business.

pub mod state;

use std::fmt;
use std::sync::Arc;

use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::parse::Document;
use crate::parse::tasks::TaskState;

/// Boxes that are ticked, and boxes that could be. A box of any other state (`[-]`) counts in neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Boxes.
    pub total: usize,
    /// Ticked boxes.
    pub completed: usize,
}

impl Progress {
    /// Whether all is done. A plan without boxes never is.
    pub(crate) fn is_complete(self) -> bool {
        self.total > 0 && self.completed == self.total
    }

    fn count(&mut self, state: TaskState) {
        let (total, completed) = match state {
            TaskState::Open => (1, 0),
            TaskState::Done => (1, 1),
            TaskState::Other(_) => (0, 0),
        };
        self.total += total;
        self.completed += completed;
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.completed, self.total)
    }
}

/// The boxes below one heading, those of its subsections included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading's text, as the file has it.
    pub heading: String,
    /// 1 to 6.
    pub level: u8,
    /// The heading's line, from 1.
    pub line: usize,
    /// Its boxes.
    pub progress: Progress,
}

/// A box that nobody has ticked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTask {
    /// What is to be done, as the file has it.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
    /// The heading that it stands under, as an index into [`Overview::sections`].
    pub section: Option<usize>,
}

/// What a plan says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// The text of the first heading.
    pub title: Option<String>,
    /// All boxes.
    pub progress: Progress,
    /// Boxes that are neither open nor ticked.
    pub other: usize,
    /// The headings with boxes below them, in order.
    pub sections: Vec<Section>,
    /// The open boxes, in order.
    pub open: Vec<OpenTask>,
}

impl Overview {
    /// Read the plan in `bytes`.
    pub fn read(bytes: Arc<[u8]>) -> Self {
        Overview::of(&Document::parse(RepoPath::from("PLAN.md"), Kind::Plan, bytes))
    }

    /// Count the boxes of a parsed file, whatever its kind.
    pub fn of(document: &Document) -> Self {
        let headings = &document.markdown.headings;
        let line = |offset: usize| document.lines.line_of(offset) + 1;
        let mut counts = vec![Progress::default(); headings.len()];
        let above = parents(document);
        let mut overview = Overview::default();
        for task in &document.tasks {
            overview.progress.count(task.state);
            overview.other += usize::from(matches!(task.state, TaskState::Other(_)));
            // Six levels of headings bound this.
            let mut next = task.heading;
            while let Some(heading) = next {
                counts[heading].count(task.state);
                next = above[heading];
            }
        }
        let counted: Vec<usize> = (0..headings.len()).filter(|&index| counts[index].total > 0).collect();
        let section_of = |heading: usize| counted.binary_search(&heading).ok();
        overview.title = headings.iter().map(|heading| &heading.text).find(|text| !text.trim().is_empty()).cloned();
        overview.sections = counted
            .iter()
            .map(|&index| Section {
                heading: headings[index].text.clone(),
                level: headings[index].level,
                line: line(headings[index].span.start),
                progress: counts[index],
            })
            .collect();
        let open = document.tasks.iter().filter(|task| task.state == TaskState::Open);
        overview.open = open
            .map(|task| OpenTask {
                text: document.slice(task.text).to_owned(),
                line: line(task.marker.start),
                section: task.heading.and_then(section_of),
            })
            .collect();
        overview
    }
}

/// For each heading the one whose section holds it.
fn parents(document: &Document) -> Vec<Option<usize>> {
    let headings = &document.markdown.headings;
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(headings.len());
    for (index, heading) in headings.iter().enumerate() {
        while open.pop_if(|last| headings[*last].level >= heading.level).is_some() {}
        parents.push(open.last().copied());
        open.push(index);
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Overview {
        Overview::read(text.as_bytes().into())
    }

    #[test]
    fn boxes_count_below_each_heading_that_holds_them() {
        let text = "- [x] early\n# Plan\n## A\n- [x] a\n  - [ ] b\n### A1\n* [X] c\n## B\n- [-] d\n- [ ] e\n## Empty\n";
        let found = read(text);
        let sections: Vec<_> = found
            .sections
            .iter()
            .map(|section| (section.heading.as_str(), section.level, section.line, section.progress.to_string()))
            .collect();
        assert_eq!(
            sections,
            [
                ("Plan", 1, 2, "2/4".to_owned()),
                ("A", 2, 3, "2/3".to_owned()),
                ("A1", 3, 6, "1/1".to_owned()),
                ("B", 2, 8, "0/1".to_owned()),
            ]
        );
        assert_eq!((found.progress.to_string(), found.other, found.title.as_deref()), ("3/5".into(), 1, Some("Plan")));
        let open: Vec<_> = found.open.iter().map(|task| (task.text.as_str(), task.line, task.section)).collect();
        assert_eq!(open, [("b", 5, Some(1)), ("e", 10, Some(3))]);
    }

    #[test]
    fn code_and_comments_hold_no_boxes_and_a_plan_without_is_never_complete() {
        let none = read("```\n- [ ] a\n```\n\n<!--\n- [ ] b\n-->\n\n    - [x] c\n");
        assert_eq!((none.progress, none.progress.is_complete()), (Progress::default(), false));
        assert!(read("- [x] a\n- [~] b\n").progress.is_complete());
        assert!(!read("- [x] a\n- [ ] b\n").progress.is_complete());
    }
}
