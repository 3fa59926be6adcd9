//! Which `*` and `_` of a line open and close emphasis. It works on the masked text, in which only marks that count stand.

use super::chars::{CharClass, class};

/// What was learned of a text's marks, so that many that open nothing are cheap.
#[derive(Default)]
pub(super) struct Closers {
    /// For `*` and `_`: the distance of the last closing run from the end of the text, and the marks of all of them.
    none_behind: [Option<(usize, usize)>; 2],
}

/// Whether a run of `len` marks at the start of `rest` opens emphasis behind the character `before`.
pub(super) fn opens(rest: &str, len: usize, before: Option<char>) -> bool {
    let Some(before) = before else { return true };
    let after = rest[len..].chars().next();
    match class(after) {
        CharClass::Space => false,
        CharClass::Word => rest.starts_with('*') || before > '\u{ffff}' || !before.is_alphanumeric(),
        CharClass::Mark => {
            !matches!(before, '*' | '_') && before <= '\u{ffff}' && class(Some(before)) != CharClass::Word
        }
    }
}

/// The character before `at`.
fn before(mask: &[u8], at: usize) -> Option<char> {
    let start = mask[..at].iter().rposition(|&byte| byte & 0xc0 != 0x80)?;
    std::str::from_utf8(&mask[start..at]).ok()?.chars().next()
}

/// The character at `at`.
fn after(mask: &[u8], at: usize) -> Option<char> {
    let end = mask[at..].iter().skip(1).position(|&byte| byte & 0xc0 != 0x80).map_or(mask.len(), |len| at + 1 + len);
    std::str::from_utf8(mask.get(at..end)?).ok()?.chars().next()
}

/// The run that closes what `len` marks before `start` open: its offset from `start` and how many of its marks count.
pub(super) fn close(mask: &[u8], start: usize, mark: u8, len: usize, closers: &mut Closers) -> Option<(usize, usize)> {
    let known = &mut closers.none_behind[usize::from(mark == b'_')];
    let behind_last = |at: usize| known.is_some_and(|(last, _)| mask.len() - at < last);
    if behind_last(start) && mask.get(start + 1) != Some(&mark) {
        return None;
    }
    let star = mark == b'*';
    let (mut open, mut shared) = (len, 0);
    let from = start.max(orphan(mask, start, star));
    let (mut last, mut marks) = (mask.len() + 1 - from, 1);
    let mut at = from;
    while let Some(found) = mask.get(at..).and_then(|tail| memchr::memchr(mark, tail)).map(|found| at + found) {
        let end = found + mask[found..].iter().take_while(|&&byte| byte == mark).count();
        at = end;
        if found == start {
            continue;
        }
        if found > start + 1 && behind_last(found) {
            return None;
        }
        let run = end - found;
        let (left, right) = (class(before(mask, found)), class(after(mask, end)));
        let both = left == right && (left == CharClass::Mark || star && left == CharClass::Word);
        if left < right && !both {
            open += run;
            if known.is_some_and(|(_, marks)| open > marks) {
                return None;
            }
        } else if left > right || both {
            last = mask.len() - found;
            marks += run;
            if both && !len.is_multiple_of(3) && (len + run).is_multiple_of(3) {
                shared += run;
            } else if open <= run {
                return Some((found - start, run.min(open + shared)));
            } else {
                open -= run;
            }
        }
    }
    *known = Some((last, marks));
    None
}

/// Behind a lone mark of this kind inside a pair of the other, which is passed over.
fn orphan(mask: &[u8], start: usize, star: bool) -> usize {
    let (this, other) = if star { (b'*', b'_') } else { (b'_', b'*') };
    let plain = |at: usize| at + mask[at.min(mask.len())..].iter().take_while(|&&b| b != b'*' && b != b'_').count();
    let pair = |at: usize| mask.get(at) == Some(&other) && mask.get(at + 1) == Some(&other);
    let first = plain(start);
    if !pair(first) {
        return start;
    }
    let second = plain(first + 2);
    if mask.get(second) != Some(&this) {
        return start;
    }
    let third = plain(second + 1);
    if pair(third) { third } else { start }
}
