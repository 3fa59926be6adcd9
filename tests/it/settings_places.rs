//! What settings name and where: scripts of any revision, of folders that are copied elsewhere and of one person's disk, and what runs
//! when an agent is started.

use crate::support::Repo;

/// Settings with a command for each event.
fn hooks(commands: &[(&str, &str)]) -> String {
    let hook = |(event, command): &(&str, &str)| {
        let command = serde_json::Value::from(*command);
        format!("\"{event}\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": {command}}}]}}]")
    };
    format!("{{\"hooks\": {{{}}}}}", commands.iter().map(hook).collect::<Vec<_>>().join(", "))
}

#[test]
fn scripts_that_are_not_executable_are_told_of_any_revision() {
    for option in ["--object-format=sha1", "--object-format=sha256"] {
        let repo = Repo::init(&[option]);
        let project = "\"$CLAUDE_PROJECT_DIR\"/tools/hooks";
        let commands = [("Stop", format!("{project}/a.sh")), ("SessionEnd", format!("{project}/b.sh"))];
        let commands = commands.each_ref().map(|(event, command)| (*event, command.as_str()));
        repo.write("tools/hooks/a.sh", "make\n").write("tools/hooks/b.sh", "make\n").write("CLAUDE.md", "x\n");
        repo.write(".claude/settings.json", hooks(&commands)).add();
        repo.git(&["update-index", "--chmod=+x", "tools/hooks/b.sh"]);
        repo.commit_staged("one");
        let bare = repo.beside("bare.git");
        repo.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("UTF-8")]);
        repo.git(&["update-index", "--chmod=+x", "tools/hooks/a.sh"]);
        repo.git(&["update-index", "--chmod=-x", "tools/hooks/b.sh"]);
        repo.commit_staged("two");
        let said = |dir: &std::path::Path, revision: &str| {
            let run = repo.run_in(dir, &["--rev", revision, "--select", "missing-hook-command", "--format", "concise"]);
            let of = |name: &str| run.stdout.contains(&format!("git tracks `tools/hooks/{name}.sh`"));
            (of("a"), of("b"))
        };
        assert_eq!(said(repo.root(), "HEAD"), (false, true), "{option}: the modes of the index");
        assert_eq!(said(repo.root(), "HEAD~"), (true, false), "{option}: the modes of an older tree");
        assert_eq!(said(&bare, "HEAD"), (true, false), "{option}: without an index");
    }
}

/// A repository in which `agents` are enabled, with one commit.
fn repository(agents: &str, files: &[(&str, &str)]) -> Repo {
    let names: Vec<String> = agents.split(' ').map(|agent| format!("\"{agent}\"")).collect();
    let repo = Repo::with_files([("hintlint.toml", format!("agents = [{}]\n", names.join(", ")))]);
    files.iter().for_each(|(path, text)| _ = repo.write(path, text));
    repo.commit("settings");
    repo
}

/// The findings of one rule: place, level and message.
fn found(repo: &Repo, rule: &str) -> Vec<String> {
    let run = repo.run(&["--format", "concise", "--select", rule, "--min-level", "info"]);
    let marker = format!("[{rule}]");
    run.stdout.lines().filter(|line| line.contains(&marker)).map(str::to_owned).collect()
}

