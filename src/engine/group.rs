//! Findings of one cause become one finding with its places: one commit that deleted a folder, one dead path that many files
//! name, one list of dead links, one field that a family of files lacks. Works on what is left after suppressions, filters and
//! changes, so that each place was judged on its own before.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::finding::{Applicability, Cause, Edit, Finding, Level, Related};
use crate::rules::{self, Group};

/// What findings have in common that become one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    rule: &'static str,
    level: Level,
    alike: Likeness,
    agents: Vec<&'static str>,
    applicability: Option<Applicability>,
}

/// In what findings are alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// Their rule says that they have this cause.
    Cause(String),
    /// They say the same.
    Message(String),
}

/// So many findings that say the same have one cause: a generator, or a text that was copied.
const REPEATS: usize = 4;

/// Put the findings of each cause together. The first place is the finding's own, the others are related; a fix holds the edits
/// for all. The order stays.
pub(super) fn by_cause(findings: Vec<Finding>) -> Vec<Finding> {
    let mut alike: BTreeMap<GroupKey, Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let [cause, message] = keys(finding);
        cause.into_iter().chain(message).for_each(|key| alike.entry(key).or_default().push(at));
    }
    // The first finding that each one is told with; it stands before it, or is it.
    let mut first: Vec<usize> = (0..findings.len()).collect();
    for (key, places) in &alike {
        if matches!(key.alike, Likeness::Message(_)) && places.len() < REPEATS {
            continue;
        }
        let heads: BTreeSet<usize> = places.iter().map(|&at| head(&mut first, at)).collect();
        let lowest = heads.first().copied().unwrap_or_default();
        heads.into_iter().for_each(|at| first[at] = lowest);
    }
    let mut groups: BTreeMap<usize, Vec<Finding>> = BTreeMap::new();
    for (at, finding) in findings.into_iter().enumerate() {
        groups.entry(head(&mut first, at)).or_default().push(finding);
    }
    groups.into_values().filter_map(together).collect()
}

/// The first finding of the group of the one at `at`. The way there is halved, so that no chain of groups grows long.
fn head(first: &mut [usize], at: usize) -> usize {
    let mut head = at;
    while first[head] != head {
        first[head] = first[first[head]];
        head = first[head];
    }
    head
}

/// The rule about empty files: a tool that made one made them all.
const EMPTY: &str = "empty-hint-file";

/// What else has the cause of `finding`, and what says the same.
fn keys(finding: &Finding) -> [Option<GroupKey>; 2] {
    let key = |alike: Likeness| GroupKey {
        rule: finding.rule,
        level: finding.level,
        alike,
        agents: finding.agents.clone(),
        applicability: finding.fix.as_ref().map(|fix| fix.applicability),
    };
    let group = rules::find(finding.rule).map(|info| info.group);
    let repeats =
        matches!(group, Some(Group::Frontmatter | Group::Globs | Group::Imports | Group::References | Group::Settings))
            || finding.rule == EMPTY;
    [
        finding.cause.as_ref().map(|cause| key(Likeness::Cause(cause.key.clone()))),
        repeats.then(|| key(Likeness::Message(finding.message.clone()))),
    ]
}

/// One finding for the places of `group`.
fn together(group: Vec<Finding>) -> Option<Finding> {
    let places = group.len();
    let mut rest = group.into_iter();
    let mut whole = rest.next()?;
    if places == 1 {
        return Some(whole);
    }
    let says = |finding: &Finding| Cause {
        key: String::new(),
        subject: finding.message.clone(),
        many: "",
        help: finding.help.clone(),
    };
    let cause = whole.cause.clone().unwrap_or_else(|| says(&whole));
    let mut subjects = BTreeSet::from([cause.subject.clone()]);
    let mut edits: BTreeSet<Edit> = whole.fix.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
    for finding in rest {
        let subject = finding.cause.map_or_else(|| finding.message.clone(), |cause| cause.subject);
        let again = format!("again: {subject}");
        let message = if subjects.insert(subject) { finding.message } else { again };
        whole.related.push(Related { path: finding.path, span: finding.span, message });
        whole.related.extend(finding.related);
        if let (Some(fix), Some(more)) = (&mut whole.fix, finding.fix) {
            fix.edits.extend(more.edits.into_iter().filter(|edit| edits.insert(edit.clone())));
        }
    }
    (whole.message, whole.help) = words(&whole, &cause, subjects.len(), places);
    Some(whole)
}

