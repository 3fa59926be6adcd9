//! Plans as numbers: the progress of a file with checkboxes, as a whole and under each heading, and what is still open.
//!
//! The boxes are those that the linter counts (`parse::tasks`): none in code, none in comments. There is one count for the
//! command, the hooks, the state and the rules: cancelled boxes leave the total, every other box that is not done is open,
//! malformed ones included. Knows no file system; which plan is being worked on is `state`'s business.

pub mod change;
pub mod state;

use std::fmt;
use std::sync::Arc;

use crate::base::kind::Kind;
use crate::base::path::RepoPath;
use crate::parse::tasks::{BoxStanding, TaskState};
use crate::parse::{Document, Task};

/// Boxes that are done, and boxes that are or could be. A cancelled box counts in neither.
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

    fn count(&mut self, standing: BoxStanding) {
        let (total, completed) = match standing {
            BoxStanding::Open => (1, 0),
            BoxStanding::Done => (1, 1),
            BoxStanding::Cancelled => (0, 0),
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
pub(crate) struct PlanSection {
    /// The heading's text, as the file has it.
    pub heading: String,
    /// 1 to 6.
    pub level: u8,
    /// The heading's line, from 1.
    pub line: usize,
    /// Its boxes.
    pub progress: Progress,
}

/// A box that is neither done nor cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenTask {
    /// What is to be done, as the file has it.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
    /// The heading that it stands under, as an index into [`Overview::sections`].
    pub section: Option<usize>,
    /// The mark in the box, where it is another than a blank.
    pub mark: Option<char>,
    /// What is wrong with a box that no reader takes for one.
    pub malformed: Option<&'static str>,
}

/// What a plan says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Overview {
    /// The text of the first heading.
    pub title: Option<String>,
    /// All boxes.
    pub progress: Progress,
    /// Boxes that hold neither a blank nor an `x`.
    pub other: usize,
    /// Cancelled boxes.
    pub cancelled: usize,
    /// The headings with boxes below them, in order.
    pub sections: Vec<PlanSection>,
    /// The open boxes, in order.
    pub open: Vec<OpenTask>,
    /// All boxes, in order.
    pub boxes: Vec<PlanBox>,
}

/// A box of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlanBox {
    /// What is to be done, as the file has it.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
    /// What it counts as.
    pub standing: BoxStanding,
}

impl Overview {
    /// Read the plan in `bytes`.
    pub(crate) fn read(bytes: Arc<[u8]>) -> Self {
        Overview::of(&Document::parse(RepoPath::from("PLAN.md"), Kind::Plan, bytes))
    }

    /// Count the boxes of a parsed file, whatever its kind.
    pub(crate) fn of(document: &Document) -> Self {
        let headings = &document.markdown.headings;
        let line = |offset: usize| document.lines.line_of(offset) + 1;
        let mut counts = vec![Progress::default(); headings.len()];
        let above = parents(document);
        let mut overview = Overview::default();
        let tasks = document.tasks.iter().map(|task| (task.standing, task.heading));
        let malformed = document.malformed_tasks.iter().map(|task| (BoxStanding::Open, task.heading));
        for (standing, heading) in tasks.chain(malformed) {
            overview.progress.count(standing);
            // Six levels of headings bound this.
            let mut next = heading;
            while let Some(heading) = next {
                counts[heading].count(standing);
                next = above[heading];
            }
        }
        let count = |wanted: fn(&Task) -> bool| document.tasks.iter().filter(|task| wanted(task)).count();
        overview.other = count(|task| matches!(task.state, TaskState::Other(_)));
        overview.cancelled = count(|task| task.standing == BoxStanding::Cancelled);
        let counted: Vec<usize> = (0..headings.len()).filter(|&index| counts[index].total > 0).collect();
        let section_of = |heading: usize| counted.binary_search(&heading).ok();
        overview.title = headings.iter().map(|heading| &heading.text).find(|text| !text.trim().is_empty()).cloned();
        overview.sections = counted
            .iter()
            .map(|&index| PlanSection {
                heading: headings[index].text.clone(),
                level: headings[index].level,
                line: line(headings[index].span.start),
                progress: counts[index],
            })
            .collect();
        let open = document.tasks.iter().filter(|task| task.standing == BoxStanding::Open);
        let open = open.map(|task| OpenTask {
            text: document.slice(task.text).to_owned(),
            line: line(task.marker.start),
            section: task.heading.and_then(section_of),
            mark: if let TaskState::Other(mark) = task.state { Some(mark) } else { None },
            malformed: None,
        });
        let malformed = document.malformed_tasks.iter().map(|task| OpenTask {
            text: document.slice(task.text).to_owned(),
            line: line(task.span.start),
            section: task.heading.and_then(section_of),
            mark: None,
            malformed: Some(task.why),
        });
        overview.open = open.chain(malformed).collect();
        let boxes = document.tasks.iter().map(|task| (task.text, task.marker.start, task.standing));
        let malformed = document.malformed_tasks.iter().map(|task| (task.text, task.span.start, BoxStanding::Open));
        let boxed =
            |(text, start, standing)| PlanBox { text: document.slice(text).to_owned(), line: line(start), standing };
        overview.boxes = boxes.chain(malformed).map(boxed).collect();
        overview.boxes.sort_by_key(|task| task.line);
        overview.open.sort_by_key(|task| task.line);
        overview
    }

