//! Proofs that nothing is lost, from files in memory.

use crate::agents;
use crate::compile::run_changes::RunState;
use crate::compile::same::{SidePlace, TextDifference, compare};
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
    let agents: Vec<_> = agents.iter().filter_map(|id| agents::by_id(id)).collect();
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
    let claude = [agents::by_id("claude").unwrap()];
    let verdict = compare(&state(0), &state(1), &claude, &[], None);
    let lost: Vec<_> = verdict.texts[0].lost.iter().filter_map(|place| place.text.as_deref()).collect();
    assert_eq!((lost, verdict.texts[0].lost_count), (vec!["# Claude", "Never push."], 2));
    let back = compare(&state(1), &state(0), &claude, &[], None);
    assert_eq!(back.texts[0].lost_count, 1);
}
