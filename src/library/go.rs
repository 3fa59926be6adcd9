//! Go, the language, told from the verb. Knows texts and no ranking.

use std::borrow::Cow;
use std::ops::Range;

/// The word that stands for the language.
pub(super) const NAME: &str = "golang";

/// Words before the language: "in Go".
const BEFORE: [&str; 7] = ["in", "with", "using", "from", "for", "of", "written"];

/// Words behind the verb: "Go to", "Go back".
const BEHIND: [&str; 17] = [
    "to", "through", "ahead", "over", "back", "on", "and", "into", "live", "up", "down", "away", "beyond", "further",
    "straight", "directly", "there",
];

/// The question with the language's longer name.
pub(super) fn spelled_out(question: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, _) in question.match_indices(['G', 'g']) {
        let word = at..question.len().min(at + 2);
        // Questions have few capitals: "a server in go".
        let is_lower = question.get(word.clone()) == Some("go") && before(question, at) == "in";
        if is_language(question, &word) || (is_lower && is_word(question, &word) && !is_verb(question, word.end)) {
            out.push_str(&question[copied..at]);
            out.push_str(NAME);
            copied = word.end;
        }
    }
    if copied == 0 { Cow::Borrowed(question) } else { Cow::Owned(out + &question[copied..]) }
}

/// Whether the word at `word` is the language.
pub(super) fn is_language(text: &str, word: &Range<usize>) -> bool {
    text.get(word.clone()) == Some("Go")
        && is_word(text, word)
        && (!is_verb(text, word.end) || BEFORE.contains(&before(text, word.start)))
}

/// Whether nothing of an identifier or a path stands at either end.
fn is_word(text: &str, word: &Range<usize>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '\'' | '’');
    !text[..word.start].ends_with(|c: char| is_part(c) || matches!(c, '/' | '.'))
        && !text[word.end..].starts_with(is_part)
}

fn is_verb(text: &str, end: usize) -> bool {
    let rest = text[end..].trim_start_matches(' ');
    let next = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    BEHIND.iter().any(|word| next.eq_ignore_ascii_case(word))
}

/// The word before `at`, on the same line.
fn before(text: &str, at: usize) -> &str {
    let before = text[..at].trim_end_matches(' ');
    before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_told_from_the_verb() {
        for (question, expected) in [
            ("kubernetes operator in Go", "kubernetes operator in golang"),
            ("Go modules", "golang modules"),
            ("Go, Rust and Zig", "golang, Rust and Zig"),
            ("a server written in Go to save memory", "a server written in golang to save memory"),
            ("a server in go", "a server in golang"),
        ] {
            assert_eq!(spelled_out(question), expected);
        }
        for verb in [
            "where do APIs go if the site is static",
            "Go to the settings",
            "Go back, go on, go further",
            "Let's Go-live",
            "check in go to staging",
            "ergo, Google, logo, GO, é",
            "pkg/Go",
            "",
        ] {
            assert_eq!(spelled_out(verb), verb);
        }
        assert!(is_language("Go: tests", &(0..2)) && !is_language("Go to tests", &(0..2)));
    }
}
