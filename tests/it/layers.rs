//! The layers: each folder or file of `src` uses only those that stand above it in the map at the top of `src/lib.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Arrows that still point down the map. The list only shrinks: an arrow that is gone must leave it.
const OPEN: &[(&str, &str)] = &[("workspace", "compile")];

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The folders and files of the map, in its order.
fn map(lib: &str) -> Vec<String> {
    let cell = |line: &str| {
        let mut cells = line.strip_prefix("//! | ")?.split(" | ");
        let (_layer, name) = (cells.next()?, cells.next()?);
        let name = name.split_once("[`")?.1.split_once("`]")?.0;
        Some(name.to_owned())
    };
    lib.lines().filter_map(cell).collect()
}

/// All Rust files below `folder`, with their paths relative to `src`.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            rust_files(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.push(entry.strip_prefix(src()).expect("a file of src").to_owned());
        }
    }
}

/// The folder or file of `src` that a file belongs to.
fn part_of(file: &Path) -> String {
    let first = file.components().next().expect("a name").as_os_str().to_str().expect("UTF-8");
    first.strip_suffix(".rs").unwrap_or(first).to_owned()
}

/// What `code` names right after `crate::`, also in braces, outside comments.
fn named(code: &str) -> Vec<String> {
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + found.len()..];
        match rest.strip_prefix('{') {
            None => names.push(word(rest)),
            Some(list) => {
                let (mut depth, mut begins) = (0, true);
                for (at, c) in list.char_indices() {
                    match c {
                        '}' if depth == 0 => break,
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        ',' if depth == 0 => begins = true,
                        c if begins && !c.is_whitespace() => {
                            names.push(word(&list[at..]));
                            begins = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

#[test]
fn no_arrow_points_down_the_map() {
    let map = map(&std::fs::read_to_string(src().join("lib.rs")).expect("lib.rs"));
    let rank: BTreeMap<&str, usize> = map.iter().enumerate().map(|(rank, name)| (name.as_str(), rank)).collect();
    assert_eq!(rank.len(), map.len(), "a part stands in the map twice: {map:?}");
    let mut files = Vec::new();
    rust_files(&src(), &mut files);
    files.retain(|file| !["lib.rs", "main.rs"].iter().any(|root| file == Path::new(root)));
    let parts: BTreeSet<String> = files.iter().map(|file| part_of(file)).collect();
    assert_eq!(parts, map.iter().cloned().collect(), "the map in src/lib.rs names what is in src, and nothing else");
    let mut down: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for file in &files {
        let part = part_of(file);
        for name in named(&std::fs::read_to_string(src().join(file)).expect("a file")) {
            let Some(to) = rank.get(name.as_str()) else {
                panic!("{}: crate::{name} is not in the map", file.display())
            };
            if *to > rank[part.as_str()] {
                down.entry((part.clone(), name)).or_default().push(file.display().to_string());
            }
        }
    }
    for &(from, to) in OPEN {
        let known = down.remove(&(from.to_owned(), to.to_owned()));
        assert!(known.is_some(), "no code of {from} uses {to} any more: take the pair out of the list");
    }
    assert!(down.is_empty(), "these use what stands below them in the map: {down:#?}");
}

#[test]
fn every_way_to_name_a_module_is_read() {
    let code = "use crate::a::{b, c};\n// crate::no\nfn f(x: crate::d::E) -> $crate::no { other_crate::no }\n\
                use crate::{\n    g::{h, i},\n    j,\n};\nuse crate::k;";
    assert_eq!(named(code), ["a", "d", "g", "j", "k"]);
    let lib = "//! | layer | folder or file | owns |\n//! | --- | --- | --- |\n//! | base | [`base`] | x |\n\
               //! | bytes | [`env`](mod@env) | y |\n//! * [`no`]\npub mod a;";
    assert_eq!(map(lib), ["base", "env"]);
}
