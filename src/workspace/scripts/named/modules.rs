//! Which modules of the repository a script in JavaScript, TypeScript or Python loads by its own text: relative paths in `require` and
//! `import`, and modules of Python that stand beside the script. Packages and computed names are not followed.

use super::{FileBytes, MAX_NAMED};
use crate::base::path::{self, RepoPath};
use std::collections::BTreeSet;

/// Longer scripts are bundles, whose modules are inside.
const MAX_BYTES: usize = 256 << 10;
const JAVASCRIPT: [&str; 6] = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];
/// What stands before the path of a module.
const LOADERS: [&str; 4] = ["require(", "import(", "from ", "import "];

/// The modules that `script` loads, and those that these load.
pub(super) fn loaded_by(script: &RepoPath, has: &dyn Fn(&[u8]) -> bool, read: FileBytes<'_>) -> BTreeSet<RepoPath> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![script.clone()]);
    while let Some(script) = waiting.pop() {
        let name = script.to_str_lossy().into_owned();
        let is_python = name.ends_with(".py");
        if !is_python && !JAVASCRIPT.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let Some(bytes) = read(script.as_bytes()).filter(|bytes| bytes.len() <= MAX_BYTES) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let places: Vec<Vec<u8>> = match is_python {
            true => python_modules(&text).into_iter().map(|module| format!("{module}.py").into_bytes()).collect(),
            false => text.lines().flat_map(relative_paths).map(|path| path.as_bytes().to_vec()).collect(),
        };
        for place in places {
            let Some(place) = path::resolve(script.parent(), &place) else { continue };
            let candidates = if is_python { of_python(place) } else { spellings(&place) };
            let module = candidates.into_iter().find(|path| has(path)).map(RepoPath::new);
            if let Some(module) =
                module.filter(|_| found.len() < MAX_NAMED).filter(|module| found.insert(module.clone()))
            {
                waiting.push(module);
            }
        }
    }
    found.remove(script);
    found
}

/// The relative paths of modules that a line of JavaScript loads. Types are not loaded.
fn relative_paths(line: &str) -> Vec<&str> {
    let line = line.trim_start();
    let is_code = !line.starts_with("//") && !line.starts_with('*') && !line.starts_with("/*");
    if !is_code || line.starts_with("import type ") || line.starts_with("export type ") {
        return Vec::new();
    }
    let path_after = |at: usize, loader: &str| {
        let is_word = line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        let rest = line[at + loader.len()..].trim_start();
        let quote = rest.chars().next().filter(|quote| !is_word && matches!(quote, '"' | '\''))?;
        let path = rest[1..].split_once(quote)?.0;
        (path.starts_with("./") || path.starts_with("../")).then_some(path)
    };
    LOADERS
        .iter()
        .flat_map(|loader| line.match_indices(loader).map(move |(at, _)| (at, *loader)))
        .filter_map(|(at, loader)| path_after(at, loader))
        .collect()
}

/// The paths that a path of JavaScript may mean, the likeliest first.
fn spellings(place: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(place).into_owned();
    let mut all = vec![text.clone()];
    // TypeScript names what it becomes.
    for (end, own) in [(".js", ".ts"), (".mjs", ".mts"), (".cjs", ".cts")] {
        all.extend(text.strip_suffix(end).map(|stem| format!("{stem}{own}")));
    }
    all.extend(JAVASCRIPT.map(|end| format!("{text}{end}")));
    all.extend(JAVASCRIPT.map(|end| format!("{text}/index{end}")));
    all.into_iter().map(String::into_bytes).collect()
}

/// A module's file, or the file that is loaded of a package.
fn of_python(place: Vec<u8>) -> Vec<Vec<u8>> {
    let package = path::join(place.strip_suffix(b".py").unwrap_or(&place), b"__init__.py");
    vec![place, package]
}

/// The modules that a script in Python loads, as paths without their end. A name behind `import` may be a module of the package or
/// something in it, so both are told.
fn python_modules(text: &str) -> Vec<String> {
    let (mut found, mut lines) = (Vec::new(), text.lines());
    while let Some(line) = lines.next() {
        let line = without_comment(line);
        if let Some((module, names)) = line.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
            let mut names = names.trim_start_matches('(').to_owned();
            if line.contains('(') && !line.contains(')') {
                let inner = lines.by_ref().map(without_comment).take(MAX_NAMED);
                let inner: Vec<&str> = inner.take_while(|line| !line.starts_with(')')).collect();
                names.extend(inner.iter().flat_map(|line| [line, ","]));
            }
            found.extend(from_package(module.trim(), &names));
        } else if let Some(rest) = line.strip_prefix("import ") {
            let names = rest.split(',').filter_map(|name| name.split_whitespace().next());
            found.extend(names.filter(|name| is_module(name)).map(|name| name.replace('.', "/")));
        }
    }
    found
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

fn is_module(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_part)
}

/// A module, and the names in it that may be modules of their own. Each dot before it but the first leads up by one folder.
fn from_package(module: &str, names: &str) -> Vec<String> {
    let below = module.trim_start_matches('.');
    let up = "../".repeat((module.len() - below.len()).saturating_sub(1));
    if !below.is_empty() && !is_module(below) {
        return Vec::new();
    }
    let below = below.replace('.', "/");
    let names = names.split(',').filter_map(|name| name.trim_end_matches(')').split_whitespace().next());
    let names = names.filter(|name| is_module(name) && !name.contains('.'));
    let folder = if below.is_empty() { up.clone() } else { format!("{up}{below}/") };
    let inner = names.map(|name| format!("{folder}{name}"));
    let own = Some(format!("{up}{below}")).filter(|_| !below.is_empty());
    own.into_iter().chain(inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_by_their_text() {
        for (line, expected) in [
            ("const a = require('./a');", &["./a"][..]),
            ("import a, { b } from \"../lib/a.js\"; import './b.mjs'", &["../lib/a.js", "./b.mjs"]),
            ("  const a = await import(\"./a.ts\");", &["./a.ts"]),
            ("// require('./a')", &[]),
            (" * import './a'", &[]),
            ("import type { A } from './a';", &[]),
            ("import fs from 'node:fs'; my_require('./a'); require(name)", &[]),
        ] {
            let mut found = relative_paths(line);
            found.sort_unstable();
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn modules_of_python_are_named_by_their_text() {
        for (text, expected) in [
            ("import os, lib.a as a", &["os", "lib/a"][..]),
            ("from .b import c", &["b", "b/c"]),
            ("from . import a, b as c  # ours", &["a", "b"]),
            ("from .. import a", &["../a"]),
            ("from ..lib.b import (", &["../lib/b"]),
            ("from lib import (\n    a,  # one\n    b as c,\n)\nimport os", &["lib", "lib/a", "lib/b", "os"]),
            ("from lib import (a, b)", &["lib", "lib/a", "lib/b"]),
            ("from lib import *", &["lib"]),
            ("x = 'import y'\n# from . import z", &[]),
        ] {
            assert_eq!(python_modules(text), expected, "{text}");
        }
    }
}
