//! Each type of `src` has a name of its own, so that a reader need not ask for its module.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names that stand twice, because one of the two files is compiled: for another system, or without a feature.
const ALTERNATIVES: &[&[&str]] =
    &[&["library/llm/http.rs", "library/llm/no_http.rs"], &["write/folder.rs", "write/folder_by_path.rs"]];

/// The name of the type that the line declares. Associated types are indented, and name no new type.
fn declared(line: &str) -> Option<&str> {
    let words = line.trim_start();
    let words = match words.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1.trim_start(),
        Some(rest) => rest.trim_start(),
        None => words,
    };
    let (keyword, rest) = words.split_once(' ')?;
    let is_type =
        matches!(keyword, "struct" | "enum" | "trait" | "union") || (keyword == "type" && !line.starts_with(' '));
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (is_type && !name.is_empty()).then_some(name)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.extend(path.extension().is_some_and(|extension| extension == "rs").then_some(path)),
        }
    }
}

#[test]
fn a_declaration_is_recognised() {
    for (line, name) in [
        ("pub(in crate::rules) enum Verdict<'a> {", Some("Verdict")),
        ("    struct Inner;", Some("Inner")),
        ("type Pair = (u8, u8);", Some("Pair")),
        ("    type Value = ();", None),
        ("// struct Comment {", None),
        ("structure of a file", None),
    ] {
        assert_eq!(declared(line), name, "{line}");
    }
}

#[test]
fn no_two_types_share_a_name() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut by_name) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
    files(&src, &mut found);
    found.sort();
    for file in &found {
        let text = std::fs::read_to_string(file).expect("the file can be read");
        let file = file.strip_prefix(&src).expect("it is below src").to_string_lossy().replace('\\', "/");
        for name in text.lines().filter_map(declared) {
            by_name.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    assert!(by_name.len() > 500, "only {} types were found", by_name.len());
    by_name.retain(|_, files| {
        files.len() > 1 && !ALTERNATIVES.contains(&files.iter().map(String::as_str).collect::<Vec<_>>().as_slice())
    });
    assert!(by_name.is_empty(), "name each for what it is: {by_name:#?}");
}
