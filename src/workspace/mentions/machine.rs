//! Absolute paths into the home of one person: `/Users/jo/dev/app/src/x.ts`. On any other machine they lead nowhere.

use super::links::on_this_machine;
use super::paths::is_covered;
use super::plain::MAX_PATH;
use super::stance::{Stance, stance, stance_in_fence};
use super::{Mention, MentionForm, Miss, token};
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::homes::{is_anybody, is_of_a_person};
use crate::parse::markdown::{Link, LinkKind};
use crate::parse::placeholder::{is_illustration, is_placeholder};
use crate::workspace::Workspace;

/// Paths of one text, at most.
const MAX_PATHS: usize = 200;

/// The folders that hold homes, as paths name them.
const HOMES: [&str; 5] = ["/Users/", "/home/", ":\\Users\\", ":/Users/", VOLUMES];

/// The folder in which macOS has the disks that somebody put in.
const VOLUMES: &str = "/Volumes/";

/// Whether the home of `name` is that of one person, and none that a text makes up: words in other scripts stand for a name.
fn is_of_an_author(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && is_of_a_person(name) && !is_anybody(name)
}

/// The absolute paths into somebody's home on which `document` relies.
pub(super) fn paths(workspace: &Workspace, document: &Document) -> Vec<Mention> {
    let name = String::from_utf8_lossy(document.path.file_name());
    // What is meant for one person names that person's machine.
    if name.contains(".local.") {
        return Vec::new();
    }
    let text = &document.text;
    let places = |home: &'static str| memchr::memmem::find_iter(text.as_bytes(), home).map(move |at| (at, home));
    let found = HOMES.into_iter().flat_map(places).take(MAX_PATHS);
    let spans = found.filter_map(|(at, home)| span_of(text, at, home));
    let mut found: Vec<Mention> = spans.filter_map(|span| mention(workspace, document, span)).collect();
    // A home that holds a file of this repository is that of an author.
    let known: Vec<String> = found.iter().filter(|mention| has_inside(mention)).map(home_of).collect();
    found.retain(|mention| {
        let is_of_a_person = || !mention.path.starts_with(VOLUMES) && is_of_a_desk(&mention.path);
        known.contains(&home_of(mention)) || is_of_a_person()
    });
    found
}

/// The path whose home folder stands at `at`, if it names one person and something in that person's home.
fn span_of(text: &str, at: usize, home: &str) -> Option<Span> {
    let start = if home.starts_with(':') { at.checked_sub(1)? } else { at };
    let is_drive = !home.starts_with(':') || text.as_bytes()[start].is_ascii_alphabetic();
    // What is attached to a prompt stands behind an `@`.
    let before = text[..start].strip_suffix('@').filter(|text| text.is_empty() || text.ends_with(char::is_whitespace));
    let before = before.unwrap_or(&text[..start]);
    let goes_before = before.ends_with(|c: char| c.is_alphanumeric() || "._-/\\~})$:@".contains(c));
    let rest = &text[start..];
    let is_part = |c: char| c.is_alphanumeric() || "._-/\\:@+~".contains(c);
    let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
    let path = rest[..end].trim_end_matches(['.', ':']);
    // A placeholder or a pattern goes on.
    let goes_on = rest[end..].starts_with(['<', '{', '*', '$', '[', '%', '(', '…']) || rest[..end].contains("...");
    let plain = path.replace('\\', "/");
    let plain = plain.split_once(':').map_or(plain.as_str(), |(_, path)| path);
    let names = is_drive && !goes_before && !goes_on && path.len() < MAX_PATH;
    let is_example = is_illustration(plain) || plain.split('/').any(|part| part.eq_ignore_ascii_case("myproject"));
    let plain = plain.trim_start_matches('/');
    let is_person = plain.split('/').nth(1).is_some_and(is_of_an_author);
    let is_of_one = match home {
        VOLUMES => plain.split('/').count() > 3,
        _ => is_person && token::is_of_one_machine(plain),
    };
    let is_meant = names && !is_example && is_of_one;
    is_meant.then(|| Span::new(start, start + path.len()))
}

fn mention(workspace: &Workspace, document: &Document, span: Span) -> Option<Mention> {
    // The destination of a link is told as one.
    let is_destination = |link: &Link| link.kind == LinkKind::Definition && link.span.covers(span);
    if is_covered(&document.markdown.links, span) || document.markdown.links.iter().any(is_destination) {
        return None;
    }
    let path = document.slice(span).to_owned();
    let fence = document.markdown.fence_at(span.start);
    if fence.is_some() && is_output(document, span) {
        return None;
    }
    let stance = match fence {
        Some(fence) => stance_in_fence(document, span, fence.span),
        None => stance(document, span),
    };
    let inside =
        on_this_machine(workspace, &path.replace('\\', "/")).filter(|inside| inside.as_bytes().contains(&b'/'));
    (stance == Stance::Claims).then_some(Mention {
        form: MentionForm::File,
        span,
        path,
        claimed: true,
        relied_on: true,
        hedged: false,
        to_be_read: false,
        sends: false,
        to_come: false,
        exact: false,
        of_bundle: false,
        excused: false,
        denied: false,
        illustrates: false,
        from_root: true,
        verbatim: true,
        place: Miss::Outside { inside },
    })
}

