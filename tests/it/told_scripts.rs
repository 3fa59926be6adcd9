//! What `diff` and `ci` tell where settings stay the same: scripts by way of arguments, variants for PowerShell and modules that
//! are loaded first, and pins of marketplaces.

use crate::support::Repo;

/// What is told once `path` has another text.
pub(crate) fn told(files: &[(&str, &str)], path: &str, text: &str) -> (String, String) {
    let repo = Repo::with_files([("CLAUDE.md", "Use tabs.\n"), ("x.md", "x\n")]);
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("before");
    repo.write(path, text);
    repo.commit("after");
    let summary = repo.at("../summary.md");
    repo.run(&["ci", "--base", "HEAD~1", "--fail-on", "never", "--summary", summary.to_str().expect("UTF-8")]);
    let page = std::fs::read_to_string(&summary).expect("a summary").replace(['\\', '`'], "");
    (repo.run(&["diff", "HEAD~1", "HEAD"]).stdout, page)
}

fn hook(command: &str) -> String {
    format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": "{command}"}}]}}]}}}}"#)
}

#[test]
fn a_script_that_a_script_gets_is_told() {
    let settings = hook("bash tools/run.sh tools/inner.sh data.txt");
    let files = [
        (".claude/settings.json", &*settings),
        ("tools/run.sh", "sh \"$1\"\n"),
        ("tools/inner.sh", "true\n"),
        ("data.txt", "1\n"),
    ];
    let (diff, ci) = told(&files, "tools/inner.sh", "false\n");
    let line = "changed script, run by hook Stop: bash tools/run.sh tools/inner.sh";
    assert!(diff.contains(line) && ci.contains(line), "{diff}{ci}");
    let (diff, ci) = told(&files, "data.txt", "2\n");
    assert!(!diff.contains("Runs:") && !ci.contains("### Runs"), "{diff}{ci}");
}

#[test]
fn a_variant_for_powershell_is_told() {
    let hooks = r#"{"version": 1, "hooks": {"sessionStart": [{"type": "command", "bash": "./a.sh", "powershell": "./a.ps1"}]}}"#;
    let files = [(".github/hooks/h.json", hooks), ("a.sh", "true\n"), ("a.ps1", "exit 0\n"), ("b.ps1", "exit 0\n")];
    let (diff, ci) = told(&files, "a.ps1", "exit 1\n");
    assert!(diff.contains("changed script, run by powershell hook sessionStart: ./a.ps1"), "{diff}");
    assert!(ci.contains("changed script, run by powershell hook sessionStart"), "{ci}");
    assert!(!told(&files, "b.ps1", "exit 1\n").0.contains("changed script"));
}

#[test]
fn a_command_for_windows_is_told() {
    let hooks = |windows: &str| {
        format!(
            r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": "./a.sh", "commandWindows": "{windows}"}}]}}]}}}}"#
        )
    };
    let before = hooks("python tools/a.py");
    let files = [(".codex/hooks.json", &*before), ("a.sh", "true\n"), ("tools/a.py", "1\n"), ("tools/b.py", "1\n")];
    let diff = told(&files, ".codex/hooks.json", &hooks("python tools/b.py")).0;
    assert!(diff.contains("powershell hook Stop: python tools/b.py"), "{diff}");
    let diff = told(&files, "tools/a.py", "2\n").0;
    assert!(diff.contains("changed script, run by powershell hook Stop: python tools/a.py"), "{diff}");
    assert!(!told(&files, "tools/b.py", "2\n").0.contains("Runs:"));
    let same = told(&[(".codex/hooks.json", &hooks("make"))], ".codex/hooks.json", &hooks("./a.sh")).0;
    assert!(same.contains("gone: powershell hook Stop: make") && !same.contains("new"), "{same}");
}

#[test]
fn a_module_that_is_loaded_first_is_told() {
    for option in ["--import ./first.mjs", "--import=./first.mjs", "-r ./first.mjs"] {
        let settings = hook(&format!("node {option} ./main.mjs"));
        let files =
            [(".claude/settings.json", &*settings), ("first.mjs", "1\n"), ("main.mjs", "1\n"), ("other.mjs", "1\n")];
        let (diff, ci) = told(&files, "first.mjs", "2\n");
        let line = format!("changed script, run by hook Stop: node {option}");
        assert!(diff.contains(&line) && ci.contains(&line), "{diff}{ci}");
        assert!(!told(&files, "other.mjs", "2\n").0.contains("changed script"));
    }
}

