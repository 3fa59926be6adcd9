//! Functions, types and the like that a text says a source file has, and that no file of the repository has. Collected while loading:
//! first the named files are read, and all others only where one of those lacks what it is said to have.

mod said;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use aho_corasick::AhoCorasick;

use self::said::{SaidSymbol, said};
use super::versions::speaks_of_a_project;
use super::{Workspace, of_each};
use crate::base::path::{self, RepoPath};
use crate::base::text::{Span, edit_distance};
use crate::discover;
use crate::parse::Document;
use crate::source::{EntryKind, FileContent, Source};

/// A symbol that is in no file.
#[derive(Clone, Debug)]
pub(crate) struct UnknownSymbol {
    /// Where its name stands.
    pub(crate) span: Span,
    /// The file that is said to have it.
    pub(crate) file: RepoPath,
    /// The one symbol of that file that is spelt nearly so.
    pub(crate) near: Option<String>,
}

/// Those of all texts, by file and place.
pub(crate) type UnknownSymbols = BTreeMap<RepoPath, Vec<UnknownSymbol>>;

/// Named files that are read, at most, and files of a repository: in a larger one nothing is said.
const MAX_NAMED: usize = 400;
const MAX_FILES: usize = 6_000;

/// Lines of a file, at least, before it can lack anything.
const MIN_LINES: usize = 4;

/// Endings of source files.
const SOURCES: [&str; 38] = [
    "c", "cc", "clj", "cpp", "cs", "cu", "cuh", "dart", "ex", "exs", "fs", "gd", "go", "h", "hpp", "hs", "java", "js",
    "jsx", "kt", "lua", "m", "mjs", "ml", "mm", "php", "ps1", "py", "rb", "rs", "scala", "sol", "svelte", "swift",
    "ts", "tsx", "vue", "zig",
];

/// Whether `path` is that of a source file by its name.
pub(crate) fn is_source(path: &[u8]) -> bool {
    let name = path::file_name(path);
    let ending = memchr::memrchr(b'.', name).filter(|at| *at > 0).map(|at| &name[at + 1..]);
    ending.is_some_and(|ending| SOURCES.iter().any(|known| known.as_bytes() == ending))
}

/// All such symbols of the workspace's documents. Files on which the search panics go to `failed`.
pub(super) fn collect(source: &dyn Source, workspace: &Workspace, failed: &mut Vec<RepoPath>) -> UnknownSymbols {
    let documents: Vec<&Document> = workspace.in_focus().filter(|document| speaks_of_a_project(document)).collect();
    let found = of_each(&documents, |document| said(workspace, document));
    let mut open: Vec<(&Document, SaidSymbol)> = Vec::new();
    for (document, found) in documents.into_iter().zip(found) {
        match found {
            Some(found) => open.extend(found.into_iter().map(|said| (document, said))),
            None => failed.push(document.path.clone()),
        }
    }
    let lacking = lacking(source, &open);
    open.retain(|(_, said)| lacking.contains_key(&(said.file.clone(), said.name.clone())));
    let folders: BTreeSet<&[u8]> = open.iter().map(|(_, said)| part_of(said.file.as_bytes())).collect();
    let elsewhere =
        found_elsewhere(source, workspace, open.iter().map(|(_, said)| said.name.as_str()).collect(), &folders);
    let mut unknown = UnknownSymbols::new();
    for (document, said) in open.iter().filter(|(_, said)| !elsewhere.contains(said.name.as_str())) {
        let near = lacking.get(&(said.file.clone(), said.name.clone())).cloned().flatten();
        let symbol = UnknownSymbol { span: said.span, file: said.file.clone(), near };
        unknown.entry(document.path.clone()).or_default().push(symbol);
    }
    unknown
}

