//! Finding files as JavaScript's `glob` does: its patterns, with ranges in braces, `@(a|b)`, `?(a)` and `!(a)`, in the words of
//! `globset`. It knows no agent.

use super::globs::files_as_globbed;
use super::loading::Loading;
use crate::parse::braces;
use crate::world::AbsPath;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// A range that stands for more items than this stays as it is.
const MAX_ITEMS: usize = 100;

/// The files in `dir` that a pattern finds: first those that its alternatives spell out, then those that wildcards match.
pub(crate) fn files(loading: &mut Loading<'_>, dir: &AbsPath, pattern: &str) -> Vec<AbsPath> {
    let pattern = read(pattern.strip_prefix("./").unwrap_or(pattern));
    let expanded = braces::expand_all([pattern.finds.as_str()]);
    if let Some((_, why)) = expanded.refused.first() {
        loading.note(braces::not_matched(&pattern.finds, why));
        return Vec::new();
    }
    let (literal, others): (Vec<_>, Vec<_>) = expanded.patterns.iter().partition(|one| !one.contains(WILDCARDS));
    let mut found: Vec<AbsPath> = literal.into_iter().map(|one| dir.join(one)).collect();
    found.retain(|path| loading.world.is_file(path));
    for base in literal_folders(&others) {
        let rest: Vec<&str> = others.iter().filter(|one| folder(one) == base).map(|one| &one[base.len()..]).collect();
        let base = dir.join(base);
        let (Some(wanted), Some(left_out)) =
            (globs(&rest), pattern.but.as_deref().map_or(Some(GlobSet::empty()), |but| globs(&[but])))
        else {
            loading.note(format!("the instruction {} is not a valid glob and is skipped", pattern.finds));
            return Vec::new();
        };
        let deep = rest.iter().any(|rest| rest.contains('/') || rest.contains("**"));
        let mut matched = files_as_globbed(loading.world, &base, deep);
        let name = |path: &AbsPath, from: &AbsPath| String::from_utf8_lossy(&path.relative_to(from)).into_owned();
        matched.retain(|path| {
            wanted.is_match(name(path, &base)) && !(path.is_within(dir) && left_out.is_match(name(path, dir)))
        });
        // Of several folders the agents list first which is read first: the order changes from run to run.
        loading.out.order_unspecified |= matched.len() > 1 && (deep || loading.world.virtual_root().is_some());
        found.extend(matched.into_iter().filter(|path| !found.contains(path)).collect::<Vec<_>>());
    }
    found
}

/// Where a wildcard begins, once the braces are opened.
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// The part of a pattern before the component with the first wildcard.
fn folder(pattern: &str) -> &str {
    let end = pattern.find(WILDCARDS).unwrap_or(pattern.len());
    &pattern[..pattern[..end].rfind('/').map_or(0, |at| at + 1)]
}

fn literal_folders<'p>(patterns: &[&'p String]) -> Vec<&'p str> {
    let mut folders = Vec::new();
    for folder in patterns.iter().map(|one| folder(one)) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// `None` if one of them is no glob.
fn globs(patterns: &[&str]) -> Option<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(GlobBuilder::new(pattern).literal_separator(true).empty_alternates(true).build().ok()?);
    }
    set.build().ok()
}

/// What a pattern finds, and what of that it leaves out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JsPattern {
    pub(crate) finds: String,
    pub(crate) but: Option<String>,
}

/// Read a pattern. In the first group that negates, as in `!(a|b).md`, anything may stand but its alternatives.
pub(crate) fn read(pattern: &str) -> JsPattern {
    let group = pattern.find("!(").and_then(|at| Some((at, at + 2 + group_end(&pattern[at + 2..])?)));
    match group {
        Some((at, end)) => {
            let (before, after) = (&pattern[..at], &pattern[end + 1..]);
            JsPattern {
                finds: with_alternatives(&format!("{before}*{after}")),
                but: Some(with_alternatives(&format!("{before}@({}){after}", &pattern[at + 2..end]))),
            }
        }
        None => JsPattern { finds: with_alternatives(pattern), but: None },
    }
}

