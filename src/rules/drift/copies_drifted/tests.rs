//! Copies that have drifted, and pairs that have not.

use std::collections::BTreeMap;

use super::INFO;
use crate::base::finding::{Finding, Level};
use crate::base::path::RepoPath;
use crate::config::Config;
use crate::rules::run::{Selection, run};
use crate::source::Memory;
use crate::source::history::{Answers, CommitRef};
use crate::workspace::load;

fn findings(files: &[(&str, &str)], times: &[(&str, i64)]) -> Vec<Finding> {
    let loaded = load(&Memory::of_files(files.iter().copied()), Config::default(), &[]).unwrap();
    let commit = |time: i64| CommitRef { id: format!("{time:010}"), date: "2026-01-02".into(), time };
    let last_changes: BTreeMap<RepoPath, CommitRef> =
        times.iter().map(|(path, time)| ((*path).into(), commit(*time))).collect();
    let selection = Selection { select: vec![INFO.name.to_owned()], min_level: Level::Info, ..Selection::default() };
    run(loaded, &selection, &mut |_| Answers { last_changes: last_changes.clone(), ..Answers::default() }).findings
}

fn places(files: &[(&str, &str)], times: &[(&str, i64)]) -> Vec<String> {
    let text = |path: &RepoPath| files.iter().find(|(known, _)| *known == path.to_str_lossy()).unwrap().1;
    let show =
        |finding: &Finding| format!("{}: {}", finding.path.to_str_lossy(), &text(&finding.path)[finding.span.range()]);
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
    assert_eq!(places(&files, &[("AGENTS.md", 2), ("CLAUDE.md", 1)]), ["CLAUDE.md: Run npm test before you commit."]);
    assert_eq!(places(&files, &[("AGENTS.md", 1), ("CLAUDE.md", 2)]), ["AGENTS.md: Run pnpm test before you commit."]);
    assert_eq!(places(&files, &[]), ["CLAUDE.md: Run npm test before you commit."]);
    let finding = &findings(&files, &[("AGENTS.md", 1), ("CLAUDE.md", 2)])[0];
    assert_eq!(finding.message, "this copy of CLAUDE.md has drifted: 1 line here differs from 1 line there");
    let more = text("CLAUDE.md", "pnpm test", "\n## Claude\n\nHere.\n\n## Release\n\nTag it.\n");
    let lacking =
        &findings(&[("AGENTS.md", a.as_str()), ("CLAUDE.md", &more)], &[("CLAUDE.md", 2), ("AGENTS.md", 1)])[0];
    assert!(lacking.message.contains("it lacks 2 lines of the other"), "{}", lacking.message);
    let fix = finding.fix.as_ref().unwrap();
    let edits: Vec<_> = fix.edits.iter().map(|edit| (edit.path.to_str_lossy(), edit.replacement.as_str())).collect();
    assert_eq!(
        (fix.applicability.name(), edits),
        ("manual", vec![("CLAUDE.md".into(), "@AGENTS.md\n"), ("AGENTS.md".into(), b.as_str())])
    );
    assert!(finding.help.as_ref().unwrap().starts_with("CLAUDE.md is the newer one"));
    assert_eq!(finding.related[0].path, "CLAUDE.md".into());
}

#[test]
fn hint_files_of_one_name_in_two_folders_are_no_copies() {
    let (a, b) = (text("Scans", "a", ""), text("Rules", "b", ""));
    let of = |one: &str, other: &str| places(&[(one, a.as_str()), (other, b.as_str())], &[]).len();
    assert_eq!(of(".scans/CLAUDE.md", ".notes/rules/CLAUDE.md"), 0);
    assert_eq!(of("tools/CLAUDE.md", "tools/.github/CLAUDE.md"), 0);
    assert_eq!(of("tools/CLAUDE.md", "tools/.claude/CLAUDE.md"), 1);
    assert_eq!(of("tools/CLAUDE.md", "tools/AGENTS.md"), 1);
}

