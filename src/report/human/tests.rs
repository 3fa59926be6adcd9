//! Whole reports as a terminal shows them.

use std::time::Duration;

use super::*;
use crate::base::error::Failure;
use crate::base::text::Span;
use crate::report::tests::{find, render, report, sample};
use crate::report::{FixSummary, SourceText};

fn show(report: &Report) -> String {
    render(write, report, &ReportOptions::default())
}

fn one(text: &str, needle: &str) -> Report {
    let mut report = report(&[("AGENTS.md", text.as_bytes())]);
    let span = find(&report, "AGENTS.md", needle);
    report.findings = vec![Finding::new("some-rule", Level::Warning, &RepoPath::from("AGENTS.md"), span, "look here")];
    report
}

#[test]
fn a_report() {
    insta::assert_snapshot!(show(&sample()), @r#"
    warning[empty-hint-file]: the file says nothing to an agent
      --> AGENTS.md

    error[missing-import]: `docs/gone.md` does not exist
       ╭─[AGENTS.md:3:5]
     2 │
     3 │ See @docs/gone.md for\u{E0049}\u{E0047} more.
       ·     ─────────────
     4 │
       ╰────
      help: it was renamed to `docs/new.md` [unsafe fix]
      agents: claude, gemini

    error[hidden-tags]: 2 invisible tag characters (U+E0049..U+E0047)
       ╭─[AGENTS.md:3:22]
     2 │
     3 │ See @docs/gone.md for\u{E0049}\u{E0047} more.
       ·                      ──────────────────
     4 │
       ╰────
      help: remove the run [safe fix]

    info[duplicate-task]: `build` is given twice
       ╭─[AGENTS.md:6:11]
     4 │
     5 │ - build: `make`
       ·           ──┬─
       ·             ╰── first given here
     6 │ - build: `make all`
       ·           ────────
       ╰────
      note: docs/a b.md:3:1: imported here

    Found 2 errors, 1 warning and 1 info; checked 2 files in 2 directories in 12 ms.
    1 fixable with `--fix`, 1 more with `--unsafe-fixes`.
    "#);
}

#[test]
fn colours() {
    let mut report = sample();
    report.findings.drain(..2);
    let options = ReportOptions { color: true, ..ReportOptions::default() };
    insta::assert_snapshot!(render(write, &report, &options).replace('\u{1B}', "E"), @r#"
    E[1;31merror[hidden-tags]E[0m: 2 invisible tag characters (U+E0049..U+E0047)
       ╭─[E[36;1;4mAGENTS.md:3:22E[0m]
     E[2m2E[0m │
     E[2m3E[0m │ See @docs/gone.md for\u{E0049}\u{E0047} more.
       · E[31;1m                     ──────────────────E[0m
     E[2m4E[0m │
       ╰────
    E[36m  help: E[0mremove the run [safe fix]

    E[1;36minfo[duplicate-task]E[0m: `build` is given twice
       ╭─[E[36;1;4mAGENTS.md:6:11E[0m]
     E[2m4E[0m │
     E[2m5E[0m │ - build: `make`
       · E[94m          ──┬─E[0m
       ·             E[94m╰── E[94mfirst given hereE[0mE[0m
     E[2m6E[0m │ - build: `make all`
       · E[36;1m          ────────E[0m
       ╰────
      E[36mnoteE[0m: docs/a b.md:3:1: imported here

    Found 1 error, 0 warnings and 1 info; checked 2 files in 2 directories in 12 ms.
    1 fixable with `--fix`.
    "#);
}

#[test]
fn rules_are_linked_to_their_pages_where_the_terminal_opens_links() {
    let options = ReportOptions { color: true, hyperlinks: true, ..ReportOptions::default() };
    let text = render(write, &sample(), &options);
    let url = crate::rules::rule_url("hidden-tags").expect("a page");
    assert!(
        text.contains(&format!(
            "\u{1B}]8;;{url}\u{1B}\\\u{1B}[1;31merror[hidden-tags]\u{1B}[0m\u{1B}]8;;\u{1B}\\: 2 inv"
        )),
        "{text:?}"
    );
    let plain = render(write, &sample(), &ReportOptions { hyperlinks: false, ..options });
    assert!(!plain.contains("\u{1B}]8;;"), "{plain:?}");
}

#[test]
fn labels_stand_under_wide_and_escaped_text() {
    insta::assert_snapshot!(show(&one("日本語\t\u{202E}needle\u{200B} end\r\nnext\r\n", "needle")), @r#"
    warning[some-rule]: look here
       ╭─[AGENTS.md:1:6]
     1 │ 日本語  \u{202E}needle\u{200B} end
       ·                 ──────
     2 │ next
       ╰────

    Found 0 errors and 1 warning; checked 1 file in 1 directory in 0 ms.
    "#);
}

#[test]
fn a_long_line_is_cropped() {
    let text = format!("# Head\n\n{}needle {}\n", "word ".repeat(100), "more ".repeat(200_000));
    insta::assert_snapshot!(show(&one(&text, "needle")), @r#"
    warning[some-rule]: look here
       ╭─[AGENTS.md:3:501]
     2 │
     3 │ …rd word word word word word word needle more more more more more more mor…
       ·                                   ──────
       ╰────

    Found 0 errors and 1 warning; checked 1 file in 1 directory in 0 ms.
    "#);
}

#[test]
fn spans_over_lines() {
    let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n";
    insta::assert_snapshot!(show(&one(text, "two\nthree\nfour")), @r#"
    warning[some-rule]: look here
       ╭─[AGENTS.md:2:1]
     1 │     one
     2 │ ╭─▶ two
     3 │ │   three
     4 │ ╰─▶ four
     5 │     five
       ╰────

    Found 0 errors and 1 warning; checked 1 file in 1 directory in 0 ms.
    "#);
    insta::assert_snapshot!(show(&one(text, &text[4..50])), @r#"
    warning[some-rule]: look here
       ╭─[AGENTS.md:2:1]
     1 │ one
     2 │ two
       · ─┬─
       ·  ╰── from here, over 10 lines
     3 │ three
       ╰────
        ╭─[AGENTS.md:11:1]
     10 │ ten
     11 │ eleven
        · ┬
        · ╰── to here
        ╰────

    Found 0 errors and 1 warning; checked 1 file in 1 directory in 0 ms.
    "#);
    insta::assert_snapshot!(show(&one(text, "eleven\n")), @r#"
    warning[some-rule]: look here
        ╭─[AGENTS.md:11:1]
     10 │ ten
     11 │ eleven
        · ──────
        ╰────

    Found 0 errors and 1 warning; checked 1 file in 1 directory in 0 ms.
    "#);
}

#[test]
fn the_ends_of_a_file() {
    let mut report = one("a\nb\n", "a");
    report.findings[0].span = Span::empty(4);
    insta::assert_snapshot!(show(&report), @r#"
    warning[some-rule]: look here
       ╭─[AGENTS.md:3:1]
     2 │ b
     3 │
       · ▲
       ╰────

    Found 0 errors and 1 warning; checked 1 file in 1 directory in 0 ms.
    "#);
    let mut report = one("x", "x");
    report.sources.insert(RepoPath::from("AGENTS.md"), SourceText::new(&b""[..]));
    insta::assert_snapshot!(show(&report), @r#"
    warning[some-rule]: look here
       ╭─[AGENTS.md:1:1]
     1 │
       · ▲
       ╰────

    Found 0 errors and 1 warning; checked 1 file in 1 directory in 0 ms.
    "#);
}

#[test]
fn bytes_outside_utf8() {
    let mut report = report(&[("AGENTS.md", b"caf\xE9 \xF0\x9F\x99 x\n")]);
    let path = RepoPath::from("AGENTS.md");
    report.findings = vec![Finding::new("invalid-utf8", Level::Error, &path, Span::new(5, 8), "3 bytes are not UTF-8")];
    insta::assert_snapshot!(show(&report), @r#"
    error[invalid-utf8]: 3 bytes are not UTF-8
       ╭─[AGENTS.md:1:6]
     1 │ caf\xE9 \xF0\x9F\x99 x
       ·         ────────────
       ╰────

    Found 1 error and 0 warnings; checked 1 file in 1 directory in 0 ms.
    "#);
}

#[test]
fn far_places_of_one_file_are_drawn_apart() {
    let text = "first\n".to_owned() + &"line\n".repeat(120) + "second\n";
    let mut report = one(&text, "second");
    let first = find(&report, "AGENTS.md", "first");
    report.findings[0] = report.findings[0].clone().related(
        &RepoPath::from("AGENTS.md"),
        first,
        "the same was said here, in words that are too many to stand on one line of this terminal beside the text",
    );
    insta::assert_snapshot!(show(&report), @r#"
    warning[some-rule]: look here
         ╭─[AGENTS.md:122:1]
     121 │ line
     122 │ second
         · ──────
         ╰────
       ╭─[AGENTS.md:1:1]
     1 │ first
       · ──┬──
       ·   ╰─┤ the same was said here, in words that are too many to stand on one
       ·     │ line of this terminal beside the text
     2 │ line
       ╰────

    Found 0 errors and 1 warning; checked 1 file in 1 directory in 0 ms.
    "#);
}

#[test]
fn a_flood_is_one_line_each() {
    let mut report = one(&"x\n".repeat(30), "x");
    let path = RepoPath::from("AGENTS.md");
    report.findings =
        (0..13).map(|n| Finding::new("r", Level::Info, &path, Span::new(2 * n, 2 * n + 1), "m")).collect();
    let text = show(&report);
    assert_eq!(text.matches("info[r]: m\n").count(), DRAWN);
    assert!(
        text.contains("AGENTS.md:11:1: info[r] m\nAGENTS.md:12:1: info[r] m\nAGENTS.md:13:1: info[r] m\n\nFound"),
        "{text}"
    );
}

#[test]
fn a_manual_fix_is_said_in_words() {
    let mut report = one("teh end\n", "teh");
    let finding = report.findings.remove(0);
    report.findings = vec![
        finding.clone().fix(Applicability::Manual, finding.span, "the"),
        finding.clone().fix(Applicability::Manual, Span::empty(3), " very"),
        finding.clone().fix(Applicability::Manual, finding.span, ""),
    ];
    let text = show(&report);
    let suggestions: Vec<&str> = text.lines().filter(|line| line.contains("suggestion")).collect();
    assert_eq!(
        suggestions,
        ["  suggestion: replace `teh` with `the`", "  suggestion: insert ` very`", "  suggestion: remove `teh`"]
    );
}

#[test]
fn summaries() {
    let mut report = report(&[("AGENTS.md", b"")]);
    report.elapsed = Duration::from_millis(2345);
    insta::assert_snapshot!(show(&report), @r#"No problems found; checked 1 file in 1 directory in 2.34 s."#);
    report.fixed = Some(FixSummary {
        by_rule: BTreeMap::from([("zero-width", 2), ("hidden-tags", 1)]),
        files: 1,
        ..FixSummary::default()
    });
    insta::assert_snapshot!(show(&report), @r#"
    Fixed 3 problems in 1 file: 1 hidden-tags, 2 zero-width.
    No problems left; checked 1 file in 1 directory in 2.34 s.
    "#);
    report.fixed = Some(FixSummary::default());
    report.failures = vec![Failure { path: RepoPath::from("x\n.md"), message: "permission denied".to_owned() }];
    insta::assert_snapshot!(show(&report), @r#"
    error: could not check x\n.md: permission denied
    Nothing to fix.
    No problems found; 1 file could not be checked; checked 1 file in 1 directory in
        2.34 s.
    "#);
    insta::assert_snapshot!(show(&Report::default()), @r#"No hint files found, such as AGENTS.md or CLAUDE.md; nothing was checked."#);
}

#[test]
fn a_hostile_message_forges_no_finding() {
    let mut report = one("x\n", "x");
    report.findings[0].message = "a\nerror[fake]: b".to_owned();
    report.findings[0].help = Some("::set-output name=x::".repeat(20));
    let text = show(&report);
    assert!(text.starts_with("warning[some-rule]: a\\nerror[fake]: b\n"), "{text}");
    crate::base::sanitize::tests::assert_no_commands(&text);
}

#[test]
fn an_excerpt_of_a_huge_line_is_small() {
    let text = "wörd ".repeat(170_000);
    let mut report = report(&[("AGENTS.md", text.as_bytes())]);
    let path = RepoPath::from("AGENTS.md");
    let place = |n: usize| Span::new(n * 60_000, n * 60_000 + 5);
    report.findings = (0..10).map(|n| Finding::new("r", Level::Info, &path, place(n), "m")).collect();
    let text = show(&report);
    assert!(text.contains("[AGENTS.md:1:450001]"), "{text}");
    assert!(text.len() < 4000, "{} bytes", text.len());
}
