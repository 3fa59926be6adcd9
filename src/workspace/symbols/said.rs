//! Where a text says that a source file has a function, a type or the like: a line of prose, an item or a row that names the file in a
//! code span, and behind it the symbol in another. What tells of the past, forbids or plans says nothing of the file.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::is_source;
use crate::base::path::{self, RepoPath};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::{Code, CodeKind};
use crate::parse::placeholder::is_placeholder;
use crate::source::EntryKind;
use crate::workspace::{Workspace, mentions};

/// One symbol that a text says a file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SaidSymbol {
    /// Its name, without what qualifies it and what it takes.
    pub(super) name: String,
    /// Where the name stands.
    pub(super) span: Span,
    /// The file.
    pub(super) file: RepoPath,
}

/// Symbols of one text, at most.
const MAX_SAID: usize = 400;

/// The symbols that `document` says source files of the repository have.
pub(super) fn said(workspace: &Workspace, document: &Document) -> Vec<SaidSymbol> {
    let spans: Vec<&Code> = document.markdown.code.iter().filter(|code| code.kind == CodeKind::Span).collect();
    let mut found = Vec::new();
    for line in spans.chunk_by(|a, b| line_of(document, a) == line_of(document, b)) {
        if line.len() < 2 || !document.slice(whole_line(document, line[0])).contains('.') {
            continue;
        }
        let mut file: Option<RepoPath> = None;
        for code in line {
            let text = document.slice(code.content).trim();
            if is_source(text.as_bytes()) {
                file = file_named(workspace, document, code, text);
                continue;
            }
            let (Some(file), Some((at, name))) = (&file, symbol(text)) else { continue };
            let start = code.content.start + document.slice(code.content).find(text).unwrap_or_default() + at;
            let span = Span::new(start, start + name.len());
            found.push(SaidSymbol { name: name.to_owned(), span, file: file.clone() });
        }
    }
    found.retain(|said| is_claimed(document, said.span));
    found.truncate(MAX_SAID);
    found
}

fn line_of(document: &Document, code: &Code) -> usize {
    document.lines.line_of(code.span.start)
}

fn whole_line(document: &Document, code: &Code) -> Span {
    document.lines.line_span(line_of(document, code))
}

/// The tracked file that `text` names: counted from the text's folder and those above it, below the folder that the heading names, or the
/// only one whose path ends so.
fn file_named(workspace: &Workspace, document: &Document, code: &Code, text: &str) -> Option<RepoPath> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "./_-@()[]+".contains(c);
    let written = text.trim_start_matches("./");
    if !written.chars().all(is_plain) || written.contains("..") {
        return None;
    }
    let is_file = |path: &[u8]| workspace.listing.kind(path) == Some(EntryKind::File);
    let heading = document.markdown.heading_of(code.span.start).map(|at| document.markdown.headings[at].span);
    let of_heading =
        heading.and_then(|span| document.slice(span).split('`').nth(1)).map(|name| name.trim_end_matches('/'));
    let above = path::ancestors_from_root(document.path.parent()).into_iter().rev();
    let from_above = above.map(|dir| path::join(dir, written.as_bytes()));
    let below_heading = of_heading.map(|folder| format!("{folder}/{written}").into_bytes());
    if let Some(found) = from_above.chain(below_heading).find(|path| is_file(path)) {
        return Some(RepoPath::new(found));
    }
    let ends_so = |path: &&[u8]| path.strip_suffix(written.as_bytes()).is_some_and(|rest| rest.ends_with(b"/"));
    let name = path::file_name(written.as_bytes());
    let mut found = workspace.listing.with_name(name).into_iter().filter(ends_so).filter(|path| is_file(path));
    let first = found.next()?;
    found.next().is_none().then(|| RepoPath::new(first))
}

/// Letters of a symbol, at least.
const MIN_LETTERS: usize = 6;

