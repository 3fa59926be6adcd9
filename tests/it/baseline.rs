//! The baseline in real repositories: written, honoured, outlived by what never may hide, and merged.

use serde_json::Value;

use crate::support::Repo;

const FILE: &str = ".hintlint/baseline.json";

/// A repository with two old problems.
fn old() -> Repo {
    Repo::with_files([
        ("CLAUDE.md", "# Shop\n\nSee @docs/gone.md.\n\nAnd @docs/away.md.\n"),
        ("docs/fine.md", "# Fine\n"),
    ])
}

#[test]
fn only_what_is_new_is_told() {
    let repo = old();
    assert_eq!(repo.run(&[]).code, 1);
    let run = repo.run(&["baseline"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stderr.contains(".hintlint/baseline.json records 2 findings"), "{run:?}");
    let before = repo.read(FILE);
    let run = repo.run(&[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("No new problems found"), "{run:?}");
    assert!(
        run.stdout.contains("2 older problems not shown: the baseline .hintlint/baseline.json has them"),
        "{run:?}"
    );
    assert_eq!(repo.run(&["--no-baseline"]).code, 1);
    repo.run(&["baseline"]);
    assert_eq!(repo.read(FILE), before, "the same findings, the same bytes");
    // Lines above, and one more problem.
    repo.write("CLAUDE.md", "# Shop\n\nNew.\n\nSee @docs/gone.md.\n\nAnd @docs/away.md.\n\n@docs/new.md\n");
    let run = repo.run(&["--format", "concise"]);
    assert_eq!((run.code, run.stdout.lines().count()), (1, 1), "{run:?}");
    assert!(run.stdout.contains("docs/new.md"), "{run:?}");
}

#[test]
fn a_renamed_file_takes_its_entries_along() {
    let repo = old();
    repo.run(&["baseline"]);
    repo.commit("baseline");
    repo.write("api/x", "").git(&["mv", "CLAUDE.md", "api/CLAUDE.md"]);
    // From there both imports lead elsewhere, and nowhere.
    let run = repo.run(&["--format", "concise"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{run:?}");
}

#[test]
fn entries_without_a_finding_are_named_where_everything_was_checked() {
    let repo = old();
    repo.run(&["baseline"]);
    repo.write("CLAUDE.md", "# Shop\n\nSee @docs/gone.md.\n");
    let run = repo.run(&["--format", "json"]);
    let json: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(json["baseline"]["known"], 1);
    assert_eq!(json["baseline"]["unmatched"][0]["rule"], "missing-import");
    let note = "1 entry matches no finding any more: CLAUDE.md (missing-import); `hintlint baseline` drops them";
    assert!(run.stderr.contains(note), "{run:?}");
    for args in [&["docs"][..], &["--select", "plans"], &["--ignore", "imports"], &["--since", "HEAD"]] {
        let run = repo.run(args);
        assert!(!run.stderr.contains("matches no finding"), "{args:?}: {run:?}");
    }
}

#[test]
fn what_hides_text_is_never_known() {
    let repo = Repo::with_files([
        ("CLAUDE.md", "# Sh\u{e0041}\u{e0042}op\n\nSee @../out.md.\n\n@docs/gone.md\n"),
        ("AGENTS.md", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"),
    ]);
    let run = repo.run(&["baseline"]);
    assert!(run.stderr.contains("records 1 finding;") && run.stderr.contains("3 more are still reported"), "{run:?}");
    let run = repo.run(&["--format", "concise"]);
    assert_eq!(run.code, 1);
    for rule in ["hidden-tags", "conflict-markers", "import-escapes-repository"] {
        assert!(run.stdout.contains(rule), "{rule}: {run:?}");
    }
    assert!(!run.stdout.contains("docs/gone.md"), "{run:?}");
}

#[test]
fn it_is_read_from_the_state_that_is_linted() {
    let repo = old();
    repo.run(&["baseline"]);
    assert_eq!(repo.run(&["--rev", "HEAD"]).code, 1, "that commit has none");
    repo.commit("baseline");
    assert_eq!(repo.run(&["--rev", "HEAD"]).code, 0);
    std::fs::remove_file(repo.at(FILE)).expect("it is there");
    assert_eq!(repo.run(&["--rev", "HEAD"]).code, 0);
    assert_eq!(repo.run(&["--staged", "--all"]).code, 0);
    // Taking entries out makes their findings a matter of the commit.
    repo.git(&["rm", "-q", "--cached", FILE]);
    let run = repo.run(&["--staged"]);
    assert_eq!(run.code, 1, "{run:?}");
}

#[test]
fn branches_that_know_different_things_merge() {
    let repo = Repo::with_files([
        ("a/CLAUDE.md", "@one.md\n"),
        ("b/CLAUDE.md", "# B\n"),
        ("c/CLAUDE.md", "@three.md\n"),
        ("d/CLAUDE.md", "# D\n"),
        ("e/CLAUDE.md", "@five.md\n"),
    ]);
    repo.run(&["baseline"]);
    repo.commit("baseline");
    for (branch, folder) in [("left", "b"), ("right", "d")] {
        repo.git(&["checkout", "-q", "-b", branch, "main"]);
        repo.write(format!("{folder}/CLAUDE.md"), "@other.md\n");
        repo.run(&["baseline"]);
        repo.commit(branch);
    }
    repo.git(&["merge", "-q", "-m", "both", "left"]);
    let run = repo.run(&[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("5 older problems"), "{run:?}");
    let merged = repo.read(FILE);
    repo.run(&["baseline"]);
    assert_eq!(repo.read(FILE), merged, "what was merged is what would be written");
}

#[test]
fn a_config_names_another_place() {
    let repo = old();
    repo.write("hintlint.toml", "[baseline]\npath = \"ci/known.json\"\n");
    repo.run(&["baseline"]);
    assert!(repo.at("ci/known.json").is_file());
    assert_eq!(repo.run(&[]).code, 0);
    repo.write("hintlint.toml", "[baseline]\npath = \"../known.json\"\n");
    let run = repo.run(&["baseline"]);
    assert!(run.code == 2 && run.stderr.contains("inside the repository"), "{run:?}");
}

#[test]
fn hostile_files_are_errors_that_say_what_to_do() {
    let repo = old();
    let long = format!("{{\"version\": 1, \"findings\": [{}]}}", " ".repeat(9 << 20));
    for (text, why) in [
        ("", "EOF"),
        ("{\"version\": 1, \"findings\": [], \"findings\": []}", "duplicate field"),
        ("{\"version\": \"1\", \"findings\": []}", "invalid type"),
        ("{\"version\": 7, \"findings\": []}", "newer hintlint"),
        (&long, "over the limit"),
        ("\u{202e}", "expected value"),
    ] {
        repo.write(FILE, text);
        let run = repo.run(&[]);
        assert!(run.code == 2 && run.stderr.contains(why), "{text:.50}: {run:?}");
        assert!(run.stderr.contains("help: ") && run.stderr.contains("hintlint baseline"), "{text:.50}: {run:?}");
        assert_eq!(repo.run(&["--no-baseline"]).code, 1);
    }
    let run = repo.run(&["baseline"]);
    assert_eq!(run.code, 0, "what cannot be read is written anew: {run:?}");
    repo.remove(FILE).write(".hintlint/baseline.json/x", "");
    let run = repo.run(&[]);
    assert!(run.code == 2 && run.stderr.contains("is a directory"), "{run:?}");
    assert_eq!(repo.run(&["baseline"]).code, 2);
    repo.remove(FILE).symlink(FILE, "../../outside.json");
    let run = repo.run(&[]);
    assert!(run.code == 2 && run.stderr.contains("link out of the repository"), "{run:?}");
    let run = repo.run(&["baseline"]);
    assert!(run.code == 2 && !repo.beside("outside.json").exists(), "{run:?}");
}
