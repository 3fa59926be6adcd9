//! Names behind the name of a bundle or of a folder of commands, as in `/bundle:name`: nobody but this repository can have them.

use std::collections::{BTreeMap, BTreeSet};

use super::catalogue::KnownNames;
use super::evidence::with_slash;
use super::spoken::{Form, Spoken, What, name_at};
use super::{NameProof, shown};
use crate::agents::{bundles, files};
use crate::base::path;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::markdown::CodeKind;
use crate::parse::placeholder::is_placeholder;
use crate::workspace::{Workspace, mentions};

/// The names before the colon that are this repository's.
#[derive(Clone, Debug, Default)]
pub(super) struct Namespaces(BTreeSet<String>);

/// Commands that a folder or bundle must have, at least.
const MIN_MEMBERS: usize = 2;

impl Namespaces {
    pub(super) fn of(workspace: &Workspace) -> Namespaces {
        let mut found = BTreeSet::new();
        for (path, bytes) in &workspace.settings {
            let Some(root) = bundles::root_of_manifest(path.as_bytes()) else { continue };
            let below = workspace.listing.below(root);
            let is_member = |&index: &usize| is_page(root, workspace.listing.entry(index).path);
            if below.filter(is_member).take(MIN_MEMBERS).count() == MIN_MEMBERS {
                found.extend(bundles::name_in_manifest(bytes).filter(|name| name_at(name) == name.len()));
            }
        }
        let mut folders: BTreeMap<&[u8], usize> = BTreeMap::new();
        for entry in workspace.listing.marked() {
            if let Some(folder) = folder_of_commands(entry.path) {
                *folders.entry(folder).or_default() += 1;
            }
        }
        let enough = folders.into_iter().filter(|(_, members)| *members >= MIN_MEMBERS);
        let names = enough.map(|(folder, _)| String::from_utf8_lossy(folder).into_owned());
        found.extend(names.filter(|name| name_at(name) == name.len()));
        Namespaces(found)
    }
}

/// Whether the file is a command or the page of a skill of the bundle at `root`.
fn is_page(root: &[u8], path: &[u8]) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    let below = below.strip_prefix(b"/").unwrap_or(below);
    let is_command = below.starts_with(b"commands/") && below.ends_with(b".md");
    is_command || below.starts_with(b"skills/") && below.ends_with(b"/SKILL.md")
}

/// Whether the file at `path` is, or was, a command or the page of a skill, by the name of its folder.
pub(super) fn is_member(path: &[u8]) -> bool {
    let folders = || path::ancestors_from_root(path::parent(path)).into_iter().map(path::file_name);
    let is_skill = path::file_name(path) == b"SKILL.md";
    is_skill && folders().any(|name| name == b"skills") || !is_skill && folders().any(|name| name == b"commands")
}

/// The name of the folder below an agent's folder of commands in which the command at `path` lies.
fn folder_of_commands(path: &[u8]) -> Option<&[u8]> {
    let folder = path::parent(path);
    let commands = path::parent(folder);
    let is_commands = matches!(path::file_name(commands), b"commands" | b"command")
        && files::is_agent_folder(path::file_name(path::parent(commands)));
    (is_commands && (path.ends_with(b".md") || path.ends_with(b".toml"))).then(|| path::file_name(folder))
}

/// Words of a section by which its names are of what is yet to come, of what was, or of an example.
const NOT_HERE: [&str; 25] = [
    "alias",
    "candidate",
    "coming soon",
    "consideration",
    "deprecated",
    "e.g",
    "for instance",
    "formerly",
    "future",
    "ideas",
    "legacy",
    "level up",
    "migrat",
    "not built",
    "not implemented",
    "not yet",
    "planned",
    "proposed",
    "redirect",
    "removed",
    "renamed",
    "replaced",
    "roadmap",
    "todo:",
    "todos",
];
/// Bytes of a section that are looked at before a name, at most.
const MAX_SECTION: usize = 3000;

/// The names of `document` behind one of `namespaces`, each with what stands before the colon. The span is that of the name alone.
pub(super) fn names(document: &Document, namespaces: &Namespaces) -> Vec<(String, Spoken)> {
    let mut found = super::calls::names(document, namespaces.0.iter());
    if namespaces.0.is_empty() {
        return found;
    }
    for (at, _) in document.text[document.body..].match_indices('/') {
        let slash = document.body + at;
        // The name behind it holds no colon, so the last one ends the namespace.
        let whole = &document.text[slash + 1..];
        let Some((namespace, name)) = whole[..name_at(whole)].rsplit_once(':') else { continue };
        let behind = &whole[namespace.len() + 1 + name.len()..];
        let is_free = !document.text[..slash].ends_with(is_part);
        let is_whole = !behind.starts_with(|c: char| is_part(c) || matches!(c, '*' | '<' | '{' | '[' | '$'));
        let is_name = name.len() > 1 && name_at(name) == name.len() && !name.contains('.');
        if !is_name || !is_free || !is_whole || !namespaces.0.contains(namespace) {
            continue;
        }
        let start = slash + 1 + namespace.len() + 1;
        let span = Span::new(start, start + name.len());
        let spoken = Spoken { name: name.to_owned(), what: Some(What::Command), form: Form::Called, span };
        found.push((namespace.to_owned(), spoken));
    }
    found
}

