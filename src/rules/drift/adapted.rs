//! Whether two alike files are meant to differ: in what each agent has in its own way, its commands and its folders, or because each
//! is about its own folder, or in what changes nothing. Knows lines and paths.

use super::copy_lines::{DocumentLine, heading_level};
use crate::agents::files;
use crate::base::kind::{Kind, Role};
use crate::base::path;
use crate::parse::Document;
use crate::source::Listing;

/// Whether a line names a command of an agent, such as `/review`, or a hidden folder of one, such as `.claude/skills`.
pub(super) fn names_own(line: &str) -> bool {
    let is_mark = |c: char| matches!(c, '`' | '"' | '\'' | '(' | ')' | '[' | ']' | '*' | ',' | ';' | '.' | '|');
    let is_command = |word: &str| {
        let name = word.trim_matches(is_mark).strip_prefix('/').unwrap_or_default();
        name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
    };
    let has_folder = |word: &str| {
        let mut parts = word.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-' | '_'));
        parts.any(|part| files::is_agent_folder(part.as_bytes()))
    };
    line.split_whitespace().any(|word| is_command(word) || has_folder(word))
}

/// Whether a place is about that. `a` and `b`: how many lines of either copy name such a thing there, and how many it has there. At
/// least half of the lines of the longer side must: a sentence about something else is no adaption.
pub(super) fn is_about_own(a: (usize, usize), b: (usize, usize)) -> bool {
    let is_own = |(own, all): (usize, usize)| own * 2 >= all;
    a.1 >= b.1 && is_own(a) || b.1 >= a.1 && is_own(b)
}

/// Whether two main files have one name, so that the same agents read both, each in its own folder, and one template may have been
/// filled in for both. `.claude/CLAUDE.md` is about the same project as the `CLAUDE.md` beside that folder.
pub(super) fn are_of_two_places(one: &Document, other: &Document) -> bool {
    let name = path::file_name(one.path.as_bytes());
    let is_main = one.kind.role() == Some(Role::Main) || one.kind == Kind::AgentsMd;
    let stem = name.split(|&byte| byte == b'.').next().unwrap_or(name).to_ascii_lowercase();
    let is_in_own =
        |document: &Document| path::file_name(document.path.parent()).strip_prefix(b".") == Some(stem.as_slice());
    is_main && name == path::file_name(other.path.as_bytes()) && ![one, other].into_iter().any(is_in_own)
}

/// Whether one side of a place has placeholders (`{{docs}}`) in each line that the other has filled in: both were made from one template.
pub(super) fn fill_placeholders(a: &[DocumentLine<'_>], b: &[DocumentLine<'_>]) -> bool {
    let has = |line: &DocumentLine<'_>| line.raw.split_once("{{").is_some_and(|(_, rest)| rest.contains("}}"));
    let fills =
        |open: &[DocumentLine<'_>], filled: &[DocumentLine<'_>]| open.iter().all(has) && !filled.iter().any(has);
    !a.is_empty() && a.len() == b.len() && (fills(a, b) || fills(b, a))
}

/// Whether each side of a place is whole sections with headings of their own: neither is a version of the other.
pub(super) fn have_own_sections(a: &[DocumentLine<'_>], b: &[DocumentLine<'_>]) -> bool {
    let heading = |lines: &[DocumentLine<'_>]| {
        let line =
            lines.first().filter(|line| lines.len() > 1 && heading_level(line.raw).is_some_and(|level| level > 1));
        line.map(|line| line.text.split(' ').filter(|word| word.len() > 3).map(str::to_owned).collect::<Vec<_>>())
    };
    heading(a).zip(heading(b)).is_some_and(|(a, b)| !a.iter().any(|word| b.contains(word)))
}

/// Words that may be added to one sentence without changing what it asks for, at most.
const SLIGHT_WORDS: usize = 1;

/// Words that change what a sentence asks for.
const WEIGHTY: [&str; 12] =
    ["all", "always", "any", "don't", "every", "must", "never", "no", "not", "only", "should", "without"];

/// Whether all that differs is one line, in which one copy has a word more that asks for nothing.
pub(super) fn is_slight(places: &[(&[DocumentLine<'_>], &[DocumentLine<'_>])]) -> bool {
    let [([a], [b])] = places else { return false };
    let (a, b): (Vec<&str>, Vec<&str>) = (a.raw.split_whitespace().collect(), b.raw.split_whitespace().collect());
    let (long, short) = if a.len() > b.len() { (a, b) } else { (b, a) };
    let start = long.iter().zip(&short).take_while(|(a, b)| a == b).count();
    let end = long.iter().rev().zip(short.iter().rev()).take_while(|(a, b)| a == b).count();
    let more = long.len() - short.len();
    let is_plain = |word: &&str| {
        let word = word.trim_end_matches(',');
        word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()) && !WEIGHTY.contains(&word)
    };
    (1..=SLIGHT_WORDS).contains(&more) && start + end >= short.len() && long[start..].iter().take(more).all(is_plain)
}

