//! Extensions of Gemini CLI and plugins of Codex: known from documentation, told as such, and reported as dead by nobody.

use crate::support::Repo;

fn repository(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::with_files([("AGENTS.md", "Use tabs.\n"), ("ext/run.js", "1\n"), ("ext/x.sh", "true\n")]);
    files.iter().for_each(|(path, text)| _ = repo.write(path, text));
    repo.commit("before");
    repo
}

const EXTENSION: &str = r#"{"name": "x", "version": "1.0.0", "mcpServers": {"s": {"command": "node", "args": ["${extensionPath}${/}run.js"]}}}"#;
const GEMINI_HOOKS: &str = r#"{"hooks": {"BeforeTool": [{"matcher": "nothing", "hooks": [{"type": "command", "command": "bash ${extensionPath}/x.sh"}]}]}}"#;

#[test]
fn servers_and_hooks_of_an_extension_are_told_as_documented() {
    let repo = repository(&[]);
    repo.write("ext/gemini-extension.json", EXTENSION);
    repo.write("ext/hooks/hooks.json", GEMINI_HOOKS);
    repo.commit("extension");
    let diff = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
    assert!(
        diff.contains("new: starts server s: node ${extensionPath}${/}run.js (ext/gemini-extension.json:1"),
        "{diff}"
    );
    assert!(diff.contains("gemini: once installed, as documented"), "{diff}");
    assert!(diff.contains("new: hook BeforeTool for nothing") && !diff.contains("no effect"), "{diff}");
    for script in ["ext/run.js", "ext/x.sh"] {
        repo.write(script, "2\n");
        repo.commit("script");
        let diff = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
        assert!(diff.contains("changed script") && diff.contains(script), "{diff}");
    }
    let out = repo.run(&["show", "--runs", "--agent", "gemini", "--agent-option", "gemini.extensionDirs=[\"ext\"]"]);
    assert!(out.stdout.contains("run.js") && out.stdout.contains("x.sh"), "{}", out.stdout);
    // A file of this name in a folder of Gemini's own is read by nobody before it is installed.
    let out = repo.run(&["show", "--runs", "--agent", "gemini"]);
    assert!(!out.stdout.contains("run.js"), "{}", out.stdout);
}

#[test]
fn a_plugin_of_codex_is_told_as_documented() {
    let hooks = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bash ${PLUGIN_ROOT}/x.sh"}]}]}}"#;
    let repo = repository(&[]);
    repo.write("ext/.codex-plugin/plugin.json", r#"{"name": "x", "hooks": "./events.json"}"#);
    repo.write("ext/events.json", hooks);
    repo.write("ext/.mcp.json", r#"{"mcpServers": {"s": {"command": "node", "args": ["run.js"]}}}"#);
    repo.commit("plugin");
    let diff = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
    assert!(diff.contains("new: hook Stop: bash ${PLUGIN_ROOT}/x.sh (ext/events.json:1"), "{diff}");
    assert!(diff.contains("codex: once installed, as documented"), "{diff}");
    assert!(diff.contains("starts server s: node run.js (ext/.mcp.json:1"), "{diff}");
    repo.write("ext/.codex-plugin/plugin.json", r#"{"name": "x", "hooks": "./gone.json"}"#);
    repo.commit("gone");
    let out = repo.run(&["--format", "concise", "--min-level", "info", "--select", "settings"]).stdout;
    assert!(out.contains("info[missing-plugin-path] there is no file or folder `ext/gone.json`"), "{out}");
}

#[test]
fn a_script_is_told_for_the_agents_whose_hook_fires() {
    let script = |matcher: &str| {
        let hook = r#"{"type": "command", "command": "bash ${CLAUDE_PLUGIN_ROOT}/x.sh"}"#;
        let hooks = format!(r#"{{"hooks": {{"SessionStart": [{{"matcher": "{matcher}", "hooks": [{hook}]}}]}}}}"#);
        let repo = repository(&[
            ("ext/gemini-extension.json", EXTENSION),
            ("ext/.claude-plugin/plugin.json", r#"{"name": "x"}"#),
            ("ext/hooks/hooks.json", &hooks),
        ]);
        repo.write("ext/x.sh", "2\n");
        repo.commit("script");
        let diff = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
        assert!(diff.contains("changed script") && diff.contains("claude: once installed"), "{diff}");
        diff.contains("gemini: once installed")
    };
    assert!(!script("startup|clear|compact"), "Gemini CLI reads one name");
    assert!(script("startup"));
}
