//! Reads a pattern into its pieces, from left to right as the library does.

use super::class::{UnitClass, named};
use super::risk::is_risky;
use super::{PicoPiece, PicoRepeat};

/// Longer patterns match nothing; the library takes 65,536.
const MAX_LENGTH: usize = 8192;
/// Groups in groups beyond this match nothing.
const MAX_DEPTH: usize = 32;

/// What stood before, on which the meaning of a wildcard depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PicoBefore {
    Start,
    Slash,
    Dot,
    Paren,
    Bracket,
    Brace,
    Star,
    Text,
}

/// What ends the part of the pattern that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PicoUntil {
    End,
    Paren,
    Brace,
}

/// The pattern is one that matches nothing.
pub(super) struct BrokenPattern;

pub(super) struct PicoParser {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) before: PicoBefore,
    /// What stood before the last slash.
    pub(super) before_slash: PicoBefore,
    pub(super) parens: usize,
    pub(super) braces: usize,
    /// Whether `|` parts the pattern outside of groups, and `+` may repeat: not in one without slashes, groups and quotes.
    is_plain: bool,
}

/// Whether a text is `.a`, `.a.b` and so on.
fn is_of_endings(text: &str) -> bool {
    let is_word =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    text.strip_prefix('.').is_some_and(|rest| rest.split('.').all(is_word))
}

/// The alternatives of a pattern, and whether it is turned round.
pub(super) fn parse(pattern: &str) -> (Option<Vec<Vec<PicoPiece>>>, bool) {
    let pattern = match pattern {
        "***" => "*",
        "**/**" | "**/**/**" => "**",
        // The library has these two ready: something follows the dot.
        "*.*" => "*.?*",
        "**/*.*" => "**/*.?*",
        _ => pattern.strip_prefix("./").unwrap_or(pattern),
    };
    // One it takes apart from behind: at the beginning `**` crosses folders also without a slash behind it.
    let any_depth = pattern.strip_prefix("**").filter(|rest| is_of_endings(rest)).map(|rest| format!("**/*{rest}"));
    let pattern = any_depth.as_deref().unwrap_or(pattern);
    let mut rest = pattern;
    let mut negated = false;
    while let Some(after) = rest.strip_prefix('!').filter(|after| !after.starts_with('(') || after.starts_with("(?")) {
        (rest, negated) = (after, !negated);
    }
    while let Some(after) = rest.strip_prefix("./") {
        rest = after;
    }
    let is_plain = !pattern.starts_with(['*', '!']) && !pattern.contains(['/', '(', ')', '[', ']', '{', '}', '"']);
    let mut parser = PicoParser {
        chars: rest.chars().collect(),
        at: 0,
        before: PicoBefore::Start,
        before_slash: PicoBefore::Start,
        parens: 0,
        braces: 0,
        is_plain,
    };
    let branches = (rest.len() <= MAX_LENGTH).then(|| parser.branches(PicoUntil::End).ok()).flatten();
    (branches.map(|parsed| parsed.branches), negated)
}

/// The alternatives of a group.
#[derive(Default)]
struct PicoBranches {
    branches: Vec<Vec<PicoPiece>>,
    has_comma: bool,
    is_closed: bool,
}

impl PicoParser {
    pub(super) fn peek(&self, away: usize) -> Option<char> {
        self.chars.get(self.at + away).copied()
    }

    pub(super) fn rest(&self) -> &[char] {
        self.chars.get(self.at..).unwrap_or_default()
    }

    /// Read up to what ends this part, which is taken too.
    fn branches(&mut self, until: PicoUntil) -> Result<PicoBranches, BrokenPattern> {
        let mut parsed = PicoBranches::default();
        let mut pieces = Vec::new();
        while let Some(c) = self.peek(0) {
            self.at += 1;
            match c {
                '|' if !self.is_plain => {
                    parsed.branches.push(std::mem::take(&mut pieces));
                    self.before = PicoBefore::Text;
                }
                ',' if until == PicoUntil::Brace => {
                    parsed.has_comma = true;
                    parsed.branches.push(std::mem::take(&mut pieces));
                    self.before = PicoBefore::Brace;
                }
                ')' if until == PicoUntil::Paren => {
                    parsed.is_closed = true;
                    break;
                }
                '}' if until == PicoUntil::Brace => {
                    parsed.is_closed = true;
                    break;
                }
                c => self.piece(c, &mut pieces)?,
            }
        }
        parsed.branches.push(pieces);
        Ok(parsed)
    }

