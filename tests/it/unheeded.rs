//! What settings say in vain: variables that nobody sets, matchers of events without any, rules copied from examples, servers in
//! files of the wrong place, and paths of one machine.

use crate::support::Repo;

/// What is said at all levels, without the file of the configuration.
fn said(agents: &str, files: &[(&str, &str)]) -> Vec<String> {
    let repo = Repo::with_files([("hintlint.toml", format!("agents = [{agents}]\n"))]);
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("settings");
    let run = repo.run(&["--format", "concise", "--min-level", "info", "--select", "settings"]);
    run.stdout.lines().filter(|line| line.contains('[')).map(str::to_owned).collect()
}

fn hook(event: &str, matcher: &str, command: &str) -> String {
    format!(
        r#"{{"hooks": {{"{event}": [{{"matcher": "{matcher}", "hooks": [{{"type": "command", "command": "{command}"}}]}}]}}}}"#
    )
}

#[test]
fn variables_that_the_agent_never_sets_are_told() {
    let of = |command: &str| said("\"claude\"", &[(".claude/settings.json", &hook("PostToolUse", "Edit", command))]);
    let found = of("echo $CLAUDE_FILE_PATHS");
    let told =
        "warning[dead-setting] Claude Code 2.1.330 sets no variable `CLAUDE_FILE_PATHS`, so it is empty in this hook";
    assert!(found.len() == 1 && found[0].contains(told), "{found:#?}");
    let found = of("bash ${CLAUDE_PLUGIN_DIR}/x.sh");
    assert!(found.len() == 1 && found[0].contains("sets no variable `CLAUDE_PLUGIN_DIR`"), "{found:#?}");
    let found = of("bash $PLUGIN_DIR/x.sh");
    assert!(found.len() == 1 && found[0].contains("sets no variable `PLUGIN_DIR`"), "{found:#?}");
    for command in [
        "echo ${CLAUDE_FILE_PATHS:-none}",
        "echo $CLAUDE_PROJECT_DIR",
        "echo $MY_FILE_PATHS",
        "PLUGIN_DIR=x; echo $PLUGIN_DIR",
    ] {
        assert_eq!(of(command), [""; 0], "{command}");
    }
    // A setting of the repository may set it.
    let both = r#"{"env": {"CLAUDE_FILE_PATHS": "a"}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo $CLAUDE_FILE_PATHS"}]}]}}"#;
    assert_eq!(said("\"claude\"", &[(".claude/settings.json", both)]), [""; 0]);
}

#[test]
fn matchers_of_events_that_match_nothing_are_told() {
    let of = |event, matcher| said("\"claude\"", &[(".claude/settings.json", &hook(event, matcher, "make"))]);
    for event in ["Stop", "UserPromptSubmit"] {
        let found = of(event, "Edit|Write");
        let told = format!("ignores this key: {event} has nothing to match, so the hook always runs");
        assert!(found.len() == 1 && found[0].contains(&told), "{found:#?}");
        for all in ["", "*", ".*"] {
            assert_eq!(of(event, all), [""; 0]);
        }
    }
    assert_eq!(of("PostToolUse", "Edit|Write"), [""; 0]);
}

