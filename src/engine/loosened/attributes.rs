//! Lines of `.gitattributes` that hide a hint file from reviews: its difference is not shown, is folded away, or is one of other
//! bytes than those that agents read.

use std::collections::BTreeSet;

use ignore::gitignore::Gitignore;

use super::{JudgedState, Loosening};
use crate::base::path::{RepoPath, bytes_to_os_path};
use crate::config::patterns::patterns;
use crate::source::EntryKind;

const NAME: &[u8] = b".gitattributes";

/// So many files that one line hides are named.
const NAMED: usize = 3;

/// Lines of one file that are looked at.
const MAX_LINES: usize = 10_000;

/// The lines that `before` did not have.
pub(super) fn hiding(before: &JudgedState<'_>, after: &JudgedState<'_>) -> Vec<Loosening> {
    let listing = after.source.listing();
    let files = listing.iter().filter(|entry| entry.kind == EntryKind::File);
    let files = files.map(|entry| entry.path).filter(|path| crate::base::path::file_name(path) == NAME);
    let files: Vec<RepoPath> = files.map(RepoPath::new).collect();
    let mut found = Vec::new();
    for (path, text) in files.iter().zip(after.source.read_many(&files)) {
        let Ok(text) = text else { continue };
        let old = before.source.read(path).unwrap_or_else(|_| b"".as_slice().into());
        if old == text {
            continue;
        }
        let known: BTreeSet<&[u8]> = lines(&old).collect();
        let macros = macros(&text);
        for (number, line) in lines(&text).enumerate().take(MAX_LINES) {
            let was_there = known.contains(line) && !uses(line, &macros);
            let Some(rule) = Some(line).filter(|_| !was_there).and_then(|line| Hiding::of(path, line, &macros)) else {
                continue;
            };
            let hidden = after.workspace.documents.iter().map(|document| &document.path);
            let hidden: Vec<&RepoPath> = hidden.filter(|path| rule.covers(path)).collect();
            if let Some(what) = rule.told(&hidden) {
                found.push(Loosening { path: path.clone(), line: number + 1, what });
            }
        }
    }
    found
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii)
}

/// Whether an attribute keeps a review from showing a file as it is.
fn hides(attribute: &str, macros: &BTreeSet<String>) -> bool {
    let (name, value) = attribute.split_once('=').unwrap_or((attribute, "true"));
    match name {
        "-diff" | "binary" => true,
        "diff" => value == "false",
        "linguist-generated" => value != "false",
        "filter" | "working-tree-encoding" => attribute.contains('='),
        name => macros.contains(name),
    }
}

/// The macros that a file defines and that hide what they are given to.
fn macros(text: &[u8]) -> BTreeSet<String> {
    let mut macros = BTreeSet::new();
    for line in lines(text).take(MAX_LINES) {
        let line = String::from_utf8_lossy(line);
        let Some((name, attributes)) = line.strip_prefix("[attr]").and_then(|rest| rest.split_once([' ', '\t'])) else {
            continue;
        };
        if attributes.split_ascii_whitespace().any(|attribute| hides(attribute, &macros)) {
            macros.insert(name.to_owned());
        }
    }
    macros
}

/// Whether a line gives a file one of the macros, which may be new where the line is not.
fn uses(line: &[u8], macros: &BTreeSet<String>) -> bool {
    !macros.is_empty()
        && String::from_utf8_lossy(line).split_ascii_whitespace().skip(1).any(|word| macros.contains(word))
}

/// A line that hides.
struct Hiding {
    attributes: Vec<String>,
    files: Gitignore,
}

impl Hiding {
    /// What a line of the file at `path` hides; `None` if nothing.
    fn of(path: &RepoPath, line: &[u8], macros: &BTreeSet<String>) -> Option<Hiding> {
        let line = String::from_utf8_lossy(line);
        let (pattern, rest) = match line.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').map(|(pattern, rest)| (pattern.replace('\\', ""), rest))?,
            None => line.split_once([' ', '\t']).map(|(pattern, rest)| (pattern.to_owned(), rest))?,
        };
        let is_pattern = !pattern.is_empty() && !pattern.starts_with(['#', '!']) && !pattern.starts_with("[attr]");
        let words = rest.split_ascii_whitespace().filter(|word| hides(word, macros));
        let attributes: Vec<String> = words.map(str::to_owned).collect();
        if attributes.is_empty() || !is_pattern {
            return None;
        }
        let folder = String::from_utf8_lossy(path.parent()).replace(['*', '?', '[', '\\'], "?");
        let inside = pattern.trim_start_matches('/');
        let anchored = match (folder.is_empty(), pattern.contains('/')) {
            (true, _) => pattern.clone(),
            (false, true) => format!("/{folder}/{inside}"),
            (false, false) => format!("/{folder}/**/{inside}"),
        };
        Some(Hiding { attributes, files: patterns([anchored]).ok()? })
    }

    fn covers(&self, path: &RepoPath) -> bool {
        self.files.matched(bytes_to_os_path(path.as_bytes()), false).is_ignore()
    }

    fn told(&self, hidden: &[&RepoPath]) -> Option<String> {
        let names: Vec<_> = hidden.iter().take(NAMED).map(|path| path.to_str_lossy()).collect();
        let more = hidden.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let what = format!("{} hides {}{more} from reviews", self.attributes.join(" "), names.join(", "));
        (!hidden.is_empty()).then_some(what)
    }
}
