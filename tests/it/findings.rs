//! Findings from what agents load, and the commands beside them, on real repositories.

use crate::support::Repo;

fn check(repo: &Repo, args: &[&str]) -> String {
    let run = repo.run(&[&["check", "--format", "concise", "--quiet", "--fail-on", "never"], args].concat());
    assert_eq!(run.code, 0, "{run:?}");
    run.stdout
}

fn lines(bytes: usize) -> String {
    "0123456789abcdef0123456789abcde\n".repeat(bytes / 32)
}

#[test]
fn codex_stops_at_the_same_place_in_every_source() {
    let repo = Repo::with_files([
        ("AGENTS.md", lines(32_000)),
        ("p/AGENTS.md", lines(3_200)),
        ("p/q/AGENTS.md", "x\n".into()),
    ]);
    let want = "p/AGENTS.md:25:1: error[context-truncated] OpenAI Codex CLI 0.169.0 stops reading here: 2432 bytes of this \
                file are lost, and so is all of p/q/AGENTS.md\n";
    for source in [&[][..], &["--staged", "--all"], &["--rev", "HEAD"]] {
        assert_eq!(check(&repo, &[&["--select", "context-truncated"], source].concat()), want, "{source:?}");
    }
    repo.write(".codex/config.toml", "project_doc_max_bytes = 65536\n");
    assert_eq!(check(&repo, &["--select", "context-truncated"]), "");
}

#[cfg(unix)]
#[test]
fn a_link_to_agents_md_is_for_codex_too() {
    let repo = Repo::with_files([("AGENTS.md", lines(34_000))]);
    repo.symlink("CLAUDE.md", "AGENTS.md");
    assert!(check(&repo, &[]).contains("AGENTS.md:1025:1: error[context-truncated]"));
}

#[test]
fn one_token_one_finding() {
    let repo = Repo::with_files([
        ("CLAUDE.md", "See @docs/a.md, @docs/none.md and @docs/b.mdx\n"),
        ("docs/a.md", "x\n"),
        ("docs/b.mdx", "x\n"),
    ]);
    let found = check(&repo, &["--select", "imports"]);
    let rules: Vec<_> = found.lines().map(|line| line.split(['[', ']']).nth(1).unwrap_or_default()).collect();
    assert_eq!(rules, ["import-not-loaded", "missing-import", "import-not-loaded"], "{found}");
}

#[test]
fn a_shadowed_file_is_reported_until_it_is_imported() {
    let repo =
        Repo::with_files([("hintlint.toml", "agents = [\"claude\"]\n"), ("AGENTS.md", "a\n"), ("CLAUDE.md", "b\n")]);
    assert!(check(&repo, &[]).starts_with("AGENTS.md:1:1: warning[shadowed-file]"));
    repo.write("CLAUDE.md", "@AGENTS.md\n");
    assert_eq!(check(&repo, &[]), "");
}

#[test]
fn agents_are_explained() {
    let repo = Repo::with_files([("AGENTS.md", "a\n"), (".claude/settings.json", "{}\n")]);
    let run = repo.run(&["agents"]);
    let line = |agent: &str| run.stdout.lines().find(|line| line.starts_with(agent)).unwrap_or_default().to_owned();
    assert!(line("claude").contains("enabled: .claude/settings.json"), "{}", run.stdout);
    assert!(line("codex").ends_with("- (AGENTS.md would enable it, but may belong to claude)"), "{}", run.stdout);
}

#[test]
fn show_merged_is_the_artifact_without_its_header() {
    let repo = Repo::with_files([
        ("AGENTS.md", "Root.\n\n@docs/a.md\n"),
        ("docs/a.md", "More.\n"),
        ("p/CLAUDE.md", "Deep.\n"),
    ]);
    assert_eq!(repo.run(&["compile"]).code, 0);
    for scope in ["", "p/"] {
        let artifact = String::from_utf8(repo.read(format!(".hintlint/context/{scope}merged.md"))).expect("UTF-8");
        let (_, body) = artifact.split_once("\n\n").expect("a header");
        let run = repo.run_in(&repo.at(scope), &["show"]);
        assert_eq!((run.stdout.as_str(), run.code), (body, 0), "{run:?}");
    }
    let run = repo.run(&["show", "--sources", "p"]);
    let files: Vec<_> = run
        .stdout
        .lines()
        .map(|line| line.split(": ").next().unwrap_or_default().rsplit("/repo/").next().unwrap_or_default())
        .collect();
    assert_eq!(files, ["AGENTS.md", "docs/a.md", "p/CLAUDE.md"], "{}", run.stdout);
    assert!(run.stdout.contains("import, by"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn show_merged_of_a_directory_without_hints() {
    let repo = Repo::with_files([("AGENTS.md", "Root.\n"), ("src/deep/x.c", "")]);
    let run = repo.run(&["show", "src/deep", "--agent", "merged"]);
    assert!(run.stdout.starts_with("# Project Context\n\n<!-- From: AGENTS.md -->\n\nRoot.\n"), "{run:?}");
    let outside = Repo::plain_folder();
    outside.write("AGENTS.md", "Alone.\n");
    assert!(outside.run(&["show"]).stdout.contains("Alone."));
}
