//! One hint file of Claude Code with everything that it imports: entries in the order in which they are sent.

use super::Config;
use super::rules::Source;
use crate::agents::shared::context::{Reason, Why};
use crate::agents::shared::imports::inert_reason;
use crate::agents::shared::loading::Loading;
use crate::base::text::Span;
use crate::parse::imports::{Grammar, js_trim, references};
use crate::world::{AbsPath, ReadError};
use std::collections::BTreeSet;

/// How many imports may follow one another (observed: the fifth is not loaded).
pub(super) const MAX_HOPS: usize = 4;

/// Extensions that may be imported, in lower case. Everything else, and what is not listed here, is silently left out.
pub(super) const EXTENSIONS: &[&str] = &[
    "adoc",
    "asciidoc",
    "astro",
    "bash",
    "bat",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cljc",
    "cljs",
    "cmake",
    "cmd",
    "conf",
    "config",
    "cpp",
    "cs",
    "css",
    "csv",
    "cts",
    "cxx",
    "dart",
    "diff",
    "edn",
    "ejs",
    "elm",
    "env",
    "erb",
    "erl",
    "ex",
    "exs",
    "f",
    "f90",
    "f95",
    "fish",
    "for",
    "go",
    "gql",
    "gradle",
    "graphql",
    "h",
    "hbs",
    "hpp",
    "hrl",
    "hs",
    "htm",
    "html",
    "hxx",
    "ini",
    "jade",
    "java",
    "js",
    "json",
    "jsx",
    "kt",
    "kts",
    "latex",
    "less",
    "lhs",
    "lock",
    "log",
    "lua",
    "make",
    "makefile",
    "md",
    "mjs",
    "ml",
    "mli",
    "mts",
    "org",
    "patch",
    "php",
    "pl",
    "pm",
    "properties",
    "proto",
    "ps1",
    "pug",
    "py",
    "pyi",
    "pyw",
    "r",
    "rake",
    "rb",
    "rs",
    "rst",
    "sass",
    "sbt",
    "scala",
    "scss",
    "sh",
    "sql",
    "svelte",
    "swift",
    "tex",
    "text",
    "toml",
    "ts",
    "tsx",
    "txt",
    "vue",
    "xml",
    "yaml",
    "yml",
    "zsh",
];

/// A larger file is not loaded.
pub(super) const MAX_BYTES: usize = 4 << 20;

/// One entry of the context.
pub(super) struct Entry {
    pub(super) path: AbsPath,
    pub(super) text: String,
    pub(super) globs: Option<Vec<String>>,
    /// Its place among the layers.
    pub(super) layer: usize,
}

/// Where a hint file belongs.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) label: &'static str,
    pub(super) why: Why,
    /// Whether its imports may leave the start directory.
    pub(super) free: bool,
}

/// Files by real path, so that each is sent once.
pub(super) type Seen = BTreeSet<AbsPath>;

/// The entries of the file at `path` and of what it imports, depth first. Returns whether the file itself gave one.
pub(super) fn gather(
    loading: &mut Loading<'_>,
    config: &Config,
    path: &AbsPath,
    kind: Kind,
    seen: &mut Seen,
    entries: &mut Vec<Entry>,
) -> bool {
    let before = entries.len();
    visit(loading, config, path, kind, seen, entries, 0, None);
    entries.get(before).is_some_and(|entry| entry.path == *path)
}

