//! What a pattern cannot match without: its alternatives, and for each the strings of which every match holds one. Knows as much
//! of the syntax as the patterns here have: no comments, no nested classes, flags only at the begin.

/// One alternative of a pattern, a pattern of its own.
#[derive(Debug)]
pub(super) struct Alternative {
    /// Its pattern, with the flags of the whole.
    pub(super) pattern: String,
    /// Of each of these sets every match of it holds one string.
    pub(super) needles: Vec<Vec<Vec<u8>>>,
}

/// A group of at least so many alternatives is taken apart, with what stands around it kept for each.
const MIN_APART: usize = 5;

/// The least share of its part, in percent, that such a group is.
const MIN_SHARE: usize = 80;

/// Strings that a set holds, at most.
const MAX_NEEDLES: usize = 64;

/// Bytes of a string that are looked for, at most.
const MAX_NEEDLE: usize = 6;

/// The alternatives of `pattern`, which together match what it matches.
pub(super) fn alternatives(pattern: &str) -> Vec<Alternative> {
    let (flags, rest) = match pattern.strip_prefix("(?").and_then(|flags| flags.split_once(')')) {
        Some((flags, rest)) if flags.bytes().all(|byte| byte.is_ascii_lowercase()) => (flags, rest),
        _ => ("", pattern),
    };
    let extended = flags.contains('x');
    let flags = if flags.is_empty() { String::new() } else { format!("(?{flags})") };
    let apart = split(rest).into_iter().flat_map(distributed);
    let alternative = |part: String| {
        let needles = needed(&part, extended).into_iter().map(shortened).collect();
        Alternative { pattern: format!("{flags}{part}"), needles }
    };
    apart.map(alternative).collect()
}

/// `part` once for each alternative of the group that is nearly all of it.
fn distributed(part: &str) -> Vec<String> {
    let group = groups(part).max_by_key(|group| group.len()).unwrap_or_default();
    let inner = inside(group).map(split).unwrap_or_default();
    if inner.len() < MIN_APART || group.len() * 100 < part.len() * MIN_SHARE {
        return vec![part.to_owned()];
    }
    let at = group.as_ptr() as usize - part.as_ptr() as usize;
    let (before, after) = (&part[..at], &part[at + group.len()..]);
    inner.into_iter().map(|inner| format!("{before}(?:{inner}){after}")).collect()
}

/// What a part of a pattern matches, as far as that says what must be there.
#[derive(Debug)]
enum Meaning {
    /// These strings and nothing else.
    Exactly(Vec<Vec<u8>>),
    /// What holds one of these.
    Holds(Vec<Vec<u8>>),
    /// Nothing is known.
    Anything,
}

impl Meaning {
    fn needles(self) -> Option<Vec<Vec<u8>>> {
        match self {
            Meaning::Exactly(set) | Meaning::Holds(set) if set.iter().all(|needle| !needle.is_empty()) => Some(set),
            _ => None,
        }
    }

    /// What this means as often as `quantifier` says.
    fn repeated(self, quantifier: &str) -> Meaning {
        match (quantifier.as_bytes(), self) {
            ([], once) => once,
            ([b'?', ..], Meaning::Exactly(mut set)) => {
                set.push(Vec::new());
                Meaning::Exactly(set)
            }
            ([b'?' | b'*', ..] | [b'{', b'0', ..], _) => Meaning::Anything,
            (_, once) => once.needles().map_or(Meaning::Anything, Meaning::Holds),
        }
    }

    /// What one of the alternatives means, each given by its parts.
    fn of_one(alternatives: Vec<Vec<Meaning>>) -> Meaning {
        let all: Vec<Meaning> = alternatives.into_iter().map(Meaning::of_all).collect();
        let is_exact = all.iter().all(|meaning| matches!(meaning, Meaning::Exactly(_)));
        let sets = all.into_iter().map(|meaning| match meaning {
            Meaning::Exactly(set) if is_exact => Some(set),
            other => other.needles(),
        });
        let Some(sets) = sets.collect::<Option<Vec<_>>>() else { return Meaning::Anything };
        let set = sets.concat();
        match set.len() <= MAX_NEEDLES {
            true if is_exact => Meaning::Exactly(set),
            true => Meaning::Holds(set),
            false => Meaning::Anything,
        }
    }

    /// What parts mean that stand one behind the other. If there is only one, it is the whole.
    fn of_all(parts: Vec<Meaning>) -> Meaning {
        match <[Meaning; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => {
                let sets = parts.into_iter().filter_map(Meaning::needles);
                sets.min_by_key(|set| frequency(set)).map_or(Meaning::Anything, Meaning::Holds)
            }
        }
    }
}

