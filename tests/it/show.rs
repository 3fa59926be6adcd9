//! `hintlint show`: arguments, listings and the classes of the golden vectors in variations that no vector has.

use crate::tree::Tree;

#[test]
fn parts_are_titled_and_the_touched_file_adds_one() {
    let tree = Tree::new(&[
        ("home/.gemini/GEMINI.md", "u"),
        ("r/.git/", ""),
        ("r/GEMINI.md", "m"),
        ("r/a/GEMINI.md", "t"),
        ("r/a/x.c", ""),
    ]);
    let frame = |path: &str, text: &str| {
        format!("--- Context from: {{ROOT}}/{path} ---\n{text}\n--- End of Context from: {{ROOT}}/{path} ---")
    };
    let user = frame("home/.gemini/GEMINI.md", "u");
    let (main, touch) = (frame("r/GEMINI.md", "m"), frame("r/a/GEMINI.md", "t"));
    let all = format!("==> user <==\n{user}\n==> main <==\n{main}\n==> touch <==\n{touch}");
    assert_eq!(tree.show("r", &["--agent", "gemini", "--file", "r/a/x.c"]), all);
    assert_eq!(tree.show("r", &["--agent", "gemini", "--no-user"]), main);
}

#[test]
fn wrong_arguments_are_exit_two() {
    let tree = Tree::new(&[]);
    for args in [
        &["--agent", "nobody"][..],
        &["--agent", "codex", "--part", "touch"],
        &["--agent", "codex", "--agent-option", "x"],
    ] {
        assert_eq!(tree.run(".", args).status.code(), Some(2), "{args:?}");
    }
    assert_eq!(tree.run("nowhere", &["--agent", "codex"]).status.code(), Some(2));
}

#[test]
fn the_table_crosses_agents_and_files() {
    let tree = Tree::new(&[("r/.git/", ""), ("r/AGENTS.md", "a"), ("r/p/CLAUDE.md", "c"), ("r/p/x.c", "")]);
    let table = tree.show("r", &["--file", "r/p/x.c"]);
    let row = |name: &str| {
        table
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let column = |agent: &str| {
        table.lines().next().unwrap_or_default().split_whitespace().position(|id| id == agent).map(|at| at + 1)
    };
    let cell = |name: &str, agent: &str| column(agent).and_then(|at| row(name).get(at).cloned()).unwrap_or_default();
    assert_eq!(cell("AGENTS.md", "codex"), "start");
    assert_eq!(cell("p/CLAUDE.md", "claude"), "touch");
    assert_eq!(cell("p/CLAUDE.md", "codex"), "-");
}

#[test]
fn sources_tell_what_was_cut_and_what_was_lost() {
    let line = "x".repeat(99) + "\n";
    let tree = Tree::new(&[("r/.git/", ""), ("r/AGENTS.md", &line.repeat(400)), ("r/a/AGENTS.md", "lost")]);
    let told = tree.show("r/a", &["--agent", "codex", "--sources"]);
    assert!(told.contains("r/AGENTS.md: 40000 bytes, 400 lines, about 10000 tokens, project, cut in line 328 after 32768 bytes (7232 lost)"), "{told}");
    assert!(told.contains("not loaded: {ROOT}/r/a/AGENTS.md: the budget of 32768 bytes is spent"), "{told}");
}

/// The reasons of the tokens that import nothing, in order.
fn reasons(agent: &str, cwd: &str, files: &[(&str, &str)]) -> Vec<String> {
    let tree = Tree::new(files);
    tree.write("r/.git/", "");
    let told: serde_json::Value =
        serde_json::from_str(&tree.show(cwd, &["--agent", agent, "--format", "json"])).expect("JSON");
    let skipped = told["skipped"].as_array().expect("a list");
    let tokens = skipped.iter().filter(|skipped| skipped["token"] != "");
    tokens
        .map(|skipped| {
            format!(
                "{} {}",
                skipped["token"].as_str().unwrap_or_default(),
                skipped["reason"].as_str().unwrap_or_default()
            )
        })
        .collect()
}

#[test]
fn tokens_that_import_nothing_have_a_reason() {
    let files = [
        ("r/CLAUDE.md", "@a.md, @n.mdx `@a.md` @gone.md @../out.md @d"),
        ("r/a.md", "A"),
        ("r/n.mdx", "N"),
        ("out.md", "O"),
        ("r/d/x", ""),
    ];
    let found = reasons("claude", "r", &files);
    assert_eq!(
        found,
        ["a.md, punctuation", "n.mdx extension", "a.md code", "gone.md missing", "../out.md outside", "d directory"]
    );
    let files = [("r/CLAUDE.md", "@docs/x.md"), ("r/docs/x.md", "X"), ("r/s/", "")];
    assert_eq!(reasons("claude", "r/s", &files), ["docs/x.md outside"]);
    let chain = [
        ("r/GEMINI.md", "@1.md @a.md"),
        ("r/a.md", "@b.md"),
        ("r/b.md", "@c.md"),
        ("r/c.md", "@d.md"),
        ("r/d.md", "@e.md"),
        ("r/e.md", "@f.md"),
    ];
    assert_eq!(reasons("gemini", "r", &chain), ["f.md too-deep"]);
    let ignored = [("r/AGENTS.md", "@build.md @.git/HEAD"), ("r/build.md", "B"), ("r/.gitignore", "build.md\n")];
    assert_eq!(reasons("goose", "r", &ignored), ["build.md ignored", ".git/HEAD refused"]);
}

#[test]
fn spans_of_imports_point_into_the_file() {
    let text = "---\na: b\n---\n\nsee @x.md\n";
    let tree = Tree::new(&[("r/.git/", ""), ("r/CLAUDE.md", text), ("r/x.md", "X")]);
    let told: serde_json::Value =
        serde_json::from_str(&tree.show("r", &["--agent", "claude", "--format", "json"])).expect("JSON");
    let by = &told["layers"][1]["imported_by"];
    let at = |key: &str| by[key].as_u64().and_then(|n| usize::try_from(n).ok()).expect("a number");
    assert_eq!(&text[at("start")..at("end")], "@x.md");
}
