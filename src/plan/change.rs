//! What became of a plan's boxes between two of its versions. A box is the same where its words are; of several with the same
//! words the first is compared with the first.

use std::collections::HashMap;

use super::{Overview, PlanBox};
use crate::parse::tasks::BoxStanding;

/// The boxes that differ, in the order of the later version; those that are gone in the order of the earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlanChange<'p> {
    /// Done now, and open, cancelled or missing before.
    pub done: Vec<&'p PlanBox>,
    /// New and open.
    pub added: Vec<&'p PlanBox>,
    /// Open again.
    pub reopened: Vec<&'p PlanBox>,
    /// Cancelled since.
    pub cancelled: Vec<&'p PlanBox>,
    /// No longer in the plan.
    pub removed: Vec<&'p PlanBox>,
}

impl PlanChange<'_> {
    /// Whether no box differs.
    pub(crate) fn is_empty(&self) -> bool {
        [&self.done, &self.added, &self.reopened, &self.cancelled, &self.removed].iter().all(|list| list.is_empty())
    }
}

/// What changed from `before` to `after`.
pub(crate) fn between<'p>(before: &'p Overview, after: &'p Overview) -> PlanChange<'p> {
    let mut left: HashMap<&str, Vec<&PlanBox>> = HashMap::new();
    for task in before.boxes.iter().rev() {
        left.entry(task.text.trim()).or_default().push(task);
    }
    let mut change = PlanChange::default();
    for task in &after.boxes {
        let old = left.get_mut(task.text.trim()).and_then(Vec::pop).map(|old| old.standing);
        match (old, task.standing) {
            (Some(old), new) if old == new => {}
            (_, BoxStanding::Done) => change.done.push(task),
            (None, BoxStanding::Open) => change.added.push(task),
            (Some(_), BoxStanding::Open) => change.reopened.push(task),
            (_, BoxStanding::Cancelled) => change.cancelled.push(task),
        }
    }
    let gone = |task: &&PlanBox| {
        left.get(task.text.trim()).is_some_and(|rest| rest.iter().any(|other| std::ptr::eq(*other, *task)))
    };
    change.removed = before.boxes.iter().filter(gone).collect();
    change
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_told_apart_by_their_words() {
        let read = |text: &str| Overview::read(text.as_bytes().into());
        let before = read("- [ ] a\n- [ ] b\n- [x] c\n- [ ] d\n- [ ] twin\n- [ ] twin\n- [ ] gone\n");
        let after =
            read("# P\n- [x] a\n- [ ] b\n- [ ] c\n- [-] d\n- [x] twin\n- [ ] twin\n- [ ] new\n- [x] new and done\n");
        let change = between(&before, &after);
        let lines = |list: &[&PlanBox]| list.iter().map(|task| task.line).collect::<Vec<_>>();
        assert_eq!(lines(&change.done), [2, 6, 9]);
        assert_eq!((lines(&change.added), lines(&change.reopened)), (vec![8], vec![4]));
        assert_eq!((lines(&change.cancelled), lines(&change.removed)), (vec![5], vec![7]));
        assert!(between(&after, &after).is_empty());
    }
}
