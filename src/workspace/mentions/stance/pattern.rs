//! A pattern that only answers whether it matches, and the folded text that it reads. Knows no words.

use std::collections::BTreeMap;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::{pool::Pool, syntax};

use super::needles::{Alternative, alternatives};

/// A pattern for [`folded`] text that answers nothing but whether it matches. Of its hundreds of words common text has few: they are
/// looked for first, and an alternative is compiled when the text has the words without which it cannot match.
pub(super) struct FoldedPattern {
    alternatives: Vec<Searcher>,
    /// The words of all alternatives.
    words: AhoCorasick,
    /// By word, the alternatives that cannot match without it or another of its set, and which of their sets that is.
    of_word: Vec<Vec<(usize, u8)>>,
    /// Alternatives that may match without any word.
    wordless: Vec<usize>,
}

impl FoldedPattern {
    pub(super) fn new(pattern: &str) -> Self {
        debug_assert!(!with_classes(pattern).contains(|c: char| c.is_ascii_uppercase()), "no capitals: {pattern}");
        let mut by_word: BTreeMap<Vec<u8>, Vec<(usize, u8)>> = BTreeMap::new();
        let (mut searchers, mut wordless) = (Vec::new(), Vec::new());
        for Alternative { pattern, needles } in alternatives(pattern) {
            if needles.is_empty() {
                wordless.push(searchers.len());
            }
            let sets = (1 << needles.len()) - 1;
            for (set, words) in needles.into_iter().enumerate() {
                for word in words {
                    by_word.entry(word).or_default().push((searchers.len(), 1 << set));
                }
            }
            searchers.push(Searcher { pattern, sets, compiled: OnceLock::new() });
        }
        // Texts are short: what hastens the search of long ones would take longer to build than it saves.
        let mut builder = AhoCorasick::builder();
        builder.kind(Some(AhoCorasickKind::ContiguousNFA)).prefilter(false);
        let words = builder.build(by_word.keys()).expect("the words of this folder are few");
        FoldedPattern { alternatives: searchers, words, of_word: by_word.into_values().collect(), wordless }
    }

    pub(super) fn is_match(&self, folded: &str) -> bool {
        if self.wordless.iter().any(|&index| self.alternatives[index].is_match(folded)) {
            return true;
        }
        let mut seen: Vec<(usize, u8)> = Vec::new();
        self.words.find_overlapping_iter(folded).any(|word| {
            self.of_word[word.pattern().as_usize()].iter().any(|&(index, set)| {
                let at = seen.iter().position(|(other, _)| *other == index).unwrap_or(seen.len());
                if at == seen.len() {
                    seen.push((index, 0));
                }
                let before = seen[at].1;
                seen[at].1 |= set;
                let searcher = &self.alternatives[index];
                before != searcher.sets && seen[at].1 == searcher.sets && searcher.is_match(folded)
            })
        })
    }
}

/// One alternative, which is compiled when it is first asked. No part of it is compiled that only finds where a match begins, and
/// no class of Unicode's.
struct Searcher {
    pattern: String,
    /// Its sets of words, a bit for each.
    sets: u8,
    compiled: OnceLock<Compiled>,
}

struct Compiled {
    dfa: Arc<DFA>,
    caches: Pool<Cache, MakeCache>,
}

type MakeCache = Box<dyn Fn() -> Cache + Send + Sync + UnwindSafe + RefUnwindSafe>;

impl Searcher {
    fn is_match(&self, folded: &str) -> bool {
        let Compiled { dfa, caches } = self.compiled.get_or_init(|| Compiled::new(&self.pattern));
        let input = Input::new(folded).earliest(true);
        // It fails only where it was told to give up early, or not to look at some byte.
        dfa.try_search_fwd(&mut caches.get(), &input).is_ok_and(|found| found.is_some())
    }
}

impl Compiled {
    fn new(pattern: &str) -> Self {
        let syntax = syntax::Config::new().unicode(false).utf8(false);
        let nfa = thompson::Config::new().which_captures(thompson::WhichCaptures::None);
        let dfa = DFA::builder().syntax(syntax).thompson(nfa).build(&with_classes(pattern));
        let dfa = Arc::new(dfa.expect("the patterns of this folder are constant and tested"));
        let make: MakeCache = {
            let dfa = dfa.clone();
            Box::new(move || dfa.create_cache())
        };
        Compiled { dfa, caches: Pool::new(make) }
    }
}

/// `pattern` with the classes that folded text needs: what lies outside ASCII there is a letter.
fn with_classes(pattern: &str) -> String {
    const WORD: &str = r"0-9a-z_\x80-\xff";
    let pattern = pattern.replace(r"[\w", &format!("[{WORD}"));
    let alone = [(r"\w", format!("[{WORD}]")), (r"\S", r"[^\x20\n]".into()), (r"\s", r"[\x20\n]".into())];
    alone.iter().fold(pattern, |pattern, (class, instead)| pattern.replace(class, instead))
}

/// `text` as the patterns want it: small letters; blanks and punctuation as ASCII, except a cross that means "no".
pub(super) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'A'..='Z' => out.push(c.to_ascii_lowercase()),
            '\n' | '\0'..='\x08' | '\x0e'..='\x7f' | '❌' => out.push(c),
            '‘' | '’' => out.push('\''),
            '“' | '”' => out.push('"'),
            '–' | '—' => out.push('-'),
            '→' => out.push_str("->"),
            '：' => out.push(':'),
            c if c.is_whitespace() => out.push(' '),
            '\u{80}'..='\u{bf}' | '\u{2000}'..='\u{2bff}' | '\u{2e00}'..='\u{303f}' => out.push('\x01'),
            '\u{fe00}'..='\u{fe6f}' | '\u{feff}'..='\u{ff0f}' => out.push('\x01'),
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;

    use super::super::prepare;
    use super::*;

    /// `pattern` without what only looks at a place: a generator of matches cannot take it.
    fn without_places(pattern: &str) -> String {
        let pattern = with_classes(pattern).replace(r"\b", "");
        let mut before = ' ';
        let kept = pattern.chars().filter(|&c| {
            let is_place = c == '^' && before != '[' || c == '$';
            before = c;
            !is_place
        });
        kept.collect()
    }

    #[test]
    fn a_match_of_an_alternative_holds_one_of_its_words() {
        let mut runner = TestRunner::deterministic();
        for pattern in prepare::all() {
            for (index, one) in pattern.alternatives.iter().enumerate() {
                let matches = proptest::string::bytes_regex(&format!("(?-u){}", without_places(&one.pattern)));
                let matches = matches.expect("a generator takes what has no places");
                for _ in 0..5 {
                    let text = matches.new_tree(&mut runner).expect("nothing is filtered").current();
                    let found = pattern.words.find_overlapping_iter(&text);
                    let held = found.flat_map(|word| &pattern.of_word[word.pattern().as_usize()]);
                    let sets = held.filter(|(held, _)| *held == index).fold(0, |sets, (_, set)| sets | set);
                    let is_asked = sets == one.sets;
                    assert!(is_asked, "{}: {}", one.pattern, String::from_utf8_lossy(&text));
                }
            }
        }
    }
}
