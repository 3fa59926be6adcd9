//! `hintlint search`: the library listed and searched. Tests are named after the rows of the requirements.

mod quality;

use hintlint::library::{Catalogue, CatalogueEntry, CatalogueKind, FoundHints, SearchOptions, search};
use serde_json::Value;

use crate::support::{Repo, Run};

const NEXTJS: &str = "---\ndescription: How to set up a new Next.js web project\nrelevant_for: Setting up a new Next.js \
                      project from scratch, creating a Next.js site\n---\n\n## How to set up\n\n- Use the latest version\n";
const SQLITE: &str =
    "---\ndescription: How to make SQL queries with the SQLite wrapper\n---\n\n# Parameters\n\ndb.get(sql)\n";
const CLAUDE_MD: &str = "---\ndescription: Guidelines for writing CLAUDE.md\n---\n# Guidelines\n";

fn repo() -> Repo {
    Repo::with_files([
        ("src/hints/new-project-setup-nextjs.md", NEXTJS),
        ("src/hints/deep/library-usage-sqlite-wrapper.md", SQLITE),
        ("src/hints/writing-claude-md.md", CLAUDE_MD),
        ("docs/other.md", "---\ndescription: SQLite in the docs\n---\n"),
        (".agents/skills/sql/SKILL.md", "---\nname: sql\ndescription: Tunes SQL queries\n---\nUse indexes.\n"),
        (".cursor/rules/sql.mdc", "---\ndescription: SQL style\nglobs: *.sql\n---\nKeywords in upper case.\n"),
        ("hints/sql/hint.md", "Call Invoke-Sql.\n"),
        ("hints/sql/hint.yaml", "name: sql\ndescription: runs SQL\nsystem_prompt_injection: for reports\n"),
    ])
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn names(run: &Run) -> Vec<String> {
    let found = json(run);
    let hints = found["hints"].as_array().expect("a list");
    hints.iter().map(|hint| hint["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn l01_hints_are_files_of_the_library_and_named_after_them() {
    let repo = repo();
    let all = ["library-usage-sqlite-wrapper", "new-project-setup-nextjs", "writing-claude-md"];
    assert_eq!(names(&repo.run(&["search", "--list", "--format", "json"])), all);
    repo.write("hintlint.toml", "[library]\npaths = [\"docs/*.md\"]\n");
    assert_eq!(names(&repo.run(&["search", "--list", "--format", "json"])), ["other"]);
}

#[test]
fn l02_the_listing_is_sorted_and_says_what_each_hint_is_for() {
    let repo = repo();
    let run = repo.run(&["search", "--list"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(run.stdout, @r"
    Found 3 hint file(s):

    1. library-usage-sqlite-wrapper
       How to make SQL queries with the SQLite wrapper

    2. new-project-setup-nextjs
       How to set up a new Next.js web project
       Relevant for: Setting up a new Next.js project from scratch, creating a Next.js site

    3. writing-claude-md
       Guidelines for writing CLAUDE.md
    ");
    assert_eq!(repo.run(&["list-all-hints", "-v"]).stdout, run.stdout, "the original's name for it");
    insta::assert_snapshot!(repo.run(&["list-all-hints"]).stdout, @r#"
    Found 3 hint file(s):

    1. library-usage-sqlite-wrapper
    2. new-project-setup-nextjs
    3. writing-claude-md

    Use --verbose to see descriptions and relevance criteria.
    Use "hintlint show-hints" to see full content of all hints.
    "#);
    let listed = json(&repo.run(&["search", "--list", "--format", "json"]));
    assert_eq!(
        listed["hints"][0],
        serde_json::json!({
            "name": "library-usage-sqlite-wrapper",
            "description": "How to make SQL queries with the SQLite wrapper",
            "relevant_for": null,
            "path": "src/hints/deep/library-usage-sqlite-wrapper.md",
            "kind": "hint",
        })
    );
    assert_eq!(Repo::with_files([("a", "b")]).run(&["search", "--list"]).stdout, "No hint files found.\n");
}

#[test]
fn l03_the_output_has_the_forms_of_the_original() {
    let repo = repo();
    let run = repo.run(&["search", "How do I set up a Next.js project?"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(run.stdout, @r"
    Found 1 relevant hint file(s):

    1. new-project-setup-nextjs

    Use --show-content to display the full content of the hints.
    ");
    assert_eq!(repo.run(&["search-hints", "How do I set up a Next.js project?"]).stdout, run.stdout);
    let rule = "=".repeat(80);
    let expected = format!(
        "Found 2 relevant hint file(s):\n\n1. library-usage-sqlite-wrapper\n2. new-project-setup-nextjs\n\n{rule}\n\n\
         Hint 1: library-usage-sqlite-wrapper\n\n{SQLITE}\n\n{}\n\nHint 2: new-project-setup-nextjs\n\n{NEXTJS}\n",
        "-".repeat(80)
    );
    assert_eq!(repo.run(&["search", "sqlite queries nextjs", "-c"]).stdout, expected, "each file is printed whole");
    assert_eq!(repo.run(&["search", "sqlite queries nextjs", "--limit", "1"]).stdout.matches(". ").count(), 1);
    let none = repo.run(&["search", "bake a cake"]);
    assert_eq!((none.code, none.stdout.as_str()), (0, "No relevant hints found for your query.\n"));
    let rule = "─".repeat(80);
    assert_eq!(
        repo.run(&["show-hints", "set up Next.js", "-l", "1"]).stdout,
        format!(
            "Found 1 relevant hint file(s):\n\n{rule}\n\nHint: new-project-setup-nextjs\nHow to set up a new Next.js web \
             project\nRelevant for: Setting up a new Next.js project from scratch, creating a Next.js site\n\n{rule}\n\
             ## How to set up\n\n- Use the latest version\n{rule}\n\n"
        )
    );
}

#[test]
fn l03_l07_switches_are_checked() {
    let repo = repo();
    for wrong in [
        &["search", "x", "-t", "1.5"][..],
        &["search", "x", "-t", "hot"],
        &["search", "x", "-l", "many"],
        &["search", "x", "--kind", "book"],
        &["search"],
        &["search", "--list", "x"],
    ] {
        assert_eq!(repo.run(wrong).code, 2, "{wrong:?}");
    }
    repo.write("hintlint.toml", "[search]\nprovider = \"olama\"\n");
    let run = repo.run(&["search", "x"]);
    assert!(run.code == 2 && run.stderr.contains("did you mean \"ollama\"?"), "{run:?}");
}

#[test]
fn l08_an_empty_question_is_an_error() {
    for empty in ["", "  "] {
        let run = repo().run(&["search", empty]);
        assert!(run.code == 2 && run.stderr.contains("Search query is required"), "{run:?}");
    }
}

#[test]
fn l01_every_source_has_the_same_library() {
    let repo = repo();
    let listed = |args: &[&str]| names(&repo.run(&[&["search", "--list", "--format", "json"], args].concat()));
    let head = listed(&["--rev", "HEAD"]);
    assert_eq!(head.len(), 3);
    repo.write("src/hints/staged.md", "---\ndescription: staged\n---\n").add();
    repo.write("src/hints/unstaged.md", "---\ndescription: unstaged\n---\n");
    assert_eq!(listed(&["--rev", "HEAD"]), head);
    assert_eq!(listed(&["--staged"]).len(), 4);
    assert_eq!(listed(&[]).len(), 5);
    let skills = |args: &[&str]| listed(&[&["--kind", "skill"], args].concat());
    repo.write(".agents/skills/new/SKILL.md", "---\nname: new\ndescription: d\n---\n");
    assert_eq!((skills(&["--rev", "HEAD"]).len(), skills(&["--staged"]).len(), skills(&[]).len()), (1, 1, 2));
    let plain = Repo::plain_folder();
    plain.write("src/hints/a.md", "---\ndescription: outside git\n---\n");
    assert_eq!(names(&plain.run(&["search", "--list", "--format", "json"])), ["a"]);
}

#[test]
fn l02_skills_packages_and_rules_are_found_like_hints() {
    let repo = repo();
    for kind in ["skill", "package", "rule"] {
        let run = repo.run(&["search", "sql", "--kind", kind, "--format", "json"]);
        let found = json(&run);
        assert_eq!((names(&run), found["hints"][0]["kind"].as_str()), (vec!["sql".to_owned()], Some(kind)), "{run:?}");
    }
    let package = json(&repo.run(&["search", "--list", "--kind", "package", "--format", "json"]));
    assert_eq!(package["hints"][0]["description"], "runs SQL");
    assert_eq!(package["hints"][0]["path"], "hints/sql/hint.md");
}

#[cfg(unix)]
#[test]
fn l01_links_are_followed_inside_the_repository_only() {
    let repo = repo();
    repo.symlink("src/hints/linked.md", "../../docs/other.md");
    repo.symlink("src/hints/outside.md", "/etc/passwd");
    repo.symlink("src/hints/dangling.md", "none.md");
    let run = repo.run(&["search", "--list", "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(names(&run).contains(&"linked".to_owned()) && names(&run).len() == 4, "{run:?}");
}

#[test]
fn l10_names_that_say_too_little_and_names_of_two_hints_are_reported() {
    let hint = "---\ndescription: d\n---\n\n# T\n";
    let paths = ["x/writing-a.md", "y/writing-a.md", "My_Hint.md", "plain.md"];
    let repo = Repo::with_files(paths.map(|path| (format!("src/hints/{path}"), hint.to_owned())));
    let run = repo.run(&["--min-level", "info", "--format", "concise"]);
    assert!(run.stdout.contains("src/hints/y/writing-a.md:1:1: warning[duplicate-hint-name]"), "{run:?}");
    assert!(run.stdout.contains("src/hints/My_Hint.md:1:1: info[hint-name-style]"), "{run:?}");
    assert!(!run.stdout.contains("plain.md"), "a name without a prefix is fine: {run:?}");
}

#[test]
fn l09_found_hints_are_read_by_the_path_they_were_listed_with() {
    let hint = |path: &str, text: &str| CatalogueEntry::new(path.into(), CatalogueKind::Hint, text.as_bytes().into());
    let catalogue = Catalogue::new(vec![
        hint("src/hints/deep/er/b.md", "---\ndescription: brewing tea\n---\nB\n"),
        hint("src/hints/a.md", "---\ndescription: brewing coffee\n---\nA\n"),
    ]);
    let found = FoundHints::from(search(&catalogue, "tea", &SearchOptions::default()));
    assert_eq!((found.names(), found.count(), found.has_hints()), (vec!["b"], 1, true));
    assert_eq!(found.content("b").as_deref(), Ok("---\ndescription: brewing tea\n---\nB\n"));
    assert_eq!(found.content("a").unwrap_err().to_string(), "no hint `a` was found");
    let named = FoundHints::of_names(&catalogue, ["b", "c", "a", "b"]);
    assert_eq!(named.names(), ["b", "a"]);
    assert_eq!(named.concatenated().split("\n\n---\n\n").count(), 2);
    assert_eq!(named.limited(1).contents().len(), 1);
}

#[test]
fn a_hostile_library_is_listed_and_searched() {
    let repo = repo();
    repo.write("src/hints/bad.md", b"---\ndescription: \"sql \\e[31m\xff\"\n---\n\xff\xfe sql\n");
    repo.write("src/hints/deep.md", format!("---\ndescription: {}\n---\n", "[".repeat(5000)));
    repo.write("src/hints/long.md", format!("---\ndescription: {} sql\n---\n", "x".repeat(100_000)));
    repo.write("src/hints/empty.md", "");
    repo.write("src/hints/::error::x\u{1b}.md", "---\ndescription: sql ::error::x\n---\n");
    let list = repo.run(&["search", "--list"]);
    assert_eq!(list.code, 0);
    let found = repo.run(&["search", "sql"]);
    assert_eq!(found.code, 0);
    for run in [&list, &found] {
        assert!(!run.stdout.contains('\u{1b}') && !run.stdout.lines().any(|line| line.starts_with("::")), "{run:?}");
    }
    assert_eq!(repo.run(&["search", &"sql ".repeat(20_000)]).code, 0);
    assert_eq!(repo.run(&["search", "\u{202e}\u{1}?!"]).stdout, "No relevant hints found for your query.\n");
}

/// The figures of the sets below which search may not fall: recall@5, MRR, and wrong answers to questions without one.
const BARS: [(&str, f64, f64, usize); 24] = [
    ("hints", 0.98, 0.96, 0),
    ("hints-new", 0.99, 0.96, 0),
    ("hints-held", 0.99, 0.93, 1),
    ("hints-third", 0.97, 0.94, 0),
    ("hints-last", 0.94, 0.86, 0),
    ("hints-fourth", 0.95, 0.93, 2),
    ("hints-sealed", 0.92, 0.86, 0),
    ("hints-sixth", 0.88, 0.81, 1),
    ("hints-seventh", 0.97, 0.90, 0),
    ("hints-eighth", 0.80, 0.69, 0),
    ("hints-ninth", 0.97, 0.93, 1),
    ("skills", 0.97, 0.96, 0),
    ("skills-new", 0.97, 0.95, 0),
    ("skills-held", 0.97, 0.91, 2),
    ("skills-third", 0.94, 0.88, 2),
    ("skills-last", 0.96, 0.92, 1),
    ("skills-fourth", 0.99, 0.95, 1),
    ("skills-sealed", 0.97, 0.92, 3),
    ("skills-sixth", 0.90, 0.84, 2),
    ("skills-seventh", 0.99, 0.99, 2),
    ("skills-eighth", 0.95, 0.88, 3),
    ("skills-ninth", 0.95, 0.96, 2),
    ("borrowed", 0.60, 0.45, 0),
    ("quoted", 0.51, 0.41, 0),
];

#[test]
fn l06_l13_questions_are_answered_as_well_as_ever() {
    let Some(sets) = quality::measure() else {
        return crate::clients::skip("the corpus is not beside the checkout; the quality of search was not measured");
    };
    for (set, (name, recall, mrr, wrong)) in sets.iter().zip(BARS) {
        assert_eq!((set.name, set.questions >= 8), (name, true), "{set:#?}");
        assert!(set.recall_at_5 >= recall && set.mrr >= mrr && set.wrong <= wrong, "{set:#?}");
    }
    let asked: usize = sets[..22].iter().map(|set| set.questions + set.unanswerable).sum();
    assert!(asked >= 60 + 5 + 150 + 180 + 150, "only {asked} questions were asked");
}
