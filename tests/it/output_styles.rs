//! Output styles of Claude Code: what kind of file they are, which one settings choose, and what `diff` tells of it.

use crate::support::Repo;

const STYLE: &str =
    "---\nname: Plain\ndescription: Short words.\nkeep-coding-instructions: true\n---\nUse short words.\n";

fn chosen(name: &str) -> String {
    format!("{{\"outputStyle\": \"{name}\"}}\n")
}

fn repository(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::with_files([("hintlint.toml", "agents = [\"claude\"]\n"), ("CLAUDE.md", "Use tabs.\n")]);
    files.iter().for_each(|(path, text)| _ = repo.write(path, text));
    repo.commit("before");
    repo
}

#[test]
fn a_style_is_a_kind_with_fields() {
    let text = "---\nname: [a]\nkeep_coding_instructions: true\ntone: dry\n---\nUse short words.\u{202e}\n";
    let plugin = r#"{"name": "p"}"#;
    let repo = repository(&[
        (".claude/output-styles/a.md", text),
        ("p/.claude-plugin/plugin.json", plugin),
        ("p/output-styles/b.md", text),
        ("other/output-styles/c.md", text),
    ]);
    let files = repo.run(&["files"]).stdout;
    for path in [".claude/output-styles/a.md", "p/output-styles/b.md"] {
        assert!(files.lines().any(|line| line.contains(path) && line.contains("claude-style")), "{files}");
        let found = repo.run(&["--format", "concise", "--min-level", "info", path]).stdout;
        for rule in ["wrong-type", "misspelled-field", "unknown-field", "bidi-control"] {
            assert!(found.contains(&format!("[{rule}]")), "{rule} of {path}: {found}");
        }
    }
    assert!(!files.contains("other/output-styles/c.md"), "{files}");
    let repo = repository(&[(".claude/output-styles/a.md", STYLE)]);
    let found = repo.run(&["--format", "concise", "--min-level", "info"]).stdout;
    assert!(!found.contains("output-styles"), "{found}");
}

#[test]
fn a_choice_that_fits_no_style_is_told() {
    let said = |settings: (&str, &str), others: &[(&str, &str)]| {
        let repo = repository(&[&[settings], others].concat());
        let run = repo.run(&["--format", "concise", "--min-level", "info", "--select", "dead-setting"]);
        run.stdout.lines().filter(|line| line.contains("[dead-setting]")).map(str::to_owned).collect::<Vec<_>>()
    };
    let style = (".claude/output-styles/plain-words.md", STYLE);
    let of = |name: &str, others: &[(&str, &str)]| said((".claude/settings.json", &chosen(name)), others);
    // The file's name does not count where its frontmatter has one.
    for name in ["plain-words", "plain", "Plian"] {
        let found = of(name, &[style]);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        let message = format!("1:17: warning[dead-setting] no output style is called `{name}`, and `Plain` is");
        assert!(found[0].contains(&message), "{found:?}");
    }
    let found = of("Terse", &[style]);
    assert!(
        found.len() == 1 && found[0].contains("info[dead-setting] no output style in this repository"),
        "{found:?}"
    );
    // Built in, here, of a plugin, of one person.
    for name in ["default", "Explanatory", "Learning", "Proactive", "Concise", "Plain", "p:Terse", ""] {
        assert_eq!(of(name, &[style]), [""; 0], "{name}");
    }
    let plugin = r#"{"outputStyle": "Terse", "enabledPlugins": {"p@m": true}}"#;
    assert_eq!(said((".claude/settings.json", plugin), &[style]), [""; 0]);
    assert_eq!(said((".claude/settings.local.json", &chosen("Terse")), &[style]), [""; 0]);
    // Started below, the agent may find the style of a folder above.
    assert_eq!(
        said(("a/.claude/settings.json", &chosen("Plain")), &[style])
            .iter()
            .filter(|line| line.contains("style"))
            .count(),
        0
    );
}

#[test]
fn show_and_diff_tell_the_style_that_settings_choose() {
    let path = ".claude/output-styles/plain.md";
    let repo = repository(&[(".claude/settings.json", &chosen("Plain")), (path, STYLE)]);
    let shown = repo.run(&["show", "--runs", "--agent", "claude", "--no-user"]).stdout;
    assert!(shown.contains("start: outputStyle is \"Plain\" (.claude/settings.json:1"), "{shown}");
    assert!(shown.contains("start: output style Plain (.claude/output-styles/plain.md:1"), "{shown}");
    repo.write(path, STYLE.replace("Use short", "Use long")).commit("text");
    let told = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
    assert!(told.contains("changed text: output style Plain (.claude/output-styles/plain.md:1; claude: "), "{told}");
    let same = repo.run(&["diff", "--assert-same", "HEAD~1", "HEAD"]);
    assert_eq!(same.code, 1, "{}", same.stdout);
    // One that nobody chooses is no part of what is loaded.
    repo.write(".claude/output-styles/other.md", STYLE.replace("Plain", "Other")).commit("other");
    repo.write(".claude/output-styles/other.md", STYLE.replace("Plain", "Another")).commit("other");
    let told = repo.run(&["diff", "HEAD~2", "HEAD"]).stdout;
    assert!(!told.contains("Runs:"), "{told}");
    repo.write(".claude/settings.json", chosen("Another")).commit("choice");
    let told = repo.run(&["diff", "HEAD~1", "HEAD"]).stdout;
    assert!(told.contains("changed: outputStyle is \"Another\"; before: outputStyle is \"Plain\""), "{told}");
    assert!(told.contains("new: output style Another") && told.contains("gone: output style Plain"), "{told}");
}
