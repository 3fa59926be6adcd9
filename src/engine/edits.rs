//! Fixes become edits, and edits become new bytes. Pure: nothing is written here.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::finding::{Applicability, Edit, Finding, Fix};
use crate::base::path::RepoPath;
use crate::base::text::Span;

/// Most rounds of checking and fixing. Well-behaved rules need two; two rules that undo each other's fixes would need more.
pub const MAX_ROUNDS: usize = 10;

/// What the fixes of one round make of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedFile {
    /// The file's new bytes.
    pub bytes: Arc<[u8]>,
    /// Number of findings fixed, by rule.
    pub by_rule: BTreeMap<&'static str, usize>,
}

/// Apply the fixes of `findings` that `allowed` permits. A fix that overlaps one taken before is left for the next round;
/// earlier findings win. A fix with edits in several files is applied whole or not at all. `bytes` gives a file's present bytes.
pub fn apply(
    findings: &[Finding],
    allowed: Applicability,
    bytes: &dyn Fn(&RepoPath) -> Option<Arc<[u8]>>,
) -> BTreeMap<RepoPath, FixedFile> {
    let mut taken = Taken::default();
    let mut by_rule: BTreeMap<RepoPath, BTreeMap<&'static str, usize>> = BTreeMap::new();
    for finding in findings {
        let Some(fix) = finding.fix.as_ref().filter(|fix| fix.applicability <= allowed && !fix.edits.is_empty()) else {
            continue;
        };
        if !taken.take(fix, bytes) {
            continue;
        }
        *by_rule.entry(finding.path.clone()).or_default().entry(finding.rule).or_default() += 1;
    }
    let fixed = |(path, edits): (RepoPath, BTreeMap<usize, (Span, &str)>)| {
        let before = bytes(&path)?;
        let after = splice(&before, edits.into_values());
        let by_rule = by_rule.get(&path).cloned().unwrap_or_default();
        (after != *before).then(|| (path, FixedFile { bytes: after.into(), by_rule }))
    };
    taken.edits.into_iter().filter_map(fixed).collect()
}

/// The edits that were taken, per file and by where they begin. No two collide, so that no two begin at the same place, and
/// the neighbours of a new one are all that it can collide with.
#[derive(Default)]
struct Taken<'f> {
    edits: BTreeMap<RepoPath, BTreeMap<usize, (Span, &'f str)>>,
}

impl<'f> Taken<'f> {
    /// Take the edits of `fix` if all lie inside their files and collide with none that was taken before, nor with each other;
    /// else none of them.
    fn take(&mut self, fix: &'f Fix, bytes: &dyn Fn(&RepoPath) -> Option<Arc<[u8]>>) -> bool {
        for (number, edit) in fix.edits.iter().enumerate() {
            let in_order = edit.span.start <= edit.span.end;
            let inside = in_order && bytes(&edit.path).is_some_and(|bytes| edit.span.end <= bytes.len());
            if inside && self.is_free(edit) {
                let edits = self.edits.entry(edit.path.clone()).or_default();
                edits.insert(edit.span.start, (edit.span, &edit.replacement));
                continue;
            }
            for edit in &fix.edits[..number] {
                self.edits.entry(edit.path.clone()).or_default().remove(&edit.span.start);
            }
            return false;
        }
        true
    }

    fn is_free(&self, edit: &Edit) -> bool {
        let Some(edits) = self.edits.get(&edit.path) else { return true };
        let before = edits.range(..edit.span.start).next_back();
        let after = edits.range(edit.span.start..).next();
        !before.into_iter().chain(after).any(|(_, (span, _))| collide(*span, edit.span))
    }
}

/// Whether two edits overlap, or insert at the same place.
fn collide(a: Span, b: Span) -> bool {
    a.overlaps(b) || (a.start == b.start && (a.is_empty() || b.is_empty()))
}

