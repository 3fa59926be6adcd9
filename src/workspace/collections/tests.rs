use super::super::load;
use crate::config::Config;
use crate::source::Memory;

const AGENT: &str = "---\nname: reviewer\ndescription: Reviews: changes\nmodel: sonnet\n---\nReview.\n";
const OTHER: &str = "---\nname: tester\ndescription: Tests\ntools:\n  - Read\n  - Bash\n---\nTest.\n";
const PLAIN: &str = "---\nname: writer\ndescription: Writes\n---\nWrite.\n";
const COMMAND: &str = "---\ndescription: Ship it\nargument-hint: [branch]\n---\nShip $ARGUMENTS.\n";
const BARE: &str = "---\ndescription: Ship it\n---\nShip $ARGUMENTS.\n";

/// The commands and subagents among the files.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let loaded = load(&Memory::of_files(files.iter().copied()), Config::default(), &[]).unwrap();
    let documents = loaded.workspace.documents.iter();
    let shown = documents.map(|document| format!("{} {}", document.path.to_str_lossy(), document.kind.name()));
    shown.filter(|shown| shown.contains(" claude-agent") || shown.contains(" claude-command")).collect()
}

#[test]
fn folders_of_subagents_are_known_by_their_files() {
    assert_eq!(
        found(&[
            ("agents/a.md", AGENT),
            ("agents/web/b.md", OTHER),
            ("agents/c.md", PLAIN),
            ("agents/README.md", "# A\n")
        ]),
        ["agents/a.md claude-agent", "agents/c.md claude-agent", "agents/web/b.md claude-agent"]
    );
    // A page without frontmatter is no subagent.
    let files = [("claude/agents/a.md", AGENT), ("claude/agents/b.md", OTHER), ("claude/agents/guide.md", "# Guide\n")];
    assert_eq!(found(&files), ["claude/agents/a.md claude-agent", "claude/agents/b.md claude-agent"]);
}

#[test]
fn folders_of_commands_are_known_by_their_files() {
    assert_eq!(
        found(&[("commands/a.md", COMMAND), ("commands/git/b.md", BARE)]),
        ["commands/a.md claude-command", "commands/git/b.md claude-command"]
    );
    assert_eq!(found(&[(".config/claude/commands/a.md", COMMAND), (".config/claude/commands/b.md", BARE)]).len(), 2);
}

#[test]
fn a_guide_that_installs_them_vouches_for_a_single_file() {
    assert_eq!(found(&[("agents/a.md", AGENT)]), Vec::<String>::new());
    let guide = ("README.md", "Copy `agents/` to `~/.claude/agents/`.\n");
    assert_eq!(found(&[("agents/a.md", AGENT), guide]), ["agents/a.md claude-agent"]);
    assert_eq!(found(&[("agents/a.md", PLAIN), guide]), Vec::<String>::new());
    let script = ("dot/claude/install.sh", "ln -s \"$PWD/commands\" ~/.claude/commands\n");
    assert_eq!(found(&[("dot/claude/commands/a.md", BARE), script]), ["dot/claude/commands/a.md claude-command"]);
}

#[test]
fn other_folders_of_that_name_are_left_alone() {
    let docs = "---\ntitle: Serve\ndescription: Starts the server\n---\n# serve\n";
    let pi = "---\nname: scout\ndescription: Looks\ntools: read, grep, bash\nmodel: claude-haiku-4-5\n---\n";
    let opencode = "---\nname: x\ndescription: y\nmode: subagent\nmodel: sonnet\n---\n";
    let gemini = "---\nname: x\ndescription: y\nkind: local\ntools: [read_file]\nmodel: inherit\n---\n";
    for (dir, text) in [
        ("docs/commands", docs),
        ("src/agents", "# Agents\n"),
        ("agents", docs),
        ("agents", pi),
        ("agents", opencode),
        ("agents", gemini),
        ("agents", PLAIN),
        ("opencode/agents", AGENT),
        (".opencode/agents", AGENT),
        ("tests/data/agents", AGENT),
        ("templates/agents", AGENT),
        ("vendor/x/agents", AGENT),
        ("my-agents", AGENT),
    ] {
        let (a, b) = (format!("{dir}/a.md"), format!("{dir}/b.md"));
        assert_eq!(found(&[(&a, text), (&b, text), ("CLAUDE.md", "x\n")]), Vec::<String>::new(), "{dir} {text:?}");
    }
}
