//! What is said of settings that agents drop, counted, and what fixes make of them: the place that is wrong changes and nothing else.

use crate::support::Repo;

/// A repository in which `agents` are enabled.
fn repository(agents: &str, files: &[(&str, &str)]) -> Repo {
    let names: Vec<String> = agents.split(' ').map(|agent| format!("\"{agent}\"")).collect();
    let repo = Repo::with_files([("hintlint.toml", format!("agents = [{}]\n", names.join(", ")))]);
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("settings");
    repo
}

/// The warnings and errors of the settings rules, but for their places.
fn said(repo: &Repo, rules: &str) -> Vec<String> {
    let run = repo.run(&["--format", "json", "--select", rules, "--min-level", "info"]);
    let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let found = value["findings"].as_array().expect("a list").iter();
    let found = found.filter(|one| one["group"] == "settings");
    found.map(|one| format!("{} {}: {}", text(&one["path"]), text(&one["rule"]), text(&one["message"]))).collect()
}

/// The file at `path` after all fixes; after the safe ones it is as it was.
fn fixed(agents: &str, path: &str, text: &str) -> String {
    let repo = repository(agents, &[(path, text)]);
    repo.run(&["--fix"]);
    assert_eq!(String::from_utf8(repo.read(path)).expect("text"), text, "what begins to count is no safe fix");
    repo.run(&["--unsafe-fixes", "--fix"]);
    String::from_utf8(repo.read(path)).expect("text")
}

const DENIED: &str = r#"{"permissions": {"deny": ["Read(./a)", "Read(./b)"], "ask": ["WebFetch"]}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "make lint"}, {"type": "command", "command": "make fmt"}]}]}, "mcpServers": {"a": {"command": "b"}},}"#;

#[test]
fn what_a_comma_or_a_comment_costs_is_counted() {
    let file = ".claude/settings.json";
    let rest = "Claude Code 2.1.330 ignores the whole file";
    let found = said(&repository("claude", &[(file, DENIED)]), "invalid-settings");
    let lost = "2 deny rules, 2 hooks and 1 ask rule";
    assert_eq!(found, [format!("{file} invalid-settings: this comma switches off {lost}: {rest}")]);
    let commented = format!("// ours\n{}", DENIED.replace(",}", "}"));
    let found = said(&repository("claude", &[(file, &commented)]), "invalid-settings");
    assert_eq!(found, [format!("{file} invalid-settings: this comment switches off {lost}: {rest}")]);
    // Where there is nothing to lose, that is all.
    let found = said(&repository("claude", &[(file, "{\"model\": \"opus\",}")]), "invalid-settings");
    assert_eq!(found, [format!("{file} invalid-settings: this comma makes Claude Code 2.1.330 ignore the whole file")]);
    // Copilot takes hooks alone from the file; Gemini does not even start.
    let found = said(&repository("copilot", &[(file, DENIED)]), "invalid-settings");
    let expected = "this comma switches off 2 hooks: GitHub Copilot CLI 1.0.102 ignores the whole file";
    assert_eq!(found, [format!("{file} invalid-settings: {expected}")]);
    let found = said(&repository("gemini", &[(".gemini/settings.json", "{\"a\": [1,],}")]), "invalid-settings");
    let expected = "this comma keeps Gemini CLI 0.61.0 from starting here";
    assert_eq!(found, [format!(".gemini/settings.json invalid-settings: {expected}")]);
    let found =
        said(&repository("claude", &[(".mcp.json", "{\"servers\": {\"a\": {}, \"b\": {}}}")]), "invalid-settings");
    let expected = "and with it 2 servers: there is no object `mcpServers`";
    assert_eq!(found, [format!(".mcp.json invalid-settings: {rest}, {expected}")]);
}

#[test]
fn commas_and_comments_are_taken_out_and_nothing_else() {
    let file = ".claude/settings.json";
    let text = "{\n  // ours\n  \"env\": {\n    \"A\": \"// no, comment,}\", // theirs\n    \"B\": \"\\\",]\",\n  }, /* all */\n  \"permissions\": { \"deny\": [ \"Read(./a)\" , ] },\n}\n";
    let expected = "{\n  \"env\": {\n    \"A\": \"// no, comment,}\",\n    \"B\": \"\\\",]\"\n  },\n  \"permissions\": { \"deny\": [ \"Read(./a)\"  ] }\n}\n";
    assert_eq!(fixed("claude", file, text), expected);
    // Copilot knows comments in settings, so they stay.
    let text = "{\n  // ours\n  \"hooks\": {},\n}\n";
    assert_eq!(fixed("copilot", ".github/copilot/settings.json", text), "{\n  // ours\n  \"hooks\": {}\n}\n");
    // What else is wrong is not guessed.
    for text in ["{\"a\": 1,, }", "{\"a\": [1,}", "{'a': 1,}", "{\"a\": 1, /* open"] {
        assert_eq!(fixed("claude", file, text), text);
    }
}

