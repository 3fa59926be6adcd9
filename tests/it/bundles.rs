//! Plugins and other folders that are handed out: which of their files are hint files, and what is checked in them.

use crate::support::Repo;

fn kinds(repo: &Repo) -> Vec<String> {
    let listed = repo.run(&["files"]).stdout;
    let row = |row: &str| row.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    listed.lines().map(row).collect()
}

fn concise(repo: &Repo) -> Vec<String> {
    let run = repo.run(&["--format", "concise"]);
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn agents_and_commands_beside_a_manifest_are_hint_files() {
    let repo = Repo::with_files([
        (
            ".claude-plugin/marketplace.json",
            r#"{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "b", "source": "./bundles/b", "commands": ["./extra/c.md"]}]}"#,
        ),
        ("plugins/a/.claude-plugin/plugin.json", r#"{"name": "a"}"#),
        ("plugins/a/agents/reviewer.md", "---\nname: reviewer\n---\n\nYou are a reviewer.\n"),
        ("plugins/a/agents/README.md", "# The agents\n"),
        ("plugins/a/commands/git/push.md", "---\ndescripton: Push the branch.\n---\n\nPush to ma\u{feff}in.\n"),
        ("bundles/b/commands/build.md", "Run `scripts/gone.sh`.\n"),
        ("bundles/b/extra/c.md", "Say it.\n"),
        ("bundles/b/extra/d.md", "x\n"),
        ("docs/agents/x.md", "x\n"),
    ]);
    let found = [
        ".claude-plugin/marketplace.json settings",
        "bundles/b/commands/build.md claude-command",
        "bundles/b/extra/c.md claude-command",
        "plugins/a/.claude-plugin/plugin.json settings",
        "plugins/a/agents/README.md claude-agent",
        "plugins/a/agents/reviewer.md claude-agent",
        "plugins/a/commands/git/push.md claude-command",
    ];
    assert_eq!(kinds(&repo), found);
    let said = concise(&repo);
    let has = |path: &str, rule: &str| said.iter().any(|line| line.starts_with(path) && line.contains(rule));
    assert!(has("plugins/a/agents/reviewer.md", "error[missing-field]"), "{said:?}");
    assert!(has("plugins/a/commands/git/push.md", "warning[misspelled-field]"), "{said:?}");
    assert!(has("plugins/a/commands/git/push.md", "error[misplaced-bom]"), "{said:?}");
    assert_eq!(said.len(), 3, "{said:?}");
    // What a plugin says of paths, it says of other repositories.
    let verbose = repo.run(&["files", "-v"]).stdout;
    let row = verbose.lines().find(|row| row.starts_with("bundles/b/commands/build.md")).expect("a row");
    assert!(row.contains("part of a published bundle"), "{row}");
}

#[test]
fn a_manifest_that_names_what_is_not_there_names_nothing() {
    let repo = Repo::with_files([
        (".claude-plugin/plugin.json", r#"{"name": "a", "commands": ["../outside.md", "/etc", "", 5], "agents": "."}"#),
        (".claude-plugin/marketplace.json", "{ not json"),
        ("commands/c.md", "Say it.\n"),
        ("notes.md", "x\n"),
    ]);
    let found = [
        ".claude-plugin/marketplace.json settings",
        ".claude-plugin/plugin.json settings",
        "commands/c.md claude-command",
    ];
    assert_eq!(kinds(&repo), found);
    let run = repo.run(&["--format", "concise"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let expected =
        ["the file has text that is not JSON, so nothing of it can be installed", "the plugin does not load"];
    let is_told = |line: &str| expected.iter().any(|words| line.contains(words));
    assert!(run.stdout.lines().filter(|line| line.contains('[')).all(is_told), "{}", run.stdout);
}

#[test]
fn hooks_of_a_plugin_are_searched_for_hidden_characters() {
    let repo = Repo::with_files([
        (".claude-plugin/plugin.json", "{\"name\": \"a\"}"),
        ("hooks/hooks.json", "{\"description\": \"x\u{e0041}\u{e0042}\"}\n"),
    ]);
    let said = concise(&repo);
    assert!(
        said.iter().any(|line| line.starts_with("hooks/hooks.json:1:") && line.contains("hidden-tags")),
        "{said:?}"
    );
}

#[test]
fn agents_of_copilot_and_plans_of_superpowers_are_found() {
    let repo = Repo::with_files([
        (".github/agents/team/a.md", "---\ntarget: vscode\n---\nx\n"),
        (".github/agents/b.agent.md", "---\nname: b\ntools: 5\n---\nx\n"),
        ("docs/superpowers/plans/2026-01-01-x.md", "# Plan\n\n-[ ] write it\n"),
    ]);
    let found = [
        ".github/agents/b.agent.md copilot-agent",
        ".github/agents/team/a.md copilot-agent",
        "docs/superpowers/plans/2026-01-01-x.md plan",
    ];
    assert_eq!(kinds(&repo), found);
    let said = concise(&repo);
    assert!(
        said.iter().any(|line| line.starts_with("docs/superpowers") && line.contains("malformed-checkbox")),
        "{said:?}"
    );
}
