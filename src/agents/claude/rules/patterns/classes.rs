//! Sets of characters in patterns: `[…]`, and what a `\` before a letter stands for, which is what JavaScript makes of it.

/// Characters that one place in a pattern stands for.
pub(super) struct CharSet {
    items: Vec<SetItem>,
}

#[derive(Clone, Copy)]
enum SetItem {
    /// All from the first to the last.
    Range(char, char),
    /// Those that it says, or all others.
    Kind(CharKind, bool),
}

#[derive(Clone, Copy)]
enum CharKind {
    Digit,
    Word,
    Space,
}

impl CharSet {
    /// Whether it holds `c` in one case or the other.
    pub(super) fn contains(&self, c: char) -> bool {
        let is_in = |c: char| {
            self.items.iter().any(|item| match *item {
                SetItem::Range(first, last) => (first..=last).contains(&c),
                SetItem::Kind(kind, expected) => kind.holds(c) == expected,
            })
        };
        is_in(c) || c.to_lowercase().any(is_in) || c.to_uppercase().any(is_in)
    }
}

impl CharKind {
    fn holds(self, c: char) -> bool {
        match self {
            CharKind::Digit => c.is_ascii_digit(),
            CharKind::Word => c.is_ascii_alphanumeric() || c == '_',
            CharKind::Space => c.is_whitespace() || c == '\u{feff}',
        }
    }
}

/// What `c` stands for behind a `\`; `None` if that is no character.
pub(super) fn escape(c: char) -> Option<CharSet> {
    Some(CharSet { items: vec![escaped_item(c)?] })
}

fn escaped_item(c: char) -> Option<SetItem> {
    let one = |c: char| SetItem::Range(c, c);
    Some(match c {
        'd' | 'D' => SetItem::Kind(CharKind::Digit, c == 'd'),
        'w' | 'W' => SetItem::Kind(CharKind::Word, c == 'w'),
        's' | 'S' => SetItem::Kind(CharKind::Space, c == 's'),
        'f' => one('\u{c}'),
        'n' => one('\n'),
        'r' => one('\r'),
        't' => one('\t'),
        'v' => one('\u{b}'),
        'b' | 'B' | '0'..='9' => return None,
        c => one(c),
    })
}

/// What stands between `[` and what closes it.
pub(super) struct OpenClass {
    /// Each character, and whether a `\` stands before it.
    content: Vec<(char, bool)>,
}

/// A class that has been read.
pub(super) struct ReadClass {
    pub(super) set: CharSet,
    /// Where the pattern goes on.
    pub(super) end: usize,
    /// How many of its characters there must be at least, if any number may follow one another.
    pub(super) least: Option<usize>,
}

/// What an expression for `?` or `*` begins with; its `]` closes a class that is open.
const INNER: [(char, bool); 3] = [('[', false), ('^', true), ('/', true)];

impl OpenClass {
    /// Read from behind the `[` to behind the `]`, the `?` or the stars; `None` if the pattern matches nothing because of it.
    pub(super) fn read(pattern: &[char], mut at: usize) -> Option<ReadClass> {
        let mut class = OpenClass { content: Vec::new() };
        loop {
            let escapes = pattern[at..].iter().take_while(|&&c| c == '\\').count();
            let c = *pattern.get(at + escapes)?;
            at += escapes + 1;
            let is_escaped = escapes % 2 == 1;
            class.content.extend((0..escapes / 2).map(|_| ('\\', true)));
            match c {
                ']' if is_escaped => return None,
                ']' => return Some(ReadClass { set: class.set(false)?, end: at, least: None }),
                '?' if is_escaped => return None,
                '?' => return class.closed_within(at, None),
                '*' if !is_escaped => {
                    let end = at + pattern[at..].iter().take_while(|&&c| c == '*').count();
                    let is_last = end == pattern.len();
                    let is_below = class.content.last() == Some(&('/', false));
                    if is_below && end - at == 1 && (is_last || pattern[end] == '/') {
                        return None;
                    }
                    // The last of several stars stands for itself.
                    let end = if is_last && end > at { end - 1 } else { end };
                    return class.closed_within(end, Some(usize::from(is_last && is_below && end == at)));
                }
                c => class.content.push((c, is_escaped)),
            }
        }
    }

    fn closed_within(mut self, end: usize, least: Option<usize>) -> Option<ReadClass> {
        self.content.extend(INNER);
        Some(ReadClass { set: self.set(true)?, end, least })
    }

    /// `is_strict`: a range that runs backwards is an error.
    fn set(&self, is_strict: bool) -> Option<CharSet> {
        let mut items = Vec::new();
        let mut rest = self.content.as_slice();
        while let [(first, is_escaped), after @ ..] = rest {
            let single = if *is_escaped { escaped_item(*first)? } else { SetItem::Range(*first, *first) };
            rest = after;
            if let ([('-', false), (last, false), after @ ..], false) = (after, *is_escaped) {
                rest = after;
                match first <= last {
                    true => items.push(SetItem::Range(*first, *last)),
                    // One that runs backwards is left out.
                    false if !is_strict && ('0'..='z').contains(first) && ('0'..='z').contains(last) => {}
                    false => return None,
                }
                continue;
            }
            items.push(single);
        }
        (!items.is_empty()).then_some(CharSet { items })
    }
}
