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

#[test]
fn c04_the_named_packages_do_the_work() {
    git2_finds_repositories_and_references_where_there_is_no_git();
    globset_matches_the_globs_of_rules();
    serde_yaml_reads_frontmatter();
    miette_draws_findings();
    rayon_spreads_texts_over_threads();
    similar_finds_the_lines_that_differ();
    #[cfg(all(unix, feature = "progress"))]
    indicatif_shows_what_takes_long();
}

/// A `git` that takes a second to answer.
#[cfg(all(unix, feature = "progress"))]
fn indicatif_shows_what_takes_long() {
    let repo = Repo::with_files([("CLAUDE.md", "See `docs/gone.md`.\n")]);
    let usual = std::env::var("PATH").expect("a path");
    let real = std::env::split_paths(&usual).map(|dir| dir.join("git")).find(|git| git.is_file()).expect("git");
    let slow = format!("#!/bin/sh\nsleep 1\nexec {} \"$@\"\n", real.display());
    let bin = repo.beside("bin");
    std::fs::create_dir(&bin).expect("made");
    // By another process: a file that this one holds open for writing while a test starts a program cannot be run.
    let mut made = repo.command("sh", repo.root());
    made.args(["-c", r#"printf %s "$1" > "$2" && chmod +x "$2""#, "sh", &slow]).arg(bin.join("git"));
    assert!(made.status().expect("sh starts").success());
    let spinner = |c: char| ('\u{2801}'..='\u{28FF}').contains(&c);
    for (options, is_shown) in [(["--rev", "HEAD"].as_slice(), true), (&["--rev", "HEAD", "--quiet"], false)] {
        let mut command = repo.hintlint(repo.root());
        command.args(options).env("PATH", format!("{}:{usual}", bin.display()));
        let printed = String::from_utf8(crate::printed::on_terminal(command)).expect("UTF-8");
        assert_eq!(printed.contains(spinner), is_shown, "{options:?}: {printed}");
    }
}

/// What `git worktree add` writes, and where `HEAD` leads, is read by nothing else here.
fn git2_finds_repositories_and_references_where_there_is_no_git() {
    let repo = Repo::with_files([("docs/CLAUDE.md", "Read @none.md first.\n")]);
    let linked = repo.beside("linked");
    repo.git(&["worktree", "add", "-q", "--detach", linked.to_str().expect("UTF-8")]);
    repo.git(&["repack", "-adq"]);
    let mut command = repo.hintlint(&linked.join("docs"));
    repo.git(&["pack-refs", "--all"]);
    command.env("PATH", repo.home()).args(["--rev", "main", "--format", "concise"]);
    let run = crate::support::Run::from(command.output().expect("it starts"));
    assert!(run.stdout.contains("CLAUDE.md:1:6: error[missing-import]"), "{run:?}");
}

fn globset_matches_the_globs_of_rules() {
    let glob = "lib/{a,b}/[!x]*.ts";
    let repo = Repo::with_files([(".claude/rules/r.md", format!("---\npaths: [\"{glob}\"]\n---\nRule.\n"))]);
    let matcher = globset::Glob::new(glob).expect("valid").compile_matcher();
    for (path, is_match) in [("lib/b/y.ts", true), ("lib/c/y.ts", false), ("lib/a/x.ts", false)] {
        assert_eq!(matcher.is_match(path), is_match, "{path}");
        repo.write(path, "x\n").commit("one file");
        let run = repo.run(&["--select", "unmatched-glob", "--format", "concise"]);
        assert_eq!(!run.stdout.contains("unmatched-glob"), is_match, "{path}: {run:?}");
        repo.remove(path);
    }
}

/// An alias means what its anchor stands for: only a parser of all of YAML knows.
fn serde_yaml_reads_frontmatter() {
    let rule = "---\nhere: &here\n  - src/**\npaths: *here\n---\nThe rule of sources.\n";
    let repo = Repo::with_files([(".claude/rules/r.md", rule), ("src/x.rs", "x\n"), ("docs/x.rs", "x\n")]);
    for (file, is_loaded) in [("src/x.rs", true), ("docs/x.rs", false)] {
        let run = repo.run(&["show", "--agent", "claude", "--no-user", "--file", file]);
        assert_eq!(run.stdout.contains("The rule of sources."), is_loaded, "{file}: {run:?}");
    }
}

fn miette_draws_findings() {
    let run = Repo::with_files([("CLAUDE.md", "Read @none.md first.\n")]).run(&[]);
    for part in ["╭─[CLAUDE.md:1:6]", "1 │ Read @none.md first.", "╰────"] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

fn rayon_spreads_texts_over_threads() {
    let repo = Repo::with_files((0..64).map(|number| (format!("{number}.txt"), "x\n")));
    let source = crate::sources::open(&repo, hintlint::source::Side::Worktree).source;
    let paths: Vec<_> = source.listing().iter().map(|entry| hintlint::base::path::RepoPath::new(entry.path)).collect();
    let threads = std::sync::Mutex::new(Vec::new());
    source.each_text(&paths, &|_, _| threads.lock().expect("a lock").push(rayon::current_thread_index()));
    let threads = threads.into_inner().expect("a lock");
    assert!(threads.len() == 64 && threads.iter().all(Option::is_some), "{threads:?}");
}

fn similar_finds_the_lines_that_differ() {
    let before = (0..40).map(|line| format!("- [ ] task {line}\n")).collect::<String>();
    let wrong = before.replace("- [ ] task 7\n", "-[ ] task 7\n").replace("- [ ] task 30\n", "- [X]task 30\n");
    let repo = Repo::with_files([("PLAN.md", &wrong)]);
    let run = repo.run(&["--diff"]);
    let after = before.replace("- [ ] task 30", "- [x] task 30");
    let expected = similar::TextDiff::from_lines(&wrong, &after).unified_diff().context_radius(3).to_string();
    assert!(expected.matches("@@ -").count() == 2 && run.stdout.ends_with(&expected), "{expected}{}", run.stdout);
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