/// The symbols that their files lack, by file and name, each with the one that is spelt nearly so there. Each file is read once, and few
/// are in memory at a time.
fn lacking(source: &dyn Source, open: &[(&Document, SaidSymbol)]) -> BTreeMap<(RepoPath, String), Option<String>> {
    let mut by_file: BTreeMap<&RepoPath, BTreeSet<&str>> = BTreeMap::new();
    for (_, said) in open {
        by_file.entry(&said.file).or_default().insert(&said.name);
    }
    let by_file: Vec<(&RepoPath, BTreeSet<&str>)> = by_file.into_iter().take(MAX_NAMED).collect();
    let paths: Vec<RepoPath> = by_file.iter().map(|(path, _)| (*path).clone()).collect();
    let found: Mutex<BTreeMap<(RepoPath, String), Option<String>>> = Mutex::default();
    source.each_text(&paths, &|index, content| {
        let FileContent::Text(bytes) = content else { return };
        let text = String::from_utf8_lossy(&bytes);
        // What is empty, or a pointer to what is kept elsewhere, lacks everything.
        if text.lines().nth(MIN_LINES - 1).is_none() {
            return;
        }
        let (path, names) = &by_file[index];
        let Some(search) = NameSearch::new(names) else { return };
        search.look(&bytes);
        let has = search.found();
        let missing = names.iter().filter(|name| !has.contains(*name));
        let missing: Vec<_> = missing.map(|name| (((*path).clone(), (*name).to_owned()), near(&text, name))).collect();
        if let Ok(mut found) = found.lock() {
            found.extend(missing);
        }
    });
    found.into_inner().unwrap_or_default()
}

/// A search for names in all their spellings, by several threads, and which of them it has found.
struct NameSearch<'n> {
    /// The name of each pattern.
    names: Vec<&'n str>,
    search: AhoCorasick,
    seen: Vec<AtomicBool>,
}

impl<'n> NameSearch<'n> {
    /// For `names`; `None` if they are too many.
    fn new(names: &BTreeSet<&'n str>) -> Option<Self> {
        let spelt: Vec<(&str, String)> =
            names.iter().flat_map(|name| spellings(name).into_iter().map(move |spelling| (*name, spelling))).collect();
        let patterns = spelt.iter().map(|(_, spelling)| spelling);
        let search = AhoCorasick::builder().ascii_case_insensitive(true).build(patterns).ok()?;
        let names: Vec<&str> = spelt.iter().map(|(name, _)| *name).collect();
        let seen = names.iter().map(|_| AtomicBool::new(false)).collect();
        Some(NameSearch { names, search, seen })
    }

    fn look(&self, bytes: &[u8]) {
        for found in self.search.find_overlapping_iter(bytes) {
            self.seen[found.pattern().as_usize()].store(true, Ordering::Relaxed);
        }
    }

    fn found(&self) -> BTreeSet<&'n str> {
        let found = self.names.iter().zip(&self.seen).filter(|(_, seen)| seen.load(Ordering::Relaxed));
        found.map(|(name, _)| *name).collect()
    }
}

/// The name as it stands, and as other languages and files write it: `userId`, `user_id`, `userid`, `user-id`.
fn spellings(name: &str) -> [String; 4] {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut was_small = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && was_small {
            snake.push('_');
        }
        was_small = c.is_ascii_lowercase() || c.is_ascii_digit();
        snake.push(c.to_ascii_lowercase());
    }
    [name.to_ascii_lowercase(), snake.replace('_', ""), snake.replace('_', "-"), snake]
}

/// Those of `names` that another file of the repository has, in its text or as a part of its path; all of them where there are too many
/// files, or one cannot be read. What lies in the parts of the repository at `parts`, where most are, is read first.
fn found_elsewhere<'n>(
    source: &dyn Source,
    workspace: &Workspace,
    names: BTreeSet<&'n str>,
    parts: &BTreeSet<&[u8]>,
) -> BTreeSet<&'n str> {
    if names.is_empty() {
        return BTreeSet::new();
    }
    let is_text = |path: &&[u8]| !path::is_markdown(path) && !discover::is_vendored(path) && !is_of_no_code(path);
    let files = workspace.listing.iter().filter(|entry| entry.kind == EntryKind::File).map(|entry| entry.path);
    let files: Vec<RepoPath> = files.filter(is_text).map(RepoPath::new).take(MAX_FILES + 1).collect();
    let Some(search) = NameSearch::new(&names).filter(|_| files.len() <= MAX_FILES) else { return names };
    let unreadable = AtomicBool::new(false);
    for entry in workspace.listing.iter() {
        search.look(entry.path);
    }
    let (near, far): (Vec<RepoPath>, Vec<RepoPath>) =
        files.into_iter().partition(|path| parts.contains(part_of(path.as_bytes())));
    for group in [near, far] {
        if search.found().len() == names.len() {
            break;
        }
        source.each_text(&group, &|_, content| match content {
            FileContent::Text(bytes) => search.look(&bytes),
            FileContent::Binary => {}
            FileContent::Unreadable(_) => unreadable.store(true, Ordering::Relaxed),
        });
    }
    if unreadable.into_inner() { names } else { search.found() }
}

/// Folders with which the path of a part of a repository begins: `packages/core`.
const PART_DEPTH: usize = 2;

