//! Where the beginnings of a question's words stand in a text. Knows no ranking.

use std::collections::BTreeSet;
use std::ops::Range;

use aho_corasick::packed::{Config, MatchKind as PackedMatchKind, Searcher};
use aho_corasick::{AhoCorasick, Input, MatchKind, Span};

/// How many bytes of each beginning are looked for at once, and how many of these there may be, in small letters and capitals.
/// More of either would find more than is there.
const HEAD: usize = 3;
const MOST_HEADS: usize = 64;

/// Finds beginnings, whatever the case of their ASCII letters.
pub(super) enum Beginnings {
    /// By the heads of all, many bytes of the text at a time.
    Packed { heads: Searcher, beginnings: Vec<String> },
    /// Byte by byte.
    Automaton(AhoCorasick),
}

impl Beginnings {
    pub(super) fn new(beginnings: Vec<String>) -> Option<Beginnings> {
        if let Some(heads) = packed(&beginnings) {
            return Some(Beginnings::Packed { heads, beginnings });
        }
        automaton(&beginnings).map(Beginnings::Automaton)
    }

    /// Where the first beginning stands in `text` from `from` on; of several at one place the first of the list.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let (heads, beginnings) = match self {
            Beginnings::Packed { heads, beginnings } => (heads, beginnings),
            Beginnings::Automaton(automaton) => {
                return automaton.find(Input::new(text).range(from..)).map(|found| found.range());
            }
        };
        let (bytes, mut at) = (text.as_bytes(), from);
        while let Some(head) = heads.find_in(bytes, Span { start: at, end: bytes.len() }) {
            let rest = &bytes[head.start()..];
            let stands = |beginning: &&String| {
                rest.get(..beginning.len()).is_some_and(|here| here.eq_ignore_ascii_case(beginning.as_bytes()))
            };
            if let Some(beginning) = beginnings.iter().find(stands) {
                return Some(head.start()..head.start() + beginning.len());
            }
            at = head.start() + 1;
        }
        None
    }
}

fn automaton(beginnings: &[String]) -> Option<AhoCorasick> {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).match_kind(MatchKind::LeftmostFirst).build(beginnings).ok()
}

/// A search for the heads of all beginnings; `None` where some are too short, or there are too many.
fn packed(beginnings: &[String]) -> Option<Searcher> {
    let mut heads: BTreeSet<Vec<u8>> = BTreeSet::new();
    for beginning in beginnings {
        let head = beginning.as_bytes().get(..HEAD)?;
        // Each bit of the number makes a capital of one byte, where that is a letter.
        heads.extend((0..1_usize << HEAD).map(|capitals| {
            let cased = |(at, byte): (usize, &u8)| match capitals >> at & 1 {
                1 => byte.to_ascii_uppercase(),
                _ => byte.to_ascii_lowercase(),
            };
            head.iter().enumerate().map(cased).collect()
        }));
        if heads.len() > MOST_HEADS {
            return None;
        }
    }
    Config::new().match_kind(PackedMatchKind::LeftmostFirst).builder().extend(heads).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same() {
        let texts = [
            "",
            "re",
            "Retry: reTRIED, re-try and RETR.",
            "the backlog of a back-off, Backoff and bACKoff",
            "straße STRASSE, Größe größe gröSSE",
            &"nothing to be found in here, ".repeat(9),
            &format!("{}retrieve{}", "re tr ret ".repeat(40), " back".repeat(40)),
        ];
        for beginnings in [&["retr", "back"][..], &["ret", "retr", "größ"], &["größe", "back", "backo", "str"]] {
            let beginnings: Vec<String> = beginnings.iter().map(ToString::to_string).collect();
            let automaton = Beginnings::Automaton(automaton(&beginnings).unwrap());
            let packed = Beginnings::new(beginnings.clone()).unwrap();
            assert!(matches!(packed, Beginnings::Packed { .. }) || cfg!(not(target_arch = "x86_64")));
            for text in texts {
                for from in (0..=text.len()).filter(|from| text.is_char_boundary(*from)) {
                    assert_eq!(
                        packed.find(text, from),
                        automaton.find(text, from),
                        "{beginnings:?} in {text} from {from}"
                    );
                }
            }
        }
    }

    #[test]
    fn short_and_many_beginnings_are_found_too() {
        let many: Vec<String> = (b'a'..=b'z').map(|letter| format!("{}xy", letter as char)).collect();
        let found = |beginnings: Vec<String>, text| Beginnings::new(beginnings).unwrap().find(text, 1);
        assert_eq!(found(vec!["go".into(), "retr".into()], "go and GO"), Some(7..9));
        assert_eq!(found(many, "axy, QXY"), Some(5..8));
    }
}
