//! Brace alternatives in path patterns, `*.{ts,tsx}`, and how much of them is tried. No agent states a limit, and forty times
//! `{a,b}` stand for a million million patterns: a hostile pattern is refused before anything is made of it.

use std::fmt;

/// A pattern that stands for more patterns than this is not matched.
pub(crate) const MAX_ALTERNATIVES: u64 = 1000;
/// A longer pattern, in bytes, is not matched.
pub(crate) const MAX_PATTERN: usize = 4096;
/// The patterns of one field, once their braces are opened, together in bytes; what exceeds it is not matched.
pub(crate) const MAX_TOTAL: usize = 16 << 10;

/// Why a pattern is not matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BraceRefusal {
    /// It has this many bytes.
    TooLong(usize),
    /// It stands for this many patterns.
    TooMany(u64),
    /// With those before it the field has too many patterns.
    FieldTooLarge,
}

impl fmt::Display for BraceRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BraceRefusal::TooLong(len) => write!(f, "it has {len} bytes, more than {MAX_PATTERN}"),
            BraceRefusal::TooMany(u64::MAX) => write!(f, "it stands for more than {} patterns", u64::MAX),
            BraceRefusal::TooMany(count) => write!(f, "it stands for {count} patterns, more than {MAX_ALTERNATIVES}"),
            BraceRefusal::FieldTooLarge => write!(
                f,
                "with it the patterns of this field are more than {MAX_ALTERNATIVES}, or longer than {MAX_TOTAL} bytes together"
            ),
        }
    }
}

/// The patterns of a field with their braces opened.
#[derive(Debug, Default)]
pub(crate) struct ExpandedPatterns {
    /// What is matched.
    pub patterns: Vec<String>,
    /// The patterns that are not matched, as indexes into the input. [`BraceRefusal::FieldTooLarge`] stands last: what follows it is not looked at.
    pub refused: Vec<(usize, BraceRefusal)>,
}

/// Why a single pattern is not matched.
pub(crate) fn refusal(pattern: &str) -> Option<BraceRefusal> {
    if pattern.len() > MAX_PATTERN {
        return Some(BraceRefusal::TooLong(pattern.len()));
    }
    let count = count(pattern);
    (count > MAX_ALTERNATIVES).then_some(BraceRefusal::TooMany(count))
}

/// The beginning of a pattern, for a message about it.
pub fn beginning(pattern: &str) -> String {
    const SHOWN: usize = 60;
    match pattern.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &pattern[..at]),
        None => pattern.to_owned(),
    }
}

/// A pattern that is not matched, in words.
pub(crate) fn not_matched(pattern: &str, why: &BraceRefusal) -> String {
    format!("the pattern `{}` is not matched: {why}", beginning(pattern))
}

/// For how many patterns without braces a pattern stands, at most [`u64::MAX`].
fn count(pattern: &str) -> u64 {
    // Of each brace that is open: the alternatives that ended, and the one that goes on.
    let mut open: Vec<(u64, u64)> = Vec::new();
    let mut current: u64 = 1;
    for byte in pattern.bytes() {
        match byte {
            b'{' => open.push((0, std::mem::replace(&mut current, 1))),
            b',' => {
                if let Some((ended, _)) = open.last_mut() {
                    *ended = ended.saturating_add(std::mem::replace(&mut current, 1));
                }
            }
            b'}' => {
                if let Some((ended, before)) = open.pop() {
                    current = ended.saturating_add(current).saturating_mul(before);
                }
            }
            _ => {}
        }
    }
    open.iter().fold(current, |count, (ended, before)| ended.saturating_add(count).saturating_mul(*before))
}

