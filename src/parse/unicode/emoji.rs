//! Emoji by the grammar of UTS #51, flags by the three recommended subdivisions. Knows single characters and short sequences.

use crate::base::characters::{Properties, is};

/// The base of every subdivision flag.
pub(super) const BLACK_FLAG: char = '\u{1F3F4}';

/// Whether `c` is a variation selector other than Mongolian ones.
pub(super) fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Whether `c` is a Mongolian free variation selector.
pub(super) fn is_mongolian_selector(c: char) -> bool {
    matches!(c, '\u{180B}'..='\u{180D}' | '\u{180F}')
}

/// Whether `c` can begin an emoji.
pub(super) fn is_emoji(c: char) -> bool {
    is(c, Properties::PICTOGRAPH)
}

/// The tags of a flag at the start of `chars`: how many they are, and whether the flag is one of the three recommended ones.
pub(super) fn flag_tags(chars: impl Iterator<Item = char>) -> Option<(usize, bool)> {
    let mut spelled = String::new();
    for c in chars {
        match c {
            '\u{E007F}' => {
                let known = matches!(spelled.as_str(), "gbeng" | "gbsct" | "gbwls");
                let (region, rest) = (spelled.get(..2)?, spelled.get(2..)?);
                let formed = region.bytes().all(|b| b.is_ascii_lowercase()) && matches!(rest.len(), 1..=3);
                return formed.then_some((spelled.len() + 1, known));
            }
            '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}' if spelled.len() < 5 => {
                spelled.push(char::from(u8::try_from(u32::from(c) - 0xE0000).ok()?));
            }
            _ => return None,
        }
    }
    None
}

/// Whether what stands before a joiner ends an emoji: the emoji itself, its presentation selector, or a flag's last tag.
/// `before` yields the characters backwards.
pub(super) fn ends_emoji(mut before: impl Iterator<Item = char>) -> bool {
    match before.next() {
        Some('\u{FE0F}') => before.next().is_some_and(is_emoji),
        Some('\u{E007F}') => {
            let tags: Vec<char> = before.by_ref().take(5).collect();
            let chars = tags.into_iter().rev().chain(['\u{E007F}']);
            matches!(flag_tags(chars), Some((_, true))) && before.next() == Some(BLACK_FLAG)
        }
        Some(c) => is_emoji(c),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> Option<(usize, bool)> {
        let tag = |c: char| if c == '.' { '\u{E007F}' } else { char::from_u32(0xE0000 + u32::from(c)).unwrap() };
        flag_tags(text.chars().map(tag))
    }

    #[test]
    fn flags() {
        assert_eq!(tags("gbeng."), Some((6, true)));
        assert_eq!(tags("usca.hidden"), Some((5, false)));
        assert_eq!(tags("us."), None);
        assert_eq!(tags("12345."), None);
        assert_eq!(tags("gbengland."), None);
        assert_eq!(tags("gbeng"), None);
    }

    #[test]
    fn ends_of_emoji() {
        for text in ["👩", "👩🏽", "❤\u{FE0F}", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"] {
            assert!(ends_emoji(text.chars().rev()), "{text:?}");
        }
        for text in ["", "a", "a\u{FE0F}", "1", "🏴\u{E0075}\u{E0073}\u{E0063}\u{E0061}\u{E0062}\u{E007F}"] {
            assert!(!ends_emoji(text.chars().rev()), "{text:?}");
        }
    }
}
