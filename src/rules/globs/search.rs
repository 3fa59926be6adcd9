//! Whether any path of a listing matches a glob, asked for hundreds of globs over hundreds of thousands of paths. Reads the listing;
//! knows no document and no agent.
//!
//! A glob looks for its longest literal in one buffer of all paths, and only where that stands is the glob itself tried; the first
//! match ends the search. A literal directory at the beginning narrows the search to what is listed below it.

use std::ops::Range;
use std::sync::OnceLock;

use globset::{GlobBuilder, GlobMatcher};
use memchr::memmem;

use crate::path;
use crate::source::Listing;

/// Paths that are tried before all are copied into the buffer; most globs match one of the first.
const PROBED: usize = 64;
/// More alternatives than this are left to the glob's own matcher.
const MAX_ALTERNATIVES: usize = 64;

/// All paths in lower case, one per line, and where each begins.
struct Lower {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

/// A listing that globs are looked for in.
pub(super) struct Search<'l> {
    listing: &'l Listing,
    lower: OnceLock<Lower>,
}

impl<'l> Search<'l> {
    pub(super) fn new(listing: &'l Listing) -> Self {
        Search { listing, lower: OnceLock::new() }
    }

    /// Whether `glob` matches some path as a whole, without regard to case. `None` for a glob that cannot be compiled.
    pub(super) fn finds(&self, glob: &str) -> Option<bool> {
        // Compiled as it stands first: its alternatives could be valid where it is not.
        let whole = matcher(glob)?;
        if !glob.contains(is_special) {
            let path = glob.as_bytes();
            return Some(self.listing.contains(path) || !self.listing.ignoring_case(path).is_empty());
        }
        let found = match alternatives(glob) {
            Some(globs) => globs.iter().any(|glob| matcher(glob).is_some_and(|matcher| self.finds_one(glob, &matcher))),
            None => self.finds_one(glob, &whole),
        };
        Some(found)
    }

    fn finds_one(&self, glob: &str, matcher: &GlobMatcher) -> bool {
        let literal = longest_literal(glob);
        let directory = literal_directory(glob);
        let below = self.listing.below(directory.as_bytes());
        let everywhere = 0..self.listing.len();
        // The directory may be written in another case, so a search below it proves only that something is there.
        self.finds_within(below.clone(), literal, matcher)
            || (below != everywhere && self.finds_within(everywhere, literal, matcher))
    }

    fn finds_within(&self, range: Range<usize>, literal: &str, matcher: &GlobMatcher) -> bool {
        let matches = |index: usize| matcher.is_match(path::bytes_to_os_path(self.listing.entry(index).path));
        let probed = range.start + PROBED.min(range.len());
        if (range.start..probed).any(matches) {
            return true;
        }
        let range = probed..range.end;
        if literal.is_empty() || range.is_empty() {
            return range.into_iter().any(matches);
        }
        let Lower { bytes, starts } = self.lower.get_or_init(|| lower(self.listing));
        let literal = literal.to_ascii_lowercase();
        let finder = memmem::Finder::new(&literal);
        let (mut at, end) = (starts[range.start], starts[range.end]);
        while let Some(hit) = finder.find(&bytes[at..end]) {
            let index = starts.partition_point(|&start| start <= at + hit) - 1;
            if matches(index) {
                return true;
            }
            at = starts[index + 1];
        }
        false
    }
}

fn lower(listing: &Listing) -> Lower {
    let mut bytes = Vec::new();
    let mut starts = Vec::with_capacity(listing.len() + 1);
    for entry in listing.iter() {
        starts.push(bytes.len());
        bytes.extend(entry.path.iter().map(u8::to_ascii_lowercase));
        bytes.push(b'\n');
    }
    starts.push(bytes.len());
    Lower { bytes, starts }
}

fn matcher(glob: &str) -> Option<GlobMatcher> {
    let glob = GlobBuilder::new(glob).literal_separator(true).case_insensitive(true).build().ok()?;
    Some(glob.compile_matcher())
}

/// Whether a character means something else than itself in a glob, or might to some reader.
fn is_special(c: char) -> bool {
    matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!')
}

/// The directories with which a glob begins, up to the first that is more than a name.
fn literal_directory(glob: &str) -> &str {
    let literal = &glob[..glob.find(is_special).unwrap_or(glob.len())];
    &literal[..literal.rfind('/').unwrap_or(0)]
}

