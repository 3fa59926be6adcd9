//! Gitignore-like patterns as Claude Code matches them, in the `paths` of rules and in permissions: without regard to case, and a
//! file that lies in a covered directory is covered whatever else is said of it. Observed on 2.1.330, pattern by pattern, and
//! read in its package (checked 2026-11); it differs from git where a pattern is odd. In `[…]` neither `!` nor `^` turns round.

mod classes;

use self::classes::{CharSet, OpenClass, ReadClass, escape};

/// Patterns of one list, of which the last that matches decides.
#[derive(Default)]
pub(crate) struct PathPatterns {
    patterns: Vec<RulePattern>,
}

/// One pattern; `pieces` is `None` if it matches nothing.
struct RulePattern {
    negated: bool,
    /// Whether it must match from the start of the path, not only from the start of a name.
    anchored: bool,
    pieces: Option<Vec<GlobPiece>>,
    /// Whether it ends in `/`, so that only directories match.
    only_folders: bool,
}

enum GlobPiece {
    Char(char),
    Set(CharSet),
    /// At least so many characters of the set.
    Many(CharSet, usize),
    /// At least so many characters but `/`.
    Run(usize),
    /// Any number of directories, each behind its `/`.
    Folders,
    /// A `/` and something behind it.
    Rest,
    /// One character but `/`.
    Any,
}

impl PathPatterns {
    pub(crate) fn new<'p>(patterns: impl IntoIterator<Item = &'p String>) -> PathPatterns {
        PathPatterns { patterns: patterns.into_iter().filter_map(|pattern| RulePattern::parse(pattern)).collect() }
    }

    /// Whether they cover a file, by its path from the directory that they are relative to.
    pub(crate) fn cover(&self, relative: &str) -> bool {
        let path: Vec<char> = relative.chars().collect();
        let folders = path.iter().enumerate().filter(|&(at, &c)| c == '/' && at > 0).map(|(at, _)| at + 1);
        folders.chain([path.len()]).any(|end| self.match_exactly(&path[..end]))
    }

    fn match_exactly(&self, path: &[char]) -> bool {
        let last = self.patterns.iter().rev().find(|pattern| pattern.matches(path));
        last.is_some_and(|pattern| !pattern.negated)
    }
}

impl RulePattern {
    /// `None` for a line that says nothing.
    fn parse(line: &str) -> Option<RulePattern> {
        let ends_escaped = line.ends_with('\\') && !line.ends_with("\\\\");
        if line.starts_with('#') || line.trim().is_empty() || ends_escaped {
            return None;
        }
        let rest = line.strip_prefix('!').unwrap_or(line);
        let negated = rest.len() < line.len();
        let rest = rest.strip_prefix('\\').filter(|rest| rest.starts_with(['!', '#'])).unwrap_or(rest);
        let rest = rest.strip_prefix('\u{feff}').unwrap_or(rest);
        let trimmed = rest.trim_end();
        let from_root = trimmed.strip_prefix('/').unwrap_or(trimmed);
        let body = from_root.strip_prefix("**/").unwrap_or(from_root);
        let at_any_depth = body.len() < from_root.len();
        let is_path = from_root.len() < trimmed.len() || rest.find('/').is_some_and(|at| at + 1 < rest.len());
        let mut body: Vec<char> = body.chars().collect();
        if trimmed.len() < rest.len() && body.last() == Some(&'\\') {
            body.push(' ');
        }
        let only_folders = body.last() == Some(&'/');
        Some(RulePattern { negated, anchored: is_path && !at_any_depth, pieces: Pieces::parse(&body), only_folders })
    }

    /// Whether it matches the whole of a path; a directory's has a `/` at its end.
    fn matches(&self, path: &[char]) -> bool {
        let Some(pieces) = &self.pieces else { return false };
        // The places that the pieces so far may end at.
        let mut ends: Vec<bool> =
            (0..=path.len()).map(|at| at == 0 || (!self.anchored && path[at - 1] == '/')).collect();
        for piece in pieces {
            ends = piece.step(path, &ends);
        }
        let is_folder = path.last() == Some(&'/');
        ends[path.len()] || (!self.only_folders && is_folder && ends[path.len() - 1])
    }
}