/// Where a group without another in it ends.
fn group_end(inner: &str) -> Option<usize> {
    inner.find(['(', ')', '/', '{', '}', ',']).filter(|&end| inner.as_bytes()[end] == b')')
}

/// `pattern` with ranges and groups as alternatives in braces. Groups in groups, and those that repeat, stay as they are.
fn with_alternatives(pattern: &str) -> String {
    groups(&ranges(pattern))
}

fn ranges(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..=open]);
        rest = &rest[open + 1..];
        let Some(close) = rest.find(['{', '}']).filter(|&at| rest.as_bytes()[at] == b'}') else { continue };
        if let Some(items) = range(&rest[..close]) {
            out.push_str(&items.join(","));
            rest = &rest[close..];
        }
    }
    out + rest
}

/// The items of `a..e`, `1..9` or `01..09..2`.
fn range(text: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts[..] {
        [first, last] => (first, last, 1),
        [first, last, step] => (first, last, step.parse::<i64>().ok()?.checked_abs()?.max(1)),
        _ => return None,
    };
    let letter = |text: &str| match text.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(i64::from(*letter)),
        _ => None,
    };
    let number = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_number = !digits.is_empty() && digits.len() < 10 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<i64>().ok()).flatten()
    };
    let of_letters = letter(first).zip(letter(last));
    let (from, to) = of_letters.or_else(|| number(first).zip(number(last)))?;
    let count = usize::try_from(from.abs_diff(to)).ok()? / usize::try_from(step).ok()? + 1;
    if count > MAX_ITEMS {
        return None;
    }
    let is_padded =
        |text: &str| text.trim_start_matches('-').len() > 1 && text.trim_start_matches('-').starts_with('0');
    let width = if is_padded(first) || is_padded(last) { first.len().max(last.len()) } else { 0 };
    let item = |index: usize| {
        let away = i64::try_from(index).ok()? * step;
        let value = if from <= to { from + away } else { from - away };
        match of_letters {
            Some(_) => Some(char::from(u8::try_from(value).ok()?).to_string()),
            None => Some(format!("{value:0width$}")),
        }
    };
    (0..count).map(item).collect()
}

fn groups(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find("@(").into_iter().chain(rest.find("?(")).min() {
        let inner = &rest[at + 2..];
        let Some(close) = group_end(inner) else {
            out.push_str(&rest[..at + 2]);
            rest = inner;
            continue;
        };
        out.push_str(&rest[..at]);
        out.push_str(if rest.as_bytes()[at] == b'?' { "{," } else { "{" });
        out.push_str(&inner[..close].replace('|', ","));
        out.push('}');
        rest = &inner[close + 1..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_groups_become_alternatives() {
        for (pattern, expected) in [
            ("docs/{a..c}.md", "docs/{a,b,c}.md"),
            ("{c..a}{3..1}", "{c,b,a}{3,2,1}"),
            ("{01..10..4}", "{01,05,09}"),
            ("{-1..1}", "{-1,0,1}"),
            ("docs/@(a|b).md", "docs/{a,b}.md"),
            ("docs/?(a|b).md", "docs/{,a,b}.md"),
        ] {
            assert_eq!(with_alternatives(pattern), expected);
        }
    }

    #[test]
    fn other_patterns_stay() {
        for pattern in
            ["{a,b}", "{a..bc}", "{1..a}", "{1..1000}", "a..b", "{a..b", "!(a)", "@(a/b)", "@(a|(b))", "@(a", "x@y"]
        {
            assert_eq!(with_alternatives(pattern), pattern);
        }
    }

    #[test]
    fn a_negated_group_leaves_something_out() {
        let but = |finds: &str, but: &str| JsPattern { finds: finds.to_owned(), but: Some(but.to_owned()) };
        assert_eq!(read("docs/!(a|b).md"), but("docs/*.md", "docs/{a,b}.md"));
        assert_eq!(read("docs/!a.md"), JsPattern { finds: "docs/!a.md".to_owned(), but: None });
        assert_eq!(read("!(a"), JsPattern { finds: "!(a".to_owned(), but: None });
    }
}