    fn piece(&mut self, c: char, pieces: &mut Vec<PicoPiece>) -> Result<(), BrokenPattern> {
        let opens = self.peek(0) == Some('(') && self.peek(1) != Some('?');
        let is_lookahead = |next: Option<char>| matches!(next, Some('!' | '=' | '<' | ':'));
        match c {
            '\\' => match self.peek(0) {
                Some('/' | '.' | ';') => {}
                Some(next) => {
                    self.at += 1;
                    self.text(next, pieces);
                }
                None => self.text('\\', pieces),
            },
            '"' => {
                while let Some(quoted) = self.peek(0).filter(|&quoted| quoted != '"') {
                    self.at += 1;
                    self.text(quoted, pieces);
                }
                self.at += 1;
            }
            '?' | '+' | '@' | '!' if opens => self.group(c, pieces)?,
            '*' => self.stars(pieces)?,
            '(' => self.parens(pieces)?,
            '[' => self.bracket(pieces)?,
            '{' => self.brace(pieces)?,
            '/' => {
                self.before_slash = self.before;
                push(pieces, '/');
                self.before = PicoBefore::Slash;
            }
            '.' => {
                let starts = matches!(self.before, PicoBefore::Start | PicoBefore::Slash);
                push(pieces, '.');
                self.before = if self.braces + self.parens > 0 || starts { PicoBefore::Dot } else { PicoBefore::Text };
            }
            '?' if self.before == PicoBefore::Paren && is_lookahead(self.peek(0)) => return Err(BrokenPattern),
            '?' if self.before == PicoBefore::Paren => match pieces.pop() {
                Some(PicoPiece::Group(branches, PicoRepeat::Once)) => {
                    pieces.push(PicoPiece::Group(branches, PicoRepeat::Optional));
                    self.before = PicoBefore::Text;
                }
                Some(lazy) => {
                    pieces.push(lazy);
                    self.before = PicoBefore::Text;
                }
                None => self.text('?', pieces),
            },
            '?' => {
                pieces.push(PicoPiece::AnyUnit);
                self.before = PicoBefore::Text;
            }
            '+' => self.plus(pieces)?,
            c => self.text(c, pieces),
        }
        Ok(())
    }

    fn text(&mut self, c: char, pieces: &mut Vec<PicoPiece>) {
        push(pieces, c);
        self.before = PicoBefore::Text;
    }

    /// `+` repeats what stands before it in parentheses, and behind a group or class; else it is itself.
    fn plus(&mut self, pieces: &mut Vec<PicoPiece>) -> Result<(), BrokenPattern> {
        let repeats =
            matches!(self.before, PicoBefore::Bracket | PicoBefore::Paren | PicoBefore::Brace) || self.parens > 0;
        if !repeats || self.is_plain || pieces.is_empty() && self.before == PicoBefore::Paren {
            self.text('+', pieces);
            return Ok(());
        }
        match pieces.pop() {
            None | Some(PicoPiece::Group(_, PicoRepeat::Some | PicoRepeat::Any | PicoRepeat::Optional)) => {
                Err(BrokenPattern)
            }
            Some(piece) => {
                pieces.push(PicoPiece::Group(vec![vec![piece]], PicoRepeat::Some));
                self.before = PicoBefore::Text;
                Ok(())
            }
        }
    }

    /// A group of an expression; its `(` has been taken.
    fn parens(&mut self, pieces: &mut Vec<PicoPiece>) -> Result<(), BrokenPattern> {
        if self.peek(0) == Some('?') && matches!(self.peek(1), Some('!' | '=' | '<' | ':')) {
            return Err(BrokenPattern);
        }
        if !self.rest().contains(&')') {
            self.text('(', pieces);
            return Ok(());
        }
        let parsed = self.inside()?;
        pieces.push(PicoPiece::Group(
            parsed.is_closed.then_some(parsed.branches).ok_or(BrokenPattern)?,
            PicoRepeat::Once,
        ));
        Ok(())
    }

    fn inside(&mut self) -> Result<PicoBranches, BrokenPattern> {
        self.parens += 1;
        if self.parens + self.braces > MAX_DEPTH {
            return Err(BrokenPattern);
        }
        self.before = PicoBefore::Paren;
        let parsed = self.branches(PicoUntil::Paren);
        self.parens -= 1;
        self.before = PicoBefore::Paren;
        parsed
    }

    /// `@(a|b)` and the others; `kind` has been taken.
    pub(super) fn group(&mut self, kind: char, pieces: &mut Vec<PicoPiece>) -> Result<(), BrokenPattern> {
        let start = self.at + 1;
        self.at = start;
        let parsed = self.inside()?;
        if !parsed.is_closed {
            return Err(BrokenPattern);
        }
        let body: String = self.chars[start..self.at - 1].iter().collect();
        let branches = parsed.branches;
        match kind {
            '!' => pieces.push(self.but(branches, &body)?),
            '+' | '*' if is_risky(&body) => {
                format!("{kind}({body})").chars().for_each(|c| push(pieces, c));
            }
            '+' => pieces.push(PicoPiece::Group(branches, PicoRepeat::Some)),
            '*' => pieces.push(PicoPiece::Group(branches, PicoRepeat::Any)),
            '?' => pieces.push(PicoPiece::Group(branches, PicoRepeat::Optional)),
            _ => pieces.push(PicoPiece::Group(branches, PicoRepeat::Once)),
        }
        Ok(())
    }

