//! Keys, rules and matchers of settings that were meant and that nobody reads.

use crate::support::Repo;

/// What is said of `file` with this text, beside other files.
fn said(agents: &str, files: &[(&str, &str)]) -> Vec<String> {
    let repo = Repo::with_files([("hintlint.toml", format!("agents = [\"{agents}\"]\n"))]);
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("settings");
    let run = repo.run(&["--format", "concise", "--select", "dead-setting"]);
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn permissions_and_events_outside_their_places_are_told() {
    let settings = r#"{
"deny": ["Read(./.env)"],
"defaultMode": "plan",
"permissions": {"allowedTools": ["Read"], "deny": ["WebFetch"], "forbid": ["x"]},
"PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "make"}]}]
}"#;
    let said = said("claude", &[(".claude/settings.json", settings)]);
    let told = [
        "2:1: warning[dead-setting] Claude Code 2.1.330 ignores this key: it counts as `permissions.deny`, and nowhere else",
        "3:1: warning[dead-setting] Claude Code 2.1.330 ignores this key: it counts as `permissions.defaultMode`",
        "4:17: warning[dead-setting] Claude Code 2.1.330 ignores this key: `allowedTools` is no list of permissions, and `allow`",
        "5:1: warning[dead-setting] Claude Code 2.1.330 ignores this key: events stand inside `hooks`",
    ];
    assert_eq!(said.len(), told.len(), "{said:#?}");
    assert!(told.iter().zip(&said).all(|(told, said)| said.contains(told)), "{said:#?}");
}

#[test]
fn keys_of_other_programs_are_told() {
    let settings = r#"{"apiKey": "x", "baseURL": "https://x.example", "dangerouslySkipPermissions": true}"#;
    let found = said("claude", &[(".claude/settings.json", settings)]);
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(found[1].contains("ignores this key: it is ANTHROPIC_BASE_URL in `env`"), "{found:#?}");
    let nothing = r#"{"apiKey": "", "dangerouslySkipPermissions": false, "temperature": null, "apiKeyHelper": "a"}"#;
    assert_eq!(said("claude", &[(".claude/settings.json", nothing)]), [""; 0]);
}

#[test]
fn other_spellings_of_keys_are_told() {
    let claude = r#"{"hook": {"Stop": []}, "output_style": "x", "Model": "x"}"#;
    let found = said("claude", &[(".claude/settings.json", claude)]);
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(found[0].contains("the key is called `hooks`") && found[1].contains("`outputStyle`"), "{found:#?}");
    let codex = "sandboxMode = \"read-only\"\n[mcpServers.a]\ncommand = \"a\"\n";
    let found = said("codex", &[(".codex/config.toml", codex)]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("the key is called `sandbox_mode`") && found[1].contains("`mcp_servers`"), "{found:#?}");
}

#[test]
fn keys_that_may_be_read_stay_silent() {
    let claude = r#"{"hooks": {}, "Hooks": {}, "_comment": "x", "deny": "x", "allow": [], "newKeys": {}, "version": {"a": 1},
"permissions": {"newList": ["x"], "denied": "x"}, "Stop": "x", "theme": "dark"}"#;
    assert_eq!(said("claude", &[(".claude/settings.json", claude)]), [""; 0]);
    let codex = "model = \"x\"\nnew_key = 1\n[mcp_servers.a]\ncommand = \"a\"\n[profiles.x]\nmodel = \"x\"\n";
    assert!(said("codex", &[(".codex/config.toml", codex)]).iter().all(|line| !line.contains("is called")));
}

#[test]
fn a_servers_tools_have_its_name_as_it_is_written() {
    let servers = r#"{"mcpServers": {"my-server": {"command": "true"}}}"#;
    let settings = |name: &str| {
        format!(
            r#"{{"permissions": {{"deny": ["mcp__{name}__write"]}},
"hooks": {{"PreToolUse": [{{"matcher": "mcp__{name}__read", "hooks": [{{"type": "command", "command": "true"}}]}}]}}}}"#
        )
    };
    let of = |name: &str| said("claude", &[(".mcp.json", servers), (".claude/settings.json", &settings(name))]);
    let found = of("my_server");
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("skips this rule: no tool has this name, and `mcp__my-server__write`"), "{found:#?}");
    assert!(found[1].contains("its matcher is `mcp__my_server__read`, and Claude Code"), "{found:#?}");
    // A name like none here may be that of a person's own server.
    assert_eq!(of("my-server"), [""; 0]);
    assert_eq!(of("another"), [""; 0]);
}

