//! Whether a pattern of a hook's matcher is found in the name of a tool.

use regex_automata::Input;
use regex_automata::hybrid::dfa;
use regex_automata::hybrid::regex::Regex;
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;

/// Longer patterns are not tried.
const MAX_PATTERN: usize = 1_000;
/// Bytes that a compiled pattern may take.
const MAX_COMPILED: usize = 1 << 18;
/// Expressions with more look-aheads are not evaluated.
const MAX_LOOK_AHEADS: usize = 4;

/// Matchers of one file beyond this number are not evaluated, since each may take a while to compile.
pub(crate) const MAX_MATCHERS: usize = 2_000;

/// Stands for the tools of servers among the subjects of a matcher. Nothing is known of them but how their names begin.
pub(crate) const SERVER_TOOLS: &str = "mcp__*";

/// A regular expression of an agent.
enum Expression {
    Known(Box<Regex>),
    /// It is no regular expression, and matches nothing.
    Invalid,
    /// It has groups that are not known here.
    Foreign,
}

/// What stands at the beginning of an expression of JavaScript: what must follow there, and what must not.
struct LookAhead {
    is_wanted: bool,
    expression: Expression,
}

impl Expression {
    /// The expression as JavaScript reads it.
    fn of_javascript(pattern: &str) -> Expression {
        match has_foreign_group(pattern) {
            true => Expression::Invalid,
            false => Expression::with(&without_foreign_escapes(pattern), syntax::Config::new().unicode(false)),
        }
    }

    fn new(pattern: &str) -> Expression {
        Expression::with(pattern, syntax::Config::new())
    }

    fn with(pattern: &str, syntax: syntax::Config) -> Expression {
        let is_foreign = ["(?=", "(?!", "(?<=", "(?<!", "\\k<"].iter().any(|group| pattern.contains(group))
            || pattern.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && matches!(pair[1], b'1'..=b'9'));
        if is_foreign || pattern.len() > MAX_PATTERN {
            return Expression::Foreign;
        }
        let built = Regex::builder()
            .syntax(syntax.utf8(false))
            .dfa(
                dfa::Config::new()
                    .unicode_word_boundary(true)
                    .cache_capacity(MAX_COMPILED)
                    .skip_cache_capacity_check(true),
            )
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

/// Whether `pattern` has a group that only other languages than JavaScript know, as `(?i)` and `(?P<name>…)`.
fn has_foreign_group(pattern: &str) -> bool {
    let mut groups = pattern.match_indices("(?").map(|(at, _)| &pattern[at + 2..]);
    groups.any(|rest| {
        let flags = rest.trim_start_matches(['i', 'm', 's', '-']);
        !flags.starts_with(':') && !rest.starts_with(['=', '!', '<'])
    })
}

/// `pattern` with each escaped letter alone that means something in other languages and is a letter in JavaScript.
fn without_foreign_escapes(pattern: &str) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(next) if next.is_ascii_alphabetic() && !"bBcdDfknrsStuvwWx".contains(next) => out.push(next),
                next => out.extend(std::iter::once(c).chain(next)),
            },
            _ => out.push(c),
        }
    }
    out
}

/// The groups at the beginning of `^(?!A)(?=B)rest`, and `^rest`.
fn look_aheads(pattern: &str) -> Option<(Vec<LookAhead>, String)> {
    let mut rest = pattern.strip_prefix('^')?;
    let mut found = Vec::new();
    while let Some(group) = rest.strip_prefix("(?").filter(|group| group.starts_with(['=', '!'])) {
        let end = group_end(group).filter(|_| found.len() < MAX_LOOK_AHEADS)?;
        let expression = Expression::of_javascript(&format!("^(?:{})", &group[1..end]));
        found.push(LookAhead { is_wanted: group.starts_with('='), expression });
        rest = &group[end + 1..];
    }
    // An alternative would not begin with the groups.
    let is_whole = !rest.starts_with(['*', '+', '?', '{']) && group_end(&format!("{rest})")) == Some(rest.len());
    let is_whole = is_whole && !rest.contains('|');
    (!found.is_empty() && is_whole).then(|| (found, format!("^(?:{rest})")))
}