    /// `!(a|b)`: what follows on the same text counts only at the end, and behind a `*` in the group.
    fn but(&self, branches: Vec<Vec<PicoPiece>>, body: &str) -> Result<PicoPiece, BrokenPattern> {
        let rest: String = self.rest().iter().collect();
        let deep = body.len() > 1 && body.contains('/');
        let mut tail = Vec::new();
        if deep || rest.chars().all(|c| c == ')') {
            tail.push(PicoPiece::End);
        }
        let is_ending = rest.strip_prefix('.').is_some_and(|name| !name.is_empty() && !name.contains(['\\', '/', '.']));
        if body.contains('*') && is_ending {
            let (parsed, _) = parse(&rest);
            tail = vec![PicoPiece::Group(parsed.ok_or(BrokenPattern)?, PicoRepeat::Once)];
        }
        Ok(PicoPiece::Not { branches, tail, deep })
    }

    /// A class; its `[` has been taken.
    fn bracket(&mut self, pieces: &mut Vec<PicoPiece>) -> Result<(), BrokenPattern> {
        if !self.rest().contains(&']') {
            self.text('[', pieces);
            self.before = PicoBefore::Bracket;
            return Ok(());
        }
        let mut inside = String::new();
        loop {
            let c = self.peek(0).ok_or(BrokenPattern)?;
            self.at += 1;
            match c {
                ']' if !matches!(inside.as_str(), "" | "^") => break,
                ']' => inside.push_str("\\]"),
                '\\' => {
                    inside.extend(['\\', self.peek(0).ok_or(BrokenPattern)?]);
                    self.at += 1;
                }
                ':' if let Some((before, chars)) = name_behind(&inside) => {
                    inside = format!("{before}{chars}");
                    self.at += 1;
                }
                c => inside.push(c),
            }
        }
        let class = PicoPiece::Class(UnitClass::new(&inside).ok_or(BrokenPattern)?);
        // Without a character that means something in an expression it is also the text that it is written as.
        let has_signs = inside.contains(['-', '*', '+', '?', '.', '^', '$', '{', '}', '(', '|', ')', '[', ']']);
        if has_signs {
            pieces.push(class);
        } else {
            let mut text = Vec::new();
            format!("[{inside}]").chars().for_each(|c| push(&mut text, c));
            pieces.push(PicoPiece::Group(vec![text, vec![class]], PicoRepeat::Once));
        }
        self.before = PicoBefore::Bracket;
        Ok(())
    }

    /// Alternatives or a range; the `{` has been taken.
    fn brace(&mut self, pieces: &mut Vec<PicoPiece>) -> Result<(), BrokenPattern> {
        let end = self.rest().iter().position(|c| matches!(c, '{' | '}' | ',' | '/'));
        let inside: String = self.rest()[..end.unwrap_or(0)].iter().collect();
        if end.and_then(|end| self.peek(end)) == Some('}') && inside.contains("..") {
            let mut ends: Vec<&str> = inside.split("..").collect();
            ends.sort_unstable();
            pieces.push(PicoPiece::Class(UnitClass::new(&ends.join("-")).ok_or(BrokenPattern)?));
            self.at += inside.chars().count() + 1;
            self.before = PicoBefore::Brace;
            return Ok(());
        }
        self.braces += 1;
        if self.parens + self.braces > MAX_DEPTH {
            return Err(BrokenPattern);
        }
        self.before = PicoBefore::Brace;
        let parsed = self.branches(PicoUntil::Brace);
        self.braces -= 1;
        let parsed = parsed?;
        if !parsed.is_closed {
            return Err(BrokenPattern);
        }
        if parsed.has_comma {
            pieces.push(PicoPiece::Group(parsed.branches, PicoRepeat::Once));
        } else {
            push(pieces, '{');
            pieces.extend(parsed.branches.into_iter().flatten());
            push(pieces, '}');
        }
        self.before = PicoBefore::Brace;
        Ok(())
    }
}

/// What stands in a class before a `[:name` at its end, and what that stands for.
fn name_behind(inside: &str) -> Option<(&str, &'static str)> {
    let (before, name) = inside.rsplit_once("[:")?;
    Some((before, named(name)?))
}

fn push(pieces: &mut Vec<PicoPiece>, c: char) {
    pieces.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&unit| PicoPiece::Unit(unit)));
}
