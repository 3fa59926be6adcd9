//! Takes the findings that a `hintlint-ignore` comment covers out of a report. Each finding costs a binary search per rule name,
//! however many comments a file holds.

use std::collections::{BTreeSet, HashMap};

use crate::base::finding::Finding;
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::parse::{Document, Suppression};
use crate::rules::meta::Suppressed;
use crate::rules::{self, RuleInfo, is_silenceable};
use crate::workspace::Workspace;

/// Move the suppressed findings to `suppressed`. Returns, per document and suppression, the names that silenced something.
pub(super) fn apply(
    workspace: &Workspace,
    findings: &mut Vec<Finding>,
    suppressed: &mut Vec<Suppressed>,
) -> BTreeSet<(RepoPath, usize, String)> {
    let mut used = BTreeSet::new();
    let mut covers: HashMap<RepoPath, Covers<'_>> = HashMap::new();
    let mut kept = Vec::with_capacity(findings.len());
    for finding in std::mem::take(findings) {
        let has_any = |document: &&Document| document.may_suppress() && !document.suppressions.is_empty();
        let document = workspace.document(finding.path.as_bytes()).filter(has_any);
        let info = rules::find(finding.rule);
        let (Some(document), Some(info)) = (document, info.filter(|_| is_silenceable(&finding))) else {
            kept.push(finding);
            continue;
        };
        let covers = covers.entry(finding.path.clone()).or_insert_with(|| Covers::new(&document.suppressions));
        let last = covers.silence(info, finding.span, &mut |index, name| {
            used.insert((finding.path.clone(), index, name.to_owned()));
        });
        match last {
            Some(index) => suppressed.push(Suppressed { finding, reason: document.suppressions[index].reason.clone() }),
            None => kept.push(finding),
        }
    }
    *findings = kept;
    used
}

/// The suppressions of one document, by the name they give.
struct Covers<'s> {
    by_name: HashMap<&'s str, Vec<Cover>>,
}

/// Suppressions that name one rule or group and cover the same bytes.
struct Cover {
    /// The bytes; of a whole file, all that there can be.
    span: Span,
    /// Where the furthest of this cover and those before it ends.
    furthest: usize,
    /// Indices into the document's suppressions, ascending.
    suppressions: Vec<usize>,
    /// Whether they were reported as used.
    is_used: bool,
}

impl<'s> Covers<'s> {
    fn new(suppressions: &'s [Suppression]) -> Self {
        let mut named: Vec<(&str, Span, usize)> = Vec::new();
        for (index, suppression) in suppressions.iter().enumerate() {
            let span = if suppression.whole_file { Span::new(0, usize::MAX) } else { suppression.covers };
            named.extend(suppression.rules.iter().map(|(name, _)| (name.as_str(), span, index)));
        }
        named.sort_unstable();
        let mut by_name: HashMap<&str, Vec<Cover>> = HashMap::new();
        for (name, span, index) in named {
            let covers = by_name.entry(name).or_default();
            match covers.last_mut() {
                Some(cover) if cover.span == span => cover.suppressions.push(index),
                last => {
                    let furthest = last.map_or(0, |cover| cover.furthest).max(span.end);
                    covers.push(Cover { span, furthest, suppressions: vec![index], is_used: false });
                }
            }
        }
        Covers { by_name }
    }

    /// Mark all suppressions that cover a finding of `info` at `span` as used: `mark` gets each index and name once. Returns the
    /// last of them.
    fn silence(&mut self, info: &RuleInfo, span: Span, mark: &mut dyn FnMut(usize, &str)) -> Option<usize> {
        let mut last = None;
        for &name in [info.name, info.group.name()].iter().chain(info.aliases) {
            let Some(covers) = self.by_name.get_mut(name) else { continue };
            let begun = covers.partition_point(|cover| cover.span.start <= span.start);
            for cover in covers[..begun].iter_mut().rev() {
                if cover.furthest < span.start {
                    break;
                }
                let covered = span.start < cover.span.end || (span.is_empty() && span.start == cover.span.end);
                if !covered {
                    continue;
                }
                if !std::mem::replace(&mut cover.is_used, true) {
                    cover.suppressions.iter().for_each(|&index| mark(index, name));
                }
                last = last.max(cover.suppressions.last().copied());
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suppression(names: &[&str], covers: (usize, usize), whole_file: bool) -> Suppression {
        let rules = names.iter().map(|&name| (name.to_owned(), Span::default())).collect();
        let covers = Span::new(covers.0, covers.1);
        Suppression { span: Span::default(), rules, reason: String::new(), covers, whole_file }
    }

    /// The last suppression that silences a `missing-import` at `span`, and all that are marked.
    fn silenced(list: &[Suppression], span: (usize, usize)) -> (Option<usize>, Vec<(usize, String)>) {
        let info = rules::find("missing-import").expect("a rule");
        let mut marked = Vec::new();
        let mut mark = |index: usize, name: &str| marked.push((index, name.to_owned()));
        let last = Covers::new(list).silence(info, Span::new(span.0, span.1), &mut mark);
        marked.sort();
        (last, marked)
    }

    #[test]
    fn covers_end_where_their_block_ends() {
        let list = [
            suppression(&["missing-import"], (10, 20), false),
            suppression(&["imports", "zero-width"], (12, 14), false),
            suppression(&["zero-width"], (0, 0), true),
        ];
        let name = |index: usize, name: &str| (index, name.to_owned());
        assert_eq!(silenced(&list, (9, 12)), (None, vec![]));
        assert_eq!(silenced(&list, (10, 11)), (Some(0), vec![name(0, "missing-import")]));
        assert_eq!(silenced(&list, (13, 15)), (Some(1), vec![name(0, "missing-import"), name(1, "imports")]));
        assert_eq!(silenced(&list, (14, 15)), (Some(0), vec![name(0, "missing-import")]));
        assert_eq!(silenced(&list, (20, 21)), (None, vec![]));
        assert_eq!(silenced(&list, (20, 20)), (Some(0), vec![name(0, "missing-import")]), "an empty span at the end");
    }

    #[test]
    fn a_long_cover_is_found_behind_short_ones() {
        let mut list = vec![suppression(&["missing-import"], (0, 1000), false)];
        list.extend((0..50).map(|n| suppression(&["missing-import"], (n * 10, n * 10 + 2), false)));
        assert_eq!(silenced(&list, (985, 990)).0, Some(0));
        let whole = [suppression(&["imports"], (5, 6), true)];
        assert_eq!(silenced(&whole, (900, 901)).0, Some(0));
    }

    #[test]
    fn suppressions_of_one_place_are_marked_once() {
        let list: Vec<Suppression> = (0..100).map(|_| suppression(&["missing-import"], (5, 50), false)).collect();
        let mut covers = Covers::new(&list);
        let info = rules::find("missing-import").expect("a rule");
        let mut marks = 0;
        for at in 5..50 {
            assert_eq!(covers.silence(info, Span::new(at, at + 1), &mut |_, _| marks += 1), Some(99));
        }
        assert_eq!(marks, 100);
    }
}
