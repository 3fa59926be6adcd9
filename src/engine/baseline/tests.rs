//! Baselines over findings made by hand: what is known, what is new, and files that are none.

use super::*;
use crate::base::finding::Level;
use crate::base::text::Span;

/// A finding on each line of `text` that holds `needle`.
fn findings(rule: &'static str, path: &str, text: &str, needle: &str) -> Vec<Finding> {
    let places = text.match_indices(needle);
    let finding =
        |(at, _): (usize, &str)| Finding::new(rule, Level::Error, &path.into(), Span::new(at, at + needle.len()), "m");
    places.map(finding).collect()
}

fn sources(files: &[(&str, &str)]) -> BTreeMap<RepoPath, SourceText> {
    files.iter().map(|(path, text)| (RepoPath::from(*path), SourceText::new(text.as_bytes()))).collect()
}

/// What is left of `after` when all of `before` is known; and the entries that match nothing.
fn left(rule: &'static str, before: (&str, &str), after: &[(&str, &str)]) -> (Vec<String>, usize) {
    let known = Baseline::of(&findings(rule, before.0, before.1, "x"), &sources(&[before]));
    let mut shown: Vec<Finding> = after.iter().flat_map(|(path, text)| findings(rule, path, text, "x")).collect();
    let is_there = |path: &str| after.iter().any(|(name, _)| *name == path);
    let told = known.take_known(&"b.json".into(), &mut shown, &mut Vec::new(), &sources(after), is_there);
    let place = |finding: &Finding| format!("{}:{}", finding.path.to_str_lossy(), finding.span.start);
    (shown.iter().map(place).collect(), told.unmatched.iter().map(|(_, count)| count).sum())
}

#[test]
fn moved_lines_and_renamed_files_stay_known() {
    let before = ("a.md", "one x\ntwo x\n");
    let none: Vec<String> = Vec::new();
    assert_eq!(left("stale-path", before, &[("a.md", "new\n\n  two x\none x\n")]), (none.clone(), 0));
    assert_eq!(left("stale-path", before, &[("docs/b.md", "one x\ntwo x\n")]), (none.clone(), 0));
    assert_eq!(left("stale-path", before, &[("a.md", "one x\n")]), (none, 1), "what was fixed is said");
    let copied = [("a.md", "one x\ntwo x\n"), ("b.md", "one x\n")];
    assert_eq!(left("stale-path", before, &copied).0, ["b.md:4"], "a copy is new where the original is still there");
    assert_eq!(left("stale-path", before, &[("a.md", "one x\none x\n")]), (vec!["a.md:10".into()], 1));
    assert_eq!(left("stale-path", before, &[("b.md", "one x\none x\n")]), (vec!["b.md:10".into()], 1));
}

#[test]
fn what_nobody_may_silence_is_never_known() {
    for rule in ["hidden-tags", "conflict-markers", "import-escapes-repository"] {
        assert!(Baseline::of(&findings(rule, "a.md", "x\n", "x"), &sources(&[("a.md", "x\n")])).entries.is_empty());
        let line = Fingerprints::new(&sources(&[("a.md", "x\n")])).line(&findings(rule, "a.md", "x\n", "x")[0]);
        let entry = BaselineEntry { path: "a.md".into(), rule: rule.into(), line };
        let forged = Baseline { entries: BTreeMap::from([(entry, 9)]) };
        let mut shown = findings(rule, "a.md", "x\n", "x");
        let told =
            forged.take_known(&"b.json".into(), &mut shown, &mut Vec::new(), &sources(&[("a.md", "x\n")]), |_| true);
        assert_eq!((shown.len(), told.old, told.unmatched.len()), (1, 0, 1), "{rule}");
    }
}

#[test]
fn a_finding_about_a_whole_file_moves_with_its_name() {
    let whole = |path: &str| Finding::new("empty-hint-file", Level::Warning, &path.into(), Span::empty(0), "m");
    let known = Baseline::of(&[whole("a/CLAUDE.md")], &BTreeMap::new());
    let left = |path: &str| {
        let mut shown = vec![whole(path)];
        known.take_known(&"b.json".into(), &mut shown, &mut Vec::new(), &BTreeMap::new(), |_| false);
        shown.len()
    };
    assert_eq!(["b/CLAUDE.md", "a/AGENTS.md", "b/AGENTS.md"].map(left), [0, 0, 1]);
}

#[test]
fn a_file_that_is_no_baseline_is_an_error_that_says_so() {
    let parse = |text: &str| Baseline::parse(&".hintlint/baseline.json".into(), text.as_bytes());
    let entry = r#"{"path": "a.md", "rule": "stale-path", "line": "00000000000000ff", "count": 1}"#;
    let file = |entries: &str| format!("{{\"version\": 1, \"findings\": [{entries}]}}");
    assert_eq!(parse(&file(entry)).unwrap().entries.len(), 1);
    let twice = file(&format!("{entry}, {}", entry.replace("\"count\": 1", "\"count\": 3")));
    assert_eq!(parse(&twice).unwrap().entries.into_values().collect::<Vec<_>>(), [3]);
    for (text, why) in [
        (String::new(), "EOF"),
        ("[]".to_owned(), "invalid length"),
        ("{\"version\": 1, \"findings\": 3}".to_owned(), "invalid type"),
        ("{\"version\": 1, \"version\": 1, \"findings\": []}".to_owned(), "duplicate field"),
        ("{\"version\": 0, \"findings\": []}".to_owned(), "version"),
        ("{\"version\": 2, \"other\": []}".to_owned(), "newer hintlint"),
        (file(&entry.replace("\"rule\"", "\"path\"")), "duplicate field"),
        (file(&entry.replace("00000000000000ff", "ff")), "entry 1"),
        (file(&entry.replace("00000000000000ff", "+0000000000000ff")), "entry 1"),
        (file(&entry.replace("\"count\": 1", "\"count\": 0")), "entry 1"),
        (file(&entry.replace("\"count\": 1", "\"count\": -1")), "invalid value"),
        ("[".repeat(100_000), "invalid type"),
    ] {
        let Err(error) = parse(&text) else { panic!("{text:.80}") };
        let told = error.to_string();
        assert!(told.contains(why) && told.contains("hintlint baseline"), "{text:.80}: {told}");
    }
}