#[test]
fn a_hook_without_its_type_gets_it() {
    let file = ".claude/settings.json";
    let typed = |hook: &str| format!("{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{hook}]}}]}}}}\n");
    let check = |hook: &str, expected: &str| assert_eq!(fixed("claude", file, &typed(hook)), typed(expected));
    check(r#"{ "command": "make" }"#, r#"{ "type": "command", "command": "make" }"#);
    check(
        "{\n  \"timeout\": 5,\n  \"command\": \"make\"\n}",
        "{\n  \"type\": \"command\",\n  \"timeout\": 5,\n  \"command\": \"make\"\n}",
    );
    check(r#"{"type": "Command", "command": "make"}"#, r#"{"type": "command", "command": "make"}"#);
    for near_miss in [
        r#"{"kind": "x"}"#,
        r#"{"command": "", "a": 1}"#,
        r#"{"command": "a", "url": "b"}"#,
        r#"{"type": "shell", "command": "a"}"#,
    ] {
        check(near_miss, near_miss);
    }
    // A guard takes its file with it, and Codex' file counts whole.
    let guard = "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"make\"}]}]}}";
    let expected = guard.replace("{\"command", "{\"type\": \"command\", \"command");
    assert_eq!(fixed("claude", file, guard), expected);
    assert_eq!(fixed("codex", ".codex/hooks.json", guard), expected);
    // Gemini drops such a hook, too.
    let gemini = "{\"hooks\": {\"AfterTool\": [{\"hooks\": [{\"command\": \"make\"}]}]}}";
    let found = said(&repository("gemini", &[(".gemini/settings.json", gemini)]), "invalid-hook");
    assert_eq!(
        found,
        [".gemini/settings.json invalid-hook: Gemini CLI 0.61.0 never runs this hook: the hook has no `type`"]
    );
    assert_eq!(
        fixed("gemini", ".gemini/settings.json", gemini),
        gemini.replace("{\"command", "{\"type\": \"command\", \"command")
    );
}

#[test]
fn an_event_in_the_wrong_case_is_put_right() {
    let hooks = |event: &str| {
        format!("{{\"hooks\": {{\"{event}\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": \"make\"}}]}}]}}}}\n")
    };
    for (agent, file, wrong, right) in [
        ("claude", ".claude/settings.json", "sessionStart", "SessionStart"),
        ("claude", ".claude/settings.json", "session_start", "SessionStart"),
        ("codex", ".codex/hooks.json", "stop", "Stop"),
        ("gemini", ".gemini/settings.json", "beforeTool", "BeforeTool"),
        ("qwen", ".qwen/settings.json", "preToolUse", "PreToolUse"),
        ("copilot", ".github/hooks/a.json", "sessionstart", "sessionStart"),
    ] {
        assert_eq!(fixed(agent, file, &hooks(wrong)), hooks(right), "{agent}");
        let found = said(&repository(agent, &[(file, &hooks(wrong))]), "unknown-hook-event");
        assert!(matches!(&found[..], [one] if one.contains(&format!("`{right}` is one"))), "{found:?}");
    }
    // Another agent's event, an event that stands there already, and what Copilot passes over in Claude Code's settings.
    assert_eq!(fixed("claude", ".claude/settings.json", &hooks("BeforeTool")), hooks("BeforeTool"));
    let twice = "{\"hooks\": {\"stop\": [], \"Stop\": []}}";
    assert_eq!(fixed("claude", ".claude/settings.json", twice), twice);
    let theirs = repository("copilot", &[(".claude/settings.json", &hooks("TeammateIdle"))]);
    assert_eq!(said(&theirs, "unknown-hook-event"), [""; 0]);
}

#[test]
fn names_of_tools_in_the_wrong_case_are_put_right() {
    let hooks = |matcher: &str| {
        format!(
            "{{\"hooks\": {{\"PostToolUse\": [{{\"matcher\": \"{matcher}\", \"hooks\": [{{\"type\": \"command\", \"command\": \"make\"}}]}}]}}}}\n"
        )
    };
    let file = ".claude/settings.json";
    let check = |wrong: &str, right: &str| assert_eq!(fixed("claude", file, &hooks(wrong)), hooks(right));
    check("bash", "Bash");
    check("edit|write|multiedit", "Edit|Write|MultiEdit");
    check("edit, Write2", "edit, Write2");
    // A part of it fires, perhaps for another agent's tools.
    check("Edit|bash", "Edit|bash");
    check("newtool", "newtool");
    let rules = |rule: &str| format!("{{\"permissions\": {{\"deny\": [\"{rule}\"]}}}}\n");
    let check = |wrong: &str, right: &str| assert_eq!(fixed("claude", file, &rules(wrong)), rules(right));
    check("read(./secret.txt)", "Read(./secret.txt)");
    check("webfetch", "WebFetch");
    check("frobnicate(x)", "frobnicate(x)");
}

#[test]
fn servers_of_editors_are_told_as_documented() {
    let servers = r#"{"a": {"command": "npx", "args": ["-y", "pkg"]}, "b": {"command": "node", "args": ["-e", "x()"]}, "c": {"command": "npx", "args": ["pkg@1.2.3"]}}"#;
    let files = |cursor: &str, code: &str| {
        let cursor = format!("{{\"{cursor}\": {servers}}}");
        let code = format!("// ours\n{{\"{code}\": {servers}, \"inputs\": [],}}");
        [(".cursor/mcp.json", cursor), ("api/.vscode/mcp.json", code)]
    };
    let said_of = |files: [(&str, String); 2]| {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let repo = repository("cursor", &files);
        let run = repo.run(&[]);
        assert!(run.code == 0 && !run.stdout.contains("mcp.json"), "infos alone, and those are not shown: {run:?}");
        said(&repo, "settings")
    };
    let found = said_of(files("mcpServers", "servers"));
    let unpinned = "names no fixed version of pkg";
    let inline = "the server b is code in this file, which node runs for";
    let expected = [
        format!(".cursor/mcp.json unpinned-server: the server a of Cursor {unpinned}"),
        format!(".cursor/mcp.json inline-code-server: {inline} Cursor"),
        format!("api/.vscode/mcp.json unpinned-server: the server a of Visual Studio Code {unpinned}"),
        format!("api/.vscode/mcp.json inline-code-server: {inline} Visual Studio Code"),
    ];
    assert_eq!(found, expected);
    // Under the other's key nothing is found, and that is what is said.
    let found = said_of(files("servers", "mcpServers"));
    let expected = [
        ".cursor/mcp.json dead-setting: Cursor reads servers under `mcpServers`, but these are under `servers`",
        "api/.vscode/mcp.json dead-setting: Visual Studio Code reads servers under `servers`, but these are under `mcpServers`",
    ];
    assert_eq!(found, expected);
}

#[test]
fn keys_in_servers_of_editors_are_errors() {
    let key = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).expect("letters"));
    let text = format!("{{\"servers\": {{\"a\": {{\"command\": \"b\", \"env\": {{\"T\": \"{key}\"}}}}}}}}");
    let repo = repository("cursor", &[(".cursor/hooks.json", &text), (".vscode/mcp.json", &text)]);
    let found = said(&repo, "secret-in-settings");
    assert!(
        matches!(&found[..], [a, b] if a.starts_with(".cursor/hooks.json ") && b.starts_with(".vscode/mcp.json ")),
        "{found:?}"
    );
}

