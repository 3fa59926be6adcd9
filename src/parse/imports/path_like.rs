//! The grammar of GitHub Copilot CLI (observed on 1.0.102, checked 2026-11). Its source is closed: the rules below are the
//! narrowest that explain every observation.

use super::{Inert, Reference, without_punctuation};
use std::collections::BTreeMap;

/// `@` unless it follows what may stand in the name of a mail address; then a path up to white space, a quote,
/// `<`, `>` or a backtick, without the punctuation at its end, that holds a `.` or `/` and, without a `/`, does not begin with `@`. What stands in code
/// counts as blank: in `` `a`@b.md `` the token follows nothing.
pub(super) fn references(text: &str) -> Vec<Reference> {
    let regions = code_regions(text);
    let mut found = Vec::new();
    let mut from = 0;
    for at in memchr::memchr_iter(b'@', text.as_bytes()) {
        let next = regions.partition_point(|&(start, _)| start <= at);
        let in_code = next > 0 && at < regions[next - 1].1;
        let behind_code = next > 0 && at == regions[next - 1].1;
        if at < from || (!behind_code && text[..at].chars().next_back().is_some_and(closes)) {
            continue;
        }
        let rest = &text[at + 1..];
        let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '`');
        let run = &rest[..rest.find(ends).unwrap_or(rest.len())];
        // Of several tokens in one run the last counts, unless it holds a `/`: then all of it is one path.
        let is_path = run.contains('/');
        let opens_again = |(at, _)| run[..at].chars().next_back().is_some_and(|before| !closes(before));
        if !is_path && run.match_indices('@').any(opens_again) {
            continue;
        }
        let path = without_punctuation(run);
        if path.starts_with('@') && is_path {
            from = at + 1 + path.len();
        }
        // Behind another `@` a path has to begin with a name.
        let doubled = text[..at].ends_with('@') && path.starts_with(['.', '/']);
        if !path.contains(['.', '/'])
            || doubled
            || path.starts_with('@') && (!is_path || path[1..].starts_with(['.', '/', '@']))
        {
            continue;
        }
        from = at + 1 + path.len();
        found.push(Reference::new(text, at, from, path).inert(in_code.then_some(Inert::Code)));
    }
    found
}

fn closes(before: char) -> bool {
    before.is_ascii_alphanumeric() || matches!(before, '.' | '_' | '%' | '+' | '-')
}

/// A line that begins with three backticks or tildes, whatever follows, opens a fence; the next that begins with three of the
/// same closes it, and an open one runs to the end. Elsewhere backticks pair within their line, and an unpaired one runs to
/// the end of that.
fn code_regions(text: &str) -> Vec<(usize, usize)> {
    let mut regions = Vec::new();
    let mut fence: Option<(usize, &str)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let marks = ["```", "~~~"].into_iter().find(|marks| line.trim_start().starts_with(marks));
        match (fence, marks) {
            (None, Some(marks)) => fence = Some((start, marks)),
            (None, None) => spans(line, start, &mut regions),
            (Some((opened, open)), Some(marks)) if open == marks => {
                regions.push((opened, end));
                fence = None;
            }
            (Some(_), _) => {}
        }
        start = end;
    }
    regions.extend(fence.map(|(opened, _)| (opened, text.len())));
    regions
}

