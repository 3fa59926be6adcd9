//! Where commands of hooks look for their scripts: in the folder that a hook names, and behind a variable in quotes.

use crate::support::Repo;

/// What is told of missing scripts where `settings` stand in `file`.
fn told(agent: &str, file: &str, settings: &str) -> Vec<String> {
    let repo = Repo::with_files([
        ("hintlint.toml", format!("agents = [\"{agent}\"]\n").as_str()),
        (".github/hooks/p.sh", "x\n"),
        (".claude/hooks/a.py", "x\n"),
        (".gitignore", "out/\nlocal.*\n"),
        ("AGENTS.md", "x\n"),
        (file, settings),
    ]);
    repo.git(&["update-index", "--chmod=+x", ".github/hooks/p.sh"]);
    repo.commit_staged("settings");
    let run = repo.run(&["--format", "concise", "--select", "missing-hook-command", "--min-level", "info"]);
    let found = run.stdout.lines().filter_map(|line| line.split_once("[missing-hook-command] "));
    found.map(|(_, message)| message.to_owned()).collect()
}

/// Copilot CLI 1.0.102 starts a hook in its `cwd` below the root, from wherever it is started itself, and not at all where there is
/// no such folder.
#[test]
fn hooks_are_started_in_the_folder_that_they_name() {
    let check = |folder: &str, command: &str, expected: &[&str]| {
        let hook = format!(r#"{{"type": "command", "bash": "{command}"{folder}}}"#);
        let hooks = format!(r#"{{"version": 1, "hooks": {{"preToolUse": [{hook}]}}}}"#);
        let found = told("copilot", ".github/hooks/hooks.json", &hooks);
        assert!(found.len() == expected.len(), "{command} {folder}: {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{command} {folder}: {found}");
        }
    };
    let fails = |path: &str| format!("there is no file `{path}`, so this preToolUse hook fails each time");
    check(r#", "cwd": ".github/hooks""#, "./p.sh", &[]);
    check(r#", "cwd": ".""#, "bash .github/hooks/p.sh", &[]);
    check(r#", "cwd": ".github/hooks""#, "bash .github/hooks/p.sh", &[&fails(".github/hooks/.github/hooks/p.sh")]);
    check("", "bash .github/p.sh", &[&fails(".github/p.sh")]);
    let never = "there is no folder `hooks`, the `cwd` of this preToolUse hook, so the hook never starts";
    check(r#", "cwd": "hooks""#, "./p.sh || true", &[never]);
    check(r#", "cwd": "out""#, "./p.sh", &[]);
    check(r#", "cwd": "../x""#, "./p.sh", &[]);
    let ignored = "git ignores `.claude/local.sh`: where nobody has made it this preToolUse hook fails";
    check("", "bash .claude/local.sh", &[ignored]);
    check("", "bash .claude/local.sh || true", &[]);
    check("", "bash tools/local.sh", &[]);
    check("", "node out/local.js", &[]);
}

#[test]
fn single_quotes_keep_a_variable() {
    let check = |command: &str, expected: Option<&str>| {
        let command = serde_json::Value::from(command);
        let hook = format!(r#"{{"hooks": [{{"type": "command", "command": {command}}}]}}"#);
        let found = told("claude", ".claude/settings.json", &format!(r#"{{"hooks": {{"Stop": [{hook}]}}}}"#));
        let start = expected.map(|variable| format!("single quotes keep `{variable}` as it stands, so this Stop hook"));
        match (start, &found[..]) {
            (None, []) => {}
            (Some(start), [one]) => assert!(one.starts_with(&start), "{command}: {one}"),
            _ => panic!("{command}: {found:?}"),
        }
    };
    check("python3 '$CLAUDE_PROJECT_DIR/.claude/hooks/a.py' x", Some("$CLAUDE_PROJECT_DIR"));
    check("python3 \"$CLAUDE_PROJECT_DIR/.claude/hooks/a.py\"", None);
    check("python3 \"$CLAUDE_PROJECT_DIR\"/'.claude/hooks/a.py'", None);
    check("bash -c 'python3 $CLAUDE_PROJECT_DIR/.claude/hooks/a.py'", None);
    check("python3 '${CLAUDE_PROJECT_DIR}/.claude/hooks/a.py' x", Some("${CLAUDE_PROJECT_DIR}"));
}

/// Arguments in a list are put together by no shell.
#[test]
fn arguments_of_a_hook_have_no_quotes() {
    let hook =
        r#"{"type": "command", "command": "python3", "args": ["${CLAUDE_PROJECT_DIR}/.claude/hooks/a.py", "a b"]}"#;
    let settings = format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{hook}]}}]}}}}"#);
    assert_eq!(told("claude", ".claude/settings.json", &settings), [""; 0]);
    let gone = told("claude", ".claude/settings.json", &settings.replace("a.py", "gone.py"));
    assert!(matches!(&gone[..], [one] if one.contains(".claude/hooks/gone.py")), "{gone:?}");
}

/// Gemini CLI 0.61.0 replaces `$GEMINI_PROJECT_DIR` by itself, and not the name in braces.
#[test]
fn an_agent_replaces_a_variable_in_single_quotes() {
    let count = |path: &str| {
        let hook = format!(r#"{{"hooks": [{{"type": "command", "command": "python3 '{path}/.claude/hooks/a.py'"}}]}}"#);
        told("gemini", ".gemini/settings.json", &format!(r#"{{"hooks": {{"AfterAgent": [{hook}]}}}}"#)).len()
    };
    assert_eq!(count("$GEMINI_PROJECT_DIR"), 0);
    assert_eq!(count("${GEMINI_PROJECT_DIR}"), 1);
}

/// Claude Code 2.1.330 leaves the root of a plugin in single quotes to the shell, and Copilot CLI 1.0.102 does not.
#[test]
fn single_quotes_keep_the_root_of_a_plugin() {
    let count = |agent: &str, command: &str| {
        let command = serde_json::Value::from(command);
        let hooks = format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": {command}}}]}}]}}}}"#);
        let repo = Repo::with_files([
            ("hintlint.toml", format!("agents = [\"{agent}\"]\n").as_str()),
            ("p/.claude-plugin/plugin.json", "{\"name\": \"p\"}\n"),
            ("p/hooks/hooks.json", &hooks),
            ("p/a.py", "x\n"),
            ("AGENTS.md", "x\n"),
        ]);
        repo.commit("plugin");
        let run = repo.run(&["--format", "concise", "--select", "missing-hook-command"]);
        run.stdout.lines().filter(|line| line.contains("single quotes keep `$")).count()
    };
    assert_eq!(count("claude", "python3 '${CLAUDE_PLUGIN_ROOT}/a.py'"), 1);
    assert_eq!(count("claude", "python3 \"${CLAUDE_PLUGIN_ROOT}/a.py\""), 0);
    assert_eq!(count("copilot", "python3 '${CLAUDE_PLUGIN_ROOT}/a.py'"), 0);
}

/// Copilot CLI 1.0.102, Gemini CLI 0.61.0, Codex CLI 0.169.0 and opencode 1.18.33 start a server in its `cwd` below the folder in
/// which they are started, and not at all where there is no such folder.
#[test]
fn servers_are_started_in_the_folder_that_they_name() {
    let check = |agent: &str, file: &str, cwd: &str, expected: &[&str]| {
        let server = format!(r#"{{"command": "bash", "args": ["p.sh"], "cwd": "{cwd}"}}"#);
        let found = told(agent, file, &format!(r#"{{"mcpServers": {{"s": {server}}}}}"#));
        assert!(found.len() == expected.len(), "{agent} {cwd}: {found:?}");
        assert!(
            found.iter().zip(expected).all(|(found, expected)| found.starts_with(expected)),
            "{agent} {cwd}: {found:?}"
        );
    };
    for (agent, file) in [("copilot", ".mcp.json"), ("gemini", ".gemini/settings.json")] {
        check(agent, file, ".github/hooks", &[]);
        check(agent, file, "./.github", &["there is no file `.github/p.sh`, so the server s does not start"]);
        check(agent, file, "gone", &["there is no folder `gone`, the `cwd` of the server s, so it never starts"]);
        for near_miss in ["out", "../x", "/srv/x", "${HOME}/x", "~/x"] {
            check(agent, file, near_miss, &[]);
        }
    }
    check("claude", ".mcp.json", ".github/hooks", &["Claude Code does not read `cwd` of a server"]);
}
