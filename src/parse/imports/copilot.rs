//! The grammar of GitHub Copilot CLI (observed on 1.0.102, checked 2026-11). Its source is closed: the rules below are the
//! narrowest that explain every observation.

use super::{Inert, Reference};

/// `@` unless it follows what may stand in the name of a mail address, or a backtick; then a path up to white space, an angle
/// bracket, a quote or a backtick, without the punctuation at its end, that holds a `.` or `/` and does not begin with `@`. What stands in code
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
        let run = &rest[..rest
            .find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '\'' | '`'))
            .unwrap_or(rest.len())];
        let path = run.trim_end_matches([',', '.', ')', '"', '\'', ';', ':', '!', '?', ']', '}', '>']);
        // Behind another `@` a token may not begin with a dot.
        let doubled = text[..at].ends_with('@') && path.starts_with('.');
        if !path.contains(['.', '/']) || path.starts_with('@') || doubled {
            continue;
        }
        from = at + 1 + path.len();
        found.push(Reference::new(text, at, from, path).inert(in_code.then_some(Inert::Code)));
    }
    found
}

fn closes(before: char) -> bool {
    before.is_ascii_alphanumeric() || matches!(before, '.' | '_' | '%' | '+' | '-' | '`')
}

/// A line that begins with three backticks or tildes, whatever follows, opens a fence; the next that begins with three of the
/// same closes it, and an open one runs to the end. Elsewhere backticks pair within their line.
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

/// Code spans of one line: a run of backticks pairs with the next run of that length; without one it takes the rest of the
/// line.
fn spans(line: &str, offset: usize, regions: &mut Vec<(usize, usize)>) {
    let run = |from: usize| {
        let at = memchr::memchr(b'`', &line.as_bytes()[from..]).map(|n| from + n)?;
        Some((at, line.as_bytes()[at..].iter().take_while(|&&b| b == b'`').count()))
    };
    let mut at = 0;
    while let Some((open, size)) = run(at) {
        let mut from = open + size;
        let mut end = line.len();
        while let Some((next, length)) = run(from) {
            from = next + length;
            if length == size {
                end = from;
                break;
            }
        }
        regions.push((offset + open, offset + end));
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Grammar;
    use super::super::testing::active;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(active(Grammar::Copilot, text), expected, "{text:?}");
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
        check("@@a.md @ü.md @b@c.md", &["a.md", "ü.md", "b@c.md"]);
        check("@a.md's @b.md\"x @c.md>x <a href=\"@d.md\">", &["a.md", "b.md", "c.md", "d.md"]);
        check("@README @user @docs/guide @.env", &["docs/guide", ".env"]);
    }

    #[test]
    fn what_belongs_to_the_path_stays_in_it() {
        check("@a.md* @b.md_ @c.md| @d.md/ @e.md\\ @f.md#x", &["a.md*", "b.md_", "c.md|", "d.md/", "e.md\\", "f.md#x"]);
        check("[@w.md](http://e.invalid)", &["w.md](http://e.invalid"]);
        check("@a.md`b` @c.md`d", &["a.md", "c.md"]);
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
