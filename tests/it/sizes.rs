//! How long files and functions of `src` may be. Both limits are DESIGN's; each exception says why it stands.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Most lines of a file, tests' own files apart.
const FILE: usize = 400;

/// Most lines between the braces of a function.
const FUNCTION: usize = 60;

/// What may be longer: a file, or a file and its function, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("base/characters/tables.rs", "", "generated from the data of Unicode"),
    ("report/contexts/tests.rs", "a_comment_is_escaped", "one inline snapshot"),
    ("report/json.rs", "the_contract", "one inline snapshot"),
    ("report/sarif/tests.rs", "a_log", "one inline snapshot"),
    ("workspace/mentions/stance/tests.rs", "what_a_text_says_is_not_there", "one list of sentences"),
];

/// A function as rustfmt writes it.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    /// Where it begins, counted from 1.
    line: usize,
    /// The lines between its braces.
    body: usize,
}

/// The functions of `text` that have a body, those inside others included.
fn functions(text: &str) -> Vec<Function> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = declared(line.trim_start()) else { continue };
        // rustfmt ends the signature's last line with the brace, and closes it on a line of the declaration's own indent.
        let indent = &line[..line.len() - line.trim_start().len()];
        let rest = lines[at..].iter().map(|line| line.trim_end());
        let Some(opens) = rest.clone().position(|line| line.ends_with(['{', ';', '}'])) else { continue };
        if !lines[at + opens].trim_end().ends_with('{') {
            continue;
        }
        let closing = format!("{indent}}}");
        let body = rest.skip(opens + 1).position(|line| line == closing);
        let body = body.unwrap_or_else(|| panic!("`{name}` on line {} has no end", at + 1));
        found.push(Function { name: name.to_owned(), line: at + 1, body });
    }
    found
}

/// The name of the function that the line declares.
fn declared(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_qualifier = |word: &str| {
        word.starts_with("pub")
            || word.ends_with(')')
            || ["async", "const", "extern", "unsafe", "\"C\""].contains(&word)
    };
    let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (before.split_whitespace().all(is_qualifier) && !name.is_empty()).then_some(name)
}

/// All Rust files below `folder`.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            rust_files(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry);
        }
    }
}

/// Whether a file holds nothing but tests.
fn is_of_tests(path: &str) -> bool {
    path.split('/').any(|part| ["tests", "tests.rs", "testing.rs"].contains(&part))
}

#[test]
fn files_and_functions_are_short() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let mut long: BTreeSet<(String, String)> = BTreeSet::new();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file can be read");
        let path = file.strip_prefix(&src).expect("it lies there").to_string_lossy().into_owned();
        let mut report = |name: &str, what: String| {
            long.insert((path.clone(), name.to_owned()));
            if !EXCEPTIONS.iter().any(|(file, known, _)| (*file, *known) == (&path, name)) {
                wrong.push(what);
            }
        };
        let lines = text.lines().count();
        if lines > FILE && !is_of_tests(&path) {
            report("", format!("src/{path} has {lines} lines; the limit is {FILE}"));
        }
        for Function { name, line, body } in functions(&text) {
            seen += 1;
            if body > FUNCTION {
                report(&name, format!("src/{path}:{line}: `{name}` has {body} lines; the limit is {FUNCTION}"));
            }
        }
    }
    assert!(seen > 3000, "only {seen} functions were found");
    assert!(wrong.is_empty(), "split by meaning:\n{}", wrong.join("\n"));
    let unused: Vec<_> =
        EXCEPTIONS.iter().filter(|(file, name, _)| !long.contains(&((*file).into(), (*name).into()))).collect();
    assert!(unused.is_empty(), "exceptions that nothing needs: {unused:#?}");
}

#[test]
fn every_form_of_a_function_is_measured() {
    let of = |lines: usize| "    x();\n".repeat(lines);
    let text = format!(
        "//! fn no() {{\npub(in crate::a) const unsafe fn one() {{\n{}}}\n\nimpl A {{\n    pub fn two<T>(\n        a: u8,\n    ) -> \
         u8\n    where\n        T: B,\n    {{\n{}    }}\n\n    fn none(&self);\n    fn short() {{}}\n}}\n\nfn three() {{\n    \
         fn four() {{\n{}    }}\n    let f: fn(u8) = g;\n}}\n",
        of(61),
        of(60),
        of(3)
    );
    let found = functions(&text);
    let found: Vec<_> = found.iter().map(|function| (function.name.as_str(), function.body)).collect();
    assert_eq!(found, [("one", 61), ("two", 60), ("three", 6), ("four", 3)]);
    assert!(is_of_tests("a/b/tests.rs") && is_of_tests("a/tests/b.rs") && !is_of_tests("a/tests_of.rs"));
}
