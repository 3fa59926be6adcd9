//! A pattern that only answers whether it matches, and the folded text that it reads. Knows no words.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::{pool::Pool, syntax};

/// A pattern for [`folded`] text that answers nothing but whether it matches. Large alternatives, of which a small repository
/// needs each a few times: so no part of it is compiled that only finds where a match begins, and no class of Unicode's.
pub(super) struct FoldedPattern {
    dfa: Arc<DFA>,
    caches: Pool<Cache, MakeCache>,
}

type MakeCache = Box<dyn Fn() -> Cache + Send + Sync + UnwindSafe + RefUnwindSafe>;

impl FoldedPattern {
    pub(super) fn new(pattern: &str) -> Self {
        let pattern = with_classes(pattern);
        debug_assert!(!pattern.contains(|c: char| c.is_ascii_uppercase()), "folded text has no capitals: {pattern}");
        let syntax = syntax::Config::new().unicode(false).utf8(false);
        let nfa = thompson::Config::new().which_captures(thompson::WhichCaptures::None);
        let dfa = DFA::builder().syntax(syntax).thompson(nfa).build(&pattern);
        let dfa = Arc::new(dfa.expect("the patterns of this file are constant and tested"));
        let make: MakeCache = {
            let dfa = dfa.clone();
            Box::new(move || dfa.create_cache())
        };
        FoldedPattern { dfa, caches: Pool::new(make) }
    }

    pub(super) fn is_match(&self, folded: &str) -> bool {
        let input = Input::new(folded).earliest(true);
        // It fails only where it was told to give up early, or not to look at some byte.
        self.dfa.try_search_fwd(&mut self.caches.get(), &input).is_ok_and(|found| found.is_some())
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
