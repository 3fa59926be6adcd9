//! The requirements named G: what the dialect `gemini-2025` loads.

use crate::tree::Tree;

const OLD: [&str; 2] = ["--agent", "gemini-2025"];

/// The test tree of the original.
fn original() -> Tree {
    Tree::new(&[
        ("home/.gemini/GEMINI.md", "Global"),
        ("p/.git/", ""),
        ("p/GEMINI.md", "Project Root"),
        ("p/src/GEMINI.md", "Source Level"),
        ("p/src/moduleA/GEMINI.md", "Module A"),
        ("p/other/", ""),
        ("plain/", ""),
    ])
}

#[test]
fn g01_missing_files_are_silent_and_unreadable_ones_a_warning() {
    let tree = Tree::new(&[("p/.git/", ""), ("p/GEMINI.md", "P"), ("p/a/GEMINI.md/", "")]);
    let output = tree.run("p/a", &OLD);
    assert_eq!((tree.text(&output.stdout), tree.text(&output.stderr)), ("P".into(), String::new()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let tree = Tree::new(&[("p/.git/", ""), ("p/GEMINI.md", "P"), ("p/a/GEMINI.md", "A")]);
        let path = tree.path("p/GEMINI.md");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("it is ours");
        // The superuser reads everything, so that there is nothing to warn about.
        if std::fs::read(&path).is_err() {
            let output = tree.run("p/a", &OLD);
            assert_eq!(tree.text(&output.stdout), "A");
            assert!(tree.text(&output.stderr).contains("warning: {ROOT}/p/GEMINI.md: permission denied"));
        }
    }
}

#[test]
fn g02_general_before_specific_and_bounded_outside_git() {
    let tree = original();
    assert_eq!(tree.show("p/src", &OLD), "Global\n\nProject Root\n\nSource Level");
    let file = Tree::new(&[("p/.git", "gitdir: x"), ("GEMINI.md", "above"), ("p/GEMINI.md", "P"), ("p/a/", "")]);
    assert_eq!(file.show("p/a", &OLD), "P");
    let below_home = Tree::new(&[("home/GEMINI.md", "never"), ("home/w/GEMINI.md", "W"), ("home/w/x/GEMINI.md", "X")]);
    assert_eq!(below_home.show("home/w/x", &OLD), "W\n\nX");
    let global = Tree::new(&[("home/.gemini/GEMINI.md", "Global"), ("home/.gemini/x/", "")]);
    assert_eq!(global.show("home/.gemini/x", &OLD), "Global");
}

#[test]
fn g03_contents_are_verbatim() {
    let tree = Tree::new(&[
        ("p/.git/", ""),
        ("p/GEMINI.md", " a @x.md\n"),
        ("p/x.md", "X"),
        ("p/b/GEMINI.md", ""),
        ("p/b/c/GEMINI.md", "c\n"),
    ]);
    assert_eq!(tree.show("p/b/c", &OLD), " a @x.md\n\n\nc\n");
    assert_eq!(Tree::new(&[("e/.git/", "")]).show("e", &OLD), "");
}

#[cfg(unix)]
#[test]
fn g04_links_are_resolved() {
    let tree = Tree::new(&[
        ("p/.git/", ""),
        ("actual.md", "Actual"),
        ("p/GEMINI.md", "->../actual.md"),
        ("far/GEMINI.md", "Far"),
        ("p/near", "->../far"),
    ]);
    assert_eq!(tree.show("p", &OLD), "Actual");
    // A linked directory is where its target is, as the working directory of a process is.
    assert_eq!(tree.show("p/near", &OLD), "Far");
}

#[test]
fn g05_verbose_tells_each_path() {
    let tree = original();
    let told = tree.text(&tree.run("p/other", &["--agent", "gemini-2025", "-v"]).stderr);
    for line in [
        "directory: {ROOT}/p/other",
        "root: {ROOT}/p",
        "{ROOT}/home/.gemini/GEMINI.md: loaded",
        "{ROOT}/p/GEMINI.md: loaded",
        "{ROOT}/p/other/GEMINI.md: not there",
        "main: 20 bytes: Global\\n\\nProject Root",
    ] {
        assert!(told.lines().any(|found| found == line), "{line} is not in\n{told}");
    }
}

#[test]
fn g06_the_tree_of_the_original() {
    let tree = original();
    assert_eq!(tree.show("p/src/moduleA", &OLD), "Global\n\nProject Root\n\nSource Level\n\nModule A");
    assert_eq!(tree.show("p/other", &OLD), "Global\n\nProject Root");
    assert_eq!(tree.show("plain", &OLD), "Global");
    assert_eq!(tree.show("plain", &["--agent", "gemini-2025", "--no-user"]), "");
}

#[test]
fn g07_the_placement_is_told() {
    let tree = original();
    let told: serde_json::Value =
        serde_json::from_str(&tree.show("p", &["--agent", "gemini-2025", "--format", "json"])).expect("JSON");
    assert_eq!(told["placement"], "prepended to the system prompt");
    assert_eq!(told["parts"][0]["text"], "Global\n\nProject Root");
}
