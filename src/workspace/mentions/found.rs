//! Paths that a document names and that are there: what an editor follows, lists and renames. Where a mention says that nothing
//! is there, or gives an example, it is no finding; here it counts as any other.

use super::place::{LocatedPath, locate};
use super::{plain, run, token};
use crate::base::path::RepoPath;
use crate::base::text::Span;
use crate::parse::Document;
use crate::parse::imports::{Grammar, references_of, without_punctuation};
use crate::parse::markdown::{CodeKind, Link, LinkKind};
use crate::parse::patterns;
use crate::workspace::imports::ImportTarget;
use crate::workspace::{Resolution, Workspace};

/// How a document names a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedAs {
    /// `@path`
    Import,
    /// The destination of a link.
    Link,
    /// A code span, a word of a command, or plain words.
    Text,
    /// The part of a frontmatter pattern before its first wildcard, or all of it.
    Pattern,
}

/// A path that a document names and that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedPath {
    /// How it is named.
    pub(crate) form: NamedAs,
    /// Where the path stands, without `@`, `mdc:`, a leading `/` of a link, anchors and line numbers.
    pub(crate) span: Span,
    /// The path as its reader takes it.
    pub(crate) path: String,
    /// The folder that it counts from.
    pub(crate) base: Vec<u8>,
    /// What it names, before links are followed.
    pub(crate) at: RepoPath,
    /// The file itself; `None` for a folder.
    pub(crate) file: Option<RepoPath>,
    /// What was left off its end, such as `.md`.
    pub(crate) variant: &'static str,
    /// The anchor behind it, decoded.
    pub(crate) anchor: Option<String>,
    /// Whether the bytes at `span` are the path, letter by letter or percent-encoded.
    pub(crate) verbatim: bool,
}

/// All paths that `document` names and that are there, by place; no two overlap.
pub(crate) fn named_paths(workspace: &Workspace, document: &Document) -> Vec<NamedPath> {
    let markdown = &document.markdown;
    let mut found: Vec<NamedPath> = imports(workspace, document);
    found.extend(markdown.links.iter().filter_map(|link| in_link(workspace, document, link)));
    found.extend(patterns::of(document).iter().filter_map(|pattern| in_pattern(workspace, document, pattern)));
    let spans = markdown.code.iter().filter(|code| code.kind == CodeKind::Span);
    found.extend(spans.filter_map(|code| in_text(workspace, document, code.content, "")));
    // What no agent imports from here is named all the same.
    let tokens = references_of(Grammar::Prose, document).iter();
    let paths = tokens.map(|token| Span::new(token.span.start + 1, token.span.end));
    found.extend(paths.filter_map(|path| {
        let written = without_punctuation(document.slice(path));
        in_text(workspace, document, Span::new(path.start, path.start + written.len()), "")
    }));
    found.extend(run::paths(document).iter().filter_map(|word| in_text(workspace, document, word.span, &word.folder)));
    found.extend(plain::words(document).into_iter().filter_map(|(span, _)| in_text(workspace, document, span, "")));
    // What was found first says more of a place than what was found there later.
    let mut taken: Vec<NamedPath> = Vec::with_capacity(found.len());
    for named in found {
        let at = taken.partition_point(|other| other.span.start < named.span.start);
        let is_free = |other: Option<&NamedPath>| other.is_none_or(|other| !other.span.overlaps(named.span));
        if is_free(taken.get(at)) && is_free(at.checked_sub(1).and_then(|before| taken.get(before))) {
            taken.insert(at, named);
        }
    }
    taken
}

fn imports(workspace: &Workspace, document: &Document) -> Vec<NamedPath> {
    let own = workspace.imports.iter().filter(|import| import.importer == document.path);
    let named = own.filter_map(|import| {
        let ImportTarget::File(file) = &import.target else { return None };
        let path = import.written.split('#').next().unwrap_or(&import.written);
        let start = import.span.start + 1;
        let span = Span::new(start, (start + path.len()).min(import.span.end.max(start)));
        let base = document.path.parent();
        let at = crate::base::path::resolve(base, path.as_bytes())?;
        Some(NamedPath {
            form: NamedAs::Import,
            span,
            path: path.to_owned(),
            base: base.to_vec(),
            at: RepoPath::new(at),
            file: Some(file.clone()),
            variant: "",
            anchor: None,
            verbatim: document.text.get(span.range()) == Some(path),
        })
    });
    named.collect()
}

/// What a link without extension may mean.
const VARIANTS: [&str; 6] = [".md", ".mdx", ".mdc", "/README.md", "/index.md", "/SKILL.md"];

