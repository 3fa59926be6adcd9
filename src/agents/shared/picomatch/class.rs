//! What may stand for one code unit: `[a-z]` of a glob, as JavaScript's expressions read it.

/// Ranges of code units.
#[derive(Debug, Clone)]
pub(super) struct UnitClass {
    ranges: Vec<(u16, u16)>,
    negated: bool,
}

/// The names in `[[:alpha:]]`.
const NAMED: &[(&str, &str)] = &[
    ("alnum", "a-zA-Z0-9"),
    ("alpha", "a-zA-Z"),
    ("ascii", "\0-\u{7f}"),
    ("blank", " \t"),
    ("cntrl", "\0-\u{1f}\u{7f}"),
    ("digit", "0-9"),
    ("graph", "\u{21}-\u{7e}"),
    ("lower", "a-z"),
    ("print", "\u{20}-\u{7e}"),
    ("punct", "!-/:-@\\[-`{-~"),
    ("space", " \t\r\n\u{b}\u{c}"),
    ("upper", "A-Z"),
    ("word", "A-Za-z0-9_"),
    ("xdigit", "A-Fa-f0-9"),
];

/// What `[:name:]` stands for.
pub(super) fn named(name: &str) -> Option<&'static str> {
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, chars)| *chars)
}

impl UnitClass {
    /// Of what stands between the brackets; `None` if that is no class. A negated one does not match `/`.
    pub(super) fn new(inside: &str) -> Option<UnitClass> {
        let (inside, negated) = inside.strip_prefix('^').map_or((inside, false), |rest| (rest, true));
        let units: Vec<u16> = inside.encode_utf16().collect();
        let mut class = UnitClass { ranges: Vec::new(), negated };
        let mut at = 0;
        while at < units.len() {
            let Some(first) = class.take(&units, &mut at) else { continue };
            if units.get(at) == Some(&u16::from(b'-')) && at + 1 < units.len() {
                at += 1;
                // A class of its own as an end makes the dash one of the units.
                let Some(last) = class.take(&units, &mut at) else {
                    class.ranges.extend([(first, first), (u16::from(b'-'), u16::from(b'-'))]);
                    continue;
                };
                if last < first {
                    return None;
                }
                class.ranges.push((first, last));
            } else {
                class.ranges.push((first, first));
            }
        }
        if negated {
            class.ranges.push((u16::from(b'/'), u16::from(b'/')));
        }
        Some(class)
    }

    /// The next unit; `None` if it is a class, which is taken up.
    fn take(&mut self, units: &[u16], at: &mut usize) -> Option<u16> {
        let unit = units[*at];
        *at += 1;
        if unit != u16::from(b'\\') || *at == units.len() {
            return Some(unit);
        }
        let escaped = units[*at];
        *at += 1;
        let ranges: &[(u8, u8)] = match u8::try_from(escaped) {
            Ok(b'd') => &[(b'0', b'9')],
            Ok(b'w') => &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')],
            Ok(b's') => &[(b'\t', b'\r'), (b' ', b' ')],
            _ => return Some(escaped),
        };
        self.ranges.extend(ranges.iter().map(|&(first, last)| (u16::from(first), u16::from(last))));
        None
    }

    pub(super) fn contains(&self, unit: u16) -> bool {
        self.ranges.iter().any(|&(first, last)| (first..=last).contains(&unit)) != self.negated
    }
}