#[test]
fn settings_that_nobody_reads_are_told() {
    let claude = "Claude Code 2.1.330";
    let hooks = r#"{"Stop": [{"hooks": [{"type": "command", "command": "make lint"}]}]}"#;
    let servers = r#"{"a": {"command": "b", "disabled": true}}"#;
    let settings = format!("{{\"mcpServers\": {servers}, \"hooks\": {hooks}}}");
    let unread = format!("{{\"hooks\": {hooks}}}");
    let other = unread.replace("make lint", "make test");
    let files = [
        (".claude/settings.json", settings.as_str()),
        (".mcp.json", settings.as_str()),
        (".claude/hooks.json", other.as_str()),
        (".claude/settings.jsonc", r#"{"permissions": {"deny": ["Read(./a)"]}} // ours"#),
        // What is no settings file of the agent by its content, or is meant for a plugin.
        (".claude/hooks/hooks.json", r#"{"hooks": {"other": []}, "env": {"A": "1"}}"#),
        ("p/.claude/hooks/hooks.json", unread.as_str()),
        ("p/.claude/.claude-plugin/plugin.json", r#"{"name": "p"}"#),
    ];
    let elsewhere = "settings and hooks belong in .claude/settings.json";
    let expected = [
        format!(".claude/hooks.json dead-setting: {claude} never reads this file, and with it 1 hook: {elsewhere}"),
        format!(
            ".claude/settings.json dead-setting: {claude} ignores this key: servers belong in .mcp.json, not in settings"
        ),
        format!(
            ".claude/settings.jsonc dead-setting: {claude} never reads this file, and with it 1 deny rule: {elsewhere}"
        ),
        format!(
            ".mcp.json dead-setting: {claude} ignores this key: the server starts anyway; list it in `disabledMcpjsonServers` of the settings to prevent that"
        ),
        format!(
            ".mcp.json dead-setting: {claude} ignores this key: hooks belong in .claude/settings.json, not in a servers file"
        ),
    ];
    assert_eq!(said(&repository("claude", &files), "dead-setting"), expected);
    // Other agents read servers from their settings.
    let settings = "{\"mcpServers\": {\"a\": {\"command\": \"b\"}}}";
    let files = [(".gemini/settings.json", settings), (".qwen/settings.json", settings), ("opencode.json", settings)];
    let found = said(&repository("gemini qwen opencode", &files), "dead-setting");
    assert_eq!(found, ["opencode.json dead-setting: opencode 1.18.33 ignores this key: servers stand under `mcp`"]);
    let empty = [
        (".claude/settings.json", "{\"mcpServers\": {}}"),
        (".mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"b\", \"disabled\": false}}}"),
    ];
    assert_eq!(said(&repository("claude", &empty), "dead-setting"), [""; 0]);
}

#[test]
fn servers_inside_the_folder_of_settings_never_start() {
    let servers = r#"{"mcpServers": {"a": {"command": "b"}, "c": {"command": "d"}}}"#;
    let found = |file: &str, text: &str| {
        let files = [(".claude/settings.json", "{}"), (file, text)];
        said(&repository("claude", &files), "dead-setting")
    };
    let expected = ".claude/.mcp.json dead-setting: Claude Code 2.1.330 never reads this file, and with it 2 servers: servers stand in .mcp.json, beside .claude and not in it";
    assert_eq!(found(".claude/.mcp.json", servers), [expected]);
    assert_eq!(found(".claude/.mcp.json", r#"{"mcpServers": {}}"#), [""; 0]);
    assert_eq!(found(".mcp.json", servers), [""; 0]);
}

#[test]
fn deny_rules_that_fit_nothing_are_put_right() {
    let rules = |rule: &str| format!("{{\"permissions\": {{\"deny\": [{}]}}}}\n", serde_json::Value::from(rule));
    let check = |wrong: &str, right: &str| {
        assert_eq!(fixed("claude", ".claude/settings.json", &rules(wrong)), rules(right), "{wrong}");
    };
    check("Read(\"./secret.txt\")", "Read(./secret.txt)");
    check("Edit(.\\conf\\a.txt)", "Edit(./conf/a.txt)");
    for near_miss in ["Bash(\"a b\")", "Read(./a\\ b.txt)", "Read(//etc/passwd)", "Read(\"\")"] {
        check(near_miss, near_miss);
    }
    let permission = |tool: &str| format!("{{\"permission\": {{\"{tool}\": \"deny\"}}}}\n");
    assert_eq!(fixed("opencode", "opencode.json", &permission("Bash")), permission("bash"));
}

#[test]
fn tools_that_nobody_gets_are_told() {
    let command = |rules: &str| format!("---\ndescription: d\nallowed-tools: {rules}\n---\nDo it.\n");
    let found =
        |rules: &str| said(&repository("claude", &[(".claude/commands/c.md", &command(rules))]), "dead-setting");
    let skips = |why: &str| [format!(".claude/commands/c.md dead-setting: Claude Code 2.1.330 skips this rule: {why}")];
    assert_eq!(found("bash(git:*)"), skips("the tool `bash` is called `Bash`, so nothing is allowed"));
    assert_eq!(found("[read, write]"), skips("the tool `read` is called `Read`, so nothing is allowed"));
    assert_eq!(found("\"*\""), skips("`*` allows no tool"));
    assert_eq!(found("run_shell"), skips("there is no tool `run_shell`, whose name would begin with a capital letter"));
    for near_miss in ["Bash(git:*), shell", "mcp__docs__search", "Bash", "[]", "\"Bash(rec *)\"", "ToolOfTomorrow"] {
        assert_eq!(found(near_miss), [""; 0], "{near_miss}");
    }
}

#[test]
fn settings_of_one_folder_are_an_info() {
    let settings = r#"{"permissions": {"deny": ["Read(./a)"]}}"#;
    let opencode = r#"{"permission": {"bash": "deny"}}"#;
    let servers = r#"{"mcpServers": {"a": {"command": "b"}}}"#;
    let files = [
        (".claude/settings.json", settings),
        ("api/.claude/settings.json", settings),
        ("api/.gemini/settings.json", servers),
        // These hold below, too.
        ("api/.mcp.json", servers),
        ("api/opencode.json", opencode),
    ];
    let repo = repository("claude gemini opencode", &files);
    let expected = [
        "api/.claude/settings.json dead-setting: Claude Code 2.1.330 reads this file only when it is started in api",
        "api/.gemini/settings.json dead-setting: Gemini CLI 0.61.0 reads this file only when it is started in api",
    ];
    assert_eq!(said(&repo, "dead-setting"), expected);
    assert!(!repo.run(&[]).stdout.contains("api"), "an info is not shown");
}

/// What lies in a folder of hooks is one by its content.
#[test]
fn data_of_a_hook_is_no_file_of_hooks() {
    let files = [
        (".github/hooks/scripts/policy.json", r#"{"version": 2, "patterns": ["a"]}"#),
        (".github/hooks/scripts/list.json", r#"["a"]"#),
        (".github/hooks/top.json", r#"{"sessionStart": []}"#),
        (".github/hooks/when.json", r#"{"name": "x", "when": "Stop", "script": "./a.sh"}"#),
        (".github/hooks/wrong.json", r#"{"hooks": []}"#),
    ];
    let ignores = "GitHub Copilot CLI 1.0.102 ignores the whole file";
    let expected = [
        format!(".github/hooks/top.json invalid-settings: {ignores}: there is no object `hooks`"),
        format!(".github/hooks/when.json invalid-settings: {ignores}: there is no object `hooks`"),
        format!(".github/hooks/wrong.json invalid-settings: {ignores}: `hooks` must be an object, not a list"),
    ];
    assert_eq!(said(&repository("copilot", &files), "invalid-settings"), expected);
}

/// A plugin needs no manifest where a marketplace lists it, and a manifest may hold hooks and servers itself.
#[test]
fn hooks_of_plugins_are_found_where_their_manifests_have_them() {
    let files = [
        (
            ".claude-plugin/marketplace.json",
            r#"{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "p", "source": "./p"}]}"#,
        ),
        ("p/hooks/hooks.json", r#"{"hooks": {"Start": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#),
        (
            "q/.claude-plugin/plugin.json",
            r#"{"name": "q", "hooks": {"SessionStart": [{"type": "command", "command": "true"}]},
"mcpServers": {"s": {"command": "true"}}}"#,
        ),
        ("r/hooks/hooks.json", r#"{"hooks": {"Start": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#),
    ];
    let repo = Repo::with_files(files);
    let said = said(&repo, "settings");
    assert_eq!(said.len(), 2, "{said:#?}");
    assert!(said[0].starts_with("p/hooks/hooks.json unknown-hook-event: "), "{said:#?}");
    let told = "q/.claude-plugin/plugin.json invalid-hook: Claude Code 2.1.330 never runs this hook";
    assert!(said[1].starts_with(told), "{said:#?}");
}

/// The settings at the root of a home that is kept in git are one person's.
#[test]
fn a_home_in_git_may_name_itself() {
    let settings = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/Users/joe/bin/done.sh"}]}]}}"#;
    let files = [(".claude/settings.json", settings)];
    let repo = repository("claude", &files);
    assert_eq!(said(&repo, "missing-hook-command").len(), 1);
    repo.write(".zshrc", "");
    repo.commit("home");
    assert_eq!(said(&repo, "missing-hook-command"), [""; 0]);
}

#[test]
fn scripts_that_are_missing_alike_are_told_together() {
    let hook = |event: &str, command: &str| {
        format!(r#""{event}": [{{"hooks": [{{"type": "command", "command": "{command}"}}]}}]"#)
    };
    let events = [
        hook("Stop", ".claude/a.sh"),
        hook("SessionEnd", ".claude/b.sh"),
        hook("Notification", "./c.sh"),
        hook("PreCompact", "./c.sh"),
    ];
    let settings = format!("{{\"hooks\": {{{}}}}}", events.join(", "));
    let repo = repository("claude", &[(".claude/settings.json", &settings), ("c.sh", "true\n")]);
    let found = said(&repo, "missing-hook-command");
    let expected = [
        ".claude/settings.json missing-hook-command: `.claude/a.sh` and 1 more do not exist, so the commands that start them fail (2 places)",
        ".claude/settings.json missing-hook-command: git tracks `c.sh` without the executable bit, so this Notification hook fails each time (2 places)",
    ];
    assert_eq!(found, expected);
}

#[test]
fn scripts_whose_answers_reach_no_model_are_told_together() {
    let hook = |name: &str| format!(r#"{{"type": "command", "command": "node .claude/{name}.js"}}"#);
    let settings =
        format!(r#"{{"hooks": {{"PostToolUse": [{{"hooks": [{}, {}, {}]}}]}}}}"#, hook("a"), hook("b"), hook("c"));
    let top = "// additionalContext\nif (x) say({additionalContext: 1}); else say({additionalContext: 2});\n";
    let nested = "say({hookSpecificOutput: {hookEventName: 'PostToolUse', additionalContext: 1}});\n";
    let files = [(".claude/a.js", top), (".claude/b.js", top), (".claude/c.js", nested)];
    let files: Vec<_> = [(".claude/settings.json", &settings[..])].into_iter().chain(files).collect();
    let found = said(&repository("claude", &files), "lost-hook-answer");
    let many = "`.claude/a.js` and 1 more answer in a form that the agent does not read";
    assert!(matches!(&found[..], [one] if one.contains(many)), "{found:?}");
}

#[test]
fn a_script_for_two_shells_needs_the_executable_bit() {
    let settings =
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR/run.cmd\" stop"}]}]}}"#;
    let found = |script: &str| {
        let repo = repository("claude", &[(".claude/settings.json", settings), ("run.cmd", script)]);
        said(&repo, "missing-hook-command")
    };
    let polyglot = found(": << 'CMDBLOCK'\n@echo off\nCMDBLOCK\ntrue\n");
    assert!(
        matches!(&polyglot[..], [one] if one.contains("git tracks `run.cmd` without the executable bit")),
        "{polyglot:?}"
    );
    assert_eq!(found("@echo off\r\n"), [""; 0]);
}

#[test]
fn a_comment_among_events_is_no_event() {
    let hooks = r#"{"hooks": {"_comment": "ours", "//": ["a", "b"], "SessionStart": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
    let guard = r#"{"hooks": {"_SessionStart": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
    for (agent, file) in [
        ("claude", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("gemini", ".gemini/settings.json"),
        ("qwen", ".qwen/settings.json"),
        ("copilot", ".github/hooks/a.json"),
    ] {
        assert_eq!(said(&repository(agent, &[(file, hooks)]), "unknown-hook-event"), [""; 0], "{file}");
        assert_eq!(said(&repository(agent, &[(file, guard)]), "unknown-hook-event").len(), 1, "{file}");
    }
}

#[test]
fn an_empty_url_is_no_endpoint() {
    let settings = |url: &str| format!(r#"{{"provider": {{"openai": {{"options": {{"baseURL": "{url}"}}}}}}}}"#);
    let of = |url: &str| said(&repository("opencode", &[("opencode.json", &settings(url))]), "redirected-endpoint");
    assert_eq!(of(""), [""; 0]);
    assert_eq!(of("https://other.example/v1").len(), 1);
}

#[test]
fn commands_that_an_agent_skips_are_errors() {
    let files = [
        ("GEMINI.md", "x\n"),
        (".gemini/commands/a.toml", "prompt = \"\"\"\nReview it.\n"),
        (".gemini/commands/sub/b.toml", "description = \"Review\"\n"),
        (".gemini/commands/c.toml", "prompt = \"Review !{git diff}\"\n"),
        (".gemini/settings.json", "{\"tools\": {\"allowed\": [\"run_shell_command(git)\"]}}\n"),
    ];
    let repo = repository("gemini", &files);
    let found = said(&repo, "invalid-settings");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].contains("is not valid TOML") && found[1].contains("it has no `prompt`"), "{found:?}");
    let before = said(&repo, "command-before-model");
    assert!(matches!(&before[..], [one] if one.contains("runs `git diff` before the model")), "{before:?}");
}
