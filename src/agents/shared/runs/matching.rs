//! Whether a pattern of a hook's matcher is found in the name of a tool.

use regex_automata::Input;
use regex_automata::hybrid::dfa;
use regex_automata::hybrid::regex::Regex;
use regex_automata::nfa::thompson;

/// Longer patterns are not tried.
const MAX_PATTERN: usize = 1_000;
/// Bytes that a compiled pattern may take.
const MAX_COMPILED: usize = 1 << 18;

/// Of more matchers of one file it is not told for what they fire, since each may take a while to compile.
pub(crate) const MAX_MATCHERS: usize = 2_000;

/// A regular expression of JavaScript.
enum Expression {
    Known(Box<Regex>),
    /// It is no regular expression, and matches nothing.
    Invalid,
    /// JavaScript knows groups that are not known here.
    Foreign,
}

impl Expression {
    fn new(pattern: &str) -> Expression {
        let is_foreign = ["(?=", "(?!", "(?<=", "(?<!", "\\k<"].iter().any(|group| pattern.contains(group))
            || pattern.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && matches!(pair[1], b'1'..=b'9'));
        if is_foreign || pattern.len() > MAX_PATTERN {
            return Expression::Foreign;
        }
        let built = Regex::builder()
            .dfa(dfa::Config::new().cache_capacity(MAX_COMPILED).skip_cache_capacity_check(true))
            .thompson(thompson::Config::new().nfa_size_limit(Some(MAX_COMPILED)))
            .build(pattern);
        built.map_or(Expression::Invalid, |regex| Expression::Known(Box::new(regex)))
    }

    /// Which of `texts` it is found in; `None` where that cannot be told.
    fn found_in(&self, texts: &[&'static str]) -> Option<Vec<&'static str>> {
        let regex = match self {
            Expression::Known(regex) => regex,
            Expression::Invalid => return Some(Vec::new()),
            Expression::Foreign => return None,
        };
        let mut cache = regex.create_cache();
        let mut found = Vec::new();
        for &text in texts {
            found.extend(regex.try_search(&mut cache, &Input::new(text)).ok()?.map(|_| text));
        }
        Some(found)
    }
}

/// Whether `pattern` is surely no regular expression.
pub(crate) fn is_malformed(pattern: &str) -> bool {
    matches!(Expression::new(pattern), Expression::Invalid)
}

/// How an agent reads a hook's matcher. An empty one and `*` fire for everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatcherLanguage {
    /// Names with `|` or commas between them mean themselves; anything else is a regular expression, found anywhere.
    NamesOrExpression,
    /// A regular expression that must fit the whole name.
    WholeExpression,
    /// A regular expression, found anywhere.
    Expression,
}

/// For which of `subjects` a hook fires. `None` where that cannot be told.
pub(crate) fn fires_for(
    language: MatcherLanguage,
    matcher: Option<&str>,
    subjects: &[&'static str],
) -> Option<Vec<&'static str>> {
    let Some(matcher) = matcher.filter(|matcher| !matches!(*matcher, "" | "*")) else {
        return Some(subjects.to_vec());
    };
    // Of servers' tools nothing is known but their form.
    if matcher.contains("mcp_") {
        return None;
    }
    let is_plain = matcher.bytes().all(|b| b.is_ascii_alphanumeric() || b"_|, -".contains(&b));
    match language {
        MatcherLanguage::NamesOrExpression if is_plain => {
            let names: Vec<&str> = matcher.split(['|', ',']).map(str::trim).collect();
            Some(subjects.iter().copied().filter(|subject| names.contains(subject)).collect())
        }
        MatcherLanguage::NamesOrExpression | MatcherLanguage::Expression => Expression::new(matcher).found_in(subjects),
        MatcherLanguage::WholeExpression => Expression::new(&format!("^(?:{matcher})$")).found_in(subjects),
    }
}

/// A matcher that is a list of names, each written as one of `names` is that differs from it in case at most; `None` where it is
/// right as it stands, or a part of it is no such name.
pub(crate) fn near(matcher: &str, names: &[&'static str]) -> Option<String> {
    let mut out = String::new();
    for part in matcher.split_inclusive(['|', ',']) {
        let word = part.trim_matches(['|', ',', ' ']);
        let name = names.iter().find(|name| name.eq_ignore_ascii_case(word))?;
        out.push_str(&part.replacen(word, name, 1));
    }
    (out != matcher && !out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_wrong_case_are_put_right() {
        let check = |matcher: &str, expected: Option<&str>| {
            assert_eq!(near(matcher, &["Bash", "Edit"]).as_deref(), expected, "{matcher}");
        };
        check("bash", Some("Bash"));
        check("edit|BASH", Some("Edit|Bash"));
        check("Edit, bash", Some("Edit, Bash"));
        for near_miss in ["Bash", "Edit|Bash", "bas", "bash.*", "bash|other", "", "|"] {
            check(near_miss, None);
        }
    }

    #[test]
    fn matchers_fire_as_agents_read_them() {
        use MatcherLanguage::{Expression, NamesOrExpression, WholeExpression};
        let check = |language, matcher: &str, expected: Option<&[&str]>| {
            let found = fires_for(language, Some(matcher), &["Bash", "Read"]);
            assert_eq!(found.as_deref(), expected, "{matcher}");
        };
        check(NamesOrExpression, "Re.*", Some(&["Read"]));
        check(NamesOrExpression, "R*", Some(&["Bash", "Read"]));
        check(NamesOrExpression, "Rea", Some(&[]));
        check(NamesOrExpression, "Edit, Read", Some(&["Read"]));
        check(NamesOrExpression, "Re[ad", Some(&[]));
        check(NamesOrExpression, "^(?!Read)", None);
        check(NamesOrExpression, "(a{1000}){1000}", Some(&[]));
        check(NamesOrExpression, "mcp__x__y", None);
        check(NamesOrExpression, "*", Some(&["Bash", "Read"]));
        check(Expression, "Rea", Some(&["Read"]));
        check(WholeExpression, "Rea", Some(&[]));
        check(WholeExpression, "Read|Bash", Some(&["Bash", "Read"]));
    }
}
