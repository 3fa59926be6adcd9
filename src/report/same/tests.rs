//! Proofs that nothing is lost, from files in memory.

use crate::agents;
use crate::compile::run_changes::RunState;
use crate::compile::same::{SameAgents, SidePlace, TextDifference, compare};
use crate::config::Config;
use crate::report::runs::line;
use crate::source::Memory;
use crate::workspace::load;

type NamedTexts<'f> = &'f [(&'f str, &'f str)];

/// The agents and directories that differ, with both lines; nothing where all is the same.
fn differs(before: NamedTexts<'_>, after: NamedTexts<'_>, agents: &[&str], moves: &[(&str, &str)]) -> Vec<String> {
    let sources = [before, after].map(|files| Memory::of_files(files.iter().copied()));
    let loaded = [&sources[0], &sources[1]].map(|source| load(source, Config::default(), &[]).unwrap().workspace);
    let state = |side: usize| RunState { source: &sources[side], workspace: &loaded[side] };
    let agents = chosen(agents);
    let moves: Vec<_> = moves.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    let verdict = compare(&state(0), &state(1), &agents, &moves, None);
    let place = |place: &SidePlace| {
        let file = place.file.as_ref().map(|(path, line)| format!("{}:{line} ", path.to_str_lossy()));
        format!("{}{}", file.unwrap_or_default(), place.text.as_deref().unwrap_or("-"))
    };
    let text = |one: &TextDifference| {
        format!("{} {:?}: {} | {}", one.agent, one.directory.to_str_lossy(), place(&one.before), place(&one.after))
    };
    let texts = verdict.texts.iter().map(text);
    texts.chain(verdict.runs.iter().map(line)).collect()
}

fn chosen(agents: &[&str]) -> SameAgents {
    SameAgents { chosen: agents.iter().filter_map(|id| agents::by_id(id)).collect(), ..SameAgents::default() }
}

const MAP: &[(&str, &str)] = &[("CLAUDE.md", "AGENTS.md")];

#[test]
fn a_byte_is_a_difference() {
    let (a, b) = ([("CLAUDE.md", "one\ntwo\n")], [("CLAUDE.md", "one\ntoo\n")]);
    assert_eq!(differs(&a, &a, &["claude"], &[]), [""; 0]);
    assert_eq!(differs(&a, &b, &["claude"], &[]), ["claude \"\": CLAUDE.md:2 two | CLAUDE.md:2 too"]);
    assert_eq!(differs(&a, &b, &["codex"], &[]), [""; 0]);
}

#[test]
fn a_move_keeps_the_text_for_those_who_had_it() {
    let before = [("CLAUDE.md", "See CLAUDE.md.\nTabs.\n"), ("p/CLAUDE.md", "Deep.\n")];
    let renamed = [("AGENTS.md", before[0].1), ("p/AGENTS.md", before[1].1)];
    let stub = [("CLAUDE.md", "@AGENTS.md\n"), ("p/CLAUDE.md", "@AGENTS.md\n"), renamed[0], renamed[1]];
    assert_eq!(differs(&before, &renamed, &["claude"], MAP), [""; 0]);
    assert!(!differs(&before, &renamed, &["claude"], &[]).is_empty());
    // Who reads AGENTS.md reads it now.
    assert_eq!(differs(&before, &renamed, &["claude", "codex"], MAP).len(), 2);
    assert_eq!(differs(&before[..1], &stub[..1], &["claude"], MAP).len(), 1, "nothing to import");
    let (one, at_root) = (&before[..1], [stub[0], renamed[0]]);
    assert_eq!(differs(one, &at_root, &["claude"], MAP), [""; 0]);
    // An import leads no further than the directory of the start, so that below the stub of the root is all there is.
    let found = differs(&before, &stub, &["claude"], MAP);
    assert_eq!(found, ["claude \"p\": CLAUDE.md:1 See CLAUDE.md. | CLAUDE.md:1 @AGENTS.md"]);
    // Only frames may name the other file.
    let rewritten = [("AGENTS.md", "See AGENTS.md.\nTabs.\n"), renamed[1]];
    assert_eq!(
        differs(&before, &rewritten, &["claude"], MAP)[0],
        "claude \"\": CLAUDE.md:1 See CLAUDE.md. | AGENTS.md:1 See AGENTS.md."
    );
}