#[test]
fn copies_that_are_fitted_to_their_agents_tools_have_not_drifted() {
    let fitted = |tool: &str, more: &str| {
        text("X", "a", &format!("Use the {tool} tool.\n\n- Look.\n\nThe {tool} tool it is.\n{more}"))
    };
    let of =
        |a: &str, b: &str| places(&[(".claude/skills/x/SKILL.md", a), (".cursor/skills/x/SKILL.md", b)], &[]).len();
    assert_eq!(of(&fitted("Bash", "Once.\n"), &fitted("Shell", "Twice.\n")), 0);
    // The same tools, and another text.
    assert_eq!(of(&fitted("Bash", "Once.\n"), &fitted("Bash", "Twice.\n")), 1);
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
fn copies_of_one_folder_in_another_have_one_cause() {
    let (a, b) = (text("T", "a", ""), text("T", "b", ""));
    let files = [
        (".claude/skills/x/SKILL.md", a.as_str()),
        (".agents/skills/x/SKILL.md", &b),
        (".claude/skills/y/SKILL.md", &a),
        (".agents/skills/y/SKILL.md", &b),
        ("pkg/.claude/skills/y/SKILL.md", &a),
        ("pkg/.agents/skills/y/SKILL.md", &b),
    ];
    let found = findings(&files, &[]);
    let keys: Vec<&str> = found.iter().map(|finding| finding.cause.as_ref().unwrap().key.as_str()).collect();
    assert_eq!(keys, [".claude\n.agents", ".claude\n.agents", "pkg/.claude\npkg/.agents"]);
}

#[test]
fn what_each_agent_needs_in_its_own_way_is_no_drift() {
    let rule = |front: &str, fence: &str, test: &str| {
        format!("---\n{front}\n---\n{}", text("Testing", test, &format!("\n```{fence}\nmake\n```\n")))
    };
    let files = |a: String, b: String| findings(&[(".claude/rules/t.md", &a), (".cursor/rules/t.mdc", &b)], &[]);
    let same = files(rule("paths: src/**", "bash", "a"), rule("globs: src/**\nalwaysApply: false", "sh", "a"));
    assert_eq!(same, []);
    let drifted = files(rule("paths: src/**", "bash", "a"), rule("globs: src/**", "bash", "b")).remove(0);
    assert!(!drifted.help.as_ref().unwrap().contains("link") && drifted.fix.is_none(), "{drifted:?}");
    let skill = |test: &str| rule("name: t\ndescription: x", "sh", test);
    let (a, b) = (skill("a"), skill("b"));
    let alike = findings(&[(".claude/skills/t/SKILL.md", &a), (".agents/skills/t/SKILL.md", &b)], &[]).remove(0);
    assert!(alike.help.as_ref().unwrap().contains("symbolic link"), "{alike:?}");
}

#[test]
fn lines_that_are_wrapped_otherwise_are_no_drift() {
    let text = text("AGENTS", "npm test", "");
    let wrapped = text.replacen("npm test", "npm\ntest", 1);
    assert_ne!(text, wrapped);
    assert_eq!(places(&[("AGENTS.md", &text), ("CLAUDE.md", &wrapped)], &[]), [""; 0]);
    let changed = text.replacen("npm test", "pnpm\ntest", 1);
    assert_eq!(places(&[("AGENTS.md", &text), ("CLAUDE.md", &changed)], &[]).len(), 1);
}

#[test]
fn what_differs_for_a_reason_is_silent() {
    let a = text("AGENTS.md", "pnpm test", "");
    for b in [
        text("CLAUDE.md", "pnpm test", ""),
        text("CLAUDE.md", "pnpm test", "\n## Claude only\n\nClaude Code uses subagents.\n"),
        format!("<!-- generated by ruler -->\n{}", text("CLAUDE.md", "npm test", "")),
        format!("# T\n\n**Source:** AGENTS.md\n\n{}", text("CLAUDE.md", "npm test", "")),
        text("CLAUDE.md", "npm test", "\n@AGENTS.md\n"),
        text("CLAUDE.md", "pnpm test", "\n## Using Claude\n\nAsk for a plan.\n\n### Modes\n\nThere are two.\n"),
        text("CLAUDE.md", "pnpm test", "\n<!-- TOOL START -->\n\nUse the tool.\n\n<!-- TOOL END -->\n"),
        "# Something else\n\nWith other lines.\n".to_owned(),
    ] {
        assert_eq!(places(&[("AGENTS.md", &a), ("CLAUDE.md", &b)], &[]), [""; 0], "{b}");
    }
    let b = text("CLAUDE.md", "npm test", "");
    assert_eq!(places(&[("AGENTS.md", &a), ("sub/CLAUDE.md", &b)], &[]), [""; 0]);
}

#[test]
fn copies_that_differ_in_what_one_agent_has_or_that_nobody_uses_are_left_alone() {
    let of = |a: &str, b: &str| {
        let command = |arguments: &str| text("Audit", "a", &format!("\nThe folder is {arguments}.\n"));
        let (a, b) = (command(a), command(b));
        findings(&[(".claude/commands/x.md", &a), (".github/prompts/x.prompt.md", &b)], &[]).len()
    };
    assert_eq!(of("`folder` = $ARGUMENTS", "`folder`"), 0);
    assert_eq!(of("`folder`", "`other`"), 1);
    let (a, b) = (text("T", "a", ""), text("T", "b", ""));
    let level = |heading: &str| {
        let main = format!("# Shop\n\n## {heading}\n\n- `.github/skills/`, for Copilot\n\n## More\n\nText.\n");
        let files = [(".claude/skills/x/SKILL.md", &*a), (".github/skills/x/SKILL.md", &b), ("CLAUDE.md", &main)];
        findings(&files, &[])[0].level
    };
    assert_eq!(level("Legacy locations (do not use)"), Level::Info);
    assert_eq!(level("Locations"), Level::Warning);
    let headed = format!("# Read all of this\n\n{a}");
    assert_eq!(findings(&[("CLAUDE.md", &a), ("GEMINI.md", &headed)], &[]), []);
}

#[test]
fn copies_that_a_manager_wrote_have_not_drifted() {
    let skill = |more: &str| {
        let rules: String = (0..12).map(|n| format!("- Rule number {n} says what to do.\n")).collect();
        format!("---\nname: x\ndescription: y\n---\n# X\n\n{rules}\n{more}\n")
    };
    let (a, b) = (skill("Run the tests."), skill("Run everything."));
    let check = |lock: (&str, &str)| {
        let files = [(".claude/skills/x/SKILL.md", &*a), (".agents/skills/x/SKILL.md", &*b), lock];
        findings(&files, &[]).len()
    };
    assert_eq!(check(("prpm.lock", "{\"installedPath\": \".agents/skills/x/SKILL.md\"}\n")), 0);
    assert_eq!(check(("apm.lock.yaml", "deployed_files:\n- .agents/skills/x/\n")), 0);
    assert_eq!(check(("prpm.lock", "{\"installedPath\": \".agents/skills/y/SKILL.md\"}\n")), 1);
    assert_eq!(check(("docs/prpm.lock", "{\"installedPath\": \".agents/skills/x/SKILL.md\"}\n")), 1);
}

#[test]
fn copies_that_differ_where_they_name_what_each_agent_has_are_adapted() {
    let level = |a: &str, b: &str| {
        let (a, b) = (text("Audit", "x", a), text("Audit", "x", b));
        let files = [(".claude/skills/x/SKILL.md", a.as_str()), (".agents/skills/x/SKILL.md", b.as_str())];
        findings(&files, &[]).iter().map(|finding| finding.level.name()).collect::<Vec<_>>()
    };
    assert_eq!(level("Then run /multi-review.\n", "Then start the multi review workflow.\n"), ["info"]);
    assert_eq!(level("Then run `/review`.\n", "Then run `/check`.\n"), ["info"]);
    assert_eq!(level("See `.claude/skills/x/a.py`.\n", "See `.agents/skills/x/b.py`.\n"), [""; 0]);
    // What one of them lacks, and other paths.
    assert_eq!(level("Then run /multi-review.\n", ""), ["info"]);
    assert_eq!(level("Never push to main.\n", ""), ["warning"]);
    assert_eq!(level("Run /review.\n\nRule number 3 says what to do.\nNever push.\n", "Run /check.\n"), ["warning"]);
    assert_eq!(level("See src/a.py.\n", "See src/b.py.\n"), ["warning"]);
    assert_eq!(level("It listens on /etc/hosts.\n", "It listens on /etc/services.\n"), ["warning"]);
}

#[test]
fn copies_that_differ_in_typography_alone_have_not_drifted() {
    let copy = |more: &str| text("AGENTS.md", "npm test", more);
    let told = |one: &str, other: &str| {
        let (a, b) = (copy(one), copy(other));
        places(&[("AGENTS.md", &a), ("CLAUDE.md", &b)], &[]).len()
    };
    for (one, other) in [
        ("Controller → service.", "Controller -> service."),
        ("Plan — then write 2–3 “notes”.", "Plan - then write 2-3 \"notes\".   "),
        ("Don’t stop.", "Don't stop."),
        ("Keep schema ↔ contracts in sync.", "Keep schema and contracts in sync."),
        ("Keep a <-> b in sync.", "Keep a & b in sync."),
    ] {
        assert_eq!(told(one, other), 0, "{one}");
    }
    assert_eq!(told("Controller → service.", "Controller -> store."), 1);
    assert_eq!(told("Keep schema ↔ contracts in sync.", "Keep schema or contracts in sync."), 1);
}

/// The level, whether a fix is offered, and the help of the one finding about a main file and its copy.
fn told(a: &str, b: &str) -> (Level, bool, String) {
    let found = findings(&[("AGENTS.md", a), ("GEMINI.md", b)], &[]);
    let [finding] = &found[..] else { panic!("{found:?}") };
    (finding.level, finding.fix.is_some(), finding.help.clone().unwrap_or_default())
}

#[test]
fn copies_that_speak_of_their_own_agents_as_often_are_adapted() {
    let more = |agent: &str, verb: &str, also: &str| {
        let own = format!("\nThe {agent} sandbox {verb} it.\n\nA rule.\n");
        format!("{own}\nCommit only after {also}.\n\nAnother rule.\n\nAsk {agent} for {verb}.\n")
    };
    let a = text("AGENTS.md", "x", &more("Codex", "blocks", "the audit"));
    let b = text("GEMINI.md", "x", &more("Gemini", "allows", "a review"));
    let (level, has_fix, help) = told(&a, &b);
    assert_eq!((level, has_fix), (Level::Info, false));
    assert!(help.contains("leave both as they are"), "{help}");
    // One sentence about an agent: the rest drifted, and one text cannot stand for both.
    let (level, has_fix, help) = told(&a, &b.replace("for allows", "for blocks"));
    assert_eq!((level, has_fix), (Level::Warning, false));
    assert!(help.contains("keep both files"), "{help}");
}

#[test]
fn copies_made_from_templates_and_slight_differences_are_infos() {
    let (a, b) = (text("AGENTS.md", "{{test}}", ""), text("GEMINI.md", "npm test", ""));
    assert_eq!(told(&a, &b).0, Level::Info);
    let (a, b) = (text("AGENTS.md", "it always", ""), text("GEMINI.md", "it", ""));
    assert_eq!(told(&a, &b).0, Level::Warning);
    let (a, b) = (text("AGENTS.md", "the tests automatically", ""), text("GEMINI.md", "the tests", ""));
    assert_eq!(told(&a, &b).0, Level::Info);
    let (a, b) = (text("AGENTS.md", "x", ""), text("GEMINI.md", "y", ""));
    let level = |also: [&str; 2]| {
        let files = [("AGENTS.md", a.as_str()), ("GEMINI.md", &b), (also[0], "x"), (also[1], "x")];
        findings(&files, &[])[0].level
    };
    assert_eq!(level(["t/AGENTS.md.tmpl", "t/gemini.tmpl"]), Level::Info);
    assert_eq!(level(["t/AGENTS.md.tmpl", "t/plan.tmpl"]), Level::Warning);
}

#[test]
fn a_section_of_its_own_in_each_is_an_info() {
    let section = |title: &str, words: &str| format!("\n## {title}\n\n{words}\n");
    let (a, b) = (section("Comments", "Say why."), section("Reports", "Be short."));
    assert_eq!(told(&text("AGENTS.md", "x", &a), &text("GEMINI.md", "x", &b)).0, Level::Info);
    assert_eq!(told(&text("AGENTS.md", "x", &a), &text("GEMINI.md", "x", "")).0, Level::Warning);
}
