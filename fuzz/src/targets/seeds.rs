//! Seeds from the fixtures: whole repositories, and the texts of single files. Knows the layout of `tests/fixtures` (described in
//! `tests/it/fixtures.rs`) and of the inputs that once broke something (`tests/fuzz-regressions/TARGET/NAME.escaped`).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::archive::{Archive, Entry};

/// Larger files make slow seeds and show nothing that a smaller one does not.
const MAX_SEED: usize = 4096;

/// Every repository of the fixtures.
pub(crate) fn archives(fixtures: &Path) -> Vec<Archive> {
    let mut repositories = Vec::new();
    find_repositories(fixtures, &mut repositories);
    assert!(!repositories.is_empty(), "{} holds no fixtures", fixtures.display());
    repositories.iter().map(|folder| archive(folder)).filter(|archive| archive.to_bytes().len() <= MAX_SEED).collect()
}

fn find_repositories(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for path in sorted(folder).into_iter().filter(|path| path.is_dir() && !path.is_symlink()) {
        if path.file_name().is_some_and(|name| name == "repo") {
            found.push(path);
        } else {
            find_repositories(&path, found);
        }
    }
}

fn sorted(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// One repository of the fixtures.
fn archive(folder: &Path) -> Archive {
    let mut archive = Archive::default();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        for path in sorted(&at) {
            let name = path.strip_prefix(folder).expect("below").to_str().expect("a plain name");
            if let Ok(target) = fs::read_link(&path) {
                archive.add(name.as_bytes(), Entry::Link(target.as_os_str().as_encoded_bytes().to_vec()));
                continue;
            }
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).expect("a readable file");
            match (name.strip_suffix(".escaped"), name.strip_suffix(".link")) {
                (Some(name), _) => archive.add(name.as_bytes(), Entry::File(unescape(&bytes))),
                (None, Some(name)) => archive.add(name.as_bytes(), Entry::Link(bytes.trim_ascii().to_vec())),
                (None, None) => archive.add(name.as_bytes(), Entry::File(bytes)),
            }
        }
    }
    archive
}

/// The inputs that once broke a promise that `target` tests, by name; none if there is no folder for it.
pub(crate) fn regressions(folder: &Path, target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = folder.join(target);
    if !folder.is_dir() {
        return Vec::new();
    }
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, unescape(&fs::read(&path).expect("a readable file")))
    };
    sorted(&folder).into_iter().map(read).collect()
}

/// The bytes that a file with escapes (`\u{200b}`, `\xff`, `\r`, `\\`) stands for.
fn unescape(text: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(text).expect("escaped files are UTF-8");
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.extend_from_slice(plain.as_bytes());
        rest = match escape.as_bytes().first() {
            Some(b'u') => {
                let (digits, behind) = escape[2..].split_once('}').expect("a closing brace");
                let code = u32::from_str_radix(digits, 16).expect("hexadecimal digits");
                out.extend_from_slice(char::from_u32(code).expect("a scalar value").to_string().as_bytes());
                behind
            }
            Some(b'x') => {
                out.push(u8::from_str_radix(&escape[1..3], 16).expect("two hexadecimal digits"));
                &escape[3..]
            }
            Some(b'r') => {
                out.push(b'\r');
                &escape[1..]
            }
            _ => {
                out.push(b'\\');
                escape.strip_prefix('\\').unwrap_or(escape)
            }
        };
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

/// The distinct contents of the fixtures' files that `wanted` accepts by name and bytes.
fn contents(fixtures: &Path, wanted: &dyn Fn(&str, &[u8]) -> bool) -> Vec<Vec<u8>> {
    let archives = archives(fixtures);
    let entries = archives.iter().flat_map(|archive| &archive.entries);
    let found: BTreeSet<Vec<u8>> = entries
        .filter_map(|(path, entry)| match entry {
            Entry::File(bytes) if wanted(&path.to_str_lossy(), bytes) => Some(bytes.clone()),
            _ => None,
        })
        .collect();
    found.into_iter().collect()
}

/// The texts of Markdown files.
pub(crate) fn texts(fixtures: &Path, wanted: &dyn Fn(&[u8]) -> bool) -> Vec<Vec<u8>> {
    contents(fixtures, &|name, bytes| (name.ends_with(".md") || name.ends_with(".mdc")) && wanted(bytes))
}

/// The contents of files by their names.
pub(crate) fn files_named(fixtures: &Path, wanted: &dyn Fn(&str) -> bool) -> Vec<Vec<u8>> {
    contents(fixtures, &|name, _| wanted(name))
}