impl GlobPiece {
    /// The places that it may end at if it begins at one of `starts`.
    fn step(&self, path: &[char], starts: &[bool]) -> Vec<bool> {
        let mut ends = vec![false; path.len() + 1];
        match self {
            GlobPiece::Char(_) | GlobPiece::Set(_) | GlobPiece::Any => {
                for (at, &c) in path.iter().enumerate() {
                    ends[at + 1] = starts[at] && self.takes(c);
                }
            }
            GlobPiece::Run(least) => {
                // How many characters stand between the nearest start and here, at the most.
                let mut run: Option<usize> = None;
                for at in 0..=path.len() {
                    if at > 0 {
                        run = run.filter(|_| path[at - 1] != '/').map(|run| run + 1);
                    }
                    run = run.or(starts[at].then_some(0));
                    ends[at] = run.is_some_and(|run| run >= *least);
                }
            }
            GlobPiece::Many(set, least) => {
                let step = |at: usize, from: &[bool]| at > 0 && from[at - 1] && set.contains(path[at - 1]);
                for at in 0..=path.len() {
                    ends[at] = step(at, &ends) || if *least == 0 { starts[at] } else { step(at, starts) };
                }
            }
            GlobPiece::Folders => {
                // Whether a `/` and a part of a name have been read.
                let mut inside: Option<bool> = None;
                for at in 0..=path.len() {
                    if at > 0 {
                        inside = match path[at - 1] {
                            '/' => ends[at - 1].then_some(false),
                            _ => inside.map(|_| true),
                        };
                    }
                    ends[at] = starts[at] || inside == Some(true);
                }
            }
            GlobPiece::Rest => {
                let first = (0..path.len()).find(|&at| starts[at] && path[at] == '/');
                for at in first.into_iter().flat_map(|first| first + 2..=path.len()) {
                    ends[at] = true;
                }
            }
        }
        ends
    }

    /// Whether it stands for this one character.
    fn takes(&self, c: char) -> bool {
        match self {
            GlobPiece::Char(wanted) => fold(*wanted) == fold(c),
            GlobPiece::Set(set) => set.contains(c),
            _ => c != '/',
        }
    }
}

/// A character without its case, if that is one character.
fn fold(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) => upper,
        _ => c,
    }
}

/// The pieces of a pattern while it is read.
struct Pieces<'p> {
    pattern: &'p [char],
    at: usize,
    found: Vec<GlobPiece>,
}

impl<'p> Pieces<'p> {
    /// `None` for a pattern that matches nothing.
    fn parse(pattern: &'p [char]) -> Option<Vec<GlobPiece>> {
        let mut pieces = Pieces { pattern, at: 0, found: Vec::new() };
        // Whether the token before was a lone `/`.
        let mut after_slash = false;
        while pieces.at < pattern.len() {
            after_slash = pieces.token(after_slash)?;
        }
        Some(pieces.found)
    }

    /// Read what comes next; whether that was a `/`.
    fn token(&mut self, after_slash: bool) -> Option<bool> {
        let stars = self.count('*');
        if stars > 0 {
            let is_last = self.at + stars == self.pattern.len();
            // The last star at the end stands for itself, and for a name if nothing but it does.
            let least = usize::from(is_last && stars == 1 && after_slash);
            self.at += stars;
            self.found.push(GlobPiece::Run(least));
            return Some(false);
        }
        let escapes = self.count('\\');
        self.at += escapes;
        let Some(&c) = self.pattern.get(self.at) else {
            self.backslashes(escapes / 2);
            return Some(false);
        };
        self.at += 1;
        let is_escaped = escapes % 2 == 1;
        match c {
            '/' => {
                // A `\` before it means itself.
                self.backslashes(escapes.div_ceil(2));
                self.slash();
                return Some(true);
            }
            '?' if is_escaped => return None,
            _ => self.backslashes(escapes / 2),
        }
        match c {
            '[' if !is_escaped => {
                let ReadClass { set, end, least } = OpenClass::read(self.pattern, self.at)?;
                self.at = end;
                self.found.push(match least {
                    Some(least) => GlobPiece::Many(set, least),
                    None => GlobPiece::Set(set),
                });
            }
            '?' => self.found.push(GlobPiece::Any),
            '*' if self.at == self.pattern.len() => {
                let least = usize::from(after_slash && escapes < 2);
                self.found.push(GlobPiece::Run(least));
            }
            c if is_escaped && c.is_whitespace() => self.found.push(GlobPiece::Char(' ')),
            c if is_escaped => self.found.push(GlobPiece::Set(escape(c)?)),
            c => self.found.push(GlobPiece::Char(c)),
        }
        Some(false)
    }

    /// What a `/` that has been read begins.
    fn slash(&mut self) {
        let ahead = &self.pattern[self.at..];
        let is_any_folder = ahead.starts_with(&['*', '*']) && ahead.get(2).is_none_or(|&next| next == '/');
        if !is_any_folder {
            self.found.push(GlobPiece::Char('/'));
            return;
        }
        self.at += 2;
        self.found.push(if self.at == self.pattern.len() { GlobPiece::Rest } else { GlobPiece::Folders });
    }

