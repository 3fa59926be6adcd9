//! `progress-mismatch`: a progress line contradicts the checkboxes. Knows only parsed documents.

use std::collections::BTreeSet;

use super::claims::{self, Claim};
use crate::base::finding::{Applicability, Edit, Finding, Level};
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::tasks::{BoxStanding, TaskState};
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};

/// The rule.
pub(super) struct ProgressMismatch;

static INFO: RuleInfo = RuleInfo {
    name: "progress-mismatch",
    group: Group::Plans,
    levels: &[Level::Warning],
    summary: "a progress line contradicts the checkboxes",
    explanation: r#"## What it does

Reports a stated progress in a plan that disagrees with its boxes: a line such as `Progress: 5/20`, `**Progress**: 3 of 10 tasks` or
`5/20 tasks completed`, or a heading that ends with `(3/10)`. A heading speaks of its own section; a line of the section it stands in,
or of the whole plan if it stands at the top or its section has no boxes. A statement that is right for either, with or without nested
boxes, is never reported; nor are `(1/3)`, `(2/3)` in a row of headings, which number parts.

## Why is this bad?

The line is what people read, the boxes are what agents count.

## Example

```markdown
Progress: 5/20

- [x] one
- [ ] two
```

## How to fix

Correct the numbers; `--fix` writes those that the boxes give. Where nested boxes leave open which total was meant, the fix is
unsafe.
"#,
    evidence: &[Evidence { source: "https://github.github.com/gfm/#task-list-items-extension-", checked: "2026-11" }],
    fix: FixAvailability::Always,
    aliases: &[],
};

impl Rule for ProgressMismatch {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, _cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        if document.kind != Kind::Plan {
            return;
        }

        let claims = claims::read(document);
        if claims.is_empty() || document.tasks.is_empty() {
            return;
        }
        let tally = Tally::new(document);
        for claim in claims {
            let scopes = tally.scopes(&claim);
            let Some(first) = scopes.first() else { continue };
            let stated = Count { done: claim.done, total: claim.total };
            let all = || scopes.iter().flatten().copied();
            let same_total: BTreeSet<Count> = all().filter(|count| count.total == stated.total).collect();
            if all().any(|count| count == stated) || (claim.may_be_date && same_total.is_empty()) {
                continue;
            }
            let (right, certain) = match same_total.first() {
                Some(&only) if same_total.len() == 1 => (only, true),
                _ => (first[0], first.iter().all(|count| *count == first[0])),
            };
            findings.push(report(document, &claim, right, certain));
        }
    }
}

fn report(document: &Document, claim: &Claim, right: Count, certain: bool) -> Finding {
    let Count { done, total } = right;
    let message =
        format!("this line says {} of {}, but {done} of {total} checkboxes are ticked", claim.done, claim.total);
    let edit = |span: Span, number: usize| Edit { path: document.path.clone(), span, replacement: number.to_string() };
    let mut edits = vec![edit(claim.done_span, done), edit(claim.total_span, total)];
    edits.extend(claim.percent_span.map(|percent| edit(percent, (200 * done + total) / (2 * total))));
    edits.retain(|edit| document.slice(edit.span) != edit.replacement);
    let place = Span::new(claim.done_span.start, claim.total_span.end);
    Finding::new(INFO.name, Level::Warning, &document.path, place, message)
        .help(format!("write {done}/{total}"))
        .fix_edits(if certain { Applicability::Safe } else { Applicability::Unsafe }, edits)
}

/// Boxes done, and boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    done: usize,
    total: usize,
}

/// Counts of one set of boxes: as `plan` and the hooks count them, the outermost only, those that hold a blank or an `x`
/// only, and all with the cancelled ones. The first is the one that a fix writes; a claim that is right by any is right.
type BoxCounts = [Count; 4];

/// Everything needed to count the boxes of any section at once, however many claims there are.
struct Tally<'d> {
    document: &'d Document,
    /// For each heading, the index of the first heading that is no longer part of its section.
    section_ends: Vec<usize>,
    /// The headings of the boxes, malformed ones included, in order.
    headings: Vec<Option<usize>>,
    /// Counts of the first n boxes, for each n.
    before: Vec<BoxCounts>,
}

impl<'d> Tally<'d> {
    fn new(document: &'d Document) -> Self {
        let headings = &document.markdown.headings;
        let mut section_ends = vec![headings.len(); headings.len()];
        let mut open: Vec<usize> = Vec::new();
        for (index, heading) in headings.iter().enumerate() {
            while let Some(last) = open.pop_if(|last| headings[*last].level >= heading.level) {
                section_ends[last] = index;
            }
            open.push(index);
        }
        let tasks = document.tasks.iter().map(|task| {
            let counts = task.standing != BoxStanding::Cancelled;
            let known = !matches!(task.state, TaskState::Other(_));
            let counted = [counts, counts && task.parent.is_none(), known, true];
            (task.marker.start, task.heading, counted, task.standing == BoxStanding::Done)
        });
        let malformed = document.malformed_tasks.iter().map(|task| {
            // The nesting of a box outside of lists is unknown.
            (task.span.start, task.heading, [true, true, false, true], false)
        });
        let mut boxes: Vec<_> = tasks.chain(malformed).collect();
        boxes.sort_by_key(|(at, ..)| *at);
        let mut sum = [Count { done: 0, total: 0 }; 4];
        let mut before = vec![sum];
        for (_, _, counted, done) in &boxes {
            for (count, counted) in sum.iter_mut().zip(counted) {
                count.total += usize::from(*counted);
                count.done += usize::from(*counted && *done);
            }
            before.push(sum);
        }
        let headings = boxes.iter().map(|(_, heading, ..)| *heading).collect();
        Tally { document, section_ends, headings, before }
    }