#[test]
fn lost_sentences_and_unread_files_are_told() {
    let before = [("CLAUDE.md", "Tabs.\nNever push.\n")];
    let lost = [("CLAUDE.md", "@AGENTS.md\n"), ("AGENTS.md", "Tabs.\n")];
    let found = differs(&before, &lost, &["claude"], MAP);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("CLAUDE.md:2 Never push."), "{found:?}");
    // A text beside the import is more than before.
    let more = [("CLAUDE.md", "@AGENTS.md\n\nMore.\n"), ("AGENTS.md", before[0].1)];
    assert_eq!(differs(&before, &more, &["claude"], MAP).len(), 1);
    // An import that is no import: the agent gets the stub alone.
    let broken = [("CLAUDE.md", "@AGENT.md\n"), ("AGENTS.md", before[0].1)];
    assert_eq!(differs(&before, &broken, &["claude"], MAP).len(), 1);
}

#[test]
fn what_is_run_counts_too() {
    let settings = (".claude/settings.json", "{\"env\": {\"A\": \"1\"}}");
    let found = differs(&[("CLAUDE.md", "x")], &[("CLAUDE.md", "x"), settings], &["claude"], &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("new: sets A=1 (.claude/settings.json:1"), "{found:?}");
    assert_eq!(differs(&[("CLAUDE.md", "x")], &[("CLAUDE.md", "x"), settings], &["gemini"], &[]), [""; 0]);
}

/// A changed heading is the first difference; what matters may be lost far below it.
#[test]
fn lines_that_are_nowhere_any_more_are_told() {
    let before = [("CLAUDE.md", "# Claude\nTabs.\n\nTabs.\nNever push.\nUse make.\n")];
    let after = [("CLAUDE.md", "# Agents\nUse make.\n  Tabs.\n")];
    let sources = [&before, &after].map(|files| Memory::of_files(files.iter().copied()));
    let loaded = [&sources[0], &sources[1]].map(|source| load(source, Config::default(), &[]).unwrap().workspace);
    let state = |side: usize| RunState { source: &sources[side], workspace: &loaded[side] };
    let claude = chosen(&["claude"]);
    let verdict = compare(&state(0), &state(1), &claude, &[], None);
    let lost: Vec<_> = verdict.texts[0].lost.iter().filter_map(|lost| lost.place.text.as_deref()).collect();
    assert_eq!((lost, verdict.texts[0].lost_count), (vec!["# Claude", "Never push."], 2));
    let back = compare(&state(1), &state(0), &claude, &[], None);
    assert_eq!(back.texts[0].lost_count, 1);
}