/// The part of the repository in which the file at `path` lies.
fn part_of(path: &[u8]) -> &[u8] {
    let mut ends = memchr::memchr_iter(b'/', path);
    let end = ends.nth(PART_DEPTH - 1).or_else(|| memchr::memchr(b'/', path));
    end.map_or(&[], |end| &path[..end])
}

/// Whether a file holds what no symbol is defined in: pictures, archives, locks of package managers.
fn is_of_no_code(path: &[u8]) -> bool {
    let endings: [&[u8]; 12] = [
        b".lock",
        b"-lock.json",
        b".svg",
        b".png",
        b".jpg",
        b".gif",
        b".pdf",
        b".zip",
        b".woff2",
        b".csv",
        b".snap",
        b"-lock.yaml",
    ];
    endings.iter().any(|ending| path.ends_with(ending))
}

/// Letters that may differ between a name and the one that was meant.
const MAX_SLIPS: usize = 2;

/// Bytes of a file that is looked through for names alike, at most.
const MAX_LOOKED_THROUGH: usize = 128 << 10;

/// The only word of `text` that is spelt nearly as `name`.
fn near(text: &str, name: &str) -> Option<String> {
    if text.len() > MAX_LOOKED_THROUGH {
        return None;
    }
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let alike = words.filter(|word| word.len().abs_diff(name.len()) <= MAX_SLIPS && word.len() > MAX_SLIPS * 2);
    let alike: BTreeSet<&str> = alike.filter(|word| edit_distance(word, name) <= MAX_SLIPS).collect();
    let mut alike = alike.into_iter();
    alike.next().filter(|_| alike.next().is_none()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::source::Memory;
    use crate::workspace::load;

    fn unknown(path: &str, text: &str, files: &[(&str, &str)]) -> Vec<String> {
        let source = Memory::of_files(files.iter().copied().chain([(path, text)]));
        let workspace = load(&source, Config::default(), &[]).unwrap().workspace;
        let found = workspace.unknown_symbols.values().flatten();
        found
            .map(|symbol| format!("{} {}", &text[symbol.span.range()], symbol.near.as_deref().unwrap_or("?")))
            .collect()
    }

    const SEED: (&str, &str) =
        ("internal/db/seed.go", "package db\n\nfunc SeedSuperAdmin(db *DB) {}\n\nfunc SeedTenants(db *DB) {}\n");

    #[test]
    fn what_a_file_is_said_to_have_and_nobody_has_is_told() {
        let of = |text: &str| unknown("AGENTS.md", text, &[SEED]);
        for text in [
            "- `internal/db/seed.go`: `SeedAdminUser(db, name)`\n",
            "### `internal/db`\n\n- `seed.go` holds `SeedTenants` and `SeedAdminUser`\n",
            "| `seed.go` | `db.SeedAdminUser()` seeds |\n",
        ] {
            assert_eq!(of(text), ["SeedAdminUser ?"], "{text}");
        }
        assert_eq!(of("- `seed.go` has `SeedTenent`\n"), ["SeedTenent SeedTenants"]);
    }

    #[test]
    fn what_is_anywhere_or_not_claimed_is_not() {
        let other = ("web/rows.ts", "export const seed_admin_user = 1;\n");
        let none: [&str; 0] = [];
        assert_eq!(unknown("AGENTS.md", "- `seed.go`: `SeedAdminUser`\n", &[SEED, other]), none);
        for text in [
            "- `seed.go`: `SeedTenants`, `seed_tenants`\n",
            "- `none.go`: `SeedAdminUser`\n",
            "- `SeedAdminUser` alone\n",
            "- `seed.go`: `SeedAdminUser` was removed\n",
            "- `seed.go`: add `SeedAdminUser`\n",
            "- `seed.go` has no `SeedAdminUser`; `seed.go`: no Go `SeedAdminUser`\n",
            "- Do not put `SeedAdminUser` into `seed.go`, or `seed.go` with `SeedAdminUser`\n",
            "## Planned\n\n- `seed.go`: `SeedAdminUser`\n",
            "```\n- `seed.go`: `SeedAdminUser`\n```\n",
        ] {
            assert_eq!(unknown("AGENTS.md", text, &[SEED]), none, "{text}");
        }
        let skill = "---\nname: a\ndescription: Does a.\n---\n- `seed.go`: `SeedAdminUser`\n";
        assert_eq!(unknown(".claude/skills/a/SKILL.md", skill, &[SEED]), none);
    }
}
