//! The ledger against histories of a few lines.

use super::*;
use crate::source::history::Fate;

/// Walk through a history written newest first: `#` begins a commit; `D a`, `A a`, `M a`, `R a b` (exact) and `r a b`
/// (similar) change paths; `--` ends what is not staged.
fn walk(now: &[&str], ask: &[&str], history: &str) -> (Vec<String>, bool) {
    let listing = Listing::of_files(now);
    let mut questions = Questions::default();
    questions.fates.extend(ask.iter().map(RepoPath::new));
    let mut ledger = Ledger::new(&questions, &listing);
    let mut commits = 0;
    for line in history.split(';').map(str::trim).filter(|line| !line.is_empty()) {
        let line = match line.strip_prefix('#') {
            Some(rest) => {
                commits += 1;
                ledger.commit(format!("c{commits}"), 1_000_000 - commits, false);
                rest.trim_start()
            }
            None => line,
        };
        let words: Vec<&str> = line.split(' ').collect();
        let change = |status, from: &str, to: &str| RawChange { to: to.into(), ..RawChange::at(status, from) };
        match words[..] {
            ["--"] => ledger.staged(),
            ["D", path] => ledger.change(&change(Status::Deleted, path, path)),
            ["A", path] => ledger.change(&change(Status::Added, path, path)),
            ["M", path] => ledger.change(&change(Status::Modified, path, path)),
            ["R", from, to] => ledger.change(&change(Status::Renamed { exact: true }, from, to)),
            ["r", from, to] => ledger.change(&change(Status::Renamed { exact: false }, from, to)),
            _ => panic!("{line}"),
        }
    }
    let settled = ledger.is_settled();
    let lost = ledger.lost_in_merges();
    let answers = ledger.answers(true);
    let mut lines: Vec<String> = answers.fates.iter().map(|(path, fate)| format!("{path:?} {}", show(fate))).collect();
    lines.extend(lost.iter().map(|path| format!("lost {}", path.escape_ascii())));
    (lines, settled)
}

fn show(fate: &Fate) -> String {
    let id = |commit: &Option<CommitRef>| commit.as_ref().map_or("now".to_owned(), |commit| commit.id.clone());
    match fate {
        Fate::NeverTracked => "never".to_owned(),
        Fate::Unknown => "unknown".to_owned(),
        Fate::Deleted { commit } => format!("deleted {}", id(commit)),
        Fate::Gone { commit } => format!("gone {}", id(commit)),
        Fate::Renamed { to, exact, commit } => {
            format!("{} {} {}", if *exact { "moved" } else { "renamed" }, to.to_str_lossy(), id(commit))
        }
    }
}

