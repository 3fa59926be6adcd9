//! What the tests of all formats share: sample reports, and the properties that hold for each format.

use std::io;

use proptest::prelude::*;

use std::time::Duration;

use super::*;
use crate::base::error::Failure;
use crate::base::finding::{Applicability, Finding, Level};
use crate::base::path::RepoPath;
use crate::base::sanitize::tests::{assert_harmless, assert_no_commands, hostile_bytes, hostile_text};
use crate::base::text::Span;
use crate::rules::meta::Suppressed;

pub(super) type ReportPrinter = fn(&Report, &ReportOptions, &mut dyn io::Write) -> io::Result<()>;

/// A report without findings on `files`.
pub(super) fn report(files: &[(&str, &[u8])]) -> Report {
    let sources = files.iter().map(|(path, bytes)| (RepoPath::from(*path), SourceText::new(*bytes)));
    Report { sources: sources.collect(), files: files.len(), directories: 1, ..Report::default() }
}

/// What `format` writes.
pub(super) fn render(format: ReportPrinter, report: &Report, options: &ReportOptions) -> String {
    let mut out = Vec::new();
    format(report, options, &mut out).expect("a Vec takes everything");
    String::from_utf8(out).expect("reports are UTF-8")
}

/// The place of the first `needle` in `path` of `report`.
pub(super) fn find(report: &Report, path: &str, needle: &str) -> Span {
    let bytes = &report.sources[&RepoPath::from(path)].bytes;
    let start = memchr::memmem::find(bytes, needle.as_bytes()).expect("the needle is there");
    Span::new(start, start + needle.len())
}

/// One finding of each kind: hidden characters with a safe fix, a related place in the same file and in another, no place.
pub(super) fn sample() -> Report {
    let agents = "# Rules\n\nSee @docs/gone.md for\u{E0049}\u{E0047} more.\n\n- build: `make`\n- build: `make all`\n";
    let mut report = report(&[("AGENTS.md", agents.as_bytes()), ("docs/a b.md", b"# A\n\n@../AGENTS.md\n")]);
    let path = RepoPath::from("AGENTS.md");
    let other = RepoPath::from("docs/a b.md");
    let tags = find(&report, "AGENTS.md", "\u{E0049}\u{E0047}");
    let import = find(&report, "AGENTS.md", "@docs/gone.md");
    report.findings = vec![
        Finding::new("empty-hint-file", Level::Warning, &path, Span::empty(0), "the file says nothing to an agent"),
        Finding::new("missing-import", Level::Error, &path, import, "`docs/gone.md` does not exist")
            .help("it was renamed to `docs/new.md`")
            .agents(["gemini", "claude"])
            .fix(Applicability::Unsafe, import, "@docs/new.md"),
        Finding::new("hidden-tags", Level::Error, &path, tags, "2 invisible tag characters (U+E0049..U+E0047)")
            .help("remove the run")
            .fix(Applicability::Safe, tags, ""),
        Finding::new(
            "duplicate-task",
            Level::Info,
            &path,
            find(&report, "AGENTS.md", "make all"),
            "`build` is given twice",
        )
        .related(&path, find(&report, "AGENTS.md", "make"), "first given here")
        .related(&other, find(&report, "docs/a b.md", "@../AGENTS.md"), "imported here"),
    ];
    report.directories = 2;
    report.elapsed = Duration::from_millis(12);
    report
}

/// A report whose every text comes from an attacker, with spans at any place.
pub(super) fn hostile_report() -> impl Strategy<Value = Report> {
    let place = (0usize..90, 0usize..90);
    let finding = (hostile_text(), prop::option::of(hostile_text()), place.clone(), place, hostile_text(), 0usize..4);
    let parts = (hostile_bytes(), hostile_bytes(), prop::collection::vec(finding, 0..4), hostile_text());
    parts.prop_map(|(path, bytes, findings, note)| {
        let path = RepoPath::new(path);
        let mut report = Report { files: 1, directories: 1, ..Report::default() };
        let clamp = |(a, b): (usize, usize)| {
            let (a, b) = (a.min(bytes.len()), b.min(bytes.len()));
            Span::new(a.min(b), a.max(b))
        };
        for (message, help, at, other, replacement, kind) in findings {
            let level = [Level::Info, Level::Warning, Level::Error][kind % 3];
            let mut finding = Finding::new("zero-width", level, &path, clamp(at), message.clone());
            finding.help = help;
            finding = finding.related(&path, clamp(other), message.clone());
            finding = finding.related(&RepoPath::new(replacement.as_bytes()), clamp(other), message);
            let applicability = [Applicability::Safe, Applicability::Unsafe, Applicability::Manual];
            if let Some(&applicability) = applicability.get(kind) {
                finding = finding.fix(applicability, clamp(at), replacement);
            }
            report.findings.push(finding);
        }
        report.suppressed =
            report.findings.iter().map(|f| Suppressed { finding: f.clone(), reason: note.clone() }).collect();
        report.failures = vec![Failure { path: path.clone(), message: note.clone() }];
        report.notes = vec![note];
        report.sources.insert(path, SourceText::new(bytes));
        report
    })
}

const ALL: &[(&str, ReportPrinter)] = &[
    ("human", human::write),
    ("concise", concise::write),
    ("json", json::write),
    ("sarif", sarif::write),
    ("github", github::write),
    ("markdown", markdown::write),
    ("gitlab", gitlab::write),
    ("junit", junit::write),
    ("rdjson", rdjson::write),
    ("statistics", statistics::write),
    ("statistics as JSON", statistics::write_json),
];

proptest! {
    #[test]
    fn nothing_hostile_is_printed(report in hostile_report(), color in any::<bool>(), width in 1usize..120) {
        let options = ReportOptions { color, width, summary: true, ..ReportOptions::default() };
        for &(name, format) in ALL {
            let text = render(format, &report, &options);
            assert_harmless(&text, color);
            if name != "github" {
                assert_no_commands(&text);
            }
        }
    }
}

#[test]
fn the_control_finds_what_is_hostile() {
    for bad in ["\u{1B}[2J", "\u{202E}", "\u{E0041}", "a\u{FE0F}", "\r", "\t"] {
        assert!(std::panic::catch_unwind(|| assert_harmless(bad, true)).is_err(), "{bad:?}");
    }
    for bad in ["  ::error::x", "x ##[group]"] {
        assert!(std::panic::catch_unwind(|| assert_no_commands(bad)).is_err(), "{bad:?}");
    }
}
