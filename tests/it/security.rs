//! SECURITY.md names, for each promise, the tests that hold it. This file checks that they exist.

use std::path::{Path, PathBuf};

/// All Rust files below `folder`, with their texts.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source file");
            found.push((path, text));
        }
    }
    found
}

/// Whether `text` is the file of a test module called `name`, or holds a test of that name.
fn holds(path: &Path, text: &str, name: &str) -> bool {
    let file: String = path.with_extension("").to_string_lossy().replace('/', "::");
    let is_module = file == name || file.ends_with(&format!("::{name}"));
    let has_tests = text.contains("#[test]") || text.contains("mod tests;");
    let is_test = text.lines().any(|line| line.trim_start().starts_with(&format!("fn {name}(")));
    has_tests && (is_module || is_test)
}

#[test]
fn each_promise_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = [sources(&root.join("src")), sources(&root.join("tests"))].concat();
    let policy = include_str!("../../SECURITY.md");
    let rows: Vec<&str> = policy.lines().filter(|line| line.starts_with("| ") && line.contains('`')).collect();
    assert!(rows.len() > 10, "the table is read: {rows:?}");
    for row in rows {
        let names = row.trim_end_matches(" |").rsplit(" | ").next().expect("a last column");
        let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "a promise without a test: {row}");
        for name in names {
            assert!(sources.iter().any(|(path, text)| holds(path, text, name)), "no test is called {name}: {row}");
        }
    }
    assert!(!sources.iter().any(|(path, text)| holds(path, text, "no_such_test")));
}