/// Words with which programs begin what they say.
const OUTPUT: [&str; 12] =
    ["at", "caused", "debug", "error", "exception", "failed", "fatal", "file", "info", "panic", "traceback", "warning"];

/// Whether the line of a fence shows what a program said: an error, a line of a log or of a stack.
fn is_output(document: &Document, span: Span) -> bool {
    let line = document.slice(document.lines.line_span(document.lines.line_of(span.start))).trim_start();
    let is_log = line.starts_with(|c: char| c.is_ascii_digit() || c == '[') && !line.starts_with("[[");
    let first = line.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase();
    let rest = line.get(first.len()..).unwrap_or_default();
    is_log || is_at_a_prompt(line) || OUTPUT.contains(&&*first) && rest.starts_with([':', ' ', ']', '['])
}

/// Consoles whose prompts have a blank before their mark, as a shell's `cat > file` has.
const CONSOLES: [&str; 5] = ["meterpreter", "msf", "mysql", "sliver", "sqlite"];

/// Whether a line is given to the console of another program, whose paths may be those of another machine: `demon> download x`,
/// `msf6 > x`, `>>> open(x)`.
fn is_at_a_prompt(line: &str) -> bool {
    let Some((head, rest)) = line.split_once('>') else { return false };
    let is_name =
        |head: &str| head.starts_with(|c: char| c.is_ascii_alphabetic()) && !head.contains(['/', '\\', ':', '=', '<']);
    let is_console = || CONSOLES.iter().any(|console| head.starts_with(console));
    let is_word = || is_name(head) && !head.contains(' ');
    head.is_empty() && rest.starts_with(">> ") || rest.starts_with(' ') && (is_word() || is_name(head) && is_console())
}

/// What a link to a file of one machine names: `file:///Users/jo/x.md`, `/C:/x/y.ts`, `C:\x\y.ts`.
pub(super) fn in_link(workspace: &Workspace, document: &Document, link: &Link) -> Option<Mention> {
    let address = link.destination.strip_prefix("file://");
    let rest = address.unwrap_or(&link.destination);
    let bare = rest.trim_start_matches('/');
    let mut letters = bare.bytes();
    let is_drive = letters.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && letters.next() == Some(b':')
        && matches!(letters.next(), Some(b'/' | b'\\'));
    let is_home = address.is_some() && rest.starts_with('/') && token::is_of_one_machine(bare);
    // A disk of Windows, as Linux has it beside it: `/mnt/c/x`.
    let is_mounted = bare.strip_prefix("mnt/").is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_lowercase()) && rest[1..].starts_with('/') && rest.len() > 2
    });
    let is_mounted = is_mounted && rest.starts_with('/');
    let path = token::percent_decoded(rest).split('#').next()?.replace('\\', "/");
    let plain = path.trim_start_matches('/');
    let plain = if is_drive { &plain[3..] } else { plain };
    let is_known = (is_drive || is_home || is_mounted)
        && path.len() < MAX_PATH
        && document.text.get(link.destination_span.range()).is_some();
    if !is_known || plain.is_empty() || is_placeholder(plain) {
        return None;
    }
    let inside = on_this_machine(workspace, &path);
    let shown = path.trim_start_matches('/').to_owned();
    let mention = Mention::new(MentionForm::Link, link.destination_span, shown, Miss::Outside { inside });
    Some(Mention { claimed: true, from_root: !is_drive, verbatim: false, ..mention })
}

fn has_inside(mention: &Mention) -> bool {
    matches!(&mention.place, Miss::Outside { inside: Some(_) })
}

/// Folders that people have in their homes, and servers do not.
const OF_PEOPLE: [&str; 20] = [
    ".bun",
    ".cargo",
    ".npm-global",
    ".nvm",
    ".pyenv",
    "Code",
    "Desktop",
    "Documents",
    "Downloads",
    "Projects",
    "Repos",
    "code",
    "dev",
    "github",
    "git",
    "projects",
    "repos",
    "source",
    "workspace",
    "workspaces",
];

/// Whether the path is one of a system on which people work, and servers do not.
fn is_of_a_desk(path: &str) -> bool {
    let Some(rest) = path.strip_prefix("/home/") else { return true };
    let mut below = rest.split('/').skip(1);
    below.next().is_some_and(|folder| OF_PEOPLE.contains(&folder)) && below.next().is_some()
}

/// The home itself: all up to the person's name.
fn home_of(mention: &Mention) -> String {
    let plain = mention.path.replace('\\', "/");
    let parts: Vec<&str> = plain.split('/').take(3).collect();
    parts.join("/")
}