#[test]
fn allowed_tools_that_grant_nothing_are_told() {
    let command = |tools: &str| format!("---\nallowed-tools: {tools}\n---\nTidy up.\n");
    let of = |tools: &str| said("claude", &[(".claude/commands/c.md", &command(tools))]);
    for (tools, why) in [("\"*\"", "`*` allows no tool"), ("bash(ls)", "the tool `bash` is called `Bash`")] {
        let found = of(tools);
        assert!(found.len() == 1 && found[0].contains(why), "{tools}: {found:#?}");
    }
    for tools in ["Bash(ls:*)", "Bash, Read", "[Bash, Read]", "mcp__own__write"] {
        assert_eq!(of(tools), [""; 0], "{tools}");
    }
}

#[test]
fn a_wrong_word_is_named_and_no_other_text() {
    let agent = "---\ndescription: Helps.\nmode: helper\n---\nHelp.\n";
    let of = |files: &[(&str, &str)]| {
        let repo = Repo::with_files([("hintlint.toml", "agents = [\"opencode\"]\n")]);
        files.iter().for_each(|(path, text)| _ = repo.write(path, text));
        repo.commit("settings");
        repo.run(&["--format", "concise", "--select", "invalid-settings"]).stdout
    };
    let found = of(&[(".opencode/agents/a.md", agent)]);
    assert!(found.contains("`mode` must be one of subagent, primary, all, not `helper`"), "{found}");
    let found = of(&[("opencode.json", r#"{"provider": "not-for-your-eyes"}"#)]);
    assert!(found.contains("not a string") && !found.contains("eyes"), "{found}");
}

#[test]
fn sections_that_are_missing_or_spelled_otherwise_are_told() {
    let gemini = r#"{
"contextFileName": "AGENTS.md",
"tools.allowed": ["read_file"],
"mcpServer": {"a": {"command": "a"}},
"hookz": {"BeforeTool": []},
"context": {"filename": "AGENTS.md"},
"coreTools": null
}"#;
    let found = said("gemini", &[(".gemini/settings.json", gemini)]);
    let told = [
        "2:1: warning[dead-setting] Gemini CLI 0.61.0 ignores this key: the setting is `context.fileName` since the file has sections",
        "3:1: warning[dead-setting] Gemini CLI 0.61.0 ignores this key: a path is no key: `allowed` stands inside of `tools`",
        "4:1: warning[dead-setting] Gemini CLI 0.61.0 ignores this key: the key is called `mcpServers`",
        "5:1: warning[dead-setting] Gemini CLI 0.61.0 ignores this key: the key is called `hooks`",
        "6:13: warning[dead-setting] Gemini CLI 0.61.0 ignores this key: the key is called `fileName`",
    ];
    assert_eq!(found.len(), told.len(), "{found:#?}");
    assert!(told.iter().zip(&found).all(|(told, found)| found.contains(told)), "{found:#?}");
    let within = r#"{"tools": {"coreTools": ["glob"], "exclude": [], "excludeTools": ["glob"]}, "mcp": {"allowMCPServers": ["a"]}}"#;
    let found = said("gemini", &[(".gemini/settings.json", within)]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("is called `core`") && found[1].contains("is called `allowed`"), "{found:#?}");
    let core =
        r#"{"tools": {"core": ["ReadFileTool", "glob", "ShellTool(ls)", "my_tool"], "exclude": ["ReadFileTool"]}}"#;
    let found = said("gemini", &[(".gemini/settings.json", core)]);
    assert!(found.len() == 1 && found[0].contains("the tool ReadFileTool is called `read_file`"), "{found:#?}");
    let qwen = r#"{"permission": {"deny": ["Bash"]}, "tools.approvalMode": "plan"}"#;
    let found = said("qwen", &[(".qwen/settings.json", qwen)]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("is called `permissions`") && found[1].contains("inside of `tools`"), "{found:#?}");
    let opencode = r#"{"plugins": ["a"], "mcp_servers": {"a": {"command": "a"}}}"#;
    let found = said("opencode", &[("opencode.json", opencode)]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("is called `plugin`") && found[1].contains("servers stand under `mcp`"), "{found:#?}");
    let claude = r#"{"permissions.deny": ["Read(./.env)"]}"#;
    let found = said("claude", &[(".claude/settings.json", claude)]);
    assert!(found.len() == 1 && found[0].contains("`deny` stands inside of `permissions`"), "{found:#?}");
}

#[test]
fn keys_that_old_and_new_versions_share_stay_silent() {
    let gemini = r#"{"contextFileName": "AGENTS.md", "context": {"fileName": "AGENTS.md"}, "mcpServers": {}, "newSection": {"a": 1},
"tools.allowed": [], "tools": {"allowed": []}, "my.own": 1, "telemetry": {}, "model": {"name": "x"}, "hookz": 1, "useWriteTodos": true}"#;
    assert_eq!(said("gemini", &[(".gemini/settings.json", gemini)]), [""; 0]);
    // Qwen Code moves flat names to their sections.
    let qwen = r#"{"contextFileName": "AGENTS.md", "coreTools": ["x"], "voiceModel": "x"}"#;
    assert_eq!(said("qwen", &[(".qwen/settings.json", qwen)]), [""; 0]);
    let opencode = r#"{"plugin": ["a"], "plugins": ["a"], "agent": {}, "keybinds": {}, "theme": "x", "tui": {}}"#;
    assert_eq!(said("opencode", &[("opencode.json", opencode)]), [""; 0]);
    let claude = r#"{"permissions.deny": ["WebFetch"], "permissions": {"deny": ["WebFetch"]}, "permissions.other": 1}"#;
    assert_eq!(said("claude", &[(".claude/settings.json", claude)]), [""; 0]);
}

#[test]
fn variables_in_another_programs_form_are_told() {
    let servers =
        |value: &str| format!(r#"{{"mcpServers": {{"a": {{"command": "a", "env": {{"KEY": "{value}"}}}}}}}}"#);
    for agent in ["gemini", "qwen"] {
        let of = |value: &str| said(agent, &[(&format!(".{agent}/settings.json"), &servers(value))]);
        for value in ["${process.env.A_KEY}", "Bearer ${env:A_KEY}"] {
            let found = of(value);
            assert!(found.len() == 1, "{found:#?}");
            let why = "passes this on as it is written: `";
            assert!(
                found[0].contains(why) && found[0].contains("is no reference to it, and `${A_KEY}` is"),
                "{found:#?}"
            );
        }
        for value in ["${A_KEY}", "$A_KEY", "${env:-x}", "process.env.A_KEY", "${process.env.A-B}"] {
            assert_eq!(of(value), [""; 0], "{value}");
        }
    }
}

#[test]
fn a_rule_about_a_file_that_is_not_there_names_the_one_that_is() {
    let others =
        [("home/zsh/local.zsh", "x\n"), ("private.txt", "x\n"), ("src/gen/a.rs", "x\n"), ("docs/plan.md", "x\n")];
    let of = |rules: &str, ignored: &str| {
        let settings = format!(r#"{{"permissions": {{"deny": [{rules}]}}}}"#);
        let files = [(".claude/settings.json", &*settings), (".gitignore", ignored)];
        said("claude", &[&files[..], &others[..]].concat())
    };
    for (rule, meant) in [
        ("Read(./prviate.txt)", "private.txt"),
        ("Edit(/zsh/local.zsh)", "home/zsh/local.zsh"),
        ("Edit(server/src/gen/a.rs)", "src/gen/a.rs"),
        ("Read(docs/plans.md)", "docs/plan.md"),
    ] {
        let found = of(&format!("\"{rule}\""), "");
        let message = format!("no file of this repository fits this rule, and `{meant}` is not refused");
        assert!(found.len() == 1 && found[0].contains(&message), "{rule}: {found:#?}");
    }
    // There, not there and unlike any, anywhere, ignored, and names that rules have by custom.
    for rule in [
        "Read(./private.txt)",
        "Read(PRIVATE.txt)",
        "Read(local.zsh)",
        "Read(./.env)",
        "Read(./secrets/**)",
        "Read(./private.json)",
        "Read(*.zsh)",
        "Edit(src/gen/**)",
        "Edit(src/**)",
        "Bash(private.tx)",
        "Read(//zsh/local.zsh)",
    ] {
        assert_eq!(of(&format!("\"{rule}\""), ""), [""; 0], "{rule}");
    }
    assert_eq!(of("\"Read(./prviate.txt)\"", "prviate.txt\n"), [""; 0]);
    // The file is refused by another rule.
    assert_eq!(of("\"Read(./privates.txt)\", \"Read(./private.txt)\"", ""), [""; 0]);
}

#[test]
fn a_plugin_is_named_with_its_marketplace() {
    let of = |plugins: &str| {
        let settings = format!(r#"{{"enabledPlugins": {{{plugins}}}}}"#);
        said("claude", &[("CLAUDE.md", "x\n"), (".claude/settings.json", &settings)])
    };
    let found = of(r#""devtools": true"#);
    assert!(matches!(&found[..], [only] if only.contains("a plugin is named with its marketplace")), "{found:?}");
    assert_eq!(of(r#""devtools@market": true, "other": false"#), [""; 0]);
}

#[test]
fn keys_that_the_agent_does_not_have_are_told() {
    let settings =
        r#"{"gitManager": {"autoCommit": true}, "slashCommands": {"path": "x"}, "newKey": 1, "note": {"a": 1}}"#;
    let file = ".claude/settings.json";
    let found = said("claude", &[(file, settings)]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(
        found[0].contains("warning[dead-setting] `gitManager` and 1 more are no settings of this agent"),
        "{found:#?}"
    );
    assert!(found[1].contains("info[dead-setting]") && found[1].contains("there is no setting `newKey`"), "{found:#?}");
    // One that a hint file tells of is the repository's own.
    let hint = ("CLAUDE.md", "`scripts/commit.sh` reads `gitManager` from `.claude/settings.json`.\n");
    let own = said("claude", &[(file, r#"{"gitManager": {"autoCommit": true}}"#), hint]);
    assert!(matches!(&own[..], [only] if only.contains("info[dead-setting]")), "{own:#?}");
    let known = r#"{"effortLevel": "high", "teammateMode": "x", "modelPicker": {"a": 1}, "claudeFlow": {"a": 1}}"#;
    assert_eq!(said("claude", &[(file, known)]), [""; 0]);
}

#[test]
fn rules_for_bare_commands_and_with_colons_are_told() {
    let of = |deny: &str| {
        let settings = format!("{{\"permissions\": {{\"deny\": [{deny}]}}}}");
        said("claude", &[(".claude/settings.json", &settings)])
    };
    let bare = of("\"Bash(curl)\", \"Bash(wget)\", \"Bash(rm:*)\"");
    assert!(
        matches!(&bare[..], [one] if one.contains("`curl` and 1 more are patterns without `*`: they are for the bare commands")),
        "{bare:#?}"
    );
    let colon = of("\"Bash(rm:-rf)\"");
    assert!(matches!(&colon[..], [one] if one.contains("skips this rule: no command is `rm:-rf`")), "{colon:#?}");
    assert_eq!(of("\"Bash(curl)\", \"Bash(curl *)\", \"Bash(npm run test:unit)\""), [""; 0]);
}

#[test]
fn scripts_that_ask_variables_for_their_input_are_told() {
    let count = |script: &str| {
        let hook = "{\"hooks\": [{\"type\": \"command\", \"command\": \"bash .claude/hooks/a.sh\"}]}";
        let hooks = format!("{{\"hooks\": {{\"PreToolUse\": [{hook}]}}}}\n");
        let found =
            said("claude", &[(".claude/settings.json", &hooks), (".claude/hooks/a.sh", script), ("CLAUDE.md", "x\n")]);
        found.iter().filter(|line| line.ends_with("so it is empty in `.claude/hooks/a.sh`")).count()
    };
    let script = "#!/bin/bash\nTOOL=\"${CLAUDE_TOOL_NAME:-}\"\nif [ \"$TOOL\" = Bash ]; then exit 2; fi\n";
    assert_eq!(count(script), 1);
    assert_eq!(count(&format!("{script}INPUT=$(cat)\n")), 0);
    assert_eq!(count(&format!("{script}echo \"$1\"\n")), 0);
    assert_eq!(count(&script.replace("TOOL=", "# TOOL=")), 0);
}
