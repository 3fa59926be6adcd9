//! Whether any path of a listing matches a glob, asked for hundreds of globs over hundreds of thousands of paths. Reads the listing;
//! knows no document and no agent.
//!
//! A glob looks for its rarest literal in one buffer of all paths, and only where all its literals stand is the glob itself tried;
//! the first match ends the search. A literal directory at the beginning narrows the search to what is listed below it.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobMatcher};
use memchr::memmem;

use crate::base::path;
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
pub(crate) struct GlobSearch<'l> {
    listing: &'l Listing,
    lower: OnceLock<Lower>,
}

impl<'l> GlobSearch<'l> {
    pub(crate) fn new(listing: &'l Listing) -> Self {
        GlobSearch { listing, lower: OnceLock::new() }
    }

    /// Whether `glob` matches some path as a whole, without regard to case. `None` for a glob that cannot be compiled.
    pub(crate) fn finds(&self, glob: &str) -> Option<bool> {
        if self.finds_ending(glob) {
            return Some(true);
        }
        // Read as it stands first: its alternatives could be valid where it is not.
        let whole = LazyMatcher::new(glob)?;
        if !glob.contains(is_special) {
            let path = glob.as_bytes();
            return Some(self.listing.contains(path) || !self.listing.ignoring_case(path).is_empty());
        }
        let found = match alternatives(glob) {
            Some(globs) if globs != [glob] => {
                globs.iter().any(|glob| LazyMatcher::new(glob).is_some_and(|matcher| self.finds_one(glob, &matcher)))
            }
            _ => self.finds_one(glob, &whole),
        };
        Some(found)
    }

    /// Whether one of the first paths matches a glob of the most common kind, a directory and an ending: `src/**/*.ts`. To compile
    /// it would take longer.
    pub(crate) fn finds_ending(&self, glob: &str) -> bool {
        let Some((above, ending)) = glob.split_once("**/*") else { return false };
        let directory = above.strip_suffix('/').unwrap_or(above);
        let is_plain = !above.contains(is_special) && !ending.contains(is_special) && !ending.contains('/');
        if !is_plain || !above.is_empty() && (directory.is_empty() || directory.len() == above.len()) {
            return false;
        }
        let below = self.listing.below(directory.as_bytes());
        below.take(PROBED).any(|index| {
            let path = self.listing.entry(index).path;
            path.len().checked_sub(ending.len()).is_some_and(|at| path[at..].eq_ignore_ascii_case(ending.as_bytes()))
        })
    }

    fn finds_one(&self, glob: &str, matcher: &LazyMatcher) -> bool {
        let needle = Needle::new(glob);
        let below = self.listing.below(needle.directory.as_bytes());
        // A directory that is there as written is the one that is meant; else it may be there in another case.
        let range = if below.is_empty() { 0..self.listing.len() } else { below };
        self.finds_within(range, &needle, matcher)
    }

    fn finds_within(&self, range: Range<usize>, needle: &Needle<'_>, matcher: &LazyMatcher) -> bool {
        let matches = |index: usize| matcher.is_match(self.listing.entry(index).path);
        let may_match = |index: &usize| needle.may_match(&self.listing.entry(*index).path.to_ascii_lowercase());
        let probed = range.start + PROBED.min(range.len());
        if (range.start..probed).filter(may_match).any(matches) {
            return true;
        }
        let range = probed..range.end;
        let Some(rarest) = needle.rarest().filter(|_| !range.is_empty()) else { return range.into_iter().any(matches) };
        let Lower { bytes, starts } = self.lower.get_or_init(|| lower(self.listing));
        let finder = memmem::Finder::new(rarest);
        let (mut index, mut at, end) = (range.start, starts[range.start], starts[range.end]);
        while let Some(hit) = finder.find(&bytes[at..end]) {
            while starts[index + 1] <= at + hit {
                index += 1;
            }
            at = starts[index + 1];
            if needle.may_match(&bytes[starts[index]..at - 1]) && matches(index) {
                return true;
            }
        }
        false
    }
}

/// A glob that is compiled when a path may match it.
struct LazyMatcher {
    glob: Glob,
    compiled: OnceCell<GlobMatcher>,
}

impl LazyMatcher {
    fn new(glob: &str) -> Option<Self> {
        Some(LazyMatcher { glob: parsed(glob)?, compiled: OnceCell::new() })
    }

    fn is_match(&self, path: &[u8]) -> bool {
        self.compiled.get_or_init(|| self.glob.compile_matcher()).is_match(path::bytes_to_os_path(path))
    }
}