    /// What the boxes say in each scope that the claim may mean, the likeliest first. Scopes without boxes are left out.
    fn scopes(&self, claim: &Claim) -> Vec<BoxCounts> {
        let headings = &self.document.markdown.headings;
        let boxes = &self.headings;
        let at_top = claim.heading.is_none_or(|index| index == 0 && headings[0].level == 1);
        let mut scopes = Vec::new();
        if let Some(index) = claim.heading.filter(|_| claim.in_heading || !at_top) {
            let from = boxes.partition_point(|heading| *heading < Some(index));
            let to = boxes.partition_point(|heading| *heading < Some(self.section_ends[index]));
            scopes.push(self.between(from, to));
        }
        if at_top || !claim.in_heading {
            scopes.push(self.between(0, boxes.len()));
        }
        scopes.retain(|counts| counts[0].total > 0);
        scopes
    }

    /// Counts of the boxes `from..to`.
    fn between(&self, from: usize, to: usize) -> BoxCounts {
        std::array::from_fn(|variant| {
            let (low, high) = (self.before[from][variant], self.before[to][variant]);
            Count { done: high.done - low.done, total: high.total - low.total }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{check, fixed};

    const BOXES: &str = "- [x] a\n- [ ] b\n- [ ] c\n- [x] d\n";

    #[test]
    fn every_form_is_mended() {
        for (line, want) in [
            ("Progress: 1/20", "Progress: 2/4"),
            ("**Progress**: 3 of 10 tasks", "**Progress**: 2 of 4 tasks"),
            ("- **Overall Progress:** 0/4 (0%)", "- **Overall Progress:** 2/4 (50%)"),
            ("_Completed: 3/4 tasks_", "_Completed: 2/4 tasks_"),
            ("3 out of 4 tasks completed.", "2 out of 4 tasks completed."),
            ("## Tasks (3/4)", "## Tasks (2/4)"),
            ("## Tasks [3/4 done]", "## Tasks [2/4 done]"),
        ] {
            let text = format!("# Plan\n\n{line}\n\n{BOXES}");
            let want = format!("# Plan\n\n{want}\n\n{BOXES}");
            assert_eq!(fixed(&ProgressMismatch, Kind::Plan, &text, Applicability::Safe), want);
            assert_eq!(check(&ProgressMismatch, Kind::AgentsMd, &text), []);
        }
    }

    #[test]
    fn what_is_right_in_some_way_or_no_progress_is_left_alone() {
        for text in [
            format!("Progress: 2/4\n\n{BOXES}"),
            "Progress: 1/2\n\n- [x] a\n  - [x] b\n- [ ] c\n".to_owned(),
            format!("# P\n\nProgress: 4/8\n\n## A\n{BOXES}\n## B\n{BOXES}"),
            format!("# P\n\n## Summary\nProgress: 2/4\n\n## A\n{BOXES}"),
            format!("# P\n\n## A\nProgress: 4/8\n\n{BOXES}\n## B\n{BOXES}"),
            format!("# P\n\n## Part (1/2)\n{BOXES}\n## Part (2/2)\n{BOXES}"),
            format!("Completed: 11/21\n\n{BOXES}"),
            format!("Completed: 3/10/2026\n\n{BOXES}"),
            format!("`Progress: 1/9`\n\n{BOXES}\n```\nProgress: 1/9\n```\n<!-- Progress: 1/9 -->\n"),
            format!("We made progress: 3/4 of the users agreed.\n\n{BOXES}"),
            "Progress: 1/9\n".to_owned(),
            "Progress: 1/3\n\n- [x] a\n- [~] b\n- [ ] c\n- [-] d\n".to_owned(),
            "Progress: 1/2\n\n- [x] a\n- [ ] b\n-[ ] c\n".to_owned(),
            "Progress: 1/3\n\n- [x] a\n- [ ] b\n-[ ] c\n".to_owned(),
        ] {
            assert_eq!(check(&ProgressMismatch, Kind::Plan, &text), [], "{text}");
        }
    }

    #[test]
    fn the_count_is_the_one_of_plan_and_the_hooks() {
        let text = "Progress: 1/9\n\n[-] = cancelled\n\n- [x] a\n- [~] b\n-[ ] c\n- [-] d\n";
        let want = text.replace("1/9", "1/3");
        assert_eq!(fixed(&ProgressMismatch, Kind::Plan, text, Applicability::Unsafe), want);
    }

    #[test]
    fn nested_boxes_make_the_total_uncertain() {
        let text = "Progress: 0/7\n\n- [x] a\n  - [x] b\n- [ ] c\n";
        assert_eq!(fixed(&ProgressMismatch, Kind::Plan, text, Applicability::Safe), text);
        let text = "Progress: 0/2\n\n- [x] a\n  - [x] b\n- [ ] c\n";
        assert_eq!(fixed(&ProgressMismatch, Kind::Plan, text, Applicability::Safe), text.replace("0/2", "1/2"));
    }
}