fn in_link(workspace: &Workspace, document: &Document, link: &Link) -> Option<NamedPath> {
    let site = link.kind == LinkKind::Html && link.destination.starts_with('/');
    if link.kind == LinkKind::Reference || site || token::mangled_address(&link.destination).is_some() {
        return None;
    }
    let destination = token::destination(&link.destination)?;
    let whole = link.destination_span;
    let verbatim = document.slice(whole) == link.destination;
    let (before, after) = if verbatim { destination.around } else { (0, 0) };
    let span = Span::new(whole.start + before, whole.end - after);
    if destination.path.is_empty() {
        return Some(NamedPath {
            form: NamedAs::Link,
            span: whole,
            path: String::new(),
            base: document.path.parent().to_vec(),
            at: document.path.clone(),
            file: Some(document.path.clone()),
            variant: "",
            anchor: destination.fragment,
            verbatim: false,
        });
    }
    let path = destination.path.split_once(':').map_or(destination.path.as_str(), |(path, _)| path);
    let variants = if token::has_extension(path) { &[][..] } else { &VARIANTS[..] };
    let located = locate(workspace, document.path.parent(), path, destination.from_root, variants)?;
    let cut = destination.path.len() - path.len();
    let span = if verbatim { Span::new(span.start, span.end - cut.min(span.len())) } else { span };
    Some(named(NamedAs::Link, span, path, located, destination.fragment, verbatim))
}

fn in_pattern(workspace: &Workspace, document: &Document, pattern: &patterns::PathPattern) -> Option<NamedPath> {
    let prefix = patterns::literal_prefix(&pattern.text);
    let path = prefix.trim_start_matches('/');
    if path.is_empty() {
        return None;
    }
    let bases = patterns::bases(document).into_iter();
    let located = bases.into_iter().find_map(|base| {
        let at = crate::base::path::resolve(base, path.as_bytes())?;
        let file = match workspace.resolve(&at) {
            Resolution::File(file) => Some(file),
            Resolution::Directory(_) => None,
            _ => return None,
        };
        Some(LocatedPath { base: base.to_vec(), at: RepoPath::new(at), file, variant: "" })
    })?;
    let start = pattern.span.start + (prefix.len() - path.len());
    let span = if pattern.exact { Span::new(start, start + path.len()) } else { pattern.span };
    Some(named(NamedAs::Pattern, span, path, located, None, pattern.exact))
}

/// A code span or word that is a path. A name without a folder counts only if it has an extension.
fn in_text(workspace: &Workspace, document: &Document, content: Span, folder: &str) -> Option<NamedPath> {
    let token = token::in_code(document.slice(content))?;
    if !token.path.contains('/') && !token.directory && !token::has_extension(token.path) {
        return None;
    }
    let full = if folder.is_empty() { token.path.to_owned() } else { format!("{folder}/{}", token.path) };
    let mut located = locate(workspace, document.path.parent(), &full, false, &[])?;
    if !folder.is_empty() {
        located.base = crate::base::path::resolve(&located.base, folder.as_bytes())?;
    }
    let start = content.start + token.start;
    let span = Span::new(start, start + token.path.len());
    Some(named(NamedAs::Text, span, token.path, located, None, true))
}

fn named(
    form: NamedAs,
    span: Span,
    path: &str,
    located: LocatedPath,
    anchor: Option<String>,
    verbatim: bool,
) -> NamedPath {
    let LocatedPath { base, at, file, variant } = located;
    NamedPath { form, span, path: path.to_owned(), base, at, file, variant, anchor, verbatim }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::source::Memory;

    #[test]
    fn every_way_to_name_a_path_is_found() {
        let text = "Read @docs/a.md and [b](docs/b.md#x), [c](<docs/c d.md>), [e](docs/e), `src/x.ts`, `src/`, `x.ts:3`.\n\n\
                    [self](#here) [root](/docs/a.md) [m](mdc:docs/a.md) [gone](docs/gone.md) and src/worker.ts too.\n\n\
                    ```sh\ncat docs/a.md\n```\n";
        let rule = "---\npaths: src/**/*.ts, docs/a.md\n---\nx\n";
        let files = [
            ("CLAUDE.md", text),
            (".claude/rules/r.md", rule),
            ("docs/a.md", "# A\n"),
            ("docs/b.md", "# X\n"),
            ("docs/c d.md", ""),
            ("docs/e.md", ""),
            ("src/x.ts", ""),
            ("src/worker.ts", ""),
        ];
        let workspace = crate::workspace::load(&Memory::of_files(files), Config::default(), &[]).unwrap().workspace;
        let shown = |path: &str| {
            let document = workspace.document(path.as_bytes()).unwrap();
            let named = named_paths(&workspace, document);
            let show = |named: &NamedPath| {
                let source = document.slice(named.span);
                format!("{:?} {source} -> {} {}", named.form, named.at.to_str_lossy(), named.variant)
                    .trim_end()
                    .to_owned()
            };
            named.iter().map(show).collect::<Vec<_>>()
        };
        assert_eq!(
            shown("CLAUDE.md"),
            [
                "Import docs/a.md -> docs/a.md",
                "Link docs/b.md -> docs/b.md",
                "Link docs/c d.md -> docs/c d.md",
                "Link docs/e -> docs/e.md .md",
                "Text src/x.ts -> src/x.ts",
                "Text src -> src",
                "Link #here -> CLAUDE.md",
                "Link docs/a.md -> docs/a.md",
                "Link docs/a.md -> docs/a.md",
                "Text src/worker.ts -> src/worker.ts",
                "Text docs/a.md -> docs/a.md",
            ]
        );
        assert_eq!(shown(".claude/rules/r.md"), ["Pattern src -> src", "Pattern docs/a.md -> docs/a.md"]);
    }
}
