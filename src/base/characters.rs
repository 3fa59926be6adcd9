//! Properties of characters, all from one version of Unicode. Knows nothing about contexts.

mod tables;
mod visible;

pub use visible::{is_hidden, visible};

use tables::{LOOKALIKES, NAMES, RANGES, VARIANTS};

/// The properties of one character, or the union of those of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Properties(u32);

macro_rules! bits {
    ($($(#[$doc:meta])* $name:ident = $bit:literal,)*) => {
        impl Properties { $($(#[$doc])* pub(crate) const $name: Properties = Properties(1 << $bit);)* }
        #[cfg(test)]
        const BIT_NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

bits! {
    /// General category L.
    LETTER = 0,
    /// General category M.
    MARK = 1,
    /// General category Mn or Me.
    NONSPACING = 2,
    /// Script Inherited.
    INHERITED = 3,
    /// General category Sc, Sk, Sm, So or Po.
    SYMBOL = 4,
    /// General category Cn, but neither noncharacter, nor default-ignorable, nor reserved for pictographs.
    UNASSIGNED = 5,
    /// Default_Ignorable_Code_Point.
    IGNORABLE = 6,
    /// Bidi_Class R or AL, other than the marks U+200F and U+061C.
    RTL = 7,
    /// Canonical_Combining_Class other than 0.
    COMBINING_CLASS = 8,
    /// Joining_Type T.
    TRANSPARENT = 9,
    /// Joining_Type D, L or R.
    JOINING = 10,
    /// A script whose orthography uses joiners.
    JOINER_SCRIPT = 11,
    /// Line_Break SA.
    LINE_BREAK_SA = 12,
    /// Emoji or Extended_Pictographic, outside ASCII.
    PICTOGRAPH = 13,
    /// Ideographic.
    IDEOGRAPHIC = 14,
    /// Script Latin.
    LATIN = 15,
    /// Script Cyrillic.
    CYRILLIC = 16,
    /// Script Greek.
    GREEK = 17,
    /// Script Armenian.
    ARMENIAN = 18,
    /// Script Cherokee.
    CHEROKEE = 19,
    /// Script Mongolian.
    MONGOLIAN = 20,
    /// Script Khmer.
    KHMER = 21,
    /// Script Hangul.
    HANGUL = 22,
    /// Script Han, Hiragana, Katakana, Hangul or Bopomofo.
    CJK = 23,
    /// Uppercase.
    UPPERCASE = 24,
    /// Math.
    MATH = 25,
    /// General category Cf, Zl or Zp.
    FORMAT = 26,
}

impl Properties {
    /// The scripts whose letters are compared with ASCII letters.
    pub(crate) const LOOKALIKE_SCRIPT: Properties =
        Self::CYRILLIC.and(Self::GREEK).and(Self::ARMENIAN).and(Self::CHEROKEE);

    /// The properties of `c`.
    pub(crate) fn of(c: char) -> Properties {
        let point = u32::from(c);
        if point < 0x80 {
            return match c {
                'A'..='Z' => Self::LETTER.and(Self::LATIN).and(Self::UPPERCASE),
                'a'..='z' => Self::LETTER.and(Self::LATIN),
                _ => Properties(0),
            };
        }
        let index = RANGES.partition_point(|(first, _, _)| *first <= point);
        match index.checked_sub(1).map(|index| RANGES[index]) {
            Some((_, last, bits)) if point <= last => Properties(bits),
            _ => Properties(0),
        }
    }

    /// The union of both.
    pub(crate) const fn and(self, other: Properties) -> Properties {
        Properties(self.0 | other.0)
    }

    /// Whether any property of `wanted` holds.
    pub(crate) fn any(self, wanted: Properties) -> bool {
        self.0 & wanted.0 != 0
    }

    /// Whether all properties of `wanted` hold.
    pub(crate) fn all(self, wanted: Properties) -> bool {
        self.0 & wanted.0 == wanted.0
    }
}

/// Whether any property of `wanted` holds for `c`.
pub(crate) fn is(c: char, wanted: Properties) -> bool {
    Properties::of(c).any(wanted)
}

/// Whether `c` is default-ignorable: it has no glyph of its own.
pub(crate) fn is_ignorable(c: char) -> bool {
    u32::from(c) >= 0xAD && is(c, Properties::IGNORABLE)
}

/// Whether `base` and `selector` (U+FE00 to U+FE0D) are a standardized variation sequence.
pub(crate) fn is_standardized(base: char, selector: char) -> bool {
    let Some(number) = u32::from(selector).checked_sub(0xFE00).and_then(|number| u8::try_from(number).ok()) else {
        return false;
    };
    VARIANTS.binary_search(&(u32::from(base), number)).is_ok()
}

/// The ASCII letter that `c`, a letter of another script, is confusable with.
pub(crate) fn lookalike(c: char) -> Option<char> {
    let index = LOOKALIKES.binary_search_by_key(&u32::from(c), |(point, _)| *point).ok()?;
    Some(char::from(LOOKALIKES[index].1))
}

/// The name of `c`, if it is one that messages print: hidden characters, controls, spaces, lookalikes.
pub(crate) fn name(c: char) -> Option<String> {
    let point = u32::from(c);
    if let Ok(index) = NAMES.binary_search_by_key(&point, |(point, _)| *point) {
        return Some(NAMES[index].1.to_owned());
    }
    Some(match point {
        0xFE00..=0xFE0F => format!("VARIATION SELECTOR-{}", point - 0xFE00 + 1),
        0xE0100..=0xE01EF => format!("VARIATION SELECTOR-{}", point - 0xE0100 + 17),
        0xE0001 => "LANGUAGE TAG".to_owned(),
        0xE0020 => "TAG SPACE".to_owned(),
        0xE007F => "CANCEL TAG".to_owned(),
        0xE0021..=0xE007E => match char::from_u32(point - 0xE0000) {
            Some(ascii) => format!("TAG {ascii:?}"),
            None => return None,
        },
        0xE000..=0xF8FF | 0xF0000..=0xFFFFD | 0x100000..=0x10FFFD => "private use".to_owned(),
        _ if is_noncharacter(c) => "noncharacter".to_owned(),
        _ if is_ignorable(c) => "reserved".to_owned(),
        _ if is(c, Properties::UNASSIGNED) => "unassigned".to_owned(),
        _ => return None,
    })
}

/// Whether `c` is an emoji or a pictograph, assigned or reserved, outside ASCII.
pub(crate) fn is_pictograph(c: char) -> bool {
    is(c, Properties::PICTOGRAPH)
}

/// Whether `c` is one of the 66 noncharacters.
pub(crate) fn is_noncharacter(c: char) -> bool {
    let point = u32::from(c);
    matches!(point, 0xFDD0..=0xFDEF) || point & 0xFFFE == 0xFFFE
}

/// Whether `c` is for private use.
pub(crate) fn is_private_use(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}

/// Whether `c` is a space of general category Zs other than U+0020.
pub(crate) fn is_unusual_space(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_generator() {
        let script = include_str!("../../scripts/unicode-tables.py");
        let list = script.split("BITS = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
        let names: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
        assert_eq!(names, BIT_NAMES);
        assert!(script.contains(&format!("VERSION = \"{}\"", tables::VERSION)));
    }

    #[test]
    fn tables_are_sorted_and_count_right() {
        assert!(RANGES.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(RANGES.iter().all(|(first, last, _)| first <= last));
        assert!(VARIANTS.is_sorted() && LOOKALIKES.is_sorted() && NAMES.is_sorted());
        let ignorable: u32 = RANGES
            .iter()
            .filter(|(_, _, bits)| Properties(*bits).any(Properties::IGNORABLE))
            .map(|(first, last, _)| last - first + 1)
            .sum();
        assert_eq!(ignorable, 4174, "the number of default-ignorable code points of Unicode 17 and 18");
    }

    #[test]
    fn spot_checks() {
        assert!(is('ن', Properties::JOINING) && is('ن', Properties::RTL));
        assert!(is('က', Properties::LINE_BREAK_SA) && is('😀', Properties::PICTOGRAPH));
        assert!(is_standardized('∩', '\u{FE00}') && !is_standardized('∩', '\u{FE01}'));
        assert_eq!(lookalike('а'), Some('a'));
        assert_eq!(lookalike('І'), Some('I'));
        assert_eq!(lookalike('ж'), None);
        assert_eq!(name('\u{200B}').as_deref(), Some("ZERO WIDTH SPACE"));
        assert_eq!(name('\u{0}').as_deref(), Some("NULL"));
        assert_eq!(name('\u{E0041}').as_deref(), Some("TAG 'A'"));
    }
}