/// Whether a character belongs to the word before or behind a name.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | ':' | '@' | '\\' | '}' | ')' | '{')
}

/// Whether neither the repository nor an agent has anything of the name.
pub(super) fn is_unknown(namespace: &str, name: &str, catalogue: &KnownNames) -> bool {
    let kinds = [What::Command, What::Subagent, What::Skill];
    let joined = [format!("{namespace}:{name}"), format!("{namespace}/{name}")];
    // A name of several words in frontmatter is called with hyphens between them.
    let alone = [name.to_owned(), name.replace('-', " ")];
    kinds.into_iter().all(|what| !alone.iter().chain(&joined).any(|name| catalogue.has_own(what, name)))
}

/// Words of names that stand for any.
const NOUNS: [&str; 15] = [
    "agent",
    "another",
    "any",
    "bar",
    "baz",
    "cmd",
    "command",
    "foo",
    "my",
    "name",
    "skill",
    "some",
    "something",
    "xxx",
    "your",
];

/// Whether the text treats the name as that of something that exists.
pub(super) fn is_meant(document: &Document, spoken: &Spoken) -> bool {
    let words: Vec<&str> = spoken.name.split(['-', '_']).collect();
    let is_noun = |word: &&str| NOUNS.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()));
    !words.iter().any(is_noun)
        && !is_placeholder(&spoken.name)
        && !in_comment(document, spoken.span)
        && !in_data(document, spoken.span)
        && !is_set_aside(document, spoken.span)
        && match spoken.what {
            Some(What::Skill | What::Subagent) => !mentions::is_denied(document, with_slash(document, spoken.span)),
            _ => !mentions::is_doubted(document, with_slash(document, spoken.span)),
        }
}

/// Whether the name stands in a comment: such are marks for programs.
fn in_comment(document: &Document, span: Span) -> bool {
    let line = document.slice(document.lines.line_span(document.lines.line_of(span.start)));
    line.contains("<!--")
}

/// Languages of fences that hold what a user types, or text; other fences show files of some project.
const TYPED: [&str; 11] = ["", "bash", "console", "markdown", "md", "plaintext", "sh", "shell", "text", "txt", "zsh"];

/// Whether the name stands in a fence of another language.
fn in_data(document: &Document, span: Span) -> bool {
    match document.markdown.code_at(span.start).map(|code| &code.kind) {
        Some(CodeKind::Fence { language, .. }) => !TYPED.contains(&language.to_ascii_lowercase().as_str()),
        _ => false,
    }
}

/// Whether the section up to the name says that what it lists is not here.
fn is_set_aside(document: &Document, span: Span) -> bool {
    let above = document.markdown.heading_of(span.start);
    let start = above.map_or(document.body, |at| document.markdown.headings[at].span.start);
    let end = document.lines.line_span(document.lines.line_of(span.end)).end;
    let start = document.text.ceil_char_boundary(start.max(end.saturating_sub(MAX_SECTION))).min(end);
    let section = document.text[start..end].to_lowercase();
    NOT_HERE.iter().any(|word| section.contains(word))
}

/// What became of a name, told of a name behind `namespace`: a file that left it is called without.
pub(super) fn told_behind(namespace: &str, proof: NameProof) -> NameProof {
    match proof {
        NameProof::Renamed { from, to } if !is_behind(namespace, to.as_bytes()) => {
            let how = format!("renamed to {}", shown(&to));
            NameProof::Removed { from, how }
        }
        proof => proof,
    }
}

/// Whether the file at `path` is called behind `namespace`: it lies in a folder of that name, or in no agent's folder.
fn is_behind(namespace: &str, path: &[u8]) -> bool {
    let mut folders = path::parent(path).split(|&byte| byte == b'/');
    let is_of_agent = folders.clone().any(files::is_agent_folder);
    folders.any(|folder| folder == namespace.as_bytes()) || !is_of_agent
}

/// The existing name that was meant, as it is called behind the colon.
pub(super) fn near(namespace: &str, spoken: &Spoken, catalogue: &KnownNames) -> Option<String> {
    let whole = format!("{namespace}-{}", spoken.name);
    let kinds = [What::Command, What::Skill];
    if kinds.iter().any(|what| catalogue.has_own(*what, &whole)) {
        return Some(whole);
    }
    let slip = kinds.iter().find_map(|what| catalogue.slip(*what, &spoken.name).map(str::to_owned));
    slip.or_else(|| match catalogue.family(What::Command, &spoken.name)[..] {
        [only] => Some(only.to_owned()),
        _ => None,
    })
}