/// Where the group that is open at the beginning of `text` is closed.
fn group_end(text: &str) -> Option<usize> {
    let (mut depth, mut is_escaped) = (0_usize, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            // Parentheses in a class are characters; such expressions are left alone.
            b'[' => return None,
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(at),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Which of `subjects` an expression of JavaScript is found in.
fn found_by_javascript(pattern: &str, subjects: &[&'static str]) -> Option<Vec<&'static str>> {
    let Some((groups, rest)) = look_aheads(pattern).filter(|_| pattern.len() <= MAX_PATTERN) else {
        return Expression::of_javascript(pattern).found_in(subjects);
    };
    let mut found = Expression::of_javascript(&rest).found_in(subjects)?;
    for group in groups {
        if matches!(group.expression, Expression::Invalid) {
            return Some(Vec::new());
        }
        let fitting = group.expression.found_in(&found)?;
        found.retain(|subject| fitting.contains(subject) == group.is_wanted);
    }
    Some(found)
}

/// Whether `pattern` is surely no regular expression of JavaScript.
pub(crate) fn is_malformed(pattern: &str) -> bool {
    matches!(Expression::of_javascript(pattern), Expression::Invalid)
}

/// How an agent reads a hook's matcher. An empty one and `*` fire for everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatcherLanguage {
    /// Names with `|` or commas between them mean themselves; anything else is a regular expression, found anywhere.
    NamesOrExpression,
    /// The same with an expression of Rust, and nothing but `|` between names. It knows no look-ahead.
    NamesOrRustExpression,
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
    let is_plain = matcher.bytes().all(|b| b.is_ascii_alphanumeric() || b"_|, -".contains(&b));
    let mut found = match language {
        MatcherLanguage::NamesOrExpression if is_plain => {
            let names: Vec<&str> = matcher.split(['|', ',']).map(str::trim).collect();
            subjects.iter().copied().filter(|subject| names.contains(subject)).collect()
        }
        MatcherLanguage::NamesOrExpression | MatcherLanguage::Expression => found_by_javascript(matcher, subjects)?,
        MatcherLanguage::NamesOrRustExpression if is_plain && !matcher.contains([',', ' ', '-']) => {
            let names: Vec<&str> = matcher.split('|').collect();
            subjects.iter().copied().filter(|subject| names.contains(subject)).collect()
        }
        MatcherLanguage::NamesOrRustExpression => match Expression::new(matcher) {
            Expression::Foreign if matcher.len() <= MAX_PATTERN => Vec::new(),
            expression => expression.found_in(subjects)?,
        },
        MatcherLanguage::WholeExpression => {
            Expression::of_javascript(&format!("^(?:{matcher})$")).found_in(subjects)?
        }
    };
    if matcher.contains("mcp_") {
        found.push(SERVER_TOOLS);
    }
    Some(found)
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

/// The same for events of subagents, whose matchers see the type of the agent. People give their agents any name, so a hook is known
/// to never fire only where all names of its matcher are `others`: names of other things.
pub(crate) fn fires_for_subagents(matcher: Option<&str>, others: &[&str]) -> Option<Vec<&'static str>> {
    let mut names = matcher?.split(['|', ',']).map(str::trim);
    names.all(|name| others.contains(&name)).then(Vec::new)
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
    fn matchers_of_subagents_that_name_other_things_never_fire() {
        let never = |matcher: &str| fires_for_subagents(Some(matcher), &["Stop", "Edit"]).is_some();
        assert!(never("Stop") && never("Stop|Edit"));
        for near_miss in ["", "*", "stop", "Stop.*", "Stop|reviewer", "reviewer"] {
            assert!(!never(near_miss), "{near_miss}");
        }
        assert_eq!(fires_for_subagents(None, &["Stop"]), None);
    }

    #[test]
    fn matchers_fire_as_agents_read_them() {
        use MatcherLanguage::{Expression, NamesOrExpression, NamesOrRustExpression, WholeExpression};
        let check = |language, matcher: &str, expected: Option<&[&str]>| {
            let found = fires_for(language, Some(matcher), &["Bash", "Read"]);
            assert_eq!(found.as_deref(), expected, "{matcher}");
        };
        check(NamesOrExpression, "Re.*", Some(&["Read"]));
        check(NamesOrExpression, "R*", Some(&["Bash", "Read"]));
        check(NamesOrExpression, "Rea", Some(&[]));
        check(NamesOrExpression, "Edit, Read", Some(&["Read"]));
        check(NamesOrExpression, "Re[ad", Some(&[]));
        check(NamesOrExpression, "^(?!Read)", Some(&["Bash"]));
        check(NamesOrExpression, "^(?!Re(a|b))(?=B).*h$", Some(&["Bash"]));
        for unknown in ["(?<!x)Read", "^(?!Read)x|Bash", "(?!Read).*", "^(?!Read)+"] {
            check(NamesOrExpression, unknown, None);
        }
        check(NamesOrExpression, "(?i)read", Some(&[]));
        check(NamesOrExpression, "(?i:read)", Some(&["Read"]));
        check(NamesOrExpression, "(?P<x>Read)", Some(&[]));
        check(NamesOrExpression, "(?<x>Read)", Some(&["Read"]));
        check(NamesOrRustExpression, "(?i)read", Some(&["Read"]));
        check(NamesOrExpression, r"\bRead\b|\w+h$", Some(&["Bash", "Read"]));
        check(NamesOrRustExpression, r"\bRead\b", Some(&["Read"]));
        for never in ["Bash,Read", "Bash | Read", " Read", "^(?!Bash)"] {
            check(NamesOrRustExpression, never, Some(&[]));
        }
        for never in [r"\ARead", r"\p{L}+"] {
            check(NamesOrExpression, never, Some(&[]));
        }
        check(NamesOrExpression, "(a{1000}){1000}", Some(&[]));
        check(NamesOrExpression, "mcp__x__y", Some(&["mcp__*"]));
        check(NamesOrExpression, "mcp__.*|Re.d", Some(&["Read", "mcp__*"]));
        check(NamesOrExpression, "*", Some(&["Bash", "Read"]));
        check(Expression, "Rea", Some(&["Read"]));
        check(WholeExpression, "Rea", Some(&[]));
        check(WholeExpression, "Read|Bash", Some(&["Bash", "Read"]));
    }
}
