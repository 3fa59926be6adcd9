//! Entries of marketplaces that come from outside: their pins, and what `diff` tells of them.

use crate::support::Repo;
use crate::told_scripts::told;

#[test]
fn another_pin_of_a_plugin_of_a_marketplace_is_told() {
    let path = ".claude-plugin/marketplace.json";
    let market = |source: &str| {
        format!(
            r#"{{"name": "m", "owner": {{"name": "x"}}, "plugins": [
{{"name": "here", "source": "./here"}},
{{"name": "there", "source": {source}}}]}}"#
        )
    };
    let pin = |sha: char| {
        format!(r#"{{"source": "github", "repo": "x/y", "ref": "v1", "sha": "{}"}}"#, sha.to_string().repeat(40))
    };
    let (before, after) = (market(&pin('a')), market(&pin('b')));
    let (diff, ci) = told(&[(path, &before), ("here/commands/a.md", "Hi.\n")], path, &after);
    let line = r#"changed: plugins.there is {"source":"github","repo":"x/y","ref":"v1","sha":"bbbb"#;
    assert!(diff.contains(line) && ci.contains(line), "{diff}{ci}");
    assert!(diff.contains("(.claude-plugin/marketplace.json:3; claude: once installed, once trusted)"), "{diff}");
    let moved = told(&[(path, &before)], path, &market(r#""./there""#)).0;
    assert!(moved.contains(r#"changed: plugins.there is "./there"; before: "#), "{moved}");
    // Other words, and another folder of the same repository.
    for (before, after) in [
        (before.clone(), before.replace("\"m\"", "\"n\"")),
        (market("\"./a\""), market("\"./b\"")),
        (market(r#"{"type": "local", "path": "a"}"#), market(r#"{"type": "local", "path": "b"}"#)),
    ] {
        let diff = told(&[(path, &before)], path, &after).0;
        assert!(!diff.contains("Runs:"), "{diff}");
    }
}

#[test]
fn pins_of_a_marketplace_are_checked() {
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let of = |entries: &str| {
        let text = format!("{{\"name\": \"m\", \"plugins\": [{entries}]}}");
        let repo = Repo::with_files([("CLAUDE.md", "Use tabs.\n"), (".claude-plugin/marketplace.json", &text)]);
        repo.write("p/commands/a.md", "Hi.\n").commit("market");
        let rules = "dead-setting,unpinned-server,missing-plugin-path";
        let run = repo.run(&["--format", "concise", "--min-level", "info", "--select", rules]);
        run.stdout.lines().filter(|line| line.contains("marketplace.json:")).map(str::to_owned).collect::<Vec<_>>()
    };
    let entry = |name: &str, source: &str| format!("{{\"name\": \"{name}\", \"source\": {source}}}");
    let github = |more: &str| format!("{{\"source\": \"github\", \"repo\": \"x/y\"{more}}}");
    for (entries, told) in [
        (entry("a", &github(", \"sha\": \"v1.2\"")), "warning[dead-setting] \"v1.2\" is no commit: `sha` has 40"),
        (entry("a", &github(", \"sha\": \"0123456\"")), "is no commit: `sha` has 40"),
        (entry("a", &github("")), "info[unpinned-server] the plugin a comes from outside in its newest state"),
        (entry("a", "{\"source\": \"npm\", \"package\": \"x\"}"), "info[unpinned-server] the plugin a"),
        (
            entry("a", "\"./p\"") + "," + &entry("a", "\"./p\""),
            "warning[dead-setting] another plugin of this marketplace is called `a`",
        ),
        (entry("a", "\"./q\""), "warning[missing-plugin-path] there is no folder `q`"),
    ] {
        let found = of(&entries);
        assert!(found.len() == 1 && found[0].contains(told), "{entries}: {found:#?}");
    }
    for entries in [
        entry("a", &github(&format!(", \"sha\": \"{commit}\""))),
        entry("a", &github(", \"ref\": \"v1\"")),
        entry("a", "{\"source\": \"npm\", \"package\": \"x\", \"version\": \"1.0.0\"}"),
        entry("a", "{\"source\": \"new-kind\", \"sha\": 5}"),
        entry("a", "\"./p\"") + "," + &entry("b", "\"./p\""),
    ] {
        assert_eq!(of(&entries), [""; 0], "{entries}");
    }
}

#[test]
fn a_marketplace_is_called_what_its_own_file_says() {
    let settings = |enabled: &str| {
        format!(
            r#"{{"extraKnownMarketplaces": {{"team": {{"source": {{"source": "directory", "path": "./market"}}}}}},
"enabledPlugins": {{"{enabled}": true}}}}"#
        )
    };
    let catalogue = r#"{"name": "tools", "owner": {"name": "x"}, "plugins": [{"name": "p", "source": "./p"}]}"#;
    let hook = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
    let of = |enabled: &str| {
        let repo = Repo::with_files([
            ("CLAUDE.md", "Use tabs.\n"),
            (".claude/settings.json", &*settings(enabled)),
            ("market/.claude-plugin/marketplace.json", catalogue),
            ("market/p/.claude-plugin/plugin.json", r#"{"name": "p", "version": "1.0.0"}"#),
            ("market/p/hooks/hooks.json", hook),
        ]);
        let told = repo.run(&["--format", "concise", "--select", "dead-setting"]).stdout;
        let runs = repo.run(&["show", "--runs", "--agent", "claude", "--mode", "headless"]).stdout;
        let fixed = repo.run(&["--fix", "--unsafe-fixes", "--select", "dead-setting"]);
        assert!(matches!(fixed.code, 0 | 1), "{}", fixed.stderr);
        (told, runs, String::from_utf8(repo.read(".claude/settings.json")).unwrap())
    };
    let (told, runs, fixed) = of("p@team");
    assert!(told.contains("this marketplace calls itself `tools`, and no other name enables its plugins"), "{told}");
    assert!(!runs.contains("market/p/hooks"), "{runs}");
    assert_eq!(fixed, settings("p@tools"));
    let (told, runs, fixed) = of("p@tools");
    assert!(!told.contains("dead-setting"), "{told}");
    assert!(runs.contains("market/p/hooks/hooks.json"), "{runs}");
    assert_eq!(fixed, settings("p@tools"));
}

#[test]
fn hooks_that_are_no_object_switch_a_plugin_off() {
    let told = |hooks: &str| {
        let repo = Repo::with_files([
            ("CLAUDE.md", "Use tabs.\n"),
            ("p/.claude-plugin/plugin.json", r#"{"name": "p", "version": "1.0.0"}"#),
            ("p/hooks/hooks.json", hooks),
        ]);
        repo.run(&["--format", "concise", "--select", "invalid-settings,invalid-hook"]).stdout
    };
    for hooks in [r#"{"hooks": []}"#, r#"{"hooks": "x"}"#, r#"{"PreToolUse": []}"#] {
        assert!(told(hooks).contains("error[invalid-settings]") && told(hooks).contains("plugin p is off"), "{hooks}");
    }
    for hooks in [r#"{"hooks": null}"#, r#"{"Stop": []}"#, "[]"] {
        assert!(told(hooks).contains("ignores the whole file"), "{}", told(hooks));
        assert!(!told(hooks).contains("is off"), "{}", told(hooks));
    }
}

#[test]
fn a_command_in_a_subagent_stays_text() {
    let told = |path: &str, line: &str| {
        let text = format!("---\nname: a\ndescription: b\n---\n\n# A\n\n{line}\n");
        let repo = Repo::with_files([(path, &*text), ("CLAUDE.md", "Use tabs.\n")]);
        repo.run(&["--format", "concise", "--select", "dead-setting"]).stdout
    };
    for line in ["- Status: !`git status`", "!`git log -3`", "**Branch:** !`git branch`"] {
        let found = told(".claude/agents/a.md", line);
        assert!(found.contains("run in skills and commands, and stay text in a subagent"), "{line}: {found}");
        assert!(!told(".claude/commands/a.md", line).contains("stay text"), "{line}");
    }
    for line in ["Say !`git status` where you want its output.", "```\n!`git status`\n```", "- Key: !`important`"] {
        assert!(!told(".claude/agents/a.md", line).contains("stay text"), "{line}");
    }
}