#[test]
fn a_mode_that_a_project_cannot_set_is_told() {
    let of = |mode: &str| {
        let settings = format!(r#"{{"permissions": {{"defaultMode": "{mode}"}}}}"#);
        said("\"claude\"", &[(".claude/settings.json", &settings)])
    };
    let found = of("bypassPermissions");
    let told = "warning[dead-setting] Claude Code 2.1.330 ignores this key: a project's settings cannot switch permissions off";
    assert!(found.len() == 1 && found[0].contains(told), "{found:#?}");
    assert_eq!(of("plan"), [""; 0]);
    // Linked into a home it is the user's.
    let settings = r#"{"permissions": {"defaultMode": "bypassPermissions"}}"#;
    let found = said("\"claude\"", &[(".claude/settings.json", settings), ("zshrc", "x\n")]);
    assert!(found.len() == 1 && found[0].contains("info[dead-setting]"), "{found:#?}");
}

#[test]
fn rules_that_were_copied_from_an_example_are_infos() {
    let of = |rule: &str| {
        let settings = format!(r#"{{"permissions": {{"allow": ["{rule}"]}}}}"#);
        said("\"claude\"", &[(".claude/settings.json", &settings)])
    };
    for (rule, why) in [
        ("WebFetch(domain:)", "no domain stands behind `domain:`"),
        ("Bash(npm run <script>)", "`<script>` stands for something else"),
        ("Read(C:UsersjoeDocuments**)", "`C:UsersjoeDocuments**` has lost its backslashes"),
    ] {
        let found = of(rule);
        assert!(found.len() == 1 && found[0].contains("info[dead-setting]") && found[0].contains(why), "{found:#?}");
    }
    assert_eq!(of("WebFetch(domain:x.example)"), [""; 0]);
}

#[test]
fn servers_in_files_that_only_the_command_line_names_are_an_info() {
    let servers = r#"{"mcpServers": {"a": {"command": "true"}}}"#;
    let found = said("\"claude\"", &[(".claude/mcp.json", servers)]);
    let told = "info[dead-setting] Claude Code reads servers from .mcp.json, and from this file only where `--mcp-config` names it";
    assert!(found.len() == 1 && found[0].contains(told), "{found:#?}");
    assert_eq!(said("\"claude\"", &[(".claude/mcp.json", "{}"), (".mcp.json", servers)]), [""; 0]);
}

#[test]
fn servers_of_editors_below_another_key_are_told_by_their_path() {
    let of = |text: &str| said("\"claude\"", &[(".vscode/mcp.json", text)]);
    let found = of(r#"{"mcp": {"servers": {"a": {"command": "true"}}}}"#);
    assert!(found.len() == 1 && found[0].contains("but these are under `mcp.servers`"), "{found:#?}");
    assert_eq!(of(r#"{"servers": {"a": {"command": "true"}}}"#), [""; 0]);
}

#[test]
fn paths_of_one_machine_in_files_of_editors_are_infos() {
    let servers = |path: &str| format!(r#"{{"mcpServers": {{"a": {{"command": "node", "args": ["{path}"]}}}}}}"#);
    let found = said("\"cursor\"", &[(".cursor/mcp.json", &servers("/Users/joe/a.js"))]);
    let told = "info[missing-hook-command] `/Users/joe`, which the server a of Cursor names, is one person's folder";
    assert!(found.len() == 1 && found[0].contains(told), "{found:#?}");
    assert_eq!(said("\"cursor\"", &[(".cursor/mcp.json", &servers("${workspaceFolder}/a.js"))]), [""; 0]);
}

#[test]
fn what_a_path_of_one_machine_costs_is_said_as_it_is() {
    let of = |command: &str| said("\"claude\"", &[(".claude/settings.json", &hook("PostToolUse", "Edit", command))]);
    let found = of("bash /home/jane.d/x.sh");
    assert!(
        found.len() == 1 && found[0].ends_with("on other machines this PostToolUse hook fails each time"),
        "{found:#?}"
    );
    let found = of("python3 -c 'open(1, /home/jane.d/x)'");
    assert!(
        found.len() == 1 && found[0].ends_with("on other machines this PostToolUse hook does not find it"),
        "{found:#?}"
    );
    let files =
        [("zsh/.zshrc", "x\n"), (".claude/settings.json", &*hook("PostToolUse", "Edit", "bash /home/jane.d/x.sh"))];
    assert_eq!(said("\"claude\"", &files), [""; 0]);
}

#[test]
fn modes_of_a_home_are_infos() {
    let settings = r#"{"permissions": {"defaultMode": "acceptEdits"}}"#;
    let found = said("\"claude\"", &[(".claude/settings.json", settings)]);
    assert!(found.len() == 1 && found[0].contains("warning[weakened-permissions]"), "{found:#?}");
    let found = said("\"claude\"", &[(".claude/settings.json", settings), ("git/.gitconfig", "[user]\n")]);
    assert!(found.len() == 1 && found[0].contains("info[weakened-permissions]"), "{found:#?}");
}

#[test]
fn a_list_of_hooks_costs_the_whole_plugin() {
    let files = [
        (".claude-plugin/plugin.json", r#"{"name": "x"}"#),
        ("hooks/hooks.json", r#"{"hooks": [{"event": "Stop", "command": "true"}]}"#),
    ];
    let found = said("\"claude\"", &files);
    assert!(
        found.len() == 1 && found[0].ends_with("`hooks` must be an object, not a list: plugin x is off"),
        "{found:#?}"
    );
}

#[test]
fn a_server_that_the_manifest_starts_is_not_told_as_dead() {
    let dead = r#"{"mcpServers": {"a": {"url": "https://x.example/mcp"}}}"#;
    let manifest = r#"{"name": "x", "mcpServers": {"a": {"type": "http", "url": "https://x.example/mcp"}}}"#;
    assert_eq!(said("\"claude\"", &[("p/.claude-plugin/plugin.json", manifest), ("p/.mcp.json", dead)]), [""; 0]);
    let found = said("\"claude\"", &[("p/.claude-plugin/plugin.json", r#"{"name": "x"}"#), ("p/.mcp.json", dead)]);
    assert!(found.len() == 1 && found[0].contains("does not start this server"), "{found:#?}");
}

#[test]
fn a_path_that_leaves_the_plugin_is_told_and_its_file_is_none_of_the_project() {
    let events = hook("Stop", "", "true");
    let manifest = r#"{"name": "x", "hooks": "../.claude/hooks/hooks.json"}"#;
    let files = [(".claude-plugin/plugin.json", manifest), (".claude/hooks/hooks.json", &*events)];
    let found = said("\"claude\"", &files);
    let told = "error[invalid-settings] Claude Code 2.1.330 ignores the whole file: `hooks` takes a path that begins with `./`";
    assert!(found.len() == 1 && found[0].contains(told), "{found:#?}");
}

#[test]
fn a_manifest_that_keeps_its_plugin_from_loading_is_an_error() {
    let of = |manifest: &str, files: &[(&str, &str)]| {
        let mut all =
            vec![("p/.claude-plugin/plugin.json", manifest), ("p/agents/a.md", "x\n"), ("p/commands/c.md", "x\n")];
        all.extend(files);
        said("\"claude\"", &all)
    };
    let found = of(r#"{"name": "p", "agents": "./agents/"}"#, &[]);
    let told = "`agents` takes a path that begins with `./` and ends with `.md`, so the plugin does not load";
    assert!(found.len() == 1 && found[0].contains("error[invalid-settings]") && found[0].ends_with(told), "{found:#?}");
    let found = of(r#"{"name": "p", "mcpServers": {"s": {"url": "https://x.example/mcp"}}}"#, &[]);
    let told = "the server s: a server with `url` needs `type`, so the plugin does not load";
    assert!(found.len() == 1 && found[0].ends_with(told), "{found:#?}");
    let found = of(r#"{"name": "p", "commands": "./commands/*.md"}"#, &[]);
    assert!(found.len() == 1 && found[0].contains("there is no file or folder `p/commands/*.md`"), "{found:#?}");
    assert_eq!(of(r#"{"name": "p", "agents": "./agents/a.md", "commands": "./commands/"}"#, &[]), [""; 0]);
    // What is in the plugin does not run.
    let hooks = hook("Stop", "", "bash ${CLAUDE_PLUGIN_ROOT}/gone.sh");
    let found = of(r#"{"name": "p", "agents": "./agents/"}"#, &[("p/hooks/hooks.json", &*hooks)]);
    assert!(found.len() == 1 && !found[0].contains("gone.sh"), "{found:#?}");
}

#[test]
fn settings_among_documents_are_nobodys() {
    let dead = r#"{"mcpServers": {"a": {"command": "true"}}}"#;
    assert_eq!(said("\"opencode\"", &[("docs/plan/opencode.json", dead)]), [""; 0]);
    let site = [("docs/site/opencode.json", dead), ("docs/site/package.json", "{}")];
    assert_eq!(said("\"opencode\"", &site).len(), 1);
}

#[test]
fn variables_of_settings_that_are_ignored_or_not_expanded_are_told() {
    let of = |env: &str| said("\"claude\"", &[(".claude/settings.json", &format!(r#"{{"env": {{{env}}}}}"#))]);
    let found = of(r#""ROOT": "${CLAUDE_PROJECT_DIR}/x""#);
    let told =
        "passes this on as it is written: values in `env` are not expanded, so `${CLAUDE_PROJECT_DIR}` stays as it is";
    assert!(found.len() == 1 && found[0].contains(told), "{found:#?}");
    let found = of(r#""TMPDIR": "/tmp/x""#);
    assert!(found.len() == 1 && found[0].contains("a project's settings cannot set TMPDIR"), "{found:#?}");
    assert_eq!(of(r#""ROOT": "x", "PRICE": "5 US$""#), [""; 0]);
}

#[test]
fn a_program_at_the_root_may_be_installed_there() {
    let server = |program: &str| format!(r#"{{"mcpServers": {{"a": {{"command": "{program}"}}}}}}"#);
    let found = said("\"claude\"", &[(".mcp.json", &server("./tool"))]);
    assert!(found.len() == 1 && found[0].contains("info[missing-hook-command] there is no file `tool`"), "{found:#?}");
    let found = said("\"claude\"", &[(".mcp.json", &server("./tool.sh"))]);
    assert!(found.len() == 1 && found[0].contains("warning[missing-hook-command]"), "{found:#?}");
}

#[test]
fn a_server_that_is_found_from_elsewhere_is_told_as_such() {
    let servers = r#"{"mcpServers": {"s": {"command": "node", "args": ["a/server.js"], "cwd": "tools/s"}}}"#;
    let of = |path: &str, script: &str| {
        let found = said("\"claude\"", &[(path, servers), (script, "")]);
        found.into_iter().filter(|line| line.contains("[missing-hook-command]")).collect::<Vec<_>>()
    };
    let found = of(".mcp.json", "tools/s/a/server.js");
    assert!(found.len() == 1 && found[0].contains("does not read `cwd` of a server"), "{found:#?}");
    let found = of(".mcp.json", "tools/t/a/server.js");
    assert!(found.len() == 1 && found[0].contains("there is no file `a/server.js`"), "{found:#?}");
    let found = of("app/.mcp.json", "a/server.js");
    assert!(found.len() == 1 && found[0].contains("info[missing-hook-command]"), "{found:#?}");
    let found = of("app/.mcp.json", "a/other.js");
    assert!(found.len() == 1 && found[0].contains("warning[missing-hook-command]"), "{found:#?}");
}
