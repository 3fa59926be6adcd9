//! Which items of two states are the same one, changed: those of one name, and those whose long text begins alike.

use super::side::{self, FoundRun};
use std::collections::{BTreeMap, BTreeSet};

/// So many characters of a long command or prompt tell that it is the same one.
const ALIKE: usize = 60;

/// Changed items first, then removed, then new ones.
pub(super) type PairedRuns<'r> = (Vec<(&'r FoundRun, &'r FoundRun)>, Vec<&'r FoundRun>, Vec<&'r FoundRun>);

/// Put together what has one name on both sides.
pub(super) fn pairs<'r>(gone: Vec<&'r FoundRun>, new: Vec<&'r FoundRun>) -> PairedRuns<'r> {
    let mut by_name: BTreeMap<String, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, item) in gone.iter().enumerate() {
        by_name.entry(side::name(item)).or_default().0.push(at);
    }
    for (at, item) in new.iter().enumerate() {
        by_name.entry(side::name(item)).or_default().1.push(at);
    }
    let (mut changed, mut taken_old, mut taken_new) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (mut olds, mut news) in by_name.into_values() {
        // An entry beside it may be new: what begins alike is the same one.
        for length in [usize::MAX, ALIKE] {
            let begins = |item: &FoundRun| {
                let action = side::action(item).filter(|action| length > ALIKE || action.len() > 2 * ALIKE)?;
                Some(action.chars().take(length).collect::<String>())
            };
            olds.retain(|&old| {
                let wanted = begins(gone[old]);
                let Some(at) = news.iter().position(|&other| wanted.is_some() && begins(new[other]) == wanted) else {
                    return true;
                };
                let other = news.remove(at);
                changed.push((gone[old], new[other]));
                taken_old.insert(old);
                taken_new.insert(other);
                false
            });
        }
        if let ([old], [other]) = (&olds[..], &news[..]) {
            changed.push((gone[*old], new[*other]));
            taken_old.insert(*old);
            taken_new.insert(*other);
        }
    }
    let rest = |items: Vec<&'r FoundRun>, taken: &BTreeSet<usize>| {
        items.into_iter().enumerate().filter(|(at, _)| !taken.contains(at)).map(|(_, item)| item).collect()
    };
    (changed, rest(gone, &taken_old), rest(new, &taken_new))
}
