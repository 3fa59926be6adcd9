//! One hint file of Claude Code with everything that it imports: entries in the order in which they are sent.

use super::ClaudeSettings;
use super::rules::RuleSource;
use crate::agents::shared::context::{Reason, Why};
use crate::agents::shared::expand::ImportToken;
use crate::agents::shared::loading::Loading;
use crate::base::text::Span;
use crate::parse::imports::{js_trim, references_as_walked};
use crate::world::{AbsPath, ReadError};
use std::collections::BTreeSet;

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
pub(super) struct LoadedFile {
    pub(super) path: AbsPath,
    pub(super) text: String,
    pub(super) globs: Option<Vec<String>>,
    /// Its place among the layers.
    pub(super) layer: usize,
    /// The hint file that it is, or whose import it is.
    pub(super) hint: AbsPath,
}

/// Where a hint file belongs.
#[derive(Clone, Copy)]
pub(super) struct FileOrigin {
    pub(super) label: &'static str,
    pub(super) why: Why,
    /// Whether its imports may leave the start directory.
    pub(super) free: bool,
}

/// Files by real path, so that each is sent once.
pub(super) type SentFiles = BTreeSet<AbsPath>;

/// The entries of the file at `path` and of what it imports, depth first. Returns whether the file itself gave one.
pub(super) fn gather(
    loading: &mut Loading<'_>,
    config: &ClaudeSettings,
    path: &AbsPath,
    kind: FileOrigin,
    seen: &mut SentFiles,
    entries: &mut Vec<LoadedFile>,
) -> bool {
    let before = entries.len();
    Gathering { config, kind, seen, entries, hint: path }.visit(loading, path, 0, None);
    entries.get(before).is_some_and(|entry| entry.path == *path)
}

/// The token that names a file: where it stands, and what it says.
type NamingToken<'i> = Option<(&'i AbsPath, Span, &'i str)>;

struct Gathering<'g> {
    config: &'g ClaudeSettings,
    kind: FileOrigin,
    seen: &'g mut SentFiles,
    entries: &'g mut Vec<LoadedFile>,
    hint: &'g AbsPath,
}

impl Gathering<'_> {
    /// Recursion is bounded by the number of hops.
    fn visit(&mut self, loading: &mut Loading<'_>, path: &AbsPath, hops: usize, importer: NamingToken<'_>) {
        let managed = self.kind.why == Why::Managed;
        if !managed && self.config.excludes.iter().any(|glob| glob.matches(&path.to_str_lossy())) {
            if importer.is_some() || loading.world.is_file(path) {
                skip(loading, path, importer, Reason::Excluded);
            }
            return;
        }
        if self.config.denied.withholds(loading.world, path, self.kind.why == Why::User) {
            if importer.is_some() || loading.world.is_file(path) {
                skip(loading, path, importer, Reason::Excluded);
            }
            return;
        }
        let Some((source, layer)) = self.read(loading, path, importer) else { return };
        if js_trim(&source.text).is_empty() {
            loading.out.layers.truncate(layer);
            skip(loading, path, importer, Reason::Empty);
            return;
        }
        let dir = loading.out.layers[layer].real_path.dirname();
        let hint = self.hint.clone();
        self.entries.push(LoadedFile { path: path.clone(), text: source.text, globs: source.globs, layer, hint });
        let mut named = BTreeSet::new();
        for mut reference in references_as_walked(&source.body) {
            reference.span = Span::new(reference.span.start + source.offset, reference.span.end + source.offset);
            let token = ImportToken::new(path, &reference, &[]);
            if let Err(refusal) = token.check_inert() {
                refusal.record(loading, &token);
                continue;
            }
            let target = match token.path.strip_prefix("~/") {
                Some(rest) => match loading.home() {
                    Some(home) => home.join(rest),
                    None => continue,
                },
                None => dir.resolve(token.path.as_bytes()),
            };
            if !named.insert(target.clone()) {
                continue;
            }
            let importer = Some((path, token.span, token.path));
            match refusal(loading, self.kind, &target, hops) {
                Some(reason) => skip(loading, &target, importer, reason),
                None => self.visit(loading, &target, hops + 1, importer),
            }
        }
    }

    /// Read a file that is not in the context yet.
    fn read(
        &mut self,
        loading: &mut Loading<'_>,
        path: &AbsPath,
        importer: NamingToken<'_>,
    ) -> Option<(RuleSource, usize)> {
        let real = loading.world.real_path(path).unwrap_or_else(|_| path.clone());
        if self.seen.contains(&real) {
            skip(loading, path, importer, Reason::AlreadyLoaded);
            return None;
        }
        let bytes = match loading.world.read(path) {
            Ok(bytes) if bytes.len() > MAX_BYTES => Err(ReadError::TooLarge),
            other => other,
        };
        let layer = match (&bytes, importer) {
            (Ok(bytes), Some((from, span, _))) => loading.import(path, bytes, from, span),
            (Ok(bytes), None) => {
                loading.consider(path, "loaded");
                loading.layer(path, bytes, self.kind.why)
            }
            (Err(error), Some((from, span, token))) => {
                loading.skip_unread(from, span, token, path, error);
                return None;
            }
            (Err(error), None) => {
                loading.not_read(path, error);
                return None;
            }
        };
        self.seen.insert(real);
        let source = RuleSource::parse(&bytes.ok()?);
        for limit in &source.limits {
            loading.note(format!("{}: {limit}", path.to_str_lossy()));
        }
        Some((source, layer))
    }
}

/// Record that `path`, a hint file or what a token names, is not loaded.
fn skip(loading: &mut Loading<'_>, path: &AbsPath, importer: NamingToken<'_>, reason: Reason) {
    match importer {
        Some((from, span, token)) => loading.skip_token(from, span, token, Some(path.clone()), reason),
        None => loading.skip_file(path, reason),
    }
}

/// Why an import is not followed, before its file is looked at.
fn refusal(loading: &mut Loading<'_>, kind: FileOrigin, target: &AbsPath, hops: usize) -> Option<Reason> {
    let limit = loading.max_depth();
    if hops >= limit {
        return Some(Reason::TooDeep(limit));
    }
    if !kind.free && !loading.is_inside(&loading.start, target) {
        return Some(Reason::Outside(loading.start.clone()));
    }
    let imports = loading.dialect().imports;
    if let Some(extension) = imports.and_then(|imports| imports.refused_extension(target.file_name())) {
        // A token like `docs.md,` has the extension `md,`; the reader wants to know about the comma.
        let spoiled = loading.names_file_with_punctuation(target, &extension);
        return Some(if spoiled { Reason::Punctuation } else { Reason::Extension(extension) });
    }
    (!loading.may_import()).then_some(Reason::Limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_sorted() {
        assert!(EXTENSIONS.is_sorted());
    }
}
