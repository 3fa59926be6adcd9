//! Globs as JavaScript's `picomatch` reads them with `dot: true`, over the path of a file. It knows no agent.
//!
//! Patterns with lookaheads of their own, and a few that the library makes into a broken expression, match nothing here.

mod class;
mod parser;
mod risk;
mod stars;

use class::UnitClass;

/// A pattern; see the module.
pub(crate) struct Picomatch {
    pattern: String,
    negated: bool,
    /// `None` if it can match nothing but its own text.
    branches: Option<Vec<Vec<PicoPiece>>>,
}

/// What a pattern is made of.
#[derive(Debug, Clone)]
enum PicoPiece {
    Unit(u16),
    /// `?`: one code unit but `/`.
    AnyUnit,
    Class(UnitClass),
    /// `*`: what does not leave the component.
    Star,
    /// `**`: anything.
    Deep,
    /// The end of the path.
    End,
    /// Something follows.
    NotEnd,
    /// Behind a dot, neither the end of the component nor another dot alone.
    NoDots,
    Group(Vec<Vec<PicoPiece>>, PicoRepeat),
    /// Anything that does not begin as these do, `tail` behind them.
    Not {
        branches: Vec<Vec<PicoPiece>>,
        tail: Vec<PicoPiece>,
        deep: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PicoRepeat {
    Once,
    Optional,
    Any,
    Some,
}

impl Picomatch {
    pub(crate) fn new(pattern: &str) -> Picomatch {
        let (branches, negated) = parser::parse(pattern);
        Picomatch { pattern: pattern.to_owned(), negated, branches }
    }

    /// Whether it matches the whole of `path`, `/` between components.
    pub(crate) fn matches(&self, path: &str) -> bool {
        if path == self.pattern {
            return true;
        }
        let Some(branches) = &self.branches else { return false };
        let path: Vec<u16> = path.encode_utf16().collect();
        let mut from = vec![false; path.len() + 1];
        from[0] = true;
        let mut walk = PicoWalk { path: &path, steps: MAX_STEPS };
        let is_match = walk.ends(branches, &from)[path.len()];
        walk.steps > 0 && is_match != self.negated
    }
}

/// Steps after which a pattern matches nothing, against hostile ones. The library has no such limit.
const MAX_STEPS: usize = 200_000;

const SLASH: u16 = b'/' as u16;
const DOT: u16 = b'.' as u16;

/// Goes over a path, all places at once.
struct PicoWalk<'p> {
    path: &'p [u16],
    steps: usize,
}

impl PicoWalk<'_> {
    /// Where one of these can end that begins at one of `from`.
    fn ends(&mut self, branches: &[Vec<PicoPiece>], from: &[bool]) -> Vec<bool> {
        let mut all = vec![false; from.len()];
        for branch in branches {
            let end = self.ends_of_all(branch, from.to_vec());
            add(&mut all, &end);
        }
        all
    }

    fn ends_of_all(&mut self, pieces: &[PicoPiece], from: Vec<bool>) -> Vec<bool> {
        pieces.iter().fold(from, |from, piece| self.ends_of(piece, &from))
    }

    fn ends_of(&mut self, piece: &PicoPiece, from: &[bool]) -> Vec<bool> {
        let path = self.path;
        self.steps = self.steps.saturating_sub(from.len());
        if self.steps == 0 {
            return vec![false; from.len()];
        }
        let stepped = |is_match: &dyn Fn(u16) -> bool| {
            let mut to = vec![false; from.len()];
            (0..path.len()).filter(|&at| from[at] && is_match(path[at])).for_each(|at| to[at + 1] = true);
            to
        };
        let kept = |is_kept: &dyn Fn(usize) -> bool| (0..from.len()).map(|at| from[at] && is_kept(at)).collect();
        let is_end = |at: usize| at == path.len() || path[at] == SLASH;
        match piece {
            PicoPiece::Unit(unit) => stepped(&|at| at == *unit),
            PicoPiece::AnyUnit => stepped(&|at| at != SLASH),
            PicoPiece::Class(class) => stepped(&|at| class.contains(at)),
            PicoPiece::Star => run(path, from, false),
            PicoPiece::Deep => run(path, from, true),
            PicoPiece::End => kept(&|at| at == path.len()),
            PicoPiece::NotEnd => kept(&|at| at < path.len()),
            PicoPiece::NoDots => kept(&|at| !(is_end(at) || path[at] == DOT && is_end(at + 1))),
            PicoPiece::Group(branches, repeat) => self.repeated(branches, *repeat, from),
            PicoPiece::Not { branches, tail, deep } => {
                let mut others = from.to_vec();
                for at in (0..from.len()).filter(|&at| from[at]) {
                    let mut one = vec![false; from.len()];
                    one[at] = true;
                    let end = self.ends(branches, &one);
                    others[at] = !self.ends_of_all(tail, end).contains(&true);
                }
                run(path, &others, *deep)
            }
        }
    }