fn splice<'e>(before: &[u8], edits: impl Iterator<Item = (Span, &'e str)>) -> Vec<u8> {
    let mut after = Vec::with_capacity(before.len());
    let mut at = 0;
    for (span, replacement) in edits {
        after.extend_from_slice(&before[at..span.start]);
        after.extend_from_slice(replacement.as_bytes());
        at = span.end;
    }
    after.extend_from_slice(&before[at..]);
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::finding::Level;

    fn fixed(text: &str, edits: &[(usize, usize, &str, Applicability)]) -> String {
        let path = RepoPath::from("a.md");
        let finding = |&(start, end, replacement, applicability): &(usize, usize, &str, Applicability)| {
            let span = Span::new(start, end);
            Finding::new("rule", Level::Error, &path, span, "x").fix(applicability, span, replacement)
        };
        let findings: Vec<_> = edits.iter().map(finding).collect();
        let fixed = apply(&findings, Applicability::Safe, &|_| Some(text.as_bytes().into()));
        let bytes = fixed.get(&path).map_or(text.as_bytes().to_vec(), |fixed| fixed.bytes.to_vec());
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn edits_are_applied_and_overlaps_left_for_later() {
        let safe = Applicability::Safe;
        assert_eq!(fixed("abcdef", &[(4, 5, "E", safe), (0, 1, "A", safe)]), "AbcdEf");
        assert_eq!(fixed("abcdef", &[(0, 3, "X", safe), (2, 4, "Y", safe)]), "Xdef");
        assert_eq!(fixed("abcdef", &[(2, 2, "1", safe), (2, 2, "2", safe)]), "ab1cdef");
        assert_eq!(fixed("abcdef", &[(0, 1, "A", Applicability::Unsafe)]), "abcdef");
        assert_eq!(fixed("abcdef", &[(0, 99, "A", safe)]), "abcdef");
    }

    #[test]
    fn a_fix_whose_own_edits_collide_is_not_applied() {
        let path = RepoPath::from("a.md");
        let edit = |start, end| Edit { path: path.clone(), span: Span::new(start, end), replacement: "-".into() };
        for edits in [vec![edit(0, 3), edit(1, 2)], vec![edit(2, 2), edit(2, 2)], vec![edit(0, 2), edit(1, 9)]] {
            let finding =
                Finding::new("r", Level::Error, &path, Span::new(0, 1), "x").fix_edits(Applicability::Safe, edits);
            assert!(apply(&[finding], Applicability::Safe, &|_| Some(b"abcdef"[..].into())).is_empty());
        }
    }

    /// The sweep takes what comparing every pair would take.
    #[test]
    fn what_is_taken_collides_with_nothing_and_what_is_left_collides() {
        let path = RepoPath::from("a.md");
        // A fixed sequence that reaches every kind of neighbourhood.
        let spans: Vec<Span> = (0..400_usize)
            .map(|n| (n * 7919 % 301, n * 104_729 % 5))
            .map(|(start, length)| Span::new(start, (start + length).min(301)))
            .collect();
        let fixes: Vec<Fix> = spans
            .iter()
            .map(|&span| Edit { path: path.clone(), span, replacement: String::new() })
            .map(|edit| Fix { applicability: Applicability::Safe, edits: vec![edit] })
            .collect();
        let mut taken = Taken::default();
        let mut naive: Vec<Span> = Vec::new();
        for (fix, &span) in fixes.iter().zip(&spans) {
            let free = naive.iter().all(|&other| !collide(span, other));
            assert_eq!(taken.take(fix, &|_| Some(vec![b'x'; 301].into())), free, "{span:?} beside {naive:?}");
            naive.extend(free.then_some(span));
        }
        assert!(naive.len() > 50 && naive.len() < 350, "{}", naive.len());
    }

    #[test]
    fn a_fix_of_two_files_is_whole_or_nothing() {
        let (a, b) = (RepoPath::from("a.md"), RepoPath::from("b.md"));
        let edit = |path: &RepoPath, start, end| Edit {
            path: path.clone(),
            span: Span::new(start, end),
            replacement: "-".into(),
        };
        let one =
            Finding::new("r", Level::Error, &a, Span::new(0, 1), "x").fix(Applicability::Safe, Span::new(0, 1), "+");
        let two = Finding::new("r", Level::Error, &b, Span::new(0, 1), "x")
            .fix_edits(Applicability::Safe, vec![edit(&b, 0, 1), edit(&a, 0, 1)]);
        let fixed = apply(&[one, two], Applicability::Safe, &|_| Some(b"xyz"[..].into()));
        assert_eq!(fixed.keys().collect::<Vec<_>>(), [&a]);
    }
}
