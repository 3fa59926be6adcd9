//! `diff --assert-same` of moves from CLAUDE.md to AGENTS.md, in the shapes in which projects make them: what Claude Code still
//! gets, and what it loses.

use crate::support::Repo;

const TEXT: &str = "Use tabs.\nTest with make.\n";

/// What becomes of a file.
enum After {
    Text(&'static str),
    Link(&'static str),
    Gone,
}

use After::{Gone, Link, Text};

/// The exit code with these maps, and the lines that are told as lost.
fn moved(before: &[(&str, &str)], after: &[(&str, After)], maps: &[&str]) -> (i32, Vec<String>) {
    let repo = Repo::with_files([("src/x.c", "int x;\n"), ("packages/a/y.c", "int y;\n")]);
    before.iter().for_each(|(path, text)| _ = repo.write(path, text));
    repo.commit("before");
    for (path, after) in after {
        match after {
            Text(text) => _ = repo.write(path, text),
            Gone => _ = repo.remove(path),
            Link(target) => {
                if before.iter().any(|(old, _)| old == path) {
                    repo.remove(path);
                }
                repo.symlink(path, target);
            }
        }
    }
    repo.commit("after");
    let maps = maps.iter().flat_map(|map| ["--map", map]);
    let args = ["diff", "HEAD~1", "HEAD", "--assert-same", "--agent", "claude"].into_iter().chain(maps);
    let run = repo.run(&args.collect::<Vec<_>>());
    let lost = run.stdout.lines().skip_while(|line| !line.starts_with("  lost:")).skip(1);
    let lost = lost.take_while(|line| line.starts_with("    ")).map(|line| line.trim().to_owned());
    (run.code, lost.collect())
}

const MAP: &str = "CLAUDE.md=AGENTS.md";

#[test]
fn moves_that_lose_nothing_are_the_same() {
    let root = [("CLAUDE.md", TEXT)];
    // The old name is a link: not even the frame differs.
    assert_eq!(moved(&root, &[("CLAUDE.md", Link("AGENTS.md")), ("AGENTS.md", Text(TEXT))], &[]), (0, vec![]));
    // The old file imports the new one.
    let stub = [("CLAUDE.md", Text("@AGENTS.md\n")), ("AGENTS.md", Text(TEXT))];
    assert_eq!(moved(&root, &stub, &[MAP]), (0, vec![]));
    // The old file is gone, and the new one stands in for it.
    let renamed = [("CLAUDE.md", Gone), ("AGENTS.md", Text(TEXT))];
    assert_eq!(moved(&root, &renamed, &[MAP]), (0, vec![]));
    assert_eq!(moved(&root, &renamed, &[]).0, 1);
    // In every folder.
    let nested = [("CLAUDE.md", TEXT), ("packages/a/CLAUDE.md", "Use spaces here.\n")];
    let all = [
        ("CLAUDE.md", Gone),
        ("AGENTS.md", Text(TEXT)),
        ("packages/a/CLAUDE.md", Gone),
        ("packages/a/AGENTS.md", Text("Use spaces here.\n")),
    ];
    assert_eq!(moved(&nested, &all, &[MAP]), (0, vec![]));
    // Out of the agent's folder.
    let hidden = [(".claude/CLAUDE.md", TEXT)];
    let out = [(".claude/CLAUDE.md", Gone), ("AGENTS.md", Text(TEXT))];
    assert_eq!(moved(&hidden, &out, &[".claude/CLAUDE.md=./AGENTS.md"]), (0, vec![]));
}

#[test]
fn moves_that_lose_something_name_it() {
    let root = [("CLAUDE.md", TEXT)];
    let lost = |lines: &[&str]| (1, lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
    let both = lost(&["CLAUDE.md:1: Use tabs.", "CLAUDE.md:2: Test with make."]);
    // A sentence fell out.
    let merged = [("CLAUDE.md", Text("@AGENTS.md\n")), ("AGENTS.md", Text("Use tabs.\n"))];
    assert_eq!(moved(&root, &merged, &[MAP]), lost(&["CLAUDE.md:2: Test with make."]));
    // The import stands in code, where it is none.
    let quoted = [("CLAUDE.md", Text("See `@AGENTS.md`.\n")), ("AGENTS.md", Text(TEXT))];
    assert_eq!(moved(&root, &quoted, &[MAP]), both);
    // Plain words are no import either.
    let named = [("CLAUDE.md", Text("Read AGENTS.md.\n")), ("AGENTS.md", Text(TEXT))];
    assert_eq!(moved(&root, &named, &[MAP]), both);
    // The new file lies where nobody looks for it.
    let away = [("CLAUDE.md", Gone), ("docs/AGENTS.md", Text(TEXT))];
    assert_eq!(moved(&root, &away, &["CLAUDE.md=docs/AGENTS.md"]), both);
    // One CLAUDE.md is left below, and keeps the new file out there.
    let nested = [("CLAUDE.md", TEXT), ("packages/a/CLAUDE.md", "Use spaces here.\n")];
    let half = [("CLAUDE.md", Gone), ("AGENTS.md", Text(TEXT))];
    assert_eq!(moved(&nested, &half, &[MAP]), both);
    // The link leads nowhere.
    let broken = [("CLAUDE.md", Link("docs/AGENTS.md")), ("AGENT.md", Text(TEXT))];
    assert_eq!(moved(&root, &broken, &[MAP]), both);
    // Nothing is lost, and the order is another.
    let turned = [("CLAUDE.md", Gone), ("AGENTS.md", Text("Test with make.\nUse tabs.\n"))];
    assert_eq!(moved(&root, &turned, &[MAP]), lost(&[]));
}