/// What every match of a glob holds, so that most paths are told from it without the glob.
struct Needle<'g> {
    /// The directories with which the glob begins, up to the first that is more than a name.
    directory: &'g str,
    /// Runs of ASCII characters in lower case, in the order in which they stand.
    literals: Vec<String>,
    /// How many of the first literals only repeat `directory`.
    implied: usize,
    /// Whether every match ends with the last one.
    to_the_end: bool,
}

impl<'g> Needle<'g> {
    fn new(glob: &'g str) -> Self {
        let directory = literal_directory(glob);
        let runs = literals(glob);
        Needle {
            directory,
            implied: runs.iter().take_while(|run| !directory.is_empty() && run.end <= directory.len() + 1).count(),
            to_the_end: runs.last().is_some_and(|run| run.end == glob.len()),
            literals: runs.iter().map(|run| glob[run.clone()].to_ascii_lowercase()).collect(),
        }
    }

    /// The literal that fewest paths may hold: the longest, of those that say more than the directory if there are any.
    fn rarest(&self) -> Option<&str> {
        let telling = self.literals.get(self.implied..).filter(|telling| !telling.is_empty()).unwrap_or(&self.literals);
        telling.iter().max_by_key(|literal| literal.len()).map(String::as_str)
    }

    /// Whether a path in lower case holds all literals, in their order.
    fn may_match(&self, path: &[u8]) -> bool {
        if self.to_the_end && self.literals.last().is_some_and(|last| !path.ends_with(last.as_bytes())) {
            return false;
        }
        let mut rest = path;
        self.literals.iter().all(|literal| match memmem::find(rest, literal.as_bytes()) {
            Some(at) => {
                rest = &rest[at + literal.len()..];
                true
            }
            None => false,
        })
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

/// What matches as `glob` does here.
#[cfg(any(test, feature = "server"))]
pub(crate) fn matcher(glob: &str) -> Option<GlobMatcher> {
    Some(parsed(glob)?.compile_matcher())
}

fn parsed(glob: &str) -> Option<Glob> {
    GlobBuilder::new(glob).literal_separator(true).case_insensitive(true).build().ok()
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

/// The runs of ASCII characters that every match holds. Case is not folded beyond ASCII, so other characters end a run.
fn literals(glob: &str) -> Vec<Range<usize>> {
    let (mut runs, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    let mut chars = glob.char_indices();
    while let Some((at, c)) = chars.next() {
        if !is_special(c) && c.is_ascii() {
            continue;
        }
        if depth == 0 {
            runs.push(from..at);
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
    if depth == 0 {
        runs.push(from..glob.len());
    }
    runs.retain(|run| !run.is_empty());
    runs
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
        for (glob, want, rarest, directory) in [
            ("src/**/*.test.ts", "src/ .test.ts", ".test.ts", "src"),
            ("packages/foo/**", "packages/foo/", "packages/foo/", "packages/foo"),
            ("**/node_modules/**", "node_modules/", "node_modules/", ""),
            ("**/Makefile", "makefile", "makefile", ""),
            ("*", "", "", ""),
            ("a[/]b/cd?e", "a b/cd e", "b/cd", ""),
            ("x[]y]long/z", "x long/z", "long/z", ""),
            ("x[!]y]long/z", "x long/z", "long/z", ""),
            ("{aaaa,bbbb}/c", "/c", "/c", ""),
            ("日本/ab*", "/ab", "/ab", "日本"),
            ("a\\*bc", "a bc", "bc", ""),
            ("a/b*/c", "a/b c", "a/b", "a"),
            ("a/**/b", "a/ b", "b", "a"),
            ("src/**/d29/*.rb", "src/ d29/ .rb", "d29/", "src"),
        ] {
            let needle = Needle::new(glob);
            let found = (needle.literals.join(" "), needle.rarest().unwrap_or(""), needle.directory);
            assert_eq!(found, (want.to_owned(), rarest, directory), "{glob}");
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
        let search = GlobSearch::new(&listing);
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
        let plain = [
            "src/**/*.ts",
            "src/**/*.Tsx",
            "**/*",
            "docs/**/*É.md",
            "/**/*.ts",
            "rc/**/*.ts",
            "src/**/*a.tsx",
            "srcx**/*.ts",
        ];
        let by_ending = plain.map(|glob| search.finds_ending(glob));
        assert_eq!(by_ending, [true, true, true, true, false, false, false, false]);
        assert_eq!(by_ending, plain.map(|glob| paths.iter().any(|path| matcher(glob).unwrap().is_match(path))));
        assert_eq!(GlobSearch::new(&Listing::default()).finds("**"), Some(false));
    }
}