/// The symbol that a code span is, and where in it: `Store::open(path)`, `*Claims`. It must be made of several words, so that it is no word of
/// the text, and be none that stands for others.
fn symbol(text: &str) -> Option<(usize, &str)> {
    let bare = text.trim_start_matches(['*', '&', '@']);
    // A member of what a framework hands to the code: `.Params`.
    if bare.starts_with('.') {
        return None;
    }
    let path = match bare.find('(') {
        Some(at) if bare.ends_with(')') => &bare[..at],
        Some(_) => return None,
        None => bare,
    };
    let start = path.rfind(['.', ':', '#', '>']).map_or(0, |at| at + 1);
    let name = &path[start..];
    let is_qualifier = |c: char| c.is_ascii_alphanumeric() || "_.:#->".contains(c);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let fits = path[..start].chars().all(is_qualifier)
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(is_name);
    (fits && is_distinct(name)).then(|| (text.len() - bare.len() + start, name))
}

/// Words with which names begin that stand for any other.
const ANY: [&str; 9] = ["bar", "example", "foo", "my", "new_", "sample", "some", "xxx", "your"];

fn is_distinct(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is_hump =
        |pair: &[u8]| (pair[0].is_ascii_lowercase() || pair[0].is_ascii_digit()) && pair[1].is_ascii_uppercase();
    let is_joint = |part: &[u8]| part[0].is_ascii_alphabetic() && part[1] == b'_' && part[2].is_ascii_alphabetic();
    let lower = name.to_ascii_lowercase();
    name.len() >= MIN_LETTERS
        && bytes.iter().any(u8::is_ascii_lowercase)
        && (bytes.windows(2).any(is_hump) || bytes.windows(3).any(is_joint))
        && !name.contains("__")
        && !lower.ends_with("case")
        && !ANY.iter().any(|word| lower.starts_with(word))
        && !is_placeholder(name)
}

/// Words of a line that tells of more than what a file has.
static OTHER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = [
        "renam",
        "replac",
        "former",
        " was ",
        " were ",
        "no longer",
        "remov",
        "deprecat",
        "legacy",
        "don't",
        "do not",
        "never",
        " not ",
        "avoid",
        "instead",
        "todo",
        "planned",
        "future",
        " will ",
        "e.g",
        "example",
        "such as",
        "similar",
        "like ",
        "missing",
        "upcoming",
        "add ",
        "create",
        " new ",
        "->",
        "→",
        "could",
        "should",
        "would",
        "retired",
        "superse",
        " need",
        "lacks",
        "~~",
        "generat",
        "codegen",
        "upstream",
    ];
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
});

/// Whether the text says so of the repository as it is.
fn is_claimed(document: &Document, span: Span) -> bool {
    let line = document.lines.line_span(document.lines.line_of(span.start));
    let says = |text: &str| OTHER.as_ref().is_none_or(|words| words.is_match(text));
    let heading = document.markdown.heading_of(span.start).map(|at| document.markdown.headings[at].text.as_str());
    let prose: Vec<&str> = document.slice(line).split('`').step_by(2).collect();
    let before = document.text[line.start..span.start].trim_end_matches(['`', '*', ' ']);
    !says(&prose.join("x")) && !heading.is_some_and(says) && !is_denied(before) && !mentions::is_doubted(document, span)
}

/// Words of a clause before a name that say that it is not there, and how far before it they stand.
const DENIES: [&str; 4] = ["no", "none", "sans", "without"];
const NEAR: usize = 3;

/// Whether the clause that ends in `before` denies what follows: "No Fly `release_command`".
fn is_denied(before: &str) -> bool {
    let clause = before.rsplit(['.', ';', ',', ':', '(', '—']).next().unwrap_or(before);
    let mut words = clause.split_whitespace().rev().take(NEAR);
    words.any(|word| DENIES.iter().any(|no| word.eq_ignore_ascii_case(no)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_a_name_of_several_words() {
        for (text, want) in [
            ("ValidateKey(key, hash)", Some("ValidateKey")),
            ("Store::open_all()", Some("open_all")),
            ("*HttpClaims", Some("HttpClaims")),
            ("app.db.SeedUsers", Some("SeedUsers")),
            ("_handleChip()", Some("_handleChip")),
            ("open()", None),
            ("camelCase", None),
            ("MAX_ROWS", None),
            ("myFunction", None),
            ("a b_cdefg", None),
            ("getRows().map", None),
            ("tool__name_x", None),
        ] {
            assert_eq!(symbol(text).map(|(at, name)| &text[at..at + name.len()]), want, "{text}");
        }
    }
}