/// What is written about two states.
fn said(before: NamedTexts<'_>, after: NamedTexts<'_>, agents: &[&str], moves: &[(&str, &str)]) -> String {
    let sources = [before, after].map(|files| Memory::of_files(files.iter().copied()));
    let loaded = [&sources[0], &sources[1]].map(|source| load(source, Config::default(), &[]).unwrap().workspace);
    let state = |side: usize| RunState { source: &sources[side], workspace: &loaded[side] };
    let moves: Vec<_> = moves.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    let verdict = compare(&state(0), &state(1), &chosen(agents), &moves, None);
    let mut out = Vec::new();
    super::write(&verdict, false, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn each_line_has_its_count_and_the_worst_comes_first() {
    let before = [("CLAUDE.md", "# Claude\nTabs.\n"), ("p/CLAUDE.md", "One.\nTwo.\n")];
    let after = [("CLAUDE.md", "# Agents\nTabs.\n"), ("p/CLAUDE.md", "\n")];
    let told = said(&before, &after, &["claude", "opencode"], &[]);
    assert!(told.starts_with("Different: what claude loads in p, from byte "), "{told}");
    assert!(told.contains("  lost:   3 lines\n    CLAUDE.md:1: # Claude\n    p/CLAUDE.md:1: One.\n"), "{told}");
    assert!(
        told.contains("Also different: what claude, opencode load in .: loses 1 line; first CLAUDE.md:1: # Claude\n"),
        "{told}"
    );
}

#[test]
fn frames_are_not_lost_and_gains_read_as_gains() {
    // Codex wraps what it reads.
    let before = [("AGENTS.md", "One.\nTwo.\n")];
    let told = said(&before, &[("x.c", "")], &["codex"], &[]);
    assert!(told.contains("  after:  (nothing)\n  lost:   2 lines\n"), "{told}");
    let told = said(&before, &[("CLAUDE.md", before[0].1)], &["codex"], &[("AGENTS.md", "CLAUDE.md")]);
    assert!(told.contains("  lost:   2 lines\n"), "{told}");
    let told = said(&[("x.c", "")], &before, &["codex"], &[]);
    assert!(told.contains("  before: (nothing)\n"), "{told}");
    assert!(told.contains("  lost:   no line: codex gains 2 lines, loses none\n"), "{told}");
    // A rule that waits for other files keeps its text.
    let rule = |glob: &str| format!("---\nglobs: {glob}\n---\nTabs.\n");
    let (all, one) = (rule("injected/**"), rule("other/**"));
    let path = ".cursor/rules/a.mdc";
    let told = said(&[(path, &all)], &[(path, &one)], &["cursor"], &[]);
    assert!(told.contains("  lost:   no line: "), "{told}");
    // The token of an import that becomes a link is no text.
    let imports = [("CLAUDE.md", "@AGENTS.md\n"), ("AGENTS.md", "One.\n")];
    let told = said(&imports, &[("CLAUDE.md", "One.\n")], &["claude"], &[]);
    assert!(told.contains("  lost:   no line: "), "{told}");
}

#[test]
fn a_line_is_told_with_the_file_in_which_it_stood() {
    let rules = [(".claude/rules/a.md", "# Rules\nShared.\n"), (".claude/rules/b.md", "# Rules\nOnly b.\n")];
    let before = [("CLAUDE.md", "```\nrun\n```\nmore\n"), rules[0], rules[1]];
    let told = said(&before, &[("CLAUDE.md", "more\n"), rules[0]], &["claude"], &[]);
    assert!(told.contains("    CLAUDE.md:1: ```\n    CLAUDE.md:2: run\n    CLAUDE.md:3: ```\n"), "{told}");
    assert!(told.contains("    .claude/rules/b.md:2: Only b.\n"), "{told}");
    // The text behind a stub is that of the other file.
    let after = [("CLAUDE.md", "@AGENTS.md\n"), ("AGENTS.md", "One.\nThree.\n")];
    let told = said(&[("CLAUDE.md", "One.\nTwo.\n")], &after, &["claude"], MAP);
    assert!(told.contains("  before: CLAUDE.md:2: Two.\n  after:  AGENTS.md:2: Three.\n"), "{told}");
}

#[test]
fn what_a_line_does_not_show_is_said() {
    let told = said(&[("CLAUDE.md", "a\nb\n")], &[("CLAUDE.md", "a\r\nb\r\n")], &["claude"], &[]);
    assert!(told.contains("before: CLAUDE.md:1: a (its line end is LF)\n"), "{told}");
    assert!(told.contains("after:  CLAUDE.md:1: a (its line end is CRLF)\n"), "{told}");
    let told = said(&[("CLAUDE.md", "a \nb\n")], &[("CLAUDE.md", "a\nb\n")], &["claude"], &[]);
    assert!(told.contains("before: CLAUDE.md:1: a (1 blank at its end)\n"), "{told}");
    let told = said(&[("CLAUDE.md", "a\n\nb\n")], &[("CLAUDE.md", "a\nb\n")], &["claude"], &[]);
    assert!(told.contains("before: (a blank line, then) CLAUDE.md:3: b\n  after:  CLAUDE.md:2: b\n"), "{told}");
    let told = said(&[("CLAUDE.md", "a\n")], &[("CLAUDE.md", "a\nb\n")], &["claude"], &[]);
    assert!(told.contains("after:  CLAUDE.md:2: b\n"), "{told}");
}

#[test]
fn a_map_leaves_the_names_of_before() {
    let told = said(&[("GEMINI.md", "a\n")], &[("AGENTS.md", "a\n")], &["gemini"], &[("GEMINI.md", "AGENTS.md")]);
    assert!(told.contains("  before: --- Context from: GEMINI.md ---\n"), "{told}");
}

#[test]
fn a_limit_that_cuts_lines_off_is_named() {
    let rest = "Kept.\n".repeat(5_500);
    let (before, after) = (format!("{rest}Last.\n"), format!("{}{rest}Last.\n", "# More\n".repeat(20)));
    let told = said(&[("AGENTS.md", before.as_str())], &[("AGENTS.md", after.as_str())], &["codex"], &[]);
    assert!(!told.contains("cut off"), "both are cut: {told}");
    let (before, after) = (before.replacen(&"Kept.\n".repeat(60), "", 1), after);
    let told = said(&[("AGENTS.md", before.as_str())], &[("AGENTS.md", after.as_str())], &["codex"], &[]);
    assert!(told.contains("  lost:   1 line, cut off: codex reads 32768 bytes\n"), "{told}");
}