#[test]
fn a_module_that_a_hooks_script_loads_is_told() {
    let node = hook("node tools/main.js");
    let python = hook("python3 tools/main.py");
    let files = [
        ("tools/main.js", "const a = require('./lib/a');\n"),
        ("tools/lib/a.js", "import './b.mjs';\n"),
        ("tools/lib/b.mjs", "1\n"),
        ("tools/lib/c.mjs", "1\n"),
        ("tools/main.py", "import os\nfrom rules import check\n"),
        ("tools/rules.py", "1\n"),
        ("rules.py", "1\n"),
    ];
    let of = |settings: (&str, &str), path: &str| told(&[&[settings], &files[..]].concat(), path, "2\n").0;
    let of_hook = |command: &str, path: &str| of((".claude/settings.json", command), path);
    for path in ["tools/lib/a.js", "tools/lib/b.mjs"] {
        let diff = of_hook(&node, path);
        assert!(diff.contains("changed script, run by hook Stop: node tools/main.js"), "{path}: {diff}");
    }
    let diff = of_hook(&python, "tools/rules.py");
    assert!(diff.contains("changed script, run by hook Stop: python3 tools/main.py"), "{diff}");
    assert!(!of_hook(&node, "tools/lib/c.mjs").contains("Runs:"));
    assert!(!of_hook(&python, "rules.py").contains("Runs:"));
}

