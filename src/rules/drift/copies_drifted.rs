//! Copies of one text, kept by hand for two agents, that have diverged.

use std::collections::BTreeSet;

use super::copies::{Drift, drifted};
use crate::discover::Kind;
use crate::finding::{Applicability, Edit, Finding, Level};
use crate::parse::Document;
use crate::path;
use crate::rules::{Cx, Evidence, FixAvailability, Group, Rule, RuleInfo};
use crate::source::history::{CommitRef, Questions};
use crate::text::Span;
use crate::workspace::Workspace;

const INFO: RuleInfo = RuleInfo {
    name: "copies-drifted",
    group: Group::Drift,
    levels: &[Level::Warning],
    summary: "copies of one text for two agents have diverged",
    explanation: "\
## What it does
Finds files that say the same to different agents (`AGENTS.md` and `CLAUDE.md` of one folder, `.claude/rules/x.md` and
`.cursor/rules/x.mdc`), share most of their lines, and differ in others. The names of the agents and of their files may differ,
and so may passages that name an agent. Files that say that a tool made them are left alone.

## Why is this bad?
One agent was told of the change and the other was not. Which behaviour a user gets then depends on the program they start.

## Example
`AGENTS.md` says `pnpm test`, and its copy `CLAUDE.md` still says `npm test`.

## How to fix
Bring the two together, and keep one text: `CLAUDE.md` can be the single line `@AGENTS.md`, or a symbolic link.
",
    evidence: &[Evidence { source: "https://docs.claude.com/en/docs/claude-code/memory", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// Longest line that is quoted, in characters.
const MAX_QUOTE: usize = 80;

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct CopiesDrifted;

impl Rule for CopiesDrifted {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn ask(&self, workspace: &Workspace, _selected: &BTreeSet<&'static str>, questions: &mut Questions) {
        for drift in drifted(workspace) {
            questions.last_changes.extend([drift.a.path.clone(), drift.b.path.clone()]);
        }
    }

    fn check_workspace(&self, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        findings.extend(drifted(cx.workspace).into_iter().map(|drift| report(cx, drift)));
    }
}

/// Report at the side that is behind, or at the second where history does not say.
fn report(cx: &Cx<'_>, drift: Drift<'_>) -> Finding {
    let changed = |document: &Document| cx.answers.last_changes.get(&document.path);
    let (at_a, at_b) = (changed(drift.a), changed(drift.b));
    let newer = match (at_a, at_b) {
        (Some(a), Some(b)) if a.id != b.id && a.time != b.time => {
            Some(if a.time > b.time { (drift.a, a) } else { (drift.b, b) })
        }
        _ => None,
    };
    let behind_is_a = newer.is_some_and(|(newer, _)| newer.path == drift.b.path);
    let (behind, other) = if behind_is_a { (drift.a, drift.b) } else { (drift.b, drift.a) };
    let (span, other_span) = if behind_is_a { drift.first } else { (drift.first.1, drift.first.0) };
    let (text, other_text) =
        if behind_is_a { (&drift.texts.0, &drift.texts.1) } else { (&drift.texts.1, &drift.texts.0) };
    let (lines, other_lines) = if behind_is_a { drift.lines } else { (drift.lines.1, drift.lines.0) };
    let shown = other.path.to_str_lossy();
    let message = format!(
        "this copy of {shown} has drifted: {lines} of its lines differ from {other_lines} lines there, beginning here"
    );
    let quote = |text: &Option<String>| text.as_ref().map_or_else(|| "(nothing)".to_owned(), |text| shortened(text));
    let related = format!("here: {}; there: {}", quote(text), quote(other_text));
    let finding = Finding::new(INFO.name, Level::Warning, &behind.path, span, message)
        .related(&other.path, other_span, related)
        .help(help(newer, behind, other));
    match edits(behind, other, newer.map(|(newer, _)| newer)) {
        Some(edits) => finding.fix_edits(Applicability::Manual, edits),
        None => finding,
    }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_QUOTE).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn help(newer: Option<(&Document, &CommitRef)>, behind: &Document, other: &Document) -> String {
    let since = newer.map_or(String::new(), |(newer, commit)| {
        format!("{} is the newer one, changed on {} ({}). ", newer.path.to_str_lossy(), commit.date, commit.id)
    });
    let one = match stub(behind, other) {
        Some((importer, _, line)) => {
            format!("make {} the line `{}`, or a symbolic link", importer.path.to_str_lossy(), line.trim_end())
        }
        None => "make one of them a symbolic link to the other".to_owned(),
    };
    format!("{since}Bring the two together, then keep one text: {one}")
}

/// The file that can import the other, that other, and the line that does it.
fn stub<'d>(a: &'d Document, b: &'d Document) -> Option<(&'d Document, &'d Document, String)> {
    let imports = |document: &Document| matches!(document.kind, Kind::ClaudeMd | Kind::GeminiMd | Kind::QwenMd);
    let (importer, text) = match (a.kind, b.kind) {
        (_, Kind::AgentsMd) if imports(a) => (a, b),
        (Kind::AgentsMd, _) if imports(b) => (b, a),
        _ => return None,
    };
    let relative = path::relative(importer.path.parent(), text.path.as_bytes());
    Some((importer, text, format!("@{}\n", String::from_utf8(relative).ok()?)))
}

/// The stub, and the newer text in the file that it imports.
fn edits(behind: &Document, other: &Document, newer: Option<&Document>) -> Option<Vec<Edit>> {
    let (importer, text, line) = stub(behind, other)?;
    let whole = |document: &Document, replacement: String| Edit {
        path: document.path.clone(),
        span: Span::new(0, document.text.len()),
        replacement,
    };
    let mut edits = vec![whole(importer, line)];
    if newer.is_some_and(|newer| newer.path == importer.path) {
        edits.push(whole(text, importer.text.clone()));
    }
    Some(edits)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::INFO;
    use crate::config::Config;
    use crate::finding::Finding;
    use crate::path::RepoPath;
    use crate::run::{Selection, run};
    use crate::source::Memory;
    use crate::source::history::{Answers, CommitRef};
    use crate::workspace::load;

    fn findings(files: &[(&str, &str)], times: &[(&str, i64)]) -> Vec<Finding> {
        let loaded = load(&Memory::of_files(files.iter().copied()), Config::default(), &[]).unwrap();
        let commit = |time: i64| CommitRef { id: format!("{time:010}"), date: "2026-01-02".into(), time };
        let last_changes: BTreeMap<RepoPath, CommitRef> =
            times.iter().map(|(path, time)| ((*path).into(), commit(*time))).collect();
        let selection = Selection { select: vec![INFO.name.to_owned()], ..Selection::default() };
        run(loaded, &selection, &mut |_| Answers { last_changes: last_changes.clone(), ..Answers::default() })
            .0
            .findings
    }

    fn places(files: &[(&str, &str)], times: &[(&str, i64)]) -> Vec<String> {
        let text = |path: &RepoPath| files.iter().find(|(known, _)| *known == path.to_str_lossy()).unwrap().1;
        let show = |finding: &Finding| {
            format!("{}: {}", finding.path.to_str_lossy(), &text(&finding.path)[finding.span.range()])
        };
        findings(files, times).iter().map(show).collect()
    }

    fn text(title: &str, test: &str, more: &str) -> String {
        let rules: String = (0..12).map(|n| format!("- Rule number {n} says what to do.\n")).collect();
        format!("# {title}\n\nGuidance for {title}.\n\n{rules}\nRun {test} before you commit.\n{more}")
    }

    #[test]
    fn the_side_that_is_behind_is_reported() {
        let (a, b) = (text("AGENTS.md", "pnpm test", ""), text("CLAUDE.md", "npm test", ""));
        let files = [("AGENTS.md", a.as_str()), ("CLAUDE.md", b.as_str())];
        assert_eq!(
            places(&files, &[("AGENTS.md", 2), ("CLAUDE.md", 1)]),
            ["CLAUDE.md: Run npm test before you commit."]
        );
        assert_eq!(
            places(&files, &[("AGENTS.md", 1), ("CLAUDE.md", 2)]),
            ["AGENTS.md: Run pnpm test before you commit."]
        );
        assert_eq!(places(&files, &[]), ["CLAUDE.md: Run npm test before you commit."]);
        let finding = &findings(&files, &[("AGENTS.md", 1), ("CLAUDE.md", 2)])[0];
        let fix = finding.fix.as_ref().unwrap();
        let edits: Vec<_> =
            fix.edits.iter().map(|edit| (edit.path.to_str_lossy(), edit.replacement.as_str())).collect();
        assert_eq!(
            (fix.applicability.name(), edits),
            ("manual", vec![("CLAUDE.md".into(), "@AGENTS.md\n"), ("AGENTS.md".into(), b.as_str())])
        );
        assert!(finding.help.as_ref().unwrap().starts_with("CLAUDE.md is the newer one"));
        assert_eq!(finding.related[0].path, "CLAUDE.md".into());
    }

    #[test]
    fn rules_of_two_agents_are_compared_by_name() {
        let rule = |front: &str, test: &str| format!("---\n{front}\n---\n{}", text("Testing", test, ""));
        let (a, b) = (rule("paths: src/**", "a"), rule("globs: src/**", "b"));
        let files = [("pkg/.claude/rules/x/test.md", a.as_str()), ("pkg/.cursor/rules/x/test.mdc", b.as_str())];
        assert_eq!(places(&files, &[]), ["pkg/.cursor/rules/x/test.mdc: Run b before you commit."]);
        let files = [("pkg/.claude/rules/x/test.md", a.as_str()), ("other/.cursor/rules/x/test.mdc", b.as_str())];
        assert_eq!(places(&files, &[]), [""; 0]);
    }

    #[test]
    fn what_differs_for_a_reason_is_silent() {
        let a = text("AGENTS.md", "pnpm test", "");
        for b in [
            text("CLAUDE.md", "pnpm test", ""),
            text("CLAUDE.md", "pnpm test", "\n## Claude only\n\nClaude Code uses subagents.\n"),
            format!("<!-- generated by ruler -->\n{}", text("CLAUDE.md", "npm test", "")),
            text("CLAUDE.md", "npm test", "\n@AGENTS.md\n"),
            "# Something else\n\nWith other lines.\n".to_owned(),
        ] {
            assert_eq!(places(&[("AGENTS.md", &a), ("CLAUDE.md", &b)], &[]), [""; 0], "{b}");
        }
        let b = text("CLAUDE.md", "npm test", "");
        assert_eq!(places(&[("AGENTS.md", &a), ("sub/CLAUDE.md", &b)], &[]), [""; 0]);
    }
}
