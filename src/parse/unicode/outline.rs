//! The [`Places`] of a Markdown text that nobody has parsed yet: frontmatter, code, links, URLs, imports, commands. Knows
//! Markdown, no hidden characters.

use std::ops::Range;

use crate::parse::markdown;
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Tag, TagEnd};

use super::place::{Place, Places};
use crate::base::characters::is_unusual_space;
use crate::base::text::Span;

/// Find the places of `text`.
pub fn places_of(text: &str) -> Places {
    let mut spans = Vec::new();
    let body = frontmatter(text, &mut spans);
    let first_code = spans.len();
    markdown(text, body, &mut spans);
    let code = Places::new(spans[first_code..].iter().copied().filter(|(_, place)| *place == Place::Code).collect());
    urls(text, &mut spans);
    imports(text, body, &code, &mut spans);
    Places::new(spans)
}

/// Only the URLs of a text that is no Markdown.
pub(super) fn urls_of(text: &str) -> Places {
    let mut spans = Vec::new();
    urls(text, &mut spans);
    Places::new(spans)
}

/// Record the frontmatter at the start of `text`, after a byte order mark; where the body begins.
fn frontmatter(text: &str, spans: &mut Vec<(Span, Place)>) -> usize {
    let start = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut at = start;
    for (number, line) in text[start..].split_inclusive('\n').enumerate() {
        let content = line.trim_end();
        match (number, content) {
            (0, "---") => {}
            (0, _) => return start,
            (_, "---" | "...") => {
                spans.push((Span::new(start, at + line.len()), Place::Frontmatter));
                let keys = keys_of(text, Span::new(start, at));
                spans.extend(keys.into_iter().map(|span| (span, Place::FrontmatterKey)));
                return at + line.len();
            }
            _ => {}
        }
        at += line.len();
    }
    start
}

/// The keys of a block of YAML: what stands before the first colon of a line that is neither comment nor item.
pub(super) fn keys_of(text: &str, block: Span) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = block.start;
    for line in text[block.range()].split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '-']).len();
        let rest = &line[indent..];
        let end = rest
            .match_indices(':')
            .map(|(colon, _)| colon)
            .find(|colon| rest[colon + 1..].chars().next().is_none_or(char::is_whitespace));
        if let Some(colon) = end
            && !rest.starts_with(['#', '"', '\'', '{', '['])
        {
            spans.push(Span::new(at + indent, at + indent + colon));
        }
        at += line.len();
    }
    spans
}

/// Record code, link destinations and reference definitions.
fn markdown(text: &str, body: usize, spans: &mut Vec<(Span, Place)>) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let shift = |range: &Range<usize>| Span::new(range.start + body, range.end + body);
    let parser = markdown::parser(&text[body..], options);
    for (_, definition) in parser.reference_definitions().iter() {
        spans.push((shift(&definition.span), Place::Url));
    }
    // Open links: their kind, their range, and where their text ends.
    let mut links: Vec<(LinkType, Span, usize)> = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        let span = shift(&range);
        match &event {
            Event::Start(Tag::CodeBlock(kind)) => {
                spans.push((span, Place::Code));
                if matches!(kind, CodeBlockKind::Fenced(info) if is_shell(info)) {
                    spans.push((span, Place::Command));
                }
            }
            Event::Code(_) => {
                spans.push((span, Place::Code));
                let inside = text[span.range()].trim_matches('`').trim();
                if looks_like_path(inside) {
                    spans.push((span, Place::Path));
                }
            }
            Event::Start(Tag::Link { link_type, .. } | Tag::Image { link_type, .. }) => {
                links.push((*link_type, span, span.start));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some((kind, span, end)) = links.pop() {
                    match kind {
                        LinkType::Inline => spans.push((Span::new(end.min(span.end), span.end), Place::Url)),
                        LinkType::Autolink | LinkType::Email => spans.push((span, Place::Url)),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        // The text of every open link reaches at least as far as what stands in it.
        if !matches!(event, Event::Start(_))
            && let Some(link) = links.last_mut()
        {
            link.2 = link.2.max(span.end);
        }
    }
}

/// Whether the info string of a fence names a shell.
fn is_shell(info: &str) -> bool {
    let language = info.split([' ', ',', '{', '\t']).next().unwrap_or("").to_ascii_lowercase();
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
fn urls(text: &str, spans: &mut Vec<(Span, Place)>) {
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
        spans.push((Span::new(colon - scheme, end), Place::Url));
    }
}

/// Record `@path` outside code. A token goes on past an unusual space when what follows goes on like a path.
fn imports(text: &str, body: usize, code: &Places, spans: &mut Vec<(Span, Place)>) {
    let mut end = 0;
    for at in memchr::memchr_iter(b'@', &text.as_bytes()[body..]).map(|at| at + body) {
        if at < end {
            continue;
        }
        let opens = text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(' || c == '\u{FEFF}');
        if !opens || code.over(Span::empty(at)).has(Place::Code) {
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
        let name = token.trim_end_matches(['.', ',', ';', ':', ')', '!', '?']);
        // `@scope/package` is a package of npm, not a path, but a path to be careful with all the same.
        if name.contains(['/', '.']) {
            spans.push((Span::new(at, at + 1 + name.len()), Place::Import));
        }
    }
}

/// Length of the characters up to white space.
fn word(text: &str) -> usize {
    text.find(char::is_whitespace).unwrap_or(text.len())
}