    /// The name in the title, without the words that only say that it is a plan; `None` if nothing else is in it.
    pub(crate) fn name(&self) -> Option<&str> {
        let title = self.title.as_deref()?.trim();
        let without = |text: &'static str| {
            let start = title.get(..text.len()).filter(|start| start.eq_ignore_ascii_case(text))?;
            title[start.len()..].trim_start().strip_prefix(':')
        };
        let name = without("implementation plan").or_else(|| without("plan")).unwrap_or(title).trim();
        let end = "implementation plan";
        let cut = name.len().checked_sub(end.len()).filter(|&at| name.is_char_boundary(at));
        let name = match cut {
            Some(at) if name[at..].eq_ignore_ascii_case(end) => {
                name[..at].trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—' | ':'))
            }
            _ => name,
        };
        Some(name).filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("plan"))
    }

    /// The open boxes that no reader takes for a box.
    pub(crate) fn malformed(&self) -> impl Iterator<Item = (&OpenTask, &'static str)> {
        self.open.iter().filter_map(|task| Some((task, task.malformed?)))
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
        assert_eq!(found.cancelled, 1);
        let open: Vec<_> = found.open.iter().map(|task| (task.text.as_str(), task.line, task.section)).collect();
        assert_eq!(open, [("b", 5, Some(1)), ("e", 10, Some(3))]);
    }

    #[test]
    fn code_and_comments_hold_no_boxes_and_a_plan_without_is_never_complete() {
        let none = read("```\n- [ ] a\n```\n\n<!--\n- [ ] b\n-->\n\n    - [x] c\n");
        assert_eq!((none.progress, none.progress.is_complete()), (Progress::default(), false));
        assert!(!read("- [x] a\n- [ ] b\n").progress.is_complete());
    }

    #[test]
    fn only_done_and_cancelled_boxes_complete_a_plan() {
        for (rest, complete) in [
            ("- [~] b", false),
            ("- [/] b", false),
            ("- [>] b", false),
            ("- [?] b", false),
            ("- [] b", false),
            ("-[ ] b", false),
            ("- [x]b", false),
            ("- [-] b", true),
            ("- [X] b", true),
            ("\n`[~]` = dropped\n\n- [~] b", true),
            ("\n`[-]` = in progress\n\n- [-] b", false),
        ] {
            let plan = read(&format!("- [x] a\n{rest}\n"));
            assert_eq!(plan.progress.is_complete(), complete, "{rest}: {plan:?}");
            assert_eq!(plan.open.is_empty(), complete, "{rest}: {plan:?}");
        }
        let slips = read("# P\n\n- [x] a\n\n-[ ] b c\n- [] d\n");
        let found: Vec<_> = slips.malformed().map(|(task, _)| (task.line, task.text.as_str(), task.section)).collect();
        assert_eq!(found, [(5, "b c", Some(0)), (6, "d", Some(0))]);
    }

    #[test]
    fn a_name_does_not_say_that_it_is_a_plan() {
        for (title, name) in [
            ("Plan: Login", Some("Login")),
            ("PLAN : Login", Some("Login")),
            ("Login Implementation Plan", Some("Login")),
            ("Login — implementation plan", Some("Login")),
            ("Implementation Plan: Login", Some("Login")),
            ("Planning the plan", Some("Planning the plan")),
            ("Implementation Plan", None),
            ("Plan", None),
            ("Plan:", None),
            ("计划", Some("计划")),
        ] {
            assert_eq!(read(&format!("# {title}\n")).name(), name, "{title}");
        }
    }
}
