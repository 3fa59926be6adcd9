//! What an entry of a marketplace brings beside a plugin's manifest, or in its place.

use crate::support::Repo;

const HOOK: &str = r#"{"Stop": [{"hooks": [{"type": "command", "command": "bash ${CLAUDE_PLUGIN_ROOT}/x.sh"}]}]}"#;

fn market(entry: &str) -> String {
    format!(r#"{{"name": "m", "owner": {{"name": "o"}}, "plugins": [{{"name": "p", "source": "./p", {entry}}}]}}"#)
}

fn repository(entry: &str, files: &[(&str, &str)]) -> Repo {
    let repo = Repo::with_files([("hintlint.toml", "agents = [\"claude\"]\n")]);
    repo.write(".claude-plugin/marketplace.json", market(entry));
    repo.write("p/x.sh", "true\n");
    files.iter().for_each(|(path, text)| _ = repo.write(path, text));
    repo.commit("marketplace");
    repo
}

#[test]
fn hooks_and_servers_of_an_entry_are_told() {
    let repo = repository("\"strict\": false", &[]);
    let servers = r#""mcpServers": {"s": {"command": "node", "args": ["s.js"]}}"#;
    repo.write(".claude-plugin/marketplace.json", market(&format!("\"strict\": false, \"hooks\": {HOOK}, {servers}")));
    repo.commit("more");
    let diff = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
    assert!(
        diff.contains("new: hook Stop: bash ${CLAUDE_PLUGIN_ROOT}/x.sh (.claude-plugin/marketplace.json:1"),
        "{diff}"
    );
    assert!(diff.contains("new: starts server s: node s.js") && diff.contains("once installed"), "{diff}");
    repo.write("p/x.sh", "false\n");
    repo.commit("script");
    let diff = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
    assert!(diff.contains("changed script, run by hook Stop: bash ${CLAUDE_PLUGIN_ROOT}/x.sh"), "{diff}");
}

#[test]
fn lines_before_the_model_of_named_commands_are_told() {
    let command = |line: &str| format!("---\nallowed-tools: Bash\n---\n!`{line}`\n");
    let diff = |entry: &str, path: &str, more: &[(&str, &str)]| {
        let before = command("git status");
        let repo = repository(entry, &[&[(path, &*before)], more].concat());
        repo.write(path, command("make x"));
        repo.commit("other");
        repo.run(&["diff", "HEAD~1", "HEAD"]).stdout
    };
    let told = "runs before the model: make x";
    let own = [("p/.claude-plugin/plugin.json", r#"{"name": "p", "commands": ["./other"]}"#)];
    for (entry, path, more) in [
        (r#""commands": "./other/go.md""#, "p/other/go.md", &[][..]),
        (r#""commands": ["./other/"]"#, "p/other/deep/go.md", &[]),
        (r#""commands": ["./commands/"]"#, "p/commands/go.md", &[]),
        (r#""description": "x""#, "p/other/go.md", &own),
    ] {
        let diff = diff(entry, path, more);
        assert!(diff.contains(told) && diff.matches("make x").count() == 1, "{entry}: {diff}");
    }
    assert!(!diff(r#""description": "x""#, "p/other/go.md", &[]).contains(told));
}

#[test]
fn rules_look_at_an_entrys_hooks() {
    let gone = HOOK.replace("x.sh", "gone.sh");
    let repo = repository(&format!("\"strict\": false, \"hooks\": {gone}"), &[]);
    let out = repo.run(&["--format", "concise", "--select", "settings"]).stdout;
    assert!(out.contains("there is no file `p/gone.sh`"), "{out}");
    let out = repository(&format!("\"hooks\": {HOOK}"), &[]).run(&["--select", "settings"]).stdout;
    assert!(!out.contains("there is no file"), "{out}");
}

#[test]
fn two_whole_manifests_keep_a_plugin_from_loading() {
    let manifest = [("p/.claude-plugin/plugin.json", r#"{"name": "p"}"#)];
    let out = |entry: &str| repository(entry, &manifest).run(&["--format", "concise", "--select", "settings"]).stdout;
    let told = "the plugin p does not load: `strict` is false here, and `p/.claude-plugin/plugin.json` is there, too";
    let found = out(&format!("\"strict\": false, \"hooks\": {HOOK}"));
    assert!(found.contains(told), "{found}");
    for entry in ["\"strict\": false", &format!("\"strict\": true, \"hooks\": {HOOK}"), &format!("\"hooks\": {HOOK}")] {
        assert!(!out(entry).contains(told), "{entry}");
    }
}

#[test]
fn files_that_a_manifest_names_are_listed_as_settings() {
    let events = format!("{{\"hooks\": {HOOK}}}");
    let repo = repository(
        "\"hooks\": \"./config/events.json\"",
        &[("p/config/events.json", &events), ("p/config/other.json", "{}")],
    );
    let listed = repo.run(&["files"]).stdout;
    assert!(
        listed.lines().any(|line| line.starts_with("p/config/events.json") && line.ends_with("claude")),
        "{listed}"
    );
    assert!(!listed.contains("other.json"), "{listed}");
    let manifest = r#"{"name": "x", "hooks": "./.claude/hooks/hooks.json"}"#;
    let repo =
        repository("\"x\": 1", &[(".claude-plugin/plugin.json", manifest), (".claude/hooks/hooks.json", &events)]);
    let listed = repo.run(&["files"]).stdout;
    assert!(!listed.contains("reads no settings there"), "{listed}");
}
