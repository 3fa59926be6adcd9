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
            let of = |name: &str| run.stdout.contains(&format!("git has `tools/hooks/{name}.sh`"));
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
    assert_eq!(start("git fetch -q && git rebase -q origin/main"), ["warning"]);
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
        ("notes@1.2.3", 0),
        ("./tools/none.ts", 0),
    ] {
        let settings = format!("{{\"plugin\": [\"{plugin}\"]}}");
        let repo = repository("opencode", &[("opencode.json", &settings), ("tools/notes.ts", "export {}\n")]);
        let found = found(&repo, "runs-on-open");
        assert_eq!(found.len(), expected, "{plugin}: {found:?}");
        assert!(found.iter().all(|line| line.contains(": warning[")), "{found:?}");
    }
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