/// The sets of strings of each of which a match of `part` holds one: the rarest, and another one where that is not common either.
fn needed(part: &str, extended: bool) -> Vec<Vec<Vec<u8>>> {
    let parts = Reader { rest: part, extended }.sequence();
    let mut sets: Vec<Vec<Vec<u8>>> = parts.into_iter().filter_map(Meaning::needles).collect();
    sets.sort_by_key(|set| frequency(set));
    let is_rare = |set: &Vec<Vec<u8>>| set.iter().all(|needle| needle.len() > 1);
    let kept = 1 + usize::from(sets.get(1).is_some_and(is_rare));
    sets.truncate(kept);
    sets
}

/// Reads a pattern once, from left to right.
struct Reader<'p> {
    rest: &'p str,
    /// Whether blanks mean nothing.
    extended: bool,
}

impl<'p> Reader<'p> {
    /// What stands up to the end of this alternative: strings that are exact as one, and what stands between them.
    fn sequence(&mut self) -> Vec<Meaning> {
        let mut parts = Vec::new();
        let mut run = vec![Vec::new()];
        while let Some(first) = self.rest.bytes().next().filter(|byte| !b"|)".contains(byte)) {
            if self.extended && first.is_ascii_whitespace() {
                self.take(1);
                continue;
            }
            let alternatives = self.rest.starts_with("(?:").then(|| self.group());
            let atom = if alternatives.is_none() { self.take(atom_len(self.rest)) } else { "" };
            let quantifier = self.take(quantifier(self.rest).len());
            let meaning = match alternatives {
                Some(alternatives) if alternatives.len() == 1 && quantifier.is_empty() => {
                    parts.push(Meaning::Exactly(std::mem::replace(&mut run, vec![Vec::new()])));
                    parts.extend(alternatives.into_iter().flatten());
                    continue;
                }
                Some(alternatives) => Meaning::of_one(alternatives),
                None if quantifier.is_empty() && !b"\\[(.^$".contains(&first) => {
                    run.iter_mut().for_each(|begin| begin.extend_from_slice(atom.as_bytes()));
                    continue;
                }
                None => of_atom(atom),
            };
            match meaning.repeated(quantifier) {
                Meaning::Exactly(set) if run.len() * set.len() <= MAX_NEEDLES => {
                    run = run.iter().flat_map(|begin| set.iter().map(move |end| [&begin[..], end].concat())).collect();
                }
                other => {
                    parts.push(Meaning::Exactly(std::mem::replace(&mut run, vec![Vec::new()])));
                    match other {
                        Meaning::Exactly(set) => run = set,
                        other => parts.push(other),
                    }
                }
            }
        }
        parts.push(Meaning::Exactly(run));
        parts
    }

    /// The alternatives of the group that begins here.
    fn group(&mut self) -> Vec<Vec<Meaning>> {
        let mut alternatives = Vec::new();
        self.take(3);
        loop {
            alternatives.push(self.sequence());
            if self.take(self.rest.len().min(1)) != "|" {
                return alternatives;
            }
        }
    }

    fn take(&mut self, len: usize) -> &'p str {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }
}

/// What an atom means that is no group.
fn of_atom(atom: &str) -> Meaning {
    let one = |bytes: &[u8]| Meaning::Exactly(vec![bytes.to_vec()]);
    match atom.as_bytes() {
        b"^" | b"$" | br"\b" => one(b""),
        br"\s" => Meaning::Exactly(vec![vec![b' '], vec![b'\n']]),
        b"." | br"\w" | br"\S" => Meaning::Anything,
        br"\n" => one(b"\n"),
        [b'\\', b'x', ..] => u8::from_str_radix(&atom[2..], 16).map_or(Meaning::Anything, |byte| one(&[byte])),
        [b'\\', rest @ ..] => one(rest),
        // Two letters, such as the ends of two genders.
        [b'[', a, b, b']'] if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric() => {
            Meaning::Exactly(vec![vec![*a], vec![*b]])
        }
        [b'[' | b'(', ..] => Meaning::Anything,
        literal => one(literal),
    }
}

/// How often one of `needles` stands in common text, as far as their lengths tell.
fn frequency(needles: &[Vec<u8>]) -> u32 {
    needles.iter().map(|needle| 1_000_000 >> (2 * needle.len().min(MAX_NEEDLE))).sum()
}