#[test]
fn a_module_that_a_servers_script_loads_is_told() {
    let files = [
        ("src/server.ts", "import {\n  a,\n} from \"./core.ts\";\n"),
        ("src/core.ts", "export const a = 1;\n"),
        ("src/other.ts", "1\n"),
        ("server.js", "const a = require('./lib');\n"),
        ("lib/index.js", "1\n"),
        ("server.py", "from core import run\nimport tools\n"),
        ("core.py", "1\n"),
        ("tools/__init__.py", "1\n"),
        ("tests.py", "from core import run\n"),
    ];
    let of = |path: &str, command: &str, changed: &str| {
        let words: Vec<String> = command.split(' ').map(|word| format!("\"{word}\"")).collect();
        let (program, rest) = words.split_first().expect("a program");
        let server = format!(r#"{{"mcpServers": {{"s": {{"command": {program}, "args": [{}]}}}}}}"#, rest.join(", "));
        told(
            &[&[(path, &*server), (".claude-plugin/plugin.json", r#"{"name": "p"}"#)], &files[..]].concat(),
            changed,
            "2\n",
        )
        .0
    };
    for (command, changed) in [
        ("bun run src/server.ts", "src/core.ts"),
        ("node server.js", "lib/index.js"),
        ("python server.py", "core.py"),
        ("uv run server.py", "tools/__init__.py"),
    ] {
        let diff = of(".mcp.json", command, changed);
        assert!(diff.contains(&format!("changed script, run by server s: {command}")), "{command}: {diff}");
        // The same of a plugin, which names its root.
        let (before, script) = command.rsplit_once(' ').expect("a script");
        let diff = of(".mcp.json", &format!("{before} ${{CLAUDE_PLUGIN_ROOT}}/{script}"), changed);
        assert!(diff.contains(&format!("changed script, run by server s: {before} $")), "{command}: {diff}");
    }
    for (command, changed) in
        [("bun run src/server.ts", "src/other.ts"), ("python server.py", "tests.py"), ("npx server.js", "core.py")]
    {
        assert!(!of(".mcp.json", command, changed).contains("changed script"), "{command} {changed}");
    }
}

#[test]
fn another_pin_of_a_marketplace_is_told() {
    let market = |pin: &str| {
        format!(
            r#"{{"extraKnownMarketplaces": {{"m": {{"source": {{"source": "github", "repo": "x/y", "ref": "{pin}"}}}}}}}}"#
        )
    };
    let (before, after) = (market("v1"), market("v2"));
    let (diff, ci) = told(&[(".claude/settings.json", &before)], ".claude/settings.json", &after);
    let line = r#"changed: extraKnownMarketplaces.m is {"source":"github","repo":"x/y","ref":"v2"}; before: "#;
    assert!(diff.contains(line) && ci.contains(line), "{diff}{ci}");
}

#[test]
fn a_server_that_is_switched_off_is_told_once() {
    let server = |more: &str| format!(r#"{{"mcp": {{"a": {{"type": "local", "command": ["x"]{more}}}}}}}"#);
    let off = server(r#", "enabled": false"#);
    let diff = told(&[("opencode.json", &server(""))], "opencode.json", &off).0;
    assert!(diff.contains("Runs: 1 change\n"), "{diff}");
    assert!(
        diff.contains("no effect: this entry, because the server a is switched off (opencode.json:1; opencode"),
        "{diff}"
    );
    let url = |url: &str| format!(r#"{{"provider": {{"openai": {{"options": {{"baseURL": "{url}"}}}}}}}}"#);
    let diff = told(&[("opencode.json", "{}")], "opencode.json", &url(" ")).0;
    assert!(!diff.contains("sends its requests"), "{diff}");
    assert!(
        told(&[("opencode.json", "{}")], "opencode.json", &url("https://x.example")).0.contains("sends its requests")
    );
}

#[test]
fn what_had_no_effect_before_is_no_change() {
    let servers = |names: &[&str]| {
        let servers: Vec<String> = names.iter().map(|name| format!(r#""{name}": {{"command": "x"}}"#)).collect();
        format!("{{\"mcpServers\": {{{}}}}}", servers.join(", "))
    };
    let path = ".claude/.mcp.json";
    let settings = (".claude/settings.json", "{}");
    let diff = told(&[settings, (path, &servers(&["a", "b"]))], path, &servers(&["a", "b", "c"])).0;
    assert!(!diff.contains("Runs:"), "{diff}");
    let diff = told(&[settings], path, &servers(&["a"])).0;
    assert!(diff.contains("no effect: the file with 1 server"), "{diff}");
}

#[test]
fn a_task_that_runs_when_the_folder_is_opened_is_told() {
    let task =
        |more: &str| format!(r#"{{"tasks": [{{"label": "a", "type": "shell", "command": "node setup.mjs"{more}}}]}}"#);
    let path = ".vscode/tasks.json";
    let diff = told(&[(path, &task(""))], path, &task(r#", "runOptions": {"runOn": "folderOpen"}"#)).0;
    assert!(diff.contains("new: task a: node setup.mjs"), "{diff}");
}

#[test]
fn an_update_of_a_vendored_skill_is_told_and_its_hash_is_held_against_the_lock() {
    // The hash is that of the published command: of paths and bytes of the files, in the order of words.
    let lock = |hash: &str| {
        format!(
            r#"{{"version": 1, "skills": {{"tidy": {{"source": "x/y", "sourceType": "github", "computedHash": "{hash}"}}}}}}"#
        )
    };
    let (old, new) = (
        "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n",
        "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up well.\n",
    );
    let (hash_before, hash_after) =
        (skill_hash(&[("run.sh", "a\n"), ("SKILL.md", old)]), skill_hash(&[("run.sh", "b\n"), ("SKILL.md", new)]));
    let folder = ".agents/skills/tidy";
    let repo = Repo::with_files([("AGENTS.md", "Use tabs.\n")]);
    let write = |skill: &str, script: &str, hash: &str| {
        repo.write(format!("{folder}/SKILL.md"), skill).write(format!("{folder}/run.sh"), script);
        repo.write("skills-lock.json", lock(hash)).commit("update");
    };
    let drift = || repo.run(&["--format", "concise", "--select", "drifted-skill,unlocked-skill"]).stdout;
    write(old, "a\n", &hash_before);
    assert!(!drift().contains("[drifted-skill]"), "{}", drift());
    write(new, "b\n", &hash_after);
    assert!(!drift().contains("[drifted-skill]"), "{}", drift());
    let told = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
    assert!(told.contains("tidy") && told.contains("SKILL.md") && told.contains("run.sh"), "{told}");
    // The script alone, and the lock as it was.
    write(new, "c\n", &hash_after);
    let told = repo.run(&["diff", "HEAD~1", "HEAD", "--format", "json"]).stdout;
    let value: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let skills = value["skills"].as_array().expect("a list");
    assert_eq!(skills.len(), 1, "{told}");
    assert!(skills[0].to_string().contains("run.sh") && !skills[0].to_string().contains("SKILL.md"), "{told}");
    assert!(drift().contains("[drifted-skill]"), "{}", drift());
}

/// The hash of a skill's files, which come in their order.
fn skill_hash(files: &[(&str, &str)]) -> String {
    use std::io::Write as _;
    let mut child = std::process::Command::new("sha256sum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("sha256sum is there");
    let text: String = files.iter().flat_map(|(path, text)| [*path, *text]).collect();
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).split(' ').next().expect("a hash").to_owned()
}

#[test]
fn what_a_server_is_given_is_told() {
    let local =
        |env: &str| format!(r#"{{"mcpServers": {{"s": {{"command": "npx", "args": ["-y", "s@1"], "env": {env}}}}}}}"#);
    let before = local(r#"{"LOG": "1"}"#);
    let (diff, ci) =
        told(&[(".mcp.json", &before)], ".mcp.json", &local(r#"{"LOG": "1", "NODE_OPTIONS": "--require ./s.js"}"#));
    assert!(diff.contains("LOG=1 NODE_OPTIONS=--require ./s.js npx -y s@1"), "{diff}");
    assert!(ci.contains("NODE_OPTIONS=--require ./s.js"), "{ci}");
    let remote = |key: &str| {
        format!(
            r#"{{"mcpServers": {{"s": {{"type": "http", "url": "https://a.example/mcp", "headers": {{"Authorization": "Bearer {key}"}}}}}}}}"#
        )
    };
    let (diff, _) = told(&[(".mcp.json", &remote("${T}"))], ".mcp.json", &remote("${OPENAI_API_KEY}"));
    assert!(diff.contains("https://a.example/mcp, Authorization: Bearer ${OPENAI_API_KEY}"), "{diff}");
    // A key is never shown, and white space changes nothing.
    let (diff, ci) = told(&[(".mcp.json", &before)], ".mcp.json", &local(r#"{"API_TOKEN": "abcdefghij0123456789"}"#));
    assert!(diff.contains("API_TOKEN=") && !format!("{diff}{ci}").contains("abcdefghij"), "{diff}{ci}");
    let (diff, _) = told(&[(".mcp.json", &before)], ".mcp.json", &format!("{before}\n"));
    assert!(!diff.contains("Runs:"), "{diff}");
}

#[test]
fn a_script_of_a_plugin_is_told_as_such_beside_another_agents() {
    let plugin =
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/tools/a.sh"}]}]}}"#;
    let codex = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "sh tools/a.sh"}]}]}}"#;
    let files = [
        (".claude-plugin/plugin.json", r#"{"name": "p", "version": "1.0.0"}"#),
        ("hooks/hooks.json", plugin),
        (".codex/hooks.json", codex),
        ("tools/a.sh", "true\n"),
    ];
    let (diff, _) = told(&files, "tools/a.sh", "false\n");
    let lines: Vec<&str> = diff.lines().filter(|line| line.contains("changed script")).collect();
    assert!(lines.iter().any(|line| line.contains("codex: ") && !line.contains("claude")), "{diff}");
    assert!(lines.iter().any(|line| line.contains("claude: once installed")), "{diff}");
}

#[test]
fn a_rule_that_stands_twice_is_no_new_one() {
    let allow = |rules: &str| format!(r#"{{"permissions": {{"allow": [{rules}]}}}}"#);
    let once = allow(r#""Bash(ls:*)""#);
    let twice = allow(r#""Bash(ls:*)", "Bash(ls:*)""#);
    let path = ".claude/settings.json";
    for (before, after) in [(&once, &twice), (&twice, &once)] {
        let (diff, ci) = told(&[(path, before)], path, after);
        assert!(!diff.contains("Runs:") && !ci.contains("### Runs"), "{diff}{ci}");
    }
    let diff = told(&[(path, &once)], path, &allow(r#""Bash(ls:*)", "Bash(pwd)""#)).0;
    assert!(diff.contains("new: allow: Bash(pwd)"), "{diff}");
}

#[test]
fn what_one_agent_loses_is_no_change_of_another() {
    let agent = |name: &str, server: &str| {
        format!("---\nname: {name}\ndescription: x\nmcpServers:\n  - rows:\n      command: {server}\n---\nGo.\n")
    };
    let repo = Repo::with_files([("CLAUDE.md", "Use tabs.\n"), (".claude/agents/old.md", &agent("old", "a"))]);
    repo.commit("before");
    repo.write(".claude/agents/new.md", agent("new", "b"));
    repo.remove(".claude/agents/old.md");
    repo.commit("after");
    let diff = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
    assert!(diff.contains("new: on use of new") && diff.contains("gone: on use of old"), "{diff}");
    assert!(!diff.contains("before: on use of"), "{diff}");
}