/// Endings of templates.
const TEMPLATES: [&[u8]; 6] = [b".tmpl", b".tpl", b".j2", b".hbs", b".mustache", b".ejs"];

/// Whether the repository has a template for each of two main files, called as the file or its folder: `gemini.tmpl`,
/// `CLAUDE.md.j2`.
pub(super) fn is_made_from_template(listing: &Listing, one: &Document, other: &Document) -> bool {
    let names = |document: &Document| {
        let stem = |name: &[u8]| {
            let name = name.strip_prefix(b".").unwrap_or(name).to_ascii_lowercase();
            let end = name.iter().position(|byte| matches!(byte, b'.' | b'-')).unwrap_or(name.len());
            name[..end].to_vec()
        };
        [stem(document.path.file_name()), stem(path::file_name(document.path.parent()))]
    };
    let (ours, theirs) = (names(one), names(other));
    let is_named = |names: &[Vec<u8>; 2]| {
        listing.iter().any(|entry| {
            let name = path::file_name(entry.path).to_ascii_lowercase();
            let stem = TEMPLATES.iter().find_map(|end| name.strip_suffix(*end));
            let stem = stem.map(|stem| stem.split(|&byte| byte == b'.').next().unwrap_or(stem));
            stem.is_some_and(|stem| !stem.is_empty() && names.iter().any(|name| name == stem))
        })
    };
    is_named(&ours) && is_named(&theirs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::kind::Kind;
    use crate::rules::drift::copy_lines::lines;

    fn document(text: &str) -> Document {
        Document::parse("AGENTS.md".into(), Kind::AgentsMd, text.as_bytes().into())
    }

    #[test]
    fn placeholders_and_what_fills_them() {
        let fills = |a: &str, b: &str| fill_placeholders(&lines(&document(a)), &lines(&document(b)));
        assert!(fills("see {{docs}}/a\n", "see docs/a\n") && fills("see docs/a\n", "see {{docs}}/a\n"));
        assert!(!fills("see {{docs}}/a\n", "see {{docs}}/b\n") && !fills("see docs/a\n", "see b\n"));
        assert!(!fills("see {{docs}}/a\nx\n", "see docs/a\ny\n"));
    }

    #[test]
    fn sections_of_their_own() {
        let own = |a: &str, b: &str| have_own_sections(&lines(&document(a)), &lines(&document(b)));
        assert!(own("## Comments\nSay why.\n", "## Reports\nBe short.\n"));
        assert!(!own("## Comments\nSay why.\n", "## Comments first\nSay how.\n"));
        assert!(!own("## Comments\nSay why.\n", "Be short.\n") && !own("# A title\nx\n", "# Other\ny\n"));
    }

    #[test]
    fn one_word_of_one_line_is_slight() {
        let slight = |a: &str, b: &str| {
            let (a, b) = (document(a), document(b));
            is_slight(&[(&lines(&a), &lines(&b))])
        };
        assert!(slight("It is invoked by commands.\n", "It is invoked automatically by commands.\n"));
        for (a, b) in [
            ("It is invoked by commands.\n", "It is never invoked by commands.\n"),
            ("Run npm test.\n", "Run pnpm test.\n"),
            ("bun scripts/audit.ts\n", "bun scripts/vsp-audit.ts\n"),
            ("nexus --startup\n", "uv run nexus --startup\n"),
            ("Run make.\n", "Run make --all.\n"),
            ("a\nb\n", "a\nb more\n"),
        ] {
            assert!(!slight(a, b), "{a} {b}");
        }
    }

    #[test]
    fn commands_and_folders_of_agents() {
        for line in
            ["Run /review.", "- `/fix:all`, then", "See `.claude/skills/x`", "x \"$HOME\\.cursor\\a\"", "(/plan)"]
        {
            assert!(names_own(line), "{line}");
        }
        for line in ["Edit /etc/hosts", "and/or", "src/a.py", "https://x.y/z", "a / b", "`.venv/bin`", "1/2 of it"] {
            assert!(!names_own(line), "{line}");
        }
    }
}