/// The longest run of ASCII characters that every match holds. Case is not folded beyond ASCII, so other characters end a run.
fn longest_literal(glob: &str) -> &str {
    let (mut longest, mut from) = ("", 0);
    let mut chars = glob.char_indices();
    let mut depth = 0_usize;
    while let Some((at, c)) = chars.next() {
        if !is_special(c) && c.is_ascii() && depth == 0 {
            continue;
        }
        if from < at && depth == 0 && at - from > longest.len() {
            longest = &glob[from..at];
        }
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '\\' => {
                chars.next();
            }
            '[' => {
                // A `]` that stands first is a member of the class.
                if chars.next().is_some_and(|(_, c)| matches!(c, '!' | '^')) {
                    chars.next();
                }
                while chars.next().is_some_and(|(_, c)| c != ']') {}
            }
            _ => {}
        }
        from = chars.clone().next().map_or(glob.len(), |(next, _)| next);
        // `**/a` matches `a`, `a/**` only what is below `a`: the slash belongs to the wildcard.
        if c == '*' && glob[from..].starts_with('/') {
            from += 1;
            chars.next();
        }
    }
    if depth == 0 && glob.len() - from.min(glob.len()) > longest.len() { &glob[from..] } else { longest }
}

/// A glob without braces for each way to choose among its alternatives. `None` where there are too many, or braces are escaped or
/// stand in a class, which the glob's own matcher knows better.
fn alternatives(glob: &str) -> Option<Vec<String>> {
    if glob.contains(['\\', '[']) {
        return None;
    }
    let mut done = Vec::new();
    let mut todo = vec![glob.to_owned()];
    while let Some(glob) = todo.pop() {
        let Some(open) = glob.find('{') else {
            done.push(glob);
            continue;
        };
        let (mut depth, mut from, mut parts, mut close) = (0_usize, open + 1, Vec::new(), None);
        for (at, byte) in glob.bytes().enumerate().skip(open) {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 1 => {
                    close = Some(at);
                    break;
                }
                b'}' => depth -= 1,
                b',' if depth == 1 => {
                    parts.push(&glob[from..at]);
                    from = at + 1;
                }
                _ => {}
            }
        }
        let close = close?;
        parts.push(&glob[from..close]);
        if done.len() + todo.len() + parts.len() > MAX_ALTERNATIVES {
            return None;
        }
        todo.extend(parts.iter().map(|part| format!("{}{part}{}", &glob[..open], &glob[close + 1..])));
    }
    Some(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_in_every_match() {
        for (glob, literal, directory) in [
            ("src/**/*.test.ts", ".test.ts", "src"),
            ("packages/foo/**", "packages/foo/", "packages/foo"),
            ("**/node_modules/**", "node_modules/", ""),
            ("**/Makefile", "Makefile", ""),
            ("*", "", ""),
            ("a[/]b/cd?e", "b/cd", ""),
            ("x[]y]long/z", "long/z", ""),
            ("x[!]y]long/z", "long/z", ""),
            ("{aaaa,bbbb}/c", "/c", ""),
            ("日本/ab*", "/ab", "日本"),
            ("a\\*bc", "bc", ""),
            ("a/b*/c", "a/b", "a"),
            ("a/**/b", "a/", "a"),
        ] {
            assert_eq!((longest_literal(glob), literal_directory(glob)), (literal, directory), "{glob}");
        }
    }

    #[test]
    fn braces_are_opened_up() {
        let sorted = |glob: &str| {
            let mut globs = alternatives(glob)?;
            globs.sort();
            Some(globs)
        };
        assert_eq!(sorted("a.{b,c{d,e}}").unwrap(), ["a.b", "a.cd", "a.ce"]);
        assert_eq!(sorted("{,x}y").unwrap(), ["xy", "y"]);
        assert_eq!(sorted(&"{a,b}".repeat(10)), None);
        assert_eq!(sorted("\\{a,b}"), None);
    }

    #[test]
    fn the_search_agrees_with_the_matcher() {
        let paths = [
            "Makefile",
            "src/a.ts",
            "src/Deep/b.TSX",
            "src/x.test.js",
            "docs/日本/É.md",
            ".github/w/ci.yml",
            "a/b[1].txt",
            "lib/node_modules/p/i.js",
        ];
        let listing = Listing::of_files(paths);
        let search = Search::new(&listing);
        for glob in [
            "makefile",
            "**/makefile",
            "src/*.ts",
            "SRC/*.TS",
            "src/*.tsx",
            "src/**/*.tsx",
            "**/*.test.{js,ts}",
            "**/É.md",
            "**/é.md",
            "docs/**",
            "docs/*",
            ".github/**/*.yml",
            "a/b[[]1[]].txt",
            "a/b\\[1\\].txt",
            "**/node_modules/**",
            "node_modules/**",
            "{lib,x}/**/i.js",
            "{lib,x}/i.js",
            "?akefile",
            "**",
            "*",
            "nope/**",
            "**/*.rs",
            "src/deep/*",
            "**/{a,b}.{ts,tsx}",
            "src/[a-c].ts",
            "src/[!a].ts",
        ] {
            let whole = matcher(glob).unwrap();
            let want = paths.iter().any(|path| whole.is_match(path));
            assert_eq!(search.finds(glob), Some(want), "{glob}");
        }
        assert_eq!(search.finds("src/[a"), None);
        assert_eq!(Search::new(&Listing::default()).finds("**"), Some(false));
    }
}
