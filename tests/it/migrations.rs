//! `diff --assert-same` of moves from CLAUDE.md to AGENTS.md, in the shapes in which projects make them: what Claude Code still
//! gets, and what it loses.

use crate::support::{Repo, Run};

const TEXT: &str = "Use tabs.\nTest with make.\n";

/// What becomes of a file.
enum After {
    Text(&'static str),
    Link(&'static str),
    Gone,
}

use After::{Gone, Link, Text};

/// The exit code with these maps, and the lines that are told as lost, in a repository with folders.
fn moved(before: &[(&str, &str)], after: &[(&str, After)], maps: &[&str]) -> (i32, Vec<String>) {
    let repo = Repo::with_files([("src/x.c", "int x;\n"), ("packages/a/y.c", "int y;\n")]);
    let maps = maps.iter().flat_map(|map| ["--map", map]);
    let run = compared(&repo, before, after, &["--agent", "claude"].into_iter().chain(maps).collect::<Vec<_>>());
    let lost = run.stdout.lines().skip_while(|line| !line.starts_with("  lost:")).skip(1);
    let lost = lost.take_while(|line| line.starts_with("    ")).map(|line| line.trim().to_owned());
    (run.code, lost.collect())
}

/// What is said of a move in a repository.
fn compared(repo: &Repo, before: &[(&str, &str)], after: &[(&str, After)], args: &[&str]) -> Run {
    before.iter().for_each(|(path, text)| _ = repo.write(path, text));
    repo.commit("before");
    for (path, after) in after {
        match after {
            Text(text) => _ = repo.write(path, text),
            // Empty folders go with it.
            Gone => _ = repo.git(&["rm", "-q", path]),
            Link(target) => {
                if before.iter().any(|(old, _)| old == path) {
                    repo.remove(path);
                }
                repo.symlink(path, target);
            }
        }
    }
    repo.commit("after");
    repo.run(&[&["diff", "HEAD~1", "HEAD", "--assert-same"], args].concat())
}

const MAP: &str = "CLAUDE.md=AGENTS.md";

#[test]
fn moves_that_lose_nothing_are_the_same() {
    let root = [("CLAUDE.md", TEXT)];
    // The old name is a link: not even the frame differs.
    assert_eq!(moved(&root, &[("CLAUDE.md", Link("AGENTS.md")), ("AGENTS.md", Text(TEXT))], &[]), (0, vec![]));
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
    let merged = [("CLAUDE.md", Link("AGENTS.md")), ("AGENTS.md", Text("Use tabs.\n"))];
    assert_eq!(moved(&root, &merged, &[MAP]), lost(&["CLAUDE.md:2: Test with make."]));
    // The old file imports the new one, which Claude Code does not follow when it is started in a folder.
    let stub = [("CLAUDE.md", Text("@AGENTS.md\n")), ("AGENTS.md", Text(TEXT))];
    assert_eq!(moved(&root, &stub, &[MAP]), both);
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

/// Below the root the import of a root file leads out of where Claude Code is started.
#[test]
fn folders_without_hint_files_are_compared_too() {
    let repo = Repo::with_files([("src/x.c", "int x;\n"), ("packages/a/y.c", "int y;\n")]);
    let claude = ["--agent", "claude", "--map", MAP];
    let stub = [("CLAUDE.md", Text("@AGENTS.md\n")), ("AGENTS.md", Text(TEXT))];
    let run = compared(&repo, &[("CLAUDE.md", TEXT)], &stub, &claude);
    let head =
        "Different: what claude loads in packages (and each directory without hint files below the root), from byte ";
    assert!(run.code == 1 && run.stdout.starts_with(head), "{run:?}");
    assert!(run.stdout.contains("  lost:   2 lines\n") && !run.stdout.contains("Also different"), "{run:?}");
    // A link leads everywhere.
    let link = [("CLAUDE.md", Link("AGENTS.md")), ("AGENTS.md", Text(TEXT))];
    let run = compared(&repo, &[("CLAUDE.md", TEXT), ("AGENTS.md", "")], &link, &claude[..2]);
    let told = "Same, byte for byte: what claude would load and run in 1 directory and in packages, which stands for all others\n";
    assert_eq!((run.stdout.as_str(), run.code), (told, 0));
    // What is different at the root is not said again of each folder.
    let run = compared(&repo, &[], &[("AGENTS.md", Text("Use tabs.\nMore.\n"))], &["--agent", "codex"]);
    assert!(run.code == 1 && !run.stdout.contains("Also different"), "{run:?}");
    // A folder that holds hint files for one agent stands for others of another.
    let none = [("src/x.c", Text("int z;\n"))];
    let run = compared(&repo, &[("packages/GEMINI.md", TEXT)], &none, &["--agent", "claude,gemini"]);
    let told = " in 2 directories and in packages, packages/a, src, which stand for all others\n";
    assert!(run.code == 0 && run.stdout.ends_with(told), "{run:?}");
}

/// Where an import stays inside the folder of the start it is followed there, and not beside it.
#[test]
fn folders_that_hold_targets_of_imports_are_compared_by_themselves() {
    let repo = Repo::with_files([("a/x.c", ""), ("docs/rules.md", TEXT), ("docs/deep/y.c", "")]);
    let after = [("CLAUDE.md", Text("@docs/rules.md\n"))];
    let run = compared(&repo, &[("CLAUDE.md", "@docs/rules.md \n")], &after, &["--agent", "claude"]);
    assert!(run.stdout.contains(" in 2 directories and in a, docs/deep, which stand for all others"), "{run:?}");
    assert_eq!(run.code, 0);
}

#[test]
fn without_a_choice_each_agent_counts_that_reads_a_file_of_either_state() {
    let repo = Repo::with_files([("x.c", "")]);
    let renamed = [("AGENTS.md", Gone), ("CLAUDE.md", Text(TEXT))];
    let run = compared(&repo, &[("AGENTS.md", TEXT)], &renamed, &["--map", "AGENTS.md=CLAUDE.md"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("  lost:   2 lines\n"), "{run:?}");
    let also = run.stdout.lines().filter(|line| line.starts_with("Different") || line.starts_with("Also different"));
    let also: String = also.collect::<Vec<_>>().join("\n");
    for agent in ["codex", "cursor", "windsurf"] {
        assert!(also.contains(agent), "{agent}: {also}");
    }
    assert!(!also.contains("claude") && !also.contains("gemini"), "{also}");
    // Where nothing changes for anybody, those are named for whom that is so.
    let run = compared(&repo, &[], &[("x.c", Text("int x;\n"))], &[]);
    assert!(run.code == 0 && run.stdout.contains("what claude, continue, copilot, "), "{run:?}");
    assert!(!run.stdout.contains("merged") && !run.stdout.contains("gemini"), "{run:?}");
}

#[test]
fn skills_subagents_and_commands_are_compared() {
    const SKILL: &str = "---\nname: bump\ndescription: Bump the version\n---\nRun bump.sh.\n";
    let before = [
        ("CLAUDE.md", TEXT),
        (".claude/skills/bump/SKILL.md", SKILL),
        (".claude/skills/bump/bump.sh", "true\n"),
        (".claude/agents/rev.md", "---\nname: rev\ndescription: Review\n---\nReview.\n"),
        (".claude/commands/fix.md", "Fix it.\n"),
    ];
    let told = |after: &[(&str, After)]| {
        let repo = Repo::with_files([("x.c", "")]);
        let run = compared(&repo, &before, after, &["--agent", "claude"]);
        (run.code, run.stdout.trim_end().to_owned())
    };
    let differs = |what: &str| (1, format!("Different: {what}"));
    let (skill, script) = (".claude/skills/bump/SKILL.md", ".claude/skills/bump/bump.sh");
    assert_eq!(told(&[(skill, Gone)]), differs(&format!("gone for claude: skill {skill}")));
    assert_eq!(told(&[(skill, Text("Other.\n"))]), differs(&format!("changed for claude: skill {skill}")));
    assert_eq!(told(&[(script, Text("false\n"))]), differs(&format!("changed for claude: skill {skill}: bump.sh")));
    assert_eq!(told(&[(".claude/agents/rev.md", Gone)]), differs("gone for claude: subagent .claude/agents/rev.md"));
    let command = ".claude/commands/fix.md";
    assert_eq!(told(&[(command, Gone)]), differs(&format!("gone for claude: command {command}")));
    assert_eq!(
        told(&[(".claude/commands/new.md", Text("New.\n"))]),
        differs("new for claude: command .claude/commands/new.md")
    );
    // Another agent's files, and texts that nobody is offered.
    assert_eq!(told(&[(".cursor/commands/fix.md", Text("Fix.\n")), ("docs/fix.md", Text("Fix.\n"))]).0, 0);
    // Moved behind a link it is found where it was.
    let moved = [
        (skill, Gone),
        (script, Gone),
        (".agents/skills/bump/SKILL.md", Text(SKILL)),
        (".agents/skills/bump/bump.sh", Text("true\n")),
        (".claude/skills", Link("../.agents/skills")),
    ];
    assert_eq!(told(&moved).0, 0);
    assert_eq!(told(&moved[..4]), differs(&format!("gone for claude: skill {skill}")));
}

#[test]
fn a_stub_may_hold_what_the_agent_drops() {
    let repo = Repo::with_files([("x.c", "")]);
    let args = ["--agent", "claude", "--map", MAP];
    let stub = [("CLAUDE.md", Text("@AGENTS.md\n\n<!-- The text is in AGENTS.md. -->\n")), ("AGENTS.md", Text(TEXT))];
    assert_eq!(compared(&repo, &[("CLAUDE.md", TEXT)], &stub, &args).code, 0);
    let more = [("CLAUDE.md", Text("@AGENTS.md\n\nMore. <!-- The text is in AGENTS.md. -->\n"))];
    let run = compared(&repo, &[], &more, &args);
    assert!(run.code == 1 && run.stdout.contains("gains 1 line"), "{run:?}");
}