#[test]
fn what_a_reviewer_sees_at_the_start_is_an_info() {
    let file = ".claude/settings.json";
    let level = |settings: &str| {
        let script = (".claude/hooks/a.sh", "make\n");
        let found = found(&repository("claude", &[(file, settings), script]), "runs-on-open");
        found.iter().map(|line| line.split([' ', '[']).nth(1).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let start = |command: &str| level(&hooks(&[("SessionStart", command)]));
    assert_eq!(start("bash .claude/hooks/a.sh"), ["info"]);
    assert_eq!(start("git fetch -q && git rebase -q origin/main"), ["info"], "from where the checkout comes from");
    assert_eq!(start("git pull https://x.example/y.git"), ["warning"]);
    assert_eq!(start("npx -y setup-tool"), ["warning"]);
    for near_miss in [
        "for f in a.md b.md; do [ -f \"$f\" ] && { echo \"$f\"; cat \"$f\"; }; done",
        "/Users/x/.claude/hooks/a.sh",
        "bash .claude/hooks/none.sh",
    ] {
        assert_eq!(start(near_miss), [""; 0], "{near_miss}");
    }
    let with_matcher = |matcher: &str| {
        let entry = format!("\"SessionStart\": [{{\"matcher\": \"{matcher}\", ");
        level(&hooks(&[("SessionStart", "bash .claude/hooks/a.sh")]).replace("\"SessionStart\": [{", &entry))
    };
    assert_eq!(with_matcher("startup|resume"), ["info"]);
    assert_eq!(with_matcher("*"), ["info"]);
    assert_eq!(with_matcher("compact|resume"), [""; 0], "a session was there before");
}

#[test]
fn servers_and_plugins_that_load_unseen_are_warnings() {
    let server = (".mcp.json", r#"{"mcpServers": {"notes": {"command": "node", "args": ["tools/server.mjs"]}}}"#);
    let script = ("tools/server.mjs", "1\n");
    let one = |repo: &Repo, level: &str| {
        let found = found(repo, "runs-on-open");
        assert!(matches!(&found[..], [one] if one.contains(&format!(": {level}["))), "{level}: {found:?}");
    };
    one(&repository("claude", &[server, script]), "info");
    let approved = (".claude/settings.json", r#"{"enableAllProjectMcpServers": true}"#);
    one(&repository("claude", &[server, script, approved]), "warning");
    // opencode loads packages and files by itself.
    for (plugin, expected) in [
        ("notes", 1),
        ("@scope/notes@latest", 1),
        ("notes@git+https://example.org/notes.git", 1),
        ("./tools/notes.ts", 1),
        ("notes@1.2.3", 1),
        ("./tools/none.ts", 0),
    ] {
        let settings = format!("{{\"plugin\": [\"{plugin}\"]}}");
        let repo = repository("opencode", &[("opencode.json", &settings), ("tools/notes.ts", "export {}\n")]);
        let found = found(&repo, "runs-on-open");
        assert_eq!(found.len(), expected, "{plugin}: {found:?}");
        // What stands here a reviewer sees, and a fixed version stays as it was.
        let level = if plugin.starts_with('.') || plugin.ends_with("1.2.3") { ": info[" } else { ": warning[" };
        assert!(found.iter().all(|line| line.contains(level)), "{found:?}");
    }
    let code = [(".opencode/plugin/a.ts", "export {}\n"), (".opencode/plugin/b.d.ts", "export {}\n")];
    one(&repository("opencode", &code), "info");
}

#[test]
fn hooks_of_a_plugin_that_settings_enable_wait_for_trust() {
    let manifest = r#"{"name": "p", "version": "1.0.0", "description": "d"}"#;
    let market = r#"{"name": "mk", "owner": {"name": "o"}, "plugins": [{"name": "p", "source": "./plug"}]}"#;
    let settings = r#"{"extraKnownMarketplaces": {"mk": {"source": {"source": "directory", "path": "."}}}, "enabledPlugins": {"p@mk": true}}"#;
    let hook = hooks(&[("SessionStart", "npx -y tool")]);
    let repo = repository(
        "claude",
        &[
            ("plug/.claude-plugin/plugin.json", manifest),
            (".claude-plugin/marketplace.json", market),
            ("plug/hooks/hooks.json", &hook),
            (".claude/settings.json", settings),
        ],
    );
    assert_eq!(found(&repo, "runs-on-open"), [""; 0], "x-plugin-enabled-untrusted: nothing runs");
    repo.write(".claude/settings.json", &hook);
    assert_eq!(found(&repo, "runs-on-open").len(), 1, "the same hook in settings");
}

#[test]
fn files_of_servers_without_the_key_lose_nothing_or_little() {
    let manifest = ("ext/.claude-plugin/plugin.json", r#"{"name": "p", "version": "1.0.0"}"#);
    let bare = r#"{"notes": {"command": "notes"}}"#;
    let count = |agents: &str, files: &[(&str, &str)]| found(&repository(agents, files), "invalid-settings").len();
    assert_eq!(count("claude", &[("ext/.mcp.json", bare), manifest]), 0, "a plugin's file");
    assert_eq!(count("claude", &[("ext/.mcp.json", bare)]), 1, "a folder's");
    assert_eq!(count("claude copilot", &[(".mcp.json", "{}")]), 0);
    assert_eq!(count("claude", &[(".mcp.json", "{\"notes\": 1}")]), 1);
    let of_editor = found(&repository("claude", &[(".mcp.json", "{\"servers\": {\"a\": {}}}")]), "invalid-settings");
    assert!(matches!(&of_editor[..], [one] if one.contains(": info[")), "{of_editor:?}");
    // Codex does not start with a server that is none; one that is only switched off may be the user's.
    assert_eq!(count("codex", &[(".codex/config.toml", "[mcp_servers.a]\nenabled = false\n")]), 0);
    assert_eq!(count("codex", &[(".codex/config.toml", "[mcp_servers.a]\nenabled = true\n")]), 1);
}

#[test]
fn scripts_of_a_template_stand_beside_it() {
    let command = "cd \"$(git rev-parse --show-toplevel)\" && .codex/hooks/stop.sh";
    let settings = hooks(&[("Stop", command)]);
    let of = |script: &str| {
        let repo = Repo::with_files([("hintlint.toml", "agents = [\"codex\"]\n"), ("go/.codex/hooks.json", &settings)]);
        repo.write(script, "make\n").add();
        repo.git(&["update-index", "--chmod=+x", script]);
        repo.commit_staged("settings");
        found(&repo, "missing-hook-command")
    };
    assert_eq!(of("go/.codex/hooks/stop.sh"), [""; 0]);
    assert_eq!(of(".codex/hooks/stop.sh"), [""; 0]);
    assert_eq!(of("rust/.codex/hooks/stop.sh").len(), 1, "another template");
}

#[test]
fn links_and_local_settings_count_where_an_agent_reads_them() {
    let repo = Repo::with_files([("hintlint.toml", "agents = [\"claude\"]\n"), ("CLAUDE.md", "x\n")]);
    for link in [".agents_backup/skills/a/SKILL.md", ".claude/skills/.gitignore", ".claude/skills/a/SKILL.md"] {
        std::fs::create_dir_all(repo.at(link).parent().expect("a parent")).expect("directories");
        repo.symlink(link, "/Users/joe/x.md");
    }
    for folder in ["node_modules/a/", "vendor/b/", ""] {
        repo.write(format!("{folder}.claude/settings.local.json"), "{\"outputStyle\": \"x\"}");
    }
    repo.git(&["add", "-A", "-f"]);
    repo.commit_staged("all");
    let links = found(&repo, "link-leaves-repository");
    assert!(matches!(&links[..], [one] if one.starts_with(".claude/skills/a/SKILL.md:")), "{links:?}");
    let all = repo.run(&["--format", "concise", "--min-level", "info"]).stdout;
    let of_link = all.lines().filter(|line| line.starts_with(".claude/skills/a/SKILL.md:")).count();
    assert_eq!(of_link, 1, "one link, one finding: {all}");
    let local = found(&repo, "tracked-local-settings");
    assert!(matches!(&local[..], [one] if one.starts_with(".claude/settings.local.json:")), "{local:?}");
}

#[test]
fn paths_into_one_home_are_warnings_in_shared_settings() {
    let of = |path: &str, text: &str| found(&repository("claude", &[(path, text)]), "missing-hook-command");
    let shared = ".claude/settings.json";
    let hook = |command: &str| of(shared, &hooks(&[("Stop", command)]));
    let one = hook("bash /Users/joe/.claude/guard.sh");
    assert!(
        matches!(&one[..], [one] if one.contains("warning[") && one.contains("`/Users/joe` is one person's")),
        "{one:?}"
    );
    let server = r#"{"mcpServers": {"a": {"command": "python3", "args": ["/home/joe/a.py"]}}}"#;
    assert_eq!(of(".mcp.json", server).len(), 1);
    for near_miss in [
        "bash \"$HOME/.claude/guard.sh\"",
        "bash ~/guard.sh",
        "/home/node/guard.sh",
        "[ -f /home/joe/a ] && sh /home/joe/a",
    ] {
        assert_eq!(hook(near_miss), [""; 0], "{near_miss}");
    }
    let own = hooks(&[("Stop", "bash /Users/joe/.claude/guard.sh")]);
    assert_eq!(of(".claude/settings.local.json", &own), [""; 0], "one person's own");
}

/// Files that editors obey by their documentation.
const EDITORS: [(&str, &str); 4] = [
    (
        ".cursor/hooks.json",
        "{\"version\": 1, \"hooks\": {\"sessionStart\": [{\"command\": \".cursor/hooks/a.sh\"}],\n\"beforeShellExecution\": [{\"command\": \"b.sh\", \"matcher\": \"curl\"}, {\"type\": \"prompt\", \"prompt\": \"Is it safe?\"}]}}\n",
    ),
    (".cursor/mcp.json", "{\"mcpServers\": {\"one\": {\"command\": \"npx\", \"args\": [\"-y\", \"one@1.0.0\"]}}}\n"),
    (".vscode/mcp.json", "{\"servers\": {\"two\": {\"url\": \"https://two.invalid\"}}}\n"),
    (
        ".vscode/tasks.json",
        "{ // tasks\n\"tasks\": [\n{\"label\": \"prepare\", \"command\": \"node\", \"args\": [\".vscode/prepare.js\"]},\n{\"label\": \"watch\", \"type\": \"npm\", \"script\": \"watch\"},\n{\"label\": \"open\", \"command\": \"make x\", \"windows\": {\"command\": \"x.bat\"}, \"dependsOn\": \"prepare\", \"runOptions\": {\"runOn\": \"folderOpen\"}},\n]}\n",
    ),
];

#[test]
fn what_editors_run_is_listed_as_documented() {
    let repo = repository("cursor", &EDITORS);
    let shown = |agent: &str| repo.run(&["show", "--runs", "--agent", agent]).stdout;
    assert_eq!(
        shown("cursor"),
        "Cursor by its documentation, interactive:\n  \
         start: starts server one: npx -y one@1.0.0 (.cursor/mcp.json:1; the user is asked)\n  \
         session start: hook sessionStart: .cursor/hooks/a.sh (.cursor/hooks.json:1; the folder is trusted)\n  \
         tool: hook beforeShellExecution for curl: b.sh (.cursor/hooks.json:2; the folder is trusted)\n  \
         tool: prompt hook beforeShellExecution: Is it safe? (.cursor/hooks.json:2; the folder is trusted)\n"
    );
    assert_eq!(
        shown("vscode"),
        "Visual Studio Code by its documentation, interactive:\n  \
         start: connects to server two: https://two.invalid (.vscode/mcp.json:1; the user is asked)\n  \
         start: task prepare: node .vscode/prepare.js (.vscode/tasks.json:3; the folder is trusted)\n  \
         start: task open: make x (.vscode/tasks.json:5; the folder is trusted)\n  \
         start: task open on Windows: x.bat (.vscode/tasks.json:5; the folder is trusted)\n"
    );
    let run = repo.run(&["--select", "settings", "--min-level", "warning", "--format", "concise"]);
    let said: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with(['.'])).collect();
    let task = ".vscode/tasks.json:3:1: info[runs-on-open] the task prepare and 2 more run when the folder is opened";
    assert!(matches!(&said[..], [one] if one.starts_with(task)), "{}", run.stdout);
}

#[test]
fn what_editors_run_is_told_where_it_changes() {
    let repo = repository("claude", &[("CLAUDE.md", "x\n"), (".vscode/tasks.json", "{\"tasks\": []}\n")]);
    for (path, text) in EDITORS {
        repo.write(path, text);
    }
    repo.write(".vscode/prepare.js", "1\n").commit("editors");
    let told = repo.run(&["diff", "HEAD~"]).stdout;
    for line in [
        "new: task open: make x (.vscode/tasks.json:5; vscode: as documented, once trusted)",
        "new: task prepare: node .vscode/prepare.js (.vscode/tasks.json:3;",
        "new: starts server one: npx -y one@1.0.0 (.cursor/mcp.json:1; cursor: as documented, asks first)",
        "new: hook sessionStart: .cursor/hooks/a.sh (.cursor/hooks.json:1; cursor: as documented, once trusted)",
        "new: connects to server two: https://two.invalid (.vscode/mcp.json:1; vscode: as documented, asks first)",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    // A script of a task is another, though no line of the task is.
    repo.write(".vscode/prepare.js", "2\n").commit("script");
    let told = repo.run(&["diff", "HEAD~"]).stdout;
    assert!(told.contains("changed script, run by task prepare"), "{told}");
    // A task that waits for somebody to start it runs nothing by itself.
    repo.write(".vscode/tasks.json", "{\"tasks\": [{\"label\": \"open\", \"command\": \"make x\"}]}\n").commit("waits");
    repo.write(".vscode/tasks.json", "{\"tasks\": [{\"label\": \"open\", \"command\": \"make y\"}]}\n")
        .commit("near miss");
    let told = repo.run(&["diff", "HEAD~"]).stdout;
    assert!(!told.contains("Runs"), "{told}");
}

/// Settings with so many hooks, the last of which is `last`.
fn crowd(count: usize, last: &str) -> String {
    let hook = |command: &str| format!("{{\"hooks\": [{{\"type\": \"command\", \"command\": \"{command}\"}}]}}");
    let hooks: Vec<String> = (1..count).map(|_| hook("true")).chain([hook(last)]).collect();
    format!("{{\"hooks\": {{\n\"SessionStart\": [{}]}}}}\n", hooks.join(",\n"))
}

#[test]
fn entries_past_the_bound_are_not_lost_in_silence() {
    let file = ".claude/settings.json";
    let repo = repository("claude", &[("CLAUDE.md", "x\n"), (file, &crowd(10_001, "make a"))]);
    let shown = repo.run(&["show", "--runs", "--agent", "claude"]).stdout;
    let told = "only partly checked: there are 10001 entries; only the first 10000 of a list are checked (.claude/settings.json:2)";
    assert!(shown.contains(told), "{}", &shown[shown.len().saturating_sub(500)..]);
    // The same number of entries, and another one behind the last that is looked at.
    repo.write(file, crowd(10_001, "make b")).commit("another");
    let diff = || repo.run(&["diff", "HEAD~"]).stdout;
    assert!(diff().contains("only partly checked: there are 10001 entries"), "{}", diff());
    repo.write("README.md", "x\n").commit("near miss");
    assert!(!diff().contains("Runs"), "{}", diff());
    repo.write(file, crowd(10_000, "make c")).commit("near miss");
    assert!(!diff().contains("to the end"), "{}", diff());
}

#[test]
fn more_changes_than_are_told_are_counted() {
    let hook = |at: usize| format!("{{\"hooks\": [{{\"type\": \"command\", \"command\": \"make {at}\"}}]}}");
    let hooks = |count: usize| (0..count).map(hook).collect::<Vec<_>>().join(",\n");
    let settings = |count: usize| format!("{{\"hooks\": {{\"SessionStart\": [{}]}}}}\n", hooks(count));
    let repo = repository("claude", &[("CLAUDE.md", "x\n")]);
    let diff = || repo.run(&["diff", "HEAD~", "--format", "json"]).stdout;
    repo.write(".claude/settings.json", settings(2_000)).commit("as many as are told");
    assert!(!diff().contains("untold"));
    repo.remove(".claude/settings.json").commit("none");
    repo.write(".claude/settings.json", settings(2_003)).commit("more");
    assert!(diff().contains("3 more changes are not listed"));
}

#[test]
fn files_that_nobody_reads_are_listed_so() {
    let file = ".claude/hooks/hooks.json";
    let repo = repository("claude", &[("CLAUDE.md", "x\n"), (file, "{\"hooks\": {}}\n")]);
    let row = || repo.run(&["files"]).stdout.lines().find(|line| line.contains(file)).map(str::to_owned);
    assert!(row().is_some_and(|row| row.ends_with("(not claude: it reads no settings there)")), "{:?}", row());
    repo.write(".claude/.claude-plugin/plugin.json", "{\"name\": \"x\"}\n").add();
    assert!(row().is_some_and(|row| row.ends_with("  claude")), "{:?}", row());
}

#[test]
fn a_missing_script_is_told_with_what_comes_of_it() {
    let of = |event: &str, command: &str| {
        let found = found(
            &repository("claude", &[(".claude/settings.json", &hooks(&[(event, command)]))]),
            "missing-hook-command",
        );
        found.concat()
    };
    for (event, command, told) in [
        (
            "PreToolUse",
            "python3 .claude/a.py",
            "fails each time with exit code 2, which refuses each call that it is for",
        ),
        ("UserPromptSubmit", "uv run --script .claude/a.py", "with exit code 2, which refuses each prompt"),
        ("Stop", "python .claude/a.py", "with exit code 2, which keeps the agent from stopping"),
    ] {
        let found = of(event, command);
        assert!(found.contains(told), "{found}");
    }
    for (event, command) in [
        ("PreToolUse", "node .claude/a.js"),
        ("PostToolUse", "python3 .claude/a.py"),
        ("PreToolUse", "python3 .claude/a.py; exit 0"),
    ] {
        let found = of(event, command);
        assert!(found.contains("fails each time") && !found.contains("exit code"), "{found}");
    }
}

#[test]
fn paths_of_one_machine_are_told_in_commands_and_variables() {
    let script = (".claude/hooks/lint.sh", "make\n");
    let of = |command: &str| {
        let settings = hooks(&[("Stop", command)]);
        found(&repository("claude", &[(".claude/settings.json", &settings), script]), "missing-hook-command").concat()
    };
    let found_one = of("bash /mnt/e/work/a.sh");
    assert!(found_one.contains("`/mnt/e/work` is a folder on a drive of one machine"), "{found_one}");
    assert!(of("node c:/Projetos/x/a.js").contains("`c:/Projetos`"), "no relative path");
    let found_one = of("/data/code/site/.claude/hooks/lint.sh");
    assert!(found_one.contains("`/data/code/site` is a checkout on one machine"), "{found_one}");
    for near_miss in [
        "bash /workspaces/site/.claude/hooks/lint.sh",
        "/data/code/site/.claude/hooks/other.sh",
        "bash -c 'PATH=/home/joe/bin:$PATH make'",
    ] {
        assert_eq!(of(near_miss), "", "{near_miss}");
    }
    let env = |path: &str, text: &str| found(&repository("claude", &[(path, text)]), "dead-setting");
    let settings = r#"{"env": {"SITE": "/Users/joe/site", "DATA": "C:\\Users\\joe\\data", "OTHER": "/Users/joe"}}"#;
    let told = env(".claude/settings.json", settings);
    assert_eq!(told.len(), 2, "one finding for each folder: {told:?}");
    assert!(told[0].contains("`SITE` and 1 more name a folder that exists on one machine only (2 places)"), "{told:?}");
    let server = r#"{"mcpServers": {"a": {"command": "npx", "args": ["a@1.0.0"], "env": {"DB": "/mnt/e/db/x"}}}}"#;
    let told = env(".mcp.json", server);
    assert!(matches!(&told[..], [one] if one.contains("`DB` names `/mnt/e/db`")), "{told:?}");
    assert_eq!(env(".claude/settings.local.json", settings), [""; 0], "one person's own");
    let near_miss = r#"{"env": {"A": "~/x", "B": "/home/node/x", "MYPATH": "/home/joe/x:/usr/bin", "C": "https://x.example/home/joe/"}}"#;
    assert_eq!(env(".claude/settings.json", near_miss), [""; 0]);
}

#[test]
fn timeouts_in_the_wrong_unit_are_one_finding() {
    let hook = |at: usize| {
        format!(
            "{{\"hooks\": [{{\"type\": \"command\", \"command\": \"make {at}\", \"timeout\": {}}}]}}",
            10_000 + at % 2 * 5_000
        )
    };
    let settings = |count: usize| {
        format!("{{\"hooks\": {{\"PostToolUse\": [{}]}}}}\n", (0..count).map(hook).collect::<Vec<_>>().join(",\n"))
    };
    let of =
        |count: usize| found(&repository("claude", &[(".claude/settings.json", &settings(count))]), "dead-setting");
    let many = of(30);
    let told = "`timeout: 10000` and 1 more are read as seconds but look like milliseconds (30 places)";
    assert!(matches!(&many[..], [one] if one.contains(told)), "{many:?}");
    let single = of(1);
    assert!(matches!(&single[..], [one] if one.contains("lets this hook run for 10000 seconds")), "{single:?}");
}

#[test]
fn servers_of_another_agents_plugin_are_none_of_its_settings() {
    let servers = r#"{"mcpServers": {"a": {"url": "https://a.invalid", "bearer_token_env_var": "A"}}}"#;
    let of = |files: &[(&str, &str)]| found(&repository("claude", files), "dead-setting").len();
    let file = ("plugins/one/.mcp.json", servers);
    assert_eq!(of(&[file]), 1);
    assert_eq!(of(&[file, ("plugins/one/.codex-plugin/plugin.json", "{\"name\": \"one\"}")]), 0);
}

#[test]
fn a_rule_that_says_what_it_allows_is_an_info() {
    let of =
        |text: &str| found(&repository("claude", &[(".claude/settings.json", text)]), "weakened-permissions").concat();
    assert!(of(r#"{"permissions": {"allow": ["Bash(*)"]}}"#).contains(": info["));
    assert!(of(r#"{"enableAllProjectMcpServers": true}"#).contains(": info["));
    assert!(of(r#"{"permissions": {"defaultMode": "acceptEdits"}}"#).contains(": warning["));
}

#[test]
fn nobody_starts_an_agent_in_a_copied_home_or_project() {
    let opencode = "{\"plugin\": [\"a-plugin@latest\"]}";
    let claude = hooks(&[("SessionStart", "npx -y a-tool")]);
    let runs = |path: &str, text: &str| {
        let repo = repository("claude opencode", &[("AGENTS.md", "# x\n"), (path, text)]);
        found(&repo, "runs-on-open").len()
    };
    assert_eq!(runs("opencode.json", opencode), 1);
    assert_eq!(runs("apps/web/.claude/settings.json", &claude), 1);
    assert_eq!(runs("home/.config/opencode/opencode.json", opencode), 0);
    assert_eq!(runs(".claude/v3/cli/.claude/settings.json", &claude), 0);
}
