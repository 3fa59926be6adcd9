//! Languages that are named with signs: C++, C#, F# and .NET. Knows texts and no ranking.

use std::borrow::Cow;
use std::ops::Range;

/// How each is written, in small letters, and the word that stands for it.
pub(super) const NAMES: [(&str, &str); 4] = [("c++", "cpp"), ("c#", "csharp"), ("f#", "fsharp"), (".net", "dotnet")];

/// The question with words for such languages.
pub(super) fn spelled_out(question: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, _) in question.match_indices(['C', 'c', 'F', 'f', '.']) {
        if let Some((signs, name)) = named_at(question, at) {
            out.push_str(&question[copied..at]);
            out.push_str(name);
            copied = at + signs.len();
            // `C++20` asks for C++ and 20.
            if question[copied..].starts_with(char::is_alphanumeric) {
                out.push(' ');
            }
        }
    }
    if copied == 0 { Cow::Borrowed(question) } else { Cow::Owned(out + &question[copied..]) }
}

/// The word for the language that a word of the text begins with.
pub(super) fn language(text: &str, word: &Range<usize>) -> Option<&'static str> {
    named_at(text, word.start).map(|(_, name)| name)
}

fn named_at(text: &str, at: usize) -> Option<(&'static str, &'static str)> {
    let begins = !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '-' | '_'));
    let stands = |&(signs, _): &(&'static str, &'static str)| {
        let Some(here) = text.as_bytes().get(at..at + signs.len()) else { return false };
        let rest = &text.as_bytes()[at + signs.len()..];
        // `.NET8` and `C++20` are versions; `C#m` is a chord, `.networks` a file.
        here.eq_ignore_ascii_case(signs.as_bytes()) && !rest.first().is_some_and(|byte| byte.is_ascii_alphabetic())
    };
    NAMES.into_iter().find(|name| begins && stands(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_words() {
        for (question, expected) in [
            ("a C++ compiler", "a cpp compiler"),
            ("C# or F#?", "csharp or fsharp?"),
            ("c#, c++ and .NET 8", "csharp, cpp and dotnet 8"),
            ("C++20 modules", "cpp 20 modules"),
            (".net", "dotnet"),
        ] {
            assert_eq!(spelled_out(question), expected);
        }
        for other in ["", "C", "abc++", "ASP.NET", "a.net", ".network", "C#m7", "src/.net", "é.net", "c+", "C é"] {
            assert_eq!(spelled_out(other), other);
        }
    }
}
