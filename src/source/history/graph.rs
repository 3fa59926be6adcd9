//! The commits that one commit reaches, read straight from the object database: each before its parents, newest first, as
//! `git log --date-order` has them. Knows nothing of trees and questions.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::ops::Range;

use git2::Oid;

use crate::source::objects::Reader;
use crate::source::{SourceError, commit};

/// One commit.
#[derive(Debug)]
pub(super) struct Commit {
    pub(super) id: Oid,
    pub(super) tree: Oid,
    /// When it was committed, in seconds since 1970.
    pub(super) time: i64,
    parents: Range<usize>,
}

/// Commits in their order.
#[derive(Debug, Default)]
pub(in crate::source) struct Graph {
    commits: Vec<Commit>,
    /// The parents of all commits, as places in `commits`; each commit names its range.
    parents: Vec<usize>,
}

impl Graph {
    /// All commits that `head` reaches. Those named in `cut_off` count as being without parents.
    pub(super) fn load(reader: &Reader, head: Oid, cut_off: &BTreeSet<String>) -> Result<Graph, SourceError> {
        Ok(Graph::found(reader, head, cut_off, usize::MAX)?.in_order())
    }

    /// How many commits `head` reaches, if they are no more than `most`.
    pub(super) fn count(reader: &Reader, head: Oid, cut_off: &BTreeSet<String>, most: usize) -> Option<usize> {
        let found = Graph::found(reader, head, cut_off, most + 1).ok()?.len();
        (found <= most).then_some(found)
    }

    /// The commits that `head` reaches, no more than `most`, as they are found.
    fn found(reader: &Reader, head: Oid, cut_off: &BTreeSet<String>, most: usize) -> Result<Graph, SourceError> {
        let cut_off: BTreeSet<Oid> = cut_off.iter().filter_map(|id| Oid::from_str(id).ok()).collect();
        let mut places: HashMap<Oid, usize> = HashMap::from([(head, 0)]);
        let mut found = vec![head];
        let mut graph = Graph::default();
        let mut buffer = Vec::new();
        while graph.commits.len() < found.len().min(most) {
            let id = found[graph.commits.len()];
            let commit = commit::read(reader, id, &mut buffer).map_err(|why| commit::unreadable(id, &why))?;
            let first = graph.parents.len();
            let parents = if cut_off.contains(&id) { Vec::new() } else { commit.parents };
            for parent in parents {
                let place = *places.entry(parent).or_insert_with(|| {
                    found.push(parent);
                    found.len() - 1
                });
                graph.parents.push(place);
            }
            let parents = first..graph.parents.len();
            graph.commits.push(Commit { id, tree: commit.tree, time: commit.time, parents });
        }
        Ok(graph)
    }

    /// Number of commits.
    pub(super) fn len(&self) -> usize {
        self.commits.len()
    }

    /// The commit at a place; newer ones come first.
    pub(super) fn commit(&self, place: usize) -> &Commit {
        &self.commits[place]
    }

    /// The parents of the commit at a place.
    pub(super) fn parents(&self, place: usize) -> impl ExactSizeIterator<Item = &Commit> {
        self.parents[self.commits[place].parents.clone()].iter().map(|&parent| &self.commits[parent])
    }

    /// The same commits, each before its parents, and newer ones first where that leaves a choice.
    fn in_order(self) -> Graph {
        let Graph { commits, parents } = self;
        let mut children = vec![0usize; commits.len()];
        for &parent in &parents {
            children[parent] += 1;
        }
        // Of commits of the same second the one comes first whose last child did.
        let mut waiting: BinaryHeap<(i64, Reverse<usize>, usize)> = BinaryHeap::new();
        waiting.extend(commits.first().map(|head| (head.time, Reverse(0), 0)));
        let mut places = vec![usize::MAX; commits.len()];
        let mut order = Vec::with_capacity(commits.len());
        let mut waited = 0;
        while let Some((_, _, next)) = waiting.pop() {
            places[next] = order.len();
            order.push(next);
            for &parent in &parents[commits[next].parents.clone()] {
                children[parent] -= 1;
                if children[parent] == 0 {
                    waited += 1;
                    waiting.push((commits[parent].time, Reverse(waited), parent));
                }
            }
        }
        let mut sorted = Graph { commits: Vec::with_capacity(order.len()), parents: Vec::with_capacity(parents.len()) };
        for &old in &order {
            let commit = &commits[old];
            let first = sorted.parents.len();
            sorted.parents.extend(parents[commit.parents.clone()].iter().map(|&parent| places[parent]));
            let parents = first..sorted.parents.len();
            sorted.commits.push(Commit { parents, ..*commit });
        }
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph of commits, each made of its time and the places of its parents.
    fn ordered(made: &[(i64, &[usize])]) -> Graph {
        let mut graph = Graph::default();
        for (number, (time, parents)) in made.iter().enumerate() {
            let first = graph.parents.len();
            graph.parents.extend(*parents);
            let id = Oid::from_bytes(&[number as u8; 20]).expect("an id");
            graph.commits.push(Commit { id, tree: id, time: *time, parents: first..graph.parents.len() });
        }
        graph.in_order()
    }

    #[test]
    fn no_commit_comes_after_its_parents_whatever_the_clocks_said() {
        // The third was made by a clock that ran ahead.
        let graph = ordered(&[(5, &[1, 2]), (1, &[3]), (9, &[3]), (2, &[])]);
        let times: Vec<_> = (0..graph.len()).map(|place| graph.commit(place).time).collect();
        assert_eq!(times, [5, 9, 1, 2]);
        assert_eq!(graph.parents(0).map(|parent| parent.time).collect::<Vec<_>>(), [1, 9]);
    }

    #[test]
    fn of_commits_of_one_second_the_one_whose_child_came_first_comes_first() {
        let graph = ordered(&[(9, &[1, 2]), (5, &[3]), (7, &[4]), (3, &[]), (3, &[])]);
        let numbers: Vec<_> = (0..graph.len()).map(|place| graph.commit(place).id.as_bytes()[0]).collect();
        assert_eq!(numbers, [0, 2, 1, 4, 3]);
    }
}
