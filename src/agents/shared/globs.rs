//! Globs over paths as the agents' JavaScript libraries read them, and listing what lies below a directory.

use crate::parse::braces;
use crate::world::{AbsPath, FileType, World};
use globset::{GlobBuilder, GlobMatcher};

/// Directories deeper than this are not listed.
const MAX_DEPTH: usize = 64;
/// More files, and more directories, than this are not listed.
const MAX_FILES: usize = 100_000;

/// A glob in which `*` and `?` stay within a component and `**` does not. A leading `!` turns it round, and a `./` before the
/// pattern does not count.
pub(crate) struct PathGlob {
    matcher: GlobMatcher,
    negated: bool,
    /// Whether wildcards match names that begin with a dot.
    dot: bool,
    pattern: String,
}

impl PathGlob {
    /// `None` for a pattern that is refused or cannot be compiled, which matches nothing.
    pub(crate) fn new(pattern: &str, dot: bool) -> Option<PathGlob> {
        if braces::refusal(pattern).is_some() {
            return None;
        }
        let positive = pattern.trim_start_matches('!');
        let negated = (pattern.len() - positive.len()) % 2 == 1;
        let positive = positive.strip_prefix("./").unwrap_or(positive);
        let matcher = GlobBuilder::new(positive).literal_separator(true).build().ok()?.compile_matcher();
        Some(PathGlob { matcher, negated, dot, pattern: positive.to_owned() })
    }

    /// Whether it matches the whole of `path`, `/` between components.
    pub(crate) fn matches(&self, path: &str) -> bool {
        self.matches_positive(path) != self.negated
    }

    fn matches_positive(&self, path: &str) -> bool {
        if !self.matcher.is_match(path) {
            return false;
        }
        // A component that begins with a dot must be spelled out in the pattern.
        self.dot
            || path.split('/').filter(|part| part.starts_with('.')).all(|part| {
                self.pattern.split('/').any(|spelled| {
                    spelled.starts_with('.')
                        && part.starts_with(&spelled[..spelled.find(['*', '?', '[', '{']).unwrap_or(spelled.len())])
                })
            })
    }
}

/// The files below `dir`, in bytewise order of their paths. Links are followed if `links`, each real directory once.
pub(crate) fn files_below(world: &dyn World, dir: &AbsPath, links: bool) -> Vec<AbsPath> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    let mut listed = 0;
    let mut stack = vec![(dir.clone(), 0)];
    while let Some((dir, depth)) = stack.pop() {
        listed += 1;
        if depth > MAX_DEPTH || found.len() > MAX_FILES || listed > MAX_FILES {
            continue;
        }
        if links {
            let Ok(real) = world.real_path(&dir) else { continue };
            if seen.contains(&real) {
                continue;
            }
            seen.push(real);
        }
        for entry in world.read_dir(&dir) {
            let path = dir.join(&entry.name);
            let kind = if entry.kind == FileType::Link && links { world.file_type(&path) } else { Some(entry.kind) };
            match kind {
                Some(FileType::File) => found.push(path),
                Some(FileType::Directory) => stack.push((path, depth + 1)),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// The files below `dir` in the order in which the world lists them, links followed, each real directory once. The files of a
/// directory come where it stands among its neighbours.
pub(crate) fn files_below_as_listed(world: &dyn World, dir: &AbsPath) -> Vec<AbsPath> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    let mut stack = vec![(dir.clone(), FileType::Directory, 0)];
    while let Some((path, kind, depth)) = stack.pop() {
        match if kind == FileType::Link { world.file_type(&path) } else { Some(kind) } {
            Some(FileType::File) => found.push(path),
            Some(FileType::Directory) if depth <= MAX_DEPTH && found.len() <= MAX_FILES && seen.len() <= MAX_FILES => {
                let Ok(real) = world.real_path(&path) else { continue };
                if seen.contains(&real) {
                    continue;
                }
                seen.push(real);
                let entries = world.read_dir_as_listed(&path);
                stack.extend(entries.iter().rev().map(|entry| (path.join(&entry.name), entry.kind, depth + 1)));
            }
            _ => {}
        }
    }
    found
}

/// The files in `dir`, and below it if `deep`, in the order in which JavaScript's `glob` finds them: those of a directory before
/// those of its directories, from the last that the file system lists to the first. A repository alone gives them sorted. Links
/// to directories are not followed.
pub(crate) fn files_as_globbed(world: &dyn World, dir: &AbsPath, deep: bool) -> Vec<AbsPath> {
    let mut found = Vec::new();
    let mut dirs = std::collections::VecDeque::from([(dir.clone(), 0)]);
    let mut listed = 0;
    while let Some((dir, depth)) = dirs.pop_front() {
        listed += 1;
        if depth > MAX_DEPTH || found.len() > MAX_FILES || listed > MAX_FILES {
            continue;
        }
        let mut entries = world.read_dir_as_listed(&dir);
        if world.virtual_root().is_none() {
            entries.reverse();
        }
        for entry in entries {
            let path = dir.join(&entry.name);
            match entry.kind {
                FileType::Directory if deep => dirs.push_back((path, depth + 1)),
                FileType::Directory => {}
                _ if world.is_file(&path) => found.push(path),
                _ => {}
            }
        }
    }
    found
}

/// Cut at commas that stand outside braces; trimmed, without empty pieces.
pub(crate) fn split_commas(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let (mut depth, mut from) = (0_i64, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                pieces.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[from..]);
    pieces.into_iter().map(str::trim).filter(|piece| !piece.is_empty()).map(str::to_owned).collect()
}

/// Whether a pattern, in which `*` stands for anything, slashes too, matches a whole text.
pub(in crate::agents) fn matches_stars(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_braces_part_nothing() {
        assert_eq!(split_commas("docs/**, *.{js,tsx},"), ["docs/**", "*.{js,tsx}"]);
    }

    #[test]
    fn wildcards_do_not_match_dots_unless_told() {
        let check =
            |pattern: &str, dot: bool, path: &str| PathGlob::new(pattern, dot).is_some_and(|glob| glob.matches(path));
        assert!(check("**/*.ts", false, "a/b.ts") && check("**/*.ts", false, "b.ts"));
        assert!(!check("*.ts", false, "a/b.ts"));
        assert!(!check("**/*.ts", false, ".a/b.ts") && check("**/*.ts", true, ".a/b.ts"));
        assert!(check(".a/*.ts", false, ".a/b.ts"));
        assert!(check("./src/**", true, "src/a") && !check("/src/**", true, "src/a"));
        assert!(check("!src/**", true, "lib/a") && !check("!src/**", true, "src/a"));
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name) in [("a", "a"), ("go*", "good"), ("*", ""), ("*o*d", "good"), ("*pup*", "my-puppeteer")] {
            assert!(matches_stars(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a", "ab"), ("go*", "ago"), ("*a", "ab"), ("a*a", "a"), ("", "a")] {
            assert!(!matches_stars(pattern, name), "{pattern} {name}");
        }
    }
}