/// Code spans of one line: a run of backticks pairs with the next of its length, and one without a partner runs to the end.
fn spans(line: &str, offset: usize, regions: &mut Vec<(usize, usize)>) {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in memchr::memchr_iter(b'`', line.as_bytes()) {
        match runs.last_mut() {
            Some((start, len)) if *start + *len == at => *len += 1,
            _ => runs.push((at, 1)),
        }
    }
    // From the end, so that each length remembers where its next run stands.
    let mut next: BTreeMap<usize, usize> = BTreeMap::new();
    let mut partners: Vec<Option<usize>> =
        runs.iter().enumerate().rev().map(|(index, (_, len))| next.insert(*len, index)).collect();
    partners.reverse();
    let mut index = 0;
    while let Some(&(start, _)) = runs.get(index) {
        let Some(partner) = partners[index] else {
            regions.push((offset + start, offset + line.len()));
            return;
        };
        let (close, len) = runs[partner];
        regions.push((offset + start, offset + close + len));
        index = partner + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Grammar;
    use super::super::testing::active;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(active(Grammar::PathLike, text), expected, "{text:?}");
    }

    #[test]
    fn most_punctuation_may_stand_around() {
        check(
            "(@a.md) \"@b.md\" x:@c.md, \\@d.md. <b>@e.md</b> [@f.md] ={@g.md}",
            &["a.md", "b.md", "c.md", "d.md", "e.md", "f.md", "g.md"],
        );
        check("*@a.md ~@b.md é@c.md 中@d.md \u{ab}@e.md", &["a.md", "b.md", "c.md", "d.md", "e.md"]);
        check("me@a.md 1@b.md _@c.md .@d.md %@e.md +@f.md -@g.md `@h.md", &[]);
        check("@@./a.md (@@../b.md !@../c.md", &["../c.md"]);
        check("@a.md's @b.md\"x @c.md>x <a href=\"@d.md\">", &["a.md", "b.md", "c.md", "d.md"]);
        check("@@a.md @@@d.md @ü.md @b@c.md @@./e.md @@/f.md", &["a.md", "d.md", "ü.md", "b@c.md"]);
        check("@gone.md,@b.md @gone.md,@c/d.md @@e/f.md @@@g/h.md", &["b.md", "gone.md,@c/d.md", "@e/f.md"]);
        check("@README @user @docs/guide @.env", &["docs/guide", ".env"]);
    }

    #[test]
    fn what_belongs_to_the_path_stays_in_it() {
        check("@a.md* @b.md_ @c.md| @d.md/ @e.md\\ @f.md#x", &["a.md*", "b.md_", "c.md|", "d.md/", "e.md\\", "f.md#x"]);
        check("[@w.md](http://e.invalid)", &["w.md](http://e.invalid"]);
        check("@a.md`b` @c.md`d\n@e.md'f @g.md\"h @i.md>j", &["a.md", "c.md", "e.md", "g.md", "i.md"]);
    }

    // Each as observed.
    #[test]
    fn spans_pair_within_a_line() {
        check("` @a.md ` @b.md `x", &["b.md"]);
        check("`c`@a.md **x**@b.md", &["a.md", "b.md"]);
        check("``@a.md\nx`@b.md\n`a\nb`@c.md", &[]);
        check("a `b\n@a.md` c", &["a.md"]);
        check("`` ` @a.md ``@b.md\n``a` @c.md `b``@d.md", &["b.md", "d.md"]);
        check("`a`` @a.md `\n`` @b.md `\n`c``@d.md", &[]);
        check("open ` @a.md\n@b.md", &["b.md"]);
        check("<!-- @a.md --> <code>@b.md</code>", &["a.md", "b.md"]);
        check("a `b @a.md\n`` @b.md\n`a``b @c.md\n`a`b` @d.md\n```` x ``` @e.md", &[]);
        check("`a``b` @a.md\n``a`b`` @b.md\n` `` ` @c.md", &["a.md", "b.md", "c.md"]);
    }

    #[test]
    fn fences_are_lines_that_begin_with_marks() {
        check("```\n@b.md\n```\n~~~\n@c.md\n~~~\n\n    @d.md", &["d.md"]);
        check("````\n```\n@a.md\n````\n@b.md", &["a.md"]);
        check("a```@a.md\n```\n@b.md", &[]);
        check("```\n@a.md\n```@b.md\n@c.md", &["c.md"]);
        check("```\n~~~\n@a.md\n```\n@b.md", &["b.md"]);
        check("x ~~~\n@a.md\n  ~~~ y\n@b.md", &["a.md"]);
        check("> ```\n> @a.md\n> ```", &["a.md"]);
        check("``` a\n@a.md\n```js\n@b.md", &["b.md"]);
        check("```\n@a.md\n~~~~\n``\n@b.md", &[]);
    }
}
