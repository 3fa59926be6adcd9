//! What messages say: that they are true, name the place as the user reaches it, and tell what to do next.

use std::fs;

use crate::support::{Repo, Run};

fn run_at(repo: &Repo, folder: &str, args: &[&str]) -> Run {
    repo.run_in(&repo.at(folder), args)
}

#[test]
fn paths_are_given_as_reached_from_the_current_folder() {
    let repo = Repo::with_files([
        ("AGENTS.md", "See [the plan](docs/gone.md).\n"),
        ("api/AGENTS.md", "See [the plan](gone.md).\n"),
        ("api/src/main.c", "x\n"),
    ]);
    let paths = |folder: &str, args: &[&str]| {
        let run = run_at(&repo, folder, &[args, &["--format", "concise"]].concat());
        run.stdout.lines().map(|line| line.split(':').next().expect("a path").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths("", &[]), ["AGENTS.md", "api/AGENTS.md"]);
    assert_eq!(paths("api", &[]), ["../AGENTS.md", "AGENTS.md"]);
    assert_eq!(paths("api/src", &[]), ["../../AGENTS.md", "../AGENTS.md"]);
    assert_eq!(paths("api/src", &["../AGENTS.md"]), ["../AGENTS.md"]);
    let run = run_at(&repo, "api", &[]);
    assert!(run.stdout.contains("[../AGENTS.md:1:16]") && run.stdout.contains("[AGENTS.md:1:16]"), "{run:?}");
    let run = run_at(&repo, "api", &["files"]);
    assert!(run.stdout.starts_with("../AGENTS.md "), "{run:?}");
    // Each of the paths is there, seen from the folder.
    for path in paths("api/src", &[]) {
        assert!(repo.at("api/src").join(&path).is_file(), "{path}");
    }
    // From outside the repository, too.
    let elsewhere = repo.run_in(&repo.home(), &["--format", "concise", repo.root().to_str().expect("UTF-8")]);
    let first = elsewhere.stdout.split(':').next().expect("a path").to_owned();
    assert_eq!(fs::canonicalize(repo.home().join(first)).expect("it is there"), repo.at("AGENTS.md"));
    let above = repo.run_in(repo.root().parent().expect("a parent"), &["--format", "concise", "repo"]);
    assert!(above.stdout.starts_with("repo/AGENTS.md:1:16: "), "{above:?}");
}

#[test]
fn machine_formats_give_paths_from_the_root() {
    let repo = Repo::with_files([("AGENTS.md", "x\n"), ("api/AGENTS.md", "See [the plan](gone.md).\n")]);
    for format in ["json", "sarif", "github", "markdown"] {
        let (below, at_root) = (run_at(&repo, "api", &["--format", format]), run_at(&repo, "", &["--format", format]));
        assert!(below.stdout.contains("api/AGENTS.md"), "{format}: {below:?}");
        assert_eq!(below.stdout, at_root.stdout, "{format}");
    }
}

#[test]
fn a_broken_config_is_named_as_reached() {
    let repo = Repo::with_files([("hintlint.toml", "exlude = []\n"), ("api/AGENTS.md", "x\n")]);
    let run = run_at(&repo, "api", &[]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("../hintlint.toml:1:1"), "{run:?}");
    repo.write("hintlint.toml", "exclude = [\"a[z-a]\"]\n");
    let run = run_at(&repo, "api", &[]);
    assert!(run.code == 2 && run.stderr.contains("../hintlint.toml:1:"), "{run:?}");
}

#[test]
fn commands_to_copy_work_in_the_current_folder() {
    let repo = Repo::with_files([("AGENTS.md", "Build with make.\n")]);
    repo.write("docs/plans/my plan.md", "-[ ] write the tests\n").write("api/x.c", "x\n").add();
    let run = run_at(&repo, "api", &["--staged", "--fix"]);
    let command = run.stderr.split("run: git ").nth(1).expect("a command").trim();
    assert_eq!(command, "add '../docs/plans/my plan.md'");
    repo.git_in(&repo.at("api"), &["add", "../docs/plans/my plan.md"]);
    assert_eq!(repo.run(&["--staged", "--fix"]).code, 0);
    let run = run_at(&repo, "api", &["compile", "--staged"]);
    assert!(run.stderr.contains("run: git add ../.hintlint/context"), "{run:?}");
}

#[test]
fn fixes_that_were_not_written_are_not_counted_as_fixed() {
    let repo = Repo::with_files([("CLAUDE.md", "a\n"), ("AGENTS.md", "b\n")]);
    repo.write("CLAUDE.md", "a\u{200b}b\n").add();
    repo.write("CLAUDE.md", "a\u{200b}b and more\n");
    let run = repo.run(&["--staged", "--fix"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(!run.stdout.contains("Fixed"), "{run:?}");
    assert!(run.stdout.contains("Not written: the fixes of 1 problem in 1 file.\nNo other problems; "), "{run:?}");
    assert!(run.stderr.contains("some staged files differ from the worktree"), "{run:?}");
    repo.write("AGENTS.md", "b\u{200b}c\n").git(&["add", "AGENTS.md"]);
    let run = repo.run(&["--staged", "--fix"]);
    assert!(run.stdout.contains("Fixed 1 problem in 1 file: 1 zero-width.\nNot written: the fixes of 1 "), "{run:?}");
    assert_eq!(repo.read("AGENTS.md"), b"bc\n");
}

#[test]
fn statistics_count_each_level_apart() {
    let repo = Repo::with_files([
        ("CLAUDE.md", "@AGENTS.md\n"),
        ("AGENTS.md", "See [a](gone.md) and [b](docs/left.md).\n"),
        ("docs/left.md", "x\n"),
    ]);
    repo.remove("docs/left.md").commit("delete");
    let run = repo.run(&["--statistics", "-q", "--select", "broken-link"]);
    assert_eq!(run.stdout, "1  error    broken-link\n1  warning  broken-link\n");
    let json = repo.run(&["--statistics", "--select", "broken-link", "--format", "json"]).stdout;
    let rows: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let levels: Vec<_> = rows.as_array().expect("rows").iter().map(|row| (&row["level"], &row["findings"])).collect();
    assert_eq!(format!("{levels:?}"), r#"[(String("error"), Number(1)), (String("warning"), Number(1))]"#);
}

#[test]
fn compile_that_refuses_does_not_say_that_all_is_well() {
    let repo = Repo::with_files([("AGENTS.md", "Build with make.\n")]);
    repo.write(".hintlint/context/merged.md", "mine\n");
    let run = repo.run(&["compile"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(!run.stdout.contains("nothing changed") && !run.stdout.contains("current"), "{run:?}");
    assert!(run.stdout.contains("1 artifact was left as it is, for the reason given above."), "{run:?}");
    assert!(run.stderr.contains("has the path of an artifact but no hintlint header; move or delete it"), "{run:?}");
    let run = repo.run(&["compile", "--check"]);
    assert!(run.code == 1 && run.stdout.contains("does not overwrite them"), "{run:?}");
}

#[test]
fn compile_names_what_it_was_given() {
    let repo = Repo::with_files([
        ("AGENTS.md", "a\n"),
        ("docs/guide.md", "x\n"),
        ("api/AGENTS.md", "b\n"),
        ("api/src/a.c", "x\n"),
    ]);
    for switch in [&["--check"][..], &["--diff"], &["--stdout"], &[]] {
        let run = repo.run(&[&["compile"], switch, &["api/AGENTS.md"]].concat());
        assert_eq!(run.code, 2, "{switch:?}: {run:?}");
        assert!(run.stderr.contains("api/AGENTS.md is a file") && run.stderr.contains("`api`"), "{run:?}");
    }
    assert_eq!(repo.run(&["compile"]).code, 0);
    let said = |folder: &str, artifact: &str| {
        let text = format!(
            "Nothing to compile: there is no hint file in or below {folder}, such as AGENTS.md or CLAUDE.md. The context that agents load there is {artifact}.\n"
        );
        for args in [&["compile", folder][..], &["compile", "--check", folder]] {
            let run = repo.run(args);
            assert_eq!((run.code, run.stdout.as_str()), (0, text.as_str()), "{args:?}: {run:?}");
        }
    };
    said("docs", ".hintlint/context/merged.md");
    said("api/src", ".hintlint/context/api/merged.md");
    let none = Repo::with_files([("a.c", "x\n")]);
    let run = none.run(&["compile", "--check"]);
    let text = "Nothing to compile: no directory has a hint file, such as AGENTS.md or CLAUDE.md.\n";
    assert_eq!((run.code, run.stdout.as_str()), (0, text), "{run:?}");
}

#[test]
fn drifted_copies_are_quoted_where_they_differ() {
    let shared =
        "Run the whole suite of tests before each commit, and read what it says, since the log of the last run";
    let text = |end: &str| {
        let lines: String = (0..20).map(|n| format!("- Rule {n} holds for all files.\n")).collect();
        format!("# Rules\n\n{lines}\n{shared} {end}.\n")
    };
    let repo = Repo::with_files([("AGENTS.md", text("is kept")), ("CLAUDE.md", text("was lost"))]);
    let run = repo.run(&["--select", "copies-drifted", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let message = json["findings"][0]["related"][0]["message"].as_str().expect("a message").to_owned();
    let (here, there) = message.split_once("; there: ").expect("two sides");
    assert_ne!(here.rsplit(": ").next(), Some(there), "{message}");
    assert!(message.contains("is kept") && message.contains("was lost"), "{message}");
}

#[test]
fn words_of_other_linters_lead_to_ours() {
    let repo = Repo::with_files([("AGENTS.md", "x\n")]);
    for (word, command) in [("lint", "check"), ("fix", "check --fix"), ("list", "files"), ("validate", "check")] {
        let run = repo.run(&[word]);
        assert_eq!(run.code, 2, "{word}: {run:?}");
        assert!(run.stderr.contains(&format!("did you mean the command `{command}`?")), "{word}: {run:?}");
        let run = repo.run(&[word, "AGENTS.md"]);
        assert!(run.stderr.contains(&format!("`{command}`")), "{word}: {run:?}");
    }
    // A folder of that name is a folder.
    repo.write("lint/AGENTS.md", "x\n");
    assert_eq!(repo.run(&["lint"]).code, 0);
}

#[test]
fn the_config_can_name_all_rules() {
    let repo = Repo::with_files([("AGENTS.md", "See [a](gone.md).\n\n```sh\nmake\n")]);
    let rules = |config: &str| {
        repo.write("hintlint.toml", config);
        let run = repo.run(&["--format", "concise", "--min-level", "info"]);
        assert!(!run.stdout.contains("unknown-rule"), "{run:?}");
        let kind = |line: &str| line.split(' ').nth(1).expect("a rule").to_owned();
        run.stdout.lines().map(kind).collect::<Vec<_>>()
    };
    assert_eq!(rules(""), ["warning[broken-link]", "warning[unclosed-fence]"]);
    assert_eq!(rules("[rules]\nall = \"off\"\n"), [""; 0]);
    assert_eq!(rules("[rules]\nreferences = \"error\"\nall = \"off\"\n"), ["error[broken-link]"]);
    assert_eq!(rules("[rules]\nall = \"info\"\nunclosed-fence = \"off\"\n"), ["info[broken-link]"]);
    assert!(repo.run(&["schema"]).stdout.contains("\"all\": {"));
}

#[test]
fn nothing_is_offered_that_nothing_obeys() {
    let repo =
        Repo::with_files([("AGENTS.md", "x\n"), ("src/lib/a.md", "no frontmatter\n"), ("packs/p/hint.yaml", "x: 1\n")]);
    // The search is obeyed.
    repo.write("src/hints/x.md", "---\ndescription: x\n---\n");
    repo.write("hintlint.toml", "[search]\nprovider = \"ollama\"\nhost = \"127.0.0.1:1\"\n");
    let run = repo.run(&["search", "--no-fallback", "x"]);
    assert_eq!(run.code, 2, "{run:?}");
    // The library and the packages are: their files are checked as what they are.
    let kind = |config: &str, path: &str| {
        repo.write("hintlint.toml", config);
        let listed = repo.run(&["files"]).stdout;
        let row = listed.lines().find(|row| row.starts_with(path)).map(str::to_owned);
        row.map(|row| row.split_whitespace().nth(1).expect("a kind").to_owned())
    };
    assert_eq!(kind("", "src/lib/a.md"), None);
    assert_eq!(kind("[library]\npaths = [\"src/lib/*.md\"]\n", "src/lib/a.md").as_deref(), Some("library-hint"));
    assert_eq!(kind("", "packs/p/hint.yaml"), None);
    assert_eq!(kind("[packages]\npath = \"packs\"\n", "packs/p/hint.yaml").as_deref(), Some("package-yaml"));
}
