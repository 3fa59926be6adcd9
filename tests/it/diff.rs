//! `hintlint diff` on real repositories: revisions, the worktree, formats.

use serde_json::Value;

use crate::support::Repo;

fn json(repo: &Repo, args: &[&str]) -> Value {
    let run = repo.run(&[&["diff"], args, &["--format", "json"]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// `scope agent` of each change.
fn scopes(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let scopes = value["scopes"].as_array().expect("a list");
    scopes.iter().map(|scope| format!("{} {}", text(&scope["scope"]), text(&scope["agent"]))).collect()
}

fn repo() -> Repo {
    Repo::with_files([
        ("AGENTS.md", "Use tabs.\n"),
        ("CLAUDE.md", "@AGENTS.md\n"),
        ("p/CLAUDE.md", "Packages.\n"),
        ("x.c", ""),
    ])
}

#[test]
fn revisions_and_the_worktree_are_compared() {
    let repo = repo();
    repo.write("p/CLAUDE.md", "Packages!\n");
    let second = repo.commit("second");
    repo.write("AGENTS.md", "Use spaces.\n");
    assert_eq!(scopes(&json(&repo, &["HEAD~1", "HEAD"])), ["p claude", "p merged"]);
    let inherited = json(&repo, &[&second]);
    assert_eq!(scopes(&inherited), [". claude", ". merged"]);
    assert_eq!(inherited["scopes"][1]["inherited_by"][0]["scope"], "p");
    assert_eq!(scopes(&json(&repo, &["HEAD~1", "--agent", "claude"])), [". claude", "p claude"]);
    assert_eq!(scopes(&json(&repo, &["HEAD", "HEAD"])), [""; 0]);
}

#[test]
fn files_that_come_and_go_are_named() {
    let repo = repo();
    repo.write("AGENTS.md", "Use tabs.\n\n@docs/a.md\n").write("docs/a.md", "More.\n").remove("p/CLAUDE.md");
    let value = json(&repo, &["HEAD", "--agent", "claude"]);
    assert_eq!(value["scopes"][0]["added"], serde_json::json!(["docs/a.md"]));
    assert_eq!(value["scopes"][1]["dropped"], serde_json::json!(["p/CLAUDE.md"]));
    assert_eq!((&value["base"], &value["head"]), (&"HEAD".into(), &Value::Null));
    let bytes = &value["scopes"][0]["bytes"];
    assert!(bytes["after"].as_u64() > bytes["before"].as_u64(), "{bytes}");
}

#[test]
fn what_no_agent_loads_changes_nothing() {
    let repo = repo();
    repo.write("x.c", "int x;\n").write("README.md", "# Read\n");
    let run = repo.run(&["diff", "HEAD"]);
    assert_eq!((run.stdout.as_str(), run.code), ("No context changes from HEAD to the worktree.\n", 0));
}

#[test]
fn new_hidden_characters_are_told_and_none_is_printed() {
    let repo = repo();
    repo.write("AGENTS.md", "Use tabs.\u{e0041}\u{e0042}\n");
    for format in ["human", "markdown", "json"] {
        let run = repo.run(&["diff", "HEAD", "--format", format]);
        assert!(!run.stdout.contains('\u{e0041}'), "{format}: {}", run.stdout);
        assert!(run.stdout.contains("AGENTS.md"), "{format}: {}", run.stdout);
    }
    let value = json(&repo, &["HEAD", "--agent", "claude"]);
    assert_eq!(value["scopes"][0]["hidden"][0]["line"], 1);
}

#[test]
fn a_bare_repository_compares_commits_only() {
    let repo = repo();
    repo.write("AGENTS.md", "Use spaces.\n");
    repo.commit("second");
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("a plain path")]);
    let run = repo.run_in(&bare, &["diff", "HEAD~1", "HEAD", "--agent", "claude"]);
    assert!(run.code == 0 && run.stdout.contains("+Use spaces."), "{run:?}");
    assert_eq!(repo.run_in(&bare, &["diff", "HEAD~1"]).code, 2);
}

#[test]
fn an_unknown_revision_is_exit_two() {
    let run = repo().run(&["diff", "no-such-branch"]);
    assert!(run.code == 2 && run.stderr.contains("no-such-branch"), "{run:?}");
}

#[test]
fn a_move_to_another_file_is_proven_or_refuted() {
    let repo = Repo::with_files([("CLAUDE.md", "Use tabs.\nTest with make.\n"), ("x.c", "")]);
    let same = |args: &[&str]| repo.run(&[&["diff", "HEAD", "--assert-same", "--agent", "claude"], args].concat());
    repo.remove("CLAUDE.md").write("CLAUDE.md", "@AGENTS.md\n").write("AGENTS.md", "Use tabs.\nTest with make.\n");
    let run = same(&["--map", "CLAUDE.md=AGENTS.md"]);
    let told = "Same, byte for byte: what claude would load and run in 1 directory, with CLAUDE.md read as AGENTS.md\n";
    assert_eq!((run.stdout.as_str(), run.code), (told, 0));
    // Without the move the frame names another file.
    assert_eq!(same(&[]).code, 1);
    repo.write("AGENTS.md", "Use tabs.\n");
    let run = same(&["--map", "CLAUDE.md=AGENTS.md"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("  before: CLAUDE.md:2: Test with make.\n"), "{run:?}");
    assert!(run.stdout.contains("  lost:   1 line\n    CLAUDE.md:2: Test with make.\n"), "{run:?}");
}

#[test]
fn the_same_text_with_another_hook_is_not_the_same() {
    let repo = repo();
    let hook = |command: &str| {
        format!(
            "{{\"hooks\": {{\"Stop\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": \"{command}\"}}]}}]}}}}\n"
        )
    };
    repo.write(".claude/settings.json", hook("make lint"));
    repo.commit("hook");
    repo.write(".claude/settings.json", hook("make  lint"));
    let run = repo.run(&["diff", "HEAD", "--assert-same", "--agent", "claude"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.starts_with("Different: what is run: changed: hook Stop: "), "{run:?}");
}