    fn backslashes(&mut self, count: usize) {
        self.found.extend((0..count).map(|_| GlobPiece::Char('\\')));
    }

    /// How many of `c` come next.
    fn count(&self, c: char) -> usize {
        self.pattern[self.at..].iter().take_while(|&&next| next == c).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of `paths` the patterns cover.
    fn covered<'p>(patterns: &[&str], paths: &[&'p str]) -> Vec<&'p str> {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let patterns = PathPatterns::new(&patterns);
        paths.iter().copied().filter(|path| patterns.cover(path)).collect()
    }

    // As observed on 2.1.330.
    #[test]
    fn odd_patterns_match_as_observed() {
        let paths = ["f.ts", "x.ts", "!f.ts", "q/f.ts"];
        for (pattern, expected) in [
            ("[!x]*.ts", &["x.ts", "!f.ts"][..]),
            ("[^x]*.ts", &["x.ts"]),
            ("[!!]*.ts", &["!f.ts"]),
            ("[!]f]*.ts", &[]),
            ("[]f]*.ts", &[]),
            ("[!A-Z].ts", &["f.ts", "x.ts", "q/f.ts"]),
            ("[^a-z].ts", &["f.ts", "x.ts", "q/f.ts"]),
            ("[h-f].ts", &[]),
            ("[f-].ts", &["f.ts", "q/f.ts"]),
            ("\\f.ts", &[]),
            ("[\\f].ts", &[]),
            ("f\\.ts", &["f.ts", "q/f.ts"]),
            ("\\!f.ts", &["!f.ts"]),
            ("**/**/f.ts", &["q/f.ts"]),
            ("**/**/**/f.ts", &["q/f.ts"]),
            ("**/", &["q/f.ts"]),
            ("*/", &["q/f.ts"]),
            ("f.ts/**", &[]),
            ("/**/f.ts", &["f.ts", "q/f.ts"]),
            ("*/f.ts", &["q/f.ts"]),
            ("F.TS", &["f.ts", "q/f.ts"]),
            ("./f.ts", &[]),
            ("f.t?", &["f.ts", "q/f.ts"]),
            ("f.ts ", &["f.ts", "q/f.ts"]),
            ("#f.ts", &[]),
        ] {
            assert_eq!(covered(&[pattern], &paths), expected, "{pattern}");
        }
    }

    // As observed on 2.1.330: what `?` and `*` stand for closes a class that is open.
    #[test]
    fn a_class_without_end_reaches_to_the_next_wildcard() {
        let paths = ["src/api/x.ts", "src/[x/x.ts"];
        for (pattern, expected) in [
            ("**/[x/?.ts", &paths[..]),
            ("src/**/[x/?.ts", &paths[..]),
            ("[x/src//*/", &paths[..]),
            ("**/[a/?.ts", &[]),
            ("[x/?.ts", &[]),
            ("[x/*.ts", &[]),
            ("[x/x.ts", &[]),
            ("src/[a/x.ts", &[]),
            ("[!**", &paths[..]),
        ] {
            assert_eq!(covered(&[pattern], &paths), expected, "{pattern}");
        }
    }

    #[test]
    fn folders_are_never_taken_back() {
        let paths = ["src/gen/f.ts", "src/f.ts", "f.ts"];
        for (patterns, expected) in [
            (&["src", "!src/gen"][..], &["src/gen/f.ts", "src/f.ts"][..]),
            (&["src/", "!src/gen/"], &["src/gen/f.ts", "src/f.ts"]),
            (&["src/**/*.ts", "!src/gen"], &["src/gen/f.ts", "src/f.ts"]),
            (&["src/**/*.ts", "!src/gen/**/*.ts"], &["src/f.ts"]),
            (&["*.ts", "!src/**/*.ts"], &["f.ts"]),
            (&["*.ts", "!f.ts"], &[]),
            (&["!f.ts", "*.ts"], &["src/gen/f.ts", "src/f.ts", "f.ts"]),
            (&["src/**/"], &["src/gen/f.ts", "src/f.ts"]),
            (&["src/gen/**/"], &["src/gen/f.ts"]),
            (&["src/*/*.ts"], &["src/gen/f.ts"]),
            (&["src/**"], &["src/gen/f.ts", "src/f.ts"]),
            (&["src**"], &["src/gen/f.ts", "src/f.ts"]),
            (&["src/**.ts"], &["src/f.ts"]),
            (&["src/**/**/f.ts"], &["src/gen/f.ts", "src/f.ts"]),
            (&["src//gen/f.ts"], &[]),
            (&["gen"], &["src/gen/f.ts"]),
            (&["src\\gen\\f.ts"], &[]),
        ] {
            assert_eq!(covered(patterns, &paths), expected, "{patterns:?}");
        }
    }
}
