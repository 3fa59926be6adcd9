//! Rows of the tool's requirements that no other file shows: each test is named after its row.

use crate::support::Repo;

/// One repository with a problem of each kind that the row names.
fn each_kind() -> Repo {
    Repo::with_files([
        ("CLAUDE.md", "Read @docs/none.md first.\n"),
        ("api/AGENTS.md", "Run ma\u{e0041}\u{e0042}\u{e0043}ke.\n"),
        (".claude/skills/release/SKILL.md", "---\nname: release\n---\n\n# Release\n"),
        ("docs/plans/release.md", "-[ ] tag it\n"),
    ])
}

#[test]
fn c01_hint_files_imports_frontmatter_hidden_unicode_and_checkboxes_across_the_repository() {
    let run = each_kind().run(&["--format", "concise"]);
    assert_eq!(run.code, 1, "{run:?}");
    for expected in [
        "CLAUDE.md:1:6: error[missing-import]",
        "api/AGENTS.md:1:7: error[hidden-tags]",
        ".claude/skills/release/SKILL.md:1:1: error[missing-field]",
        "docs/plans/release.md:1:1: warning[malformed-checkbox]",
    ] {
        assert!(run.stdout.contains(expected), "{expected}: {run:?}");
    }
}

#[test]
fn c02_a_merged_diffable_artifact_per_directory_for_commit() {
    let repo =
        Repo::with_files([("AGENTS.md", "Run make.\n"), ("api/AGENTS.md", "Run cargo.\n"), ("docs/x.md", "x\n")]);
    assert_eq!(repo.run(&["compile"]).code, 0);
    let artifacts = repo.git(&["ls-files", "--others", ".hintlint"]);
    assert_eq!(
        artifacts,
        ".hintlint/context/.gitattributes\n.hintlint/context/api/merged.md\n.hintlint/context/merged.md\n"
    );
    let api = String::from_utf8(repo.read(".hintlint/context/api/merged.md")).expect("text");
    let (root, own) = (api.find("Run make.").expect("the root's"), api.find("Run cargo.").expect("its own"));
    assert!(root < own, "general before specific: {api}");
    repo.commit("artifacts");
    assert_eq!(repo.run(&["compile", "--check"]).code, 0);
    repo.write("api/AGENTS.md", "Run just.\n").run(&["compile"]);
    let diff = repo.git(&["diff", "--unified=0", ".hintlint"]);
    let changed: Vec<&str> =
        diff.lines().filter(|l| l.starts_with(['+', '-']) && !l.starts_with("+++") && !l.starts_with("---")).collect();
    assert_eq!(changed, ["-Run cargo.", "+Run just."], "a small change is a small diff");
}

#[test]
fn c03_fix_works_as_typed_and_the_hook_reads_what_is_staged() {
    let repo = each_kind();
    assert_eq!(repo.run(&["--fix"]).code, 1, "what cannot be fixed remains");
    assert_eq!(repo.read("docs/plans/release.md"), b"- [ ] tag it\n");
    assert_eq!(repo.read("api/AGENTS.md"), b"Run make.\n");
    let staged = Repo::with_files([("CLAUDE.md", "Text.\n")]);
    staged.write("CLAUDE.md", "@none.md\n").add();
    staged.write("CLAUDE.md", "Text, fixed and not staged.\n");
    assert_eq!(staged.run(&["--staged"]).code, 1);
    assert_eq!(staged.run(&[]).code, 0);
}

/// The manifest's text below `[dependencies]`.
fn dependencies() -> String {
    let manifest = include_str!("../../Cargo.toml");
    let (_, rest) = manifest.split_once("[dependencies]\n").expect("dependencies");
    rest.split("\n[").next().unwrap_or_default().to_owned()
}

#[test]
fn c04_the_named_packages_do_the_work() {
    let dependencies = dependencies();
    for name in ["git2", "globset", "serde_yaml", "miette", "rayon", "similar", "indicatif"] {
        assert!(dependencies.lines().any(|line| line.starts_with(&format!("{name} = "))), "{name}");
    }
}

#[test]
fn c05_the_top_level_of_the_repository() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["Cargo.toml", "src", "action.yml", ".pre-commit-hooks.yaml", "tests", "README.md"] {
        assert!(root.join(name).exists(), "{name}");
    }
}

#[test]
fn d13_validate_hints_their_imports_and_syntax() {
    let repo = Repo::with_files([
        (".dexhints", "# Hints\n\n@docs/none.md\n\n```shell\nmake\n"),
        ("DEX.md", "@../outside.md\n"),
        ("docs/x.md", "x\n"),
    ]);
    let run = repo.run(&["check", "--format", "concise"]);
    for expected in [
        ".dexhints:3:1: error[missing-import]",
        ".dexhints:5:1: warning[unclosed-fence]",
        "DEX.md:1:1: error[import-escapes-repository]",
    ] {
        assert!(run.stdout.contains(expected), "{expected}: {run:?}");
    }
    assert_eq!(run.code, 1);
}
