//! What `missing-import` offers: the name that history knows, the same name in another case, or the one file of that name.

use crate::support::Repo;

/// Ten lines that tell a file from every other.
fn text(name: &str) -> String {
    (0..10).map(|line| format!("{name} says {line}\n")).collect()
}

/// What the fixes make of `CLAUDE.md` in `dir`: the safe ones, and all of them.
fn fixed(repo: &Repo, path: &str) -> [String; 2] {
    let before = repo.read(path);
    ["--fix", "--unsafe-fixes"].map(|option| {
        repo.run(&["--select", "missing-import", option]);
        let after = String::from_utf8(repo.read(path)).expect("UTF-8");
        repo.write(path, &before);
        after
    })
}

#[test]
fn names_from_history() {
    let repo = Repo::with_files([
        ("docs/a.md".to_owned(), text("a")),
        ("docs/b.md".to_owned(), text("b")),
        ("old/deep/c.md".to_owned(), text("c")),
        ("docs/gone.md".to_owned(), text("gone")),
        (
            "app/CLAUDE.md".to_owned(),
            "@../docs/a.md\n\n@../docs/b.md#part\n\n@../old/deep/c.md\n\n@../docs/gone.md\n".to_owned(),
        ),
    ]);
    for (from, to) in [("docs/a.md", "docs/a2.md"), ("docs/a2.md", "app/a3.md"), ("old", "new")] {
        repo.git(&["mv", from, to]);
        repo.commit("move");
    }
    repo.write("docs/b2.md", text("b") + "more\n")
        .remove("docs/b.md")
        .remove("docs/gone.md")
        .commit("change and delete");
    let [safe, all] = fixed(&repo, "app/CLAUDE.md");
    // A chain of moves keeps the content; a move with a change may be meant otherwise; what is gone stays as it is.
    assert_eq!(safe, "@a3.md\n\n@../docs/b.md#part\n\n@../new/deep/c.md\n\n@../docs/gone.md\n");
    assert_eq!(all, "@a3.md\n\n@../docs/b2.md#part\n\n@../new/deep/c.md\n\n@../docs/gone.md\n");
    let told = repo.run(&["--select", "missing-import", "--format", "json", "--rev", "HEAD"]).stdout;
    assert!(
        told.contains("it was renamed to app/a3.md (commit ") && told.contains("it was deleted (commit "),
        "{told}"
    );
}

#[test]
fn case_and_unique_names() {
    let repo = Repo::with_files([
        ("CLAUDE.md", "@Docs/Guide.md\n\n@./style.md\n\n@twice.md\n\n@rewritten.md\n".to_owned()),
        ("docs/guide.md", text("guide")),
        ("handbook/style.md", text("style")),
        ("one/twice.md", text("one")),
        ("two/twice.md", text("two")),
        ("rewritten.md", text("before")),
    ]);
    repo.remove("rewritten.md").write("docs/rewritten.md", text("something else")).commit("rewrite");
    let [safe, all] = fixed(&repo, "CLAUDE.md");
    assert_eq!(safe, "@docs/guide.md\n\n@./style.md\n\n@twice.md\n\n@rewritten.md\n");
    assert_eq!(all, "@docs/guide.md\n\n@./handbook/style.md\n\n@twice.md\n\n@docs/rewritten.md\n");
}

#[test]
fn what_is_staged_counts_before_what_is_committed() {
    let repo = Repo::with_files([("CLAUDE.md", "@docs/a.md\n".to_owned()), ("docs/a.md", text("a"))]);
    repo.git(&["mv", "docs/a.md", "docs/b.md"]);
    let told = repo.run(&["--staged", "--select", "missing-import", "--format", "concise"]);
    assert_eq!(told.code, 1, "{told:?}");
    let [safe, _] = fixed(&repo, "CLAUDE.md");
    assert_eq!(safe, "@docs/b.md\n");
}

#[test]
fn a_path_from_the_root_is_written_from_its_file() {
    let repo = Repo::with_files([
        ("app/ui/CLAUDE.md", "@app/ui/rules.md\n\n@docs/a.md\n"),
        ("app/api/CLAUDE.md", "@app/api/rules.md\n"),
        ("app/ui/rules.md", "Rules of the interface.\n"),
        ("app/api/rules.md", "Rules of the interface of programs.\n"),
        ("docs/a.md", "A.\n"),
    ]);
    repo.commit("imports");
    let run = repo.run(&["--select", "missing-import", "--format", "concise"]);
    let want = "`@app/api/rules.md` and 2 more are written from the root, and imports count from the file that holds them (3 places)";
    assert!(run.stdout.contains(want), "{run:?}");
    let [safe, all] = fixed(&repo, "app/ui/CLAUDE.md");
    assert_eq!(safe, "@app/ui/rules.md\n\n@docs/a.md\n");
    assert_eq!(all, "@rules.md\n\n@../../docs/a.md\n");
}
