//! Findings of one cause become one finding with its places: one commit that deleted a folder, one dead path that many files
//! name, one list of dead links, one field that a family of files lacks. Works on what is left after suppressions, filters and
//! changes, so that each place was judged on its own before.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::finding::{Applicability, Cause, Edit, Finding, Level, Related};
use crate::base::path::RepoPath;
use crate::discover;
use crate::rules::{self, Group};
use crate::workspace::Workspace;

/// What findings have in common that become one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey<'w> {
    rule: &'static str,
    level: Level,
    alike: Likeness<'w>,
    agents: Vec<&'static str>,
    applicability: Option<Applicability>,
}

/// In what findings are alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness<'w> {
    /// Their rule says that they have this cause.
    Cause(String),
    /// They say the same.
    Message(String),
    /// They stand at the same place of the same text.
    Copy(CopiedPlace<'w>),
}

/// A place in a text, whichever file holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CopiedPlace<'w> {
    start: usize,
    end: usize,
    /// The text from the body on, or all of it for a place in the frontmatter.
    text: &'w str,
}

/// So many findings that say the same have one cause: a generator, or a text that was copied.
const REPEATS: usize = 4;

/// A text of fewer lines may be alike by chance.
const COPIED_LINES: usize = 5;

/// Folders into which tools write what they make of other files.
const BUILT: [&str; 7] = ["build", "dist", "generated", "out", "output", "site", "target"];

/// Put the findings of each cause together. The first place that no tool made is the finding's own, the others are related; a fix
/// holds the edits for all. The order stays.
pub(super) fn by_cause(workspace: &Workspace, findings: Vec<Finding>) -> Vec<Finding> {
    let mut alike: BTreeMap<GroupKey<'_>, Vec<usize>> = BTreeMap::new();
    let copies: Vec<Option<CopiedPlace<'_>>> =
        findings.iter().map(|finding| copied_place(workspace, finding)).collect();
    for (at, finding) in findings.iter().enumerate() {
        for key in keys(finding, copies[at]).into_iter().flatten() {
            alike.entry(key).or_default().push(at);
        }
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
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..findings.len() {
        groups.entry(head(&mut first, at)).or_default().push(at);
    }
    // Each group at the place of the finding that leads it.
    let mut led: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for places in groups.into_values() {
        let lead = places.iter().copied().min_by_key(|&at| (is_copy(&findings[at].path), at)).unwrap_or_default();
        let rest = places.into_iter().filter(|&at| at != lead);
        led.insert(lead, std::iter::once(lead).chain(rest).collect());
    }
    let mut findings: Vec<Option<Finding>> = findings.into_iter().map(Some).collect();
    let mut group = |places: Vec<usize>| {
        let found = places.into_iter().filter_map(|at| Some((findings[at].take()?, copies[at])));
        together(found.collect())
    };
    led.into_values().filter_map(&mut group).collect()
}

/// Whether the folders of `path` say that a tool made the file, or that it is kept as a record.
fn is_copy(path: &RepoPath) -> bool {
    let is_made = |folder: &[u8]| {
        let plain = folder.strip_prefix(b".").or_else(|| folder.strip_prefix(b"_")).unwrap_or(folder);
        BUILT.iter().any(|name| plain.eq_ignore_ascii_case(name.as_bytes()))
    };
    path.parent().split(|&byte| byte == b'/').any(is_made) || discover::why_set_aside(path.as_bytes()).is_some()
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

/// Rules of the group about contexts that judge a text by itself.
const OF_TEXT: [&str; 2] = ["conflict-markers", "unclosed-fence"];

/// The place of a finding in its text, for rules that judge the text and not the file's location.
fn copied_place<'w>(workspace: &'w Workspace, finding: &Finding) -> Option<CopiedPlace<'w>> {
    let of_text = match rules::find(finding.rule)?.group {
        Group::Unicode | Group::Frontmatter | Group::Globs | Group::Imports | Group::References | Group::Plans => true,
        _ => OF_TEXT.contains(&finding.rule),
    };
    let document = workspace.document(finding.path.as_bytes()).filter(|_| of_text && !finding.is_placeless())?;
    let begin = if finding.span.start < document.body { 0 } else { document.body };
    let text = document.text.get(begin..).filter(|text| text.lines().nth(COPIED_LINES - 1).is_some())?;
    Some(CopiedPlace { start: finding.span.start - begin, end: finding.span.end - begin, text })
}

