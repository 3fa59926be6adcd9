//! Each import grammar takes any text; its references are in order and lie on character boundaries.
#![no_main]

use hintlint::parse::imports::{Grammar, references};
use libfuzzer_sys::fuzz_target;

const GRAMMARS: [Grammar; 7] =
    [Grammar::Claude, Grammar::Gemini, Grammar::Qwen, Grammar::Goose, Grammar::Copilot, Grammar::Dex, Grammar::Merged];

fuzz_target!(|text: &str| {
    for grammar in GRAMMARS {
        let references = references(grammar, text);
        for reference in &references {
            let token = text.get(reference.span.range());
            assert!(token.is_some_and(|token| token.starts_with('@')), "{grammar:?}: {reference:?} is {token:?}");
        }
        assert!(references.is_sorted_by_key(|reference| reference.span.start), "{grammar:?}: {references:?}");
    }
});
