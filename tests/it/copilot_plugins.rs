//! Plugins of GitHub Copilot, which are known from documentation alone: what they bring once they are installed.

use crate::support::Repo;

const HOOKS: &str =
    r#"{"version": 1, "hooks": {"sessionStart": [{"type": "command", "bash": "${PLUGIN_ROOT}/go.sh"}]}}"#;
const STANDARD: &str = r#"{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "p"}"#;

fn server(name: &str) -> String {
    format!("{{\"mcpServers\": {{\"{name}\": {{\"type\": \"stdio\", \"command\": \"{name}\"}}}}}}\n")
}

/// What `diff` says of what runs, once these files are added to a repository.
fn told(files: &[(&str, &str)]) -> String {
    let repo = Repo::with_files([("AGENTS.md", "Use tabs.\n")]);
    repo.commit("before");
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.run(&["diff", "HEAD"]).stdout
}

fn kinds(files: &[(&str, &str)]) -> Vec<String> {
    let repo = Repo::with_files(files.iter().copied());
    let listed = repo.run(&["files"]).stdout;
    let row = |row: &str| row.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    listed.lines().map(row).collect()
}

#[test]
fn hooks_servers_and_agents_of_a_plugin_are_told() {
    let agent = "---\ndescription: Reviews.\nmcp-servers:\n  seen:\n    command: seen\n---\nReview it.\n";
    let diff = told(&[
        (".github/plugin/marketplace.json", r#"{"plugins": [{"name": "a", "source": "./plugins/a"}]}"#),
        ("plugins/a/hooks.json", HOOKS),
        ("plugins/a/go.sh", "true\n"),
        ("plugins/a/.mcp.json", &server("listed")),
        ("plugins/a/agents/review.agent.md", agent),
        (
            "plugins/b/.github/plugin/plugin.json",
            r#"{"name": "b", "hooks": "./h.json", "mcpServers": {"own": {"command": "own"}}}"#,
        ),
    ]);
    let lines = [
        "hook sessionStart: ${PLUGIN_ROOT}/go.sh (plugins/a/hooks.json:1",
        "starts server listed: listed",
        "on use of review: starts server seen: seen",
        "starts server own: own (plugins/b/.github/plugin/plugin.json:1",
    ];
    for line in lines {
        assert!(diff.contains(&format!("new: {line}")), "{line} {diff}");
    }
    assert!(diff.contains("copilot: once installed, as documented"), "{diff}");
}

#[test]
fn the_open_standard_has_fixed_places() {
    let diff = told(&[
        ("plugin.json", STANDARD),
        ("mcp.json", &server("portable")),
        ("hooks.json", HOOKS),
        (".github/hooks/x.json", r#"{"hooks": {}}"#),
    ]);
    assert!(
        diff.contains("new: starts server portable: portable (mcp.json:1; copilot: once installed, as documented"),
        "{diff}"
    );
    assert!(!diff.contains("go.sh"), "the standard has no hooks: {diff}");
    // Other programs have a file of that name, and folders below the root are bundles only where something says so.
    let other = told(&[
        ("plugin.json", r#"{"id": "panel"}"#),
        ("x/plugin.json", STANDARD),
        ("x/mcp.json", &server("x")),
        (".github/hooks/x.json", r#"{"hooks": {}}"#),
    ]);
    assert!(!other.contains("starts server"), "{other}");
}

#[test]
fn agents_beside_a_manifest_are_hint_files() {
    let files = [
        (".github/plugin/plugin.json", r#"{"name": "a"}"#),
        ("agents/review.agent.md", "---\ndescription: Reviews.\n---\nReview it.\n"),
        ("agents/README.md", "# The agents\n"),
        ("other/agents/review.agent.md", "---\ndescription: Reviews.\n---\nReview it.\n"),
    ];
    assert_eq!(kinds(&files), [".github/plugin/plugin.json settings", "agents/review.agent.md copilot-agent"]);
}

#[test]
fn what_only_documentation_says_of_a_plugin_is_an_info() {
    let market = r#"{"metadata": {"pluginRoot": "./plugins"}, "plugins": [{"name": "gone", "source": "./gone"},
        {"name": "here", "source": "./plugins/here"}]}"#;
    let repo = Repo::with_files([
        (".github/plugin/marketplace.json", market),
        ("plugins/here/.github/plugin/plugin.json", r#"{"name": "here", "agents": "./agents/"}"#),
        ("plugins/here/agents/a.agent.md", "---\ndescription: Reviews.\n---\nReview it.\n"),
        ("plugins/here/hooks.json", HOOKS),
        ("plugins/here/bad.json", "{"),
    ]);
    let found = repo.run(&["--min-level", "info", "--format", "concise"]).stdout;
    let said: Vec<&str> = found.lines().filter(|line| line.contains("missing-")).collect();
    assert_eq!(said.len(), 2, "{found}");
    assert!(
        said[0].starts_with(".github/plugin/marketplace.json:1") && said[0].contains("info[missing-plugin-path]"),
        "{found}"
    );
    assert!(
        said[1].starts_with("plugins/here/hooks.json:1") && said[1].contains("info[missing-hook-command]"),
        "{found}"
    );
}

#[test]
fn show_lists_plugins_that_are_said_to_be_installed() {
    let repo = Repo::with_files([
        ("p/plugin.json", r#"{"name": "p"}"#),
        ("p/hooks/hooks.json", HOOKS),
        ("p/.mcp.json", &server("s")),
    ]);
    let option = r#"copilot.pluginDirs=["p"]"#;
    let shown = repo.run(&["show", "--runs", "--agent", "copilot", "--agent-option", option]).stdout;
    assert!(
        shown.contains("starts server s: s") && shown.contains("hook sessionStart: ${PLUGIN_ROOT}/go.sh"),
        "{shown}"
    );
    let without = repo.run(&["show", "--runs", "--agent", "copilot"]).stdout;
    assert!(!without.contains("server"), "{without}");
}

/// Nobody starts an agent in an agent's folder. A plugin of another agent is named all the same: nothing else tells its servers.
#[test]
fn servers_in_an_agents_folder_are_not_told() {
    let servers = server("s");
    let of = |path: &str, beside: &str| {
        told(&[
            (path, servers.as_str()),
            (beside, "{}"),
            (".claude/settings.json", "{}"),
            (".qwen/settings.json", "{}"),
        ])
    };
    for path in [".cursor/.mcp.json", "examples/.mcp.json", "config/examples/.mcp.json", "skills/x/.mcp.json"] {
        assert!(!of(path, "skills/x/SKILL.md").contains("starts server"), "{path}");
    }
    for (path, beside) in [
        (".mcp.json", "hooks/hooks.json"),
        ("app/.mcp.json", "app/hooks/hooks.json"),
        ("plugins/x/.mcp.json", "plugins/x/.codex-plugin/plugin.json"),
    ] {
        assert!(of(path, beside).contains("new: starts server s: s"), "{path}");
    }
}

/// What a plugin brings is told as what it is; who works on it may have settings beside it.
#[test]
fn servers_of_a_plugin_are_told_once_and_as_installed() {
    let servers = server("s");
    let plugin = [
        ("plugins/x/.claude-plugin/plugin.json", r#"{"name": "x"}"#),
        ("plugins/x/.mcp.json", servers.as_str()),
        (".claude/settings.json", "{}"),
        (".qwen/settings.json", "{}"),
    ];
    let of = |diff: &str| -> Vec<String> {
        diff.lines().filter(|line| line.contains("starts server s")).map(str::to_owned).collect()
    };
    let found = of(&told(&plugin));
    assert!(found.len() == 1 && found[0].contains("claude: once installed"), "{found:#?}");
    assert!(found[0].contains("installed from plugins/x") && !found[0].contains("started in"), "{found:#?}");
    // A server of that name at the root does not make it a change of that one.
    let root = server("s").replace("\"s\"}", "\"root\"}");
    let repo = Repo::with_files([(".mcp.json", root.as_str()), (".claude/settings.json", "{}")]);
    for (path, text) in plugin {
        repo.write(path, text);
    }
    repo.commit("after");
    let found = of(&repo.run(&["diff", "HEAD~1", "HEAD"]).stdout);
    assert!(found.len() == 1 && found[0].contains("new: ") && found[0].contains("once installed"), "{found:#?}");
    let beside = [&plugin[..], &[("plugins/x/.claude/settings.json", "{}")]].concat();
    let found = of(&told(&beside));
    assert!(found.iter().any(|line| line.contains("started in plugins/x")), "{found:#?}");
}
