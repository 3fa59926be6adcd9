//! Matchers of hooks that fit no tool of any version of an agent.

use crate::support::Repo;

/// What is said of a hook with this matcher in the settings of `agents`.
fn said(agents: &str, path: &str, event: &str, matcher: &str) -> Vec<String> {
    let matcher = serde_json::Value::from(matcher);
    let hook = format!(
        r#"{{"hooks": {{"{event}": [{{"matcher": {matcher}, "hooks": [{{"type": "command", "command": "make"}}]}}]}}}}"#
    );
    let repo = Repo::with_files([("hintlint.toml", format!("agents = [{agents}]\n"))]);
    repo.write(path, hook).write(".claude-plugin/plugin.json", r#"{"name": "p"}"#).commit("settings");
    let run = repo.run(&["--format", "concise", "--select", "dead-setting"]);
    run.stdout.lines().filter(|line| line.contains("[dead-setting]")).map(str::to_owned).collect()
}

#[test]
fn a_matcher_that_surely_fits_no_tool_is_told() {
    let (claude, gemini) = (".claude/settings.json", ".gemini/settings.json");
    for (agents, path, event, matcher, why) in [
        (
            r#""claude""#,
            claude,
            "PreToolUse",
            "thinkdeep|batch_edit",
            "Claude Code 2.1.330 has no tools of these names",
        ),
        (r#""claude""#, claude, "PostToolUse", "Stop", "Claude Code 2.1.330 has no tool of this name"),
        (r#""claude""#, "hooks/hooks.json", "PostToolUse", "Stop", "has no tool of this name"),
        (r#""claude", "copilot""#, claude, "PreToolUse", "write_file", "has no tool of this name"),
        (r#""gemini""#, gemini, "BeforeTool", "Write|Edit", "Gemini CLI 0.61.0 has no tools of these names"),
        (r#""gemini""#, gemini, "AfterTool", "Bash|MultiEdit|Task", "has no tools of these names"),
        (r#""claude""#, claude, "PreToolUse", "tool == \"Bash\" && tool_input.command matches \"x\"", "is a condition"),
    ] {
        let found = said(agents, path, event, matcher);
        assert!(matches!(&found[..], [one] if one.contains("this hook never runs") && one.contains(why)), "{found:?}");
    }
}

#[test]
fn a_matcher_that_may_fit_a_tool_is_left_alone() {
    let (claude, gemini) = (".claude/settings.json", ".gemini/settings.json");
    for (agents, path, event, matcher) in [
        // A newer tool, a tool of a server, an expression, and one name that fits.
        (r#""claude""#, claude, "PreToolUse", "NewTool"),
        (r#""claude""#, claude, "PreToolUse", "mcp__memory__store"),
        (r#""claude""#, claude, "PreToolUse", "mcp_memory_store"),
        (r#""claude""#, claude, "PreToolUse", "^think.*"),
        (r#""claude""#, claude, "PreToolUse", "write_file|Write"),
        (r#""claude""#, claude, "SessionStart", "stop"),
        (r#""claude""#, claude, "SubagentStart", "reviewer"),
        // Another agent runs it.
        (r#""claude", "copilot""#, claude, "PreToolUse", "view|create"),
        (r#""gemini""#, gemini, "BeforeTool", "new_tool"),
        (r#""gemini""#, gemini, "BeforeTool", "Write|write_file"),
        (r#""gemini""#, gemini, "BeforeTool", "mcp_github_Write"),
        (r#""qwen""#, ".qwen/settings.json", "PreToolUse", "Write|Edit"),
        (r#""codex""#, ".codex/hooks.json", "PreToolUse", "write_file"),
    ] {
        assert_eq!(said(agents, path, event, matcher), [""; 0], "{path} {matcher}");
    }
}

#[test]
fn a_condition_with_an_empty_alternative_fits_every_tool() {
    let (agents, path) = (r#""claude""#, ".claude/settings.json");
    let found = said(agents, path, "PreToolUse", "tool == \"Edit\" || tool == \"Write\"");
    assert!(
        matches!(&found[..], [one] if one.contains("this hook runs for every tool") && one.contains("empty alternative")),
        "{found:?}"
    );
    // Names alone are a list, whose empty names fit nothing.
    assert_eq!(said(agents, path, "PreToolUse", "Edit||Write"), [""; 0]);
}
