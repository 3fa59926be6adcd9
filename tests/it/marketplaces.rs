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