/// What else has the cause of `finding`, what says the same, and what stands at the same place of a copy.
fn keys<'w>(finding: &Finding, copy: Option<CopiedPlace<'w>>) -> [Option<GroupKey<'w>>; 3] {
    let key = |alike: Likeness<'w>| GroupKey {
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
        copy.map(|copy| key(Likeness::Copy(copy))),
    ]
}

/// One finding for the places of `group`, the first of which leads.
fn together(group: Vec<(Finding, Option<CopiedPlace<'_>>)>) -> Option<Finding> {
    let places = group.len();
    let mut rest = group.into_iter();
    let (mut whole, copy) = rest.next()?;
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
    let mut told: BTreeMap<CopiedPlace<'_>, String> =
        copy.map(|copy| (copy, cause.subject.clone())).into_iter().collect();
    let mut edits: BTreeSet<Edit> = whole.fix.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
    for (finding, copy) in rest {
        let subject = match (finding.cause, copy) {
            (Some(cause), _) => cause.subject,
            // A message may name a path as counted from the file, so that the same text of a copy has another one.
            (None, Some(copy)) => told.entry(copy).or_insert_with(|| finding.message.clone()).clone(),
            (None, None) => finding.message.clone(),
        };
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
    use crate::base::text::Span;
    use crate::config::Config;
    use crate::rules::run::{Selection, run};
    use crate::source::Memory;
    use crate::source::history::Answers;
    use crate::workspace::load;

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
        by_cause(&Workspace::default(), findings).iter().map(line).collect()
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
        let found = by_cause(&Workspace::default(), all);
        assert_eq!(found.len(), 4);
        let fix = found[2].fix.as_ref().unwrap();
        assert_eq!((fix.edits.len(), found[2].related.len()), (2, 2));
    }

    #[test]
    fn what_has_no_cause_stays_alone() {
        let mut a = finding("a", 1, "k", "x");
        a.cause = None;
        assert_eq!(by_cause(&Workspace::default(), vec![a.clone(), a]).len(), 2);
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
        assert_eq!(by_cause(&Workspace::default(), copies(&["a", "b", "c"])).len(), 3);
        let all = by_cause(&Workspace::default(), copies(&["a", "b", "c", "d"]));
        assert_eq!((all.len(), all[0].related.len()), (1, 7));
        assert_eq!(all[0].message, "x and 1 more are gone (8 places)");
    }

    #[test]
    fn short_texts_are_alike_by_chance() {
        let files = [("a/CLAUDE.md", "See @none.md.\n"), ("b/CLAUDE.md", "See @none.md.\n")];
        let loaded = load(&Memory::of_files(files), Config::default(), &[]).unwrap();
        let selection = Selection { select: vec!["missing-import".to_owned()], ..Selection::default() };
        let judged = run(loaded, &selection, &mut |_| Answers::default());
        assert_eq!(by_cause(&judged.workspace, judged.findings).len(), 2);
    }

    #[test]
    fn copies_of_a_text_are_told_at_their_source() {
        let text = "---\nname: x\ndescription: y\n---\n# T\n\nSee [a](references/none.md).\n\n```sh\nmake\n## B\n";
        let other = text.replace("# T", "# U");
        let files = [
            (".build/claude/skills/x/SKILL.md", text),
            ("skills/x/SKILL.md", text),
            ("skills/y/x/SKILL.md", other.as_str()),
        ];
        let loaded = load(&Memory::of_files(files), Config::default(), &[]).unwrap();
        let select = vec!["unclosed-fence".to_owned(), "broken-link".to_owned()];
        let selection = Selection { select, ..Selection::default() };
        let judged = run(loaded, &selection, &mut |_| Answers::default());
        let found = by_cause(&judged.workspace, judged.findings);
        let line = |finding: &Finding| {
            let others: Vec<_> = finding.related.iter().map(|related| related.path.to_str_lossy()).collect();
            format!("{} {} + {}", finding.path.to_str_lossy(), finding.rule, others.join(" "))
        };
        let copies = ".build/claude/skills/x/SKILL.md";
        let want = [
            format!("skills/x/SKILL.md broken-link + {copies}"),
            format!("skills/x/SKILL.md unclosed-fence + {copies}"),
            "skills/y/x/SKILL.md broken-link + ".to_owned(),
            "skills/y/x/SKILL.md unclosed-fence + ".to_owned(),
        ];
        assert_eq!(found.iter().map(line).collect::<Vec<_>>(), want);
        assert!(found[0].message.ends_with("(2 places)") && !found[0].message.contains("more"), "{}", found[0].message);
    }
}