    fn repeated(&mut self, branches: &[Vec<PicoPiece>], repeat: PicoRepeat, from: &[bool]) -> Vec<bool> {
        let mut to = self.ends(branches, from);
        while matches!(repeat, PicoRepeat::Any | PicoRepeat::Some) && self.steps > 0 {
            let mut next = to.clone();
            add(&mut next, &self.ends(branches, &to));
            if next == to {
                break;
            }
            to = next;
        }
        if matches!(repeat, PicoRepeat::Optional | PicoRepeat::Any) {
            add(&mut to, from);
        }
        to
    }
}

fn add(to: &mut [bool], more: &[bool]) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to |= more);
}

/// From each place to it and all behind it, up to a `/` unless `deep`.
fn run(path: &[u16], from: &[bool], deep: bool) -> Vec<bool> {
    let mut to = from.to_vec();
    for at in 0..path.len() {
        to[at + 1] |= to[at] && (deep || path[at] != SLASH);
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, yes: &[&str], no: &[&str]) {
        let glob = Picomatch::new(pattern);
        for path in yes {
            assert!(glob.matches(path), "{pattern} {path}");
        }
        for path in no {
            assert!(!glob.matches(path), "{pattern} {path}");
        }
    }

    // All answers in these are those of the library in Qwen Code 0.24.4.
    #[test]
    fn groups_are_read_as_the_library_does() {
        check("**/+(f|g).ts", &["f.ts", "p/g.ts", "p/fgf.ts"], &["h.ts", ".ts"]);
        check("*(a|b).md", &["abba.md", ".md"], &["c.md"]);
        check("a?(b)c", &["ac", "abc"], &["abbc"]);
        check("!(a|b).md", &["c.md"], &["a.md", "ab.md"]);
        check("!(*.d).ts", &["a.ts"], &["a.d.ts"]);
        check("src/!(a|b)", &["src/ab", "src/c"], &["src/a"]);
        check("+(a|aa)", &["+(a|aa)"], &["a", "aaa"]);
        check("[ab]+", &["a", "abba"], &["", "c"]);
    }

    #[test]
    fn hostile_patterns_end() {
        let path = "a".repeat(300);
        for pattern in ["!(*".repeat(30) + &")".repeat(30), "+(a*b|".repeat(30) + &")".repeat(30), "(".repeat(5000)] {
            Picomatch::new(&pattern).matches(&path);
        }
        check("\"abc", &[], &["d"]);
        check("(a", &["(a"], &["a"]);
    }

    #[test]
    fn wildcards_are_read_as_the_library_does() {
        check("p/**", &["p", "p/a", "p/.a/b"], &["q"]);
        check("a*/**", &["ab/c"], &["ab"]);
        check("**/f.ts", &["f.ts", "a/b/f.ts"], &["af.ts"]);
        check("a**b", &["ab", "axb"], &["a/b"]);
        check("**.ts", &["a.ts", "p/a/b.ts"], &["a.tsx"]);
        check("**.d.ts", &["p/a.d.ts"], &["p/a.ts"]);
        check("**a.ts", &["xa.ts"], &["p/xa.ts"]);
        check("app/[id]/*.ts", &["app/[id]/x.ts", "app/i/x.ts"], &["app/id/x.ts"]);
        check("[!x].ts", &["x.ts", "!.ts"], &["a.ts"]);
        check("[^x].ts", &["a.ts"], &["x.ts"]);
        check("{a,b}/{1..3}", &["a/2"], &["c/2", "a/4"]);
        check("!p/**", &["q"], &["p", "p/a"]);
        check("./p", &["p"], &["./q"]);
    }
}