/// Open the braces of all `patterns` of one field.
pub(crate) fn expand_all<'p>(patterns: impl IntoIterator<Item = &'p str>) -> ExpandedPatterns {
    let mut all = ExpandedPatterns::default();
    let mut total = 0;
    for (index, pattern) in patterns.into_iter().enumerate() {
        if let Some(refusal) = refusal(pattern) {
            all.refused.push((index, refusal));
            continue;
        }
        let room = usize::try_from(MAX_ALTERNATIVES).unwrap_or(usize::MAX) - all.patterns.len();
        let expanded = expand(pattern, room, MAX_TOTAL - total);
        let Some(expanded) = expanded else {
            all.refused.push((index, BraceRefusal::FieldTooLarge));
            break;
        };
        total += expanded.iter().map(String::len).sum::<usize>();
        all.patterns.extend(expanded);
    }
    all
}

/// Open `{a,b}` into all alternatives. Text without braces comes back as it is. `None` if that makes more than `room` patterns, or
/// more than `bytes` of them.
fn expand(pattern: &str, room: usize, bytes: usize) -> Option<Vec<String>> {
    let mut done = Vec::new();
    let mut todo = vec![pattern.to_owned()];
    let mut size = 0;
    while let Some(pattern) = todo.pop() {
        let open = pattern.find('{');
        let close = open
            .and_then(|open| pattern[open..].find('}').map(|at| open + at))
            .filter(|&close| Some(close) != open.map(|open| open + 1));
        let (Some(open), Some(close)) = (open, close) else {
            size += pattern.len();
            done.push(pattern);
            if done.len() > room || size > bytes {
                return None;
            }
            continue;
        };
        // Each of them gives one pattern or more.
        for alternative in pattern[open + 1..close].rsplit(',') {
            todo.push(format!("{}{}{}", &pattern[..open], alternative.trim(), &pattern[close + 1..]));
            if done.len() + todo.len() > room {
                return None;
            }
        }
    }
    Some(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(pattern: &str) -> Vec<String> {
        expand_all([pattern]).patterns
    }

    #[test]
    fn braces_are_opened() {
        assert_eq!(expanded("*.{js,tsx}"), ["*.js", "*.tsx"]);
        assert_eq!(expanded("{a,b}/{c}"), ["a/c", "b/c"]);
        assert_eq!(expanded("a{}b{"), ["a{}b{"]);
    }

    #[test]
    fn alternatives_are_counted_without_making_them() {
        for (pattern, want) in [
            ("a", 1),
            ("a,b", 1),
            ("{a,b}", 2),
            ("{a,b}/{c,d,e}", 6),
            ("{a,{b,c}d}", 3),
            ("{a,b", 2),
            ("}{a,b}", 2),
            ("{}", 1),
        ] {
            assert_eq!(count(pattern), want, "{pattern}");
        }
        assert_eq!(count(&"{a,b}".repeat(40)), 1 << 40);
        assert_eq!(count(&"{a,b}".repeat(100)), u64::MAX);
    }

    #[test]
    fn what_is_too_much_is_refused_and_what_is_just_enough_is_not() {
        let thousand = format!("{}{{1,2,3,4,5}}{{1,2,3,4,5}}{{1,2,3,4,5}}", "{a,b}".repeat(3));
        assert_eq!(expanded(&thousand).len(), 1000);
        let more = format!("{thousand}{{1,2}}");
        assert_eq!(refusal(&more), Some(BraceRefusal::TooMany(2000)));
        assert_eq!(refusal(&"a".repeat(MAX_PATTERN)), None);
        assert_eq!(refusal(&"a".repeat(MAX_PATTERN + 1)), Some(BraceRefusal::TooLong(MAX_PATTERN + 1)));
        // One that is refused takes nothing from the others, and one that is too much ends the field.
        let half = &thousand[5..];
        let all = expand_all([more.as_str(), "x", half, half, "y"]);
        assert_eq!(all.patterns.len(), 501);
        assert_eq!(all.refused, [(0, BraceRefusal::TooMany(2000)), (3, BraceRefusal::FieldTooLarge)]);
        let long = "a".repeat(MAX_PATTERN);
        let all = expand_all([long.as_str(); 5]);
        assert_eq!((all.patterns.len(), all.refused.len()), (4, 1));
    }
}