/// The needles without those that hold another, each no longer than is looked for.
fn shortened(mut needles: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    needles.iter_mut().for_each(|needle| needle.truncate(MAX_NEEDLE));
    needles.sort_by_key(Vec::len);
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for needle in needles {
        if !kept.iter().any(|short| memchr::memmem::find(&needle, short).is_some()) {
            kept.push(needle);
        }
    }
    kept
}

/// The alternatives of `pattern` outside its groups.
fn split(pattern: &str) -> Vec<&str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while at < pattern.len() {
        let end = at + atom_len(&pattern[at..]);
        if &pattern[at..end] == "|" {
            parts.push(&pattern[start..at]);
            start = end;
        }
        at = end;
    }
    parts.push(&pattern[start..]);
    parts
}

/// What stands between the marks of a group that only groups.
fn inside(atom: &str) -> Option<&str> {
    atom.strip_prefix("(?:")?.strip_suffix(')')
}

/// The groups of a part without alternatives that stand in it once.
fn groups(part: &str) -> impl Iterator<Item = &str> {
    let mut rest = part;
    let atoms = std::iter::from_fn(move || {
        let (atom, behind) = rest.split_at_checked(atom_len(rest)).filter(|(atom, _)| !atom.is_empty())?;
        rest = behind;
        Some((atom, behind))
    });
    atoms
        .filter(|(_, behind)| quantifier(behind).is_empty())
        .map(|(atom, _)| atom)
        .filter(|atom| atom.starts_with("(?:"))
}

/// The quantifier at the begin of `rest`, if there is one.
fn quantifier(rest: &str) -> &str {
    let len = match rest.bytes().next() {
        Some(b'?' | b'*' | b'+') => 1,
        Some(b'{') => rest.find('}').map_or(rest.len(), |end| end + 1),
        _ => return "",
    };
    &rest[..len + usize::from(rest[len..].starts_with('?'))]
}

/// How long the atom at the begin of `rest` is, which is not empty.
fn atom_len(rest: &str) -> usize {
    let len_at = |at: usize| rest.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let mut at = 1;
    match rest.bytes().next().unwrap_or_default() {
        b'\\' if rest[1..].starts_with('x') => 4,
        b'\\' => 1 + len_at(1),
        b'[' => {
            while at < rest.len() && rest.as_bytes()[at] != b']' {
                at += if rest.as_bytes()[at] == b'\\' { 1 + len_at(at + 1) } else { len_at(at) };
            }
            at + 1
        }
        b'(' => {
            while at < rest.len() && rest.as_bytes()[at] != b')' {
                at += atom_len(&rest[at..]);
            }
            at + 1
        }
        _ => len_at(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pattern: &str) -> Vec<String> {
        let one = |needle: &Vec<u8>| String::from_utf8_lossy(needle).into_owned();
        let set = |set: &Vec<Vec<u8>>| set.iter().map(one).collect::<Vec<_>>().join(" or ");
        let shown = |alternative: Alternative| {
            let needles = alternative.needles.iter().map(set).collect::<Vec<_>>().join(" and ");
            format!("{}: {needles}", alternative.pattern)
        };
        alternatives(pattern).into_iter().map(shown).collect()
    }

    #[test]
    fn the_rarest_string_is_looked_for() {
        for (pattern, want) in [
            (r"(?:is|are)\s+(?:now\s+)?stale", "stale and is or are"),
            (r"(?:old|former)\s+(?:\w+)", "old or former"),
            (r"\bships?\b", "ship"),
            ("removid[oa]s", "removi"),
            (r"(?x) un \x60 x", "un`x"),
            (r"(?x) \w* \( a \| b", "(a|b"),
            ("a{2,3}b{0,2}", "a"),
            ("[0-9]+", ""),
            ("(?:abc)?", ""),
        ] {
            assert_eq!(shown(pattern), [format!("{pattern}: {want}")]);
        }
        assert_eq!(shown("one|two"), ["one: one", "two: two"]);
    }

    #[test]
    fn a_large_group_is_taken_apart() {
        let apart = r"\b(?:one|two\s+or|three|four\s+long|five|six|a\s+hundred)\s+ago";
        assert_eq!(shown(apart).len(), 7);
        assert_eq!(shown(apart)[3], r"\b(?:four\s+long)\s+ago: four and long");
        // Not where other parts say more.
        assert_eq!(shown(r"\b(?:a|b|c|d|e)\s+(?:elephants|giraffes)").len(), 1);
        assert_eq!(shown(r"\b(?:one|two)").len(), 1);
    }
}