/// What to say of `places` places that name `subjects` different things.
fn words(whole: &Finding, cause: &Cause, subjects: usize, places: usize) -> (String, Option<String>) {
    match subjects {
        1 => (format!("{} ({places} places)", whole.message), whole.help.clone()),
        _ => {
            let message = format!("{} and {} more {} ({places} places)", cause.subject, subjects - 1, cause.many);
            (message, cause.help.clone().or_else(|| whole.help.clone()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::path::RepoPath;
    use crate::base::text::Span;

    fn finding(path: &str, at: usize, key: &str, subject: &str) -> Finding {
        let cause = Cause { key: key.into(), subject: subject.into(), many: "are gone", help: Some("all".into()) };
        let span = Span::new(at, at + 1);
        Finding::new("stale-path", Level::Error, &RepoPath::from(path), span, format!("{subject} is gone"))
            .help("one")
            .cause(cause)
    }

    fn show(findings: Vec<Finding>) -> Vec<String> {
        let places = |finding: &Finding| {
            let place = |related: &Related| {
                format!(" + {}:{} {}", related.path.to_str_lossy(), related.span.start, related.message)
            };
            finding.related.iter().map(place).collect::<String>()
        };
        let line = |finding: &Finding| {
            format!("{}:{} {}{}", finding.path.to_str_lossy(), finding.span.start, finding.message, places(finding))
        };
        by_cause(findings).iter().map(line).collect()
    }

    #[test]
    fn places_of_one_cause_are_one_finding() {
        let same = vec![finding("a", 1, "k", "x"), finding("a", 2, "other", "y"), finding("b", 3, "k", "x")];
        assert_eq!(show(same), ["a:1 x is gone (2 places) + b:3 again: x", "a:2 y is gone"]);
        let several = vec![finding("a", 1, "k", "x"), finding("a", 2, "k", "y"), finding("b", 3, "k", "y")];
        assert_eq!(show(several), ["a:1 x and 1 more are gone (3 places) + a:2 y is gone + b:3 again: y"]);
    }

    #[test]
    fn levels_and_fixes_are_kept_apart() {
        let mut low = finding("a", 2, "k", "x");
        low.level = Level::Warning;
        let fixed = |at, applicability| finding("a", at, "k", "x").fix(applicability, Span::new(at, at + 1), "z");
        let all = vec![
            finding("a", 1, "k", "x"),
            low,
            fixed(3, Applicability::Safe),
            fixed(4, Applicability::Safe),
            fixed(4, Applicability::Safe),
            fixed(5, Applicability::Unsafe),
        ];
        let found = by_cause(all);
        assert_eq!(found.len(), 4);
        let fix = found[2].fix.as_ref().unwrap();
        assert_eq!((fix.edits.len(), found[2].related.len()), (2, 2));
    }

    #[test]
    fn what_has_no_cause_stays_alone() {
        let mut a = finding("a", 1, "k", "x");
        a.cause = None;
        assert_eq!(by_cause(vec![a.clone(), a]).len(), 2);
    }

    #[test]
    fn a_field_that_a_family_of_files_lacks_is_one_finding() {
        let lacks = |rule, path: &str| {
            Finding::new(rule, Level::Error, &RepoPath::from(path), Span::new(0, 3), "`name` is missing")
        };
        let family = |rule| ["a", "b", "c", "d"].map(|path| lacks(rule, path)).to_vec();
        let again = ["b", "c", "d"].map(|path| format!(" + {path}:0 again: `name` is missing")).concat();
        assert_eq!(show(family("missing-field")), [format!("a:0 `name` is missing (4 places){again}")]);
        // Three may be three slips, and each fence that is left open has its own cause.
        assert_eq!(show(family("missing-field")[1..].to_vec()).len(), 3);
        assert_eq!(show(family(EMPTY)).len(), 1);
        assert_eq!(show(family("unclosed-fence")).len(), 4);
    }

    #[test]
    fn a_list_that_was_copied_is_one_finding() {
        let list = |path: &str| [finding(path, 1, path, "x"), finding(path, 2, path, "y")];
        let copies = |paths: &[&str]| paths.iter().flat_map(|path| list(path)).collect::<Vec<_>>();
        assert_eq!(by_cause(copies(&["a", "b", "c"])).len(), 3);
        let all = by_cause(copies(&["a", "b", "c", "d"]));
        assert_eq!((all.len(), all[0].related.len()), (1, 7));
        assert_eq!(all[0].message, "x and 1 more are gone (8 places)");
    }
}
