//! The grammar of GitHub Copilot CLI (observed on 1.0.102, checked 2026-11). Its source is closed: the rules below are the
//! narrowest that explain every observation.

use super::{Inert, Reference};

/// `@` unless it follows a letter, digit, `*`, `_`, `~` or backtick; then a path up to white space or `<`, without the
/// punctuation at its end, that holds a `.` or `/`. A token that is none is looked into again: `@@a.md` imports `a.md`.
pub(super) fn references(text: &str) -> Vec<Reference> {
    let regions = code_regions(text);
    let mut found = Vec::new();
    let mut from = 0;
    for at in memchr::memchr_iter(b'@', text.as_bytes()) {
        if at < from || text[..at].chars().next_back().is_some_and(closes) {
            continue;
        }
        let rest = &text[at + 1..];
        let run = &rest[..rest.find(|c: char| c.is_whitespace() || c == '<' || c == '@').unwrap_or(rest.len())];
        let path = run.trim_end_matches([',', '.', ')', '"', '\'', ';', ':', '!', '?', ']', '}', '>']);
        if !path.contains(['.', '/']) {
            continue;
        }
        from = at + 1 + path.len();
        let next = regions.partition_point(|&(start, _)| start <= at);
        let in_code = next > 0 && at < regions[next - 1].1;
        found.push(Reference::new(text, at, from, path).inert(in_code.then_some(Inert::Code)));
    }
    found
}

fn closes(before: char) -> bool {
    before.is_alphanumeric() || matches!(before, '*' | '_' | '~' | '`')
}

/// Fences pair by their three marks, wherever they stand, and an open one runs to the end; one or two backticks pair with the
/// next that many, across lines.
fn code_regions(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut regions = Vec::new();
    let mut at = 0;
    // Without a further mark of that size nothing can close; remembering it keeps the scan linear.
    let mut none_left = [false; 3];
    while let Some(next) = memchr::memchr2(b'`', b'~', &bytes[at..]).map(|n| at + n) {
        let run = bytes[next..].iter().take_while(|&&b| b == bytes[next]).count();
        let fence = if bytes[next] == b'~' { "~~~" } else { "```" };
        if run >= 3 && (bytes[next] == b'`' || opens_line(&text[..next])) {
            let end = text[next + 3..].find(fence).map_or(text.len(), |n| next + 3 + n + 3);
            regions.push((next, end));
            at = end;
        } else if bytes[next] == b'`' && !none_left[run] {
            match text[next + run..].find(&fence[..run]) {
                Some(n) => {
                    at = next + run + n + run;
                    regions.push((next, at));
                }
                None => {
                    none_left[run] = true;
                    at = next + run;
                }
            }
        } else {
            at = next + run;
        }
    }
    regions
}

fn opens_line(before: &str) -> bool {
    before[before.rfind('\n').map_or(0, |at| at + 1)..].trim().is_empty()
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
        check("*@a.md* _@b.md_ ~@c.md me@d.md `@e.md`", &[]);
        check("@@a.md @ü.md", &["a.md", "ü.md"]);
        check("@README @user @docs/guide @.env", &["docs/guide", ".env"]);
    }

    #[test]
    fn what_belongs_to_the_path_stays_in_it() {
        check("@a.md* @b.md_ @c.md| @d.md/ @e.md\\ @f.md#x", &["a.md*", "b.md_", "c.md|", "d.md/", "e.md\\", "f.md#x"]);
        check("[@w.md](http://e.invalid)", &["w.md](http://e.invalid"]);
    }

    #[test]
    fn spans_and_fences_protect_but_indents_do_not() {
        check("` @a.md `\n```\n@b.md\n```\n~~~\n@c.md\n~~~\n\n    @d.md", &["d.md"]);
        check("open ` @a.md\n\n````\n```\n@b.md\n````\n\n@c.md", &["b.md"]);
        check("<!-- @a.md -->", &["a.md"]);
    }
}
