//! Whether a pattern of a hook's matcher is found in the name of a tool.

use regex_automata::Input;
use regex_automata::hybrid::dfa;
use regex_automata::hybrid::regex::Regex;
use regex_automata::nfa::thompson;

/// Longer patterns are not tried.
const MAX_PATTERN: usize = 2_000;
/// Bytes that a compiled pattern may take.
const MAX_COMPILED: usize = 1 << 20;

/// Whether a regular expression of JavaScript is found anywhere in `text`. A pattern that is none is found nowhere. `None` where
/// it cannot be told: JavaScript knows groups that are not known here.
pub(crate) fn finds(pattern: &str, text: &str) -> Option<bool> {
    let is_foreign = ["(?=", "(?!", "(?<=", "(?<!", "\\k<"].iter().any(|group| pattern.contains(group))
        || pattern.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && matches!(pair[1], b'1'..=b'9'));
    if is_foreign || pattern.len() > MAX_PATTERN {
        return None;
    }
    let built = Regex::builder()
        .dfa(dfa::Config::new().cache_capacity(MAX_COMPILED).skip_cache_capacity_check(true))
        .thompson(thompson::Config::new().nfa_size_limit(Some(MAX_COMPILED)))
        .build(pattern);
    let Ok(regex) = built else { return Some(false) };
    let mut cache = regex.create_cache();
    regex.try_search(&mut cache, &Input::new(text)).ok().map(|found| found.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_found_as_in_javascript() {
        for (pattern, text, expected) in [
            ("Re.*", "Read", Some(true)),
            ("R*", "Bash", Some(true)),
            ("^Rea$", "Read", Some(false)),
            ("Re[ad", "Read", Some(false)),
            ("^(?!Read)", "Read", None),
            ("(a{1000}){1000}", "Read", Some(false)),
        ] {
            assert_eq!(finds(pattern, text), expected, "{pattern}");
        }
    }
}