#[test]
fn files() {
    for (now, ask, history, expected) in [
        ("x", "p", "# M x; # A x", r#""p" never"#),
        ("x", "p", "# M x; # D p; # A p", r#""p" deleted c2"#),
        ("q", "p", "# M q; # R p q; # A p", r#""p" moved q c2"#),
        ("r", "p", "# r q r; # M q; # R p q", r#""p" renamed r c3"#),
        // Renamed, and the new name deleted since: it went when it was renamed, as `git log` says of the path.
        ("x", "p", "# D q; # R p q", r#""p" deleted c2"#),
        ("x", "p", "# D r; # M x; # R q r; # R p q", r#""p" deleted c4"#),
        // The new name has had a later life that does not concern us.
        ("r", "p", "# D q; # A q; # R q r; # R p q", r#""p" moved r c4"#),
        // The last life counts, not an earlier one.
        ("q", "p", "# D p; # A p; # R p q", r#""p" deleted c1"#),
        // Deleted on one line of history and renamed on another.
        ("q", "p", "# D p; # R p q; # A p", r#""p" moved q c2"#),
        // Nothing of it is committed.
        ("q", "p", "R p q; -- ; # A p", r#""p" moved q now"#),
        ("r", "p", "R q r; -- ; r p q; # A p", r#""p" renamed r now"#),
        ("r", "p", "R q r; -- ; # R p q", r#""p" moved r c1"#),
        // A swap ends at a file of today.
        ("q", "p", "# R q t; # R p q; # A p", r#""p" moved q c2"#),
    ] {
        assert_eq!(walk(&[now], &[ask], history).0, [expected], "{history}");
    }
}

#[test]
fn directories_move_with_most_of_their_files() {
    for (now, history, expected) in [
        (vec!["e/a", "e/b"], "# R d/a e/a; R d/b e/b", r#""d" moved e c1"#),
        (vec!["e/a", "e/s/b"], "# R d/a e/a; r d/s/b e/s/b; D d/c", r#""d" renamed e c1"#),
        (vec!["e/a", "x/b"], "# R d/a e/a; R d/b x/b", r#""d" deleted c1"#),
        // What was left of a directory goes elsewhere than it did.
        (vec!["x/a"], "# R d/a x/a; # D d/b; D d/c; D d/f", r#""d" deleted c1"#),
        (vec!["x/a"], "# R d/a x/a; # D d/b; D d/c", r#""d" moved x c1"#),
        (vec!["x/a", "e/b", "e/c", "e/f"], "# R d/a x/a; # R d/b e/b; R d/c e/c; R d/f e/f", r#""d" moved e c1"#),
        (vec!["e/a"], "# D d/z; # R d/a e/a; R d/b e/b; # R x d/b", r#""d" deleted c1"#),
        // In several commits, and on from there.
        (vec!["f/a", "f/b", "f/c"], "# R d/c f/c; # R e/a f/a; R e/b f/b; # R d/a e/a; R d/b e/b", r#""d" moved f c1"#),
        // With other names, in the same place below.
        (vec!["e/s/x.ts"], "# r d/s/x.js e/s/x.ts", r#""d" renamed e c1"#),
        (vec!["x"], "# D d/a; # D d/b; # A d/a; A d/b", r#""d" deleted c1"#),
        (vec!["x"], "# D e/b; # D e/a; # R d/a e/a; R d/b e/b", r#""d" deleted c3"#),
        (vec!["dd/a"], "# R dd/b dd/a", r#""d" never"#),
    ] {
        assert_eq!(walk(&now, &["d"], history).0[0], expected, "{history}");
    }
}

#[test]
fn the_walk_ends_when_nothing_can_change() {
    for (now, ask, history, expected) in [
        ("q", "p", "# R p q", true),
        ("q", "p", "# D p", false),
        ("q", "p", "# D p; # A p", true),
        ("q", "p", "# M q", false),
        ("e/a e/b e/c", "d", "# R d/a e/a; R d/b e/b; R d/c e/c; # M e/a", true),
        ("e/a", "d", "# R d/a e/a; D d/b; # M e/a", false),
        // Older commits may show that this was what was left.
        ("e/a", "d", "# R d/a e/a; # M e/a", false),
    ] {
        let now: Vec<&str> = now.split(' ').collect();
        assert_eq!(walk(&now, &[ask], history).1, expected, "{history}");
    }
}

#[test]
fn what_merges_took_is_asked_for() {
    for (now, history, expected) in [
        ("x", "# A p", vec![r#""p" unknown"#, "lost p"]),
        ("x", "# A q; # R p q", vec![r#""p" deleted c2"#, "lost q"]),
        ("q", "# R p q", vec![r#""p" moved q c1"#]),
        ("x", "# D q; # R p q", vec![r#""p" deleted c2"#]),
    ] {
        assert_eq!(walk(&[now], &["p"], history).0, expected, "{history}");
    }
    let listing = Listing::of_files(["r"]);
    let questions = Questions { fates: [RepoPath::new("p")].into(), ..Questions::default() };
    let mut ledger = Ledger::new(&questions, &listing);
    let change = |status, from: &str, to: &str| RawChange { to: to.into(), ..RawChange::at(status, from) };
    ledger.commit("new".to_owned(), 30, false);
    ledger.change(&change(Status::Renamed { exact: true }, "q", "r"));
    ledger.commit("old".to_owned(), 10, false);
    ledger.change(&change(Status::Added, "p", "p"));
    ledger.merge("merge", 20, &[change(Status::Renamed { exact: false }, "p", "q")], false);
    assert!(ledger.lost_in_merges().is_empty());
    assert_eq!(show(&ledger.answers(true).fates[&RepoPath::new("p")]), "renamed r merge");
}

#[test]
fn last_changes_are_not_invented_where_history_was_cut_off() {
    let listing = Listing::of_files(["a", "b"]);
    let questions = Questions { last_changes: ["a".into(), "b".into()].into(), ..Questions::default() };
    let mut ledger = Ledger::new(&questions, &listing);
    let change = |path: &str| RawChange::at(Status::Modified, path);
    ledger.commit("new".to_owned(), 951_782_400, false);
    ledger.change(&change("a"));
    ledger.commit("cut".to_owned(), 1, true);
    ledger.change(&change("a"));
    ledger.change(&change("b"));
    let answers = ledger.answers(false);
    let dates: Vec<_> = answers.last_changes.iter().map(|(path, commit)| (path, commit.date.as_str())).collect();
    assert_eq!(dates, [(&RepoPath::new("a"), "2000-02-29")]);
}

#[test]
fn dates() {
    for (time, expected) in [
        (0, "1970-01-01"),
        (-1, "1969-12-31"),
        (951_868_799, "2000-02-29"),
        (951_868_800, "2000-03-01"),
        (1_767_225_599, "2025-12-31"),
        (4_107_542_400, "2100-03-01"),
    ] {
        assert_eq!(date(time), expected);
    }
    date(i64::MAX);
    date(i64::MIN);
}

#[test]
fn a_directory_that_only_a_keeper_kept_has_no_fate() {
    let listing = Listing::of_files(["x"]);
    let mut questions = Questions::default();
    questions.fates.extend(["a", "b"].map(RepoPath::from));
    let mut ledger = Ledger::new(&questions, &listing);
    ledger.commit("c1".to_owned(), 2, false);
    for path in ["a/.gitkeep", "b/.gitkeep", "b/rows.md"] {
        ledger.change(&RawChange::at(Status::Deleted, path));
    }
    let answers = ledger.answers(true);
    assert_eq!(answers.emptied, BTreeSet::from([RepoPath::from("a")]));
    assert!(matches!(answers.fate(&"b".into()), Fate::Deleted { .. }), "{answers:?}");
}
