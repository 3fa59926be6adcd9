//! Import references (`@path`) as the agents' grammars read them. No agent is named but where a grammar was observed. Pure functions of a text: whether a target exists,
//! lies inside a boundary or is too deep is for `dialect` to say, and no file is read here.

mod after_blank;
mod after_blank_in_prose;
mod anywhere;
mod leaves;
mod lexer;
mod mapped;
mod path_like;
mod prose;
mod text_leaves;
mod whole_line;

pub(crate) use leaves::{Gather, Leaf};
pub(crate) use text_leaves::{references_as_walked, strip_comments};

use crate::base::kind::Kind;
use crate::base::path;
use crate::base::text::Span;
use crate::parse::Document;

/// What counts as an import. Each agent's table names the one that its agent was seen to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grammar {
    /// `@path` in the text leaves of Markdown.
    TextLeaves,
    /// `@path` after a blank, outside equal runs of backticks.
    AfterBlank,
    /// The same, but outside what a Markdown parser calls code.
    AfterBlankInProse,
    /// One regular expression over the whole text, code and comments included.
    Anywhere,
    /// `@path` with a `.` or `/`, after most punctuation, outside fences and code spans.
    PathLike,
    /// A line that is only `@path`, apart from blanks at its ends; also in code.
    WholeLine,
    /// `@path` as a person reads it: outside code and comments, without the punctuation behind it.
    Prose,
}

impl Grammar {
    /// All grammars.
    pub const ALL: [Grammar; 7] = [
        Grammar::TextLeaves,
        Grammar::AfterBlank,
        Grammar::AfterBlankInProse,
        Grammar::Anywhere,
        Grammar::PathLike,
        Grammar::WholeLine,
        Grammar::Prose,
    ];
}

/// Why a token that looks like an import is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Inert {
    /// It stands in what this grammar takes for code.
    Code,
    /// It stands in an HTML comment, and this grammar does not look there.
    Comment,
}

/// One token that a grammar reads as an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The token from its `@` to its end, in bytes of the text.
    pub span: Span,
    /// The path as the agent takes it: without `@`, and unescaped and cut as that agent does.
    pub path: String,
    /// Whether the token is all there is on its line, blanks aside.
    pub whole_line: bool,
    /// `None` for a token that imports; otherwise why it does not.
    pub inert: Option<Inert>,
}

/// `token` without the punctuation that closes a sentence, a bracket or a quotation behind a path.
pub(crate) fn without_punctuation(token: &str) -> &str {
    token.trim_end_matches(['.', ',', ':', ';', '!', '?', ')', ']', '}', '>', '"', '\''])
}

impl Reference {
    fn new(text: &str, start: usize, end: usize, path: impl Into<String>) -> Self {
        Reference {
            span: Span::new(start, end),
            path: path.into(),
            whole_line: whole_line(text, start, end),
            inert: None,
        }
    }

    fn inert(mut self, inert: Option<Inert>) -> Self {
        self.inert = inert;
        self
    }
}

/// All references of `text` under `grammar`, in the order of the text, inert ones included.
pub fn references(grammar: Grammar, text: &str) -> Vec<Reference> {
    if memchr::memchr(b'@', text.as_bytes()).is_none() {
        return Vec::new();
    }
    match grammar {
        Grammar::TextLeaves => text_leaves::references(text),
        Grammar::AfterBlank => after_blank::references(text),
        Grammar::AfterBlankInProse => after_blank_in_prose::references(text),
        Grammar::Anywhere => anywhere::references(text),
        Grammar::PathLike => path_like::references(text),
        Grammar::WholeLine => whole_line::references(text),
        Grammar::Prose => prose::references(text, &leaves::with_at(text)),
    }
}

/// All references of a document's text under `grammar`, which are looked for once.
pub fn references_of(grammar: Grammar, document: &Document) -> &[Reference] {
    let text = document.text.as_str();
    let leaves = || document.leaves.get_or_init(|| leaves::with_at(text));
    document.references[grammar as usize].get_or_init(|| match grammar {
        _ if memchr::memchr(b'@', text.as_bytes()).is_none() => Vec::new(),
        Grammar::Prose => prose::references(text, leaves()),
        other => references(other, text),
    })
}

/// Extensions of imported files in which `@path` can be an import. In others (source code, JSON) it is a decorator or a package.
const PROSE_EXTENSIONS: [&str; 10] = ["adoc", "markdown", "md", "mdc", "mdx", "org", "qmd", "rst", "text", "txt"];

/// Whether tokens in a file of this kind and name can be imports.
pub(crate) fn may_import(document: &Document) -> bool {
    match document.kind {
        Kind::Artifact | Kind::PackageYaml => false,
        Kind::Imported => path::extension(document.path.as_bytes()).is_none_or(|extension| {
            PROSE_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
        }),
        _ => true,
    }
}

/// White space as JavaScript's `\s` and `trim` know it: unlike Rust's it has U+FEFF and lacks U+0085.
pub(crate) fn is_js_space(c: char) -> bool {
    c == '\u{feff}' || (c != '\u{85}' && c.is_whitespace())
}

/// `text` without JavaScript white space at both ends.
pub(crate) fn js_trim(text: &str) -> &str {
    text.trim_matches(is_js_space)
}

/// Looks no further than the blanks around the token, so that many tokens on one long line stay cheap.
fn whole_line(text: &str, start: usize, end: usize) -> bool {
    let ends_line = |c: Option<char>| c.is_none_or(|c| c == '\n');
    let blank = |c: &char| *c != '\n' && c.is_whitespace();
    ends_line(text[..start].chars().rev().find(|c| !blank(c))) && ends_line(text[end..].chars().find(|c| !blank(c)))
}

#[cfg(test)]
pub(crate) mod testing {
    use super::{Grammar, references};

    /// The paths that import, in order.
    pub(crate) fn active(grammar: Grammar, text: &str) -> Vec<String> {
        references(grammar, text).into_iter().filter(|r| r.inert.is_none()).map(|r| r.path).collect()
    }

    /// Every token is the slice that its span names, and the spans are in order and apart.
    pub(crate) fn check_spans(grammar: Grammar, text: &str) {
        let mut last = 0;
        for reference in references(grammar, text) {
            assert!(reference.span.start >= last, "{grammar:?}: spans of {text:?} overlap");
            assert!(text[reference.span.range()].starts_with('@'), "{grammar:?}: span off in {text:?}");
            last = reference.span.end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_end_and_spans_hold() {
        let texts = [
            "@",
            "@@@@",
            "@\u{feff}x @ü.md",
            "`@a.md",
            "``` @a.md",
            "<!-- @a.md",
            "> - > @a.md\n> @b.md",
            "\\@a.md \\\\@b.md",
            "@a.md\r\n\t@b.md\r",
            "| @a.md | `@b.md` |",
            "[@a.md](@b.md \"@c.md\")",
            "<div>@a.md\n\n@b.md</div>",
            "\u{2028}@a.md\u{3000}@b.md\u{85}@c.md",
            "***@a.md***@b.md",
            "- a\n\n  @b.md\n\n      @c.md",
        ];
        for text in texts {
            for grammar in Grammar::ALL {
                testing::check_spans(grammar, text);
            }
        }
    }

    #[test]
    fn whole_lines_are_seen() {
        let found = references(Grammar::AfterBlank, "  @a.md \nsee @b.md\n");
        assert_eq!(found.iter().map(|r| r.whole_line).collect::<Vec<_>>(), [true, false]);
    }
}