/// Recursion is bounded by the number of hops.
#[expect(clippy::too_many_arguments, reason = "the state of one recursion, which nothing else shares")]
fn visit(
    loading: &mut Loading<'_>,
    config: &Config,
    path: &AbsPath,
    kind: Kind,
    seen: &mut Seen,
    entries: &mut Vec<Entry>,
    hops: usize,
    importer: Option<(&AbsPath, Span, &str)>,
) {
    if kind.why != Why::Managed && config.excludes.iter().any(|glob| glob.matches(&path.to_str_lossy())) {
        match importer {
            Some((from, span, token)) => loading.skip_token(from, span, token, Some(path.clone()), Reason::Excluded),
            None if loading.world.is_file(path) => loading.skip_file(path, Reason::Excluded),
            None => {}
        }
        return;
    }
    let Some((source, layer)) = read(loading, path, kind, seen, importer) else { return };
    if js_trim(&source.text).is_empty() {
        loading.out.layers.truncate(layer);
        match importer {
            Some((from, span, token)) => loading.skip_token(from, span, token, Some(path.clone()), Reason::Empty),
            None => loading.skip_file(path, Reason::Empty),
        }
        return;
    }
    let dir = loading.out.layers[layer].real_path.dirname();
    let found = references(Grammar::Claude, &source.body);
    entries.push(Entry { path: path.clone(), text: source.text, globs: source.globs, layer });
    let mut named = BTreeSet::new();
    for reference in found {
        let token = reference.path.as_str();
        let span = Span::new(reference.span.start + source.offset, reference.span.end + source.offset);
        if let Some(inert) = reference.inert {
            loading.skip_token(path, span, token, None, inert_reason(inert));
            continue;
        }
        let target = match token.strip_prefix("~/") {
            Some(rest) => match loading.home() {
                Some(home) => home.join(rest),
                None => continue,
            },
            None => dir.resolve(token.as_bytes()),
        };
        if !named.insert(target.clone()) {
            continue;
        }
        match refusal(loading, kind, &target, hops) {
            Some(reason) => loading.skip_token(path, span, token, Some(target), reason),
            None => visit(loading, config, &target, kind, seen, entries, hops + 1, Some((path, span, token))),
        }
    }
}

/// Why an import is not followed, before its file is looked at.
fn refusal(loading: &mut Loading<'_>, kind: Kind, target: &AbsPath, hops: usize) -> Option<Reason> {
    if hops >= MAX_HOPS {
        return Some(Reason::TooDeep(MAX_HOPS));
    }
    let real = loading.robust_real_path(target);
    let inside = target.is_within(&loading.start) && real.is_within(&loading.start);
    if !(kind.free || inside) {
        return Some(Reason::Outside(loading.start.clone()));
    }
    let imports = loading.dialect().imports;
    if let Some(extension) = imports.and_then(|imports| imports.refused_extension(target.file_name())) {
        // A token like `docs.md,` has the extension `md,`; the reader wants to know about the comma.
        let clean = extension.trim_end_matches([',', '.', ':', ';', '!', '?', ')', ']', '}', '"', '\'', '>']);
        let cut = extension.len() - clean.len();
        let spoiled = cut > 0 && {
            let bytes = target.as_bytes();
            loading.world.is_file(&AbsPath::new(&bytes[..bytes.len() - cut]))
        };
        return Some(if spoiled { Reason::Punctuation } else { Reason::Extension(extension) });
    }
    (!loading.may_import()).then_some(Reason::Limit)
}

/// Read a file that is not in the context yet.
fn read(
    loading: &mut Loading<'_>,
    path: &AbsPath,
    kind: Kind,
    seen: &mut Seen,
    importer: Option<(&AbsPath, Span, &str)>,
) -> Option<(Source, usize)> {
    let real = loading.world.real_path(path).unwrap_or_else(|_| path.clone());
    if seen.contains(&real) {
        match importer {
            Some((from, span, token)) => {
                loading.skip_token(from, span, token, Some(path.clone()), Reason::AlreadyLoaded)
            }
            None => loading.skip_file(path, Reason::AlreadyLoaded),
        }
        return None;
    }
    let bytes = match loading.world.read(path) {
        Ok(bytes) if bytes.len() > MAX_BYTES => Err(ReadError::TooLarge),
        other => other,
    };
    match (bytes, importer) {
        (Ok(bytes), importer) => {
            seen.insert(real);
            let layer = match importer {
                Some((from, span, _)) => loading.import(path, &bytes, from, span),
                None => {
                    loading.consider(path, "loaded");
                    loading.layer(path, &bytes, kind.why)
                }
            };
            let source = Source::parse(&bytes);
            for limit in &source.limits {
                loading.note(format!("{}: {limit}", path.to_str_lossy()));
            }
            Some((source, layer))
        }
        (Err(error), Some((from, span, token))) => {
            loading.skip_unread(from, span, token, path, &error);
            None
        }
        (Err(error), None) => {
            loading.not_read(path, &error);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::extension;

    #[test]
    fn extensions_are_sorted_and_found_as_node_does() {
        assert!(EXTENSIONS.is_sorted());
        let check =
            |name: &str, expected: Option<&str>| assert_eq!(extension(name.as_bytes()).as_deref(), expected, "{name}");
        check("a.MD", Some("md"));
        check("a.tar.gz", Some("gz"));
        check(".env", None);
        check(".env.local", Some("local"));
        check("Makefile", None);
        check("a.", Some(""));
    }
}
