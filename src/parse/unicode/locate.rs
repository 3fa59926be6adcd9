//! Where the [`Regions`] of a text lie: frontmatter, code and links as the parsers found them, and URLs and imports, which are
//! searched here since a hidden character may stand in the midst of one. Judges no character.

use super::regions::{RegionKind, Regions};
use crate::base::characters::is_unusual_space;
use crate::base::kind::Kind;
use crate::base::text::Span;
use crate::parse::imports::without_punctuation;
use crate::parse::markdown::{self, CodeKind, LinkKind, Markdown};
use crate::parse::{Frontmatter, frontmatter};

/// The regions of a parsed Markdown text whose body begins at `body`.
pub(in crate::parse) fn regions_of(
    text: &str,
    frontmatter: Option<&Frontmatter>,
    body: usize,
    markdown: &Markdown,
) -> Regions {
    let mut spans = Vec::new();
    if let Some(block) = frontmatter {
        spans.push((block.span, RegionKind::Frontmatter));
        spans.extend(block.keys(text).into_iter().map(|span| (span, RegionKind::FrontmatterKey)));
    }
    code(text, markdown, &mut spans);
    links(markdown, &mut spans);
    urls(text, &mut spans);
    imports(text, body, markdown, &mut spans);
    Regions::new(spans)
}

/// The regions of a Markdown text that was not parsed yet.
pub(super) fn regions_of_text(text: &str) -> Regions {
    let (frontmatter, body) = frontmatter::read(text, Kind::Markdown, &mut Vec::new());
    regions_of(text, frontmatter.as_ref(), body, &markdown::read(text, body))
}

/// Only the URLs of a text that is no Markdown.
pub(super) fn urls_of(text: &str) -> Regions {
    let mut spans = Vec::new();
    urls(text, &mut spans);
    Regions::new(spans)
}

/// Record code, and the commands and paths in it.
fn code(text: &str, markdown: &Markdown, spans: &mut Vec<(Span, RegionKind)>) {
    for code in &markdown.code {
        spans.push((code.span, RegionKind::Code));
        match &code.kind {
            CodeKind::Fence { language, .. } if is_shell(language) => spans.push((code.span, RegionKind::Command)),
            CodeKind::Span if looks_like_path(text[code.content.range()].trim()) => {
                spans.push((code.span, RegionKind::Path));
            }
            _ => {}
        }
    }
}

/// Record link destinations with their titles, autolinks and reference definitions.
fn links(markdown: &Markdown, spans: &mut Vec<(Span, RegionKind)>) {
    for link in &markdown.links {
        let span = match link.kind {
            LinkKind::Definition | LinkKind::Autolink => link.span,
            // An image may have its destination in a definition.
            LinkKind::Inline | LinkKind::Image if link.span.covers(link.destination_span) => {
                Span::new(link.destination_span.start, link.span.end)
            }
            _ => continue,
        };
        spans.push((span, RegionKind::Url));
    }
}

/// Whether the first word behind a fence names a shell.
fn is_shell(word: &str) -> bool {
    let language = word.split([',', '{']).next().unwrap_or("").to_ascii_lowercase();
    matches!(
        language.as_str(),
        "sh" | "bash"
            | "zsh"
            | "fish"
            | "shell"
            | "console"
            | "shell-session"
            | "terminal"
            | "powershell"
            | "pwsh"
            | "ps1"
            | "cmd"
            | "bat"
            | "batch"
    )
}

/// Whether a code span is a path: one word with a slash or an extension, and letters or digits throughout.
fn looks_like_path(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && (1..=5).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_alphanumeric())
    });
    let plain = |c: char| c.is_alphanumeric() || !c.is_ascii() || "/\\._-@~+*{},".contains(c);
    !text.is_empty() && text.len() < 512 && text.chars().all(plain) && (text.contains('/') || extension)
}

/// Record what begins like a URL, up to white space or a bracket, anywhere in the text.
fn urls(text: &str, spans: &mut Vec<(Span, RegionKind)>) {
    let bytes = text.as_bytes();
    let mut end = 0;
    for colon in memchr::memmem::find_iter(bytes, b"://") {
        if colon < end {
            continue;
        }
        let scheme = bytes[..colon]
            .iter()
            .rev()
            .take(32)
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
            .count();
        if scheme == 0 {
            continue;
        }
        let length = text[colon..]
            .find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | ')' | ']' | '|'))
            .unwrap_or(text.len() - colon);
        end = colon + length;
        spans.push((Span::new(colon - scheme, end), RegionKind::Url));
    }
}

/// Record `@path` outside code. A token goes on past an unusual space when what follows goes on like a path.
fn imports(text: &str, body: usize, markdown: &Markdown, spans: &mut Vec<(Span, RegionKind)>) {
    let mut end = 0;
    for at in memchr::memchr_iter(b'@', &text.as_bytes()[body..]).map(|at| at + body) {
        if at < end {
            continue;
        }
        let opens = text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(' || c == '\u{FEFF}');
        if !opens || markdown.in_code(at) {
            continue;
        }
        let rest = &text[at + 1..];
        let mut length = word(rest);
        while let Some(space) = rest[length..].chars().next().filter(|&c| is_unusual_space(c)) {
            let next = length + space.len_utf8();
            let more = word(&rest[next..]);
            if !rest[next..next + more].trim_end_matches('.').contains(['/', '.']) {
                break;
            }
            length = next + more;
        }
        let token = &rest[..length];
        end = at + 1 + length;
        let name = without_punctuation(token);
        // `@scope/package` is a package of npm, not a path, but a path to be careful with all the same.
        if name.contains(['/', '.']) {
            spans.push((Span::new(at, at + 1 + name.len()), RegionKind::Import));
        }
    }
}

/// Length of the characters up to white space.
fn word(text: &str) -> usize {
    text.find(char::is_whitespace).unwrap_or(text.len())
}
